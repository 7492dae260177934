"""`pytest-lift init`: settings, requirements and a hook; what is there already stays."""

from __future__ import annotations

import yaml
from conftest import Project

from pytest_lift.commands.init import with_hook

EXISTING = "repos:\n- repo: https://x.invalid/y\n  rev: v1\n  hooks:\n  - id: y\n"


def test_the_hook_is_added_to_what_is_there_and_once() -> None:
    made = with_hook(None)
    assert made is not None
    assert yaml.safe_load(made)["repos"][0]["hooks"][0]["id"] == "lift-check"
    assert with_hook(made) is None
    for before in (EXISTING, f"{EXISTING}\n# the end\nfail_fast: true\n", EXISTING.rstrip()):
        after = with_hook(before)
        assert after is not None
        assert [repo["repo"] for repo in yaml.safe_load(after)["repos"]] == [
            "https://x.invalid/y",
            "local",
        ]
        assert all(line in after.splitlines() for line in before.splitlines())
    for odd in ("repos: []\n", "[1]", "a: b", "repos: [", ""):
        assert with_hook(odd) is None


def test_a_project_without_anything_gets_all_of_it(project: Project) -> None:
    (project.root / "reqs.yml").unlink()
    (project.root / "setup.cfg").unlink()
    project.git("init", "-q")
    tried = project.command("init", "--dry-run")
    assert (tried.status, (project.root / "requirements.yml").exists()) == (0, False)
    done = project.command("init")
    assert done.status == 0
    assert "wrote requirements.yml: 2 drafts from docstrings" in done
    assert "lift_requirements" in project.read("pytest.ini")
    assert "lift-check" in project.read(".pre-commit-config.yaml")
    assert project.command("check").status == 0
    before = {path: path.read_bytes() for path in project.root.glob("*") if path.is_file()}
    again = project.command("init")
    assert again.status == 0
    assert "requirements.yml exists already and is not changed" in again
    assert "pytest's settings name requirements and marks already" in again
    assert ".pre-commit-config.yaml has the hook already" in again
    assert before == {path: path.read_bytes() for path in project.root.glob("*") if path.is_file()}


def test_marks_that_a_conftest_file_registers_are_there_already(project: Project) -> None:
    lines = [f"    config.addinivalue_line('markers', '{name}: x')" for name in ("req", "emergent")]
    project.write({"conftest.py": "\n".join(["def pytest_configure(config):", *lines, ""])})
    assert "markers" not in project.command("init", "--dry-run")


def test_a_place_outside_the_project_is_a_usage_error(project: Project) -> None:
    done = project.command("init", "--requirements", "../elsewhere.yml")
    assert done.status == 4
    assert "is not below the project" in done
    assert not (project.root.parent / "elsewhere.yml").exists()
