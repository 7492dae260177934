"""Links between tests and requirements that were there at the merge base and are gone now.

A test that was moved or renamed keeps its links; a requirement that is gone or exempt needs none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pytest_lift.check.known import KnownRequirements
from pytest_lift.check.problems import ERROR, START, WARNING, Problem
from pytest_lift.source.syntax import digest
from pytest_lift.suite.test_file import TestFile, TestFunction


class DeletedLink(NamedTuple):
    """A test that names a requirement."""

    path: str
    test: TestFunction
    requirement: str

    @property
    def key(self) -> tuple[str, str]:
        return self.test.node, self.requirement


def deleted_links(
    old: Sequence[TestFile],
    now: Sequence[TestFile],
    known: KnownRequirements,
) -> list[Problem]:
    """Returns the links that were deleted. `old` and `now` are all files before and after, with the
    tests that run."""
    before = {link.key: link for link in _links(old)}
    here = {file.path: file for file in now}
    today = {link.key: link for link in _links(now)}
    fresh: dict[str, list[TestFunction]] = {}
    for key, link in today.items():
        if key not in before:
            fresh.setdefault(link.requirement, []).append(link.test)
    left = Counter(requirement for _, requirement in today)
    return [
        _problem(link, here.get(link.path), left[link.requirement])
        for key, link in before.items()
        if key not in today
        and _is_missed(link, here, known)
        and not any(_is_same_test(link.test, other) for other in fresh.get(link.requirement, ()))
    ]


def _links(files: Iterable[TestFile]) -> Iterator[DeletedLink]:
    for file in files:
        for test in file.tests:
            for identity in test.requirements:
                yield DeletedLink(file.path, test, identity)


def _is_missed(link: DeletedLink, here: dict[str, TestFile], known: KnownRequirements) -> bool:
    item, file = known.by_id.get(link.requirement), here.get(link.path)
    return item is not None and not item.exempt and not (file and file.broken)


def _is_same_test(old: TestFunction, new: TestFunction) -> bool:
    """Whether a test was moved (same name elsewhere) or renamed (same text but for the name)."""
    return old.name == new.name or _nameless(old) == _nameless(new)


def _nameless(test: TestFunction) -> str:
    return digest(test.source.replace(f"def {test.name}", "def _", 1))


def _problem(link: DeletedLink, file: TestFile | None, left: int) -> Problem:
    """Returns the problem: an error where no test is left for the requirement, else a warning."""
    node = link.test.node
    test = next((test for test in file.tests if test.node == node), None) if file else None
    gone = "no longer names it" if test else "is gone"
    rest = "; no test is left for it" if not left else f"; it has {left} left"
    return Problem(
        "deleted-link",
        link.path,
        test.place if test else START,
        f"{link.requirement!r} has lost a test since the merge base: {node} {gone}{rest}",
        "put it back, link another test, or exempt the requirement",
        link.requirement,
        node,
        severity=WARNING if left else ERROR,
    )
