"""One statement under other names: which of its names may change, and its text when they do."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from itertools import count

from pytest_lift.source.bindings import ImportNode, bound_names, import_bindings, is_import
from pytest_lift.source.syntax import (
    FunctionNode,
    column_names,
    is_fixture,
    leaf,
    parse,
    split_lines,
    statements,
)
from pytest_lift.suite.collection import Naming

_BY_NAME = {"usefixtures", "getfixturevalue"}
"""Calls that name fixtures by strings."""
_MOST_NUMBERED = 100


def read_names(node: ast.AST) -> set[str]:
    """Returns names, parameters and fixtures named by strings."""
    found = (n for n in ast.walk(node) if isinstance(n, ast.Name | ast.arg))
    names = {n.id if isinstance(n, ast.Name) else n.arg for n in found}
    return names | {str(text.value) for text in _fixture_texts(node)}


def fixed_names(node: ast.stmt) -> set[str]:
    """Returns names that cannot simply be changed in a top-level statement.

    They may mean more than one thing there: a parameter or a local name beside the global one, a
    parametrized column. What ``import a.b`` binds is no name of one thing either.
    """
    if isinstance(node, ast.Import):
        return {one.bound for one in import_bindings(node) if one.name != one.origin}
    if isinstance(node, ast.ImportFrom):
        return {"*"} & {*bound_names(node)}
    own = node.name if isinstance(node, FunctionNode | ast.ClassDef) else ""
    local: set[str] = set()
    for each in ast.walk(node):
        if isinstance(each, ast.Global | ast.Nonlocal):
            local |= {*each.names}
        elif isinstance(each, FunctionNode | ast.Lambda) and each is not node:
            local |= _parameters(each)
        elif isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load) and own:
            local.add(each.id)
        elif isinstance(each, ast.ClassDef) and each is not node:
            local.add(each.name)
        elif is_import(each) or isinstance(each, ast.pattern):
            local.update(bound_names(each))
        elif isinstance(each, ast.ExceptHandler) and each.name:
            local.add(each.name)
        elif isinstance(each, ast.Call) and leaf(each.func) == "parametrize":
            named = [word.value for word in each.keywords if word.arg == "argnames"]
            local.update(column_names([*each.args[:1], *named]))
    if isinstance(node, FunctionNode):
        passed = _parameters(node)
        local |= passed & _keywords(node) if _asks_fixtures(node) else passed
    return local


def _parameters(node: FunctionNode | ast.Lambda) -> set[str]:
    return {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}


def _keywords(node: FunctionNode) -> set[str]:
    """Returns the parameters that decorators may pass by keyword, as hypothesis does."""
    nodes = (each for decorator in node.decorator_list for each in ast.walk(decorator))
    return {each.arg for each in nodes if isinstance(each, ast.keyword) and each.arg}


def _asks_fixtures(node: FunctionNode) -> bool:
    """Parameters of tests and fixtures are names of fixtures; nobody passes them by keyword."""
    return is_fixture(node) or node.name.startswith("test")


def other_names(name: str, node: ast.stmt, naming: Naming) -> Iterator[str]:
    """Yields names in the place of a clashing one; that of a test is one that pytest collects."""
    if isinstance(node, ast.ImportFrom) and node.module:
        yield f"{node.module.rpartition('.')[2].strip('_') or 'our'}_{name}"
    elif isinstance(node, ast.Import):
        yield f"{name}_module"
    before = "Another{}{}" if isinstance(node, ast.ClassDef) else "another_{}_{}"
    numbers = range(2, _MOST_NUMBERED)
    apart = "_case_" if name.endswith("_exits") else "_"  # what exits_2 does reads as an exit code
    numbered = [f"{name}{apart}{number}" for number in numbers]
    numbered += [before.format(number, name) for number in numbers]
    wanted = _is_test(node, name, naming)
    yield from (new for new in numbered if _is_test(node, new, naming) == wanted)
    yield from (f"{name}{apart}{number}" for number in count(_MOST_NUMBERED))


def _is_test(node: ast.stmt, name: str, naming: Naming) -> bool:
    if isinstance(node, ast.ClassDef):
        return naming.is_test_class(name)
    return isinstance(node, FunctionNode) and naming.is_test_function(name)


def renamed(node: ast.stmt, source: str, renames: Mapping[str, str]) -> str:
    """Returns the `source` of a statement under its new names, printed anew if need be."""
    if is_import(node):
        return _renamed_import(node, renames)
    wanted = ast.unparse(_Renaming(renames).visit(copy.deepcopy(node)))
    if wanted == ast.unparse(node):
        return source
    again = _respelt(source, renames)
    try:
        same = ast.unparse(parse(again)) == wanted
    except SyntaxError:
        same = False
    return again if same else wanted


def _renamed_import(node: ImportNode, renames: Mapping[str, str]) -> str:
    """Renames a statement that imports one name."""
    found = next(import_bindings(node))
    return found._replace(bound=renames.get(found.bound, found.bound)).line


class _Renaming(ast.NodeTransformer):
    """Names, parameters and texts that name fixtures; not the members of classes."""

    def __init__(self, renames: Mapping[str, str]) -> None:
        self.renames = renames
        self.members: set[int] = set()

    def _new(self, name: str) -> str:
        return self.renames.get(name, name)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name(self._new(node.id), node.ctx), node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        self.generic_visit(node)
        node.arg = self._new(node.arg)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._defined(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._defined(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.members |= _members(node)
        return self._defined(node)

    def _defined(self, node: FunctionNode | ast.ClassDef) -> ast.AST:
        if id(node) not in self.members:
            node.name = self._new(node.name)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        for text in _texts_of(node):
            text.value = self._new(str(text.value))
        return node


def _respelt(source: str, renames: Mapping[str, str]) -> str:
    """Returns the source with new names in the places of the old ones, all else unchanged."""
    lines = [line.encode() for line in split_lines(source)]
    tree = parse(source)
    classes = (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    members = {member for node in classes for member in _members(node)}
    spots: set[tuple[int, int, str]] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            spots.add((node.lineno, node.col_offset, node.id))
        elif isinstance(node, ast.arg):
            spots.add((node.lineno, node.col_offset, node.arg))
        elif isinstance(node, FunctionNode | ast.ClassDef) and id(node) not in members:
            word = {ast.FunctionDef: "def ", ast.ClassDef: "class "}.get(type(node), "async def ")
            spots.add((node.lineno, node.col_offset + len(word), node.name))
    spots |= {(t.lineno, t.col_offset + 1, str(t.value)) for t in _fixture_texts(tree)}
    for line, column, name in sorted(spots, reverse=True):
        old, text = name.encode(), lines[line - 1]
        if name in renames and text[column : column + len(old)] == old:
            lines[line - 1] = text[:column] + renames[name].encode() + text[column + len(old) :]
    return b"".join(lines).decode()


def _members(node: ast.ClassDef) -> set[int]:
    """Returns functions and classes in its body, whose names are none of the module."""
    return {id(m) for m in statements(node.body) if isinstance(m, FunctionNode | ast.ClassDef)}


def _fixture_texts(node: ast.AST) -> Iterator[ast.Constant]:
    for call in ast.walk(node):
        if isinstance(call, ast.Call):
            yield from _texts_of(call)


def _texts_of(call: ast.Call) -> Iterator[ast.Constant]:
    """Yields string literals that name fixtures."""
    for argument in call.args if leaf(call.func) in _BY_NAME else ():
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield argument
