"""Where a mutant is: the statement that it changes, and which tests pass it by."""

from __future__ import annotations

import ast
from functools import lru_cache

from pytest_lift.measure.lines import Lines
from pytest_lift.mutation.mutants import Mutant
from pytest_lift.program import Program, SourceFile, Symbol
from pytest_lift.testfile import FunctionNode

NOWHERE: frozenset[int] = frozenset()
NOBODY: frozenset[str] = frozenset()


def changed_lines(mutant: Mutant, program: Program) -> frozenset[int]:
    """Lines of the statement that is changed, those of its body left out.

    None at all where the mutant is in the head of the function, which every call reaches.
    """
    symbol, file = symbol_of(mutant, program), program.files.get(mutant.file)
    if symbol is None or file is None:
        return NOWHERE
    inside = range(symbol.line, symbol.end_line + 1)
    inner = [n for n in _statements(file) if n.lineno in inside and _spans(n, mutant.line)]
    if not inner:
        return NOWHERE
    statement = max(inner, key=lambda n: n.lineno)
    if statement.lineno == symbol.line or isinstance(statement, FunctionNode):
        return NOWHERE
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
    head = range(statement.lineno, max(last, statement.lineno) + 1)
    return frozenset(head if mutant.line in head else [mutant.line])


def symbol_of(mutant: Mutant, program: Program) -> Symbol | None:
    """The function that it is in."""
    file = program.files.get(mutant.file)
    found = (s for s in (file.symbols if file else ()) if s.name == mutant.symbol)
    symbol = next(found, None)
    return symbol if symbol and symbol.line <= mutant.line <= symbol.end_line else None


def passing_by(mutant: Mutant, program: Program, lines: Lines) -> frozenset[str]:
    """Tests that execute its function and not what is changed: to them it is the program.

    As PIT selects tests by line (Coles et al., ISSTA 2016); nobody where that is not known.
    """
    symbol = symbol_of(mutant, program)
    if symbol is None:
        return NOBODY
    around = range(symbol.line, symbol.end_line + 1)
    return lines.passing_by(mutant.file, changed_lines(mutant, program), around)


@lru_cache(maxsize=4096)
def _statements(file: SourceFile) -> tuple[ast.stmt, ...]:
    return tuple(node for node in ast.walk(file.tree) if isinstance(node, ast.stmt))


def _spans(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)
