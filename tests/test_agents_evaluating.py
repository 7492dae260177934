"""Facts outrank a judge, and a judge's word counts only with words of the requirement."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mutated_shop import mutation as mutants
from passing_brief import HALF, NAME, passing_brief
from spoken_model import SpokenModel, calls, says

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.evaluator import evaluator as computed
from pytest_lift.agents.prompted.evaluating import evaluate
from pytest_lift.agents.prompted.roles import Prompts
from pytest_lift.agents.prompted.team import Team
from pytest_lift.findings.finding import GAIN, Finding
from pytest_lift.llm.values import ModelError, ModelRequest
from pytest_lift.run.result import Run
from pytest_lift.trace.trace import trace_run

FINE = {"test": HALF, "requirement": "R-1", "grade": "verifies", "sentence": "Half of ten is five."}
THREE = {
    "test": NAME,
    "requirement": "R-2",
    "grade": "verifies",
    "sentence": "It has three letters.",
}


def finish(verdict: str = "REWORK", **others: Any) -> Any:
    return calls(("finish", {"verdict": verdict, "summary": "It is so.", **others}))


@pytest.fixture
def brief(tmp_path: Path) -> Brief:
    return passing_brief(tmp_path)


def judge(brief: Brief, *answers: Any) -> tuple[Any, SpokenModel]:
    model = SpokenModel(answers)
    return asyncio.run(evaluate(brief, Team(model, Prompts()))), model


def test_grades_with_their_sentences_make_a_suite_final(brief: Brief) -> None:
    told, model = judge(brief, finish("FINAL", grades=[FINE, THREE]))
    assert told.verdict == "FINAL"
    assert [(one.test, one.grade, one.sentence) for one in told.link_grades] == [
        (HALF, "verifies", "Half of ten is five."),
        (NAME, "verifies", "It has three letters."),
    ]
    assert told.link_grades[0].checks == ("half(10) == 5",)
    text = model.asked[0].messages[1].text
    assert f"- {HALF} -> R-1" in text
    assert "assert half(10) == 5" in text
    assert "write_test_file" not in [tool.name for tool in model.asked[0].tools]


def test_final_against_the_facts_is_sent_back_and_then_overruled(brief: Brief) -> None:
    answer = finish("FINAL", grades=[FINE, {**THREE, "grade": "touches"}])
    told, model = judge(brief, answer, answer)
    assert "FINAL contradicts the facts: no test verifies R-2" in model.asked[1].messages[-1].text
    assert told.verdict == "REWORK"
    assert told.summary == "It is so. Not final: no test verifies R-2."


def test_failing_tests_are_not_final(brief: Brief) -> None:
    failing = Finding("failing", "it fails", tests=(HALF,), gain=100)
    told, _ = judge(
        replace(brief, findings=(failing,)), *[finish("FINAL", grades=[FINE, THREE])] * 2
    )
    assert told.verdict == "REWORK"
    assert "1 kinds of failures are open" in told.summary


def test_a_grade_without_words_of_the_requirement_only_touches(brief: Brief) -> None:
    answer = finish(grades=[{**FINE, "sentence": "Half of anything."}, THREE])
    told, model = judge(brief, answer, answer)
    assert "R-1 does not say 'Half of anything.'" in model.asked[1].messages[-1].text
    assert [one.grade for one in told.link_grades] == ["touches", "verifies"]
    assert told.link_grades[0].sentence == ""


def test_grades_that_nobody_asked_for_do_not_count(brief: Brief) -> None:
    other = {"test": HALF, "requirement": "R-2", "grade": "unrelated"}
    told, model = judge(brief, finish(grades=[FINE, other]), finish(grades=[FINE, other]))
    assert f"no grade for {NAME} -> R-2" in model.asked[1].messages[-1].text
    assert [(one.test, one.requirement) for one in told.link_grades] == [(HALF, "R-1")]


def test_what_is_missing_weak_or_doubtful_becomes_a_finding(brief: Brief) -> None:
    told, _ = judge(
        brief,
        finish(
            grades=[FINE, {**THREE, "grade": "unrelated"}],
            missing=[{"requirement": "R-1", "behaviour": "odd numbers", "values": "half(3)"}, {"requirement": "R-9", "behaviour": "x"}],
            weak=[{"test": NAME, "why": "any name of three letters passes", "todo": "compare it"}, {"test": "tests/none.py::t", "why": "w", "todo": "t"}],
        ),
    )  # fmt: skip
    assert [(f.kind, f.requirement or f.tests[0]) for f in told.findings] == [
        ("missing-behaviour", "R-1"),
        ("weak-assertion", NAME),
        ("doubtful-link", "R-2"),
    ]


def test_where_facts_decide_nobody_is_asked(brief: Brief) -> None:
    empty = replace(
        brief, run=Run("passed"), trace=trace_run(brief.requirements, Run("passed"), brief.suite)
    )
    told, model = judge(empty)
    assert (told.verdict, len(model.asked)) == ("REWORK", 0)


def test_a_gap_alone_is_worth_a_question(brief: Brief) -> None:
    gap = Finding("uncovered-branch", "a gap", "pkg/mod.py", 1, gain=1)
    told, model = judge(replace(brief, trace=None, findings=(gap,)), finish("FINAL"))
    assert (told.verdict, told.summary, len(model.asked)) == ("FINAL", "It is so.", 1)
    assert "a gap" in model.asked[0].messages[1].text


def survivor(line: int, gain: float = GAIN["surviving-mutant"]) -> Finding:
    return Finding("surviving-mutant", f"fault {line}", "pkg/mod.py", line, gain=gain)


def test_a_judge_is_told_of_mutants_where_they_are_measured(brief: Brief, tmp_path: Path) -> None:
    found = tuple(survivor(line) for line in range(1, 30))
    mutation = mutants("killed", "survived", "untested")
    measured = replace(
        brief, trace=None, findings=found, mutation=mutation, mutated=tmp_path / "mutants"
    )
    told, model = judge(measured, finish("FINAL"))
    assert told.verdict == "FINAL"
    system, user = (message.text for message in model.asked[0].messages[:2])
    assert "A mutant that survives is a fault" in system
    assert "33.3 % of 3 mutants (small faults) are detected; 1 survive" in user
    assert "fault 10 " in user
    assert "fault 11 " not in user
    assert computed(measured).verdict == "REWORK"


def test_without_mutants_nobody_hears_of_them(brief: Brief) -> None:
    _, model = judge(replace(brief, trace=None), finish("FINAL"))
    assert "mutant" not in "".join(message.text for message in model.asked[0].messages[:2])


def test_mutants_that_many_calls_do_not_show_keep_nothing_from_being_final(brief: Brief) -> None:
    hard = survivor(1, GAIN["surviving-mutant"] / 2)
    assert computed(replace(brief, findings=(hard,))).verdict == "FINAL"
    assert computed(replace(brief, findings=(hard, survivor(2)))).verdict == "REWORK"


def test_a_judge_who_says_nothing_leaves_the_computed_verdict(brief: Brief) -> None:
    told, _ = judge(brief, says("a"), says("b"), says("c"))
    assert (told.verdict, told.link_grades) == ("REWORK", ())


def test_each_judge_answers_for_its_own_part(brief: Brief) -> None:
    """Links that do not fit into one conversation: none has to wait for the grades of another."""

    def answer(request: ModelRequest) -> Any:
        links = request.messages[1].text.partition("## Links to grade")[2]
        rows = [row for row in (FINE, THREE) if f"{row['test']} -> {row['requirement']}" in links]
        return finish("FINAL", grades=rows)

    model = SpokenModel(answer, context=400)
    told = asyncio.run(evaluate(brief, Team(model, Prompts())))
    assert len(model.asked) == 2
    assert told.verdict == "FINAL"
    assert len(told.link_grades) == 2


@pytest.mark.parametrize("kind", ["budget", "key", "overflow", "refusal"])
def test_that_a_judge_could_not_be_asked_is_said(brief: Brief, kind: Any) -> None:
    people = Team(SpokenModel(lambda request: ModelError(kind, "the model is gone")), Prompts())
    feedback = asyncio.run(evaluate(brief, people))
    assert (feedback.verdict, feedback.asked) == ("REWORK", False)
    said = people.take_unasked()
    assert said, kind
    told = "not sent: the model is gone" if kind == "overflow" else "gave no answer (2 links"
    assert all(told in one for one in said)
    assert people.take_unasked() == ()


def test_a_judge_that_answers_is_nothing_to_speak_of(brief: Brief) -> None:
    people = Team(SpokenModel([finish("FINAL", grades=[FINE, THREE])]), Prompts())
    asyncio.run(evaluate(brief, people))
    assert people.take_unasked() == ()


def test_a_judge_is_told_what_was_turned_down_and_why(brief: Brief) -> None:
    lost = Finding("refused", "the candidate lost 1 covered line", todo="keep what it lost")
    _, model = judge(replace(brief, findings=(lost,)), finish("FINAL", grades=[FINE, THREE]))
    text = model.asked[0].messages[1].text
    down = text.partition("Turned down in this round:\n")[2]
    assert down.startswith("- [refused] the candidate lost 1 covered line -> keep what it lost")
