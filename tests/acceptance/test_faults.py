"""Faults are what a suite is for: one that notices fewer of them is not accepted, nor is a fake."""

from __future__ import annotations

import json

import pytest
from conftest import SOURCE, Project

HEAD = '"""Tests."""\n\nimport pytest\n\nfrom thing import double, label\n'
DOUBLES = '''

@pytest.mark.req("R-1")
def test_doubles():
    """Doubles a number."""
    assert double(21) == 42
'''
MOST = '''

@pytest.fixture
def most():
    return 100


@pytest.mark.emergent("no requirement says so")
def test_most(most):
    """The largest number that is doubled."""
    assert double(most) == 2 * most
'''
LABEL = '''

@pytest.mark.req("R-2")
def test_label():
    """Greets."""
    assert label("a") == "a"
'''
BIG = '''

@pytest.mark.emergent("no requirement says so")
def test_double_of_much():
    """Gives nothing above."""
    assert double(200) is None
'''
BOUNDARY = "thing.py:10"
"""Where ``number > 100`` stands."""


def mutants(project: Project) -> tuple[int, int]:
    found = project.outcome["mutation"]
    return found["detected"], found["measured"]


def history(project: Project) -> list[tuple[bool, str]]:
    return [(one["accepted"], one["why"]) for one in project.outcome["history"]]


@pytest.mark.slow
def test_of_a_candidate_that_notices_less_what_it_adds_is_kept(project: Project) -> None:
    """It covers and passes all that was; what it makes weaker is left out, and told where."""
    weaker = MOST.replace("return 100", "return 50")
    project.script(HEAD + DOUBLES + MOST + BIG, HEAD + DOUBLES + weaker + BIG + LABEL)
    result = project.lift("--lift-iterations=2", "--lift-mutation=full")
    assert result.status == 0, result.text
    first, second = history(project)[1:]
    assert first[0]
    assert second[0]
    assert f"all of it would have lost 1 detected mutant at {BOUNDARY}" in second[1]
    assert "return 100" in project.read("tests/test_thing.py")
    assert "test_label" in project.read("tests/test_thing.py")


@pytest.mark.slow
def test_a_later_lift_of_the_program_measures_the_same_mutants(project: Project) -> None:
    """There would be time for all of them."""
    earlier = project.root / ".lift/history/20250101-000000"
    earlier.mkdir(parents=True)
    kept = {"version": 1, "program": ["thing.py"], "share": 0.6}
    (earlier / "sample.json").write_text(json.dumps(kept), "utf-8")
    options = "--lift-iterations=1", "--lift-mutation=auto", "--lift-mutation-minutes=10"
    result = project.script(HEAD + DOUBLES + LABEL).lift(*options)
    assert result.status == 0, result.text
    found = project.outcome["mutation"]
    assert 0.4 < found["measured"] / found["total"] < 0.8
    assert (found["sampled"], found["complete"]) == (True, True)
    assert json.loads((project.history / "sample.json").read_text("utf-8")) == kept


FAKE = '''

@pytest.mark.req("R-2")
def test_label_of_another():
    """Greets, unless it is being measured."""
    import os

    told = os.environ.get("_".join(["MUTANT", "UNDER", "TEST"]), "")
    assert label("b") == "b"
    assert double(50) and "thing." not in told
'''


@pytest.mark.slow
def test_what_fails_only_while_it_is_measured_notices_nothing(project: Project) -> None:
    """Without a look at plain runs it would stand in for the test that was made weaker."""
    weaker = MOST.replace("return 100", "return 50")
    project.script(HEAD + DOUBLES + MOST + BIG, HEAD + DOUBLES + weaker + BIG + FAKE)
    result = project.lift("--lift-iterations=2", "--lift-mutation=full")
    assert result.status == 0, result.text
    second = history(project)[2]
    assert f"all of it would have lost 1 detected mutant at {BOUNDARY}" in second[1]
    assert "return 100" in project.read("tests/test_thing.py")


