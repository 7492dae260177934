"""Texts that people write for a parameter, and how far others are from them."""

from __future__ import annotations

import ast
import re

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.texts.edits import tokens
from pytest_lift.agents.offline.texts.undoing import edits_of
from pytest_lift.source.syntax import shared_expression

MOST_KNOWN = 40
"""Most texts with which one is compared."""
NEAR, FAR = 1.0, 0.35
"""Edits by which a text may differ from a known one, and the cost of each more: a text with one
thing changed tells what a test is about."""
MANY, MOST_FAR, FARTHEST = 8, 4, 8
"""Most edits more that count, and the same where as many texts are known or more."""
MOST_FAR_WORDS = 2
"""The same for words alone, where those of a format are known and none is words alone."""
STREAM = re.compile(r"(?:StringIO|BytesIO)\(")
FEWEST = 4
"""Tokens of a text that is like a known one with one thing changed: shorter ones are like many."""


class KnownTexts:
    """The texts that the documentation and the formats of parameters have."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self._texts: dict[tuple[str, str], tuple[int, list[str]]] = {}
        self._far: dict[tuple[str, str, str, int], float] = {}

    def of(self, key: str, name: str) -> list[str]:
        """Returns the texts that are known for a parameter of a target, by its key."""
        noted = self.inputs.documented, self.inputs.used, self.inputs.read
        pools = [pool.get((key, name), []) for pool in noted]
        size = sum(map(len, pools))
        if (known := self._texts.get((key, name))) is None or known[0] != size:
            found = (content_of(value) for pool in pools for value in pool[:MOST_KNOWN])
            texts = list(dict.fromkeys(text for text in found if text))
            known = self._texts[key, name] = size, texts
        return known[1]

    def far(self, key: str, name: str, value: str) -> float:
        """Returns by how many edits more than one an argument differs from each known text; 0 for
        what is no text, or words alone where these may be right, or where none is known."""
        known = self.of(key, name)
        mark = (key, name, value, len(known))
        if mark not in self._far:
            text = content_of(value) if known else ""
            most = FARTHEST if len(known) >= MANY else MOST_FAR
            if is_of_words(text):
                formed = self.inputs.read.get((key, name)) and not any(map(is_of_words, known))
                most = MOST_FAR_WORDS if formed else 0
            most = 0 if text in self.inputs.exchanged else most
            edits = edits_of(text, tuple(known)) if text and most else 0.0
            self._far[mark] = min(max(edits - NEAR, 0.0), most)
        return self._far[mark]

    def is_exchanged(self, value: str) -> bool:
        """Whether an argument is a known text with a word in the place of another of its role."""
        return bool(self.inputs.exchanged) and content_of(value) in self.inputs.exchanged

    def is_near(self, key: str, name: str, value: str) -> bool:
        """Whether an argument is a known text of some tokens with one changed, left out or put
        in."""
        known = self.of(key, name)
        text = content_of(value) if known else ""
        return len(tokens(text)) >= FEWEST and edits_of(text, tuple(known)) <= NEAR


def is_of_words(text: str) -> bool:
    """Whether there is nothing but words in a text, in small letters."""
    return text.islower() and text.replace(" ", "").isalpha()


def content_of(value: str) -> str:
    """Returns the text that an argument is, or that a stream holds: ``StringIO('a')``."""
    maker = STREAM.match(value)
    return text_of(value[maker.end() : -1] if maker and value.endswith(")") else value)


def text_of(value: str) -> str:
    """Returns the text that an argument is, bytes as if each stood for a character; "" for all
    else."""
    node = shared_expression(value) if value[:1] in "'\"b" else None
    content = node.value if isinstance(node, ast.Constant) else None
    if isinstance(content, bytes):
        return content.decode("latin-1")
    return content if isinstance(content, str) else ""


def written_like(value: str, text: str) -> str:
    """Returns a text as source, as bytes where it takes the place of such."""
    return repr(text.encode("latin-1", "ignore") if value[:1] == "b" else text)
