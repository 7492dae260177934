"""Tells the author of a test what to know about a fault: a definition, or what there is.

Symbol errors get the definition and uses of the symbol, import errors what the workspace has to
import (LspRag, Go et al. 2026).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from pytest_lift.context.server import Location, Query
from pytest_lift.gate.diagnosis.diagnosing import Diagnoser
from pytest_lift.gate.diagnosis.diagnostic import CALLS, OF_SYMBOLS, Diagnostic
from pytest_lift.gate.diagnosis.unsaved import shown
from pytest_lift.source.syntax import parse_readable, split_lines

MOST_LINES, MOST_USES, MOST_NAMES = 12, 2, 30
MOST_DIAGNOSTICS = 8


def explained(diagnoser: Diagnoser, path: str, text: str, found: Iterable[Diagnostic]) -> str:
    """Returns the diagnostics as a list, each with what there is to know about its symbol or about
    the project; what several need is told once."""
    lines, told = list[str](), set[str]()
    for one in [*found][:MOST_DIAGNOSTICS]:
        lines.append(f"- {one}")
        for part in _context(diagnoser, path, text, one):
            if part not in told:
                told.add(part)
                lines.append(part)
    return "\n".join(lines)


def _context(diagnoser: Diagnoser, path: str, text: str, one: Diagnostic) -> Iterator[str]:
    if one.rule in OF_SYMBOLS:
        yield from _of_symbol(diagnoser, path, text, one)
    elif one.rule in ("import-not-found", "unresolved-reference"):
        yield from _of_workspace(diagnoser, one)
    elif one.rule in ("unknown-fixture", "case-argument"):
        known = diagnoser.fixtures.visible(path, parse_readable(text)) or ()
        names = sorted(name for name in known if not name.startswith("_"))
        yield f"  fixtures: {_listed(names)}"


def _of_symbol(diagnoser: Diagnoser, path: str, text: str, one: Diagnostic) -> Iterator[str]:
    """Yields the definition of what is called, or the members of what an attribute is taken from,
    with uses in the project."""
    server = diagnoser.asks
    if server is None:
        return
    node = _node_at(text, one)
    if node is None:
        return
    if one.rule == "missing-attribute" and isinstance(node, ast.Attribute):
        line, end = node.end_lineno or 1, node.end_col_offset or 0
        start = end - len(node.attr.encode())
        names = diagnoser.members(path, text, line, start, node.attr)
        public = [name for name in names if not name.startswith("_")]
        if public:
            yield f"  it has: {_listed(public)}"
        return
    target = node.func if isinstance(node, ast.Call) else node
    at = target.end_lineno or 1, max((target.end_col_offset or 1) - 1, 0)
    with shown(server, path, text):
        definition, references = server.ask(
            [Query("definition", path, *at), Query("references", path, *at)]
        )
    yield from _definitions(diagnoser, server.locations(definition))
    uses = [one for one in server.locations(references) if one.path not in (None, path)]
    yield from _uses(diagnoser, uses)


def _node_at(text: str, one: Diagnostic) -> ast.expr | None:
    """Returns the call, or else the expression, that a diagnostic is about."""
    best: ast.expr | None = None
    for node in ast.walk(parse_readable(text)):
        if not isinstance(node, ast.Call if one.rule in CALLS else ast.Call | ast.Attribute):
            continue
        start = node.lineno, node.col_offset
        end = node.end_lineno or node.lineno, node.end_col_offset or 0
        if start <= (one.line, one.column) and (one.line, one.end) <= end:
            if one.rule == "missing-attribute" and not isinstance(node, ast.Attribute):
                continue
            if best is None or (start >= (best.lineno, best.col_offset)):
                best = node
    return best


def _definitions(diagnoser: Diagnoser, locations: Iterable[Location]) -> Iterator[str]:
    for location in locations:
        file = diagnoser.program.files.get(location.path or "")
        symbol = file.symbol_at(location.line) if file is not None else None
        if file is not None and symbol is not None:
            last = min(symbol.end_line, symbol.line + MOST_LINES - 1)
            rows = split_lines(file.text)[symbol.line - 1 : last]
            yield (
                f"  {file.path}:{symbol.line} has\n"
                + "".join(f"    {row}" for row in rows).rstrip()
            )


def _uses(diagnoser: Diagnoser, locations: Iterable[Location]) -> Iterator[str]:
    for location in [*locations][:MOST_USES]:
        file = diagnoser.program.files.get(location.path or "")
        text = file.text if file is not None else diagnoser.suite.text(location.path or "")
        rows = split_lines(text)
        if location.line <= len(rows):
            yield f"  used in {location.path}:{location.line}: {rows[location.line - 1].strip()}"


def _of_workspace(diagnoser: Diagnoser, one: Diagnostic) -> Iterator[str]:
    """Yields the modules there are to import, and what stands in those that are most like it."""
    modules = diagnoser.importables.modules
    near = get_close_matches(one.subject, modules, n=2, cutoff=0.5)
    owner = one.subject.rpartition(".")[0]
    near += [owner] if owner in modules and owner not in near else []
    if one.rule == "unresolved-reference" or not near:
        yield f"  modules: {_listed(sorted(modules))}"
    for name in near if one.rule == "import-not-found" else ():
        module = modules[name]
        names = sorted(n for n in module.defined or module.names if not n.startswith("_"))
        yield f"  {name} has: {_listed(names)}"


def _listed(names: list[str]) -> str:
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f", and {more} more" if more > 0 else "")
