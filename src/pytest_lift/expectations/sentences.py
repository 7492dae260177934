"""What the sentences of a requirement state of calls: function, arguments, relation and value.

Only what is written out is read: a value in backticks or quotes, the relation from the words right
before it, the arguments from a call in backticks or from literals in the same clause. A sentence of
which the arguments, or a condition, are told in prose ("a negative number") states nothing here.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pytest_lift.acceptance import points, sentences_of
from pytest_lift.expectations.clauses import (
    MESSAGE,
    Operator,
    has_open_condition,
    is_denied,
    is_direct,
    is_left_out,
    is_of_something,
    is_open_condition,
    is_unsure,
    operator_of,
    results,
)
from pytest_lift.expectations.pieces import (
    Clause,
    Piece,
    is_closed,
    leaf,
    names_function,
    parts_of,
    setting,
)
from pytest_lift.normal_form import parsed
from pytest_lift.requirements import Requirement

LONGEST = 2000
"""Characters of a sentence that is read."""


@dataclass(frozen=True)
class Statement:
    """That a call with these arguments has this result."""

    sentence: str
    functions: tuple[str, ...]
    """Leaf names in its own part of the sentence that may be meant, the nearest first."""
    operator: Operator
    value: str
    """In normal form; of an exception, its leaf name."""
    call: str = ""
    """In normal form, where the text writes it with arguments; names in it are any argument."""
    inputs: frozenset[str] = frozenset()
    """Literals that the call has to get."""
    options: tuple[tuple[str, str], ...] = ()
    """(keyword, value in normal form or "") that it has to get."""
    absent: frozenset[str] = frozenset()
    """Keywords that it must not get."""
    names: frozenset[str] = frozenset()
    """What else the sentence names, an option or a class: a test of it uses them."""
    source: str = ""
    """The call as it is written."""
    about: tuple[str, ...] = ()
    """What the text names before it, the nearest first: meant where it names none itself."""

    @property
    def is_pinned(self) -> bool:
        """Whether the text says of which arguments it speaks."""
        return bool(self.inputs) or self.is_written

    @property
    def is_written(self) -> bool:
        """Whether the text writes the call with all of its arguments."""
        return bool(self.call) and is_closed(getattr(parsed(self.call, "eval"), "body", None))

    @property
    def called(self) -> str:
        """The leaf name of what `call` calls."""
        return leaf(self.call)

    @property
    def written_call(self) -> str:
        """The call with its options as source, where the text writes all of its arguments."""
        if not self.is_written or self.absent or (self.options and self.source[-1] != ")"):
            return ""
        more = [f"{name}={value}" for name, value in self.options]
        if not more:
            return self.source
        between = ", " if not self.source.endswith("()") else ""
        return f"{self.source[:-1]}{between}{', '.join(more)})"


@lru_cache(maxsize=4096)
def statements(requirement: Requirement) -> tuple[Statement, ...]:
    """All that its texts state, but for doctest sessions; what the title names, all is about."""
    pieces = (p for part in parts_of(requirement.title) for c in part for p in c.pieces)
    title = frozenset(p.text for p in pieces if p.role == "name")
    return tuple(
        replace(one, names=one.names | (title - one.absent))
        for about, sentence in _sentences(requirement)
        for one in stated(sentence, about)
    )


def _sentences(requirement: Requirement) -> Iterator[tuple[tuple[str, ...], str]]:
    """(names of functions in what comes before, nearest first; sentence)."""
    said = [point.text for point in points(requirement) if point.kind == "sentence"]
    texts = [requirement.title]
    for text in (_prose(requirement.description), *said):
        texts += sentences_of(text)
    named: tuple[str, ...] = ()
    for text in texts:
        yield named, text
        clauses = [clause for part in parts_of(text) for clause in part]
        here = [
            piece.text for clause in clauses for piece in clause.pieces if names_function(piece)
        ]
        named = tuple(dict.fromkeys([*map(leaf, reversed(here)), *named]))


def _prose(text: str) -> str:
    return "" if ">>>" in text else text


@lru_cache(maxsize=4096)
def stated(sentence: str, about: tuple[str, ...] = ()) -> tuple[Statement, ...]:
    """What one sentence states; `about` are functions that the text named before it."""
    found: list[Statement] = []
    if len(sentence) > LONGEST:
        return ()
    before = list(about)
    for clauses in parts_of(sentence):
        beside = [clause for clause in clauses if not results(clause)]
        conditions = [piece for clause in beside for piece in clause.pieces]
        told = not any(map(is_open_condition, beside))
        for clause in clauses:
            if told and not has_open_condition(clause):
                found += _of_clause(clause, conditions, sentence, before)
            before[:0] = [leaf(p.text) for p in reversed(clause.pieces) if names_function(p)]
    return tuple(found)


def _of_clause(
    clause: Clause, conditions: Sequence[Piece], sentence: str, about: Sequence[str]
) -> Iterator[Statement]:
    places = results(clause)
    for place in places:
        piece, operator = clause.pieces[place], operator_of(clause, place)
        assert operator is not None
        earlier = max((n for n in places if n < place), default=-1)
        calls = [p for p in clause.pieces[earlier + 1 : place] if p.role == "call"]
        call = calls[-1] if calls else None
        if call is not None and not (clause.pieces[place - 1] is call and is_direct(piece)):
            continue
        if any(names_function(p) and is_of_something(p) for p in clause.pieces[:place]):
            continue
        others = [p for n, p in enumerate(clause.pieces) if n != place]
        scope = [*others, *conditions]
        near = [leaf(p.text) for p in reversed(clause.pieces[:place]) if names_function(p)]
        after = [leaf(p.text) for p in clause.pieces[place + 1 :] if names_function(p)]
        far = [leaf(p.text) for p in conditions if names_function(p)]
        if len(places) > 1 and not call:
            continue  # which of the other values belongs to which is not said
        own = scope if len(places) == 1 else [*calls, *conditions]
        literals = [p for p in own if p.role == "literal"]
        if operator == "raises":
            literals = [p for p in literals if not MESSAGE & {*p.before[-2:]}]
        literals = [p for p in literals if not is_denied(p)]
        if any(map(is_unsure, [*literals, piece])):
            continue
        errors = [p for p in others if p.role == "error"]
        if errors and piece.role != "error":
            continue
        options = [p for p in own if p.role == "option"]
        named = [p for p in own if p.role == "name" and not hasattr(builtins, p.text)]
        absent = {setting(p.text)[0] for p in options if is_left_out(p)}
        absent |= {p.text for p in named if is_left_out(p)}
        yield Statement(
            sentence,
            tuple(dict.fromkeys([*near, *after, *far])),
            operator,
            piece.text,
            call.text if call else "",
            frozenset(p.text for p in literals),
            tuple(setting(p.text) for p in options if not is_left_out(p)),
            frozenset(absent),
            frozenset(p.text for p in named) - absent,
            call.source if call else "",
            tuple(dict.fromkeys(about)),
        )
