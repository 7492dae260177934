"""Packets of work: a phase divided into independent chains of packets, and the text of each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.known.contradicted import Contradicted
from pytest_lift.agents.prompted.known.notes import Notes
from pytest_lift.agents.prompted.known.snippets import by_requirement
from pytest_lift.agents.prompted.residents import residents, shared_section, where_lines
from pytest_lift.agents.prompted.sections import (
    finding_lines,
    requirement_section,
    slice_lines,
    slice_section,
    source_section,
    state_line,
    test_file_section,
    tokens,
)
from pytest_lift.agents.prompted.surroundings import Surroundings, Surveyor
from pytest_lift.agents.prompted.work import WorkItem, find_work, split
from pytest_lift.context.retriever import Retriever
from pytest_lift.findings.finding import Finding
from pytest_lift.marks.fields import may_have_fields
from pytest_lift.source.program import SourceFile
from pytest_lift.source.symbols import Symbol
from pytest_lift.suite.placement import feature_files, placements
from pytest_lift.trace.grounding.homes import Parts
from pytest_lift.trace.grounding.subjects import Grounding

MOST_SURVIVORS = 25
"""Largest number of surviving mutants in one packet: a few tests for these also detect others."""
WHOLE = 0.5
"""Share of a module's functions in question from which on the whole module is shown."""
LINKS_IN_DOCSTRINGS = (
    "They name requirements in their docstrings: a line `:req: ID, ID` or `:emergent: why` there "
    "says what the mark of that name says. Marks are turned into such lines; write either."
)
DOUBTED = "## Doubtful, for their author to settle: write no test of either side"
MOST_PACKETS = 8
"""Largest number of chains in one phase: the cost of an iteration depends on the most valuable
work, not on the size of the project; the rest follows in the next iterations."""


@dataclass(frozen=True)
class Packet:
    """Packet of work for one conversation; its first message is `stable`, followed by `task`."""

    units: tuple[WorkItem, ...]
    stable: str
    """Text that does not change between iterations; it comes first, because endpoints cache the
    beginning of a conversation."""
    task: str
    files: tuple[str, ...] = ()
    """Test files that the conversation may write."""
    shown: frozenset[str] = field(default_factory=frozenset)
    """Project files of which at least a part is in the packet."""

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


