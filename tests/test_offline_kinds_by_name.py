"""Names of parameters tell kinds of values by their words."""

from __future__ import annotations

import pytest

from pytest_lift.agents.offline.arguments.known.by_name import kinds_by_name


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("ratio", ["float"]),
        ("operation", []),
        ("iteration", []),
        ("birth_date", ["datetime"]),
        ("update", []),
        ("validate", []),
        ("country", ["str"]),
        ("count", ["int"]),
        ("capacity", ["int"]),
        ("city", ["str"]),
        ("strict", []),
        ("strategies", []),
        ("timestr", ["int", "str"]),
        ("line", ["str"]),
        ("inline", []),
        ("lines", ["iterable"]),
        ("lineno", ["int"]),
        ("context", ["dict"]),
        ("text", ["str"]),
        ("kwargs", ["dict"]),
        ("args", ["iterable"]),
        ("min_width", ["int"]),
        ("nominal", []),
        ("stream", ["reader"]),
        ("keyword", ["str"]),
    ],
)
def test_a_word_inside_of_another_one_tells_nothing(name: str, kinds: list[str]) -> None:
    assert [*kinds_by_name(name)] == kinds
