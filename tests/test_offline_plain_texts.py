"""Texts that nobody types cost more, and plain ones are tried in their place."""

from __future__ import annotations

import math
import random
import time
from pathlib import Path

import pytest
from offline_program import brief, write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.choosing.plain_words import FAR, retry_in_plain_words
from pytest_lift.agents.offline.choosing.shrinking.simplifying import distance
from pytest_lift.agents.offline.knowledge import ProgramKnowledge
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.agents.offline.search.search import PLAIN_SHARE, ProgramSearch
from pytest_lift.agents.offline.texts.plain_texts import (
    PlainTexts,
    broken,
    nearest,
    plainer_texts,
)
from pytest_lift.agents.offline.texts.vocabulary import Vocabulary
from pytest_lift.calls.call import Call
from pytest_lift.calls.cost import cost_of, noise_of
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

CODE = '''
    def render(text):
        """Render the title and the link of a text."""
        return text.strip()
'''
Known = tuple[PlainTexts, Target]


@pytest.fixture
def known(tmp_path: Path) -> Known:
    program = write_program(tmp_path, {"page.py": CODE})
    inputs = Inputs(program, random.Random(1))
    (target,) = find_targets(program, Resolver(program))
    texts = ["'# Title'", "'*one*'", "'[link](/a)'", "'***'", "'hello world'"]
    inputs.note_read(target, "text", texts)
    return PlainTexts(inputs, Vocabulary(program)), target


def test_characters_and_runs_of_marks_that_nobody_types_cost() -> None:
    plain = ("hello", "a\nb", "é", "foo.bar[0]", "<p>hi</p>", "{a: a, b: b}", "---", "C:\\x", "")
    for text in plain:
        assert noise_of(repr(text)) == 0, text
    for text in ("*\r", "a\x00", "\xa0a", "two\u2028", "smile😀"):
        assert noise_of(f"f({text!r})") >= 1, text
    assert noise_of(repr("[\\&]:)a*")) > noise_of(repr("[a](b"))
    assert noise_of(repr("ab (&[ cd")) > 0
    assert 0 < noise_of("f(b'\\x00')") < 1, "bytes often have such"
    assert noise_of("f('\\r' * 3, 1)") + 0.3 < cost_of("f('\\r' * 3, 1)")


def test_known_texts_with_the_same_marks_are_nearest() -> None:
    texts = ["# Title", "*one*", "[link](/a)"]
    assert nearest("[&](()a", texts)[0] == "[link](/a)"
    assert nearest("a*\r", texts)[0] == "*one*"


def test_a_text_becomes_plainer_without_what_nobody_types() -> None:
    assert {"*\n", "*"} <= {*plainer_texts("*\r")}
    assert "aé" in {*plainer_texts("a\u2028")}
    assert next(plainer_texts("#\n a:\tb")) == "# a: b"
    assert "[](a" in {*plainer_texts("[&](a")}
    assert [*plainer_texts("hello")] == []


def test_a_text_of_python_loses_no_marks_and_gets_no_plain_words(known: Known) -> None:
    texts, target = known
    code = 'def f():\n    """Reads `zqx` (the *@$%! one).\n\n    Xyq."""\n'
    call = Call(target, (("text", f"ast.parse({code!r}).body[0]"),))
    assert not texts.is_noisy(call)
    assert texts.is_noisy(call.with_value("text", repr(code)))
    proposals = Proposals(Naturalness(texts.inputs, [target]))
    assert not any("hello" in other.given["text"] for other in proposals.variants(call))


def test_a_text_is_broken_by_leaving_out_a_token_or_its_end() -> None:
    found = [*broken("[link](/a)")]
    assert {"[link](/a", "[link", "link](/a)", "[link]/a)", ""} <= {*found}


def test_known_texts_come_in_the_place_of_one_that_nobody_types(known: Known) -> None:
    plain, target = known
    odd = Call(target, (("text", "'[&](()a'"),))
    assert plain.is_noisy(odd)
    others = [call.given["text"] for call in plain.others(odd)]
    assert "'[link](/a)'" in others[:2]
    assert "'[](()a'" in others
    for typed in ("'# Title'", "'***'", "'the title'"):
        assert not plain.is_noisy(Call(target, (("text", typed),))), typed
    assert plain.is_noisy(Call(target, (("text", "'tikle'"),))), "no word of the program"
    assert not [*plain.others(Call(target, (("text", "'***'"),)))]


def test_known_texts_are_broken_and_others_are_not(known: Known) -> None:
    plain, target = known
    calls = [Call(target, (("text", text),)) for text in ("'*one*'", "'other'")]
    assert [call.given["text"] for call in plain.broken(calls)] == [
        "'one*'", "''", "'**'", "'*'", "'*one'", "'*one'",
    ]  # fmt: skip


def test_lines_of_known_texts_may_stand_in_another_order(tmp_path: Path) -> None:
    vocabulary = Vocabulary(write_program(tmp_path, {"page.py": CODE}))
    assert vocabulary.is_cut("one\ntwo\n")
    vocabulary.add(["'one\\ntwo'", "'[a]\\n'"])
    assert not vocabulary.is_cut("two\n\none\n[a]\n")
    assert vocabulary.is_cut("two\n\non\n")
    assert not vocabulary.is_cut("on\n")


