"""The examples for CI services are run: their shell steps, in a repository with a real remote."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import SOURCE, Project
from lift_command import command

EXAMPLES = Path(__file__).parents[1] / "examples/ci"
TEST = 'import pytest\nfrom thing import double\n\n\n@pytest.mark.req("R-1")\ndef test_d():\n    """Doubles."""\n    assert double(21) == 42\n'
SECOND = TEST.replace("test_d", "test_l").replace("R-1", "R-2")
SHOUTS = '@pytest.mark.req("R-2")\ndef test_loud():\n    """Shouts."""\n    assert label("a", loud=True) == "A"\n'
INSTALLS = re.compile(r"^\s*(sudo |pip install|apt-get )")


def read(name: str) -> Any:
    return yaml.safe_load((EXAMPLES / name).read_text("utf-8"))


def shell_steps(
    steps: list[dict[str, Any]], key: str = "run"
) -> Iterator[tuple[str, dict[str, str]]]:
    """The scripts of a job without what installs, and the variables that they are given."""
    for step in steps:
        lines = [line for line in str(step.get(key, "")).splitlines() if not INSTALLS.match(line)]
        if any(line.strip() for line in lines):
            given = {k: str(v) for k, v in step.get("env", {}).items() if "secrets" not in str(v)}
            yield "\n".join(lines), given


@pytest.fixture
def repository(project: Project, tmp_path: Path) -> Project:
    """A project with tests and requirements, as a clone of a bare remote has it."""
    (project.root / "reqs.yml").rename(project.root / "requirements.yml")
    ini = "[pytest]\npythonpath = .\nmarkers =\n    req: links\n    emergent: why\n"
    ini += "lift_requirements = requirements.yml\n"
    project.write(
        {"tests/test_thing.py": TEST + SECOND[SECOND.index("@pytest") - 2 :], "pytest.ini": ini}
    )
    project.write({".gitignore": ".lift/\n__pycache__/\n.pytest_cache/\n"})
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    for name, text in {
        "pytest": f'exec "{sys.executable}" -m pytest "$@"',
        "pytest-lift": f'exec {shlex.join(command())} "$@"',
        "gh": f'echo "$@" >> "{tmp_path}/gh.log"',
    }.items():
        (bin_folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (bin_folder / name).chmod(0o755)
    project.git("init", "-q", "-b", "main")
    project.git("add", "-A")
    project.git("commit", "-qm", "all")
    project.git("clone", "-q", "--bare", ".", str(tmp_path / "remote.git"))
    project.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    project.git("fetch", "-q", "origin")
    return project


def shell(project: Project, script: str, **given: str) -> subprocess.CompletedProcess[str]:
    tools = project.root.parent / "bin"
    environ = project.environment(PYTHONPATH=str(SOURCE), CI="true", **given)
    environ["PATH"] = f"{tools}{os.pathsep}{environ['PATH']}"
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        cwd=project.root,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=240,
        check=False,
    )


def test_the_check_of_a_push_passes_and_fails(repository: Project, tmp_path: Path) -> None:
    steps = read("github-check.yml")["jobs"]["check"]["steps"]
    summary = tmp_path / "summary.md"
    scripts = list(shell_steps(steps))
    assert len(scripts) == 3
    for script, given in scripts:
        base = dict.fromkeys(given, "origin/main")
        done = shell(repository, script, GITHUB_STEP_SUMMARY=str(summary), **base)
        assert done.returncode == 0, done.stdout
    assert "2 of 2" in summary.read_text()
    repository.write({"tests/test_thing.py": TEST.replace("R-1", "R-9")})
    failed = [shell(repository, s, **dict.fromkeys(g, "origin/main")) for s, g in scripts[:2]]
    assert [done.returncode for done in failed] == [1, 1]
    assert "::error" in failed[0].stdout
    assert "has lost a test since the merge base" in failed[1].stdout


@pytest.mark.slow
def test_a_nightly_lift_pushes_a_branch_and_asks_for_a_review(
    repository: Project, tmp_path: Path
) -> None:
    """Where it gains something."""
    lift, request = shell_steps(read("github-nightly.yml")["jobs"]["lift"]["steps"])
    done = shell(repository, request[0], GH_TOKEN="x")
    assert (done.returncode, "nothing was gained" in done.stdout) == (0, True)
    assert "refs/heads/lift/" not in repository.git("ls-remote", "--heads", "origin")
    before = repository.read("tests/test_thing.py").replace("double", "double, label", 1)
    repository.script({"tests/test_thing.py": f"{before}\n\n{SHOUTS}"})
    repository.git("add", "-A", "-f", "conftest.py", ".script")
    repository.git("commit", "-qm", "agents")
    lifted = shell(repository, lift[0], **lift[1], LIFT_ITERATIONS="1")
    assert lifted.returncode == 0, lifted.stdout
    done = shell(repository, request[0], GH_TOKEN="x")
    assert done.returncode == 0, done.stdout
    assert "refs/heads/lift/" in repository.git("ls-remote", "--heads", "origin")
    assert "pr create --head lift/" in (tmp_path / "gh.log").read_text()
    told = repository.git("show", "--stat", "--format=", "HEAD")
    assert {line.split()[0] for line in told.splitlines()[:-1]} == {
        "tests/.lift.json",
        "tests/test_thing.py",
    }


def test_the_others_have_the_same_commands() -> None:
    """Their services are not here; what they call exists, with the options that it has."""
    gitlab = read("gitlab-ci.yml")
    azure = read("azure-pipelines.yml")
    lines = [*gitlab["requirements"]["script"], *gitlab["lift"]["script"]]
    for job in azure["jobs"]:
        lines += [
            line for text, _ in shell_steps(job["steps"], "script") for line in text.splitlines()
        ]
    lifts = [line for line in lines if "--lift" in line and line.startswith("pytest ")]
    assert len(lifts) == 4
    assert sum(line.startswith("pytest-lift check") for line in lines) == 2


def test_problems_of_the_check_are_read_by_the_editor(repository: Project) -> None:
    tasks = json.loads((EXAMPLES / "vscode/tasks.json").read_text())["tasks"]
    check = next(task for task in tasks if task["label"] == "lift: check links")
    pattern = re.compile(check["problemMatcher"]["pattern"]["regexp"])
    repository.write({"tests/test_thing.py": TEST.replace("R-1", "R-9")})
    done = shell(repository, check["command"])
    found = [match for line in done.stdout.splitlines() if (match := pattern.match(line))]
    assert found, done.stdout
    told = {(match[1], match[2], match[4], match[5]) for match in found}
    assert ("tests/test_thing.py", "5", "unknown-id", None) in told
    assert ("requirements.yml", "2", "uncovered", "warning") in told
