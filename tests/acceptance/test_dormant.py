"""Who does not ask for a lift pays nothing and sees nothing."""

from __future__ import annotations

import pytest
from conftest import SOURCE, Project

LOADED = """
import sys

def pytest_unconfigure(config):
    print("loaded:", sorted(name for name in sys.modules if name.startswith("pytest_lift.")))
"""


def test_only_the_plugin_and_the_hooks_are_imported(project: Project) -> None:
    project.write({"conftest.py": LOADED, "tests/test_a.py": "def test_a():\n    pass\n"})
    result = project.pytest()
    assert result.status == 0
    assert (
        "loaded: ['pytest_lift.hookspecs', 'pytest_lift.options', 'pytest_lift.plugin']" in result
    )
    assert not (project.root / ".lift").exists()


def test_it_is_loaded_as_any_library(project: Project) -> None:
    """pytest compiles nothing of it anew, as it does where it rewrites assertions."""
    seen = "import pytest_lift.plugin as p\nprint('loader:', type(p.__loader__).__name__)\n"
    result = project.write({"conftest.py": seen}).pytest("--co", "-q")
    assert "loader: SourceFileLoader" in result


def test_ini_and_environment_never_activate(project: Project) -> None:
    project.write(
        {
            "conftest.py": LOADED,
            "tests/test_a.py": "def test_a():\n    pass\n",
            "pytest.ini": "[pytest]\nlift_requirements = reqs.yml\nlift_min_line = 50\n",
        }
    )
    result = project.pytest(LIFT_REQUIREMENTS="reqs.yml", LIFT_ITERATIONS="3")
    assert (
        "loaded: ['pytest_lift.hookspecs', 'pytest_lift.options', 'pytest_lift.plugin']" in result
    )


@pytest.mark.parametrize("options", [(), ("--strict-markers",), ("-W", "error")])
def test_the_marks_are_always_registered(project: Project, options: tuple[str, ...]) -> None:
    marked = """
        import pytest

        @pytest.mark.req("R-1", "R-2")
        def test_a():
            pass

        @pytest.mark.emergent("seen")
        def test_b():
            pass
    """
    result = project.write({"tests/test_a.py": marked}).pytest(*options)
    assert result.status == 0
    assert "2 passed" in result
    assert "warning" not in result


def test_it_can_be_switched_off(project: Project) -> None:
    project.write({"tests/test_a.py": "def test_a():\n    pass\n"})
    without = project.pytest("-p", "no:lift")
    assert (without.status, "1 passed" in without) == (0, True), without.text
    refused = project.pytest("-p", "no:lift", "--lift")
    assert refused.status == 4
    assert "unrecognized arguments: --lift" in refused


def test_another_plugins_requirements_option_stays_theirs(project: Project) -> None:
    theirs = "def pytest_addoption(parser):\n    parser.addoption('--requirements', help='mine')\n"
    project.write({"other.py": theirs, "tests/test_a.py": "def test_a():\n    pass\n"})
    options = ("-p", "other", "--requirements=reqs.yml")
    result = project.pytest(*options, PYTHONPATH=f"{SOURCE}:{project.root}")
    assert result.status == 0, result.text
    assert "verified" not in result
    long = project.pytest("--lift-requirements=reqs.yml")
    assert "0 of 2 verified" in long


OF_A_LIFT = (
    *("session.prepare", "session.lift", "evolve.loop", "findings.feedback", "store.landing"),
    *("agents.contract", "agents.offline.generator", "llm.endpoint"),
)
"""Modules that a session without a lift has no use for."""


def test_what_a_lift_needs_is_named_as_it_is() -> None:
    places = [SOURCE / "pytest_lift" / f"{name.replace('.', '/')}.py" for name in OF_A_LIFT]
    assert [place for place in places if not place.is_file()] == []


def test_a_session_that_only_tells_of_requirements_imports_no_lift(project: Project) -> None:
    project.write(
        {
            "conftest.py": LOADED,
            "reqs.yml": "all:\n  - {id: R-1, title: t, description: d, acceptance: it is so}\n",
            "tests/test_a.py": 'def test_a():\n    """:req: R-1"""\n    assert len("a") == 1\n',
        }
    )
    for _ in range(2):  # the second one knows what the test says
        result = project.pytest("--requirements", "reqs.yml")
        assert "1 of 1 verified" in result
        loaded = result.text.partition("loaded: ")[2].splitlines()[0]
        assert "pytest_lift.session.tracing" in loaded
        for name in OF_A_LIFT:
            assert f"'pytest_lift.{name}'" not in loaded
    assert not (project.root / ".lift").exists()
    assert (project.root / ".pytest_cache/d/lift/texts.json").exists()
