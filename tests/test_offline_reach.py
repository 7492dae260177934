"""Probes, the functions in which they stand, and those that a suite has reached."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.search.reach import Reach, reached
from pytest_lift.calls.prober import Prober
from pytest_lift.coverage.coverage import Coverage, FileCoverage

CODE = """
    def sign(n):
        if n < 0:
            return -1
        return 1


    def half(n):
        return n / 2 if n else 0
"""


def test_probes_belong_to_functions_and_sides(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"code.py": CODE})
    sites = Prober(tmp_path, program, best_jail()).sites
    reach = Reach(program, sites)
    sign, half = ("code.py", "sign"), ("code.py", "half")
    assert reach.functions(range(len(sites))) == {sign, half}
    assert reach.near([sign]) | reach.near([half]) == set(range(len(sites)))
    assert reach.missing_sides(frozenset()) == {(0, 1): 1, (0, 2): 2, (0, 7): 1, (0, 8): 2}
    assert reach.missing_sides(reach.near([half]))[0, 8] == 0


def test_what_a_suite_has_executed_is_reached(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"code.py": CODE})
    sites = Prober(tmp_path, program, best_jail()).sites
    assert reached(program, sites, None) == frozenset()
    lines = frozenset({1, 2, 3, 7})
    none: frozenset[int] = frozenset()
    file = FileCoverage(
        "code.py", lines, frozenset({4, 8}), none, frozenset({(2, 3)}), frozenset({(2, 4)})
    )
    found = {sites[n].probe for n in reached(program, sites, Coverage({"code.py": file}))}
    assert {(probe.kind, probe.line) for probe in found} == {("enter", 1), ("then", 2)}


def test_what_coverage_counts_as_no_branch_is_no_goal(tmp_path: Path) -> None:
    code = """
        def sign(n, signs):
            if n < 0:
                raise RuntimeError  # pragma: no cover
            try:
                return signs[n]
            except KeyError:
                return 1
    """
    program = write_program(tmp_path, {"code.py": code})
    sites = Prober(tmp_path, program, best_jail()).sites
    arcs = frozenset[tuple[int, int]]()
    file = FileCoverage("code.py", frozenset({1, 2, 4, 5}), frozenset({6, 7}), frozenset({3}),
                        arcs, arcs)  # fmt: skip
    found = {sites[n].probe for n in reached(program, sites, Coverage({"code.py": file}))}
    both = {("then", 2), ("else", 2)}
    assert {(probe.kind, probe.line) for probe in found if probe.line == 2} == both
    late = replace(file, executed=frozenset({1}), missing_branches=frozenset({(2, 4)}))
    found = {sites[n].probe for n in reached(program, sites, Coverage({"code.py": late}))}
    assert ("else", 2) not in {(probe.kind, probe.line) for probe in found}


def test_a_file_that_is_not_measured_is_no_goal_of_a_refinement(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"code.py": CODE, "left_out.py": CODE})
    sites = Prober(tmp_path, program, best_jail()).sites
    none = frozenset[int]()
    lines = FileCoverage("code.py", none, frozenset(range(1, 9)), none, frozenset(), frozenset())
    found = Coverage({"code.py": lines})
    apart = {number for number, site in enumerate(sites) if site.path == "left_out.py"}
    assert reached(program, sites, found) == none
    assert reached(program, sites, found, unmeasured=True) == apart
    assert reached(program, sites, Coverage({}), unmeasured=True) == none


def test_a_method_that_is_given_to_a_class_has_the_probes_of_its_function(tmp_path: Path) -> None:
    code = """
        class Box:
            pass


        def _open(self):
            return 1 if self else 2


        Box.open = _open
    """
    program = write_program(tmp_path, {"code.py": code})
    reach = Reach(program, Prober(tmp_path, program, best_jail()).sites)
    assert reach.near([("code.py", "Box.open")]) == reach.near([("code.py", "_open")]) != set()
