"""Writes functions and classes that several tests of a file define once, above the tests."""

from __future__ import annotations

import ast
import textwrap
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.printing.functions import PrintedTest
from pytest_lift.calls.names import free_names
from pytest_lift.source.syntax import FunctionNode, parse

FEWEST = 2
"""Fewest tests that share a definition."""
DEFINING = ("    @", "    def ", "    class ", "    async def ")
"""How the first line of a definition in a test begins."""
KEPT_STATE = (ast.List, ast.Dict, ast.Set, ast.Call, ast.ListComp, ast.DictComp, ast.SetComp)
"""Values of a class that one test may change under another one."""


@dataclass(frozen=True)
class _Definition:
    """A function or class that a test defines before it does anything else."""

    name: str
    source: str
    first: int
    """Index of its first line in the test."""
    last: int
    """Index of the line after it."""


def with_definitions(
    tests: Sequence[PrintedTest],
    taken: Collection[str] = (),
    ambiguous: Collection[str] = (),
    existing: str = "",
) -> tuple[list[str], list[PrintedTest]]:
    """Returns the sources of what several tests define alike, and the tests without it.

    What the `existing` file defines at its top is not defined again. No `taken` name is used, and
    nothing that reads an `ambiguous` one, which tests import themselves.
    """
    defined = [list(_leading(test)) for test in tests]
    known = {ast.unparse(node) for node in parse(existing).body if _is_definition(node)}
    counts = Counter(one.source for own in defined for one in own)
    sources: dict[str, set[str]] = {}
    for one in (one for own in defined for one in own):
        sources.setdefault(one.name, set()).add(one.source)
    assigned = {name for test in tests for name in _assigned(test)}
    hoisted: dict[str, str] = {}
    for one in dict.fromkeys(one for own in defined for one in own):
        stands = _plain(one.source) in known
        own_name = len(sources[one.name]) == 1 and one.name not in assigned
        free = stands or (counts[one.source] >= FEWEST and one.name not in taken)
        read = free_names(one.source)
        clear = read.isdisjoint(ambiguous) and read & sources.keys() <= hoisted.keys()
        if own_name and free and clear and _keeps_nothing(one.source):
            hoisted[one.name] = one.source
    shortened = [
        _without(test, [one for one in own if hoisted.get(one.name) == one.source])
        for test, own in zip(tests, defined, strict=True)
    ]
    return [one for one in hoisted.values() if _plain(one) not in known], shortened


def _leading(test: PrintedTest) -> Iterator[_Definition]:
    function = parse(test.text).body[0]
    if not isinstance(function, ast.FunctionDef):
        return
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    for node in body:
        if not _is_definition(node):
            return
        assert isinstance(node, FunctionNode | ast.ClassDef)
        start = min([node.lineno, *(one.lineno for one in node.decorator_list)]) - 1
        end = node.end_lineno or start + 1
        source = textwrap.dedent("\n".join(test.lines[start:end]))
        yield _Definition(node.name, source, start, end)


def _is_definition(node: ast.stmt) -> bool:
    return isinstance(node, FunctionNode | ast.ClassDef)


def _plain(source: str) -> str:
    return ast.unparse(ast.parse(source))


def _keeps_nothing(source: str) -> bool:
    """Whether nothing of a definition can change between two tests: no defaults and no attributes
    of a class that are containers."""
    for node in ast.walk(ast.parse(source)):
        values: list[ast.expr | None] = []
        if isinstance(node, FunctionNode):
            values = [*node.args.defaults, *node.args.kw_defaults]
        elif isinstance(node, ast.ClassDef):
            assigns = (one for one in node.body if isinstance(one, ast.Assign | ast.AnnAssign))
            values = [one.value for one in assigns]
        if any(isinstance(value, KEPT_STATE) for value in values):
            return False
    return True


def _assigned(test: PrintedTest) -> Iterator[str]:
    """Yields the variables and parameters of a test."""
    for node in ast.walk(parse(test.text)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg


def _without(test: PrintedTest, left_out: Sequence[_Definition]) -> PrintedTest:
    """Returns a test without some of the definitions, and without the blank lines behind them."""
    lines = list(test.lines)
    for one in reversed(left_out):
        end = one.last
        while end < len(lines) and not lines[end]:
            end += 1
        del lines[one.first : end]
    while left_out and len(lines) > test.body_at and not lines[test.body_at]:
        del lines[test.body_at]
    rest = lines[test.body_at : test.body_at + 1]
    if left_out and rest and rest[0].startswith(DEFINING):
        lines.insert(test.body_at, "")
    return replace(test, lines=tuple(lines))
