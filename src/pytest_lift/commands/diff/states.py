"""The states of requirements and links, and what two of them gained, lost and changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from pytest_lift.report.facts import Report, RequirementFacts
from pytest_lift.report.mutant_facts import MutationFacts
from pytest_lift.report.page.mutants import change
from pytest_lift.requirements.requirement import Requirement
from pytest_lift.source.syntax import digest
from pytest_lift.trace.statuses import EXEMPT, Status


@dataclass(frozen=True)
class StatedRequirement:
    """A requirement in one state."""

    title: str
    text: str
    """Digest of all texts of the requirement."""
    exempt: bool
    tests: frozenset[str]
    """Nodes of the tests that name it."""
    status: Status | None = None
    """Status, or None if no tests were run."""


@dataclass(frozen=True, order=True)
class MutantName:
    """Identity of a mutant, independent of its line: see `FunctionMarks`."""

    file: str
    symbol: str
    mark: str


@dataclass(frozen=True)
class ComparedState:
    """State of a project that is compared with another."""

    label: str
    requirements: Mapping[str, StatedRequirement] = field(default_factory=dict)
    tests: frozenset[str] = frozenset()
    unknown: frozenset[str] = frozenset()
    figures: Mapping[str, float] = field(default_factory=dict)
    """Measured percentages: ``line``, ``branch``. The mutation score is computed from
    `detected`, because it depends on the measured mutants."""
    detected: frozenset[MutantName] = frozenset()
    """Mutants that a test detects."""
    missed: Mapping[MutantName, str] = field(default_factory=dict)
    """Mutants that no test detects -> the change in words; empty if unknown."""
    scope: str = ""
    """Scope of the state; empty for the whole program."""


def state_of(report: Report, label: str) -> ComparedState:
    """Returns the state in a report."""
    requirements = {
        item.id: StatedRequirement(
            item.title,
            _wording(item),
            item.status in EXEMPT,
            frozenset(link.test for link in item.links),
            item.status,
        )
        for item in report.requirements
    }
    figures = {
        "line": report.line_percent,
        "branch": report.branch_percent,
    }
    state = ComparedState(
        label,
        requirements,
        frozenset(test.node for test in report.tests),
        frozenset(name for name, _ in report.unknown),
        {name: value for name, value in figures.items() if value is not None},
        *(
            _mutants_by_file(report.mutation)
            if report.mutation and not report.mutation.earlier
            else ()
        ),
    )
    return replace(state, scope=report.scope)


def _mutants_by_file(
    found: MutationFacts,
) -> tuple[frozenset[MutantName], dict[MutantName, str]]:
    functions = [(file.path, each) for file in found.files for each in file.functions]
    detected = [
        MutantName(path, each.symbol, mark) for path, each in functions for mark in each.detected
    ]
    missed = {
        MutantName(path, each.symbol, mark): "" for path, each in functions for mark in each.missed
    }
    for path, one in found.survivors:
        name = MutantName(path, one.symbol, one.mark)
        if name in missed:
            before, after = change(one.diff)
            missed[name] = f"line {one.line}: {before} -> {after}" if one.diff else ""
    return frozenset(detected), missed


def stated(item: Requirement, tests: frozenset[str]) -> StatedRequirement:
    """Returns a requirement as its file states it, without a status."""
    return StatedRequirement(item.title, _wording(item), item.exempt is not None, tests)


def _wording(item: Requirement | RequirementFacts) -> str:
    text = "\0".join((item.title, item.description, *item.acceptance, *item.examples))
    return digest(text.encode("utf-8", "backslashreplace").decode("utf-8"))


@dataclass(frozen=True)
class StatusChange:
    requirement: str
    title: str
    before: Status
    after: Status


@dataclass(frozen=True)
class FigureChange:
    name: str
    before: float
    after: float
    mutants: int = 0
    """Number of mutants measured in both states, on which the figure is based; 0 for other
    figures."""


@dataclass(frozen=True)
class MutantChange:
    """A mutant that only one of the two suites detects."""

    file: str
    symbol: str
    change: str
    """The change with its line in the state that misses it; empty if unknown."""


@dataclass(frozen=True)
class Comparison:
    """All differences between two states. Ids and nodes are sorted."""

    before: str
    after: str
    note: str = ""
    """Description of parts that could not be compared; empty if both states have the same scope."""
    gained: tuple[str, ...] = ()
    """Newly verified requirements; if no tests were run, requirements that have a test now."""
    lost: tuple[str, ...] = ()
    """Requirements that lost this property and still need tests."""
    statuses: tuple[StatusChange, ...] = ()
    added: tuple[str, ...] = ()
    """New requirements."""
    removed: tuple[str, ...] = ()
    reworded: tuple[str, ...] = ()
    exempted: tuple[str, ...] = ()
    """Requirements that became waived, untestable or a non-goal."""
    demanded: tuple[str, ...] = ()
    """Requirements that are no longer waived, untestable or a non-goal."""
    links_gained: tuple[tuple[str, str], ...] = ()
    """Pairs (requirement, test)."""
    links_lost: tuple[tuple[str, str], ...] = ()
    tests_added: tuple[str, ...] = ()
    tests_removed: tuple[str, ...] = ()
    unknown_added: tuple[str, ...] = ()
    unknown_removed: tuple[str, ...] = ()
    figures: tuple[FigureChange, ...] = ()
    mutants_gained: tuple[MutantChange, ...] = ()
    """Newly detected mutants among those that both states measured."""
    mutants_lost: tuple[MutantChange, ...] = ()

    @property
    def same(self) -> bool:
        labels = {"before", "after", "note"}
        return not any(value for name, value in vars(self).items() if name not in labels)


def compare(before: ComparedState, after: ComparedState) -> Comparison:
    """Returns everything that differs between `before` and `after`.

    If the states have different scopes, only requirements in both and mutants measured in both are
    compared: anything outside of a scope is not lost.
    """
    note = _differing(before, after)
    if note:
        before, after = _shared(before, after), _shared(after, before)
    run = all(_is_run(state) for state in (before, after))
    old, new = _held(before, run), _held(after, run)
    demanded = {name for name, item in after.requirements.items() if not item.exempt}
    both = before.requirements.keys() & after.requirements.keys()
    old_links, new_links = (
        {(name, test) for name, item in state.requirements.items() for test in item.tests}
        for state in (before, after)
    )
    return Comparison(
        before.label,
        after.label,
        note,
        _sorted(new - old),
        _sorted((old - new) & demanded),
        tuple(_status_changes(before, after, sorted(both))) if run else (),
        _sorted(after.requirements.keys() - before.requirements.keys()),
        _sorted(before.requirements.keys() - after.requirements.keys()),
        _sorted(n for n in both if before.requirements[n].text != after.requirements[n].text),
        _sorted(both & (_exempt(after) - _exempt(before))),
        _sorted(both & (_exempt(before) - _exempt(after))),
        tuple(sorted(new_links - old_links)),
        tuple(sorted(old_links - new_links)),
        _sorted(after.tests - before.tests),
        _sorted(before.tests - after.tests),
        _sorted(after.unknown - before.unknown),
        _sorted(before.unknown - after.unknown),
        tuple(_figures(before, after)),
        tuple(_mutants(after.detected, before.missed)),
        tuple(_mutants(before.detected, after.missed)),
    )


def _exempt(state: ComparedState) -> set[str]:
    return {name for name, item in state.requirements.items() if item.exempt}


def _differing(before: ComparedState, after: ComparedState) -> str:
    if before.scope == after.scope:
        return ""
    told = (f"{one.label} is about {one.scope or 'all of the program'}" for one in (before, after))
    return f"{', '.join(told)}: only requirements and mutants that are known in both are compared"


def _shared(state: ComparedState, other: ComparedState) -> ComparedState:
    """Returns the state with the requirements in both states only. Tests are left out, because a
    report does not say why a test was not run."""
    known = {n: one for n, one in state.requirements.items() if n in other.requirements}
    return replace(state, requirements=known, tests=frozenset(), unknown=frozenset(), figures={})


def _figures(before: ComparedState, after: ComparedState) -> Iterator[FigureChange]:
    for name in before.figures:
        if name in after.figures and before.figures[name] != after.figures[name]:
            yield FigureChange(name, before.figures[name], after.figures[name])
    both = (before.detected | before.missed.keys()) & (after.detected | after.missed.keys())
    old, new = before.detected & both, after.detected & both
    if len(old) != len(new):
        share, now = (round(100 * len(found) / len(both), 2) for found in (old, new))
        yield FigureChange("mutation", share, now, len(both))


def _mutants(
    detected: frozenset[MutantName], missed: Mapping[MutantName, str]
) -> Iterator[MutantChange]:
    for name in sorted(detected & missed.keys()):
        yield MutantChange(name.file, name.symbol, missed[name])


def _is_run(state: ComparedState) -> bool:
    return all(item.status is not None for item in state.requirements.values())


def _held(state: ComparedState, run: bool) -> set[str]:
    """Returns the verified requirements or, if no tests were run, those that a test names."""
    items = state.requirements.items()
    if run:
        return {name for name, item in items if item.status == "verified"}
    return {name for name, item in items if item.tests and not item.exempt}


def _status_changes(
    before: ComparedState, after: ComparedState, names: Iterable[str]
) -> Iterator[StatusChange]:
    for name in names:
        old, new = before.requirements[name], after.requirements[name]
        if old.status is not None and new.status is not None and old.status != new.status:
            yield StatusChange(name, new.title, old.status, new.status)


def _sorted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(names))
