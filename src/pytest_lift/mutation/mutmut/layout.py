"""Paths of project files in mutmut's folder, and back again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pytest_lift.source.program import Program

KNOWN = ("", "src")
"""Import roots from which mutmut gets the names of modules right; any other one is moved to the
second: a name that is not the imported one would leave every mutant without a test."""


@dataclass(frozen=True)
class Layout:
    """A mapping of POSIX paths, relative to the project and to mutmut's copy of it."""

    moved: tuple[str, ...]
    """Import roots that stand in ``src`` there, the longest first."""

    @classmethod
    def of(cls, program: Program) -> Layout:
        strange = {root for root in program.import_roots if root not in KNOWN}
        return cls(tuple(sorted(strange, key=len, reverse=True)))

    def placed(self, path: str) -> str:
        """Returns the path in mutmut's folder of a file, folder or node id of the project."""
        for root in self.moved:
            if path == root or path.startswith(f"{root}/"):
                return "src" + path[len(root) :]
        return path

    def original(self, path: str) -> str:
        """Returns the path in the project of a file or node id in mutmut's folder; with several
        moved roots the first."""
        if self.moved and path.startswith("src/"):
            return self.moved[0] + path[len("src") :]
        return path

    def sources(self, program: Program) -> list[str]:
        """Returns paths to mutate in mutmut's folder: the folder or module of each top-level
        package."""
        return list(dict.fromkeys(self.placed(top) for top in _tops(program)))


def _tops(program: Program) -> Iterable[str]:
    """Yields the program's folders and modules; what stands in the root itself file by file."""
    for path in program.paths:
        if path not in (".", ""):
            yield path
            continue
        for file in program.files:
            yield file.partition("/")[0]
