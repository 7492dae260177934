"""The settings of a project, read without pytest, for commands that run no tests."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

from pytest_lift.errors import UsageError
from pytest_lift.marks.marks import LinkNames
from pytest_lift.options import OPTIONS
from pytest_lift.project.ini_files import IniFile, find_ini_file
from pytest_lift.project.option_values import ValueSources
from pytest_lift.suite.collection import DEFAULT_NAMING, Naming, is_foreign


@dataclass(frozen=True)
class StaticConfig:
    """Places and names of a project's tests and requirements. Paths are absolute."""

    root: Path
    ini: Path | None = None
    requirements: tuple[Path, ...] = ()
    tests: tuple[str, ...] = ("tests",)
    """Folders, files or globs, POSIX, relative to `root`; ``.`` is the whole project."""
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
    """Reads the settings; `requirements` and `tests` are typed values, relative to `cwd`.

    Raises `UsageError` for an ini file that cannot be read, and for tests outside the project.
    """
    root, ini = find_ini_file(cwd)
    source = ini or IniFile(root / "pytest.ini")
    folders = [_below(root, cwd / text, "--tests") for text in tests]
    sources = ValueSources(
        lambda option: requirements if option.name == "requirements" else (),
        environ,
        lambda option: source.lines(option.dest),
        source.path,
        cwd,
        root,
    )
    given = {option.name: sources.given(option) for option in OPTIONS}
    files = (Path(os.path.normpath(path)) for path in given["requirements"].paths)
    return StaticConfig(
        root=root,
        ini=ini.path if ini else None,
        requirements=tuple(dict.fromkeys(files)),
        tests=tuple(folders or _test_folders(root, source, given["tests"].text)),
        naming=Naming(
            tuple(source.words("python_files")) or DEFAULT_NAMING.files,
            tuple(source.words("python_functions")) or DEFAULT_NAMING.functions,
            tuple(source.words("python_classes")) or DEFAULT_NAMING.classes,
            links=LinkNames.configured(given["marker"].texts, given["property"].texts),
        ),
    )


def needs_requirements(config: StaticConfig) -> UsageError:
    """Returns the error for a project without requirement files."""
    where = str(config.ini or config.root)
    todo = "set lift_requirements in the ini file of pytest, or use --requirements FILE"
    return UsageError("no requirement file is named", where=where, todo=todo)


def _test_folders(root: Path, ini: IniFile, named: str | None) -> list[str]:
    """Returns `named`, else `testpaths`, else the usual folder, else the whole project."""
    if named:
        return [_below(root, root / named, "lift_tests")]
    listed = [_below(root, root / text, "testpaths") for text in ini.words("testpaths")]
    usual = [name for name in ("tests", "test") if (root / name).is_dir()]
    return listed or usual[:1] or ["."]


def _below(root: Path, path: Path, where: str) -> str:
    """Returns `path` relative to `root`, wildcards unchanged. Raises UsageError."""
    full = Path(os.path.normpath(path))
    if not full.is_relative_to(root):
        todo = "name a folder inside the project that holds the tests"
        raise UsageError(f"{full} is not below the project {root}", where=where, todo=todo)
    return full.relative_to(root).as_posix()