SECTIONS = '''
    """Reader of INI files."""

    __all__ = ["read"]


    def read(text):
        """Read sections."""
        found = {}
        section = None
        for line in text.split("\\n"):
            if _is_heading(line):
                section = found.setdefault(line[1:-1], {})
            elif section is not None and "=" in line:
                key, _, value = line.partition("=")
                section[key.strip()] = value.strip()
        return found


    def is_heading(line):
        if line.startswith("[") and line.endswith("]"):
            return True
        return False


    _is_heading = is_heading
'''


def test_plain_texts_are_tried_again_for_what_others_had_found_first(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"sections.py": SECTIONS})
    made = ProgramKnowledge(brief(tmp_path, program))
    given = made.prober, made.targets, made.resolver, made.inputs, made.offer, made.rng
    search = ProgramSearch(*given, math.inf, 100)
    targets = {target.symbol: target for target in made.targets}
    odd = Call(targets["read"], (("text", "'[]\\r\\n[(&]\\n=)\\x00'"),))
    hidden = Call(targets["is_heading"], (("line", "'[a]'"),))
    search._explore([odd, hidden])
    assert [one.call for one in search.kept] == [odd]
    covered = search.covered
    search.own = list(made.targets)
    retry_in_plain_words(search)
    made.prober.close()
    texts = [one.call.given["text"] for one in search.kept if one.call is not None]
    assert repr("[main]\nname = Ada\ncount = 2\n") in texts
    assert covered <= search.covered
    assert all(one.call.target.symbol == "read" for one in search.kept if one.call is not None)


STEPS = """
    def steps(size, names):
        if size > 5:
            return len(names) * 2
        return len(names) + 1
"""


def test_simpler_calls_are_tried_again_for_what_is_far_from_what_a_person_writes(
    tmp_path: Path,
) -> None:
    program = write_program(tmp_path, {"steps.py": STEPS})
    made = ProgramKnowledge(brief(tmp_path, program))
    given = made.prober, made.targets, made.resolver, made.inputs, made.offer, made.rng
    search = ProgramSearch(*given, math.inf, 100)
    (target,) = made.targets
    odd = Call(target, (("size", "2 ** 64"), ("names", "['q', iter([1]), object(), {'%s': []}]")))
    search._explore([odd])
    assert distance(search.kept[0]) > 2 * FAR
    retry_in_plain_words(search)
    made.prober.close()
    kept = [one for one in search.kept if one.seen.hits >= search.kept[0].seen.hits]
    assert min(map(distance, kept)) < FAR, [one.case.source for one in kept]


def test_rounds_leave_time_for_plain_calls(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"steps.py": STEPS})
    made = ProgramKnowledge(brief(tmp_path, program))
    given = made.prober, made.targets, made.resolver, made.inputs, made.offer, made.rng
    end = time.monotonic() + 2
    search = ProgramSearch(*given, end, 10**9, patience=math.inf)
    search.run([])
    made.prober.close()
    assert end - time.monotonic() > 0.5 * PLAIN_SHARE
    assert search.deadline == end


def test_known_texts_leave_time_for_a_first_call_of_each_target(tmp_path: Path) -> None:
    """Each batch that begins in time is learnt from to its end; none begins after it."""
    program = write_program(tmp_path, {"steps.py": STEPS})
    made = ProgramKnowledge(brief(tmp_path, program))
    given = made.prober, made.targets, made.resolver, made.inputs, made.offer, made.rng
    search = ProgramSearch(*given, math.inf, 100)
    (target,) = made.targets
    calls = [Call(target, (("size", str(n)), ("names", "['a']"))) for n in (3, 7)]
    search._explore_in_parts(calls[:1], until=time.monotonic() + 60)
    assert len(search.kept) == 1
    search._explore_in_parts(calls[1:], until=time.monotonic() - 1)
    made.prober.close()
    assert len(search.kept) == 1


def test_a_text_put_together_of_tags_is_reduced_to_one_of_them(tmp_path: Path) -> None:
    code = 'def render(text):\n    return text.startswith("#EXT-OUT"), "#EXT-OUT-CONT", "#END:"\n'
    words = Vocabulary(write_program(tmp_path, {"page.py": code}))
    assert words.parts("#EXT-OUTx#END") == ["#EXT-OUT"]
    assert words.parts("#EXT-OUT-CONThello") == ["#EXT-OUT-CONT"]
    assert words.parts("#EXT-OUT") == words.parts("hello") == []


def test_a_tag_is_proposed_in_the_place_of_a_longer_text(tmp_path: Path) -> None:
    code = 'def render(text):\n    return text.startswith("#EXT-OUT"), "#EXT-OUT-CONT"\n'
    program = write_program(tmp_path, {"page.py": code})
    (target,) = find_targets(program, Resolver(program))
    natural = Naturalness(Inputs(program, random.Random(1)), [target])
    call = Call(target, (("text", "'#EXT-OUThello'"),))
    assert call.with_value("text", "'#EXT-OUT'") in Proposals(natural).variants(call)
