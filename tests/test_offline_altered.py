"""What a call changes in place of its arguments is looked at by tests."""

from __future__ import annotations

import ast
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import brief, write_program
from test_offline_generator import run_pytest

from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.joining.verified_cases import VerifiedCases
from pytest_lift.agents.offline.stories.altered import AlteredArguments
from pytest_lift.agents.offline.writing.oracles.verifying import verify
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Outcome, Step
from pytest_lift.calls.collecting import altered, container, unaltered_inline
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

TABLES = '''
    """Tables."""


    def drop(table, key):
        """Deletes a key of a dict; returns how many there were."""
        if key not in table:
            return 0
        del table[key]
        return 1


    def clean(items):
        """Removes what is empty from a list."""
        for number in reversed(range(len(items))):
            if not items[number]:
                del items[number]


    def filled(items, item):
        """Appends to a list, and gives it back."""
        items.append(item)
        return items


    def total(items):
        return sum(items)


    def counted(items):
        return len(items)


    class Shelf:
        def take(self, items: list, most: int = 1):
            """Takes items off a list."""
            taken, items[:most] = items[:most], []
            return len(taken)
'''


class Known:
    """What is known of the tables."""

    def __init__(self, root: Path) -> None:
        self.program = write_program(root, {"tables.py": TABLES})
        self.resolver = Resolver(self.program)
        self.targets = {one.symbol: one for one in find_targets(self.program, self.resolver)}
        self.prober = Prober(root, self.program, best_jail())

    def call(self, symbol: str, **values: str) -> Call:
        target: Target = self.targets[symbol]
        receiver = Call(self.targets["Shelf"]) if target.owner else None
        return Call(target, tuple(values.items()), receiver=receiver)

    def learn(self, *calls: Call) -> dict[str, frozenset[str]]:
        with closing(self.prober):
            AlteredArguments(self.resolver, self.prober).note(calls, 10.0)
        return {key.partition(":")[2]: names for key, names in self.resolver.altered.items()}

    def told(self, call: Call) -> list[tuple[str, str, str]]:
        case = as_case(call, self.resolver)
        assert case is not None
        seen = self.prober.observe([case], 10)[case.key]
        found = verify(case, seen, self.program, self.resolver)
        assert found is not None
        return [(check.form, check.expression, check.expected) for check in found.checks]


@pytest.fixture
def known(tmp_path: Path) -> Known:
    return Known(tmp_path)


def test_arguments_that_are_changed_are_noticed(known: Known) -> None:
    calls = [
        known.call("drop", table="{'a': 1}", key="'a'"),
        known.call("clean", items="[0, 1]"),
        known.call("total", items="[1]"),
        known.call("Shelf.take", items="[1, 2]"),
    ]
    assert known.learn(*calls) == {
        "drop": frozenset({"table"}),
        "clean": frozenset({"items"}),
        "Shelf.take": frozenset({"items"}),
    }


def test_what_is_given_back_shows_itself(known: Known) -> None:
    assert known.learn(known.call("filled", items="[1]", item="2")) == {}


def test_a_call_that_changes_nothing_teaches_nothing(known: Known) -> None:
    same = known.call("drop", table="{'a': 1}", key="'b'")
    assert known.learn(same) == {}
    assert known.learn(same, known.call("drop", table="{'a': 1}", key="'a'")) != {}
    assert known.learn(same) == {"drop": frozenset({"table"})}


def test_tests_look_at_what_was_changed(known: Known) -> None:
    known.resolver.altered["tables.py:drop"] = frozenset({"table"})
    assert known.told(known.call("drop", table="{'a': 1, 'b': 2}", key="'a'")) == [
        ("none", "table = {'a': 1, 'b': 2}", ""),
        ("equals", "drop(table, 'a')", "1"),
        ("equals", "table", "{'b': 2}"),
    ]


