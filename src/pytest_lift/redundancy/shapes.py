"""Reduces tests to shapes, and finds the columns in which tests of one shape differ.

Marks, docstring and the test's own name do not count. A global name counts by what it refers to in
its module, since two files may use one name for different things.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from pytest_lift.assertions.spelling import Speller, local_names, meanings_in
from pytest_lift.source.bindings import all_bound_names, is_import
from pytest_lift.source.syntax import (
    FunctionNode,
    bare_leaf,
    collection_paused,
    is_bare_literal,
    leaf,
    parse,
)
from pytest_lift.suite.collection import Definition, Naming, definitions
from pytest_lift.suite.suite import Suite

SILENT_MARKS = frozenset({"req", "emergent"})
"""Marks that do not change what a test does."""
ACTING_MARKS = frozenset({"usefixtures"})
"""Marks that belong to the shape, since they do what a parameter would."""
SETUP = ("setup", "teardown", "asyncSetUp", "asyncTearDown")
"""First words of the names of methods that run before or after each test of a class."""


MOST_COLUMNS = 6
"""Most columns of a table; wider tables are hard to read."""
_BUILTINS = frozenset(dir(builtins))


@dataclass(frozen=True)
class Shape:
    """Normal forms of one test function, from the closest resemblance to the loosest."""

    copy: str
    """Everything but name, docstring and links: tests with equal texts are copies."""
    same: str
    """Statements with local names numbered: tests with equal ones do the same in the same order."""
    reordered: tuple[str, ...]
    """The head, then the sorted statements with their literals but without local names."""
    strict: str
    """Like `same`, without literals and marks: equal ones may be rows of one table."""
    statements: tuple[str, ...]
    """The head, then the sorted statements without literals and local names."""
    literals: tuple[str, ...]
    """Literals of the statements, in the order of the text."""
    marks: str
    """Marks as written, except those in `SILENT_MARKS`."""


def shapes(suite: Suite) -> dict[str, Shape]:
    """Returns node id -> shape of every test that can be read and is not empty."""
    return {
        f"{path}::{name}": shape
        for path, file in suite.files.items()
        if file.tests
        for name, shape in _shapes_in(path, file.text, suite.naming).items()
    }


@lru_cache(maxsize=2048)
@collection_paused()
def _shapes_in(path: str, text: str, naming: Naming) -> Mapping[str, Shape]:
    tree = parse(text)
    meanings = meanings_in(tree.body, path)
    is_group = cache(_is_group)  # asked again for each test of a class
    found: dict[str, Shape] = {}
    for definition in definitions(tree, naming):
        try:
            shape = _shape_of(definition, meanings, path, is_group)
        except RecursionError:
            continue  # too deeply nested to be compared
        if shape is not None:
            found[definition.name] = shape
    return found


def _shape_of(
    definition: Definition,
    meanings: Mapping[str, str],
    path: str,
    is_group: Callable[[ast.ClassDef], bool],
) -> Shape | None:
    """Returns the shape; None for a test without a statement. `meanings`: see `meanings_in`."""
    function = definition.function
    body = body_of(function)
    if not body:
        return None
    known = {**meanings, **meanings_in(_imports(body), path)}
    local = local_names(function) - meanings_in(_imports(body), path).keys()
    head = _head(definition, known, local, _class(definition, path, is_group))
    exact = Speller(known, local, literals=True)
    strict = Speller(known, local)
    marks = "".join(
        ast.dump(d) for d in function.decorator_list if bare_leaf(d) not in SILENT_MARKS
    )
    same = head + marks + "".join(map(exact.spell, body))
    return Shape(
        copy=same + ast.dump(function.args) + "".join(map(ast.dump, body)),
        same=same,
        reordered=(
            head + marks,
            *sorted(Speller(known, local, True, False).spell(s) for s in body),
        ),
        strict=head + "".join(map(strict.spell, body)),
        statements=(head, *sorted(Speller(known, local, False, False).spell(s) for s in body)),
        literals=tuple(ast.dump(node) for node in strict.literals),
        marks=marks,
    )


def body_of(function: FunctionNode) -> list[ast.stmt]:
    """Returns its statements without the docstring and statements that do nothing."""
    idle = (ast.Pass, ast.Global, ast.Nonlocal)
    return [
        node for node in function.body if not isinstance(node, idle) and not is_bare_literal(node)
    ]


def _head(
    definition: Definition, meanings: Mapping[str, str], local: frozenset[str], where: str
) -> str:
    """Returns what besides its statements decides what a test does: fixtures, class, decorators."""
    function = definition.function
    names = [arg.arg for arg in ast.walk(function.args) if isinstance(arg, ast.arg)]
    if definition.classes:
        names = names[1:]
    fixtures = sorted(meanings.get(name, name) for name in names if name not in local)
    speller = Speller(meanings, local, literals=True)
    acting = sorted(speller.spell(node) for node in function.decorator_list if _acts(node))
    kind = type(function).__name__
    return f"{kind} {where} {len(names) - len(fixtures)} {fixtures} {acting}\n"


def _acts(node: ast.expr) -> bool:
    return not is_mark(node) or bare_leaf(node) in ACTING_MARKS


def is_mark(node: ast.expr) -> bool:
    """Whether a decorator is ``pytest.mark.x`` or ``mark.x(...)``."""
    inner = node.func if isinstance(node, ast.Call) else node
    return isinstance(inner, ast.Attribute) and leaf(inner.value) == "mark"


def _class(definition: Definition, path: str, is_group: Callable[[ast.ClassDef], bool]) -> str:
    """Returns file and name of the class if it matters to the test; empty if it only groups
    tests."""
    for node in definition.classes:
        if not is_group(node):
            return f"{path}:{'.'.join(c.name for c in definition.classes)}"
    me = next((a.arg for a in definition.function.args.args), "") if definition.classes else ""
    used = {
        node.attr
        for node in ast.walk(definition.function)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        if node.value.id == me
    }
    own = any(not name.lower().startswith(("assert", "skip", "subtest", "fail")) for name in used)
    return f"{path}:{'.'.join(c.name for c in definition.classes)}" if own else ""


def _is_group(node: ast.ClassDef) -> bool:
    """Whether a class has no fixtures, no setup and no base class other than `object` and
    `TestCase`."""
    foreign = [base for base in node.bases if bare_leaf(base) not in ("object", "TestCase")]
    fixtures = [
        inner
        for inner in node.body
        if isinstance(inner, FunctionNode)
        and (
            inner.name.startswith(SETUP)
            or any(bare_leaf(d) == "fixture" for d in inner.decorator_list)
        )
    ]
    return not foreign and not fixtures


def _imports(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    return [node for statement in body for node in ast.walk(statement) if is_import(node)]


@dataclass(frozen=True)
class Column:
    """Column of the table: a value in which the rows differ."""

    name: str
    values: tuple[str, ...]
    """Source of the literal, one for each row."""
    places: tuple[ast.expr, ...]
    """Nodes in the first function where the literal stands."""
    assignments: tuple[ast.stmt, ...] = ()
    """Statements of the first function that only assign the literal to the column's own name."""


