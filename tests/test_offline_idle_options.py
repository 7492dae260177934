"""An option stays in a test where it makes a difference, and moves to where it makes one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from begun_search import search_of

from pytest_lift.agents.offline.choosing.options.asked import OptionAnswers
from pytest_lift.agents.offline.choosing.options.idle import with_options_that_matter
from pytest_lift.agents.offline.choosing.options.told import ToldOutcomes
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation, Outcome
from pytest_lift.calls.prober import Prober

PAIRS = """
    def changed(old, new, ignore=None):
        left_out = set()
        if ignore is not None:
            for key in ignore:
                left_out.add(key)
        return [key for key in old if key not in left_out and old[key] != new.get(key)]


    def read(text, unique=False):
        found = {}
        for part in text.split(";"):
            key, _, value = part.partition("=")
            if unique:
                if key in found:
                    raise ValueError("twice: " + key)
            found[key] = value
        return found


    def total(numbers, quick=False):
        if quick:
            return sum(numbers)
        found = 0
        for number in numbers:
            found += number
        return found


    def refused(text, mark="!", loud=False):
        if loud:
            mark = mark * 2
        if not text:
            raise ValueError("nothing to say")
        return text + mark


    class Table:
        def __init__(self, title="", width=1):
            self.title = title
            self.width = width

        def line(self):
            if self.width > 1:
                return "-" * self.width
            return "."
"""

CASED = """
    def cased(text, keep=False, modern=False):
        if keep and modern:
            pass
        if modern:
            text = text.replace("ß", "ss")
        return text if keep else text.lower()
"""


SHELF = """
    class Shelf:
        def __init__(self, most=-1):
            self.most = most
            self._titles = []

        def put(self, title):
            if 0 <= self.most <= len(self._titles):
                return title
            self._titles.append(title)
            return title

        def count(self):
            return len(self._titles)
"""


SAYING = """
    import argparse


    def main(argv=None):
        parser = argparse.ArgumentParser(prog="say")
        parser.add_argument("words", nargs="*")
        parser.add_argument("--mark", default="!")
        parser.add_argument("--loud", action="store_true")
        given = parser.parse_args(argv)
        text = " ".join(given.words)
        if given.loud:
            text = text.upper()
        if not text:
            raise ValueError("nothing to say")
        print(text + given.mark)
