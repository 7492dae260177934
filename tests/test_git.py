"""git as it is asked: in its words where it complains, without what a repository configures."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from checked_project import CheckedProject
from linked_history import GONE, ONE, TWO, lost

from pytest_lift.errors import UsageError
from pytest_lift.files.git import Git, complaint, read_merge_base
from pytest_lift.project.project_files import project_files


@pytest.fixture
def git(tmp_path: Path) -> Git:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    return Git(tmp_path, "--base", "leave it out")


def hashed(git: Git, content: bytes) -> str:
    return git.told("hash-object", "-w", "--stdin", given=content).decode().strip()


def test_contents_come_byte_for_byte(git: Git) -> None:
    texts = {"a": b"one\ntwo", "b": b"", "c": b"x blob 3\n\n\x00\xff"}
    asked = [(path, hashed(git, text)) for path, text in texts.items()]
    assert git.contents(asked) == texts
    assert git.contents([]) == {}


def test_a_content_that_is_missing_is_named(git: Git) -> None:
    with pytest.raises(UsageError, match=r"git lacks the old content of tests/test_a\.py") as told:
        git.contents([("tests/test_a.py", "0" * 40)])
    assert (told.value.where, "fetch" in told.value.todo) == ("--base", True)


def test_its_complaint_is_told_without_its_head(git: Git) -> None:
    with pytest.raises(UsageError, match="git rev-parse failed: Needed a single revision"):
        git.told("rev-parse", "--verify", "none")
    assert git("rev-parse", "--verify", "none").returncode == 128


def test_what_a_repository_configures_is_not_started(git: Git, tmp_path: Path) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    hook = hooks / "pre-commit"
    hook.write_text("#!/bin/sh\ntouch started\nexit 1\n")
    hook.chmod(0o755)
    git.told("config", "core.hooksPath", str(hooks))
    who = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    git.told(*who, "commit", "-q", "--allow-empty", "-m", "x")
    assert not (tmp_path / "started").exists()


def test_a_folder_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as told:
        Git(tmp_path / "none", "--base", "leave it out")("status")
    assert "leave it out" in told.value.todo


@pytest.mark.parametrize(
    ("said", "told"),
    [(b"fatal: no\nmore", "no"), (b"warning: x", "warning: x"), (b"\n", "exit code 3")],
)
def test_the_first_line_of_a_complaint(said: bytes, told: str) -> None:
    assert complaint(subprocess.CompletedProcess([], 3, b"", said)) == told


@pytest.fixture
def project(tmp_path: Path) -> CheckedProject:
    return CheckedProject(tmp_path / "p").require("ENC-1", "ENC-2").tests(TWO).commit()


def test_the_common_ancestor_counts_not_the_other_branch(project: CheckedProject) -> None:
    project.git("checkout", "-qb", "mine")
    project.git("checkout", "-q", "main")
    project.tests(TWO + '\n\n@pytest.mark.req("ENC-1")\ndef test_theirs(): pass\n').commit()
    project.git("checkout", "-q", "mine")
    assert lost(project, "main") == []
    assert lost(project.tests(ONE).commit(), "main") == GONE


@pytest.mark.parametrize("name", ["tests/test_ü x.py", 'tests/test_"q".py', "tests/test_\n.py"])
def test_unusual_names_of_files(project: CheckedProject, name: str) -> None:
    project.tests('@pytest.mark.req("ENC-1")\ndef test_odd(): pass\n', name).commit()
    project.tests(ONE)
    (project.root / name).unlink()
    assert {test for _, _, test in lost(project)} == {f"{name}::test_odd", GONE[0][2]}


def test_contents_are_byte_exact(project: CheckedProject) -> None:
    texts = {"tests/test_b.py": "# é\r\nx = 1", "tests/test_c.py": "", "tests/test_d.py": "\n\n"}
    project.write(texts).commit()
    for name in texts:
        (project.root / name).unlink()
    found = read_merge_base(project.root, "HEAD", lambda path: path != "tests/test_a.py")
    assert found.old == {name: text.encode() for name, text in texts.items()}


def test_only_differing_files_are_read(project: CheckedProject) -> None:
    project.tests(TWO, "tests/test_b.py").commit().tests(ONE, "tests/test_b.py")
    project.tests(TWO, "tests/test_new.py")
    found = read_merge_base(project.root, "HEAD", lambda path: True)
    assert ([*found.old], found.new) == (["tests/test_b.py"], {"tests/test_new.py"})


def test_an_unknown_base(project: CheckedProject) -> None:
    found = project.check("--base=nowhere")
    assert found.code == 4
    assert "git knows no 'nowhere'" in found.err
    assert "git fetch origin nowhere" in found.err


def test_a_base_that_looks_like_an_option(project: CheckedProject) -> None:
    assert project.check("--base=--all").code == 4


def test_no_commit_yet(tmp_path: Path) -> None:
    project = CheckedProject(tmp_path).require("ENC-1").tests(ONE)
    project.git("init", "-q")
    found = project.check("--base=main")
    assert (found.code, "no commit yet" in found.err) == (4, True)


def test_no_common_ancestor(project: CheckedProject) -> None:
    project.git("checkout", "-q", "--orphan", "other")
    project.commit("other")
    found = project.check("--base=main")
    assert (found.code, "no common ancestor" in found.err) == (4, True)


def test_a_shallow_clone_says_how_to_deepen_it(project: CheckedProject) -> None:
    project.git("checkout", "-qb", "mine")
    project.tests(TWO + "\n").commit()
    project.git("checkout", "-q", "main")
    project.tests(TWO + "\n\n").commit()
    address = project.root.as_uri()
    project.git("clone", "-q", "--depth=1", "--no-single-branch", address, "../clone")
    found = CheckedProject(project.root.parent / "clone").check("--base=origin/mine")
    assert found.code == 4
    assert "the clone is shallow" in found.err
    assert "git fetch --unshallow" in found.err


def test_without_git(project: CheckedProject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(project.root))
    assert project.check().code == 0, "git is asked for nothing"
    found = project.check("--base=HEAD")
    assert (found.code, "git is not installed" in found.err) == (4, True)


def test_what_a_clone_configures_is_not_started(project: CheckedProject) -> None:
    """A clone may come with a configuration of its own, as an archive does."""
    project.tests('@pytest.mark.req("ENC-1")\ndef test_a(): pass\n').commit()
    trap = project.root / "trap"
    trap.write_text(f"#!/bin/sh\ntouch '{project.root}/sprung'\n", "utf-8")
    trap.chmod(0o755)
    for name in ("core.fsmonitor", "diff.external", "core.pager", "diff.trap.textconv"):
        project.git("config", name, str(trap))
    project.write({".gitattributes": "*.py diff=trap\n*.yml diff=trap\n"})
    (project.root / "sprung").unlink(missing_ok=True)
    project.tests('@pytest.mark.req("EMC-1")\ndef test_b(): pass\n')
    assert project.check("--base", "HEAD").code == 1
    project.check("--fix=ids")
    project_files(project.root, ())
    assert not (project.root / "sprung").exists()
