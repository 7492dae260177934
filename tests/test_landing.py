"""Landing: whole or not at all, whatever is killed when; the user's changes win."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_lift.errors import LandingError
from pytest_lift.store.landing import Landed, land, landed_hashes, patch, recover
from pytest_lift.suite.ownership import ownership_text
from pytest_lift.suite.suite import Edit, Suite, read_suite, suite_of

USER = "def test_theirs():\n    assert 1\n"
FIRST = "def test_first():\n    assert 1\n"
SECOND = "def test_second():\n    assert 2\n"

Snapshot = dict[str, bytes]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project after an earlier landing: a user's file, a mixed one, two of the tool's."""
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    (root / "tests/test_theirs.py").write_text(USER)
    (root / "tests/test_mixed.py").write_text(USER)
    (root / "tests/data.txt").write_text("data")
    (root / "source.py").write_text("x = 1\n")
    land_edit(
        root,
        {
            "tests/test_mixed.py": USER + "\n\n" + FIRST,
            "tests/test_own.py": FIRST,
            "tests/sub/test_gone.py": FIRST,
        },
    )
    return root


def land_edit(root: Path, files: dict[str, str | None], run: str = "r1") -> Suite:
    old = read_suite(root, "tests")
    return land(root, root / ".lift", old, old.apply(Edit(files)), run).suite


WRITES = 8
"""Files that landing `NEXT` writes: of the suite, the ownership file twice, journal and record."""
NEXT: dict[str, str | None] = {
    "tests/test_mixed.py": USER + "\n\n" + SECOND,
    "tests/test_own.py": SECOND,
    "tests/sub/test_gone.py": None,
    "tests/new/deep/test_new.py": SECOND,
    "tests/support.py": "X = 1\n",
}


def snapshot(root: Path) -> Snapshot:
    """Every file outside `.lift/`."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".lift" not in path.relative_to(root).parts
    }


def killed_when(kill: Callable[[str, str], bool], action: Callable[[], object]) -> bool:
    """Run `action` in a child that is killed before the first change of the disk for which
    `kill(event, path)` holds; True when it was.
    """
    child = os.fork()
    if child == 0:

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            writing = event == "open" and arguments[1] not in {"r", "rb", None}
            writing |= event in {"os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir"}
            if writing and kill(event, str(arguments[event == "os.rename"])):
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)
        try:
            action()
        except BaseException:
            os._exit(1)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in {0, -signal.SIGKILL}
    return status != 0


def killed_at(count: int, action: Callable[[], object]) -> bool:
    """Kill at the `count`-th change."""
    numbers = iter(range(1, count + 1))
    return killed_when(lambda event, path: next(numbers) == count, action)


def cut_short(project: Path) -> None:
    """A landing of `NEXT` that was killed half way."""
    place = str(project / "tests/test_own.py")
    assert killed_when(lambda event, path: path == place, lambda: land_edit(project, NEXT))


def copy_of(project: Path, name: str) -> Path:
    target = project.parent / name
    subprocess.run(["cp", "-a", str(project), str(target)], check=True)
    return target


def assert_nothing_is_mistaken(root: Path) -> None:
    """Half way, too: the user's is the user's, and what was added or is to go is the tool's."""
    suite = read_suite(root, "tests")
    assert all(test.name != "test_theirs" for test in suite.owned_tests())
    for path in ("tests/sub/test_gone.py", "tests/new/deep/test_new.py"):
        if path in suite.files:
            assert path in suite.files_fully_owned()


