"""Mutants in run.json: the score, what it rests upon, survivors up to a limit; null where not measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mutated_shop import FILE, measurement, program
from told_outcome import EARLIER, INCOMPLETE, MEASURED

from pytest_lift.evolve.iteration import LiftOutcome
from pytest_lift.mutation.mutation import Mutation
from pytest_lift.report.run_json import LONGEST_DIFF, MOST_SURVIVORS, outcome_as_json
from pytest_lift.sandbox.jail import Jail


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


def test_run_json_tells_the_score_what_it_rests_upon_and_survivors(told) -> None:  # type: ignore[no-untyped-def]
    data = told(MEASURED)
    assert data["mutation_percent"] == 33.33
    found = data["mutation"]
    low, high = found.pop("interval")
    assert low < 33.33 < high
    (survivor,) = found.pop("survivors")
    assert (survivor["file"], survivor["line"], survivor["symbol"]) == (FILE, 11, "Cart.add")
    assert "+        if count <= 1:" in survivor["diff"].splitlines()
    assert found == {
        "percent": 33.33,
        "earlier_suite": "",
        "complete": True,
        "total": 8,
        "measured": 3,
        "detected": 1,
        "counts": {
            **dict.fromkeys(("killed", "survived", "untested"), 1),
            **dict.fromkeys(("timed-out", "crashed", "excluded"), 0),
        },
        "sampled": True,
        "notes": ["cut short"],
        "left_alone": {FILE: 9, "shop/settings.py": 2},
        "seconds": 0.0,
    }


def test_run_json_has_no_score_of_another_suite(told) -> None:  # type: ignore[no-untyped-def]
    for found in (EARLIER, INCOMPLETE):
        data = told(found)
        assert (data["mutation_percent"], data["mutation"]["percent"]) == (None, None)
        assert data["mutation"]["interval"] is None
        assert data["mutation"]["survivors"]
    assert data["mutation"]["complete"] is False


def test_run_json_has_null_where_mutants_were_not_measured(told) -> None:  # type: ignore[no-untyped-def]
    data = told(None)
    assert (data["mutation"], data["mutation_percent"]) == (None, None)


def test_run_json_lists_so_many_survivors(told) -> None:  # type: ignore[no-untyped-def]
    from shop_report import many

    found = told(many(MOST_SURVIVORS + 5, "@@ -1 +1 @@\n-a\n+" + "b" * LONGEST_DIFF))["mutation"]
    assert (len(found["survivors"]), found["counts"]["survived"]) == (200, 205)
    assert found["interval"] is None
    assert len(found["survivors"][0]["diff"]) == LONGEST_DIFF
