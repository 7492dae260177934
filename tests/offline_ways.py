"""The ways to the objects of a small program, as a search knows them at its beginning."""

from __future__ import annotations

import random
from collections.abc import Sequence

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.offered import Offer
from pytest_lift.agents.offline.stories.ways import Ways
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.program import Program


def ways_of(program: Program, inputs: Inputs | None = None) -> Ways:
    """Returns the ways to the objects of a program, none of which is known yet."""
    inputs = inputs or Inputs(program, random.Random(1))
    targets = find_targets(program, Resolver(program))
    return with_natural(Naturalness(inputs, targets), targets)


def with_natural(natural: Naturalness, targets: Sequence[Target]) -> Ways:
    """Returns the ways to the objects of what judges calls of these targets."""
    program = natural.inputs.program
    return Ways(targets, natural, Offer(program, Resolver(program)))
