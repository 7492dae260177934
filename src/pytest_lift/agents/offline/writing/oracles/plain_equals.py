"""Asserts of which class something is that a plain dict, list or text equals as well."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
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
HOLDING: Mapping[type[ast.expr], AbstractSet[str]] = {
    ast.Dict: {"dict", "OrderedDict"},
    ast.List: {"list", "tuple"},
    ast.Tuple: {"list", "tuple"},
}
"""Spelling of what something holds -> the classes whose items are read as those of the spelling."""
RESULT = "result"
NAMED = re.compile(rf"\b{RESULT}\b")


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
    made = isinstance(called, ast.Call) and ast.unparse(called.func) == kind
    whole = not place and (made or is_look(check.expression))
    free = not any(NAMED.search(text) for one in checks for text in (one.expression, one.expected))
    return free and not whole and given < _count(check.expected, kind)


def _count(source: str, kind: str) -> int:
    calls = (one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.Call))
    return sum(ast.unparse(one.func) == kind for one in calls)


def _innermost(
    node: ast.expr, place: str, classes: Mapping[str, AbstractSet[str]]
) -> tuple[str, str] | None:
    """Returns how the innermost part is read that is of one of the classes, and its class."""
    for key, inner in _parts(node, classes):
        if (found := _innermost(inner, f"{place}{key}", classes)) is not None:
            return found
    if isinstance(node, ast.Call) and leaf(node.func) in classes:
        return place, ast.unparse(node.func)
    return None


def _parts(
    node: ast.expr, classes: Mapping[str, AbstractSet[str]]
) -> Iterator[tuple[str, ast.expr]]:
    """Yields how a part of a container is read, and that part; of an object, where its class is a
    container and gets nothing but what it holds."""
    match node:
        case ast.Dict(keys=keys, values=values):
            known = ((k, v) for k, v in zip(keys, values, strict=True) if k is not None)
            yield from ((f"[{ast.unparse(key)}]", value) for key, value in known)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            yield from ((f"[{n}]", item) for n, item in enumerate(items))
        case ast.Call(
            func=called,
            args=[ast.Dict() | ast.List() | ast.Tuple() as held],
            keywords=[],
        ) if not HOLDING[type(held)].isdisjoint({leaf(called), *classes.get(leaf(called), ())}):
            yield from _parts(held, classes)


@lru_cache(maxsize=1)
def _equal_to_plain(program: Program) -> Mapping[str, AbstractSet[str]]:
    """Returns the classes that derive from Python's own containers, texts or numbers, and compare
    as these do -> from which of these, none where it has a way of its own to read its items."""
    trees = (file.tree for file in program.files.values())
    nodes = [one for tree in trees for one in walked(tree) if isinstance(one, ast.ClassDef)]
    bases = {one.name: [leaf(base) for base in one.bases] for one in nodes}
    functions = [
        (one.name, part.name)
        for one in nodes
        for part in one.body
        if isinstance(part, FunctionNode)
    ]
    comparing, reading = (
        {kind for kind, function in functions if function == name}
        for name in ("__eq__", "__getitem__")
    )
    lines = {name: {name, *above(name, bases)} for name in bases}
    return {
        name: PLAIN & line if line.isdisjoint(reading) else frozenset()
        for name, line in lines.items()
        if not PLAIN.isdisjoint(line) and line.isdisjoint(comparing)
    }
