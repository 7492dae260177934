"""Facts that the texts of a test and of a requirement show before anything is run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pytest_lift.expectations.surroundings import surrounded
from pytest_lift.files.content_cache import Cache
from pytest_lift.requirements.requirement import Expectation, Requirement
from pytest_lift.suite.suite import Suite, path_of, to_bytes
from pytest_lift.trace.covering import Cover, covers
from pytest_lift.trace.doubting import is_idle

PARTS = (
    *("assertions", "expectations", "files", "marks", "requirements", "source", "suite"),
    *("text", "trace"),
)
"""Packages that what is kept depends on."""


class ReadTexts:
    """Answers about the tests of one suite, by node id."""

    def __init__(
        self, suite: Suite, expected: Mapping[str, Sequence[Expectation]] | None = None
    ) -> None:
        """Creates the reader. `expected` maps requirements to what a test may rest upon beside its
        text."""
        self.suite = suite
        self.expected = expected or {}

    def source(self, node: str) -> str | None:
        """Returns the test as written; None where none stands there: it is inherited, or made by
        code."""
        test = self.suite.function(node)
        return self.suite.source(test) if test is not None else None

    def around(self, node: str) -> str:
        """Returns the whole file of a test, empty where it is not among those of the suite."""
        return self.suite.text(path_of(node))

    def is_idle(self, node: str) -> bool:
        """Whether nothing in the test can fail."""
        source = self.source(node)
        return source is not None and is_idle(source)

    def covers(
        self, requirement: Requirement, node: str, *, basis: str, quote: str = ""
    ) -> tuple[Cover, ...]:
        """Returns what `covering.covers` does."""
        expected, source = self.expected.get(requirement.id, ()), self.source(node)
        if source is not None:
            source = surrounded(source, self.around(node))
        return covers(requirement, source, expected, basis=basis, quote=quote)


class CachedTexts(ReadTexts):
    """Texts of people's tests, parsed anew only for files that changed.

    A session without `--lift` reads nearly all of them as the session before it did.
    """

    def __init__(self, suite: Suite, cache: Cache) -> None:
        """Creates the reader; `cache` has all requirements among its settings."""
        super().__init__(suite)
        self._cache = cache
        self._files: dict[str, _FileText] = {}

    def is_idle(self, node: str) -> bool:
        known = self._of(node)
        if node not in known.idle:
            known.changed, known.idle[node] = True, super().is_idle(node)
        return known.idle[node]

    def covers(
        self, requirement: Requirement, node: str, *, basis: str, quote: str = ""
    ) -> tuple[Cover, ...]:
        if basis != "person":
            return super().covers(requirement, node, basis=basis, quote=quote)
        known = self._of(node)
        shown = known.covers.setdefault(node, {})
        if requirement.id not in shown:
            known.changed = True
            shown[requirement.id] = super().covers(requirement, node, basis=basis)
        return shown[requirement.id]

    def _of(self, node: str) -> _FileText:
        path = path_of(node)
        if path not in self._files:
            self._files[path] = self._read(path)
        return self._files[path]

    def _read(self, path: str) -> _FileText:
        key, row = self._cache.get(path.encode(), to_bytes(self.suite.text(path)))
        with suppress(ValueError, TypeError, AttributeError):  # odd: it does not count
            return _known_of_row(key, row)
        return _FileText(key)

    def save(self) -> None:
        """Stores what was computed, and what is known of files that this session did not run."""
        for path in self.suite.files:
            known = self._files[path] if path in self._files else self._read(path)
            if known.changed:
                self._cache.put(known.key, [known.idle, _as_rows(known.covers)])
        self._cache.save()


@dataclass
class _FileText:
    """Text of one file, parsed as far as it was asked for."""

    key: str
    idle: dict[str, bool] = field(default_factory=dict)
    covers: dict[str, dict[str, tuple[Cover, ...]]] = field(default_factory=dict)
    """Node -> id of a requirement -> the points that it shows, where a mark names it."""
    changed: bool = False


def _as_rows(covers: Mapping[str, Mapping[str, Sequence[Cover]]]) -> object:
    return {
        node: {name: [[c.point, c.basis, c.parts] for c in found] for name, found in shown.items()}
        for node, shown in covers.items()
    }


def _known_of_row(key: str, row: Any) -> _FileText:
    """Raises ValueError, TypeError or AttributeError for a row of another shape."""
    idle, covers = row
    return _FileText(
        key,
        {str(node): bool(said) for node, said in idle.items()},
        {
            node: {name: tuple(map(_cover_of_row, found)) for name, found in shown.items()}
            for node, shown in covers.items()
        },
    )


def _cover_of_row(row: Any) -> Cover:
    point, basis, parts = row
    return Cover(int(point), str(basis), tuple(map(int, parts)))
