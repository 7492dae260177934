"""The wheel that `make package` has built, installed as a user would: README's commands work."""

from __future__ import annotations

import json
import os
import subprocess
import zipfile
from pathlib import Path

import pytest
from conftest import REQUIREMENTS, THING

from pytest_lift.cli import COMMANDS

TOP = Path(__file__).parents[1]
BIN = TOP / ".venv-package/bin"
pytestmark = pytest.mark.package


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "PYTHON", "COV"))}
    return subprocess.run(
        [str(BIN / command[0]), *command[1:]],
        cwd=folder,
        env={
            name: value for name, value in kept.items() if name not in ("CI", "HYPOTHESIS_PROFILE")
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "thing.py").write_text(THING)
    (tmp_path / "reqs.yml").write_text(REQUIREMENTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    return tmp_path


def test_it_holds_what_it_needs_and_nothing_else() -> None:
    (wheel,) = (TOP / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    files = {path.relative_to(TOP / "src").as_posix() for path in (TOP / "src").rglob("*")
             if path.is_file() and "__pycache__" not in path.parts}  # fmt: skip
    assert "pytest_lift/py.typed" in names
    assert {name for name in names if ".dist-info/" not in name} == files


def test_pytest_and_the_command_are_there(folder: Path) -> None:
    assert "--lift-requirements" in run(folder, "pytest", "--help").stdout
    assert run(folder, "pytest-lift", "--version").stdout.startswith("pytest-lift ")
    for command in COMMANDS:
        assert run(folder, "pytest-lift", command.name, "--help").returncode == 0


def test_a_lift_lands_tests_that_pass_without_it(folder: Path) -> None:
    done = run(folder, "pytest", "--lift", "--requirements", "reqs.yml", "--lift-max-minutes=1")
    assert done.returncode == 0, done.stdout + done.stderr
    outcome = json.loads((folder / ".lift/run.json").read_text())
    assert outcome["requirements"]["verified"] >= 1
    assert (folder / ".lift/report/index.html").is_file()
    plain = run(folder, "pytest", "-q", "-p", "no:lift")
    assert plain.returncode == 0, plain.stdout
    assert run(folder, "pytest-lift", "check", "--requirements", "reqs.yml").returncode in (0, 1)
    assert run(folder, "pytest-lift", "restore").returncode == 0
    assert not list((folder / "tests").glob("test_*.py")) if (folder / "tests").exists() else True
