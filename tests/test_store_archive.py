"""Iterations in the archive: whole or not there, read back as they were."""

from __future__ import annotations

import gzip
import time
from pathlib import Path

import pytest
from lifted_project import FIRST, NOON, USER, killed_at, lift

from pytest_lift.errors import UsageError
from pytest_lift.store.archive import HistoryRun
from pytest_lift.store.history import History
from pytest_lift.suite.suite import Edit, Suite, read_suite, suite_of


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tests/sub").mkdir(parents=True)
    (tmp_path / "tests/test_theirs.py").write_text(USER)
    (tmp_path / "tests/sub/test_deep.py").write_text(USER)
    return tmp_path


class TestArchive:
    def test_stores_suite_feedback_figures_and_reports(self, project: Path) -> None:
        reports = project / "reports"
        (reports / "html").mkdir(parents=True)
        (reports / "junit.xml").write_text("<x/>")
        (reports / "html/index.html").write_text("<y/>")
        (reports / "coverage.json").write_text("1" * 2_000_000)
        (reports / "coverage.db").write_text("never")
        (reports / "secret.txt").write_text("excluded")
        suite = read_suite(project, "tests").apply(Edit({"tests/test_new.py": FIRST}))
        run = History.open(project).start_run(NOON)
        folder = run.archive(
            3,
            suite=suite,
            reports=reports,
            feedback={"fixes.md": "# fix\n"},
            figures={"line": 93.5},
            exclude={"secret.txt"},
        )
        assert folder == project / ".lift/history/20261120-120000/003"
        assert run.suite_at(3) == suite.texts()
        assert run.feedback_at(3) == {"fixes.md": "# fix\n"}
        assert run.figures_at(3) == {"line": 93.5}
        stored = {p.relative_to(folder / "reports").as_posix() for p in folder.rglob("*.*")
                  if "reports" in p.parts and p.is_file()}  # fmt: skip
        assert stored == {"junit.xml", "html/index.html", "coverage.json.gz"}
        with gzip.open(folder / "reports/coverage.json.gz") as packed:
            assert len(packed.read()) == 2_000_000

    def test_the_suite_comes_back_byte_for_byte(self, project: Path) -> None:
        texts = {"tests/test_a.py": "x = '\udce9'\r\n", "tests/sub/__init__.py": ""}
        run = History.open(project).start_run()
        run.archive(0, suite=suite_of("tests", texts))
        assert run.suite_at(0) == texts

    def test_a_test_root_inside_the_package(self, project: Path) -> None:
        suite = suite_of("pkg/tests", {"pkg/tests/test_a.py": USER})
        run = History.open(project).start_run()
        run.archive(0, suite=suite)
        assert run.suite_at(0) == {"pkg/tests/test_a.py": USER}
        assert run.test_root(0) == "pkg/tests"

    def test_unchanged_files_are_stored_once(self, project: Path) -> None:
        run = lift(project, {"tests/test_new.py": FIRST})
        one, two = (run.folder / n / "tests/test_theirs.py.kept" for n in ("000", "001"))
        assert one.stat().st_ino == two.stat().st_ino
        assert (run.folder / "001/tests/test_new.py.kept").read_text() == FIRST

    def test_an_iteration_that_is_repeated_is_replaced(self, project: Path) -> None:
        run = lift(project)
        run.archive(0, suite=suite_of("tests", {"tests/test_b.py": FIRST}))
        assert run.suite_at(0) == {"tests/test_b.py": FIRST}
        assert run.iterations() == (0,)

    def test_killed_anywhere_an_iteration_is_whole_or_not_there(self, project: Path) -> None:
        new = suite_of("tests", {"tests/test_b.py": FIRST})
        outcomes = set()
        for count in range(1, 60):
            run = History.open(project).start_run()
            run.archive(0, suite=suite_of("tests", {"tests/test_a.py": USER}))
            killed = archive_killed_at(count, run, new)
            again = History.open(project).run_named(run.id)
            assert again.suite_at(0) in ({"tests/test_a.py": USER}, {"tests/test_b.py": FIRST})
            assert {p.name for p in again.folder.iterdir()} == {"000"}
            outcomes.add(str(again.suite_at(0)))
            if not killed:
                break
        assert count > 5
        assert len(outcomes) == 2

    def test_an_iteration_that_is_not_stored_is_a_usage_error(self, project: Path) -> None:
        with pytest.raises(UsageError, match="iteration 7"):
            lift(project).suite_at(7)

    def test_five_thousand_tests_take_well_under_a_second(self, project: Path) -> None:
        body = "".join(f"def test_{i}():\n    assert {i}\n\n\n" for i in range(50))
        texts = {f"tests/test_{n}.py": body for n in range(100)}
        suite = Suite("tests").apply(Edit(texts))
        run = History.open(project).start_run()
        start = time.process_time()
        run.archive(0, suite=suite)
        run.archive(1, suite=suite)
        assert time.process_time() - start < 1


def archive_killed_at(count: int, run: HistoryRun, suite: Suite) -> bool:
    """Archive iteration 0 anew in a child that is killed at its `count`-th change of the disk."""
    return killed_at(count, lambda: run.archive(0, suite=suite))
