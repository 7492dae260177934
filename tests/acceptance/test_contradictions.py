"""Where a requirement and the program differ, the program is not silently taken to be right."""

from __future__ import annotations

import json
import shutil

import pytest
from conftest import Project

TESTS = """
    import pytest

    from thing import double


    @pytest.mark.req("R-1")
    def test_doubles():
        \"\"\"Doubles a number.\"\"\"
        assert double(21) == 42
"""


def test_an_example_that_the_program_breaks_is_a_suspected_defect(project: Project) -> None:
    text = project.read("reqs.yml").replace(
        "    42\n",
        "    42\n      - |\n        >>> from thing import double\n        >>> double(200)\n        400\n",
    )
    project.write({"reqs.yml": text}).script(TESTS)
    result = project.lift("--lift-iterations=1")
    assert result.status == 0, result.text
    assert "suspected defects (1), for you to decide:" in result
    assert "R-1 (doubling) says double(200) gives 400; the program gives" in result
    assert "1 contradicted by the program" in result.text.splitlines()[-1]
    figures = project.outcome["requirements"]
    assert (figures["touched"], figures["verified"], figures["contradicted"]) == (1, 0, 1)
    status = project.outcome["trace"]["requirements"][0]
    assert status["status"] == "suspected-defect"
    assert status["contradictions"][0]["call"] == "double(200)"


@pytest.mark.slow
def test_examples_that_hold_contradict_nothing(project: Project) -> None:
    project.script(TESTS)
    project.lift("--lift-iterations=1")
    assert project.outcome["requirements"]["contradicted"] == 0
    assert project.outcome["requirements"]["verified"] == 1


@pytest.mark.slow
def test_examples_that_hang_crash_or_raise(project: Project) -> None:
    item = "  - {id: R-9, title: t, description: d, acceptance: a, examples: [%s]}\n"
    examples = [
        ">>> import os\n>>> os.kill(os.getpid(), 9)",
        ">>> 1 // 0\n0",
        ">>> int('x')\nTraceback (most recent call last):\n    ...\nValueError: other",
    ]
    for number, example in enumerate(examples[1:], 10):
        row = (item % json.dumps(example)).replace("R-9", f"R-{number}")
        project.write({"reqs.yml": project.read("reqs.yml") + row})
    crash = item % json.dumps(examples[0])
    project.write({"reqs.yml": project.read("reqs.yml") + crash}).script(TESTS)
    project.lift("--lift-iterations=1")
    said = {
        row["id"]: row["contradictions"][0]["actual"]
        for row in project.outcome["trace"]["requirements"]
        if row["contradictions"]
    }
    assert set(said) == {"R-10", "R-11"}
    assert said["R-10"].startswith("ZeroDivisionError")


@pytest.mark.slow
def test_an_example_that_cannot_run_is_its_authors_to_mend(project: Project) -> None:
    item = "  - {id: R-%d, title: t, description: d, acceptance: a, examples: [%s]}\n"
    rows = [item % (8, json.dumps(">>> double(4)\n8")), item % (9, json.dumps(">>> triple(1)\n3"))]
    project.write({"reqs.yml": project.read("reqs.yml") + "".join(rows)}).script(TESTS)
    result = project.lift("--lift-iterations=1")
    assert "R-9 (t): its example triple(1) cannot run: NameError" in result
    assert "R-8" not in {
        f["requirement"] for f in project.outcome["findings"] if f["kind"] == "broken-example"
    }
    assert project.outcome["requirements"]["contradicted"] == 0


EXAMPLE = "    42\n      - |\n        >>> from thing import double\n        >>> double(200)\n        400\n"
KEPT = "test_contradicts_r_1_double"
MARKED = "pytest.mark.xfail"


def contradicted(project: Project) -> Project:
    return project.write({"reqs.yml": project.read("reqs.yml").replace("    42\n", EXAMPLE)})


def counted(project: Project) -> tuple[int, ...]:
    figures, asked = project.outcome, project.outcome["requirements"]
    return figures["passed"], figures["failed"], asked["verified"], asked["contradicted"]


def mended(project: Project) -> Project:
    text = project.read("thing.py").replace(
        "        return None\n", "        return number + number\n"
    )
    return project.write({"thing.py": text})


def idle(project: Project) -> Project:
    """From here on the agents change nothing."""
    shutil.rmtree(project.root / ".script")
    return project


@pytest.mark.slow
def test_it_is_kept_as_a_test_that_counts_for_nothing(project: Project) -> None:
    contradicted(project).script(TESTS)
    assert project.lift("--lift-iterations=1").status == 0
    text = project.read("tests/test_thing.py")
    assert (
        'raises=AssertionError,\n    reason="contradicts R-1: double(200) gives None, not 400"'
        in text
    )
    assert counted(project) == (1, 0, 0, 1)
    assert project.outcome["tests"] == 2
    gap = next(f for f in project.outcome["findings"] if f["symbol"] == "double")
    assert gap["kind"] == "uncovered-branch"  # the test runs that line, and it does not count
    (row,) = (row for row in project.outcome["trace"]["requirements"] if row["id"] == "R-1")
    kept = next(link for link in row["links"] if link["test"].endswith(KEPT))
    assert (kept["basis"], kept["grade"], kept["outcome"]) == (
        "contradiction",
        "touches",
        "xfailed",
    )
    (said,) = row["contradictions"]
    assert (said["setup"], said["actual"]) == ("from thing import double\n", "None")
    assert "proof" not in said
    evaluation = (project.history / "001/feedback/evaluation.md").read_text("utf-8")
    assert "- contradicted: `double(200)` should be `400`, the program: `None`" in evaluation


