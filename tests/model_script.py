"""What a well-behaved model would say to each role, for the small project of the fixtures."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scripted_model import Body, Reply, Step, call, calls

Says = Callable[[Body, int], Step]

SIGNS = {
    "expectations": "expect",
    "rulings": "rule",
    "diagnoses": "debugger",
    "grades": "evaluator",
    "left_out": "generator",
}
"""An argument of `finish` -> the role that ends with it."""

TESTS = '''"""Tests of thing."""

import pytest

from thing import double, label


@pytest.mark.req("R-1")
@pytest.mark.parametrize(("number", "expected"), [(21, 42), (0, 0)])
def test_double_gives_twice_a_number(number, expected):
    """Twice the number."""
    assert double(number) == expected


@pytest.mark.req("R-2")
def test_label_shouts():
    """`loud` makes it upper case."""
    assert label("ann", loud=True) == "ANN"


@pytest.mark.emergent("no requirement speaks of an empty name")
def test_label_needs_a_name():
    """An empty name is refused."""
    with pytest.raises(ValueError, match="name is needed"):
        label("")
'''
TWICE = {"requirement": "R-1", "sentence": "`double` gives twice a number", "call": "double(21)", "expected": "42", "setup": "from thing import double"}  # fmt: skip
LARGE = {**TWICE, "call": "double(200)", "expected": "400"}
UPPER = {"requirement": "R-2", "sentence": "`loud` makes it upper case", "call": "label('ann', loud=True)", "expected": "'ANN'", "setup": "from thing import label"}  # fmt: skip
STANDS = {"number": 1, "stands": True, "quote": "twice a number", "suspect": "program", "why": "Twice 200 is 400."}  # fmt: skip


def role_of(body: Body) -> str:
    """The role whose conversation a request belongs to."""
    tools = {tool["function"]["name"]: tool["function"] for tool in body.get("tools", ())}
    if "report" in tools:
        return "probe"
    known = tools["finish"]["parameters"]["properties"]
    return next(role for sign, role in SIGNS.items() if sign in known)


def turn_of(body: Body) -> int:
    """How many answers the model has given in this conversation."""
    return sum(message["role"] == "assistant" for message in body["messages"])


@dataclass
class ModelScript:
    """Answers by role; `answers` replaces what is said to single ones."""

    answers: Mapping[str, Says] = field(default_factory=dict)
    roles: list[str] = field(default_factory=list)
    """Who asked, in order."""

    def __call__(self, body: Body, number: int) -> Step:
        role = role_of(body)
        self.roles.append(role)
        if role in self.answers:
            return counted(self.answers[role](body, number), body)
        return counted(getattr(self, f"_{role}")(body), body)

    def _probe(self, body: Body) -> Reply:
        marker = re.search(r"marker word is (\w+)", body["messages"][0]["content"])
        return call("report", word=marker[1] if marker else "")

    def _expect(self, body: Body) -> Reply:
        return call("finish", expectations=[TWICE, LARGE, UPPER])

    def _rule(self, body: Body) -> Reply:
        return call("finish", rulings=[STANDS])

    def _generator(self, body: Body) -> Reply:
        if turn_of(body) == 0 and "test_label_shouts" not in body["messages"][1]["content"]:
            write = {"path": "tests/test_thing.py", "text": TESTS}
            return calls(("write_test_file", write), ("run_tests", {}))
        return call("finish", summary="Done.")

    def _debugger(self, body: Body) -> Reply:
        return call("finish", diagnoses=[], summary="Nothing.")

    def _evaluator(self, body: Body) -> Reply:
        links = re.findall(r"^- (\S+::\S+) -> (\S+)$", body["messages"][1]["content"], re.M)
        rows = [{"test": t, "requirement": r, "grade": "touches"} for t, r in links]
        return call("finish", verdict="FINAL", summary="Enough.", grades=rows)


def counted(step: Step, body: Body) -> Step:
    """With about the tokens that a real endpoint would count."""
    if not isinstance(step, Reply) or step.status != 200:
        return step
    said = json.loads(step.content)
    asked, answered = len(json.dumps(body)) // 4, len(json.dumps(said["choices"])) // 4
    said["usage"] = {"prompt_tokens": asked, "completion_tokens": answered}
    return replace(step, content=json.dumps(said))


def tool_results(body: Body) -> list[Any]:
    """What the tools answered last."""
    found: list[Any] = []
    for message in reversed(body["messages"]):
        if message["role"] != "tool":
            break
        found.insert(0, message["content"])
    return found
