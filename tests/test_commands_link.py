"""`pytest-lift link`: links are accepted by key, refused ones do not come back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lift_command import typed
from unlinked_project import PROGRAM, REQUIREMENTS, TESTS

from pytest_lift.cli import main
from pytest_lift.commands.link_writing import DOCSTRING, spelling_of
from pytest_lift.project.option_values import read_static_config
from pytest_lift.suite.ownership import ownership_text, parse_ownership
from pytest_lift.suite.suite import Edit, suite_of
from pytest_lift.suite.test_file import parse_test_file


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
