"""Breaks tests that work in the ways in which generated tests are broken.

After the protocol of MultiFileTest (Wang et al. 2025): errors that keep a test from running, each a
few characters. A way that does not fit a text gives None.
"""

from __future__ import annotations

import ast
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pytest_lift.source.bindings import ImportNode, import_bindings, is_import
from pytest_lift.source.syntax import chain, split_lines


@dataclass(frozen=True)
class Whole:
    """A test file with one test that passes, and what of it is the program's."""

    text: str
    names: tuple[str, ...]
    """Top-level names of the program."""
    chance: random.Random

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    def imports(self) -> list[ImportNode]:
        """Import statements at the top of the file."""
        return [node for node in self.tree.body if is_import(node)]

    def of_program(self) -> list[ast.ImportFrom]:
        found = [n for n in self.imports() if isinstance(n, ast.ImportFrom) and not n.level]
        return [n for n in found if (n.module or "").partition(".")[0] in self.names]

    def pick(self, found: Sequence[ImportNode | ast.expr | ast.keyword]) -> object:
        return self.chance.choice(found) if found else None

    def replaced(self, line: int, start: int, end: int, new: str) -> str:
        """Returns the text with columns of a line replaced; columns count bytes."""
        rows = split_lines(self.text)
        row = rows[line - 1].encode()
        rows[line - 1] = (row[:start] + new.encode() + row[end:]).decode()
        return "".join(rows)

    def without(self, node: ast.stmt) -> str:
        rows = split_lines(self.text)
        del rows[node.lineno - 1 : node.end_lineno]
        return "".join(rows)


def misspelt(name: str, chance: random.Random) -> str:
    """Returns a name with two letters swapped, one left out or one doubled."""
    at = chance.randrange(1, max(len(name) - 1, 2))
    how = chance.randrange(3)
    if how == 0 and name[at - 1] != name[at]:
        return name[: at - 1] + name[at] + name[at - 1] + name[at + 1 :]
    return name[:at] + name[at + 1 :] if how == 1 else name[:at] + name[at - 1] + name[at:]


def _module(whole: Whole, change: Callable[[str], str]) -> str | None:
    found = whole.pick(whole.of_program())
    if not isinstance(found, ast.ImportFrom) or not found.module:
        return None
    start = found.col_offset + len("from ")
    new = change(found.module)
    return whole.replaced(found.lineno, start, start + len(found.module), new) if new else None


def wrong_path(whole: Whole) -> str | None:
    """Leaves out the package, puts a folder before it, or misspells the module."""
    how = whole.chance.randrange(3)

    def change(module: str) -> str:
        if how == 0 and "." in module:
            return module.partition(".")[2]
        return f"src.{module}" if how < 2 else misspelt(module, whole.chance)

    return _module(whole, change)


def extra_nesting(whole: Whole) -> str | None:
    return _module(whole, lambda module: f"{module.partition('.')[0]}.{module}")


def relative(whole: Whole) -> str | None:
    return _module(whole, lambda module: f"..{module}")


def _used(whole: Whole, node: ImportNode) -> bool:
    bound = {one.bound for one in import_bindings(node)}
    return any(isinstance(n, ast.Name) and n.id in bound for n in ast.walk(whole.tree))


def _without_import(whole: Whole, fits: Callable[[str], bool]) -> str | None:
    found = [
        node
        for node in whole.imports()
        if all(fits(one.top) for one in import_bindings(node)) and _used(whole, node)
    ]
    node = whole.pick(found)
    return whole.without(node) if isinstance(node, ast.stmt) else None


def missing_import(whole: Whole) -> str | None:
    return _without_import(
        whole, lambda top: top in sys.stdlib_module_names and top != "__future__"
    )


def external_library(whole: Whole) -> str | None:
    known = {*sys.stdlib_module_names, *whole.names, "numpy", "pandas", ""}
    return _without_import(whole, lambda top: top not in known)


def alias(whole: Whole) -> str | None:
    return _without_import(whole, lambda top: top in ("numpy", "pandas"))


def project_name(whole: Whole) -> str | None:
    return _without_import(whole, lambda top: top in whole.names)


def misspelt_name(whole: Whole) -> str | None:
    """Misspells a name of the program where it is imported and used, an attribute or a keyword."""
    how = whole.chance.randrange(3)
    if how == 0:
        names = [a.name for node in whole.of_program() for a in node.names if len(a.name) > 4]
        if not names:
            return None
        name = whole.chance.choice(names)
        return re.sub(rf"\b{re.escape(name)}\b", misspelt(name, whole.chance), whole.text)
    if how == 1:
        attributes = [
            node
            for node in ast.walk(whole.tree)
            if isinstance(node, ast.Attribute)
            and len(node.attr) > 4
            and chain(node)
            and isinstance(node.ctx, ast.Load)
            and chain(node)[0] != "pytest"
        ]
        node = whole.pick(attributes)
        if not isinstance(node, ast.Attribute):
            return None
        end = node.end_col_offset or 0
        line, start = node.end_lineno or 0, end - len(node.attr)
        return whole.replaced(line, start, end, misspelt(node.attr, whole.chance))
    words = [
        word
        for node in ast.walk(whole.tree)
        if isinstance(node, ast.Call)
        for word in node.keywords
        if word.arg and len(word.arg) > 4
    ]
    word = whole.pick(words)
    if not isinstance(word, ast.keyword) or not word.arg:
        return None
    start = word.col_offset
    new = misspelt(word.arg, whole.chance)
    return whole.replaced(word.lineno, start, start + len(word.arg), new)