class Composer:
    """Writer of the packets' texts for one brief."""

    def __init__(
        self,
        brief: Brief,
        lives: Mapping[str, Parts],
        places: Mapping[str, str],
        surveyor: Surveyor,
    ) -> None:
        """Takes `lives` (requirement id -> source files, its home first) and `places` (source
        file -> test file)."""
        self.brief = brief
        self.surveyor = surveyor
        self.program = brief.program
        self.lives = lives
        self.places = places
        self.grounding = Grounding(brief.program)
        self.notes = Notes(brief)
        self.contradicted = Contradicted(brief, self.grounding)

    def packet(self, units: Sequence[WorkItem]) -> Packet:
        sources = tuple(dict.fromkeys(unit.path for unit in units))
        around = self._surroundings(units)
        files = tuple(dict.fromkeys(unit.test_file for unit in units))
        files += self._feature_files(units)
        stable = [
            *self._requirement_texts(units),
            "## Source in question",
            *filter(None, (self._source(unit) for unit in units)),
        ]
        stable += filter(None, [around.definitions])
        tests = [*self._test_texts(files), *filter(None, [around.uses])]
        listed = {name for unit in units for name in unit.requirements}
        known = [*self.contradicted.section(sources, listed), *self._doubts(listed)]
        task = [*self._states(units), *known, *tests, *self._open(units)]
        there = {path for path in files if path in self.brief.suite.files}
        named = {self.brief.requirements.by_id[i].file for u in units for i in u.requirements}
        return Packet(
            tuple(units),
            "\n\n".join(stable),
            "\n\n".join(task),
            files,
            frozenset({*sources, *around.paths, *there, *named}),
        )

    def _surroundings(self, units: Sequence[WorkItem]) -> Surroundings:
        """Returns what the functions in question need; those with findings come first."""
        functions: dict[tuple[SourceFile, Symbol], None] = {}
        asked: set[tuple[str, str]] = set()
        shown: dict[str, set[int] | None] = {}
        for unit in sorted(units, key=lambda unit: -unit.gain):
            source = self.program.files[unit.path]
            names, lines = self._symbols(unit, source), self._shown_lines(unit)
            shown[unit.path] = None if lines is None else {*(shown.get(unit.path) or ()), *lines}
            asked |= {(unit.path, name) for name in names}
            inside = [s for s in source.symbols if s.kind != "class" and not s.is_overload]
            inside = [s for s in inside if lines is None or s.line in lines]
            inside.sort(key=lambda s: s.name not in names)
            functions.update(dict.fromkeys((source, s) for s in inside))
        return self.surveyor.around([*functions], asked, shown)

    def _feature_files(self, units: Sequence[WorkItem]) -> tuple[str, ...]:
        """Returns test files named after scopes that span several modules, all in the packet."""
        by_id, here = self.brief.requirements.by_id, {unit.path for unit in units}
        around: dict[tuple[str, ...], set[str]] = {}
        for name, told in self.lives.items():
            around.setdefault(by_id[name].scope, set()).add(next(iter(told)))
        spanning = {scope for scope, paths in around.items() if len(paths) > 1 and paths <= here}
        items = [by_id[name] for name in self.lives if by_id[name].scope in spanning]
        return tuple(sorted(feature_files(items, self.brief.suite, self.places.values())))

    def _requirement_texts(self, units: Sequence[WorkItem]) -> Iterator[str]:
        ids = {name: unit.path for unit in units for name in unit.requirements}
        said = by_requirement(self.brief.expectations)
        if ids:
            yield "## Requirements"
        for name, path in ids.items():
            item = self.brief.requirements.by_id[name]
            section = requirement_section(item, said.get(name, ()), self.brief)
            yield "\n".join([section, *where_lines(self.lives[name], path)])
        for unit in units:
            source = self.program.files[unit.path]
            items = [self.brief.requirements.by_id[name] for name in unit.shared if name not in ids]
            yield from shared_section(items, self.lives, source, said, self.brief)

    def _source(self, unit: WorkItem) -> str:
        source, lines = self.program.files[unit.path], self._shown_lines(unit)
        return source_section(source) if lines is None else slice_section(source, lines)

    def _shown_lines(self, unit: WorkItem) -> set[int] | None:
        """Returns the lines of a module that are shown; None if it is shown whole."""
        source = self.program.files[unit.path]
        if unit.lines:
            return slice_lines(source, (), unit.lines)
        symbols = self._symbols(unit, source)
        every = sum(s.kind != "class" for s in source.symbols)
        lines = {f.line for f in unit.findings if f.file == unit.path and not f.symbol}
        scope = self.brief.scope
        if scope is not None and not scope.has_all_of(unit.path):
            return slice_lines(source, symbols | scope.symbols(unit.path), lines)
        if self._is_untested(unit.path) or len(symbols) >= WHOLE * every:
            return None
        return slice_lines(source, symbols, lines)

    def _is_untested(self, path: str) -> bool:
        """Whether no function of a module is executed, so that the whole module is shown."""
        figures = self.brief.coverage.files.get(path) if self.brief.coverage else None
        if figures is None:
            return self.brief.mode == "initial"
        source = self.program.files[path]
        bodies = [s for s in source.symbols if s.kind != "class"]
        inside = {n for s in bodies for n in range(s.line + 1, s.end_line + 1)}
        return bool(inside) and not figures.executed & inside

    def _is_obvious(self, finding: Finding) -> bool:
        """Whether a finding need not be listed: there are no tests of its subject at all."""
        if finding.kind in ("requirement-untested", "requirement-partial"):
            return self.brief.mode == "initial"
        return finding.kind == "uncovered-branch" and self._is_untested(finding.file)

    def _symbols(self, unit: WorkItem, source: SourceFile) -> set[str]:
        symbols = {f.symbol for f in unit.findings if f.file == unit.path and f.symbol}
        for name in (*unit.requirements, *unit.shared):
            symbols.update(self.lives[name].get(unit.path, ()))
        return symbols

    def _states(self, units: Sequence[WorkItem]) -> Iterator[str]:
        """Yields the state of each requirement; none has one in the initial mode."""
        ids = {name for unit in units for name in unit.requirements}
        trace = self.brief.trace
        if self.brief.mode != "initial" and trace is not None:
            rows = [state_line(item) for item in trace.requirements if item.requirement.id in ids]
            if rows:
                yield "\n".join(["## Where the requirements stand", *rows])

    def _doubts(self, listed: set[str]) -> Iterator[str]:
        doubts = [one for one in self.brief.doubts if listed & {one.requirement, one.other}]
        if doubts:
            yield "\n".join([DOUBTED, *(f"- {one.told}" for one in doubts)])

    def _test_texts(self, files: Sequence[str]) -> Iterator[str]:
        there = [self.brief.suite.files[path] for path in files if path in self.brief.suite.files]
        if there:
            yield "## Tests that are there"
            if any(may_have_fields(file.text) for file in there):
                yield LINKS_IN_DOCSTRINGS
            yield from (test_file_section(file, self.brief.suite) for file in there)

    def _open(self, units: Sequence[WorkItem]) -> Iterator[str]:
        findings = sorted(
            chain.from_iterable(unit.findings for unit in units), key=lambda f: -f.gain
        )
        findings = [f for f in findings if f.file == "" or not self._is_obvious(f)]
        survivors = [f for f in findings if f.kind == "surviving-mutant"]
        more = frozenset(survivors[MOST_SURVIVORS:])
        evidence = self.brief.mode == "correct"
        if findings:
            shown = [f for f in findings if f not in more]
            lines = finding_lines(shown, evidence=evidence)
            if more:
                lines.append(f"- and {len(more)} more mutants that survive (the tool `findings`)")
            yield "\n".join(["## What is open, the most rewarding first", *lines])
        if left := list(self.notes.about(units)):
            yield "\n".join(["## Left untested on purpose so far (`settled` takes numbers)", *left])


