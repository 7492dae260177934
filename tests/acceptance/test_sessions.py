"""A lift works in the ways people run pytest; what cannot work is refused with a reason."""

from __future__ import annotations

import os
import re
from datetime import datetime, timedelta

import pytest
from conftest import THING, Project

USERS = """
    from thing import label

    def test_mine():
        assert label("a") == "a"
"""
FOUND = '''\
"""Tests of thing."""

import pytest

from thing import double


@pytest.mark.req("R-1")
def test_doubles():
    """Doubles a number."""
    assert double(21) == 42
'''


@pytest.fixture
def lifted(project: Project) -> Project:
    """One test of the user's, and agents that add one more."""
    return project.write({"tests/test_mine.py": USERS}).script(FOUND)


ONE = "--lift-iterations=1"


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
def test_testpaths_where_nothing_is_yet(project: Project) -> None:
    """Under `filterwarnings = error` pytest itself ends in a traceback there."""
    ini = "[pytest]\ntestpaths = tests\npythonpath = .\nfilterwarnings = error\n"
    result = project.write({"pytest.ini": ini}).script(FOUND).lift(ONE)
    assert result.status == 0, result.text
    assert "Traceback" not in result
    assert "def test_doubles" in project.read("tests/test_thing.py")


def test_a_file_in_the_place_of_the_lift_folder(lifted: Project) -> None:
    result = lifted.write({".lift": "mine"}).lift(ONE)
    assert result.status == 4
    assert "Traceback" not in result
    assert "nothing can be kept there" in result
    assert lifted.read(".lift") == "mine"


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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "status"), [pytest.param(60, 0, marks=pytest.mark.slow), (99, 1)]
)
def test_a_coverage_limit_is_held_against_the_whole_suite(
    lifted: Project, limit: int, status: int
) -> None:
    """The user's tests alone reach about 50 %, with those of the tool it is about 75 %."""
    ini = f"[pytest]\naddopts = --cov=thing --cov-fail-under={limit}\n"
    result = lifted.write({"pytest.ini": ini}).lift(ONE)
    assert (result.status, lifted.outcome["exit_code"]) == (status, status), result.text
    missed = re.search(r"threshold missed: --cov-fail-under 7\d.\d %, wanted 99 %", result.text)
    assert bool(missed) == bool(status)
    lifted.write({"tests/test_bad.py": "def test_bad():\n    assert 1 == 2\n"})
    assert lifted.lift("--lift-iterations=0").status == 1


@pytest.mark.slow
def test_an_outcome_of_before_is_not_taken_for_this_one(lifted: Project) -> None:
    assert lifted.lift(ONE, "--lift-json=out.json").status == 0
    lifted.write(
        {"conftest.py": lifted.read("conftest.py").replace("return Edit(", "return Adit(")}
    )
    result = lifted.lift(ONE, "--lift-json=out.json")
    assert result.status == 3
    assert "crash.txt" in result
    assert lifted.outcome["outcome"] == "failed"
    assert lifted.outcome["tests"] == 0
    assert lifted.read("out.json") == lifted.read(".lift/run.json")


def test_quiet_is_quiet(lifted: Project) -> None:
    """One line an iteration, and the outcome."""
    text = lifted.lift(ONE, "-q").text
    lines = [line for line in text.splitlines() if line.startswith("lift ")]
    assert [line.split(":")[0] for line in lines] == ["lift 0", "lift 1"]
    assert "; accepted: " in lines[1]
    assert "an iteration will take" not in text
    assert text.splitlines()[-1].strip("= ").startswith("lift: iterations, 2 tests pass")


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
def test_a_selection_limits_the_users_session_only(lifted: Project) -> None:
    result = lifted.lift("--lift-iterations=0", "-k", "nothing_like_this")
    assert "your selection (-k) limits your own session only" in result
    assert lifted.outcome["tests"] == 1


