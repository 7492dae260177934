"""Expectations come from texts and signatures; rulings count only with words of the requirement."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from brief_of import asked, brief_of
from scripted_model import call
from served_team import message as first_message
from served_team import served
from spoken_model import SpokenModel, calls, says

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.expecting import MOST_TOGETHER, expect, message, rule
from pytest_lift.agents.prompted.roles import Prompts
from pytest_lift.agents.prompted.team import Team
from pytest_lift.llm.values import Answer, ModelError, ModelRequest
from pytest_lift.oracles.discrepancies import Tried
from pytest_lift.requirements.requirement import Expectation

PROGRAM = {
    "pkg/__init__.py": "from pkg.mod import half\n",
    "pkg/mod.py": 'def half(x: int) -> int:\n    """Halves."""\n    return x // 2  # the secret\n',
}
R1 = asked(
    "R-1",
    "`half` gives half of a number, rounded up.",
    acceptance="Halves of odd numbers are rounded up.",
)
R2 = asked("R-2", "`half` takes whole numbers.", acceptance="A text is refused with a `TypeError`.")
UP: dict[str, Any] = {
    "requirement": "R-1",
    "sentence": "Halves of odd numbers are rounded up",
    "call": "half(3)",
    "expected": "2",
    "setup": "from pkg import half",
}
REFUSED: dict[str, Any] = {
    "requirement": "R-2",
    "sentence": "A text is refused with a TypeError.",
    "call": "half('x')",
    "relation": "raises",
    "expected": "TypeError",
}


def tried(outcomes: Mapping[str, Tried]) -> Any:
    """What the program would do, by call."""

    def attempt(said: Sequence[Expectation]) -> dict[str, Tried]:
        return {one.key: outcomes.get(one.call, Tried("holds")) for one in said}

    return attempt


def team(answers: Any, context: int = 100_000) -> tuple[Team, SpokenModel]:
    model = SpokenModel(answers, context)
    return Team(model, Prompts()), model


def ask(brief: Brief, *answers: Any) -> tuple[tuple[Expectation, ...], SpokenModel]:
    people, model = team(answers)
    return asyncio.run(expect(brief, people)), model


@pytest.fixture
def brief(tmp_path: Path) -> Brief:
    return brief_of(
        tmp_path, PROGRAM, requirements=(R1, R2), try_expectations=tried({"half(3)": Tried("differs", "1")})
    )  # fmt: skip


def test_the_message_has_texts_and_signatures_and_no_code(brief: Brief) -> None:
    text = message(brief, [R1, R2])
    assert "def half(x: int) -> int" in text
    assert "offers also: half" in text
    assert "Halves of odd numbers are rounded up." in text
    assert "secret" not in text
    assert "x // 2" not in text


def test_the_message_has_the_signatures_of_each_file_that_a_requirement_is_about(
    tmp_path: Path,
) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/packing.py": "class Packer:\n    def pack(self, box):\n        return [box]\n",
        "pkg/unpacking.py": "class Unpacker:\n    def open_up(self, box):\n        return box[0]\n",
    }
    both = asked("R-1", "`Packer` packs a box and `Unpacker` unpacks it.")
    text = message(brief_of(tmp_path, files, requirements=(both,)), [both])
    assert "def pack(self, box)" in text
    assert "def open_up(self, box)" in text


def test_a_setup_of_several_differences_is_told_once(brief: Brief) -> None:
    setup = "from pkg import half\nx = 1\n"
    rows = [{**UP, "call": f"half(x + {n})", "setup": setup} for n in (2, 4)]
    short = {**UP, "call": "half(9)"}
    brief = replace(
        brief, try_expectations=lambda said: {one.key: Tried("differs", "0") for one in said}
    )
    _, model = ask(
        brief,
        calls(("finish", {"expectations": [*rows, short, REFUSED]})),
        ModelError("budget", "used up"),
    )
    told = model.asked[1].messages[1].text
    assert "### 1: R-1\n```python\nfrom pkg import half\nx = 1\nhalf(x + 2)\n```" in told
    assert "### 2: R-1\n```python\n# after the setup of 1\nhalf(x + 4)\n```" in told
    assert "### 3: R-1\n```python\nfrom pkg import half\nhalf(9)\n```" in told
    assert "### 4: R-2\n```python\nhalf('x')\n```" in told


def test_differences_are_ruled_on_and_the_rest_is_taken_as_it_is(brief: Brief) -> None:
    ruling = {
        "number": 1,
        "stands": True,
        "quote": "rounded up",
        "suspect": "program",
        "why": "3/2 is 2.",
    }
    said, model = ask(
        brief,
        calls(("finish", {"expectations": [UP, REFUSED]})),
        calls(("finish", {"rulings": [ruling]})),
    )
    assert [(one.requirement, one.relation, one.ruling, one.suspect) for one in said] == [
        ("R-1", "equals", "stands", "program"),
        ("R-2", "raises", "", ""),
    ]
    assert [request.label for request in model.asked] == ["expect", "rule"]
    assert [tool.name for tool in model.asked[0].tools] == ["finish"]
    told = model.asked[1].messages[1].text
    assert "half(3)\n```\nexpected: 2\nthe program: 1" in told
    assert "secret" not in told


@pytest.mark.parametrize(
    ("quote", "stands", "ruling"),
    [
        ("rounded up", True, "stands"),
        ("rounded down, as usual", True, "withdrawn"),
        ("", True, "withdrawn"),
        ("rounded up", False, "withdrawn"),
    ],
)
def test_what_no_word_of_the_text_decides_does_not_stand(
    brief: Brief, quote: str, stands: bool, ruling: str
) -> None:
    known = replace(
        brief,
        expectations=(
            Expectation("R-1", "rounded up", "half(3)", expected="2"),
            Expectation("R-2", "A text is refused", "half('x')", "raises", "TypeError"),
        ),
    )
    row = {"number": 1, "stands": stands, "quote": quote, "suspect": "unclear", "why": "w"}
    answer = calls(("finish", {"rulings": [row]}))
    said, model = ask(known, answer, answer)
    assert said[0].ruling == ruling
    assert len(model.asked) == (2 if stands and ruling == "withdrawn" else 1)


def test_faults_of_form_are_sent_back_once_and_results_are_not_told(brief: Brief) -> None:
    brief = replace(
        brief,
        try_expectations=tried(
            {"half(3)": Tried("differs", "1"), "haalf(4)": Tried("broken", "NameError: haalf")}
        ),
    )
    rows = [
        UP,
        {**UP, "call": "haalf(4)"},
        {**UP, "requirement": "R-9"},
        {**UP, "sentence": "invented"},
    ]
    said, model = ask(
        brief,
        calls(("finish", {"expectations": rows})),
        calls(("finish", {"expectations": [UP, REFUSED, rows[3]]})),
        calls(("finish", {"rulings": []})),
        calls(("finish", {"rulings": []})),
    )
    back = model.asked[1].messages[-1].text
    assert "no requirement has the id 'R-9'" in back
    assert "R-1 does not say 'invented'" in back
    assert "R-1, `haalf(4)`: cannot be tried: NameError" in back
    assert "there is no expectation for R-2" in back
    assert "differs" not in back
    assert "half(3)" not in back
    assert [one.call for one in said] == ["half(3)", "half('x')"]
    assert said[0].ruling == ""


def test_nothing_is_asked_twice(brief: Brief) -> None:
    brief = replace(brief, try_expectations=tried({}))
    people, model = team(
        [calls(("finish", {"expectations": [UP]})), calls(("finish", {"expectations": [UP]}))]
    )
    said = asyncio.run(expect(brief, people))
    assert len(model.asked) == 2  # R-2 was asked for once more
    again = asyncio.run(expect(replace(brief, expectations=said), people))
    assert again == said
    assert len(model.asked) == 2


def test_a_budget_that_runs_out_leaves_what_there_is(brief: Brief) -> None:
    people, _ = team(
        [calls(("finish", {"expectations": [UP, REFUSED]})), ModelError("budget", "used up")]
    )
    said = asyncio.run(expect(brief, people))
    assert [one.ruling for one in said] == ["", ""]
    assert people.exhausted == "used up"


def test_no_ending_no_expectation(brief: Brief) -> None:
    said, _ = ask(brief, says("a"), says("b"), says("c"))
    assert said == ()


def test_many_requirements_are_cut_into_conversations_and_halved_where_they_overflow(
    tmp_path: Path,
) -> None:
    items = tuple(
        asked(f"R-{n}", f"`half` number {n}.", acceptance=f"It is {n}.") for n in range(30)
    )
    brief = brief_of(tmp_path, PROGRAM, requirements=items, try_expectations=tried({}))

    def answer(request: ModelRequest) -> Answer | Exception:
        ids = [item.id for item in items if f"### {item.id}:" in request.messages[1].text]
        if len(ids) > 7:
            return ModelError("overflow", "too long")
        rows = [
            {
                "requirement": i,
                "sentence": f"It is {i[2:]}.",
                "call": f"half({i[2:]})",
                "relation": "holds",
            }
            for i in ids
        ]
        return calls(("finish", {"expectations": rows}))

    people, model = team(answer)
    said = asyncio.run(expect(brief, people))
    assert sorted(one.requirement for one in said) == sorted(item.id for item in items)
    assert MOST_TOGETHER < 30
    assert all(len(one.messages) == 2 for one in model.asked)


def test_one_cause_is_one_report(brief: Brief) -> None:
    other = {**UP, "call": "half(5)", "expected": "3"}
    brief = replace(
        brief,
        try_expectations=tried(
            {"half(3)": Tried("differs", "1"), "half(5)": Tried("differs", "2")}
        ),
    )
    row = {"number": 1, "stands": True, "quote": "rounded up", "suspect": "program", "why": "w"}
    rows = [row, {**row, "number": 2, "same_as": 1}]
    said, _ = ask(
        brief,
        calls(("finish", {"expectations": [UP, other, REFUSED]})),
        calls(("finish", {"rulings": rows})),
    )
    assert [one.ruling for one in said] == ["stands", "repeats", ""]


def test_the_cause_of_a_difference_that_stands_already_is_not_reported_again(brief: Brief) -> None:
    known = Expectation("R-1", "rounded up", "half(3)", expected="2", ruling="stands")
    other = Expectation("R-1", "rounded up", "half(5)", expected="3")
    found = {"half(3)": Tried("differs", "1"), "half(5)": Tried("differs", "2")}
    brief = replace(
        brief,
        expectations=(known, other),
        tried={known.key: found["half(3)"]},
        try_expectations=tried(found),
    )
    row = {"number": 1, "stands": True, "same_as": 2, "quote": "rounded up", "suspect": "program", "why": "w"}  # fmt: skip
    script = [call("finish", rulings=[row])]
    said, (request,) = served(rule, brief, script)
    assert "2: R-1: `half(3)`: expected 2; the program: 1" in first_message(request)
    assert [(one.call, one.ruling) for one in said] == [
        ("half(3)", "stands"),
        ("half(5)", "repeats"),
    ]


@pytest.mark.parametrize("same_as", [2, 7, 1])
def test_a_cause_that_is_no_earlier_one_is_its_own(brief: Brief, same_as: int) -> None:
    row = {
        "number": 1,
        "stands": True,
        "quote": "rounded up",
        "suspect": "program",
        "why": "w",
        "same_as": same_as,
    }
    said, _ = ask(
        brief,
        calls(("finish", {"expectations": [UP, REFUSED]})),
        calls(("finish", {"rulings": [row]})),
    )
    assert said[0].ruling == "stands"


def test_a_difference_is_told_of_the_requirement_whose_words_decide(brief: Brief) -> None:
    told = {**REFUSED, "call": "half('3')"}
    brief = replace(brief, try_expectations=tried({"half('3')": Tried("differs", "1")}))
    row = {
        "number": 1,
        "stands": True,
        "quote": "Halves of odd numbers are rounded up",
        "suspect": "program",
        "why": "w",
    }
    said, _ = ask(
        brief,
        calls(("finish", {"expectations": [UP, told]})),
        calls(("finish", {"rulings": [row]})),
    )
    assert [(one.requirement, one.call, one.ruling) for one in said] == [
        ("R-1", "half(3)", ""),
        ("R-2", "half('3')", "repeats"),
        ("R-1", "half('3')", "stands"),
    ]


def test_what_is_there_is_kept_when_the_model_cannot_be_asked_any_more(brief: Brief) -> None:
    brief = replace(brief, try_expectations=tried({"half(3)": Tried("differs", "1")}))
    people, _ = team(
        [calls(("finish", {"expectations": [UP, REFUSED]})), ModelError("unreachable", "gone")]
    )
    said = asyncio.run(expect(brief, people))
    assert [one.call for one in said] == ["half(3)", "half('x')"]
    assert str(people.broken) == "gone"
