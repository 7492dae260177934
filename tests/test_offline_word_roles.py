"""Words of a program that stand in one role take the place of each other in known texts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.texts.plain_texts import PlainTexts
from pytest_lift.agents.offline.texts.roles import WordRoles
from pytest_lift.agents.offline.texts.vocabulary import Vocabulary
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

CODE = """
    UNITS = ("days", "weeks")
    SIGNS = {"plus": 1, "minus": -1}

    class Fast:
        word = "express"
        words = ["urgent", "quick"]

    class Slow:
        word = "regular"
        words = ["later"]

    def sized(text):
        if text == "small":
            return 1
        if "large" == text:
            return 2
        return 0

    def kind(text):
        if text.startswith("http"):
            return 1
        if text.startswith("mail"):
            return 2
        match text:
            case "red" | "green":
                return 3
            case "blue":
                return 4
        return 0
    """


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3 days ago", ["3 weeks ago"]),
        ("1 minus 2", ["1 plus 2"]),
        ("by express", ["by regular"]),
        ("be quick", ["be urgent", "be later"]),
        ("very small", ["very large"]),
        ("see http here", ["see mail here"]),
        ("as blue", ["as red", "as green"]),
        ("3 holidays", []),
        ("days", []),
        ("", []),
    ],
)
def test_a_word_gives_way_to_others_of_its_role(
    tmp_path: Path, text: str, expected: list[str]
) -> None:
    roles = WordRoles(write_program(tmp_path, {"words.py": CODE}))
    assert list(roles.exchanged(text)) == expected


def test_the_words_of_a_text_take_turns(tmp_path: Path) -> None:
    code = 'UNITS = ("day", "week", "year")\nSIGNS = ("minus", "plus")\n'
    roles = WordRoles(write_program(tmp_path, {"words.py": code}))
    assert list(roles.exchanged("1 day plus 1 day")) == [
        "1 week plus 1 day",
        "1 day minus 1 day",
        "1 year plus 1 day",
    ]


PARSING = """
    UNITS = {"days": 24, "weeks": 168}

    def hours(text):
        count, unit, direction = text.split()
        return int(count) * UNITS[unit]
    """


def test_known_texts_with_another_word_cost_as_little_as_they(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"spans.py": PARSING})
    resolver = Resolver(program)
    (target,) = find_targets(program, resolver)
    inputs = Inputs(program, random.Random(1))
    natural = Naturalness(inputs, [target])
    plain = PlainTexts(inputs, Vocabulary(program))
    inputs.note(target, "text", "'3 days ago'")
    natural.forget()
    known = Call(target, (("text", "'3 days ago'"),))
    other = Call(target, (("text", "'3 weeks ago'"),))
    before = natural.oddness(other) + natural.made_up(other)
    assert list(plain.exchanged([known])) == [other]
    after = natural.oddness(other) + natural.made_up(other)
    assert after < before
    assert after == pytest.approx(natural.oddness(known) + natural.made_up(known), abs=0.05)
