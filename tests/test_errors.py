"""Errors as users read them: the place, what is wrong, and what to do next."""

from __future__ import annotations

import pytest

from pytest_lift.errors import LandingError, LiftError, UsageError


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (LiftError("it broke"), "it broke"),
        (LiftError("it broke", where="a.py:1"), "a.py:1: it broke"),
        (UsageError("it broke", todo="mend it"), "it broke\n  -> mend it"),
        (LandingError("it broke", where="x", todo="mend it"), "x: it broke\n  -> mend it"),
    ],
)
def test_how_an_error_reads(error: LiftError, text: str) -> None:
    assert str(error) == text


def test_all_of_them_are_caught_as_one() -> None:
    assert issubclass(UsageError, LiftError)
    assert issubclass(LandingError, LiftError)
    assert UsageError("x").problems == ()
