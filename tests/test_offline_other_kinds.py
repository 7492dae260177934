"""What tells whether something holds is asked for values of other kinds, where one answer lacks."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from begun_search import search_of

from pytest_lift.agents.offline.choosing.looks.bounds import bounds_of
from pytest_lift.agents.offline.choosing.looks.other_kinds import of_other_kinds
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call

KINDS = """
    def is_class(value):
        return isinstance(value, type)

    def is_nothing(value):
        return value is None

    def is_odd(value):
        return False

    def is_text(value: str):
        return isinstance(value, str)

    def is_byte(value: int):
        return -(2**7) <= value < 2**7
"""


def test_the_answer_that_is_lacking_is_that_for_another_kind(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"kinds.py": KINDS})
    given = [("is_class", "1"), ("is_nothing", "1"), ("is_nothing", "None"), ("is_odd", "1")]
    given += [("is_text", "'a'"), ("is_byte", "1")]
    calls = [Call(targets[name], (("value", value),)) for name, value in given]
    cases = [case for call in calls if (case := search.write(call)) is not None]
    seen = search.prober.observe(cases, 10)
    kept = [KeptCase(case, seen[case.key], call) for case, call in zip(cases, calls, strict=True)]
    found = of_other_kinds(kept, search.prober, search.drafts)
    search.prober.close()
    asked = {one.case.symbol: one.case.source for one in reversed(found)}
    assert asked == {"is_class": "is_class(int)", "is_byte": "is_byte(128)"}
    answers = {one.case.source: one.seen.outcomes[0].source for one in found}
    assert (answers["is_class(int)"], answers["is_byte(128)"]) == ("True", "False")


@pytest.mark.parametrize(
    ("compared", "bounds"),
    [
        ("value < 2**7", [128, 129, 127]),
        ("0 <= value <= 3", [3, 4, 2, 0, 1, -1]),
        ("value.size > 8", []),
        ("value > limit", []),
        ("value == 2**999", []),
        ("value < ((9**99)**99)**99", []),
        ("value < 2**-1", []),
        ("value < 2**128", [2**128, 2**128 + 1, 2**128 - 1]),
    ],
)
def test_numbers_with_which_an_argument_is_compared(compared: str, bounds: list[int]) -> None:
    (function,) = ast.parse(f"def check(value, limit):\n    return {compared}").body
    assert isinstance(function, ast.FunctionDef)
    assert bounds_of(function, "value") == bounds
