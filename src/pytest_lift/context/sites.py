"""Places in the project's files where a function is named: around what, and in which call."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from pathlib import Path

from pytest_lift.context.function_context import FunctionUse, Place
from pytest_lift.errors import LiftError
from pytest_lift.files.project_reads import read_confined
from pytest_lift.source.bindings import is_import
from pytest_lift.source.program import Program, SourceFile, parsed_source
from pytest_lift.source.syntax import FunctionNode, split_lines

_DEF = re.compile(rb"(?:(?:async\s+)?def|class)\s+")


class ContextFiles:
    """Files below a root: those of the program as it has them, others read once."""

    def __init__(self, root: Path, program: Program, tests: Collection[str] = ()) -> None:
        self.root = root
        self.program = program
        self.tests = tests
        """Paths of the test files."""
        self._others: dict[str, SourceFile] = {}

    def source(self, path: str) -> SourceFile:
        known = self.program.files.get(path) or self._others.get(path)
        if known is None:
            known = self._others[path] = self._read(path)
        return known

    def _read(self, path: str) -> SourceFile:
        """Returns a file outside the program, which is read as any that a text names."""
        try:
            return parsed_source(path, "", read_confined(self.root, path))
        except LiftError as error:
            return SourceFile(path, "", "", error=str(error))

    def use(self, path: str, line: int) -> FunctionUse | None:
        """Returns what a place uses a function for; None for an import."""
        source = self.source(path)
        if source.error or line in import_lines(source):
            return None
        around = source.symbol_at(line)
        is_test = path not in self.program.files
        return FunctionUse(Place(path, line), around.name if around else "", is_test)


@lru_cache(maxsize=1024)
def import_lines(source: SourceFile) -> frozenset[int]:
    """Returns the lines of the import statements of a file."""
    return frozenset(
        line
        for node in ast.walk(source.tree)
        if is_import(node)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    )


@lru_cache(maxsize=1024)
def calls(source: SourceFile) -> Mapping[tuple[int, int], ast.Call]:
    """Returns the calls of a file by line and byte of the name that is called."""
    return {
        name_place(node.func): node
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
    }


def name_place(node: ast.Name | ast.Attribute) -> tuple[int, int]:
    """Returns line and byte at which the name, or the last part of an attribute, begins."""
    if isinstance(node, ast.Name):
        return node.lineno, node.col_offset
    end = node.end_lineno or node.lineno
    return end, (node.end_col_offset or 0) - len(node.attr.encode())


def name_in_definition(node: FunctionNode | ast.ClassDef, source: SourceFile) -> tuple[int, int]:
    """Returns line and byte at which the name of a function or class stands in its definition."""
    line = split_lines(source.text)[node.lineno - 1].encode()
    head = _DEF.match(line, node.col_offset)
    return node.lineno, head.end() if head else node.col_offset
