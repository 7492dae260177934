"""Broken texts are known ones with as little changed as reaches the same."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from offline_program import brief, write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.choosing.fewest_edits import FewestEdits
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.weighing.worth import branches_owed
from pytest_lift.agents.offline.knowledge import ProgramKnowledge
from pytest_lift.agents.offline.natural.edited_texts import EditedTexts
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.agents.offline.texts.known_texts import KnownTexts
from pytest_lift.agents.offline.texts.undoing import edits_of, undone
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

SPANS = '''
    """Reader of spans."""


    def read(text):
        """Read a span, or the first of several.

        >>> read("1h30m")
        [(1, 'h'), (30, 'm')]
        >>> read("days=2")
        [(2, 'd')]
        """
        found = []
        number = ""
        for char in (text if isinstance(text, str) else text[0]).removeprefix("days="):
            if char.isdigit():
                number += char
            elif char == "?":
                raise ValueError("no mark")
            elif char.isalpha():
                found.append((int(number), char))
                number = ""
        return found or [(int(number), "d")]
'''
KNOWN = ("1h30m", "[main]\nname = Ada\ncount = 2\n", "{b: 1, c: [2]}")


def test_edits_are_counted_where_a_text_differs_from_the_nearest_known_one() -> None:
    assert edits_of("1h30m", KNOWN) == 0
    assert edits_of("1h30?m", KNOWN) == edits_of("1h30w", KNOWN) == 1
    assert edits_of("1h?30w", KNOWN) == 2
    assert edits_of("[main]\nname . Ada\ncount = 2\n", KNOWN) == 1
    assert edits_of("{b: 1, c: [2}", KNOWN) == 1  # a bracket less is one thing
    assert edits_of("{b: [1, c: [2]}", KNOWN) == 2  # one more, and open
    assert edits_of("name = Ada\n", KNOWN) == 0
    assert edits_of("count = 2\nname . Ada\n", KNOWN) < 2


def test_texts_between_a_text_and_a_known_one_have_fewer_edits() -> None:
    found = [new for _, new in undone("1?h30w", KNOWN)]
    assert {"1h30m", "1?h30m", "1h30w"} <= {*found}
    found = [new for _, new in undone("[main]\nname . Ada\ncount = 2 =\n", KNOWN)]
    assert "[main]\nname . Ada\ncount = 2\n" in found
    assert "[main]\nname . Ada\n" in found
    assert not [one for one in found if "Adacount" in one]


@given(st.text("1h30m?=[] \n", max_size=12))
def test_what_is_undone_counts_as_less(text: str) -> None:
    most = edits_of(text, KNOWN)
    for edits, new in undone(text, KNOWN):
        assert edits < most
        assert new != text


@pytest.fixture
def inputs(tmp_path: Path) -> Inputs:
    program = write_program(tmp_path, {"spans.py": SPANS})
    inputs = Inputs(program, random.Random(1))
    (target,) = find_targets(program, Resolver(program))
    for text in ("'1h30m'", "'days=2'"):
        inputs.note(target, "text", text)
    return inputs


def _edited(inputs: Inputs, value: str) -> tuple[float, list[str]]:
    (target,) = find_targets(inputs.program, Resolver(inputs.program))
    call = Call(target, (("text", value),))
    edited = EditedTexts(KnownTexts(inputs))
    return edited.edits(call), [one.given["text"] for _, one in edited.variants(call)]


def test_texts_in_lists_are_brought_nearer_to_known_ones_but_not_those_of_objects(
    inputs: Inputs,
) -> None:
    edits, others = _edited(inputs, "['1h?30w', 'days=2']")
    assert edits == 2
    assert "['1h30w', 'days=2']" in others
    assert _edited(inputs, "b'1h?30m'")[1][0] == "b'1h30m'"
    (target,) = find_targets(inputs.program, Resolver(inputs.program))
    inputs.note_used(target, "text", "b'\\x05a\\x00'")  # what the program itself writes
    assert _edited(inputs, "b'\\x05\\x00'")[0] == 1
    inputs.note_passed(target, target.parameters[0], "dict", "{'ip': '10.0.0.1'}")
    assert "{'ip': '10.0.0.1'}" in _edited(inputs, "{'ip': '10.\\x0c'}")[1]
    assert _edited(inputs, "Path('1h?30w')") == (0.0, [])
    assert _edited(inputs, "'hello'") == (0.0, [])  # words alone are no slip
    assert _edited(inputs, "{'a': 1}") == (0.0, [])


def test_a_case_has_the_fewest_edits_with_which_it_shows_the_same(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"spans.py": SPANS})
    generation = ProgramKnowledge(brief(tmp_path, program, seconds=600.0))
    for text in ("'1h30m'", "'days=2'"):
        generation.inputs.note(generation.targets[0], "text", text)
    search = ProgramSearch(
        generation.prober, generation.targets, generation.resolver, generation.inputs,
        generation.offer, random.Random(1), 0.0, 0, options=False,
    )  # fmt: skip
    try:
        call = Call(generation.targets[0], (("text", "'1?h==30w'"),))
        case, plain = search.write(call), search.write(call.with_value("text", "'1h30m'"))
        assert case is not None
        assert plain is not None
        seen = generation.prober.observe([case, plain], 10.0)
        gain = seen[case.key].hits - seen[plain.key].hits
        chosen = [Chosen(KeptCase(case, seen[case.key], call), gain)]
        edited = EditedTexts(search.natural.known_texts)
        (found,) = FewestEdits(generation.prober, search.drafts, edited).undone(chosen, 30.0)
    finally:
        generation.prober.close()
    assert found.kept.call is not None
    assert found.kept.call.given == {"text": "'1?h30m'"}


def test_a_text_with_several_things_changed_has_to_reach_more(inputs: Inputs) -> None:
    (target,) = find_targets(inputs.program, Resolver(inputs.program))
    for hours in range(2, 10):
        inputs.note(target, "text", repr(f"{hours}h{hours}m"))
    natural = Naturalness(inputs, [target])

    def owed(text: str) -> int:
        call = Call(target, (("text", repr(text)),))
        return branches_owed(
            KeptCase(Case("spans.py", "read", ()), Observation((), ()), call), natural
        )

    assert [owed(text) for text in ("1h30m", "1h?30m", "1h?30w", "?1h?30?w")] == [0, 0, 0, 2]
