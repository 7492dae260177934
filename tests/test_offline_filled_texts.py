"""Texts that a program fills are given with the fields that it has for them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.texts.recognition import Recognition
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

LETTERS = """
    def export(rows, template="{title}", title="a"):
        return template.format(title=title, body=", ".join(rows))

    def by_percent(template, one, two):
        return template % {"one": one, "two": two}

    def in_turn(template, one, two):
        return template % (one, two)

    class Letter:
        def __init__(self, template):
            self.template = template

        def write(self, name):
            return self.template.format(name=name)

    def printed(template):
        return str(template)
    """
WANTED = {
    "export": ["'{body}'", "'{title}'"],
    "by_percent": ["'%(one)s'", "'%(two)s'"],
    "in_turn": ["'%s %s'"],
    "Letter": ["'{name}'"],
    "printed": [],
}


@pytest.mark.parametrize("name", WANTED)
def test_a_text_has_the_fields_that_are_filled(tmp_path: Path, name: str) -> None:
    program = write_program(tmp_path, {"letters.py": LETTERS})
    target = {t.symbol: t for t in find_targets(program, Resolver(program))}[name]
    inputs = Inputs(program, random.Random(1))
    template = next(one for one in target.parameters if one.name == "template")
    assert inputs.usage(target, template).choices == WANTED[name]
    read = Recognition(inputs, tmp_path).formats(target, template)
    assert bool(read) is (name == "printed")
