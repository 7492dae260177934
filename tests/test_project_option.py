"""`--project DIR`: an absolute folder, nothing, or a usage error."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from pytest_lift.commands.project_option import add_project, named_project
from pytest_lift.errors import UsageError


def options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_project(parser)
    return parser.parse_args(words)


def test_the_folder_is_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path)
    assert named_project(options("--project", "sub")) == tmp_path / "sub"


def test_without_it_there_is_none() -> None:
    assert named_project(options()) is None


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for name in ("file", "none"):
        with pytest.raises(UsageError, match=f"there is no folder .*{name}"):
            named_project(options("--project", str(tmp_path / name)))
