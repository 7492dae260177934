"""Whether `.lift/` is this machine's own: a clone may bring one along, with orders in it."""

from __future__ import annotations

import os
from pathlib import Path

from pytest_lift.errors import UsageError
from pytest_lift.files.git import Git

TODO = (
    "look at what it holds, then take it out and commit that: git rm -r -q --cached .lift && "
    "rm -r .lift; a lift makes its own"
)


def require_own(project: Path) -> None:
    """Raises UsageError where git tracks something in `.lift/` of `project`.

    What a lift keeps there is carried out (a landing that was cut short), written to the test
    folder (`restore`, `--lift-resume`) and run. It has a `.gitignore` of its own, so what is
    tracked was put there by somebody else. Without git nothing can be told, and nothing is.
    """
    folder = project / ".lift"
    if not os.path.lexists(folder):
        return
    git = Git(project, str(folder), "leave it out")
    try:
        told = git("ls-files", "-z", "--", ".lift")
    except UsageError:
        return
    found = [os.fsdecode(name) for name in told.stdout.split(b"\0") if name]
    if told.returncode == 0 and found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        what = "the repository brings along what a lift would take for its own and carry out"
        raise UsageError(what, where=f"{found[0]}{more}", todo=TODO)
