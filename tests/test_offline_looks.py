"""What only reads attributes of one object is one test."""

from __future__ import annotations

from dataclasses import replace

from pytest_lift.agents.offline.joining.looks import (
    asked_together,
    looked_at_together,
)
from pytest_lift.agents.offline.writing.grouping import PlannedTest
from pytest_lift.agents.offline.writing.legibility import illegibility
from pytest_lift.agents.offline.writing.links import ClaimedLink
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.sentences import Told, change_sentences
from pytest_lift.calls.case import Case, Step


def read(name: str, value: str, made: str = "Node()", expression: str = "") -> PlannedTest:
    checks = (
        StepCheck("none", f"node = {made}"),
        StepCheck("equals", expression or f"node.{name}", value),
    )
    steps = tuple(Step(check.expression, check.form != "none") for check in checks)
    case = Case("m.py", f"Node.{name}", steps, subject="node")
    return PlannedTest((Verified(case, checks, (), frozenset()),), ClaimedLink(), "steps")


def test_attributes_of_one_object_are_one_test() -> None:
    (plan,) = looked_at_together([read("size", "1"), read("depth", "0"), read("height", "0")])
    item = plan.first
    assert [check.expression for check in item.checks] == [
        "node = Node()", "node.size", "node.depth", "node.height",
    ]  # fmt: skip
    assert item.case.symbol == "Node"
    assert change_sentences(Told(item), "Node")[0] == "Node() has size 1, depth 0 and height 0"


def question(name: str, value: str, *before: str) -> PlannedTest:
    plan = read(name, value, expression=f"node.{name}()")
    item = plan.first
    setup = (item.checks[0], *(StepCheck("none", line) for line in before))
    checks = (*setup, item.checks[-1])
    item = replace(item, case=replace(item.case, asks=True), checks=checks)
    return replace(plan, members=(item,))


def test_unrelated_questions_to_a_new_object_are_tests_of_their_own() -> None:
    names = ["month_name", "day_name", "week", "is_leap", "is_first", "get_size"]
    plans = [question(name, "1") for name in names]
    told = [[one.expression for one in plan.first.checks[1:]] for plan in looked_at_together(plans)]
    assert told == [
        ["node.month_name()", "node.day_name()"], ["node.week()"],
        ["node.is_leap()", "node.is_first()", "node.get_size()"],
    ]  # fmt: skip
    assert looked_at_together(plans)[0].first.case.symbol == "Node.month_name"
    filled = [question(name, "1", "node.add(1)") for name in names]
    assert len(looked_at_together(filled)) == 1


def test_what_is_made_is_told_where_it_can_be() -> None:
    made = "Node('a', 3)"
    (plan,) = looked_at_together([read("size", "3", made), read("depth", "0", made)])
    sentences = change_sentences(Told(plan.first), "Node")
    assert sentences
    assert not any("new Node" in one or one.startswith("A Node") for one in sentences)


def test_an_object_is_gone_through_last() -> None:
    walk = read("__iter__", "[3]", expression="list(node)")
    (plan,) = looked_at_together([walk, read("seen", "0")])
    assert [check.expression for check in plan.first.checks[1:]] == ["node.seen", "list(node)"]


def test_what_is_looked_up_in_an_object_stands_beside_its_length() -> None:
    plans = [
        read("size", "1", expression="len(node)"),
        read("item", "2", expression="node['a', 1]"),
    ]
    item = plans[1].first
    plans[1] = replace(plans[1], members=(replace(item, case=replace(item.case, asks=True)),))
    (plan,) = looked_at_together(plans)
    assert [check.expression for check in plan.first.checks[1:]] == ["len(node)", "node['a', 1]"]
    other = read("item", "2", expression="node[first]")
    item = other.first
    other = replace(other, members=(replace(item, case=replace(item.case, asks=True)),))
    assert len(looked_at_together([plans[0], other])) == 2


def test_another_object_and_a_call_are_tests_of_their_own() -> None:
    plans = [
        read("size", "1"), read("depth", "2", "Node(2)"),
        read("up", "0", expression="node.up()"), read("up", "1", expression="node.up()"),
    ]  # fmt: skip
    assert looked_at_together(plans) == plans


def asked(call: str, expected: str, made: str = "Node()") -> PlannedTest:
    found = read("depth", expected, made, f"node.{call}")
    case = found.first.case
    return replace(found, members=(replace(found.first, case=replace(case, symbol="Node.at")),))


def test_questions_to_equal_objects_are_one_test() -> None:
    far = asked("at([1])", "2", "Node(2)")
    one, two = asked_together([asked("at([1])", "1"), far, asked("at([2])", "0")])
    assert (one.form, two) == ("asserts", far)
    assert [m.checks[0].expression for m in one.members] == ["Node().at([1])", "Node().at([2])"]


def test_what_takes_the_object_itself_is_asked_alone() -> None:
    plans = [asked("at(node)", "1"), asked("at([2])", "0")]
    assert asked_together(plans) == plans


def compared(expression: str, form: str, made: str) -> PlannedTest:
    checks = (StepCheck("none", f"node = {made}"), StepCheck(form, expression))
    steps = tuple(Step(check.expression, check.form != "none") for check in checks)
    case = Case("m.py", "Node.__eq__", steps, subject="node")
    return PlannedTest((Verified(case, checks, (), frozenset()),), ClaimedLink(), "steps")


