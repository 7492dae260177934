"""The benchmark of programs without tests counts what the project's own pytest runs."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))
untested = import_module("untested")


@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("pyproject.toml",
         "[tool.pytest.ini_options]\naddopts = '--doctest-glob=\"*.rst\" -m \"not slow\"'\n",
         ["--doctest-glob=*.rst"]),
        ("pyproject.toml", "[tool.pytest]\naddopts = ['--doctest-modules', '-n=auto']\n",
         ["--doctest-modules"]),
        ("setup.cfg", "[tool:pytest]\naddopts =\n    --doctest-modules\n    -q\n",
         ["--doctest-modules"]),
        ("tox.ini", "[testenv]\ncommands = pytest --doctest-modules\n", []),
        ("pyproject.toml", "not TOML", []),
    ],
)  # fmt: skip
def test_doctests_that_a_project_runs_are_run(
    tmp_path: Path, name: str, text: str, options: list[str]
) -> None:
    (tmp_path / name).write_text(text)
    assert untested.doctest_options(tmp_path) == options


@pytest.mark.parametrize(
    ("test", "told"),
    [
        ("docs/usage.rst::usage.rst", True),
        ("src/semver/version.py::semver.version.Version.bump", True),
        ("tests/test_version.py::test_bump", False),
        ("tests/test_version.py::TestVersion::test_bump[1.2.3]", False),
        ("tests/test_version.py", False),
    ],
)
def test_doctests_are_told_from_tests(test: str, told: bool) -> None:
    assert untested.is_doctest(test) is told