class TestLanding:
    def test_lands_files_deletions_and_ownership(self, project: Path) -> None:
        suite = land_edit(project, NEXT)
        assert read_suite(project, "tests").texts() == suite.texts()
        assert {test.node for test in suite.owned_tests()} == {
            "tests/test_mixed.py::test_second",
            "tests/test_own.py::test_second",
            "tests/new/deep/test_new.py::test_second",
        }
        assert not (project / "tests/sub").exists()
        assert (project / "tests/data.txt").read_text() == "data"
        assert not (project / ".lift/landing.json").exists()

    def test_says_what_it_did(self, project: Path) -> None:
        old = read_suite(project, "tests")
        landed = land(project, project / ".lift", old, old.apply(Edit(NEXT)), "r2")
        assert landed.deleted == ("tests/sub/test_gone.py",)
        assert landed.written == (
            "tests/new/deep/test_new.py",
            "tests/support.py",
            "tests/test_mixed.py",
            "tests/test_own.py",
        )
        assert landed.kept == {}

    def test_landing_the_same_changes_nothing(self, project: Path) -> None:
        before = {p: p.stat().st_mtime_ns for p in (project / "tests").rglob("*")}
        suite = read_suite(project, "tests")
        land(project, project / ".lift", suite, suite, "r2")
        assert before == {p: p.stat().st_mtime_ns for p in (project / "tests").rglob("*")}

    def test_modes_and_line_ends_are_kept(self, project: Path) -> None:
        place = project / "tests/test_own.py"
        place.chmod(0o755)
        windows = suite_of("tests", {"tests/test_w.py": FIRST.replace("\n", "\r\n")})
        (project / "tests/test_w.py").write_bytes(FIRST.replace("\n", "\r\n").encode())
        assert windows.files
        land_edit(project, {"tests/test_own.py": SECOND, "tests/test_w.py": FIRST + SECOND})
        assert place.stat().st_mode & 0o777 == 0o755
        expected = (FIRST + SECOND).replace("\n", "\r\n").encode()
        assert (project / "tests/test_w.py").read_bytes() == expected

    def test_into_a_project_without_tests(self, tmp_path: Path) -> None:
        suite = land_edit(tmp_path, {"tests/test_new.py": FIRST})
        assert read_suite(tmp_path, "tests").texts() == suite.texts()

    def test_what_a_run_put_where_is_remembered(self, project: Path) -> None:
        land_edit(project, NEXT, "r2")
        assert None in landed_hashes(project / ".lift", "r2")["tests/sub/test_gone.py"]
        assert None not in landed_hashes(project / ".lift", "r2")["tests/test_own.py"]
        assert "tests/test_theirs.py" not in landed_hashes(project / ".lift", "r2")


