"""Asserts of which class something is that a plain dict, list or text equals as well."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import lru_cache

from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.agents.offline.writing.readings import is_look
from pytest_lift.source.ancestry import above
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, leaf, parsed_expression, walked

PLAIN = frozenset(
    "dict OrderedDict defaultdict list tuple set frozenset str bytes int float".split()
)
"""Classes whose objects those of derived ones equal."""
RESULT = "result"


def with_classes(checks: Sequence[StepCheck], program: Program) -> list[StepCheck]:
    """Returns the checks of a case, the only one of a value with one of the class of its innermost
    part that is of the program, and that a plain value equals: ``isinstance(box['a'], Box)``. A
    part that the case itself makes is given and no result."""
    classes = _equal_to_plain(program)
    values = [check for check in checks if check.form == "equals"] if classes else []
    node = parsed_expression(values[0].expected) if len(values) == 1 else None
    part = _innermost(node, "", classes) if node is not None else None
    if part is None or not _is_new(part, values[0], checks):
        return [*checks]
    place, kind = part
    at, check = checks.index(values[0]), values[0]
    if is_look(check.expression):
        made = [check]
    else:
        line = StepCheck("none", f"{RESULT} = {check.expression}")
        made = [line, replace(check, expression=RESULT)]
    typed = StepCheck("true", f"isinstance({made[-1].expression}{place}, {kind})")
    return [*checks[:at], *made, typed, *checks[at + 1 :]]


def _is_new(part: tuple[str, str], check: StepCheck, checks: Sequence[StepCheck]) -> bool:
    """Whether the case has fewer objects of a class than it expects, and no variable of the name
    that the result gets."""
    place, kind = part
    sources = [one.expression for one in checks]
    given = sum(_count(source, kind) for source in sources)
    called = parsed_expression(check.expression)
    made = isinstance(called, ast.Call) and leaf(called.func) == kind
    whole = not place and (made or is_look(check.expression))
    free = not any(one.startswith(f"{RESULT} = ") for one in sources)
    return free and not whole and given < _count(check.expected, kind)


def _count(source: str, kind: str) -> int:
    calls = (one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.Call))
    return sum(leaf(one.func) == kind for one in calls)


def _innermost(node: ast.expr, place: str, classes: AbstractSet[str]) -> tuple[str, str] | None:
    """Returns how the innermost part is read that is of one of the classes, and its class."""
    for key, inner in _parts(node):
        if (found := _innermost(inner, f"{place}{key}", classes)) is not None:
            return found
    called = leaf(node.func) if isinstance(node, ast.Call) else ""
    return (place, called) if called in classes else None


def _parts(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Yields how a part of a container is read, and that part."""
    match node:
        case ast.Dict(keys=keys, values=values):
            known = ((k, v) for k, v in zip(keys, values, strict=True) if k is not None)
            yield from ((f"[{ast.unparse(key)}]", value) for key, value in known)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            yield from ((f"[{n}]", item) for n, item in enumerate(items))
        case ast.Call(args=[*_, ast.Dict() | ast.List() | ast.Tuple() as held]):
            yield from _parts(held)


@lru_cache(maxsize=1)
def _equal_to_plain(program: Program) -> frozenset[str]:
    """Returns the classes that derive from Python's own containers, texts or numbers, and compare
    as these do."""
    trees = (file.tree for file in program.files.values())
    nodes = [one for tree in trees for one in walked(tree) if isinstance(one, ast.ClassDef)]
    bases = {one.name: [leaf(base) for base in one.bases] for one in nodes}
    own = {
        one.name
        for one in nodes
        if any(isinstance(part, FunctionNode) and part.name == "__eq__" for part in one.body)
    }
    return frozenset(
        name
        for name in bases
        if not PLAIN.isdisjoint(lines := {name, *above(name, bases)}) and lines.isdisjoint(own)
    )
