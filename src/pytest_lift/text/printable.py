"""Text from elsewhere as it may be shown: secrets left out, control characters spelled out.

Names of tests, requirements and messages of failures come from whoever wrote them; printed as
they are, they could rewrite the terminal's lines or forge some of ours.
"""

from __future__ import annotations

import re
import unicodedata

from pytest_lift.text.secrets import redacted

_UNUSUAL = re.compile(r"[^ -~\n\t]")


def line(text: str) -> str:
    """Returns `text` as one line of a terminal or a page."""
    return spelled_out(redacted(text)).replace("\n", "\\n").replace("\t", "    ")


def lines(text: str) -> str:
    """Returns `text` with its own lines, for messages that we composed of several."""
    return spelled_out(redacted(text))


def spelled_out(text: str) -> str:
    """Returns the text with control and format characters as ``\x1b``; line feeds and tabs stay. A
    carriage return that ends a line is left out, also if the line feed of the last line was cut
    off."""
    if text.isprintable():
        return text
    return _UNUSUAL.sub(_shown, text.replace("\r\n", "\n").removesuffix("\r"))


def _shown(found: re.Match[str]) -> str:
    character = found[0]
    if character.isprintable():
        return character
    if unicodedata.category(character) == "Zs":
        return character  # spaces of typographers
    return character.encode("unicode_escape").decode("ascii")
