"""Promise: as a pre-commit hook the check refuses what breaks a link, deleted tests included."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
HOOKS = ".pre-commit-hooks.yaml"
FILES = {
    "pytest.ini": "[pytest]\nlift_requirements = requirements.yml\n",
    "requirements.yml": (
        "enc:\n"
        "  - {id: ENC-1, title: one, description: it is one, acceptance: it is}\n"
        "  - {id: ENC-2, title: two, description: it is two, acceptance: it is}\n"
    ),
    "tests/test_one.py": 'import pytest\n\n\n@pytest.mark.req("ENC-1")\ndef test_one(): pass\n',
    "tests/test_two.py": 'import pytest\n\n\n@pytest.mark.req("ENC-2")\ndef test_two(): pass\n',
}
CONFIG = """\
repos:
  - repo: {repository}
    rev: {revision}
    hooks:
      - id: {hook}
        args: [--base, HEAD]
"""


@dataclass(frozen=True)
class Repository:
    """A git repository, and the environment in which commands run in it."""

    root: Path
    environ: dict[str, str]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.root,
            env=self.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=600,
        )

    def git(self, *arguments: str) -> str:
        done = self.run("git", *arguments)
        assert done.returncode == 0, done.stdout
        return done.stdout.strip()

    def commit(self, message: str = "change") -> tuple[bool, str]:
        """(whether git took it, what was said)."""
        self.git("add", "-A")
        done = self.run("git", "commit", "-m", message)
        return done.returncode == 0, done.stdout

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text, encoding="utf-8")


def environment(base: Path) -> dict[str, str]:
    """With the command on PATH, and nothing of the user's own settings of git and pre-commit."""
    script = base / "bin" / "pytest-lift"
    script.parent.mkdir()
    script.write_text(
        f"#!{sys.executable}\nimport sys\nfrom pytest_lift.cli import main\nsys.exit(main())\n",
        encoding="utf-8",
    )
    script.chmod(0o755)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "PRE_COMMIT"))}
    return {
        **kept,
        "PATH": f"{script.parent}{os.pathsep}{kept['PATH']}",
        "PRE_COMMIT_HOME": str(base / "pre-commit"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        **{
            f"GIT_{who}_{what}": "a@localhost"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        },
    }


def make(base: Path, hook: str, published: Repository) -> Repository:
    """A project whose commits run the hook; its first commit has passed it."""
    project = Repository(base / "project", published.environ)
    project.write(FILES)
    revision = published.git("rev-parse", "HEAD")
    config = CONFIG.format(repository=published.root, revision=revision, hook=hook)
    project.write({".pre-commit-config.yaml": config})
    project.git("init", "-q")
    project.git("add", "-A")
    project.git("commit", "-qm", "first", "--no-verify")
    done = project.run(sys.executable, "-m", "pre_commit", "install")
    assert done.returncode == 0, done.stdout
    return project


@pytest.fixture
def project(tmp_path: Path) -> Repository:
    published = Repository(tmp_path / "published", environment(tmp_path))
    published.write({HOOKS: (PROJECT / HOOKS).read_text("utf-8")})
    published.git("init", "-q")
    assert published.commit()[0]
    return make(tmp_path, "lift-check", published)


def test_a_good_commit_is_taken(project: Repository) -> None:
    project.write({"tests/test_one.py": FILES["tests/test_one.py"] + "\n\ndef test_more(): pass\n"})
    taken, said = project.commit()
    assert taken, said
    assert "links between tests and requirements" in said
    assert "Passed" in said


def test_an_unknown_id_is_refused(project: Repository) -> None:
    project.write({"tests/test_one.py": FILES["tests/test_one.py"].replace("ENC-1", "EMC-1")})
    taken, said = project.commit()
    assert not taken
    assert "tests/test_one.py:4:18: unknown-id: no requirement 'EMC-1'" in said
    assert "did you mean 'ENC-1'?" in said


def test_a_commit_that_only_deletes_a_linked_test_is_refused(project: Repository) -> None:
    (project.root / "tests/test_one.py").unlink()
    taken, said = project.commit()
    assert not taken, said
    assert "deleted-link: 'ENC-1' has lost a test" in said
    assert project.git("log", "--oneline").count("\n") == 0


def test_a_commit_that_removes_requirement_and_test_is_taken(project: Repository) -> None:
    (project.root / "tests/test_one.py").unlink()
    lines = FILES["requirements.yml"].splitlines(True)
    project.write({"requirements.yml": lines[0] + lines[2]})
    taken, said = project.commit()
    assert taken, said


def test_what_is_not_staged_does_not_count(project: Repository) -> None:
    """pre-commit puts unstaged changes away: the check sees what is about to be committed."""
    project.write({"notes.txt": "x"})
    project.git("add", "notes.txt")
    broken = FILES["tests/test_one.py"].replace("ENC-1", "EMC-1")
    project.write({"tests/test_one.py": broken})
    done = project.run("git", "commit", "-m", "notes")
    assert done.returncode == 0, done.stdout
    assert (project.root / "tests/test_one.py").read_text("utf-8") == broken


@pytest.mark.slow
def test_the_pinned_hook_brings_its_own_command(tmp_path: Path) -> None:
    environ = environment(tmp_path)
    (tmp_path / "bin/pytest-lift").write_text("#!/bin/sh\nexit 9\n", encoding="utf-8")
    published = Repository(tmp_path / "published", environ)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PROJECT / "src", published.root / "src", ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE", HOOKS):
        shutil.copy(PROJECT / name, published.root / name)
    published.git("init", "-q")
    assert published.commit()[0]
    project = make(tmp_path, "lift-check-pinned", published)
    project.write({"notes.txt": "x"})
    taken, said = project.commit()
    assert taken, said
    (project.root / "tests/test_one.py").unlink()
    taken, said = project.commit()
    assert not taken, said
    assert "deleted-link: 'ENC-1' has lost a test" in said
