"""What objects begin with is told from what is done with them."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inference import Inference
from pytest_lift.agents.offline.choosing.looks.beginnings import beginnings_of
from pytest_lift.agents.offline.joining.merits.merits import Merits
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.case import Case, Step

TABLES = """
    class Row(dict):
        pass


    class Table:
        unit: str = "mm"
        kinds = set

        def __init__(self, title, separator=", ", *, row_class=Row):
            self.title = title
            self._separator = separator
            self.row_class = row_class
            self.statuses = (429,)
            self.rows = title.split()
            local = 5
"""


def test_what_a_class_spells_out_is_what_its_objects_begin_with(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"tables.py": TABLES})
    assert beginnings_of(program) == {
        ("unit", "'mm'"),
        ("kinds", "set"),
        ("separator", "', '"),
        ("row_class", "Row"),
        ("statuses", "(429,)"),
    }


def looked(*checks: StepCheck, hits: int = 1) -> Verified:
    """Returns a searched case with checks, which reaches one branch."""
    steps = tuple(Step(one.expression, check=one.form != "none") for one in checks)
    return Verified(Case("tables.py", "Table", steps), checks, (), frozenset({hits}))


WITHIN = StepCheck("none", "with Table('a', separator=';') as table:\n    table.fill(1)")
LATER = StepCheck("none", "async with table:\n    result = table.fill(1)")
MADE = StepCheck("none", "table = Table('a')")
FILLED = StepCheck("none", "table.fill(1)")
COPIED = StepCheck("none", "result = table.copy()")


@pytest.mark.parametrize(
    ("checks", "tells"),
    [
        ((MADE, StepCheck("equals", "table.separator", "', '")), False),
        ((MADE, StepCheck("equals", "table.separator", "';'")), True),
        ((MADE, FILLED, StepCheck("equals", "table.separator", "', '")), True),
        ((MADE, FILLED, COPIED, StepCheck("equals", "result.separator", "', '")), False),
        ((StepCheck("none", "run(calls.append(2))"), StepCheck("equals", "calls", "[2]")), False),
        ((StepCheck("none", "run(calls.append)"), StepCheck("equals", "calls", "[2]")), True),
        ((WITHIN, StepCheck("equals", "table.separator", "';'")), False),
        ((WITHIN, StepCheck("equals", "table.unit", "'mm'")), False),
        ((WITHIN, StepCheck("equals", "table.size", "2")), True),
        ((MADE, LATER, StepCheck("equals", "table.title", "'a'")), False),
        ((MADE, LATER, StepCheck("equals", "table.title", "'b'")), True),
        (
            (
                MADE,
                StepCheck(
                    "attributes", "table.copy()", attributes=(("row_class", "Row"), ("size", "0"))
                ),
            ),
            False,
        ),
        (
            (
                MADE,
                StepCheck(
                    "attributes", "table.copy()", attributes=(("row_class", "Row"), ("size", "3"))
                ),
            ),
            True,
        ),
    ],
)
def test_an_object_that_shows_what_all_begin_with_tells_nothing(
    tmp_path: Path, checks: tuple[StepCheck, ...], tells: bool
) -> None:
    program = write_program(tmp_path, {"tables.py": textwrap.dedent(TABLES)})
    begun = beginnings_of(program)
    merits = Merits(Inference(program).functions, frozenset({1, 2, 3}), begun=begun)
    assert bool(merits.worth_telling([looked(*checks)])) is tells


def test_looks_at_what_an_object_begins_with_go_where_there_are_others(tmp_path: Path) -> None:
    begun, more = StepCheck("equals", "table.unit", "'mm'"), StepCheck("equals", "table.size", "2")
    program = write_program(tmp_path, {"tables.py": TABLES})
    merits = Merits(Inference(program).functions, frozenset({1}), begun=beginnings_of(program))
    (found,) = merits.worth_telling([looked(WITHIN, begun, more)])
    assert found.checks == (WITHIN, more)


@pytest.mark.parametrize(("want", "tells"), [("'mm'", True), ("", False)])
def test_a_documented_object_tells_what_it_begins_with_where_the_document_does(
    tmp_path: Path, want: str, tells: bool
) -> None:
    program = write_program(tmp_path, {"tables.py": TABLES})
    merits = Merits(Inference(program).functions, frozenset({1}), begun=beginnings_of(program))
    checks = (MADE, StepCheck("equals", "table.unit", "'mm'"))
    steps = tuple(Step(one.expression, check=one.form != "none", want=want) for one in checks)
    case = Case("tables.py", "Table", steps, origin="documented")
    assert bool(merits.worth_telling([Verified(case, checks, (), frozenset({1}))])) is tells
