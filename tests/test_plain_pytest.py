"""The user's own plain pytest over the private copy: what it sees, and what it does not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from plain_project import FLAT, SRC, benched, write
from plainly_run import PASSED, outcomes, run

from pytest_lift.run.plain_pytest import PlainCommand, typed


def test_nothing_of_the_lift_is_there(tmp_path: Path) -> None:
    """Neither the plugin, its marks, its options nor coverage; what the project tells the lift
    in its ini and conftest files does not stop the session."""
    root = write(
        tmp_path / "project",
        {
            **FLAT,
            "pytest.ini": """
                [pytest]
                addopts = --strict-markers --strict-config -n 2 --lf --cov=pkg --cov-fail-under=100
                    --lift-iterations=3
                lift_iterations = 3
                filterwarnings = error
            """,
            "conftest.py": "def pytest_lift_stop(settings, iterations):\n    return None\n",
            "tests/test_b.py": """
                import sys
                def test_plugins(request):
                    manager = request.config.pluginmanager
                    names = {name for name, _ in manager.list_name_plugin() if manager.hasplugin(name)}
                    assert not names & {"lift", "pytest_lift.plugin", "_cov", "dsession"}
                    assert not any("pytest-lift" in line for line in request.config.getini("markers"))
                    assert not request.config.getoption("--lift", default=False)
            """,
            "tests/test_marked.py": "import pytest\n@pytest.mark.req('R')\ndef test_m(): pass\n",
        },
    )
    typed = PlainCommand(addopts=("--strict-markers", "--strict-config"))
    found = run(root, typed)
    assert outcomes(found) == {**PASSED, "tests/test_b.py::test_plugins": "passed"}, found.output
    assert "not found in `markers`" in found.broken["tests/test_marked.py"].message


@pytest.mark.parametrize("ini", [{}, {"pytest.ini": "[pytest]\npythonpath = .\n"}])
def test_a_subfolder_to_work_in(tmp_path: Path, ini: dict[str, str]) -> None:
    """Nodes are named from the project, wherever pytest has its rootdir."""
    where = "import os\ndef test_here():\n    assert os.getcwd().endswith('tests')\n"
    files = {**FLAT, "tests/__init__.py": "", "tests/test_b.py": where, **ini}
    found = run(write(tmp_path / "project", files), PlainCommand("tests"))
    assert outcomes(found) == {**PASSED, "tests/test_b.py::test_here": "passed"}, found.output


def test_the_test_root_is_run_from_a_folder_beside_it(tmp_path: Path) -> None:
    files = {**FLAT, "conftest.py": "", "docs/x.txt": ""}
    found = run(write(tmp_path / "project", files), PlainCommand("docs", selection=("../tests",)))
    assert outcomes(found) == PASSED, found.output


def test_pythonpath_of_the_user_leads_into_the_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write(
        tmp_path / "project", {**SRC, "tests/test_b.py": "import beside\ndef test_b(): pass\n"}
    )
    write(tmp_path, {"elsewhere/beside.py": ""})
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join([str(root / "src"), str(tmp_path / "elsewhere")])
    )
    with benched(root, reads=[tmp_path / "elsewhere"]) as (measurer, suite):
        (root / "src/pkg/mod.py").write_text("raise SystemError('the tree of the user')\n")
        found = measurer.run_plainly(suite)
    assert outcomes(found) == {**PASSED, "tests/test_b.py::test_b": "passed"}, found.output


def test_what_stops_the_session_is_told(tmp_path: Path) -> None:
    root = write(tmp_path / "project", {**FLAT, "conftest.py": "import nowhere\n"})
    found = run(root)
    assert not found.results
    assert found.broken["conftest.py"].message == "No module named 'nowhere'"


# How it is typed


INI = "[pytest]\naddopts = -ra -n 2 --cov=x --lift-seed=3 --strict-markers\n"


@pytest.mark.parametrize(
    ("files", "here", "arguments", "expected"),
    [
        pytest.param({"pytest.ini": INI}, ".", ["-q", "--strict-config"], PlainCommand(".", ("-ra", "--strict-markers")), id="ini"),
        pytest.param({"pytest.ini": "[pytest]\n"}, "docs", [], PlainCommand("docs", (), ("../tests",)), id="beside"),
        pytest.param({"pytest.ini": "[pytest]\n"}, "tests", [], PlainCommand("tests"), id="inside"),
        pytest.param({"pytest.ini": "[pytest]\ntestpaths = docs\n"}, ".", [], PlainCommand(".", (), ("tests",)), id="elsewhere"),
        pytest.param({"pytest.ini": "[pytest]\ntestpaths = tests/in\n"}, "tests", [], PlainCommand("tests"), id="testpaths"),
        pytest.param({"other.ini": "[pytest]\n"}, "tests", ["-c", "../other.ini"], PlainCommand("tests", ("-c", "../other.ini")), id="-c"),
    ],
)  # fmt: skip
def test_how_the_user_types_it(
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    files: dict[str, str],
    here: str,
    arguments: list[str],
    expected: PlainCommand,
) -> None:
    write(pytester.path, {**files, "tests/in/x": "", "docs/x": ""})
    monkeypatch.chdir(pytester.path / here)
    config = pytester.parseconfig(*arguments)
    assert typed(config, pytester.path, "tests") == expected


def test_options_of_the_environment_count(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", "--import-mode=importlib -x")
    config = pytester.parseconfig()
    assert typed(config, pytester.path, "tests").addopts == ("--import-mode=importlib",)
