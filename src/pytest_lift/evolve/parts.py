"""The largest part of a refused candidate that loses nothing: by file, then by test."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from pytest_lift.gate.regression import with_tests
from pytest_lift.suite.suite import Edit, Suite

MOST_TRIES = 16
"""Runs of parts of one candidate."""


@dataclass(frozen=True)
class _Part:
    """A file as the candidate has it; or one new or changed test in the file as it was."""

    path: str
    test: str = ""


@dataclass
class Parts:
    """Search for the parts of a candidate that fit the accepted suite.

    `fits` is given an edit of the accepted suite and says whether it loses nothing; `has_time` is
    asked before each try.
    """

    candidate: Suite
    accepted: Suite
    fits: Callable[[Edit], bool]
    has_time: Callable[[], bool] = lambda: True
    tries: int = 0
    """Edits for which `fits` was called."""
    _known: dict[frozenset[tuple[str, str | None]], bool] = field(default_factory=dict)

    def largest(self) -> Edit:
        """Returns the largest part that was found to lose nothing; empty if there is none.

        Halves are tried first, so parts that do no harm are not taken apart.
        """
        files = [_Part(path) for path in self.accepted.edit_to(self.candidate).files]
        # What tests ask for comes before them.
        files.sort(key=lambda part: (self._has_tests(part.path), part.path))
        self._known[_key(self._edit(files))] = False
        return self._edit(self._grown((), files))

    def _grown(self, kept: Sequence[_Part], parts: Sequence[_Part]) -> Sequence[_Part]:
        """Returns `kept` with those of `parts` that can be added to it."""
        both = (*kept, *parts)
        if self._is_good(both, kept):
            return both
        if len(parts) == 1:
            finer = [] if parts[0].test else self._tests(parts[0].path)
            return self._grown(kept, finer) if finer else kept
        half = len(parts) // 2
        return self._grown(self._grown(kept, parts[:half]), parts[half:]) if parts else kept

    def _is_good(self, parts: Sequence[_Part], kept: Sequence[_Part]) -> bool:
        edit = self._edit(parts)
        key = _key(edit)
        if key == _key(self._edit(kept)):
            return False
        if key not in self._known:
            if self.tries >= MOST_TRIES or not self.has_time():
                return False
            self.tries += 1
            self._known[key] = self.fits(edit)
        return self._known[key]

    def _tests(self, path: str) -> list[_Part]:
        """Returns the new and changed tests of a file."""
        file, old = self.candidate.files.get(path), self.accepted.files.get(path)
        known = {test.node: test.digest for test in old.tests} if old else {}
        tests = file.tests if file else ()
        new = (test.node for test in tests if known.get(test.node) != test.digest)
        return [_Part(path, node.partition("::")[2]) for node in new]

    def _has_tests(self, path: str) -> bool:
        file = self.candidate.files.get(path) or self.accepted.files[path]
        return bool(file.tests)

    def _edit(self, parts: Collection[_Part]) -> Edit:
        files: dict[str, str | None] = {}
        for path in dict.fromkeys(part.path for part in parts):
            file = self.candidate.files.get(path)
            if _Part(path) in parts:
                files[path] = file.text if file else None
            else:
                names = {part.test for part in parts if part.path == path}
                text = with_tests(path, names, self.candidate, self.accepted)
                if text is not None:
                    files[path] = text
        return Edit(files)


def _key(edit: Edit) -> frozenset[tuple[str, str | None]]:
    return frozenset(edit.files.items())
