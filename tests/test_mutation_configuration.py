"""Our table in a pyproject.toml: nothing else of the user's is lost."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.mutation.mutmut.configuration import (
    Configuration,
    Layout,
    read_filters,
    with_table,
)

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


def test_filters_follow_files_that_are_moved(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.mutmut]\nonly_mutate = ["lib/pkg/*"]\ndo_not_mutate_patterns = ["lib/x"]\n'
        "timeout_multiplier = 99\n",
        "utf-8",
    )
    assert read_filters(tmp_path, Layout(("lib",))) == {
        "only_mutate": ("src/pkg/*",),
        "do_not_mutate_patterns": ("lib/x",),
    }


def test_filters_of_setup_cfg(tmp_path: Path) -> None:
    (tmp_path / "setup.cfg").write_text("[mutmut]\ndo_not_mutate =\n    pkg/a.py\n    pkg/b.py\n")
    assert read_filters(tmp_path, Layout(())) == {"do_not_mutate": ("pkg/a.py", "pkg/b.py")}
