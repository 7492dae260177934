"""What the plugin does inside mutmut's processes: patience with one test, its end, caches emptied."""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from mutated_project import MutatedProject

from pytest_lift.mutation.inside import controls, plugin
from pytest_lift.mutation.inside.plugin import forget_cached
from pytest_lift.mutation.mutmut.configuration import Configuration

CONFIGURATION = Configuration(("shop",), ("tests",), (), {})
JOB = {"left_out": [], "patience": CONFIGURATION.patience, "seconds": {"t::slow": 3.0}}
MUTANT = "shop.prices.x_total__mutmut_1"


def in_a_fork(told: Callable[[], int]) -> int:
    """The status of a process that ends with what `told` says."""
    child = os.fork()
    if not child:
        status = 99
        try:
            status = told()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def limit_of(mutant: str, node: str) -> int:
    """Seconds of processor time after which a process that begins this test is told to end."""

    def told() -> int:
        resource.setrlimit(resource.RLIMIT_CPU, (200, 201))
        plugin._Plugin(JOB, mutant).pytest_runtest_logstart(node)
        return resource.getrlimit(resource.RLIMIT_CPU)[0]

    return in_a_fork(told)


@pytest.mark.parametrize(("node", "seconds"), [("t::quick", 5), ("t::slow", 20)])
def test_one_test_may_not_use_up_the_time_of_all(node: str, seconds: int) -> None:
    assert seconds <= limit_of(MUTANT, node) <= seconds + 2


@pytest.mark.parametrize("mutant", [*controls.UNMUTATED, controls.FORCED])
def test_what_is_not_mutated_has_no_such_limit(mutant: str) -> None:
    assert limit_of(mutant, "t::quick") == 200


def test_a_limit_is_never_raised_above_the_one_of_the_whole() -> None:
    def told() -> int:
        resource.setrlimit(resource.RLIMIT_CPU, (3, 4))
        plugin._Plugin(JOB, MUTANT).pytest_runtest_logstart("t::slow")
        return resource.getrlimit(resource.RLIMIT_CPU)[0]

    assert in_a_fork(told) == 3


def test_patience_is_longer_for_what_seemed_to_hang() -> None:
    assert CONFIGURATION.patience == (5.0, 5.0)
    assert CONFIGURATION.patient().patience == (10.0, 15.0)


def test_a_limit_that_is_reached_is_a_time_out_to_mutmut() -> None:
    def told() -> int:
        resource.setrlimit(resource.RLIMIT_CPU, (1, 5))
        while True:
            pass

    assert in_a_fork(told) == -signal.SIGXCPU == -24


CACHED = """
from functools import cache, lru_cache


@lru_cache(maxsize=None)
def price(kind):
    return rate(kind)


def rate(kind):
    return 3 if kind == "a" else 5


class Till:
    @staticmethod
    @cache
    def total(kind):
        return 2 * rate(kind)
"""


@pytest.fixture
def till(tmp_path: Path) -> ModuleType:
    place = tmp_path / "till.py"
    place.write_text(CACHED)
    module = ModuleType("till_of_a_test")
    module.__file__ = str(place)
    exec(compile(CACHED, place, "exec"), vars(module))
    return module


def test_caches_of_functions_and_methods_are_emptied(till: ModuleType) -> None:
    till.price("a"), till.Till.total("a")
    sys.modules[till.__name__] = till
    try:
        forget_cached({"elsewhere.py"})
        assert till.price.cache_info().currsize == till.Till.total.cache_info().currsize == 1
        forget_cached({os.path.relpath(str(till.__file__))})
        assert till.price.cache_info().currsize == till.Till.total.cache_info().currsize == 0
    finally:
        del sys.modules[till.__name__]


def test_a_cache_that_cannot_be_emptied_hurts_nobody(till: ModuleType) -> None:
    class Odd:
        def cache_clear(self) -> None:
            raise RuntimeError("no")

    vars(till)["odd"] = Odd()
    sys.modules[till.__name__] = till
    try:
        till.price("a")
        forget_cached({os.path.relpath(str(till.__file__))})
        assert till.price.cache_info().currsize == 0
    finally:
        del sys.modules[till.__name__]


def test_a_mutant_behind_a_cache_is_noticed(tmp_path: Path) -> None:
    project = MutatedProject(tmp_path).write(
        {
            "shop/__init__.py": "",
            "shop/prices.py": CACHED,
            "tests/test_prices.py": (
                "from shop.prices import Till, price\n\n"
                "def test_price():\n    assert [price('a'), price('b')] == [3, 5]\n\n"
                "def test_total():\n    assert Till.total('a') == 6\n"
            ),
        }
    )
    mutation = project.measure()
    assert mutation.mutants
    assert mutation.percent == 100.0
