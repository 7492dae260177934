"""The work of a phase cut into packets: each fits the context, and none depends on another."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from pytest_lift.agents import Brief
from pytest_lift.agents.concerns import homes, named_symbols
from pytest_lift.agents.outline import imports, outline
from pytest_lift.agents.sections import (
    by_requirement,
    finding_lines,
    requirement_section,
    slice_section,
    source_section,
    test_file_section,
    tokens,
)
from pytest_lift.gate.placed import feature_files
from pytest_lift.gradient import JUDGED, Finding
from pytest_lift.placement import placements
from pytest_lift.program import SourceFile
from pytest_lift.suite import path_of
from pytest_lift.trace import RequirementTrace

MOST_PACKETS = 8
"""Chains of packets in one phase: what an iteration costs follows what is worth most, not the size
of the project; the rest has its turn in the next iterations."""
MOST_NEIGHBOURS = 6
NOT_FOR_TESTS = frozenset({"suspected-defect", "broken-example", "left-out"})
"""Findings that a person settles: no test can."""
WHOLE = 0.5
"""Share of a module's functions in question from which the whole module is shown."""


@dataclass(frozen=True)
class Unit:
    """One source file, or a stretch of a long one, with what is open about it."""

    path: str
    test_file: str
    requirements: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    lines: range = range(0)
    """The stretch; empty: the whole file."""

    @property
    def key(self) -> str:
        """Of this piece of work; another as soon as anything else is open about it."""
        parts = (self.path, str(self.lines), *self.requirements, *(f.what for f in self.findings))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]

    @property
    def gain(self) -> float:
        return sum(f.gain for f in self.findings if f.reach == "testable")


@dataclass(frozen=True)
class Packet:
    """What one conversation is about; its first message is `stable` and then `task`."""

    units: tuple[Unit, ...]
    stable: str
    """What stays the same from iteration to iteration comes first: endpoints cache beginnings."""
    task: str
    files: tuple[str, ...] = ()
    """Test files that may be written."""
    shown: frozenset[str] = field(default_factory=frozenset)
    """Files of the project of which something is in it."""

    @property
    def text(self) -> str:
        return f"{self.stable}\n\n{self.task}"

    @property
    def tokens(self) -> int:
        return tokens(self.text)

    @property
    def gain(self) -> float:
        return sum(unit.gain for unit in self.units)

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(unit.path for unit in self.units))

    @property
    def requirements(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(chain.from_iterable(u.requirements for u in self.units)))


