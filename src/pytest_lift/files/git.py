"""git, as far as this program asks it: without questions, network, pager or changes."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from pytest_lift.errors import UsageError

LONGEST = 300.0
"""Seconds that one git process may take."""
_SETTINGS = ("core.quotePath=off", "core.fsmonitor=false", f"core.hooksPath={os.devnull}")
"""Nothing that a repository's own configuration names is started."""
_REPOSITORY_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR")


class Git:
    """Runs git in a folder. Its errors name `where` git was asked for, and what to do `instead`."""

    def __init__(self, folder: Path, where: str, instead: str) -> None:
        self._folder = folder
        self._where = where
        self._instead = instead
        self._environ = {
            **os.environ,
            "LC_ALL": "C",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_TERMINAL_PROMPT": "0",
        }
        # A hook gets them relative to the top of the repository, where it is started.
        for name in _REPOSITORY_VARIABLES:
            if self._environ.get(name):
                self._environ[name] = os.path.abspath(self._environ[name])

    def __call__(self, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """Runs git. Raises `UsageError` only if it cannot be started or does not end."""
        command = ["git", *chain.from_iterable(("-c", one) for one in _SETTINGS), *arguments]
        try:
            return subprocess.run(
                command,
                cwd=self._folder,
                env=self._environ,
                input=given,
                capture_output=True,
                timeout=LONGEST,
                check=False,
            )
        except FileNotFoundError:
            todo = f"install git, or {self._instead}"
            raise UsageError("git is not installed", where=self._where, todo=todo) from None
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            what = f"git {arguments[0]} could not be run: {error}"
            raise UsageError(what, where=self._where, todo=self._instead) from None

    def told(self, *arguments: str, given: bytes = b"") -> bytes:
        """Returns standard output of a command; an error message of git becomes a `UsageError`."""
        done = self(*arguments, given=given)
        if done.returncode:
            what = f"git {arguments[0]} failed: {complaint(done)}"
            raise UsageError(what, where=self._where, todo="repair the repository, then try again")
        return done.stdout

    def contents(self, hashes: Iterable[tuple[str, str]]) -> dict[str, bytes]:
        """Returns path -> content for pairs (path, hash of its content), read by one process.

        Each of its answers is ``<hash> blob <size>``, the bytes, a line feed.
        """
        asked = [*hashes]
        if not asked:
            return {}
        told = self.told("cat-file", "--batch", given="".join(f"{h}\n" for _, h in asked).encode())
        found, at = {}, 0
        for path, _ in asked:
            end = told.index(b"\n", at)
            head = told[at:end].split(b" ")
            if head[-1] == b"missing" or len(head) != 3:
                what = f"git lacks the old content of {path}"
                todo = "fetch its history: git fetch --unshallow, or git fetch --refetch"
                raise UsageError(what, where=self._where, todo=todo)
            size = int(head[2])
            found[path] = told[end + 1 : end + 1 + size]
            at = end + 1 + size + 1
        return found


def complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    """Returns the first line of git's error message."""
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[0].removeprefix("fatal: ") if lines else f"exit code {done.returncode}"
