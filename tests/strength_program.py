"""A program with functions of every kind, and tests of it whose names say what the probe finds."""

PROGRAM = """
import asyncio
import functools
import sys
from contextlib import contextmanager
from dataclasses import dataclass

from pkg.other import scale


def double(x):
    return 2 * x


@functools.lru_cache
def cached(x):
    return x + 1


@dataclass
class Point:
    x: int
    y: int = 0

    @property
    def norm(self):
        return self.x + self.y

    @functools.cached_property
    def kept(self):
        return self.x

    @classmethod
    def zero(cls):
        return cls(0, 0)

    @staticmethod
    def both(a, b):
        return [a, b]

    def __len__(self):
        return self.x


class Sub(Point):
    def __init__(self, x):
        super().__init__(x)
        self.z = 1


def count(n):
    yield from range(n)


async def later(x):
    return x


async def ticks(n):
    for i in range(n):
        yield i


@contextmanager
def opened(x):
    yield x


def log(x):
    print(x)


def fail():
    raise ValueError("no")


def is_positive(x):
    return x > 0


def step(n):
    return n - 1


def outer(function):
    def wrapper(*args):
        return function(*args)

    return wrapper


@outer
def tripled(x):
    return scale(x, 3)


def main(argv):
    print("done")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
"""

OTHER = "def scale(x, by):\n    return x * by\n"

HEAD = """\
import asyncio
import importlib
import os
import socket
import subprocess
import sys
import time
import unittest
from unittest.mock import Mock, patch

import pytest

import pkg.lib
from pkg import lib
from pkg.lib import *
from pkg.other import scale
"""

BY_VERDICT = {
    "sensitive": """
def test_function():
    assert double(2) == 4

def test_init_of_a_dataclass():
    assert Point(1).x == 1

def test_init_that_calls_super():
    assert Sub(1).z == 1

def test_property():
    assert Point(1, 2).norm == 3

def test_class_method():
    assert Point.zero() == Point(0, 0)

def test_static_method():
    assert Point.both(1, 2) == [1, 2]

def test_special_method():
    assert len(Point(3)) == 3

def test_generator():
    assert list(count(2)) == [0, 1]

def test_coroutine():
    assert asyncio.run(later(1)) == 1

def test_asynchronous_generator():
    async def all_of():
        return [x async for x in ticks(2)]
    assert asyncio.run(all_of()) == [0, 1]

def test_context_manager():
    with opened(3) as f:
        assert f == 3

def test_closure():
    assert tripled(2) == 6

def test_cached():
    assert cached(2) == 3

def test_predicate():
    assert is_positive(2)

def test_output(capsys):
    log(1)
    assert capsys.readouterr().out == "1\\n"

def test_two_results():
    assert double(1) == scale(1, 2)

def test_not():
    assert not is_positive(-1)

def test_raises():
    with pytest.raises(ValueError):
        fail()

def test_does_not_end():
    n = 3
    while n is not False and n != 0:
        n = step(n)
    assert n == 0

def test_imports_inside():
    from pkg.lib import double as twice
    assert twice(2) == 4

def test_thread():
    import threading
    found = []
    thread = threading.Thread(target=lambda: found.append(double(2)))
    thread.start()
    thread.join()
    assert found == [4]

@pytest.mark.parametrize("n", [0, 1, 2])
def test_rows(n):
    assert double(n) == 2 * n

class TestUnit(unittest.TestCase):
    def setUp(self):
        self.point = Point(1)

    def test_method(self):
        self.assertEqual(self.point.norm, 1)

    def test_subtests(self):
        for i in range(1, 3):
            with self.subTest(i=i):
                self.assertEqual(double(i), 2 * i)

@pytest.fixture
def point():
    return Point(4)

def test_fixture(point):
    assert point.x == 4
""",
    "vacuous": """
def test_nothing():
    pass

def test_no_assertion():
    double(2)

def test_no_assertion_of_a_generator():
    list(count(2))

def test_no_assertion_of_a_coroutine():
    asyncio.run(later(1))

def test_no_assertion_in_a_context():
    with opened(3):
        pass

def test_no_assertion_of_a_cache():
    cached(2)

def test_true():
    double(2)
    assert True

def test_itself():
    assert double(3) == double(3)

def test_swallowed():
    try:
        assert double(3) == 7
    except Exception:
        pass

def test_lost():
    norm = Point(1).norm.real

def test_looped():
    for one in Point.both(1, 2):
        pass

def test_a_constant_end():
    log(1)
    assert 1 == 1

def test_nothing_is_accepted():
    'It is accepted.'

def test_something_else():
    x = double(2)
    y = 3
    assert y == 3

class TestVacuous(unittest.TestCase):
    def test_method(self):
        Point(1).norm
""",
    "weak": """
def test_no_assertion_and_a_property():
    Point(1).norm.real


def test_no_assertion_and_values_taken_apart():
    a, b = Point.both(1, 2)
    a.bit_length()

def test_log():
    log(1)

def test_zero_is_accepted():
    double(0)

def test_does_not_raise():
    point = Point(1)

def test_marked_end():
    'No error is raised.'
    double(1)
    assert True

def test_class_can_be_made():
    class Made(Point):
        pass

def test_not_none():
    assert double(2) is not None

def test_type():
    assert isinstance(double(2), int)

def test_truth():
    assert double(2)
""",
    "over-mocked": """
def test_mock():
    double = Mock(return_value=4)
    assert double(2) == 4

def test_patched():
    with patch("pkg.lib.double", return_value=4):
        assert lib.double(2) == 4

def test_mock_beside_the_program():
    point = Point(1)
    norm = Mock(return_value=1)
    assert norm(point) == 1
""",
    "not-probed": """
def test_process():
    subprocess.run([sys.executable, "-m", "pkg.lib"], check=True)

def test_constant():
    assert lib.__name__ == "pkg.lib"

@pytest.fixture(scope="module")
def shared():
    point = Point(5)
    point.kept
    return point

def test_remembered(shared):
    assert shared.kept == 5

@pytest.mark.xfail
def test_expected_to_fail():
    assert double(1) == 3

@pytest.mark.skip
def test_skipped():
    assert double(1) == 3

def test_failing():
    assert double(1) == 3
""",
}
"""Verdict -> the tests that get it."""
