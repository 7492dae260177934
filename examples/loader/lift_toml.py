"""A requirement loader of your own: reads TOML files with a table for each requirement.

[R-1]
title = "doubling"
description = "`double` gives twice a number."
acceptance = ["doubles"]
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_lift.values import Requirement, Requirements


def pytest_lift_load_requirements(path: Path) -> Requirements | None:
    """The hook: None leaves a file to the next loader."""
    if path.suffix != ".toml":
        return None
    from pytest_lift.values import Requirements, UsageError

    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(str(error), where=str(path), todo="mend the file") from error
    return Requirements(tuple(_requirements(tables, path)))


def _requirements(tables: Mapping[str, Any], path: Path) -> Iterator[Requirement]:
    from pytest_lift.values import Requirement, UsageError

    lines = path.read_text("utf-8").splitlines()
    for name, row in tables.items():
        line = next((n for n, text in enumerate(lines, 1) if text.strip() == f"[{name}]"), 1)
        if not isinstance(row, dict) or not {"title", "description"} <= row.keys():
            raise UsageError(
                f"requirement {name!r} has no title or no description",
                where=f"{path}:{line}",
                todo="give it both",
            )
        acceptance = tuple(row.get("acceptance", ()))
        yield Requirement(name, row["title"], row["description"], acceptance, (), str(path), line)
