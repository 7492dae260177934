"""Footprints of passing tests: branches, functions, mutants and the requirements on them."""

from __future__ import annotations

from dataclasses import replace

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.measure.measurement import Measurement
from pytest_lift.mutation.mutation import Mutation
from pytest_lift.redundancy.test_coverage import Footprint, footprints
from pytest_lift.requirements.requirement import Requirement
from pytest_lift.run.result import Outcome, Run, TestResult
from pytest_lift.suite.suite import suite_of
from pytest_lift.trace.trace import Link, RequirementTrace, Trace

A, B, C = (f"tests/test_a.py::test_{name}" for name in "abc")
SUITE = suite_of("tests", {"tests/test_a.py": "".join(f"def test_{n}(): ...\n" for n in "abc")})
R1 = Requirement("R-1", "t", "d", ("a",), (), "r", 1)
R2 = replace(R1, id="R-2")


def measured(*rows: tuple[str, Outcome, tuple[str, ...]], trace: Trace = Trace()) -> Measurement:  # noqa: B008
    results = {node: TestResult(node, said, 0.1, requirements=ids) for node, said, ids in rows}
    coverage = Coverage(
        {},
        {f"{A}[1]": frozenset({("m.py", 1, 2)}), f"{A}[2]": frozenset({("m.py", 1, 3)})},
        {f"{A}[1]": frozenset({("m.py", 1)})},
    )
    mutation = Mutation(
        {},
        {"m1": "killed", "m2": "survived"},
        {"m1": frozenset({f"{A}[2]"}), "m2": frozenset({B})},
    )
    return Measurement(SUITE, Run("passed", results), coverage, trace, mutation=mutation)


def test_all_rows_of_a_test_are_one() -> None:
    found = footprints(
        measured(
            (f"{A}[1]", "passed", ("R-1",)), (f"{A}[2]", "passed", ("R-2",)), (B, "passed", ())
        )
    )
    assert found[A] == Footprint(
        A,
        frozenset({("m.py", 1, 2), ("m.py", 1, 3)}),
        frozenset({("m.py", 1)}),
        frozenset({"m1"}),
        linked=frozenset({"R-1", "R-2"}),
    )
    assert found[B] == Footprint(B)


def test_what_does_not_pass_has_none() -> None:
    rows: list[tuple[str, Outcome, tuple[str, ...]]] = [
        (f"{A}[1]", "passed", ()),
        (f"{A}[2]", "failed", ()),
        (B, "skipped", ()),
        ("tests/test_z.py::test_gone", "passed", ()),
        (C, "passed", ()),
    ]
    assert [*footprints(measured(*rows))] == [C]


def test_a_status_rests_on_those_that_verify_else_on_all_that_pass() -> None:
    verifying = Link(A, "R-1", "verified", "example", "passed")
    touching = Link(B, "R-1", "touched", "observed", "passed")
    failing = replace(touching, test=C, requirement="R-2", outcome="failed")
    other = replace(touching, requirement="R-2")
    trace = Trace(
        (
            RequirementTrace(R1, "verified", (verifying, touching)),
            RequirementTrace(R2, "failing", (other, failing)),
        )
    )
    found = footprints(measured((A, "passed", ()), (B, "passed", ()), trace=trace))
    assert {node: (*sorted(one.requirements), *one.verifies) for node, one in found.items()} == {
        A: ("R-1", "R-1"),
        B: ("R-2",),
    }


def test_what_is_within_another_has_nothing_of_its_own() -> None:
    whole = Footprint(A, *(frozenset({n}) for n in "bfmrl"))  # type: ignore[arg-type]
    assert Footprint(B).within(whole)
    assert whole.within(whole)
    for field in ("branches", "functions", "linked", "requirements"):
        more = replace(whole, **{field: frozenset({"other"})})  # type: ignore[arg-type]
        assert not more.within(whole), field
    assert replace(whole, mutants=frozenset({"other"})).within(whole)


def test_what_executed_nothing_is_not_seen() -> None:
    assert not Footprint(A, mutants=frozenset({"m"})).seen
    assert Footprint(A, functions=frozenset({("m.py", 1)})).seen
    assert Footprint(A, branches=frozenset({("m.py", 1, 2)})).seen
