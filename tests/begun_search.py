"""A search over a small program that has not begun."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from pathlib import Path

from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.offered import Offer
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target


def search_of(folder: Path, files: Mapping[str, str]) -> tuple[ProgramSearch, dict[str, Target]]:
    """Returns a search, and the targets of the program by their names."""
    program = write_program(folder, files)
    resolver, prober = Resolver(program), Prober(folder, program, best_jail())
    targets = find_targets(program, resolver)
    inputs = Inputs(program, random.Random(1))
    until = time.monotonic() + 60
    offer, rng = Offer(program, resolver), random.Random(1)
    search = ProgramSearch(prober, targets, resolver, inputs, offer, rng, until, 10)
    return search, {target.symbol: target for target in targets}
