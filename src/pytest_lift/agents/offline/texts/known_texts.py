"""Texts that people write for a parameter, and how far others are from them."""

from __future__ import annotations

import ast

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.texts.edits import least_apart, tokens
from pytest_lift.source.syntax import shared_expression

MOST_KNOWN = 40
"""Most texts with which one is compared."""
NEAR, FAR, MOST_FAR = 1, 0.25, 4
"""Tokens in which a text may differ from a known one, the cost of each more, and most that count:
a text with one thing changed tells what a test is about."""

FEWEST = 4
"""Tokens of a text that is like a known one with one thing changed: shorter ones are like many."""


class KnownTexts:
    """The texts that the documentation and the formats of parameters have."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self._texts: dict[tuple[str, str], tuple[int, list[str]]] = {}
        self._far: dict[tuple[str, str, str, int], int] = {}
        self._near: dict[tuple[str, str, str, int], bool] = {}

    def of(self, key: str, name: str) -> list[str]:
        """Returns the texts that are known for a parameter of a target, by its key."""
        pools = [pool.get((key, name), []) for pool in (self.inputs.documented, self.inputs.read)]
        size = sum(map(len, pools))
        if (known := self._texts.get((key, name))) is None or known[0] != size:
            found = (text_of(value) for pool in pools for value in pool[:MOST_KNOWN])
            texts = list(dict.fromkeys(text for text in found if text))
            known = self._texts[key, name] = size, texts
        return known[1]

    def far(self, key: str, name: str, value: str) -> int:
        """Returns in how many tokens more than one an argument differs from each known text; 0 for
        what is no text, or words alone, or where none is known."""
        known = self.of(key, name)
        mark = (key, name, value, len(known))
        if mark not in self._far:
            text = text_of(value) if known else ""
            words = text.islower() and text.replace(" ", "").isalpha()
            apart = least_apart(text, known, NEAR + MOST_FAR) if text and not words else 0
            self._far[mark] = min(max(apart - NEAR, 0), MOST_FAR)
        return self._far[mark]

    def is_near(self, key: str, name: str, value: str) -> bool:
        """Whether an argument is a known text of some tokens with one changed, left out or put
        in."""
        known = self.of(key, name)
        mark = (key, name, value, len(known))
        if mark not in self._near:
            text = text_of(value) if known else ""
            size = len(tokens(text))
            alike = [one for one in known if abs(len(tokens(one)) - size) <= NEAR]
            apart = least_apart(text, alike, NEAR + 1) if size >= FEWEST and alike else NEAR + 1
            self._near[mark] = apart <= NEAR
        return self._near[mark]


def text_of(value: str) -> str:
    """Returns the text that an argument is, bytes as if each stood for a character; "" for all
    else."""
    node = shared_expression(value) if value[:1] in "'\"b" else None
    content = node.value if isinstance(node, ast.Constant) else None
    if isinstance(content, bytes):
        return content.decode("latin-1")
    return content if isinstance(content, str) else ""
