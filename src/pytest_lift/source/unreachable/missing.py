"""Which lines cannot run because a library is not installed, by `ast`."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from pytest_lift.source.bindings import all_bound_names, is_import
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.unreachable.reachability import Unknown, fixed_value, is_import_fallback


def lines_without(source: SourceFile, missing: Collection[str]) -> frozenset[int]:
    """Returns the lines that need a library which is `missing` (first parts of module names)."""
    if not missing:
        return frozenset()
    wanting = _Wanting(source, missing)
    statements = [*wanting.after(source.tree.body)]
    return frozenset(
        line
        for node in statements
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    )


def not_importable(program: Program, missing: Collection[str]) -> frozenset[str]:
    """Returns names of modules whose import fails: they import a missing library, or each other,
    without a fallback."""
    known = program.by_module
    needs = {
        name: [
            one.source
            for node in file.tree.body
            if is_import(node)
            for one in file.import_bindings(node)
        ]
        for name, file in known.items()
    }
    gone: set[str] = set()
    while True:
        new = {
            name
            for name, asked in needs.items()
            if name not in gone
            and any(top.partition(".")[0] in missing or top in gone for top in asked)
        }
        if not new:
            return frozenset(gone)
        gone |= new


class _Wanting:
    """The parts of one file that need what is missing."""

    def __init__(self, source: SourceFile, missing: Collection[str]) -> None:
        self.source = source
        self.missing = missing
        self.constants = dict(self._constants())
        """Names that have one value where libraries are missing: ``np`` -> None."""

    def after(self, body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
        """Yields the statements of a block, and of the blocks in it, that cannot run."""
        for number, node in enumerate(body):
            if self._fails(node) or self._ends(node):
                yield from body[number + 1 :]
                if not self._fails(node):
                    yield from self._inside(node)
                return
            yield from self._inside(node)

    def _inside(self, node: ast.stmt) -> Iterator[ast.stmt]:
        if isinstance(node, ast.If):
            value = self._fixed(node.test)
            if value is not None:
                yield from node.orelse if value else node.body
                yield from self.after(node.body if value else node.orelse)
                return
        if isinstance(node, ast.Try) and any(map(self._fails, node.body)):
            yield from node.orelse
        for block in ("body", "orelse", "finalbody"):
            inner = getattr(node, block, None)
            yield from self.after(inner) if isinstance(inner, list) else ()
        for handler in getattr(node, "handlers", ()):
            yield from self.after(handler.body)

    def _fails(self, node: ast.stmt) -> bool:
        """Whether a statement imports what is missing."""
        if not is_import(node):
            return False
        return any(one.top in self.missing for one in self.source.import_bindings(node))

    def _ends(self, node: ast.stmt) -> bool:
        """Whether a statement always leaves its block, because something is missing."""
        if not isinstance(node, ast.If) or not node.body or not self._fixed(node.test):
            return False
        return isinstance(node.body[-1], ast.Raise | ast.Return | ast.Continue | ast.Break)

    def _fixed(self, test: ast.expr) -> bool | None:
        """Whether a condition holds that depends on what is missing; None for any other."""
        names = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
        if names.isdisjoint(self.constants):
            return None
        try:
            return bool(fixed_value(test, self.constants))
        except Unknown:
            return None

    def _constants(self) -> Iterator[tuple[str, object]]:
        """Yields the names that a fallback of a failing import, or a line above it, binds to a
        constant, and that nothing else binds."""
        body = self.source.tree.body
        every = Counter(all_bound_names(self.source.tree))
        for number, node in enumerate(body):
            if not isinstance(node, ast.Try) or not any(map(self._fails, node.body)):
                continue
            inside, above = Counter(all_bound_names(node)), _assigned(body[:number])
            fallbacks = [h for h in node.handlers if is_import_fallback(h)]
            instead = _assigned([inner for one in fallbacks for inner in one.body])
            unclear = {name for one in fallbacks for name in all_bound_names(one)} - instead.keys()
            for name, value in {**above, **instead}.items():
                counted = inside[name] + (name in above)
                if name in inside and name not in unclear and every[name] == counted:
                    yield name, value


def _assigned(body: Sequence[ast.stmt]) -> dict[str, object]:
    """Returns the names that statements of a block bind to constants."""
    found: dict[str, object] = {}
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)):
                found[name] = value
    return found
