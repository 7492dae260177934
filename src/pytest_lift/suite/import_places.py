"""Adds the imports that a file lacks, each in the group of its kind, in the group's order; takes
out those that nothing uses any more."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pytest_lift.source.bindings import (
    ImportNode,
    import_bindings,
    imports_in,
    is_future,
    is_import,
)
from pytest_lift.source.syntax import is_bare_literal, parse, split_lines

_STANDARD, _OTHER, _RELATIVE = range(3)
_TOOLS = {"pytest", "hypothesis", "mock", "freezegun", "responses", "respx", "pytest_mock"}
"""Modules that tests import from others; never the program itself."""
_FUTURE = "from __future__ "
WIDTH = 88
"""Columns of an import that stands in one line."""


def missing_imports(tree: ast.Module, imports: Iterable[str]) -> list[str]:
    """Returns those of `imports` that a file lacks, one statement for all names of a module unless
    the file has one for each name. Raises SyntaxError."""
    present = {*imports_in(tree.body)}
    wanted: list[ImportNode] = []
    for node in ast.parse("\n".join(imports)).body:
        if not is_import(node):
            raise SyntaxError(f"no import statement: {ast.unparse(node)}")
        aliases = zip(node.names, import_bindings(node), strict=True)
        node.names = [alias for alias, bound in aliases if bound not in present]
        present.update(import_bindings(node))
        if node.names:
            wanted.append(node)
    return _joined(wanted, tree)


def _joined(wanted: Iterable[ImportNode], tree: ast.Module) -> list[str]:
    alone = _is_one_name_a_line(tree)
    found: dict[object, ImportNode] = {}
    for node in wanted:
        module = (node.level, node.module) if isinstance(node, ast.ImportFrom) else None
        key = node if module is None or alone else module
        if key in found:
            found[key].names.extend(node.names)
        else:
            found[key] = node
    return [*map(import_statement, found.values())]


def _is_one_name_a_line(tree: ast.Module) -> bool:
    nodes = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    modules = {(node.level, node.module) for node in nodes}
    return len(modules) < len(nodes) and all(len(node.names) == 1 for node in nodes)


def import_statement(node: ImportNode) -> str:
    """Returns the source of an import, with a line for each name where it is too long."""
    if isinstance(node, ast.Import):
        return ast.unparse(node)
    return from_import(next(import_bindings(node)).module, [*map(ast.unparse, node.names)])


def from_import(module: str, names: Sequence[str]) -> str:
    """``from module import a, b as c``, with a line for each name where it is too long."""
    flat = f"from {module} import {', '.join(names)}"
    if len(flat) <= WIDTH or "*" in names:
        return flat
    return f"from {module} import (\n" + "".join(f"    {name},\n" for name in names) + ")"


def insert_imports(missing: Sequence[str], lines: list[str], end: str) -> None:
    """Puts each statement where it belongs: beside other imports, else at the head of the file."""
    head = [line for line in missing if line.startswith(_FUTURE)]
    others = [line for line in missing if line not in head]
    others.sort(key=lambda line: _straight_first(_parsed(line)))
    if others and not _imports(lines):
        _put(others, lines, end)
        others = []
    for statement in others:
        place = _place(statement, _imports(lines), lines)
        above, below = [end] * place.parted_above, [end] * place.parted_below
        at = _between_statements(place.line, lines)
        lines[at:at] = [*above, *(line + end for line in statement.split("\n")), *below]
    if head:
        _put(head, lines, end)


def _imports(lines: list[str]) -> list[ImportNode]:
    """Those of the module itself, without ``from __future__``, which nothing may stand before."""
    nodes = filter(is_import, parse("".join(lines)).body)
    return [node for node in nodes if not is_future(node)]


def _put(wanted: list[str], lines: list[str], end: str) -> None:
    """Below ``from __future__``, else at the head, with blank lines around where nothing of the
    same kind is above."""
    tree = parse("".join(lines))
    futures = [node.end_lineno or 0 for node in tree.body if is_future(node)]
    line = _between_statements(max(futures, default=_head(tree, lines)), lines)
    new = [line + end for entry in wanted for line in entry.split("\n")]
    if not (futures and wanted[0].startswith(_FUTURE)):
        new = [*([end] if line else []), *new]
        if line < len(lines) and lines[line].strip():
            new.append(end)
    lines[line:line] = new


def _head(tree: ast.Module, lines: list[str]) -> int:
    """Below the docstring, or below the comments at the top."""
    if tree.body and is_bare_literal(tree.body[0]):
        return tree.body[0].end_lineno or 0
    index = 0
    while index < len(lines) and lines[index].startswith("#"):
        index += 1
    return index


def _between_statements(index: int, lines: list[str]) -> int:
    """Below the statement that goes on at `index`: one line may have several, by semicolons."""
    for node in parse("".join(lines)).body:
        if node.lineno - 1 < index < (node.end_lineno or node.lineno):
            index = node.end_lineno or node.lineno
    return index


@dataclass(frozen=True)
class ImportPlace:
    """Place of one new line."""

    line: int
    """Index of the line before which it goes."""
    parted_above: bool = False
    """It opens a group of its own: a blank line above it,"""
    parted_below: bool = False
    """or below it."""


def _place(statement: str, nodes: Sequence[ImportNode], lines: Sequence[str]) -> ImportPlace:
    """The place of the import `statement` among the top-level imports `nodes` (at least one,
    none of them from `__future__`).

    Groups are parted by blank lines. Where code stands between imports, what follows may depend on
    it: a new module's line goes after all of them.
    """
    node = _parsed(statement)
    groups = [*_groups(nodes, lines)]
    kind, top = _kind(node), _top(node)
    together = _are_together(nodes, lines)
    same = [g for g in groups if kind == _OTHER and any(_top(each) == top for each in g)]
    alike = [g for g in groups if any(_kind(each) == kind for each in g)]
    if same:
        return _within(node, same[-1], lines)
    if kind == _OTHER and together:
        alike = _of_other_modules(top, groups, alike)
    if alike and (together or kind == _STANDARD):
        first = kind != _OTHER or top in _TOOLS
        return _within(node, alike[0] if first else alike[-1], lines)
    if not together or (len(groups) == 1 and len({_kind(each) for each in groups[0]}) > 1):
        return _within(node, groups[-1], lines)
    return _new_group(kind, top, groups, lines)


def _parsed(statement: str) -> ImportNode:
    node = ast.parse(statement).body[0]
    assert isinstance(node, ImportNode)
    return node


def _groups(nodes: Sequence[ImportNode], lines: Sequence[str]) -> Iterator[list[ImportNode]]:
    group = [nodes[0]]
    for before, node in pairwise(nodes):
        between = lines[before.end_lineno or 0 : node.lineno - 1]
        if all(line.lstrip().startswith("#") for line in between):
            group.append(node)
        else:
            yield group
            group = [node]
    yield group


def _are_together(nodes: Sequence[ImportNode], lines: Sequence[str]) -> bool:
    """Whether only blank lines and comments stand between the imports."""
    within = lines[nodes[0].lineno - 1 : nodes[-1].end_lineno]
    code = [line for line in within if line.strip() and not line.startswith("#")]
    own = sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes)
    return len(code) <= own


def _kind(node: ImportNode) -> int:
    if isinstance(node, ast.ImportFrom) and node.level:
        return _RELATIVE
    return _STANDARD if _top(node) in sys.stdlib_module_names else _OTHER


def _top(node: ImportNode) -> str:
    return next(import_bindings(node)).top


def _of_other_modules(
    top: str, groups: list[list[ImportNode]], alike: list[list[ImportNode]]
) -> list[list[ImportNode]]:
    """Returns the groups for a module of its kind: the program's imports have a group beside those
    of test libraries, if the file keeps groups."""
    if len(groups) == 1 and len({_kind(each) for each in groups[0]}) > 1:
        return alike
    others = [g for g in alike if any(_kind(n) == _OTHER and _top(n) not in _TOOLS for n in g)]
    if top not in _TOOLS:
        return others
    return [g for g in alike if any(_top(n) in _TOOLS for n in g)] or others[:-1]


def _within(node: ImportNode, group: list[ImportNode], lines: Sequence[str]) -> ImportPlace:
    """Returns the place within a group: in its order if it is sorted, else at its end."""
    for key in (_straight_first, _by_module):
        if all(key(before) <= key(after) for before, after in pairwise(group)):
            later = [each for each in group if key(each) > key(node)]
            return ImportPlace(_above(later[0], lines)) if later else ImportPlace(_below(group))
    same = [each for each in group if _top(each) == _top(node)]
    return ImportPlace(_below(same or group))


def _straight_first(node: ImportNode) -> tuple[object, ...]:
    return (isinstance(node, ast.ImportFrom), *_by_module(node))


def _by_module(node: ImportNode) -> tuple[object, ...]:
    name = node.names[0].name if isinstance(node, ast.ImportFrom) else ""
    return _kind(node), next(import_bindings(node)).source.lower(), name.lower()


def _above(node: ImportNode, lines: Sequence[str]) -> int:
    """Returns the index of the line of a statement, or of the comments above it."""
    index = node.lineno - 1
    while index and lines[index - 1].lstrip().startswith("#"):
        index -= 1
    return index if index else node.lineno - 1


def _below(group: Sequence[ImportNode]) -> int:
    return max(node.end_lineno or node.lineno for node in group)


def _new_group(
    kind: int, top: str, groups: list[list[ImportNode]], lines: Sequence[str]
) -> ImportPlace:
    """Returns the place of a new group, between the groups of the kinds before and after it."""

    def rank(each: int, name: str) -> tuple[int, bool]:
        return each, each == _OTHER and name not in _TOOLS

    own = rank(kind, top)
    before = [g for g in groups if all(rank(_kind(n), _top(n)) < own for n in g)]
    if before:
        return ImportPlace(_below(before[-1]), parted_above=True)
    return ImportPlace(_above(groups[0][0], lines), parted_below=True)


def without_idle_imports(text: str, before: str) -> str:
    """Returns a file without those imports outside of functions whose names the text `before` used,
    and it does not any more. Raises SyntaxError where one of them cannot be parsed."""
    tree = parse(text)
    idle = _used(parse(before)) - _used(tree)
    lines = split_lines(text)
    for node in reversed(tree.body):
        if not is_import(node) or is_future(node):
            continue
        left = [alias for alias in node.names if _bound_by(alias) not in idle]
        if len(left) < len(node.names):
            _replace(lines, node, left)
    found = "".join(lines)
    return found if not text.strip() or text[0] in "\r\n" else found.lstrip("\r\n")


def _used(tree: ast.Module) -> set[str]:
    """Returns the names that a file reads, and those of parameters, which may be of fixtures."""
    nodes = list(ast.walk(tree))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return names | {node.arg for node in nodes if isinstance(node, ast.arg)}


def _bound_by(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _replace(lines: list[str], node: ImportNode, left: list[ast.alias]) -> None:
    """Puts the import of what is left in the place of a statement; one that goes takes the blank
    lines before it along, where others follow."""
    start, end = node.lineno - 1, node.end_lineno or node.lineno
    if left:
        node.names = left
        ending = lines[end - 1][len(lines[end - 1].rstrip("\r\n")) :]
        lines[start:end] = [f"{line}{ending}" for line in import_statement(node).split("\n")]
        return
    if end < len(lines) and not lines[end].strip():
        while start and not lines[start - 1].strip():
            start -= 1
    del lines[start:end]
