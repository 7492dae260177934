"""Where a lift stands: stored, read back as it was, and compared with what is there now."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_lift.errors import UsageError
from pytest_lift.evolve.iteration import Iteration
from pytest_lift.evolve.resume import (
    Resumed,
    Standing,
    hashes,
    program_fingerprint,
    requirements_fingerprint,
    resumed,
)
from pytest_lift.files.codec import encode
from pytest_lift.findings.feedback import Feedback, write_feedback
from pytest_lift.findings.finding import Finding
from pytest_lift.measure.measurement import Figures
from pytest_lift.requirements.requirement import Expectation, Requirements, written_expectations
from pytest_lift.scope.scope import Scope, ScopePlace
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.store.archive import HistoryRun
from pytest_lift.store.history import History
from pytest_lift.store.journal import content_hash
from pytest_lift.suite.suite import Suite, suite_of
from pytest_lift.trace.covering import LinkGrade

FIGURES = Figures(3, 2, 1, 0, 50.0, 25.5, 4, 3, 2, 1, 0)
PROGRAM = Program(
    ("thing",), ("thing.py",), ("",), {"thing.py": SourceFile("thing.py", "thing", "x")}, ""
)
FINDING = Finding("failing", "it fails", "a.py", 3, "f", "R-1", ("t",), "\udce9 why", "mend", 2.5)
GRADE = LinkGrade("t.py::test", "R-1", "verifies", "it is two", ("f(1) == 2",))
SCOPE = Scope(("f",), (ScopePlace("a.py", "f", 1, 2),), frozenset({"R-1"}), frozenset({"t"}), 3)
EXPECTED = Expectation("R-1", "It is two.", "f(1)", expected="2", ruling="stands")
ONE = suite_of("tests", {"tests/test_a.py": "def test_a():\n    assert 1\n"})
TWO = suite_of("tests", {"tests/test_b.py": "def test_b():\n    assert 2\n"})
THREE = suite_of("tests", {"tests/test_c.py": "def test_c():\n    assert 3\n"})


def standing(accepted: Suite = ONE, working: Suite = ONE, **more: Any) -> Standing:
    return Standing(
        accepted=accepted,
        working=working,
        **{
            "mode": "refine",
            "on_disk": hashes(accepted),
            "program": program_fingerprint(PROGRAM),
            "requirements": requirements_fingerprint(Requirements()),
            **more,
        },
    )


def iteration(number: int) -> Iteration:
    return Iteration(
        number,
        "refine",
        FIGURES,
        True,
        "why",
        "REWORK",
        {"t": "fails"},
        {"a": 1.5},
        repeats=True,
        elapsed=2.0,
    )


def stored(project: Path, *states: tuple[Suite, Standing]) -> HistoryRun:
    run = History.open(project).start_run()
    for number, (tried, state) in enumerate(states):
        run.archive(
            number,
            suite=tried,
            feedback={state.feedback.filename: write_feedback(state.feedback)}
            if state.feedback
            else {},
            figures=encode(iteration(number)),
            standing=state.as_json(),
            besides=state.besides(tried),
            expectations=written_expectations(state.expectations),
        )
    return run


def read(project: Path) -> Resumed:
    found = resumed(History.open(project), "tests")
    assert found is not None
    return found


def test_what_was_stored_comes_back(tmp_path: Path) -> None:
    told = Feedback("debugger", "FIX", (), "Something fails.", "# body\n")
    state = standing(
        TWO, THREE, mode="correct", seed=7, corrections=2, known_failures=frozenset({"x", "y"}),
        findings=(FINDING,), feedback=told, expectations=(EXPECTED,), link_grades=(GRADE,),
        scope=SCOPE,
    )  # fmt: skip
    stored(tmp_path, (ONE, standing()), (ONE, state))
    found = read(tmp_path)
    assert found.standing == state
    assert found.iterations == (iteration(0), iteration(1))
    assert (found.after, found.elapsed) == (1, 2.0)


def test_the_keys_are_those_of_earlier_versions() -> None:
    state = standing(known_failures=frozenset({"b", "a"}), link_grades=(GRADE,), scope=SCOPE)
    data = state.as_json()
    names = "version mode on_disk program requirements seed corrections excused findings judged"
    assert [*data] == [*names.split(), "doubts", "left_out", "scope"]
    assert data["excused"] == ["a", "b"]
    assert data["judged"] == [{**vars(GRADE), "checks": ["f(1) == 2"]}]
    places = [{"file": "a.py", "symbol": "f", "line": 1, "end_line": 2}]
    left = {"requirements": ["R-1"], "apart": ["t"], "tests": 3, "since": "", "elsewhere": []}
    assert data["scope"] == {"names": ["f"], "places": places, **left}


def test_a_grade_that_does_not_fit_is_left_out(tmp_path: Path) -> None:
    run = stored(tmp_path, (ONE, standing(link_grades=(GRADE, replace(GRADE, test="u")))))
    place = run.folder / "000/standing.json"
    place.write_text(place.read_text().replace('"t.py::test"', "3"))
    assert [one.test for one in read(tmp_path).standing.link_grades] == ["u"]


def test_iterations_count_up_to_the_first_gap(tmp_path: Path) -> None:
    run = stored(tmp_path, (ONE, standing()), (ONE, standing()), (ONE, standing()))
    (run.folder / "001").rename(run.folder / "009")
    assert read(tmp_path).after == 0


def begun(
    project: Path, found: Suite, landing: bool = True, program: Program = PROGRAM
) -> tuple[Suite, str]:
    begin = read(project).begin(found, program, Requirements(), landing=landing)
    return begin.suite, begin.changed


OTHER = replace(PROGRAM, files={"thing.py": SourceFile("thing.py", "thing", "y")})


class TestBeginning:
    def test_as_it_stood(self, tmp_path: Path) -> None:
        stored(tmp_path, (ONE, standing()))
        assert begun(tmp_path, ONE) == (ONE, "")

    def test_a_patch_goes_on_with_what_was_accepted_for_it(self, tmp_path: Path) -> None:
        stored(tmp_path, (TWO, standing(TWO, TWO, on_disk=hashes(ONE))))
        assert begun(tmp_path, ONE, landing=False) == (TWO, "")
        assert begun(tmp_path, ONE, landing=True) == (TWO, "")

    def test_what_would_have_to_be_judged_anew_does_not_land(self, tmp_path: Path) -> None:
        stored(tmp_path, (TWO, standing(TWO, TWO, on_disk=hashes(ONE))))
        told = "the program changed since"
        assert begun(tmp_path, ONE, landing=False, program=OTHER) == (TWO, told)
        assert begun(tmp_path, ONE, landing=True, program=OTHER) == (ONE, told)

    def test_the_user_s_edits_win(self, tmp_path: Path) -> None:
        stored(tmp_path, (ONE, standing()))
        suite, told = begun(tmp_path, TWO)
        assert suite == TWO
        assert told == "your changes to tests/test_a.py, tests/test_b.py"

    def test_what_the_run_itself_put_there_is_no_edit(self, tmp_path: Path) -> None:
        run = stored(tmp_path, (ONE, standing()))
        text = TWO.files["tests/test_b.py"].text
        landed = {"tests/test_a.py": [None], "tests/test_b.py": [content_hash(text.encode())]}
        (run.folder / "landed.json").write_text(json.dumps(landed))
        assert begun(tmp_path, TWO) == (TWO, "what iteration 1 had landed when it was cut short")


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    rows = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    for key, value in rows:
        yield from places(value, (*path, key))


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=3,
)


@settings(max_examples=300, deadline=None)
@given(
    data=st.data(),
    name=st.sampled_from(["standing.json", "figures.json", "suite.json", "expectations.json"]),
)
def test_whatever_is_stored_is_read_or_a_usage_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, name: str
) -> None:
    project = tmp_path_factory.getbasetemp() / "odd"
    state = standing(
        mode="correct",
        findings=(FINDING,),
        known_failures=frozenset({"x"}),
        link_grades=(GRADE,),
        scope=SCOPE,
        expectations=(EXPECTED,),
    )
    if not project.exists():
        project.mkdir()
        stored(project, (ONE, state))
    (run,) = (project / ".lift/history").iterdir()
    place = run / "000" / name
    before = place.read_text()
    found = json.loads(before)
    path = data.draw(st.sampled_from(sorted(places(found), key=str)))
    odd = data.draw(ODD)
    if path:
        inner = found
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = odd
    else:
        found = odd
    place.write_text(json.dumps(found))
    try:
        read(project).begin(ONE, PROGRAM, Requirements(), landing=True)
    except UsageError:
        pass
    finally:
        place.write_text(before)
