"""Repairs names that are used and nowhere defined: missing imports, and slips of the pen."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator

from pytest_lift.gate.diagnosis.closeness import the_close_one
from pytest_lift.gate.diagnosis.diagnostic import Diagnostic
from pytest_lift.gate.diagnosis.importables import BUILTINS, Importables, is_installed
from pytest_lift.gate.repair.fix import DraftFile, Fix
from pytest_lift.gate.repair.homes import ALIASES, HOME, library_homes
from pytest_lift.gate.repair.libraries import libraries_with
from pytest_lift.gate.repair.modules import likeliest, members_of
from pytest_lift.source.bindings import all_bound_names, bound_names, imports_in
from pytest_lift.source.syntax import chain, parse_readable, walked

SHORTEST_OF_PROGRAM = 4
"""Letters that a name has more of, if it is taken for a slip of one that the program has."""


def name_fixes(draft: DraftFile, one: Diagnostic) -> Iterator[Fix]:
    """Yields fixes of a name without a definition: as other tests import it, then as the program,
    common use or the standard library has it, then the one close name."""
    name = one.subject
    for line in _import_lines(draft, name):
        yield Fix("missing-import", line, imports=(line,), reveals=True)
    yield from _slips(draft, name)


def _import_lines(draft: DraftFile, name: str) -> Iterator[str]:
    yield from _as_others(draft, name)
    importables = draft.diagnoser.importables
    if name in importables.program.names and not _is_called(draft, name):
        yield f"import {name}"
    is_defined = any(name in one.defined for one in importables.modules.values())
    if name in ALIASES and not is_defined and is_installed(chain_top(ALIASES[name])):
        yield ALIASES[name]
    yield from _abbreviated(draft, name)
    yield from _as_module(draft, name)
    having = {m.name for m in importables.modules.values() if name in m.names - m.foreign}
    for module in likeliest(draft, "", having, [name]):
        yield f"from {module} import {name}"
    if name in importables.modules:
        yield f"import {name}"
    if name in HOME and is_installed(HOME[name].partition(".")[0]):
        yield f"from {HOME[name]} import {name}"
    if name == "datetime" and not _takes(draft, name, "datetime"):
        yield "from datetime import datetime"
    if name[0].isupper() or _is_called(draft, name):
        homes = sorted(library_homes(name), key=lambda home: home != name)
        yield from (f"from {home} import {name}" for home in homes)
    if name in sys.stdlib_module_names or is_plain_module(name):
        yield f"import {name}"
    if len(name) > SHORTEST_OF_PROGRAM:
        for library in libraries_with(name, draft.diagnoser.root):
            if library not in importables.program.names:
                yield f"from {library} import {name}"


def _abbreviated(draft: DraftFile, name: str) -> Iterator[str]:
    """Yields the module of the program that a short name stands for, if it has most of what the
    file takes from it, and the class, if it has all: ``mi`` for ``more_itertools``."""
    importables = draft.diagnoser.importables
    used = {*members_of(draft, name)}
    found = list[str]()
    for known in importables.modules.values():
        leaf = known.name.rpartition(".")[2]
        if _is_short_for(name.lower(), leaf) and len(used & known.names) * 2 > len(used):
            found.append(known.name)
    tops = [module for module in found if module in importables.program.names]
    for module in tops or found:
        if len(tops or found) == 1:
            yield f"import {module} as {name}"
    classes = [one for one in _classes(importables) if _is_short_for(name.lower(), one[1].lower())]
    fitting = [one[:2] for one in classes if used and one[2] >= used]
    if len(fitting) == 1:
        yield "from {} import {} as {}".format(*fitting[0], name)


def _classes(importables: Importables) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Yields the module, the name and the members of each class of the program."""
    for file in importables.program.files.values():
        for node in file.tree.body if file.module else ():
            if isinstance(node, ast.ClassDef):
                yield (
                    file.module,
                    node.name,
                    frozenset(one for inner in node.body for one in bound_names(inner)),
                )


