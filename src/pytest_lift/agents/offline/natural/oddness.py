"""Oddness of source: how little a person would type the values in it."""

from __future__ import annotations

import ast
import re
import unicodedata
from functools import lru_cache

from pytest_lift.source.syntax import leaf

TYPED = frozenset({"a", "b", "c", "x", "ab", "abc", "hello", "a b"})
ODD_CALLS = {
    "iter": 1.0, "range": 0.3, "object": 0.6, "bytearray": 0.4, "frozenset": 0.2, "float": 0.6,
}  # fmt: skip

EMPTY_TEXT = 0.1
"""Oddness of a text of nothing."""
NO_TIME = 0.4
"""Oddness of a duration of nothing."""
ARITHMETIC, POWER = 0.4, 0.8
"""Oddness of a calculation where its result, or any number, does; powers are mostly huge."""
STRANGE = 0.2
"""Oddness of a byte that is no printable character."""
CONTAINER = 0.1
"""Oddness of a list or dict, where a text may do."""
SAME_ITEMS = 0.2
"""Oddness of a list of one item, or of equal ones: what is done to each, or to their order, is not
seen."""

OTHER_KEYS = 0.1
"""Oddness of a dict with a key that is no text."""
ODD_KEY = 0.5
"""Oddness of a dict with a key that nobody types: a flag, nothing, an object made of nothing."""
SAME_KEYS = 0.4
"""Oddness of a dict with a key that a dict inside of it has, too: which is meant is not seen."""
KEYS_SELDOM_MADE = frozenset({"Decimal", "Fraction", "object", "bytearray", "iter", "range"})
"""What makes keys that nobody types."""
MARKS = 0.7
"""Oddness of a text of nothing but marks or blanks (``)>``), of one with symbols, and of a private
name."""
PRIVATE = re.compile(r"__?[^\W_]\w*(?<!__)")
"""Identifier that begins with an underscore, but for Python's own (``__main__``)."""
ACCENTED = 0.4
"""Oddness of a text with letters that are not ASCII, where any letter does."""
SYMBOLS = frozenset({"So", "Co", "Cn", "Cs"})
FORMAT = re.compile(r"%[-+ #0-9.]*[srdifxg]\b|\{[a-z_][\w.]*(?:![rsa])?(?::[^}]*)?\}")
FORMATTED = 1.2
"""Oddness of a text to be filled: a constant of the program, in the place of what fills it."""


@lru_cache(maxsize=16384)
def oddness(source: str) -> float:
    """Returns how little a person would type the values in the source: 0 for plain ones."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return 0.0
    return sum(_odd(node) for node in ast.walk(tree))


def _odd(node: ast.AST) -> float:
    if isinstance(node, ast.Compare):
        others = [one for one in node.comparators if isinstance(one, ast.Constant)]
        return 0.8 * sum(one.value is None or isinstance(one.value, bool) for one in others)
    if isinstance(node, ast.BinOp):
        return POWER if isinstance(node.op, ast.Pow) else ARITHMETIC
    if isinstance(node, ast.BoolOp | ast.IfExp):
        return 0.8
    if isinstance(node, ast.Lambda):
        return 0.4
    if isinstance(node, ast.Dict):
        texts = (isinstance(getattr(key, "value", None), str) for key in node.keys)
        odd = ODD_KEY if has_odd_key(node) else 0.0
        odd += SAME_KEYS * bool(repeated_keys(node))
        return CONTAINER + odd + (0.0 if all(texts) else OTHER_KEYS)
    if isinstance(node, ast.List | ast.Set):
        return CONTAINER + (SAME_ITEMS if _holds_one(node) else 0.0)
    if isinstance(node, ast.Call):
        given = (*node.args, *(one.value for one in node.keywords))
        nothing = all(isinstance(one, ast.Constant) and not one.value for one in given)
        if leaf(node.func) == "timedelta" and nothing:
            return NO_TIME
        return ODD_CALLS.get(leaf(node.func), 0.0)
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, complex):
        return 0.8
    if isinstance(value, bytes):
        text = value.decode("latin-1")
        strange = sum(not (char.isascii() and char.isprintable()) for char in text)
        return 0.2 + STRANGE * min(strange, 3) + _of_text(text)
    if isinstance(value, str):
        marks = bool(value) and not any(map(str.isalnum, value))
        return MARKS if marks else _of_text(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return 0.05 * (len(str(value)) - 1)
    return 0.0


def has_odd_key(node: ast.Dict) -> bool:
    """Whether a dict has a key that nobody types."""
    return any(is_odd_key(key) for key in node.keys if key is not None)


def is_odd_key(key: ast.expr) -> bool:
    """Whether nobody types a key where another one does: a flag, nothing, an empty text, bytes, and
    an object that is made of nothing."""
    match key:
        case ast.Constant(value=value):
            return value in (None, "", ...) or isinstance(value, bool | bytes | complex)
        case ast.Call(func=function, args=args, keywords=keywords):
            return not (args or keywords) or leaf(function) in KEYS_SELDOM_MADE
    return isinstance(key, ast.Lambda)


def repeated_keys(node: ast.Dict) -> list[ast.Constant]:
    """Returns the keys of the dicts inside of a dict that are texts which it has as keys itself."""
    own = {key.value for key in node.keys if isinstance(key, ast.Constant)}
    inside = (one for value in node.values for one in ast.walk(value) if isinstance(one, ast.Dict))
    keys = (key for one in inside for key in one.keys if isinstance(key, ast.Constant))
    return [key for key in keys if isinstance(key.value, str) and key.value in own]


def _holds_one(node: ast.List | ast.Set) -> bool:
    """Whether a list or set has items, none of which differs from another."""
    return len({ast.dump(item) for item in node.elts}) == 1


def _of_text(text: str) -> float:
    if not text:
        return EMPTY_TEXT
    if text in TYPED:
        return 0.0
    if FORMAT.search(text):
        return FORMATTED
    if PRIVATE.fullmatch(text) or any(unicodedata.category(one) in SYMBOLS for one in text):
        return MARKS
    marks = sum(not (char.isalnum() or char == " ") for char in text)
    return 0.15 + 0.08 * min(marks, 5) + (0.0 if text.isascii() else ACCENTED)


def is_private(text: str) -> bool:
    """Whether a text is the name of something that is not for users: neither a file nor a name
    that Python gives."""
    return PRIVATE.fullmatch(text) is not None


def in_public(text: str) -> str:
    """Returns a text without the underscores before it where it is a private name."""
    return text.lstrip("_") if is_private(text) else text
