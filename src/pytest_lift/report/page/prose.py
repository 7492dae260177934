"""Texts of people and models as HTML: escaped, and with what stands in backticks as code."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

from markupsafe import Markup, escape

_NAME = re.compile(r"(\w(?:[\w./:\[\]-]*[\w\]])?)")
_CODE = re.compile(r"(`+)([^`\n]+)\1(?!`)")


def prose(text: str) -> Markup:
    """`text`, escaped first: what it says in markup stays text."""
    return Markup(_CODE.sub(r"<code>\2</code>", str(escape(text))))


def linked(text: str, anchors: Mapping[str, str]) -> Markup:
    """The same, with the names that `anchors` knows as links to where they are in the page."""
    pieces = (
        Markup('<a href="#{}">{}</a>').format(anchors[piece], piece)
        if piece in anchors
        else escape(piece)
        for piece in _NAME.split(text)
    )
    return Markup(_CODE.sub(r"<code>\2</code>", "".join(pieces)))


def source(text: str) -> Markup:
    """The content of a ``pre``: quotes, of which sources have many, stay as they are there.

    A line feed comes first, because a parser leaves out the first one.
    """
    return Markup("\n" + html.escape(text, quote=False))
