"""What a function returns is given to the one that undoes it."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import brief, write_program

from pytest_lift.agents.offline.knowledge import ProgramKnowledge
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.search.learnt.inverses import Inverses, inverse_names
from pytest_lift.calls.call import Call

CODES = """
    class Coder:
        def encode(self, text):
            return "-".join(str(ord(char)) for char in text)

        def decode(self, code, strict=False):
            if "-" not in code:
                raise ValueError("no code")
            return "".join(chr(int(part)) for part in code.split("-"))

        def decode_all(self, codes):
            return [self.decode(code) for code in codes]
"""


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("encode", "decode"),
        ("decode_line", "encode_line"),
        ("to_roman", "from_roman"),
        ("int_to_string", "string_to_int"),
        ("hex2rgb", "rgb2hex"),
        ("dumps", "loads"),
    ],
)
def test_functions_that_undo_each_other_are_told_by_their_names(name: str, other: str) -> None:
    assert other in inverse_names(name)
    assert name in inverse_names(other)
    assert not [*inverse_names("width")]


def test_what_one_returns_is_tried_for_the_one_that_undoes_it(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"codes.py": CODES})
    generation = ProgramKnowledge(brief(tmp_path, program, seconds=600.0))
    targets = {one.symbol: one for one in generation.targets}
    inputs = generation.inputs
    natural = Naturalness(inputs, generation.targets)
    encode, decode = targets["Coder.encode"], targets["Coder.decode"]
    call = Call(encode, (("text", "'Ada'"),), receiver=Call(targets["Coder"]))
    inputs.note(encode, "text", "'Ada'")
    inverses = Inverses(generation.prober, generation.resolver, inputs, natural, generation.targets)
    try:
        inverses.learn([call], 30.0)
    finally:
        generation.prober.close()
    assert inputs.used == {(decode.key, "code"): ["'65-100-97'"]}
    assert inputs.pool(decode, decode.parameters[0])[0] == "'65-100-97'"


def test_a_text_with_the_address_of_an_object_is_given_to_nothing(tmp_path: Path) -> None:
    text = """
        def dumps(value):
            return f"[{value}]"

        def loads(text):
            return text.strip("[]")
    """
    program = write_program(tmp_path, {"texts.py": text})
    generation = ProgramKnowledge(brief(tmp_path, program, seconds=600.0))
    targets = {one.symbol: one for one in generation.targets}
    inputs = generation.inputs
    natural = Naturalness(inputs, generation.targets)
    for value in ("object()", "17"):
        inputs.note(targets["dumps"], "value", value)
    calls = [Call(targets["dumps"], (("value", value),)) for value in ("object()", "17")]
    inverses = Inverses(generation.prober, generation.resolver, inputs, natural, generation.targets)
    try:
        inverses.learn(calls, 30.0)
    finally:
        generation.prober.close()
    assert inputs.used == {(targets["loads"].key, "text"): ["'[17]'"]}
