"""Tests of one program, probed for real, and what was found of each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import quick_pytest
from jails import best_jail
from small_project import SmallProject
from strength_program import BY_VERDICT, HEAD, OTHER, PROGRAM

from pytest_lift.sensitivity.measuring import Strength, measure_strength
from pytest_lift.suite.suite import read_suite

FILES = {
    "src/pkg/lib.py": PROGRAM,
    "src/pkg/other.py": OTHER,
    "pyproject.toml": '[project]\nname = "pkg"\nscripts = { tool = "pkg.lib:main" }\n',
    **{
        f"tests/test_{verdict.replace('-', '_')}.py": HEAD + text
        for verdict, text in BY_VERDICT.items()
    },
}


def probed(folder: Path, files: Mapping[str, str], **options: Any) -> Mapping[str, Strength]:
    project = SmallProject(folder).write(dict(files))
    suite = read_suite(project.root, "tests")
    told = {"jail": best_jail(), "addopts": quick_pytest.OPTIONS, **options}
    return measure_strength(suite, project.program(), project.root, folder / "scratch", **told)
