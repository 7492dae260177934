"""Patches: in CI nothing lands, and a patch fits what the user has written meanwhile."""

from __future__ import annotations

import pytest
from conftest import Project
from doubled_thing import DOUBLES, HEAD, MINE, MUCH


@pytest.mark.slow
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


def test_in_ci_nothing_lands_and_the_patch_applies(project: Project) -> None:
    """To a file that is no UTF-8, too."""
    project.git("init", "-q")
    mine = f"# -*- coding: latin-1 -*-\n{MINE}# \xe4\n".encode("latin-1")
    project.write({"tests/test_thing.py": ""}).script(HEAD + DOUBLES)
    (project.root / "tests/test_thing.py").write_bytes(mine)
    agent = project.read("conftest.py").replace(
        "    return Edit(files)",
        "    from pytest_lift.suite.splice import merge_tests\n"
        "    name = 'tests/test_thing.py'\n    mine = brief.suite.files[name].text\n"
        "    wanted = ['import pytest', 'from thing import double']\n"
        "    added = files[name].split('double\\n', 1)[1]\n"
        "    return Edit({name: merge_tests(mine, wanted, added)})",
    )
    result = project.write({"conftest.py": agent}).lift("--lift-iterations=1", CI="true")
    assert result.status == 0, result.text
    assert "apply .lift/lift.patch with git apply" in result
    assert [path.name for path in (project.root / "tests").iterdir()] == ["test_thing.py"]
    assert (project.root / "tests/test_thing.py").read_bytes() == mine
    project.git("apply", ".lift/lift.patch")
    applied = (project.root / "tests/test_thing.py").read_bytes()
    assert b"# \xe4\n" in applied
    assert b"test_doubles" in applied
    assert (project.root / "tests/.lift.json").exists()


@pytest.mark.slow
def test_asked_for_it_lands_in_ci_too(project: Project) -> None:
    project.script(HEAD + DOUBLES)
    project.lift("--lift-iterations=1", "--lift-output=land", CI="true")
    assert "test_doubles" in project.read("tests/test_thing.py")
