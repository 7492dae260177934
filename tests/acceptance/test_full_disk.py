"""A disk that is full or read-only: it is said what, where and what to do; the suite stays."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from conftest import Project, Result
from lift_in_process import R1, SmallLift

from pytest_lift.agents.contract import Brief
from pytest_lift.errors import LiftError
from pytest_lift.requirements.requirement import Requirements

HEAD = '"""Tests."""\n\nimport pytest\n\nfrom thing import double, label\n'
DOUBLES = (
    '\n\n@pytest.mark.req("R-1")\ndef test_doubles():\n    """D."""\n    assert double(21) == 42\n'
)
MUCH = '\n\n@pytest.mark.emergent("seen")\ndef test_much():\n    """M."""\n    assert double(101) is None\n'
ONE, TWO = HEAD + DOUBLES, HEAD + DOUBLES + MUCH

FILLING = """

import os


def fill():
    if (HERE / ".filled").exists():
        return
    (HERE / ".filled").touch()
    with open({place!r}, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass


def _filling(name, agent):
    def filling(brief):
        if (name, brief.iteration) == {when!r}:
            fill()
        return agent(brief)
    return filling


def pytest_lift_iteration_finished(iteration):
    if ("finished", iteration.number) == {when!r}:
        fill()


generator, evaluator = _filling("generator", generator), _filling("evaluator", evaluator)
"""

Mount = Callable[..., Path]


@pytest.fixture
def mount() -> Iterator[Mount]:
    """Mounts a small empty disk on a folder; skips where that is not allowed."""
    mounted: list[Path] = []

    def on(place: Path, size: str = "1m") -> Path:
        place.mkdir(parents=True, exist_ok=True)
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(place)]
        if not sys.platform.startswith("linux") or os.geteuid() != 0:
            pytest.skip("only root may mount a small disk")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"no small disk can be mounted here: {done.stderr.strip()}")
        mounted.append(place)
        return place

    yield on
    for place in reversed(mounted):
        subprocess.run(["umount", "-l", str(place)], check=True)


def make_read_only(place: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)


def filling(project: Project, place: Path, *when: object) -> Project:
    """Agents that fill the disk at `place`, once, when that agent is asked in that iteration."""
    project.script(ONE, TWO)
    text = FILLING.format(place=str(place / "filler"), when=tuple(when))
    return project.write({"conftest.py": project.read("conftest.py") + text})


def assert_told(result: Result, status: int, *parts: str) -> None:
    assert result.status == status, result.text
    assert "Traceback" not in result
    assert "  -> " in result, "what to do"
    for part in parts:
        assert part in result, result.text


def test_a_read_only_project(project: Project, mount: Mount) -> None:
    files = {p.relative_to(project.root).as_posix(): p.read_text() for p in project.root.iterdir()}
    root = mount(project.root)
    project.write(files).script(ONE)
    make_read_only(root)
    assert_told(project.lift(), 4, str(root / ".lift"), "Read-only file system")


class TestInOneProcess:
    """The same places, filled while a lift goes on that runs in the process of this test."""

    @pytest.fixture
    def small(self, tmp_path: Path) -> SmallLift:
        return SmallLift(tmp_path / "project", Requirements((R1,)))

    def filling(self, small: SmallLift, place: Path, *when: object) -> SmallLift:
        def watch(name: str, brief: Brief) -> None:
            if (name, brief.iteration) == when:
                fill(place)

        small.watch = watch
        return small

    @pytest.mark.parametrize(
        ("when", "said", "left"),
        [
            (("generator", 2), "landing.json", ONE),
            (("evaluator", 2), "the iteration could not be stored", TWO),
        ],
    )
    def test_no_room_for_journal_or_iteration(
        self, small: SmallLift, mount: Mount, when: tuple[str, int], said: str, left: str
    ) -> None:
        place = mount(small.root / ".lift")
        outcome = self.filling(small, place, *when).lift(ONE, TWO, iterations=2)
        assert outcome.ending == "failed"
        for part in (said, "No space left", "  -> "):
            assert part in outcome.reason
        assert small.read("tests/test_thing.py") == left
        (place / "filler").unlink()
        small.watch = lambda name, brief: None
        small.lift(ONE, TWO, iterations=2, resume=True)
        assert small.read("tests/test_thing.py") == TWO

    def test_no_room_for_iteration_0(self, small: SmallLift, mount: Mount) -> None:
        place = mount(small.root / ".lift")
        fill(place)
        with pytest.raises(LiftError, match="No space left"):
            small.lift(ONE)
        assert not (small.root / "tests").exists()

    def test_no_room_in_the_test_root(self, small: SmallLift, mount: Mount) -> None:
        place = mount(small.root / "tests", "64k")
        outcome = self.filling(small, place, "generator", 2).lift(ONE, TWO, iterations=2)
        assert outcome.ending == "failed"
        for part in ("No space left", "the old one is in place", "  -> "):
            assert part in outcome.reason
        assert small.read("tests/test_thing.py") == ONE
        assert sorted(p.name for p in place.iterdir()) == [".lift.json", "filler", "test_thing.py"]

    def test_a_read_only_test_root(self, small: SmallLift, mount: Mount) -> None:
        place = mount(small.root / "tests")
        make_read_only(place)
        outcome = small.lift(ONE)
        assert outcome.ending == "failed"
        for part in ("Read-only file system", "the old one is in place", "  -> "):
            assert part in outcome.reason
        assert list(place.iterdir()) == []

    def test_a_temporary_folder_that_runs_full(
        self, small: SmallLift, mount: Mount, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        place = mount(tmp_path / "temporary")
        monkeypatch.setattr(tempfile, "tempdir", str(place))
        outcome = self.filling(small, place, "generator", 1).lift(ONE)
        assert outcome.ending == "failed"
        for part in ("No space left", "  -> "):
            assert part in outcome.reason
        assert not (small.root / "tests").exists()


def fill(place: Path) -> None:
    with (place / "filler").open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))


@pytest.mark.slow
def test_a_read_only_project_when_going_on(project: Project, mount: Mount) -> None:
    files = {p.relative_to(project.root).as_posix(): p.read_text() for p in project.root.iterdir()}
    root = mount(project.root)
    project.write(files).script(ONE)
    make_read_only(root)
    assert_told(project.lift("--lift-resume"), 4, "Read-only file system")


def test_a_read_only_lift_folder(project: Project, mount: Mount) -> None:
    make_read_only(mount(project.root / ".lift"))
    assert_told(project.script(ONE).lift(), 4, ".lift", "Read-only file system")
    assert project.texts() == {}


def test_a_full_lift_folder(project: Project, mount: Mount) -> None:
    place = mount(project.root / ".lift", "64k")
    assert_told(project.script(ONE).lift(), 4, str(place), "No space left", "free some space there")


@pytest.mark.slow
def test_no_room_for_the_journal(project: Project, mount: Mount) -> None:
    place = mount(project.root / ".lift")
    result = filling(project, place, "generator", 2).lift("--lift-iterations=2")
    assert_told(result, 3, "landing.json", "No space left", "the old one is in place")
    assert "run.json: the outcome could not be written" in result
    assert result.text.splitlines()[-1].startswith("= lift: failed, 1 test passes")
    assert project.read("tests/test_thing.py") == ONE
    (place / "filler").unlink()
    assert project.lift("--lift-iterations=2", "--lift-resume").status == 0
    assert project.read("tests/test_thing.py") == TWO


@pytest.mark.slow
def test_no_room_for_an_iteration(project: Project, mount: Mount) -> None:
    place = mount(project.root / ".lift")
    result = filling(project, place, "evaluator", 2).lift("--lift-iterations=2")
    assert_told(
        result, 3, "the iteration could not be stored", "No space left", "free some space there"
    )
    assert project.read("tests/test_thing.py") == TWO, "it had landed"
    (place / "filler").unlink()
    assert project.lift("--lift-iterations=2", "--lift-resume").status == 0
    assert project.command("restore").status == 0
    assert project.texts() == {}


@pytest.mark.slow
def test_no_room_for_iteration_0(project: Project, mount: Mount) -> None:
    """The user's own session takes it."""
    place = mount(project.root / ".lift")
    project.script(ONE)
    fill = FILLING.format(place=str(place / "filler"), when=())
    hook = "\n\ndef pytest_runtestloop():\n    fill()\n"
    result = project.write({"conftest.py": project.read("conftest.py") + fill + hook}).lift()
    assert_told(result, 3, "No space left", str(place))
    assert project.texts() == {}


@pytest.mark.slow
def test_no_room_for_the_outcome(project: Project, mount: Mount) -> None:
    place = mount(project.root / ".lift")
    result = filling(project, place, "finished", 1).lift("--lift-iterations=1")
    assert_told(result, 3, "run.json", "No space left", "the suite itself is in place")
    assert project.read("tests/test_thing.py") == ONE


@pytest.mark.slow
def test_no_room_for_the_patch(project: Project, mount: Mount) -> None:
    place = mount(project.root / ".lift")
    filling(project, place, "finished", 1)
    result = project.lift("--lift-iterations=1", "--lift-output=patch")
    assert_told(result, 3, "lift.patch", "No space left")
    (place / "filler").unlink()
    result = project.lift("--lift-iterations=1", "--lift-output=patch", "--lift-resume")
    assert result.status == 0, result.text
    assert "test_doubles" in project.read(".lift/lift.patch")


@pytest.mark.slow
def test_no_room_for_the_report_of_a_crash(project: Project, mount: Mount) -> None:
    place = mount(project.root / ".lift")
    filling(project, place, "generator", 1)
    text = project.read("conftest.py").replace("    return Edit(", "    return Adit(")
    result = project.write({"conftest.py": text}).lift()
    assert_told(result, 3, "Please report it with NameError: name 'Adit' is not defined")


@pytest.mark.slow
def test_no_room_in_the_test_root(project: Project, mount: Mount) -> None:
    place = mount(project.root / "tests", "64k")
    result = filling(project, place, "generator", 2).lift("--lift-iterations=2")
    assert_told(result, 3, "No space left", "the old one is in place")
    assert project.outcome["outcome"] == "failed"
    assert project.read("tests/test_thing.py") == ONE
    assert sorted(p.name for p in place.iterdir()) == [".lift.json", "filler", "test_thing.py"]


@pytest.mark.slow
def test_a_read_only_test_root(project: Project, mount: Mount) -> None:
    place = mount(project.root / "tests")
    make_read_only(place)
    result = project.script(ONE).lift()
    assert_told(result, 3, "Read-only file system", "the old one is in place")
    assert list(place.iterdir()) == []


@pytest.mark.slow
def test_no_room_for_the_private_copy(project: Project, mount: Mount, tmp_path: Path) -> None:
    place = mount(tmp_path / "temporary")
    project.script(ONE).write({"data.bin": "x" * 900_000})
    result = project.lift(TMPDIR=str(place))
    assert_told(result, 3, str(place), "No space left", "free some space")
    assert project.outcome["outcome"] == "failed"
    assert list(place.iterdir()) == []


def test_a_full_temporary_folder(project: Project, mount: Mount, tmp_path: Path) -> None:
    place = mount(tmp_path / "temporary", "64k")
    result = project.script(ONE).lift(TMPDIR=str(place))
    assert_told(result, 3, str(place), "No space left", "free some space there")


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["generator", "evaluator"])
def test_a_temporary_folder_that_runs_full(
    project: Project, mount: Mount, tmp_path: Path, agent: str
) -> None:
    place = mount(tmp_path / "temporary", "4m")
    filling(project, place, agent, 1)
    result = project.lift("--lift-iterations=3", TMPDIR=str(place))
    assert_told(result, 3, str(place), "No space left", "free some space")
    assert project.outcome["outcome"] == "failed"
    assert project.texts().get("tests/test_thing.py") == (None if agent == "generator" else ONE)


def test_a_temporary_folder_that_cannot_be_written(
    project: Project, mount: Mount, tmp_path: Path
) -> None:
    """Python takes another folder then, if there is one that can be written."""
    place = mount(tmp_path / "temporary")
    make_read_only(place)
    project.write({"tests/test_thing.py": ONE})
    result = project.script().lift("--lift-iterations=0", TMPDIR=str(place))
    assert result.status == 0, result.text
    assert project.outcome["passed"] == 1


def test_a_limit_of_the_size_of_files(project: Project) -> None:
    project.script(ONE)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--lift"],
        cwd=project.root,
        env=project.environment(),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)),
        capture_output=True,
        text=True,
        check=False,
    )
    result = Result(done.returncode, done.stdout + done.stderr)
    assert_told(result, 4, "File too large", "ulimit -f")
