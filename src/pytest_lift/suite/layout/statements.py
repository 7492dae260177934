"""Statements laid out as `ruff format` would: on one line if they fit, else split at brackets."""

from __future__ import annotations

import ast

from pytest_lift.source.syntax import parsed_expression
from pytest_lift.suite.layout.spelling import double_quoted, requoted, tidy

WIDTH = 88
LONGEST_END = 40
"""Most characters that follow the bracket of a call that is split."""
EQUALS = " == "
COMPARISONS = (EQUALS, " is ", " in ")
LOOSE = (ast.Compare, ast.BoolOp, ast.Lambda, ast.IfExp, ast.NamedExpr)
"""What binds its parts less than these do, or as much."""


def target(node: ast.expr) -> str:
    """Returns what a loop binds, names without the brackets of a tuple."""
    whole = double_quoted(ast.unparse(node))
    return whole[1:-1] if isinstance(node, ast.Tuple) and node.elts else whole


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
    lines = _split(node, prefix, suffix, indent, width) or [flat]
    if suffix.startswith(EQUALS) and any(len(line) > width for line in lines):
        return _split_after(node, prefix, suffix.removeprefix(EQUALS), indent, width) or lines
    return lines


def _split_after(
    node: ast.expr, prefix: str, expected: str, indent: int, width: int
) -> list[str] | None:
    """Returns a comparison that is split at the brackets of what is expected; before it at its own
    where it is too long for a line. None where nothing can be split there."""
    right = parsed_expression(expected)
    if right is None:
        return None
    whole = f"{' ' * indent}{prefix}{tidy(ast.unparse(node))}{EQUALS}("
    left = [whole] if len(whole) <= width else _split(node, prefix, f"{EQUALS}(", indent, width)
    if left is None:
        return None
    *before, last = left
    after = _split(right, last[indent:-1], "", indent, width)
    return [*before, *after] if after else None


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
    if isinstance(node, ast.ListComp | ast.SetComp):
        first, last = "[]" if isinstance(node, ast.ListComp) else "{}"
        inner = _generator(ast.GeneratorExp(node.elt, node.generators), indent + 4, width)
        return [f"{pad}{prefix}{first}", *inner, f"{pad}{last}{suffix}"]
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
        begin = f"{'async ' * clause.is_async}for {target(clause.target)} in "
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
