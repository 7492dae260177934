"""Documented cases that read a file which is not there are told from those that name hosts."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.places import PathArguments
from pytest_lift.agents.offline.joining.missing_files import MissingFiles
from pytest_lift.agents.offline.texts.contents import Contents
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

SHAPES = """
    import os


    class Shapes:
        def __init__(self, source):
            self.parts = open(source).read() if os.path.exists(source) else source

        def grow(self):
            self.parts += "a"

        def __len__(self):
            return len(self.parts)


    class Domain:
        def __init__(self, name):
            self.labels = name.split(".")


    class Config:
        def __init__(self, values):
            self.values = values
"""


@pytest.fixture
def missing(tmp_path: Path) -> MissingFiles:
    program = write_program(tmp_path, {"shapes.py": SHAPES})
    rng = random.Random(0)
    places = PathArguments(Inputs(program, rng), Contents(program, rng), rng)
    return MissingFiles(Matcher(find_targets(program, Resolver(program))), places)


def shown(look: str, expected: str, *lines: str) -> Verified:
    checks = (*(StepCheck("none", line) for line in lines), StepCheck("equals", look, expected))
    steps = tuple(Step(check.expression, check.form != "none") for check in checks)
    case = Case("shapes.py", "Shapes", steps, (), "documented")
    return Verified(case, checks, (), frozenset())


def test_counting_what_was_made_of_a_missing_file_is_told(missing: MissingFiles) -> None:
    counted = shown("len(shapes.parts)", "7", "shapes = Shapes('data/all.shp')")
    assert missing.is_counted(counted)
    assert missing.is_counted(shown("shapes.parts", "''", "shapes = Shapes(source='all.shp')"))
    assert not missing.is_counted(
        replace(counted, case=replace(counted.case, files={"data/all.shp": "a"}))
    )
    assert not missing.is_counted(replace(counted, case=replace(counted.case, origin="searched")))


@pytest.mark.parametrize(
    "item",
    [
        shown("shapes.parts", "'all.shp'", "shapes = Shapes('all.shp')"),
        shown("len(domain.labels)", "3", "domain = Domain('www.example.com')"),
        shown("len(config.values)", "2", "config = Config({'user.name': 1, 'user.mail': 2})"),
        shown("len(shapes)", "8", "shapes = Shapes('all.shp')", "shapes.grow()"),
        shown("len(shapes)", "1", "Path('all.shp').write_text('a')", "shapes = Shapes('all.shp')"),
        shown("len(labels)", "2", "labels = Domain('all.shp').labels"),
        shown("len(labels)", "2", "labels = sorted(Shapes('all.shp'))"),
        shown("len(other)", "2", "shapes = Shapes('all.shp')"),
    ],
    ids=lambda item: item.case.source,
)
def test_other_cases_that_count_are_not(item: Verified, missing: MissingFiles) -> None:
    assert not missing.is_counted(item)
