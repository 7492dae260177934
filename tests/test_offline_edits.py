"""Known texts with one token changed are tried before a search makes texts up, and cost less."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest
from offline_program import brief, write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.knowledge import ProgramKnowledge
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.agents.offline.texts.edits import (
    tokens,
    with_another,
    with_one_more,
    without_one,
)
from pytest_lift.agents.offline.texts.plain_texts import PlainTexts
from pytest_lift.agents.offline.texts.tidy import is_untidy, tidied
from pytest_lift.calls.call import Call
from pytest_lift.calls.cost import cost_of
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

SPANS = '''
    """Reader of spans."""


    def read(text):
        """Read a span.

        >>> read("1h30m")
        [(1, 'h'), (30, 'm')]
        >>> read("2w")
        [(2, 'w')]
        """
        found = []
        number = ""
        for char in text:
            if char.isdigit():
                number += char
            elif char == "w" and found:
                raise ValueError("weeks stand alone")
            else:
                found.append((int(number), char))
                number = ""
        if number:
            raise ValueError("a unit is missing")
        return found
'''
Known = tuple[Naturalness, Target]


@pytest.fixture
def known(tmp_path: Path) -> Known:
    program = write_program(tmp_path, {"spans.py": SPANS})
    inputs = Inputs(program, random.Random(1))
    (target,) = find_targets(program, Resolver(program))
    for text in ("'1h30m'", "'2w'"):
        inputs.note(target, "text", text)
    return Naturalness(inputs, [target]), target


def _read(target: Target, text: str) -> Call:
    return Call(target, (("text", repr(text)),))


def test_letters_digits_blanks_and_marks_are_tokens() -> None:
    assert tokens("P1Y2 a_b,") == ("P", "1", "Y", "2", " ", "a", "_", "b", ",")


def test_a_text_changes_in_one_token() -> None:
    assert {"h30m", "1h30", "1h", "30m"} <= {*without_one("1h30m")}
    assert {"1w30m", "1h30w", "9h30m", "1h99m"} <= {*with_another("1h30m", ["2w"])}
    assert {"1h30mw", "1h30m2", "1hh30m"} <= {*with_one_more("1h30m", ["2w"])}


def test_a_text_costs_more_the_more_it_differs_from_known_ones(known: Known) -> None:
    natural, target = known
    plain = natural.made_up(_read(target, "1h30w"))
    far = natural.made_up(_read(target, "1m30h2m"))
    assert plain < far < natural.made_up(_read(target, "1m30h:2-m"))
    for text in ("a", "hello", "1h30m"):
        assert natural.made_up(_read(target, text)) == 0, text


def test_known_texts_are_changed_the_plainest_changes_of_all_first(known: Known) -> None:
    natural, target = known
    plain = PlainTexts(natural.inputs, natural.vocabulary)
    calls = [_read(target, text) for text in ("1h30m", "2w", "other")]
    found = [call.given["text"] for call in plain.edited(calls)]
    assert found.index("'w'") < found.index("'1h30w'") < found.index("'1h30mw'")
    assert len(found) == len({*found})
    assert not [one for one in found if "other" in one]


def test_a_search_reaches_with_one_changed_token_what_it_can(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"spans.py": SPANS})
    generation = ProgramKnowledge(brief(tmp_path, program, seconds=600.0))
    targets, resolver, offer = generation.targets, generation.resolver, generation.offer
    search = ProgramSearch(
        generation.prober, targets, resolver, generation.inputs, offer, random.Random(1),
        math.inf, 2000, options=False,
    )  # fmt: skip
    try:
        for text in ("'1h30m'", "'2w'"):
            generation.inputs.note(targets[0], "text", text)
        search.run([_read(targets[0], text) for text in ("1h30m", "2w")])
    finally:
        generation.prober.close()
    texts = [one.call.given["text"] for one in search.kept if one.call is not None]
    known = search.plain.known
    assert texts
    assert [known.far(targets[0].key, "text", text) for text in texts] == [0] * len(texts), texts


def test_blanks_at_the_ends_are_untidy() -> None:
    for text in (" a", "a\n", "a\tb", "\n a\nb\n", " "):
        assert is_untidy(text), text
    for text in ("", "a", "a b", "a\nb\n", "a\n\nb"):
        assert not is_untidy(text), text
    assert {"# a b", "# a\nb"} <= {*tidied("\t# a\nb"), *tidied("# a\n\n b ")}
    assert [*tidied("ab")] == []


def test_a_known_text_with_one_thing_changed_costs_less_than_a_short_one(known: Known) -> None:
    natural, target = known
    natural.inputs.note(target, "text", repr("hour 1, minute 30, second 20 of day 12"))
    natural.forget()
    near, cut = (
        _read(target, "hour 1, minute 30, second 20 of day x"),
        _read(target, "1, 30, 2 of x"),
    )
    assert natural.known_texts.is_near(target.key, "text", near.given["text"])
    assert not natural.known_texts.is_near(target.key, "text", cut.given["text"])
    assert not natural.known_texts.is_near(target.key, "text", "'x'")
    costs = [cost_of(one.text) + natural.oddness(one) + natural.made_up(one) for one in (near, cut)]
    assert costs[0] < costs[1]
