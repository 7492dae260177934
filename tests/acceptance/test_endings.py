"""Every lift ends with a name, a reason, an exit code and the best suite in place."""

from __future__ import annotations

import pytest
from conftest import Project

DOUBLE = '''\
"""Tests of thing."""

import pytest

from thing import double


@pytest.mark.req("R-1")
def test_doubles():
    """Doubles a number."""
    assert double(21) == 42
'''
BIG = '''

@pytest.mark.emergent("no requirement says so")
def test_double_of_much():
    """Gives nothing above 100."""
    assert double(101) is None
'''
AGAIN = '''

@pytest.mark.req("R-1")
def test_doubles_again():
    """Doubles the same number."""
    assert double(21) == 42
'''
LABEL = '''

@pytest.mark.req("R-2")
def test_label():
    """Greets, and shouts when asked."""
    assert label("a") == "a"
    assert label("a", loud=True) == "A"


@pytest.mark.emergent("no requirement says so")
def test_label_needs_a_name():
    """Refuses nobody."""
    with pytest.raises(ValueError, match="a name is needed"):
        label("")
'''
ALL = (DOUBLE + BIG + LABEL).replace("import double", "import double, label")


def ending(project: Project) -> tuple[str, int]:
    return project.outcome["outcome"], project.outcome["iterations"]


@pytest.mark.slow
def test_final_when_nothing_is_left_to_do(project: Project) -> None:
    project.write({"reqs.yml": project.read("reqs.yml") + "    waived: a person checks it\n"})
    result = project.script(DOUBLE, ALL).lift()
    assert (result.status, ending(project)) == (0, ("final", 2))
    assert project.outcome["line_percent"] == project.outcome["branch_percent"] == 100
    assert result.text.splitlines()[-1].startswith("= lift: final, 4 tests pass, 100.0% lines")
    assert (project.root / ".lift/first-sufficient").is_dir()
    assert project.pytest().status == 0


@pytest.mark.slow
def test_where_nothing_was_gained_nothing_is_said_to_be_written(project: Project) -> None:
    mine = "import pytest\nfrom thing import double\n\ndef test_mine(): assert double(1) == 2\n"
    skipped = "\n@pytest.mark.skip(reason='no')\ndef test_skipped(): pass\n"
    project.write({"tests/test_mine.py": mine + skipped})
    result = project.script("").lift("--lift-iterations=1")
    assert ending(project) == ("iterations", 1), result.text
    assert "your own session: 1 test passes, 1 is skipped; " in result
    assert "nothing was written to tests; every iteration is in .lift/history/" in result
    assert "undo" not in result
    assert "ended because: there were as many iterations as asked for" in result
    last = result.text.splitlines()[-1]
    assert last.startswith("= lift: iterations, 1 test passes, 1 is skipped, ")


@pytest.mark.slow
def test_threshold_when_all_that_are_set_hold(project: Project) -> None:
    result = project.script(DOUBLE, DOUBLE + BIG).lift("--lift-min-line=60", "--lift-min-branch=30")
    assert (result.status, ending(project)) == (0, ("threshold", 2))


@pytest.mark.slow
def test_a_missed_threshold_is_exit_code_1(project: Project) -> None:
    result = project.script(DOUBLE).lift("--lift-min-line=99")
    assert (result.status, ending(project)) == (1, ("plateau", 2))
    assert "threshold missed: line" in result


@pytest.mark.slow
def test_plateau_after_three_iterations_without_gain(project: Project) -> None:
    """Each time something is proposed that brings nothing."""
    again = DOUBLE + AGAIN
    result = project.script(DOUBLE, again, again, again).lift()
    assert (result.status, ending(project)) == (0, ("plateau", 4))
    assert [i["accepted"] for i in project.outcome["history"]] == [True, True, False, False, False]


@pytest.mark.slow
def test_nobody_is_asked_twice_who_proposed_nothing(project: Project) -> None:
    result = project.script(DOUBLE, DOUBLE, DOUBLE + BIG).lift()
    assert (result.status, ending(project)) == (0, ("plateau", 2))
    assert result.text.count("no change proposed") == 1
    assert [i["repeats"] for i in project.outcome["history"]] == [False, False, True]