class Cutter:
    """Cuts one brief into packets of at most `budget` tokens each."""

    def __init__(self, brief: Brief, budget: int, done: Collection[str] = ()) -> None:
        self.brief = brief
        self.budget = budget
        self.done = done
        """Keys of units that need not be asked for again."""
        self.program = brief.program
        self.places = placements(brief.program.files.values(), brief.suite)

    @cached_property
    def homes(self) -> dict[str, str]:
        return homes(self.brief.requirements, self.program)

    @cached_property
    def traced(self) -> dict[str, RequirementTrace]:
        trace = self.brief.trace
        return {item.requirement.id: item for item in trace.requirements} if trace else {}

    def chains(self) -> list[list[Packet]]:
        """The most rewarding packets, about `MOST_PACKETS`; those of one chain write the same file
        and come one after the other, chains are independent."""
        units = sorted(self._left(self.units()), key=lambda unit: -unit.gain)
        whole = self._packet(self._in_order(units)) if units else None
        if whole is not None and whole.tokens <= self.budget:
            return [[whole]]
        fitting = [piece for unit in units for piece in self._left(self._fitted(unit))]
        by_file: dict[str, list[Unit]] = {}
        for unit in sorted(fitting, key=lambda unit: -unit.gain)[: 2 * MOST_PACKETS]:
            by_file.setdefault(unit.test_file, []).append(unit)
        single = [chain[0] for chain in by_file.values() if len(chain) == 1]
        several = [chain for chain in by_file.values() if len(chain) > 1]
        chains = [[self._packet([unit]) for unit in chain] for chain in several]
        chains += [[packet] for packet in self._packed(single)]
        return sorted(chains, key=lambda chain: -chain[0].gain)[:MOST_PACKETS]

    def packets(self) -> list[Packet]:
        return [packet for chain in self.chains() for packet in chain]

    def again(self, packet: Packet) -> Packet:
        """The same work as the brief has it now."""
        return self._packet(packet.units)

    def _left(self, units: Iterable[Unit]) -> list[Unit]:
        """Those about which something is open, and may be closed."""
        open_ = (unit for unit in units if unit.findings or unit.requirements)
        return [unit for unit in open_ if unit.key not in self.done]

    def halved(self, packet: Packet) -> tuple[Packet, ...]:
        """Two smaller ones, for an endpoint whose context is smaller than it seemed."""
        units = packet.units
        if len(units) == 1:
            halves = split(units[0], self.program.files[units[0].path])
            return tuple(self._packet([half]) for half in halves)
        middle = len(units) // 2
        return self._packet(units[:middle]), self._packet(units[middle:])

    def units(self) -> Iterator[Unit]:
        """Source files with something open, each with its findings and requirements."""
        by_path: dict[str, list[Finding]] = {}
        named: dict[str, list[str]] = {}
        if self.brief.mode == "initial":
            for name, home in self.homes.items():
                named.setdefault(home, []).append(name)
        for finding in open_findings(self.brief):
            path = self._home(finding) if finding.kind not in NOT_FOR_TESTS else None
            if path is not None:
                by_path.setdefault(path, []).append(finding)
                if finding.requirement in self.homes:
                    named.setdefault(path, []).append(finding.requirement)
        for path, findings in by_path.items():
            ids = tuple(dict.fromkeys(named.get(path, ())))
            yield Unit(path, self.places[path], ids, tuple(findings))

    def _home(self, finding: Finding) -> str | None:
        """The source file whose packet a finding belongs into."""
        if finding.requirement in self.homes:
            return self.homes[finding.requirement]
        if finding.file in self.program.files:
            return finding.file if finding.reach == "testable" else None
        by_test = {test: path for path, test in self.places.items()}
        for place in (finding.file, *map(path_of, finding.tests)):
            if place in by_test:
                return by_test[place]
        if finding.kind in ("refused", "failing", "broken-file", "flaky"):
            return next(iter(self.program.files), None)
        return None

    def _in_order(self, units: Iterable[Unit]) -> list[Unit]:
        """As the program has them: the same beginning in every iteration."""
        order = {path: number for number, path in enumerate(self.program.files)}
        return sorted(units, key=lambda unit: order[unit.path])

    def _packed(self, units: Iterable[Unit]) -> Iterator[Packet]:
        """Small units share a packet while it fits."""
        open_units: list[Unit] = []
        for unit in units:
            together = self._packet(self._in_order([*open_units, unit]))
            if open_units and together.tokens > self.budget:
                yield self._packet(self._in_order(open_units))
                open_units = []
            open_units.append(unit)
        if open_units:
            yield self._packet(self._in_order(open_units))

    def _fitted(self, unit: Unit) -> list[Unit]:
        """`unit`, or pieces of it that fit: fewer requirements, then stretches of the source."""
        if self._packet([unit]).tokens <= self.budget:
            return [unit]
        return [
            piece
            for half in split(unit, self.program.files[unit.path])
            for piece in self._fitted(half)
        ]

    def _packet(self, units: Sequence[Unit]) -> Packet:
        sources = tuple(dict.fromkeys(unit.path for unit in units))
        around = self._neighbours(sources)
        files = tuple(dict.fromkeys(unit.test_file for unit in units))
        files += self._feature_files(units)
        stable = [
            *self._requirement_texts(units),
            "## Source in question",
            *filter(None, (self._source(unit) for unit in units)),
        ]
        if around:
            stable += ["## Neighbours, by signature", *(self._outline(path) for path in around)]
        task = [*self._test_texts(files), *self._open(units)]
        there = {path for path in files if path in self.brief.suite.files}
        named = {self.brief.requirements.by_id[i].file for u in units for i in u.requirements}
        return Packet(
            tuple(units),
            "\n\n".join(stable),
            "\n\n".join(task),
            files,
            frozenset({*sources, *around, *there, *named}),
        )

    def _neighbours(self, sources: Sequence[str]) -> list[str]:
        near = (imports(self.program.files[path], self.program) for path in sources)
        found = dict.fromkeys(path for paths in near for path in paths if path not in sources)
        return list(found)[:MOST_NEIGHBOURS]

    def _outline(self, path: str) -> str:
        return f"```\n{outline(self.program.files[path], self.program)}\n```"

    def _feature_files(self, units: Sequence[Unit]) -> tuple[str, ...]:
        """Files named after requirement scopes that concern several modules, all of them here."""
        by_id, here = self.brief.requirements.by_id, {unit.path for unit in units}
        around: dict[tuple[str, ...], set[str]] = {}
        for name, path in self.homes.items():
            around.setdefault(by_id[name].scope, set()).add(path)
        spanning = {scope for scope, paths in around.items() if len(paths) > 1 and paths <= here}
        items = [by_id[name] for name in self.homes if by_id[name].scope in spanning]
        return tuple(sorted(feature_files(items, self.brief.suite, self.places.values())))

    def _requirement_texts(self, units: Sequence[Unit]) -> Iterator[str]:
        ids = dict.fromkeys(chain.from_iterable(unit.requirements for unit in units))
        if not ids:
            return
        said = by_requirement(self.brief.expectations)
        yield "## Requirements"
        for name in ids:
            item = self.brief.requirements.by_id[name]
            traced = self.traced.get(name) if self.brief.mode != "initial" else None
            yield requirement_section(item, said.get(name, ()), self.brief, traced)

    def _source(self, unit: Unit) -> str:
        source = self.program.files[unit.path]
        if unit.lines:
            return slice_section(source, (), unit.lines)
        symbols = self._symbols(unit, source)
        every = sum(s.kind != "class" for s in source.symbols)
        if self._is_untested(unit.path) or len(symbols) >= WHOLE * every:
            return source_section(source)
        lines = {f.line for f in unit.findings if f.file == unit.path and not f.symbol}
        return slice_section(source, symbols, lines)

    def _is_untested(self, path: str) -> bool:
        """Whether no function of a module is executed: its whole text is in question."""
        figures = self.brief.coverage.files.get(path) if self.brief.coverage else None
        if figures is None:
            return self.brief.mode == "initial"
        source = self.program.files[path]
        bodies = [s for s in source.symbols if s.kind != "class"]
        inside = {n for s in bodies for n in range(s.line + 1, s.end_line + 1)}
        return bool(inside) and not figures.executed & inside

    def _is_obvious(self, finding: Finding) -> bool:
        """What goes without saying where there are no tests at all."""
        if finding.kind in ("requirement-untested", "requirement-partial"):
            return self.brief.mode == "initial"
        return finding.kind == "uncovered-branch" and self._is_untested(finding.file)

    def _symbols(self, unit: Unit, source: SourceFile) -> set[str]:
        symbols = {f.symbol for f in unit.findings if f.file == unit.path and f.symbol}
        for name in unit.requirements:
            symbols |= named_symbols(self.brief.requirements.by_id[name], source)
        return symbols

    def _test_texts(self, files: Sequence[str]) -> Iterator[str]:
        there = [self.brief.suite.files[path] for path in files if path in self.brief.suite.files]
        if there:
            yield "## Tests that are there"
            yield from (test_file_section(file, self.brief.suite) for file in there)

    def _open(self, units: Sequence[Unit]) -> Iterator[str]:
        findings = sorted(
            chain.from_iterable(unit.findings for unit in units), key=lambda f: -f.gain
        )
        findings = [f for f in findings if f.file == "" or not self._is_obvious(f)]
        evidence = self.brief.mode == "correct"
        if findings:
            lines = finding_lines(findings, evidence=evidence)
            yield "\n".join(["## What is open, the most rewarding first", *lines])


