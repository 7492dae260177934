"""A program whose tests were measured for real, and its figures."""

from __future__ import annotations

from small_project import SmallProject

from pytest_lift.coverage.coverage import Coverage

MOD = "src/pkg/mod.py"
TWISTED = '''\
"""Every construct whose lines coverage.py translates, excludes or half-counts."""
import contextlib


def long_condition(a,
                   b=2):
    if (a and
            b):
        return [
            1,
            2,
        ]
    return 0


def in_with(a):
    with contextlib.suppress(ValueError):
        if a:
            int("x")
    return a


def loops(items):
    for item in items:  # pragma: no branch
        if item > 2:
            break
    while True:
        if items:
            return 1
        items = [1]


def excluded(a):  # pragma: no cover
    if a:
        return 1
    return 2


def matches(a):
    match a:
        case [x, *_]:
            return x
        case {"k": v}:
            return v
    return None


@contextlib.contextmanager
def decorated(a):
    try:
        yield a
    finally:
        if a:
            print(a)


class Thing:
    @property
    def size(self):
        return 1 if self else 0

    def nested(self, a):
        def inner():
            return a
        return inner() if a else None


def one_line(a): return a


if __name__ == "__main__":
    one_line(1)
'''
TESTS = """
    import pytest
    from pkg import mod

    @pytest.fixture
    def opened():
        with mod.decorated(1) as value:
            yield value

    @pytest.mark.parametrize("a", [0, 1, "x|run"])
    def test_condition(a): mod.long_condition(a)
    def test_condition_again(): mod.long_condition(1)
    def test_with(): mod.in_with(0)
    def test_loops(): mod.loops([3])
    def test_matches(): mod.matches({"k": 1})
    def test_opened(opened): pass
    def test_thing(): mod.Thing().nested(1)
    def test_one_line(): mod.one_line(1)
    def test_nothing(): pass
    """
Measured = tuple[SmallProject, Coverage]
