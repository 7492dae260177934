"""A lift that was cut short goes on where it was: `--lift-resume`."""

from __future__ import annotations

import json
import re
import shutil
from typing import Any

import pytest
from conftest import Project
from lift_in_process import SmallLift

HEAD = '"""Tests."""\n\nimport pytest\n\nfrom thing import double, label\n'
DOUBLES = (
    '\n\n@pytest.mark.req("R-1")\ndef test_doubles():\n    """D."""\n    assert double(21) == 42\n'
)
MUCH = '\n\n@pytest.mark.emergent("seen")\ndef test_much():\n    """M."""\n    assert double(101) is None\n'
LABEL = '\n\n@pytest.mark.emergent("seen")\ndef test_label():\n    """L."""\n    assert label("a") == "a"\n    with pytest.raises(ValueError, match="name"):\n        label("")\n'
WRONG = '\n\n@pytest.mark.emergent("seen")\ndef test_wrong():\n    """W."""\n    assert label("a") == "b"\n'
MINE = 'from thing import label\n\n\ndef test_mine():\n    assert label("a", loud=True) == "A"\n'
AGAIN = (
    '\n\n@pytest.mark.req("R-1")\ndef test_again():\n    """A."""\n    assert double(21) == 42\n'
)
ONE, TWO, THREE = HEAD + DOUBLES, HEAD + DOUBLES + MUCH, HEAD + DOUBLES + MUCH + LABEL

KILL = """

import os, signal


def _killing(name, agent):
    def killing(brief):
        place = HERE / f".kill-{name}-{brief.iteration}"
        if place.exists():
            place.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        with (HERE / ".seeds").open("a") as file:
            file.write(f"{brief.seed} ")
        return agent(brief)
    return killing


generator, evaluator = _killing("generator", generator), _killing("evaluator", evaluator)
"""


def prepared(project: Project, *scripts: str, kill: str = "") -> Project:
    """Scripted agents that kill the lift in the phase `kill` names (``generator-2``), once."""
    project.script(*scripts)
    project.write({"conftest.py": project.read("conftest.py") + KILL})
    return project.write({f".kill-{kill}": ""}) if kill else project


def told(project: Project) -> list[tuple[int, str, bool]]:
    return [(i["number"], i["mode"], i["accepted"]) for i in project.outcome["history"]]


def briefs(project: Project) -> dict[str, str]:
    """What each generator was told."""
    return {path.name: path.read_text() for path in sorted((project.root / ".briefs").iterdir())}


def runs(project: Project) -> list[str]:
    return sorted(path.name for path in (project.root / ".lift/history").iterdir())


@pytest.mark.slow
def test_it_goes_on_after_the_last_complete_iteration(project: Project) -> None:
    project.write({"tests/test_mine.py": MINE})
    before = project.texts()
    prepared(project, ONE, TWO, THREE, kill="generator-2")
    assert project.lift().status == -9
    (begun,) = runs(project)
    result = project.lift("--lift-resume", "--lift-iterations=3")
    assert result.status == 0, result.text
    assert f"resumed after iteration 1 of run {begun}" in result
    assert runs(project) == [begun] == [project.outcome["run"]]
    assert (project.outcome["resumed_after"], project.outcome["iterations"]) == (1, 3)
    assert [row[0] for row in told(project)] == [0, 1, 2, 3]
    assert "test_label" in project.read("tests/test_thing.py")
    elapsed = [i["elapsed"] for i in project.outcome["history"]]
    assert elapsed == sorted(elapsed)
    assert project.command("restore").status == 0
    assert project.texts() == before


@pytest.mark.slow
@pytest.mark.parametrize("second", [TWO, TWO + WRONG], ids=["refine", "correct"])
def test_the_next_agents_are_told_what_they_would_have_been_told(
    project: Project, second: str
) -> None:
    """Mode, feedback and findings with their evidence are those of a lift that went through."""
    prepared(project, ONE, second, THREE)
    assert project.lift("--lift-iterations=3").status == 0
    whole, rows = briefs(project), told(project)
    for name in (".lift", "tests", ".briefs"):
        shutil.rmtree(project.root / name)
    project.write({".kill-generator-3": ""})
    assert project.lift("--lift-iterations=3").status == -9
    assert project.lift("--lift-iterations=3", "--lift-resume").status == 0
    assert told(project) == rows
    assert set(briefs(project)) == set(whole)
    for number, text in briefs(project).items():
        assert comparable(text) == comparable(whole[number])


