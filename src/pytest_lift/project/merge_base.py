"""Contents of test files at the merge base with another branch, read from git.

At most five git processes run, however many files there are; only files that differ are read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pytest_lift.errors import UsageError
from pytest_lift.files.git import Git, complaint

_LINKED = ("120000", "160000")
"""Modes of symbolic links and submodules, which have no text of their own."""


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
    hashes: dict[str, str] = {}
    new: set[str] = set()
    for path, old_hash in differences(git, commit):
        if not wanted(path):
            continue
        if old_hash:
            hashes[path] = old_hash
        else:
            new.add(path)
    if hashes:
        new.update(path for path in untracked(git) if wanted(path))
    return MergeBase(commit, git.contents(hashes.items()), frozenset(new))


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
