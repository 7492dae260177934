"""Calls as Python: arguments, stories and what makes them odd."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.calls.call import (
    Call,
    arguments,
    as_line,
    as_lines,
    expression,
    rerooted,
)
from pytest_lift.calls.cost import cost_of
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter

BOX = Target("m.py", "Box", "constructor", "Box", (), (Parameter("size", "positional"),))


def on_box(symbol: str, kind: str, *names: str, **more: object) -> Target:
    parameters = tuple(Parameter(name, "positional") for name in names)
    made = Target("m.py", f"Box.{symbol}", "method", "Box", (), parameters, BOX)
    return replace(made, kind=kind, **more)  # type: ignore[arg-type]


def test_required_arguments_are_positional_and_options_named() -> None:
    parameters = (
        Parameter("a", "positional-only"),
        Parameter("b", "positional"),
        Parameter("c", "positional", "1"),
        Parameter("rest", "var-positional"),
        Parameter("d", "keyword"),
    )
    target = Target("m.py", "f", "function", "f", (), parameters)
    call = Call(target, (("a", "1"), ("b", "2"), ("c", "3"), ("d", "4")))
    assert arguments(call) == "1, 2, c=3, d=4"
    assert arguments(replace(call.without("c"), extra=("8", "9"))) == "1, 2, 8, 9, d=4"
    assert call.options == ("c",)


@pytest.mark.parametrize(
    ("target", "values", "source"),
    [
        (on_box("add", "method", "item"), (("item", "1"),), "box.add(1)"),
        (on_box("size", "property"), (), "box.size"),
        (on_box("__eq__", "operator", "other"), (("other", "a or b"),), "box == (a or b)"),
        (on_box("__call__", "method", "x"), (("x", "1"),), "box(1)"),
        (on_box("size", "statement", "value"), (("value", "2"),), "box.size = 2"),
        (on_box("__setitem__", "statement", "k", "v"), (("k", "1"), ("v", "2")), "box[1] = 2"),
        (on_box("wait", "method", asynchronous=True), (), "asyncio.run(box.wait())"),
    ],
)
def test_calls_on_an_object_read_as_a_person_writes_them(
    target: Target, values: tuple[tuple[str, str], ...], source: str
) -> None:
    made = Call(BOX, (("size", "1"),))
    assert expression(Call(target, values, receiver=made, name="box")) == source


def test_without_a_variable_the_object_is_made_in_place() -> None:
    call = Call(on_box("add", "method", "item"), (("item", "1"),), receiver=Call(BOX))
    assert expression(call) == "Box().add(1)"


def test_a_line_of_a_story_is_on_the_variable_alone() -> None:
    call = Call(on_box("add", "method", "item"), (("item", "1"),), receiver=Call(BOX), name="box")
    line = as_line(call)
    assert (line.receiver, line.name, line.subject) == (None, "", "box")
    assert expression(line) == "box.add(1)"
    assert [expression(one) for one in as_lines(call, "other")] == ["other.add(1)"]


def test_a_line_without_a_variable_keeps_its_object() -> None:
    call = Call(on_box("add", "method", "item"), (("item", "1"),), receiver=Call(BOX))
    assert expression(as_line(call)) == "Box().add(1)"
    assert as_lines(call, "") == ()


def test_a_chain_begins_at_another_object() -> None:
    half = on_box("half", "method")
    call = Call(half, receiver=Call(half, receiver=Call(BOX)))
    first = Call(on_box("pick", "method"), subject="shelf")
    changed = rerooted(call, BOX.key, first)
    assert changed is not None
    assert expression(changed) == "shelf.pick().half().half()"
    assert rerooted(first, BOX.key, first) is None


def test_operators_that_something_follows_stand_in_brackets() -> None:
    both = Call(on_box("__add__", "operator", "other"), (("other", "2"),), receiver=Call(BOX))
    chain = Call(on_box("half", "method"), receiver=both)
    assert expression(chain) == "(Box() + 2).half()"
    adding = Call(on_box("__iadd__", "statement", "other"), (("other", "2"),), receiver=Call(BOX))
    assert rerooted(adding, BOX.key, Call(on_box("pick", "method"), subject="shelf")) is None


@pytest.mark.parametrize(
    ("plain", "odd"),
    [("f('a')", "f('\\x00')"), ("f(1)", "f(lambda: 1)"), ("f(12)", "f(12345678)"), ("a", "a" * 90)],
)
def test_odd_sources_cost_more(plain: str, odd: str) -> None:
    assert cost_of(plain) < cost_of(odd)


def test_a_statement_makes_no_object(tmp_path: Path) -> None:
    """``box = Box(1)[0] = 2`` would bind the variable to the value."""
    text = "class Box:\n    def __init__(self, size):\n        self.size = size\n"
    resolver = Resolver(write_program(tmp_path, {"m.py": text}))
    made = Call(BOX, (("size", "1"),))
    fill = Call(on_box("__setitem__", "statement", "key", "value"), (("key", "0"), ("value", "2")))
    look = on_box("size", "property")
    assert as_case(Call(look, receiver=made, name="box"), resolver) is not None
    assert as_case(Call(look, receiver=fill.but(receiver=made), name="box"), resolver) is None
