"""Finds texts that a person types in the place of those that a search made up."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, zip_longest

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.trees.nodes import node_of
from pytest_lift.agents.offline.texts.edits import with_another, with_one_more, without_one
from pytest_lift.agents.offline.texts.known_texts import KnownTexts, text_of, written_like
from pytest_lift.agents.offline.texts.tidy import is_untidy, open_brackets, tidied
from pytest_lift.agents.offline.texts.undoing import undone
from pytest_lift.agents.offline.texts.vocabulary import Vocabulary
from pytest_lift.calls.call import Call
from pytest_lift.calls.cost import noise_of
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import shared_expression, written_with

MOST_NEAR, MOST_BETWEEN = 16, 48
"""Known texts that are tried in the place of one, and texts between it and these."""
TOKEN = re.compile(r"\w+|\s+|([^\w\s])\1*")
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\xa0\u2028\u2029]")
STRANGE, PLAIN_STRANGE = re.compile(r"[^\x00-\xff]"), "é"
"""Character that stands in few texts, and one that a person types where another one is needed."""
MIXED = re.compile(r"[^\w\s]{2,}")
FILE = re.compile(r"[\w./-]*\.\w{2,5}")
"""Name of a file, which is no text to be changed."""
LONGEST, MOST_BASES = 80, 12
"""Characters of a known text that is changed, and most such texts of one parameter."""
LONGEST_EXCHANGED, MOST_EXCHANGED = 400, 300
"""Characters of a known text in which words of one role are exchanged, and most texts that are
made of it."""
MOST_COMPARED = 3
"""First known texts of two parameters by which these read the same."""
EDITS: tuple[Callable[[str, Iterable[str]], Iterator[str]], ...] = (
    lambda text, _: without_one(text),
    with_another,
    with_one_more,
)
"""Changes of a known text, the plainest first."""


class PlainTexts:
    """Knows which texts of a call nobody types, and what may stand in their place."""

    def __init__(self, inputs: Inputs, vocabulary: Vocabulary) -> None:
        self.inputs = inputs
        self.vocabulary = vocabulary
        self.known = KnownTexts(inputs)

    def is_noisy(self, call: Call) -> bool:
        """Whether a call, or one before it, has a text that nobody types."""
        return any(
            self._is_made_up(part.target, name, value)
            for part in call.chain
            for name, value in part.values
        )

    def others(self, call: Call) -> Iterator[Call]:
        """Yields a call with plainer texts in the place of those that nobody types."""
        for name, value in call.values:
            if self._is_made_up(call.target, name, value):
                for other in self._instead_of(call.target, name, value):
                    yield call.with_value(name, other)
        if call.receiver is not None:
            yield from (call.but(receiver=one) for one in self.others(call.receiver))
        for at, line in enumerate(call.before):
            for other_line in self.others(line):
                yield call.but(before=(*call.before[:at], other_line, *call.before[at + 1 :]))

    def broken(self, calls: Iterable[Call]) -> Iterator[Call]:
        """Yields calls with texts that people write, with one thing left out of each."""
        for call in calls:
            for name, value in call.values:
                known = self.inputs.typed_texts(call.target, name)
                for new in _changed(value, broken) if value in known else ():
                    yield call.with_value(name, new)

    def edited(self, calls: Iterable[Call]) -> Iterator[Call]:
        """Yields calls with known texts in which one token is changed, of all calls the plainest
        changes first; for one of the parameters that read the same."""
        bases = [*self._bases(calls)]
        seen: set[tuple[str, ...]] = set()
        for change in EDITS:
            for call, name, text in bases:
                known = self.known.of(call.target.key, name)
                for new in change(text, known):
                    mark = (*known[:MOST_COMPARED], new)
                    if new and mark not in seen:
                        seen.add(mark)
                        yield call.with_value(name, written_like(call.given[name], new))

    def exchanged(self, calls: Iterable[Call]) -> Iterator[Call]:
        """Yields calls with known texts in which one word of the program gives way to another one
        of its role: ``"3 weeks"`` for ``"3 days"``; for one of the parameters that read the
        same."""
        seen: set[tuple[str, ...]] = set()
        for call, name, text in self._bases(calls, LONGEST_EXCHANGED):
            mark = (*self.known.of(call.target.key, name)[:MOST_COMPARED], text)
            new_texts = self.inputs.roles.exchanged(text) if mark not in seen else ()
            seen.add(mark)
            for new in islice(new_texts, MOST_EXCHANGED):
                self.inputs.exchanged.add(new)
                yield call.with_value(name, written_like(call.given[name], new))

    def _bases(
        self, calls: Iterable[Call], longest: int = LONGEST
    ) -> Iterator[tuple[Call, str, str]]:
        """Yields (call, parameter, known text that it is given), each text of a parameter once."""
        seen: dict[tuple[str, str], set[str]] = {}
        for call in calls:
            for name, value in call.values:
                text = text_of(value)
                known = seen.setdefault((call.target.key, name), set())
                if not 1 < len(text) <= longest or text in known or len(known) == MOST_BASES:
                    continue
                if not FILE.fullmatch(text) and text in self.known.of(call.target.key, name):
                    known.add(text)
                    yield call, name, text

    def _is_made_up(self, target: Target, name: str, value: str) -> bool:
        if ("'" not in value and '"' not in value) or node_of(value) is not None:
            return False  # a text of Python is made plainer by what stands in it
        key = (target.key, name)
        pools = self.inputs.read, self.inputs.documented, self.inputs.used, self.inputs.passed
        if any(value in pool.get(key, ()) for pool in pools):
            return False
        texts = [text for _, text in _texts_in(value)]
        odd = noise_of(value) > 0 or self.known.far(target.key, name, value)
        return bool(odd) or any(self.vocabulary.made_up(one) or is_untidy(one) for one in texts)

    def _instead_of(self, target: Target, name: str, value: str) -> Iterator[str]:
        """Yields expressions in the place of one: known ones and some between it and these, and it
        with plainer texts."""
        key = (target.key, name)
        pools = self.inputs.documented, self.inputs.read
        known = [one for pool in pools for one in pool.get(key, ()) if one != value]
        between: list[str] = []
        if (text := text_of(value)) and self.known.far(*key, value):
            fewer = islice(undone(text, tuple(self.known.of(*key))), MOST_BETWEEN)
            between = [written_like(value, one) for _, one in fewer]
        plainer = _changed(value, plainer_texts)
        for several in zip_longest(plainer, nearest(value, known)[:MOST_NEAR], between):
            yield from (one for one in several if one is not None)


def nearest(text: str, known: Iterable[str]) -> list[str]:
    """Returns known texts, those first that have the marks of a text, and few others."""
    marks = {char for char in text if not (char.isalnum() or char.isspace())}

    def distance(other: str) -> tuple[int, int]:
        own = {char for char in other if not (char.isalnum() or char.isspace())}
        return 2 * len(marks - own) + len(own - marks), len(other)

    return sorted(known, key=distance)


def plainer_texts(text: str) -> Iterator[str]:
    """Yields a text with the blanks that a person types and the brackets that it lacks, without
    characters that control, and without each kind of its marks where several stand in a
    row."""
    if is_untidy(text):
        yield from tidied(text)
    if missing := open_brackets(text):
        yield text + missing
    clean = CONTROLS.sub("\n", text.replace("\r\n", "\n"))
    if clean != text:
        yield clean
        yield CONTROLS.sub("", text)
    if STRANGE.search(text):
        yield STRANGE.sub(PLAIN_STRANGE, text)
    for run in dict.fromkeys(MIXED.findall(clean)):
        for mark in dict.fromkeys(run):
            yield clean.replace(run, run.replace(mark, ""))
    yield from (clean.replace(mark, "") for mark in dict.fromkeys(re.findall(r"[^\w\s]", clean)))


def broken(text: str) -> Iterator[str]:
    """Yields a text with one token less, and cut off before one."""
    tokens = [found[0] for found in TOKEN.finditer(text)]
    for at, token in enumerate(tokens):
        if not token.isspace():
            yield "".join(tokens[:at] + tokens[at + 1 :])
            yield "".join(tokens[:at])


def _changed(value: str, change: Callable[[str], Iterator[str]]) -> Iterator[str]:
    """Yields an expression with what one of its texts may become."""
    tree = shared_expression(value)
    for node, old in _texts_in(value):
        for text in change(old):
            content = text if isinstance(node.value, str) else text.encode("latin-1", "ignore")
            new = written_with(tree, node, ast.Constant(content)) if tree is not None else None
            yield from [new] if new is not None else ()


def _texts_in(value: str) -> list[tuple[ast.Constant, str]]:
    """Returns the texts in an expression, bytes as if each stood for a character."""
    tree = shared_expression(value)
    found: list[tuple[ast.Constant, str]] = []
    for node in ast.walk(tree) if tree is not None else ():
        content = node.value if isinstance(node, ast.Constant) else None
        if isinstance(node, ast.Constant) and isinstance(content, str | bytes):
            found.append((node, content if isinstance(content, str) else content.decode("latin-1")))
    return found
