"""Only what says something of its own becomes a test, and only what matters is spoken of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.choosing.options.removing import (
    without_idle_options,
    without_options,
)
from pytest_lift.agents.offline.choosing.selection import (
    Chosen,
    choose,
    shared_out,
    with_owners,
    without_copies,
    without_dull,
)
from pytest_lift.agents.offline.choosing.shrinking.idle_seeds import without_idle_seeds
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation, Outcome, Step
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets

SHOUT = """
    def shout(text, loud=True, polite=False, mark="!"):
        if polite and len(text) > 3:
            text = "please " + text
        if not loud:
            mark = ""
        return text.upper() + mark
"""


def kept(source: str, value: str, *hits: int) -> KeptCase:
    case = Case("shout.py", "shout", (Step(source, True),))
    return KeptCase(case, Observation((Outcome("str", value),), frozenset(hits)))


def test_a_result_that_is_known_is_no_reason_for_a_test() -> None:
    same = [kept("shout('a')", "'A!'", 1, 2), kept("shout('a', polite=True)", "'A!'", 1, 2, 3, 4)]
    conditions = choose(same, frozenset({1, 2}), lambda _: 0.3)
    assert len(conditions) == 1
    other = [*same[:1], kept("shout('b')", "'B!'", 3, 4)]
    assert len(choose(other, frozenset(), lambda _: 0.3)) == 2


def test_a_branch_is_a_reason_even_for_a_known_result() -> None:
    same = [kept("shout('a')", "'A!'", 1), kept("shout('a', polite=True)", "'A!'", 2)]
    assert len(choose(same, frozenset(), lambda _: 1.0)) == 2


def test_an_example_with_lines_of_others_alone_is_told_once() -> None:
    def shown(*sources: str, session: str) -> KeptCase:
        steps = tuple(Step(source, True) for source in sources)
        case = Case("shout.py", "shout", steps, origin="documented", session=session)
        return KeptCase(case, Observation((Outcome("str", "'A!'"),), frozenset({1})))

    both = shown("shout('a')", "shout('b')", session="README")
    part = shown("shout('b')", session="README")
    other = shown("shout('b')", "shout('c')", session="README")
    found = choose([both, part, other], frozenset(), lambda _: 1.0)
    assert [one.kept for one in found] == [both, other]


def test_the_plainest_case_owns_a_probe_and_a_case_without_any_goes() -> None:
    long = Chosen(kept("shout('some long text', polite=True)", "'B!'", 1, 2, 3), frozenset({1, 2}))
    short = Chosen(kept("shout('a')", "'A!'", 1, 4), frozenset({4}))
    lost = Chosen(kept("shout('another longer text')", "'C!'", 1), frozenset({1}))
    found = shared_out([long, short, lost], lambda item: len(item.case.source))
    assert [(item.kept, set(item.gain)) for item in found] == [
        (long.kept, {2}),
        (short.kept, {1, 4}),
    ]


def test_a_branch_that_no_case_is_for_any_more_belongs_to_the_plainest_that_reaches_it() -> None:
    """Else all that reach it lose it, each since others do."""
    plain = Chosen(kept("shout('a')", "'A!'", 1, 2, 8), frozenset({1}))
    long = Chosen(kept("shout('some long text')", "'B!'", 2, 3, 9), frozenset({3}))
    found = with_owners(
        [long, plain],
        frozenset({8}),
        lambda probe: 0.3 if probe == 9 else 1.0,
        lambda item: len(item.case.source),
    )
    assert [(item.kept, set(item.gain)) for item in found] == [
        (long.kept, {3}),
        (plain.kept, {1, 2}),
    ]


def test_the_same_case_is_written_once() -> None:
    item = Chosen(kept("shout('a')", "'A!'", 1), frozenset({1}))
    assert without_copies([item, item]) == [item]


def chosen_calls(root: Path, *values: dict[str, str], gain: bool) -> list[Chosen]:
    program = write_program(root, {"shout.py": SHOUT})
    resolver, prober = Resolver(program), Prober(root, program, best_jail())
    (target,) = find_targets(program, resolver)
    calls = [Call(target, tuple(given.items())) for given in values]
    pairs = [(call, case) for call in calls if (case := as_case(call, resolver)) is not None]
    seen = prober.observe([case for _, case in pairs], 10)
    items = [
        Chosen(KeptCase(case, seen[case.key], call), seen[case.key].hits if gain else frozenset())
        for call, case in pairs
    ]
    return without_idle_options(items, prober, lambda c: as_case(c, resolver), lambda _: 1.0)


def test_an_option_without_effect_is_left_out(tmp_path: Path) -> None:
    (item,) = chosen_calls(tmp_path, {"text": "'a'", "mark": "'!'"}, gain=True)
    assert item.kept.case.source == "shout('a')"
    assert item.kept.case.keywords == ()


def test_an_option_with_an_effect_stays(tmp_path: Path) -> None:
    (item,) = chosen_calls(tmp_path, {"text": "'a'", "loud": "False", "mark": "'!'"}, gain=True)
    assert item.kept.case.source == "shout('a', loud=False)"


def test_an_option_that_reaches_a_branch_stays_unnamed(tmp_path: Path) -> None:
    given = {"text": "'a'", "loud": "False", "mark": "''"}
    (item,) = chosen_calls(tmp_path, given, gain=True)
    assert item.kept.case.keywords == ()
    assert item.kept.case.idle == ("loud", "mark")


def test_without_effect_and_without_gain_there_is_no_test(tmp_path: Path) -> None:
    assert chosen_calls(tmp_path, {"text": "'a'", "polite": "True"}, gain=False) == []


def test_options_of_the_receiver_can_be_left_out(tmp_path: Path) -> None:
    source = (
        "class A:\n    def __init__(self, x=1):\n        self.x = x\n    def f(self): return 1\n"
    )
    program = write_program(tmp_path, {"a.py": source})
    maker, method = find_targets(program, Resolver(program))
    call = Call(method, receiver=Call(maker, (("x", "2"),)))
    plain = without_options(call, ["x"])
    assert plain.receiver is not None
    assert plain.receiver.values == ()


def test_a_result_that_is_nothing_of_guessed_arguments_is_no_test(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"shout.py": SHOUT})
    (target,) = find_targets(program, Resolver(program))
    call = Call(target, (("text", "'a'"),))
    cases = [kept("shout('a')", value, 1) for value in ("[]", "'A!'")]
    items = [Chosen(replace(one, call=call), frozenset({1})) for one in cases]
    assert without_dull(items, lambda _: 1, lambda _: 2.0) == items
    assert without_dull(items, lambda _: 2, lambda _: 2.0) == items[1:]
    assert without_dull(items, lambda _: 1, lambda _: 1.0) == items[1:], "it reaches little"


def test_where_a_function_begins_to_give_something_is_a_test(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"shout.py": SHOUT})
    (target,) = find_targets(program, Resolver(program))
    call = Call(target, (("text", "''"),))
    edge = Chosen(replace(kept("shout('')", "''", 1), call=call), frozenset({1}))
    other = Chosen(replace(kept("shout('a')", "'A!'", 2), call=call), frozenset({2}))
    assert without_dull([edge, other], lambda _: 0, lambda _: 1.0) == [edge, other]
    assert without_dull([edge, other], lambda _: 1, lambda _: 1.0) == [other], "a guess"
    assert without_dull([edge, other], lambda _: 0, lambda _: 0.5) == [other], "no branch"
    made = replace(edge, kept=replace(edge.kept, call=replace(call, receiver=call)))
    assert without_dull([made, other], lambda _: 0, lambda _: 1.0) == [other], "an object"
    case = replace(other.kept.case, symbol="whisper")
    another = replace(other, kept=replace(other.kept, case=case))
    assert without_dull([edge, another], lambda _: 0, lambda _: 1.0) == [another], "nothing else"


def test_an_argument_that_is_read_back_is_no_test_where_it_reaches_little(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"shout.py": SHOUT})
    (target,) = find_targets(program, Resolver(program))
    case = Case("shout.py", "Close", (Step("Close(1000)", True),))
    seen = Observation((Outcome("Close", attributes=(("code", "1000"),)),), frozenset({1}))
    item = Chosen(KeptCase(case, seen, Call(target)), frozenset({1}))
    other = Chosen(kept("shout('b')", "'B!'", 2), frozenset({2}))
    assert without_dull([item, other], lambda _: 0, lambda _: 1.0) == [other]
    assert without_dull([item, other], lambda _: 0, lambda _: 2.0) == [item, other]
    assert without_dull([item], lambda _: 0, lambda _: 1.0) == [item], "the only one of its file"


@pytest.mark.parametrize(
    ("method", "text", "goes"),
    [("__repr__", "<Close 1000>", True), ("__str__", "1000", False), ("__str__", "x" * 50, True)],
)
def test_a_representation_is_no_test_where_it_reaches_little(
    tmp_path: Path, method: str, text: str, goes: bool
) -> None:
    program = write_program(tmp_path, {"shout.py": SHOUT})
    (target,) = find_targets(program, Resolver(program))
    case = Case("shout.py", f"Close.{method}", (Step("repr(Close(1000))", True),))
    seen = Observation((Outcome("str", repr(text)),), frozenset({1}))
    item = Chosen(KeptCase(case, seen, Call(target)), frozenset({1}))
    other = Chosen(kept("shout('b')", "'B!'", 2), frozenset({2}))
    left = [other] if goes else [item, other]
    assert without_dull([item, other], lambda _: 0, lambda _: 1.0) == left
    assert without_dull([item, other], lambda _: 0, lambda _: 2.0) == [item, other]


LOTS = """
    import random

    def drawn(count, shuffled):
        numbers = list(range(count))
        if shuffled:
            random.shuffle(numbers)
        return numbers
