"""What becomes of a lift as a whole: how it ends, what it leaves, what the user did meanwhile."""

from __future__ import annotations

import os
import signal
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest
from lift_in_process import R1, SmallLift

from pytest_lift.agents.contract import Brief, UsageLedger
from pytest_lift.agents.offline.family import offline_agents
from pytest_lift.errors import LiftError
from pytest_lift.measure.fault_measurer import FaultMeasurer
from pytest_lift.measure.measurement import Measurement
from pytest_lift.measure.suite_measurer import SuiteMeasurer
from pytest_lift.mutation.mutation import Mutant, Mutation, Verdict
from pytest_lift.mutation.mutator import Mutator
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.sandbox.jail import Jail
from pytest_lift.store.history import restore
from pytest_lift.suite.suite import Suite

MINE = 'from thing import label\n\n\ndef test_mine():\n    assert label("a") == "a"\n'
HEAD = '"""Tests."""\n\nimport pytest\n\nfrom thing import double, label\n'
DOUBLES = (
    '\n\n@pytest.mark.req("R-1")\ndef test_doubles():\n    """D."""\n    assert double(21) == 42\n'
)
HARD = """\
import hashlib


def known(word: str) -> bool:
    if hashlib.sha256(word.encode()).hexdigest() == "abc":
        return True
    return False
"""
AGAIN = DOUBLES.replace("test_doubles", "test_again")
MUCH = '\n\n@pytest.mark.emergent("seen")\ndef test_much():\n    """M."""\n    assert double(101) is None\n'
LABEL = '\n\n@pytest.mark.emergent("seen")\ndef test_label():\n    """L."""\n    assert label("a", loud=True) == "A"\n    assert label("b") == "b"\n    with pytest.raises(ValueError, match="name"):\n        label("")\n'
QUIET = '\n\n@pytest.mark.emergent("seen")\ndef test_quiet():\n    """Q."""\n    assert label("a") == "a"\n'
RAISES = f'{QUIET}    with pytest.raises(ValueError):\n        label("")\n'
ONE, TWO, ALL = HEAD + DOUBLES, HEAD + DOUBLES + MUCH, HEAD + DOUBLES + MUCH + LABEL


@pytest.fixture
def small(tmp_path: Path) -> SmallLift:
    return SmallLift(tmp_path / "project")


def accepted(small: SmallLift) -> list[bool]:
    return [iteration.accepted for iteration in small.history]


FENCED = f"Here it is:\n```python\n{ONE.replace('from thing', 'from src.thing')}```\n"


def test_what_is_repaired_lands_and_stands_in_the_history(small: SmallLift) -> None:
    outcome = small.lift(FENCED, iterations=1)
    rules = [[one.rule for one in iteration.repairs] for iteration in outcome.iterations]
    assert rules == [[], ["prose", "module-path"]]
    assert small.read("tests/test_thing.py") == ONE
    assert [iteration.repairs for iteration in small.history] == [
        iteration.repairs for iteration in outcome.iterations
    ]


