"""The history on disk: whole iterations, milestones, pruning, and the way back."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from datetime import datetime
from pathlib import Path

import pytest
from lifted_project import FIRST, NOON, USER, killed_at, lift

from pytest_lift.errors import LandingError, UsageError
from pytest_lift.store.archive import HistoryRun
from pytest_lift.store.history import History, restore
from pytest_lift.store.landing import land
from pytest_lift.suite.suite import Edit, read_suite, suite_of

SECOND = "def test_second():\n    assert 2\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tests/sub").mkdir(parents=True)
    (tmp_path / "tests/test_theirs.py").write_text(USER)
    (tmp_path / "tests/sub/test_deep.py").write_text(USER)
    return tmp_path


def start_stored(history: History, now: datetime = NOON, keep: int = 20) -> HistoryRun:
    run = history.start_run(now, keep)
    run.archive(0, suite=suite_of("tests", {}))
    return run


def on_disk(project: Path) -> dict[str, str]:
    return read_suite(project, "tests").texts()


class TestRuns:
    def test_the_folder_hides_itself_from_git(self, project: Path) -> None:
        History.open(project)
        assert (project / ".lift/.gitignore").read_text() == "*\n"

    def test_ids_are_unique_and_sort_by_time(self, project: Path) -> None:
        history = History.open(project)
        ids = [start_stored(history).id for _ in range(12)]
        assert ids[0] == "20261120-120000"
        assert len(set(ids)) == 12
        assert sorted(ids) == ids == list(history.runs())

    def test_a_clock_set_back_does_not_change_the_order(self, project: Path) -> None:
        history = History.open(project)
        first = history.start_run(NOON).id
        assert history.start_run(NOON.replace(hour=3)).id > first

    def test_the_oldest_are_pruned(self, project: Path) -> None:
        history = History.open(project)
        ids = [start_stored(history, NOON.replace(minute=m), keep=3).id for m in range(5)]
        assert list(history.runs()) == ids[2:]

    def test_runs_in_which_nothing_was_stored_are_pruned_first(self, project: Path) -> None:
        history = History.open(project)
        stored = start_stored(history, keep=2)
        empty = [history.start_run(NOON.replace(minute=m), keep=2).id for m in range(5)]
        assert list(history.runs()) == [stored.id, empty[-1]]

    def test_a_run_that_is_being_pruned_is_there_as_a_whole_or_not_at_all(
        self, project: Path
    ) -> None:
        suite = suite_of("tests", {f"tests/test_{n}.py": USER for n in range(5)})
        for count in range(1, 60):
            history = History.open(project)
            old = history.start_run()
            old.archive(0, suite=suite)
            killed = killed_at(count, lambda history=history: start_stored(history, keep=1))  # type: ignore[misc]
            again = History.open(project)
            if old.id in again.runs():
                assert again.run_named(old.id).suite_at(0) == suite.texts()
            assert not list((project / ".lift/history").glob(".*"))
            if not killed:
                break
        assert count > 10

    def test_an_unknown_run_is_named_with_what_is_known(self, project: Path) -> None:
        run = lift(project)
        with pytest.raises(UsageError, match=run.id):
            History.open(project).run_named("20000101-000000")
        with pytest.raises(UsageError):
            History.open(project).run_named("../..")

    def test_a_file_in_the_way_is_a_usage_error(self, tmp_path: Path) -> None:
        (tmp_path / ".lift").write_text("")
        with pytest.raises(UsageError, match="history"):
            History.open(tmp_path)


class TestMilestones:
    def test_a_mark_is_the_latest_of_its_name(self, project: Path) -> None:
        run = lift(project, {"tests/test_new.py": FIRST}, {"tests/test_new.py": SECOND})
        run.mark("last-passing", 1)
        assert run.mark("last-passing", 2) == project / ".lift/last-passing"
        assert (project / ".lift/last-passing/test_new.py.kept").read_text() == SECOND

    def test_killed_anywhere_a_mark_is_the_old_or_the_new(self, project: Path) -> None:
        run = lift(project, {"tests/test_new.py": FIRST}, {"tests/test_new.py": SECOND})
        found = set()
        for count in range(1, 60):
            run.mark("last-passing", 1)
            killed = killed_at(count, lambda: run.mark("last-passing", 2))
            History.open(project)
            found.add((project / ".lift/last-passing/test_new.py.kept").read_text())
            assert (project / ".lift/last-passing/test_theirs.py.kept").read_text() == USER
            assert {p.name for p in (project / ".lift").glob(".*")} == {".gitignore"}
            if not killed:
                break
        assert count > 5
        assert found == {FIRST, SECOND}


class TestRestore:
    def test_puts_back_what_the_run_found(self, project: Path) -> None:
        before = on_disk(project)
        run = lift(
            project,
            {"tests/new/test_new.py": FIRST, "tests/test_theirs.py": USER + FIRST},
            {"tests/new/test_new.py": SECOND},
        )
        done = restore(project)
        assert on_disk(project) == before
        assert done.run == run.id
        assert done.written == ("tests/test_theirs.py",)
        assert done.removed == ("tests/new/test_new.py",)
        assert done.kept == {}
        assert not (project / "tests/new").exists()
        assert any("removed tests/new/test_new.py" in line for line in done.lines())

    def test_twice_is_as_good_as_once(self, project: Path) -> None:
        before = on_disk(project)
        lift(project, {"tests/test_new.py": FIRST})
        restore(project)
        assert restore(project).written == ()
        assert on_disk(project) == before

    def test_a_run_that_changed_nothing_says_which_one_did(self, project: Path) -> None:
        first = lift(project, {"tests/test_new.py": FIRST})
        second = lift(project, now=NOON.replace(hour=14))
        assert restore(project).lines() == (
            f"nothing to undo: run {second.id} changed no test",
            f"the newest run that did: pytest-lift restore {first.id}",
        )
        assert (project / "tests/test_new.py").exists()

    def test_without_any_change_there_is_no_run_to_name(self, project: Path) -> None:
        run = lift(project)
        assert restore(project).lines() == (f"nothing to undo: run {run.id} changed no test",)

    def test_what_is_undone_already_is_said(self, project: Path) -> None:
        run = lift(project, {"tests/test_new.py": FIRST})
        restore(project)
        (line,) = restore(project).lines()
        assert line.startswith("nothing to undo: ")
        assert line.endswith(f" already as they were before run {run.id}")

    def test_an_earlier_run_takes_the_later_ones_with_it(self, project: Path) -> None:
        before = on_disk(project)
        first = lift(project, {"tests/test_new.py": FIRST, "tests/test_one.py": FIRST})
        between = on_disk(project)
        later = NOON.replace(hour=14)
        second = lift(project, {"tests/test_new.py": SECOND, "tests/test_one.py": None}, now=later)
        restore(project, second.id)
        assert on_disk(project) == between
        restore(project, first.id)
        assert on_disk(project) == before

    def test_the_user_s_changes_are_kept_and_named(self, project: Path) -> None:
        lift(project, {"tests/test_new.py": FIRST, "tests/test_other.py": FIRST})
        (project / "tests/test_new.py").write_text(FIRST + "\n\n" + USER)
        (project / "tests/test_mine.py").write_text(USER)
        (project / "tests/test_theirs.py").write_text(USER + "x = 1\n")
        (project / "tests/sub/test_deep.py").unlink()
        done = restore(project)
        assert set(done.kept) == {
            "tests/test_new.py",
            "tests/test_theirs.py",
            "tests/sub/test_deep.py",
        }
        texts = on_disk(project)
        assert set(texts) == {
            "tests/test_new.py",
            "tests/test_theirs.py",
            "tests/test_mine.py",
            "tests/.lift.json",
        }
        owned = [test.node for test in read_suite(project, "tests").owned_tests()]
        assert owned == ["tests/test_new.py::test_first"]

    def test_force_overwrites_them_but_never_removes_a_file_of_the_user_s(
        self, project: Path
    ) -> None:
        before = on_disk(project)
        lift(project, {"tests/test_new.py": FIRST})
        (project / "tests/test_new.py").write_text(USER)
        (project / "tests/test_theirs.py").write_text("x = 1\n")
        (project / "tests/test_mine.py").write_text(USER)
        assert restore(project, force=True).kept == {}
        assert on_disk(project) == {**before, "tests/test_mine.py": USER}

    def test_works_after_a_crash_in_the_middle_of_a_landing(self, project: Path) -> None:
        before = on_disk(project)
        run = lift(project)
        suite = read_suite(project, "tests")
        edit = Edit({"tests/test_a.py": FIRST, "tests/test_b.py": FIRST})
        child = os.fork()
        if child == 0:
            kill_before_rename_to(str(project / "tests/test_b.py"))
            land(project, project / ".lift", suite, suite.apply(edit), run.id)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        assert (project / "tests/test_a.py").exists()
        restore(project)
        assert on_disk(project) == before

    def test_without_a_run_there_is_nothing_to_go_back_from(self, project: Path) -> None:
        with pytest.raises(UsageError, match="no run"):
            restore(project)

    def test_damaged_records_are_taken_for_the_user_s_changes(self, project: Path) -> None:
        run = lift(project, {"tests/test_new.py": FIRST})
        (run.folder / "landed.json").write_text("[")
        assert restore(project).kept == {}
        assert (project / "tests/test_new.py").exists()
        assert json.loads((project / "tests/.lift.json").read_text())["version"] == 2


def kill_before_rename_to(place: str) -> None:
    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event in ("os.rename", "os.link") and str(arguments[1]) == place:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


class TestForeignHistory:
    """`.lift/` may have come with a clone: it is input like any other."""

    @pytest.mark.parametrize(
        "root", ["../outside", "/tmp", "", ".", 1, None, "tests/../../x", "a\nb", "a" * 300]
    )
    def test_a_test_root_elsewhere_is_refused(self, project: Path, root: object) -> None:
        run = lift(project, {"tests/test_own.py": FIRST})
        (run.folder / "000/suite.json").write_text(json.dumps({"test_root": root}))
        before = on_disk(project)
        with pytest.raises(UsageError, match="is not stored"):
            restore(project)
        assert on_disk(project) == before

    def test_files_beside_the_tests_are_not_written(self, project: Path) -> None:
        (project / "src").mkdir()
        (project / "src/test_mod.py").write_text(USER)
        run = History.open(project).start_run(NOON)
        run.archive(0, suite=suite_of("src", {"src/test_mod.py": FIRST}))
        with pytest.raises(UsageError, match="tests in src, where no lift has put any"):
            restore(project, force=True)
        assert (project / "src/test_mod.py").read_text() == USER
        (project / "pytest.ini").write_text("[pytest]\nlift_tests = src\n")
        assert restore(project, force=True).written == ("src/test_mod.py",)

    def test_where_a_lift_has_put_tests_they_are_taken_back(self, project: Path) -> None:
        suite = read_suite(project, "checks")
        run = History.open(project).start_run(NOON)
        run.archive(0, suite=suite)
        edit = Edit({"checks/test_new.py": FIRST})
        land(project, project / ".lift", suite, suite.apply(edit), run.id)
        assert (project / "checks/.lift.json").is_file()
        assert restore(project).removed == ("checks/test_new.py",)

    def test_links_are_not_followed_out(self, project: Path, tmp_path: Path) -> None:
        secret = tmp_path / "secret.txt"
        secret.write_text("hidden")
        run = lift(project)
        (run.folder / "000/tests/test_link.py").symlink_to(secret)
        (run.folder / "000/feedback").mkdir()
        (run.folder / "000/feedback/fixes.md").symlink_to(secret)
        assert run.feedback_at(0) == {}
        with pytest.raises(UsageError, match="is damaged"):
            run.suite_at(0)

    def test_a_folder_that_is_a_link_is_no_history(self, project: Path, tmp_path: Path) -> None:
        (tmp_path / "other/sub").mkdir(parents=True)
        (tmp_path / "other/sub/test_x.py").write_text("hidden")
        run = lift(project)
        (run.folder / "000/tests/linked").symlink_to(tmp_path / "other")
        with pytest.raises(UsageError, match="is damaged"):
            run.suite_at(0)
        shutil.rmtree(run.folder / "000/tests")
        (run.folder / "000/tests").symlink_to(tmp_path / "other")
        with pytest.raises(UsageError, match="is damaged"):
            run.suite_at(0)
        (run.root / "history/20990101-000000").symlink_to(run.folder)
        assert History.open(project).runs() == (run.id,)

    def test_nothing_is_tidied_up_behind_a_link(self, project: Path, tmp_path: Path) -> None:
        (tmp_path / "other/.theirs.tmp").mkdir(parents=True)
        history = History.open(project)
        (history.root / "history/20260101-000000").symlink_to(tmp_path / "other")
        History.open(project)
        assert (tmp_path / "other/.theirs.tmp").is_dir()

    def test_a_pipe_in_the_way_holds_nobody_up(self, project: Path) -> None:
        run = lift(project)
        (run.root / "x").mkdir()
        for place in (run.folder / ".001.tmp", run.root / ".x.tmp", run.root / ".x.old"):
            os.mkfifo(place)
        os.mkfifo(run.root / "landing.json")
        run.archive(1, suite=read_suite(project, "tests"))
        with pytest.raises(LandingError, match="cannot be read"):
            restore(project)
        History.open(project)
        assert not os.path.lexists(run.root / ".x.old")

    def test_odd_names_are_no_iterations(self, project: Path) -> None:
        run = lift(project)
        for name in ("²", "٣", "1", "000x"):
            (run.folder / name).mkdir()
        assert run.iterations() == (0,)

    def test_reports_are_taken_without_links_and_secrets(
        self, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SERVICE_TOKEN", "t0ken-of-the-user")
        (tmp_path / "secret.txt").write_text("hidden")
        reports = tmp_path / "reports"
        reports.mkdir()
        (reports / "junit.xml").write_text("<failure>t0ken-of-the-user</failure>")
        (reports / "coverage.xml").symlink_to(tmp_path / "secret.txt")
        os.mkfifo(reports / "coverage.json")
        stored = (
            History.open(project)
            .start_run(NOON)
            .archive(
                0,
                suite=read_suite(project, "tests"),
                reports=reports,
                feedback={"fixes.md": "said t0ken-of-the-user"},
                figures={"why": "t0ken-of-the-user"},
            )
        )
        assert [path.name for path in (stored / "reports").iterdir()] == ["junit.xml"]
        texts = [p.read_text() for p in stored.rglob("*") if p.is_file() and "tests" not in p.parts]
        assert sum("[redacted SERVICE_TOKEN]" in text for text in texts) == 3
        assert not any("t0ken" in text for text in texts)