def comparable(brief: str) -> str:
    """Without the numbers that name the private copy."""
    return re.sub(r"pytest-lift-\w+|0x[0-9a-f]+", "", brief)


@pytest.mark.slow
def test_what_was_spent_counts(project: Project) -> None:
    again = TWO + AGAIN
    prepared(project, ONE, TWO, again, again, THREE, *[THREE + AGAIN] * 3)
    assert project.lift("--lift-iterations=1").status == 0
    again = project.lift("--lift-iterations=1", "--lift-resume")
    assert (project.outcome["outcome"], project.outcome["iterations"]) == ("iterations", 1), (
        again.text
    )
    project.lift("--lift-iterations=3", "--lift-resume")
    assert [row[2] for row in told(project)] == [True, True, True, False]
    project.lift("--lift-iterations=4", "--lift-resume")
    assert project.outcome["iterations"] == 4
    result = project.lift("--lift-resume", "--lift-max-minutes=0.001")
    assert project.outcome["outcome"] == "budget", result.text
    assert project.lift("--lift-resume").status == 0
    assert told(project)[5] == (5, "refine", True)
    assert (project.outcome["outcome"], project.outcome["iterations"]) == ("plateau", 8)


@pytest.mark.slow
def test_what_the_user_edited_since_wins_and_is_said(project: Project) -> None:
    prepared(project, ONE, TWO, kill="generator-2")
    project.lift()
    mine = project.read("tests/test_thing.py").replace("double(21) == 42", "double(4) == 8")
    project.write({"tests/test_thing.py": mine, "tests/test_mine.py": MINE})
    result = project.lift("--lift-resume", "--lift-iterations=3")
    assert result.status == 0, result.text
    assert "your changes to tests/test_mine.py, tests/test_thing.py" in result
    assert told(project)[2] == (2, "resumed", True)
    assert project.read("tests/test_mine.py") == MINE
    assert "double(4) == 8" in project.read("tests/test_thing.py")
    assert briefs(project)["3"].startswith("initial None")


@pytest.mark.slow
def test_another_program_makes_what_was_said_about_it_void(project: Project) -> None:
    """A verdict, too: what was final is so no more."""
    reqs = project.read("reqs.yml") + "    waived: a person checks it\n"
    prepared(project.write({"reqs.yml": reqs}), THREE)
    assert project.lift().status == 0
    assert project.outcome["outcome"] == "final"
    again = project.lift("--lift-resume")
    assert (project.outcome["outcome"], project.outcome["iterations"]) == ("final", 1), again.text
    project.write({"thing.py": project.read("thing.py") + "\n\ndef third(x):\n    return x / 3\n"})
    project.write({".script/3/tests/test_thing.py": THREE + THIRD})
    result = project.lift("--lift-resume")
    assert "the program changed since" in result
    assert (project.outcome["outcome"], told(project)[2]) == ("final", (2, "resumed", True))
    assert "test_third" in project.read("tests/test_thing.py")


THIRD = """

@pytest.mark.emergent("seen")
def test_third():
    \"\"\"T.\"\"\"
    from thing import third

    assert third(9) == 3
"""


@pytest.mark.slow
def test_a_patch_goes_on_too_and_may_be_landed(project: Project) -> None:
    project.git("init", "-q")
    prepared(project, ONE, TWO, THREE, kill="generator-2")
    assert project.lift("--lift-output=patch").status == -9
    result = project.lift("--lift-output=patch", "--lift-resume", "--lift-iterations=2")
    assert result.status == 0, result.text
    assert not (project.root / "tests/test_thing.py").exists()
    assert [row[2] for row in told(project)] == [True, True, True]
    project.git("apply", "--check", ".lift/lift.patch")
    result = project.lift("--lift-output=land", "--lift-resume", "--lift-iterations=2")
    assert result.status == 0, result.text
    assert "test_much" in project.read("tests/test_thing.py")
    assert "tests/test_thing.py::test_much" in project.read("tests/.lift.json")
    assert project.command("restore").status == 0
    assert not (project.root / "tests/test_thing.py").exists()


