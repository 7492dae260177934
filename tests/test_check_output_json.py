"""Findings of the check as JSON: a version, each field by its name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from checked_project import ODD_LINKS, ODD_PLACE, CheckedProject


@pytest.fixture
def project(tmp_path: Path) -> CheckedProject:
    return CheckedProject(tmp_path).require("ENC-1", "ENC-2").tests(ODD_LINKS, ODD_PLACE)


def test_json_holds_what_text_tells(project: CheckedProject) -> None:
    data = project.json().data
    assert {
        key: data[key] for key in ("version", "tests", "requirements", "tested", "percent")
    } == {
        "version": 1,
        "tests": 3,
        "requirements": 2,
        "tested": 1,
        "percent": 50.0,
    }
    assert (data["errors"], data["warnings"]) == (5, 2)
    assert len(data["problems"]) == 7
    (malformed,) = [found for found in data["problems"] if found["rule"] == "malformed-mark"]
    assert malformed == {
        "rule": "malformed-mark",
        "severity": "error",
        "file": ODD_PLACE,
        "line": 4,
        "column": 2,
        "end_line": 4,
        "end_column": 17,
        "what": "req names no requirement",
        "todo": 'write the ids as strings: @pytest.mark.req("ID")',
        "requirement": "",
        "test": f"{ODD_PLACE}::test_b",
    }


def test_output_goes_to_a_file(project: CheckedProject) -> None:
    found = project.check("--format=json", "--output=found.json")
    assert (found.code, found.out) == (1, "")
    assert json.loads((project.root / "found.json").read_text("utf-8"))["errors"] == 5
