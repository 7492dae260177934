"""Assertions of a test, and the case that they are of."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pytest_lift.calls.case import Case, Outcome, Raised
from pytest_lift.calls.names import free_names

IDLE_LINE = "None"
"""What does nothing, for a check of what was done before it."""
ACTING = (ast.Call, ast.Attribute, ast.Subscript)
"""Expressions that may do something: a property, too."""
OPERANDS = (*ACTING, ast.Name, ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
IDLE = frozenset({"id", "type"})
"""Functions that do nothing of the program's, and whose result is another one in each run or shows
no value."""


@dataclass(frozen=True)
class StepCheck:
    """Assertion about one step of a case."""

    form: str
    """equals, is, text, attributes, raises, says, exits, printed, nan or none (only executed)."""
    expression: str = ""
    expected: str = ""
    attributes: tuple[tuple[str, str], ...] = ()
    raised: Raised | None = None
    match: str = ""
    blank: str = ""
    """Column of a table whose value stands in the place of each ``{}`` in `match`."""
    printed: str = ""
    said: tuple[tuple[str, str], ...] = ()
    """(out or err, text) of what is in a standard stream, among other things."""
    late: bool = False
    """Whether the lines before print something, too."""
    files: tuple[tuple[str, str], ...] = ()
    begun: bool = False
    """Whether the texts in `files` are those with which the files begin."""
    aside: bool = False
    """Whether it reads what was written to another object."""
    number: int = field(default=-1, compare=False)
    """Which of the outcomes of the case it is about; -1 for one that is about none by itself."""
    seen: Outcome = field(default=Outcome(), compare=False, repr=False)
    """That outcome, as it was observed."""


@dataclass(frozen=True)
class Verified:
    """Case with its assertions."""

    case: Case
    checks: tuple[StepCheck, ...]
    """A check for each step but those that say nothing; statements have the form none."""
    imports: tuple[str, ...]
    hits: frozenset[int]

    @property
    def asserted(self) -> list[StepCheck]:
        """The checks that assert something, without lines that are only executed."""
        return asserted(self.checks)


def without_unused(checks: Sequence[StepCheck]) -> tuple[StepCheck, ...]:
    """Returns the checks without variables that nothing reads: ``job.run()`` for ``x = job.run()``,
    and nothing for ``x = []``.

    A linter would complain of them.
    """
    names = [_names_of(check) for check in checks]
    found = []
    for at, check in enumerate(checks):
        body = ast.parse(check.expression).body
        node = body[0] if len(body) == 1 and check.form == "none" else None
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        later = set().union(*names[at + 1 :])
        if isinstance(node, ast.Assign) and isinstance(target, ast.Name) and target.id not in later:
            value = node.value
            if is_idle(value) or not _may_act(value):
                continue
            check = replace(check, expression=ast.unparse(node.value))
        found.append(check)
    return tuple(found)


def _may_act(value: ast.AST) -> bool:
    return any(isinstance(one, ACTING) for one in ast.walk(value))


def is_idle(value: ast.AST | None) -> bool:
    """Whether an expression does nothing, since it asks a plain name: not ``type(queue.pop())``."""
    if not isinstance(value, ast.Call) or ast.unparse(value.func) not in IDLE:
        return False
    return not any(_may_act(part) for part in [*value.args, *value.keywords])


def _names_of(check: StepCheck) -> set[str]:
    """Returns the variables that a check reads: ``book`` of ``shelf.books == [book]``, too."""
    expected = (check.expected, *(value for _, value in check.attributes))
    return _read_names(check.expression).union(*map(free_names, expected))


def _read_names(source: str) -> set[str]:
    nodes = [*ast.walk(ast.parse(source or "None"))]
    changed = [node.target for node in nodes if isinstance(node, ast.AugAssign)]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    return {n.id for n in names if isinstance(n.ctx, ast.Load) or n in changed}


def as_operand(source: str) -> str:
    """Returns an expression that an attribute can follow."""
    node = ast.parse(source, mode="eval").body
    return source if isinstance(node, OPERANDS) else f"({source})"


def asserted(checks: Sequence[StepCheck]) -> list[StepCheck]:
    """Returns what is asserted, without lines that are only executed."""
    return [check for check in checks if check.form != "none"]
