"""Ctrl-C and kill -9: the best is kept, what was left running is named, nobody waits for the dead."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable

import pytest
from conftest import Project
from doubled_thing import DOUBLES, HEAD, MINE, MUCH

Register = Callable[["subprocess.Popen[str]"], "subprocess.Popen[str]"]


def wait_for(project: Project, *names: str) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if any(list(project.root.glob(name)) for name in names):
            return
        time.sleep(0.02)
    pytest.fail(f"none of {names} appeared")


SLOW = "\nimport time\n_gen = generator\n\ndef generator(brief):\n    if brief.iteration > 1:\n        (HERE / 'waiting').touch()\n        time.sleep(60)\n    return _gen(brief)\n"


@pytest.fixture
def waiting(project: Project, running: Register) -> tuple[Project, subprocess.Popen[str]]:
    """A lift that has landed one suite and then waits for its agent."""
    project.script(HEAD + DOUBLES, HEAD + DOUBLES + MUCH)
    project.write({"conftest.py": project.read("conftest.py") + SLOW})
    process = running(project.start("--lift-requirements=reqs.yml"))
    wait_for(project, "waiting")
    return project, process


def test_others_wait_for_a_lift_and_ctrl_c_ends_it_with_the_best_kept(
    waiting: tuple[Project, subprocess.Popen[str]],
) -> None:
    project, process = waiting
    before = project.texts()
    for result in (project.lift(), project.command("restore")):
        assert result.status == 4
        assert f"another lift of this project is running (process {process.pid})" in result
        assert "wait until it has ended, or end it with Ctrl-C" in result
        assert "Traceback" not in result
    assert project.texts() == before
    assert project.command("restore", "--list").status == 0
    process.send_signal(signal.SIGINT)
    text, _ = process.communicate(timeout=30)
    assert process.returncode == 2
    assert "lift: interrupted" in text
    assert "Traceback" not in text
    assert project.outcome["outcome"] == "interrupted"
    assert "test_doubles" in project.read("tests/test_thing.py")
    assert (project.root / ".lift/lift.lock").exists()
    assert project.command("restore").status == 0


@pytest.mark.slow
def test_kill_9_leaves_the_accepted_suite_restorable(
    waiting: tuple[Project, subprocess.Popen[str]],
) -> None:
    project, process = waiting
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert "test_doubles" in project.read("tests/test_thing.py")
    assert project.command("restore").status == 0
    assert not (project.root / "tests/test_thing.py").exists()


@pytest.mark.slow
def test_the_lock_of_a_killed_lift_is_in_nobodys_way(
    waiting: tuple[Project, subprocess.Popen[str]],
) -> None:
    project, process = waiting
    process.kill()
    process.communicate()
    assert (project.root / ".lift/lift.lock").exists()
    assert project.lift("--lift-resume", "--lift-iterations=1").status == 0
    result = project.lift("--lift-iterations=1")
    assert result.status == 0, result.text


def test_what_a_killed_lift_left_running_is_named(project: Project) -> None:
    """A process that the user's own tests forked goes on holding the lock."""
    project.write({"tests/test_mine.py": MINE}).script(HEAD + DOUBLES)
    fork = (
        "\n\nimport os, signal, time\n\n\ndef pytest_sessionfinish():\n    child = os.fork()\n"
        "    if child == 0:\n        os.setsid()\n"
        "        for name in os.listdir('/proc/self/fd'):\n"
        "            link = f'/proc/self/fd/{name}'\n"
        "            if os.path.lexists(link) and os.readlink(link).startswith('pipe:'):\n"
        "                os.close(int(name))\n"
        "        time.sleep(300)\n        os._exit(0)\n"
        "    (HERE / 'child').write_text(str(child))\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    agents = project.read("conftest.py")
    assert project.write({"conftest.py": agents + fork}).lift().status == -9
    project.write({"conftest.py": agents})
    result = project.lift()
    os.kill(int(project.read("child")), signal.SIGKILL)
    assert result.status == 4
    assert "has ended, but something that it started has not" in result


@pytest.mark.slow
def test_a_run_that_was_killed_before_it_began_is_not_in_the_way_of_restore(
    project: Project,
) -> None:
    project.script(HEAD + DOUBLES)
    assert project.lift("--lift-iterations=1").status == 0
    (project.root / ".lift/history/29991231-235959").mkdir()
    assert project.command("restore").status == 0
    assert not (project.root / "tests/test_thing.py").exists()
