"""A test of an option shows the same call without it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.choosing.contrast import contrasted
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Step
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets

TEXTS = """
    def shout(text, mark="!", strict=False):
        if strict and not text:
            raise ValueError("nothing to say")
        return text.upper() + mark


    def drain(words, size=2):
        return [words.pop() for _ in range(size)], len(words)


    def rate(paid, guess=0.1, digits=0):
        return 0.0041666 + guess / 1000000000 + digits


    def spell(text="", mark="!"):
        if not text:
            raise ValueError("nothing to say")
        return mark.join(text)


    class Voice:
        def __init__(self, polite=False):
            self.polite = polite

        def say(self, text):
            return "please " + text if self.polite else text
"""


@pytest.mark.parametrize(
    ("symbol", "values", "sources"),
    [
        (
            "shout",
            (("text", "'a'"), ("mark", "'?'")),
            ["shout('a')", "shout('a', mark='?')"],
        ),
        ("shout", (("text", "'a'"), ("strict", "True")), ["shout('a', strict=True)"]),
        (
            "shout",
            (("text", "''"), ("strict", "True")),
            ["shout('')", "shout('', strict=True)"],
        ),
        ("rate", (("paid", "3"), ("guess", "0.5")), ["rate(3, guess=0.5)"]),
        ("rate", (("paid", "3"), ("digits", "2")), ["rate(3)", "rate(3, digits=2)"]),
        (
            "Voice.say",
            (("text", "'a'"),),
            ["Voice().say('a')", "Voice(polite=True).say('a')"],
        ),
        (
            "shout",
            (("text", f"'{'word ' * 14}'"), ("mark", "'?'")),
            [f"text = '{'word ' * 14}'", "shout(text)", "shout(text, mark='?')"],
        ),
        (
            "drain",
            (("words", repr(["one word"] * 8)), ("size", "3")),
            [f"drain({['one word'] * 8})", f"drain({['one word'] * 8}, size=3)"],
        ),
    ],
    ids=[
        "another result",
        "the same result",
        "an error",
        "nearly the same number",
        "another number",
        "an option of the object",
        "a long argument",
        "a long argument that is changed",
    ],
)
def test_an_option_is_shown_beside_the_call_without_it(
    tmp_path: Path, symbol: str, values: tuple[tuple[str, str], ...], sources: list[str]
) -> None:
    program = write_program(tmp_path, {"texts.py": TEXTS})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    made = Call(targets["Voice"], (("polite", "True"),)) if "." in symbol else None
    call = Call(targets[symbol], values, receiver=made, name="voice" if made else "")
    case = as_case(call, resolver)
    assert case is not None
    seen = prober.observe([case], 10)[case.key]
    chosen = [Chosen(KeptCase(case, seen, call), seen.hits)]
    (found,) = contrasted(chosen, prober, partial(as_case, resolver=resolver))
    assert [step.source for step in found.kept.case.steps] == sources
    assert len(found.kept.seen.outcomes) == sum(step.check for step in found.kept.case.steps)


def test_an_option_is_shown_on_several_inputs_that_were_chosen_for_it(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"texts.py": TEXTS})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = {target.symbol: target for target in find_targets(program, resolver)}

    def checked(effect: str, symbol: str = "shout") -> list[int]:
        chosen = []
        for text in ("'ab'", "'bc'"):
            mark = "'?'" if text == "'ab'" or symbol == "shout" else "'-'"
            call = Call(targets[symbol], (("text", text), ("mark", mark)))
            case = as_case(call, resolver)
            assert case is not None
            case = replace(case, effect=effect)
            seen = prober.observe([case], 10)[case.key]
            chosen.append(Chosen(KeptCase(case, seen, call), seen.hits))
        found = contrasted(chosen, prober, partial(as_case, resolver=resolver))
        return [len(one.kept.seen.outcomes) for one in found]

    assert checked("mark='?'") == [2, 2]
    assert checked("") == [2, 1]
    # what is refused without the option is shown once
    assert checked("text='ab'", "spell") == [2, 1]


@pytest.mark.parametrize(("shown", "count"), [("shout('a')", 1), ("shout('b')", 2)])
def test_what_a_documented_case_shows_is_not_repeated(
    tmp_path: Path, shown: str, count: int
) -> None:
    program = write_program(tmp_path, {"texts.py": TEXTS})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    call = Call(targets["shout"], (("text", "'a'"), ("mark", "'?'")))
    case = as_case(call, resolver)
    assert case is not None
    known = replace(case, steps=(Step(shown, check=True),), origin="documented")
    seen = prober.observe([case, known], 10)
    chosen = [
        Chosen(KeptCase(case, seen[case.key], call), seen[case.key].hits),
        Chosen(KeptCase(known, seen[known.key]), seen[known.key].hits),
    ]
    found = contrasted(chosen, prober, partial(as_case, resolver=resolver))
    assert [len(one.kept.seen.outcomes) for one in found] == [count, 1]
