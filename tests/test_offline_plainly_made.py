"""Objects that play no part in what is shown are made as known ones are, without options."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from begun_search import search_of
from jails import best_jail

from pytest_lift.agents.offline.choosing.options.plainly_made import MOST_TRIED, PlainlyMade
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.prober import Prober

DATES = """
    class Day:
        def __init__(self, year, checked=True):
            if checked and year > 1500:
                raise OverflowError("date out of range")
            self.year = year

        @classmethod
        def of(cls, other):
            return cls(int(other.real))

        def __eq__(self, other):
            return self.year == other.year

        def __lt__(self, other):
            return self.year < other.year

        def is_long_ago(self):
            if self.year > 1500:
                return False
            return True
"""


@pytest.mark.parametrize(
    ("symbol", "given", "plain"),
    [
        ("Day.__lt__", "Day(2030, checked=False)", "Day(1445) < Day(1446)"),
        ("Day.__lt__", "Day(1300)", "Day(1445) < Day(1300)"),
        ("Day.__lt__", "Day.of(complex(3, 1))", "Day(1446) < Day(1445)"),
        ("Day.is_long_ago", "", "Day(2024, checked=False).is_long_ago()"),
    ],
)
def test_objects_are_made_without_options_that_play_no_part(
    symbol: str, given: str, plain: str, tmp_path: Path
) -> None:
    search, targets = search_of(tmp_path, {"dates.py": DATES})
    search.natural.inputs.note_object("Day", "Day(1445)")
    made = Call(targets["Day"], (("year", "2024"), ("checked", "False")))
    call = Call(targets[symbol], (("other", given),) if given else (), receiver=made)
    case = search.write(call)
    assert case is not None
    seen = search.prober.observe([case], 10)[case.key]
    gain = frozenset[int]() if given else seen.hits
    chosen = [Chosen(KeptCase(case, seen, call), gain)]
    found = PlainlyMade(search.prober, search.drafts, search.natural).all(chosen)[0].kept.call
    assert found is not None
    assert found.text == plain


class CountingProber(Prober):
    """Notes how many cases it is asked for."""

    asked: tuple[int, ...] = ()

    def observe(
        self, cases: Sequence[Case], seconds: float, **manner: Any
    ) -> dict[str, Observation]:
        self.asked += (len(cases),)
        return super().observe(cases, seconds, **manner)


def test_few_other_objects_are_tried_and_none_of_them_twice(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"dates.py": DATES})
    for year in (1445, 1300):
        search.natural.inputs.note_object("Day", f"Day({year})")
    made = Call(targets["Day"], (("year", "2024"), ("checked", "False")))
    call = Call(targets["Day.__lt__"], (("other", "Day(2030, checked=False)"),), receiver=made)
    case = search.write(call)
    assert case is not None
    out_of_reach = [Chosen(KeptCase(case, Observation(), call), frozenset({10**6}))]
    prober = CountingProber(tmp_path, search.prober.program, best_jail())
    plainly_made = PlainlyMade(prober, search.drafts, search.natural)
    assert plainly_made.all(plainly_made.all(out_of_reach)) == out_of_reach
    assert prober.asked == (MOST_TRIED,)
    prober.close()


def test_an_object_that_is_made_of_one_of_another_kind_is_made_by_its_class(
    tmp_path: Path,
) -> None:
    search, targets = search_of(tmp_path, {"dates.py": DATES})
    search.natural.inputs.note_object("Day", "Day(1445)")
    for other, plain in (
        ("complex(3, 1)", "Day(3) < Day(1300)"),
        ("7", "Day.of(7) < Day(1300)"),
    ):
        made = Call(targets["Day.of"], (("other", other),))
        call = Call(targets["Day.__lt__"], (("other", "Day(1300)"),), receiver=made)
        case = search.write(call)
        assert case is not None
        seen = search.prober.observe([case], 10)[case.key]
        chosen = [Chosen(KeptCase(case, seen, call), frozenset())]
        found = PlainlyMade(search.prober, search.drafts, search.natural).all(chosen)[0].kept.call
        assert found is not None
        assert found.text == plain
