"""Compiled files are those that a run would have written, and a run uses them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from jails import best_jail
from small_project import SmallProject

from pytest_lift.run.workspace import Compiler
from pytest_lift.suite.collection import DEFAULT_NAMING

TEST = "from pkg.mod import sign\ndef test_a(): assert sign(2) == 3\n"
PATHS = ("src/pkg/__init__.py", "src/pkg/mod.py", "tests/test_a.py", "conftest.py")


def compiled(root: Path) -> dict[str, tuple[int, int]]:
    return {
        path.relative_to(root).as_posix(): (path.stat().st_ino, path.stat().st_mtime_ns)
        for path in root.rglob("*.pyc")
    }


def test_a_run_uses_them_and_writes_none(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    project = SmallProject(tmp_path).write({"tests/test_a.py": TEST, "conftest.py": ""})
    Compiler(pytestconfig, DEFAULT_NAMING).compile(project.root, PATHS)
    before = compiled(project.root)
    assert len(before) == 4
    # Without a jail a run could write, and would replace what it cannot use.
    run = project.run(jail=replace(best_jail(), tier="off"))
    assert run.ending == "failed"
    assert "assert 1 == 3" in run.output  # rewritten
    assert compiled(project.root) == before


def test_what_cannot_be_compiled_is_left_to_the_run(
    tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    broken = {"tests/test_a.py": "def (", "src/pkg/mod.py": "\x00", "src/pkg/deep.py": "-" * 99_999}
    project = SmallProject(tmp_path).write(broken)
    Compiler(pytestconfig, DEFAULT_NAMING).compile(project.root, (*broken, "src/gone/away.py"))
    assert compiled(project.root) == {}