@pytest.mark.slow
def test_killed_between_landing_and_storing_what_landed_counts(project: Project) -> None:
    prepared(project, ONE, TWO, THREE, kill="evaluator-2")
    assert project.lift().status == -9
    assert "test_much" in project.read("tests/test_thing.py")
    result = project.lift("--lift-resume", "--lift-iterations=3")
    assert result.status == 0, result.text
    assert "what iteration 2 had landed when it was cut short" in result
    assert told(project)[2] == (2, "resumed", True)
    assert "test_label" in project.read("tests/test_thing.py")


@pytest.mark.slow
def test_killed_before_anything_was_complete_it_starts_anew(project: Project) -> None:
    prepared(project, ONE, kill="generator-1")
    project.lift()
    shutil.rmtree(project.root / ".lift/history" / runs(project)[0] / "000")
    half = project.root / ".lift/history" / runs(project)[0] / ".000.tmp/tests"
    half.mkdir(parents=True)
    result = project.lift("--lift-resume", "--lift-iterations=1")
    assert result.status == 0, result.text
    assert "ended before iteration 0 was complete: this is a new run" in result
    assert [row[2] for row in told(project)] == [True, True]
    assert project.outcome["resumed_after"] is None
    assert not half.exists()


@pytest.mark.slow
def test_a_half_written_iteration_is_removed(project: Project) -> None:
    prepared(project, ONE, TWO, kill="generator-2")
    project.lift()
    half = project.root / ".lift/history" / runs(project)[0] / ".002.tmp"
    (half / "tests").mkdir(parents=True)
    assert project.lift("--lift-resume", "--lift-iterations=2").status == 0
    assert not half.exists()
    assert [row[0] for row in told(project)] == [0, 1, 2]


def test_without_a_run_there_is_nothing_to_resume(project: Project) -> None:
    prepared(project, ONE).write({"tests/test_mine.py": MINE})
    result = project.lift("--lift-resume")
    assert result.status == 4
    assert "there is no run to resume" in result
    assert "leave --lift-resume out" in result
    assert "1 passed" not in result


def damaged(project: Project, name: str, change: dict[str, Any] | None) -> None:
    place = project.root / ".lift/history" / runs(project)[0] / "001" / name
    if change is None:
        place.unlink()
    else:
        place.write_text(json.dumps({**json.loads(place.read_text()), **change}))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("standing.json", None),
        ("standing.json", {"version": 99}),
        pytest.param("standing.json", {"findings": [{"kind": "odd"}]}, marks=pytest.mark.slow),
        pytest.param("standing.json", {"mode": "odd", "on_disk": []}, marks=pytest.mark.slow),
        pytest.param("figures.json", {"figures": {"tests": "many"}}, marks=pytest.mark.slow),
        pytest.param("figures.json", {"number": 7}, marks=pytest.mark.slow),
        ("figures.json", None),
    ],
)
def test_what_another_version_stored_is_a_usage_error(
    stopped: Project, name: str, change: dict[str, Any] | None
) -> None:
    damaged(stopped, name, change)
    result = stopped.lift("--lift-resume")
    assert result.status == 4
    assert "was stored by another version, or is damaged" in result
    assert "leave --lift-resume out" in result
    assert "Traceback" not in result


@pytest.fixture
def stopped(project: Project) -> Project:
    """A project with a run of one iteration."""
    SmallLift(project.root).lift(ONE, iterations=1)
    return project


def test_another_test_folder_is_a_usage_error(stopped: Project) -> None:
    stopped.write({"checks/test_a.py": MINE})
    result = stopped.lift("--lift-resume", "--lift-tests=checks")
    assert result.status == 4
    assert "is about tests, not checks" in result


@pytest.mark.slow
def test_the_seed_is_that_of_the_run_unless_one_is_given(project: Project) -> None:
    prepared(project, ONE, TWO, kill="generator-2")
    project.lift("--lift-seed=7")
    (project.root / ".seeds").unlink()
    assert project.lift("--lift-iterations=2", LIFT_RESUME="1").status == 0
    assert set(project.read(".seeds").split()) == {"7"}
    (project.root / ".seeds").unlink()
    project.write({"setup.cfg": "[tool:pytest]\nlift_resume = true\n"})
    assert project.lift("--lift-iterations=3", "--lift-seed=8").status == 0
    assert set(project.read(".seeds").split()) == {"8"}
    assert project.outcome["resumed_after"] == 2
    assert project.lift("--lift-iterations=0", LIFT_RESUME="no").status == 0
    assert project.outcome["resumed_after"] is None
