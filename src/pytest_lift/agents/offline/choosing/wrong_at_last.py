"""Gives cases that fail, when they are chosen, wrong values that are near right ones, or plain."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from pytest_lift.agents.offline.arguments.hints.forms import literal_kind
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.shrinking.simplifying import distance
from pytest_lift.agents.offline.choosing.typed_at_last import may_change
from pytest_lift.agents.offline.natural.fitting.near_misses import (
    LONGEST,
    LONGEST_CODE,
    beyond,
    is_like,
    near_misses,
)
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.search.drafts import Drafts
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.texts.known_texts import text_of, written_like
from pytest_lift.calls.case import Observation, Raised
from pytest_lift.calls.prober import Prober
from pytest_lift.source.syntax import shared_expression, written_with

SECONDS, MOST_TURNS = 2.0, 3
"""Seconds for all cases, and how often one of the values of a case is replaced."""
MOST_RIGHT, MOST_GIVEN, MOST_KNOWN, MOST_TRIED = 3, 6, 20, 40
"""Right texts of a parameter from which wrong ones are made, values that documents or the code give
it, right values that are looked at, and calls that are tried in the place of one."""
SAID = re.compile(r"'[^']*'|\"[^\"]*\"|\d+")
"""What an error quotes: the value that it is about."""
BEGINNING = re.compile(r"(?<=[:'\"] )\w{2,}$|(?<=['\"])\w{2,}(?=['\"])")
"""Word of an error that may be the beginning of a value."""
NOT_SEEN = Observation()
"""Of a case that did not run the same once more."""
LETTERS = frozenset({"'a'", "'b'"})
"""Texts that say nothing of themselves where words are taken."""
PLAIN_WRONG = frozenset({"'a'", "'b'", "'hello'", "''", "None"})
"""Values that anybody types where none of that kind is taken."""
FOR_TEXTS, FOR_OTHERS = ("1", "None"), ("'a'", "1.5", "1", "None")
"""Plain values of a wrong kind, for a parameter that takes texts and for others."""


@dataclass(frozen=True)
class WrongAtLast:
    """Brings wrong values nearer to those that succeed: `right` has these by key and parameter."""

    prober: Prober
    drafts: Drafts
    natural: Naturalness
    right: Mapping[tuple[str, str], Sequence[str]]

    def nearer(self, chosen: Sequence[Chosen]) -> list[Chosen]:
        """Returns the cases; those that end with an error of the program have the first right value
        in the place of each argument that has no part in it, and else a text near a right one, or a
        plain value, for which the same line gives the same error."""
        found = list(chosen)
        waiting = set(range(len(found)))
        until = time.monotonic() + SECONDS
        for _ in range(MOST_TURNS):
            tried = {
                number: self._others(found[number])
                for number in sorted(waiting)
                if time.monotonic() < until - SECONDS / 2
            }
            cases = [one.case for several in tried.values() for one, _ in several]
            left = until - time.monotonic()
            seen = self.prober.observe(cases, left, checked=True) if cases and left > 0 else {}
            waiting = set()
            for number, several in tried.items():
                new = self._first_alike(found[number], several, seen)
                if new.kept.case.key != found[number].kept.case.key:
                    waiting.add(number)
                found[number] = new
        return found

    def _first_alike(
        self,
        old: Chosen,
        several: Sequence[tuple[KeptCase, str]],
        seen: Mapping[str, Observation],
    ) -> Chosen:
        """Returns the case with the first of some values that fails as before; with its own where
        none does, as what is near a right one where that is so."""
        found = old
        for one, text in several:
            new = replace(one, seen=seen.get(one.case.key, NOT_SEEN))
            if old.gain <= new.seen.hits and _fails_alike(old.kept, new):
                self.natural.inputs.exchanged.update(filter(None, [text]))
                assert one.call is not None
                case = self.drafts.priced(one.call, one.case)
                found = replace(old, kept=replace(new, case=case))
                if case.key != old.kept.case.key:
                    break
        return found

    def _others(self, item: Chosen) -> list[tuple[KeptCase, str]]:
        """Returns the case with other values in the place of an argument, each with the text that
        is near a right one; "" where that is right, or plain."""
        call, old = item.kept.call, item.kept.case
        raised = _error(item.kept.seen)
        if call is None or raised is None or not raised.explicit:
            return []
        if old.effect or not may_change(item, self.drafts.write):
            return []
        made_up = {
            name: value
            for name, value in call.values
            if not self.natural.fitness.is_given(call.target, name, value)
        }
        others = (
            *((name, other, "") for name, other in beyond(made_up, raised.message)),
            *(
                (name, other, text)
                for name, value in made_up.items()
                for other, text in self._instead(call.target.key, name, value)
            ),
        )
        calls = ((call.with_value(name, other), text) for name, other, text in others)
        cases = ((one, self.drafts.unpriced(one), new) for one, new in islice(calls, MOST_TRIED))
        return [
            (replace(item.kept, case=case, call=one), new)
            for one, case, new in cases
            if case is not None and case.keywords == old.keywords
        ]

    def _instead(self, key: str, name: str, value: str) -> Iterator[tuple[str, str]]:
        """Yields the likeliest right values (those that documents give where no call has one),
        known ones, texts near right ones, each also as what it is, containers of such, and plain
        values of a wrong kind for what is made by a call, or a name."""
        right = self.right.get((key, name)) or self.natural.fitness.given(key, name)[:MOST_GIVEN]
        texts = [(one, text) for one in right if (text := text_of(one))]
        unlike = not any(_are_alike(value, one) for one in right)
        short = [one for one in right if len(one) <= LONGEST][:MOST_RIGHT] if unlike else []
        yield from ((one, "") for one in short)
        if value not in PLAIN_WRONG and not _is_near(text_of(value), texts):
            known = self.natural.fitness.given(key, name)[:MOST_GIVEN]
            yield from ((one, "") for one in known if len(one) <= LONGEST)
        yield from self._near(key, name, value, texts)
        yield from ((other, "") for one in short for other in _with_unknown(one))
        made = isinstance(shared_expression(value), ast.Call | ast.Name | ast.Lambda)
        if made and unlike and right:
            yield from ((one, "") for one in (FOR_TEXTS if texts else FOR_OTHERS))

    def _near(
        self, key: str, name: str, value: str, texts: Sequence[tuple[str, str]]
    ) -> Iterator[tuple[str, str]]:
        """Yields texts near right ones as sources and as what they are, the value itself where it
        is one; none where it is plain, like a right one or known, but a word for a letter."""
        text, first = text_of(value), texts[:MOST_RIGHT]
        if _is_near(text, texts):
            yield value, text
            return
        if value in LETTERS:
            first = [pair for pair in first if pair[1].isalpha() and len(pair[1]) > LONGEST_CODE]
        elif value in PLAIN_WRONG or any(is_like(text, one) for _, one in texts):
            return
        if text not in self.natural.known_texts.of(key, name):
            near = ((written_like(one, new), new) for one, it in first for new in near_misses(it))
            yield from dict.fromkeys(near)


def _is_near(text: str, texts: Sequence[tuple[str, str]]) -> bool:
    """Whether a text is near one of the first right ones."""
    return any(text in near_misses(one) for _, one in texts[:MOST_RIGHT])


def _with_unknown(right: str) -> Iterator[str]:
    """Yields a container with a text in it that is near a right one."""
    node = shared_expression(right)
    items = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else []
    for item in items:
        match item:
            case ast.Constant(value=str(text)) if node is not None:
                near = (written_with(node, item, ast.Constant(one)) for one in near_misses(text))
                yield from islice(filter(None, near), 1)


def _are_alike(value: str, right: str) -> bool:
    """Whether a value is of the kind of a right one: a text with letters, digits and marks at the
    same places, another literal of that kind, a name, or what the same function makes."""
    nodes = shared_expression(value), shared_expression(right)
    if isinstance(nodes[0], ast.Call) and isinstance(nodes[1], ast.Call):
        return ast.unparse(nodes[0].func) == ast.unparse(nodes[1].func)
    if text := text_of(right):
        return value[:1] == right[:1] and is_like(text_of(value), text)
    kinds = [_kinds(node) for node in nodes if node is not None]
    return value == right or (len(kinds) == 2 and kinds[0] == kinds[1])


def _kinds(node: ast.expr) -> tuple[str, ...]:
    """Returns the kind of an expression, and those of the items that a container has."""
    items = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else []
    inside = sorted({literal_kind(one) or type(one).__name__ for one in items})
    return literal_kind(node) or type(node).__name__, *inside


def right_values(
    kept: Iterable[KeptCase], natural: Naturalness
) -> dict[tuple[str, str], list[str]]:
    """Returns the arguments with which calls succeed, by the keys of their targets and the names of
    parameters: those first that a person types, then those of the plainest calls."""
    found: dict[tuple[str, str], dict[str, bool]] = {}
    for one in sorted(kept, key=distance):
        if one.call is not None and not one.seen.fails:
            for part in one.call.chain:
                for name, value in part.values:
                    typed = value in natural.typed(part.target, name)
                    found.setdefault((part.target.key, name), {})[value] = not typed
    return {
        key: sorted(values, key=values.__getitem__)[:MOST_KNOWN] for key, values in found.items()
    }


def _error(seen: Observation) -> Raised | None:
    return seen.outcomes[-1].raised if seen.outcomes else None


def _fails_alike(old: KeptCase, new: KeptCase) -> bool:
    """Whether the same line ends both with the same error, whatever value that quotes."""
    one, other = _error(old.seen), _error(new.seen)
    if one is None or other is None or not new.seen.usable:
        return False
    same = (one.type, one.file, one.line) == (other.type, other.file, other.line)
    return same and _said(old, one) == _said(new, other)


def _said(kept: KeptCase, error: Raised) -> str:
    """Returns the message of an error without the values that are quoted in it, and what is in
    them."""
    values = [value for _, value in kept.call.values] if kept.call is not None else []
    nodes = [node for value in values if (node := shared_expression(value)) is not None]
    parts = (part for node in nodes for part in ast.walk(node))
    inside = [str(one.value) for one in parts if isinstance(one, ast.Constant)]
    said = error.message
    for shown in sorted({*filter(None, (*values, *inside))}, key=len, reverse=True):
        said = re.sub(rf"(?<!\w){re.escape(shown)}(?!\w)", "", said)
    begun = tuple(one.lower() for one in inside)
    said = BEGINNING.sub(lambda word: "" if _begins(word[0], begun) else word[0], said)
    return SAID.sub("", said)


def _begins(word: str, texts: Iterable[str]) -> bool:
    """Whether a word is the beginning of a text: ``language: sa`` of ``'Saturday'``."""
    return any(one.startswith(word.lower()) for one in texts)
