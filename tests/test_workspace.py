"""The private copy: what is in it, how it keeps step, and that the project is only read."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from copied_project import TEST, files, write

from pytest_lift.run.workspace import Workspace
from pytest_lift.suite.suite import Edit, read_suite, suite_of


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


@pytest.fixture
def repository(project: Path) -> Path:
    write(project, ".gitignore", "*.so\n_version.py\n*.egg-info\nignored/\n.venv/\n")
    git(project, "init", "-q")
    git(project, "add", ".")
    return project


@pytest.fixture
def workspace(project: Path) -> Iterator[Workspace]:
    with Workspace.create(project, ("pkg",)) as made:
        yield made


KILLED = """
import os, signal, sys
from pathlib import Path
from pytest_lift.run.workspace import Workspace
with Workspace.create(Path(sys.argv[1])) as made:
    print(made.root.parent, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_process_left_is_removed_by_the_next(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    theirs = write(tmp_path / "pytest-lift-of-somebody", "notes.txt", "mine")
    env = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", KILLED, str(project)]
    said = subprocess.run(command, env=env, capture_output=True, text=True, check=False).stdout
    left = Path(said.strip())
    with Workspace.create(project) as first:
        assert left.name.startswith("pytest-lift-")
        assert not left.exists()
        with Workspace.create(project):
            assert first.root.exists()
    assert theirs.exists()


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


PLAIN = {
    "pkg/__init__.py",
    "pkg/mod.py",
    "pkg/data.csv",
    "tests/test_a.py",
    "tests/data/input.txt",
    "pyproject.toml",
}


class TestContents:
    def test_keeps_the_name_of_the_folder(self, project: Path, workspace: Workspace) -> None:
        assert workspace.root.name == "my project"
        assert files(workspace.root) == PLAIN
        assert workspace.scratch.is_dir()
        assert project not in workspace.root.parents

    def test_without_git_caches_and_environments_are_left_out(self, project: Path) -> None:
        for path in (
            ".venv/x.py",
            "env/pyvenv.cfg",
            "env/lib/x.py",
            "node_modules/a.js",
            ".lift/run.json",
            ".git/config",
            "pkg/__pycache__/mod.cpython-311.pyc",
            ".mypy_cache/x",
            "build/lib/pkg/mod.py",
            "dist/x.whl",
            ".coverage",
            ".coverage.host.1",
        ):
            write(project, path, "")
        wanted = {".coveragerc", "my.egg-info/entry_points.txt", "pkg/build/tool.py"}
        for path in wanted:
            write(project, path, "")
        with Workspace.create(project, ("pkg",)) as made:
            assert files(made.root) == PLAIN | wanted

    def test_a_package_that_lives_in_a_build_folder_is_copied(self, project: Path) -> None:
        write(project, "build/lib/other/mod.py", "")
        with Workspace.create(project, ("build/lib/other",)) as made:
            assert "build/lib/other/mod.py" in files(made.root)

    def test_with_git_tracked_and_untracked_but_not_ignored(self, repository: Path) -> None:
        write(repository, "new.py", "")
        write(repository, "ignored/x.py", "")
        write(repository, "other.so", "")
        for path in (".lift/x", "env/pyvenv.cfg", "env/lib/x.py", "node_modules/x.js", ".coverage"):
            write(repository, path, "")
        (repository / "pkg/data.csv").unlink()
        with Workspace.create(repository, ("pkg",)) as made:
            assert files(made.root) == (PLAIN - {"pkg/data.csv"}) | {"new.py", ".gitignore"}

    def test_ignored_files_that_the_program_needs(self, repository: Path) -> None:
        wanted = {"pkg/fast.so", "pkg/_version.py", "pkg/ignored/x.dat", "pkg.egg-info/PKG-INFO"}
        for path in wanted:
            write(repository, path, "")
        write(repository, "pkg/__pycache__/x.pyc", "")
        with Workspace.create(repository, ("pkg",)) as made:
            assert files(made.root) == PLAIN | wanted | {".gitignore"}

    def test_a_project_below_the_top_of_the_repository(self, repository: Path) -> None:
        write(repository, "sub/inner/mod.py", "")
        with Workspace.create(repository / "sub", ("inner",)) as made:
            assert files(made.root) == {"inner/mod.py"}

    def test_a_project_that_its_repository_ignores(self, repository: Path) -> None:
        write(repository, "ignored/pkg/mod.py", "")
        with Workspace.create(repository / "ignored", ("pkg",)) as made:
            assert files(made.root) == {"pkg/mod.py"}

    def test_repositories_inside_the_repository(self, repository: Path) -> None:
        write(repository, "nested/.gitignore", "*.log\n")
        write(repository, "nested/a.py", "")
        write(repository, "nested/a.log", "")
        git(repository / "nested", "init", "-q")
        with Workspace.create(repository, ("pkg",)) as made:
            assert files(made.root / "nested") == {".gitignore", "a.py"}

    def test_git_s_own_environment_does_not_lead_astray(
        self, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
        monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "none"))
        write(repository, "other.so", "")
        with Workspace.create(repository, ("pkg",)) as made:
            assert files(made.root) == PLAIN | {".gitignore"}

    def test_without_the_git_program(
        self, repository: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", "")
        with Workspace.create(repository, ("pkg",)) as made:
            assert files(made.root) == PLAIN | {".gitignore"}

    def test_names_that_are_no_text(self, repository: Path) -> None:
        name = os.fsdecode(b"odd \xff\n.txt")
        try:
            write(repository, name, "")
        except OSError:
            pytest.skip("the file system takes no such names")
        with Workspace.create(repository, ("pkg",)) as made:
            assert name in files(made.root)

    def test_a_temporary_folder_inside_the_project(
        self, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (project / "tmp").mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(project / "tmp"))
        with Workspace.create(project, ("pkg",)) as made:
            assert files(made.root) == PLAIN
            assert made.sync() == ()


class TestSync:
    def test_nothing_changed(self, workspace: Workspace) -> None:
        assert workspace.sync() == ()

    def test_changes_additions_and_deletions(self, project: Path, workspace: Workspace) -> None:
        write(project, "pkg/mod.py", "x = 2\n")
        write(project, "pkg/new/deep.py", "")
        (project / "pkg/data.csv").unlink()
        assert workspace.sync() == ("pkg/data.csv", "pkg/mod.py", "pkg/new/deep.py")
        assert files(workspace.root) == (PLAIN - {"pkg/data.csv"}) | {"pkg/new/deep.py"}
        assert (workspace.root / "pkg/mod.py").read_text() == "x = 2\n"

    def test_a_folder_left_empty_is_no_package_any_more(
        self, project: Path, workspace: Workspace
    ) -> None:
        write(project, "pkg/sub/__init__.py", "")
        workspace.sync()
        write(workspace.root, "pkg/sub/__pycache__/__init__.cpython-311.pyc", "")
        shutil.rmtree(project / "pkg/sub")
        workspace.sync()
        assert not (workspace.root / "pkg/sub").exists()

    def test_a_change_of_same_size_and_time_is_seen(
        self, project: Path, workspace: Workspace
    ) -> None:
        place = project / "pkg/mod.py"
        times = place.stat()
        place.write_text("x = 9\n")
        os.utime(place, ns=(times.st_atime_ns, times.st_mtime_ns))
        assert workspace.sync() == ("pkg/mod.py",)

    def test_what_a_child_changed_is_put_right(self, workspace: Workspace) -> None:
        root = workspace.root
        (root / "pkg/mod.py").write_text("x = 9\n")
        (root / "pyproject.toml").unlink()
        (root / "pkg/data.csv").unlink()
        (root / "pkg/data.csv").mkdir()
        (root / "pkg/data.csv/x").touch()
        (root / "pkg/__init__.py").unlink()
        os.mkfifo(root / "pkg/__init__.py")
        assert workspace.sync() == (
            "pkg/__init__.py",
            "pkg/data.csv",
            "pkg/mod.py",
            "pyproject.toml",
        )
        assert (root / "pkg/mod.py").read_text() == "x = 1\n"
        assert (root / "pkg/data.csv").read_text() == "1,2\n"
        assert workspace.sync() == ()

    def test_a_file_that_becomes_a_folder_and_back(
        self, project: Path, workspace: Workspace
    ) -> None:
        (project / "pkg/mod.py").unlink()
        write(project, "pkg/mod.py/x.txt", "")
        workspace.sync()
        assert (workspace.root / "pkg/mod.py/x.txt").is_file()
        shutil.rmtree(project / "pkg/mod.py")
        write(project, "pkg/mod.py", "back\n")
        workspace.sync()
        assert (workspace.root / "pkg/mod.py").read_text() == "back\n"

    def test_never_writes_through_links_that_a_child_made(
        self, project: Path, workspace: Workspace
    ) -> None:
        before = {path: (project / path).read_bytes() for path in PLAIN}
        root = workspace.root
        for name in ("pkg", "tests"):
            shutil.rmtree(root / name)
            (root / name).symlink_to(project / name)
        (root / "pyproject.toml").unlink()
        (root / "pyproject.toml").symlink_to(project / "pyproject.toml")
        write(project, "pkg/mod.py", "x = 3\n")
        workspace.sync()
        workspace.write_suite(read_suite(project, "tests").apply(Edit({"tests/test_a.py": None})))
        assert not (root / "pkg").is_symlink()
        assert not (root / "tests").is_symlink()
        assert files(project) == PLAIN
        for path in PLAIN - {"pkg/mod.py"}:
            assert (project / path).read_bytes() == before[path]
        assert (root / "pkg/mod.py").read_text() == "x = 3\n"

    def test_hard_links_that_a_child_made_are_cut(
        self, project: Path, workspace: Workspace
    ) -> None:
        (workspace.root / "pkg/mod.py").unlink()
        os.link(project / "pyproject.toml", workspace.root / "pkg/mod.py")
        workspace.sync()
        assert (project / "pyproject.toml").read_text() == "[project]\n"
        assert (workspace.root / "pkg/mod.py").read_text() == "x = 1\n"

    def test_a_restored_module_forgets_its_bytecode(self, workspace: Workspace) -> None:
        compiled = write(workspace.root, "pkg/__pycache__/mod.cpython-311.pyc", "")
        kept = write(workspace.root, "pkg/__pycache__/__init__.cpython-311.pyc", "")
        (workspace.root / "pkg/mod.py").write_text("x = 9\n")
        workspace.sync()
        assert not compiled.exists()
        assert kept.exists()


class TestSuite:
    def test_mirrors_the_suite_exactly(self, project: Path, workspace: Workspace) -> None:
        write(workspace.root, "tests/test_stray.py", TEST)
        suite = read_suite(project, "tests")
        new = suite.apply(Edit({"tests/test_a.py": None, "tests/sub/test_b.py": TEST}))
        workspace.write_suite(new)
        inside = {path for path in files(workspace.root) if path.startswith("tests/")}
        assert inside == {"tests/data/input.txt", "tests/sub/test_b.py", "tests/.lift.json"}
        assert read_suite(workspace.root, "tests").texts() == new.texts()

    def test_sync_leaves_the_suite_alone_but_not_its_data(
        self, project: Path, workspace: Workspace
    ) -> None:
        new = read_suite(project, "tests").apply(Edit({"tests/test_b.py": TEST}))
        workspace.write_suite(new)
        write(project, "tests/test_a.py", "changed = 1\n")
        write(project, "tests/data/more.txt", "")
        assert workspace.sync() == ("tests/data/more.txt",)
        assert read_suite(workspace.root, "tests").texts() == new.texts()

    def test_writes_only_what_differs(self, project: Path, workspace: Workspace) -> None:
        suite = read_suite(project, "tests")
        before = (workspace.root / "tests/test_a.py").stat()
        workspace.write_suite(suite)
        after = (workspace.root / "tests/test_a.py").stat()
        assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)

    def test_a_changed_test_file_forgets_its_bytecode(
        self, project: Path, workspace: Workspace
    ) -> None:
        compiled = write(
            workspace.root, "tests/__pycache__/test_a.cpython-311-pytest-9.0.0.pyc", ""
        )
        workspace.write_suite(
            read_suite(project, "tests").apply(Edit({"tests/test_a.py": "x = 1\n"}))
        )
        assert not compiled.exists()


class TestEnd:
    def test_nothing_is_left_behind_after_an_error(self, project: Path) -> None:
        with pytest.raises(RuntimeError), Workspace.create(project, ("pkg",)) as made:
            raise RuntimeError
        assert not made.root.parent.exists()

    def test_read_only_leftovers_go_and_links_are_not_followed(self, project: Path) -> None:
        with Workspace.create(project, ("pkg",)) as made:
            locked = write(made.root, "locked/deep/x.txt", "")
            (made.root / "locked/out").symlink_to(project / "pkg")
            (project / "pkg").chmod(0o750)
            locked.chmod(0o400)
            locked.parent.chmod(0o500)
            locked.parent.parent.chmod(0o500)
        assert not made.root.parent.exists()
        assert (project / "pkg").stat().st_mode & 0o777 == 0o750
        assert files(project) == PLAIN

    def test_the_project_is_only_read(self, repository: Path) -> None:
        def state() -> dict[Path, int]:
            return {path: path.lstat().st_mtime_ns for path in repository.rglob("*")}

        before = state()
        with Workspace.create(repository, ("pkg",)) as made:
            made.write_suite(read_suite(repository, "tests"))
            made.sync()
        assert state() == before


# What a run does to the copy is undone


def test_what_a_run_touches_is_put_back_and_named(project: Path) -> None:
    with Workspace.create(project, ("pkg",)) as made:
        module = made.root / "pkg/__init__.py"
        before = module.read_bytes()
        with made.guarded() as touched:
            module.write_bytes(before + b"\nchanged = 1\n")
            (made.root / "conftest.py").write_text("planted = 1\n")
            (made.root / "pkg/new").mkdir()
            (made.root / "pkg/new/__init__.py").write_text("")
        assert touched == ["pkg/__init__.py"]
        assert module.read_bytes() == before
        assert not (made.root / "conftest.py").exists()
        assert not (made.root / "pkg/new").exists()


def test_what_is_replaced_for_a_while_comes_back_whatever_the_project_has(project: Path) -> None:
    (project / "pkg/linked.py").symlink_to("mod.py")
    with Workspace.create(project, ("pkg",)) as made:
        module, linked = made.root / "pkg/mod.py", made.root / "pkg/linked.py"
        with made.replaced({"pkg/mod.py": "x = 2\n", "pkg/linked.py": "x = 3\n"}):
            assert (module.read_text(), linked.read_text()) == ("x = 2\n", "x = 3\n")
            write(project, "pkg/mod.py", "x = 'the user was here'\n")
        assert module.read_text() == "x = 1\n"
        assert os.readlink(linked) == "mod.py"
        assert made.sync() == ("pkg/mod.py",)
        with suppress(KeyError), made.replaced({"pkg/mod.py": "x = 4\n"}):
            (project / "pkg/mod.py").unlink()
            raise KeyError
        assert module.read_text() == "x = 'the user was here'\n"
        with pytest.raises(FileNotFoundError), made.replaced({"pkg/none.py": ""}):
            pass


def test_rights_count_and_the_same_content_does_not(project: Path) -> None:
    with Workspace.create(project, ("pkg",)) as made:
        module = made.root / "pkg/__init__.py"
        mode = module.stat().st_mode
        with made.guarded() as touched:
            module.write_bytes(module.read_bytes())
        assert touched == []
        with made.guarded() as touched:
            module.chmod(0o777)
        assert touched == ["pkg/__init__.py"]
        assert module.stat().st_mode == mode


def test_a_file_of_the_suite_is_put_back(project: Path) -> None:
    with Workspace.create(project, ("pkg",)) as made:
        made.write_suite(suite_of("tests", {"tests/test_a.py": "def test_a(): pass\n"}))
        with made.guarded() as touched:
            (made.root / "tests/test_a.py").unlink()
            (made.root / "tests/conftest.py").symlink_to("/etc/passwd")
        assert touched == ["tests/test_a.py"]
        assert (made.root / "tests/test_a.py").read_text() == "def test_a(): pass\n"
        assert not os.path.lexists(made.root / "tests/conftest.py")


def test_what_may_be_written_is_left(project: Path) -> None:
    with Workspace.create(project, ("pkg",)) as made:
        allowed = made.root / "output"
        allowed.mkdir()
        with made.guarded(apart=[allowed]) as touched:
            (allowed / "result").write_text("x")
        assert touched == []
        assert (allowed / "result").exists()


class TestSecrets:
    def test_what_looks_like_one_stays_out_with_one_line(
        self, project: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "deploy.key").write_text("hidden")
        (project / "notes.txt").symlink_to(tmp_path / "deploy.key")
        for path in (".env", "config/tls.pem", ".ssh/id_rsa", "credentials.json"):
            write(project, path, "hidden")
        with Workspace.create(project, ("pkg",)) as made:
            assert "hidden" not in "".join((made.root / p).read_text() for p in files(made.root))
            (line,) = made.warnings
        assert line.startswith(".env, ")
        assert "2 more look like secrets" in line
        assert "--lift-allow-read=.env" in line

    def test_fixtures_and_data_of_the_program_come_along(self, project: Path) -> None:
        write(project, "tests/data/server.pem", "made up")
        write(project, "pkg/default.key", "part of it")
        with Workspace.create(project, ("pkg",), tests="tests") as made:
            assert {"tests/data/server.pem", "pkg/default.key"} <= files(made.root)
            assert made.warnings == ()

    def test_what_the_user_permits_comes_along(self, project: Path) -> None:
        write(project, ".env", "hidden")
        write(project, "config/tls.pem", "hidden")
        with Workspace.create(project, ("pkg",), allow_read=(project / "config",)) as made:
            assert "config/tls.pem" in files(made.root)
            assert ".env" not in files(made.root)