"""


BOTH = """
    import random
    import numpy as np

    def drawn(count):
        return sorted(random.sample(range(52), count))

    def drawn_by_numpy(count):
        return [int(one) for one in np.random.permutation(count)]
"""


@pytest.mark.parametrize(
    ("name", "left"), [("drawn", "random.seed(1)"), ("drawn_by_numpy", "np.random.seed(1)")]
)
def test_a_generator_from_which_nothing_is_drawn_is_not_seeded(
    tmp_path: Path, name: str, left: str
) -> None:
    program = write_program(tmp_path, {"lots.py": BOTH})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    target = next(one for one in find_targets(program, resolver) if one.symbol == name)
    case = as_case(Call(target, (("count", "9"),), seeds=("random", "numpy")), resolver)
    assert case is not None
    item = Chosen(KeptCase(case, prober.observe([case], 10)[case.key]), frozenset())
    (found,) = (one.kept.case for one in without_idle_seeds([item], prober))
    assert found.source.splitlines() == [left, f"{name}(9)"]
    assert found.seeded
    module = {"random": "import numpy as np", "np": "import random"}[left.partition(".")[0]]
    assert module not in found.imports
    prober.close()


def test_generators_are_seeded_only_where_something_is_drawn(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"lots.py": LOTS})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    (target,) = find_targets(program, resolver)
    items = []
    for shuffled in ("True", "False"):
        call = Call(target, (("count", "9"), ("shuffled", shuffled)), seeds=("random",))
        case = as_case(call, resolver)
        assert case is not None
        items.append(
            Chosen(KeptCase(case, prober.observe([case], 10)[case.key], call), frozenset())
        )
    drawn, calm = (item.kept.case for item in without_idle_seeds(items, prober))
    assert drawn == items[0].kept.case
    assert calm.source == "drawn(9, False)"
    assert calm.imports == ("from lots import drawn",)
    assert not calm.seeded
    done = [
        replace(i.kept.case, steps=tuple(replace(s, check=False) for s in i.kept.case.steps))
        for i in items
    ]
    shown = [
        Chosen(KeptCase(case, prober.observe([case], 10)[case.key]), frozenset()) for case in done
    ]
    drawn, calm = (item.kept.case for item in without_idle_seeds(shown, prober))
    assert drawn == done[0], "what is seen later may depend on what is drawn here"
    assert calm.source == "drawn(9, False)"


@pytest.mark.parametrize(
    ("source", "value", "chosen"),
    [
        ("Url('a') == Url('b')", "False", True),
        ("Url('a') == Mount('a')", "False", False),
        ("Url('a') != 'a'", "True", False),
        ("Url('a') == 'a'", "True", True),
    ],
)
def test_that_an_object_is_none_of_another_kind_comes_last(
    source: str, value: str, chosen: bool
) -> None:
    one, other = kept(source, value, 1, 2), kept("is_near('a.b')", value, 1, 2)
    found = choose([one, other], frozenset(), lambda _: 1.0)
    assert [item.kept for item in found] == [one if chosen else other]