@pytest.mark.slow
def test_iterations_when_the_number_is_used_up(project: Project) -> None:
    result = project.script(DOUBLE, DOUBLE + BIG).lift("--lift-iterations=1")
    assert (result.status, ending(project)) == (0, ("iterations", 1))
    assert "test_double_of_much" not in project.read("tests/test_thing.py")


def test_budget_when_the_time_is_up(project: Project) -> None:
    result = project.script(DOUBLE).lift("--lift-max-minutes=0.001")
    assert (result.status, ending(project)) == (5, ("budget", 0))
    assert project.texts() == {}


@pytest.mark.slow
def test_an_error_of_an_agent_is_told_and_the_best_suite_stays(project: Project) -> None:
    project.script(DOUBLE)
    text = project.read("conftest.py").replace(
        "    return Edit(files)",
        "    if brief.iteration == 2:\n        raise LiftError('the model said no')\n"
        "    return Edit(files)",
    )
    project.write({"conftest.py": text + "from pytest_lift.errors import LiftError\n"})
    result = project.lift()
    assert (result.status, ending(project)) == (3, ("failed", 1))
    assert "ended because: the model said no" in result
    assert "Traceback" not in result
    assert "test_doubles" in project.read("tests/test_thing.py")


@pytest.mark.slow
def test_a_plugin_may_end_the_lift_with_its_own_word(project: Project) -> None:
    project.script(DOUBLE, DOUBLE + BIG)
    rule = (
        "\ndef pytest_lift_stop(iterations):\n    return 'lunch' if len(iterations) > 1 else None\n"
    )
    project.write({"conftest.py": project.read("conftest.py") + rule})
    assert project.lift().status == 0
    assert ending(project) == ("lunch", 1)


@pytest.mark.parametrize(
    "option",
    ["--lift-iterations=0", pytest.param("--lift-min-line=0", marks=pytest.mark.slow)],
)
def test_nothing_to_do_is_an_ending_too(project: Project, option: str) -> None:
    result = project.script(DOUBLE).lift(option)
    assert result.status == 5
    assert ending(project)[1] == 0


@pytest.mark.slow
def test_a_program_that_goes_missing_meanwhile_is_no_success(project: Project) -> None:
    project.script(DOUBLE, DOUBLE + BIG)
    text = project.read("conftest.py").replace(
        "    return Edit(files)",
        "    if brief.iteration == 2:\n        (HERE / 'thing.py').write_text('def (')\n"
        "    return Edit(files)",
    )
    result = project.write({"conftest.py": text}).lift("--lift-iterations=3", "--lift-min-line=90")
    assert (result.status, project.outcome["outcome"]) == (3, "failed")
    assert "can no longer be read" in result
    assert project.outcome["passed"] == 1  # the candidate of iteration 2 did not land any more


@pytest.mark.slow
def test_a_written_test_that_cannot_be_collected_any_more_is_exit_code_1(project: Project) -> None:
    project.write({"tests/test_mine.py": "def test_mine():\n    pass\n"})
    assert project.script(DOUBLE).lift("--lift-iterations=1").status == 0
    project.write({"thing.py": project.read("thing.py").replace("def double", "def twice")})
    result = project.lift("--lift-iterations=0")
    assert result.status == 1
    assert "failed before the lift and still fails: tests/test_thing.py" in result


def test_what_cannot_be_read_or_kept_is_told_without_a_traceback(project: Project) -> None:
    """Files that nobody can read stand for a lack of rights, which root never has."""
    project.write({"pkg/__init__.py": ""}).script(DOUBLE)
    (project.root / "pkg/memory.py").symlink_to("/proc/self/mem")
    (project.root / ".lift").mkdir()
    (project.root / ".lift/history").symlink_to("history")
    (project.root / ".lift/crash.txt").mkdir()
    result = project.lift("--lift-source=pkg")
    assert (result.status, "Traceback" in result) == (3, False)
    assert "the history cannot be kept" in result
    (project.root / ".lift/history").unlink()
    text = project.read("conftest.py").replace("    return Edit(", "    return Adit(")
    result = project.write({"conftest.py": text}).lift("--lift-source=pkg")
    assert (result.status, "Traceback" in result) == (3, False)
    assert "Please report it with NameError: name 'Adit' is not defined" in result