def columns_of(functions: Sequence[FunctionNode], used: Collection[str]) -> tuple[Column, ...]:
    """Returns the columns; empty if the functions cannot form one table or do not differ.

    `used` are names that are taken.
    """
    literals = [_literals(function) for function in functions]
    names = _names(functions[0])
    fixed = {id(node) for function in functions for node in _fixed(function)}
    found: dict[tuple[str, ...], list[ast.expr]] = {}
    for nodes in zip(*literals, strict=True):
        values = tuple(ast.unparse(node) for node in nodes)
        if len(set(values)) == 1:
            continue
        if any(id(node) in fixed for node in nodes):
            return ()
        found.setdefault(values, []).append(nodes[0])
    if not 0 < len(found) <= MOST_COLUMNS:
        return ()
    taken = set(used) | _BUILTINS
    assigned = _assigned(functions[0])
    columns = []
    for values, places in found.items():
        own = next((assigned[id(p)] for p in places if id(p) in assigned), None)
        if own is not None:
            columns.append(Column(own.name, values, tuple(places), (own.statement,)))
            continue
        name = _free(next((names[id(p)] for p in places if id(p) in names), "value"), taken)
        taken.add(name)
        columns.append(Column(name, values, tuple(places)))
    return tuple(sorted(columns, key=lambda column: column.name.startswith("expected")))


@dataclass(frozen=True)
class _Assigned:
    name: str
    statement: ast.stmt


def _assigned(function: FunctionNode) -> dict[int, _Assigned]:
    """Returns literal -> its plain assignment to a variable that is bound nowhere else.

    The column replaces the variable. The last statement is never replaced, so that the body is not
    empty.
    """
    bound = Counter(all_bound_names(function))
    starts = Counter(node.lineno for node in function.body)
    body = body_of(function)
    found: dict[int, _Assigned] = {}
    for node in body[:-1]:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and starts[node.lineno] == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name) and bound[target.id] == 1:
                found[id(node.value)] = _Assigned(target.id, node)
    return found


def _literals(function: FunctionNode) -> list[ast.expr]:
    """Returns the literals, in an order that is equal for equal shapes."""
    speller = Speller({}, frozenset())
    for node in body_of(function):
        speller.spell(node)
    return speller.literals


def _fixed(function: FunctionNode) -> Iterator[ast.AST]:
    """Yields literals that no name can replace: in formatted strings and patterns, and inside
    nested functions and classes, which may keep or hide names."""
    inner = (ast.JoinedStr, ast.match_case, FunctionNode, ast.ClassDef, ast.Lambda)
    for node in body_of(function):
        for part in ast.walk(node):
            if isinstance(part, inner):
                yield from ast.walk(part)
            elif isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant):
                yield part.value


def _names(function: FunctionNode) -> dict[int, str]:
    """Returns literal -> name suggested by its place: the keyword, ``expected`` on the right side
    of a comparison, or the variable that it is assigned to."""
    found: dict[int, str] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.keyword) and node.arg:
            found[id(node.value)] = node.arg
        elif isinstance(node, ast.Compare) and len(node.comparators) == 1:
            found[id(node.comparators[0])] = "expected"
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            found[id(node.value)] = name if name == "expected" else f"given_{name}"
    return found


def _free(name: str, taken: Collection[str]) -> str:
    number = 1
    free = name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free