def test_what_fails_and_what_is_left_out_is_said(lifted: Project) -> None:
    """An ownership file that cannot be read makes tests the user's; a pipe cannot be copied."""
    lifted.write({"tests/test_bad.py": "def test_bad():\n    assert 1 == 2\n"})
    lifted.write({"tests/.lift.json": "<<<"})
    os.mkfifo(lifted.root / "pipe")
    lifted.write({".script/1/elsewhere/test_b.py": "def test_b():\n    assert 1\n"})
    result = lifted.lift(ONE)
    assert "tests/.lift.json is not JSON" in result
    assert "pipe is left out: neither a file nor a link" in result
    assert "elsewhere/test_b.py is outside the test root tests" in result
    assert result.status == 1
    assert "failed before the lift and still fails: tests/test_bad.py::test_bad" in result
    assert "test_doubles" in lifted.read("tests/test_thing.py")
    assert lifted.outcome["failed"] == 1


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


@pytest.mark.slow
def test_from_another_working_directory(lifted: Project) -> None:
    lifted.write({"pytest.ini": "[pytest]\nlift_requirements = reqs.yml\n", "docs/x.txt": ""})
    result = lifted.lift(ONE, "../tests", requirements=False, cwd="docs")
    assert result.status == 0, result.text
    assert "test_doubles" in lifted.read("tests/test_thing.py")
    assert lifted.outcome["requirements"]["total"] == 2
    assert not (lifted.root / "docs/.lift").exists()


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


@pytest.mark.parametrize(
    "ignored", ["../tests/bad", pytest.param("{root}/tests/bad", marks=pytest.mark.slow)]
)
def test_paths_and_values_are_taken_as_typed(lifted: Project, ignored: str) -> None:
    bad = {"tests/bad/test_bad.py": "def test_bad():\n    assert 1 == 2\n", "docs/x.txt": ""}
    lifted.write({"pytest.ini": "[pytest]\n", **bad})
    ignore = f"--ignore={ignored.format(root=lifted.root)}"
    result = lifted.lift("--lift-iterations=0", ignore, "../tests", cwd="docs")
    assert (result.status, lifted.outcome["tests"]) == (0, 1), result.text


@pytest.mark.slow
def test_environment_stands_between_command_line_and_ini(lifted: Project) -> None:
    lifted.write({"pytest.ini": "[pytest]\nlift_iterations = 1\nlift_seed = x\n"})
    result = lifted.lift(LIFT_ITERATIONS="0", LIFT_SEED="4")
    assert result.status == 0, result.text
    assert lifted.outcome["iterations"] == 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--collect-only",), "--lift and --collect-only exclude each other: a lift needs"),
        (("--pdb",), "--lift and --pdb exclude each other"),
        (("--no-cov",), "--lift and --no-cov exclude each other"),
        (("-p", "no:cov"), "--lift and -p no:cov exclude each other"),
        (("--lift-min-line=ten",), "--lift-min-line: 'ten' is not a number"),
        (("--lift-min-branch=101",), "--lift-min-branch: 101 is not a percentage"),
        (("--lift-iterations=-1",), "--lift-iterations: '-1' is not a whole number"),
        (("--lift-source=nosuch",), "no program to test was found; tried --lift-source: nosuch"),
        (("--lift-tests=..",), "is not a folder below the project"),
        (("--lift-model=gpt",), "there is no API key for api.openai.com"),
        (("--requirements=nosuch.yml",), "nosuch.yml"),
        (("--lift-tests=thing.py",), "is not a folder below the project"),
        (("--lift-json=.git",), ".git cannot be a file"),
        (("--lift-json=thing.py/out.json",), "out.json cannot be a file"),
    ],
)
def test_what_cannot_work_is_a_usage_error(
    project: Project, options: tuple[str, ...], told: str
) -> None:
    (project.root / ".git").mkdir()
    result = project.lift(*options, requirements=False)
    assert result.status == 4
    assert told in result
    assert "Traceback" not in result
    assert not (project.root / ".lift/history").exists()


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
