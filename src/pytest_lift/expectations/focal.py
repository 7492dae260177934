"""Finds the module of the program that defines the function that a call is about."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pytest_lift.source.bindings import Import, imports_in
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import called, parsed

DEEPEST = 8
"""Most re-exports of re-exports that are followed."""


def focal_source(call: str, before: str, program: Program) -> SourceFile | None:
    """Returns the file that defines what `call` calls, tried from the outermost name inwards.

    `before` are the statements before the call. None if nothing of the program is called, or if
    that cannot be decided.
    """
    setup, tree = parsed(before), parsed(call.strip(), "eval")
    if tree is None:
        return None
    names = list(focal_names(call))
    nodes = [*ast.walk(setup)] if setup is not None else []
    imported = {one.bound: one for one in imports_in(nodes) if one.module}
    for name in names:
        if found := _defining(name, imported, program):
            return found
    for name in names:
        if found := _of_method(name, program):
            return found
    used = [node.id for node in nodes if isinstance(node, ast.Name)]
    return next((found for name in used if (found := _defining(name, imported, program))), None)


def focal_names(call: str) -> Iterator[str]:
    """Yields the names of called functions, without what they are attributes of; the outermost
    first."""
    tree = parsed(call.strip(), "eval")
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Call):
            yield called(node)


def _defining(name: str, imported: dict[str, Import], program: Program) -> SourceFile | None:
    """Returns the file that defines `name`: by its import, else by the program's own top-level
    modules, else the only one that does."""
    own = imported[name].name if name in imported else name
    modules = (imported[name].module,) if name in imported else program.names
    for module in modules:
        if found := _followed(module, own, program, DEEPEST):
            return found
    defining = [file for file in program.files.values() if _defines(file, own)]
    return defining[0] if len(defining) == 1 else None


def _followed(module: str, name: str, program: Program, left: int) -> SourceFile | None:
    """Returns the file that defines `name`, following the imports of modules."""
    file = program.by_module.get(module)
    if file is None or not left:
        return None
    if _defines(file, name):
        return file
    for one in file.imports:
        if one.bound in ("*", name):
            own = name if one.name == "*" else one.name
            if found := _followed(one.module, own, program, left - 1):
                return found
    return None


def _defines(file: SourceFile, name: str) -> bool:
    return any(symbol.name == name for symbol in file.symbols)


def _of_method(name: str, program: Program) -> SourceFile | None:
    """Returns the only file with a method of that name."""
    files = [
        file
        for file in program.files.values()
        if any(symbol.kind == "method" and symbol.leaf == name for symbol in file.symbols)
    ]
    return files[0] if len(files) == 1 else None
