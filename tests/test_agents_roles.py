"""Prompts are rendered from facts alone, and a project may replace or extend them."""

from __future__ import annotations

from pathlib import Path

import pytest
from brief_of import asked, brief_of

from pytest_lift.agents.prompted.roles import EVALUATOR, EXPECT, GENERATOR, ROLES, Prompts
from pytest_lift.errors import UsageError

PROGRAM = {"pkg/__init__.py": ""}


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.name)
def test_every_role_has_all_parts_of_its_prompt(tmp_path: Path, role: object) -> None:
    brief = brief_of(tmp_path, PROGRAM, requirements=(asked("R-1", "t"),))
    text = Prompts().system(role, brief)  # type: ignore[arg-type]
    for part in (
        "Role",
        "Environment",
        "Workflow",
        "Expected output",
        "Conversation",
        "Principles",
    ):
        assert text.count(f"# {part}\n") == 1
    assert "Python package pkg" in text
    assert "{{" not in text
    assert "{%" not in text


def test_without_requirements_no_word_of_them(tmp_path: Path) -> None:
    text = Prompts().system(GENERATOR, brief_of(tmp_path, PROGRAM))
    assert "mark.req" not in text
    assert "report_contradiction" not in text


def test_the_place_where_the_copy_is_is_not_told(tmp_path: Path) -> None:
    brief = brief_of(tmp_path, PROGRAM)
    assert str(tmp_path) not in Prompts().system(GENERATOR, brief)


def test_a_project_replaces_or_extends_a_prompt(tmp_path: Path) -> None:
    folder = tmp_path / "prompts"
    folder.mkdir()
    (folder / "expect.md").write_text("Only this for {{ program }}.\n")
    (folder / "generator.md").write_text(
        '{% extends "builtin/generator.md" %}\n{% block principles %}{{ super() }}- Our own rule.\n{% endblock %}'
    )
    prompts, brief = Prompts(folder), brief_of(tmp_path, PROGRAM)
    prompts.check()
    assert prompts.system(EXPECT, brief) == "Only this for pkg.\n"
    extended = prompts.system(GENERATOR, brief)
    assert "# Workflow" in extended
    assert extended.rstrip().endswith("- Our own rule.")
    assert prompts.system(EVALUATOR, brief) == Prompts().system(EVALUATOR, brief)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{{ secret }}", "'secret' is undefined"),
        ("{% block x %}", "Unexpected end of template"),
        ("{{ ''.__class__.__mro__ }}", "unsafe"),
        ('{% include "none.md" %}', "none.md"),
    ],
)
def test_a_prompt_that_cannot_be_rendered_is_the_users_to_mend(
    tmp_path: Path, text: str, reason: str
) -> None:
    folder = tmp_path / "prompts"
    folder.mkdir()
    (folder / "expect.md").write_text(text)

    def used() -> None:
        Prompts(folder).check()
        Prompts(folder).system(EXPECT, brief_of(tmp_path, PROGRAM))

    with pytest.raises(UsageError) as caught:
        used()
    assert reason in str(caught.value)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a folder"):
        Prompts(tmp_path / "none").check()
