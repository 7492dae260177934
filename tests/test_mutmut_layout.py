"""Where files stand in mutmut's folder: filters of the project follow them."""

from __future__ import annotations

from pathlib import Path

from pytest_lift.mutation.mutmut.configuration import read_filters
from pytest_lift.mutation.mutmut.layout import Layout


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
