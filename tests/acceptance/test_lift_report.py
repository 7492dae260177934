"""A lift leaves a report that says how its suite came about, and that can be rendered again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import Project

FIRST = """
import pytest
from thing import double, label

@pytest.mark.req("R-1")
def test_double():
    \"\"\"Doubles.\"\"\"
    assert double(21) == 42
"""
SECOND = (
    FIRST
    + """

@pytest.mark.emergent("no requirement says so")
def test_label_without_a_name():
    \"\"\"Refuses an empty name.\"\"\"
    with pytest.raises(ValueError):
        label("")
"""
)


@pytest.fixture
def lifted(project: Project) -> Project:
    project.script(FIRST, SECOND)
    result = project.lift("--lift-iterations=2")
    assert result.status == 0, result.text
    assert "report: .lift/report/index.html" in result
    return project


def stored(project: Project) -> dict[str, Any]:
    path = project.root / ".lift/history" / project.outcome["run"] / "report.json"
    data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return data


def test_it_tells_what_an_iteration_changed_and_gates_hold(project: Project) -> None:
    result = project.script(FIRST).lift("--lift-iterations=1", "--lift-fail-under=60")
    assert result.status == 1
    told = "threshold missed: verified requirements 50.0 %, wanted 60 % (--lift-fail-under)"
    assert told in result
    assert "report: .lift/report/index.html" in result
    data = stored(project)
    assert [(i["number"], i["added"], i["gained"], i["lost"]) for i in data["iterations"]] == [
        (0, [], [], []),
        (1, ["tests/test_thing.py::test_double"], ["R-1"], []),
    ]
    assert data["requirements"][0]["history"] == [
        {"iteration": 0, "status": "uncovered"},
        {"iteration": 1, "status": "verified"},
    ]
    (link,) = data["requirements"][0]["links"]
    assert (link["grade"], link["basis"]) == ("verified", "example")
    assert link["evidence"] == {"named": ["double"], "executed": ["double"]}
    (gaps,) = data["gap_files"]
    assert (gaps["path"], data["line_percent"] < 100) == ("thing.py", True)
    assert "test_double" in (project.root / ".lift/report/index.html").read_text("utf-8")


@pytest.mark.slow
def test_it_tells_what_each_iteration_changed(lifted: Project) -> None:
    data = stored(lifted)
    told = [(i["number"], i["added"], i["gained"], i["lost"]) for i in data["iterations"]]
    assert told == [
        (0, [], [], []),
        (1, ["tests/test_thing.py::test_double"], ["R-1"], []),
        (2, ["tests/test_thing.py::test_label_without_a_name"], [], []),
    ]
    history = data["requirements"][0]["history"]
    assert history == [
        {"iteration": 0, "status": "uncovered"},
        {"iteration": 1, "status": "verified"},
    ]
    (link,) = data["requirements"][0]["links"]
    assert (link["grade"], link["basis"]) == ("verified", "example")
    assert link["evidence"] == {"named": ["double"], "executed": ["double"]}
    assert {test["standing"] for test in data["tests"]} == {"linked", "emergent"}
    (gaps,) = data["gap_files"]
    assert (gaps["path"], data["line_percent"] < 100) == ("thing.py", True)
    page = (lifted.root / ".lift/report/index.html").read_text("utf-8")
    assert "test_label_without_a_name" in page


@pytest.mark.slow
def test_it_is_rendered_again_from_the_history(lifted: Project) -> None:
    page = lifted.root / ".lift/report/index.html"
    before = page.read_bytes()
    page.unlink()
    result = lifted.command("report", "--to=html", "--to=csv:m.csv")
    assert (result.status, page.read_bytes()) == (0, before), result.text
    assert (lifted.root / "m.csv").read_text("utf-8").startswith("requirement,title")
    (lifted.root / ".lift/history" / lifted.outcome["run"] / "report.json").unlink()
    result = lifted.command("report")
    assert result.status == 4
    assert "no run has a report" in result


@pytest.mark.slow
def test_a_resumed_run_goes_on_with_its_curves(lifted: Project) -> None:
    lifted.write(
        {
            ".script/3/tests/test_thing.py": SECOND.replace(
                "double(21)", "double(4) == 8 and double(21)"
            )
        }
    )
    result = lifted.lift("--lift-resume", "--lift-iterations=3")
    assert result.status == 0, result.text
    rows = stored(lifted)["iterations"]
    assert [row["number"] for row in rows] == [0, 1, 2, 3]
    assert [row["added"] for row in rows[:3]] == [
        [],
        ["tests/test_thing.py::test_double"],
        ["tests/test_thing.py::test_label_without_a_name"],
    ]


@pytest.mark.slow
def test_two_runs_are_compared(lifted: Project) -> None:
    first = lifted.outcome["run"]
    mine = FIRST.replace("R-1", "R-2").replace("_double", "_mine")
    mine = mine.replace("double(21) == 42", "label('a')")
    lifted.write({"tests/test_mine.py": mine})
    result = lifted.lift("--lift-iterations=1")
    assert result.status == 0, result.text
    result = lifted.command("diff", first, lifted.outcome["run"])
    assert result.status == 0, result.text
    assert "requirements gained (1):" in result
    assert "R-2 (labels): uncovered -> verified" in result
