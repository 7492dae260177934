"""Repairs the heads of tests: `self`, names that are taken, fixtures of other names or files."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pytest_lift.gate.diagnosis.closeness import the_close_one
from pytest_lift.gate.diagnosis.diagnostic import Diagnostic
from pytest_lift.gate.diagnosis.fixtures import parametrized
from pytest_lift.gate.repair.fix import DraftFile, Fix, TextEdit
from pytest_lift.source.bindings import imports_in
from pytest_lift.source.syntax import FunctionNode, parse_readable


def self_fixes(draft: DraftFile, one: Diagnostic) -> Iterator[Fix]:
    """Yields `self` as the first parameter of a method."""
    function = draft.function_at(one.line)
    if function is not None and not function.args.posonlyargs:
        at = draft.text.index("(", draft.named(function)[1]) + 1
        more = function.args.args or function.args.kwonlyargs
        new = "self, " if more or function.args.vararg or function.args.kwarg else "self"
        yield Fix("missing-self", f"self for {function.name}", (TextEdit(at, at, new),))


def duplicate_fixes(draft: DraftFile, one: Diagnostic) -> Iterator[Fix]:
    """Yields a free name for a test whose name another one takes."""
    function = draft.function_at(one.line)
    if function is None:
        return
    owner = draft.class_of(function)
    body = draft.tree.body if owner is None else owner.body
    taken = {n.name for n in body if isinstance(n, FunctionNode | ast.ClassDef)}
    number = 2
    while f"{function.name}_{number}" in taken:
        number += 1
    name = f"{function.name}_{number}"
    yield Fix(
        "duplicate-test",
        f"{name} for the first {function.name}",
        (TextEdit(*draft.named(function), name),),
    )


def fixture_fixes(draft: DraftFile, one: Diagnostic) -> Iterator[Fix]:
    """Yields the import of a fixture that another file has, or the one fixture of a close name."""
    name = one.subject
    function = draft.function_at(one.line)
    if function is None:
        return
    yield from _imported(draft, name)
    known = {*(draft.diagnoser.fixtures.visible(draft.path, draft.tree) or ())}
    taken = {arg.arg for arg in ast.walk(function.args) if isinstance(arg, ast.arg)}
    known |= parametrized(function.decorator_list) - taken
    close = the_close_one(name, known)
    if close is None:
        return
    uses = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name]
    arguments = [n for n in ast.walk(function.args) if isinstance(n, ast.arg) and n.arg == name]
    starts = [draft.span(arg)[0] for arg in arguments]
    edits = [TextEdit(start, start + len(name), close) for start in starts]
    edits += [draft.replacing(use, close) for use in uses]
    what = f"fixture {close} in place of {name}"
    yield Fix("misspelt-fixture", what, tuple(edits), (), {name: close}, reveals=True)


def _imported(draft: DraftFile, name: str) -> Iterator[Fix]:
    """Yields the import of a fixture: as another test file has it, or from the one that defines
    it."""
    lines = set()
    for path, file in draft.diagnoser.suite.files.items():
        if path != draft.path and name in file.text:
            found = imports_in(parse_readable(file.text).body)
            lines |= {one.line for one in found if one.bound == name}
    if not lines:
        paths = draft.diagnoser.fixtures.elsewhere.get(name, ())
        modules = draft.diagnoser.importables.modules.values()
        lines = {f"from {m.name} import {name}" for m in modules if m.path in paths}
    if len(lines) == 1:
        (line,) = lines
        yield Fix("missing-fixture-import", line, imports=(line,), reveals=True)
