"""A real suite in a real subprocess: every way a run can end, and in which world it runs."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from jails import jail_with
from small_project import SmallProject

from pytest_lift.run.events import run_from_events

PASSING = "def test_ok(): pass\n"


@pytest.fixture
def project(tmp_path: Path) -> SmallProject:
    return SmallProject(tmp_path)


# How a run ends


def test_a_passing_run_is_measured(project: SmallProject) -> None:
    test = "from pkg.mod import sign\ndef test_sign(): assert sign(2) == 1\n"
    run = project.write({"tests/test_a.py": test}).run(measure=True)
    assert (run.ending, run.detail, run.running) == ("passed", "", None)
    assert run.collected == tuple(run.results) == ("tests/test_a.py::test_sign",)
    assert run.reports == project.reports
    names = {path.name for path in project.reports.iterdir()}
    assert names == {"junit.xml", "coverage.xml", "coverage.json", "coverage.db"}
    assert 0 < run.seconds < 60


def test_a_failing_run(project: SmallProject) -> None:
    run = project.write({"tests/test_a.py": f"{PASSING}def test_no(): assert 1 == 2\n"}).run()
    assert run.ending == "failed"
    assert {node[17:]: result.outcome for node, result in run.results.items()} == {
        "test_ok": "passed",
        "test_no": "failed",
    }
    failure = run.results["tests/test_a.py::test_no"].failure
    assert failure is not None
    assert (failure.type, failure.phase) == ("AssertionError", "call")
    assert (failure.file, failure.line) == ("tests/test_a.py", 2)
    assert "assert 1 == 2" in failure.traceback
    assert failure.frames == (("tests/test_a.py", 2, "test_no"),)


def test_collection_errors_name_their_files(project: SmallProject) -> None:
    files = {
        "tests/test_good.py": PASSING,
        "tests/test_syntax.py": "x = 1\ndef (:\n",
        "tests/test_import.py": "import nowhere_to_be_found\n",
        "tests/test_name.py": "\nundefined\n",
    }
    run = project.write(files).run()
    assert run.ending == "collection-errors"
    kinds = {file[6:]: (f.type, f.file[6:], f.line) for file, f in run.broken.items()}
    assert kinds == {
        "test_syntax.py": ("SyntaxError", "test_syntax.py", 2),
        "test_import.py": ("ModuleNotFoundError", "test_import.py", 1),
        "test_name.py": ("NameError", "test_name.py", 2),
    }
    assert all(f.phase == "collect" and f.traceback for f in run.broken.values())


@pytest.mark.parametrize("folder", ["tests", "tests/inner"])
def test_a_conftest_that_fails_is_the_broken_file(project: SmallProject, folder: str) -> None:
    conftest = f"{folder}/conftest.py"
    project.write({conftest: "raise ValueError('no')\n", f"{folder}/test_a.py": PASSING})
    run = project.run()
    assert run.ending == "collection-errors"
    assert set(run.broken) == {conftest}
    failure = run.broken[conftest]
    assert (failure.type, failure.message, failure.file) == ("ValueError", "no", conftest)
    assert "raise ValueError" in failure.traceback


@pytest.mark.parametrize("files", [{}, {"tests/test_a.py": "def helper(): pass\n"}])
def test_nothing_collected_is_measured_all_the_same(
    project: SmallProject, files: dict[str, str]
) -> None:
    run = project.write(files).run(measure=True)
    assert (run.ending, run.results) == ("nothing-collected", {})
    assert run.reports == project.reports


@pytest.mark.parametrize(
    ("death", "detail"),
    [
        ("os._exit(0)", "exit status 0"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "signal 11 (SIGSEGV)"),
        ("pytest.exit('enough', returncode=0)", "interrupted by _pytest.outcomes.Exit: enough"),
        ("raise KeyboardInterrupt", "interrupted by KeyboardInterrupt"),
    ],
)
def test_a_crash_says_what_ran_and_how_it_died(
    project: SmallProject, death: str, detail: str
) -> None:
    test = f"import os, pytest, signal\n{PASSING}def test_dies(): {death}\ndef test_z(): pass\n"
    run = project.write({"tests/test_a.py": test}).run()
    dying = "tests/test_a.py::test_dies"
    assert (run.ending, run.running) == ("crashed", dying)
    assert run.detail == f"{detail}, in {dying}"
    assert {node: result.outcome for node, result in run.results.items()} == {
        "tests/test_a.py::test_ok": "passed"
    }
    assert len(run.collected) == 3


def test_a_crash_after_the_session_is_one_too(project: SmallProject) -> None:
    test = f"import atexit, os\natexit.register(os._exit, 5)\n{PASSING}"
    run = project.write({"tests/test_a.py": test}).run()
    assert run.ending == "crashed"
    assert run.detail == "exit status 5, after the session had ended"
    assert len(run.results) == 1


def test_a_session_that_stops_early_has_not_passed(project: SmallProject) -> None:
    conftest = "def pytest_runtestloop(session): return True\n"
    run = project.write({"conftest.py": conftest, "tests/test_a.py": PASSING}).run()
    assert (run.ending, run.detail) == ("crashed", "1 of the collected tests did not run")


def test_a_test_may_go_away_and_remove_the_folder(project: SmallProject) -> None:
    test = """
        import os
        from pkg.mod import sign

        def test_gone(tmp_path):
            folder = tmp_path / "gone"
            folder.mkdir()
            os.chdir(folder)
            folder.rmdir()
            assert sign(2) == 1
    """
    run = project.write({"tests/test_a.py": test}).run(measure=True)
    assert run.ending == "passed", run.output
    assert run.reports is not None


def test_a_hang_is_stopped_and_named(project: SmallProject) -> None:
    test = f"import time\n{PASSING}def test_hangs(): time.sleep(600)\n"
    hanging = "tests/test_a.py::test_hangs"
    run = project.write({"tests/test_a.py": test}).run_until(hanging)
    assert (run.ending, run.running) == ("timed-out", hanging)
    assert re.fullmatch(rf"stopped after \d+ s, in {hanging}", run.detail)
    assert set(run.results) == {"tests/test_a.py::test_ok"}


def test_output_of_a_test_keeps_its_end(project: SmallProject) -> None:
    test = "def test_loud():\n    for n in range(100_000): print(f'line {n}')\n"
    run = project.write({"tests/test_a.py": test}).run()
    output = run.results["tests/test_a.py::test_loud"].output
    assert len(output) < 20_000
    assert output.rstrip().endswith("line 99999")


@pytest.mark.parametrize("token", ["--no-such-option", "-pno_such_plugin"])
def test_what_pytest_refuses_is_in_the_detail(project: SmallProject, token: str) -> None:
    run = project.write({"tests/test_a.py": PASSING}).run(addopts=[token])
    assert run.ending == "refused"
    assert token.removeprefix("-p") in run.detail


def test_an_interpreter_without_pytest_is_refused(project: SmallProject, tmp_path: Path) -> None:
    fake = tmp_path / "python"
    fake.write_text(f"#!/bin/sh\nexec {sys.executable} -S -E -m pytest\n")
    fake.chmod(0o755)
    run = project.write({"tests/test_a.py": PASSING}).run(python=str(fake), jail=jail_with(fake))
    assert run.ending == "refused"
    assert "No module named pytest" in run.detail


def test_of_a_traceback_only_what_was_raised_is_in_the_detail(project: SmallProject) -> None:
    broken = "def pytest_load_initial_conftests():\n    raise ValueError('two\\nlines')\n"
    project.write({"tests/test_a.py": PASSING, "broken.py": broken})
    run = project.run(addopts=("-p", "broken"))
    assert (run.ending, run.detail) == ("refused", "ValueError: two\nlines")
    assert "  File " in run.output


def test_an_internal_error_is_refused(project: SmallProject) -> None:
    conftest = "def pytest_collection_modifyitems(): raise RuntimeError('inside')\n"
    run = project.write({"conftest.py": conftest, "tests/test_a.py": PASSING}).run()
    assert run.ending == "refused"
    assert "RuntimeError: inside" in run.detail


# The world it runs in


def test_events_of_a_session_in_this_process() -> None:
    phase = {"seconds": 0.5, "reason": "", "output": "", "subtest": None, "outcome": "passed"}
    events = [
        {"event": "start", "root": "/project"},
        {"event": "collected", "nodes": ["t.py::a"]},
        {"event": "begin", "node": "t.py::a"},
        *({"event": "phase", "node": "t.py::a", "when": w, **phase} for w in ("setup", "call")),
        {"event": "end", "node": "t.py::a"},
    ]
    run = run_from_events(json.loads(json.dumps(events)), status=0, seconds=2.0)
    assert (run.ending, run.seconds) == ("passed", 2.0)
    assert run.results["t.py::a"].seconds == 1.0


# The user's addopts
