"""What cases leave in classes and objects of the program is not there for the next one."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.child.isolation.module_state import ModuleState
from pytest_lift.calls.child.isolation.shared_objects import (
    MOST_CONTAINERS,
    SharedObjects,
)
from pytest_lift.calls.prober import Prober

DEPOT = """
    class Depot:
        known = {}
        unit = "kg"

        def __init__(self, places=()):
            self.places = list(places)

        @classmethod
        def register(cls, name):
            cls.known[name] = 1
            return sorted(cls.known)

        @classmethod
        def weigh_in(cls, unit):
            cls.unit, before = unit, cls.unit
            return before


    DEPOT = Depot()


    def store(place):
        DEPOT.places.append(place)


    def told(name):
        return getattr(DEPOT, name)
"""


def _call(text: str) -> Case:
    name = text.partition("(")[0]
    line = f"from depot import {name.partition('.')[0]}"
    return Case("depot.py", name, (Step(text, check=True),), (line,))


def test_each_case_of_a_search_begins_with_what_there_was_after_import(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"depot.py": DEPOT}), best_jail())
    changing = ["Depot.register('a')", "Depot.weigh_in('g')", "store('x')"]
    looking = ["Depot.register('b')", "told('unit')", "told('places')"]
    cases = [_call(text) for text in (*changing, *looking)]
    found = prober.explore(cases, frozenset(), 10)
    seen = {case.source: seen.outcomes[0].source for case, seen in found}
    assert [seen[text] for text in looking] == ["['b']", "'kg'", "[]"]


def test_what_is_left_shows_whether_a_case_depends_on_the_one_before(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"depot.py": DEPOT}), best_jail())
    cases = [_call("Depot.register('a')"), _call("Depot.register('b')")]
    seen = prober.observe(cases, 10, leaving=True)
    assert [seen[case.key].outcomes[0].source for case in cases] == ["['a']", "['a', 'b']"]
    seen = prober.observe(cases, 10)
    assert [seen[case.key].outcomes[0].source for case in cases] == ["['a']", "['b']"]


def test_what_a_job_leaves_is_gone_when_the_next_one_imports(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"depot.py": DEPOT}), best_jail())
    prober.explore([_call("told('unit')")], frozenset(), 10)
    prober.observe([_call("Depot.weigh_in('g')"), _call("store('x')")], 10)
    line = "from depot import told as unit_of"
    looking = Case("depot.py", "told", (Step("unit_of('unit')", check=True),), (line,))
    ((_, seen),) = prober.explore([looking], frozenset(), 10)
    assert seen.outcomes[0].source == "'kg'"


ODD = """
    class Table(dict):
        def __init__(self, *args):
            super().__init__(*args)
            self.__dict__ = self


    class Kind(type):
        def __eq__(cls, other):
            return NotImplemented


    class Odd(metaclass=Kind):
        codes = []


    STATUS = Table({404: ["not", "found"]})
    ODD = Odd()


    def add(code):
        STATUS[404].append(code)
        Odd.codes.append(code)


    def told():
        return STATUS[404], Odd.codes
