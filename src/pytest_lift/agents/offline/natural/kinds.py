"""Kinds of values, the names by which annotations and docstrings tell them, and examples."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable
from functools import lru_cache

from pytest_lift.source.syntax import shared_expression

KINDS: dict[str, tuple[str, ...]] = {
    "bool": ("True", "False"),
    "int": ("1", "2", "3", "0", "-1", "5", "10", "100", "1000"),
    "float": ("1.5", "0.5", "-2.25", "0.0", "100.0", "float('nan')", "float('inf')",
              "float('-inf')"),
    "complex": ("2 + 1j",),
    "str": ("'hello'", "'a'", "'b'", "'a b'", "''", "'Hello'", "'2'", "'a, b'", "'é'", "'3.14'"),
    "bytes": ("b'hello'", "b''", "b'\\xc3\\xa9'", "b'{}'"),
    "encoding": ("'utf-8'", "'latin-1'", "'ascii'"),
    "list": ("[1, 2, 3]", "[]", "['b', 'a']", "[3, 1, 2]", "[[1, 2], [3]]", "['a', 'b', 'c']"),
    "tuple": ("(1, 2)", "()", "('a', 'b')"),
    "set": ("{1, 2}", "set()"),
    "dict": ("{'a': 1}", "{}", "{'b': 2, 'a': 1}", "{'a': {'b': [1]}}", "{1: 'a'}"),
    "iterable": ("[1, 2, 3]", "[]", "'abc'", "[3, 1, 2, 1]", "range(5)", "['a', 'b']",
                 "iter([1, 2, 3])", "[(1, 'a'), (2, 'b')]", "[[1, 2], [3, 4], [1, 2]]"),
    "clock": ("lambda: 0", "lambda: 100.0"),
    "hashable": ("'a'", "'b'", "1", "'c'", "2"),
    "callable": ("str", "len", "[].append", "repr", "list", "int", "lambda value: value", "sorted",
                 "lambda value: value * 2", "lambda value: value > 1", "Decimal", "dict",
                 "lambda a, b: a + b", "lambda: 0", "lambda pair: pair[0]", "max"),
    "predicate": ("lambda value: value > 1", "bool", "lambda value: value", "str.isalpha",
                  "callable"),
    "callback": ("[].append", "lambda *args: [].append(args)", "str"),
    "reader": ("StringIO('hello')", "StringIO('')", "StringIO('[1, 2]')", "BytesIO(b'a = 1')"),
    "writer": ("StringIO()", "BytesIO()"),
    "datetime": ("datetime.datetime(2024, 2, 29, 12, 30)", "datetime.datetime(1999, 12, 31)",
                 "datetime.datetime(2024, 2, 29, 12, 30, tzinfo=datetime.timezone.utc)"),
    "date": ("datetime.date(2024, 2, 29)", "datetime.date(1999, 12, 31)"),
    "timedelta": ("datetime.timedelta(days=1)", "datetime.timedelta(seconds=90)",
                  "datetime.timedelta(days=400, hours=3)", "datetime.timedelta(microseconds=5)"),
    "Decimal": ("Decimal('1.1')", "Decimal('2')"),
    "slice": ("slice(1, 3)", "slice(None, 2)", "slice(None, None, 2)", "slice(-2, None)",
              "slice(None, None, -1)"),
    "object": (),
}  # fmt: skip
ANYTHING = (
    # The plainest containers and scalars, then nested, mixed, empty and extreme ones: data of
    # Python's own types, none of it chosen for what one package does with it.
    "[1, 2, 3]", "{'a': 1}", "'hello'", "1", "2.5", "True", "None", "{'b': [1, 'x'], 'a': None}",
    "[True, False, None]", "{'b': 2, 'a': 1}", "(1, 2)", "[]", "{}", "False", "b'abc'", "['é']",
    "{1: 'a'}", "{1, 2}", "iter([1, 2])", "range(3)", "[[1, [2]], {'a': {'b': []}}]",
    "[{'a': 1}, (1, 2), 'x', None]", "{'a': {'b': 1}, 'c': [1], 'd': False}", "[1.5, -2, 'x']",
    "Decimal('1.1')", "2 + 1j", "object()", "[object()]", "-3", "0", "2**64", "float('nan')",
    "float('inf')", "float('-inf')", "''", "'abc'", "'1'", "'a\\nb'", "[3, 1, 2]",
    "[['a', 1], ['b', 2]]",
)  # fmt: skip
HINTS = {
    "bool": "bool", "int": "int", "float": "float", "str": "str", "bytes": "bytes", "list": "list",
    "List": "list", "Sequence": "list", "tuple": "tuple", "Tuple": "tuple", "dict": "dict",
    "Dict": "dict", "Mapping": "dict", "MutableMapping": "dict", "Iterable": "iterable",
    "Iterator": "iterable", "Collection": "iterable", "Callable": "callable", "set": "set",
    "Any": "any", "object": "any", "datetime": "datetime", "date": "date", "Decimal": "Decimal",
    "timedelta": "timedelta", "TextIO": "reader", "BinaryIO": "reader", "IO": "reader",
    "complex": "complex", "basestring": "str", "text_type": "str", "string_types": "str",
    "binary_type": "bytes", "integer_types": "int", "Number": "int",
    "SupportsInt": "int", "SupportsFloat": "float", "SupportsIndex": "int", "Hashable": "str",
    "AnyStr": "str", "Text": "str", "PathLike": "str", "memoryview": "bytes",
    "bytearray": "bytes", "ByteString": "bytes", "Buffer": "bytes", "ReadableBuffer": "bytes",
}  # fmt: skip
DOCUMENTED = {
    "string": "str", "text": "str", "unicode": "str", "integer": "int", "number": "float",
    "boolean": "bool", "function": "callable", "callable": "callable", "callback": "callback",
    "file": "reader", "iterable": "iterable", "sequence": "list", "mapping": "dict",
    "dictionary": "dict", "array": "list", "ints": "int", "floats": "float", "strings": "str",
    "numeric": "float", "real": "float", "iterator": "iterable", "scalar": "float",
    "array_like": "float list",
}  # fmt: skip
"""Words by which docstrings name types, beside the names of the types -> kinds, with spaces."""
PASSED = {
    "function": "callable", "builtin_function_or_method": "callable", "method": "callable",
    "type": "callable", "partial": "callable", "generator": "iterable", "map": "iterable",
    "filter": "iterable", "list_iterator": "iterable", "tuple_iterator": "iterable",
    "dict_keys": "iterable", "dict_values": "iterable", "dict_items": "iterable",
    "StringIO": "reader", "BytesIO": "reader", "frozenset": "set", "OrderedDict": "dict",
    "defaultdict": "dict", "deque": "list",
}  # fmt: skip
"""Names of built-in types -> kinds, of values that a program was seen to pass."""

PLAIN_FUNCTIONS = ("len", "str")
"""Functions of Python's own that stand for any function."""
ENDLESS = frozenset({"count", "cycle", "repeat"})
"""Iterators of the standard library that have no end."""
_MAKER = re.compile(r"^(?:\w+\.)*(\w+)\(")


