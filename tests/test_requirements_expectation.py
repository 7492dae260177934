"""The key of an expectation: what is expected, and not the ruling on it."""

from __future__ import annotations

from dataclasses import replace

from pytest_lift.requirements.expectation import Expectation

ONE = Expectation("R-1", "Halves go up.", "rounded(2.5)", expected="3")


def test_the_key_is_of_what_is_expected_and_not_of_the_ruling() -> None:
    assert replace(ONE, ruling="stands", why="x", suspect="program").key == ONE.key
    assert replace(ONE, expected="2").key != ONE.key
    assert len(ONE.key) == 16
    assert replace(ONE, call="f('\ud800')").key != replace(ONE, call="f('\udfff')").key
