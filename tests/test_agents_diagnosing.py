"""A debugger answers for every cluster that rules cannot mend, and for no other."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from passing_brief import HALF, passing_brief
from spoken_model import SpokenModel, calls, says

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.diagnosing import diagnose
from pytest_lift.agents.prompted.roles import Prompts
from pytest_lift.agents.prompted.team import Team
from pytest_lift.findings.finding import Finding
from pytest_lift.llm.values import ModelError
from pytest_lift.run.result import Failure, Run, TestResult


@pytest.fixture
def brief(tmp_path: Path) -> Brief:
    return passing_brief(tmp_path)


def failing_brief(brief: Brief, kind: str, message: str) -> Brief:
    failure = Failure(
        "call",
        kind,
        message,
        "tests/test_mod.py",
        8,
        f"E   {kind}: {message}",
        (("pkg/mod.py", 2, "half"),),
    )
    run = Run("failed", {HALF: TestResult(HALF, "failed", 0.1, failure, requirements=("R-1",))})
    finding = Finding(
        "failing",
        f"{HALF} fails: {kind}: {message}",
        "tests/test_mod.py",
        8,
        tests=(HALF,),
        evidence=failure.traceback,
        gain=100,
    )
    return replace(brief, mode="correct", run=run, findings=(finding,))


DIAGNOSIS = {
    "number": 1,
    "cause_class": "test",
    "cause": "Half of 10 is 5.",
    "evidence": "assert half(10) == 6",
    "fix": "expect 5",
    "diff": "-6\n+5",
}


def diagnosed(brief: Brief, *answers: Any) -> tuple[Any, SpokenModel]:
    model = SpokenModel(answers)
    return asyncio.run(diagnose(brief, Team(model, Prompts()))), model


def test_a_diagnosis_per_cluster_with_test_source_and_requirement_at_hand(brief: Brief) -> None:
    answer = calls(
        ("finish", {"diagnoses": [DIAGNOSIS, {**DIAGNOSIS, "number": 9}], "summary": "One."})
    )
    told, model = diagnosed(failing_brief(brief, "AssertionError", "assert 5 == 6"), answer)
    assert (told.role, told.verdict, told.summary) == ("debugger", "FIX", "One.")
    (finding,) = told.findings
    assert finding.todo == "(test) Half of 10 is 5. Fix: expect 5"
    assert "quoted: assert half(10) == 6" in finding.evidence
    text = model.asked[0].messages[1].text
    for part in (
        "AssertionError: assert 5 == 6",
        "def test_half():",
        "### R-1",
        "    2     return x // 2",
    ):
        assert part in text


def test_a_mechanical_cause_is_nobodys_question(brief: Brief) -> None:
    told, model = diagnosed(failing_brief(brief, "NameError", "name 'half' is not defined"))
    assert model.asked == []
    assert told.findings[0].todo == "add `from pkg.mod import half`"


def test_without_a_diagnosis_the_rules_speak(brief: Brief) -> None:
    told, _ = diagnosed(failing_brief(brief, "ValueError", "no"), says("a"), says("b"), says("c"))
    assert told.findings[0].todo


def test_that_a_debugger_could_not_be_asked_is_said(brief: Brief) -> None:
    people = Team(SpokenModel([ModelError("budget", "used up")]), Prompts())
    told = asyncio.run(diagnose(failing_brief(brief, "ValueError", "no"), people))
    assert (told.findings[0].todo != "", told.asked) == (True, False)
    (unasked,) = people.take_unasked()
    assert (unasked.startswith("the debugger "), unasked.endswith(": used up")) == (True, True)
