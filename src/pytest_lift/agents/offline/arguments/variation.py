"""Varies source expressions: strings by tokens and by other strings, containers by items."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeGuard

from pytest_lift.agents.offline.texts.changing import changed
from pytest_lift.source.syntax import written_with

CHARACTERS = "aZ0 9-_.,:;/\\\"'\n\t{}[]()<>&%+*é\u2028😀"
LONGEST = 80
BLANKS = (" ", " ", "\n", "\t", "  ", " \n ")
BORDER = re.compile(r"\b|(?<=\W)(?=\W)|$")
"""Between two tokens, whatever the language."""
LONGEST_KNOWN = 160
"""Characters of a text of a known format."""
CHANGED = 0.6
"""Share of the texts of known formats that are changed in one feature, not at random."""
AT_END, AT_BORDERS, SPLICED = 0.15, 0.35, 0.35
"""Shares of the pieces that go to the end, where a reader may have wanted more, of those that begin
and end between tokens, and of the texts into which another one is spliced where there are any."""


def vary(
    expression: str,
    rng: random.Random,
    tokens: Sequence[str],
    spare: Sequence[str],
    others: Sequence[str] = (),
    known: Sequence[str] = (),
) -> str:
    """Returns `expression` with one literal changed; `spare` are expressions to use as items,
    `others` texts to splice into strings, `known` those of the format that is read."""
    tree, places = _literals(expression)
    if tree is None or not places:
        return expression
    chosen = rng.choice(places)
    text = written_with(
        tree, chosen, _varied(chosen, rng, tokens, spare, others, known), expression
    )
    return expression if text is None or len(text) > 4 * LONGEST else text


def texts_of(expression: str) -> list[str]:
    """Returns the strings in an expression, bytes as if each stood for a character."""
    values = [n.value for n in _literals(expression)[1] if isinstance(n, ast.Constant)]
    texts = [v.decode("latin-1") if isinstance(v, bytes) else v for v in values]
    return [text for text in texts if isinstance(text, str)]


@lru_cache(maxsize=4096)
def _literals(expression: str) -> tuple[ast.expr | None, Sequence[ast.expr]]:
    """Returns the tree of an expression, which stays as it is, and the literals in it."""
    try:
        tree = ast.parse(expression, mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None, ()
    kinds = ast.Constant | ast.UnaryOp | ast.List | ast.Tuple | ast.Dict
    signed = [node for node in ast.walk(tree) if is_negative(node)]
    inner = [node.operand for node in signed]
    nodes = (node for node in ast.walk(tree) if isinstance(node, kinds) and node not in inner)
    return tree, [node for node in nodes if not isinstance(node, ast.UnaryOp) or node in signed]


def is_negative(node: ast.AST) -> TypeGuard[ast.UnaryOp]:
    """Whether an expression is a number with a minus, which is one literal to a reader."""
    if not isinstance(node, ast.UnaryOp) or not isinstance(node.op, ast.USub):
        return False
    return isinstance(node.operand, ast.Constant) and type(node.operand.value) in (int, float)


def put(expression: str, new: str, rng: random.Random) -> str:
    """Returns `expression` with a constant replaced by `new`; `new` itself if there is none."""
    try:
        tree = ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError, RecursionError):
        return new
    signed = [node for node in ast.walk(tree) if is_negative(node)]
    inner = [node.operand for node in signed]
    plain = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and n not in inner]
    places = [*signed, *plain]
    if not places:
        return new
    return written_with(tree, rng.choice(places), _parsed(new)) or new


def spaced(expression: str, rng: random.Random) -> str:
    """Returns `expression` with blanks or a line break inserted into one of its strings."""
    try:
        tree = ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError, RecursionError):
        return expression
    places = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    if not places:
        return expression
    chosen = rng.choice(places)
    text = str(chosen.value)
    at = rng.randint(0, len(text))
    new = ast.Constant(text[:at] + rng.choice(BLANKS) + text[at:])
    return written_with(tree, chosen, new) or expression


def _varied(
    node: ast.expr,
    rng: random.Random,
    tokens: Sequence[str],
    spare: Sequence[str],
    others: Sequence[str],
    known: Sequence[str],
) -> ast.expr:
    if is_negative(node) and isinstance(node.operand, ast.Constant):
        return _number(-node.operand.value, rng)  # type: ignore[operator]
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            return ast.Constant(_varied_text(node.value, rng, tokens, others, known))
        if isinstance(node.value, bytes):
            text = node.value.decode("latin-1")
            new = _varied_text(text, rng, tokens, others, known)
            return ast.Constant(new.encode("latin-1", "ignore"))
        if type(node.value) in (int, float):
            return _number(node.value, rng)
        return ast.Constant(1 if node.value is None else not node.value)
    return _container(node, rng, spare)


def _number(value: object, rng: random.Random) -> ast.expr:
    assert isinstance(value, int | float)
    steps: list[Callable[[], int | float]] = [
        lambda: value + 1,
        lambda: value - 1,
        lambda: -value,
        lambda: value * 10,
        lambda: 0,
        lambda: value / 2 if isinstance(value, float) else value // 2,
    ]
    new = rng.choice(steps)()
    if abs(new) > 10**18:
        new = 1
    return ast.Constant(new) if new >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-new))


def _container(node: ast.expr, rng: random.Random, spare: Sequence[str]) -> ast.expr:
    item = _parsed(rng.choice(spare)) if spare else ast.Constant(1)
    if isinstance(node, ast.Dict):
        keys, values = list(node.keys), list(node.values)
        if values and rng.random() < 0.4:
            values[rng.randrange(len(values))] = item
        elif values and rng.random() < 0.3:
            at = rng.randrange(len(values))
            del keys[at], values[at]
        else:
            keys.append(ast.Constant(rng.choice("abcxyz")))
            values.append(item)
        return ast.Dict(keys, values)
    assert isinstance(node, ast.List | ast.Tuple)
    items = list(node.elts)
    if items and rng.random() < 0.4:
        items[rng.randrange(len(items))] = item
    elif items and rng.random() < 0.3:
        del items[rng.randrange(len(items))]
    else:
        items.insert(rng.randint(0, len(items)), item)
    made = ast.List if isinstance(node, ast.List) else ast.Tuple
    return made(items, ast.Load())


@lru_cache(maxsize=4096)
def _parsed(source: str) -> ast.expr:
    try:
        return ast.parse(source, mode="eval").body
    except SyntaxError:
        return ast.Constant(None)


def _varied_text(
    text: str,
    rng: random.Random,
    tokens: Sequence[str],
    others: Sequence[str],
    known: Sequence[str],
) -> str:
    longest = max(LONGEST, len(text))
    if known and rng.random() < CHANGED:
        return changed(text, rng, known)[: max(LONGEST_KNOWN, len(text))]
    if others and rng.random() < SPLICED:
        return spliced(text, rng.choice(others), rng)[:longest]
    return vary_text(text, rng, tokens, longest)


def spliced(text: str, other: str, rng: random.Random) -> str:
    """Returns text with a part of another text, or all of it, inserted or in the place of a part;
    parts begin and end between tokens."""
    start, end = _part(text, rng) if rng.random() > AT_END else (len(text), len(text))
    first, last = _part(other, rng) if rng.random() < 0.6 else (0, len(other))
    choice = rng.random()
    if choice < 0.4:
        return text[:start] + other[first:last] + text[start:]
    if choice < 0.8:
        return text[:start] + other[first:last] + text[end:]
    return text[:start] + other[first:]


def _part(text: str, rng: random.Random) -> tuple[int, int]:
    """Returns where a part of a text begins and ends, between tokens."""
    places = _borders(text)
    first, last = rng.randrange(len(places)), rng.randrange(len(places))
    return places[min(first, last)], places[max(first, last)]


@lru_cache(maxsize=4096)
def _borders(text: str) -> Sequence[int]:
    return list(dict.fromkeys((0, *(found.start() for found in BORDER.finditer(text)))))


def vary_text(text: str, rng: random.Random, tokens: Sequence[str], longest: int = LONGEST) -> str:
    """Returns text with a piece inserted, replaced, cut, doubled or swapped; `tokens` are such
    pieces."""
    if (where := rng.random()) < AT_END:
        at = end = len(text)
    elif where < AT_END + AT_BORDERS:
        places = _borders(text)
        first = rng.randrange(len(places))
        at, end = places[first], places[min(first + rng.choice((1, 1, 2, 3)), len(places) - 1)]
    else:
        at = rng.randint(0, len(text))
        end = min(len(text), at + rng.choice((1, 1, 1, 2, 3, 5)))
    piece = rng.choice(tokens) if tokens and rng.random() < 0.7 else rng.choice(CHARACTERS)
    choice = rng.random()
    if choice < 0.3:
        new = text[:at] + piece + text[at:]
    elif choice < 0.5:
        new = text[:at] + piece + text[end:]
    elif choice < 0.7:
        new = text[:at] + text[end:]
    elif choice < 0.82:
        new = text[:at]
    elif choice < 0.9:
        new = text[at:]
    elif choice < 0.95:
        new = text[:end] + text[at:]
    else:
        new = text.swapcase() if rng.random() < 0.5 else piece
    return new[:longest]
