"""What a mutant changes, in tokens: which were there and which are there instead."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile
from keyword import iskeyword

from pytest_lift.mutation.mutants import Mutant

_IDLE = {tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT,
         tokenize.ENDMARKER, tokenize.ENCODING}  # fmt: skip


@dataclass(frozen=True)
class TokenChange:
    """The tokens that differ, and those of the whole line before them."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    line: tuple[str, ...]
    place: int
    """Where in `line` the first of them stands."""

    @property
    def before(self) -> str:
        """The token before the first that differs."""
        return self.line[self.place - 1] if 0 < self.place <= len(self.line) else ""

    @property
    def after(self) -> str:
        """The token after the last that differs."""
        end = self.place + len(self.old)
        return self.line[end] if end < len(self.line) else ""

    @property
    def only_text(self) -> bool:
        """Nothing but string literals differs."""
        pairs = [*self.old, *self.new]
        return bool(self.old) and all(_is_string(token) for token in pairs)


def change_of(mutant: Mutant) -> TokenChange:
    """Pure; lines that are no whole statement are read as far as they go."""
    old, new = tuple(_tokens(mutant.before)), tuple(_tokens(mutant.after))
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    differing = [code for code in codes if code[0] != "equal"]
    if not differing:
        return TokenChange((), (), old, 0)
    first, last = differing[0], differing[-1]
    return TokenChange(old[first[1] : last[2]], new[first[3] : last[4]], old, first[1])


def enclosing(mutant: Mutant) -> Iterator[tuple[str, ...]]:
    """Of each bracket that the change stands in, as far as it opens in the lines above that the
    diff shows, the tokens up to it."""
    hunk = mutant.diff.split("\n")[1:]
    above = [line[1:].strip() for line in takewhile(lambda line: line.startswith(" "), hunk)]
    tokens = tuple(_tokens("\n".join(above)))
    opened: list[int] = []
    for place, token in enumerate(tokens):
        if token in ("(", "[", "{"):
            opened.append(place)
        elif token in (")", "]", "}") and opened:
            opened.pop()
    for place in opened:
        yield tokens[: place + 1]


def spelled(tokens: Sequence[str]) -> str:
    """As a person would write them, as far as spaces go."""
    text = re.sub(r" ([])},.:])", r"\1", " ".join(tokens))
    text = re.sub(r"([([{.]) ", r"\1", text)
    opens = re.compile(r"(\w+|[])]) ([([])")
    return opens.sub(lambda m: m[0] if iskeyword(m[1]) else m[1] + m[2], text)


def _tokens(text: str) -> Iterator[str]:
    source = io.StringIO(text.strip() + "\n").readline
    try:
        for token in tokenize.generate_tokens(source):
            if token.type not in _IDLE:
                yield token.string
    except (tokenize.TokenError, SyntaxError):
        return


def _is_string(token: str) -> bool:
    return token.lstrip("rRbBuUfF")[:1] in ("'", '"')
