"""Reduces tests to shapes: their statements without literals and local names, for comparison.

Marks, docstring and the test's own name do not count. A global name counts by what it refers to in
its module, since two files may use one name for different things.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from pytest_lift.assertions.spelling import Speller, local_names, meanings_in
from pytest_lift.source.garbage import collection_paused
from pytest_lift.source.syntax import FunctionNode, leaf, parse
from pytest_lift.suite.suite import Naming, Suite
from pytest_lift.suite.test_file import Definition, definitions

SILENT_MARKS = frozenset({"req", "emergent"})
"""Marks that do not change what a test does."""
ACTING_MARKS = frozenset({"usefixtures"})
"""Marks that belong to the shape, since they do what a parameter would."""
SETUP = ("setup", "teardown", "asyncSetUp", "asyncTearDown")
"""First words of the names of methods that run before or after each test of a class."""


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
    marks = "".join(ast.dump(d) for d in function.decorator_list if leaf(d) not in SILENT_MARKS)
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
        node
        for node in function.body
        if not isinstance(node, idle)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
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
    return not is_mark(node) or leaf(node) in ACTING_MARKS


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
    foreign = [base for base in node.bases if leaf(base) not in ("object", "TestCase")]
    fixtures = [
        inner
        for inner in node.body
        if isinstance(inner, FunctionNode)
        and (
            inner.name.startswith(SETUP) or any(leaf(d) == "fixture" for d in inner.decorator_list)
        )
    ]
    return not foreign and not fixtures


def _imports(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    return [
        node
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
