"""Lays out functions and classes whose decorators and parameters are too long for one line."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator

from pytest_lift.source.syntax import FunctionNode

WIDTH = 88
"""Most characters of a line, before it is indented by the test around it."""


def laid_out(node: ast.stmt) -> str:
    """Returns the source of a statement, with one argument or parameter in a line where those of a
    decorator or function do not fit into one."""
    text = ast.unparse(node)
    if not isinstance(node, FunctionNode | ast.ClassDef) or not _is_wide(text):
        return text
    lines = [line for mark in node.decorator_list for line in _decorator(mark)]
    if isinstance(node, ast.ClassDef):
        bare = ast.ClassDef(node.name, node.bases, node.keywords, [ast.Pass()], [])
        lines.append(ast.unparse(ast.fix_missing_locations(bare)).partition("\n")[0])
    else:
        lines += _header(node)
    for part in node.body:
        lines += textwrap.indent(laid_out(part), "    ").split("\n")
    return "\n".join(lines)


def _is_wide(text: str) -> bool:
    return any(len(line) > WIDTH for line in text.split("\n"))


def _decorator(mark: ast.expr) -> list[str]:
    text = f"@{ast.unparse(mark)}"
    if len(text) <= WIDTH or not isinstance(mark, ast.Call):
        return [text]
    given = [*map(ast.unparse, mark.args), *map(ast.unparse, mark.keywords)]
    return [f"@{ast.unparse(mark.func)}(", *(f"    {one}," for one in given), ")"]


def _header(node: FunctionNode) -> list[str]:
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    ending = f" -> {ast.unparse(node.returns)}:" if node.returns is not None else ":"
    plain = f"{word} {node.name}({ast.unparse(node.args)}){ending}"
    if len(plain) <= WIDTH:
        return [plain]
    return [
        f"{word} {node.name}(",
        *(f"    {one}," for one in _parameters(node.args)),
        f"){ending}",
    ]


def _parameters(given: ast.arguments) -> Iterator[str]:
    """Yields the parameters of a function, and the signs between them."""
    plain = [*given.posonlyargs, *given.args]
    bare: list[ast.expr | None] = [None] * (len(plain) - len(given.defaults))
    for number, (one, default) in enumerate(zip(plain, [*bare, *given.defaults], strict=True), 1):
        yield _parameter(one, default)
        if number == len(given.posonlyargs):
            yield "/"
    if given.vararg is not None:
        yield f"*{ast.unparse(given.vararg)}"
    elif given.kwonlyargs:
        yield "*"
    for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        yield _parameter(one, default)
    if given.kwarg is not None:
        yield f"**{ast.unparse(given.kwarg)}"


def _parameter(one: ast.arg, default: ast.expr | None) -> str:
    sign = " = " if one.annotation is not None else "="
    return ast.unparse(one) + ("" if default is None else f"{sign}{ast.unparse(default)}")
