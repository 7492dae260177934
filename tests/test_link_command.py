"""`pytest-lift link`: what is suggested and why, and links written into files of people."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lift_command import typed

from pytest_lift.agents.offline.writing.links import Linker
from pytest_lift.check.reading import read_text
from pytest_lift.cli import main
from pytest_lift.commands.link.candidates import Candidate, find_candidates
from pytest_lift.commands.link.writing import DOCSTRING, adds_a_link, spelling_of, write_link
from pytest_lift.errors import UsageError
from pytest_lift.project.static_config import StaticConfig, read_static_config
from pytest_lift.requirements.reader import load
from pytest_lift.source.program import Program, read_program
from pytest_lift.suite.ownership import Ownership, ownership_text, parse_ownership
from pytest_lift.suite.suite import Edit, suite_of
from pytest_lift.suite.test_file import TestFile, parse_test_file

REQUIREMENTS = """
fares:
  - id: F-1
    title: Fares by age
    description: "`fare` gives the price of a ticket by `age`."
    acceptance: ["A child pays 'free'.", "An adult pays more."]
    examples: [">>> fare(age=40)\\n'2.40'"]
  - id: F-2
    title: Refunds
    description: "`refund` gives back what was paid."
    acceptance: ["`refund('2.40')` gives '2.40'."]
  - id: F-3
    title: Printing a ticket
    description: "A `Ticket` is printed with `print_ticket`."
    acceptance: ["It fits the page."]
  - id: F-4
    title: Night tariff
    description: At night it costs more.
    acceptance: ["Twice as much."]
  - {id: F-5, title: Lost tickets, description: "`refund` refuses them.", acceptance: ["x"], waived: later}
