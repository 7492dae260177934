"""Plain keys, texts and bytes in the place of those in arguments that nobody types."""

from __future__ import annotations

import ast
import copy
import re
import unicodedata
from collections.abc import Iterator
from itertools import islice

from pytest_lift.agents.offline.natural.oddness import has_odd_key, is_odd_key, repeated_keys
from pytest_lift.agents.offline.natural.values.marks import INSTEAD, is_mark
from pytest_lift.calls.call import Call
from pytest_lift.source.syntax import leaf, shared_expression, written_with

LETTERS = ("a", "b", "c", "d")
OTHER_KEYS = ("1", "(1, 2)")
"""Keys that are no texts, the plainest first: JSON refuses the second one."""
ACCENT = "é"
DIGITS = b"0123456789abcdef" * 2
"""Bytes that somebody types where their number matters, and nothing else."""
FEWEST = 4
"""Fewest bytes of which the number may matter."""
FRACTION = 1.5
"""Number that somebody types for ``float('inf')`` and what is no number."""
MOST = 6
"""Most values that are tried in the place of one."""


def variants(call: Call) -> Iterator[Call]:
    """Yields the call with plain parts in the place of odd ones in its arguments: everywhere, then
    in each."""
    plain = tuple((name, next(plainer_parts(value), value)) for name, value in call.values)
    if sum(one != other for one, other in zip(plain, call.values, strict=True)) > 1:
        yield call.but(values=plain)
    for name, value in call.values:
        for other in islice(dict.fromkeys(plainer_parts(value)), MOST):
            yield call.with_value(name, other)
    for at, value in enumerate(call.extra):
        for other in islice(dict.fromkeys(plainer_parts(value)), MOST):
            yield call.with_extra(at, other)


def plainer_parts(value: str) -> Iterator[str]:
    """Yields an argument without the letters among the keys of a dict that has others; with a
    letter for each odd key in it, then for one of them a number and a tuple; different letters for
    keys inside of each other; as many digits as bytes that are no text, a text for bytes, a common
    letter for a text with rare signs, and a list, then a tuple, for what gives the same items; a
    letter for marks inside, and a fraction for a number without end."""
    node = shared_expression(value) if not value.isidentifier() else None
    if node is None:
        return
    parts = [part for part in ast.walk(node) if isinstance(part, ast.expr)]
    read = {id(one) for part in parts if isinstance(part, ast.Call) for one in part.args}
    for part in parts:
        if isinstance(part, ast.Call) and leaf(part.func) == "float":
            yield from _written(node, part, ast.Constant(FRACTION))
    for part in parts:
        items = _items_of(part)
        for made in (ast.List, ast.Tuple) if items else ():
            yield from _written(node, part, made(items, ast.Load()))
    for part in parts:
        if isinstance(part, ast.Dict) and (named := _without_letters(part)) is not None:
            yield from _written(node, part, named)
        if isinstance(part, ast.Dict) and has_odd_key(part):
            for keys in _plain_keys(part):
                yield from _written(node, part, ast.Dict(keys, part.values))
    if other := _with_different_keys(node):
        yield other
    for part in parts:
        held = part.value if isinstance(part, ast.Constant) else None
        if isinstance(held, bytes) and FEWEST <= len(held) <= len(DIGITS) and _is_dump(held):
            yield from _written(node, part, ast.Constant(DIGITS[: len(held)]))
        if isinstance(held, bytes) and id(part) not in read:  # ``BytesIO('a')`` is refused
            yield from _written(node, part, ast.Constant(_as_text(held)))
        elif isinstance(held, str) and _is_rare(held):
            for text in (ACCENT, LETTERS[0]):
                yield from _written(node, part, ast.Constant(text))
        elif isinstance(held, str) and part is not node and _is_odd_mark(held):
            yield from _written(node, part, ast.Constant(LETTERS[0]))


def is_dump(source: str) -> bool:
    """Whether an argument is bytes that are no text: what a program gave, or packed numbers."""
    node = shared_expression(source) if source[:1] == "b" else None
    return isinstance(node, ast.Constant) and _is_dump(node.value)


def _is_dump(held: object) -> bool:
    return isinstance(held, bytes) and sum(not 32 <= one < 127 for one in held) > 1


def _with_different_keys(node: ast.expr) -> str:
    """Returns an argument with another letter for each key that a dict around it has, too; "" for
    one without such."""
    made = copy.deepcopy(node)
    changed = False
    for part in ast.walk(made):
        for key in repeated_keys(part) if isinstance(part, ast.Dict) else ():
            taken = {one.value for one in ast.walk(made) if isinstance(one, ast.Constant)}
            free = next((letter for letter in LETTERS if letter not in taken), None)
            if free is not None:
                key.value, changed = free, True
    return ast.unparse(made) if changed else ""


def _items_of(node: ast.expr) -> list[ast.expr]:
    """Returns the items of a small range, an iterator of a list, or a frozen set of one."""
    match node:
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(end))], keywords=[]):
            return [ast.Constant(number) for number in range(end)] if end <= MOST else []
        case ast.Call(func=ast.Name(id="iter" | "frozenset"), args=[ast.List(elts=items)]):
            return items
    return []


def _written(tree: ast.expr, old: ast.expr, new: ast.expr) -> Iterator[str]:
    text = written_with(tree, old, new)
    yield from [text] if text is not None else ()


def _plain_keys(node: ast.Dict) -> Iterator[list[ast.expr | None]]:
    """Yields the keys of a dict with letters for the odd ones, then with other plain keys for the
    first of these."""
    taken = {key.value for key in node.keys if isinstance(key, ast.Constant)}
    free = [letter for letter in LETTERS if letter not in taken]
    odd = [at for at, key in enumerate(node.keys) if key is not None and is_odd_key(key)]
    if len(odd) > len(free):
        return
    keys = list(node.keys)
    for at, letter in zip(odd, free, strict=False):
        keys[at] = ast.Constant(letter)
    yield keys
    for source in OTHER_KEYS:
        yield [*keys[: odd[0]], shared_expression(source), *keys[odd[0] + 1 :]]


def _without_letters(node: ast.Dict) -> ast.Dict | None:
    """Returns a dict without the keys that are letters, which stand for any, where it has others
    that tell something; None of all else."""
    keys = [getattr(key, "value", None) for key in node.keys]
    rest = [at for at, key in enumerate(keys) if key not in LETTERS]
    if not rest or len(rest) == len(keys) or not all(isinstance(keys[at], str) for at in rest):
        return None
    return ast.Dict([node.keys[at] for at in rest], [node.values[at] for at in rest])


def _as_text(held: bytes) -> str:
    """Returns the text of bytes where somebody types that, else a letter like it."""
    text = held.decode("utf-8", errors="replace")
    if re.fullmatch(r"[\w\s.,:=/{}\[\]\"-]+", text) and text.isprintable() and not _is_rare(text):
        return text
    return LETTERS[0] if held.isascii() else ACCENT


def _is_odd_mark(text: str) -> bool:
    """Whether a text is nothing but marks, and none that separates or encloses."""
    return is_mark(text) and text not in INSTEAD


def _is_rare(text: str) -> bool:
    """Whether a text has signs that stand on few keyboards: letters of other scripts than Latin
    and its like, what is left of wrongly decoded text, and marks that cannot be seen."""
    return len(text) <= 8 and any(not char.isascii() and not _is_accented(char) for char in text)


def _is_accented(char: str) -> bool:
    """Whether a character is a letter of the Latin alphabet, with marks or without."""
    return unicodedata.name(char, "").startswith(("LATIN SMALL", "LATIN CAPITAL"))
