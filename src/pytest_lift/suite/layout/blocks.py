"""Blocks and definitions laid out as `ruff format` would: short lines, blank lines around each."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterator

from pytest_lift.source.syntax import FunctionNode
from pytest_lift.suite.layout.spelling import double_quoted
from pytest_lift.suite.layout.statements import WIDTH, statement, target

FUNCTION = re.compile(r"(async )?def \w+\(.*:$")
"""First line of a function."""
YIELDED = re.compile(r"([\w.\[\], ]+ = )\((yield.*)\)$")
"""What is given to a variable by what a generator is sent."""


def block(source: str, indent: int = 4) -> list[str]:
    """Returns statements, with blank lines around the definitions among them."""
    lines: list[str] = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.Try) and node.handlers and node.handlers[0].name == "caught":
            lines += _caught(node, indent)
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            name = double_quoted(ast.unparse(node.targets[0]))
            lines += statement(f"{name} = ", ast.unparse(node.value), "", indent)
        elif isinstance(node, ast.Expr):
            lines += statement("", ast.unparse(node.value), "", indent)
        else:
            text = double_quoted(ast.unparse(node))
            inner = _spaced([line for line in text.split("\n") if line.strip()])
            around = [""] if isinstance(node, FunctionNode | ast.ClassDef) else []
            lines += [
                *around,
                *(part for line in inner for part in _wrapped(line, indent)),
                *around,
            ]
    return lines


def _wrapped(line: str, indent: int) -> list[str]:
    """Returns a line of a definition or block; a statement that is too long is split at its
    brackets, the beginning of a function between its parameters."""
    text = _respaced(line.lstrip())
    depth = indent + len(line) - len(line.lstrip())
    flat = [text and " " * depth + text]
    if len(flat[0]) <= WIDTH:
        return flat
    try:
        (node,) = ast.parse(text).body
    except (SyntaxError, ValueError):
        return _beginning(text, depth) or flat
    value = getattr(node, "value", None)
    if not isinstance(node, ast.Assign | ast.AnnAssign | ast.Return | ast.Expr) or value is None:
        return flat
    source = ast.unparse(value)
    prefix = double_quoted(ast.unparse(node).removesuffix(source))
    return statement(prefix, source, "", depth)


def _respaced(text: str) -> str:
    """Returns a line with what a formatter spells otherwise than `unparse`: blanks around the
    default of an annotated parameter, and no brackets around what is yielded."""
    if FUNCTION.match(text):
        with contextlib.suppress(SyntaxError, ValueError):
            (node,) = ast.parse(f"{text} pass").body
            if isinstance(node, FunctionNode):
                given = double_quoted(", ".join(_parameters(node.args)))
                return f"{text.partition('(')[0]}({given}){_ending(node)}"
    if (found := YIELDED.match(text)) is not None:
        bare = f"{found[1]}{found[2]}"
        with contextlib.suppress(SyntaxError, ValueError):
            return bare if ast.dump(ast.parse(bare)) == ast.dump(ast.parse(text)) else text
    return text


def _ending(node: FunctionNode) -> str:
    return f" -> {double_quoted(ast.unparse(node.returns))}:" if node.returns is not None else ":"


def _beginning(text: str, depth: int) -> list[str]:
    """Returns a decorator or the first line of a function or loop in several lines; nothing for
    the beginning of another block."""
    pad = " " * depth
    try:
        if text.startswith("@"):
            return statement("@", ast.unparse(ast.parse(text[1:], mode="eval").body), "", depth)
        (node,) = ast.parse(f"{text} pass").body
    except (SyntaxError, ValueError):
        return []
    if isinstance(node, ast.For):
        begin = f"for {target(node.target)} in "
        return statement(begin, ast.unparse(node.iter), ":", depth)
    if not isinstance(node, FunctionNode):
        return []
    begin = text.partition("(")[0]
    inner = [f"{pad}    {double_quoted(one)}," for one in _parameters(node.args)]
    return [f"{pad}{begin}(", *inner, f"{pad}){_ending(node)}"]


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


def _caught(node: ast.Try, indent: int) -> list[str]:
    """Returns an error that an example catches to look at it."""
    pad = " " * indent
    handler = node.handlers[0]
    kind = ast.unparse(handler.type) if handler.type else "Exception"
    lines = [f"{pad}with pytest.raises({kind}) as caught:"]
    for inner in node.body:
        lines += block(ast.unparse(inner), indent + 4)
    for inner in handler.body:
        name = ast.unparse(inner).partition(" = ")[0]
        lines.append(f"{pad}{name} = caught.value")
    return lines


def _spaced(lines: list[str]) -> list[str]:
    """Returns the lines with one blank line around every nested definition, except at the beginning
    of its block."""
    found: list[str] = []
    inside = -1
    for line in lines:
        depth = len(line) - len(line.lstrip())
        nested = re.match(r"\s+(def|class|async def|@)", line)
        decorated = bool(found) and found[-1].lstrip().startswith("@")
        opens = not found or found[-1].rstrip().endswith(":") or decorated
        closes = depth and inside >= 0 and depth <= inside and not decorated
        if (nested and not opens) or closes:
            found.append("")
        inside = depth if nested else -1 if closes else inside
        found.append(line)
    return found


def squeezed(lines: list[str]) -> list[str]:
    """Returns the lines without two blank lines in a row and without a blank line at the end."""
    found: list[str] = []
    for line in lines:
        if line or not found or found[-1]:
            found.append(line)
    while found and not found[-1]:
        found.pop()
    return found
