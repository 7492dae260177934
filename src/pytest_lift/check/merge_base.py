"""Test files as they were at the merge base with another branch, read of git.

At most five git processes run, however many files there are; only files that differ are read.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pytest_lift.errors import UsageError

_LONGEST = 120
"""Seconds that one git process may take."""
_LINKED = ("120000", "160000")
"""Modes of symbolic links and submodules, which hold no text of their own."""
_REPOSITORY_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR")


@dataclass(frozen=True)
class MergeBase:
    """What differs between the merge base and the files on disk. Paths are relative to the root."""

    commit: str
    old: Mapping[str, bytes] = field(default_factory=dict)
    """path -> content there, of files that were changed or deleted since."""
    new: frozenset[str] = frozenset()
    """Files that are not in the merge base."""


def read_merge_base(root: Path, base: str, wanted: Callable[[str], bool]) -> MergeBase:
    """Read the files for which `wanted` says yes.

    Raises `UsageError` where git is missing, the folder is no repository, `base` is unknown, or
    the common ancestor is not there, as in a shallow clone.
    """
    git = _Git(root)
    commit = _common_ancestor(git, base)
    hashes: dict[str, str] = {}
    new: set[str] = set()
    for path, old_hash in _differences(git, commit):
        if not wanted(path):
            continue
        if old_hash:
            hashes[path] = old_hash
        else:
            new.add(path)
    if hashes:
        new.update(path for path in _untracked(git) if wanted(path))
    return MergeBase(commit, _contents(git, hashes), frozenset(new))


class _Git:
    """Runs git in a folder, without questions, network or a pager."""

    def __init__(self, root: Path) -> None:
        self._root = root
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
        command = ["git", "-c", "core.quotePath=off", "-c", "core.fsmonitor=false", *arguments]
        try:
            return subprocess.run(
                command,
                cwd=self._root,
                env=self._environ,
                input=given,
                capture_output=True,
                timeout=_LONGEST,
                check=False,
            )
        except FileNotFoundError:
            todo = "install git, or leave --base out"
            raise UsageError("git is not installed", where="--base", todo=todo) from None
        except (OSError, subprocess.TimeoutExpired) as error:
            what = f"git {arguments[0]} could not be run: {error}"
            raise UsageError(what, where="--base", todo="leave --base out") from None

    def told(self, *arguments: str, given: bytes = b"") -> bytes:
        """What it prints; its complaint becomes a `UsageError`."""
        done = self(*arguments, given=given)
        if done.returncode:
            what = f"git {arguments[0]} failed: {_complaint(done)}"
            raise UsageError(what, where="--base", todo="see to the repository, then check again")
        return done.stdout


def _common_ancestor(git: _Git, base: str) -> str:
    done = git("merge-base", "--end-of-options", "HEAD", base)
    if done.returncode == 0:
        return done.stdout.decode("ascii").strip()
    where = f"--base {base}"
    if done.returncode != 1:
        raise _unknown(git, base, where, _complaint(done))
    what = f"HEAD and {base} have no common ancestor here"
    todo = "name the branch that this one was made from"
    if _is_shallow(git):
        what += ": the clone is shallow"
        todo = "fetch its history: git fetch --unshallow (in CI: fetch-depth: 0)"
    raise UsageError(what, where=where, todo=todo)


def _unknown(git: _Git, base: str, where: str, complaint: str) -> UsageError:
    if git("rev-parse", "--git-dir").returncode:
        todo = "use --base only in a git repository"
        return UsageError(f"not a git repository: {complaint}", where=where, todo=todo)
    if git("rev-parse", "--verify", "--quiet", "HEAD^{commit}").returncode:
        todo = "leave --base out until there is a commit"
        return UsageError("the repository has no commit yet", where=where, todo=todo)
    todo = f"name a branch, tag or commit that is here, or fetch it: git fetch origin {base}"
    if _is_shallow(git):
        todo += "; the clone is shallow: git fetch --unshallow (in CI: fetch-depth: 0)"
    return UsageError(f"git knows no {base!r}", where=where, todo=todo)


def _is_shallow(git: _Git) -> bool:
    return git("rev-parse", "--is-shallow-repository").stdout.strip() == b"true"


def _differences(git: _Git, commit: str) -> Iterator[tuple[str, str]]:
    """(path, hash of its content at the merge base, or nothing for a new file)."""
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
        "*.py",
    )
    parts = iter(raw.split(b"\0"))
    for head, path in zip(parts, parts, strict=False):
        old_mode, _, old_hash, _, _ = head.decode("ascii").removeprefix(":").split(" ")
        if old_mode not in _LINKED:
            yield os.fsdecode(path), "" if old_mode == "000000" else old_hash


def _untracked(git: _Git) -> list[str]:
    raw = git.told("ls-files", "--others", "--exclude-standard", "-z", "--", "*.py")
    return [os.fsdecode(path) for path in raw.split(b"\0") if path]


def _contents(git: _Git, hashes: Mapping[str, str]) -> dict[str, bytes]:
    """All of them of one process: each answer is ``<hash> blob <size>``, the bytes, a line feed."""
    if not hashes:
        return {}
    asked = "".join(f"{name}\n" for name in hashes.values()).encode("ascii")
    told = git.told("cat-file", "--batch", given=asked)
    found, at = {}, 0
    for path in hashes:
        end = told.index(b"\n", at)
        head = told[at:end].split(b" ")
        if head[-1] == b"missing" or len(head) != 3:
            todo = "fetch its history: git fetch --unshallow, or git fetch --refetch"
            raise UsageError(f"git lacks the old content of {path}", where="--base", todo=todo)
        size = int(head[2])
        found[path] = told[end + 1 : end + 1 + size]
        at = end + 1 + size + 1
    return found


def _complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[0].removeprefix("fatal: ") if lines else f"exit code {done.returncode}"
