"""An option is shown where it makes a difference, and not by what a constructor was given."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.search.options.effects import effects, goal_of, option_trials
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets

GREETER = """
    class Greeter:
        def __init__(self, name, polite=False):
            self.name = name
            self.polite = polite

        def greet(self):
            return ("dear " if self.polite else "") + self.name
"""


def test_an_option_of_a_constructor_is_shown_by_a_call_on_its_object(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"greeter.py": GREETER})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    plain = Call(targets["Greeter"], (("name", "'a'"),))
    polite = plain.with_value("polite", "True")
    greet = Call(targets["Greeter.greet"], receiver=plain, name="greeter")
    politely = Call(targets["Greeter.greet"], receiver=polite, name="greeter")
    written = {call: as_case(call, resolver) for call in (plain, polite, greet, politely)}
    cases = [case for case in written.values() if case is not None]
    seen = prober.observe(cases, 10)
    shown = list(effects([(plain, polite), (greet, politely)], written, seen, lambda _, case: case))
    assert [(call.target.leaf, case.effect) for _, call, case in shown] == [
        ("greet", "polite=True")
    ]


def test_the_cheapest_call_shows_an_option(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"greeter.py": GREETER})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    pairs = []
    for name in ("'abc'", "'a'", "'ab'"):
        plain = Call(targets["Greeter"], (("name", name),))
        greet = Call(targets["Greeter.greet"], receiver=plain, name="greeter")
        polite = plain.with_value("polite", "True")
        pairs.append((greet, greet.but(receiver=polite)))
    written = {call: as_case(call, resolver) for pair in pairs for call in pair}
    seen = prober.observe([case for case in written.values() if case is not None], 10)

    def priced(call: Call, case: Case) -> Case:
        return replace(case, cost=len(case.source))

    (shown,) = effects(pairs, written, seen, priced)
    assert shown.call == pairs[1][1]


def test_calls_that_differ_in_the_order_of_their_arguments_alone_show_no_option(
    tmp_path: Path,
) -> None:
    program = write_program(tmp_path, {"greeter.py": GREETER})
    targets = {target.symbol: target for target in find_targets(program, Resolver(program))}
    made = Call(targets["Greeter"], (("polite", "True"), ("name", "'a'")))
    greet = Call(targets["Greeter.greet"], receiver=made, name="greeter")
    rng = random.Random(1)
    pairs = option_trials(greet.target, [greet], Inputs(program, rng), rng, set())
    assert all(goal_of(*pair).endswith(" polite") for pair in pairs)
    assert not any(set(a.receiver.values) == set(b.receiver.values) for a, b in pairs)  # type: ignore[union-attr]


def test_an_option_is_not_shown_where_the_assertion_holds_without_it(tmp_path: Path) -> None:
    text = "def read(text, kind=int):\n    return kind(text)\n"
    program = write_program(tmp_path, {"reading.py": text})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    (target,) = find_targets(program, resolver)
    plain = Call(target, (("text", "'1'"),))
    pairs = [(plain, plain.with_value("kind", kind)) for kind in ("float", "bool", "str")]
    written = {call: as_case(call, resolver) for pair in pairs for call in pair}
    seen = prober.observe([case for case in written.values() if case is not None], 10)
    shown = [bool([*effects([pair], written, seen, lambda _, case: case)]) for pair in pairs]
    assert shown == [False, True, True]


def test_options_are_tried_on_data_that_name_them(tmp_path: Path) -> None:
    options = ", ".join(f"option_{n}=False" for n in range(200))
    text = f"def dump(data, {options}, html=False):\n    return [data, html]\n"
    program = write_program(tmp_path, {"dumping.py": text})
    (target,) = find_targets(program, Resolver(program))
    named = "SimpleNamespace(html=lambda: 'a')"
    bases = [Call(target, (("data", value),)) for value in ("1", "'html5'", named)]
    rng = random.Random(1)
    pairs = option_trials(target, bases, Inputs(program, rng), rng, set())
    tried = [with_ for _, with_ in pairs if "html" in with_.given]
    assert [call.given["data"] for call in tried[:1]] == [named]
