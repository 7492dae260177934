"""Names of parameters tell kinds of values by their words."""

from __future__ import annotations

import pytest

from pytest_lift.agents.offline.arguments.known.by_name import kind_by_function, kinds_by_name


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
        ("priority", ["int"]),
        ("birth_year", ["int"]),
        ("page", []),
        ("storage", []),
        ("unit_price", ["float"]),
        ("latency", []),
        ("bytearray", ["bytes"]),
        ("server_host", ["str"]),
        ("ghost", []),
    ],
)
def test_a_word_inside_of_another_one_tells_nothing(name: str, kinds: list[str]) -> None:
    assert [*kinds_by_name(name)] == kinds


@pytest.mark.parametrize(
    ("leaf", "kind"),
    [
        ("repr_set", "set"),
        ("_encode_string", "str"),
        ("dict_to_list", ""),
        ("parse_int", ""),
        ("format_integers", ""),
    ],
)
def test_a_function_is_named_by_what_it_takes(leaf: str, kind: str) -> None:
    assert kind_by_function(leaf) == kind
