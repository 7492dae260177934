"""A target of which no call came so far as to it, or whose calls only repeat others, is called less
and less."""

from __future__ import annotations

from pathlib import Path

import pytest
from begun_search import search_of

from pytest_lift.calls.targets.target import function_of

CACHES = """
    class Cache:
        def __init__(self, client):
            if client is None:
                raise RuntimeError("no client")
            self.client = client

        def get(self, key):
            if key in self.client:
                return self.client[key]
            return None
"""


def test_what_needs_an_object_that_cannot_be_made_is_called_less(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"caches.py": CACHES})
    get = targets["Cache.get"]
    before = search.prospects.weight(get, frozenset())
    search.prober.failures[get.key]["setup: RuntimeError"] += 40
    assert search.prospects.weight(get, frozenset()) < 0.02 * before
    search.prober.successes[get.key] += 1
    assert search.prospects.weight(get, frozenset()) == before


def test_what_fails_by_itself_is_called_as_before(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"caches.py": CACHES})
    get = targets["Cache.get"]
    before = search.prospects.weight(get, frozenset())
    search.prober.failures[get.key]["TypeError: unhashable type: 'list' (caches.py:8)"] += 40
    assert search.prospects.weight(get, frozenset()) == before


def test_what_only_repeats_itself_is_called_less(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"caches.py": CACHES})
    get = targets["Cache.get"]
    call = search.maker.fresh(get)
    assert call is not None
    search.drafts.new([call] * 90, search.progress, search.deadline)
    often = search.prospects.weight(get, frozenset())
    search.progress[get.key].repeats = 0
    assert often == pytest.approx(0.11 * search.prospects.weight(get, frozenset()), rel=0.1)


def test_what_a_function_makes_is_called_for_what_is_missing_in_it(tmp_path: Path) -> None:
    program = """
        def cached(size=None):
            return dict if size is None else list
        """
    search, targets = search_of(tmp_path, {"caches.py": program})
    made = function_of(targets["cached"])
    missing = search.prospects.weight(made, frozenset())
    assert missing == search.prospects.weight(targets["cached"], frozenset())


def test_a_way_into_the_program_weighs_a_tenth_of_all_that_is_left(tmp_path: Path) -> None:
    branches = "".join(
        f"            if size == {n}:\n                return {n}\n" for n in range(60)
    )
    program = f"""
        def packed(size):
{branches}
            return 0

        def main(argv=None):
            print("nothing")

        if __name__ == "__main__":
            main()
        """
    search, targets = search_of(tmp_path, {"packing.py": program})
    everything = len(search.prober.sites)
    weight = search.prospects.weight
    assert weight(targets["main"], frozenset()) > 0.1 * everything
    assert weight(targets["main"], frozenset(range(everything))) < 1
