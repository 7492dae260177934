"""Slices are written as people write them, and read as what is passed."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from offline_program import brief, write_program

from pytest_lift.agents.offline.generator import generator
from pytest_lift.source.special_methods import as_argument, as_index

DECK = """
    class Deck:
        def __init__(self, cards):
            self.cards = list(cards)

        def __getitem__(self, key):
            if isinstance(key, slice):
                start = 0 if key.start is None else key.start
                if start < 0:
                    return Deck(self.cards[start:])
                return Deck(self.cards[key])
            return self.cards[key].title()

        def __repr__(self):
            return f"Deck({self.cards})"

        def __eq__(self, other):
            return self.cards == other.cards
"""

bounds = st.none() | st.integers(-20, 20)


@pytest.mark.parametrize(
    ("argument", "index"),
    [
        *[("slice(1, 3)", "1:3"), ("slice(4)", ":4"), ("slice(None, None, 2)", "::2")],
        *[("slice(-2, None)", "-2:"), ("slice(1, 9, None)", "1:9"), ("slice()", "slice()")],
        *[("slices(1)", "slices(1)"), ("'slice(1, 2)'", "'slice(1, 2)'")],
    ],
)
def test_a_slice_is_written_with_colons(argument: str, index: str) -> None:
    assert as_index(argument) == index


@given(st.tuples(bounds, bounds, bounds.filter(lambda step: step != 0)))
def test_what_is_written_selects_what_the_slice_does(parts: tuple[int | None, ...]) -> None:
    items = [*range(12)]
    written = f"items[{as_index(repr(slice(*parts)))}]"
    assert eval(written, {"items": items}) == items[slice(*parts)]
    node = ast.parse(written, mode="eval").body
    assert isinstance(node, ast.Subscript)
    argument = ast.unparse(as_argument(node.slice))
    assert items[eval(argument, {})] == items[slice(*parts)]


def test_what_is_no_slice_is_left_alone() -> None:
    node = ast.parse("items[-1]", mode="eval").body
    assert isinstance(node, ast.Subscript)
    assert as_argument(node.slice) is node.slice


def test_the_search_passes_slices_where_a_class_asks_for_them(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"decks.py": DECK})
    (text,) = [text for text in generator(brief(tmp_path, program)).files.values() if text]
    assert re.search(r"assert .*\[-?\d*:-?\d*\]", text), text
    assert "slice(" not in text