class PacketPlanner:
    """Planner that divides the work of one brief into packets of at most `budget` tokens."""

    def __init__(
        self,
        brief: Brief,
        budget: int,
        done: Collection[str] = (),
        retriever: Retriever | None = None,
    ) -> None:
        """Without a `retriever`, what functions need is found by names alone."""
        self.brief = brief
        self.budget = budget
        self.done = done
        """Keys of work items that are not asked for again."""
        self.program = brief.program
        self.places = placements(brief.program.files.values(), brief.suite)
        self.lives = residents(brief)
        surveyor = Surveyor(brief, retriever or Retriever(None), budget)
        self.composer = Composer(brief, self.lives, self.places, surveyor)

    def units(self) -> Iterator[WorkItem]:
        return find_work(self.brief, self.lives, self.places)

    def chains(self) -> list[list[Packet]]:
        """Returns the packets with the highest gain, about `MOST_PACKETS`. Packets of one chain
        write the same file and are processed in order; chains are independent."""
        units = sorted(self._left(self.units()), key=lambda unit: -unit.gain)
        whole = self.composer.packet(self._in_order(units)) if units else None
        if whole is not None and whole.tokens <= self.budget:
            return [[whole]]
        rewarding = units[: 4 * MOST_PACKETS]  # what comes after these would be left out anyway
        fitting = [piece for unit in rewarding for piece in self._left(self._fitted(unit))]
        by_file: dict[str, list[WorkItem]] = {}
        for unit in sorted(fitting, key=lambda unit: -unit.gain)[: 2 * MOST_PACKETS]:
            by_file.setdefault(unit.test_file, []).append(unit)
        single = [chain[0] for chain in by_file.values() if len(chain) == 1]
        several = [chain for chain in by_file.values() if len(chain) > 1]
        chains = [[self.composer.packet([unit]) for unit in chain] for chain in several]
        chains += [[packet] for packet in self._packed(single)]
        return sorted(chains, key=lambda chain: -chain[0].gain)[:MOST_PACKETS]

    def packets(self) -> list[Packet]:
        return [packet for chain in self.chains() for packet in chain]

    def again(self, packet: Packet) -> Packet:
        """Returns a packet for the same work items, composed from the current brief."""
        return self.composer.packet(packet.units)

    def _left(self, units: Iterable[WorkItem]) -> list[WorkItem]:
        """Returns the work items that have findings or requirements and are not done."""
        open_ = (unit for unit in units if unit.findings or unit.requirements)
        return [unit for unit in open_ if unit.key not in self.done]

    def halved(self, packet: Packet) -> tuple[Packet, ...]:
        """Returns two smaller packets, for an endpoint whose context is smaller than expected.
        Empty if the packet cannot be halved."""
        units = packet.units
        if len(units) == 1:
            halves = split(units[0], self.program.files[units[0].path])
            return tuple(self.composer.packet([half]) for half in halves)
        middle = len(units) // 2
        return self.composer.packet(units[:middle]), self.composer.packet(units[middle:])

    def _in_order(self, units: Iterable[WorkItem]) -> list[WorkItem]:
        """Returns the work items in the program's order: messages begin alike each time."""
        order = {path: number for number, path in enumerate(self.program.files)}
        return sorted(units, key=lambda unit: order[unit.path])

    def _packed(self, units: Iterable[WorkItem]) -> Iterator[Packet]:
        """Yields packets that combine small work items as long as they fit."""
        open_units: list[WorkItem] = []
        for unit in units:
            together = self.composer.packet(self._in_order([*open_units, unit]))
            if open_units and together.tokens > self.budget:
                yield self.composer.packet(self._in_order(open_units))
                open_units = []
            open_units.append(unit)
        if open_units:
            yield self.composer.packet(self._in_order(open_units))

    def _fitted(self, unit: WorkItem) -> list[WorkItem]:
        """Returns `unit`, or pieces that fit: with fewer requirements, then fewer lines."""
        for one in (unit, replace(unit, shared=())):
            if self.composer.packet([one]).tokens <= self.budget:
                return [one]
        return [
            piece
            for half in split(unit, self.program.files[unit.path])
            for piece in self._fitted(half)
        ]
