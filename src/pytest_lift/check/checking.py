"""The rules: what is wrong with the links between these tests and these requirements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_lift.check.known import KnownRequirement, KnownRequirements, NearestIds
from pytest_lift.check.problems import ERROR, START, WARNING, Findings, Problem, Unreadable
from pytest_lift.marks.fields import EMERGENT, TextSpan
from pytest_lift.marks.marks import Id, Mark
from pytest_lift.suite.ownership import Ownership
from pytest_lift.suite.test_file import TestFile, TestFunction
from pytest_lift.text.wording import exists_twice


@dataclass(frozen=True)
class Asked:
    """Options that decide how findings are weighed."""

    fail_under: float | None = None
    """Percent of the requirements that must have a test."""
    strict: bool = False
    whole: bool = True


def check_links(
    files: Sequence[TestFile],
    known: KnownRequirements,
    ownership: Ownership,
    deleted: Iterable[Problem] = (),
    asked: Asked = Asked(),
) -> Findings:
    """Returns everything that the rules find, by file and line."""
    nearest = NearestIds(known.by_id)
    problems = [*known.problems, *deleted]
    for file in files:
        problems += _of_file(file, known, nearest, ownership)
    named: dict[str, list[TestFunction]] = {}
    for file in files:
        for test in (*file.tests, *file.shadowed):
            for identity in test.requirements:
                named.setdefault(identity, []).append(test)
    if asked.whole:
        problems += _stray_links(files)
    testable = known.testable
    shown = {name for name, found in named.items() if any(not test.never for test in found)}
    uncovered = [item for item in testable if item.id not in shown]
    if asked.whole and known.readable:
        problems += _uncovered(uncovered, named, len(testable), asked)
    if asked.strict:
        problems = [problem.strictly() for problem in problems]
    tests = [test for file in files for test in file.tests]
    return Findings(
        problems=_each_once(problems),
        tests=len(tests),
        linked_tests=sum(1 for test in tests if test.requirements),
        files=len(files),
        requirements=len(testable) if asked.whole and known.readable else None,
        tested=len(testable) - len(uncovered),
        whole=asked.whole,
        unreadable=tuple(_unreadable(files)),
    )


def _each_once(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Returns the problems once for each place: a named mark may stand on several tests."""
    first: dict[tuple[str, str, TextSpan, str], Problem] = {}
    for found in problems:
        first.setdefault((found.rule, found.file, found.place, found.what), found)
    return tuple(sorted(first.values(), key=lambda found: (found.file, found.place, found.rule)))


def _of_file(
    file: TestFile, known: KnownRequirements, nearest: NearestIds, ownership: Ownership
) -> Iterator[Problem]:
    if file.broken:
        yield Problem("unparsable", file.path, file.broken.place or START, file.broken.what)
    for mark, bearer in file.marks.items():
        node = file.node(bearer)
        yield from _malformed(file, mark, node)
        if mark.name != EMERGENT:
            yield from _twice_in_mark(file, mark, node)
            if known.readable:
                yield from _ids(file, mark, node, known, nearest)
    for test in file.tests:
        yield from _never_run(file, test, "always-skipped")
    for test in file.shadowed:
        yield from _never_run(file, test, "shadowed-test")
    for test in file.tests:
        yield from _twice_on_test(file, test)
        if ownership.tests:
            yield from _unlinked(file, test, ownership)


def _never_run(file: TestFile, test: TestFunction, rule: str) -> Iterator[Problem]:
    """Findings on linked tests that never run; other tests are not the concern of this check."""
    if not test.never or not test.requirements:
        return
    again = rule == "shadowed-test"
    todo = "give one of the two another name" if again else "let it run, or exempt what it names"
    what = f"{test.inner_node} never runs: {test.never}"
    yield Problem(rule, file.path, test.place, what, todo, test=test.node)


def _stray_links(files: Sequence[TestFile]) -> Iterator[Problem]:
    """Classes that others are derived from hand their marks on."""
    used = frozenset().union(*(file.bases for file in files))
    for file in files:
        for stray in file.strays:
            if stray.base not in used:
                yield Problem(
                    "mark-not-collected",
                    file.path,
                    stray.place,
                    f"the link on {stray.name} has no effect: it is {stray.what}",
                    "put it on a test",
                )


def _malformed(file: TestFile, mark: Mark, node: str) -> Iterator[Problem]:
    for fault in mark.faults:
        yield Problem(
            "malformed-mark",
            file.path,
            fault.place,
            f"{mark.name} {fault.what}",
            f"write the ids behind it: :{mark.name}: ID"
            if mark.in_docstring
            else f'write the ids as strings: @pytest.mark.{mark.name}("ID")',
            test=node,
        )


