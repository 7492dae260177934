"""Words of the program inside of containers that were cut, or joined with something else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pytest_lift.agents.offline.texts.vocabulary import Vocabulary
from pytest_lift.calls.call import Call
from pytest_lift.source.syntax import shared_expression, written_with

WORD = re.compile(r"[^\W\d][\w-]{3,40}|[$@#:!%][^\W\d][\w-]{2,40}")
"""Text that is a word of a program: the name of an option, of a key, of a kind; with a mark before
it (``$ref``), a shorter one, too."""
MOST_CUT = 3
"""Most characters that stand in a word, or lack in it, in one place."""
TORN = 0.8
"""Cost of each such word: a slip is no value that a person types."""
PLAIN = "hello"
"""What a person types in the place of a word that the program has not."""


@dataclass
class TornWords:
    """Knows the words of a program, and what a few characters less or more make of them."""

    vocabulary: Vocabulary
    _cut: dict[str, str] = field(default_factory=dict)
    """Word without some characters -> the word."""
    _indexed: int = -1
    """Number of words of which `_cut` is made."""

    def torn_from(self, text: str) -> str:
        """Returns the word of which a text was made; "" for one that the program has, or that is
        like no word."""
        if len(text) < MOST_CUT or len(text) > 2 * MOST_CUT + 40 or self.vocabulary.has(text):
            return ""
        names = self.vocabulary.names
        if len(names) != self._indexed:
            self._indexed = len(names)
            words = sorted(filter(WORD.fullmatch, names))
            self._cut = {part: word for word in words for part in _without_some(word)}
        longer = (part for part in _without_some(text) if part in names and WORD.fullmatch(part))
        return next(longer, "") or self._cut.get(text, "")

    def oddness(self, expression: str) -> float:
        """Returns the cost of the words in an expression that were cut or joined."""
        node = shared_expression(expression) if expression[:1] in "[{(" else None
        return TORN * sum(bool(self.torn_from(text)) for _, text in _texts_of(node))

    def variants(self, call: Call) -> Iterator[Call]:
        """Yields the call without the items and keys that were cut or joined, with a plain word in
        the place of each, and with the word of which it was made; with a plain word for a word of
        its own that is made up."""
        for name, value in call.values:
            for other in dict.fromkeys(self._instead(value)):
                yield call.with_value(name, other)
        for at, value in enumerate(call.extra):
            for other in dict.fromkeys(self._instead(value)):
                yield call.with_extra(at, other)

    def _instead(self, value: str) -> Iterator[str]:
        node = shared_expression(value) if value[:1] in "'\"[{(" else None
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if WORD.fullmatch(node.value) and self.vocabulary.made_up(node.value):
                yield repr(PLAIN)
            return
        torn = [(part, word) for part, text in _texts_of(node) if (word := self.torn_from(text))]
        if node is None or not torn:
            return
        left_out = _Leaving(part for part, _ in torn).visit(ast.parse(value, mode="eval").body)
        yield ast.unparse(left_out)
        for part, word in torn:
            for text in (PLAIN, word):
                new = written_with(node, part, ast.Constant(text))
                yield from [new] if new is not None else ()


class _Leaving(ast.NodeTransformer):
    """Leaves out the items and keys that are texts of these nodes."""

    def __init__(self, nodes: Iterable[ast.Constant]) -> None:
        self.texts = {node.value for node in nodes}

    def visit_Dict(self, node: ast.Dict) -> ast.Dict:
        pairs = zip(node.keys, node.values, strict=True)
        left = [pair for pair in pairs if not (self._is_one(pair[0]) or self._is_one(pair[1]))]
        node.keys = [key for key, _ in left]
        node.values = [self.visit(value) for _, value in left]
        return node

    def visit_List(self, node: ast.List) -> ast.List:
        node.elts = [self.visit(one) for one in node.elts if not self._is_one(one)]
        return node

    def visit_Tuple(self, node: ast.Tuple) -> ast.Tuple:
        node.elts = [self.visit(one) for one in node.elts if not self._is_one(one)]
        return node

    def _is_one(self, node: ast.expr | None) -> bool:
        return isinstance(node, ast.Constant) and node.value in self.texts


def _texts_of(node: ast.expr | None) -> Iterator[tuple[ast.Constant, str]]:
    for part in ast.walk(node) if node is not None else ():
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part, part.value


def _without_some(text: str) -> Iterator[str]:
    """Yields a text without one to a few characters that follow each other."""
    for size in range(1, MOST_CUT + 1):
        if len(text) - size > MOST_CUT:
            yield from (text[:at] + text[at + size :] for at in range(len(text) - size + 1))
