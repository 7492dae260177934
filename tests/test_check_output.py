"""`pytest-lift check --output`: a file is placed, and nobody's work is lost by it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from checked_project import CheckedProject
from lift_command import run

TEXT = '@pytest.mark.req("ENC-1")\ndef test_a(): pass\n'


@pytest.fixture
def project(tmp_path: Path) -> CheckedProject:
    return CheckedProject(tmp_path / "p").require("ENC-1").tests(TEXT)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("requirements.yml", "a requirement file"),
        ("./tests/../requirements.yml", "a requirement file"),
        ("pytest.ini", "the ini file"),
        ("tests/test_a.py", "a test file"),
        ("tests/test_new.py", "a test file"),
    ],
)
def test_what_the_findings_are_about_is_not_overwritten(
    project: CheckedProject, name: str, kind: str
) -> None:
    there = (project.root / name).exists()
    before = (project.root / name).read_bytes() if there else b""
    found = project.check(f"--output={name}")
    assert found.code == 4
    assert f"is {kind}" in found.err
    assert (project.root / name).exists() == there
    assert not there or (project.root / name).read_bytes() == before


def test_a_file_of_a_folder_of_requirements_is_not_overwritten(project: CheckedProject) -> None:
    project.write({"items/.doorstop.yml": "settings: {}\n", "items/REQ1.yml": "text: x\n"})
    found = project.check("--requirements=items", "--output=items/REQ1.yml")
    assert (found.code, "is a requirement file" in found.err) == (4, True)
    assert (project.root / "items/REQ1.yml").read_text("utf-8") == "text: x\n"


def test_a_link_is_replaced_not_followed(project: CheckedProject) -> None:
    other = project.root.parent / "other"
    other.write_text("mine", "utf-8")
    for target in (other, project.root / "requirements.yml"):
        (project.root / "found.json").unlink(missing_ok=True)
        (project.root / "found.json").symlink_to(target)
        before = target.read_bytes()
        assert project.check("--format=json", "--output=found.json").code == 0
        assert target.read_bytes() == before
        assert not (project.root / "found.json").is_symlink()


def test_a_device_is_written_to(project: CheckedProject) -> None:
    done = run("check", "--format=json", "--output=/dev/stdout", folder=project.root)
    assert done.returncode == 0
    assert json.loads(done.stdout)["tests"] == 1