class TestTheUserMeanwhile:
    def land_after(self, project: Path, meanwhile: Callable[[], object]) -> dict[str, str]:
        old = read_suite(project, "tests")
        new = old.apply(Edit(NEXT))
        meanwhile()
        landed = land(project, project / ".lift", old, new, "r2")
        assert read_suite(project, "tests").texts() == landed.suite.texts()
        return dict(landed.kept)

    def test_an_edit_wins_and_its_tests_are_theirs(self, project: Path) -> None:
        place = project / "tests/test_own.py"
        kept = self.land_after(project, lambda: place.write_text("def test_second(): mine\n"))
        assert kept == {"tests/test_own.py": "it was changed meanwhile"}
        assert place.read_text() == "def test_second(): mine\n"
        owned = {test.node for test in read_suite(project, "tests").owned_tests()}
        assert "tests/test_own.py::test_second" not in owned
        assert "tests/test_mixed.py::test_second" in owned

    def test_a_new_file_in_the_way_wins(self, project: Path) -> None:
        place = project / "tests/support.py"
        assert "tests/support.py" in self.land_after(project, lambda: place.write_text("Y = 1\n"))
        assert place.read_text() == "Y = 1\n"
        assert "tests/support.py" not in read_suite(project, "tests").owned_files

    def test_a_vanished_file_stays_away(self, project: Path) -> None:
        place = project / "tests/test_own.py"
        assert "tests/test_own.py" in self.land_after(project, place.unlink)
        assert not place.exists()

    def test_links_are_not_written_through(self, project: Path) -> None:
        outside = project.parent / "outside"
        outside.mkdir()
        (outside / "test_own.py").write_text(FIRST)

        def meanwhile() -> None:
            (project / "tests/test_own.py").unlink()
            (project / "tests/test_own.py").symlink_to(outside / "test_own.py")
            (project / "tests/new").symlink_to(outside)

        kept = self.land_after(project, meanwhile)
        assert set(kept) == {"tests/test_own.py", "tests/new/deep/test_new.py"}
        assert all("symbolic link" in why for why in kept.values())
        assert snapshot(outside) == {"test_own.py": FIRST.encode()}

    def test_a_folder_in_the_way_wins(self, project: Path) -> None:
        place = project / "tests/support.py"
        assert "tests/support.py" in self.land_after(project, place.mkdir)

    def test_a_claim_in_the_ownership_file_wins(self, project: Path) -> None:
        place = project / "tests/.lift.json"
        data = json.loads(place.read_text())
        del data["tests"]["tests/test_own.py::test_first"]
        kept = self.land_after(project, lambda: place.write_text(json.dumps(data)))
        assert kept == {"tests/test_own.py": "its tests were claimed meanwhile"}
        assert (project / "tests/test_own.py").read_text() == FIRST

    def test_a_claim_in_a_file_that_does_not_change_is_not_undone(self, project: Path) -> None:
        land_edit(project, {"tests/test_quiet.py": FIRST})
        place = project / "tests/.lift.json"
        data = json.loads(place.read_text())
        del data["tests"]["tests/test_quiet.py::test_first"]
        assert self.land_after(project, lambda: place.write_text(json.dumps(data))) == {}
        owned = {test.node for test in read_suite(project, "tests").owned_tests()}
        assert "tests/test_quiet.py::test_first" not in owned
        assert "tests/test_own.py::test_second" in owned

    def test_an_ownership_file_broken_meanwhile_stops_the_landing(self, project: Path) -> None:
        old = read_suite(project, "tests")
        (project / "tests/.lift.json").write_text("<<<<<<<")
        before = snapshot(project)
        with pytest.raises(LandingError, match="not JSON") as caught:
            land(project, project / ".lift", old, old.apply(Edit(NEXT)), "r2")
        assert snapshot(project) == before
        assert caught.value.where == "tests/.lift.json"
        assert caught.value.todo.startswith("correct it or delete it;")

    def test_an_ownership_file_that_is_a_link_stops_the_landing(self, project: Path) -> None:
        old, place = read_suite(project, "tests"), project / "tests/.lift.json"
        place.rename(project / "owned.json")
        place.symlink_to(project / "owned.json")
        with pytest.raises(LandingError, match="it is reached through a symbolic link") as caught:
            land(project, project / ".lift", old, old.apply(Edit(NEXT)), "r2")
        assert caught.value.what.startswith("the ownership file cannot be replaced: ")
        assert caught.value.where == "tests/.lift.json"
        assert caught.value.todo == "make it a plain file, or delete it"

    def test_tests_in_a_file_that_stays_are_owned_as_they_are_there(self, project: Path) -> None:
        """What the user keeps is recorded as it was, and no other test with it."""
        place = project / "tests/support.py"
        kept = self.land_after(project, lambda: place.write_text("Y = 1\n"))
        assert set(kept) == {"tests/support.py"}
        suite = read_suite(project, "tests")
        assert set(suite.owned) == {
            "tests/test_mixed.py::test_second",
            "tests/test_own.py::test_second",
            "tests/new/deep/test_new.py::test_second",
        }
        assert set(suite.owned_files) == {"tests/test_own.py", "tests/new/deep/test_new.py"}

    def test_a_landing_into_another_folder_is_named(self, project: Path) -> None:
        cut_short(project)
        with pytest.raises(
            LandingError, match="into tests was cut short, and this lift is about other"
        ) as caught:
            recover(project, project / ".lift", "other")
        assert caught.value.where == str(project / ".lift/landing.json")
        assert caught.value.todo == "finish it first: pytest-lift restore"
        assert recover(project, project / ".lift", "tests") is True


