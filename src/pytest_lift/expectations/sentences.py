"""Reads statements about calls from sentences: function, arguments, relation and value.

Only explicit text is read: a value in backticks or quotes, the relation from the words directly
before it, the arguments from a call in backticks or from literals in the same clause. A sentence
with arguments or a condition in prose ("a negative number") gives no statement.
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
from pytest_lift.source.syntax import parsed

LONGEST = 2000
"""Most characters of a sentence that is read."""
MOST_PIECES = 30
"""Most pieces of a clause that is read."""
MOST_NAMED = 20
"""Most functions named earlier in a text that are remembered."""
_CODE = re.compile(r"``[^`]*``|`[^`]*`|\"[^\"]*\"|'[^']*'")


@dataclass(frozen=True)
class Statement:
    """Statement that a call with these arguments has this result."""

    sentence: str
    functions: tuple[str, ...]
    """Names of functions in the same part of the sentence that may be meant, the nearest first."""
    operator: Operator
    value: str
    """Value in normal form; for an exception, its name without module."""
    call: str = ""
    """Call in normal form, if the text writes it with arguments; names in it stand for any
    argument."""
    inputs: frozenset[str] = frozenset()
    """Literals that the call has to get."""
    options: tuple[tuple[str, str], ...] = ()
    """(keyword, value in normal form or "") that the call has to get."""
    absent: frozenset[str] = frozenset()
    """Keywords that the call must not get."""
    names: frozenset[str] = frozenset()
    """Other names in the sentence, such as options or classes, that a test of it uses."""
    source: str = ""
    """The call as it is written."""
    about: tuple[str, ...] = ()
    """Functions named before the sentence, the nearest first; used if the sentence names none."""
    titled: frozenset[str] = frozenset()
    """Names in the title, which a test of any of its sentences uses."""
    is_bare: bool = False
    """Whether the value is no Python expression and is taken as a string."""

    @property
    def is_pinned(self) -> bool:
        """Whether the text says which arguments it is about."""
        return bool(self.inputs) or self.is_written

    @property
    def is_written(self) -> bool:
        """Whether the text writes the call with all of its arguments."""
        return bool(self.call) and is_closed(getattr(parsed(self.call, "eval"), "body", None))

    @property
    def called(self) -> str:
        """Name of the called function, without module."""
        return leaf(self.call)

    @property
    def written_call(self) -> str:
        """Source of the call with its options, if the text writes all of its arguments."""
        if not self.is_written or self.absent or (self.options and self.source[-1] != ")"):
            return ""
        more = [f"{name}={value}" for name, value in self.options]
        if not more:
            return self.source
        between = ", " if not self.source.endswith("()") else ""
        return f"{self.source[:-1]}{between}{', '.join(more)})"


@lru_cache(maxsize=4096)
def statements(requirement: Requirement) -> tuple[Statement, ...]:
    """Returns all statements of the requirement's texts, doctest sessions aside; names in the title
    apply to all."""
    pieces = (p for part in parts_of(requirement.title) for c in part for p in c.pieces)
    title = frozenset(p.text for p in pieces if p.role == "name")
    return tuple(
        replace(one, titled=title - one.absent)
        for about, sentence in _sentences(requirement)
        for one in stated(sentence, about)
    )


def _sentences(requirement: Requirement) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yields (names of functions before the sentence, nearest first; sentence)."""
    said = [point.text for point in points(requirement) if point.kind == "sentence"]
    texts = [requirement.title]
    for text in ("" if ">>>" in requirement.description else requirement.description, *said):
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
    """Returns the sentences below a line such as ``In strict mode:``, which hold only there."""
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


@lru_cache(maxsize=4096)
def stated(sentence: str, about: tuple[str, ...] = ()) -> tuple[Statement, ...]:
    """Returns the statements of one sentence; `about` are functions named before it."""
    found: list[Statement] = []
    if len(sentence) > LONGEST or "?" in _CODE.sub(" ", sentence):
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
    """Yields the statements of a clause; `beside` are functions named by clauses without a
    result."""
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
            continue  # it may be the call that this one is compared with
        if any(names_function(p) and is_of_something(p) for p in clause.pieces[:place]):
            continue
        others = [p for n, p in enumerate(clause.pieces) if n != place]
        scope = [*others, *conditions]
        near = [leaf(p.text) for p in reversed(clause.pieces[:place]) if names_function(p)]
        after = [leaf(p.text) for p in clause.pieces[place + 1 :] if names_function(p)]
        far = [leaf(p.text) for p in beside]
        if len(places) > 1 and not call:
            continue  # the text does not say which of the other values belongs to which
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
            continue  # nor to which of them an option belongs
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