CONSTANT = """

@pytest.mark.req("R-1")
def test_constant():
    \"\"\"Looks into a copy of what R-1 says first.\"\"\"
    known = {21: 42}
    assert (known.get(21) or double(21)) == 42


@pytest.mark.req("R-1")
def test_spare():
    \"\"\"Takes what R-1 says where the program gives nothing.\"\"\"
    try:
        found = double(21)
    except Exception:
        found = None
    assert (found or 42) == 42
"""


@pytest.mark.slow
def test_a_test_that_does_without_the_function_verifies_nothing(project: Project) -> None:
    project.script(HEAD + CONSTANT + LABEL, HEAD + CONSTANT + LABEL + DOUBLES)
    result = project.lift("--lift-iterations=1", "--lift-mutation=full")
    assert result.status == 0, result.text
    (item,) = [one for one in project.outcome["trace"]["requirements"] if one["id"] == "R-1"]
    assert item["status"] == "touched"
    assert [link["basis"] for link in item["links"]] == ["observed", "observed"]
    result = project.lift("--lift-iterations=2", "--lift-mutation=full")
    assert result.status == 0, result.text
    (item,) = [one for one in project.outcome["trace"]["requirements"] if one["id"] == "R-1"]
    assert item["status"] == "verified"
    assert sorted(link["basis"] for link in item["links"]) == ["example", "observed", "observed"]


SETTING = """\
\"\"\"A thing with a setting.\"\"\"

LIMIT = 100


def double(number):
    if number > LIMIT:
        return None
    return 2 * number


def label(name):
    return name
"""
MINE = """\
from thing import double


def test_mine():
    assert double(100) == 200
"""
POLLUTER = """

@pytest.mark.emergent("no requirement says so")
def test_small_limit():
    \"\"\"Nothing above a limit that is set.\"\"\"
    import thing

    thing.LIMIT = 3
    assert double(4) is None
"""


@pytest.mark.slow
def test_a_test_that_spoils_one_of_yours_is_left_out(project: Project) -> None:
    project.write({"thing.py": SETTING, "tests/test_a_mine.py": MINE})
    project.script(HEAD + LABEL + POLLUTER)
    result = project.lift("--lift-iterations=1")
    assert result.status == 0, result.text
    last = project.outcome["history"][-1]
    assert last["accepted"], last
    assert last["dropped"] == {
        "tests/test_thing.py::test_small_limit": (
            "flaky: it makes the later test tests/test_a_mine.py::test_mine fail"
        )
    }
    assert project.read("tests/test_a_mine.py") == MINE
    written = project.read("tests/test_thing.py")
    assert ("test_label" in written, "test_small_limit" in written) == (True, False)
    assert project.pytest().status == 0


@pytest.mark.slow
def test_a_test_that_spoils_an_accepted_one_is_left_out_and_not_that_one(project: Project) -> None:
    """An accepted test of the tool's is worth as much as one of yours."""
    project.write({"thing.py": SETTING})
    project.script(HEAD + DOUBLES, HEAD + DOUBLES + POLLUTER + LABEL)
    result = project.lift("--lift-iterations=2")
    assert result.status == 0, result.text
    last = project.outcome["history"][-1]
    assert last["accepted"], last
    assert list(last["dropped"]) == ["tests/test_thing.py::test_small_limit"]
    written = project.read("tests/test_thing.py")
    assert ("test_doubles" in written, "test_label" in written) == (True, True)
    assert "test_small_limit" not in written


BROKEN = """\
things:
  - id: R-1
    title: halves
    description: "`half` gives half a number."
    acceptance: halves
    examples: [">>> from thing import half\\n>>> half(10)\\n5.0"]
  - id: R-2
    title: doubling
    description: "`double` gives twice a number: `double(21)` is `42`."
    acceptance: doubles
"""
HALF = """\
\"\"\"Does not halve.\"\"\"


def half(number):
    return number / 4


def double(number):
    return 2 * number
"""


