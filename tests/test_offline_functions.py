"""Functions that calls hand on fit their place, and make a difference to the data beside them."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.choosing.weighing.worth import DOUBTFUL, branches_owed
from pytest_lift.agents.offline.natural.fitting.fitness import AGAINST
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.agents.offline.natural.replacing import Replacing
from pytest_lift.agents.offline.natural.values import several
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

CODE = """
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T")


    class Marker:
        pass


    def keep(predicate, items):
        return [item for item in items if predicate(item)]


    def ranked(items, key=None):
        return sorted(items, key=key)


    def joined(function: Callable[[Any, Any], Any], items, strict=False):
        total = items[0]
        for item in items[1:]:
            total = function(total, item)
        return total


    def each(fn: Callable[..., T], values: dict) -> dict:
        return {key: fn(value) for key, value in values.items()}


    def filter_values(fn, values):
        return [value for value in values if fn(value)]

    def on_change(callback):
        callback(1)


    def zipped(*iterables):
        return list(zip(*iterables))


    def until(marker: Marker | T):
        return marker
"""
MORE, LESS = "lambda value: value > 1", "lambda value: value < 3"
Known = tuple[Naturalness, dict[str, Target]]


@pytest.fixture
def known(tmp_path: Path) -> Known:
    program = write_program(tmp_path, {"keeping.py": CODE})
    targets = find_targets(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    inputs.note_kind(next(t for t in targets if t.symbol == "ranked"), "key", "callable")
    return Naturalness(inputs, targets), {target.symbol: target for target in targets}


@pytest.mark.parametrize(
    ("symbol", "name", "role"),
    [
        ("keep", "predicate", "predicate"),
        ("joined", "function", "joining"),
        ("each", "fn", "mapped"),
        ("filter_values", "fn", "predicate"),
        ("on_change", "callback", "told"),
        ("ranked", "key", "key"),
        ("keep", "items", ""),
    ],
)
def test_names_and_hints_tell_what_a_function_is_for(
    known: Known, symbol: str, name: str, role: str
) -> None:
    natural, targets = known
    assert natural.functions.role(targets[symbol], name) == role


def test_what_a_person_hands_on_costs_less_than_what_is_always_true(known: Known) -> None:
    natural, targets = known
    shown = Call(targets["keep"], (("predicate", MORE), ("items", "[1, 2, 3]")))
    assert natural.oddness(shown) < natural.oddness(shown.with_value("predicate", "str"))
    nothing = shown.with_value("items", "[2, 3]")
    assert natural.functions.idle(nothing) == 1
    assert natural.functions.idle(shown) == 0


@pytest.mark.parametrize(
    ("symbol", "values", "idle"),
    [
        ("keep", {"predicate": "lambda value: True", "items": "[1, 2]"}, 1),
        ("keep", {"predicate": MORE, "items": "'abc'"}, 0),
        ("joined", {"function": "lambda a, b: a", "items": "[1, 2]"}, 1),
        ("joined", {"function": "lambda a, b: a + b", "items": "[1, 2]"}, 0),
        ("each", {"fn": "str", "values": "{'a': 'b'}"}, 1),
        ("each", {"fn": "len", "values": "{'a': 'b'}"}, 0),
        ("each", {"fn": "str", "values": "spare"}, 0),
    ],
)
def test_a_function_is_idle_where_the_data_stay_as_they_are(
    known: Known, symbol: str, values: dict[str, str], idle: int
) -> None:
    natural, targets = known
    assert natural.functions.idle(Call(targets[symbol], tuple(values.items()))) == idle


def test_functions_are_proposed_with_data_on_which_they_matter(known: Known) -> None:
    natural, targets = known
    proposals = Proposals(natural)
    call = Call(targets["keep"], (("predicate", "str"), ("items", "range(5)")))
    assert [one.given for one in proposals.mended(call)][:2] == [
        {"predicate": MORE, "items": "[1, 2, 3]"},
        {"predicate": MORE, "items": "range(5)"},
    ]
    of_dict = Call(targets["each"], (("fn", "str"), ("values", "{'a': 1}")))
    assert next(proposals.mended(of_dict)).given["values"] == "{'a': 1, 'b': 2, 'c': 3}"


def test_a_predicate_that_is_left_out_gets_data_of_which_not_all_are_true(known: Known) -> None:
    natural, targets = known
    call = Call(targets["keep"], (("predicate", "None"), ("items", "[2, 3]")))
    assert next(natural.functions.variants(call)).given["items"] == "[0, 1, 2]"


def test_one_iterable_is_not_zipped(known: Known) -> None:
    natural, targets = known
    alone = Call(targets["zipped"], extra=("[1, 2]",))
    assert several.oddness(alone) == several.LONELY
    assert several.oddness(alone.but(extra=("[1]", "[1]"))) == several.EQUAL
    proposed = [one.extra for one in Proposals(natural).mended(alone)]
    assert proposed == [("[1, 2, 3]", "[4, 5, 6]")]
    assert not several.oddness(alone.but(extra=proposed[0]))


def test_a_function_is_no_flag(known: Known) -> None:
    natural, targets = known
    call = Call(targets["joined"], (("strict", "keep"),))
    assert natural.misfit(call) == AGAINST
    assert not natural.misfit(call.with_value("strict", "True"))


def test_any_value_may_stand_for_a_type_variable(known: Known) -> None:
    natural, targets = known
    call = Call(targets["until"], (("marker", "1"),))
    assert not natural.misfit(call)
    assert "1" in natural.inputs.pool(targets["until"], targets["until"].parameters[0])


def test_a_function_takes_as_many_arguments_as_its_hint_says(known: Known) -> None:
    natural, targets = known
    call = Call(targets["joined"], (("function", "lambda a, b: a"),))
    assert natural.fits(call)
    for wrong in ("len", "lambda value: value", "Decimal('1')"):
        assert not natural.fits(call.with_value("function", wrong)), wrong
    assert natural.fits(call.with_value("function", "lambda *args: 1"))


def test_what_reads_a_number_is_no_length(tmp_path: Path) -> None:
    code = "def load(text: str, parse_int=None):\n    return (parse_int or int)(text)\n"
    program = write_program(tmp_path, {"loading.py": code})
    (target,) = find_targets(program, Resolver(program))
    natural = Naturalness(Inputs(program, random.Random(1)), [target])
    natural.inputs.note_kind(target, "parse_int", "callable")
    call = Call(target, (("text", "'36'"), ("parse_int", "len")))
    assert natural.oddness(call) > natural.oddness(call.with_value("parse_int", "float"))
    assert next(natural.functions.variants(call)).given == {"text": "'36'", "parse_int": "float"}


def test_a_plain_value_is_stored_as_well_as_a_container(tmp_path: Path) -> None:
    code = """
        class Box:
            def __init__(self):
                self.kept = {}

            def put(self, key, value):
                self.kept[key] = value

            def spread(self, items):
                return [*items]
    """
    program = write_program(tmp_path, {"storing.py": code})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    natural = Naturalness(Inputs(program, random.Random(1)), [*targets.values()])
    put = Call(targets["Box.put"], (("key", "'a'"), ("value", "{}")))
    assert natural.oddness(put) > natural.oddness(put.with_value("value", "'b'"))
    assert Replacing(natural).may_replace(put, put.with_value("value", "'b'"))
    spread = Call(targets["Box.spread"], (("items", "[1]"),))
    assert not Replacing(natural).may_replace(spread, spread.with_value("items", "'b'"))


COMMANDS = """
    import functools


    def command(func, name=None):
        return func.__name__ if name is None else name


    def logged(func):
        @functools.wraps(func)
        def wrapper(*args):
            return func(*args)

        return wrapper


    def later(action, factory):
        return factory(action())


    class Registry:
        pass
