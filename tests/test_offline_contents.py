"""Calls on empty containers of a program are shown on ones with something in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from begun_search import search_of

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.setups.contents import Filled
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call

BAGS = """
    from collections import UserList


    class Bag:
        def __init__(self, items: dict = None, size: int = 9):
            self.items = dict(items or {})
            self.size = size

        def __len__(self):
            return len(self.items)

        def put(self, key, value):
            self.items[key] = value

        def add(self, key):
            self.items[key] = key

        def first(self):
            for key in self.items:
                return key
            return None

        def is_within(self, number):
            if len(self.items) > number:
                return False
            return True

        def room(self):
            return self.size

        def take(self, key):
            if key not in self.items:
                raise KeyError(key)
            return self.items.pop(key)


    class Shelf(UserList):
        def __init__(self, items: list = ()):
            self.books = list(items)

        def books_of(self, word):
            return [one for one in self.books if one == word]


    class Tree:
        def __init__(self, parent: list = None):
            self.parent = parent
            self.leaves = []

        def __len__(self):
            return len(self.leaves)

        def grow(self, leaf):
            self.leaves.append(leaf)

        def size(self):
            return len(self.leaves)


    class Box:
        def __init__(self, items: dict = None):
            self.inside = dict(items or {})

        def first(self):
            return next(iter(self.inside), None)
"""

Line = tuple[str, tuple[tuple[str, str], ...]]
PUT: Line = ("Bag.put", (("key", "'b'"), ("value", "2")))
GROWN: Line = ("Tree.grow", (("leaf", "'b'"),))
ADDED: Line = ("Bag.add", (("key", "'b'"),))


@pytest.mark.parametrize(
    ("symbol", "values", "before", "shown"),
    [
        ("Bag.first", (), (), "Bag(items={'a': 1}).first()"),
        ("Bag.first", (), (PUT,), "Bag(items={'b': 2}).first()"),
        ("Bag.first", (), (ADDED,), "Bag(items={'a': 1}).first()"),
        ("Bag.is_within", (("number", "3"),), (), "Bag(items={'a': 1}).is_within(3)"),
        ("Bag.room", (), (), "Bag().room()"),
        ("Bag.take", (("key", "'z'"),), (), "Bag().take('z')"),
        ("Shelf.books_of", (("word", "'a'"),), (), "Shelf(items=['b', 'a']).books_of('a')"),
        ("Tree.size", (), (GROWN,), "Tree().size()"),
        ("Box.first", (), (), "Box().first()"),
    ],
)
def test_what_a_container_does_is_shown_on_one_with_contents(
    symbol: str,
    values: tuple[tuple[str, str], ...],
    before: tuple[Line, ...],
    shown: str,
    tmp_path: Path,
) -> None:
    search, targets = search_of(tmp_path, {"bags.py": BAGS})
    made = Call(targets[symbol.partition(".")[0]])
    lines = tuple(Call(targets[name], given, subject="bag") for name, given in before)
    call = Call(targets[symbol], values, receiver=made, name="bag" if lines else "", before=lines)
    case = search.write(call)
    assert case is not None
    seen = search.prober.observe([case], 10)[case.key]
    chosen = [Chosen(KeptCase(case, seen, call), frozenset())]
    found = Filled(search.prober, search.drafts, search.natural).all(chosen)[0].kept.call
    assert found is not None
    assert found.text.replace("bag.", f"{found.receiver.text if found.receiver else ''}.") == shown


def test_a_case_keeps_the_branch_that_it_is_there_for(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"bags.py": BAGS})
    call = Call(targets["Bag.first"], receiver=Call(targets["Bag"]))
    case = search.write(call)
    assert case is not None
    seen = search.prober.observe([case], 10)[case.key]
    chosen = [Chosen(KeptCase(case, seen, call), seen.hits)]
    assert Filled(search.prober, search.drafts, search.natural).all(chosen) == chosen
