"""Observations of a child are read strictly, and tell whether there is anything to assert."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_lift.calls.case import Case, Observation, Outcome, Raised, Step, observation_from

RAISED = {"type": "E", "module": "m", "message": "", "file": "m.py", "line": 1, "explicit": True}


def test_a_record_is_read() -> None:
    record = {
        "hits": [3, 1],
        "state": "s",
        "outcomes": [{"type": "int", "source": "1"}, {"raised": RAISED}],
        "views": [{"box": [["len({})", "1"]]}],
    }
    seen = observation_from(record)
    assert seen.hits == {1, 3}
    assert [outcome.source for outcome in seen.outcomes] == ["1", None]
    assert seen.outcomes[1].raised == Raised("E", "m", "", "m.py", 1, True)
    assert seen.views == ({"box": (("len({})", "1"),)},)


@pytest.mark.parametrize(
    "record",
    [
        {"hits": [-1]},
        {"hits": ["1"]},
        {"state": 3},
        {"outcomes": [{"source": 3}]},
        {"outcomes": [{"raised": {"type": "E"}}]},
        {"views": [{"box": [[1, "2"]]}]},
        {"outcomes": [{"attributes": [["a", 1]]}]},
    ],
)
def test_what_is_not_of_this_form_is_refused(record: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        observation_from(record)


@pytest.mark.parametrize(
    ("outcome", "telling"),
    [
        (Outcome(source="1"), True),
        (Outcome(source="None"), False),
        (Outcome(), False),
        (Outcome(attributes=(("a", "1"),)), True),
        (Outcome(printed="a"), True),
        (Outcome(raised=Raised("E", "m", "", "m.py", 1, True)), True),
        (Outcome(raised=Raised("E", "m", "", "m.py", 1, False)), False),
    ],
)
def test_only_what_can_be_asserted_is_telling(outcome: Outcome, telling: bool) -> None:
    assert outcome.telling is telling
    assert Observation((outcome,)).usable is telling


def test_an_accident_or_a_rejection_makes_a_case_useless() -> None:
    accident = Outcome(raised=Raised("E", "m", "", "m.py", 1, False))
    fine = Outcome(source="1")
    assert not Observation((fine, accident)).usable
    assert not Observation((fine,), rejected="clock").usable
    assert Observation((Outcome(),), state="new").usable


def test_cases_differ_by_what_they_run() -> None:
    case = Case("m.py", "f", (Step("f()", check=True),))
    assert case.source == "f()"
    assert case.key == Case("m.py", "g", (Step("f()", check=True),), title="other").key
    assert case.key != Case("m.py", "f", case.steps, stdin="a").key