def open_findings(brief: Brief) -> tuple[Finding, ...]:
    """What is computed, in the words of the last feedback where that says more, and what only a
    judge could find."""
    if brief.feedback is None:
        return brief.findings
    said = {(f.kind, f.what): f for f in brief.feedback.findings}
    computed = tuple(
        replace(f, todo=said[f.kind, f.what].todo) if (f.kind, f.what) in said else f
        for f in brief.findings
    )
    return (*computed, *(f for f in brief.feedback.findings if f.kind in JUDGED))


def split(unit: Unit, source: SourceFile) -> tuple[Unit, ...]:
    """Two halves of a unit that is too large: of its requirements, else of its lines.

    A unit that cannot be halved any more is none: nothing of it would fit.
    """
    if len(unit.requirements) > 3:
        return _by_requirements(unit)
    return _by_lines(unit, source)


def _by_requirements(unit: Unit) -> tuple[Unit, ...]:
    middle = len(unit.requirements) // 2
    halves = []
    for ids in (unit.requirements[:middle], unit.requirements[middle:]):
        first = ids[0] == unit.requirements[0]
        findings = tuple(
            f for f in unit.findings if f.requirement in ids or (first and not f.requirement)
        )
        halves.append(replace(unit, requirements=ids, findings=findings))
    return tuple(halves)


def _by_lines(unit: Unit, source: SourceFile) -> tuple[Unit, ...]:
    lines = unit.lines or range(1, source.text.count("\n") + 2)
    if len(lines) < 20:
        return ()
    starts = [s.line for s in source.symbols if s.line in lines[1:]]
    middle = lines[len(lines) // 2]
    cut = min(starts, key=lambda line: abs(line - middle), default=middle)
    halves = []
    for part in (range(lines[0], cut), range(cut, lines[-1] + 1)):
        inside = tuple(
            f
            for f in unit.findings
            if (f.line in part if f.file == unit.path else part[0] == lines[0])
        )
        ids = unit.requirements if part[0] == lines[0] else ()
        halves.append(replace(unit, requirements=ids, findings=inside, lines=part))
    return tuple(halves)
