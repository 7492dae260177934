"""What an object holds is put there by what sets it, not by asking for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from begun_search import search_of

from pytest_lift.agents.offline.natural.objects import asked
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target

SHELF = """
    class Shelf:
        def __init__(self):
            self.books = {}

        def put(self, name):
            self.books[name] = 1

        def get(self, name):
            return self.books.setdefault(name, 1)

        def getaway(self):
            self.books.clear()

        @property
        def first(self):
            return self.books.setdefault("first", 1)

        def __len__(self):
            return len(self.books)

        def __next__(self):
            return self.books.popitem()
"""


@pytest.fixture(scope="module")
def targets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Target]:
    return search_of(tmp_path_factory.mktemp("shelf"), {"shelf.py": SHELF})[1]


@pytest.mark.parametrize(
    ("line", "bound", "asks"),
    [
        ("Shelf.put", "", False),
        ("Shelf.get", "", True),
        ("Shelf.get", "book", False),  # it is needed for what comes then
        ("Shelf.getaway", "", False),
        ("Shelf.first", "", True),
        ("Shelf.__len__", "", True),
        ("Shelf.__next__", "", False),  # it takes something away
    ],
)
def test_lines_that_only_ask_cost_something(
    line: str, bound: str, asks: bool, targets: dict[str, Target]
) -> None:
    made = Call(targets["Shelf"])
    before = Call(targets[line], subject="shelf", bound=bound)
    call = Call(targets["Shelf.get"], receiver=made, name="shelf", before=(before,))
    assert bool(asked.oddness(call)) == asks


def test_a_case_that_is_filled_by_what_sets_something_costs_less(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"shelf.py": SHELF})
    costs = []
    for symbol in ("Shelf.put", "Shelf.get"):
        line = Call(targets[symbol], (("name", "'a'"),), subject="shelf")
        made = Call(targets["Shelf"])
        case = search.write(
            Call(targets["Shelf.__len__"], receiver=made, name="shelf", before=(line,))
        )
        assert case is not None
        costs.append(case.cost)
    assert costs[0] + asked.ASKED / 2 < costs[1]
