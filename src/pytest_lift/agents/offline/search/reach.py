"""Probes of the program: in which function each stands, and which a measured suite has reached."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from pytest_lift.calls.running.children import Site
from pytest_lift.calls.targets.target import Target
from pytest_lift.coverage.coverage import Coverage, FileCoverage
from pytest_lift.source.made.given_methods import given_methods
from pytest_lift.source.program import Program

Function = tuple[str, str]
"""(path, qualified name); nested functions belong to the outer one."""


def probes_of(sites: Sequence[Site], kinds: AbstractSet[str]) -> frozenset[int]:
    """Returns the numbers of the probes of these kinds."""
    return frozenset(number for number, site in enumerate(sites) if site.probe.kind in kinds)


class Reach:
    """Probe numbers by function, and functions by probe number."""

    def __init__(self, program: Program, sites: Sequence[Site]) -> None:
        self.sites = sites
        self.of_probe: list[Function] = []
        self.probes: dict[Function, set[int]] = defaultdict(set)
        for number, site in enumerate(sites):
            symbol = program.files[site.path].symbol_at(site.probe.line)
            function = (site.path, symbol.name if symbol else "")
            self.of_probe.append(function)
            self.probes[function].add(number)
        for path, file in program.files.items():
            for method, function_name in given_methods(file).items():
                self.probes[path, method] |= self.probes[path, function_name]

    def functions(self, hits: Iterable[int]) -> set[Function]:
        """Returns the functions in which `hits` stand."""
        return {self.of_probe[number] for number in hits}

    def places(self, probes: Iterable[int]) -> dict[int, Function]:
        """Returns the functions in which `probes` stand."""
        return {number: self.of_probe[number] for number in probes}

    def near(self, functions: Iterable[Function]) -> set[int]:
        """Returns all probes of `functions`."""
        return set().union(*(self.probes[function] for function in functions))

    def of_target(self, target: Target) -> set[int]:
        """Returns the probes of the function that a target calls; none where it is inherited."""
        names = (target.symbol, f"{target.symbol}.__init__", f"{target.symbol}.__new__")
        return set().union(*(self.probes.get((target.path, name), set()) for name in names))

    def missing_sides(self, covered: AbstractSet[int]) -> dict[tuple[int, int], int]:
        """Returns (first probe of the module, line) of a branching statement -> how many of its
        sides are uncovered."""
        found: Counter[tuple[int, int]] = Counter()
        first: dict[str, int] = {}
        for number, site in enumerate(self.sites):
            start = first.setdefault(site.path, number)
            if number not in covered:
                found[start, site.probe.line] += 1
        return found


def reached(
    program: Program, sites: Sequence[Site], coverage: Coverage | None, *, unmeasured: bool = False
) -> frozenset[int]:
    """Returns probes that the measured suite has reached; conditions count with their statement.

    `unmeasured` is whether those count, too, of files that the settings of coverage.py leave out:
    it never tells that they were reached.
    """
    if coverage is None:
        return frozenset()
    found = set()
    starts = {path: _statement_starts(file.tree) for path, file in program.files.items()}
    ways = {path: _Ways.of(file) for path, file in coverage.files.items()}
    for number, site in enumerate(sites):
        file = coverage.files.get(site.path)
        if file is None:
            known = unmeasured and bool(coverage.files)
        else:
            known = _reached(site, file, starts[site.path], ways[site.path])
        if known:
            found.add(number)
    return frozenset(found)


def _statement_starts(tree: ast.Module) -> dict[int, int]:
    """Returns line -> first line of the statement (or of the head of the block) it belongs to."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            found.update(dict.fromkeys(range(node.lineno, last + 1), node.lineno))
    return found


@dataclass(frozen=True)
class _Ways:
    """The branches of a file, by the line that each begins at."""

    taken: Mapping[int, AbstractSet[int]]
    """Line -> where execution went from it; a negative number leaves the function."""
    missing: AbstractSet[int]
    """Lines from which execution did not go wherever it may."""

    @classmethod
    def of(cls, file: FileCoverage) -> _Ways:
        taken = defaultdict[int, set[int]](set)
        for line, to in file.executed_branches:
            taken[line].add(to)
        return cls(taken, {line for line, _ in file.missing_branches})


def _reached(site: Site, file: FileCoverage, starts: Mapping[int, int], ways: _Ways) -> bool:
    probe = site.probe
    if probe.kind in ("condition", "ternary"):
        return starts.get(probe.line, probe.line) in file.executed
    if probe.kind in ("then", "loop", "enter", "except", "case", "after"):
        return probe.to in file.executed or probe.to in file.excluded
    if probe.to > 0:
        return probe.to in file.executed
    if any(to != -probe.to for to in ways.taken.get(probe.line, ())):
        return True
    # coverage.py counts no branch beside what ``# pragma: no cover`` leaves out.
    return probe.line in file.executed and probe.line not in ways.missing