def _as_module(draft: DraftFile, name: str) -> Iterator[str]:
    """Yields the import of the module of this name that has most of what the file takes from it,
    slips aside, if no other has as much."""
    used = members_of(draft, name)
    if _is_called(draft, name):
        return
    counts = {
        known.name: sum(
            one in known.names or the_close_one(one, known.names, 1) is not None for one in used
        )
        for known in draft.diagnoser.importables.modules.values()
        if known.name.rpartition(".")[2] == name
    }
    most = max(counts.values(), default=0)
    found = [module for module, count in counts.items() if count == most]
    if len(found) == 1 and most * 2 > len(used):
        outer = found[0].rpartition(".")[0]
        yield f"from {outer} import {name}" if outer else f"import {name}"


def chain_top(line: str) -> str:
    """Returns the top-level module that an import statement needs."""
    return line.split()[1].partition(".")[0]


def is_plain_module(name: str) -> bool:
    """Whether an installed package has this name: a word that only happens to be a module's is
    too short to be sure of."""
    return len(name) > 2 and name.isidentifier() and is_installed(name)


def _is_short_for(name: str, module: str) -> bool:
    """Whether a name has some letters of a module's, in their order, the first one among them."""
    if len(name) >= len(module) or name[:1] != module[:1]:
        return False
    rest = iter(module)
    return all(letter in rest for letter in name)


def _is_called(draft: DraftFile, name: str) -> bool:
    """Whether the file calls something of this name, which no module is."""
    calls = [node.func for node in walked(draft.tree) if isinstance(node, ast.Call)]
    return any(isinstance(func, ast.Name) and func.id == name for func in calls)


def _takes(draft: DraftFile, name: str, member: str) -> bool:
    """Whether the file takes a member of something that has this name."""
    chains = [chain(node) for node in walked(draft.tree) if isinstance(node, ast.Attribute)]
    return any(found[:2] == [name, member] for found in chains)


def _as_others(draft: DraftFile, name: str) -> Iterator[str]:
    """Yields the import by which most of the other test files get this name."""
    lines: Counter[str] = Counter()
    for path, file in draft.diagnoser.suite.files.items():
        if path != draft.path and name in file.text:
            found = imports_in(parse_readable(file.text).body)
            lines.update(one.line for one in found if one.bound == name)
    absolute = Counter({line: n for line, n in lines.items() if not line.startswith("from .")})
    best = absolute.most_common(2)
    if best and (len(best) == 1 or best[0][1] > best[1][1]):
        yield best[0][0]


def _slips(draft: DraftFile, name: str) -> Iterator[Fix]:
    """Yields the correction to the one close name that there is where the name is used."""
    uses = [n for n in walked(draft.tree) if isinstance(n, ast.Name) and n.id == name]
    if not uses:
        return
    known = {*all_bound_names(draft.tree), *imported(draft.tree)} - {name}
    common = BUILTINS | {*HOME} if len(name) > 3 else frozenset[str]()
    importables = draft.diagnoser.importables
    close = the_close_one(name, known | common)
    imports: tuple[str, ...] = ()
    if close is None and len(name) > SHORTEST_OF_PROGRAM:
        close = the_close_one(name, importables.homes, 1)
        homes = [*likeliest(draft, "", importables.homes.get(close or "", ()), [close or ""])]
        if close is None or not homes:
            return
        imports = (f"from {homes[0]} import {close}",)
    elif close is None:
        return
    elif close not in known | BUILTINS:
        imports = (f"from {HOME[close]} import {close}",)
    edits = tuple(draft.replacing(use, close) for use in uses)
    what = f"{close} in place of {name}"
    yield Fix("misspelt-name", what, edits, imports, {name: close}, reveals=True)


def imported(tree: ast.Module) -> Iterator[str]:
    """Yields the names that a file imports anywhere."""
    return (one.bound for one in imports_in(ast.walk(tree)))
