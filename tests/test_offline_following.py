"""What a test asserts of is followed from the call that gave it."""

from __future__ import annotations

import pytest

from pytest_lift.agents.offline.docstrings.following import followed
from pytest_lift.agents.offline.docstrings.narrating import narrated
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.agents.offline.writing.told import Wording


def lines(*sources: str) -> list[StepCheck]:
    """Returns checks of lines; of those that end in ``?`` it is asserted that they are 1."""
    return [
        StepCheck("equals", one[:-1], "1") if one.endswith("?") else StepCheck("none", one)
        for one in sources
    ]


def test_attributes_and_items_of_a_result_stand_for_their_variables() -> None:
    checks = lines("tree = parse('a')", "body = tree.ext[2].body", "first = body[0]", "first.op?")
    assert [one.expression for one in followed(checks)] == [
        "tree = parse('a')",
        "tree.ext[2].body[0].op",
    ]
    assert "With tree = parse('a'), tree.ext[2].body[0].op is 1" in narrated(checks, Wording())


@pytest.mark.parametrize(
    "checks",
    [
        lines("tree = parse('a')", "tree.op?"),
        lines("tree = parse('a')", "body = tree.body", "tree.clear()", "body?"),
        lines("tree = parse('a')", "body = tree.body", "tree.pop()?", "body?"),
        lines("tree = parse('a')", "body = tree.body", "tree.body = 1", "body?"),
        lines("tree = parse('a')", "body = tree[key]", "body?"),
        lines("tree = parse('a')", f"body = tree.{'long' * 20}", "body?"),
    ],
    ids=["no name", "called", "asked", "set", "key", "long"],
)
def test_what_may_be_another_thing_by_then_keeps_its_name(checks: list[StepCheck]) -> None:
    assert followed(checks) == checks


def test_looks_in_between_change_nothing() -> None:
    checks = lines("tree = parse('a')", "body = tree.body", "len(body)?", "body[0]?")
    assert [one.expression for one in followed(checks)][1:] == ["len(tree.body)", "tree.body[0]"]
