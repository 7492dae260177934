"""A round of a search begins when the child is free, not when the one before it is learnt from."""

from __future__ import annotations

from pathlib import Path

from begun_search import search_of

from pytest_lift.calls.call import Call

SIGNS = """
    def sign(number):
        if number < 0:
            return "minus"
        return "plus"
"""


def test_the_child_goes_on_before_what_came_of_a_round_is_read(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"signs.py": SIGNS})
    calls = [Call(targets["sign"], (("number", text),)) for text in ("-1", "1")]
    first = search._begin(search._written(calls[:1]))
    second = search._begin_after(first, search._written(calls[1:]))
    assert first is not None
    assert second is not None
    assert (first.batch.waiting, second.batch.waiting, search.kept) == ([], [0], [])
    assert [search._learn(one) for one in (first, second)] == [1, 1]
    assert [kept.call for kept in search.kept] == calls
    search.prober.close()
