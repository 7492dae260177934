"""Links between tests and requirements that were there at the merge base and are gone now.

A test that was moved or renamed keeps its links; a requirement that is gone or exempt needs none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pytest_lift.check.known import KnownRequirements
from pytest_lift.check.problems import ERROR, START, WARNING, Problem
from pytest_lift.check.reading import LinkedFile, LinkedTest
from pytest_lift.source.syntax import digest


class DeletedLink(NamedTuple):
    """A test that names a requirement."""

    file: LinkedFile
    test: LinkedTest
    requirement: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.file.path, self.test.name, self.requirement

    @property
    def leaf(self) -> str:
        """The name of the function alone."""
        return self.test.name.rpartition("::")[2]


def deleted_links(
    old: Sequence[LinkedFile],
    now: Sequence[LinkedFile],
    known: KnownRequirements,
) -> list[Problem]:
    """`old` and `now`: all files, as they were and as they are, with the tests that run."""
    before = {link.key: link for link in _links(old)}
    here = {file.path: file for file in now}
    today = {link.key: link for link in _links(now)}
    fresh: dict[str, list[DeletedLink]] = {}
    for key, link in today.items():
        if key not in before:
            fresh.setdefault(link.requirement, []).append(link)
    left = Counter(requirement for _, _, requirement in today)
    return [
        _problem(link, here.get(link.file.path), left[link.requirement])
        for key, link in before.items()
        if key not in today
        and _is_missed(link, here, known)
        and not any(_is_same_test(link, other) for other in fresh.get(link.requirement, ()))
    ]


def _links(files: Iterable[LinkedFile]) -> Iterator[DeletedLink]:
    for file in files:
        for test in file.tests:
            for identity in file.ids_of(test):
                yield DeletedLink(file, test, identity)


def _is_missed(link: DeletedLink, here: dict[str, LinkedFile], known: KnownRequirements) -> bool:
    item, file = known.by_id.get(link.requirement), here.get(link.file.path)
    return item is not None and not item.exempt and not (file and file.broken)


def _is_same_test(old: DeletedLink, new: DeletedLink) -> bool:
    """Moved: of the same name elsewhere. Renamed: the same text but for the name."""
    return old.leaf == new.leaf or _nameless(old) == _nameless(new)


def _nameless(link: DeletedLink) -> str:
    return digest(link.file.source(link.test).replace(f"def {link.leaf}", "def _", 1))


def _problem(link: DeletedLink, file: LinkedFile | None, left: int) -> Problem:
    """An error where no test is left for the requirement, else a warning."""
    tests = {test.name: test for test in file.tests} if file else {}
    test = tests.get(link.test.name)
    node = link.file.node(link.test.name)
    gone = "no longer names it" if test else "is gone"
    rest = "; no test is left for it" if not left else f"; it has {left} left"
    return Problem(
        "deleted-link",
        link.file.path,
        test.place if test else START,
        f"{link.requirement!r} has lost a test since the merge base: {node} {gone}{rest}",
        "put it back, link another test, or exempt the requirement",
        link.requirement,
        node,
        severity=WARNING if left else ERROR,
    )