class TestCrashes:
    def test_killed_anywhere_leaves_the_old_or_the_new(self, project: Path) -> None:
        old = snapshot(project)
        done = copy_of(project, "done")
        land_edit(done, NEXT)
        new = snapshot(done)
        ends = set()
        for count in range(1, 200):
            root = copy_of(project, f"at{count}")
            killed = killed_at(count, lambda root=root: land_edit(root, NEXT))  # type: ignore[misc]
            assert_nothing_is_mistaken(root)
            recover(root, root / ".lift")
            after = snapshot(root)
            assert after in (old, new), count
            assert not recover(root, root / ".lift")
            assert not (root / ".lift/landing.json").exists()
            ends.add(after == new)
            if not killed:
                break
        assert count > 20
        assert ends == {False, True}

    def test_recovery_may_be_killed_as_well(self, project: Path) -> None:
        done = copy_of(project, "done")
        land_edit(done, NEXT)
        cut_short(project)
        for count in range(1, 200):
            if not killed_at(count, lambda: recover(project, project / ".lift")):
                break
        assert count > 8
        assert snapshot(project) == snapshot(done)

    def test_what_the_user_did_after_the_crash_is_kept(self, project: Path) -> None:
        cut_short(project)
        (project / "tests/test_own.py").write_text("mine = 1\n")
        recover(project, project / ".lift")
        assert (project / "tests/test_own.py").read_text() == "mine = 1\n"
        assert (project / "tests/new/deep/test_new.py").read_text() == SECOND
        assert not (project / "tests/sub/test_gone.py").exists()

    def test_the_next_landing_finishes_the_last(self, project: Path) -> None:
        cut_short(project)
        suite = land_edit(project, {"tests/test_more.py": FIRST})
        assert suite.files["tests/test_own.py"].text == SECOND
        assert suite.files["tests/test_more.py"].text == FIRST
        assert read_suite(project, "tests").texts() == suite.texts()

    def test_without_any_history_there_is_nothing_to_recover(self, tmp_path: Path) -> None:
        assert not recover(tmp_path, tmp_path / ".lift")
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize(
        "change",
        [
            {"version": 2},
            {"run": "../.."},
            {"test_root": "/"},
            {"test_root": "other"},
            {"test_root": None},
            {"steps": None},
            {"steps": [{}]},
            {"steps": [{"path": "../x.py", "old": None, "new": None, "between": None}]},
            {"steps": [{"path": "tests/x.py", "old": None, "new": "0" * 64, "between": None}]},
            {"contents": {}},
            {"contents": {"0" * 64: "damaged"}},
            {"contents": []},
        ],
    )
    def test_a_broken_journal_is_an_error_with_a_way_out(
        self, project: Path, change: dict[str, object]
    ) -> None:
        cut_short(project)
        journal = project / ".lift/landing.json"
        journal.write_text(json.dumps({**json.loads(journal.read_text()), **change}))
        self.assert_refused(project)

    @pytest.mark.parametrize("text", ["", "{", "[]", "[" * 100_000, "\0"])
    def test_a_journal_that_is_none(self, project: Path, text: str) -> None:
        (project / ".lift/landing.json").write_text(text)
        self.assert_refused(project)

    def assert_refused(self, project: Path) -> None:
        before = snapshot(project)
        with pytest.raises(LandingError) as caught:
            recover(project, project / ".lift")
        assert "landing.json" in caught.value.where
        assert "delete" in caught.value.todo
        assert snapshot(project) == before


