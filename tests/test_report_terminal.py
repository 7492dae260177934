"""Mutants in the terminal: where they were measured, and nowhere else."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from _pytest.config import _prepareconfig
from _pytest.terminal import TerminalReporter
from mutated_shop import FILE, measurement, program
from told_outcome import EARLIER, INCOMPLETE, MEASURED

from pytest_lift.evolve.iteration import Iteration, LiftOutcome
from pytest_lift.mutation.mutation import Mutant, Mutation, Verdict, placed
from pytest_lift.report.closing import closing_lines
from pytest_lift.report.run_json import outcome_as_json
from pytest_lift.report.terminal import MUTANTS, VERIFIED, Terminal
from pytest_lift.sandbox.jail import Jail
from pytest_lift.suite.suite import Repair


def shown(found: Mutation | None, *, column: bool) -> list[str]:
    """What a lift of one iteration prints."""
    text = io.StringIO()
    reporter = TerminalReporter(_prepareconfig(["-p", "no:cacheprovider"]), text)
    terminal = Terminal(reporter)
    terminal.open((), mutants=column, requirements=True)
    tried = measurement(found)
    terminal.progress("measure", Iteration(0, "baseline", tried.figures, True, "as found"))
    outcome = LiftOutcome("final", "", tried, (), (), 2.0)
    lines = closing_lines(outcome, where="here", kept={}, unmet=(), failing=())
    terminal.close(outcome, lines, good=True)
    lines = [line for line in text.getvalue().splitlines() if line.strip()]
    assert (MUTANTS in lines, VERIFIED in lines) == (column, True)
    return [line for line in lines if line not in (MUTANTS, VERIFIED)]


def test_the_column_is_there_only_where_mutants_are_measured() -> None:
    head, row = shown(MEASURED, column=True)[1:3]
    end = head.index("mutants") + len("mutants")
    assert row[:end].endswith(" 33.3%") or row[:end].endswith("~33.3%")
    assert "verified" in head[end:]
    head, row = shown(None, column=False)[1:3]
    assert "mutants" not in head
    assert row.split()[:3] == ["0", "3", "3"]


def test_an_iteration_without_measured_mutants_has_a_dash() -> None:
    head, row = shown(None, column=True)[1:3]
    assert row[head.index("mutants") : head.index("verified")].strip() == "-"


def test_the_end_says_how_many_survive() -> None:
    lines = shown(MEASURED, column=True)
    (told,) = [line for line in lines if line.startswith("mutants: ")]
    assert told.startswith("mutants: 1 of 3 detected (a sample of 8: ")
    assert told.endswith("% of all), 1 survives, 1 is executed by no test")
    assert "33.3% of mutants detected" in lines[-1]
    assert "mutants" not in "".join(shown(None, column=False))


def test_what_could_not_be_asked_is_said_below_its_iteration() -> None:
    text = io.StringIO()
    terminal = Terminal(TerminalReporter(_prepareconfig(["-p", "no:cacheprovider"]), text))
    said = "the evaluator gave no answer (7 links without a grade): the budget is used up"
    tried = measurement(None)
    terminal.progress(
        "measure", Iteration(1, "refine", tried.figures, True, "+ 2 tests", unasked=(said,))
    )
    assert text.getvalue().splitlines()[-1].strip() == said


def test_repairs_are_counted_below_their_iteration() -> None:
    text = io.StringIO()
    terminal = Terminal(TerminalReporter(_prepareconfig(["-p", "no:cacheprovider"]), text))
    made = [Repair(rule, "tests/test_a.py", 1, "") for rule in ("prose", "module-path", "prose")]
    tried = measurement(None)
    terminal.progress(
        "measure", Iteration(1, "refine", tried.figures, True, "+ 2 tests", repairs=(*made,))
    )
    said = text.getvalue().splitlines()[-1].strip()
    assert said == "repaired by rule before they ran: prose 2, module-path 1"


NONE = Mutation()


@pytest.mark.parametrize("found", [EARLIER, INCOMPLETE, NONE])
def test_no_row_shows_the_score_of_another_suite_or_of_a_part_of_the_sample(
    found: Mutation,
) -> None:
    lines = shown(found, column=True)
    head, row = lines[1:3]
    assert row[head.index("mutants") : head.index("verified")].strip() == "-"
    assert "mutants detected" not in lines[-1]


def test_what_is_known_instead_of_a_score_says_of_what() -> None:
    (told,) = [line for line in shown(EARLIER, column=True) if line.startswith("mutants: ")]
    assert told.startswith(
        "mutants: not measured with the last tests; the suite with 151 tests: 1 of 3 detected ("
    )
    (told,) = [line for line in shown(INCOMPLETE, column=True) if line.startswith("mutants: ")]
    assert told.startswith("mutants: no score, only 3 of 8 ")
    (told,) = [line for line in shown(NONE, column=True) if line.startswith("mutants: ")]
    assert told == "mutants: no score, since there is nothing to mutate"


def cut_short(count: int, measured: int) -> Mutation:
    """Of a sample the first so many in its order, every second one detected; and one beyond."""
    mutants = {
        f"shop.x_f__mutmut_{n}": Mutant(
            f"shop.x_f__mutmut_{n}", FILE, n, "f", f"a{n}", f"b{n}", f"@@ -{n} +{n} @@"
        )
        for n in range(1, count + 1)
    }
    ordered = list(placed(mutants.values()))
    verdicts: dict[str, Verdict] = {
        key: "killed" if number % 2 else "survived" for number, key in enumerate(ordered[:measured])
    }
    return Mutation(
        mutants,
        {**verdicts, ordered[-1]: "killed"},
        sample=frozenset(ordered[: count - 5] + ordered[-1:]),
    )


def test_the_beginning_of_a_sample_says_how_the_rest_may_be(told) -> None:  # type: ignore[no-untyped-def]
    found = cut_short(60, 20)
    (line,) = [row for row in shown(found, column=True) if row.startswith("mutants: ")]
    estimate = found.estimate
    assert estimate is not None
    assert (estimate.scored, estimate.percent, estimate.complete) == (20, 50.0, True)
    assert estimate.interval is not None
    low, high = estimate.interval.low, estimate.interval.high
    assert line == (
        f"mutants: 10 of 20 detected (a sample of 60: {low:.1f} to {high:.1f}% of all), "
        "10 survive, 0 are executed by no test; no time for 35 of the sample"
    )
    data = told(found)["mutation"]
    assert (data["percent"], data["complete"]) == (50.0, False)
    assert data["interval"] == [round(low, 2), round(high, 2)]
    assert told(found)["mutation_percent"] is None
    assert measurement(found).figures.mutation_percent is None
    later = told(replace(found, earlier="the suite with 151 tests"))["mutation"]
    assert (later["percent"], later["interval"]) == (None, None)


def test_too_little_of_a_sample_says_nothing() -> None:
    assert cut_short(60, 9).estimate is None
    assert cut_short(60, 10).estimate is not None
    whole = cut_short(60, 60)
    assert whole.complete
    assert whole.estimate is None
    assert replace(whole, sample=None).estimate is None


def test_a_threshold_is_not_held_against_another_suite() -> None:
    assert measurement(MEASURED).figures.share("mutation") == 33.33
    for found in (EARLIER, INCOMPLETE, NONE):
        figures = measurement(found).figures
        assert (figures.mutation_percent, figures.share("mutation")) == (None, 0.0)


@pytest.fixture
def told(tmp_path: Path) -> object:
    def tell(found: Mutation | None) -> dict[str, object]:
        outcome = LiftOutcome("final", "", measurement(found), (), (), 2.0)
        jail = Jail("off")
        data = outcome_as_json(
            outcome,
            run="r",
            agents="a",
            program=program(tmp_path),
            jail=jail,
            exit_code=0,
            warnings=(),
        )
        return dict(json.loads(json.dumps(data)))

    return tell
