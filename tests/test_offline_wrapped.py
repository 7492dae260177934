"""What a program makes of a function that a test hands on is called as this function is."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from pytest_lift.agents.offline.natural.values.wrapped import (
    beside_wrapped,
    drawn_for_wrapped,
    handed,
)
from pytest_lift.agents.offline.search.learnt.wrapping import wrapped_again
from pytest_lift.calls.call import Call
from pytest_lift.calls.definitions import LocalDefinition, LocalDefinitions
from pytest_lift.calls.targets.target import Target, function_of
from pytest_lift.source.symbols import Parameter

SOURCES = {
    "add": "def add(left, right):\n    return left + right",
    "say_hello": 'def say_hello():\n    return "hello"',
    "shout": 'def shout(text="hello", mark="!"):\n    return text.upper() + mark',
    "fetch": "async def fetch(url, port: int):\n    return url",
    "gather": "def gather(*items, **options):\n    return [*items]",
    "fail": 'def fail(*args):\n    raise OSError("failed")',
    "Row": "class Row:\n    pass",
}
DEFINED = LocalDefinitions({name: LocalDefinition(name, text) for name, text in SOURCES.items()})
CACHED = Target("cache.py", "cached", "function", "cached", (), ())
WRAPPER = function_of(CACHED)


def wrapping(function: str, *extra: str) -> Call:
    return Call(WRAPPER, extra=extra, receiver=Call(CACHED, (("function", function),)))


def drawn(function: str) -> set[tuple[str, ...] | None]:
    return {
        drawn_for_wrapped(wrapping(function), DEFINED, random.Random(seed)) for seed in range(40)
    }


def test_a_wrapped_function_gets_as_many_arguments_as_it_takes() -> None:
    assert {len(one) for one in drawn("add") if one is not None} == {2}
    assert drawn("say_hello") == {(), None}
    assert {len(one) for one in drawn("lambda a, b: a + b") if one is not None} == {2}
    assert {len(one) for one in drawn("shout") if one is not None} == {0, 1, 2}
    assert {len(one) for one in drawn("gather") if one is not None} == {1, 2}


def test_its_arguments_are_what_its_parameters_tell() -> None:
    urls, ports = zip(*(one for one in drawn("fetch") if one is not None), strict=True)
    assert {*urls} == {"'https://example.com/'"}
    assert {*ports} == {"8080"}
    texts = {one[0] for one in drawn("shout") if one}
    assert texts <= {"'hello'", "'a'", "'b'"}


@pytest.mark.parametrize("other", ["Row", "len", "1"])
def test_nothing_is_known_of_what_is_no_function_of_the_test(other: str) -> None:
    assert drawn(other) == {None}


def test_what_the_wrapped_function_takes_is_no_guess() -> None:
    assert beside_wrapped(wrapping("add", "1", "2"), DEFINED).extra == ()
    assert beside_wrapped(wrapping("gather", "1", "2", "3"), DEFINED).extra == ()
    assert beside_wrapped(wrapping("add", "1"), DEFINED).extra == ("1",)
    assert beside_wrapped(wrapping("say_hello", "len"), DEFINED).extra == ("len",)


def test_a_function_among_the_arguments_of_the_call_itself_is_the_one_that_is_called() -> None:
    call = Call(CACHED, (("function", "add"), ("times", "3")))
    assert [one.name for one in handed(call, DEFINED) or ()] == ["left", "right"]


def test_a_function_that_is_needed_comes_before_one_that_is_an_option() -> None:
    given = (Parameter("on_error", "keyword", "None"), Parameter("function", "keyword"))
    target = replace(CACHED, parameters=given)
    maker = Call(target, (("on_error", "say_hello"), ("function", "add")))
    assert [one.name for one in handed(Call(WRAPPER, receiver=maker), DEFINED) or ()] == [
        "left",
        "right",
    ]
    again = [*wrapped_again(function_of(target), maker, DEFINED)]
    assert again[1].receiver == maker.with_value("function", "fail")


def told(call: Call) -> tuple[str, ...]:
    made = call.receiver.text if call.receiver is not None else ""
    return made, *(f"{one.text} {one.raises}".strip() for one in call.before), call.text


def test_what_wraps_a_function_is_called_again_and_with_one_that_fails() -> None:
    function = Parameter("function", "positional")
    limit = Parameter("max_calls", "positional", "10")
    target = Target("cache.py", "cached", "function", "cached", (), (function, limit))
    call = Call(target, (("function", "say_hello"),))
    found = [told(one) for one in wrapped_again(function_of(target), call, DEFINED)]
    assert found == [
        row
        for options in ("", ", max_calls=1")
        for row in (
            (f"cached(say_hello{options})", "function()", "function()"),
            (f"cached(fail{options})", "function()"),
            (f"cached(fail{options})", "function() OSError", "function()"),
            (f"cached(fail{options})", *("function() OSError",) * 2, "function()"),
        )
    ]
