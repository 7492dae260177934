"""Files of a project that a copy takes along: kinds that are no files are left out or told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from copied_project import TEST, files, write

from pytest_lift.errors import UsageError
from pytest_lift.project.project_files import project_files
from pytest_lift.run.workspace import Workspace


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "my project"
    write(root, "pkg/__init__.py", "")
    write(root, "pkg/mod.py", "x = 1\n")
    write(root, "pkg/data.csv", "1,2\n")
    write(root, "tests/test_a.py", TEST)
    write(root, "tests/data/input.txt", "in\n")
    write(root, "pyproject.toml", "[project]\n")
    return root


class TestKinds:
    def test_links_that_lead_back_are_left_out_and_said(self, project: Path) -> None:
        """pytest follows links: each test would run forty times, and nothing could land."""
        for name, target in (("pkg/loop", ".."), ("again", "."), ("pkg/whole", str(project))):
            (project / name).symlink_to(target)
        (project / "beside").symlink_to("pkg")
        listing = project_files(project, ("pkg",))
        assert {"pkg/loop", "again", "pkg/whole"}.isdisjoint(listing.entries)
        assert "beside" in listing.entries
        assert sorted(listing.warnings) == [
            f"{name} is left out: a link to a folder that contains it: pytest would loop"
            for name in ("again", "pkg/loop", "pkg/whole")
        ]

    def test_links_inside_stay_links_and_outside_files_are_copied(
        self, project: Path, tmp_path: Path
    ) -> None:
        outside = write(tmp_path, "outside/shared.txt", "shared\n")
        (project / "inner.csv").symlink_to("pkg/data.csv")
        (project / "absolute.csv").symlink_to(project / "pkg/data.csv")
        (project / "folder").symlink_to("pkg")
        (project / "out.txt").symlink_to(outside)
        (project / "out").symlink_to(outside.parent)
        (project / "dangling").symlink_to("nowhere")
        with Workspace.create(project, ("pkg",)) as made:
            root = made.root
            assert {os.readlink(root / n) for n in ("inner.csv", "absolute.csv")} == {
                "pkg/data.csv"
            }
            assert os.readlink(root / "folder") == "pkg"
            assert not (root / "out.txt").is_symlink()
            assert (root / "out.txt").read_text() == "shared\n"
            assert not os.path.lexists(root / "out")
            assert (root / "dangling").is_symlink()
            assert any(warning.startswith("out ") for warning in made.warnings)
            assert made.sync() == ()

    def test_what_is_no_file_is_left_out(self, project: Path) -> None:
        os.mkfifo(project / "pipe")
        with Workspace.create(project, ("pkg",)) as made:
            assert "pipe" not in files(made.root)
            assert any(warning.startswith("pipe ") for warning in made.warnings)

    def test_the_right_to_run_is_kept(self, project: Path) -> None:
        write(project, "run.sh", "").chmod(0o755)
        with Workspace.create(project, ("pkg",)) as made:
            assert (made.root / "run.sh").stat().st_mode & 0o111 == 0o111
            (project / "run.sh").chmod(0o644)
            assert made.sync() == ("run.sh",)
            assert (made.root / "run.sh").stat().st_mode & 0o111 == 0

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
    def test_an_unreadable_file_is_a_warning(self, project: Path) -> None:
        write(project, "secret", "").chmod(0)
        with Workspace.create(project, ("pkg",)) as made:
            assert made.warnings == ("secret is left out: Permission denied",)

    def test_too_large_names_the_biggest_folders(self, project: Path) -> None:
        write(project, "videos/a.bin", "x" * 5000)
        with (
            pytest.raises(UsageError, match=r"videos .* 1 files") as caught,
            Workspace.create(project, ("pkg",), max_bytes=1000),
        ):
            pass
        assert ".gitignore" in caught.value.todo
        with (
            pytest.raises(UsageError, match="too large"),
            Workspace.create(project, ("pkg",), max_files=3),
        ):
            pass