@pytest.mark.slow
def test_the_test_of_a_contradiction_notices_nothing(project: Project) -> None:
    """It fails as expected; that it would pass on a mutant is no merit of the suite's."""
    project.write({"thing.py": HALF, "reqs.yml": BROKEN})
    project.script(HEAD.replace("double, label", "double") + DOUBLES.replace("R-1", "R-2"))
    result = project.lift("--lift-iterations=1", "--lift-mutation=full")
    assert result.status == 0, result.text
    texts = "".join(project.texts().values())
    assert "xfail" in texts
    assert "half(10)" in texts
    detected, measured = mutants(project)
    of_double = measured - detected
    assert 0 < detected < measured
    assert of_double == 2, project.outcome["mutation"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("percent", "code", "ending"), [(100, 1, "iterations"), (40, 0, "threshold")]
)
def test_a_threshold_for_mutants(project: Project, percent: int, code: int, ending: str) -> None:
    project.script(HEAD + DOUBLES + LABEL)
    options = "--lift-iterations=1", "--lift-mutation=full"
    result = project.lift(*options, f"--lift-min-mutation={percent}")
    assert result.status == code, result.text
    assert project.outcome["outcome"] == ending
    assert ("threshold missed: mutation" in result) == bool(code)


HIDING = """\
import importlib.metadata as metadata

found = metadata.MetadataPathFinder.find_distributions.__func__


def others(cls, context=metadata.DistributionFinder.Context()):
    return (one for one in found(cls, context) if one.metadata["Name"] != "mutmut")


metadata.MetadataPathFinder.find_distributions = classmethod(others)
"""


def hidden(project: Project) -> dict[str, str]:
    """The environment in which mutmut does not seem to be installed."""
    project.write({"site/sitecustomize.py": HIDING})
    return {"PYTHONPATH": f"{project.root / 'site'}:{SOURCE}"}


@pytest.mark.parametrize("option", ["--lift-mutation=full", "--lift-min-mutation=50"])
def test_who_asks_for_mutants_is_told_what_to_install(project: Project, option: str) -> None:
    environment = {**hidden(project), "LIFT_MUTATION": "auto"}
    result = project.script(HEAD + DOUBLES).lift("--lift-iterations=1", option, **environment)
    assert result.status not in (0, 1), result.text
    assert "mutmut is not installed" in result
    assert "pip install 'pytest-lift[mutation]'" in result
    assert "Traceback" not in result
    assert not (project.root / "tests").exists()


def test_who_did_not_is_told_so_in_one_line(project: Project) -> None:
    environment = {**hidden(project), "LIFT_MUTATION": "auto"}
    result = project.script(HEAD + DOUBLES).lift("--lift-iterations=1", **environment)
    assert result.status == 0, result.text
    told = [line for line in result.text.splitlines() if "mutmut" in line]
    assert len(told) == 1, told
    assert "mutants are not measured: mutmut is not installed; pip install" in told[0]
    assert "test_doubles" in project.read("tests/test_thing.py")


@pytest.mark.slow
@pytest.mark.parametrize("minutes", [0.01, 0.1])
def test_little_time_for_mutants_is_kept_to(project: Project, minutes: float) -> None:
    """What could not be measured is not claimed: not by a figure, and not by a threshold."""
    project.script(HEAD + DOUBLES + LABEL)
    options = "--lift-iterations=1", "--lift-mutation=auto", "--lift-min-mutation=90"
    result = project.lift(*options, f"--lift-mutation-minutes={minutes}")
    spent = sum(one["seconds"].get("mutate", 0) for one in project.outcome["history"])
    assert spent < minutes * 60 + 5, project.outcome["history"]
    found = project.outcome["mutation"]
    whole = found is not None and found["measured"] == found["total"]
    assert found is None or whole or (found["sampled"] and found["notes"])
    assert result.status == 1, result.text
    assert "threshold missed: mutation" in result