def _ids(
    file: TestFile, mark: Mark, node: str, known: KnownRequirements, nearest: NearestIds
) -> Iterator[Problem]:
    for found in mark.ids:
        item = known.by_id.get(found.value)
        if item is None:
            yield _unknown(file, mark, node, found, nearest)
        elif item.exempt in ("non_goal", "waived"):
            what = f"{item.id} is exempt from testing ({item.exempt}: {item.reason})"
            where = "id" if mark.in_docstring else "mark"
            todo = f"remove the {where}, or the exemption at {item.file}:{item.line}"
            yield _at(file, node, found, "retired-id", what, todo)


def _unknown(file: TestFile, mark: Mark, node: str, found: Id, nearest: NearestIds) -> Problem:
    near, slip = nearest.of(found.value)
    todo = f"did you mean {near!r}?" if near else "correct the id, or write the requirement"
    what = f"no requirement {found.value!r}"
    instead = near if slip and _stands_in(found, mark) else None
    problem = _at(file, node, found, "unknown-id", what, todo, instead)
    return replace(problem, slip=slip) if instead else problem


def _stands_in(found: Id, mark: Mark) -> bool:
    """Whether a literal stands in the mark itself; a constant is read by other code, too."""
    outer, inner = mark.place, found.place
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]


def _twice_in_mark(file: TestFile, mark: Mark, node: str) -> Iterator[Problem]:
    first: dict[str, Id] = {}
    for found in mark.ids:
        before = first.setdefault(found.value, found)
        if before is not found:
            instead = "" if _stands_in(found, mark) else None
            yield _twice(file, node, found, found.place, before.place, instead)


def _twice_on_test(file: TestFile, test: TestFunction) -> Iterator[Problem]:
    """Findings on an id in two marks of a test; each row of a parametrized test may repeat it."""
    first: dict[str, TextSpan] = {}
    for mark in test.marks if len(test.marks) > 1 else ():
        if mark.name == EMERGENT or mark.row:
            continue
        for found in {each.value: each for each in mark.ids}.values():
            before = first.setdefault(found.value, found.place)
            if before != found.place:
                own = test.line <= before.line <= test.end_line
                place = before if own else test.place
                yield _twice(file, test.node, found, place, found.place)


def _twice(
    file: TestFile,
    node: str,
    found: Id,
    place: TextSpan,
    other: TextSpan,
    instead: str | None = None,
) -> Problem:
    what = exists_twice(f"the link to {found.value!r}", f"line {other.line}")
    todo, name = "remove one of the two", found.value
    return Problem("duplicate-id", file.path, place, what, todo, name, node, instead=instead)


def _unlinked(file: TestFile, test: TestFunction, ownership: Ownership) -> Iterator[Problem]:
    if any(mark.ids or mark.unreadable or mark.name == EMERGENT for mark in test.marks):
        return
    if test.is_recorded_as(ownership.tests.get(test.node)):
        yield Problem(
            "unlinked-generated",
            file.path,
            test.place,
            f"the generated test {test.inner_node} names no requirement",
            "write :req: ID, or :emergent: why, in its docstring, or the mark of that name",
            test=test.node,
        )


def _uncovered(
    items: Sequence[KnownRequirement],
    named: Mapping[str, Sequence[TestFunction]],
    testable: int,
    asked: Asked,
) -> Iterator[Problem]:
    """Errors where a threshold is missed; where it is met, not even `strict` makes them so."""
    percent = 100.0 * (testable - len(items)) / testable if testable else 100.0
    missed = asked.fail_under is not None and percent < asked.fail_under
    for item in items:
        yield Problem(
            "uncovered",
            item.file,
            TextSpan(item.line, 1, item.line, 1),
            *_how_uncovered(item, named.get(item.id, ())),
            item.id,
            severity=ERROR if missed else WARNING,
            fixed_severity=asked.fail_under is not None,
        )


def _how_uncovered(item: KnownRequirement, tests: Sequence[TestFunction]) -> tuple[str, str]:
    if tests:
        test = tests[0]
        more = f" and {len(tests) - 1} more" if len(tests) > 1 else ""
        return (
            f"no test that runs names {item.id!r} ({item.title})",
            f"let {test.node}{more} run, or exempt the requirement",
        )
    return (
        f"no test names {item.id!r} ({item.title})",
        f'mark a test with @pytest.mark.req("{item.id}"), write :req: {item.id} in its '
        "docstring, or exempt the requirement",
    )


def _at(
    file: TestFile,
    node: str,
    found: Id,
    rule: str,
    what: str,
    todo: str,
    instead: str | None = None,
) -> Problem:
    return Problem(rule, file.path, found.place, what, todo, found.value, node, instead=instead)


def _unreadable(files: Iterable[TestFile]) -> Iterator[Unreadable]:
    for file in files:
        for mark in file.marks:
            for _ in range(mark.unreadable):
                yield Unreadable(file.path, mark.place)
