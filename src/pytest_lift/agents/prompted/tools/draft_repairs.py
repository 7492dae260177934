"""Repairs of what a conversation writes; what no rule cures is told to its author once."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from pytest_lift.agents.contract import Brief
from pytest_lift.context.server import LanguageServer
from pytest_lift.gate.diagnosis.diagnosing import Diagnoser
from pytest_lift.gate.diagnosis.explaining import explained
from pytest_lift.gate.repair.edits import Repaired, repaired_file
from pytest_lift.gate.repair.repairing import Repairer, parsable
from pytest_lift.suite.suite import Repair

MOST_ROUNDS = 5
"""Times that the author of a file is told what is wrong in it; then running it tells."""


class DraftRepairs:
    """Repairs of one conversation, and what its author was told."""

    def __init__(self, brief: Brief, server: LanguageServer | None) -> None:
        self.brief = brief
        self._server = server
        self._made: dict[str, dict[Repair, None]] = {}
        self._told: set[tuple[str, tuple[str, str, str]]] = set()
        self._rounds: Counter[str] = Counter()

    @cached_property
    def _repairer(self) -> Repairer:
        brief = self.brief
        return Repairer(Diagnoser(brief.program, brief.suite, brief.copy, self._server))

    def repaired(self, path: str, text: str) -> Repaired:
        """Returns the text of a file after its repairs."""
        return repaired_file(self._repairer, path, text, self.brief.accepted or self.brief.suite)

    def parsable(self, path: str, text: str) -> str:
        """Returns the source of some tests without what keeps it from being parsed, as far as
        rules go."""
        text, repairs = parsable(path, text)
        self.note(repairs)
        return text

    def note(self, repairs: tuple[Repair, ...] | list[Repair]) -> None:
        """Records repairs of a text that became part of the draft."""
        for one in repairs:
            self._made.setdefault(one.path, {})[one] = None

    def made(self, paths: set[str]) -> tuple[Repair, ...]:
        """Returns the repairs of some files."""
        return tuple(one for path in sorted(paths & self._made.keys()) for one in self._made[path])

    def words(self, path: str, found: Repaired) -> str:
        """Returns what the author of a file is told: what was repaired, and once, for at most five
        rounds, what is left, with its context."""
        told = [f"\n- repaired: {one.what} (line {one.line})" for one in found.repairs]
        new = [one for one in found.left if (path, one.key) not in self._told]
        if new and self._rounds[path] < MOST_ROUNDS:
            self._rounds[path] += 1
            self._told.update((path, one.key) for one in new)
            context = explained(self._repairer.diagnoser, path, found.text, new)
            told.append(f"\nthis will not run as it stands; mend it:\n{context}")
        return "".join(told)
