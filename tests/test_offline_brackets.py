"""A text that is a bracket, or is cut off inside of brackets, makes way for a whole one."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.oddness import oddness
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.agents.offline.texts.plain_texts import plainer_texts
from pytest_lift.agents.offline.texts.tidy import open_brackets
from pytest_lift.calls.call import Call
from pytest_lift.calls.cost import cost_of
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

STYLED = '''
    """Colours of texts."""

    def styled(text: str) -> str:
        return f"<b>{text}</b>"


    def joined(names, sep):
        return styled("(") + sep.join(names) + styled(", ") + styled(")")
'''


@pytest.mark.parametrize(
    ("text", "missing"),
    [("", ""), ("a b", ""), ("f(a)", ""), (r"\textbf{b", "}"), ("(a[b", "])"), ("a)", None),
     ("(a]", None)],
)  # fmt: skip
def test_brackets_are_closed_in_the_order_in_which_they_opened(
    text: str, missing: str | None
) -> None:
    assert open_brackets(text) == missing


def test_a_text_that_is_cut_off_is_tried_with_its_bracket() -> None:
    assert r"\textbf{b}" in [*plainer_texts(r"\textbf{b")]


@pytest.mark.parametrize("mark", ["')'", "', '"])
def test_a_word_is_styled_and_not_a_mark_that_the_code_styles(tmp_path: Path, mark: str) -> None:
    program = write_program(tmp_path, {"styles.py": STYLED})
    inputs = Inputs(program, random.Random(1))
    target = next(one for one in find_targets(program, Resolver(program)) if one.leaf == "styled")
    inputs.used[target.key, "text"] = ["'('", "', '", "')'"]
    natural = Naturalness(inputs, [target])
    call = Call(target, (("text", mark),))
    word = call.with_value("text", "'hello'")

    def cost(one: Call) -> float:
        odd = oddness(one.text) + natural.oddness(one)
        return cost_of(one.text) + odd + natural.made_up(one)

    assert natural.fitness.is_given(target, "text", mark)
    assert word in [*Proposals(natural).variants(call)]
    assert cost(word) < cost(call)


def test_a_cut_text_costs_more_than_a_whole_one(tmp_path: Path) -> None:
    natural = Naturalness(Inputs(write_program(tmp_path, {"styles.py": STYLED}), random.Random(1)))
    assert natural.odd_texts("'styled(text'") > natural.odd_texts("'styled(text)'")
