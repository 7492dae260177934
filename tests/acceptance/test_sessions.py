"""A lift works in the layouts and with the settings that projects have."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from conftest import THING, Project
from scripted_session import FOUND, ONE, USERS


@pytest.fixture
def lifted(project: Project) -> Project:
    """One test of the user's, and agents that add one more."""
    return project.write({"tests/test_mine.py": USERS}).script(FOUND)


@pytest.mark.slow
def test_testpaths_where_nothing_is_yet(project: Project) -> None:
    """Under `filterwarnings = error` pytest itself ends in a traceback there."""
    ini = "[pytest]\ntestpaths = tests\npythonpath = .\nfilterwarnings = error\n"
    result = project.write({"pytest.ini": ini}).script(FOUND).lift(ONE)
    assert result.status == 0, result.text
    assert "Traceback" not in result
    assert "def test_doubles" in project.read("tests/test_thing.py")


@pytest.mark.parametrize(
    "told",
    [
        pytest.param("*/checks", marks=pytest.mark.slow),
        pytest.param("a/checks/test_mine.py", marks=pytest.mark.slow),
    ],
)
def test_testpaths_with_wildcards_or_a_file(project: Project, told: str) -> None:
    ini = f"[pytest]\ntestpaths = {told}\npythonpath = .\n"
    project.write({"a/checks/test_mine.py": USERS, "pytest.ini": ini})
    result = project.script({"a/checks/test_thing.py": FOUND}).lift(ONE)
    assert result.status == 0, result.text
    assert project.outcome["tests"] == 2
    assert "test_doubles" in project.read("a/checks/test_thing.py")


@pytest.mark.slow
def test_what_the_project_omits_from_coverage_does_not_count(lifted: Project) -> None:
    lifted.write({"pkg/__init__.py": "", "pkg/never.py": "x = 1\ny = 2\n"})
    lifted.write({".coveragerc": "[run]\nomit = */never.py\n[report]\nfail_under = 100\n"})
    result = lifted.lift("--lift-iterations=0", "--lift-source=thing", "--lift-source=pkg")
    assert result.status == 0, result.text
    assert project_findings(lifted).isdisjoint({"pkg/never.py"})
    assert 50 <= lifted.outcome["line_percent"] < 60  # 8 or 9 statements, as coverage counts


def project_findings(project: Project) -> set[str]:
    return {finding["file"] for finding in project.outcome["findings"]}


@pytest.mark.slow
def test_the_projects_own_names_for_test_files(project: Project) -> None:
    ini = "[pytest]\npython_files = check_*.py\npythonpath = .\n"
    project.write({"tests/check_mine.py": USERS, "pytest.ini": ini})
    project.script({"tests/check_thing.py": FOUND})
    assert project.lift(ONE).status == 0
    assert "tests/check_thing.py::test_doubles" in project.read("tests/.lift.json")
    result = project.lift("--lift-iterations=0")
    assert "1 passed" in result  # what the tool wrote does not run in the user's session
    links = [link for item in project.outcome["trace"]["requirements"] for link in item["links"]]
    assert [link["basis"] for link in links] == ["example"]


def test_tests_that_the_project_sets_apart_are_not_run(lifted: Project) -> None:
    """They may take hours."""
    ini = "[pytest]\npythonpath = .\naddopts = -m 'not stress'\nmarkers =\n    stress: long\n"
    stress = "\nimport pytest\n\n@pytest.mark.stress\ndef test_long():\n    raise SystemExit\n"
    lifted.write({"pytest.ini": ini, "tests/test_stress.py": stress})
    result = lifted.lift(ONE)
    assert result.status == 0, result.text
    assert "your selection" not in result
    assert (lifted.outcome["tests"], lifted.outcome["failed"]) == (2, 0)
    assert "test_doubles" in lifted.read("tests/test_thing.py")


@pytest.mark.slow
def test_a_file_of_the_users_that_cannot_be_collected_stops_nothing(lifted: Project) -> None:
    lifted.write({"tests/test_bad.py": "import nosuchmodule\n"})
    result = lifted.lift(ONE)
    assert result.status != 0
    assert "test_doubles" in lifted.read("tests/test_thing.py")