"""


@pytest.fixture
def commands(tmp_path: Path) -> Known:
    program = write_program(tmp_path, {"commands.py": COMMANDS})
    targets = find_targets(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    inputs.note_kind(next(t for t in targets if t.symbol == "later"), "action", "callable")
    inputs.add_samples(targets)
    return Naturalness(inputs, targets), {target.symbol: target for target in targets}


def test_a_user_hands_on_functions_of_his_own(commands: Known) -> None:
    natural, targets = commands
    given = Call(targets["command"], (("func", "len"),))
    assert given.with_value("func", "double") in [*Proposals(natural).mended(given)]
    costs = [natural.oddness(given.with_value("func", one)) for one in ("double", "len", "Decimal")]
    assert costs[0] < 0 < costs[1] <= costs[2]
    assert natural.functions.role(targets["later"], "action") == "asked"
    assert natural.functions.known(targets["later"], "action") == [("say_hello", "")]
    assert natural.functions.role(targets["later"], "factory") == ""


def test_a_function_inside_of_an_argument_is_the_users_too(commands: Known) -> None:
    natural, targets = commands
    given = Call(targets["command"], (("func", "logged(len)"),))
    assert next(Proposals(natural).mended(given)).given == {"func": "logged(double)"}


def test_one_without_a_name_is_odd_where_names_are_read(commands: Known) -> None:
    natural, targets = commands
    assert natural.functions.unfit(targets["command"], "func", "lambda: 1")
    assert not natural.functions.unfit(targets["later"], "action", "lambda: 1")


def test_what_is_documented_may_be_pythons_own(commands: Known) -> None:
    natural, targets = commands
    natural.inputs.note(targets["command"], "func", "len")
    assert not natural.functions.unfit(targets["command"], "func", "len")


def test_a_class_of_the_program_is_no_function_of_the_users(commands: Known) -> None:
    natural, targets = commands
    command = targets["command"]
    given = Call(command, (("func", "Registry"),))
    natural.inputs.note_used(command, "func", "Registry")
    assert natural.hands_on_others(given)
    assert given.with_value("func", "double") in [*Proposals(natural).mended(given)]
    natural.inputs.note(command, "func", "Registry")
    assert not natural.hands_on_others(given)


def test_a_builtin_for_a_users_function_has_to_reach_more(commands: Known) -> None:
    natural, targets = commands
    given = Call(targets["command"], (("func", "len"),))
    assert natural.hands_on_others(given)
    assert natural.hands_on_others(given.with_value("func", "logged(len)"))
    assert not natural.hands_on_others(given.with_value("func", "logged(double)"))
    kept = KeptCase(Case("commands.py", "command", ()), Observation(), given)
    assert branches_owed(kept, natural) == DOUBTFUL
    mended = replace(kept, call=given.with_value("func", "double"))
    assert branches_owed(mended, natural) == 0


@pytest.mark.parametrize(
    ("values", "others"),
    [
        (("[1, 2]", "[1, 2]"), [("[1, 2]", "[1, 2, 3]"), ("[1, 2]", "[4, 5, 6]")]),
        (("[4, 5, 6]", "[4, 5, 6]"), [("[4, 5, 6]", "[1, 2, 3]")]),
        (("{'a': 1}", "{'a': 1}"), [("{'a': 1}", "{'b': 2}")]),
        (("[]", "[]"), []),
        (("[1, 2]", "[1]"), []),
        (("'a'", "'a'"), []),
        (("1", "1"), []),
    ],
)
def test_two_parameters_have_containers_of_their_own(
    tmp_path: Path, values: tuple[str, str], others: list[tuple[str, str]]
) -> None:
    program = write_program(tmp_path, {"joined.py": "def joined(base, more): return base + more\n"})
    (target,) = find_targets(program, Resolver(program))
    call = Call(target, tuple(zip(("base", "more"), values, strict=True)))
    assert [tuple(one.given.values()) for one in several.variants(call)] == others
    assert several.oddness(call) == (several.EQUAL if others else 0.0)
