"""The prose of docstrings and documents: paragraphs, sections, sentences, sessions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.commands.init_prose import (
    markdown_sections,
    paragraphs,
    raises,
    rest_sections,
    sentences,
    session_of,
    with_imports,
)


@pytest.mark.parametrize(
    ("doc", "expected"),
    [
        ("One.\n\nTwo\nlines.\n\nReturns:\n    x", ["One.", "Two lines."]),
        ("One.\n\nParameters\n----------\nx : int", ["One."]),
        ("One.\n:param x: y", ["One."]),
        ("See :class:`~a.B` and ``c``, or `this <x>`_.", ["See `a.B` and `c`, or this."]),
        (">>> 1\n1", []),
        ("", []),
    ],
)
def test_the_prose_of_a_docstring_ends_where_its_sections_begin(
    doc: str, expected: list[str]
) -> None:
    assert paragraphs(doc) == expected


def test_what_is_raised_is_found_in_every_style() -> None:
    google = "Raises:\n    KeyError: if it is\n        gone.\n    OSError: else."
    assert list(raises(google)) == [("KeyError", "if it is gone."), ("OSError", "else.")]
    assert list(raises(":raises a.B: sometimes\n:return: x")) == [("a.B", "sometimes")]


def test_sentences_end_at_full_stops_but_not_at_abbreviations() -> None:
    assert sentences("It is e.g. A thing. Is it? Yes") == ["It is e.g. A thing.", "Is it?", "Yes"]


def test_a_session_is_taken_only_with_names_that_have_a_home() -> None:
    session = session_of(">>> x = f(1)\n>>> g(x)\n2\n>>> len([i for i in x])\n1")
    assert session is not None
    assert session.free == {"f", "g"}
    assert with_imports(session, {"f": "m"}) is None
    told = with_imports(session, {"f": "m", "g": "m"})
    assert told is not None
    assert told.startswith(">>> from m import f, g\n>>> x = f(1)\n")
    assert session_of(">>> f(1)") is None, "nothing is expected"
    assert session_of(">>> f(1)  # doctest: +SKIP\n2") is None
    assert session_of(">>> f(\n2") is None


def test_rest_documents_have_the_same_sections_as_markdown() -> None:
    text = "Shop\n====\n\nSells `things <x>`_.\n\n* one bullet of\n  two lines\n\n.. note:: x\n\nUse\n---\n\n>>> f()\n1\n"
    first, shop, use = rest_sections(text)
    assert (first.heading, shop.heading, use.heading) == ("", "Shop", "Use")
    assert (shop.paragraphs, shop.bullets) == (["Sells things."], ["one bullet of two lines"])
    assert ">>> f()" in use.code[0]


@given(st.text(alphabet="#-*` \n>ab.=:[]()<_", max_size=80))
def test_no_document_is_too_odd_to_be_read(text: str) -> None:
    for read in (markdown_sections, rest_sections):
        assert all(isinstance(section.heading, str) for section in read(text))
    assert all(paragraphs(text))
    session_of(text)