@pytest.mark.slow
def test_unittest_style_and_conftest_fixtures(project: Project) -> None:
    project.write(
        {
            "tests/conftest.py": "import pytest\n\n@pytest.fixture\ndef name():\n    return 'a'\n",
            "tests/test_old.py": """
                import unittest
                from thing import double, label

                class OldTest(unittest.TestCase):
                    def setUp(self):
                        self.number = 4

                    def test_it(self):
                        self.assertEqual(double(self.number), 8)

                def test_fixture(name):
                    assert label(name) == "a"
            """,
        }
    )
    result = project.lift("--lift-iterations=0")
    assert result.status == 0, result.text
    assert project.outcome["tests"] == 2


def test_src_layout_installed_nowhere_with_addopts_and_ini(project: Project) -> None:
    (project.root / "thing.py").unlink()
    project.write(
        {
            "src/thing/__init__.py": THING,
            "pyproject.toml": """
                [project]
                name = "thing"
                [tool.pytest.ini_options]
                pythonpath = ["src"]
                testpaths = ["checks"]
                addopts = "-ra --strict-markers -x --cov=thing --cov-report=term"
                xfail_strict = true
                lift_iterations = 1
                lift_requirements = ["reqs.yml"]
            """,
            "checks/test_mine.py": USERS,
        }
    ).script({"checks/test_thing.py": FOUND})
    result = project.lift(requirements=False)
    assert result.status == 0, result.text
    assert "test_doubles" in project.read("checks/test_thing.py")
    assert (project.outcome["iterations"], project.outcome["tests"]) == (1, 2)
    assert project.outcome["requirements"]["total"] == 2


def test_requirements_without_lift_trace_the_users_own_tests(project: Project) -> None:
    project.write(
        {
            "tests/test_mine.py": """
                import pytest
                from thing import double

                @pytest.mark.req("R-1")
                def test_mine():
                    assert double(1) == 2

                @pytest.mark.req("R-7")
                def test_other():
                    pass
            """
        }
    )
    for options in ((), ("-n", "2")):
        result = project.pytest("--requirements", "reqs.yml", *options)
        assert result.status == 0
        assert "1 of 2 verified, 1 uncovered" in result
        assert "acceptance sentences covered" in result
        assert "uncovered: R-2" in result
        assert "unknown id 'R-7' in tests/test_mine.py::test_other" in result
        assert not (project.root / ".lift").exists()


@pytest.mark.slow
def test_tests_beside_the_sources_count_and_are_not_shadowed(project: Project) -> None:
    project.write({"test_thing.py": USERS, "docs/x.py": ""}).script(
        FOUND, {"tests/test_thing_lift.py": FOUND}
    )
    result = project.lift("--lift-iterations=2")
    assert result.status == 0, result.text
    baseline, collision, other = project.outcome["history"]
    assert baseline["figures"]["tests"] == 1
    assert (collision["accepted"], other["accepted"]) == (False, True)
    assert not (project.root / "tests/test_thing.py").exists()
    assert project.pytest().status == 0


@pytest.mark.slow
def test_the_offline_agents_find_another_name(project: Project) -> None:
    project.write({"test_thing.py": USERS})
    result = project.lift("--lift-iterations=1")
    assert result.status == 0, result.text
    assert [p.name for p in (project.root / "tests").glob("*.py")] == ["test_thing_lift.py"]
    assert project.outcome["requirements"]["verified"] == 1
    assert project.pytest().status == 0


@pytest.mark.slow
def test_a_time_zone_that_tests_leave_behind_is_not_the_lifts(project: Project) -> None:
    leaves = (
        "import os, time\n\ndef test_zone():\n    os.environ['TZ'] = 'UTC-12'\n    time.tzset()\n"
    )
    project.write({"tests/test_zone.py": leaves}).script()
    before = datetime.now()
    project.lift("--lift-iterations=0", requirements=False)
    began = datetime.strptime(project.outcome["run"][:15], "%Y%m%d-%H%M%S")
    assert abs(began - before) < timedelta(hours=1)
