"""Counts and undoes the edits by which the texts of a call differ from those that people write."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from pytest_lift.agents.offline.texts.known_texts import MANY, KnownTexts, content_of, is_of_words
from pytest_lift.agents.offline.texts.strangeness import is_of_format
from pytest_lift.agents.offline.texts.undoing import edits_of, undone
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import leaf, shared_expression, written_with

MOST_UNDONE = 24
"""Most texts that are tried in the place of one."""
STREAMS = frozenset({"StringIO", "BytesIO"})
LONGEST = 400
"""Characters of a text of which edits are counted."""


@dataclass(frozen=True)
class EditedTexts:
    """Compares the texts in the arguments of calls with the nearest known texts."""

    known: KnownTexts

    def edits(self, call: Call) -> float:
        """Returns how many edits of known texts the texts of a call are, those of its object and
        of the calls before it included."""
        pairs = ((part.target, name, value) for part in call.chain for name, value in part.values)
        return sum(self._edits(*one) for one in pairs)

    def most_edits(self, call: Call) -> float:
        """Returns the most edits of a text of the last call, of those that are compared with many
        known ones."""
        key = call.target.key
        many = [row for row in call.values if len(self.known.of(key, row[0])) >= MANY]
        return max((self._edits(call.target, *row) for row in many), default=0.0)

    def variants(self, call: Call) -> Iterator[tuple[float, Call]]:
        """Yields (by how many edits it has fewer, call) with another text in the place of one."""
        for name, value in call.values:
            for fewer, other in self._undone(call.target, name, value):
                yield fewer, call.with_value(name, other)
        if call.receiver is not None:
            for fewer, receiver in self.variants(call.receiver):
                yield fewer, call.but(receiver=receiver)
        for at, line in enumerate(call.before):
            for fewer, other_line in self.variants(line):
                before = (*call.before[:at], other_line, *call.before[at + 1 :])
                yield fewer, call.but(before=before)

    def _edits(self, target: Target, name: str, value: str) -> float:
        known = self._bases(target, name, value)
        if not known:
            return 0.0
        texts = (text for _, text in _texts_in(value) if _is_edited(text, known))
        return sum(edits_of(text, known) for text in texts)

    def _undone(self, target: Target, name: str, value: str) -> Iterator[tuple[float, str]]:
        known = self._bases(target, name, value)
        tree = shared_expression(value) if known else None
        if tree is None:
            return
        for node, text in _texts_in(value):
            if not _is_edited(text, known):
                continue
            before = edits_of(text, known)
            for edits, other in islice(undone(text, known), MOST_UNDONE):
                as_bytes = isinstance(node.value, bytes)
                content = other.encode("latin-1", "ignore") if as_bytes else other
                if (new := written_with(tree, node, ast.Constant(content))) is not None:
                    yield before - edits, new

    def _bases(self, target: Target, name: str, value: str) -> tuple[str, ...]:
        """Returns the known texts of a parameter; those inside of containers, and lines, for what
        is a container itself."""
        whole = self.known.of(target.key, name)
        if content_of(value) or not _texts_in(value):
            return tuple(whole)
        inputs = self.known.inputs
        pools = (inputs.documented, inputs.used, inputs.passed)
        given = (one for pool in pools for one in pool.get((target.key, name), ()))
        inside = (text for one in given for _, text in _texts_in(one))
        lines = (line for text in whole for line in text.splitlines(keepends=True))
        return tuple(dict.fromkeys((*inside, *_both_ways(lines))))


def _is_edited(text: str, known: Collection[str]) -> bool:
    """Whether a text is none that is known, of a parameter or a format, and no words alone."""
    return not (text in known or is_of_format(text) or is_of_words(text))


def _both_ways(lines: Iterable[str]) -> Iterator[str]:
    """Yields lines with and without their end."""
    for line in lines:
        yield line
        yield line.rstrip("\r\n")


def _texts_in(value: str) -> list[tuple[ast.Constant, str]]:
    """Returns the texts that an argument is, or has as its items, or that a stream holds, bytes as
    if each stood for a character; none of other objects."""
    tree = shared_expression(value) if "'" in value or '"' in value else None
    parts = [*ast.walk(tree)] if tree is not None else []
    if any(isinstance(part, ast.Call) and leaf(part.func) not in STREAMS for part in parts):
        return []
    found: list[tuple[ast.Constant, str]] = []
    for node in parts:
        content = node.value if isinstance(node, ast.Constant) else None
        text = content.decode("latin-1") if isinstance(content, bytes) else content
        if isinstance(node, ast.Constant) and isinstance(text, str) and len(text) <= LONGEST:
            found.append((node, text))
    return found
