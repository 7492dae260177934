"""A small program on disk and the brief that an offline agent gets about it."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jails import best_jail

from pytest_lift.agents.contract import Brief, Mode
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Observation
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.survey import survey
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program, read_program
from pytest_lift.suite.suite import Suite, suite_of

PRICES = '''
"""Prices of things."""

from decimal import Decimal


class PriceError(ValueError):
    """A price that makes no sense."""


def parse_price(text, currency="EUR", strict=False):
    """Read a price.

    >>> parse_price("12.50")
    (Decimal('12.50'), 'EUR')
    """
    if text.startswith("-"):
        raise PriceError("a price cannot be negative: %s" % text)
    if strict and "." not in text:
        raise PriceError("cents are missing")
    return Decimal(text), currency


def write_price(amount, out, sign="EUR"):
    """Write `amount` to the file-like `out`."""
    out.write("%s %s" % (amount, sign))


class Basket:
    """Things to buy."""

    def __init__(self, items=()):
        self.items = list(items)

    def total(self):
        """Sum of all items."""
        return sum(self.items)
'''


def write_program(root: Path, files: Mapping[str, str]) -> Program:
    """Write `files` (path -> text) below `root` and read them as the program."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    tops = tuple(sorted({path.partition("/")[0] for path in files if path.endswith(".py")}))
    return read_program(root, tops, ("",), "test")


def brief(
    root: Path,
    program: Program,
    mode: Mode = "initial",
    *,
    tests: Mapping[str, str] | None = None,
    requirements: Requirements | None = None,
    seconds: float = 16.0,
    **more: Any,
) -> Brief:
    """A brief whose suite has the texts `tests`, the user's unless `suite` says otherwise."""
    suite: Suite = more.pop("suite", None) or suite_of("tests", tests or {})
    return Brief(
        mode,
        more.pop("iteration", 0),
        root,
        best_jail(),
        program,
        requirements or Requirements(),
        suite,
        deadline=time.monotonic() + seconds,
        **more,
    )


def targets_of(program: Program, root: Path) -> dict[str, Target]:
    """Symbol -> target, as a survey of the program has them."""
    known = survey(program, root, best_jail(), 20)
    return {t.symbol: t for t in find_targets(program, Resolver(program), known)}


def tried(program: Program, root: Path, call: Call) -> tuple[str, Observation]:
    """What a call is written as, and what is seen when it runs."""
    case = as_case(call, Resolver(program))
    assert case is not None
    return case.source, Prober(root, program, best_jail()).observe([case], 20)[case.key]
