"""What the user wrote stays: edits, patches, restore, Ctrl-C and kill -9."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable

import pytest
from conftest import Project

Register = Callable[["subprocess.Popen[str]"], "subprocess.Popen[str]"]

MINE = 'from thing import label\n\n\ndef test_mine():  # my own   spacing\n    assert label("a") == "a"\n'
HEAD = '"""Tests."""\n\nimport pytest\n\nfrom thing import double\n'
DOUBLES = (
    '\n\n@pytest.mark.req("R-1")\ndef test_doubles():\n    """D."""\n    assert double(21) == 42\n'
)
MUCH = '\n\n@pytest.mark.emergent("seen")\ndef test_much():\n    """M."""\n    assert double(101) is None\n'


def test_restore_puts_back_what_was_there(project: Project) -> None:
    project.write({"tests/test_thing.py": MINE, "tests/data.txt": "x"})
    before = project.texts()
    project.script(
        MINE.replace("label", "double, label", 1)
        + DOUBLES.replace("pytest.mark.req", "__import__('pytest').mark.req")
    )
    assert project.lift("--lift-iterations=1").status == 0
    assert "test_doubles" in project.read("tests/test_thing.py")
    assert "# my own   spacing" in project.read("tests/test_thing.py")
    result = project.cli("restore")
    assert result.status == 0, result.text
    assert project.texts() == before


def test_restore_keeps_what_was_edited_since(project: Project) -> None:
    project.script(HEAD + DOUBLES)
    assert project.lift("--lift-iterations=1").status == 0
    edited = project.read("tests/test_thing.py") + "\n# mine now\n"
    project.write({"tests/test_thing.py": edited})
    result = project.cli("restore")
    assert result.status == 1
    assert "tests/test_thing.py" in result
    assert project.read("tests/test_thing.py") == edited
    assert project.cli("restore", "--force").status == 0
    assert not (project.root / "tests/test_thing.py").exists()


def test_an_edited_generated_test_belongs_to_the_user(project: Project) -> None:
    project.script(HEAD + DOUBLES, HEAD + DOUBLES)
    assert project.lift("--lift-iterations=1").status == 0
    mine = project.read("tests/test_thing.py").replace("double(21) == 42", "double(4) == 8")
    project.write({"tests/test_thing.py": mine})
    project.write({".script/1/tests/test_thing.py": HEAD + MUCH})
    result = project.lift("--lift-iterations=1")
    assert "double(4) == 8" in project.read("tests/test_thing.py")
    assert "1 passed" in result  # it is the user's now, so it runs in the user's own session


def test_a_second_lift_lands_as_often_as_it_gains(project: Project) -> None:
    project.script(HEAD + DOUBLES)
    assert project.lift("--lift-iterations=1").status == 0
    more = "\n\n@pytest.mark.emergent('seen')\ndef test_label():\n    \"\"\"L.\"\"\"\n    assert label('a') == 'a'\n"
    both = HEAD.replace("double", "double, label") + DOUBLES + MUCH
    project.script(both, both + more)
    result = project.lift("--lift-iterations=2")
    assert [i["accepted"] for i in project.run["history"]] == [True, True, True]
    assert "your version of" not in result
    assert "def test_label" in project.read("tests/test_thing.py")


def test_generated_tests_do_not_run_in_the_users_session(project: Project) -> None:
    spy = HEAD + DOUBLES.replace("    assert", "    print('ran in', __file__)\n    assert")
    project.write({"tests/test_mine.py": MINE}).script(spy)
    project.lift("--lift-iterations=1")
    text = project.lift("--lift-iterations=0", "-s").text
    assert "1 passed" in text
    assert "ran in" not in text


def test_in_ci_nothing_lands_and_the_patch_applies(project: Project) -> None:
    project.write({"tests/test_mine.py": MINE}).script(HEAD + DOUBLES)
    project.git("init", "-q")
    before = project.texts()
    result = project.lift("--lift-iterations=1", CI="true")
    assert result.status == 0, result.text
    assert project.texts() == before
    assert "apply .lift/lift.patch with git apply" in result
    project.git("apply", ".lift/lift.patch")
    assert "test_doubles" in project.read("tests/test_thing.py")
    assert ".lift.json" in {p.name for p in (project.root / "tests").iterdir()}


def test_a_patch_fits_what_the_user_has_written_meanwhile(project: Project) -> None:
    project.git("init", "-q")
    theirs = MINE + "\n\ndef test_second():\n    assert True\n"
    project.write({"tests/test_mine.py": MINE}).script(HEAD + DOUBLES, HEAD + DOUBLES, HEAD + MUCH)
    edit = (
        "    if brief.iteration == 1:\n"
        f"        (HERE / 'tests/test_mine.py').write_text({theirs!r})\n    return Edit(files)"
    )
    agents = project.read("conftest.py").replace("    return Edit(files)", edit)
    project.write({"conftest.py": agents})
    result = project.lift("--lift-iterations=2", "--lift-output=patch")
    assert result.status == 0, result.text
    project.git("apply", ".lift/lift.patch")
    assert project.read("tests/test_mine.py") == theirs
    assert "test_doubles" in project.read("tests/test_thing.py")
    project.lift("--lift-iterations=0", "--lift-output=patch")
    assert not (project.root / ".lift/lift.patch").exists()


def test_a_patch_of_a_file_that_is_no_utf_8(project: Project) -> None:
    project.git("init", "-q")
    mine = f"# -*- coding: latin-1 -*-\n{MINE}# \xe4\n".encode("latin-1")
    project.write({"tests/test_thing.py": ""}).script(HEAD + DOUBLES)
    (project.root / "tests/test_thing.py").write_bytes(mine)
    agent = project.read("conftest.py").replace(
        "    return Edit(files)",
        "    from pytest_lift.suite import merge_tests\n"
        "    name = 'tests/test_thing.py'\n    mine = brief.suite.files[name].text\n"
        "    wanted = ['import pytest', 'from thing import double']\n"
        "    added = files[name].split('double\\n', 1)[1]\n"
        "    return Edit({name: merge_tests(mine, wanted, added)})",
    )
    result = project.write({"conftest.py": agent}).lift(
        "--lift-iterations=1", "--lift-output=patch"
    )
    assert result.status == 0, result.text
    assert (project.root / "tests/test_thing.py").read_bytes() == mine
    project.git("apply", ".lift/lift.patch")
    applied = (project.root / "tests/test_thing.py").read_bytes()
    assert b"# \xe4\n" in applied
    assert b"test_doubles" in applied


def test_asked_for_it_lands_in_ci_too(project: Project) -> None:
    project.script(HEAD + DOUBLES)
    project.lift("--lift-iterations=1", "--lift-output=land", CI="true")
    assert "test_doubles" in project.read("tests/test_thing.py")


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


def test_ctrl_c_keeps_the_best_and_ends(waiting: tuple[Project, subprocess.Popen[str]]) -> None:
    project, process = waiting
    process.send_signal(signal.SIGINT)
    text, _ = process.communicate(timeout=30)
    assert process.returncode == 2
    assert "lift: interrupted" in text
    assert "Traceback" not in text
    assert project.run["outcome"] == "interrupted"
    assert "test_doubles" in project.read("tests/test_thing.py")


def test_kill_9_leaves_the_accepted_suite_restorable(
    waiting: tuple[Project, subprocess.Popen[str]],
) -> None:
    project, process = waiting
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert "test_doubles" in project.read("tests/test_thing.py")
    assert project.cli("restore").status == 0
    assert not (project.root / "tests/test_thing.py").exists()


def test_tests_claimed_while_the_lift_runs_are_the_users(project: Project) -> None:
    """Deleting the ownership file says so, also after this very lift has written it."""
    project.script(HEAD + DOUBLES, HEAD + DOUBLES + MUCH)
    claim = (
        "    if brief.iteration == 2:\n        (HERE / 'tests/.lift.json').unlink()\n"
        "    return Edit(files)"
    )
    agents = project.read("conftest.py").replace("    return Edit(files)", claim)
    result = project.write({"conftest.py": agents}).lift("--lift-iterations=2")
    assert result.status == 0, result.text
    assert "your version of tests/test_thing.py stays" in result
    assert "test_much" not in project.read("tests/test_thing.py")
    assert not (project.root / "tests/.lift.json").exists()


def test_a_second_lift_and_a_restore_wait_for_the_first(
    waiting: tuple[Project, subprocess.Popen[str]],
) -> None:
    project, process = waiting
    before = project.texts()
    for result in (project.lift(), project.cli("restore")):
        assert result.status == 4
        assert "another lift of this project is running" in result
        assert "Traceback" not in result
    assert project.texts() == before
    assert project.cli("restore", "--list").status == 0
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert project.cli("restore").status == 0


def test_a_run_that_was_killed_before_it_began_is_not_in_the_way_of_restore(
    project: Project,
) -> None:
    project.script(HEAD + DOUBLES)
    assert project.lift("--lift-iterations=1").status == 0
    (project.root / ".lift/history/29991231-235959").mkdir()
    assert project.cli("restore").status == 0
    assert not (project.root / "tests/test_thing.py").exists()


def test_the_users_edit_while_the_lift_runs_wins(project: Project) -> None:
    project.write({"tests/test_mine.py": MINE})
    theirs = MINE + "\n\ndef test_second():\n    assert True\n"
    project.script(HEAD + DOUBLES, HEAD + DOUBLES + MUCH)
    edit = (
        "\n_gen = generator\n\ndef generator(brief):\n"
        f"    (HERE / 'tests/test_mine.py').write_text({theirs!r})\n    return _gen(brief)\n"
    )
    project.write({"conftest.py": project.read("conftest.py") + edit})
    result = project.lift("--lift-iterations=2")
    assert result.status == 0, result.text
    assert project.read("tests/test_mine.py") == theirs
    assert project.run["tests"] == 4
