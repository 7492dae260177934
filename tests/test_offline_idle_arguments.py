"""What plays no part in what a case shows is plain: empty, or the same in all cases."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from begun_search import search_of

from pytest_lift.agents.offline.choosing.looks.changes import what_is_shown
from pytest_lift.agents.offline.choosing.options.idle_arguments import IdleArguments
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call

MERGING = """
    def merged(path, base, more):
        if len(more) > 3:
            raise ValueError(f"too many at {path}")
        return base + more

    def first(path, base):
        return base[0] if path else None

    def is_deep(path):
        return len(path) > 2

    def filled(path, item):
        path.append(item)

    class Place:
        def __init__(self, above):
            self.above = above

    def is_below(place, other):
        return other.above is not None

    def is_open(place: Place):
        return True
"""


CODE = """
    class Code:
        def __init__(self, width, tab):
            self.tab = tab

        def blanks(self, text):
            return text.count(" ") * self.tab
"""


def test_what_plays_no_part_is_the_same_in_all_cases(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"coding.py": CODE})
    made = [Call(targets["Code"], (("width", one), ("tab", "2"))) for one in ("4", "3", "4")]
    made[0] = made[0].with_value("tab", "3")
    taken = (("text", "'a b'"),)
    calls = [Call(targets["Code.blanks"], taken, receiver=one) for one in made]
    cases = [case for call in calls if (case := search.write(call)) is not None]
    seen = search.prober.observe(cases, 10)
    kept = [KeptCase(case, seen[case.key], call) for case, call in zip(cases, calls, strict=True)]
    show = partial(what_is_shown, search=search)
    chosen = [Chosen(one, one.seen.hits) for one in kept]
    plain = IdleArguments(search.prober, search.drafts, show).plain(chosen)
    receivers = [one.kept.call.receiver for one in plain if one.kept.call is not None]
    assert [one.text for one in receivers if one is not None] == [
        "Code(4, 3)", "Code(4, 2)", "Code(4, 2)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "given", "idle"),
    [
        ("merged", {"path": "[3, 1]", "base": "[1]", "more": "[2]"}, {"path": "[]"}),
        ("merged", {"path": "{'b': 2}", "base": "[1]", "more": "[2]"}, {"path": "{}"}),
        ("merged", {"path": "dict(b=2)", "base": "[1]", "more": "[2]"}, {"path": "{}"}),
        ("is_below", {"place": "Place(Place(1))", "other": "Place(3)"}, {"place": "None"}),
        ("is_open", {"place": "Place(Place(1))"}, {}),  # it asks for one
        ("merged", {"path": "7", "base": "[1]", "more": "[2]"}, {}),
        ("merged", {"path": "[3]", "base": "[1]", "more": "[1, 2, 3, 4]"}, {"base": "[]"}),
        ("first", {"path": "[3]", "base": "[1]"}, {}),  # without it nothing comes out
        ("is_deep", {"path": "[3]"}, {}),  # another one gives something else
        ("filled", {"path": "[3]", "item": "1"}, {}),  # what becomes of it is shown
    ],
)
def test_what_shows_the_same_whatever_it_is_is_empty(
    name: str, given: dict[str, str], idle: dict[str, str], tmp_path: Path
) -> None:
    search, targets = search_of(tmp_path, {"merging.py": MERGING})
    call = Call(targets[name], tuple(given.items()))
    case = search.write(call)
    assert case is not None
    seen = search.prober.observe([case], 10)[case.key]
    show = partial(what_is_shown, search=search)
    chosen = [Chosen(KeptCase(case, seen, call), seen.hits)]
    (after,) = IdleArguments(search.prober, search.drafts, show).plain(chosen)
    assert after.kept.call is not None
    assert after.kept.call.given == given | idle
