"""The project as a check reads it, once: requirements, tests, ownership, links lost since a commit.

What was read before of the same content comes from the cache. A test that was moved or renamed
keeps its links; a requirement that is gone or exempt needs none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from time import strftime
from typing import NamedTuple

from pytest_lift.check.known import KnownRequirement, KnownRequirements, read_known
from pytest_lift.check.problems import ERROR, START, WARNING, Problem
from pytest_lift.check.reading import (
    ODD,
    file_of_row,
    named_paths,
    read_file,
    read_ownership,
    read_text,
    row_of_file,
    test_paths,
)
from pytest_lift.errors import UsageError
from pytest_lift.files.codec import DecodeError, decode, encode
from pytest_lift.files.content_cache import LiftCache
from pytest_lift.project.option_values import StaticConfig
from pytest_lift.source.syntax import digest, from_bytes, to_bytes
from pytest_lift.suite.collection import Naming
from pytest_lift.suite.ownership import Ownership
from pytest_lift.suite.test_file import TestFile, TestFunction, with_inherited

PARTS = ("check", "files", "marks", "project", "requirements", "source", "suite", "text")
"""Packages that what is kept depends on."""


@dataclass(frozen=True)
class Project:
    """Requirements, tests and ownership as the files have them."""

    config: StaticConfig
    known: KnownRequirements
    read: tuple[TestFile, ...]
    ownership: Ownership
    whole: bool = True

    @cached_property
    def files(self) -> tuple[TestFile, ...]:
        """Files with the tests that run; which classes inherit a mixin shows only when all files
        are read."""
        return with_inherited(self.read, every=not self.whole)

    def with_texts(self, texts: Mapping[str, str]) -> Project:
        """Returns the project after files were rewritten."""
        read = tuple(
            read_text(file.path, texts[file.path], self.config.naming)
            if file.path in texts
            else file
            for file in self.read
        )
        return replace(self, read=read, ownership=read_ownership(self.config))

    def deleted(self, base: str) -> list[Problem]:
        """Returns the links that were deleted since the merge base with `base`; asks git."""
        from pytest_lift.files.git import read_merge_base

        then = read_merge_base(self.config.root, base, _below_tests(self.config))
        differing = then.old.keys() | then.new
        same = [file for file in self.read if file.path not in differing]
        old = [
            read_text(path, from_bytes(content), self.config.naming)
            for path, content in sorted(then.old.items())
        ]
        before = with_inherited([*same, *_of_interest(self.config, old)])
        return deleted_links(before, self.files, self.known)


def read_project(config: StaticConfig, cwd: Path, names: Sequence[str] = ()) -> Project:
    """Reads the test files `names`, or all. Raises `UsageError` for settings that cannot be
    used."""
    known = _known(config, cwd)
    if names:
        read = _files(config, named_paths(config, cwd, names))
    else:
        read = _cached_files(config, test_paths(config))
    return Project(config, known, tuple(read), read_ownership(config), whole=not names)


def _known(config: StaticConfig, cwd: Path) -> KnownRequirements:
    """Requirements from the cache; folders are not cached, since their files are not known here."""
    if not all(path.is_file() for path in config.requirements):
        return read_known(config.requirements, config.root, cwd)
    names = [str(path) for path in config.requirements]
    today = strftime("%Y-%m-%d")  # a waiver may end
    settings = (str(config.root), str(cwd), names, today)
    cache = LiftCache(config.root, "check-requirements", settings, PARTS)
    try:
        contents = [path.read_bytes() for path in config.requirements]
    except OSError:
        return read_known(config.requirements, config.root, cwd)
    key, row = cache.get(*contents)
    with suppress(DecodeError):
        items, problems = decode(tuple[tuple[KnownRequirement, ...], tuple[Problem, ...]], row)
        return KnownRequirements({item.id: item for item in items}, problems)
    known = read_known(config.requirements, config.root, cwd)
    if known.readable:
        cache.put(key, encode((tuple(known.by_id.values()), known.problems)))
        cache.save()
    return known


def _files(config: StaticConfig, paths: Iterable[str]) -> list[TestFile]:
    return _of_interest(config, (read_file(config, path) for path in paths))


def _cached_files(config: StaticConfig, paths: Iterable[str]) -> list[TestFile]:
    """Returns all files, read through the cache; a few files are read as quickly without it."""
    cache = LiftCache(config.root, "check-tests", config.naming, PARTS)

    def read(path: str, text: str, naming: Naming) -> TestFile:
        collected = naming.is_test_file(path)
        key, row = cache.get(to_bytes(text), b"collected" if collected else b"")
        if row is not None:
            with suppress(*ODD):
                return file_of_row(path, text, row)
        file = read_text(path, text, naming)
        if not file.broken:
            cache.put(key, row_of_file(file))
        return file

    files = [read_file(config, path, read) for path in paths]
    cache.save()
    return _of_interest(config, files)


def linked_files(config: StaticConfig, paths: Iterable[str]) -> tuple[TestFile, ...]:
    """Returns the tests and marks of some files, by the rules of the check."""
    return with_inherited(_files(config, paths))


def _of_interest(config: StaticConfig, files: Iterable[TestFile]) -> list[TestFile]:
    """Returns test files, and other files with mixins that have marked tests."""
    return [
        file for file in files if file.tests or file.mixins or config.naming.is_test_file(file.path)
    ]


def _below_tests(config: StaticConfig) -> Callable[[str], bool]:
    """Says yes to every Python file below the tests: mixins may stand in any."""
    return replace(config, naming=replace(config.naming, files=("*.py",))).is_test_path


def require_tests(config: StaticConfig, told: Sequence[str]) -> None:
    """Raises `UsageError` where the command line names tests that are not there."""
    for name, place in zip(told, config.tests, strict=False):
        if not (config.root / place).exists():
            todo = "name the folder that holds the tests"
            raise UsageError(f"{name} does not exist", where="--tests", todo=todo)


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
