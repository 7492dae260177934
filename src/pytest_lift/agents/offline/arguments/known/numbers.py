"""The kinds of the numbers in a program's expressions, of its constants included."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property

from pytest_lift.source.program import Program

MANY = 10
"""Factor from which on it is a number that is multiplied: texts are repeated fewer times."""


@dataclass
class Numbers:
    """Tells which expressions of a program are numbers."""

    program: Program

    def kind(self, node: ast.expr) -> str:
        """Returns whether an expression is an "int" or a "float", by the numbers in it, those with
        names included; "" where it is none of both for sure."""
        match node:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                return type(value).__name__
            case ast.Name(id=name):
                return self._of_constants.get(name, "")
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
                return self.kind(operand)
            case ast.BinOp(op=ast.Div()):
                return "float"
            case ast.BinOp(left=left, right=right, op=ast.Mult()):
                factors = [one.value for one in (left, right) if isinstance(one, ast.Constant)]
                plain = all(isinstance(one, float) or _is_many(one) for one in factors)
                return self.kind(left) or self.kind(right) if plain else ""
            case ast.BinOp(left=left, right=right, op=ast.Add() | ast.Sub()):
                sides = {self.kind(left), self.kind(right)} - {""}
                return "float" if "float" in sides else "".join(sides)
        return ""

    @cached_property
    def _of_constants(self) -> dict[str, str]:
        """Constant of a module -> the kind of number that it is, where all modules agree."""
        found: dict[str, str] = {}
        for file in self.program.files.values():
            for node in file.tree.body:
                match node:
                    case ast.Assign(targets=[ast.Name(id=name)], value=value) if name.isupper():
                        plain = value.operand if isinstance(value, ast.UnaryOp) else value
                        number = getattr(plain, "value", None)
                        kind = type(number).__name__ if type(number) in (int, float) else ""
                        found[name] = kind if found.get(name, kind) == kind else ""
        return {name: kind for name, kind in found.items() if kind}


def _is_many(factor: object) -> bool:
    return isinstance(factor, int) and abs(factor) >= MANY
