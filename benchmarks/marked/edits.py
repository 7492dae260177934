"""Insertions into a text at places that `ast` names."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass
class Edits:
    """Changes to one text, kept until all are known; none may overlap another."""

    text: str
    _starts: list[int] = field(init=False)
    _found: list[tuple[int, int, int, str]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self._starts = [0]
        for line in self.text.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    def offset(self, line: int, column: int) -> int:
        """Characters before a place of `ast`, whose columns are bytes of UTF-8."""
        start = self._starts[line - 1]
        end = self._starts[line] - 1
        return start + len(self.text[start:end].encode()[:column].decode())

    def span(self, node: ast.expr) -> tuple[int, int]:
        end = self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return self.offset(node.lineno, node.col_offset), end

    def source(self, node: ast.expr) -> str:
        start, end = self.span(node)
        return self.text[start:end]

    def replace(self, start: int, end: int, new: str) -> None:
        self._found.append((start, end, len(self._found), new))

    def insert_line(self, line: int, new: str) -> None:
        """Before a line, as lines of its own."""
        start = self._starts[line - 1]
        self.replace(start, start, new + "\n")

    def indent(self, line: int) -> str:
        start = self._starts[line - 1]
        whole = self.text[start : self._starts[line] - 1]
        return whole[: len(whole) - len(whole.lstrip())]

    def applied(self) -> str:
        text = self.text
        for start, end, _, new in sorted(self._found, reverse=True):
            text = text[:start] + new + text[end:]
        return text


def top_line(node: ast.stmt) -> int:
    """The line of the first decorator, or of the statement."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(one.lineno for one in decorators)])


def is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def first_statement(node: Definition) -> ast.stmt | None:
    """The first statement of a body that begins on a line of its own, docstring left out."""
    body = node.body[1:] if is_docstring(node.body[0]) else node.body
    before = node.body[0].end_lineno if body is not node.body else None
    if not body or body[0].lineno in (node.lineno, before):
        return None
    return body[0] if top_line(body[0]) > node.lineno else None


def nested(text: str, others: str) -> tuple[str, list[str]]:
    """Plain test classes, each put into a class of its own, where no string goes over lines.

    Those that other files name (`others`: their texts) stay where they are.
    """
    tree = ast.parse(text)
    done: list[str] = []
    lines = text.split("\n")
    for node in reversed(tree.body):
        if not isinstance(node, ast.ClassDef) or not node.name.startswith("Test") or node.bases:
            continue
        if text.count(node.name) > 1 or node.name in others or len(done) == 2:
            continue
        strings = (one for one in ast.walk(node) if isinstance(one, ast.Constant | ast.JoinedStr))
        if any(one.end_lineno != one.lineno for one in strings):
            continue
        start, end = top_line(node) - 1, node.end_lineno or node.lineno
        inner = ["    " + line if line.strip() else line for line in lines[start:end]]
        lines[start:end] = [f"class TestAround{len(done)}:", *inner]
        done.append(node.name)
    return "\n".join(lines), done
