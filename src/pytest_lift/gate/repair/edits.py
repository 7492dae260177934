"""Repairs edits of a suite: the lines of a user stay, and so does what was wrong before."""

from __future__ import annotations

from dataclasses import replace

from pytest_lift.gate.repair.repairing import Repaired, Repairer
from pytest_lift.suite.suite import Edit, Repair, Suite

__all__ = ["Repaired", "repaired_edit", "repaired_file"]


def repaired_file(repairer: Repairer, path: str, text: str, accepted: Suite) -> Repaired:
    """Returns the new text of a file after its repairs; `accepted` is the suite that has the file
    as it was."""
    if not accepted.naming.is_test_file(path):
        return Repaired(text)
    before = accepted.files.get(path)
    theirs = before is not None and any(not accepted.is_owned(test) for test in before.tests)
    protected = theirs or (before is not None and not accepted.is_owned_file(path))
    return repairer.repaired(
        path, text, before=before.text if before else None, protected=protected
    )


def repaired_edit(repairer: Repairer, edit: Edit, accepted: Suite) -> Edit:
    """Returns an edit after the repairs of its files, with what was done; one whose author has
    seen to that stays as it is."""
    if edit.repairs is not None:
        return edit
    files, made = dict(edit.files), list[Repair]()
    for path, text in edit.files.items():
        if text is not None:
            found = repaired_file(repairer, path, text, accepted)
            files[path] = found.text
            made += found.repairs
    return replace(edit, files=files, repairs=tuple(made))
