"""Objects whose attributes show nothing of what was done are asked what their methods tell."""

from __future__ import annotations

import random
import time
from collections.abc import ItemsView, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.choosing.looks.answers import with_answers
from pytest_lift.agents.offline.choosing.looks.changes import with_changes
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.natural.offered import Offer
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Step
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.survey import survey
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import FunctionNode

LISTS = """
    import argparse


    class Parser(argparse.ArgumentParser):
        def __init__(self, title):
            super().__init__(description=title)


    class Request:
        def __init__(self, path):
            self.path = "/" + path
            self.form = None


    class Context:
        def __init__(self, path):
            self.session = None
            self.request = Request(path)


    class Playlist:
        def __init__(self, text=""):
            self.title = ""
            self._base = ""
            self._lines = text.split()

        @property
        def base(self):
            return self._base

        @base.setter
        def base(self, value):
            self._base = value

        @property
        def volume(self):
            return self._volume

        @volume.setter
        def volume(self, value):
            self._volume = value

        def dumps(self):
            return "#".join([*self._lines, self._base])

        def version(self):
            return "1.0"


    class Basket:
        def __init__(self, text=""):
            self._things = text.split()

        def __bool__(self):
            return len(self._things) > 2

        def told(self):
            return "+".join(self._things)


    class Splitter:
        def __init__(self, mark):
            self.name = "splits at " + mark
            self._mark = mark

        def split(self, text):
            return text.split(self._mark)

        def named(self, name):
            self.name = name
            return self


    class Doubler(Splitter):
        def split(self, text):
            return 2 * super().split(text)


    def doubling(mark):
        return Doubler(mark)


    class Untold:
        def __init__(self, at, wanted):
            self.at = at
            self.wanted = wanted


    class Unplaced(Untold):
        def __str__(self):
            return "wants " + " or ".join(self.wanted)


    class Found(Untold):
        def __str__(self):
            return f"{self.at} wants " + " or ".join(self.wanted)


    class Nameless(Untold):
        def __str__(self):
            return "wants nothing of ada's"


    class Numbering(Untold):
        def __str__(self):
            return f"wants {len(self.wanted)} of them"


    def nameless_in(text):
        return Nameless(len(text), ["d"])


    def numbering_in(text):
        return Numbering(len(text), ["d"])


    def untold_in(text):
        return Untold(len(text), ["d"])


    def unplaced_in(text):
        return Unplaced(len(text), ["d"])


    def found_in(text):
        return Found(len(text), ["d"])
"""


@pytest.fixture
def search(tmp_path: Path) -> ProgramSearch:
    """A search that knows a call of each method."""
    program = write_program(tmp_path, {"lists.py": LISTS})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = find_targets(program, resolver, survey(program, tmp_path, best_jail(), 10))
    inputs, offer = Inputs(program, random.Random(1)), Offer(program, resolver)
    deadline = time.monotonic() + 60
    found = ProgramSearch(
        prober, targets, resolver, inputs, offer, random.Random(1), deadline, 100, frozenset()
    )
    for target in targets:
        found.progress[target.key].calls.append(Call(target))
    return found


def steps(search: ProgramSearch, *calls: Call) -> list[list[str]]:
    """Returns the lines of the cases of calls."""
    found: Sequence[Chosen] = with_answers(with_changes(chosen_of(search, *calls), search), search)
    return [[step.source for step in item.kept.case.steps] for item in found]


def chosen_of(search: ProgramSearch, *calls: Call) -> list[Chosen]:
    chosen = []
    for call in calls:
        case = search.write(call)
        assert case is not None
        seen = search.prober.observe([case], 10)[case.key]
        chosen.append(Chosen(KeptCase(case, seen, call), frozenset()))
    return chosen


def target(search: ProgramSearch, symbol: str, kind: str) -> Target:
    (found,) = (one for one in search.targets if (one.symbol, one.kind) == (symbol, kind))
    return found


class Functions(dict[tuple[str, str], FunctionNode]):
    """Functions that count how often they are gone through."""

    gone_through = 0

    def items(self) -> ItemsView[tuple[str, str], FunctionNode]:  # type: ignore[override]
        self.gone_through += 1
        return dict(self).items()


def test_the_program_is_gone_through_once_for_all_objects(search: ProgramSearch) -> None:
    functions = Functions(search.inputs.inference.functions)
    search.inputs.inference.index.functions = functions
    chosen = with_changes(chosen_of(search, *(made(search, text) for text in "abc")), search)
    before = functions.gone_through
    with_answers(chosen, search)
    assert functions.gone_through == before + 1


def made(search: ProgramSearch, text: str) -> Call:
    return Call(target(search, "Playlist", "constructor"), (("text", repr(text)),))


