"""Options of pytest and plugins that the user has stand beside a lift."""

from __future__ import annotations

import pytest
from conftest import Project
from scripted_session import FOUND, ONE, USERS


@pytest.fixture
def lifted(project: Project) -> Project:
    """One test of the user's, and agents that add one more."""
    return project.write({"tests/test_mine.py": USERS}).script(FOUND)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(
            ("-x", "--cov", "--cov-report=term", "--import-mode=importlib", "--junitxml=out.xml"),
            id="many",
        ),
        pytest.param((), id="plain", marks=pytest.mark.slow),
        pytest.param(("--cov", "--cov-report=term"), id="cov", marks=pytest.mark.slow),
        pytest.param(("--cov=thing", "--cov-report="), id="cov=thing", marks=pytest.mark.slow),
        pytest.param(("-p", "no:cacheprovider"), id="no cache", marks=pytest.mark.slow),
        pytest.param(("-p", "no:junitxml"), id="no junit", marks=pytest.mark.slow),
        pytest.param(("-x",), id="x", marks=pytest.mark.slow),
        pytest.param(("-n", "2"), id="xdist", marks=pytest.mark.slow),
        pytest.param(("--import-mode=importlib",), id="importlib", marks=pytest.mark.slow),
        pytest.param(("--junitxml=out.xml",), id="junit", marks=pytest.mark.slow),
        pytest.param(("-p", "no:terminal"), id="no terminal", marks=pytest.mark.slow),
        pytest.param(("--no-summary",), id="no summary", marks=pytest.mark.slow),
    ],
)
def test_options_of_the_user(lifted: Project, options: tuple[str, ...]) -> None:
    result = lifted.lift(ONE, *options)
    assert result.status == 0, result.text
    assert "Traceback" not in result
    figures = lifted.outcome["history"]
    assert [(i["figures"]["tests"], i["accepted"]) for i in figures] == [(1, True), (2, True)]
    assert "test_doubles" in lifted.read("tests/test_thing.py")
    assert (lifted.root / ".coverage").exists() == any(o.startswith("--cov") for o in options)
    left = {p.name for p in lifted.root.iterdir()} - {
        *(".lift", ".pytest_cache", ".coverage", ".briefs")
    }
    assert left == {"thing.py", "reqs.yml", "setup.cfg", "tests", "conftest.py", ".script"} | (
        {"out.xml"} if "--junitxml=out.xml" in options else set()
    )


@pytest.mark.parametrize("by", ["-p", pytest.param("PYTEST_PLUGINS", marks=pytest.mark.slow)])
def test_without_plugin_autoload(lifted: Project, by: str) -> None:
    off = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    plugins = ["pytest_cov.plugin", "pytest_lift.plugin"]
    if by == "-p":
        options = [part for name in plugins for part in ("-p", name)]
        result = lifted.lift(ONE, *options, **off)
    else:
        result = lifted.lift(ONE, **off, PYTEST_PLUGINS=",".join(plugins))
    assert result.status == 0, result.text
    assert "test_doubles" in lifted.read("tests/test_thing.py")


@pytest.mark.slow
def test_a_selection_limits_the_users_session_only(lifted: Project) -> None:
    result = lifted.lift("--lift-iterations=0", "-k", "nothing_like_this")
    assert "your selection (-k) limits your own session only" in result
    assert lifted.outcome["tests"] == 1


@pytest.mark.slow
def test_an_ini_file_outside_the_project(lifted: Project) -> None:
    ini = lifted.root.parent / "other.ini"
    ini.write_text("[pytest]\naddopts = --strict-markers\nmarkers =\n    slow: x\n")
    lifted.write(
        {"tests/test_mine.py": "import pytest\n\n@pytest.mark.slow\ndef test_a():\n    pass\n"}
    )
    result = lifted.lift(ONE, "-c", "../other.ini", "--rootdir", ".")
    assert result.status == 0, result.text
    assert lifted.outcome["passed"] == 2


@pytest.mark.slow
def test_environment_stands_between_command_line_and_ini(lifted: Project) -> None:
    lifted.write({"pytest.ini": "[pytest]\nlift_iterations = 1\nlift_seed = x\n"})
    result = lifted.lift(LIFT_ITERATIONS="0", LIFT_SEED="4")
    assert result.status == 0, result.text
    assert lifted.outcome["iterations"] == 0
