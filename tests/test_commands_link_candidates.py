"""Which tests are suggested for which requirements, the most certain first, with reasons."""

from __future__ import annotations

from pathlib import Path

import pytest
from unlinked_project import PROGRAM, REQUIREMENTS, TESTS

from pytest_lift.agents.offline.writing.links import Linker
from pytest_lift.check.reading import read_text
from pytest_lift.commands.link_candidates import Candidate, find_candidates
from pytest_lift.project.option_values import read_static_config
from pytest_lift.requirements.reader import load
from pytest_lift.source.program import Program, read_program
from pytest_lift.suite.ownership import Ownership
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