def kinds_named(text: str) -> list[str]:
    """Returns the kinds of values that the type in a docstring names: ``list of str, optional``
    is a list."""
    outer = re.split(r"\bof\b|\[|\boptional\b|\bdefault", text, maxsplit=1)[0]
    words = re.findall(r"[A-Za-z_]\w*", outer)
    named = (DOCUMENTED.get(word.lower()) or HINTS.get(word) or "" for word in words)
    return [kind for several in named for kind in several.split() if kind != "any"]


def is_scalar(expression: str, kinds: Iterable[str]) -> bool:
    """Whether an expression that is no literal may be a number or a text: a constant, or one of
    the usual values."""
    usual = any(expression in KINDS.get(kind, ()) for kind in kinds)
    return usual or expression == "None" or expression.replace(".", "_").isidentifier()


def is_function(expression: str) -> bool:
    """Whether an expression is the name of a function or class of Python's own."""
    return expression in KINDS["callable"] or callable(getattr(builtins, expression, None))


def accepted(kinds: Iterable[str]) -> set[str]:
    """Returns names of the literal types that fit the kinds."""
    found = set(kinds)
    if found & {"iterable", "list", "tuple"}:
        found |= {"list", "tuple", "set"}
    if "iterable" in found:
        found |= {"str", "dict"}
    if "hashable" in found:
        found |= {"str", "int", "bytes", "bool", "float", "tuple"}
    if found & {"float", "int", "complex"}:
        found |= {"int", "float"}
    return found | ({"str"} if "encoding" in found else set())


@lru_cache(maxsize=65536)
def maker_of(expression: str) -> str:
    """Returns ``count`` of ``itertools.count(1, 2)``; "" of what is no call."""
    found = _MAKER.match(expression)
    return found[1] if found else ""


@lru_cache(maxsize=65536)
def is_numeric(value: str) -> bool:
    """Whether an argument is a number, or arithmetic of numbers: ``0.05 / 12``."""
    node = shared_expression(value)
    if node is None:
        return False
    numbers = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
    kinds = ast.BinOp | ast.UnaryOp | ast.Constant | ast.operator | ast.unaryop
    whole = all(isinstance(part, kinds) for part in ast.walk(node))
    return whole and all(type(number) in (int, float) for number in numbers)
