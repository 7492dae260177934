"""Containers that play no part in what a case shows are empty."""

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
"""


@pytest.mark.parametrize(
    ("name", "given", "idle"),
    [
        ("merged", {"path": "[3, 1]", "base": "[1]", "more": "[2]"}, {"path": "[]"}),
        ("merged", {"path": "{'b': 2}", "base": "[1]", "more": "[2]"}, {"path": "{}"}),
        ("merged", {"path": "7", "base": "[1]", "more": "[2]"}, {}),
        ("merged", {"path": "[3]", "base": "[1]", "more": "[1, 2, 3, 4]"}, {"base": "[]"}),
        ("first", {"path": "[3]", "base": "[1]"}, {}),  # without it nothing comes out
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
    (after,) = IdleArguments(search.prober, search.drafts, show).emptied(chosen)
    assert after.kept.call is not None
    assert after.kept.call.given == given | idle
