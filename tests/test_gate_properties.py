"""Whatever edit comes, after the gate nothing is lost, unknown, misplaced or unreadable."""

from __future__ import annotations

import random
from dataclasses import replace

import hostile_edits
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_lift.gate.gating import Gated
from pytest_lift.suite.suite import Edit


@given(st.integers(0, 2**32))
@settings(deadline=None)
def test_nothing_is_lost_whatever_the_edit(seed: int) -> None:
    assert hostile_edits.violations(hostile_edits.tried(seed)) == []


def test_every_operation_changes_something() -> None:
    for name, operation in hostile_edits.OPERATIONS.items():
        files: hostile_edits.Files = {}
        for seed in range(60):
            operation(files, random.Random(seed))
        assert files, name


def test_an_edit_past_the_gate_is_seen_as_harm() -> None:
    suite = hostile_edits.ACCEPTED
    harm = suite.apply(Edit({"tests/test_a.py": None, "tests/test_mine.py": "(", "tests/x.py": ""}))
    one = replace(hostile_edits.tried(0), gated=Gated(harm))
    told = " ".join(hostile_edits.violations(one))
    for what in ("test_one is gone", "of the user changed", "not parse", "outside the layout"):
        assert what in told