"""
PROGRAM = """
class Ticket: ...
def fare(age=0): ...
def refund(paid): ...
def print_ticket(ticket): ...
def lost(): ...
"""
TESTS = '''\
from thing import Ticket, fare, print_ticket, refund


def test_grown_up():
    assert fare(age=40) == '2.40'


def test_refund():
    """Gives it back."""
    assert refund('2.40') == '2.40'


class TestTickets:
    def test_printing_of_a_ticket(self):
        assert print_ticket(Ticket())


def test_tariff_at_night():
    assert True


def test_other():
    assert lost() is None
'''


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose tests name no requirement."""
    files = {
        "pytest.ini": "[pytest]\nlift_requirements = reqs.yml\n",
        "reqs.yml": REQUIREMENTS,
        "thing.py": PROGRAM,
        "tests/test_thing.py": TESTS,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def suggested(root: Path, text: str = TESTS, program: bool = True, **owned: str) -> list[Candidate]:
    config = read_static_config(root)
    requirements = load(config.requirements)
    read = read_program(root, ("thing.py",), ("",), "") if program else Program((), (), ())
    file = read_text("tests/test_thing.py", text, config.naming)
    linker = Linker(requirements, read)
    return find_candidates(requirements, [file], Ownership(owned, {}), linker)


def told(found: list[Candidate]) -> list[tuple[str, str, str]]:
    return [(one.certainty, one.requirement.id, one.test.inner_node) for one in found]


def test_the_most_certain_comes_first_each_with_its_reasons(project: Path) -> None:
    found = suggested(project)
    assert told(found) == [
        ("sure", "F-1", "test_grown_up"),
        ("sure", "F-2", "test_refund"),
        ("likely", "F-3", "TestTickets::test_printing_of_a_ticket"),
        ("possible", "F-4", "test_tariff_at_night"),
    ]
    assert [one.reasons for one in found] == [
        ("expects what its example states", "uses age, fare"),
        (
            "asserts what \"`refund('2.40')` gives '2.40'.\" states",
            "uses refund",
            "is named after refund, refunds",
        ),
        (
            "uses Ticket, print_ticket",
            "is named after Ticket, print_ticket, printing, ticket",
        ),
        ("is named after night, tariff",),
    ]


def test_without_a_program_texts_and_names_still_tell(project: Path) -> None:
    found = told(suggested(project, program=False))
    assert found == [
        ("sure", "F-2", "test_refund"),
        ("sure", "F-1", "test_grown_up"),
        ("possible", "F-3", "TestTickets::test_printing_of_a_ticket"),
        ("possible", "F-4", "test_tariff_at_night"),
    ]


def test_what_is_linked_is_not_suggested_again(project: Path) -> None:
    linked = TESTS.replace('"""Gives it back."""', '""":req: F-2"""')
    assert "F-2" not in [one.requirement.id for one in suggested(project, linked)]
    other = TESTS.replace('"""Gives it back."""', '""":req: F-1"""')
    assert ("sure", "F-2", "test_refund") in told(suggested(project, other))
    weak = TESTS.replace("    assert True", '    """:req: F-1"""')
    assert "F-4" not in [one.requirement.id for one in suggested(project, weak)]


def test_what_the_tool_wrote_is_not_suggested(project: Path) -> None:
    digests = {t.node: t.digest for t in parse_test_file("tests/test_thing.py", TESTS).tests}
    node = "tests/test_thing.py::test_refund"
    assert "F-2" not in [one.requirement.id for one in suggested(project, **{node: digests[node]})]


def test_names_that_all_tests_use_tell_nothing(project: Path) -> None:
    text = TESTS + "".join(
        f"\n\ndef test_number_{n}():\n    assert print_ticket(Ticket()) != {n}\n" for n in range(30)
    )
    names = [one.test.name for one in suggested(project, text) if one.requirement.id == "F-3"]
    assert not any(name.startswith("test_number") for name in names)


def test_a_name_of_the_test_s_own_is_not_that_of_the_program(project: Path) -> None:
    own = TESTS.replace("assert lost() is None", "print_ticket = 1\n    assert print_ticket")
    own = own.replace("def test_other", "def test_print_ticket")
    assert ("possible", "F-3", "test_print_ticket") in told(suggested(project, own))
    other = own.replace("def test_print_ticket", "def test_other")
    assert "test_other" not in [one.test.name for one in suggested(project, other)]


def test_keys_stay_the_same_and_differ(project: Path) -> None:
    keys = [one.key for one in suggested(project)]
    assert keys == [one.key for one in suggested(project, f"# a comment\n\n{TESTS}")]
    assert len(set(keys)) == len(keys)


def linked_file(root: Path, text: str, ini: str = "") -> tuple[TestFile, StaticConfig]:
    path = root / "tests/test_it.py"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    (root / "pytest.ini").write_text(f"[pytest]\n{ini}")
    config = read_static_config(root)
    return read_text("tests/test_it.py", text, config.naming), config


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def test_a():\n    pass\n", 'def test_a():\n    """:req: R-1"""\n    pass\n'),
        ("def test_a():\r\n    # why\r\n    pass", 'def test_a():\r\n    # why\r\n    """:req: R-1"""\r\n    pass'),
        ('def test_a():\n    """Says so."""\n', 'def test_a():\n    """Says so.\n\n    :req: R-1\n    """\n'),
        ('def test_a():\n    r"""Says\n\n      so.\n\n    """\n    x = 1\n', 'def test_a():\n    r"""Says\n\n      so.\n\n\n      :req: R-1\n    """\n    x = 1\n'),
        ('def test_a():\n    """Says.\n\n    :req: R-0\n    """\n', 'def test_a():\n    """Says.\n\n    :req: R-0\n    :req: R-1\n    """\n'),
        ("def test_a():\n    ''':req: R-0'''\n", "def test_a():\n    ''':req: R-0\n    :req: R-1\n    '''\n"),
        ("class TestA:\n\n  @mark\n  async def test_a(self):\n\n    def inner(): 'x'\n", "class TestA:\n\n  @mark\n  async def test_a(self):\n\n    \"\"\":req: R-1\"\"\"\n    def inner(): 'x'\n"),
    ],
)  # fmt: skip
def test_a_field_goes_into_the_docstring_and_nothing_else_changes(
    tmp_path: Path, before: str, after: str
) -> None:
    file, config = linked_file(tmp_path, before + "# \udce4 \u00e4 \n")
    name = "TestA::test_a" if "class" in before else "test_a"
    written = write_link(file, name, "R-1", DOCSTRING, config)
    on_disk = (tmp_path / "tests/test_it.py").read_bytes().decode("utf-8", "surrogateescape")
    assert on_disk == after + "# \udce4 \u00e4 \n"
    assert ":req: R-1" in on_disk.splitlines()[written.line - 1]
    (test,) = written.file.tests
    assert "R-1" in test.requirements


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ("import pytest\n\ndef test_a(): pass\n", 'import pytest\n\n@pytest.mark.req("R-1")\ndef test_a(): pass\n', 3),
        ("import pytest as pt\nclass TestA:\n\t@pt.mark.req('R-0')\n\tdef test_a(self): 'it'\n", "import pytest as pt\nclass TestA:\n\t@pt.mark.req('R-1')\n\t@pt.mark.req('R-0')\n\tdef test_a(self): 'it'\n", 3),
        ("from pytest import mark as m\r\n@m.slow\r\ndef test_a():\r\n  assert 1", "from pytest import mark as m\r\n@m.req(\"R-1\")\r\n@m.slow\r\ndef test_a():\r\n  assert 1", 2),
        ("import thing\n\n\ndef test_a():\n    assert 1", 'import thing\nimport pytest\n\n\n@pytest.mark.req("R-1")\ndef test_a():\n    assert 1', 5),
    ],
)  # fmt: skip
def test_a_mark_stands_above_the_test_and_imports_what_it_needs(
    tmp_path: Path, before: str, after: str, line: int
) -> None:
    file, config = linked_file(tmp_path, before)
    name = "TestA::test_a" if "class" in before else "test_a"
    written = write_link(file, name, "R-1", "req", config)
    found = (tmp_path / "tests/test_it.py").read_bytes().decode()
    assert sorted(found.split()) == sorted(after.split())
    assert "R-1" in found.splitlines()[written.line - 1]
    if "import thing" not in before:
        assert (found, written.line) == (after, line)


@pytest.mark.parametrize(
    ("text", "identity", "why"),
    [
        ("def test_a(): pass\n", "R-1", "is written on one line"),
        ("def test_a():\n    'Says.'\n", "R-1", "not in triple quotes"),
        ("def test_a():\n    '''Says''' 'so.'\n", "R-1", "not in triple quotes"),
        ("def test_a():\n    pass\n", "R-1, R-2", "cannot hold this id"),
        ("def test_b():\n    pass\n", "R-1", "is not a test of its file"),
        ('def test_a():\n    """Says\\\n    """\n', "R-1", "would differ in more than this link"),
    ],
)
def test_what_has_no_place_for_a_link_is_left_alone(
    tmp_path: Path, text: str, identity: str, why: str
) -> None:
    file, config = linked_file(tmp_path, text)
    with pytest.raises(UsageError, match=why) as raised:
        write_link(file, "test_a", identity, DOCSTRING, config)
    assert "by hand" in str(raised.value)
    assert (tmp_path / "tests/test_it.py").read_text() == text


@pytest.mark.parametrize(
    ("after", "good"),
    [
        ('def test_a():\n    """:req: R-1"""\n    x = 1\ndef test_b(): pass\n', True),
        ('def test_a():\n    """:req: R-1"""\n    x = 2\ndef test_b(): pass\n', False),
        ('def test_a():\n    """:req: R-2"""\n    x = 1\ndef test_b(): pass\n', False),
        ('def test_a():\n    x = 1\ndef test_b(): ":req: R-1"\n', False),
        ('""":req: R-1"""\ndef test_a():\n    x = 1\ndef test_b(): pass\n', False),
        ('def test_a():\n    """:req: R-1"""\n    x = 1\n', False),
        ('def test_a():\n    """:req: R-1"""\n    x = 1\ndef test_b(: pass\n', False),
    ],
)
def test_a_new_text_is_read_before_it_counts(tmp_path: Path, after: str, good: bool) -> None:
    before, config = linked_file(tmp_path, "def test_a():\n    x = 1\ndef test_b(): pass\n")
    new = read_text(before.path, after, config.naming)
    assert adds_a_link(before, new, "test_a", "R-1") == good


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    file, config = linked_file(tmp_path, "def test_a():\n    pass\n")
    (tmp_path / "tests/test_it.py").write_text("# mine\n")
    with pytest.raises(UsageError, match="changed meanwhile"):
        write_link(file, "test_a", "R-1", DOCSTRING, config)
    assert (tmp_path / "tests/test_it.py").read_text() == "# mine\n"


@pytest.mark.parametrize(
    ("text", "ini", "spelling"),
    [
        ("def test_a(): pass\n", "", DOCSTRING),
        ("def test_a(): pass\n", "markers =\n    slow\n    req(id): of a requirement\n", "req"),
        ("def test_a(): pass\n", "markers =\n    covers: x\nlift_marker = covers\n", "covers"),
        ("import pytest\n@pytest.mark.req('R-1')\ndef test_a(): pass\n", "", "req"),
        ('def test_a():\n    """:req: R-1"""\n', "markers =\n    req: x\n", DOCSTRING),
        ("import pytest\n@pytest.mark.emergent('x')\ndef test_a(): pass\n", "", DOCSTRING),
    ],
)
def test_links_are_spelled_as_the_project_does(
    tmp_path: Path, text: str, ini: str, spelling: str
) -> None:
    file, config = linked_file(tmp_path, text, ini)
    assert spelling_of([file], config) == spelling


def test_without_a_terminal_it_lists_and_writes_nothing(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["link"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("sure:\n  ")
    assert "F-2 (Refunds)  <-  tests/test_thing.py::test_refund: asserts what" in out
    assert out.endswith("4 suggestions; nothing was written: pytest-lift link --yes-to KEY ...\n")
    assert (project / "tests/test_thing.py").read_text() == TESTS


def listed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, str]]:
    assert main(["link", "--format", "json", *arguments]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["version"] == 1
    return list(data["suggestions"])


def test_programs_accept_by_key(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = listed(capsys)
    assert [one["requirement"] for one in found] == ["F-1", "F-2", "F-3", "F-4"]
    assert found[2]["line"] == 14
    accepted = [found[1]["key"], found[2]["key"]]
    assert main(["link", "--yes-to", accepted[0], "--yes-to", accepted[1]]) == 0
    out = capsys.readouterr().out
    assert "    tests/test_thing.py:11: F-2 is linked\n" in out
    assert out.endswith("2 linked, 2 left to decide\n")
    text = (project / "tests/test_thing.py").read_text()
    assert text == TESTS.replace('back."""', 'back.\n\n    :req: F-2\n    """').replace(
        "(self):\n", '(self):\n        """:req: F-3"""\n'
    )
    assert [one["requirement"] for one in listed(capsys)] == ["F-1", "F-4"]
    assert main(["link", "--yes-to", accepted[0]]) == 4
    assert "no suggestion has the key" in capsys.readouterr().err


def test_the_list_can_be_narrowed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [one["requirement"] for one in listed(capsys, "F-4", "F-2")] == ["F-2", "F-4"]
    assert {one["certainty"] for one in listed(capsys, "--certainty", "sure")} == {"sure"}
    linked = TESTS.replace("    assert lost", '    """:req: F-2"""\n    assert lost')
    (project / "tests/test_thing.py").write_text(linked)
    assert "F-2" not in [one["requirement"] for one in listed(capsys, "--uncovered")]
    assert "F-2" in [one["requirement"] for one in listed(capsys)]
    assert main(["link", "F-9"]) == 4


def test_the_spelling_can_be_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = listed(capsys, "F-1")[0]["key"]
    assert main(["link", "--yes-to", key, "--as", "mark"]) == 0
    assert (
        "@pytest.mark.req('F-1')\ndef test_grown_up"
        in (project / "tests/test_thing.py").read_text()
    )


@pytest.mark.parametrize(
    ("keys", "linked", "last"),
    [
        ("ynyn", {"F-1", "F-3"}, "2 linked, 2 refused and not suggested again"),
        ("ssys", {"F-3"}, "1 linked, 3 left to decide"),
        ("nsq", set(), "0 linked, 1 refused and not suggested again, 3 left to decide"),
        ("yq", {"F-1"}, "1 linked, 3 left to decide"),
        ("na", {"F-2", "F-3", "F-4"}, "3 linked, 1 refused and not suggested again"),
        ("xq", set(), "0 linked, 4 left to decide"),
    ],
)
def test_one_key_each(project: Path, keys: str, linked: set[str], last: str) -> None:
    out = typed(keys, "link", folder=project)
    assert out.endswith(f"{last}\n")
    assert "1 of 4  F-1: Fares by age" in out
    assert "    A child pays 'free'.\n    An adult pays more.\n" in out
    assert "  | def test_grown_up():\n" in out
    file = parse_test_file("tests/test_thing.py", (project / "tests/test_thing.py").read_text())
    assert {name for test in file.tests for name in test.requirements} == linked


def test_what_is_refused_is_not_suggested_again(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a lift has written there, and what was refused in a review, stays."""
    kept = ownership_text({"tests/test_x.py::test_x": "0" * 16}, {}, {"1" * 16})
    assert kept is not None
    place = project / "tests/.lift.json"
    place.write_text(kept)
    keys = {one["requirement"]: one["key"] for one in listed(capsys)}
    assert main(["link", "--no-to", keys["F-1"], "--yes-to", keys["F-2"]]) == 0
    last = "1 linked, 1 refused and not suggested again, 2 left to decide\n"
    assert capsys.readouterr().out.endswith(last)
    assert [one["requirement"] for one in listed(capsys)] == ["F-3", "F-4"]
    assert main(["link", "--no-to", keys["F-4"]]) == 0
    capsys.readouterr()
    assert [one["requirement"] for one in listed(capsys)] == ["F-3"]
    assert [one["requirement"] for one in listed(capsys, "--again")] == ["F-1", "F-3", "F-4"]
    said = parse_ownership(place.read_text())
    assert (said.tests, said.refused) == ({"tests/test_x.py::test_x": "0" * 16}, {"1" * 16})
    assert said.refused_links == {keys["F-1"], keys["F-4"]}


@pytest.mark.parametrize("text", ["no json", '{"version": 9}'])
def test_what_cannot_be_kept_is_said(
    project: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    key = listed(capsys)[0]["key"]
    (project / "tests/.lift.json").write_text(text)
    assert main(["link", "--no-to", key]) == 1
    assert "what was refused cannot be kept: the file is " in capsys.readouterr().out
    assert (project / "tests/.lift.json").read_text() == text


def test_a_key_is_accepted_or_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = listed(capsys)[0]["key"]
    assert main(["link", "--no-to", key, "--yes-to", key]) == 4
    assert main(["link", "--no-to", "00000000"]) == 4
    assert (project / "tests/test_thing.py").read_text() == TESTS


def test_a_lift_keeps_refused_links() -> None:
    """It writes the file anew, with a refusal of another time."""
    text = ownership_text({}, {}, (), {"0123abcd"})
    suite = suite_of("tests", {"tests/.lift.json": text or ""})
    assert suite.texts()["tests/.lift.json"] == text
    new = suite.apply(Edit({"tests/test_a.py": "def test_a(): pass\n"}))
    said = parse_ownership(new.texts()["tests/.lift.json"])
    assert (said.refused_links, said.problem) == ({"0123abcd"}, None)


@pytest.mark.parametrize(
    ("path", "line", "spelling"),
    [
        ("conftest.py", 'config.addinivalue_line("markers", "req(id): what it shows")', "req"),
        ("tests/conftest.py", 'c.addinivalue_line(name="markers", line="req")', "req"),
        ("conftest.py", 'config.addinivalue_line("filterwarnings", "req")', DOCSTRING),
        ("conftest.py", 'config.addinivalue_line("markers", "slow: req")', DOCSTRING),
        ("conftest.py", "config.addinivalue_line('markers', NAME)", DOCSTRING),
        ("conftest.py", "config.addinivalue_line('markers', 'req'", DOCSTRING),
        ("src/conftest.py", 'config.addinivalue_line("markers", "req")', DOCSTRING),
    ],
)
def test_marks_that_a_conftest_file_registers(
    project: Path, path: str, line: str, spelling: str
) -> None:
    (project / path).parent.mkdir(exist_ok=True)
    (project / path).write_text(f"def pytest_configure(config):\n    {line}\n")
    assert spelling_of([], read_static_config(project)) == spelling
