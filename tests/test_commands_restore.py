"""Stored runs are listed with outcome and figures, whatever stands in their folders."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Project

from pytest_lift.commands.restore import past_runs
from pytest_lift.store.history import History
from pytest_lift.store.landing import land
from pytest_lift.suite.suite import Edit, read_suite

TEST = "def test_a():\n    assert 1\n"
FIGURES = {
    "figures": {"tests": 4, "passed": 3, "line_percent": 50.0, "requirements": 2, "verified": 1}
}
SUMMARY = {
    "outcome": "plateau",
    "tests": 182,
    "passed": 174,
    "line_percent": 83.63,
    "branch_percent": 87.88,
    "requirements": {"testable": 89, "verified": 76},
}


def stored(project: Path, outcome: object = None, *, lands: bool = False) -> str:
    history = History.open(project)
    run = history.start_run()
    suite = read_suite(project, "tests")
    run.archive(0, suite=suite, figures=FIGURES)
    run.archive(1, suite=suite, figures=FIGURES)
    if lands:
        land(project, history.root, suite, suite.apply(Edit({"tests/test_a.py": TEST})), run.id)
    if outcome is not None:
        text = outcome if isinstance(outcome, str) else json.dumps(outcome)
        (run.folder / "outcome.json").write_text(text)
    return run.id


def listed(project: Path) -> list[str]:
    return [run.described for run in past_runs(History.open(project))]


def test_a_run_is_one_line_with_how_it_ended_and_its_figures(tmp_path: Path) -> None:
    run = stored(tmp_path, SUMMARY, lands=True)
    assert listed(tmp_path) == [
        f"{run}  plateau      1 iteration  174 of 182 tests passed  83.6% lines  87.9% branches"
        "  76 of 89 requirements verified  1 file changed"
    ]


def test_a_run_that_was_killed_has_the_figures_of_its_last_iteration(tmp_path: Path) -> None:
    run = stored(tmp_path)
    assert listed(tmp_path) == [
        f"{run}  unfinished   1 iteration  3 of 4 tests passed  50.0% lines"
        "  1 of 2 requirements verified  nothing changed"
    ]


@pytest.mark.parametrize(
    "odd", ["{", "[]", "[[[" * 9999, {"outcome": ["x"] * 99, "tests": "many", "requirements": 3}]
)
def test_what_was_planted_there_is_no_reason_to_fail(tmp_path: Path, odd: object) -> None:
    run = stored(tmp_path, odd)
    (line,) = listed(tmp_path)
    assert line.startswith(run)


@pytest.mark.slow
def test_a_lift_is_listed_as_it_ended(project: Project) -> None:
    test = (
        'from thing import double\n\ndef test_d():\n    """Doubles."""\n    assert double(3) == 6\n'
    )
    project.script(test).lift("--lift-iterations=1", requirements=False)
    done = project.command("restore", "--list")
    assert done.status == 0
    assert "  iterations   1 iteration  " in done
    assert "1 of 1 test passed" in done
    assert "1 file changed" in done