class TestEndings:
    def test_final_when_nothing_is_left_to_do(self, small: SmallLift) -> None:
        small.requirements = Requirements((R1,))
        outcome = small.lift(ONE, ALL)
        assert (outcome.ending, len(outcome.iterations)) == ("final", 3)
        figures = outcome.measurement.figures
        assert (figures.line_percent, figures.branch_percent, figures.verified) == (100, 100, 1)
        assert (small.root / ".lift/first-sufficient").is_dir()

    def test_plateau_after_three_iterations_without_gain(self, small: SmallLift) -> None:
        """Each time something is proposed that brings nothing."""
        again = ONE + AGAIN
        outcome = small.lift(ONE, again, again, again, ALL)
        assert outcome.ending == "plateau"
        assert accepted(small) == [True, True, False, False, False]
        assert small.read("tests/test_thing.py") == ONE

    def test_what_each_iteration_changed_is_told(self, small: SmallLift) -> None:
        first, second, third = small.lift(ONE, TWO, iterations=2).iterations
        node = "tests/test_thing.py::test_"
        assert first.changes.added == ()
        assert second.changes.added == (f"{node}doubles",)
        assert second.changes.statuses == {"R-1": "verified"}
        assert (third.changes.added, third.changes.statuses) == ((f"{node}much",), {})

    def test_nobody_is_asked_twice_who_proposed_nothing(self, small: SmallLift) -> None:
        outcome = small.lift(ONE, ONE, TWO)
        assert outcome.ending == "plateau"
        assert [i.repeats for i in outcome.iterations] == [False, False, True]
        assert outcome.iterations[2].why == "no change proposed"
        assert outcome.reason.startswith("nothing more was proposed")

    def test_who_had_too_little_time_to_propose_anything_may_be_asked_again(
        self, small: SmallLift
    ) -> None:
        small.cut_short = True
        outcome = small.lift(ONE)
        assert [i.repeats for i in outcome.iterations] == [False] * 5
        assert (outcome.ending, outcome.reason) == ("plateau", "")

    def test_offline_agents_end_it_with_the_first_iteration_that_has_nothing(
        self, small: SmallLift
    ) -> None:
        small.requirements = Requirements()
        small.agents = offline_agents()
        small.write({"thing.py": HARD})
        outcome = small.lift()
        assert outcome.reason.startswith("nothing more was proposed")
        first, last = outcome.iterations[1:]
        assert (first.accepted, last.accepted, last.repeats) == (True, False, True)
        assert last.seconds["generate"] < first.seconds["generate"]

    def test_as_many_iterations_as_asked_for(self, small: SmallLift) -> None:
        assert small.lift(ONE, TWO, iterations=1).ending == "iterations"
        assert small.read("tests/test_thing.py") == ONE

    def test_a_threshold_that_holds_ends_it(self, small: SmallLift) -> None:
        assert len(small.lift(ONE, min_line=0.0).iterations) == 1
        outcome = small.lift(ONE, TWO, ALL, min_line=60.0)
        assert (outcome.ending, outcome.measurement.figures.line_percent) == ("threshold", 62.5)

    @pytest.mark.parametrize("error", [LiftError("the model said no"), KeyboardInterrupt()])
    def test_an_error_or_ctrl_c_leaves_the_best_suite(
        self, small: SmallLift, error: BaseException
    ) -> None:
        def watch(name: str, brief: Brief) -> None:
            if brief.iteration == 2:
                raise error

        small.watch = watch
        outcome = small.lift(ONE, TWO)
        told = ("failed", "the model said no"), ("interrupted", "Ctrl-C")
        assert (outcome.ending, outcome.reason) == told[isinstance(error, KeyboardInterrupt)]
        assert small.read("tests/test_thing.py") == ONE
        assert accepted(small) == [True, True]

    def test_what_fails_is_left_out_told_and_may_be_repaired(self, small: SmallLift) -> None:
        wrong = LABEL.replace('== "b"', '== "c"')
        outcome = small.lift(ONE + wrong, ONE + LABEL, iterations=2)
        first, second = outcome.iterations[1:]
        assert (first.accepted, second.accepted) == (True, True)
        assert first.dropped == {"tests/test_thing.py::test_label": "AssertionError"}
        assert small.briefs[1].mode == "correct"
        assert small.briefs[1].feedback is not None
        assert small.briefs[1].feedback.filename == "fixes.md"
        assert "test_label" in small.read("tests/test_thing.py")

    def test_an_evaluator_hears_of_a_test_that_nobody_could_repair(self, small: SmallLift) -> None:
        told: list[tuple[int, list[str]]] = []

        def watch(name: str, brief: Brief) -> None:
            if name == "evaluator":
                found = [f.what for f in brief.findings if f.kind == "refused"]
                told.append((brief.iteration, found))

        small.watch = watch
        wrong = LABEL.replace('== "b"', '== "c"')
        small.lift(ONE + wrong, ONE + wrong + "\n", ONE + wrong + "\n\n", iterations=3)
        why = "tests/test_thing.py::test_label was left out: AssertionError"
        assert told == [(3, [why])]

    def test_what_only_adds_is_kept_of_a_candidate_that_would_lose_something(
        self, small: SmallLift
    ) -> None:
        """The second executes less in a test that is there, and has a good new one."""
        more = DOUBLES + "    double(200)\n"
        outcome = small.lift(HEAD + more, HEAD + DOUBLES + LABEL, iterations=2)
        assert accepted(small) == [True, True, True]
        text = small.read("tests/test_thing.py")
        assert more.strip() in text
        assert "def test_label" in text
        told = outcome.iterations[2]
        assert "gained" in told.why
        assert "all of it would have lost 1 covered branch" in told.why
        assert told.changes.changed == ()

    def test_of_a_candidate_that_loses_the_same_again_the_rest_is_kept(
        self, small: SmallLift
    ) -> None:
        """Twice one test executes less and another one more: nothing is only added. The second
        time what the other one gains is kept, and the agents are told to change less."""
        much, label = DOUBLES + "    double(200)\n", RAISES
        outcome = small.lift(
            HEAD + much + QUIET,
            HEAD + DOUBLES + label,
            HEAD + DOUBLES + label + "    label('c')\n",
            iterations=3,
        )
        assert accepted(small) == [True, True, False, True]
        text = small.read("tests/test_thing.py")
        assert much.strip() in text
        assert "raises(ValueError)" in text
        first, second = outcome.iterations[2:]
        assert first.why == "lost 1 covered branch at thing.py:2; 1 covered line"
        assert (
            "all of it would have lost 1 covered branch at thing.py:2; 1 covered line" in second.why
        )
        assert "as the candidate before it, so it was tried in parts" in second.why
        assert second.changes.changed == ("tests/test_thing.py::test_quiet",)
        assert len(small.said) == 2, small.said
        assert "tried in parts" in small.said[-1]
        told = [
            finding for finding in outcome.findings if "two candidates in a row" in finding.what
        ]
        assert told[0].todo.startswith("change less at a time")

    def test_a_candidate_that_loses_something_else_is_not_taken_apart(
        self, small: SmallLift
    ) -> None:
        much = DOUBLES + "    double(200)\n"
        tried = QUIET + "    try:\n        label('')\n    except ValueError:\n        pass\n"
        whole = HEAD + much + tried
        small.lift(whole, HEAD + DOUBLES + tried, HEAD + much + QUIET, iterations=3)
        assert accepted(small) == [True, True, False, False]
        first, second = (iteration.why for iteration in small.history[2:])
        assert first.startswith("lost 1 covered branch at thing.py:2")
        assert second.startswith("lost ")
        assert "thing.py:2" not in second.split(";")[0]
        assert "tried in parts" not in "".join(small.said)
        assert small.read("tests/test_thing.py") == whole

    def test_what_could_not_be_asked_is_kept_with_its_iteration(self, small: SmallLift) -> None:
        told = iter([(), ("the evaluator gave no answer",), ()])
        small.ledger = UsageLedger(
            dict, str, lambda: next(told), lambda folder: None, lambda usage: None
        )
        outcome = small.lift(ONE, TWO, iterations=2)
        asked = [iteration.unasked for iteration in outcome.iterations]
        assert asked == [(), ("the evaluator gave no answer",), ()]
        assert [iteration.unasked for iteration in small.history] == asked

    def test_users_tests_that_need_their_order_do_not_stop_it(self, small: SmallLift) -> None:
        """Each of them fails in most orders, with and without the tool's tests."""
        mine = "from thing import label\nSEEN = []\n" + "".join(
            f"\ndef test_{n}():\n    SEEN.append({n})\n    assert SEEN == [*range({n + 1})]\n"
            for n in range(6)
        )
        small.write({"tests/test_mine.py": mine})
        outcome = small.lift(ONE, iterations=1)
        assert (outcome.iterations[1].accepted, outcome.iterations[1].dropped) == (True, {})