class TestLocks:
    def test_one_landing_waits_for_another(self, project: Path) -> None:
        """The second one begins when the first has let go of the lock."""
        before = snapshot(project)
        with (project / ".lift/landing.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            child = os.fork()
            if child == 0:
                lock.close()  # which the fork has copied: the lock is held as long as it is open
                signal.alarm(60)
                land_edit(project, NEXT)
                os._exit(0)
            wait_until_blocked(child)
            assert snapshot(project) == before
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert snapshot(project) != before


def wait_until_blocked(pid: int) -> None:
    """Until the kernel says that the process waits for a file lock."""
    end = time.monotonic() + 30
    while f" {pid} " not in Path("/proc/locks").read_text() and time.monotonic() < end:
        finished, _ = os.waitpid(pid, os.WNOHANG)
        assert not finished, "it did not wait"
        time.sleep(0.01)


class TestEditsMeanwhile:
    """An edit of the user's right before a file changes is never lost."""

    @pytest.mark.parametrize("edits", [1, 2, 3])
    def test_a_file_that_is_edited_at_the_last_moment_stays(
        self, project: Path, edits: int
    ) -> None:
        place = project / "tests/test_own.py"
        landed = self.land_and(project, place, lambda n: place.write_text(f"mine = {n}\n"), edits)
        assert place.read_text() == f"mine = {edits}\n", "the newest one"
        assert landed.kept == {"tests/test_own.py": "it was changed meanwhile"}
        assert landed.suite.files["tests/test_own.py"].text == f"mine = {edits}\n"
        assert (project / "tests/new/deep/test_new.py").read_text() == SECOND
        assert not [*project.rglob(".lift-*")]

    def test_a_file_that_is_made_at_the_last_moment_stays(self, project: Path) -> None:
        place = project / "tests/new/deep/test_new.py"
        landed = self.land_and(project, place, lambda n: place.write_text("mine = 1\n"), 1)
        assert place.read_text() == "mine = 1\n"
        assert landed.kept == {"tests/new/deep/test_new.py": "it was changed meanwhile"}

    def test_a_file_that_is_edited_before_it_goes_stays(self, project: Path) -> None:
        place = project / "tests/sub/test_gone.py"
        landed = self.land_and(project, place, lambda n: place.write_text("mine = 1\n"), 1)
        assert place.read_text() == "mine = 1\n"
        assert landed.kept == {"tests/sub/test_gone.py": "it was changed meanwhile"}
        assert not [*project.rglob(".lift-*")]

    def test_it_is_not_lost_in_a_crash_either(self, project: Path) -> None:
        """Killed when the edit has come out, and before it is back."""
        place, times = project / "tests/test_own.py", list[str]()

        def kill(event: str, path: str) -> bool:
            if event != "os.rename" or path != str(place):
                return False
            times.append(path)
            if len(times) == 1:
                place.write_text("mine = 1\n")
            return len(times) == 2

        assert killed_when(kill, lambda: land_edit(project, NEXT))
        assert place.read_text() == SECOND, "ours, for a moment"
        recover(project, project / ".lift")
        assert place.read_text() == "mine = 1\n"
        assert not [*project.rglob(".lift-*")]

    def land_and(
        self, project: Path, place: Path, edit: Callable[[int], object], edits: int
    ) -> Landed:
        """`edit` right before something takes the place of the file, `edits` times."""
        left, old = [1], read_suite(project, "tests")

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            moved = event in ("os.rename", "os.link") and str(place) in map(str, arguments[:2])
            if moved and left and left[0] <= edits:
                number = left[0]
                left[0] += 1
                edit(number)

        sys.addaudithook(hook)  # which stays: it does nothing any more
        try:
            return land(project, project / ".lift", old, old.apply(Edit(NEXT)), "r2")
        finally:
            left.clear()


class TestSystemErrors:
    @pytest.mark.parametrize("count", range(1, WRITES + 3))
    def test_a_full_disk_puts_the_old_suite_back(self, project: Path, count: int) -> None:
        old = snapshot(project)
        done = copy_of(project, "done")
        land_edit(done, NEXT)
        error = self.land_with_full_disk(project, count)
        assert bool(error) == (count <= WRITES), "the error was injected"
        assert snapshot(project) == (old if error else snapshot(done))
        assert not (project / ".lift/landing.json").exists()
        if error:
            assert "could not be written: No space left on device" in error.what
            assert "the old one is in place" in error.what
            assert Path(error.where).is_relative_to(project)
            assert "free some space" in error.todo

    def land_with_full_disk(self, project: Path, count: int) -> LandingError | None:
        left = [count]

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            if left and event == "open" and arguments[1] == "w":
                left[0] -= 1
                if left[0] == 0:
                    raise OSError(28, "No space left on device", str(arguments[0]))

        sys.addaudithook(hook)  # which stays: it does nothing any more
        try:
            land_edit(project, NEXT)
        except LandingError as error:
            return error
        finally:
            left.clear()
        return None

    def test_what_can_be_neither_written_nor_put_back_is_said(self, project: Path) -> None:
        """The disk is full from the third write on, and stays so."""
        left = [3]

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            if left and event == "open" and arguments[1] == "w":
                left[0] -= 1
                if left[0] <= 0:
                    raise OSError(28, "No space left on device", str(arguments[0]))

        before = snapshot(project)
        sys.addaudithook(hook)
        with pytest.raises(LandingError, match=r"could not be written \(.*nor put back") as caught:
            land_edit(project, NEXT)
        left.clear()
        assert Path(caught.value.where).is_relative_to(project)
        assert "`pytest-lift restore`" in caught.value.todo
        assert (project / ".lift/landing.json").exists()
        assert snapshot(project) != before
        assert recover(project, project / ".lift") is True
        assert recover(project, project / ".lift") is False

    def test_no_place_for_the_journal(self, project: Path) -> None:
        before, old = snapshot(project), read_suite(project, "tests")
        blocked = project.parent / "blocked"
        blocked.write_text("")
        with pytest.raises(LandingError, match="nothing can be landed"):
            land(project, blocked, old, old.apply(Edit(NEXT)), "r2")
        assert snapshot(project) == before

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
    def test_a_read_only_test_root(self, project: Path) -> None:
        before, old = snapshot(project), read_suite(project, "tests")
        (project / "tests").chmod(0o500)
        with pytest.raises(LandingError, match="the old one is in place"):
            land(project, project / ".lift", old, old.apply(Edit(NEXT)), "r2")
        (project / "tests").chmod(0o700)
        assert snapshot(project) == before


class TestPatch:
    def check(self, tmp_path: Path, old: dict[str, str], new: dict[str, str]) -> None:
        for path, text in old.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_bytes(text.encode("utf-8", "surrogateescape"))
        text = patch(suite_of("tests", old), suite_of("tests", new))
        data = text.encode("utf-8", "surrogateescape")
        subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
        subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=data, check=True)
        assert read_suite(tmp_path, "tests").texts() == new

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ({"tests/test_a.py": FIRST}, {"tests/test_a.py": FIRST + SECOND}),
            ({"tests/test_a.py": FIRST}, {"tests/test_b.py": SECOND}),
            ({"tests/test_a.py": "x = 1"}, {"tests/test_a.py": "x = 1\ny = 2"}),
            ({"tests/test_a.py": "x = 1\r\n\x0c"}, {"tests/test_a.py": "x = 1\r\n\x0cz\u2028\r\n"}),
            ({}, {"tests/__init__.py": "", "tests/test_\xe4 b.py": FIRST}),
            ({"tests/__init__.py": ""}, {}),
            ({"tests/test_a.py": "x = '\udce9'\n"}, {"tests/test_a.py": "y = '\udce9'\n"}),
        ],
    )
    def test_git_applies_it(self, tmp_path: Path, old: dict[str, str], new: dict[str, str]) -> None:
        self.check(tmp_path, old, new)

    def test_ownership_is_part_of_it(self) -> None:
        old = suite_of("tests", {"tests/test_a.py": USER})
        assert "+++ b/tests/.lift.json" in patch(old, old.apply(Edit({"tests/test_b.py": FIRST})))

    def test_no_change_is_an_empty_patch(self) -> None:
        suite = suite_of("tests", {"tests/test_a.py": USER})
        assert patch(suite, suite) == ""


