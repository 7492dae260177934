"""`fields.py`: what of a docstring is a link, and what never is."""

from __future__ import annotations

import inspect
from textwrap import indent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.marks.fields import fields_of, without_fields


def read(doc: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(field.name, field.values) for field in fields_of(doc)]


@pytest.mark.parametrize(
    "doc",
    [
        ":req: A-1, A-2",
        "\n    :req: A-1, A-2\n    ",
        "Intent.\n\n    :req: A-1, A-2\n    ",
        "Intent.\n\n    :req:   A-1 ,A-2,\n    ",
        "Intent.\n\n    :req: A-1,\n        A-2\n\n    More.\n    ",
        "Intent.\n\n    :req:\n        A-1, A-2\n    ",
        "Intent.\n\n    :param x: what\n        it is\n    :req: A-1, A-2\n    ",
        "Intent.\r\n\r\n\t:req: A-1, A-2\r\n\t".replace("\r\n", "\n"),
        "Intent::\n\n        code\n\n    :req: A-1, A-2\n    ",
    ],
)
def test_ids_stand_between_commas_in_a_field_of_their_own(doc: str) -> None:
    assert read(doc) == [("req", ("A-1", "A-2"))]
    assert read(inspect.cleandoc(doc)) == read(doc)


def test_several_fields_and_a_reason_over_several_lines() -> None:
    doc = "Intent.\n\n    :req: A\n    :req: B\n    :emergent: seen, and\n      kept\n    :emergent:\n"
    assert read(doc) == [
        ("req", ("A",)),
        ("req", ("B",)),
        ("emergent", ("seen, and kept",)),
        ("emergent", ()),
    ]
    assert without_fields(doc) == "Intent."


@pytest.mark.parametrize(
    "doc",
    [
        "See :req:`A-1` for more.",
        ":req:`A-1` says so.",
        "Reads :req: A-1 in a line.",
        "Wraps its text, and\n    :req: is the first word of a line.",
        "Says nothing.\n\n        :req: A-1\n\n    More.",
        "Quotes::\n\n        :req: A-1\n    ",
        "Quotes::\n\n        first\n\n        :req: A-1\n    ",
        'Shows\n\n    >>> """\n    ... :req: A-1"""\n    ',
        "- :req: A-1",
        ":request: A-1",
        ":param req: A-1",
        ":req A-1: x",
        ":REQ: A-1",
        ":req:A-1",
        "req: A-1",
        "",
    ],
)
def test_what_is_no_field(doc: str) -> None:
    assert read(doc) == []
    assert without_fields(doc) == inspect.cleandoc(doc).strip()


def test_no_docstring() -> None:
    assert fields_of(None) == ()


@given(st.text(st.characters(exclude_characters=":", exclude_categories=["Cs"])))
def test_a_text_without_a_field_marker_is_left_as_it_is(doc: str) -> None:
    assert fields_of(doc) == ()
    assert without_fields(doc) == inspect.cleandoc(doc).strip()


@given(
    st.lists(st.from_regex(r"[A-Z]{1,3}-[0-9]{1,3}", fullmatch=True), min_size=1),
    st.sampled_from(["Intent.", "Two.\n\nParagraphs.", ":param x: y"]),
    st.sampled_from(["", "    ", "\t"]),
)
def test_what_is_written_is_read(ids: list[str], prose: str, margin: str) -> None:
    doc = f"{prose}\n\n:req: {', '.join(ids)}"
    first, _, rest = doc.partition("\n")
    indented = f"{first}\n{indent(rest, margin)}\n{margin}"
    assert read(indented) == [("req", tuple(ids))]
    assert without_fields(indented) == prose
