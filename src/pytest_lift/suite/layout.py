"""Expressions and statements laid out as `ruff format` would: double quotes, short lines."""

from __future__ import annotations

import ast
import contextlib
import io
import re
import tokenize
from collections.abc import Iterable, Iterator

from pytest_lift.source.syntax import FunctionNode, parsed_expression

WIDTH = 88
LONGEST_END = 40
"""Most characters that follow the bracket of a call that is split."""
COMPARISONS = (" == ", " is ", " in ")
LOOSE = (ast.Compare, ast.BoolOp, ast.Lambda, ast.IfExp, ast.NamedExpr)
"""What binds its parts less than these do, or as much."""
FUNCTION = re.compile(r"(async )?def \w+\(.*:$")
"""First line of a function."""
YIELDED = re.compile(r"([\w.\[\], ]+ = )\((yield.*)\)$")
"""What is given to a variable by what a generator is sent."""


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
        begin = f"for {_target(node.target)} in "
        return statement(begin, ast.unparse(node.iter), ":", depth)
    if not isinstance(node, FunctionNode):
        return []
    begin = text.partition("(")[0]
    inner = [f"{pad}    {double_quoted(one)}," for one in _parameters(node.args)]
    return [f"{pad}{begin}(", *inner, f"{pad}){_ending(node)}"]


def _target(node: ast.expr) -> str:
    """Returns what a loop binds, names without the brackets of a tuple."""
    whole = double_quoted(ast.unparse(node))
    return whole[1:-1] if isinstance(node, ast.Tuple) and node.elts else whole


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


def _is_loose(expression: str) -> bool:
    """Whether an expression binds its parts less than a comparison does."""
    node = parsed_expression(expression)
    negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    return negated or isinstance(node, LOOSE)


def statement(
    prefix: str, expression: str, suffix: str = "", indent: int = 4, width: int = WIDTH
) -> list[str]:
    """Returns ``prefix expression suffix`` on one line if it fits, else split at its brackets; what
    the comparison of a suffix would take apart stands in brackets."""
    pad = " " * indent
    compared = suffix.startswith(COMPARISONS) and _is_loose(expression)
    flat = f"{pad}{prefix}{f'({tidy(expression)})' if compared else tidy(expression)}{suffix}"
    if len(flat) <= width or "\n" in flat:
        return flat.split("\n")
    if compared:
        inner = statement("", expression, "", indent + 4, width)
        return [f"{pad}{prefix}(", *inner, f"{pad}){suffix}"]
    try:
        node = ast.parse(expression, mode="eval").body
    except SyntaxError:  # ``*arguments`` is no expression
        return [flat]
    return _split(node, prefix, suffix, indent, width) or [flat]


def _split(node: ast.expr, prefix: str, suffix: str, indent: int, width: int) -> list[str] | None:
    pad = " " * indent
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        cut = (
            _pieces(node.value, width) if isinstance(node.value, str) else _runs(node.value, width)
        )
        pieces = [f"{pad}    {requoted(repr(piece))}" for piece in cut]
        return [f"{pad}{prefix}(", *pieces, f"{pad}){suffix}"] if len(pieces) > 1 else None
    if isinstance(node, ast.Lambda):
        begin = ast.unparse(node)[: -len(ast.unparse(node.body))]
        return _split(node.body, f"{prefix}{begin}", suffix, indent, width)
    if isinstance(node, ast.Call):
        opening = f"{tidy(ast.unparse(node.func))}("
        filled = bool(node.args or node.keywords)
        if not filled or len(f"{pad}{prefix}{opening}") > width:
            before = _split_before(node, prefix, suffix, indent, width)
            if before is not None or not filled:
                return before
        items = [("", argument) for argument in node.args]
        items += [(f"{k.arg}=" if k.arg else "**", k.value) for k in node.keywords]
        if len(items) == 1 and node.args and isinstance(node.args[0], ast.GeneratorExp):
            inner = _generator(node.args[0], indent + 4, width)
            return [f"{pad}{prefix}{opening}", *inner, f"{pad}){suffix}"]
        return _bracketed(f"{prefix}{opening}", items, f"){suffix}", indent, width)
    if isinstance(node, ast.Attribute | ast.Subscript):
        return _split_before(node, prefix, suffix, indent, width)
    if isinstance(node, ast.List | ast.Tuple | ast.Set) and node.elts:
        brackets = {ast.List: ("[", "]"), ast.Tuple: ("(", ")"), ast.Set: ("{", "}")}
        first, last = brackets[type(node)]
        items = [("", element) for element in node.elts]
        # a tuple of one needs its comma
        apart = first != "(" or len(items) == 1 or prefix.endswith("= ")
        opening, closing = f"{prefix}{first}", f"{last}{suffix}"
        return _bracketed(opening, items, closing, indent, width, one_a_line=apart)
    if isinstance(node, ast.BinOp):
        return [f"{pad}{prefix}(", *_operated(node, indent + 4, width), f"{pad}){suffix}"]
    if isinstance(node, ast.Dict) and node.keys and all(node.keys):
        pairs = zip(node.keys, node.values, strict=True)
        items = [(f"{tidy(ast.unparse(k))}: ", v) for k, v in pairs if k]
        return _bracketed(f"{prefix}{{", items, f"}}{suffix}", indent, width, one_a_line=True)
    return None


