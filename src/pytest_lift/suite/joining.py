"""Adds the new parts of an edit to a test file as it was; clashing names get another one."""

from __future__ import annotations

import ast
import symtable
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from pytest_lift.source.bindings import (
    ImportNode,
    bound_names,
    import_bindings,
    imports_in,
    is_future,
    is_import,
)
from pytest_lift.source.syntax import UNREADABLE, first_line, is_bare_literal, parse, split_lines
from pytest_lift.suite.collection import Naming, definitions
from pytest_lift.suite.renaming import fixed_names, other_names, read_names, renamed
from pytest_lift.suite.splice import merge_tests, replace_test


@dataclass(frozen=True)
class Joined:
    """The file with what was added."""

    text: str
    renamed: Mapping[str, str]
    """Name in the edit -> name in `text`."""
    left_out: Mapping[str, str]
    """Test or other name that could not be added -> why."""


@dataclass(frozen=True)
class _Statement:
    """One top-level statement of the edit that the file does not have, imports one by one."""

    node: ast.stmt
    source: str
    """With the comments right above it."""
    names: frozenset[str]
    """Names that it binds at the top of the file."""


def joined(
    base: str,
    edited: str,
    naming: Naming,
    ours: Collection[str] = (),
    staying: Collection[str] = (),
) -> Joined | None:
    """Returns `base`, every line as it is, with the tests, helpers and imports that `edited` adds.

    A name that `base` has or needs for something else is renamed in what is added. `ours` are tests
    of `base` that `edited` may replace; other versions of the tests `staying` are skipped. None if
    a text cannot be parsed, or nothing would be added. Pure.
    """
    try:
        return _Joining(base, edited, naming, frozenset(ours), frozenset(staying)).joined()
    except UNREADABLE:
        return None


