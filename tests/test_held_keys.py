"""Keys that are looked up are those that an object holds, or others that a person types."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.natural.dicts import held_keys
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

SHELF = """
    class Shelf:
        def __init__(self, books=()):
            self.books = dict(books)

        def __getitem__(self, place):
            return self.books[place]
"""


@pytest.mark.parametrize(
    ("books", "key", "instead"),
    [
        ("{'red': 1}", "'blue'", ["'red'"]),
        ("{'red': 1}", "'red'", []),
        ("{'red': 1}", "3", ["'red'", "'b'"]),
        ("{'red': 1}", "len", ["'red'", "'b'"]),
        ("()", "shelve", ["'a'"]),
        ("()", "lambda: 1", ["'a'"]),
        ("()", "True", ["'a'"]),
        ("()", "None", ["'a'"]),
        ("()", "'blue'", []),
        ("()", "Colour.RED", []),
    ],
)
def test_keys_are_held_or_typed(tmp_path: Path, books: str, key: str, instead: list[str]) -> None:
    program = write_program(tmp_path, {"shelves.py": SHELF})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    made = Call(targets["Shelf"], (("books", books),))
    call = Call(targets["Shelf.__getitem__"], (("place", key),), receiver=made)
    assert [one.given["place"] for one in held_keys.variants(call)] == instead
    assert (held_keys.oddness(call) > 0) == (len(instead) > 1 or instead == ["'a'"])
