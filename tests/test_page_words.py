"""Words and figures of a page: durations, percentages, line numbers, what was measured."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.report.facts import Evidence, LinkFacts
from pytest_lift.report.page import words


@pytest.mark.parametrize(
    ("evidence", "kind", "told"),
    [
        (Evidence(), "unknown", "the text names no symbol of the program"),
        (Evidence((), ("m:f",)), "unknown", "the text names no symbol of the program"),
        (Evidence(("m:f",)), "unknown", "not measured"),
        (Evidence(("m:f",), ()), "doubt", "executes none of the named symbols: f"),
        (Evidence(("m:f", "m:C.g"), ("m:C.g",)), "part", "executes 1 of 2 named symbols: C.g"),
        (Evidence(("m:f",), ("m:f",)), "yes", "executes 1 of 1 named symbols: f"),
    ],
)
def test_what_was_measured_of_a_link(evidence: Evidence, kind: str, told: str) -> None:
    link = LinkFacts("t.py::t", "passed", "verified", "person", evidence=evidence)
    assert words.measured(link) == (kind, told)


@given(st.lists(st.integers(1, 60)))
def test_line_numbers_name_each_line_once(numbers: list[int]) -> None:
    told = words.line_numbers(numbers)
    found: list[int] = []
    for first, last in re.findall(r"(\d+)(?: to (\d+))?", told):
        found += range(int(first), int(last or first) + 1)
    assert found == sorted(set(numbers))


@pytest.mark.parametrize(
    ("share", "told"),
    [(None, "not measured"), (0, "0 %"), (100.0, "100 %"), (99.99, "99.9 %"), (0.01, "0.1 %")],
)
def test_percentages_round_to_all_or_nothing_only_where_it_is(
    share: float | None, told: str
) -> None:
    assert words.percent(share) == told


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.012, "12 ms"),
        (1.9, "1.90 s"),
        (59.96, "1 min 0 s"),
        (184, "3 min 4 s"),
        (7500, "2 h 5 min"),
    ],
)
def test_durations(seconds: float, told: str) -> None:
    assert words.duration(seconds) == told
