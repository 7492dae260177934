"""Every link gets a judge, who is told what was refused, and is held to what the message is about."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from brief_of import asked, brief_of
from passing_brief import HALF, NAME, PROGRAM, R1, R2, passing_brief
from scripted_model import Body, Reply, call
from served_team import message, results, served

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.evaluating import evaluate
from pytest_lift.findings.finding import Finding
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.run.result import Run, TestResult
from pytest_lift.suite.suite import Edit, Suite
from pytest_lift.trace.trace import trace_run

R3 = asked("R-3", "`half` of nothing is nothing.", acceptance="Nothing comes of nothing.")


def with_links(tmp_path: Path, many: int) -> Brief:
    """A suite with as many tests that are linked to R-1."""
    head = "import pytest\nfrom pkg.mod import half\n"
    one = '\n\n@pytest.mark.req("R-1")\ndef test_{n}():\n    """Halves."""\n    assert half({n}) < {n}\n'
    text = head + "".join(one.format(n=n) for n in range(1, many + 1))
    suite = Suite("tests").apply(Edit({"tests/test_mod.py": text}))
    brief = brief_of(tmp_path, PROGRAM, requirements=(R1,), suite=suite, mode="refine")
    nodes = [f"tests/test_mod.py::test_{n}" for n in range(1, many + 1)]
    run = Run("passed", {n: TestResult(n, "passed", 0.0, requirements=("R-1",)) for n in nodes})
    return replace(brief, run=run, trace=trace_run(brief.requirements, run, suite))


def touching(body: Body, number: int) -> Reply:
    links = re.findall(r"^- (\S+::\S+) -> (\S+)$", message(body), re.M)
    rows = [{"test": t, "requirement": r, "grade": "touches"} for t, r in links]
    return call("finish", verdict="REWORK", summary="So.", grades=rows)


def grades(*verified: tuple[str, str, str]) -> list[dict[str, str]]:
    return [
        {"test": test, "requirement": name, "grade": "verifies", "sentence": sentence}
        for test, name, sentence in verified
    ]


BOTH = grades((HALF, "R-1", "Half of ten is five."), (NAME, "R-2", "It has three letters."))


@pytest.mark.parametrize(("many", "conversations"), [(41, 2), (400, 10)])
def test_each_link_is_graded_however_many_there_are(
    tmp_path: Path, many: int, conversations: int
) -> None:
    told, requests = served(evaluate, with_links(tmp_path, many), touching)
    assert len(requests) == conversations
    assert len(told.link_grades) == many


def test_final_is_not_refused_for_what_the_message_does_not_tell(tmp_path: Path) -> None:
    """R-3 has no test; there is neither a link nor a finding of it in the message."""
    base = passing_brief(tmp_path)
    items = Requirements((R1, R2, R3))
    assert base.run is not None
    brief = replace(base, requirements=items, trace=trace_run(items, base.run, base.suite))
    final = call("finish", verdict="FINAL", summary="Enough.", grades=BOTH)
    told, requests = served(evaluate, brief, [final])
    assert len(requests) == 1
    assert told.verdict == "REWORK"
    assert told.summary == "Enough. Not final: no test verifies R-3."


def test_final_is_refused_for_an_open_requirement_that_the_message_tells(tmp_path: Path) -> None:
    base = passing_brief(tmp_path)
    items = Requirements((R1, R2, R3))
    untested = Finding("requirement-untested", "R-3: no test names it", requirement="R-3", gain=10)
    assert base.run is not None
    trace = trace_run(items, base.run, base.suite)
    brief = replace(base, requirements=items, trace=trace, findings=(untested,))
    final = call("finish", verdict="FINAL", summary="Enough.", grades=BOTH)
    _, requests = served(evaluate, brief, [final, final])
    assert "FINAL contradicts the facts: no test verifies R-3" in results(requests[1])[-1]
