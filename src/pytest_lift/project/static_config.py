"""The project's settings, read without pytest: command line, environment, ini file, in this order.

Only what a command needs that reads tests and requirements and runs nothing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

from pytest_lift.errors import UsageError
from pytest_lift.marks.marks import LinkNames
from pytest_lift.project.ini_files import IniFile, find_ini_file
from pytest_lift.suite.test_file import DEFAULT_NAMING, Naming, is_foreign


@dataclass(frozen=True)
class StaticConfig:
    """What a project says about its tests and requirements. Paths are absolute."""

    root: Path
    ini: Path | None = None
    requirements: tuple[Path, ...] = ()
    tests: tuple[str, ...] = ("tests",)
    """Folders, files or globs, POSIX, relative to `root`; ``.`` is all of it."""
    naming: Naming = DEFAULT_NAMING

    def is_test_path(self, path: str) -> bool:
        """Whether `path` (POSIX, relative to `root`) is below the tests and named like a test."""
        pure = PurePosixPath(path)
        if pure.suffix != ".py" or not self.naming.is_test_file(path):
            return False
        if any(fnmatch(path, pattern) for pattern in self.tests):
            return True
        for folder in pure.parents:
            if any(fnmatch(folder.as_posix(), pattern) for pattern in self.tests):
                return True
            if is_foreign(folder.name):
                return False
        return False


def read_static_config(
    cwd: Path,
    *,
    requirements: Sequence[str] = (),
    tests: Sequence[str] = (),
    environ: Mapping[str, str] = os.environ,
) -> StaticConfig:
    """`requirements` and `tests` come from the command line, relative to `cwd`.

    Raises `UsageError` for an ini file that cannot be read, and for tests outside the project.
    """
    root, ini = find_ini_file(cwd)
    source = ini or IniFile(root / "pytest.ini")
    named = _listed("requirements", source, environ)
    folders = [_below(root, cwd / told, "--tests") for told in tests]
    return StaticConfig(
        root=root,
        ini=ini.path if ini else None,
        requirements=_paths(cwd, requirements) or _paths(*_base(cwd, root, named)),
        tests=tuple(folders or _test_folders(root, source, environ)),
        naming=Naming(
            tuple(source.words("python_files")) or DEFAULT_NAMING.files,
            tuple(source.words("python_functions")) or DEFAULT_NAMING.functions,
            tuple(source.words("python_classes")) or DEFAULT_NAMING.classes,
            links=LinkNames.configured(
                _listed("marker", source, environ)[0], _listed("property", source, environ)[0]
            ),
        ),
    )


def needs_requirements(config: StaticConfig) -> UsageError:
    """The error for a project that names no requirement file."""
    where = str(config.ini or config.root)
    todo = "set lift_requirements in the ini file of pytest, or use --requirements FILE"
    return UsageError("no requirement file is named", where=where, todo=todo)


def _listed(name: str, ini: IniFile, environ: Mapping[str, str]) -> tuple[list[str], bool]:
    """(values, whether they are of the ini file)."""
    variable = environ.get(f"LIFT_{name.upper()}")
    if variable:
        return [text for text in variable.split(os.pathsep) if text], False
    return ini.lines(f"lift_{name}"), True


def _base(cwd: Path, root: Path, named: tuple[list[str], bool]) -> tuple[Path, list[str]]:
    return (root if named[1] else cwd), named[0]


def _paths(base: Path, texts: Sequence[str]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(Path(os.path.normpath(base / text)) for text in texts))


def _test_folders(root: Path, ini: IniFile, environ: Mapping[str, str]) -> list[str]:
    """`lift_tests`, else `testpaths`, else the folder that is there, else the whole project."""
    told = environ.get("LIFT_TESTS") or next(iter(ini.lines("lift_tests")), None)
    if told:
        return [_below(root, root / told, "lift_tests")]
    named = [_below(root, root / text, "testpaths") for text in ini.words("testpaths")]
    usual = [name for name in ("tests", "test") if (root / name).is_dir()]
    return named or usual[:1] or ["."]


def _below(root: Path, path: Path, where: str) -> str:
    """`path` relative to `root`; wildcards are left as they are."""
    full = Path(os.path.normpath(path))
    if not full.is_relative_to(root):
        todo = "name a folder inside the project that holds the tests"
        raise UsageError(f"{full} is not below the project {root}", where=where, todo=todo)
    return full.relative_to(root).as_posix()
