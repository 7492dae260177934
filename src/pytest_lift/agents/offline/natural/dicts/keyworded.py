"""Dicts whose keys are keywords: a schema, or options, where the documentation shows some."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.typed_values import ANYTHING_NAMED
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import shared_expression, written_with

WORDLESS, UNLIKE = 0.8, 0.6
"""Oddness of a dict with none of the keywords, and of what is no dict."""
MOST_PARTS = 12
"""Most parts of the known dicts of a parameter."""


@dataclass
class KeywordedDicts:
    """Knows the parameters that get dicts of keywords: all that is documented of them, or of others
    of their name, are dicts, and some keys in these are texts of the program's own code."""

    inputs: Inputs
    _known: dict[tuple[str, str], tuple[int, list[ast.Dict], Set[str]]] = field(
        default_factory=dict
    )
    """(target, parameter) -> number of arguments of which the rest is made, dicts, keywords."""

    def oddness(self, target: Target, name: str, value: str) -> float:
        """Returns the cost of an argument that is no dict, or one with other keys alone, where
        keywords belong."""
        _, words = self._of(target, name)
        if not words or value in ("None", "{}"):
            return 0.0
        node = shared_expression(value)
        if isinstance(node, ast.Dict):
            return 0.0 if any(key in words for key in _keys_of(node)) else WORDLESS
        return UNLIKE if isinstance(node, ast.Constant | ast.List | ast.Tuple | ast.Set) else 0.0

    def is_part(self, target: Target, name: str, value: str) -> bool:
        """Whether an argument is a part of what is known for a parameter of keywords."""
        return value[:1] == "{" and value in self.parts(target, name)

    def variants(self, call: Call) -> Iterator[Call]:
        """Yields the call with an empty dict, and with parts of the known ones, in the place of a
        dict of other keys, and of what is none."""
        for name, value in call.values:
            if self.oddness(call.target, name, value):
                parts = self.parts(call.target, name)
                yield from (call.with_value(name, one) for one in ("{}", *parts))

    def parts(self, target: Target, name: str) -> list[str]:
        """Returns the dicts with keywords that are in the known ones of a parameter, and pairs of
        these, the shortest first; then the known ones without a pair."""
        dicts, words = self._of(target, name)
        inner: dict[str, None] = {}
        less: dict[str, None] = {}
        for known in dicts if words else ():
            nodes = [node for node in ast.walk(known) if isinstance(node, ast.Dict)]
            for node in nodes:
                pairs = [pair for pair in zip(node.keys, node.values, strict=True) if pair[0]]
                own = [(key, v) for key, v in pairs if getattr(key, "value", None) in words]
                inner |= dict.fromkeys(ast.unparse(ast.Dict([key], [v])) for key, v in own)
                if own and node is not known:
                    inner[ast.unparse(node)] = None
                for gone in pairs if len(pairs) > 1 else ():
                    left = [pair for pair in pairs if pair is not gone]
                    new = ast.Dict([key for key, _ in left], [v for _, v in left])
                    text = written_with(known, node, new) if node is not known else None
                    less[text or ast.unparse(new)] = None
        found = [*sorted(inner, key=len), *sorted(less, key=len)]
        return list(islice(dict.fromkeys(found), MOST_PARTS))

    def _of(self, target: Target, name: str) -> tuple[list[ast.Dict], Set[str]]:
        """Returns the known dicts of a parameter, and the keywords in them; none where something
        else is known, too; those of others of its name where nothing is known of it. Cached as
        long as nothing more is known."""
        key = (target.key, name)
        pools = (self.inputs.documented, self.inputs.used)
        given = [value for pool in pools for value in pool.get(key, ()) if value != "None"]
        if not given and not ANYTHING_NAMED.fullmatch(name):
            given = [value for value in self.inputs.by_name.get(name, ()) if value != "None"]
        if key not in self._known or self._known[key][0] != len(given):
            nodes = [shared_expression(value) for value in given]
            dicts = [node for node in nodes if isinstance(node, ast.Dict) and node.keys]
            alone = len(dicts) == len(nodes)
            words = {one for node in dicts if alone for one in _keys_of(node)} & self._texts
            self._known[key] = len(given), dicts, words
        return self._known[key][1:]

    @cached_property
    def _texts(self) -> Set[str]:
        """Texts in the program's own code, but for those that stand alone."""
        found: set[str] = set()
        for file in self.inputs.program.files.values():
            nodes = list(ast.walk(file.tree))
            alone = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
            constants = (node for node in nodes if isinstance(node, ast.Constant))
            texts = (node.value for node in constants if id(node) not in alone)
            found.update(text for text in texts if isinstance(text, str))
        return found


def _keys_of(node: ast.expr) -> Iterator[str]:
    """Yields the texts that are keys of a dict and of those in it."""
    for part in ast.walk(node):
        keys = part.keys if isinstance(part, ast.Dict) else ()
        for key in keys:
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value