def test_what_stays_as_it_is_has_no_variable(known: Known) -> None:
    known.resolver.altered["tables.py:drop"] = frozenset({"table"})
    told = known.told(known.call("drop", table="{'a': 1}", key="'b'"))
    assert told == [("equals", "drop({'a': 1}, 'b')", "0")]


def test_a_case_is_known_by_what_it_was_before_that(known: Known) -> None:
    call = known.call("drop", table="{'a': 1}", key="'b'")
    plain = as_case(call, known.resolver)
    known.resolver.altered["tables.py:drop"] = frozenset({"table"})
    looked = as_case(call, known.resolver)
    assert plain is not None
    assert looked is not None
    assert plain.key != looked.key
    seen = known.prober.observe([looked, plain], 10)
    items = {
        case.key: verify(case, seen[case.key], known.program, known.resolver)
        for case in (looked, plain)
    }
    found = VerifiedCases({key: item for key, item in items.items() if item is not None})
    assert found.keys({looked.key, "another"}) == {plain.key}
    assert found.once() == [items[looked.key]], "they are the same test now"


def test_what_is_emptied_is_told(known: Known) -> None:
    known.resolver.altered["tables.py:clean"] = frozenset({"items"})
    told = known.told(known.call("clean", items="[0]"))
    assert told[-1] == ("equals", "items", "[]")


def test_a_call_that_only_changes_its_argument_can_be_a_test(known: Known) -> None:
    call = known.call("clean", items="[0, 1]")
    known.resolver.altered["tables.py:clean"] = frozenset({"items"})
    cases = [
        as_case(call, known.resolver),
        as_case(call.with_value("items", "[1]"), known.resolver),
    ]
    given = [case for case in cases if case is not None]
    (found,) = known.prober.explore(given, frozenset(), 10)
    assert found[0] == given[0]


@pytest.mark.parametrize(
    ("value", "begins"),
    [("[1, 'a']", "[1, 'a']"), ("{'a':1}", "{'a': 1}"), ("(1,)", ""), ("[f()]", ""), ("'[1]'", "")],
)
def test_containers_of_literals_are_looked_at(value: str, begins: str) -> None:
    assert container(value) == begins


def test_the_generator_writes_them(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"tables.py": TABLES})
    edit = generator(brief(tmp_path, program))
    (text,) = [text for text in edit.files.values() if text]
    assert "    clean(items)\n    assert items == " in text
    assert "assert table == " in text
    assert " failed" not in run_pytest(tmp_path, edit.files)


def test_variables_have_names_that_no_argument_binds(known: Known) -> None:
    call = known.call("filled", items="[3, 1]", item="lambda items: items[0]")
    ((variable, *_),), _ = altered(call, frozenset({"items"}))
    assert variable == "other_items"


def test_definitions_keep_what_they_name(known: Known) -> None:
    case = as_case(known.call("filled", items="[3, 1]", item="total"), known.resolver)
    assert case is not None
    outcomes = Outcome(source="1"), Outcome(source="[3, 1]")
    for defines, parameter in ((0, "items"), (1, "values")):
        defined = f"def total({parameter}):\n    return sorted(items)"
        looks = Step("items", check=True, began="[3, 1]")
        steps = (
            Step(defined),
            Step("items = [3, 1]"),
            Step("apply(items, total)", check=True),
            looks,
        )
        kept, _ = unaltered_inline(replace(case, steps=steps, defines=defines), outcomes)
        assert [one.source for one in kept] == [defined, "apply([3, 1], total)"]


@pytest.mark.parametrize("items", ["[3.141592653589793]", "[{'b', 'a', 'd', 'c'}]", "[{10, 2, 9}]"])
def test_another_spelling_is_no_change(known: Known, items: str) -> None:
    assert known.learn(known.call("counted", items=items)) == {}
    known.resolver.altered["tables.py:counted"] = frozenset({"items"})
    assert known.told(known.call("counted", items=items)) == [
        ("equals", f"counted({ast.unparse(ast.parse(items))})", "1")
    ]
