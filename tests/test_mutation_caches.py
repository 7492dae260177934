"""What the unmutated program has cached does not answer for a mutant."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

import pytest
from mutated_project import MutatedProject

from pytest_lift.mutation.inside.caches import forget_cached

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
