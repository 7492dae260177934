"""What is stored comes back, through JSON; what does not fit is refused with its place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.files.codec import DecodeError, decode, decode_each, encode, loads, stored_as


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Span(NamedTuple):
    line: int
    column: int


@dataclass(frozen=True)
class Leaf:
    name: Annotated[str, "identifier"]
    colour: Colour = Colour.RED
    weight: float | None = None
    leaves: tuple[Leaf, ...] = ()


@dataclass(frozen=True)
class Stored:
    kind: Literal["tree", "bush"]
    count: int
    alive: bool
    height: float
    place: Path
    data: bytes
    pair: tuple[int, str]
    span: Span
    names: frozenset[str | None]
    root: Leaf | None
    leaves: Mapping[str, tuple[Leaf, ...]]
    other: int | str
    more: Any
    tags: list[str] = field(metadata=stored_as("labels"), default_factory=list)
    apart: str = field(metadata=stored_as(None), default="")
    known: frozenset[str] = field(init=False, compare=False, default=frozenset({"x"}))


TEXTS = st.text(max_size=5)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
LEAVES: st.SearchStrategy[Leaf] = st.deferred(
    lambda: st.builds(
        Leaf,
        TEXTS,
        st.sampled_from(Colour),
        st.none() | NUMBERS | st.integers(),
        st.lists(LEAVES, max_size=2).map(tuple),
    )
)
VALUES = st.builds(
    Stored,
    st.sampled_from(["tree", "bush"]),
    st.integers(),
    st.booleans(),
    NUMBERS,
    TEXTS.map(lambda text: Path(text.replace("\0", ""))),
    st.binary(max_size=5),
    st.tuples(st.integers(), TEXTS),
    st.builds(Span, st.integers(), st.integers()),
    st.frozensets(st.none() | TEXTS, max_size=3),
    st.none() | LEAVES,
    st.dictionaries(TEXTS, st.lists(LEAVES, max_size=2).map(tuple), max_size=2),
    st.integers() | TEXTS,
    st.recursive(
        st.none() | st.booleans() | TEXTS, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner)
    ),
    st.lists(TEXTS, max_size=2),
    TEXTS,
)  # fmt: skip


@given(VALUES)
def test_whatever_is_stored_comes_back(value: Stored) -> None:
    text = json.dumps(encode(value), allow_nan=False)
    found = decode(Stored, loads(text), apart=value.apart)
    assert found == value
    assert found.known == {"x"}
    assert json.dumps(encode(found)) == text


LEAF = Leaf("a", Colour.BLUE, 1.5, (Leaf("b"),))
VALUE = Stored(
    *("tree", 1, True, 0.5, Path("a/b"), b"\xff", (1, "x"), Span(1, 2)),
    *(frozenset({"b", None, "a"}), LEAF, {"k": (LEAF,)}, 3, {"any": [1]}, ["t"], "elsewhere"),
)
LEAF_DATA = {
    "name": "a", "colour": "blue", "weight": 1.5,
    "leaves": [{"name": "b", "colour": "red", "weight": None, "leaves": []}],
}  # fmt: skip
DATA = {
    "kind": "tree", "count": 1, "alive": True, "height": 0.5, "place": "a/b", "data": "\udcff",
    "pair": [1, "x"], "span": [1, 2], "names": [None, "a", "b"], "root": LEAF_DATA,
    "leaves": {"k": [LEAF_DATA]}, "other": 3, "more": {"any": [1]}, "labels": ["t"],
}  # fmt: skip


def test_the_form_is_plain_and_in_the_order_of_the_fields() -> None:
    assert json.dumps(encode(VALUE)) == json.dumps(DATA)
    assert encode({Colour.RED: Path("x")}) == {"red": "x"}
    with pytest.raises(TypeError, match="object cannot be stored"):
        encode([object()])


def test_defaults_stand_for_missing_keys_and_unknown_keys_are_ignored() -> None:
    assert decode(Leaf, {"name": "a", "new": 3}) == Leaf("a")
    assert decode(Leaf, {"name": "a", "weight": 2}) == Leaf("a", weight=2)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"kind": "stone"}, "kind cannot be 'stone'"),
        ({"kind": []}, "kind cannot be []"),
        ({"count": True}, "count cannot be True"),
        ({"count": 1.0}, "count cannot be 1.0"),
        ({"alive": 1}, "alive cannot be 1"),
        ({"height": float("nan")}, "height cannot be nan"),
        ({"height": float("inf")}, "height cannot be inf"),
        ({"count": 10**400}, f"count cannot be 1{'0' * 59}"),
        ({"place": 3}, "place cannot be 3"),
        ({"data": "\ud800"}, r"data cannot be '\ud800'"),
        ({"pair": [1]}, "pair has 1 parts, not 2"),
        ({"pair": [1, 2]}, "pair[1] cannot be 2"),
        ({"span": {}}, "span is no list"),
        ({"span": [1, "x"]}, "span[1] cannot be 'x'"),
        ({"names": ["a", 3]}, "names[1] cannot be 3"),
        ({"root": 3}, "root is no object"),
        ({"root": {}}, "root lacks a key: 'name'"),
        ({"root": {**LEAF_DATA, "colour": "green"}}, "root.colour cannot be 'green'"),
        (
            {"root": {**LEAF_DATA, "leaves": [LEAF_DATA, {"name": 3}]}},
            "root.leaves[1].name cannot be 3",
        ),
        ({"leaves": {"k": [LEAF_DATA, 3]}}, "leaves['k'][1] is no object"),
        ({"leaves": []}, "leaves is no object"),
        ({"other": None}, "other cannot be None"),
        ({"labels": "t"}, "labels is no list"),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(change: dict[str, Any], told: str) -> None:
    with pytest.raises(DecodeError) as caught:
        decode(Stored, {**DATA, **change})
    assert str(caught.value) == told


def test_the_value_itself_is_called_it() -> None:
    with pytest.raises(DecodeError, match=r"^it is no object$"):
        decode(Leaf, [])
    with pytest.raises(DecodeError, match=r"^it cannot be None$"):
        decode(int, None)


def test_rows_that_do_not_fit_are_left_out() -> None:
    rows = [{"name": "a"}, 3, {"name": None}, {"name": "b", "weight": "x"}, {"name": "c"}]
    assert decode_each(Leaf, rows) == (Leaf("a"), Leaf("c"))
    assert decode_each(Leaf, {"name": "a"}) == ()


@pytest.mark.parametrize("text", ["", "{", "NaN", "[-Infinity]", b"\xff", "[" * 100_000])
def test_what_is_no_json_is_a_value_error(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        loads(text)
