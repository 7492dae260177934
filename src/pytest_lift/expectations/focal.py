"""Finds the module of the program that defines the function that a call is about."""

from __future__ import annotations

import ast
from collections.abc import Iterator

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
    imported = dict(_imports(setup)) if setup is not None else {}
    for name in names:
        if found := _defining(name, imported, program):
            return found
    for name in names:
        if found := _of_method(name, program):
            return found
    used = [n.id for n in ast.walk(setup) if isinstance(n, ast.Name)] if setup is not None else []
    return next((found for name in used if (found := _defining(name, imported, program))), None)


def focal_names(call: str) -> Iterator[str]:
    """Yields the names of called functions, without what they are attributes of; the outermost
    first."""
    tree = parsed(call.strip(), "eval")
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Call):
            yield called(node)


def _imports(tree: ast.AST) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yields bound name -> (module, name in it)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((a.asname or a.name, (node.module, a.name)) for a in node.names)


def _defining(
    name: str, imported: dict[str, tuple[str, str]], program: Program
) -> SourceFile | None:
    """Returns the file that defines `name`: by its import, else by the program's own top-level
    modules, else the only one that does."""
    starts = [imported[name]] if name in imported else [(top, name) for top in program.names]
    for module, own in starts:
        if found := _followed(module, own, program, DEEPEST):
            return found
    own = imported.get(name, ("", name))[1]
    defining = [file for file in program.files.values() if _defines(file, own)]
    return defining[0] if len(defining) == 1 else None


def _followed(module: str, name: str, program: Program, left: int) -> SourceFile | None:
    """Returns the file that defines `name`, following the imports of modules."""
    file = program.by_module.get(module)
    if file is None or not left:
        return None
    if _defines(file, name):
        return file
    for node in ast.walk(file.tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.name == "*" or (alias.asname or alias.name) == name:
                    own = name if alias.name == "*" else alias.name
                    target = file.imported_module(node)
                    if found := _followed(target, own, program, left - 1):
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