def bracket(whole: Whole) -> str | None:
    """Leaves out the last bracket of a statement in a test."""
    ends = [
        node
        for node in ast.walk(whole.tree)
        if isinstance(node, ast.Assert | ast.Assign | ast.Expr | ast.Return)
        and node.col_offset
        and split_lines(whole.text)[(node.end_lineno or 1) - 1].rstrip()[-1:] in ")]}"
    ]
    if not ends:
        return None
    node = whole.chance.choice(ends)
    rows = split_lines(whole.text)
    at = (node.end_lineno or 1) - 1
    rows[at] = rows[at].rstrip()[:-1] + "\n"
    return "".join(rows)


def file_path(whole: Whole) -> str | None:
    """Names a file beside the tests as if they ran in its folder."""
    found: list[tuple[ast.expr, str]] = []
    for node in ast.walk(whole.tree):
        if isinstance(node, ast.BinOp | ast.Call) and (parts := [*_beside(node)]):
            found.append((node, "/".join(parts)))
    found = [one for one in found if one[0].lineno == one[0].end_lineno]
    if not found:
        return None
    node, name = whole.chance.choice(found)
    return whole.replaced(node.lineno, node.col_offset, node.end_col_offset or 0, repr(name))


def _beside(node: ast.expr) -> Iterator[str]:
    """Yields the parts of a path that begins at the folder of the file."""
    source = ast.unparse(node)
    match = re.fullmatch(
        r"(?:pathlib\.)?Path\(__file__\)(?:\.resolve\(\))?\.parent((?: / '[^']+')+)", source
    ) or re.fullmatch(
        r"(?:os\.path\.|path\.)?join\((?:os\.path\.|path\.)?dirname\(__file__\)((?:, '[^']+')+)\)",
        source,
    )
    if match:
        yield from re.findall(r"'([^']+)'", match[1])


def prose(whole: Whole) -> str | None:
    head, tail = "Here are the tests that you asked for:\n\n", "\nThey cover the main cases.\n"
    return whole.chance.choice([f"{head}```python\n{whole.text}```\n{tail}", f"{head}{whole.text}"])


def no_self(whole: Whole) -> str | None:
    for node in ast.walk(whole.tree):
        if isinstance(node, ast.ClassDef) and not node.bases:
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef) and inner.name.startswith("test"):
                    uses = {n.id for n in ast.walk(inner) if isinstance(n, ast.Name)}
                    arguments = inner.args.args
                    if "self" not in uses and arguments and arguments[0].arg == "self":
                        row = split_lines(whole.text)[inner.lineno - 1]
                        new = re.sub(r"\(self(?:, )?", "(", row, count=1)
                        return whole.replaced(inner.lineno, 0, len(row.encode()), new)
    return None


WAYS: dict[str, Callable[[Whole], str | None]] = {
    "wrong package path": wrong_path,
    "extra nesting": extra_nesting,
    "relative import": relative,
    "missing import": missing_import,
    "external library not imported": external_library,
    "numpy or pandas not imported": alias,
    "project name not imported": project_name,
    "misspelt name": misspelt_name,
    "unbalanced bracket": bracket,
    "file not found": file_path,
    "prose around the code": prose,
    "self missing": no_self,
}
LAST = ("unbalanced bracket", "prose around the code")
"""Ways after which a text cannot be parsed: they come last, the bracket first."""


def broken(
    text: str, names: tuple[str, ...], chance: random.Random, times: int
) -> tuple[str, tuple[str, ...]] | None:
    """Returns a text broken in some ways, and these; None where fewer of them fit."""
    order = [*WAYS]
    chance.shuffle(order)
    # The rare ways first, as they fit few tests.
    rare = [
        way
        for way in ("file not found", "numpy or pandas not imported", "self missing")
        if chance.random() < 0.8
    ]
    order = [*rare, *(way for way in order if way not in rare)]
    order.sort(key=lambda way: LAST.index(way) + 1 if way in LAST else 0)
    if times == 1 and chance.random() < 0.25:
        order = [*LAST[chance.randrange(2) :], *order]
    used: list[str] = []
    for way in order:
        if len(used) == times:
            break
        if way in used or (way in LAST and len(used) < times - 1 and len(used) + len(LAST) < times):
            continue
        changed = WAYS[way](Whole(text, names, chance))
        if changed is not None and changed != text:
            text = changed
            used.append(way)
    return (text, tuple(used)) if len(used) == times else None