def test_an_object_tells_what_it_was_made_of(search: ProgramSearch) -> None:
    (lines,) = steps(search, made(search, "a b"))
    assert lines == ["playlist = Playlist(text='a b')", "playlist.dumps()"]


def test_what_was_set_shows_in_what_the_object_tells_then(search: ProgramSearch) -> None:
    setting = target(search, "Playlist.base", "statement")
    name = setting.parameters[0].name
    call = Call(setting, ((name, "'c'"),), receiver=made(search, "a b"), name="playlist")
    (lines,) = steps(search, call)
    assert lines[1:] == ["playlist.base = 'c'", "playlist.dumps()"]


def test_an_operation_is_what_its_case_shows_however_little_that_says(
    search: ProgramSearch,
) -> None:
    basket = Call(target(search, "Basket", "constructor"), (("text", "'a b'"),))
    call = Call(target(search, "Basket.__bool__", "operator"), receiver=basket, name="basket")
    (lines,) = steps(search, call)
    assert lines[1:] == ["bool(basket)"]


def test_an_answer_that_setting_leaves_as_it_was_takes_no_place(search: ProgramSearch) -> None:
    setting = target(search, "Playlist.volume", "statement")
    name = setting.parameters[0].name
    call = Call(setting, ((name, "7"),), receiver=made(search, "a b"), name="playlist")
    (lines,) = steps(search, call)
    assert not any("()" in line for line in lines[1:])


def test_what_all_objects_answer_alike_tells_of_none(search: ProgramSearch) -> None:
    one, other = steps(search, made(search, "a"), made(search, "b"))
    assert [one[-1], other[-1]] == ["playlist.dumps()", "playlist.dumps()"]


def test_an_object_that_holds_another_one_is_told_by_that(search: ProgramSearch) -> None:
    context = target(search, "Context", "constructor")
    (lines,) = steps(search, Call(context, (("path", "'a'"),)))
    assert lines == ["context = Context('a')", "context.request"]


def test_what_a_class_of_a_library_has_by_itself_is_not_looked_at(search: ProgramSearch) -> None:
    parser = target(search, "Parser", "constructor")
    (lines,) = steps(search, Call(parser, (("title", "'a'"),)))
    assert lines == ["parser = Parser('a')", "parser.description"]


def documented(search: ProgramSearch, method: str, value: str) -> Call:
    called = target(search, f"Splitter.{method}", "method")
    return Call(called, ((called.parameters[0].name, value),))


def test_an_object_of_which_only_its_label_is_seen_is_used_as_documents_do(
    search: ProgramSearch,
) -> None:
    used = [("named", "'a'"), ("split", "'b'"), ("split", "'a-b'")]
    search.documented = [documented(search, *one) for one in used]
    splitter = Call(target(search, "Splitter", "constructor"), (("mark", "'-'"),))
    (lines,) = steps(search, splitter)
    assert lines == ["splitter = Splitter('-')", "splitter.split('a-b')"], "no label, no echo"
    doubled = Call(target(search, "doubling", "function"), (("mark", "'-'"),))
    (lines,) = steps(search, doubled)
    assert ".split(" in lines[-1], "what a class documents, one derived from it has"
    search.documented = []
    (lines,) = steps(search, splitter)
    assert lines[-1] == "splitter.name"


def test_a_text_takes_the_place_of_a_count_alone_where_it_names_what_is_counted(
    search: ProgramSearch,
) -> None:
    kinds = {"Unplaced": True, "Numbering": True, "Nameless": False}
    named = [counted(search, kind, ("len(found.wanted)",)) for kind in kinds]
    lasts = [one.kept.case.steps[-1].source for one in with_answers(named, search)]
    assert dict(zip(kinds, (one == "str(found)" for one in lasts), strict=True)) == kinds


def test_what_is_counted_is_named_by_a_text_with_the_same_numbers(search: ProgramSearch) -> None:
    looks = ("found.at", "len(found.wanted)")
    named = [counted(search, kind, looks) for kind in ("Found", "Unplaced", "Untold")]
    assert [one.kept.case.steps[1:] for one in with_answers(named, search)] == [
        (Step("str(found)", check=True),),
        *(one.kept.case.steps[1:] for one in named[1:]),
    ]


def counted(search: ProgramSearch, kind: str, looks: Sequence[str]) -> Chosen:
    """Returns the case of a function that gives an object of a class, which ends in some looks."""
    call = Call(
        target(search, f"{kind.lower()}_in", "function"), (("text", "'abc'"),), name="found"
    )
    case = search.write(call)
    assert case is not None
    seen = search.prober.observe([case], 10)[case.key]
    steps = [Step(f"found = {kind.lower()}_in('abc')"), *(Step(one, check=True) for one in looks)]
    return Chosen(KeptCase(replace(case, steps=tuple(steps)), seen, call), frozenset())
