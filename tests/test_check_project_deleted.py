"""`pytest-lift check --base`: links that are gone since the merge base, read of real git."""

from __future__ import annotations

from pathlib import Path

import pytest
from checked_project import CheckedProject
from linked_history import GONE, ONE, TWO, lost


@pytest.fixture
def project(tmp_path: Path) -> CheckedProject:
    return CheckedProject(tmp_path / "p").require("ENC-1", "ENC-2").tests(TWO).commit()


def test_nothing_changed(project: CheckedProject) -> None:
    assert lost(project) == []


def test_a_deleted_test(project: CheckedProject) -> None:
    assert lost(project.tests(ONE)) == GONE
    assert project.check().code == 0
    assert project.check("--base=HEAD").code == 1


def test_a_deleted_file_staged_or_not(project: CheckedProject) -> None:
    (project.root / "tests/test_a.py").unlink()
    expected = [*GONE, ("ENC-2", "error", "tests/test_a.py::test_two")]
    assert lost(project) == expected
    project.git("add", "-A")
    assert lost(project) == expected


def test_a_removed_mark_is_reported_at_the_test(project: CheckedProject) -> None:
    project.tests(TWO.replace('@pytest.mark.req("ENC-1")\n', ""))
    (line,) = [x for x in project.lines("--base=HEAD") if "deleted-link" in x]
    assert line.startswith("tests/test_a.py:2:5: deleted-link: 'ENC-1' ")
    assert "tests/test_a.py::test_one no longer names it" in line


def test_other_tests_of_the_requirement_make_it_a_warning(project: CheckedProject) -> None:
    project.tests('@pytest.mark.req("ENC-1")\ndef test_more(): pass\n', "tests/test_b.py").commit()
    assert lost(project.tests(ONE)) == [("ENC-1", "warning", "tests/test_a.py::test_one")]


@pytest.mark.parametrize("staged", [True, False])
def test_a_moved_test_is_none(project: CheckedProject, staged: bool) -> None:
    moved = TWO.split("\n\n\n")[0].replace("1 == 1", "True")
    project.tests(ONE).tests(moved, "tests/sub/test_b.py")
    if staged:
        project.git("add", "-A")
    assert lost(project) == []


def test_a_test_of_that_name_that_was_there_before_is_no_move(project: CheckedProject) -> None:
    same = '@pytest.mark.req("ENC-1")\ndef test_one(): pass\n'
    project.tests(same, "tests/test_b.py").commit()
    assert lost(project.tests(ONE)) == [("ENC-1", "warning", "tests/test_a.py::test_one")]


def test_a_renamed_test_is_none(project: CheckedProject) -> None:
    assert lost(project.tests(TWO.replace("test_one", "test_uno"))) == []


def test_a_test_put_into_a_class_is_none(project: CheckedProject) -> None:
    inside = '\n\n\nclass TestA:\n    @pytest.mark.req("ENC-1")\n    def test_one(self): pass\n'
    assert lost(project.tests(ONE + inside)) == []


def test_a_requirement_that_is_gone_or_exempt_needs_no_test(project: CheckedProject) -> None:
    assert lost(project.tests(ONE).require("ENC-2")) == []
    assert lost(project.tests(ONE).require("ENC-2", ENC_1="waived")) == []


def test_a_file_that_cannot_be_parsed_says_nothing_of_its_links(project: CheckedProject) -> None:
    assert lost(project.tests("def test_one(:\n")) == []


def test_a_project_below_the_top_of_the_repository(tmp_path: Path) -> None:
    project = CheckedProject(tmp_path / "top/inner").require("ENC-1", "ENC-2").tests(TWO)
    top = (
        CheckedProject(tmp_path / "top").write({"tests/test_z.py": "def test_z(): pass\n"}).commit()
    )
    (top.root / "tests/test_z.py").unlink()
    assert lost(project.tests(ONE)) == GONE


def test_variables_of_a_hook_are_understood(
    project: CheckedProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """git gives a hook the place of the index relative to the working directory."""
    monkeypatch.setenv("GIT_INDEX_FILE", "../.git/index")
    found = project.tests(ONE).check("--base=HEAD", folder="tests")
    assert (found.code, found.err) == (1, "")
    assert "deleted-link" in found.out


def test_files_that_pytest_would_not_collect_have_no_links(project: CheckedProject) -> None:
    project.tests(TWO, "tests/build/test_b.py").tests(TWO, "tests/helper.py").commit()
    (project.root / "tests/build/test_b.py").unlink()
    (project.root / "tests/helper.py").unlink()
    assert lost(project) == []


MIXIN = """
class Shared:
    @pytest.mark.req("ENC-2")
    def test_shared(self):
        assert self.made
"""
HEIR = """
from shared import Shared
class TestHeir(Shared):
    made = 1
"""


@pytest.fixture
def heir(tmp_path: Path) -> CheckedProject:
    """ENC-2 is verified only by the test of a mixin in a file that is none of tests."""
    project = CheckedProject(tmp_path / "p").require("ENC-1", "ENC-2").tests(ONE)
    project.tests('@pytest.mark.req("ENC-1")\ndef test_one(): pass\n')
    return project.tests(MIXIN, "tests/shared.py").tests(HEIR, "tests/test_heir.py").commit()


SHARED = [("ENC-2", "error", "tests/shared.py::Shared::test_shared")]


def test_a_mark_that_a_mixin_lost(heir: CheckedProject) -> None:
    assert lost(heir) == []
    without = MIXIN.replace('    @pytest.mark.req("ENC-2")\n', "")
    assert lost(heir.tests(without, "tests/shared.py")) == SHARED


def test_a_mixin_that_is_gone_or_that_nothing_is_derived_from(heir: CheckedProject) -> None:
    heir.tests(HEIR.replace("(Shared)", ""), "tests/test_heir.py")
    assert lost(heir) == SHARED
    (heir.root / "tests/shared.py").unlink()
    assert lost(heir) == SHARED


def test_a_mixin_that_was_idle_had_no_links(heir: CheckedProject) -> None:
    (heir.root / "tests/test_heir.py").unlink()
    heir.commit("idle")
    (heir.root / "tests/shared.py").unlink()
    assert lost(heir) == []
    assert lost(heir, "HEAD~1") == SHARED


def test_a_test_put_into_a_mixin_or_out_of_it_is_none(heir: CheckedProject) -> None:
    inside = HEIR + "    @pytest.mark.req('ENC-2')\n    def test_shared(self): pass\n"
    (heir.root / "tests/shared.py").unlink()
    assert lost(heir.tests(inside, "tests/test_heir.py")) == []
    heir.commit("out")
    assert lost(heir, "HEAD~1") == []
    heir.tests(MIXIN, "tests/shared.py").tests(HEIR, "tests/test_heir.py")
    assert lost(heir) == []
