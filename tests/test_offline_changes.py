"""Calls in stories: on named objects, after other calls, with checks of what they change."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import brief, write_program

from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.pacing import SEARCH_SECONDS
from pytest_lift.calls.call import Call, as_line, rerooted
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.source.program import Program

STORE = """
    import functools
    import random
    import time


    class FullError(Exception):
        pass


    class Store:
        def __init__(self, size=2, timer=time.monotonic):
            self.size = size
            self._items = {}
            self.made = time.time()

        def __setitem__(self, key, value):
            if len(self._items) >= self.size:
                raise FullError("the store is full")
            self._items[key] = value

        def __len__(self):
            return len(self._items)

        def drop(self):
            if not self._items:
                return
            self._items.popitem()

        @property
        def used(self):
            self.touched = True
            return len(self._items)

        @property
        def emptied(self):
            self._items = {}
            return self

        def shelf(self, name):
            return Shelf(self, name)


    class Shelf:
        def __init__(self, store, name):
            self.name = name

        def renamed(self, name):
            self.name = name
            return self


    def throw():
        return random.randint(1, 10**9)


    def counting(function):
        @functools.wraps(function)
        def counted(*args):
            return function(*args)
        return counted
    """


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return write_program(tmp_path, {"store.py": STORE})


@pytest.fixture
def calls(program: Program) -> dict[str, Call]:
    targets = find_targets(program, Resolver(program))
    return {target.symbol: Call(target) for target in targets}


def test_a_story_is_written_line_by_line(program: Program, calls: dict[str, Call]) -> None:
    put = Call(
        calls["Store.__setitem__"].target,
        (("key", "'a'"), ("value", "1")),
        receiver=calls["Store"],
        name="store",
    )
    drop = Call(
        calls["Store.drop"].target, receiver=put.receiver, name="store", before=(as_line(put),)
    )
    case = as_case(drop, Resolver(program))
    assert case is not None
    assert case.source == "store = Store()\nstore['a'] = 1\nstore.drop()"
    assert case.subject == "store"


def test_a_statement_is_followed_by_a_look_at_its_object(
    program: Program, calls: dict[str, Call]
) -> None:
    put = Call(
        calls["Store.__setitem__"].target,
        (("key", "'a'"), ("value", "1")),
        receiver=calls["Store"],
        name="store",
    )
    case = as_case(put, Resolver(program))
    assert case is not None
    assert [(step.source, step.acts) for step in case.steps[1:]] == [
        ("store['a'] = 1", True),
        ("store", False),
    ]


def test_a_chain_begins_at_a_variable_in_the_place_of_a_constructor(calls: dict[str, Call]) -> None:
    shelf = Call(calls["Store.shelf"].target, (("name", "'x'"),), subject="store")
    chain = Call(
        calls["Shelf.renamed"].target,
        (("name", "'y'"),),
        receiver=Call(calls["Shelf"].target, (("store", "None"), ("name", "'z'"))),
    )
    found = rerooted(chain, calls["Shelf"].target.key, shelf)
    assert found is not None
    assert found.receiver == shelf
    assert rerooted(chain, calls["Store"].target.key, shelf) is None


def case_of(*lines: str, subject: str = "store", watched: tuple[str, ...] = ()) -> Case:
    steps = (*(Step(line) for line in lines[:-1]), Step(lines[-1], check=True))
    imports = ("from store import Store, counting, throw",)
    return Case("store.py", "Store", steps, imports, subject=subject, watched=watched)


def test_states_tell_objects_apart(program: Program, tmp_path: Path) -> None:
    prober = Prober(tmp_path, program, best_jail())
    cases = [
        case_of("store = Store()", "store.drop()"),
        case_of("store = Store()", "store['a'] = 1", "len(store)"),
        case_of("store = Store()", "store['b'] = 1", "len(store)"),
    ]
    seen = [prober.observe(cases, 10)[case.key].state for case in cases]
    assert seen[0] != seen[1] == seen[2]


def test_views_leave_out_properties_that_change_their_object(
    program: Program, tmp_path: Path
) -> None:
    prober = Prober(tmp_path, program, best_jail())
    watched = case_of("store = Store()", "store['a'] = 1", "store.drop()", watched=("store",))
    before, after = prober.observe([watched], 10)[watched.key].views
    assert dict(before["store"])["len({})"] == "1"
    assert dict(after["store"])["len({})"] == "0"
    assert "{}.emptied" not in dict(before["store"])


def test_what_nothing_can_be_said_of_is_no_find(program: Program, tmp_path: Path) -> None:
    prober = Prober(tmp_path, program, best_jail())
    idle = case_of("store = Store()", "store.drop()")
    [(_, seen)] = prober.explore([idle], frozenset(), 10, ())
    assert seen.rejected == "nothing to assert"
    assert prober.failures["store.py:Store"]["nothing to assert"] == 1


def test_unseeded_chance_is_no_find(program: Program, tmp_path: Path) -> None:
    prober = Prober(tmp_path, program, best_jail())
    case = case_of("throw()", subject="")
    assert prober.explore([case], frozenset(), 10, ()) == []
    assert prober.failures["store.py:Store"]["chance"] == 1


def test_what_describing_a_value_executes_is_not_reached(program: Program, tmp_path: Path) -> None:
    prober = Prober(tmp_path, program, best_jail())
    made, asked = case_of("Store()", subject=""), case_of("len(Store())", subject="")
    seen = prober.observe([made, asked], 10)
    assert seen[asked.key].hits > seen[made.key].hits


def test_what_wraps_a_function_is_not_that_function(program: Program, tmp_path: Path) -> None:
    prober = Prober(tmp_path, program, best_jail())
    wrapped, itself = case_of("counting(len)", subject=""), case_of("counting", subject="")
    seen = prober.observe([wrapped, itself], 10)
    assert [seen[case.key].outcomes[0].source for case in (wrapped, itself)] == [None, "counting"]


def test_tests_tell_what_calls_change(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A short search and no limit after it: changes are looked at last, if there is time left."""
    monkeypatch.setitem(SEARCH_SECONDS, "initial", 6.0)
    edit = generator(replace(brief(tmp_path, program), deadline=None, seed=3))
    text = edit.files["tests/test_store.py"] or ""
    assert "assert len(store) == " in text
    assert re.search(r"raises\(FullError, match=.*\n        store\[.* = ", text)
    assert re.search(r'"""After .*Store.*,\s+\S+ (is|and\s+\S+ are) ', text)
    assert "random.seed(1)" in text
    assert ".made ==" not in text
