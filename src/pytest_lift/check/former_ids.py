"""Ids that requirement files had once: who names one has not misspelt another."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path

from pytest_lift.errors import UsageError
from pytest_lift.files.git import Git


def former_ids(root: Path, files: Iterable[Path], ids: Collection[str]) -> frozenset[str]:
    """Those of `ids` that stand in any version of `files` in the history of HEAD.

    None where there is no git repository to ask.
    """
    inside = [str(path) for path in files if path.is_relative_to(root)]
    if not ids or not inside:
        return frozenset()
    git = Git(root, "--fix", "leave --fix out")
    try:
        done = git("log", "-p", "--format=", "--no-ext-diff", "--no-textconv", "--", *inside)
    except UsageError:
        return frozenset()
    if done.returncode:
        return frozenset()
    text = done.stdout.decode("utf-8", "replace")
    return frozenset(one for one in ids if _word(one).search(text))


def _word(identity: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.-]){re.escape(identity.strip())}(?![\w-]|\.\w)")
