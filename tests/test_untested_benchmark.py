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


def test_of_mutants_that_were_not_measured_nothing_is_told(tmp_path: Path) -> None:
    (tmp_path / ".lift").mkdir()
    (tmp_path / ".lift/run.json").write_text('{"mutation_percent": 80.0}')
    (tmp_path / "pytest.py").write_text("")  # ends before it has measured anything
    assert untested.detected(tmp_path, Path(sys.executable), {}) is None


def test_what_is_lifted_has_no_tests_left(tmp_path: Path) -> None:
    files = {
        "rope/base/contest.py": "WON = 1\n",
        "rope/contest/rules.py": "RULES = ()\n",
        "rope/tests/test_base.py": "def test_base(): ...\n",
        "ropetest/testutils.py": "def sample(): ...\n",
        "ropetest/basetest.py": "class BaseTest:\n    def test_base(self): ...\n",
        "ropetest/contrib/findtest.py": "class FindTest:\n    def test_find(self): ...\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    untested.without_tests(tmp_path)
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.py")}
    assert left == {"rope/base/contest.py", "rope/contest/rules.py"}
