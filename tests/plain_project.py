"""A small project, its private copy, and the user's plain pytest over that copy."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import quick_pytest
from jails import jail_with

from pytest_lift.measure.suite_measurer import SuiteMeasurer
from pytest_lift.project.discovery import find_program
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.run.plain_pytest import PlainCommand, PlainPytest
from pytest_lift.run.workspace import Workspace
from pytest_lift.suite.suite import Suite, read_suite

MODULE = "def sign(x):\n    return (x > 0) - (x < 0)\n"
TEST = "from pkg.mod import sign\n\ndef test_sign():\n    assert sign(2) == 1\n"
FLAT = {"pkg/__init__.py": "", "pkg/mod.py": MODULE, "tests/test_a.py": TEST}
SRC = {"src/pkg/__init__.py": "", "src/pkg/mod.py": MODULE, "tests/test_a.py": TEST}


class NotCompiled:
    def compile(self, root: Path, paths: Sequence[str]) -> None:
        """Files are compiled by who runs them."""


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    return root


@contextmanager
def benched(
    root: Path,
    typed: PlainCommand | None = None,
    python: str = sys.executable,
    reads: Sequence[Path] = (),
) -> Iterator[tuple[SuiteMeasurer, Suite]]:
    """A bench over a copy of `root`, and the suite in its `tests`."""
    program = find_program(root)
    with Workspace.create(root, program.paths, tests="tests") as workspace:
        jail = jail_with(*reads)
        quick = quick_pytest.OPTIONS
        measurer = SuiteMeasurer(workspace, program, Requirements(()), jail, NotCompiled(), quick)  # type: ignore[arg-type]
        places = root, workspace.root, workspace.scratch
        told = typed or PlainCommand()
        told = replace(told, addopts=(*quick, *told.addopts))
        measurer.plain = PlainPytest(*places, jail, program, told, python)
        yield measurer, read_suite(root, "tests")
