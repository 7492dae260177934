"""The mutants of a small program, and a trial in which they were measured."""

from __future__ import annotations

from pathlib import Path

from mutants_of import CHANGES, hunk
from sample_texts import PROGRAM

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.measure.measurement import Measurement
from pytest_lift.mutation.mutation import Mutant, Mutation, Verdict
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.run.result import Run, TestResult
from pytest_lift.source.program import Program, read_program
from pytest_lift.suite.suite import Suite
from pytest_lift.trace.trace import trace_run

FILE = "shop/cart.py"
ADD, DISCOUNTED = "shop.cart.xǁCartǁadd", "shop.cart.xǁCartǁdiscounted"
PLAIN, ROWS, ALL = "tests/t.py::test_add", "tests/t.py::test_rows", "tests/t.py::test_all"
RUN = Run("passed", {node: TestResult(node, "passed", 0.1) for node in (PLAIN, f"{ROWS}[1]", ALL)})
TESTS = {
    ADD: frozenset({PLAIN, ALL, f"{ROWS}[1]", f"{ROWS}[2]"}),
    DISCOUNTED: frozenset({ALL, f"{ROWS}[2]"}),
    "shop.cart.x_main": frozenset({ALL}),
}
KILLERS = {f"{ADD}__mutmut_2": frozenset({f"{ROWS}[1]", f"{ROWS}[2]"})}


def mutants(source: str = PROGRAM) -> dict[str, Mutant]:
    """One for each of `CHANGES`, in that order."""
    found = {}
    for nth, (old, new, symbol, _) in enumerate(CHANGES, 1):
        key = f"{ADD if symbol == 'Cart.add' else DISCOUNTED}__mutmut_{nth}"
        line = source[: source.index(old)].count("\n") + 1
        before = source.splitlines()[line - 1]
        after = before.replace(old.strip(), new.strip())
        found[key] = Mutant(key, FILE, line, symbol, before, after, hunk(source, old, new))
    return found


def mutation(*verdicts: Verdict, source: str = PROGRAM) -> Mutation:
    """Of the first mutants; the others were not measured."""
    found = mutants(source)
    known = dict(zip(found, verdicts, strict=False))
    return Mutation(found, known, KILLERS, TESTS, {FILE: 9, "shop/settings.py": 2}, ("cut short",))


def requirement(identity: str, text: str, **more: str) -> Requirement:
    return Requirement(identity, "t", text, ("a",), (), "r.yml", 1, **more)  # type: ignore[arg-type]


def program(root: Path, source: str = PROGRAM) -> Program:
    (root / "shop").mkdir(exist_ok=True)
    (root / FILE).write_text(source, "utf-8")
    return read_program(root, ("shop",), ("",), "test")


def measurement(found: Mutation | None, *requirements: Requirement) -> Measurement:
    trace = trace_run(Requirements(requirements), RUN, Suite("tests"))
    return Measurement(Suite("tests"), RUN, Coverage(), trace, found)
