"""Spells times as a person does: ``timedelta(hours=-4)``, not four hours less than a day before.

Loaded in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import datetime
from typing import Any

UNITS = ("hours", "minutes", "seconds")
"""Parts of a day in the order of their length."""


def moment(value: Any) -> str:
    """Returns an expression of a date, time, duration or time zone of ``datetime``."""
    shown = repr(value)
    for duration in _durations(value):
        shown = shown.replace(repr(duration), _spelled(duration))
    return shown


def _durations(value: Any) -> tuple[datetime.timedelta, ...]:
    """Returns a duration itself, and that between a time zone and UTC."""
    if type(value) is datetime.timedelta:
        return (value,)
    zone = value if isinstance(value, datetime.timezone) else getattr(value, "tzinfo", None)
    offset = zone.utcoffset(None) if isinstance(zone, datetime.timezone) else None
    return () if offset is None else (offset,)


def _spelled(duration: datetime.timedelta) -> str:
    """Returns a duration in days, hours, minutes and seconds, all of them of its sign."""
    whole = abs(duration)
    sign = 1 if whole == duration else -1
    minutes, seconds = divmod(whole.seconds, 60)
    clock = zip(UNITS, (*divmod(minutes, 60), seconds), strict=True)
    told = [("days", whole.days), *clock, ("microseconds", whole.microseconds)]
    inner = ", ".join(f"{unit}={sign * number}" for unit, number in told if number)
    return f"datetime.timedelta({inner or 0})"
