"""Ten shapes of a linked test x thirteen outcomes: the same status in every shape, from a session
of pytest, with xdist, and, as far as nothing has to run for it, from the check."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from conftest import Project
from shapes_and_outcomes import OUTCOMES, SHAPES, cells, expected, files

HAS_SUBTESTS = hasattr(pytest, "Subtests")  # since pytest 9
TABLE = {identity: (shape, outcome) for identity, shape, outcome in cells()}


def statuses(project: Project, *options: str) -> dict[str, Mapping[str, Any]]:
    result = project.pytest("--requirements=reqs.yml", "--lift-report=json:out.json", *options)
    assert "internal error" not in result.text.lower(), result.text
    data = json.loads((project.root / "out.json").read_text("utf-8"))
    return {item["id"]: item for item in data["requirements"]}


def differences(found: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[str, str]]:
    """Cell -> (status, what it should be)."""
    wanted = {identity: expected(*cell) for identity, cell in TABLE.items()}
    return {
        identity: (found[identity]["status"], status)
        for identity, status in wanted.items()
        if (HAS_SUBTESTS or TABLE[identity][0] != "subtests")
        and found[identity]["status"] != status
    }


def test_the_table_is_large_enough() -> None:
    assert len(TABLE) == len(SHAPES) * len(OUTCOMES) >= 120


@pytest.mark.parametrize("options", [(), ("-n", "2")], ids=["alone", "with xdist"])
def test_each_shape_and_outcome_has_its_status(project: Project, options: tuple[str, ...]) -> None:
    project.write(files())
    assert differences(statuses(project, *options)) == {}


def test_the_check_knows_each_shape_that_is_written_down(project: Project) -> None:
    project.write(files())
    result = project.command("check", "--requirements=reqs.yml", "--format=json")
    uncovered = {
        one["requirement"]
        for one in json.loads(result.text)["problems"]
        if one["rule"] == "uncovered"
    }
    by_a_fixture = {identity for identity, (shape, _) in TABLE.items() if shape == "fixture"}
    never = {identity for identity, (_, outcome) in TABLE.items() if outcome == "skip"}
    assert uncovered == by_a_fixture | never, (
        "whose marks only running them tells, or which never run"
    )
    without = {
        identity for identity, cell in TABLE.items() if expected(*cell) in ("uncovered", "not-run")
    }
    assert never <= without
