"""Place of a mutant: the statement that it changes; which tests call its function, and which pass
the statement by."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache

from pytest_lift.coverage.lines import Lines
from pytest_lift.mutation.mutation import Mutant
from pytest_lift.source.program import Program, SourceFile, Symbol
from pytest_lift.source.syntax import FunctionNode, first_line

NOWHERE: frozenset[int] = frozenset()
NOBODY: frozenset[str] = frozenset()


def changed_lines(mutant: Mutant, program: Program) -> frozenset[int]:
    """Returns lines of the statement that is changed, those of its body left out.

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
    """Returns the function that it is in."""
    file = program.files.get(mutant.file)
    found = (s for s in (file.symbols if file else ()) if s.name == mutant.symbol)
    symbol = next(found, None)
    return symbol if symbol and symbol.line <= mutant.line <= symbol.end_line else None


def executing(
    mutants: Iterable[Mutant], program: Program, lines: Lines
) -> dict[str, frozenset[str]]:
    """Returns `Mutant.function` -> the tests that call it: those that execute a line of its body;
    all where that is not known."""
    every = frozenset(lines.tests)
    found = {}
    for mutant in {mutant.function: mutant for mutant in mutants}.values():
        own = _body_lines(mutant, program)
        tests = lines.reaching((mutant.file, line) for line in own) if own else every
        if tests:
            found[mutant.function] = tests
    return found


def _body_lines(mutant: Mutant, program: Program) -> frozenset[int]:
    """Returns lines of the mutant's function; none if the function cannot be identified."""
    symbol, file = symbol_of(mutant, program), program.files.get(mutant.file)
    if symbol is None or file is None:
        return NOWHERE
    functions = (node for node in _statements(file) if isinstance(node, FunctionNode))
    mine = (node for node in functions if first_line(node) == symbol.line)
    return frozenset(line for node in mine for line in _own_lines(node.body))


def _own_lines(nodes: Iterable[ast.AST]) -> Iterator[int]:
    """Yields the lines of a statement without the bodies of inner functions, which may be called
    later."""
    for node in nodes:
        if isinstance(node, ast.stmt):
            yield node.lineno
        if not isinstance(node, FunctionNode | ast.Lambda):
            yield from _own_lines(ast.iter_child_nodes(node))


def passing_by(mutant: Mutant, program: Program, lines: Lines) -> frozenset[str]:
    """Returns tests that execute the function of a mutant and not the changed statement, so that
    they cannot detect it.

    PIT selects tests by line, too (Coles et al., ISSTA 2016). Empty if that is not known.
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
