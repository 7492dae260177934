"""What agents have told lives on: from one iteration to the next, in a resumed run, in later lifts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from lift_in_process import SmallLift, debugger

from pytest_lift.agents.contract import Agents, Brief
from pytest_lift.agents.offline.evaluator import evaluator
from pytest_lift.evolve.iteration import LiftOutcome
from pytest_lift.findings.feedback import Feedback
from pytest_lift.measure.measurement import LONGEST_NOTE, MOST_NOTES, Knowledge
from pytest_lift.requirements.doubtful import DoubtfulRequirement
from pytest_lift.source.worthless import WorthlessMutant
from pytest_lift.suite.suite import Edit

ONE = '''import pytest
from thing import double


@pytest.mark.req("R-1")
def test_double():
    """Doubles."""
    assert double(21) == 42
'''
DOUBT = DoubtfulRequirement("R-1", "`double(21)` is 42", "R-2", "`label` greets")
JUDGED = WorthlessMutant("0123456789", "only words", "thing.py: label: a -> b")


def lift(small: SmallLift, *edits: Edit, **settings: object) -> LiftOutcome:
    """A lift whose generator gives `edits`, one per iteration."""

    def generator(brief: Brief) -> Edit:
        small.briefs.append(brief)
        return edits[brief.iteration - 1] if brief.iteration <= len(edits) else Edit()

    small.agents = small.agents or Agents("scripted", generator, debugger, evaluator)
    return small.lift(iterations=len(edits), **settings)  # type: ignore[arg-type]


@pytest.fixture
def small(tmp_path: Path) -> SmallLift:
    return SmallLift(tmp_path / "project")


def left_out(outcome: LiftOutcome) -> list[str]:
    return [f.what for f in outcome.findings if f.kind == "left-out"]


def test_notes_live_until_they_are_settled(small: SmallLift) -> None:
    first = Edit({"tests/test_thing.py": ONE}, left_out=("label: odd names", "thing.py: a lock"))
    outcome = lift(small, first, Edit(cut_short=True), Edit(settled=("label: odd names",)))
    notes = [brief.left_out for brief in small.briefs]
    assert notes == [(), first.left_out, first.left_out]
    assert outcome.measurement.knowledge.left_out == ("thing.py: a lock",)
    assert left_out(outcome) == ["thing.py: a lock"]


def test_notes_and_doubts_are_there_in_a_resumed_run(small: SmallLift) -> None:
    edit = Edit({"tests/test_thing.py": ONE}, left_out=("label: odd names",), doubts=(DOUBT,))
    outcome = lift(small, edit)
    assert [f.kind for f in outcome.findings if "R-2" in f.what][:1] == ["doubtful-requirement"]
    small.agents = None
    again = lift(small, edit, Edit(), resume=True)
    assert again.measurement.knowledge.doubts == (DOUBT,)
    assert left_out(again) == ["label: odd names"]


def test_expectations_may_come_with_doubts(small: SmallLift) -> None:
    given = Agents("s", lambda brief: Edit(), debugger, evaluator, expect=lambda brief: (DOUBT,))
    small.agents = given
    outcome = small.lift(iterations=1)
    assert outcome.measurement.knowledge.doubts == (DOUBT,)
    assert "doubtful-requirement" in {f.kind for f in outcome.findings}


def test_a_mutant_that_was_set_aside_is_known_in_the_next_lift(small: SmallLift) -> None:
    seen: list[Knowledge] = []

    def judge(brief: Brief) -> Feedback:
        return replace(evaluator(brief), worthless=(JUDGED,))

    small.agents = Agents("s", lambda brief: Edit({"tests/test_thing.py": ONE}), debugger, judge)
    outcome = small.lift(iterations=1)
    assert outcome.measurement.knowledge.worthless == {JUDGED.mark: JUDGED}
    (line,) = small.read(".lift/mutants/worthless.jsonl").splitlines()
    assert json.loads(line) == vars(JUDGED)
    small.agents = Agents("s", lambda brief: Edit(), debugger, evaluator)
    again = small.lift(iterations=1)
    seen.append(again.measurement.knowledge)
    assert seen[0].worthless == {JUDGED.mark: JUDGED}
    small.write({".lift/mutants/worthless.jsonl": ""})
    assert small.lift(iterations=1).measurement.knowledge.worthless == {}


def test_notes_of_the_same_words_are_one_and_their_number_is_limited() -> None:
    known = Knowledge().with_notes(["a lock", "A  lock", " ", "x" * 9999])
    assert known.left_out == ("a lock", "x" * LONGEST_NOTE)
    many = known.with_notes(f"note {n}" for n in range(MOST_NOTES + 9))
    assert len(many.left_out) == MOST_NOTES
    assert many.left_out[-1] == f"note {MOST_NOTES + 8}"


def test_of_the_same_two_quotes_the_first_doubt_stays() -> None:
    known = Knowledge().with_doubts([DOUBT]).with_doubts([replace(DOUBT, why="other"), DOUBT])
    assert known.doubts == (DOUBT,)


def test_a_doubt_whose_words_stand_nowhere_does_not_count(small: SmallLift) -> None:
    invented = replace(DOUBT, quote="`double(21)` is 43")
    outcome = lift(small, Edit({"tests/test_thing.py": ONE}, doubts=(invented,)))
    assert outcome.measurement.knowledge.doubts == ()
    small.agents = Agents(
        "s", lambda brief: Edit(), debugger, evaluator, expect=lambda brief: (invented, DOUBT)
    )
    assert small.lift(iterations=1).measurement.knowledge.doubts == (DOUBT,)