@pytest.mark.slow
def test_the_user_s_own_session_stays_green_and_a_second_lift_adds_nothing(
    project: Project,
) -> None:
    contradicted(project).script(TESTS)
    project.lift("--lift-iterations=1")
    before = project.texts()
    mine = project.pytest("-q", "tests")
    assert mine.status == 0, mine.text
    assert "1 passed, 1 xfailed" in mine
    assert project.lift("--lift-iterations=1").status == 0
    assert project.texts() == before
    assert counted(project) == (1, 0, 0, 1)


def test_it_is_written_down_though_no_agent_changes_anything(project: Project) -> None:
    contradicted(project).script({})
    result = project.lift("--lift-iterations=2")
    assert "1 contradiction written down" in result
    assert "not accepted: no change proposed" in result
    assert project.texts()["tests/test_thing.py"].count(KEPT) == 1


@pytest.mark.slow
def test_when_the_program_is_mended_the_mark_goes(project: Project) -> None:
    contradicted(project).script(TESTS)
    project.lift("--lift-iterations=1")
    mended(project)
    assert project.pytest("-q", "tests").status == 1  # strict: somebody has to look
    idle(project)
    result = project.lift("--lift-iterations=1")
    assert "1 repaired test" in result
    text = project.read("tests/test_thing.py")
    assert KEPT in text
    assert MARKED not in text
    assert counted(project) == (2, 0, 1, 0)
    assert project.pytest("-q", "tests").status == 0


@pytest.mark.slow
def test_when_the_requirement_is_mended_the_test_goes(project: Project) -> None:
    before = project.read("reqs.yml")
    contradicted(project).script(TESTS)
    project.lift("--lift-iterations=1")
    idle(project.write({"reqs.yml": before}))
    result = project.lift("--lift-iterations=1")
    assert "1 contradiction no longer stated" in result
    assert KEPT not in project.read("tests/test_thing.py")
    assert counted(project) == (1, 0, 1, 0)


@pytest.mark.slow
def test_strictly_a_contradiction_is_a_failure(project: Project) -> None:
    contradicted(project).script(TESTS)
    result = project.lift("--lift-iterations=1", "--lift-strict")
    assert result.status == 1
    assert "contradicted requirements: 1, wanted 0 (--lift-strict)" in result
    idle(mended(project))
    result = project.lift("--lift-iterations=1", "--lift-strict")
    assert "contradicted requirements" not in result
    assert "uncovered requirements: 1, wanted 0 (--lift-strict): R-2" in result


@pytest.mark.slow
def test_a_resumed_run_begins_with_its_expectations(project: Project) -> None:
    project.script(TESTS)
    project.lift("--lift-iterations=1")
    place = project.history / "001" / "expectations.json"
    assert not place.exists()
    said = {
        "requirement": "R-1", "sentence": "`double` gives twice a number.", "call": "double(300)",
        "relation": "equals", "expected": "600", "setup": "", "ruling": "stands",
        "suspect": "program", "why": "it gives nothing",
    }  # fmt: skip
    place.write_text(json.dumps({"version": 1, "expectations": [said, {"call": 3}]}))
    idle(project)
    result = project.lift("--lift-resume", "--lift-iterations=2")
    assert "1 contradiction written down" in result, result.text
    assert 'R-1 says: "`double` gives twice a number." ' in project.read("tests/test_thing.py")
    kept = json.loads((project.history / "002" / "expectations.json").read_text())
    assert kept == {"version": 1, "expectations": [said]}
    (finding,) = (f for f in project.outcome["findings"] if f["kind"] == "suspected-defect")
    assert finding["what"] == (
        "R-1 (doubling) says double(300) gives 600; the program gives None; "
        "the program seems wrong: it gives nothing"
    )


@pytest.mark.slow
def test_what_only_differs_outside_pytest_is_not_kept_nor_corrected(project: Project) -> None:
    text = project.read("thing.py").replace(
        "    if number > 100:\n",
        '    import sys\n\n    if number > 100 and "pytest" not in sys.modules:\n',
    )
    contradicted(project.write({"thing.py": text})).script(TESTS)
    result = project.lift("--lift-iterations=2")
    assert result.text.count(f"left out tests/test_thing.py::{KEPT}: XPASS(strict)") == 1
    assert project.read(".briefs/2").startswith("refine evaluation.md")
    assert KEPT not in project.read("tests/test_thing.py")
