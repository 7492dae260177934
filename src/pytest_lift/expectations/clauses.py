"""Classifies the words around the pieces of a clause: result, argument, negation, condition."""

from __future__ import annotations

import re
from typing import Literal

from pytest_lift.expectations.pieces import FILLERS, Clause, Piece, is_number

Operator = Literal["==", "<", "<=", ">", ">=", "raises"]

_NEGATIONS = frozenset(
    "not never nor neither no cannot isn't doesn't don't won't can't aren't instead rather without "
    "except unless but other than".split()
)
_BOUNDS: tuple[tuple[str, Operator], ...] = (
    ("no more than", "<="),
    ("not more than", "<="),
    ("no less than", ">="),
    ("not less than", ">="),
    ("no fewer than", ">="),
    ("less than or equal to", "<="),
    ("greater than or equal to", ">="),
    ("at most", "<="),
    ("up to", "<="),
    ("at least", ">="),
    ("less than", "<"),
    ("fewer than", "<"),
    ("smaller than", "<"),
    ("lower than", "<"),
    ("below", "<"),
    ("under", "<"),
    ("more than", ">"),
    ("greater than", ">"),
    ("larger than", ">"),
    ("higher than", ">"),
    ("above", ">"),
    ("over", ">"),
    ("exceeds", ">"),
)
_PRODUCING = frozenset(
    "is are be gives give returns return becomes become equals equal produces produce stays stay "
    "remains remain -> => "
    "\N{RIGHTWARDS ARROW}".split()
)
"""Words before a result; what is printed or yielded need not be a result."""
_TURNING = frozenset("as to into".split())
"""Words before a result if they follow a verb of conversion:"""
_CONVERTING = re.compile(
    r"(?:convert|turn|map|translate|change|encode|decode|render|format|parse|read|written|spell"
    r"|expand|shorten|evaluate|round)(?:s|es|ed)?"
)
_DIRECT = frozenset(
    "will must should shall it which that both always then exactly also therefore "
    "back has have a result value of equal to than or and".split()
)
"""Words that may stand between a call and its result; any noun may change what is described."""
MESSAGE = frozenset("message text saying reads".split())
_RESULTS = frozenset("result results value output call".split())
_RAISING = frozenset("raise raises raised raising throws throw".split())
_DENYING = _NEGATIONS - frozenset("without except unless but other than".split()) | frozenset(
    "nobody nothing none hardly rarely refuses refuse refused avoids avoid stops prevents prevent "
    "formerly previously unlike wrong wrongly may might could can would assuming".split()
)
"""Words with which a sentence denies, doubts, or refers to another time or place."""
_NEUTRAL = frozenset(
    "so then and thus hence for example instance the a call result of that here now eg".split()
)
"""Words that may stand before a written call; after other words the call is not asserted."""
_UNSURE = frozenset("or between either from default defaults usually about roughly".split())
_CONDITIONS = frozenset(
    "when whenever if unless after once until till while before where during otherwise provided "
    "as first second next last again later".split()
)
"""Words of a condition or of a state to which a sentence is limited."""
_JOINING = frozenset("and but or so then however also even only yet thus hence".split())
_PREPOSITIONS = frozenset("with without for in on by under given inside outside at".split())
_UNCONDITIONAL = re.compile(
    r"\b(?:for (?:example|instance)|in other words|in turn|in short|by default|as (?:well|such|an "
    r"example)|at (?:most|least)|at once|once more|as it is|as (?=(?:the|an?|well)\b))"
)
"""Phrases that look like a condition but are none."""
_OF_OPTIONS = frozenset(
    "when if unless with without is are given set passed used true the option options argument "
    "arguments keyword parameter flag and both for in by on value text string number input word "
    "of an a it to also only".split()
)
"""Words that only describe options and arguments."""
_WITHOUT = frozenset("without unless not no except".split())
_BOUND = re.compile("|".join(rf"\b{said}\b" for said, _ in _BOUNDS if " " in said))
_USED_TO = re.compile(r"\bused to\b|\bno longer\b")
_CLOSING = frozenset("too again exactly always as well once only each every".split())
"""Words that may end a clause after a result."""
_VERBS = frozenset(
    "has have does do can must should shall will takes take gets get counts count adds add keeps "
    "keep accepts accept holds hold means mean works work".split()
)
"""Verbs of a clause that makes a statement of its own."""


def operator_of(clause: Clause, place: int) -> Operator | None:
    """Returns the relation of a piece to a result; None if it is no result or the relation is
    unclear."""
    piece = clause.pieces[place]
    words = piece.before
    if is_denied_around(clause, place) or _goes_on(clause, place):
        return None
    if piece.role == "error":
        return "raises" if _RAISING & {*words} else None
    if piece.role != "literal" or not words or (piece.textual and piece.text[:1] not in "'\""):
        return None
    tail = " ".join(words[-5:])
    for said, operator in _BOUNDS:
        if tail.endswith(said):
            return operator if not piece.bare or is_number(piece.text) else None
    if _NEGATIONS & {*words[-3:]} or _UNSURE & {*words[-3:]}:
        return None
    following = clause.pieces[place + 1] if place + 1 < len(clause.pieces) else None
    after = following.before if following else tuple(clause.words)
    if after[:1] and after[0] in _PRODUCING:
        return None
    if words[-1] in _TURNING:
        above = [word for one in clause.pieces[: place + 1] for word in one.before]
        return "==" if any(map(_CONVERTING.fullmatch, above)) else None
    return "==" if words[-1] in _PRODUCING else None


