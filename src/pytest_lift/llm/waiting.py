"""How long to wait before an endpoint is asked again."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

LONGEST = 120.0
"""Seconds; what asks for more waits no longer."""
_FIRST = 1.0
_MOST = 60.0


def pause(tries: int, headers: Mapping[str, str]) -> float:
    """Seconds after `tries` failures: what ``Retry-After`` says, else twice as long each time.

    Calls that failed together must not come back together: hence chance.
    """
    told = retry_after(headers)
    if told is not None:
        return told
    return min(_MOST, _FIRST * 2.0 ** (tries - 1)) * random.uniform(0.5, 1.0)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The header in seconds, from 0 to `LONGEST`; it may be a number or a date of HTTP."""
    text = headers.get("retry-after", "").strip()
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = _until(text)
    return min(max(seconds, 0.0), LONGEST) if seconds == seconds else None


def _until(date: str) -> float:
    """Seconds until `date`; not a number for what is no date."""
    try:
        return parsedate_to_datetime(date).timestamp() - time.time()
    except (ValueError, TypeError, IndexError, OverflowError):
        return float("nan")
