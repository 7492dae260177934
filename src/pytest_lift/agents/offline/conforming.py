"""Finds the examples of requirements and documents to which the program conforms."""

from __future__ import annotations

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.choosing.looks.endings import with_endings
from pytest_lift.agents.offline.documentation import Documentation
from pytest_lift.agents.offline.examples.agreement import agreeing, differs
from pytest_lift.agents.offline.examples.examples import ExampleReader, WrittenLiterals
from pytest_lift.agents.offline.examples.idle_lines import without_idle_lines
from pytest_lift.agents.offline.examples.parting import in_parts
from pytest_lift.agents.offline.examples.seeding import with_seeds
from pytest_lift.agents.offline.examples.sessions import Session, requirement_session
from pytest_lift.agents.offline.examples.told.told_stories import StoryReader
from pytest_lift.agents.offline.scoping import concerned_sessions
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober

OBSERVE_SECONDS = 20.0


class ConformingExamples:
    """The examples of the requirements of a brief and of the documents of its program."""

    def __init__(
        self,
        brief: Brief,
        documents: Documentation,
        matcher: Matcher,
        resolver: Resolver,
        prober: Prober,
        written: WrittenLiterals,
    ) -> None:
        self.program = brief.program
        self.documents = documents
        self.matcher = matcher
        self.resolver = resolver
        self.prober = prober
        self.written = written
        required = (requirement_session(one, self.program) for one in brief.requirements.testable)
        stated: list[Session] = [session for session in required if session is not None]
        self.sessions = [*stated, *concerned_sessions(documents.sessions, brief)]

    def kept(self) -> list[KeptCase]:
        """Returns the examples that the program conforms to and no test contains."""
        cases, seen = self.session_cases()
        stories = StoryReader(self.program, self.resolver, self.matcher, self.prober)
        for case, told in stories.read(self.documents.blocks):
            if not self.written.has(case) and cases.setdefault(case.source, case) is case:
                seen[case.key] = told
        held = [case for case in cases.values() if holds(case, seen.get(case.key))]
        stated = [case for case in held if case.origin == "documented"]
        seeded = with_seeds(stated, self.program, self.prober)
        found = (seeded.get(case.key, (case, seen[case.key])) for case in held)
        kept = [KeptCase(case, told) for case, told in found if holds(case, told)]
        kept = in_parts(with_endings(kept, self.prober), self.matcher, self.prober)
        return without_idle_lines(kept, self.prober)

    def session_cases(self) -> tuple[dict[str, Case], dict[str, Observation]]:
        """Returns the cases of sessions by their sources, and what is seen of them; of those that
        the program does otherwise, also their beginnings."""
        reader = ExampleReader(self.program, self.resolver, self.matcher)
        cases: dict[str, Case] = {}
        for session in self.sessions:
            for case in reader.cases(session):
                if not self.written.has(case):
                    cases.setdefault(case.source, case)
        seen = self.prober.observe(list(cases.values()), OBSERVE_SECONDS)
        failing = [c for c in cases.values() if c.key in seen and not holds(c, seen[c.key])]
        parts = [agreeing(c, seen[c.key]) for c in failing if c.origin == "documented"]
        failed = {case.source for case in failing}
        fine = cases.keys() - failed
        fresh = (part for part in parts if part is not None and not self.written.has(part))
        shorter = [part for part in fresh if part.source not in fine]
        seen |= self.prober.observe(shorter, OBSERVE_SECONDS)
        cases |= {part.source: part for part in shorter}
        return self._in_turn(reader, cases, seen)

    def _in_turn(
        self, reader: ExampleReader, cases: dict[str, Case], seen: dict[str, Observation]
    ) -> tuple[dict[str, Case], dict[str, Observation]]:
        """Returns cases and what is seen of them; with examples that come out as is shown one after
        the other, in the place of those of them that do so alone, where not all do."""
        held = {one.key for one in cases.values() if holds(one, seen.get(one.key))}
        alone = {look for one in cases.values() if one.key in held for look in _looks(one)}
        turns = [turn for session in self.sessions for turn in reader.in_turn(session)]
        turns = [turn for turn in turns if not (_looks(turn) <= alone or self.written.has(turn))]
        told = self.prober.observe(turns, OBSERVE_SECONDS)
        turns = [turn for turn in turns if holds(turn, told.get(turn.key))]
        shown: dict[str, set[tuple[str, str | None]]] = {}
        for turn in turns:
            shown.setdefault(turn.session, set()).update(_looks(turn))
        left = {
            source: one
            for source, one in cases.items()
            if not (one.session in shown and _looks(one) <= shown[one.session])
        }
        return left | {turn.source: turn for turn in turns}, seen | told


def _looks(case: Case) -> set[tuple[str, str | None]]:
    """Returns what a case looks at, with what its document shows of each."""
    return {(step.source, step.want) for step in case.steps if step.check}


def holds(case: Case, seen: Observation | None) -> bool:
    """Whether a case ran and came out as it says."""
    if seen is None:
        return False
    if case.origin == "requirement" and any(step.raises for step in case.steps):
        return not seen.rejected and not differs(case, seen)
    return seen.usable and (case.origin == "searched" or not differs(case, seen))
