"""What tells whether something holds is asked for values of other kinds, where one answer lacks."""

from __future__ import annotations

from pathlib import Path

from begun_search import search_of

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
"""


def test_the_answer_that_is_lacking_is_that_for_another_kind(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"kinds.py": KINDS})
    given = [("is_class", "1"), ("is_nothing", "1"), ("is_nothing", "None"), ("is_odd", "1")]
    given.append(("is_text", "'a'"))
    calls = [Call(targets[name], (("value", value),)) for name, value in given]
    cases = [case for call in calls if (case := search.write(call)) is not None]
    seen = search.prober.observe(cases, 10)
    kept = [KeptCase(case, seen[case.key], call) for case, call in zip(cases, calls, strict=True)]
    found = of_other_kinds(kept, search.prober, search.drafts)
    search.prober.close()
    assert [one.case.source for one in found] == ["is_class(int)"]
    assert found[0].seen.outcomes[0].source == "True"