def test_a_file_that_no_lift_can_have_written_is_not_even_read(project: Path) -> None:
    """A hole of a tebibyte where a test was: the user's version stays, whatever it is."""
    with (project / "tests/test_own.py").open("wb") as file:
        file.truncate(2**40)
    old = read_suite_without_own(project)
    landed = land(
        project, project / ".lift", old, old.apply(Edit({"tests/test_own.py": SECOND})), "r2"
    )
    assert landed.kept == {"tests/test_own.py": "it was changed meanwhile"}
    assert (project / "tests/test_own.py").stat().st_size == 2**40


def read_suite_without_own(project: Path) -> Suite:
    """As it was read before the file became what it is."""
    own = project / "tests/test_own.py"
    aside = project / "aside"
    own.rename(aside)
    own.write_text(FIRST)
    suite = read_suite(project, "tests")
    aside.replace(own)
    return suite


@pytest.mark.parametrize(
    ("path", "content", "why"),
    [
        ("tests/x.py", "other\n", "a content is damaged"),
        ("tests/../x.py", "x = 1\n", "a path leads out of the test root"),
        ("/x.py", "x = 1\n", "a path leads out of the test root"),
    ],
)
def test_a_journal_is_not_carried_out_where_one_thing_is_wrong(
    project: Path, path: str, content: str, why: str
) -> None:
    name = hashlib.sha256(b"x = 1\n").hexdigest()
    step = {"path": path, "old": None, "new": name, "between": None}
    data = {"version": 1, "run": "r1", "test_root": "tests", "steps": [step]}
    text = json.dumps({**data, "contents": {name: content}})
    (project / ".lift/landing.json").write_text(text)
    before = snapshot(project)
    with pytest.raises(LandingError, match=why):
        recover(project, project / ".lift")
    assert snapshot(project) == before


