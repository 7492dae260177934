"""Tool calls as fenced blocks: short arguments as lines, long texts as they are."""

from __future__ import annotations

import pytest

from pytest_lift.llm.blocks import fenced, kinds, properties, takes_text, written
from pytest_lift.llm.values import Tool

TOOL = Tool(
    "write_file",
    "Writes.",
    {
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "text": {"type": "string"},
            "lines": {"type": "integer"},
            "any": True,
        },
        "required": ["path"],
    },
)


def body(**arguments: object) -> list[str]:
    return written("write_file", arguments, TOOL).splitlines()[1:-1]


def test_short_arguments_are_lines_and_long_ones_sections() -> None:
    assert written("write_file", {"text": "a\nb\n", "path": "t.py", "lines": 3}, TOOL) == (
        "```tool write_file\npath: t.py\nlines: 3\n--- text\na\nb\n```"
    )


@pytest.mark.parametrize("text", ["", " a", "a ", '"a', "|a", "a\nb"])
def test_a_text_that_could_be_misread_is_quoted(text: str) -> None:
    (line,) = body(path=text)
    assert line.startswith('path: "')


def test_a_plain_text_is_not_quoted_where_only_text_is_taken() -> None:
    assert body(path="3") == ["path: 3"]
    assert body(any="3") == ['any: "3"']


def test_an_unknown_argument_makes_it_one_object() -> None:
    assert body(path="a", other=1) == ['{"path": "a", "other": 1}']
    assert written("x", {"other": 1}).splitlines()[1] == "other: 1"
    assert written("x", {"no name": 1}).splitlines()[1] == '{"no name": 1}'


def test_fences_are_longer_than_those_inside() -> None:
    assert fenced("x", ["````", "a"]) == "`````x\n````\na\n`````"
    assert fenced("x", ["`a`"]).startswith("```x\n")


def test_dashes_are_as_many_as_no_line_has() -> None:
    assert body(text="--- path\n---- any\n")[0] == "----- text"
    assert body(text="---- path\n")[0] == "--- text"


def test_properties_of_a_tool() -> None:
    assert [(name, needed) for name, _, needed in properties(TOOL)] == [
        ("path", True),
        ("text", False),
        ("lines", False),
        ("any", False),
    ]
    assert [*properties(Tool("x", "", {}))] == []


@pytest.mark.parametrize(
    ("schema", "found", "text"),
    [
        ({"type": "string"}, {"string"}, True),
        ({"type": ["string", "null"]}, {"string", "null"}, True),
        ({"type": "integer"}, {"integer"}, False),
        ({}, set(), True),
        (True, set(), True),
    ],
)
def test_what_a_schema_allows(schema: object, found: set[str], text: bool) -> None:
    assert kinds(schema) == found
    assert takes_text(schema) is text
