"""What the child process tells of programs that use numpy, sqlite3 and datetime."""

from __future__ import annotations

from pathlib import Path

import pytest
from jails import best_jail, jail_with
from offline_program import write_program

from pytest_lift.agents.offline.writing.oracles.verifying import verify
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober

LAB = """
    import sqlite3
    from datetime import datetime

    import numpy as np


    def draw(n):
        return n + np.random.rand()


    def count(conn):
        return conn.execute("SELECT 1 + 1").fetchone()[0]


    def same(moment):
        return moment


    class Plain:
        def said(self):
            return "plain"


    class Graph:
        def __init__(self):
            self._edges = {}

        def connect(self, one, other):
            self._edges[one] = other


    class Model:
        def __init__(self, start):
            self.weights = np.ones(2)
            self.start = start
"""


@pytest.fixture
def prober(tmp_path: Path) -> Prober:
    numpy = pytest.importorskip("numpy")
    program = write_program(tmp_path, {"lab.py": LAB})
    return Prober(tmp_path, program, jail_with(Path(numpy.__file__).parents[1]))


def case(call: str, *imports: str) -> Case:
    symbol = call.partition("(")[0]
    lines = (f"from lab import {symbol}", *imports)
    return Case("lab.py", symbol, (Step(call, check=True),), lines)


def test_numbers_of_the_shared_generator_of_numpy_are_chance(prober: Prober) -> None:
    assert prober.explore([case("draw(1)")], frozenset(), 10) == []
    assert prober.failures["lab.py:draw"]["chance"] == 1


def test_databases_in_memory_can_be_used(prober: Prober) -> None:
    one = case("count(sqlite3.connect(':memory:'))", "import sqlite3")
    assert prober.observe([one], 10)[one.key].outcomes[0].source == "2"
    other = case("count(sqlite3.connect('kept.db'))", "import sqlite3")
    assert prober.observe([other], 10)[other.key].rejected == "sqlite3"


def test_objects_without_anything_to_show_can_still_be_arguments(prober: Prober) -> None:
    [(_, seen)] = prober.explore([case("Plain()")], frozenset(), 10)
    assert seen.rejected == "nothing to assert"
    assert seen.outcomes[0].type == "Plain"


def test_states_that_nothing_shows_are_told_for_calls_to_follow(prober: Prober) -> None:
    steps = (Step("graph = Graph()"), Step("graph.connect(1, 2)", check=True))
    one = Case("lab.py", "Graph.connect", steps, ("from lab import Graph",), subject="graph")
    [(_, seen)] = prober.explore([one], frozenset(range(len(prober.sites))), 10)
    assert seen.rejected == "nothing to assert"
    assert seen.state == "Graph;;_edges=dict1int"


def test_results_are_spelt_as_the_test_imports_them(prober: Prober) -> None:
    line = "from datetime import datetime"
    one = case("same(datetime(2024, 2, 29))", line)
    seen = prober.observe([one], 10)[one.key]
    found = verify(one, seen, prober.program, Resolver(prober.program))
    assert found is not None
    assert found.checks[0].expected == "datetime(2024, 2, 29, 0, 0)"
    assert found.imports == (line, "from lab import same")


def test_attributes_with_values_of_libraries_are_asserted(prober: Prober) -> None:
    line = "from datetime import datetime"
    one = case("Model(datetime(2024, 2, 29))", line)
    seen = prober.observe([one], 10)[one.key]
    found = verify(one, seen, prober.program, Resolver(prober.program))
    assert found is not None
    assert found.checks[0].attributes == (
        ("weights.tolist()", "[1.0, 1.0]"),
        ("start", "datetime(2024, 2, 29, 0, 0)"),
    )


def test_a_call_may_import_what_opens_the_process_itself(tmp_path: Path) -> None:
    code = """
        def size(text):
            import ctypes
            return ctypes.sizeof(ctypes.c_char) * len(text)
        """
    program = write_program(tmp_path, {"sizes.py": code})
    case = Case("sizes.py", "size", (Step("size('abc')", check=True),), ("from sizes import size",))
    seen = Prober(tmp_path, program, best_jail()).observe([case], 20)
    assert seen[case.key].outcomes[0].source == "3"
