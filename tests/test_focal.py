"""The module of the program that defines what a call is about."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.expectations.focal import focal_names, focal_source

FILES = {
    "pkg/__init__.py": "from pkg.core import run\nfrom .stars import *\n",
    "pkg/core.py": "def run(x): ...\ndef twice(x): ...\n",
    "pkg/other.py": "def twice(x): ...\n",
    "pkg/loop.py": "from pkg.loop import round_about\n",
    "pkg/first.py": "from pkg.other import twice as double\nfrom pkg.core import run as twice\n",
    "pkg/stars.py": "from pkg.deep import deep\n",
    "pkg/deep.py": "def deep(): ...\nclass Thing:\n    def grow(self): ...\n",
}


@pytest.mark.parametrize(
    ("call", "before", "path"),
    [
        ("run(1)", "", "pkg/core.py"),
        ("run(1)", "from pkg import run", "pkg/core.py"),
        ("go(1)", "from pkg import run as go", "pkg/core.py"),
        ("deep()", "from pkg import deep", "pkg/deep.py"),
        ("twice(1)", "", None),
        ("twice(1)", "from pkg.other import twice", "pkg/other.py"),
        ("double(1)", "from pkg.first import double", "pkg/other.py"),
        ("round_about()", "from pkg.loop import round_about", None),
        ("str(run(1))", "", "pkg/core.py"),
        ("x.grow()", "", "pkg/deep.py"),
        ("len(x)", "from pkg.deep import Thing\nx = Thing()", "pkg/deep.py"),
        ("len(x)", "x = [1]", None),
        ("len(x)", "def", None),
        ("run(", "", None),
    ],
)
def test_the_file_that_defines_it(tmp_path: Path, call: str, before: str, path: str | None) -> None:
    found = focal_source(call, before, write_program(tmp_path, FILES))
    assert (found.path if found else None) == path


def test_the_outermost_call_comes_first() -> None:
    assert [*focal_names(" a.f(g(1)).h(k) ")] == ["h", "f", "g"]
    assert [*focal_names("no python")] == []
