"""Repairs imports of modules: their paths, relative ones, and names that stand in other modules."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Sequence

from pytest_lift.gate.diagnosis.closeness import the_close_one
from pytest_lift.gate.diagnosis.diagnostic import Diagnostic
from pytest_lift.gate.diagnosis.importables import Importables
from pytest_lift.gate.repair.fix import DraftFile, Fix, TextEdit
from pytest_lift.source.bindings import ImportNode, imports_in, is_import
from pytest_lift.source.syntax import chain, parse_readable, walked

_PATCHING = ("patch", "setattr", "delattr", "object", "import_module", "importorskip")


def module_fixes(draft: DraftFile, one: Diagnostic) -> Iterator[Fix]:
    """Yields fixes of an import that finds no module, or no such name in it."""
    for node in walked(draft.tree):
        if is_import(node) and node.lineno <= one.line <= (node.end_lineno or node.lineno):
            if isinstance(node, ast.ImportFrom):
                yield from _from_import(draft, node, one)
            else:
                yield from _plain_import(draft, node, one)


def _from_import(draft: DraftFile, node: ast.ImportFrom, one: Diagnostic) -> Iterator[Fix]:
    module = "." * node.level + (node.module or "")
    names = [alias.name for alias in node.names]
    importables = draft.diagnoser.importables
    rule = "relative-import" if node.level else "module-path"
    known = importables.modules
    is_there = not node.level and (module in known or importables.exists(module))
    if not is_there:
        for other in _homes(draft, module, names):
            yield _redirected(draft, node, module, other, rule)
        if len(names) > 1:
            yield from _shared_out(draft, node, importables)
        return
    wrong = [a for a in node.names if one.subject.rpartition(".")[2] == a.name]
    for alias in wrong:
        yield from _other_name(draft, node, alias, importables)


def _homes(draft: DraftFile, module: str, names: Sequence[str]) -> Iterator[str]:
    """Yields modules that have all names, the likeliest first; none where two are as likely."""
    importables = draft.diagnoser.importables
    wanted = [name for name in names if name != "*"]
    plain = module.lstrip(".")
    fitting = {
        known.name
        for known in importables.modules.values()
        if all(name in known.names for name in wanted) and wanted
    }
    if not wanted:
        fitting = {*importables.modules}
    yield from likeliest(draft, plain, fitting, wanted)
    if not plain:
        return
    yield from _alike(importables, plain)


def _alike(importables: Importables, module: str) -> Iterator[str]:
    """Yields modules whose names are like a name, or like its end where folders stand before."""
    parts = module.split(".")
    for start in range(len(parts)):
        end = ".".join(parts[start:])
        beside = {*importables.in_folder(end.rpartition(".")[0])}
        if end in importables.modules or end in beside:
            yield end
        elif (close := the_close_one(end, importables.modules.keys() | beside)) is not None:
            yield close
    same = {one for one in importables.modules if one.rpartition(".")[2] == parts[-1]}
    yield from _single(same)
    if len(parts) == 1 and (close := the_close_one(module, sys.stdlib_module_names)) is not None:
        yield close


def likeliest(
    draft: DraftFile, module: str, fitting: Iterable[str], names: Sequence[str]
) -> Iterator[str]:
    importables, fitting = draft.diagnoser.importables, {*fitting}
    leaf = module.rpartition(".")[2]
    for alike in (
        {one for one in fitting if leaf and _ends_with(module, one)},
        {one for one in fitting if leaf and _ends_with(one, module)},
        {one for one in fitting if leaf and one.rpartition(".")[2] == leaf},
        {one for one in [the_close_one(module, fitting)] if one is not None},
        {one for one in _used_before(importables, names) if one in fitting},
        {one.module for one in imports_in(draft.tree.body) if one.module in fitting},
        {one for one in fitting if _is_of(one, draft.path)},
        {one for one in fitting if one in importables.program.names},
        fitting - importables.helpers,
        fitting & _binding(importables, names),
        fitting & _defining(importables, names),
        fitting,
    ):
        yield from _single(alike)


def _is_of(module: str, path: str) -> bool:
    """Whether a test file has the name of a module: ``test_goods_2.py`` for ``shop.goods``."""
    stem = path.rpartition("/")[2].removesuffix(".py")
    return f"_{module.rpartition('.')[2].strip('_')}_" in f"_{stem}_"


def _single(found: Iterable[str]) -> list[str]:
    unique = [*dict.fromkeys(found)]
    return unique if len(unique) == 1 else []


def _ends_with(module: str, part: str) -> bool:
    return module == part or module.endswith(f".{part}")


def _defining(importables: Importables, names: Sequence[str]) -> set[str]:
    """Modules that have functions or classes of all names."""
    return {one.name for one in importables.modules.values() if one.defined >= {*names}}


def _binding(importables: Importables, names: Sequence[str]) -> set[str]:
    """Modules that bind all names themselves."""
    homes = [set(importables.homes.get(name, ())) for name in names]
    return set.intersection(*homes) if homes else set()


def _used_before(importables: Importables, names: Sequence[str]) -> list[str]:
    """Modules from which other test files import all these names."""
    found: dict[str, set[str]] = {}
    for file in importables.suite.files.values():
        for one in imports_in(parse_readable(file.text).body):
            if one.module and not one.module.startswith("."):
                found.setdefault(one.module, set()).add(one.name)
    return [module for module, there in found.items() if names and {*names} <= there]


def _redirected(draft: DraftFile, node: ast.ImportFrom, module: str, other: str, rule: str) -> Fix:
    start, end = draft.span(node)
    place = re.compile(r"from\s+" + r"\s*".join(map(re.escape, module))).match(
        draft.text, start, end
    )
    at = place.end() if place else start
    edits = [TextEdit(at - len(module), at, other)]
    edits += _patched(draft, module, other)
    what = f"from {other} in place of {module}"
    return Fix(rule, what, tuple(edits), reveals=True, module=f"{other}.")


def _shared_out(draft: DraftFile, node: ast.ImportFrom, importables: Importables) -> Iterator[Fix]:
    """Yields the import of each name from the module that has it."""
    lines = []
    for alias in node.names:
        homes = [
            *likeliest(draft, node.module or "", _having(importables, alias.name), [alias.name])
        ]
        if not homes:
            return
        renamed = f" as {alias.asname}" if alias.asname else ""
        lines.append(f"from {homes[0]} import {alias.name}{renamed}")
    indent = "\n" + " " * node.col_offset
    edit = draft.replacing(node, indent.join(lines))
    what = "each name from its module: " + "; ".join(lines)
    yield Fix("module-path", what, (edit,), reveals=True)


def _having(importables: Importables, name: str) -> set[str]:
    return {one.name for one in importables.modules.values() if name in one.names}


def _other_name(
    draft: DraftFile, node: ast.ImportFrom, alias: ast.alias, importables: Importables
) -> Iterator[Fix]:
    """Yields fixes for a name that its module does not have: from elsewhere, or misspelt."""
    module = node.module or ""
    homes = [*likeliest(draft, module, _having(importables, alias.name), [alias.name])]
    if homes and homes[0] != module:
        renamed = f" as {alias.asname}" if alias.asname else ""
        line = f"from {homes[0]} import {alias.name}{renamed}"
        left = [a for a in node.names if a is not alias]
        if not left:
            yield _redirected(draft, node, module, homes[0], "import-name")
        else:
            edit = _without(draft, node, alias)
            yield Fix("import-name", f"{line}, not from {module}", edit, (line,), reveals=True)
    known = importables.modules.get(module)
    names = known.names if known is not None else _public_names(draft, node)
    close = the_close_one(alias.name, names)
    if close is not None:
        yield _renamed(draft, alias, close, module)
    elif not _is_used(draft, alias) and len(node.names) > 1:
        what = f"{alias.name} is not imported: {module} has none, and nothing uses it"
        yield Fix("unused-import", what, _without(draft, node, alias))


def _renamed(draft: DraftFile, alias: ast.alias, name: str, module: str) -> Fix:
    """Returns the fix that corrects a name in its import, and wherever the file uses it."""
    start, _ = draft.span(alias)
    edits = [TextEdit(start, start + len(alias.name), name)]
    renamed = {}
    if alias.asname is None:
        edits += [
            draft.replacing(use, name)
            for use in walked(draft.tree)
            if isinstance(use, ast.Name) and use.id == alias.name
        ]
        renamed[alias.name] = name
    edits += _patched(draft, f"{module}.{alias.name}", f"{module}.{name}")
    what = f"{name} in place of {alias.name}"
    return Fix("import-name", what, tuple(edits), renamed=renamed, reveals=True)


def _public_names(draft: DraftFile, node: ast.ImportFrom) -> list[str]:
    """Returns the names of an installed module, which the server knows."""
    asked = draft.diagnoser.module_members(node.module or "")
    return [name for name in asked if not name.startswith("__")]


def _is_used(draft: DraftFile, alias: ast.alias) -> bool:
    name = alias.asname or alias.name
    return any(isinstance(n, ast.Name) and n.id == name for n in walked(draft.tree))


def _without(draft: DraftFile, node: ast.ImportFrom, alias: ast.alias) -> tuple[TextEdit, ...]:
    """Returns the edit that takes one name out of a list of several."""
    at = node.names.index(alias)
    start, end = draft.span(alias)
    if at + 1 < len(node.names):
        return (TextEdit(start, draft.span(node.names[at + 1])[0], ""),)
    return (TextEdit(draft.span(node.names[at - 1])[1], end, ""),)


def _plain_import(draft: DraftFile, node: ast.Import, one: Diagnostic) -> Iterator[Fix]:
    """Yields fixes of ``import a.b``, with what the file makes of that name."""
    importables = draft.diagnoser.importables
    for alias in node.names:
        if alias.name != one.subject:
            continue
        plain = alias.name
        used = members_of(draft, alias.asname or plain)
        homes = likeliest(draft, plain, _with_names(importables, used), used) if used else ()
        for other in dict.fromkeys([*homes, *_alike(importables, plain)]):
            yield _moved(draft, node, alias, other)


def _with_names(importables: Importables, names: Iterable[str]) -> set[str]:
    names = [*names]
    return {m.name for m in importables.modules.values() if all(n in m.names for n in names)}


def members_of(draft: DraftFile, module: str) -> list[str]:
    """Returns the attributes that the file takes from a module of this dotted name."""
    depth = len(module.split("."))
    chains = [chain(n) for n in walked(draft.tree) if isinstance(n, ast.Attribute)]
    return sorted({c[depth] for c in chains if len(c) > depth and ".".join(c[:depth]) == module})


def _moved(draft: DraftFile, node: ImportNode, alias: ast.alias, other: str) -> Fix:
    start, _ = draft.span(alias)
    edits = [TextEdit(start, start + len(alias.name), other)]
    renamed = {}
    if alias.asname is None:
        renamed[alias.name] = other
        edits += [
            draft.replacing(use, other)
            for use in walked(draft.tree)
            if isinstance(use, ast.Attribute | ast.Name) and ".".join(chain(use)) == alias.name
        ]
    edits += _patched(draft, alias.name, other)
    what = f"import {other} in place of {alias.name}"
    return Fix("module-path", what, tuple(edits), renamed=renamed, reveals=True)


def _patched(draft: DraftFile, module: str, other: str) -> Iterator[TextEdit]:
    """Yields edits of the texts that name what is patched in a module."""
    for node in walked(draft.tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        names = chain(node.func)
        first = node.args[0]
        if names and names[-1] in _PATCHING and isinstance(first, ast.Constant):
            text, source = first.value, draft.source(first)
            if isinstance(text, str) and (text == module or text.startswith(f"{module}.")):
                start, _ = draft.span(first)
                at = start + source.index(module)
                yield TextEdit(at, at + len(module), other)
