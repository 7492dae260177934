"""A session that runs a part of the suite says so, and takes nothing for untested that has tests;
what was measured against a test's word is said, too."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import Project

REQUIREMENTS = """
core:
  - {id: A-1, title: Doubling, description: "`double(2)` is 4", acceptance: doubled}
  - {id: A-2, title: Labels, description: "`label` names a number", acceptance: named}
  - {id: A-3, title: Both, description: both, acceptance: both}
  - {id: A-4, title: Nobody, description: n, acceptance: n}
  - {id: A-5, title: Later, description: l, acceptance: l, waived: later}
"""
TESTS = {
    "tests/test_a.py": """
        import pytest
        from thing import double

        @pytest.mark.req("A-1")
        def test_double():
            assert double(2) == 4

        @pytest.mark.req("A-3")
        def test_both():
            assert double(1) == 2
        """,
    "tests/test_b.py": """
        import pytest
        from thing import double, label

        @pytest.mark.req("A-2", "A-3")
        def test_label():
            assert label(1)

        @pytest.mark.req("A-5")
        def test_later():
            assert double(1) == 3
        """,
}


@pytest.fixture
def asked(project: Project) -> Project:
    ini = "[pytest]\nlift_requirements = reqs.yml\n"
    return project.write({**TESTS, "reqs.yml": REQUIREMENTS, "pytest.ini": ini})


def run(project: Project, *options: str) -> tuple[str, dict[str, Any]]:
    """What the terminal says, and the report."""
    result = project.pytest("--lift-report=json:out.json", *options)
    assert "pytest-lift has stopped" not in result.text, result.text
    return result.text, json.loads((project.root / "out.json").read_text("utf-8"))


def statuses(data: dict[str, Any]) -> str:
    """Of A-1 to A-4."""
    return " ".join(item["status"] for item in data["requirements"][:4])


@pytest.mark.parametrize(
    ("options", "expected", "told"),
    [
        ("", "verified verified verified uncovered", ""),
        (
            "-k both",
            "not-run not-run incomplete uncovered",
            "3 tests of this suite were deselected",
        ),
        ("tests/test_a.py", "verified not-run incomplete uncovered", "2 linked tests were not"),
        (
            "tests/test_a.py::test_double",
            "verified not-run not-run uncovered",
            "3 linked tests were not collected",
        ),
        ("--deselect tests/test_b.py -n 1", "verified not-run incomplete uncovered", "deselected"),
        (
            "-x -p no:randomly tests/test_b.py tests/test_a.py",
            "not-run verified incomplete uncovered",
            "the session was cut short, 2 tests did not run",
        ),
    ],
)
def test_what_did_not_run_is_not_untested(
    asked: Project, options: str, expected: str, told: str
) -> None:
    text, data = run(asked, *options.split())
    assert statuses(data) == expected
    assert ("not of the whole suite: " in text) == bool(told)
    assert told in text
    assert told.lower() in data["verdict"]["headline"].lower()
    steps = [step for step in data["verdict"]["next_steps"] if "Write a test" in step]
    assert steps == ["Write a test for what has none: A-4"]


def test_one_of_several_is_enough_where_the_project_says_so(asked: Project) -> None:
    _, data = run(asked, "-k", "both", "--lift-verified=any")
    assert statuses(data) == "not-run not-run verified uncovered"


def test_what_is_waived_and_fails_is_told(asked: Project) -> None:
    text, data = run(asked)
    assert "exempt, but a test of it fails: A-5" in text
    assert data["requirements"][4]["status"] == "waived"


def test_the_tests_of_a_file_that_cannot_be_collected_did_not_run(asked: Project) -> None:
    broken = asked.read("tests/test_b.py").replace("import double", "import halve")
    asked.write({"tests/test_b.py": broken})
    _, data = run(asked, "--continue-on-collection-errors")
    assert statuses(data) == "verified not-run incomplete uncovered"
    (link,) = data["requirements"][1]["links"]
    assert (link["outcome"], link["cases"]["not_run"]) == ("not-run", 1)


def test_a_worker_that_crashes_fails_what_it_was_at(asked: Project) -> None:
    text = asked.read("tests/test_a.py").replace(
        "assert double(2) == 4", "__import__('os')._exit(3)"
    )
    asked.write({"tests/test_a.py": text})
    _, data = run(asked, "-n", "1")
    assert statuses(data) == "failing verified verified uncovered"


DOUBTED = """
import pytest
import thing

@pytest.fixture(scope="module")
def doubled():
    return thing.double(2)

@pytest.mark.req("A-1")
def test_idle():
    pass

@pytest.mark.req("A-2")
def test_elsewhere():
    assert thing.double(2) == 4

@pytest.mark.req("A-1")
def test_first(doubled):
    assert doubled == 4

@pytest.mark.req("A-1")
def test_second(doubled):
    assert doubled != 5
"""


def test_a_link_that_the_measurement_speaks_against_is_doubted(asked: Project) -> None:
    asked.write({"tests/test_a.py": DOUBTED, "tests/test_b.py": ""})
    asked.write({".coveragerc": "[paths]\nsource =\n    .\n    */elsewhere\n"})
    measured = ("--cov=thing", "--cov-branch", "--cov-context=test", "-p", "pytest_cov")
    text, data = run(asked, *measured, "--lift-strict")
    assert "doubted: A-1 by tests/test_a.py::test_idle: nothing in it can fail" in text
    none = "it executes none of what the text names: label"
    assert f"doubted: A-2 by tests/test_a.py::test_elsewhere: {none}" in text
    assert "missed: doubted links: 2, wanted 0 (--lift-strict)" in text
    assert statuses(data) == "verified doubted uncovered uncovered"
    grades = {link["test"]: link["grade"] for link in data["requirements"][0]["links"]}
    assert [*grades.values()] == ["doubted", "verified", "verified"], "a fixture that both share"
    text, data = run(asked)
    assert statuses(data) == "verified verified uncovered uncovered", "nothing was measured"


def test_junit_names_the_requirements_that_the_ini_file_has(asked: Project) -> None:
    for options in ((), ("-n", "1")):
        result = asked.pytest("--junitxml=junit.xml", *options)
        assert "requirements" not in result.text, "nothing else was asked of the session"
        found = (asked.root / "junit.xml").read_text("utf-8")
        assert '<property name="requirement" value="A-2, A-3"' in found


def test_a_session_does_not_say_that_the_program_does_what_nobody_asked_of_it(
    asked: Project,
) -> None:
    asked.pytest("--lift-report=html:out")
    page = (asked.root / "out/index.html").read_text("utf-8")
    assert "a session only runs the tests" in page
    assert "the program gives it" not in page
    assert "No difference was found" not in page
