"""The command `pytest-lift` as a process of its own: its output, and what is typed at a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
from collections.abc import Mapping
from pathlib import Path

from pytest_lift.testing import COMMAND

PATIENCE = 60
"""Seconds after which a command hangs."""


def command(*arguments: str) -> list[str]:
    """As it stands in a list of arguments."""
    return [*COMMAND, *arguments]


def run(
    *arguments: str, folder: Path | None = None, environ: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """In `folder` with exactly `environ`: without them, where and as this process is."""
    return subprocess.run(
        command(*arguments),
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def typed(
    keys: str, *arguments: str, folder: Path, environ: Mapping[str, str] | None = None
) -> str:
    """What a person sees who types these keys at a terminal."""
    outer, inner = pty.openpty()
    child = subprocess.Popen(
        command(*arguments),
        cwd=folder,
        env=environ,
        stdin=inner,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    os.close(inner)
    os.write(outer, keys.encode())
    try:
        told, _ = child.communicate(timeout=PATIENCE)
    finally:
        os.close(outer)
        if child.poll() is None:
            child.kill()
            child.communicate()
    return told
