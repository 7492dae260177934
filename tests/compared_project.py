"""A project in git whose states are compared by the command."""

from __future__ import annotations

import contextlib
import io
import subprocess
from pathlib import Path

from lift_command import run

from pytest_lift.cli import main

REQUIREMENTS = "r:\n" + "".join(
    f"  - {{id: R-{n}, title: t{n}, description: d, acceptance: a}}\n" for n in (1, 2, 3)
)
TESTS = """
import pytest

@pytest.mark.req("R-1")
def test_one(): assert int("1")

@pytest.mark.req("R-2")
def test_two(): assert int("1")
"""


def git(folder: Path, *arguments: str) -> str:
    named = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    command = ["git", *named, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def diff(
    folder: Path, *arguments: str, environ: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """In a process of its own where it is told an environment."""
    if environ is not None:
        return run("diff", *arguments, folder=folder, environ=environ)
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    streams = contextlib.redirect_stdout(out), contextlib.redirect_stderr(err)
    with contextlib.chdir(folder), streams[0], streams[1]:
        code = main(["diff", *arguments])
    said, complained = (stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(["diff", *arguments], code, said, complained)
