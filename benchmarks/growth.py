"""`make bench-growth`: how the analyses of a suite grow with it, and how long a large one is read.

One file with n tests, and one with four times as many. What reads a file once takes four times as
long; what reads all of it again for each test takes sixteen times. The bar: no analysis grows more
than sixfold. Growth is a ratio within one run, so that it is the same on a slow machine.

Then 10,000 tests in 10 files are read, each test with its text. The bar: 1 s of processor time.

    PYTHONPATH=src python benchmarks/growth.py [--tests 150]
"""

from __future__ import annotations

import argparse
import gc
import itertools
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pytest_lift.agents.offline.examples.examples import read_written
from pytest_lift.assertions.assertions import read_assertions
from pytest_lift.gate.gating import gate
from pytest_lift.redundancy.redundancy import rank_in, twin_groups
from pytest_lift.redundancy.shapes import shapes
from pytest_lift.redundancy.test_coverage import Footprint
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program, read_program
from pytest_lift.suite.suite import Edit, Suite, path_of, suite_of
from pytest_lift.trace.texts import surrounded

TIMES, BAR, REPEATS = 4, 6.0, 3
PATH = "tests/test_{}.py"
LARGE, SECONDS = (10, 1000), 1.0
"""Files and tests in each, and how long they may take."""
PROGRAM = """
def double(x):
    if x is None:
        raise ValueError("nothing to double")
    return 2 * x


class Thing:
    def __init__(self, value):
        self.value = value
"""
HEAD = '''"""Tests of mod."""

import pytest

from pkg.mod import Thing, double


@pytest.fixture
def thing():
    return Thing(1)


def checked(x):
    y = double(x)
    assert y == 2 * x
    return y


class TestThings:
    def setup_method(self):
        self.thing = Thing(2)
'''
METHOD = '''
    def test_value_{i}(self):
        """Keeps {i}."""
        assert Thing({i}).value == {i}
        assert self.thing.value == 2
'''
FUNCTION = '''

@pytest.mark.emergent("seen")
def test_double_{i}(thing):
    """Doubles {i}."""
    values = [double(x) for x in (1, 2, {i})]
    assert values[0] == double(1)
    assert checked({i}) == 2 * {i}
    with pytest.raises(ValueError, match="nothing"):
        double(None)
'''

ANEW = itertools.count()
"""Makes each text another one: what is known of a text is kept."""
Analysis = Callable[[Suite, Program], object]
ANALYSES: dict[str, Analysis] = {
    "what tests assert": lambda suite, program: read_assertions(suite, program.names),
    "the gate": lambda suite, program: gate(
        Edit(suite.texts()), suite_of("tests", {}), Requirements(), program
    ),
    "texts of tests": lambda suite, program: texts(suite),
    "what tests take from it": lambda suite, program: [
        surrounded(suite.source(test), suite.text(path_of(test.node))) for test in suite.tests()
    ],
    "near-duplicates": lambda suite, program: near_duplicates(suite),
    "keys of tests": lambda suite, program: suite.keys(suite.user_tests()),
    "words of tests": lambda suite, program: read_written(suite),
    "a suite without some": lambda suite, program: suite.without(
        [test.node for test in list(suite.tests())[::10]]
    ),
}


def suite(tests: int, files: int = 1) -> Suite:
    """So many tests in each file, half of them methods, half functions; nothing of it was looked at
    before."""
    return suite_of("tests", {PATH.format(n): _text(n * tests, tests) for n in range(files)})


def _text(first: int, tests: int) -> str:
    numbers = range(first, first + tests)
    methods = "".join(METHOD.format(i=i) for i in numbers[: tests // 2])
    functions = "".join(FUNCTION.format(i=i) for i in numbers[tests // 2 :])
    return f"{HEAD}# {next(ANEW)}\n{methods}{functions}"


def texts(suite: Suite) -> list[str]:
    return [suite.source(test) for test in suite.tests()]


def near_duplicates(suite: Suite) -> object:
    """At worst: tests of one shape, each of which does something that no other does."""
    known = shapes(suite)
    prints = {
        node: Footprint(node, frozenset({("pkg/mod.py", 3, 4), ("pkg/mod.py", number, -number)}))
        for number, node in enumerate(known)
    }
    return twin_groups(known, prints, rank_in(suite, prints), frozenset())


def seconds(analysis: Analysis, tests: int, program: Program) -> float:
    """The least of several, in processor time, the collector of garbage being off."""
    taken = []
    for _ in range(REPEATS):
        fresh = suite(tests)
        gc.collect()
        gc.disable()
        began = time.process_time()
        analysis(fresh, program)
        taken.append(time.process_time() - began)
        gc.enable()
    return max(min(taken), 1e-6)


def seconds_of_a_large_one() -> float:
    """As the product reads it."""
    files, tests = LARGE
    taken = []
    for _ in range(REPEATS):
        fresh = suite(tests, files)
        began = time.process_time()
        texts(fresh)
        taken.append(time.process_time() - began)
    return min(taken)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tests", type=int, default=150)
    tests = parser.parse_args().tests
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pkg").mkdir()
        (Path(folder) / "pkg/__init__.py").touch()
        (Path(folder) / "pkg/mod.py").write_text(PROGRAM)
        program = read_program(Path(folder), ("pkg",), ("",), "")
        found = {
            name: [seconds(analysis, count, program) for count in (tests, TIMES * tests)]
            for name, analysis in ANALYSES.items()
        }
    print(f"{'analysis':<22} {tests:>7,} tests {TIMES * tests:>7,} tests  growth")
    ratios = {name: round(after / before, 2) for name, (before, after) in found.items()}
    for name, (before, after) in found.items():
        print(f"{name:<22} {before:>11.3f} s {after:>11.3f} s  {ratios[name]:>5.1f}x")
    files, each = LARGE
    pass_seconds = round(seconds_of_a_large_one(), 2)
    print(f"{files * each:,} tests in {files} files are read in {pass_seconds} s")
    met = max(ratios.values()) <= BAR and pass_seconds <= SECONDS
    told = {"tests": tests, "times": TIMES, "growth": ratios, "bar": BAR}
    large = {"large_tests": files * each, "large_seconds": pass_seconds, "large_bar": SECONDS}
    print(json.dumps({**told, **large, "met": met}))
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
