"""Part of a program that the project's own settings of coverage.py let measure."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_lift.errors import UsageError
from pytest_lift.text.wording import some

if TYPE_CHECKING:
    from coverage import Coverage

USUAL = ".coveragerc"
"""Value of pytest-cov if nobody named a file: coverage.py looks for one itself."""
MISSING = re.compile(r"No module named '(\w+)")
"""What Python says of a plugin that is not installed."""
MOST_NAMED = 3


@dataclass(frozen=True)
class CoverageSettings:
    """The part of the settings that coverage.py does not apply by itself during a lift.

    A lift measures the program, and coverage.py drops `include` and its own `source` for that;
    `omit` and the lines to exclude hold without anybody's doing.
    """

    root: Path = Path()
    told: str | None = None
    """The file that was named for it: relative to `root`, or absolute outside of it."""
    found: str = ""
    """The file that was read, as one would name it."""
    source: tuple[str, ...] = ()
    """Folders, and packages by their names."""
    include: tuple[str, ...] = ()
    """Patterns of files."""

    @property
    def options(self) -> list[str]:
        """Option that tells pytest-cov the file, in `root` or in a copy of it."""
        return [f"--cov-config={self.told}"] if self.told else []

    def left_out(self, modules: Mapping[str, str]) -> frozenset[str]:
        """Returns the files (path -> module) that `source` and `include` leave out.

        None where that would be all of them: such settings are meant for something else.
        """
        inside = {path for path, module in modules.items() if self._measures(path, module)}
        return frozenset(modules.keys() - inside) if inside else frozenset()

    def lines(self, modules: Mapping[str, str]) -> Iterator[str]:
        """Yields one sentence for the header where the settings leave files of the program out."""
        if out := sorted(self.left_out(modules)):
            named = some(out, MOST_NAMED)
            yield f"not measured, by {self._setting} in {self.found}: {named}"
        elif modules and not any(self._measures(*item) for item in modules.items()):
            yield (
                f"{self._setting} in {self.found} leaves out the whole program: the lift measures "
                "it all the same"
            )

    @property
    def _setting(self) -> str:
        return " and ".join(name for name in ("source", "include") if getattr(self, name))

    def _measures(self, path: str, module: str) -> bool:
        return self._in_source(path, module) and self._included(path)

    def _in_source(self, path: str, module: str) -> bool:
        if not self.source:
            return True
        for name in self.source:
            place = self.root / name
            if place.is_dir():
                if (self.root / path).is_relative_to(os.path.normpath(place)):
                    return True
            elif module == name or module.startswith(f"{name}."):
                return True
        return False

    def _included(self, path: str) -> bool:
        if not self.include:
            return True
        from coverage.files import GlobMatcher, prep_patterns

        free = ("*", "?")
        patterns = [p if p.startswith(free) else str(self.root / p) for p in self.include]
        return bool(GlobMatcher(prep_patterns(patterns)).match(str(self.root / path)))


def read_coverage_settings(
    root: Path, told: str | None = None, *, narrowed: bool = True
) -> CoverageSettings:
    """Reads what coverage.py itself would read in `root`, or in the file that was `told`.

    `told` is absolute; without it the variable COVERAGE_RCFILE may name one. Where the user has
    said what to measure (`narrowed` is false), `source` and `include` do not count. Raises
    UsageError for settings that coverage.py refuses.
    """
    import coverage
    from coverage.exceptions import ConfigError, CoverageException

    told = told or os.environ.get("COVERAGE_RCFILE")
    file = None if told is None else _seen_from(root, told)
    try:
        with chdir(root), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tool = coverage.Coverage(config_file=file or True, data_file=None)
    except (ConfigError, CoverageException) as error:  # of one kind since coverage 7.7
        raise refused(error) from error
    read = getattr(tool.config, "config_file", None) or root / USUAL
    named = (_texts(tool, name) for name in ("source", "source_pkgs", "source_dirs"))
    return CoverageSettings(
        root,
        file,
        os.path.relpath(read, root),
        source=tuple(text for texts in named for text in texts) if narrowed else (),
        include=_texts(tool, "include") if narrowed else (),
    )


def require_plugins(settings: CoverageSettings, places: Iterable[Path]) -> None:
    """Loads what coverage.py would load to measure with these settings, with modules in `places`.
    Raises UsageError if it cannot: a plugin that is not installed, an unknown core."""
    import coverage

    file = settings.told if settings.told is not None else True
    before = list(sys.path)
    try:
        sys.path[:0] = map(str, places)
        with chdir(settings.root), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            coverage.Coverage(config_file=file, data_file=None).sys_info()
    except Exception as error:  # plugins raise what they like
        raise refused(error) from error
    finally:
        sys.path[:] = before


def refused(error: Exception) -> UsageError:
    """Returns the error of coverage.py about its settings, in words for the user."""
    todo = "correct what it names (`python -m coverage debug config` shows what is read)"
    if missing := MISSING.search(str(error)):
        todo = f"install {missing[1]}, a plugin that they name, or take it out of `plugins`"
    return UsageError(
        f"coverage.py cannot measure with these settings: {error}",
        where="the project's settings of coverage.py",
        todo=todo,
    )


def _seen_from(root: Path, told: str) -> str:
    place = Path(os.path.normpath(Path(told).absolute()))
    return place.relative_to(root).as_posix() if place.is_relative_to(root) else str(place)


def _texts(tool: Coverage, name: str) -> tuple[str, ...]:
    """Returns a list of the section `run`; older versions of coverage.py do not know all."""
    from coverage.exceptions import ConfigError

    try:
        value = tool.get_option(f"run:{name}")
    except ConfigError:
        return ()
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()
