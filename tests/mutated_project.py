"""A small real project, and a mutator that measures its suite in the jail."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent
from typing import Any

import quick_pytest
from jails import best_jail

from pytest_lift.coverage.coverage import Lines
from pytest_lift.coverage.database import read_coverage, read_lines
from pytest_lift.mutation.mutation import Mutation
from pytest_lift.mutation.mutator import Mutator
from pytest_lift.run.run_suite import run_suite
from pytest_lift.source.program import Program, read_program
from pytest_lift.suite.suite import read_suite

PRICES = '''\
"""Prices."""


def total(price, count):
    """What `count` pieces cost; from ten pieces on the tenth part less."""
    if count >= 10:
        return price * count * 0.9
    return price * count


def label(name, loud=False):
    if not name:
        raise ValueError("a name is needed")
    return name.upper() if loud else name


class Till:
    def __init__(self):
        self.sum = 0

    def add(self, amount):
        self.sum = self.sum + amount
        return self.sum
'''

TESTS = """\
from shop.prices import Till, label, total


def test_total():
    assert total(2, 3) == 6


def test_discount():
    assert total(1, 20) < 20


def test_label():
    assert label("ann", loud=True) == "ANN"


def test_till():
    till = Till()
    till.add(2)
    assert till.sum
"""


SEEN = """
import os
from contextlib import suppress
from shop.prices import label

with suppress(OSError), open("imports", "a") as file:
    file.write("once more\\n")


def test_label():
    with suppress(OSError), open("run", "a") as file:  # the lift's own copy is read-only
        file.write(os.environ.get("MUTANT_UNDER_TEST", "") + "\\n")
        file.write(label.__code__.co_filename + "\\n")
    assert label("ann") == "ann"
"""
"""Writes down, below the mutated sources, which mutant is under test and what calls it."""


@dataclass
class MutatedProject:
    """The package is ``shop``, its tests are in ``tests``; `root` is measured as a private copy."""

    base: Path
    path: str = "shop"
    import_root: str = ""
    tests: str = "tests"
    told: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.root.mkdir(parents=True)
        told = {"addopts": quick_pytest.OPTIONS, **self.told}
        self.mutator = Mutator(
            self.base / "mutation", self.root, best_jail(), (self.tests,), **told
        )

    @property
    def root(self) -> Path:
        return self.base / "copy"

    def write(self, files: dict[str, str | None]) -> MutatedProject:
        """Write files, indented as may be; None deletes one."""
        for name, text in files.items():
            place = self.root / name
            if text is None:
                place.unlink()
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(dedent(text), "utf-8")
        return self

    def shop(self) -> MutatedProject:
        """With the usual program and tests."""
        return self.write(
            {
                f"{self.path}/__init__.py": "",
                f"{self.path}/prices.py": PRICES,
                "tests/test_prices.py": TESTS,
            }
        )

    def measure(self, *left_out: str, told_lines: bool = False) -> Mutation:
        """`told_lines`: after a run that tells which test executes which line, as in a lift."""
        program = read_program(self.root, (self.path,), (self.import_root,), "")
        suite = read_suite(self.root, self.tests)
        lines = (lambda: self.lines(program)) if told_lines else Lines
        return self.mutator.measure(suite, program, left_out, lines=lines)

    def lines(self, program: Program) -> Lines:
        reports, scratch = self.base / "reports", self.base / "scratch"
        run = run_suite(
            self.root,
            program,
            test_root=self.tests,
            reports=reports,
            scratch=scratch,
            seconds=60,
            jail=best_jail(),
            addopts=quick_pytest.OPTIONS,
        )
        assert run.reports == reports, run.output
        coverage = read_coverage(reports, program, self.root)
        return read_lines(reports, coverage, self.root, run.results)

    def measure_anew(self, base: Path, *left_out: str) -> Mutation:
        """By another mutator, which knows nothing yet."""
        fresh = MutatedProject(base, self.path, self.import_root, self.tests)
        shutil.copytree(self.root, fresh.root, dirs_exist_ok=True)
        return fresh.measure(*left_out)
