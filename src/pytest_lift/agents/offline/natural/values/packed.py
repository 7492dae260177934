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
FORMAT = re.compile(r"[@=<>!]?(?:\d*[bBhHiIlLqQnN?x])+")
"""Formats of packed integers."""
BITS = re.compile(r"(^|_)(flags?|mask|bits)(_?byte)?$")
"""Names of parameters for numbers of which each bit says something."""
SINGLE = ("1", "2", "4", "8", "16", "32", "64", "128")
SMALL = frozenset({*range(9), 16})
"""Bytes that say a small number; not those that are line breaks in a text."""
LONGEST = 32
"""Most bytes of numbers that are written out."""
SHORTEST = 4
"""Fewest letters that are a number which nobody would write."""
MEANINGLESS, SEVERAL_BITS = 0.8, 0.3
"""Oddness of letters that are read as a number, and of a number of several bits."""
ZEROS, EACH = 0.15, 0.02
"""Costs of small numbers that are all zero, and of each of their bytes."""


class PackedBytes:
    """Knows which functions read packed numbers, and how long these are."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self._reading: dict[str, bool] = {}

    def reads(self, target: Target) -> bool:
        """Whether a function reads packed numbers, itself or by one that it calls; cached."""
        if target.key not in self._reading:
            node = self.inference.functions.get((target.path, target.symbol))
            nodes = [node] if node is not None else self.inference.named(target.leaf)
            self._reading[target.key] = any(map(self._unpacks, nodes))
        return self._reading[target.key]

    def _unpacks(self, node: ast.AST) -> bool:
        names = {*_called(node)}
        inner = (one for name in names for one in self.inference.named(name))
        return bool(names & UNPACKING) or any({*_called(one)} & UNPACKING for one in inner)

    def values(self, target: Target) -> list[str]:
        """Returns bytes as long as the formats of the file say, which are the number one."""
        tree = self.inference.program.files[target.path].tree
        return [repr(_one(size, "<" in told)) for told, size in _sizes(tree)]


def is_small(value: str) -> bool:
    """Whether an argument is bytes of small numbers."""
    found = _bytes(value)
    return bool(found) and SMALL.issuperset(found) and len(found) <= LONGEST


def cost(value: str) -> float:
    """Returns the cost of bytes of small numbers, however they are written."""
    found = _bytes(value)
    return EACH * len(found) + (0.0 if any(found) else ZEROS)


def oddness(name: str, value: str, reads: bool) -> float:
    """Returns the cost of letters for what reads packed numbers, and of a number of several bits
    for a parameter whose name tells of bits."""
    if BITS.search(name) and value.lstrip("-").isdigit():
        return 0.0 if value in SINGLE or value == "0" else SEVERAL_BITS
    found = _bytes(value) if reads else b""
    return MEANINGLESS if len(found) >= SHORTEST and not is_small(value) else 0.0


def variants(name: str, value: str, reads: bool) -> Iterator[str]:
    """Yields small numbers in the place of as many other bytes, and single bits in that of
    several."""
    if oddness(name, value, reads) == SEVERAL_BITS:
        yield from SINGLE
    found = _bytes(value) if reads and not is_small(value) else b""
    if 0 < len(found) <= LONGEST:
        size = len(found)
        words = b"".join(_one(4) for _ in range(size // 4)) + _one(size % 4)
        made = (_one(size), words, bytes(size), bytes(one % len(SINGLE) for one in found))
        yield from dict.fromkeys(map(repr, made))


def _one(size: int, little: bool = False) -> bytes:
    """Returns the number one in as many bytes."""
    return (1).to_bytes(size, "little" if little else "big") if size else b""


@lru_cache(maxsize=64)
def _sizes(tree: ast.AST) -> tuple[tuple[str, int], ...]:
    """Returns (format, bytes) of the formats of packed numbers in a file."""
    found: dict[str, int] = {}
    for node in ast.walk(tree):
        called = bare_leaf(node.func) if isinstance(node, ast.Call) else ""
        if not isinstance(node, ast.Call) or called not in {"Struct", *UNPACKING, "pack"}:
            continue
        texts = (one.value for one in node.args if isinstance(one, ast.Constant))
        for text in texts:
            if isinstance(text, str) and FORMAT.fullmatch(text):
                with contextlib.suppress(struct.error):  # a native size in a fixed byte order
                    found[text] = struct.calcsize(text)
    return tuple((text, size) for text, size in found.items() if 0 < size <= LONGEST)


def _called(node: ast.AST) -> Iterator[str]:
    """Yields the names of what is called."""
    calls = (one.func for one in ast.walk(node) if isinstance(one, ast.Call))
    yield from filter(None, map(leaf, calls))


def _bytes(value: str) -> bytes:
    node = shared_expression(value) if value[:1] == "b" else None
    found = node.value if isinstance(node, ast.Constant) else None
    return found if isinstance(found, bytes) else b""
