"""Does a requirement have these words? White space, ticks and upper case do not count."""

from __future__ import annotations

from pytest_lift.requirements.requirement import Requirement


def stands_in(quote: str, item: Requirement) -> bool:
    """Whether a requirement has these words, in this order."""
    return has_words(item.text, quote)


def has_words(text: str, quote: str) -> bool:
    """Whether a text has these words, in this order; three letters say nothing."""
    wanted = _plain(quote)
    return len(wanted) > 3 and wanted in _plain(text)


def _plain(text: str) -> str:
    return " ".join(text.replace("`", "").split()).strip(" .\"'").casefold()
