"""Bytes of packed numbers, and numbers of single bits, as a person writes them."""

from __future__ import annotations

import ast
import contextlib
import re
import struct
from collections.abc import Iterator
from functools import lru_cache

from pytest_lift.agents.offline.arguments.inference import Inference
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import bare_leaf, leaf, shared_expression

UNPACKING = frozenset({"unpack", "unpack_from", "iter_unpack", "from_bytes"})
"""Functions that read packed numbers."""
FORMAT = re.compile(r"[@=<>!]?(?:\d*[bBhHiIlLqQnN?xfd])+")
"""Formats of packed numbers."""
BITS = re.compile(r"(^|_)(flags?|mask|bits)(_?byte)?$")
"""Names of parameters for numbers of which each bit says something."""
SINGLE = ("1", "2", "4", "8", "16", "32", "64", "128")
SMALL = frozenset({*range(9), 16})
"""Bytes that say a small number; not those that are line breaks in a text."""
LONGEST = 32
"""Most bytes of numbers that are written out."""
COUNTS, COUNTED = (1, 2, 4), b"abc"
"""Sizes of the numbers that tell how much comes after them, and what a person counts."""
SHORTEST = 4
"""Fewest letters that are a number which nobody would write."""
MEANINGLESS, SEVERAL_BITS = 0.8, 0.3
"""Oddness of letters that are read as a number, and of a number of several bits."""
ZEROS, EACH, LETTERS = 0.15, 0.05, 0.1
"""Costs of small numbers that are all zero, of each of their bytes, and of a text among them."""


class PackedBytes:
    """Knows which functions read packed numbers, and how long these are."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self._reading: dict[str, bool] = {}
        self._values: dict[str, list[str]] = {}

    def reads(self, target: Target) -> bool:
        """Whether a function reads packed numbers, itself or by one that it calls; cached."""
        if target.key not in self._reading:
            node = self.inference.functions.get((target.path, target.definition))
            nodes = [node] if node is not None else self.inference.named(target.leaf)
            self._reading[target.key] = any(map(self._unpacks, nodes))
        return self._reading[target.key]

    def _unpacks(self, node: ast.AST) -> bool:
        names = {*_called(node)}
        inner = (one for name in names for one in self.inference.named(name))
        return bool(names & UNPACKING) or any({*_called(one)} & UNPACKING for one in inner)

    def values(self, target: Target) -> list[str]:
        """Returns bytes as long as the formats of the file say, or those of the whole program where
        it has none, in which each number is another one: 1, then 2."""
        if target.path not in self._values:
            files = self.inference.program.files
            own = _packed(files[target.path].tree)
            others = (one for file in files.values() for one in _packed(file.tree))
            self._values[target.path] = [*dict.fromkeys(map(repr, own or others))]
        return self._values[target.path]

    def is_packed(self, target: Target, value: str) -> bool:
        """Whether an argument is bytes that a person packs: small numbers, or a text with its
        length before it."""
        return is_small(value) or is_counted(value) or value in self.values(target)

    def oddness(self, target: Target, name: str, value: str) -> float:
        """Returns the cost of letters for what reads packed numbers, and of a number of several
        bits for a parameter whose name tells of bits."""
        if BITS.search(name) and value.lstrip("-").isdigit():
            return 0.0 if value in SINGLE or value == "0" else SEVERAL_BITS
        found = _bytes(value) if self.reads(target) else b""
        meaningless = len(found) >= SHORTEST and not self.is_packed(target, value)
        return MEANINGLESS if meaningless else 0.0

    def variants(self, target: Target, name: str, value: str) -> Iterator[str]:
        """Yields what is packed by the formats of the program and a text with its length before it
        in the place of other bytes, none longer than those but the text, and small numbers in that
        of as many letters; single bits in the place of several."""
        if self.oddness(target, name, value) == SEVERAL_BITS:
            yield from SINGLE
        found = _bytes(value) if self.reads(target) else b""
        size = len(found)
        if not 0 < size <= LONGEST:
            return
        if not is_small(value):
            words = b"".join(_one(4) for _ in range(size // 4)) + _one(size % 4)
            made = (_one(size), words, bytes(size), bytes(one % len(SINGLE) for one in found))
            yield from dict.fromkeys(map(repr, made))
        packed = (one for one in self.values(target) if len(_bytes(one)) <= size)
        counted = (repr(len(COUNTED).to_bytes(count, "big") + COUNTED) for count in COUNTS)
        yield from dict.fromkeys((*packed, *counted))


def is_small(value: str) -> bool:
    """Whether an argument is bytes of small numbers."""
    found = _bytes(value)
    return bool(found) and SMALL.issuperset(found) and len(found) <= LONGEST


def cost(value: str) -> float:
    """Returns the cost of packed bytes, however they are written."""
    found = _bytes(value)
    odd = 0.0 if any(found) else ZEROS
    return EACH * len(found) + odd + LETTERS * (not is_small(value))


def is_counted(value: str) -> bool:
    """Whether an argument is the bytes of a short text, with its length before it."""
    found = _bytes(value)
    heads = (found[:count] for count in COUNTS if len(found) > count)
    return any(
        int.from_bytes(head, "big") == len(rest := found[len(head) :]) and rest.isalpha()
        for head in heads
    )


def _one(size: int) -> bytes:
    """Returns the number one in as many bytes."""
    return (1).to_bytes(size, "big") if size else b""


@lru_cache(maxsize=64)
def _packed(tree: ast.AST) -> tuple[bytes, ...]:
    """Returns numbers that are packed by each of the formats in a file."""
    found: dict[str, bytes] = {}
    for node in ast.walk(tree):
        called = bare_leaf(node.func) if isinstance(node, ast.Call) else ""
        if not isinstance(node, ast.Call) or called not in {"Struct", *UNPACKING, "pack"}:
            continue
        texts = (one.value for one in node.args if isinstance(one, ast.Constant))
        for text in texts:
            if isinstance(text, str) and FORMAT.fullmatch(text):
                with contextlib.suppress(struct.error):  # a native size in a fixed byte order
                    size = struct.calcsize(text)
                    many = len(struct.unpack(text, bytes(size))) if size <= LONGEST else 0
                    found[text] = struct.pack(text, *range(1, many + 1)) if many else b""
    return tuple(filter(None, found.values()))


def _called(node: ast.AST) -> Iterator[str]:
    """Yields the names of what is called."""
    calls = (one.func for one in ast.walk(node) if isinstance(one, ast.Call))
    yield from filter(None, map(leaf, calls))


def _bytes(value: str) -> bytes:
    node = shared_expression(value) if value[:1] == "b" else None
    found = node.value if isinstance(node, ast.Constant) else None
    return found if isinstance(found, bytes) else b""
