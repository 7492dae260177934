"""What shows nothing until somebody listens is tested by what a callback gets."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import brief, write_program
from test_offline_generator import run_pytest

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.search.learnt.listening import MOST_FOLLOWED, Listening
from pytest_lift.calls.call import RECORDER, Call
from pytest_lift.calls.case import Observation, Outcome
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

FLOWS = """
    class Flow:
        def __init__(self, start):
            self._start = start

        def subscribe(self, on_next=None, on_completed=None):
            self._start(on_next or (lambda value: None))
            if on_completed:
                on_completed()

        def connect_to(self, place):
            return None


    def of(*values):
        def start(give):
            for value in values:
                give(value)

        return Flow(start)


    def doubled(flow: Flow) -> Flow:
        return Flow(lambda give: flow.subscribe(lambda value: give(value * 2)))
"""


def test_a_result_is_listened_to_until_that_shows_something(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"flows.py": FLOWS})
    resolver = Resolver(program)
    targets = find_targets(program, resolver)
    natural = Naturalness(Inputs(program, random.Random(0)), targets)
    listening = Listening(targets, natural)
    of = next(target for target in targets if target.symbol == "of")
    call, seen = Call(of, extra=("1", "2")), Observation((Outcome("Flow"),))
    (following,) = listening.following(call, seen, lambda _: False)
    assert following.text == "of(1, 2).subscribe(on_next=[].append)"
    assert not [*listening.following(call, seen, lambda target: target is of)]
    assert not [*listening.following(call, Observation((Outcome("int", "1"),)), lambda _: False)]
    more = [len([*listening.following(call, seen, lambda _: False)]) for _ in range(MOST_FOLLOWED)]
    assert more == [1] * (MOST_FOLLOWED - 1) + [0]


def test_what_gives_an_object_is_tested_by_what_listens_to_it(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"flows.py": FLOWS})
    edit = generator(brief(tmp_path, program, seconds=30.0))
    (text,) = [text for text in edit.files.values() if text]
    assert "subscribe(on_next=calls.append)" in text
    assert "doubled(" in text
    assert "assert calls == [" in text
    assert " failed" not in run_pytest(tmp_path, edit.files)


@pytest.mark.parametrize(("method", "kind"), [("once", "callback"), ("apply", "callable")])
def test_who_listens_gives_a_callback(tmp_path: Path, method: str, kind: str) -> None:
    code = f"""
        from collections.abc import Callable


        class Bell:
            def {method}(self, f: Callable) -> None:
                self.f = f
    """
    program = write_program(tmp_path, {"bells.py": code})
    resolver = Resolver(program)
    targets = find_targets(program, resolver)
    inputs = Inputs(program, random.Random(0))
    target = next(one for one in targets if one.leaf == method)
    assert inputs.known_kinds(target, target.parameters[0]) == [kind]


def test_an_alias_that_is_called_like_a_class_elsewhere_is_written_out(tmp_path: Path) -> None:
    program = write_program(
        tmp_path,
        {
            "shop/__init__.py": "",
            "shop/kinds/__init__.py": "from .basic import Price",
            "shop/kinds/basic.py": """
                from collections.abc import Callable

                Price = Callable[[int], int]
            """,
            "shop/prices.py": """
                class Price:
                    def __init__(self, value):
                        self.value = value


                def doubled(price: Price):
                    return 2 * price.value
            """,
            "shop/paying.py": """
                from . import kinds
                from .kinds import Price


                def pay(price: Price, other: kinds.Price | None = None):
                    return price(1)
            """,
        },
    )
    found = {one.symbol: one for one in find_targets(program, Resolver(program))}
    hints = [one.annotation for one in found["pay"].parameters]
    assert hints == ["Callable[[int], int]", "Callable[[int], int] | None"]
    assert found["doubled"].parameters[0].annotation == "Price"


def test_a_case_that_only_listens_is_about_what_gave_the_object(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"flows.py": FLOWS})
    resolver = Resolver(program)
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    given = Call(targets["of"], extra=("1",))
    listening = Call(targets["Flow.subscribe"], (("on_next", RECORDER),), receiver=given)
    case = as_case(listening, resolver)
    assert case is not None
    assert (case.symbol, case.keywords) == ("of", ())
