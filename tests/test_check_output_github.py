"""Findings as commands of GitHub Actions: annotations that no text can forge."""

from __future__ import annotations

from pathlib import Path

import pytest
from checked_project import ODD_LINKS, ODD_PLACE, CheckedProject


@pytest.fixture
def project(tmp_path: Path) -> CheckedProject:
    return CheckedProject(tmp_path).require("ENC-1", "ENC-2").tests(ODD_LINKS, ODD_PLACE)


def decoded(line: str) -> tuple[str, dict[str, str], str]:
    """(command, properties, message) as the runner of GitHub reads the line."""
    _, command, message = line.split("::", 2)
    kind, _, given = command.partition(" ")
    properties = dict(part.split("=", 1) for part in given.split(","))
    for old, new in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        properties = {key: value.replace(old, new) for key, value in properties.items()}
    for old, new in (("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        message = message.replace(old, new)
    return kind, properties, message


def test_github_reads_back_every_annotation(project: CheckedProject) -> None:
    problems = project.json().data["problems"]
    lines = project.check("--format=github").out.splitlines()
    assert len(lines) == len(problems) + 1
    for line, problem in zip(lines, problems, strict=False):
        kind, properties, message = decoded(line)
        assert kind == problem["severity"]
        assert properties["file"] == problem["file"]
        assert properties["title"] == f"pytest-lift: {problem['rule']}"
        assert int(properties["line"]) == problem["line"]
        assert message == f"{problem['what']}\n-> {problem['todo']}"
        assert int(properties["endColumn"]) >= int(properties["col"]) >= 1


def test_an_id_cannot_forge_a_command(tmp_path: Path) -> None:
    project = CheckedProject(tmp_path).require("ENC-1")
    project.tests(
        '@pytest.mark.req("x\\n::set-output name=a::b", "::stop::")\ndef test_a(): pass\n'
    )
    lines = project.check("--format=github").out.splitlines()
    assert [line.split(" ")[0] for line in lines[:-1]] == ["::warning", "::error", "::error"]
