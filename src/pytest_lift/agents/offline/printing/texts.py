"""Gives long texts that tests pass to the program a name at the top of the file."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.printing.functions import PrintedTest
from pytest_lift.calls.reading import named_texts
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import leaf, parse
from pytest_lift.suite.layout.statements import WIDTH, statement

FEWEST_LINES = 3
"""Line ends of a text that is better read as it is than in pieces."""
LONG = 60
"""Characters of a text of one line that has a name where several tests use it."""
RESULTS = frozenset({"expected", "match"})
"""Columns, variables and keywords of what is to come out."""


@dataclass(frozen=True)
class _Place:
    """Text that a test passes to something, with what has to be printed anew around it."""

    node: ast.Constant
    text: str
    parameter: str
    """Name of the parameter, "" where it is not known."""
    holder: ast.stmt | ast.expr
    """Statement, or row of a table."""


Parameters = Mapping[str, Sequence[str]]
"""Function or class -> names of its parameters."""


class NamedTexts:
    """The texts of a file of tests that have names, and the lines that define them."""

    def __init__(self, taken: Collection[str], known: Mapping[str, str]) -> None:
        self.taken = {*taken, *known.values()}
        self.names = dict(known)
        """Text -> name."""
        self.definitions: list[str] = []

    def name(self, text: str, parameter: str) -> str:
        """Returns the name of a text, a new one where it has none."""
        if text not in self.names:
            base = re.sub(r"\W+", "_", parameter).strip("_").upper() or "TEXT"
            name, number = base, 2
            while name in self.taken:
                name, number = f"{base}_{number}", number + 1
            self.taken.add(name)
            self.names[text] = name
            self.definitions.append(definition(name, text))
        return self.names[text]


def with_texts(
    tests: Sequence[PrintedTest], program: Program, taken: Collection[str] = (), existing: str = ""
) -> tuple[list[str], list[PrintedTest]]:
    """Returns the definitions of long texts, and the tests, which use their names; texts that
    have a name in the `existing` file keep it, and `taken` names are not used."""
    called = _parameters_of(program)
    given = [list(_given(parse(test.text), called)) for test in tests]
    counts = Counter(text for places in given for text in {place.text for place in places})
    texts = NamedTexts(taken, named_texts(existing))
    found = []
    for test, places in zip(tests, given, strict=True):
        long = [place for place in places if _is_long(place.text, counts[place.text])]
        found.append(_named(test, long, texts) if long else test)
    return texts.definitions, found


def definition(name: str, text: str) -> str:
    """Returns the assignment of a text: in three quotes, or in pieces where those would change it
    or are no good to read."""
    lines = text.split("\n")
    plain = all(line == line.rstrip() and line.isprintable() for line in lines)
    fits = all(len(line) <= WIDTH for line in lines)
    if (
        len(lines) == 1
        or not plain
        or not fits
        or "\\" in text
        or '"""' in text
        or text.endswith('"')
    ):
        return "\n".join(statement(f"{name} = ", repr(text), "", 0))
    start = '"""' if text.startswith("\n") else '"""\\\n'
    return f'{name} = {start}{text}"""'


def _is_long(text: str, count: int) -> bool:
    return text.count("\n") >= FEWEST_LINES or (count > 1 and len(text) > LONG)


def _named(test: PrintedTest, places: Sequence[_Place], texts: NamedTexts) -> PrintedTest:
    """Returns a test with names in the places of long texts."""
    lines, body_at = list(test.lines), test.body_at
    changes: dict[int, tuple[ast.stmt | ast.expr, dict[int, str]]] = {}
    for place in places:
        named = changes.setdefault(place.holder.lineno, (place.holder, {}))[1]
        named[id(place.node)] = texts.name(place.text, place.parameter)
    for start, (holder, named) in sorted(changes.items(), key=lambda item: -item[0]):
        first, last = start - 1, holder.end_lineno or start
        if lines[first - 1].strip() == "(" and lines[last : last + 1] in (
            ["        ),"],
            ["            ),"],
        ):
            first, last = first - 1, last + 1  # the brackets around the pieces of a text
        indent = len(lines[first]) - len(lines[first].lstrip())
        new = _printed(_Naming(named).visit(holder), indent)
        body_at += len(new) - (last - first) if first < body_at else 0
        lines[first:last] = new
    return replace(test, lines=tuple(lines), body_at=body_at)


def _printed(node: ast.AST, indent: int) -> list[str]:
    if isinstance(node, ast.Assign):
        return statement(f"{ast.unparse(node.targets[0])} = ", ast.unparse(node.value), "", indent)
    if isinstance(node, ast.Assert):
        return statement("assert ", ast.unparse(node.test), "", indent)
    if isinstance(node, ast.Expr):
        return statement("", ast.unparse(node.value), "", indent)
    return statement("", ast.unparse(node), ",", indent)


class _Naming(ast.NodeTransformer):
    """Replaces texts by names, by the `id` of their nodes."""

    def __init__(self, named: Mapping[int, str]) -> None:
        self.named = named

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Name(self.named[id(node)], ast.Load()) if id(node) in self.named else node


def _given(tree: ast.Module, called: Parameters) -> Iterator[_Place]:
    """Yields the texts that a test passes to something."""
    (function,) = tree.body
    if not isinstance(function, ast.FunctionDef):
        return
    for mark in function.decorator_list:
        yield from _in_rows(mark)
    for node in ast.walk(function):
        if isinstance(node, ast.Expr | ast.Assign | ast.Assert):
            calls = (part for part in ast.walk(node) if isinstance(part, ast.Call))
            for argument, name in (pair for call in calls for pair in _arguments(call, called)):
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield _Place(argument, argument.value, name, node)


def _in_rows(mark: ast.expr) -> Iterator[_Place]:
    """Yields the texts in the rows of a table."""
    if not isinstance(mark, ast.Call) or leaf(mark.func) != "parametrize" or len(mark.args) < 2:
        return
    columns, rows = mark.args[:2]
    names = ast.literal_eval(columns)
    names = (names,) if isinstance(names, str) else names
    for row in rows.elts if isinstance(rows, ast.List) else ():
        cells = row.elts if isinstance(row, ast.Tuple) and len(names) > 1 else [row]
        for name, cell in zip(names, cells, strict=False):
            text = cell.value if isinstance(cell, ast.Constant) else None
            if isinstance(cell, ast.Constant) and isinstance(text, str) and name not in RESULTS:
                yield _Place(cell, text, name, row)


def _arguments(call: ast.Call, called: Parameters) -> Iterator[tuple[ast.expr, str]]:
    """Yields the arguments of a call and the names of their parameters, "" where unknown."""
    names = called.get(leaf(call.func), ())
    for at, argument in enumerate(call.args):
        yield argument, names[at] if at < len(names) else ""
    for keyword in call.keywords:
        if keyword.arg is not None and keyword.arg not in RESULTS:
            yield keyword.value, keyword.arg


def _parameters_of(program: Program) -> dict[str, Sequence[str]]:
    found: dict[str, Sequence[str]] = {}
    for symbol in (one for file in program.files.values() for one in file.symbols):
        names = [one.name for one in symbol.parameters if one.name not in ("self", "cls")]
        owner = symbol.name.rpartition(".")[0].rpartition(".")[2]
        if symbol.kind != "class":
            found.setdefault(owner if symbol.leaf == "__init__" else symbol.leaf, names)
    return found
