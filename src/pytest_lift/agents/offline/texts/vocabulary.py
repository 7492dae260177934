"""Words of a program: those of its sources and documents, and of the texts that it is given."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from pytest_lift.agents.offline.natural.kinds import KINDS
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import parsed_expression

WORD = re.compile(r"[^\W\d_]{2,}")
PARTS = re.compile(r"[^\W\d_]{2,}|(?s:.)")
TAG = re.compile(r"(?:--|[#@$%!:])[A-Za-z][\w-]+")
LONGEST_TAG = 40
"""Word with a mark before it, by which a format tells what follows; most characters of one."""
LEAST_TAG, MOST_PARTS = 4, 6
"""Characters of a tag that is looked for in texts, and most that are taken out of one."""
LEAST_CUT = 3
"""Letters that a tag keeps, its mark apart, where its beginning is cut off."""
MOST = 4
"""Made-up words of one text that count."""
PLAIN = ("hello", "a")
"""Words that a person types in the place of any."""
ALWAYS = (
    "abc hello world utf latin ascii xyz foo bar baz spam eggs input output other data file "
    "folder name value key text unknown"
)


class Vocabulary:
    """Tells words that the program has from those that a search made up by cutting and joining."""

    def __init__(self, program: Program) -> None:
        self._words: set[str] = set()
        """Runs of letters, in lower case."""
        self._chunks: set[str] = set()
        """What stands between spaces."""
        self.names: set[str] = set()
        """Whole texts without a blank."""
        self._cut_tags: set[str] = set()
        """Tags of the program without their beginning or end."""
        self._parts: dict[str, list[str]] = {}
        self._lines: set[str] = {""}
        """Lines of the texts that are given."""
        self._add([ALWAYS, *KINDS["str"]])
        for file in program.files.values():
            self._words.update(word.lower() for word in WORD.findall(file.text))
            texts = _texts(file.tree)
            self._add(texts)
            self._cut_tags.update(cut for text in texts for cut in _cut_of(text.rstrip(": =")))

    def add(self, expressions: Iterable[str]) -> None:
        """Adds the texts in expressions."""
        for expression in expressions:
            node = parsed_expression(expression)
            found = _texts(node) if node is not None else []
            self._add(found)
            self._lines.update(line for text in found for line in text.split("\n"))

    def made_up(self, text: str) -> int:
        """Returns how many words of a text the program does not have, `MOST` at most: of one with
        spaces, what stands between them. A tag that is cut is none of its words."""
        chunks = text.split()
        tags = TAG.findall(text) if self._cut_tags else ()
        cut = sum(tag in self._cut_tags and tag not in self._chunks for tag in tags)
        if len(chunks) > 1:
            return min(sum(not self._is_known(chunk) for chunk in chunks) + cut, MOST)
        unknown = (word.lower() not in self._words for word in WORD.findall(text))
        return min(sum(unknown) + cut, MOST)

    def has(self, text: str) -> bool:
        """Whether the program has a text between spaces, or as a word in whatever case."""
        return text in self._chunks or text.lower() in self._words

    def is_cut(self, text: str) -> bool:
        """Whether a text of several lines has one that stands in no text which is given."""
        lines = text.split("\n")
        return len(lines) > 2 and not self._lines.issuperset(lines)

    def parts(self, text: str) -> list[str]:
        """Returns what of the program's own words with marks stands in a longer text, the longest
        first, without what is a part of another one: a text that was put together of tags is
        reduced to one of them."""
        if text not in self._parts:
            found = [chunk for chunk in self._tags if chunk in text and chunk != text]
            inside = sorted(found, key=len, reverse=True)[:MOST_PARTS]
            self._parts[text] = [
                one
                for at, one in enumerate(inside)
                if not any(one in other for other in inside[:at])
            ]
        return self._parts[text]

    @cached_property
    def _tags(self) -> list[str]:
        """What stands between spaces in the program's texts and has both letters and marks."""
        long = (chunk for chunk in self._chunks if LEAST_TAG <= len(chunk) <= LONGEST_TAG)
        return sorted(chunk for chunk in long if TAG.fullmatch(chunk))

    def respelt(self, text: str) -> Iterator[str]:
        """Yields a text with plain words in the place of those that the program does not have, and
        without what stands between spaces and is made up."""
        for plain in PLAIN:
            new = "".join(self._or(part, plain) for part in PARTS.findall(text))
            if new != text:
                yield new
        chunks = text.split(" ")
        known = [chunk for chunk in chunks if not chunk.strip() or self._is_known(chunk.strip())]
        if 0 < len(known) < len(chunks):
            yield " ".join(known)

    def _or(self, word: str, plain: str) -> str:
        """Returns a part of a text, or a plain word where it is made up."""
        made_up = WORD.fullmatch(word) and word.lower() not in self._words
        return plain if made_up else word

    def _is_known(self, chunk: str) -> bool:
        plain = chunk.strip(".,;:!?").lower()
        return chunk in self._chunks or plain in self._words or plain.isdigit() or len(plain) == 1

    def _add(self, texts: Iterable[str]) -> None:
        for text in texts:
            self._words.update(word.lower() for word in WORD.findall(text))
            self._chunks.update(text.split())
            self.names.update([text] if text.split() == [text] else ())


def _cut_of(text: str) -> Iterator[str]:
    """Yields a tag without its end, and without what follows its mark; nothing of other texts."""
    if len(text) <= LONGEST_TAG and TAG.fullmatch(text):
        mark = "--" if text.startswith("--") else text[0]
        word = text[len(mark) :]
        yield from (mark + word[:end] for end in range(2, len(word)))
        yield from (mark + word[start:] for start in range(1, len(word) - LEAST_CUT + 1))


def _texts(node: ast.AST) -> list[str]:
    parts = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
    return [part for part in parts if isinstance(part, str)]