class TestTheUserMeanwhile:
    def test_what_they_have_deselected_since_stays(self, small: SmallLift) -> None:
        small.lift(ONE, iterations=1)
        slow = ONE.replace("label\n", "label\n\npytestmark = [pytest.mark.slow]\n", 1)
        small.write({"tests/test_thing.py": slow})
        outcome = small.lift({"tests/test_thing_lift.py": HEAD + LABEL}, iterations=1)
        assert (outcome.iterations[1].accepted, outcome.iterations[1].dropped) == (True, {})
        assert small.read("tests/test_thing.py") == slow

    THEIRS = f"{MINE}\n\ndef test_second():\n    assert True\n"

    def test_their_edit_wins_and_is_measured(self, small: SmallLift) -> None:
        small.write({"tests/test_mine.py": MINE})
        small.watch = lambda name, brief: small.write({"tests/test_mine.py": self.THEIRS}) and None
        outcome = small.lift(ONE, TWO, iterations=2)
        assert small.read("tests/test_mine.py") == self.THEIRS
        assert small.read("tests/test_thing.py") == TWO
        assert outcome.measurement.figures.tests == 4

    def test_nothing_lands_that_was_judged_by_sources_that_are_no_more(
        self, small: SmallLift
    ) -> None:
        """The program changes while the candidate is written: what it pins is not so any more."""

        def watch(name: str, brief: Brief) -> None:
            changed = small.read("thing.py").replace("number > 100", "number > 200")
            small.write({"thing.py": changed})

        small.watch = watch
        outcome = small.lift(TWO, iterations=1)
        assert list(outcome.iterations[1].dropped) == ["tests/test_thing.py::test_much"]
        assert small.read("tests/test_thing.py") == ONE

    def test_a_claim_is_theirs(self, small: SmallLift) -> None:
        """Deleting the ownership file says so, also after this very lift has written it."""

        def watch(name: str, brief: Brief) -> None:
            if (name, brief.iteration) == ("generator", 2):
                (small.root / "tests/.lift.json").unlink()

        small.watch = watch
        small.lift(ONE, TWO, iterations=2)
        assert "tests/test_thing.py" in small.publisher.kept
        assert small.read("tests/test_thing.py") == ONE
        assert not (small.root / "tests/.lift.json").exists()


