"""A real suite in a real subprocess: every way a run can end, and in which world it runs."""

from __future__ import annotations

import json
import os
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


FORGER = """
    import json, os, socket, stat
    FINISH = b'{"event": "finish", "status": 0}'
    PASSED = b'{"event": "phase", "node": "tests/test_a.py::test_never", "outcome": "passed"}'
    def sockets():
        for number in map(int, os.listdir("/proc/self/fd")):
            try:
                if stat.S_ISSOCK(os.fstat(number).st_mode):
                    yield number
            except OSError:
                pass
    def test_forges():
        for number in sockets():
            for line in (PASSED, b"7 0 " + PASSED, b"[]", b"\\xff", b"[" * 100_000, FINISH):
                os.write(number, line + b"\\n")
    def test_after(): pass
    """


def test_a_test_that_writes_into_the_record_is_found_out(project: SmallProject) -> None:
    run = project.write({"tests/test_a.py": FORGER}).run()
    assert run.ending == "crashed"
    told = r"\d+ lines of the record are forged, in tests/test_a.py::test_forges"
    assert re.fullmatch(told, run.detail), "it has found the record by each of its descriptors"
    assert run.running == "tests/test_a.py::test_forges"
    assert set(run.results) <= {"tests/test_a.py::test_forges", "tests/test_a.py::test_after"}


def test_a_test_that_closes_every_descriptor_does_not_end_the_record(
    project: SmallProject,
) -> None:
    test = "import os\ndef test_closes(): os.closerange(3, 200)\ndef test_after(): pass\n"
    run = project.write({"tests/test_a.py": test}).run()
    assert len(run.results) == 2, run.output


def test_nothing_is_said_after_the_end(project: SmallProject) -> None:
    """What is written when the interpreter ends comes too late."""
    late = (
        FORGER
        + """
    import atexit
    atexit.register(test_forges)
    def test_forges(): pass
    """
    )
    run = project.write({"tests/test_a.py": late}).run()
    assert run.ending == "crashed"
    assert "forged, after the session had ended" in run.detail


# The world it runs in


def test_a_flat_project_and_unittest(tmp_path: Path) -> None:
    test = """
        import unittest
        from pkg.mod import sign
        class TestSign(unittest.TestCase):
            def test_plus(self): self.assertEqual(sign(3), 1)
            def test_zero(self): self.assertEqual(sign(0), 1)
        """
    project = SmallProject(tmp_path, src=False).write({"tests/test_a.py": test})
    run = project.run(measure=True)
    assert {n.rpartition("::")[2]: r.outcome for n, r in run.results.items()} == {
        "test_plus": "passed",
        "test_zero": "failed",
    }
    failure = run.results["tests/test_a.py::TestSign::test_zero"].failure
    assert failure is not None
    assert (failure.message, failure.file, failure.line) == ("0 != 1", "tests/test_a.py", 6)
    assert run.reports is not None


def test_importlib_mode_in_addopts_is_kept(project: SmallProject) -> None:
    files = {"tests/a/test_same.py": PASSING, "tests/b/test_same.py": PASSING}
    project.write(files)
    assert project.run().ending == "collection-errors"
    run = project.run(addopts=["--import-mode=importlib"])
    assert (run.ending, len(run.results)) == ("passed", 2)


@pytest.mark.parametrize(
    "ini",
    [
        {"pytest.ini": "[pytest]\naddopts = -n2 -x -k nothing --cov=os --cov-fail-under=100\n"},
        {"pyproject.toml": "[tool.pytest]\naddopts = ['-n2', '-x', '-k', 'nothing']\n"},
    ],
)
def test_addopts_of_the_project_count_only_when_handed_in(
    project: SmallProject, ini: dict[str, str]
) -> None:
    test = f"def test_no(): assert 0\n{PASSING}"
    run = project.write({**ini, "tests/test_a.py": test}).run(measure=True)
    assert run.ending == "failed"
    assert len(run.results) == 2