def test_a_journal_that_names_no_file_is_broken(project: Path) -> None:
    step = {"path": "tests/\ud800.py", "old": None, "new": None, "between": None}
    data = {"version": 1, "run": "r1", "test_root": "tests", "steps": [step], "contents": {}}
    (project / ".lift/landing.json").write_text(json.dumps(data))
    with pytest.raises(LandingError, match="cannot be understood"):
        recover(project, project / ".lift")


@pytest.mark.parametrize(
    ("root", "path"),
    [
        (".git", ".git/hooks/pre-commit"),
        ("tests", "tests/run.sh"),
        ("tests", "tests/.git/config.py"),
        ("src", "src/data.json"),
    ],
)
def test_a_foreign_journal_reaches_no_file_that_is_none_of_a_suite(
    project: Path, root: str, path: str
) -> None:
    step = {"path": path, "old": None, "new": None, "between": None}
    data = {"version": 1, "run": "r1", "test_root": root, "steps": [step], "contents": {}}
    (project / ".lift/landing.json").write_text(json.dumps(data))
    with pytest.raises(LandingError, match=r"no file of a suite|hidden folder"):
        recover(project, project / ".lift")


def test_links_that_a_person_refused_meanwhile_stay_refused(tmp_path: Path) -> None:
    old = suite_of("tests", {})
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/.lift.json").write_text(ownership_text({}, {}, (), {"0123abcd"}) or "")
    new = old.apply(Edit({"tests/test_a.py": "def test_a(): pass\n"}))
    landed = land(tmp_path, tmp_path / ".lift", old, new, "r1")
    assert landed.suite.refused_links == {"0123abcd"}
    assert [test.node for test in landed.suite.owned_tests()] == ["tests/test_a.py::test_a"]
