"""A report whose texts may be shown: secrets left out, control characters spelled out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, cast, get_args

from pytest_lift.plain import spelled_out
from pytest_lift.reach import Reach
from pytest_lift.redaction import redacted_data
from pytest_lift.report.facts import Report, Standing, Tone
from pytest_lift.run import Outcome
from pytest_lift.trace import Grade, Status

OWN = frozenset(
    word for kind in (Status, Outcome, Grade, Standing, Tone, Reach) for word in get_args(kind)
)
"""Words of ours, whatever somebody's password may be."""


def legible(report: Report) -> Report:
    """`report` with each of its texts as `plain.lines` shows it.

    The texts are cleaned together, each once, because to look for secrets costs more by call than
    by text; the same text stays the same wherever it stands, so that names still join.
    """
    texts = [text for text in dict.fromkeys(_texts(report)) if text not in OWN]
    shown = {old: spelled_out(new) for old, new in zip(texts, redacted_data(texts), strict=True)}
    return cast(Report, _with_texts(report, shown))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _texts(item)
    elif is_dataclass(value):
        kind: Any = type(value)
        for name in _names(kind):
            yield from _texts(getattr(value, name))


def _with_texts(value: Any, shown: dict[str, str]) -> Any:
    if isinstance(value, str):
        return shown.get(value, value)
    if isinstance(value, tuple):
        return tuple(_with_texts(item, shown) for item in value)
    if is_dataclass(value):
        kind: Any = type(value)
        return kind(*(_with_texts(getattr(value, name), shown) for name in _names(kind)))
    return value


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))
