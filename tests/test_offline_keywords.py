"""Dicts of keywords hold keywords, and words in containers are whole."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.calls.call import Call
from pytest_lift.calls.cost import cost_of
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

CODE = """
    class Value:
        def __init__(self, value):
            self.value = value

    def _rule(value):
        if value.value.get("mergeStrategy") == "append":
            return value.value["properties"]
        return value.value.get("type")

    def merged(base, schema):
        schema = Value(schema)
        return base, _rule(schema) if isinstance(schema, Value) else None

    class Walk:
        def __init__(self, schema):
            self.schema = schema

    def told(data, words=()):
        return [word in data for word in words if word != "$ref"]
"""
SCHEMA = "{'properties': {'foo': {'type': 'object', 'mergeStrategy': 'append'}}, 'id': 'x'}"


@pytest.fixture
def natural(tmp_path: Path) -> Naturalness:
    program = write_program(tmp_path, {"merge.py": CODE})
    targets = find_targets(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    naturalness = Naturalness(inputs, targets)
    merged = target(naturalness, "merged")
    inputs.note(merged, "schema", SCHEMA)
    inputs.note(merged, "base", "{'foo': 1}")
    naturalness.forget()
    return naturalness


def target(natural: Naturalness, name: str) -> Target:
    return natural.makers[name]


def with_schema(natural: Naturalness, value: str) -> Call:
    return Call(target(natural, "merged"), (("base", "{'a': 1}"), ("schema", value)))


def cost(natural: Naturalness, call: Call) -> float:
    return natural.oddness(call) + natural.made_up(call) + sum(cost_of(v) for _, v in call.values)


@pytest.mark.parametrize("value", ["{'a': 1}", "[True, False, None]", "'hello'", "1"])
def test_what_has_no_keyword_is_odd_where_keywords_are_documented(
    natural: Naturalness, value: str
) -> None:
    odd = cost(natural, with_schema(natural, value))
    assert odd > cost(natural, with_schema(natural, "{'type': 'object'}"))
    assert natural.keyworded.oddness(target(natural, "merged"), "schema", value) > 0


@pytest.mark.parametrize("value", ["{}", "{'a': {'type': 1}}", "None"])
def test_nothing_and_a_keyword_deep_inside_are_not_odd(natural: Naturalness, value: str) -> None:
    assert natural.keyworded.oddness(target(natural, "merged"), "schema", value) == 0


def test_keys_that_the_program_does_not_have_are_no_keywords(natural: Naturalness) -> None:
    assert natural.keyworded.oddness(target(natural, "merged"), "base", "{'a': 1}") == 0


def test_parts_of_the_documented_dicts_are_proposed(natural: Naturalness) -> None:
    call = with_schema(natural, "{'a': 1}")
    schemas = [one.given["schema"] for one in Proposals(natural).mended(call)]
    assert schemas[:3] == ["{}", "{'type': 'object'}", "{'mergeStrategy': 'append'}"]
    assert "{'properties': {'foo': {'mergeStrategy': 'append'}}, 'id': 'x'}" in schemas


def test_keywords_of_a_name_hold_for_others_of_that_name(natural: Naturalness) -> None:
    walk = target(natural, "Walk")
    assert natural.keyworded.oddness(walk, "schema", "{'a': 1}") > 0
    assert natural.keyworded.oddness(walk, "schema", "{'type': 'object'}") == 0
    call = Call(walk, (("schema", "{'a': 1}"),))
    assert next(natural.keyworded.variants(call)).given == {"schema": "{}"}


def test_a_documented_kind_fits_whatever_the_uses_tell(natural: Naturalness) -> None:
    merged = target(natural, "merged")
    assert natural.inputs.known_kinds(merged, merged.parameters[1]) == ["Value"]
    assert natural.fitness.misfit(merged, "schema", "{'type': 1}") == 0
    assert natural.fitness.misfit(merged, "schema", "1") > 0


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("mergeStraegy", "mergeStrategy"),
        ("mergrgeStrategy", "mergeStrategy"),
        ("append>", "append"),
        ("object\t", "object"),
        ("$ref]", "$ref"),
        ("$re", ""),
        ("mergeStrategy", ""),
        ("append", ""),
        ("hello", ""),
        ("foo bar", ""),
        ("a", ""),
    ],
)
def test_torn_words_are_told_from_others(natural: Naturalness, text: str, word: str) -> None:
    assert natural.torn_words.torn_from(text) == word


def test_torn_words_in_containers_go_or_give_way(natural: Naturalness) -> None:
    call = with_schema(natural, "{'type': 'object', 'mergeStraegy': 'append'}")
    others = [*natural.torn_words.variants(call)]
    assert [one.given["schema"] for one in others] == [
        "{'type': 'object'}",
        "{'type': 'object', 'hello': 'append'}",
        "{'type': 'object', 'mergeStrategy': 'append'}",
    ]
    assert all(cost(natural, one) < cost(natural, call) for one in others)


def test_an_item_that_is_torn_goes(natural: Naturalness) -> None:
    call = Call(target(natural, "told"), (("data", "['object']"), ("words", "['append>', 'a']")))
    first = next(natural.torn_words.variants(call))
    assert first.given["words"] == "['a']"


def test_a_made_up_word_is_a_plain_one(natural: Naturalness) -> None:
    told = target(natural, "told")
    for made_up, others in (("'objectappend'", ["'hello'"]), ("'object'", []), ("'a'", [])):
        call = Call(told, (("data", made_up),))
        assert [one.given["data"] for one in natural.torn_words.variants(call)] == others
