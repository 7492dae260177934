"""Our table in a pyproject.toml: nothing else of the user's is lost."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.mutation.mutmut.configuration import Configuration, with_table

OURS = Configuration(("src/pkg",), ("tests",), ("-p", 'a"b\\c\n\x7fé'), {}).table()


@pytest.mark.parametrize(
    "text",
    [
        "",
        '[project]\nname = "x"\n',
        '[tool.mutmut]\nsource_paths = ["other"]\ndebug = true\n\n[tool.ruff]\nline-length = 9\n',
        "[tool.ruff]\nline-length = 9\n[ tool . mutmut ] # mine\ndebug = true\n",
    ],
)
def test_the_rest_stays(text: str) -> None:
    merged = tomllib.loads(with_table(text, OURS))
    assert merged["tool"].pop("mutmut") == OURS
    kept = tomllib.loads(text)
    kept.get("tool", {}).pop("mutmut", None)
    assert merged == {"tool": {}, **kept}


@pytest.mark.parametrize("text", ["[broken", "tool = {mutmut = {debug = true}}\n", "tool = 1"])
def test_where_the_rest_cannot_be_kept_ours_is_told(text: str) -> None:
    assert tomllib.loads(with_table(text, OURS)) == {"tool": {"mutmut": OURS}}


@given(st.lists(st.text(max_size=8)))
def test_any_text_is_written_as_it_is(texts: list[str]) -> None:
    told = {"options": [t for t in texts if t.isprintable() or t.isascii()]}
    assert tomllib.loads(with_table("", told)) == {"tool": {"mutmut": told}}
