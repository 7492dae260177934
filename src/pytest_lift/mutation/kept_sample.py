"""The sample of mutants in the history of a lift, so that the next one measures the same."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from pytest_lift.files import untrusted
from pytest_lift.files.atomic import replace_file
from pytest_lift.files.disk import needed_for
from pytest_lift.mutation.sampling import Sample
from pytest_lift.source.program import Program

NAME = "sample.json"
VERSION = 1
LARGEST = 64 * 1024
"""Bytes that are read: the file may be anybody's."""


def keep_sample(folder: Path, program: Program, sample: Sample) -> None:
    """Write it into the folder of a run. Raises StorageError."""
    data = {"version": VERSION, "program": sorted(program.paths), "share": sample.share}
    with needed_for("the sample of mutants could not be stored", folder / NAME):
        replace_file(folder / NAME, (json.dumps(data) + "\n").encode())


def known_sample(folders: Iterable[Path], program: Program) -> Sample | None:
    """That of the newest of these runs (the oldest first) which measured `program`; None where
    there is none. What is no sample is passed over."""
    for folder in reversed(list(folders)):
        found = _read(folder / NAME, sorted(program.paths))
        if found is not None:
            return found
    return None


def _read(place: Path, paths: list[str]) -> Sample | None:
    try:
        data = json.loads(untrusted.read(place, LARGEST))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or data.get("version") != VERSION or data.get("program") != paths:
        return None
    share = data.get("share")
    if type(share) is not float or not 0.0 < share <= 1.0:
        return None
    return Sample(share)
