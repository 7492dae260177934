"""What the sentences of a requirement state of calls: function, arguments, relation and value.

Only what is written out is read: a value in backticks or quotes, the relation from the words right
before it, the arguments from a call in backticks or from literals in the same clause. A sentence of
which the arguments, or a condition, are told in prose ("a negative number") states nothing here.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pytest_lift.expectations.clauses import (
    MESSAGE,
    Operator,
    has_open_condition,
    is_argument,
    is_asserted,
    is_denied,
    is_direct,
    is_heading,
    is_left_out,
    is_of_something,
    is_only_values,
    is_open_condition,
    is_unsure,
    operator_of,
    results,
    tells_options,
)
from pytest_lift.expectations.pieces import (
    Clause,
    Piece,
    is_closed,
    is_number,
    leaf,
    names_function,
    parts_of,
    setting,
)
from pytest_lift.requirements.points import BULLET, points, sentences_of
from pytest_lift.requirements.requirement import Requirement
from pytest_lift.source.normal_form import parsed

LONGEST = 2000
"""Characters of a sentence that is read."""
MOST_PIECES = 30
"""In a clause that is read."""
MOST_NAMED = 20
"""Functions that a text has named before which are kept in mind."""
_CODE = re.compile(r"``[^`]*``|`[^`]*`|\"[^\"]*\"|'[^']*'")


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
    titled: frozenset[str] = frozenset()
    """What the title names: a test of any of its sentences uses them."""
    is_bare: bool = False
    """The value is no Python: it is taken for a text."""

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
        replace(one, titled=title - one.absent)
        for about, sentence in _sentences(requirement)
        for one in stated(sentence, about)
    )


def _sentences(requirement: Requirement) -> Iterator[tuple[tuple[str, ...], str]]:
    """(names of functions in what comes before, nearest first; sentence)."""
    said = [point.text for point in points(requirement) if point.kind == "sentence"]
    texts = [requirement.title]
    for text in (_prose(requirement.description), *said):
        texts += sentences_of(text)
    within = _under_headings(requirement)
    named: tuple[str, ...] = ()
    for text in texts:
        if text not in within:
            yield named, text
        clauses = [clause for part in parts_of(text) for clause in part]
        here = [
            piece.text for clause in clauses for piece in clause.pieces if names_function(piece)
        ]
        named = tuple(dict.fromkeys([*map(leaf, reversed(here)), *named]))[:MOST_NAMED]


def _under_headings(requirement: Requirement) -> frozenset[str]:
    """The sentences that stand below a line such as ``In strict mode:``: they hold there only."""
    found: list[str] = []
    below = False
    for entry in requirement.acceptance:
        for line in entry.splitlines():
            text = line.strip()
            if text.endswith(":"):
                below = any(is_heading(clause) for part in parts_of(text) for clause in part)
            elif text and below:
                found += [*sentences_of(BULLET.sub("", line)), *sentences_of(text), text]
        if below and not entry.rstrip().endswith(":") and "\n" in entry:
            found += sentences_of(entry)
    return frozenset(found)


def _outside_code(sentence: str) -> str:
    return _CODE.sub(" ", sentence)


def _prose(text: str) -> str:
    return "" if ">>>" in text else text


@lru_cache(maxsize=4096)
def stated(sentence: str, about: tuple[str, ...] = ()) -> tuple[Statement, ...]:
    """What one sentence states; `about` are functions that the text named before it."""
    found: list[Statement] = []
    if len(sentence) > LONGEST or "?" in _outside_code(sentence):
        return ()
    before = list(about)
    for clauses in parts_of(sentence):
        if any(len(clause.pieces) > MOST_PIECES for clause in clauses):
            continue
        beside = [clause for clause in clauses if not results(clause)]
        conditions = [p for clause in beside if tells_options(clause) for p in clause.pieces]
        told = not any(map(is_open_condition, beside)) and not any(map(is_only_values, beside))
        told = told and not any(map(is_heading, beside[:1] if clauses[0] in beside[:1] else ()))
        told = told and not any(results(c) and has_open_condition(c) for c in clauses)
        for clause in clauses:
            if told and not has_open_condition(clause):
                names = [p for one in beside for p in one.pieces if names_function(p)]
                found += _of_clause(clause, conditions, names, sentence, before)
            before[:0] = [leaf(p.text) for p in reversed(clause.pieces) if names_function(p)]
    return tuple(found)


def _of_clause(
    clause: Clause,
    conditions: Sequence[Piece],
    beside: Sequence[Piece],
    sentence: str,
    about: Sequence[str],
) -> Iterator[Statement]:
    """`beside` are functions that clauses without a result name."""
    places = results(clause)
    for place in places:
        piece, operator = clause.pieces[place], operator_of(clause, place)
        assert operator is not None
        earlier = max((n for n in places if n < place), default=-1)
        if any(p.role == "other" for p in clause.pieces):
            continue
        calls = [p for p in clause.pieces[earlier + 1 : place] if p.role == "call"]
        call = calls[-1] if calls else None
        if call is not None and not (clause.pieces[place - 1] is call and is_direct(piece)):
            continue
        if call is not None and (len(calls) > 1 or not is_asserted(call)):
            continue
        if call is not None and is_argument(clause, call):
            continue
        if any(p.role == "call" for p in clause.pieces[place + 1 :]) and len(places) == 1:
            continue  # it may be what this is held against
        if any(names_function(p) and is_of_something(p) for p in clause.pieces[:place]):
            continue
        others = [p for n, p in enumerate(clause.pieces) if n != place]
        scope = [*others, *conditions]
        near = [leaf(p.text) for p in reversed(clause.pieces[:place]) if names_function(p)]
        after = [leaf(p.text) for p in clause.pieces[place + 1 :] if names_function(p)]
        far = [leaf(p.text) for p in beside]
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
        if len(places) > 1 and any(p.role == "option" for p in clause.pieces):
            continue  # nor which of them an option belongs to
        named = [p for p in own if p.role == "name" and not hasattr(builtins, p.text)]
        absent = {setting(p.text)[0] for p in options if is_left_out(p)}
        absent |= {p.text for p in named if is_left_out(p)}
        yield Statement(
            sentence,
            tuple(dict.fromkeys([*near, *after, *far])),
            operator,
            piece.text,
            call.text if call else "",
            frozenset(p.text for p in literals if not (p.bare and is_number(p.text))),
            tuple(setting(p.text) for p in options if not is_left_out(p)),
            frozenset(absent),
            frozenset(p.text for p in named) - absent,
            call.source if call else "",
            tuple(dict.fromkeys(about)),
            is_bare=piece.bare and not is_number(piece.text) and piece.role == "literal",
        )
