"""Comparisons, and questions to Python that hold or do not, are told in words."""

from __future__ import annotations

import ast

import pytest

from pytest_lift.agents.offline.writing.facts.comparisons import comparison, is_asked


@pytest.mark.parametrize(
    ("source", "holds", "fails"),
    [
        ("a < b", "a is less than b", "a is not less than b"),
        ("'a' not in bag", "'a' is not in bag", "'a' is in bag"),
        ("a is not b", "a is not b", "a is b"),
        ("isinstance(bag['a'], cards.Ace)", "bag['a'] is an Ace", "bag['a'] is no Ace"),
        ("issubclass(Ace, Card)", "Ace is derived from Card", "Ace is not derived from Card"),
        ("hasattr(card, 'suit')", "card has an attribute suit", "card has no attribute suit"),
        ("callable(play)", "play can be called", "play cannot be called"),
        ("isinstance(card, (Ace, King))", "", ""),
        ("play(card)", "", ""),
    ],
)
def test_what_is_asserted_is_told_in_words(source: str, holds: str, fails: str) -> None:
    assert (comparison(source, "true"), comparison(source, "false")) == (holds, fails)


@pytest.mark.parametrize(
    ("source", "asked"),
    [
        ("a < b", True),
        ("isinstance(card, Ace)", True),
        ("hasattr(card, 'suit')", True),
        ("cards.isinstance(card)", False),
        ("play(card)", False),
    ],
)
def test_comparisons_and_questions_to_python_are_asserted_as_they_are(
    source: str, asked: bool
) -> None:
    assert is_asked(ast.parse(source, mode="eval").body) is asked
