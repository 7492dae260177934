"""Repairs proposed test files by rules, each repair verified, and tells what is left.

The mechanical protocol of MultiFileTest (Wang et al. 2025): executability and cascade errors only,
minimal edits, no assertion touched. What is verified: the fault is gone, no other came, the
assertions are the same, and each test still touches the program that did before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from pytest_lift.assertions.substance import Substance
from pytest_lift.gate.diagnosis.diagnosing import Diagnoser
from pytest_lift.gate.diagnosis.diagnostic import OF_SYMBOLS, Diagnostic, added
from pytest_lift.gate.repair.brackets import closed
from pytest_lift.gate.repair.cases import argument_fixes, case_method_fixes, xunit_fixes
from pytest_lift.gate.repair.fix import DraftFile, Family, Fix
from pytest_lift.gate.repair.modules import module_fixes
from pytest_lift.gate.repair.names import name_fixes
from pytest_lift.gate.repair.paths import missing_file_fixes, written_file_fixes
from pytest_lift.gate.repair.prose import without_prose
from pytest_lift.gate.repair.same_checks import same_checks
from pytest_lift.gate.repair.signatures import duplicate_fixes, fixture_fixes, self_fixes
from pytest_lift.gate.repair.spelling import attribute_fixes, keyword_fixes, word_fixes
from pytest_lift.source.syntax import UNREADABLE, parse, split_lines
from pytest_lift.suite.suite import Repair

FAMILIES: Mapping[str, tuple[Family, ...]] = {
    "import-not-found": (module_fixes,),
    "relative-import": (module_fixes,),
    "unresolved-reference": (case_method_fixes, name_fixes),
    "missing-attribute": (case_method_fixes, attribute_fixes),
    "unknown-argument": (keyword_fixes,),
    "unknown-import": (module_fixes,),
    "unknown-attribute": (word_fixes,),
    "unknown-keyword": (word_fixes,),
    "unknown-fixture": (fixture_fixes,),
    "missing-self": (self_fixes,),
    "redefined-test": (duplicate_fixes,),
    "xunit-method": (xunit_fixes,),
    "case-argument": (argument_fixes,),
    "case-method": (case_method_fixes,),
    "missing-file": (missing_file_fixes,),
    "written-file": (written_file_fixes,),
}
"""Rule of a diagnostic -> what may cure it."""
LAST = ("written-file", "redefined-test")
"""Rules whose repair waits until names and parameters are right."""
MOST_SHOWN = 3
"""Faults that a fix shows which are looked at for a cure."""
MOST_REPAIRS = 100
"""Repairs of one file."""
REVEALED = OF_SYMBOLS | {"unknown-attribute", "unknown-keyword", "unknown-import"}
"""Rules whose faults may show when a name gets its type."""


@dataclass(frozen=True)
class Repaired:
    """A text after its repairs."""

    text: str
    repairs: tuple[Repair, ...] = ()
    left: tuple[Diagnostic, ...] = ()
    """Faults that no rule cures."""


@dataclass(frozen=True)
class Repairer:
    """Repairer of test files of one suite."""

    diagnoser: Diagnoser

    def repaired(
        self, path: str, text: str, *, before: str | None = None, protected: bool = False
    ) -> Repaired:
        """Returns a text after all repairs that hold.

        `before` is the file that it takes the place of: what was wrong there already is neither
        told nor repaired. If `protected`, the lines of that file stay as they are.
        """
        text, repairs = parsable(path, text)
        known = self.diagnoser.diagnose(path, before) if before is not None else ()
        found = self.diagnoser.diagnose(path, text)
        if any(one.rule == "invalid-syntax" for one in found):
            return Repaired(text, tuple(repairs), tuple(found))
        tried: set[tuple[str, str, str]] = set()
        since = 0
        while len(repairs) < MOST_REPAIRS:
            open_ones = [one for one in added(known, found) if one.key not in tried]
            if not open_ones and tried and len(repairs) > since:
                tried, since = set(), len(repairs)  # what came since may tell more
                continue
            if not open_ones:
                break
            one = min(open_ones, key=lambda one: one.rule in LAST)
            lines = _kept_lines(before, text) if protected and before is not None else frozenset()
            cure = self._cure(path, text, one, found, lines)
            if cure is None:
                tried.add(one.key)
                continue
            fix, text, found = cure
            repairs.append(Repair(fix.rule, path, one.line, fix.what))
        return Repaired(text, tuple(repairs), tuple(added(known, found)))

    def _cure(
        self,
        path: str,
        text: str,
        one: Diagnostic,
        found: tuple[Diagnostic, ...],
        protected: Collection[int],
        depth: int = 0,
    ) -> tuple[Fix, str, tuple[Diagnostic, ...]] | None:
        """Returns the fix of a diagnostic that holds, with the text after it and what is wrong
        there: the first one that shows nothing that no rule cures, or else the first."""
        best: tuple[Fix, str, tuple[Diagnostic, ...]] | None = None
        fewest = 0
        for fix, after, now in self._holding(path, text, one, found, protected):
            shown = added(found, now) if depth == 0 else []
            count = sum(
                self._cure(path, after, other, now, protected, depth + 1) is None
                for other in shown[:MOST_SHOWN]
            )
            if best is None or count < fewest:
                best, fewest = (fix, after, now), count
            if not fewest:
                break
        return best

    def _holding(
        self,
        path: str,
        text: str,
        one: Diagnostic,
        found: tuple[Diagnostic, ...],
        protected: Collection[int],
    ) -> Iterator[tuple[Fix, str, tuple[Diagnostic, ...]]]:
        """Yields the fixes of a diagnostic that hold, each with what is left after it."""
        for fix in self._fixes(DraftFile(path, text, self.diagnoser), one):
            if fix.touches(protected, text):
                continue
            try:
                after = fix.applied(text)
                same = same_checks(text, after, fix.renamed, self.diagnoser.suite.naming)
            except UNREADABLE:
                continue
            if after == text or not same:
                continue
            now = self.diagnoser.diagnose(path, after)
            if not _is_cured(one, found, now) or not _is_no_worse(fix, found, now):
                continue
            if self._still_touches(text, after):
                yield fix, after, now

    def _fixes(self, draft: DraftFile, one: Diagnostic) -> Iterator[Fix]:
        for family in FAMILIES.get(one.rule, ()):
            yield from family(draft, one)

    def _still_touches(self, before: str, after: str) -> bool:
        """Whether no test lost the program: it would pass without the code that it is about."""
        return not _strange_tests(after, self.diagnoser) - _strange_tests(before, self.diagnoser)


def _strange_tests(text: str, diagnoser: Diagnoser) -> set[str]:
    substance = Substance(parse(text), diagnoser.suite.naming, diagnoser.program.names)
    return {name for name in substance.tests if not substance.touches(name)}


def _is_no_worse(fix: Fix, before: Iterable[Diagnostic], after: Iterable[Diagnostic]) -> bool:
    """Whether no fault came, but for those that a fix shows by giving names their types."""
    return all(
        fix.reveals
        and (one.rule in REVEALED or (fix.module and one.subject.startswith(fix.module)))
        for one in added(before, after)
    )


def _is_cured(one: Diagnostic, before: Iterable[Diagnostic], after: Iterable[Diagnostic]) -> bool:
    def count(found: Iterable[Diagnostic]) -> int:
        return sum(other.key == one.key for other in found)

    return count(after) < count(before)


def parsable(path: str, text: str) -> tuple[str, list[Repair]]:
    """Returns a text that can be parsed, where prose or brackets are all that is wrong with it."""
    repairs = list[Repair]()
    if not _is_readable(text) and (found := without_prose(text, _is_readable)) is not None:
        text, line, what = found
        repairs.append(Repair("prose", path, line, what))
    if not _parses(text) and (found := closed(text)) is not None:
        text, line, what = found
        repairs.append(Repair("bracket", path, line, what))
    return text, repairs


def _is_readable(text: str) -> bool:
    return _parses(text) or closed(text) is not None


def _parses(text: str) -> bool:
    try:
        parse(text)
    except UNREADABLE:
        return False
    return True


def _kept_lines(before: str, text: str) -> frozenset[int]:
    """Returns the lines of a text that stand in the file before it."""
    old, new = split_lines(before), split_lines(text)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return frozenset(
        line + 1
        for _, start, size in matcher.get_matching_blocks()
        for line in range(start, start + size)
    )