class TestAfterwards:
    def test_restore_puts_back_what_was_there(self, small: SmallLift) -> None:
        small.write({"tests/test_thing.py": MINE, "tests/data.txt": "x"})
        mine = "import pytest\n\n" + MINE.replace("import label", "import double, label")
        small.lift(mine + DOUBLES, iterations=1)
        assert "test_doubles" in small.read("tests/test_thing.py")
        restore(small.root)
        assert small.read("tests/test_thing.py") == MINE
        assert sorted(p.name for p in (small.root / "tests").iterdir()) == [
            "data.txt",
            "test_thing.py",
        ]

    def test_a_patch_leaves_the_tests_alone(self, small: SmallLift) -> None:
        small.write({"tests/test_mine.py": MINE})
        small.lift(ONE, iterations=1, landing=False)
        assert [path.name for path in (small.root / "tests").iterdir()] == ["test_mine.py"]
        assert "+def test_doubles():" in small.publisher.patch_text

    def test_killed_it_leaves_the_accepted_suite_which_goes_on(self, small: SmallLift) -> None:
        def watch(name: str, brief: Brief) -> None:
            if (name, brief.iteration) == ("generator", 2):
                os.kill(os.getpid(), signal.SIGKILL)

        small.watch = watch
        child = os.fork()
        if child == 0:
            try:
                small.lift(ONE, TWO)
            finally:
                os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        assert small.read("tests/test_thing.py") == ONE
        small.watch = lambda name, brief: None
        small.write({"tests/test_mine.py": MINE})
        outcome = small.lift(ONE, ONE, ALL, resume=True, iterations=3)
        modes = [(i.number, i.mode, i.accepted) for i in outcome.iterations]
        assert modes[:3] == [(0, "baseline", True), (1, "initial", True), (2, "resumed", True)]
        assert outcome.iterations[2].why == "your changes to tests/test_mine.py"
        assert small.read("tests/test_mine.py") == MINE
        assert small.read("tests/test_thing.py") == ALL
        restore(small.root)
        assert not (small.root / "tests/test_thing.py").exists()


def test_an_iteration_is_what_it_was_when_it_is_read_again(small: SmallLift) -> None:
    outcome = small.lift(ONE, iterations=1)
    assert [replace(i, elapsed=0.0) for i in small.history] == [
        replace(i, elapsed=0.0) for i in outcome.iterations
    ]


class ByChance(FaultMeasurer):
    """One mutant of `double`, which a test of the first iteration alone seemed to notice."""

    def __init__(self, measurer: SuiteMeasurer) -> None:
        mutator = Mutator(Path("/m"), Path("/c"), Jail("off"), ("tests",))
        super().__init__(measurer, mutator)

    def examine_orders(self, measurement: Measurement) -> None:
        """Nothing depends on it."""

    def notices(self, measurement: Measurement) -> bool:
        return len(measurement.passing) == 1

    def measure(
        self,
        measurement: Measurement,
        until: float | None = None,
        before: Measurement | None = None,
    ) -> Measurement:
        node = "tests/test_thing.py::test_doubles"
        line = "    return 2 * number"
        one = Mutant(
            "thing.x_double__mutmut_1",
            "thing.py",
            4,
            "double",
            line,
            f"{line} + 0",
            f"-{line}\n+{line} + 0",
        )
        tests = {one.function: frozenset({node})}
        noticed = {one.key: frozenset({node})} if self.notices(measurement) else {}
        verdict: Verdict = "killed" if noticed else "survived"
        return replace(
            measurement, mutation=Mutation({one.key: one}, {one.key: verdict}, noticed, tests)
        )