class _Joining:
    """One file and one edit of it."""

    def __init__(
        self, base: str, edited: str, naming: Naming, ours: frozenset[str], staying: frozenset[str]
    ) -> None:
        self.base, self.naming, self.ours, self.staying = base, naming, ours, staying
        self.tree, self.edited = parse(base), parse(edited)
        self.lines = split_lines(edited.removeprefix("\ufeff"))
        self.imports = {*imports_in(self.tree.body)}
        self.bound = {name for node in self.tree.body for name in bound_names(node)}
        self.left_out: dict[str, str] = {}

    def joined(self) -> Joined | None:
        text = self._with_replaced(self.base)
        parts = self._parts()
        clashing = self._clashing(parts)
        parts = self._without(parts, clashing)
        renames = self._renames(parts, clashing)
        sources = [renamed(part.node, part.source, renames) for part in parts]
        imports = [s for p, s in zip(parts, sources, strict=True) if is_import(p.node)]
        others = [s.rstrip() for p, s in zip(parts, sources, strict=True) if not is_import(p.node)]
        text = self._with_methods(text, renames)
        text = merge_tests(text, ["\n".join(imports)], "\n\n\n".join(others))
        parse(text)
        if text == self.base:
            return None
        return Joined(text, renames, self.left_out)

    def _parts(self) -> list[_Statement]:
        """Parts that the edit adds, in order."""
        known = Counter(ast.dump(node) for node in self.tree.body)
        tests = {id(d.function): d.name for d in definitions(self.edited, self.naming)}
        skipped = self.ours | self.staying
        found: list[_Statement] = []
        above = 0
        for index, node in enumerate(self.edited.body):
            dumped = ast.dump(node)
            start, end = self._start(node, above), node.end_lineno or node.lineno
            above = end
            if is_import(node):
                found += self._new_imports(node)
            elif known[dumped]:
                known[dumped] -= 1
            elif (index == 0 and is_bare_literal(node)) or tests.get(id(node)) in skipped:
                continue
            elif not (isinstance(node, ast.ClassDef) and node.name in self._classes):
                alone = not self._shares_a_line(index)
                source = "".join(self.lines[start:end]) if alone else ast.unparse(node)
                found.append(_Statement(node, source, frozenset(bound_names(node))))
        return found

    @property
    def _classes(self) -> dict[str, ast.ClassDef]:
        return {node.name: node for node in self.tree.body if isinstance(node, ast.ClassDef)}

    def _start(self, node: ast.stmt, above: int) -> int:
        """Returns the index of the first line, comments that stand right above included."""
        index = first_line(node) - 1
        while index > above and self.lines[index - 1].startswith("#"):
            index -= 1
        return index

    def _shares_a_line(self, index: int) -> bool:
        """Whether a semicolon parts the statement from the one before or after it."""
        around = self.edited.body[max(index - 1, 0) : index + 2]
        return any(one.end_lineno == other.lineno for one, other in pairwise(around))

    def _new_imports(self, node: ImportNode) -> Iterator[_Statement]:
        """Yields the new imports one by one, without those from `__future__`, which would change
        the meaning of the file's own code."""
        known = {(found.bound, found.origin) for found in self.imports}
        for found in import_bindings(node):
            if found not in self.imports and not is_future(node):
                # ``import a.b`` beside ``import a.c`` takes no name.
                takes = {found.bound} if (found.bound, found.origin) not in known else ()
                yield _Statement(parse(found.line).body[0], found.line, frozenset(takes))

    def _clashing(self, parts: Iterable[_Statement]) -> set[str]:
        """Returns names that the file binds otherwise, or looks up in built-ins or as fixtures."""
        used = global_uses(self.tree)
        new = Counter(name for part in parts for name in part.names)
        return {name for name in new if name in self.bound or name in used}

    def _without(self, parts: list[_Statement], clashing: set[str]) -> list[_Statement]:
        """Returns the additions whose clashing names can be changed, and that need no other."""
        left = parts
        doomed = [part for part in parts if fixed_names(part.node) & clashing]
        while doomed:
            left = [part for part in left if part not in doomed]
            gone = {name for part in doomed for name in part.names}
            gone -= {name for part in left for name in part.names}
            for name in sorted(gone):
                self.left_out[name] = "it needs a name that the file has for something else"
            doomed = [part for part in left if gone & read_names(part.node)]
        return left

    def _renames(self, parts: list[_Statement], clashing: set[str]) -> dict[str, str]:
        used = {*self.bound, *global_uses(self.tree)}
        used |= {word for tree in (self.tree, self.edited) for word in _words(tree)}
        found: dict[str, str] = {}
        for part in parts:
            for name in sorted(part.names & clashing):
                others = other_names(name, part.node, self.naming)
                found[name] = next(new for new in others if new not in used)
                used.add(found[name])
        return found

    def _with_replaced(self, text: str) -> str:
        """Returns the text with the tool's tests as the edit has them."""
        theirs = {d.name: d.function for d in definitions(self.tree, self.naming)}
        for found in definitions(self.edited, self.naming):
            old = theirs.get(found.name)
            new = "".join(self.lines[found.first_line - 1 : found.function.end_lineno])
            if found.name in self.ours and old and ast.dump(old) != ast.dump(found.function):
                text = replace_test(text, found.name, new, self.naming)
        return text

    def _with_methods(self, text: str, renames: Mapping[str, str]) -> str:
        """Returns the text with new tests in classes that the file has."""
        theirs = {d.name for d in definitions(self.tree, self.naming)}
        for found in definitions(self.edited, self.naming):
            outer = found.classes[0].name if found.classes else ""
            if outer not in self._classes or found.name in theirs:
                continue
            if {*renames, *self.left_out} & read_names(found.function):
                self.left_out[found.name] = "it needs a name that the file has for something else"
                continue
            lines = self.lines[found.first_line - 1 : found.function.end_lineno]
            text = replace_test(text, found.name, "".join(lines), self.naming)
        return text


def global_uses(tree: ast.Module) -> set[str]:
    """Returns parameters, and names that any scope looks up in the module or the built-ins."""
    pending = [symtable.symtable(ast.unparse(tree), "<suite>", "exec")]
    found: set[str] = set()
    while pending:
        table = pending.pop()
        pending += table.get_children()
        found |= {
            symbol.get_name()
            for symbol in table.get_symbols()
            if symbol.is_global() or (table.get_type() == "module" and symbol.is_referenced())
        }
        if isinstance(table, symtable.Function):
            found |= set(table.get_parameters())
    return found


def _words(tree: ast.AST) -> Iterator[str]:
    """Yields every word that may be a name."""
    for node in ast.walk(tree):
        for field in ("id", "arg", "name", "attr", "asname"):
            if isinstance(word := getattr(node, field, None), str):
                yield word
