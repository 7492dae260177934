"""git as it is asked: in its words where it complains, without what a repository configures."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.files.git import Git, complaint


@pytest.fixture
def git(tmp_path: Path) -> Git:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    return Git(tmp_path, "--base", "leave it out")


def hashed(git: Git, content: bytes) -> str:
    return git.told("hash-object", "-w", "--stdin", given=content).decode().strip()


def test_contents_come_byte_for_byte(git: Git) -> None:
    texts = {"a": b"one\ntwo", "b": b"", "c": b"x blob 3\n\n\x00\xff"}
    asked = [(path, hashed(git, text)) for path, text in texts.items()]
    assert git.contents(asked) == texts
    assert git.contents([]) == {}


def test_a_content_that_is_missing_is_named(git: Git) -> None:
    with pytest.raises(UsageError, match=r"git lacks the old content of tests/test_a\.py") as told:
        git.contents([("tests/test_a.py", "0" * 40)])
    assert (told.value.where, "fetch" in told.value.todo) == ("--base", True)


def test_its_complaint_is_told_without_its_head(git: Git) -> None:
    with pytest.raises(UsageError, match="git rev-parse failed: Needed a single revision"):
        git.told("rev-parse", "--verify", "none")
    assert git("rev-parse", "--verify", "none").returncode == 128


def test_what_a_repository_configures_is_not_started(git: Git, tmp_path: Path) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    hook = hooks / "pre-commit"
    hook.write_text("#!/bin/sh\ntouch started\nexit 1\n")
    hook.chmod(0o755)
    git.told("config", "core.hooksPath", str(hooks))
    who = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    git.told(*who, "commit", "-q", "--allow-empty", "-m", "x")
    assert not (tmp_path / "started").exists()


def test_a_folder_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as told:
        Git(tmp_path / "none", "--base", "leave it out")("status")
    assert "leave it out" in told.value.todo


@pytest.mark.parametrize(
    ("said", "told"),
    [(b"fatal: no\nmore", "no"), (b"warning: x", "warning: x"), (b"\n", "exit code 3")],
)
def test_the_first_line_of_a_complaint(said: bytes, told: str) -> None:
    assert complaint(subprocess.CompletedProcess([], 3, b"", said)) == told
