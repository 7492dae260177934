"""Dicts with the keys that the code reads, filled with values that the program has for them."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

from pytest_lift.agents.offline.arguments.known.parameter_kinds import SCALARS
from pytest_lift.agents.offline.arguments.uses import BY_KEY, ParameterUse
from pytest_lift.agents.offline.natural.kinds import HINTS, KINDS
from pytest_lift.agents.offline.natural.values.usual import usual_sources
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import shared_expression

MOST_KEYS = 12
"""Most keys of a dict that is made up."""
MOST_DICTS = 4
MOST_VALUES = 4
"""Most dicts for one parameter, and values for one key."""
PLAIN = ("1", "True", "'a'", "False")
"""Values for a key of which nothing is known."""
LONGEST = 40
NAME = re.compile(r"(?<![\w.'\"])[a-z_]\w*(?![\w(])")
"""Name in a text, but for attributes, functions and what is quoted there."""
MOST_NAMED = 3
NAMED = ("1", "'a'")
"""What the names in a text stand for."""


class Records:
    """Knows what the program itself has under a key: in its own dicts."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def sources(self, keys: Sequence[str], words: Container[str]) -> list[str]:
        """Returns dicts with all of these keys, the first with the likeliest values; `words` are
        those of the program."""
        pools = {key: self.values(key, words) for key in keys[:MOST_KEYS]}
        return [
            "{" + ", ".join(f"{k!r}: {v[at % len(v)]}" for k, v in pools.items()) + "}"
            for at in range(min(MOST_DICTS, max(map(len, pools.values()), default=0)))
        ]

    def values(self, key: str, words: Container[str]) -> list[str]:
        """Returns what may stand under a key, the likeliest first."""
        known = [*usual_sources(key, words)[:1], *self.known.get(key, ())]
        return list(dict.fromkeys(known))[:MOST_VALUES] or list(PLAIN)

    @cached_property
    def known(self) -> dict[str, list[str]]:
        """Key -> literals that stand under it in dicts of the program."""
        found: dict[str, list[str]] = {}
        for file in self.program.files.values():
            for node in ast.walk(file.tree):
                if not isinstance(node, ast.Dict):
                    continue
                for key, value in zip(node.keys, node.values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        pool = found.setdefault(key.value, [])
                        pool += [one for one in _literals(value) if one not in pool]
        return found


def named_in(texts: Iterable[str]) -> list[str]:
    """Returns dicts with the names that stand in some texts as keys: what a template or a formula
    looks up."""
    names = (name for text in texts for name in NAME.findall(text) if not keyword.iskeyword(name))
    keys = [*dict.fromkeys(names)][:MOST_NAMED]
    pairs = [[f"{key!r}: {value}" for key in keys] for value in NAMED] if keys else []
    return ["{" + ", ".join(one) + "}" for one in pairs]


def read_part(source: str, use: ParameterUse) -> str:
    """Returns a dict with those of its keys alone that the code reads, where it does nothing else
    with the dict than to make numbers or texts of its items; any other value as it is."""
    node = shared_expression(source) if source.startswith("{") and use.keys else None
    reads = BY_KEY.issuperset(use.met) and SCALARS.issuperset(use.handed)
    if not isinstance(node, ast.Dict) or not reads:
        return source
    read = [
        f"{ast.unparse(key)}: {ast.unparse(value)}"
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and key.value in use.keys
    ]
    return "{" + ", ".join(read) + "}" if read else source


def _literals(node: ast.expr) -> Iterator[str]:
    """Yields a literal, an example of a type, or those of each alternative."""
    match node:
        case ast.Constant() | ast.UnaryOp(operand=ast.Constant()):
            yield ast.unparse(node)
        case ast.Name(id=name) if name in HINTS:
            yield from islice(KINDS.get(HINTS[name], ()), 2)
        case ast.Tuple(elts=parts):
            for part in parts:
                yield from _literals(part)
        case ast.List() | ast.Dict():
            source = ast.unparse(node)
            names = any(isinstance(part, ast.Name) for part in ast.walk(node))
            yield from [source] if len(source) <= LONGEST and not names else []
