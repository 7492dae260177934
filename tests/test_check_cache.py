"""The cache of the check: the same findings with it, without it, and with a broken one."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from checked_project import CheckedProject

TEXT = """
pytestmark = pytest.mark.req("ENC-1")
known = pytest.mark.req("X", f"{1}")
@pytest.mark.req("ENC-2", "ENC-2", 3, key=1)
@pytest.mark.parametrize("é", [pytest.param(1, marks=pytest.mark.req("Y"))])
def test_a(): pass
class TestB:
    @known
    def test_b(self): pass
    @pytest.mark.emergent("why")
    def test_c(self):
        ":req:"
"""


@pytest.fixture
def project(tmp_path: Path) -> CheckedProject:
    project = CheckedProject(tmp_path).require("ENC-1", "ENC-2", D_1="waived").tests(TEXT)
    return project.tests("def test_d(:", "tests/test_b.py")


def folder(project: CheckedProject) -> Path:
    return project.root / ".lift/cache"


def test_the_second_time_says_the_same(project: CheckedProject) -> None:
    first = project.json("--verbose")
    assert len(first.rules) == 7
    assert sorted(os.listdir(folder(project))) == ["check-requirements.json", "check-tests.json"]
    assert project.json("--verbose") == first


def test_git_ignores_it(project: CheckedProject) -> None:
    project.check()
    project.git("init", "-q")
    assert ".lift" not in project.git("status", "--porcelain", "--untracked-files=all")


@pytest.mark.parametrize("damage", [b"", b"x", b"\xff\n{}", "cut", "flip", "folder"])
def test_a_broken_one_is_as_none(project: CheckedProject, damage: bytes | str) -> None:
    first = project.json()
    for path in folder(project).iterdir():
        data = path.read_bytes()
        path.unlink()
        if damage == "folder":
            path.mkdir()
        elif damage == "cut":
            path.write_bytes(data[:-20])
        elif damage == "flip":
            path.write_bytes(data.replace(b"ENC-1", b"ENC-9"))
        else:
            assert isinstance(damage, bytes)
            path.write_bytes(damage)
    assert project.json() == first


def test_changes_of_content_are_seen_whatever_the_times_say(project: CheckedProject) -> None:
    project.check()
    for name, old, new in (("tests/test_a.py", "ENC", "EMC"), ("requirements.yml", "ENC", "DEC")):
        path = project.root / name
        before = path.stat()
        path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    ids = {problem["requirement"] for problem in project.json().data["problems"]}
    assert {"EMC-1", "DEC-1"} <= ids


def test_changes_of_settings_are_seen(project: CheckedProject) -> None:
    assert project.json().data["tests"] == 3
    project.write(
        {"pytest.ini": "[pytest]\nlift_requirements=requirements.yml\npython_classes=X\n"}
    )
    assert project.json().data["tests"] == 1


def test_where_it_cannot_be_written_the_check_works(project: CheckedProject) -> None:
    project.write({".lift": "a file"})
    assert project.json().code == 1
    assert (project.root / ".lift").read_text("utf-8") == "a file"


def test_files_that_are_gone_are_forgotten(project: CheckedProject) -> None:
    for number in range(20):
        project.tests(f"def test_{number}(): pass\n", f"tests/test_{number}.py")
    project.check()
    before = (folder(project) / "check-tests.json").stat().st_size
    for number in range(20):
        (project.root / f"tests/test_{number}.py").unlink()
    project.check()
    assert (folder(project) / "check-tests.json").stat().st_size < before


def test_single_files_do_not_shrink_it(project: CheckedProject) -> None:
    project.check()
    before = (folder(project) / "check-tests.json").read_bytes()
    project.check("tests/test_b.py")
    assert (folder(project) / "check-tests.json").read_bytes() == before


@pytest.mark.parametrize("name", [".lift", ".lift/cache", ".lift/.gitignore"])
def test_links_of_a_clone_are_not_followed(project: CheckedProject, name: str) -> None:
    """Neither written through, nor replaced; the check itself works."""
    outside = project.root.parent / f"{project.root.name}-outside"
    first = project.json()
    for path in (*folder(project).iterdir(), folder(project), project.root / ".lift/.gitignore"):
        path.rmdir() if path.is_dir() else path.unlink()
    (project.root / ".lift").rmdir()
    if name != ".lift/.gitignore":
        outside.mkdir()
    (project.root / name).parent.mkdir(exist_ok=True)
    (project.root / name).symlink_to(outside)
    assert project.json() == first
    assert (project.root / name).is_symlink()
    assert not outside.exists() or os.listdir(outside) == []


@pytest.mark.parametrize("name", [".lift", ".lift/cache", ".lift/cache/check-tests.json"])
def test_what_a_link_leads_to_is_not_read(project: CheckedProject, name: str) -> None:
    """A cache with rows of somebody else's, that would hide every problem."""
    first = project.json()
    forge(project, lambda row: [row[0], [], row[2]] if len(row) == 3 else row)
    outside = project.root.parent / f"{project.root.name}-outside"
    (project.root / name).rename(outside)
    (project.root / name).symlink_to(outside)
    assert project.json() == first


def forge(project: CheckedProject, change: Callable[[Any], Any]) -> None:
    """Rows changed under a checksum that is right."""
    for path in folder(project).iterdir():
        rows = json.loads(path.read_bytes().partition(b"\n")[2])
        body = json.dumps({key: change(row) for key, row in rows.items()}).encode()
        path.write_bytes(sha256(body).hexdigest().encode() + b"\n" + body)


@pytest.mark.parametrize(
    "change",
    [
        lambda row: 3,
        lambda row: [],
        lambda row: {},
        lambda row: "text",
        lambda row: row[:-1],
        lambda row: [*row, 1],
        lambda row: [[1], *row[1:]],
        lambda row: [[[1, 2, 3]], *row[1:]],
        lambda row: [row[0], [], *row[2:]],
        lambda row: [row[0], [[None] * 7], *row[2:]],
        lambda row: [[[1, *item[1:]] for item in row[0]], *row[1:]],
        lambda row: [[[*item[:1], {}, *item[2:]] for item in row[0]], *row[1:]],
    ],
)
def test_a_row_of_another_shape_is_read_anew(
    project: CheckedProject, change: Callable[[Any], Any]
) -> None:
    first = project.json("--verbose")
    forge(project, change)
    assert project.json("--verbose") == first
