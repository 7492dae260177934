"""What agents judge beside tests reaches the lift, and only with words that stand where they say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from brief_of import asked, brief_of
from mutated_shop import mutation, program
from passing_brief import passing_brief
from sample_texts import PROGRAM as SHOP
from scripted_model import call, calls
from served_team import message, results, served

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.evaluating import evaluate
from pytest_lift.agents.prompted.expecting import expect
from pytest_lift.agents.prompted.generating import generate
from pytest_lift.agents.prompted.packets import PacketPlanner
from pytest_lift.findings.finding import Finding
from pytest_lift.findings.test_quality import survivor_findings
from pytest_lift.mutation.mutation import Mutant, Mutation
from pytest_lift.requirements.doubtful import DoubtfulRequirement
from pytest_lift.requirements.requirement import Expectation

PROGRAM = {
    "pkg/__init__.py": "",
    "pkg/ship.py": "def shipping(total):\n    return 0 if total >= 50 else 5\n",
    "pkg/dates.py": "def workdays(start, end):\n    return end - start\n",
}
SHIP = asked("S-1", "`shipping` is free from 50 on. An order of 50 costs 5.")
TOLL = asked("T-1", "Nothing is ever free.")
BOTH = {"requirement": "S-1", "quote": "free from 50 on", "other_quote": "An order of 50 costs 5", "why": "50 is both."}  # fmt: skip
DONE = ("finish", {"summary": "done"})
KNOWN = DoubtfulRequirement(
    "S-1", "free from 50 on", "S-1", "An order of 50 costs 5", "50 is both."
)


def untested(name: str) -> Finding:
    return Finding("requirement-untested", f"{name}: untested", requirement=name, gain=10)


def gap(path: str) -> Finding:
    return Finding("uncovered-branch", f"a gap in {path}", path, 1, gain=1)


def shipping(tmp_path: Path) -> Brief:
    return brief_of(
        tmp_path, PROGRAM, requirements=(SHIP, TOLL), findings=(untested("S-1"), untested("T-1"))
    )


def test_a_doubtful_requirement_is_reported_with_words_of_both_sides(tmp_path: Path) -> None:
    script = [
        call("report_doubtful_requirement", **{**BOTH, "other_quote": "costs 7"}),
        calls(("report_doubtful_requirement", BOTH), ("report_doubtful_requirement", {**BOTH, "why": "x"})),
        calls(DONE),
    ]  # fmt: skip
    edit, requests = served(generate, shipping(tmp_path), script)
    wrong, right, again = results(requests[2])
    assert wrong == "not done: S-1 does not say 'costs 7': copy its words"
    assert right == "written down for its author; write no test of either side"
    assert again == "it is written down already"
    assert edit.doubts == (KNOWN,)
    assert edit.files == {}


def test_it_has_a_place_among_expectations(tmp_path: Path) -> None:
    holds = {"requirement": "T-1", "sentence": "Nothing is ever free", "call": "shipping(1) > 0", "relation": "holds"}  # fmt: skip
    wrong = {**BOTH, "other": "T-1", "other_quote": "All is free"}
    script = [
        call("finish", expectations=[holds], doubtful=[wrong]),
        call("finish", expectations=[], doubtful=[BOTH]),
    ]
    said, requests = served(expect, shipping(tmp_path), script)
    told = results(requests[1])[0]
    assert "doubtful: T-1 does not say 'All is free': copy its words" in told
    assert "there is no expectation for S-1" in told
    assert [type(one) for one in said] == [Expectation, DoubtfulRequirement]
    assert said[1] == KNOWN


def test_what_is_doubtful_is_told_to_those_who_would_test_it(tmp_path: Path) -> None:
    brief = replace(shipping(tmp_path), doubts=(KNOWN,))
    (packet,) = PacketPlanner(brief, 10_000).packets()
    assert packet.text.count(f"- {KNOWN.told}") == 1
    other = replace(brief, findings=(gap("pkg/dates.py"),), mode="refine")
    (packet,) = PacketPlanner(other, 10_000).packets()
    assert KNOWN.told not in packet.text


NOTES = (
    "pkg/ship.py: a total that is no number",
    "workdays of dates in the wrong order look like a defect",
    "nothing of Windows",
)


def test_notes_are_told_where_they_belong_and_can_be_settled_by_number(tmp_path: Path) -> None:
    brief = brief_of(tmp_path, PROGRAM, findings=(gap("pkg/dates.py"),), left_out=NOTES)
    brief = replace(brief, mode="refine")
    done = call("finish", summary="s", settled=[2, 9], left_out=["workdays: a leap second"])
    edit, (request,) = served(generate, brief, [done])
    listed = message(request).partition("so far (`settled` takes numbers)\n")[2]
    assert listed.splitlines()[:2] == [f"- 2. {NOTES[1]}", f"- 3. {NOTES[2]}"]
    assert NOTES[0] not in message(request)
    assert (edit.settled, edit.left_out) == ((NOTES[1],), ("workdays: a leap second",))


def shop(tmp_path: Path) -> tuple[Brief, Mutation, Mutant]:
    found = mutation(*["survived"] * 4)
    words = next(one for one in found.survivors if "negative" in one.before)
    plain = replace(
        words, before='    text = "no such price"', after='    text = "XXno such priceXX"'
    )
    found = replace(found, mutants={**found.mutants, words.key: plain})
    brief = brief_of(
        tmp_path,
        {"shop/__init__.py": "", "shop/cart.py": SHOP},
        findings=survivor_findings(found, {}),
        mutation=found,
        mutated=tmp_path,
        mode="refine",
    )
    assert program(tmp_path).files.keys() == brief.program.files.keys()
    return brief, found, plain


def worthless(brief: Brief, words: str) -> dict[str, str]:
    told = next(f for f in brief.findings if words in f.what)
    return {"finding": f"[surviving-mutant] {told.what} ({told.file}:{told.line})", "why": "a text"}


def test_a_generator_sets_aside_mutants_of_words_and_no_others(tmp_path: Path) -> None:
    brief, _, words = shop(tmp_path)
    both = [worthless(brief, "no such price"), worthless(brief, "count < 1")]
    script = [
        call("finish", summary="s", worthless=both),
        call("finish", summary="s", worthless=[*both, {"finding": "none", "why": "w"}]),
    ]
    edit, requests = served(generate, brief, script)
    assert "changes more than words of a message or log" in results(requests[1])[0]
    (judged,) = edit.worthless
    assert (judged.why, words.before.strip() in judged.what) == ("a text", True)


def test_an_evaluator_sets_them_aside_too(tmp_path: Path) -> None:
    brief, found, _ = shop(tmp_path)
    base = passing_brief(tmp_path)
    brief = replace(base, findings=brief.findings, mutation=found, mutated=tmp_path, trace=None)
    verdict = {"verdict": "REWORK", "summary": "s"}
    script = [
        call("finish", **verdict, worthless=[worthless(brief, "count < 1")]),
        call("finish", **verdict, worthless=[worthless(brief, "no such price")]),
    ]
    told, requests = served(evaluate, brief, script)
    assert "changes more than words" in results(requests[1])[0]
    assert [one.why for one in told.worthless] == ["a text"]
