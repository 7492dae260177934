"""Reads doubtful tests as calls, each with what it gives: rows of a table of edge cases."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from pytest_lift.agents.offline.joining.inlining import inlined
from pytest_lift.agents.offline.joining.odd.tables import EXPECTED
from pytest_lift.agents.offline.printing.checks import pattern
from pytest_lift.agents.offline.writing.grouping import (
    CALL,
    ERROR,
    MESSAGE,
    ParametrizedRow,
    PlannedTest,
)
from pytest_lift.agents.offline.writing.links import ClaimedLink
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.readings import is_look, walks
from pytest_lift.agents.offline.writing.told import assigned
from pytest_lift.calls.case import Case
from pytest_lift.calls.names import free_names
from pytest_lift.source.syntax import parsed_expression

LONGEST = 160
"""Most characters of a call and what it gives: two lines or three."""
GIVING, RAISING, NOTHING = "edge_cases", "edge_cases_that_raise", "edge_cases_that_give_none"
"""What the tables are called after."""
SIGNS = {"true": "True", "false": "False"}
"""What is expected of a check that states a fact, by its form."""
FORMS = frozenset({"equals", "is", "text", "raises", *SIGNS})
"""Forms of checks that a row can have."""
UNFIT = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
"""What has another meaning, or none, in a function without a name."""


@dataclass(frozen=True)
class EdgeRow:
    """Call of a doubtful test, and what it gives."""

    link: ClaimedLink
    item: Verified
    call: str
    check: StepCheck

    @property
    def group(self) -> tuple[Hashable, ...]:
        """What calls of one table have in common."""
        case, raised = self.item.case, self.check.raised is not None
        around = (case.folder, *case.files.items(), case.home, case.alone, case.awake)
        return (case.path, self.link.requirements, raised, *around)

    @property
    def symbol(self) -> str:
        """What its table is called after, where all rows of that are alike."""
        if self.check.raised is not None:
            return RAISING
        return NOTHING if (self.check.form, self.check.expected) == ("is", "None") else GIVING

    @property
    def row(self) -> ParametrizedRow:
        return row_of(self.call, self.check, self.item.case.symbol)


def row_of(call: str, check: StepCheck, name: str) -> ParametrizedRow:
    """Returns the row of a call and what it gives, or the text of that, or the error that it
    raises."""
    made = (CALL, f"lambda: str({call})" if check.form == "text" else f"lambda: {call}")
    if check.raised is None:
        result = (EXPECTED, SIGNS.get(check.form, check.expected))
        return ParametrizedRow((made, result), "", name)
    error = (ERROR, check.raised.type)
    message = (MESSAGE, pattern(check.match) if check.match else "None")
    return ParametrizedRow((made, error, message), "", name)


def edge_rows(plan: PlannedTest) -> list[EdgeRow]:
    """Returns the calls of a doubtful test; none of one that is no edge case, or does more."""
    found = [[EdgeRow(plan.link, item, *one) for one in _calls(item)] for item in plan.members]
    rows = [row for own in found for row in own]
    return rows if all(found) and len({row.group for row in rows}) == 1 else []


def _calls(item: Verified) -> list[tuple[str, StepCheck]]:
    """Returns the calls of a case as expressions, with what is asserted of them."""
    case = item.case
    if not case.doubtful or not _is_plain(case):
        return []
    asserted = [check for check in item.checks if check.form != "none"]
    setup = item.checks[: len(item.checks) - len(asserted)]
    made = dict(pair for one in setup if (pair := assigned(one.expression)) is not None)
    if len(made) < len(setup) or any(one.form != "none" for one in setup):
        return []
    looks = all(is_look(one.expression) for one in asserted)
    if len(asserted) > 1 and not (looks and not any(walks(o.expression) for o in asserted[:-1])):
        return []  # what comes later may depend on what came before
    calls = [(_inlined(one.expression, made), one) for one in asserted]
    return calls if all(call and _fits(call, check, made) for call, check in calls) else []


def _is_plain(case: Case) -> bool:
    """Whether a searched case stands for itself: no command line, no loop, no seed."""
    elsewhere = case.argv is not None or case.command or case.stdin or case.looped or case.seeded
    return case.origin == "searched" and not elsewhere and not case.effect


def _inlined(source: str, made: Mapping[str, str]) -> str:
    """Returns an expression with what its variables were given in their places; "" where one is
    used twice, or where a line for another one may have changed what it is of."""
    needed = free_names(source)
    for name in reversed([*made]):
        needed |= free_names(made[name]) if name in needed else set()
    if any(free_names(made[name]) & made.keys() for name in made.keys() - needed):
        return ""
    return inlined(source, {name: made[name] for name in made if name in needed})


def _fits(call: str, check: StepCheck, made: Mapping[str, str]) -> bool:
    """Whether a call and what it gives may stand in a row."""
    if check.form not in FORMS or check.aside or free_names(check.expected) & made.keys():
        return False
    tree = parsed_expression(call)
    if tree is None or any(isinstance(node, UNFIT) for node in ast.walk(tree)):
        return False
    return len(call) + len(check.expected) + len(check.match) <= LONGEST