def _split_before(
    node: ast.Call | ast.Attribute | ast.Subscript,
    prefix: str,
    suffix: str,
    indent: int,
    width: int,
) -> list[str] | None:
    """Returns an expression split at the brackets of the call on whose result it goes on; None
    where there is none, or what goes on is too long."""
    called = _read_of(node.func if isinstance(node, ast.Call) else node)
    if called is None:
        return None
    whole = tidy(ast.unparse(node))
    ending = whole.removeprefix(tidy(ast.unparse(called)))
    if len(ending) == len(whole):
        return None
    if len(ending) > LONGEST_END and indent + len(f"){ending}{suffix}") > width:
        return None
    return _split(called, prefix, f"{ending}{suffix}", indent, width)


def _operated(node: ast.BinOp, indent: int, width: int) -> list[str]:
    """Returns the operands of one operator, each on lines of its own behind the operator."""
    pairs = [(node.op, node.right)]
    left = node.left
    while isinstance(left, ast.BinOp) and type(left.op) is type(node.op) is not ast.Pow:
        pairs.append((left.op, left.right))
        left = left.left
    lines = _operand("", left, indent, width)
    for op, operand in reversed(pairs):
        sign = ast.unparse(ast.BinOp(ast.Name("a"), op, ast.Name("b")))[2:-2]
        lines += _operand(f"{sign} ", operand, indent, width)
    return lines


def _operand(prefix: str, node: ast.expr, indent: int, width: int) -> list[str]:
    """Returns an operand, in brackets where an operator beside it might take it apart."""
    first, last = ("(", ")") if isinstance(node, (ast.BinOp, ast.UnaryOp, *LOOSE)) else ("", "")
    return statement(f"{prefix}{first}", ast.unparse(node), last, indent, width)


def _read_of(node: ast.expr) -> ast.Call | None:
    """Returns the call of whose result attributes and items are read: ``f(x)`` of ``f(x).y[0]``."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node if isinstance(node, ast.Call) else None


def _bracketed(
    opening: str,
    items: list[tuple[str, ast.expr]],
    closing: str,
    indent: int,
    width: int,
    *,
    one_a_line: bool = False,
) -> list[str]:
    pad = " " * indent
    texts = [f"{prefix}{tidy(ast.unparse(value))}" for prefix, value in items]
    joined = f"{pad}    {', '.join(texts)}"
    if len(joined) <= width and not one_a_line and "\n" not in joined:
        return [f"{pad}{opening}", joined, f"{pad}{closing}"]
    lines = [f"{pad}{opening}"]
    for prefix, value in items:
        lines += statement(prefix, ast.unparse(value), ",", indent + 4, width)
    return [*lines, f"{pad}{closing}"]


def _condition(node: ast.expr) -> str:
    """Returns a condition of a generator, in brackets where it has an ``else`` of its own."""
    whole = tidy(ast.unparse(node))
    return f"({whole})" if isinstance(node, ast.IfExp | ast.Lambda) else whole


def _generator(node: ast.GeneratorExp, indent: int, width: int) -> list[str]:
    """Returns the only argument of a call: the element, then its clauses, without brackets."""
    pad = " " * indent
    whole = tidy(ast.unparse(node))[1:-1]
    if len(pad + whole) <= width:
        return [pad + whole]
    if len(node.generators) == 1 and not isinstance(node.generators[0].iter, LOOSE):
        clause = node.generators[0]
        begin = f"{'async ' * clause.is_async}for {_target(clause.target)} in "
        lines = statement("", ast.unparse(node.elt), "", indent, width)
        lines += statement(begin, ast.unparse(clause.iter), "", indent, width)
        return [*lines, *(f"{pad}if {_condition(one)}" for one in clause.ifs)]
    bare = ast.GeneratorExp(ast.Constant(0), node.generators)
    return [pad + tidy(ast.unparse(node.elt)), pad + double_quoted(ast.unparse(bare))[3:-1]]


def _runs(data: bytes, width: int) -> list[bytes]:
    """Returns bytes cut into runs whose literals fit on a line."""
    size = max(width - 24, 8)
    while len(data) > 1 and any(
        len(repr(data[at : at + size])) > width - 12 for at in range(0, len(data), size)
    ):
        size //= 2
    return [data[at : at + size] for at in range(0, len(data), max(size, 1))]


def _pieces(text: str, width: int) -> list[str]:
    """Returns the text cut after line ends, else into pieces that fit on a line: after a blank,
    where there is one in the second half."""
    found, size = [], max(width - 24, 8)
    for line in text.splitlines(keepends=True):
        while len(line) > size:
            at = line.rfind(" ", size // 2, size) + 1 or size
            found.append(line[:at])
            line = line[at:]
        found.append(line)
    return found