def test_nothing_is_turned_down_for_a_mutant_that_was_noticed_by_chance(small: SmallLift) -> None:
    small.faults = ByChance
    outcome = small.lift(ONE, TWO, iterations=2)
    assert accepted(small) == [True, True, True]
    assert outcome.measurement.mutation is not None
    assert not outcome.measurement.mutation.detected


class ForOneCall(ByChance):
    """The mutant is noticed by the call of `double` with 200 alone, each time it is tried."""

    def notices(self, measurement: Measurement) -> bool:
        return any("double(200)" in file.text for file in measurement.suite.files.values())

    def repeat_losses(
        self, accepted: Measurement, measurement: Measurement, lost: Collection[str]
    ) -> tuple[Measurement, Measurement]:
        return accepted, measurement


def test_what_was_lost_is_told_though_a_part_was_accepted(small: SmallLift) -> None:
    """As the mutant's diff with the tests that saw it, to evaluator and generator; and that the
    round was refused, and why."""
    heard: list[Brief] = []
    small.watch = lambda name, brief: heard.append(brief) if name == "evaluator" else None
    small.faults = ForOneCall
    called = HEAD + DOUBLES + "    double(200)\n"
    outcome = small.lift(called, HEAD + DOUBLES + MUCH + LABEL, {}, iterations=3)
    last = outcome.iterations[2]
    assert (last.accepted, len(last.changes.added)) == (True, 2)
    assert "all of it would have lost 1 detected mutant at thing.py:4" in last.why
    assert "double(200)" in small.read("tests/test_thing.py")
    for brief in (heard[1], small.briefs[2]):
        refused = [finding for finding in brief.findings if finding.kind == "refused"]
        assert refused[0].what == "the candidate lost 1 detected mutant at thing.py:4"
        assert "return 2 * number + 0" in refused[1].evidence
        assert refused[1].tests == ("tests/test_thing.py::test_doubles",)
        assert refused[1].file == "thing.py"


class Undoing(ForOneCall):
    """Keeps the texts of the suites whose measurement the loop took back."""

    measured: Suite
    undone: ClassVar[list[str]] = []

    def measure(
        self,
        measurement: Measurement,
        until: float | None = None,
        before: Measurement | None = None,
    ) -> Measurement:
        self.measured = measurement.suite
        return super().measure(measurement, until, before)

    def undo(self) -> None:
        self.undone.append(self.measured.files["tests/test_thing.py"].text)


def test_the_measurer_forgets_what_a_refused_candidate_showed(small: SmallLift) -> None:
    """Else mutants of the next candidate would be compared with a suite that never landed."""
    Undoing.undone.clear()
    small.faults = Undoing
    called = HEAD + DOUBLES + "    double(200)\n"
    small.lift(called, HEAD + DOUBLES + MUCH + LABEL, iterations=2)
    assert Undoing.undone
    assert all("double(200)" not in text for text in Undoing.undone)


class Landed(ByChance):
    """Notes which tests the user has whenever mutants are measured."""

    there: ClassVar[list[str]] = []

    def measure(
        self,
        measurement: Measurement,
        until: float | None = None,
        before: Measurement | None = None,
    ) -> Measurement:
        place = self.measurer.workspace.project / "tests/test_thing.py"
        self.there.append(place.read_text("utf-8") if place.exists() else "")
        return super().measure(measurement, until, before)


def test_the_mutants_of_a_first_suite_are_measured_when_it_has_landed(small: SmallLift) -> None:
    """It cannot lose any; what comes after it may, so that lands when that is known."""
    Landed.there.clear()
    small.faults = Landed
    outcome = small.lift(ONE, TWO, iterations=2)
    assert Landed.there == ["", ONE, ONE]
    assert outcome.iterations[1].why.endswith(", 1 mutant")
