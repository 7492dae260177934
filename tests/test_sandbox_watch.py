"""What a watch over a child counts, and what it does not blame on it."""

from __future__ import annotations

import os

from pytest_lift.sandbox.watch import is_too_much


def test_what_others_use_of_the_memory_is_not_blamed_on_a_child() -> None:
    """This process stands for the child; it holds some megabytes."""
    mebibyte, mine = 1024 * 1024, [os.getpid()]
    roomy, full = (500 * mebibyte, 1000 * mebibyte), (1 * mebibyte, 1000 * mebibyte)
    assert is_too_much(2 * mebibyte, roomy, mine)
    assert is_too_much(8 * mebibyte, full, mine)
    for machine in (roomy, full, (0, 0)):
        assert not is_too_much(64 * 1024 * mebibyte, machine, mine)
