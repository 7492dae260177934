"""Writes out hints that name an alias of a type, or a type variable, where another file has a class
of that name."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace

from pytest_lift.calls.names import defined_in
from pytest_lift.calls.targets.target import Target
from pytest_lift.calls.targets.type_aliases import alias_of
from pytest_lift.source.bindings import Import
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import parsed_expression

Place = tuple[str, str]
"""Module and name."""


def with_aliases(targets: Sequence[Target], program: Program) -> list[Target]:
    """Returns the targets, with the types in the place of aliases that are called like a class of
    another file: ``Handler`` is a type variable in one file, and a class in another."""
    aliases = dict(_clashing(program))
    if not aliases:
        return [*targets]
    names = {name for _, name in aliases}

    def told(target: Target) -> Target:
        owner = told(target.owner) if target.owner is not None else None
        file = program.files.get(target.path)
        if file is None or not any(_names(one, names) for one in target.parameters):
            return target if owner is target.owner else replace(target, owner=owner)
        writing = _WritingOut(file, program, aliases)
        parameters = tuple(map(writing.parameter, target.parameters))
        return replace(target, owner=owner, parameters=parameters)

    return [told(target) for target in targets]


def _clashing(program: Program) -> Iterator[tuple[Place, ast.expr]]:
    """Yields the aliases that are called like a class of another file, with their types."""
    classes = {
        symbol.name
        for file in program.files.values()
        for symbol in file.symbols
        if symbol.kind == "class"
    }
    for file in program.files.values():
        own = {symbol.name for symbol in file.symbols}
        for name, value in map(alias_of, file.tree.body):
            if name in classes - own and value is not None:
                yield (file.module, name), value


def _names(parameter: Parameter, names: set[str]) -> bool:
    return any(name in (parameter.annotation or "") for name in names)


class _WritingOut(ast.NodeTransformer):
    """Puts the types in the place of aliases, as far as a file means these by their names."""

    def __init__(self, file: SourceFile, program: Program, aliases: dict[Place, ast.expr]) -> None:
        self.file = file
        self.program = program
        self.aliases = aliases
        self.imports = {one.bound: one for one in file.imports}

    def parameter(self, parameter: Parameter) -> Parameter:
        """Returns the parameter with its hint written out."""
        hint = (parameter.annotation or "").strip("'\"")
        tree = parsed_expression(hint) if hint else None
        if tree is None:
            return parameter
        written = ast.unparse(self.visit(deepcopy(tree)))
        return parameter if written == ast.unparse(tree) else replace(parameter, annotation=written)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        alias = self._alias(node.value)
        return alias if alias is not None else self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._alias(node) or node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return self._alias(node) or node

    def _alias(self, node: ast.expr) -> ast.expr | None:
        """Returns the type for which a name stands; None where it is no such alias."""
        match node:
            case ast.Name(id=name) if (self.file.module, name) in self.aliases:
                return self.aliases[self.file.module, name]
            case ast.Name(id=name) if name in self.imports:
                found = self.imports[name]
            case ast.Attribute(value=ast.Name(id=module), attr=name) if module in self.imports:
                origin = self.imports[module].origin
                found = Import(origin, name, name, f"{origin}.{name}")
            case _:
                return None
        return self.aliases.get(defined_in(found, self.program))