def is_denied_around(clause: Clause, place: int) -> bool:
    """Whether words before a piece or at the end of its clause deny or doubt it.

    Words of options (``without `x` ``) and of bounds (``no more than``) do not count.
    """
    near = [one.before for one in clause.pieces[: place + 1] if one.role not in ("option", "name")]
    near += [
        tuple(word for word in one.before if word not in _WITHOUT)
        for one in clause.pieces[: place + 1]
        if one.role in ("option", "name")
    ]
    if place + 1 == len(clause.pieces):
        near.append(tuple(clause.words))
    said = [_BOUND.sub(" ", " ".join(words)) for words in near]
    if any(_USED_TO.search(words) for words in said):
        return True
    return any(not _DENYING.isdisjoint(words.split()) for words in said)


def _goes_on(clause: Clause, place: int) -> bool:
    """Whether words that follow change the value: a unit, ``or more``, a second value."""
    last = place + 1 == len(clause.pieces)
    after = tuple(clause.words) if last else clause.pieces[place + 1].before
    following = None if last else clause.pieces[place + 1]
    values = ("literal", "error", "other")
    if following is not None and following.role in values and {*after} <= {"and", "or", "nor"}:
        return True
    if not after:
        return False
    known = _CONDITIONS | _PREPOSITIONS | _PRODUCING | _CLOSING | _RAISING
    return after[0] not in known | _JOINING - {"or"}


def is_asserted(piece: Piece) -> bool:
    """Whether a written call itself is described, and not a part or property of it."""
    return {*piece.before} <= _NEUTRAL


def is_heading(clause: Clause) -> bool:
    """Whether a clause without a result only limits the others: ``In strict mode:``."""
    words = clause.every_word
    silent = words.isdisjoint(_PRODUCING | _RAISING | _VERBS)
    return bool(words - _NEUTRAL) and silent and not (clause.pieces and tells_options(clause))


def tells_options(clause: Clause) -> bool:
    """Whether a clause without a result only names options and arguments."""
    words = clause.every_word
    return words <= _OF_OPTIONS | _JOINING


def is_only_values(clause: Clause) -> bool:
    """Whether a clause only continues the list of the clause before it: ``, `1` and `1` ``."""
    words = clause.every_word
    values = all(piece.role in ("literal", "other", "error") for piece in clause.pieces)
    return bool(clause.pieces) and values and words <= {"and", "or"}


def is_direct(piece: Piece) -> bool:
    """Whether a result can only be that of the call before it."""
    bounds = {word for said, _ in _BOUNDS for word in said.split()}
    return {*piece.before} <= _PRODUCING | _RAISING | _DIRECT | FILLERS | bounds


def is_of_something(piece: Piece) -> bool:
    """Whether something of a call is described, not its result: ``the number of errors of `f`
    ``."""
    words = piece.before
    return len(words) > 1 and words[-1] == "of" and words[-2] not in _RESULTS


def is_argument(clause: Clause, call: Piece) -> bool:
    """Whether a call is the argument of the described function: ``the `len` of `f(1)` ``."""
    place = next(n for n, piece in enumerate(clause.pieces) if piece is call)
    named = any(piece.role in ("call", "name") for piece in clause.pieces[:place][-1:])
    return named and call.before[-1:] == ("of",)


def is_denied(piece: Piece) -> bool:
    return bool(_NEGATIONS & {*piece.before[-3:]})


def is_unsure(piece: Piece) -> bool:
    words = _BOUND.sub(" ", " ".join(piece.before)).split()
    return bool(_UNSURE & {*words[-3:]})


def is_left_out(piece: Piece) -> bool:
    return bool(_WITHOUT & {*piece.before[-2:]})


def is_open_condition(clause: Clause) -> bool:
    """Whether a clause without a result states a condition other than options and arguments.

    Such a condition is a call that comes first, or prose.
    """
    words = [*(clause.pieces[0].before if clause.pieces else clause.words)]
    while words and words[0] in _JOINING:
        words.pop(0)
    opening = _said(tuple(words[:3]))
    if not opening & {*words[:1]} & (_CONDITIONS | _PREPOSITIONS):
        return False
    all_words = _said(*(piece.before for piece in clause.pieces), tuple(clause.words))
    prepared = any(piece.role == "call" for piece in clause.pieces)
    return prepared or not clause.pieces or not all_words <= _OF_OPTIONS


def has_open_condition(clause: Clause) -> bool:
    """Whether a clause with a result states a condition in prose."""
    leading = [_said(_before_turning(clause, n)) for n in range(len(clause.pieces))]
    trailing = _said(tuple(clause.words))
    if trailing & (_CONDITIONS | _PREPOSITIONS):
        return not trailing <= _OF_OPTIONS or not trailing.isdisjoint(_PREPOSITIONS)
    for piece, words in zip(clause.pieces, leading, strict=True):
        known = words <= _OF_OPTIONS | _PRODUCING and piece.role != "call"
        if words & _CONDITIONS and not known:
            return True
    first = leading[0] if leading else frozenset()
    return bool(first & _PREPOSITIONS) and not first <= _OF_OPTIONS


def _before_turning(clause: Clause, place: int) -> tuple[str, ...]:
    """Returns the words before a piece; the ``as`` of ``written as `5` `` is no condition."""
    words = clause.pieces[place].before
    return words[:-1] if words[-1:] == ("as",) and operator_of(clause, place) else words


def _said(*words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(
        word for some in words for word in _UNCONDITIONAL.sub(" ", " ".join(some)).split()
    )


def results(clause: Clause) -> list[int]:
    """Returns the places of the pieces that are results."""
    return [n for n in range(len(clause.pieces)) if operator_of(clause, n)]