def test_strict_configuration_with_own_keys_and_marks(project: SmallProject) -> None:
    ini = """
        [pytest]
        addopts = --strict-config --strict-markers
        filterwarnings = error
        cache_dir = shared
        lift_requirements = reqs.yml
        lift_iterations = 3
        """
    test = """
        import pytest
        @pytest.mark.req("R-1")
        @pytest.mark.emergent("seen")
        def test_cached(cache): cache.set("a", 1)
        """
    project.write({"pytest.ini": ini, "tests/test_a.py": test})
    options = ["--strict-config", "--strict-markers", "-p", "no:cacheprovider"]
    run = project.run(addopts=options, measure=True)
    assert run.ending == "passed", run.output
    assert not (project.root / "shared").exists()


def test_without_plugin_autoload(project: SmallProject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_ADDOPTS", "--no-such-option")
    ini = "[pytest]\naddopts = --strict-config\nlift_seed = 1\n"
    test = "def test_a(request): assert not request.config.pluginmanager.hasplugin('xdist')\n"
    run = project.write({"pytest.ini": ini, "tests/test_a.py": test}).run(measure=True)
    assert run.ending == "passed", run.output
    assert run.reports is not None


def test_the_copy_wins_over_an_installed_program(project: SmallProject, tmp_path: Path) -> None:
    installed = tmp_path / "installed" / "pkg"
    installed.mkdir(parents=True)
    (installed / "__init__.py").write_text("")
    (installed / "mod.py").write_text("raise RuntimeError('the wrong one')")
    python = tmp_path / "python"
    later = f'PYTHONPATH="$PYTHONPATH:{installed.parent}"'
    python.write_text(f'#!/bin/sh\n{later} exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    test = """
        import subprocess, sys
        import pkg.mod
        def test_here(): assert "project" in pkg.mod.__file__
        def test_in_a_child(tmp_path):
            subprocess.run([sys.executable, "-c", "import pkg.mod"], check=True, cwd=tmp_path)
        """
    run = project.write({"tests/test_a.py": test}).run(
        python=str(python), jail=jail_with(python, installed.parent)
    )
    assert run.ending == "passed", run.output


def test_home_and_temporary_files_are_in_scratch(project: SmallProject, tmp_path: Path) -> None:
    test = f"""
        import os, tempfile
        from pathlib import Path
        def test_world(tmp_path):
            scratch = Path({str(tmp_path)!r}) / "scratch"
            assert Path.home().is_relative_to(scratch)
            assert tmp_path.is_relative_to(scratch)
            assert Path(tempfile.gettempdir()).is_relative_to(scratch)
            assert os.environ["PYTHONHASHSEED"] == "7"
            assert not [name for name in os.environ if name.startswith("LIFT_")]
        """
    project.write({"tests/test_a.py": test})
    before = set(project.root.rglob("*"))
    run = project.run(hash_seed=7)
    assert run.ending == "passed", run.output
    left = {path for path in project.root.rglob("*") if "__pycache__" not in path.parts}
    assert left == before


def test_selection_runs_only_what_it_names(project: SmallProject) -> None:
    test = "import pytest\n@pytest.mark.parametrize('x', [1, 2])\ndef test_p(x): pass\n" + PASSING
    project.write({"tests/test_a.py": test, "tests/test_b.py": PASSING})
    run = project.run(selection=["tests/test_a.py::test_p[2]", "tests/test_b.py"])
    assert [*run.results] == ["tests/test_a.py::test_p[2]", "tests/test_b.py::test_ok"]


def test_nothing_of_an_earlier_run_is_read(project: SmallProject) -> None:
    project.write({"tests/test_a.py": PASSING})
    assert project.run(measure=True).reports is not None
    project.write({"tests/test_a.py": "import os\nos._exit(0)\n"})
    run = project.run(measure=True)
    assert (run.ending, run.reports, run.results) == ("crashed", None, {})
    assert run.detail == "exit status 0, before the first test"


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


def test_the_environment_of_the_user_is_not_changed(project: SmallProject) -> None:
    before = dict(os.environ)
    project.write({"tests/test_a.py": PASSING}).run(shuffle=1)
    assert dict(os.environ) == before
