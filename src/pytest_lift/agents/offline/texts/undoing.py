"""Texts with fewer edits: what lies between a text and the known ones that are nearest to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import zip_longest

from pytest_lift.agents.offline.texts.edits import tokens
from pytest_lift.agents.offline.texts.strangeness import is_broken
from pytest_lift.agents.offline.texts.tidy import open_brackets

MOST_BASES = 4
"""Most known texts from which edits are counted and undone."""
UNLIKE = 0.6
"""Share of the tokens of two texts that may differ where one is a base of the other."""
MORE_LEFT_OUT, MORE_PUT_IN = 0.1, 0.5
"""Cost of each further token that is left out, or put in, at one place: a text may be cut anywhere.
"""
BLANKS, LINE_END = 0.5, 0.2
"""Cost of blanks that are put in, left out or replaced, and of those at the end of a text."""
UNPAIRED = 1.0
"""Cost of a bracket that opens or closes alone where it was not made so by leaving one out."""
BROKEN = 1.0
"""Edits that a known text has which is right in no format."""
ANOTHER_LINE = 0.4
"""Cost of each line after the first where they are of several known texts."""

Edit = tuple[int, int, int, int]
"""(first token of a known text and the one after the last, the same of the text in their place)."""


def edits_of(text: str, known: tuple[str, ...]) -> float:
    """Returns how many edits make a text of the nearest of the known ones, or of lines of them;
    that of a known text that is broken counts, too. More than it has tokens where none is
    near."""
    whole = _edits_of_whole(text, known)
    return min(whole, sum(_of_lines(text, known))) if whole > ANOTHER_LINE else whole


def undone(text: str, known: tuple[str, ...]) -> Iterator[tuple[float, str]]:
    """Yields (edits, text) with fewer edits than a text: of each of the nearest known ones itself,
    then by turns with one of the edits, and with all but one; the same of its lines."""
    most = edits_of(text, known)
    seen = {text}
    sources = [_fewer(base, text) for base in _nearest(text, known)]
    for several in zip_longest(*sources, _with_fewer_in_lines(text, known)):
        for cost, new in filter(None, several):
            if cost < most and new not in seen:
                seen.add(new)
                yield cost, new


def _edits_of_whole(text: str, known: tuple[str, ...]) -> float:
    if text in known:
        return BROKEN if is_broken(text) else 0.0
    bases = _nearest(text, known)
    return min((_whole_cost(text, base) for base in bases), default=1.0 + len(tokens(text)))


def _of_lines(text: str, known: tuple[str, ...]) -> list[float]:
    """Returns how many edits each line is away from known ones."""
    own, lines = _lines(known), text.splitlines(keepends=True)
    return [ANOTHER_LINE * bool(at) + _edits_of_whole(one, own) for at, one in enumerate(lines)]


def _with_fewer_in_lines(text: str, known: tuple[str, ...]) -> Iterator[tuple[float, str]]:
    """Yields (edits, text) without a line, and with fewer edits in one."""
    lines = text.splitlines(keepends=True)
    costs, own = _of_lines(text, known), _lines(known)
    for at, line in enumerate(lines):
        before, after = "".join(lines[:at]), "".join(lines[at + 1 :])
        if before or after:
            yield sum(costs) - costs[at], before + after
        if costs[at] > ANOTHER_LINE:
            for base in _nearest(line, own):
                for cost, new in _fewer(base, line):
                    yield sum(costs) - costs[at] + cost, before + new + after


@lru_cache(maxsize=64)
def _lines(known: tuple[str, ...]) -> tuple[str, ...]:
    lines = (line for text in known for line in text.splitlines(keepends=True))
    return tuple(dict.fromkeys(line for line in lines if line.strip()))


def _fewer(base: str, text: str) -> Iterator[tuple[float, str]]:
    """Yields (edits, text) with some of the edits that make a text of a known one; none with a
    word that neither has."""
    edits = _edits(base, text)
    words = {*tokens(base), *tokens(text)}
    some: list[tuple[Edit, ...]] = [()]
    for number, one in enumerate(edits):
        some += [(one,), (*edits[:number], *edits[number + 1 :])]
    for chosen in dict.fromkeys(some):
        new = _applied(base, text, chosen)
        if words.issuperset(token for token in tokens(new) if token.isalnum()):
            yield _cost(base, text, chosen) + _of_shape(base, new, chosen), new


@lru_cache(maxsize=8192)
def _nearest(text: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the known texts that have most tokens in common with a text, and fewest others."""
    own = _counted(text)
    rows: list[tuple[int, str]] = []
    for one in known:
        other = _counted(one)
        both = own.total() + other.total()
        apart = both - 2 * (own & other).total()
        if apart < UNLIKE * both:
            rows.append((apart, one))
    return tuple(one for _, one in sorted(rows, key=lambda row: row[0])[:MOST_BASES])


@lru_cache(maxsize=8192)
def _counted(text: str) -> Counter[str]:
    """Returns how often each token stands in a text, blanks apart."""
    return Counter(token for token in tokens(text) if not token.isspace())


def _whole_cost(text: str, base: str) -> float:
    edits = _edits(base, text)
    return _cost(base, text, edits) + _of_shape(base, text, edits)


def _of_shape(base: str, text: str, edits: Iterable[Edit]) -> float:
    """Returns the cost of a known text that is broken, and of brackets that stand alone where more
    was done than to leave one out."""
    put_in = any(end > start for _, _, start, end in edits)
    alone = UNPAIRED if put_in and open_brackets(text) != "" else 0.0
    return alone + (BROKEN if is_broken(base) else 0.0)


@lru_cache(maxsize=8192)
def _edits(base: str, text: str) -> tuple[Edit, ...]:
    """Returns where a text differs from a known one; as many tokens that are replaced by others
    are an edit each."""
    found: list[Edit] = []
    matcher = SequenceMatcher(None, tokens(base), tokens(text), autojunk=False)
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind == "replace" and last - first == end - start:
            pairs = zip(range(first, last), range(start, end), strict=True)
            found += ((old, old + 1, new, new + 1) for old, new in pairs)
        elif kind == "replace":
            found += ((first, last, start, start), (last, last, start, end))
        elif kind == "insert":
            found += ((first, first, n, n + 1) for n in range(start, end))
        elif kind != "equal":
            found.append((first, last, start, end))
    return tuple(found)


def _applied(base: str, text: str, edits: Iterable[Edit]) -> str:
    """Returns a known text with some of the edits that make another one of it."""
    old, new = tokens(base), tokens(text)
    parts: list[str] = []
    at = 0
    for first, last, start, end in edits:
        parts += [*old[at:first], *new[start:end]]
        at = last
    return "".join([*parts, *old[at:]])


def _cost(base: str, text: str, edits: Iterable[Edit]) -> float:
    old, new = tokens(base), tokens(text)
    cost, at = 0.0, -1
    for first, last, start, end in edits:
        changed = "".join((*old[first:last], *new[start:end]))
        one = 1.0 if changed.strip() else BLANKS if last < len(old) else LINE_END
        cost += MORE_PUT_IN if first == last == at and start else one
        cost += MORE_LEFT_OUT * max(last - first - 1, 0)
        at = last
    return cost