"""


def chosen(search: ProgramSearch, call: Call, *, only: bool = True) -> Chosen:
    """Returns a call that was chosen for all that it reaches, or for nothing of its own."""
    case = search.write(call)
    assert case is not None
    seen = search.prober.observe([case], 10)[case.key]
    return Chosen(KeptCase(case, seen, call), seen.hits if only else frozenset())


def left(search: ProgramSearch, *items: Chosen, last: bool = False) -> list[tuple[str, str]]:
    """Returns (source, effect) of the cases with options that matter."""
    until = time.monotonic() + 20
    found = with_options_that_matter(
        items, search, lambda _: 1.0, until, OptionAnswers(), last=last
    )
    return [(one.kept.case.source, one.kept.case.effect) for one in found]


@pytest.mark.parametrize(
    ("symbol", "values", "cases"),
    [
        (
            "changed",
            (("old", "{'a': 1, 'b': 2}"), ("new", "{'a': 3}"), ("ignore", "[2, 3]")),
            [
                ("changed({'a': 1, 'b': 2}, {'a': 3})", ""),
                ("changed({'a': 1, 'b': 2}, {'a': 3}, ignore=['a'])", "ignore=['a']"),
            ],
        ),
        (
            "read",
            (("text", "'a=1;b=2'"), ("unique", "True")),
            [("read('a=1;b=2')", ""), ("read('a=1;a=2', unique=True)", "unique=True")],
        ),
        (
            "total",
            (("numbers", "[1, 2]"), ("quick", "True")),
            [("total([1, 2], quick=True)", "")],
        ),
        (
            "refused",
            (("text", "'a'"), ("loud", "True")),
            [("refused('a', loud=True)", "loud=True")],
        ),
    ],
    ids=["names of keys", "a word twice", "matters nowhere", "matters here"],
)
def test_an_option_moves_to_an_input_on_which_it_makes_a_difference(
    tmp_path: Path, symbol: str, values: tuple[tuple[str, str], ...], cases: list[tuple[str, str]]
) -> None:
    search, by_name = search_of(tmp_path, {"pairs.py": PAIRS})
    assert left(search, chosen(search, Call(by_name[symbol], values))) == cases


def test_options_that_play_no_part_in_an_error_go(tmp_path: Path) -> None:
    search, by_name = search_of(tmp_path, {"pairs.py": PAIRS})
    values = (("text", "''"), ("mark", "'?'"), ("loud", "True"))
    item = chosen(search, Call(by_name["refused"], values))
    bare, *moved = left(search, item)
    assert bare == ("refused('')", "")
    assert [effect for _, effect in moved] == ["loud=True"]


def test_an_option_that_matters_nowhere_goes_at_last_where_little_is_lost(tmp_path: Path) -> None:
    search, by_name = search_of(tmp_path, {"pairs.py": PAIRS})
    quick = chosen(search, Call(by_name["total"], (("numbers", "[1]"), ("quick", "True"))))
    slow = chosen(search, Call(by_name["total"], (("numbers", "[1]"),)))
    seen = quick.kept.seen.hits | frozenset(range(10**6, 10**6 + 1000))
    many = Chosen(KeptCase(slow.kept.case, Observation(slow.kept.seen.outcomes, seen)), seen)
    assert left(search, quick, slow, last=True)[0] == ("total([1], quick=True)", "")
    assert left(search, quick, slow, many, last=True)[0] == ("total([1])", "")
    search.tested = seen
    assert left(search, quick, slow, last=True)[0] == ("total([1])", "")


def test_an_option_does_not_go_twice_since_another_call_has_it(tmp_path: Path) -> None:
    search, by_name = search_of(tmp_path, {"pairs.py": PAIRS})
    one, two = (
        chosen(search, Call(by_name["total"], (("numbers", given), ("quick", "True"))))
        for given in ("[1]", "[1, 2]")
    )
    slow = chosen(search, Call(by_name["total"], (("numbers", "[3]"),)))
    two = Chosen(two.kept, two.gain & slow.gain)
    assert left(search, one, two, slow) == [
        ("total([1])", ""),
        ("total([1, 2], quick=True)", ""),
        ("total([3])", ""),
    ]


def test_that_an_object_has_what_it_was_given_is_no_difference(tmp_path: Path) -> None:
    search, by_name = search_of(tmp_path, {"pairs.py": PAIRS})
    made = Call(by_name["Table"], (("title", "'a'"), ("width", "3")))
    line = Call(by_name["Table.line"], receiver=made, name="table")
    assert left(search, chosen(search, made))[0] == ("Table()", "")
    assert left(search, chosen(search, line)) == [
        ("table = Table(width=3)\ntable.line()", "width=3")
    ]


def test_what_an_option_of_an_object_does_is_shown_by_another_method(tmp_path: Path) -> None:
    search, by_name = search_of(tmp_path, {"shelf.py": SHELF})
    made = Call(by_name["Shelf"], (("most", "0"),))
    put = Call(by_name["Shelf.put"], (("title", "'a'"),), receiver=made, name="shelf")
    bare, shown = left(search, chosen(search, put))
    assert bare == ("shelf = Shelf()\nshelf.put('a')", "")
    assert shown == ("shelf = Shelf(most=0)\nshelf.put('a')\nshelf.count()", "most=0")


def test_what_differs_each_time_is_no_difference() -> None:
    def made(count: int, size: int) -> Observation:
        attributes = (("count", str(count)), ("size", str(size)))
        return Observation((Outcome(type="Table", attributes=attributes),))

    told = ToldOutcomes()
    assert not told.equal(made(1, 2), made(2, 2), [])
    told.note(made(3, 2), made(4, 2))
    assert told.equal(made(1, 2), made(2, 2), [])
    assert not told.equal(made(1, 2), made(2, 3), [])
    assert told.equal(made(1, 2), made(2, 3), ["3"]), "it was given"


def test_options_of_a_command_line_that_play_no_part_go(tmp_path: Path) -> None:
    search, by_name = search_of(tmp_path, {"say.py": SAYING})
    main = by_name["main"]
    fails = Call(main, argv=("say", "--mark", "?", "--loud"), stdin="unread")
    says = Call(main, argv=("say", "hello"))
    search.progress[main.key].calls.append(says)
    bare, loud = left(search, chosen(search, fails), last=True)
    assert bare == ("main([])", "")
    assert loud == ("main(['--loud', 'hello'])", "")


@dataclass
class CountedCases(Prober):
    """Counts the cases that are observed."""

    count: int = 0

    def observe(self, cases: Sequence[Case], seconds: float, **how: Any) -> dict[str, Observation]:
        self.count += len(cases)
        return super().observe(cases, seconds, **how)


def test_what_was_asked_of_an_option_is_not_asked_again(tmp_path: Path) -> None:
    search, by_name = search_of(tmp_path, {"pairs.py": PAIRS})
    before = search.prober
    search.prober = counted = CountedCases(before.copy, before.program, before.jail)
    item = chosen(search, Call(by_name["total"], (("numbers", "[1, 2]"), ("quick", "True"))))
    asked, counts = OptionAnswers(), []
    for last in (False, True):
        counted.count = 0
        until = time.monotonic() + 20
        found = with_options_that_matter([item], search, lambda _: 1.0, until, asked, last=last)
        assert [one.kept.case.source for one in found] == ["total([1, 2], quick=True)"]
        counts.append(counted.count)
    assert counts[0] > counts[1] == 0


def test_two_options_that_matter_on_different_inputs_do_not_go_round(tmp_path: Path) -> None:
    search, by_name = search_of(tmp_path, {"cased.py": CASED})
    before = search.prober
    search.prober = counted = CountedCases(before.copy, before.program, before.jail)
    cased = by_name["cased"]
    search.inputs.note(cased, "text", "'Hello'")
    search.inputs.note(cased, "text", "'maß'")
    both = (("text", "'Hello'"), ("keep", "True"), ("modern", "True"))
    left(search, chosen(search, Call(cased, both)))
    assert counted.count < 150  # 108; 206 where each pair of calls runs again, 664 in ten rounds
