"""The header of a table as fields of requirements, and what its rows state."""

from __future__ import annotations

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.requirements.columns import (
    Columns,
    TableRow,
    completed,
    first_sentence,
    sentences,
)
from pytest_lift.requirements.yaml_tree import Table, Text, YamlSequence


def columns(*names: str) -> Columns:
    found = Columns.of("r.csv", TableRow(1, names))
    assert found
    return found


def stated(table: Table | None) -> dict[str, object]:
    assert table
    found: dict[str, object] = {}
    for name, (_, value) in table.entries.items():
        if isinstance(value, YamlSequence):
            found[name] = [one.value for one in value.children if isinstance(one, Text)]
        elif isinstance(value, Text):
            found[name] = value.value
    return found


@pytest.mark.parametrize(
    ("names", "places"),
    [
        (("ID", "Title"), {"id": (0,), "title": (1,)}),
        (("Requirement", "Issue key"), {"id": (1,), "description": (0,)}),
        (("Requirement", "Text"), {"id": (0,), "description": (1,)}),
        (("uid", "Text", "Label", "x", "labels"), {"id": (0,), "description": (1,), "tags": (2, 4)}),
        (("id", "name", "Non-goal(s)"), {"id": (0,), "title": (1,), "non_goal": (2,)}),
        (("id", "title", "name"), {"id": (0,), "title": (1,)}),
        (("id", "name", "Non goals"), {"id": (0,), "title": (1,), "non_goal": (2,)}),
        (("requirement", "acceptance"), {"id": (0,), "acceptance": (1,)}),
    ],
)  # fmt: skip
def test_columns_by_their_names(names: tuple[str, ...], places: dict[str, tuple[int, ...]]) -> None:
    assert columns(*names).places == places


@pytest.mark.parametrize("names", [(), ("id",), ("title", "description"), ("id", "tags")])
def test_other_tables_are_none_of_requirements(names: tuple[str, ...]) -> None:
    assert Columns.of("r.csv", TableRow(1, names)) is None


def test_columns_that_are_not_read_are_told() -> None:
    assert columns("id", "title").warning is None
    said = columns("id", "title", "Prio", "", "Prio", *"abcdef").warning
    assert said
    assert said.startswith("r.csv:1: columns 'Prio', 'a', 'b', 'c', 'd' and 2 more are ignored;")


def test_a_row_states_its_fields() -> None:
    row = TableRow(2, (" R-1 ", "It\nadds", "- one\n- two\n  more", "a, b;;c", "1.2", "n/a"))
    found = columns("id", "title", "acceptance", "tags", "level", "waived").requirement(row, [])
    assert stated(found) == {
        "id": "R-1",
        "title": "It adds",
        "acceptance": ["one", "two\nmore"],
        "tags": ["a", "b", "c"],
        "description": "It adds",
    }


def test_a_level_is_one_where_it_is_no_place_in_a_document() -> None:
    found = columns("id", "title", "level").requirement(TableRow(2, ("R", "t", "Unit")), [])
    assert stated(found)["level"] == "unit"


def test_a_row_may_be_shorter_than_the_header() -> None:
    found = columns("id", "title", "tags").requirement(TableRow(2, ("R", "t")), [])
    assert stated(found) == {"id": "R", "title": "t", "description": "t", "acceptance": ["t"]}


@pytest.mark.parametrize(
    ("cells", "what"),
    [
        (("", "text"), "requirement without id: the column 'Key' is empty"),
        (("-", "text"), "requirement without id: the column 'Key' is empty"),
        (("R-1", ""), "requirement 'R-1' has no text"),
    ],
)
def test_a_row_that_lacks_something_is_a_problem(cells: tuple[str, ...], what: str) -> None:
    problems: list[UsageError] = []
    assert columns("Key", "title").requirement(TableRow(7, cells), problems) is None
    assert [(one.what, one.where) for one in problems] == [(what, "r.csv:7")]


def test_an_empty_row_is_none() -> None:
    problems: list[UsageError] = []
    assert columns("Key", "title").requirement(TableRow(7, ("", " ")), problems) is None
    assert problems == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("one\ntwo", ["one", "two"]),
        ("- one\n\n- two\n", ["one", "two"]),
        ("Given a\nwhen b\nThen c\nother", ["Given a\nwhen b\nThen c", "other"]),
        ("- one\n  goes on\n* two", ["one\ngoes on", "two"]),
        ("when b", ["when b"]),
        ("", []),
    ],
)
def test_acceptance_sentences(text: str, found: list[str]) -> None:
    assert [*sentences(text)] == found


def test_fields_that_are_missing_are_filled_from_others() -> None:
    assert completed({"acceptance": ["It is so. And more."], "tags": []}) == {
        "acceptance": ["It is so. And more."],
        "description": ["It is so. And more."],
        "title": ["It is so."],
    }
    assert completed({"description": ["d"], "title": ["t"]})["acceptance"] == ["d"]


@pytest.mark.parametrize(
    ("text", "first"),
    [("One. Two", "One."), ("a e.g. b", "a e.g. b"), ("a\nb\n\nc", "a b"), ("Why? So", "Why?")],
)
def test_the_first_sentence(text: str, first: str) -> None:
    assert first_sentence(text) == first