def test_comparisons_of_objects_of_one_class_are_one_test() -> None:
    plans = [
        compared("node == Node(2)", "true", "Node(2)"),
        compared("node == Node(3)", "false", "Node(1)"),
        compared("node == node", "true", "Node(1)"),
    ]
    one, itself = asked_together(plans)
    assert [m.checks[0].expression for m in one.members] == [
        "Node(2) == Node(2)", "Node(1) == Node(3)",
    ]  # fmt: skip
    assert itself == plans[2], "an object beside itself needs its variable"


def test_objects_of_other_names_and_options_that_made_them_are_one_test() -> None:
    """What an object was made with is told by its set-up, not by the name of the test alone."""
    made = "Node(size=3)"
    plans = [read("size", "3", made), read("depth", "0", made)]
    case = plans[1].first.case
    checks = (
        StepCheck("none", f"one = {made}"),
        StepCheck("equals", "one.node", "'a'"),
    )
    other = replace(plans[1].first, case=replace(case, subject="one"), checks=checks)
    plans = [*plans, replace(plans[1], members=(other,))]
    plans = [_with_keywords(plan, ("size",)) for plan in plans]
    (plan,) = looked_at_together(plans)
    assert [check.expression for check in plan.first.checks] == [
        "node = Node(size=3)", "node.size", "node.depth", "node.node",
    ]  # fmt: skip


def _with_keywords(plan: PlannedTest, keywords: tuple[str, ...]) -> PlannedTest:
    item = plan.first
    return replace(plan, members=(replace(item, case=replace(item.case, keywords=keywords)),))


def test_looks_that_nobody_can_check_go_where_others_tell_enough() -> None:
    plans = [read("gb", "1.2345e-11"), read("kb", "12.5"), read("mb", "0.25"), read("b", "7")]
    (plan,) = looked_at_together(plans)
    assert [check.expected for check in plan.first.checks[1:]] == ["12.5", "0.25", "7"]

    (few,) = looked_at_together(plans[:2])
    assert [check.expected for check in few.first.checks[1:]] == ["1.2345e-11", "12.5"]


def test_looks_that_nobody_can_check_stay_where_they_alone_reach_code_or_kill_mutants() -> None:
    plans = [read("area", "approx(12.566370614359172)"), read("x", "1"), read("y", "2")]
    plans = [reaching(plan, number) for number, plan in enumerate([*plans, read("z", "3")])]
    (plan,) = looked_at_together(plans)
    assert len(plan.first.checks) == 5, "nothing else computes the area"
    (plan, _) = looked_at_together([*plans, reaching(asked("at(1)", "0", "Node(2)"), 0)])
    assert len(plan.first.checks) == 4
    again = replace(plans[0], members=(replace(plans[0].first, hits=frozenset({1})),))
    assert len(looked_at_together([again, *plans[1:]])[0].first.checks) == 4
    (plan,) = looked_at_together([again, *plans[1:]], {again.first.case.key})
    assert len(plan.first.checks) == 5


def reaching(plan: PlannedTest, hit: int) -> PlannedTest:
    return replace(plan, members=(replace(plan.first, hits=frozenset({hit})),))


def test_the_number_of_a_book_in_a_text_is_one_that_a_reader_compares() -> None:
    plans = [read("digits", "'9789024538270'"), read("x", "1"), read("y", "2"), read("z", "3")]
    (plan,) = looked_at_together(plans)
    assert len(plan.first.checks) == 5
    assert illegibility("['+49 30 1234567890', \"it's 9789024538270\"]") == 0
    assert illegibility("('a', 12345678901234)") > 0
    assert illegibility("'12.566370614359172 cm'") > 0


def in_one_line(name: str, value: str, effect: str = "") -> PlannedTest:
    checks = (StepCheck("equals", f"Node(size=3).{name}", value),)
    steps = (Step(checks[0].expression, True),)
    case = Case("m.py", f"Node.{name}", steps, keywords=("size",), effect=effect)
    imports = ("from m import Node",)
    return PlannedTest((Verified(case, checks, imports, frozenset()),), ClaimedLink(), "asserts")


def test_attributes_of_what_one_call_makes_are_one_test() -> None:
    """One of them was to show what an option does, and the call without it has gone."""
    plans = [in_one_line("size", "3"), in_one_line("depth", "1", "size=3")]
    (plan,) = looked_at_together(plans)
    assert [check.expression for check in plan.first.checks] == [
        "node = Node(size=3)", "node.size", "node.depth",
    ]  # fmt: skip
    assert looked_at_together(plans[:1]) == plans[:1]


def test_what_nobody_would_ask_is_apart_from_what_a_person_would() -> None:
    plans = [asked(f"at([{n}])", f"{n}") for n in range(4)]
    for at in (1, 3):
        item = plans[at].first
        odd = replace(item, case=replace(item.case, doubtful=True))
        plans[at] = replace(plans[at], members=(odd,))
    told = [[item.case.doubtful for item in plan.members] for plan in asked_together(plans)]
    assert told == [[False, False], [True, True]]
