"""In which world a suite runs: its own options, paths, home and copy."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from jails import jail_with
from small_project import SmallProject

PASSING = "def test_ok(): pass\n"


@pytest.fixture
def project(tmp_path: Path) -> SmallProject:
    return SmallProject(tmp_path)


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


def test_the_environment_of_the_user_is_not_changed(project: SmallProject) -> None:
    before = dict(os.environ)
    project.write({"tests/test_a.py": PASSING}).run(shuffle=1)
    assert dict(os.environ) == before
