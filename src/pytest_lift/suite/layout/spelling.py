"""One spelling of expressions and statements: that of `ast.unparse`, in double quotes."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator


def tidy(source: str) -> str:
    """Returns the source with one spelling: as `ast.unparse` writes it, in double quotes."""
    try:
        tree = _parsed(source)
        text = ast.unparse(tree)
    except (SyntaxError, ValueError, RecursionError):
        return source
    return double_quoted(_single_brackets(text, tree))


def _single_brackets(text: str, tree: ast.AST) -> str:
    """Returns ``sum((x for x in y))``, as `unparse` has it, as ``sum(x for x in y)``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and [type(a) for a in node.args] == [ast.GeneratorExp]:
            generator = ast.unparse(node.args[0])
            text = text.replace(f"({generator})", generator) if not node.keywords else text
    return text


def _parsed(source: str) -> ast.AST:
    """Returns the parsed text, as an expression if possible: `unparse` takes a lone string
    statement for a docstring."""
    try:
        return ast.parse(source.strip(), mode="eval")
    except SyntaxError:
        return ast.parse(source)


def double_quoted(text: str) -> str:
    """Returns every plain string literal in double quotes where that needs no more escapes.

    Not inside an f-string in double quotes: before Python 3.12 that would end it.
    """
    lines = text.split("\n")
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return text
    for token, around in reversed([*_with_f_strings(tokens)]):
        (row, start), (end_row, end) = token.start, token.end
        if token.type in (tokenize.STRING, tokenize.OP) and row == end_row and '"' not in around:
            lines[row - 1] = _respelt(lines[row - 1], start, end)
    return "\n".join(lines)


def _with_f_strings(
    tokens: Iterable[tokenize.TokenInfo],
) -> Iterator[tuple[tokenize.TokenInfo, str]]:
    """Yields (token, the beginning of the innermost f-string around it); before Python 3.12, a
    whole f-string is one token."""
    around = [""]
    for token in tokens:
        yield token, around[-1]
        if token.type == getattr(tokenize, "FSTRING_START", None):
            around.append(token.string)
        elif token.type == getattr(tokenize, "FSTRING_END", None):
            around.pop()


def _respelt(line: str, start: int, end: int) -> str:
    """Returns `line` with one token as a formatter spells it: a string, or ``**`` of numbers."""
    token = line[start:end]
    if token == "**":
        simple = re.search(r"(?<![-+~\w.])\d+ $", line[:start])
        if simple and re.match(r" \d+(?![\w.(\[])", line[end:]):
            return f"{line[: start - 1]}**{line[end + 1 :]}"
        return line
    return line[:start] + requoted(token) + line[end:]


def requoted(literal: str) -> str:
    """Returns one string literal in double quotes, unless it has double quotes inside."""
    prefix, _, rest = literal.partition("'")
    if '"' in prefix or not rest.endswith("'") or (rest.startswith("''") and len(rest) > 2):
        return literal
    body = rest[:-1]
    if "r" in prefix.lower() or body.count('"') > body.count("\\'"):
        return literal
    prefix = prefix.replace("u", "")
    swapped = body.replace("\\'", "'").replace('"', '\\"')
    return f'{prefix}"{swapped}"'
