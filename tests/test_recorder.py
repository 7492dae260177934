"""What the recorder says about a session, with and without xdist, and what outlives a crash."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from small_project import SmallProject

from pytest_lift.run.events import run_from_events
from pytest_lift.run.result import Run, TestResult
from pytest_lift.suite.test_file import parse_test_file

ZOO = """
    import unittest
    import warnings
    import pytest

    pytestmark = pytest.mark.req("MODULE-1")

    @pytest.fixture
    def no_setup():
        raise LookupError("setup")

    @pytest.fixture
    def no_teardown():
        yield
        raise LookupError("teardown")

    def test_passes(): pass
    def test_setup_error(no_setup): pass
    def test_teardown_error(no_teardown): pass
    def test_both(no_teardown): assert 0, "first"
    @pytest.mark.skip(reason="not now")
    def test_skipped(): pass
    def test_skips_itself(): pytest.skip("inside")
    @pytest.mark.xfail(reason="known")
    def test_xfailed(): assert 0
    def test_xfails_itself(): pytest.xfail("given up")
    @pytest.mark.xfail(reason="was known")
    def test_xpassed(): pass
    @pytest.mark.xfail(strict=True, reason="settled")
    def test_xpassed_strictly(): pass
    @pytest.mark.xfail(raises=KeyError)
    def test_other_error(): raise IndexError("other")
    def test_warns(): warnings.warn("careful")

    class TestOld(unittest.TestCase):
        def test_subtests(self):
            for i in range(3):
                with self.subTest(i=i):
                    self.assertNotEqual(i, 2)
        @unittest.skip("old skip")
        def test_skipped(self): pass
        @unittest.expectedFailure
        def test_expected(self): self.fail()
        def test_error(self): {}["x"]
    """

SUBTESTS = """
    def test_subtests(subtests):
        for i in range(3):
            with subtests.test(i=i):
                assert i != 1
    def test_good_subtests(subtests):
        with subtests.test("all is well"): pass
    def test_skipped_subtest(subtests):
        with subtests.test("skips"): pytest.skip("this one")
    """
"""The fixture `subtests` is part of pytest since version 9."""

OUTCOMES = {
    "test_passes": ("passed", "", ""),
    "test_setup_error": ("error", "LookupError", ""),
    "test_teardown_error": ("error", "LookupError", ""),
    "test_both": ("failed", "AssertionError", ""),
    "test_skipped": ("skipped", "", "not now"),
    "test_skips_itself": ("skipped", "", "inside"),
    "test_xfailed": ("xfailed", "", "known"),
    "test_xfails_itself": ("xfailed", "", "given up"),
    "test_xpassed": ("xpassed", "", "was known"),
    "test_xpassed_strictly": ("failed", "XPASS(strict)", ""),
    "test_other_error": ("failed", "IndexError", ""),
    "test_warns": ("passed", "", ""),
    "TestOld::test_subtests": ("failed", "AssertionError", ""),
    "TestOld::test_skipped": ("skipped", "", "old skip"),
    "TestOld::test_expected": ("xfailed", "", ""),
    "TestOld::test_error": ("failed", "KeyError", ""),
}

if pytest.version_tuple >= (9,):
    ZOO += SUBTESTS
    OUTCOMES |= {
        "test_subtests": ("failed", "AssertionError", ""),
        "test_good_subtests": ("passed", "", ""),
        "test_skipped_subtest": ("passed", "", ""),
    }

RECORDING_CONFTEST = """
    import json, os
    from pytest_lift.run.inside.recorder import Recorder

    def pytest_configure(config):
        def sink(event):
            with open(os.environ["EVENTS"], "a") as lines:
                lines.write(json.dumps(event) + "\\n")
        worker = hasattr(config, "workerinput")
        config.pluginmanager.register(Recorder((lambda event: None) if worker else sink))
        config.addinivalue_line("markers", "req: x")
    """


@pytest.fixture
def project(tmp_path: Path) -> SmallProject:
    return SmallProject(tmp_path)


def result(run: Run, name: str) -> TestResult:
    return run.results[f"tests/test_a.py::{name}"]


def outcomes(run: Run) -> dict[str, tuple[str, str, str]]:
    return {
        node.removeprefix("tests/test_a.py::"): (
            found.outcome,
            found.failure.type if found.failure else "",
            found.reason,
        )
        for node, found in run.results.items()
    }


def record_in_process(project: SmallProject, *options: str) -> Run:
    """A session of its own, whose conftest registers the recorder, on workers too."""
    project.write({"conftest.py": RECORDING_CONFTEST})
    events = project.base / "events.jsonl"
    world = {"EVENTS": str(events), "PYTHONPATH": os.pathsep.join([*sys.path, "src"])}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options]
    done = subprocess.run(
        command, cwd=project.root, env={**os.environ, **world}, check=False, capture_output=True
    )
    run = run_from_events(json.loads(line) for line in events.read_text().splitlines())
    assert run.results, done.stdout.decode()
    return run


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Run:
    project = SmallProject(tmp_path_factory.mktemp("zoo"))
    return project.write({"tests/test_a.py": ZOO}).run()


def test_every_outcome(zoo: Run) -> None:
    assert outcomes(zoo) == OUTCOMES
    assert (zoo.ending, zoo.detail) == ("failed", "")


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "xdist"])
def test_a_recorder_in_a_session_of_its_own(
    project: SmallProject, workers: tuple[str, ...]
) -> None:
    project.write({"tests/test_a.py": ZOO, "tests/test_broken.py": "import nowhere\n"})
    run = record_in_process(project, "--continue-on-collection-errors", *workers)
    assert outcomes(run) == OUTCOMES
    assert set(run.broken) == {"tests/test_broken.py"}
    assert run.broken["tests/test_broken.py"].type == "ModuleNotFoundError"
    assert run.ending == "collection-errors"
    assert sorted(run.collected) == sorted(run.results)
    assert result(run, "test_passes").requirements == ("MODULE-1",)


def test_phases_of_failures(zoo: Run) -> None:
    phases = {
        name: (failure.phase, failure.message.partition("\n")[0])
        for name in (
            "test_setup_error",
            "test_teardown_error",
            "test_both",
            "TestOld::test_subtests",
        )
        if (failure := result(zoo, name).failure)
    }
    assert phases == {
        "test_setup_error": ("setup", "setup"),
        "test_teardown_error": ("teardown", "teardown"),
        "test_both": ("call", "first"),
        "TestOld::test_subtests": ("call", "2 == 2"),
    }


def test_what_a_test_claims(project: SmallProject) -> None:
    test = '''
        import pytest

        pytestmark = pytest.mark.req("MODULE")

        @pytest.mark.req("CLASS")
        class TestThing:
            @pytest.mark.req("OWN-1", "1.10")
            @pytest.mark.req("OWN-1", 2)
            @pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.req("ROW")), 2])
            def test_p(self, x):
                """First line.

                Second.
                """

        @pytest.mark.emergent("nobody says so")
        def test_e(): pass

        @pytest.mark.emergent
        def test_bare(): pass
        '''
    run = project.write({"tests/test_a.py": test}).run()
    first, second = result(run, "TestThing::test_p[1]"), result(run, "TestThing::test_p[2]")
    assert set(first.requirements) == {
        "OWN-1",
        "1.10",
        "2 (int instead of a string)",
        "ROW",
        "CLASS",
        "MODULE",
    }
    assert set(second.requirements) == set(first.requirements) - {"ROW"}
    assert first.requirements[-2:] == ("CLASS", "MODULE")
    assert first.doc == "First line.\n\nSecond."
    assert first.function == "tests/test_a.py::TestThing::test_p"
    assert first.emergent is None
    assert result(run, "test_e").emergent == "nobody says so"
    assert result(run, "test_bare").emergent == ""


def test_what_a_test_claims_in_its_docstring(project: SmallProject) -> None:
    test = '''
        """Module.

        :req: MODULE
        """
        import unittest
        import pytest

        class TestBase:
            """:req: BASE"""

        class TestThing(TestBase):
            """Group.

            :req: CLASS
            """

            @pytest.mark.req("MARK")
            def test_m(self):
                """First line.

                :req: OWN-1, 1.10
                """

        class TestOld(unittest.TestCase):
            def test_u(self):
                """:req: OLD"""

        def test_e():
            """Shown.

            :emergent: nobody says so
            """

        def test_bare():
            """:emergent:"""

        def test_prose():
            """Says :req: in a line."""
        '''
    run = project.write({"tests/test_a.py": test}).run()
    method = result(run, "TestThing::test_m")
    assert method.requirements == ("MARK", "OWN-1", "1.10", "CLASS", "BASE", "MODULE")
    assert method.doc == "First line."
    assert result(run, "TestOld::test_u").requirements == ("OLD", "MODULE")
    assert result(run, "test_e").emergent == "nobody says so"
    assert result(run, "test_e").doc == "Shown."
    assert result(run, "test_bare").emergent == ""
    assert result(run, "test_prose").requirements == ("MODULE",)
    assert result(run, "test_prose").emergent is None
    for read in parse_test_file("tests/test_a.py", dedent(test)).tests:  # the other reader
        ran = result(run, read.node.partition("::")[2])
        assert (read.requirements, read.emergent) == (ran.requirements, ran.emergent)
        assert read.doc == ran.doc


def test_frames_lead_from_the_test_into_the_program(project: SmallProject) -> None:
    test = """
        import json
        import pytest
        from pkg.mod import sign
        def test_program(): sign("x")
        def test_library(): json.loads("{")
        def test_not_raised():
            with pytest.raises(ValueError):
                pass
        """
    run = project.write({"tests/test_a.py": test}).run()
    program = result(run, "test_program").failure
    assert program is not None
    assert program.type == "TypeError"
    assert program.frames == (
        ("tests/test_a.py", 5, "test_program"),
        ("src/pkg/mod.py", 2, "sign"),
    )
    assert (program.file, program.line) == ("src/pkg/mod.py", 2)
    library = result(run, "test_library").failure
    assert library is not None
    assert library.type == "json.decoder.JSONDecodeError"
    assert Path(library.file).is_absolute()
    missing = result(run, "test_not_raised").failure
    assert missing is not None
    assert (missing.type, missing.file, missing.line) == ("Failed", "tests/test_a.py", 8)


def test_output_has_every_stream_and_phase(project: SmallProject) -> None:
    test = """
        import logging, sys
        import pytest
        @pytest.fixture
        def noisy():
            print("from setup")
            yield
            print("from teardown")
        def test_noisy(noisy):
            print("to stderr", file=sys.stderr)
            logging.warning("to the log")
        """
    run = project.write({"tests/test_a.py": test}).run()
    output = result(run, "test_noisy").output
    for part in ("from setup", "from teardown", "to stderr", "to the log"):
        assert output.count(part) >= 1, part
    assert output.count("from setup") == 1


def test_hostile_exceptions_and_text(project: SmallProject) -> None:
    test = r"""
        class Mute(Exception):
            def __str__(self): raise RuntimeError("never")
        def test_mute(): raise Mute
        def test_surrogate(): raise ValueError("\ud800")
        def test_long(): raise ValueError("x" * 1_000_000)
        def test_deep():
            def f(): f()
            f()
        """
    run = project.write({"tests/test_a.py": test}).run()
    assert {found.outcome for found in run.results.values()} == {"failed"}
    assert len(run.results) == 4
    sizes = [len(r.failure.message) for r in run.results.values() if r.failure]
    assert max(sizes) < 5_000
    deep = result(run, "test_deep").failure
    assert deep is not None
    assert len(deep.frames) <= 60


def test_forked_children_and_closed_files_do_not_disturb_the_record(
    project: SmallProject,
) -> None:
    test = """
        import os, sys
        def test_fork():
            pid = os.fork()
            if not pid:
                sys.exit(3)
            assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) >= 0
        def test_replaced(monkeypatch, tmp_path):
            monkeypatch.setattr(os, "open", None)
            monkeypatch.setattr(os, "write", None)
            monkeypatch.chdir(tmp_path)
        """
    run = project.write({"tests/test_a.py": test}).run()
    assert outcomes(run) == {
        "test_fork": ("passed", "", ""),
        "test_replaced": ("passed", "", ""),
    }
    assert run.ending == "passed"


def test_a_session_inside_a_test_keeps_out_of_the_record(project: SmallProject) -> None:
    test = """
        import subprocess, sys
        def test_outer(tmp_path):
            (tmp_path / "test_in.py").write_text("def test_inner(): pass")
            command = [sys.executable, "-m", "pytest", "-p", "pytest_lift.run.inside.recorder", str(tmp_path)]
            subprocess.run(command, check=True)
        """
    run = project.write({"tests/test_a.py": test}).run()
    assert outcomes(run) == {"test_outer": ("passed", "", "")}, run.output


def test_doctests_are_recorded(project: SmallProject) -> None:
    module = '"""\n>>> 1 + 1\n2\n>>> 1 + 1\n3\n\n:req: R-1\n"""\n'
    run = project.write({"tests/test_a.py": module}).run(addopts=["--doctest-modules"])
    assert result(run, "test_a").outcome == "failed"
    assert result(run, "test_a").requirements == ()  # the docstring is not a test's


SHUFFLED = {
    f"tests/test_{module}.py": """
        import pytest
        class TestOne:
            def test_a(self): pass
            def test_b(self): pass
            def test_c(self): pass
        class TestTwo:
            @pytest.mark.parametrize("x", ["a::b", "[", 3])
            def test_a(self, x): pass
        def test_x(): pass
        def test_y(): pass
        """
    for module in "abcd"
}


def shuffled_order(project: SmallProject, seed: int) -> list[str]:
    run = project.run(shuffle=seed)
    assert run.ending == "passed"
    assert [*run.results] == [*run.collected]
    return [*run.results]


def test_shuffling_depends_on_the_seed_and_keeps_groups_together(project: SmallProject) -> None:
    project.write(SHUFFLED)
    one, again, two = (shuffled_order(project, seed) for seed in (1, 1, 2))
    assert one == again
    assert one != two
    assert sorted(one) == sorted(two)
    assert sorted(one) not in (one, two)
    for order in (one, two):
        for size in (1, 2):
            groups = ["::".join(node.partition("[")[0].split("::")[:size]) for node in order]
            changes = [a for a, b in zip(groups, [*groups[1:], ""], strict=True) if a != b]
            assert len(changes) == len(set(changes))


def test_a_negative_seed_runs_all_backwards(project: SmallProject) -> None:
    run = project.write(SHUFFLED).run()
    assert shuffled_order(project, -1) == [*run.results][::-1]


def test_marks_are_registered_without_the_main_plugin(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(
        dedent(
            """
            import pytest
            @pytest.mark.req("A")
            @pytest.mark.emergent("b")
            def test_a(): pass
            """
        )
    )
    options = [
        "--strict-markers",
        "-p",
        "pytest_lift.run.inside.recorder",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:lift",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
    assert "warning" not in done.stdout