"""


def test_classes_without_hash_and_attributes_without_names_are_put_back(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"odd.py": ODD}), best_jail())
    steps = [Step(text, check=True) for text in ("add(1)", "told()")]
    cases = [Case("odd.py", "told", (step,), ("from odd import add, told",)) for step in steps]
    ((_, seen),) = prober.explore(cases, frozenset(), 10)
    assert seen.outcomes[0].source == "(['not', 'found'], [])"


class Incomparable:
    """Value that must not be compared, as an array has no single answer."""

    def __eq__(self, other: object) -> bool:
        raise ValueError("ambiguous")

    __hash__ = object.__hash__


def test_what_cannot_be_compared_is_put_back() -> None:
    first = Incomparable()
    kind: Any = type("Kind", (), {"__module__": "kinds", "known": {"a": first}, "odd": first})
    shared = SharedObjects([{"Kind": kind}], ["kinds"])
    kind.known["a"], kind.odd = Incomparable(), Incomparable()
    shared.put_back()
    assert kind.known["a"] is first
    assert kind.odd is first


@pytest.mark.parametrize("changes", [1, 2, 5])
def test_all_that_a_case_changes_is_put_back(changes: int) -> None:
    """What few cases change is put back without a look at each thing."""
    kinds = {f"Kind{n}": type(f"Kind{n}", (), {"__module__": "kinds", "a": n}) for n in range(9)}
    shared = SharedObjects([kinds], ["kinds"])
    for n in range(changes):
        kind: Any = kinds[f"Kind{n}"]
        kind.a, kind.more = None, [n]
    assert shared.put_back()
    assert not shared.put_back()
    assert [vars(kind).get("a") for kind in kinds.values()] == [*range(9)]
    assert not any(hasattr(kind, "more") for kind in kinds.values())


def test_only_so_many_containers_are_compared() -> None:
    tables = {f"table{n}": {n: n} for n in range(2 * MOST_CONTAINERS)}
    kind = type("Kind", (), {"__module__": "kinds", **tables})
    shared = SharedObjects([{"Kind": kind}], ["kinds"])
    assert len(shared.containers) == MOST_CONTAINERS


def test_much_is_compared_seldom() -> None:
    classes = {f"Kind{n}": type(f"Kind{n}", (), {"__module__": "kinds"}) for n in range(100)}
    shared = SharedObjects([classes], ["kinds"])
    classes["Kind7"].unit = "kg"  # type: ignore[attr-defined]
    changed = []
    for _ in range(7):
        shared.put_back_in_turn()
        changed.append(hasattr(classes["Kind7"], "unit"))
    assert changed == [True] * 5 + [False] * 2


def test_what_cannot_be_put_back_hides_nothing_that_changes_later() -> None:
    """Python keeps some attributes of a class itself: they are left as they are."""

    class Shop:
        prices: ClassVar[dict[str, int]] = {}

    Shop.__module__ = "pkg.shop"
    shared = SharedObjects([{"Shop": Shop}], ["pkg.shop"])
    Shop.__doc__ = "Changed."
    shared.put_back()
    assert Shop.__doc__ == "Changed."
    for _ in range(2):
        Shop.prices["pear"] = 1
        Shop.open = True  # type: ignore[attr-defined]
        shared.put_back()
        assert (Shop.prices, hasattr(Shop, "open")) == ({}, False)


def test_what_a_function_remembers_is_forgotten_once_however_many_modules_have_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Programs hand functions on from module to module, and each state after an import that came
    late looks at all of their variables."""
    cleared: list[object] = []

    class Remembering:
        def __getattr__(self, name: str) -> object:
            raise AssertionError(name)  # nothing of the program is executed

        def cache_clear(self) -> None:
            cleared.append(self)

    def patient() -> None:
        """Has the method by an attribute of its own."""

    patient.cache_clear = lambda: cleared.append(patient)  # type: ignore[attr-defined]
    remembering = Remembering()
    for name in ("pkg_a", "pkg_b"):
        module = ModuleType(name)
        vars(module).update(one=remembering, other=remembering, size=len, limit=3, own=patient)
        monkeypatch.setitem(sys.modules, name, module)
    ModuleState({"pkg_a": "", "pkg_b": ""}, "case").restore()
    assert cleared == [remembering, patient]


def test_a_program_that_handles_the_lack_of_input_is_tested_with_some(tmp_path: Path) -> None:
    asking = """
        import sys


        def ask():
            try:
                return sys.stdin.read()
            except OSError as error:
                return f"error: {error}"
    """
    prober = Prober(tmp_path, write_program(tmp_path, {"depot.py": asking}), best_jail())
    bare = Case("depot.py", "ask", (Step("ask()", check=True),), ("from depot import ask",))
    given = replace(bare, stdin="yes")
    seen = prober.explore([bare, given], frozenset(), 10)
    assert [case.stdin for case, one in seen if one.outcomes] == ["yes"]


BEGUN = """
    _shop = None
    _words = None


    def begin(name):
        global _shop
        _shop = name
        return name


    def current():
        if not _shop:
            raise RuntimeError("nothing has begun")
        return _shop


    def words():
        global _words
        if _words is None:
            _words = ["a"]
        return _words
"""


def test_what_a_case_begins_that_another_one_misses_is_seen(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"depot.py": BEGUN}), best_jail())
    cases = [_call("current()"), _call("begin('a')"), _call("words()")]
    seen = prober.observe(cases, 10, strict=True, tidy=True)
    assert [seen[case.key].registers for case in cases] == [False, True, False]
