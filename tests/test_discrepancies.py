"""What an example and the program say, in words for people."""

from __future__ import annotations

import pytest

from pytest_lift.oracles.discrepancies import TRACEBACK, bare, plainly

STACK = '  File "x.py", line 1, in f\n    g()\n    ^^^\n'


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("4", "4"),
        (f"{TRACEBACK}\n    ...\nValueError", "raises ValueError"),
        (f"{TRACEBACK}\n{STACK}a.b.Error: it: was\nso", "raises a.b.Error: it: was\nso"),
        (f"{TRACEBACK}\n{STACK}KeyError: 1\n\nDuring handling\n\n{TRACEBACK}\n{STACK}E: 2", "raises E: 2"),
        (TRACEBACK, TRACEBACK),
    ],
)  # fmt: skip
def test_a_traceback_is_told_by_its_end(told: str, expected: str) -> None:
    assert plainly(told) == expected


def test_directives_of_doctest_are_left_out() -> None:
    assert bare("f(1)  # doctest: +ELLIPSIS") == "f(1)"
