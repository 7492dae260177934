"""Options among the words of a command line: a flag, or a flag and the word after it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pytest_lift.calls.call import Call


def word_options(call: Call) -> Iterator[str]:
    """Yields the places of the options of a command line, as ``1:3``, the longer ones first."""
    words = call.argv
    for at in range(1, len(words)):
        if is_flag(words[at]):
            if at + 1 < len(words) and not is_flag(words[at + 1]):
                yield f"{at}:{at + 2}"
            yield f"{at}:{at + 1}"


def is_flag(word: str) -> bool:
    """Whether a word is an option; a number with a sign is none."""
    return re.match(r"-[A-Za-z-]", word) is not None


def without_word(words: Sequence[str], at: int) -> list[str]:
    """Returns a command line without one of its words; an option goes with what may be its value,
    where it would take another option for that then."""
    nested = at > 0 and is_flag(words[at - 1]) and not is_flag(words[at])
    takes_next = nested and at + 1 < len(words) and is_flag(words[at + 1])
    return [*words[: at - takes_next], *words[at + 1 :]]


def words_at(call: Call, place: str) -> tuple[str, ...]:
    """Returns the words of an option."""
    start, end = _ends(place)
    return call.argv[start:end]


def without_words(call: Call, places: Sequence[str]) -> Call:
    """Returns the command line without some of its options."""
    left_out = {at for place in places for at in range(*_ends(place))}
    words = tuple(word for at, word in enumerate(call.argv) if at not in left_out)
    return call.but(argv=words)


def with_words(call: Call, words: Sequence[str], other: Call) -> Call:
    """Returns the command line with an option of another one, and the files that this names."""
    files = {name: text for name, text in other.files.items() if name in words}
    return call.but(argv=(*call.argv[:1], *words, *call.argv[1:]), files={**call.files, **files})


def _ends(place: str) -> tuple[int, int]:
    start, _, end = place.partition(":")
    return int(start), int(end)
