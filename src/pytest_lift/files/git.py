"""git, as far as this program asks it: without questions, network, pager or changes.

Contents at the merge base with another branch take at most five processes, however many files
there are; only files that differ are read.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from pytest_lift.errors import UsageError

LONGEST = 300.0
"""Seconds that one git process may take."""
_SETTINGS = ("core.quotePath=off", "core.fsmonitor=false", f"core.hooksPath={os.devnull}")
"""Nothing that a repository's own configuration names is started."""
_REPOSITORY_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR")
_LINKED = ("120000", "160000")
"""Modes of symbolic links and submodules, which have no text of their own."""


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


@dataclass(frozen=True)
class MergeBase:
    """Differences between the merge base and the files on disk. Paths are relative to the root."""

    commit: str
    old: Mapping[str, bytes] = field(default_factory=dict)
    """Path -> content at the merge base, for files that were changed or deleted since."""
    new: frozenset[str] = frozenset()
    """Files that are not in the merge base."""


def read_merge_base(root: Path, base: str, wanted: Callable[[str], bool]) -> MergeBase:
    """Reads the differing files for which `wanted` is true.

    Raises `UsageError` where git is missing, the folder is no repository, `base` is unknown, or
    the common ancestor is missing, as in a shallow clone.
    """
    git = Git(root, "--base", "leave --base out")
    commit = common_ancestor(git, base)
    found = {path: digest for path, digest in differences(git, commit) if wanted(path)}
    old = {path: digest for path, digest in found.items() if digest}
    new = found.keys() - old.keys()
    if old:
        new.update(filter(wanted, untracked(git)))
    return MergeBase(commit, git.contents(old.items()), frozenset(new))


def common_ancestor(git: Git, base: str, option: str = "--base") -> str:
    """Returns the merge base of HEAD and `base`, the value of `option`. Raises UsageError."""
    done = git("merge-base", "--end-of-options", "HEAD", base)
    if done.returncode == 0:
        return done.stdout.decode("ascii").strip()
    where = f"{option}={base}" if option != "--base" else f"--base {base}"
    if done.returncode != 1:
        raise _unknown(git, base, where, option, complaint(done))
    what = f"HEAD and {base} have no common ancestor here"
    todo = "name the branch that this one was made from"
    if _is_shallow(git):
        what += ": the clone is shallow"
        todo = "fetch its history: git fetch --unshallow (in CI: fetch-depth: 0)"
    raise UsageError(what, where=where, todo=todo)


def _unknown(git: Git, base: str, where: str, option: str, reason: str) -> UsageError:
    if git("rev-parse", "--git-dir").returncode:
        todo = f"use {option} only in a git repository"
        return UsageError(f"not a git repository: {reason}", where=where, todo=todo)
    if git("rev-parse", "--verify", "--quiet", "HEAD^{commit}").returncode:
        todo = f"leave {option} out until there is a commit"
        return UsageError("the repository has no commit yet", where=where, todo=todo)
    todo = f"name a branch, tag or commit that is here, or fetch it: git fetch origin {base}"
    if _is_shallow(git):
        todo += "; the clone is shallow: git fetch --unshallow (in CI: fetch-depth: 0)"
    return UsageError(f"git knows no {base!r}", where=where, todo=todo)


def _is_shallow(git: Git) -> bool:
    return git("rev-parse", "--is-shallow-repository").stdout.strip() == b"true"


def differences(
    git: Git, commit: str, patterns: Sequence[str] = ("*.py",)
) -> Iterator[tuple[str, str]]:
    """Yields (path, hash of its content at the merge base, empty for a new file)."""
    raw = git.told(
        "diff",
        "--raw",
        "--no-abbrev",
        "--no-renames",
        "--no-ext-diff",
        "--ignore-submodules",
        "--relative",
        "-z",
        commit,
        "--",
        *patterns,
    )
    parts = iter(raw.split(b"\0"))
    for head, path in zip(parts, parts, strict=False):
        old_mode, _, old_hash, _, _ = head.decode("ascii").removeprefix(":").split(" ")
        if old_mode not in _LINKED:
            yield os.fsdecode(path), "" if old_mode == "000000" else old_hash


def untracked(git: Git, patterns: Sequence[str] = ("*.py",)) -> list[str]:
    raw = git.told("ls-files", "--others", "--exclude-standard", "-z", "--", *patterns)
    return [os.fsdecode(path) for path in raw.split(b"\0") if path]
