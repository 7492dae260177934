"""Varied expressions are still expressions, and change one literal."""

from __future__ import annotations

import ast
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.agents.offline.arguments.variation import (
    put,
    spaced,
    spliced,
    texts_of,
    vary,
    vary_text,
)

EXPRESSIONS = st.sampled_from(
    ["1", "-2.5", "'red'", "b'x'", "True", "[1, 'a']", "(1,)", "{'k': [1]}", "Box(1, size='a')",
     "lambda value: value * 2", "len"]
)  # fmt: skip


@given(EXPRESSIONS, st.integers(0, 999))
def test_a_varied_expression_can_be_read(expression: str, seed: int) -> None:
    rng = random.Random(seed)
    for changed in (
        vary(expression, rng, ["ab", "-"], ["[1]", "'x'"]),
        spaced(expression, rng),
        put(expression, "'new'", rng),
    ):
        ast.parse(changed, mode="eval")


@given(st.sampled_from(["-1", "-2.5", "f(-3, -4)"]), st.integers(0, 999))
def test_a_negative_number_is_one_literal(expression: str, seed: int) -> None:
    rng = random.Random(seed)
    for changed in (vary(expression, rng, [], []), put(expression, "-9", rng)):
        assert "--" not in changed


def test_what_has_no_literal_stays() -> None:
    assert vary("len", random.Random(1), [], []) == "len"
    assert vary("f(", random.Random(1), [], []) == "f("
    assert spaced("1", random.Random(1)) == "1"


def test_a_new_value_takes_the_place_of_a_constant() -> None:
    assert put("Box(1)", "'new'", random.Random(1)) == "Box('new')"
    assert put("len", "'new'", random.Random(1)) == "'new'"


def test_a_string_gets_a_blank_and_keeps_its_letters() -> None:
    changed = ast.literal_eval(spaced("'ab'", random.Random(2)))
    assert len(changed) > 2
    assert changed.split() in (["ab"], ["a", "b"])


@pytest.mark.parametrize("seed", range(30))
def test_a_text_never_grows_without_end(seed: int) -> None:
    assert len(vary_text("a" * 80, random.Random(seed), ["token"])) <= 80


def test_a_long_text_is_varied_without_being_cut() -> None:
    long = repr("a " * 60)
    lengths = {len(ast.literal_eval(vary(long, random.Random(n), ["b"], []))) for n in range(40)}
    assert {119, 120} & lengths


TOKENS = ("ab", "12", "cd")


def test_a_part_of_another_text_is_spliced_in_between_tokens() -> None:
    found = {spliced("ab = 12", "{cd}", random.Random(seed)) for seed in range(400)}
    assert {"ab = {cd}", "ab = {cd}12", "ab = 12{cd}", "{cd}ab = 12"} <= found
    assert all(text.count(token) == text.count(token[0]) for text in found for token in TOKENS)


def test_the_texts_of_an_expression_are_its_strings() -> None:
    assert texts_of("load(b'x = 1', ['é', 2], name='n')") == ["x = 1", "é", "n"]
    assert not texts_of("len")


def test_other_texts_are_spliced_into_strings_and_bytes() -> None:
    for text in ("'a = 1'", "b'a = 1'"):
        found = {vary(text, random.Random(seed), [], [], ["other"]) for seed in range(60)}
        assert any("other" in changed for changed in found)
