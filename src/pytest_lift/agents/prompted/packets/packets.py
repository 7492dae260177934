"""Packets of a phase: its work divided into independent chains of packets that fit the context."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.packets.composing import Composer, Packet
from pytest_lift.agents.prompted.packets.work import WorkItem, find_work, split
from pytest_lift.suite.placement import placements
from pytest_lift.trace.grounding import homes

MOST_PACKETS = 8
"""Largest number of chains in one phase: the cost of an iteration depends on the most valuable
work, not on the size of the project; the rest follows in the next iterations."""


class PacketPlanner:
    """Planner that divides the work of one brief into packets of at most `budget` tokens."""

    def __init__(self, brief: Brief, budget: int, done: Collection[str] = ()) -> None:
        self.brief = brief
        self.budget = budget
        self.done = done
        """Keys of work items that are not asked for again."""
        self.program = brief.program
        self.places = placements(brief.program.files.values(), brief.suite)
        self.homes = homes(brief.requirements, brief.program)
        self.composer = Composer(brief, self.homes, self.places)

    def units(self) -> Iterator[WorkItem]:
        return find_work(self.brief, self.homes, self.places)

    def chains(self) -> list[list[Packet]]:
        """Returns the packets with the highest gain, about `MOST_PACKETS`. Packets of one chain
        write the same file and are processed in order; chains are independent."""
        units = sorted(self._left(self.units()), key=lambda unit: -unit.gain)
        whole = self.composer.packet(self._in_order(units)) if units else None
        if whole is not None and whole.tokens <= self.budget:
            return [[whole]]
        fitting = [piece for unit in units for piece in self._left(self._fitted(unit))]
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
        """Returns the work items in the order of the program's files, so that messages begin
        alike in every iteration."""
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
        """Returns `unit`, or pieces of it that fit: with fewer requirements, then with fewer
        lines."""
        if self.composer.packet([unit]).tokens <= self.budget:
            return [unit]
        return [
            piece
            for half in split(unit, self.program.files[unit.path])
            for piece in self._fitted(half)
        ]
