"""What a plain dict equals as well is asserted with its class."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.agents.offline.writing.oracles.plain_equals import with_classes

BOXES = """
    class Box(dict):
        pass

    class Crate(Box):
        pass

    class Own(dict):
        def __eq__(self, other):
            return isinstance(other, Own) and dict(self) == dict(other)
"""


@pytest.mark.parametrize(
    ("lines", "expression", "expected", "asserted"),
    [
        ([], "pack({'a': {}})", "Box({'a': Box({})})",
         ["result = pack({'a': {}})", "result", "isinstance(result['a'], Box)"]),
        ([], "pack([])", "Crate([1])", ["result = pack([])", "result", "isinstance(result, Crate)"]),
        ([], "pack(1)", "[1, ({'b': Box({})},)]",
         ["result = pack(1)", "result", "isinstance(result[1][0]['b'], Box)"]),
        (["box = Box()", "box.a = {}"], "box", "Box({'a': Box({})})",
         ["box = Box()", "box.a = {}", "box", "isinstance(box['a'], Box)"]),
        (["box = Box()", "box.a = 1"], "box", "Box({'a': 1})", ["box = Box()", "box.a = 1", "box"]),
        (["box = Box(a=Box())"], "box.copy()", "Box({'a': Box()})",
         ["box = Box(a=Box())", "box.copy()"]),
        ([], "Box({'a': 1})", "Box({'a': 1})", ["Box({'a': 1})"]),
        ([], "pack(own)", "Own({})", ["pack(own)"]),
        ([], "pack(1)", "{'a': 1}", ["pack(1)"]),
        (["result = pack(1)"], "pack(2)", "Box({})", ["result = pack(1)", "pack(2)"]),
    ],
)  # fmt: skip
def test_the_class_of_what_equals_a_plain_value_is_asserted(
    tmp_path: Path, lines: list[str], expression: str, expected: str, asserted: list[str]
) -> None:
    program = write_program(tmp_path, {"boxes.py": BOXES})
    checks = [StepCheck("none", line) for line in lines]
    checks.append(StepCheck("equals", expression, expected))
    assert [one.expression for one in with_classes(checks, program)] == asserted
