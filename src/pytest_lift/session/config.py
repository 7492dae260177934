"""`Settings` from command line, environment and ini file, and paths typed beside the options."""

from __future__ import annotations

import glob
import os
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.llm.budget import read_prices
from pytest_lift.llm.replay import find_recording
from pytest_lift.marks.claims import Claims
from pytest_lift.marks.marks import LinkNames
from pytest_lift.options import OPTIONS
from pytest_lift.project.discovery import member_of
from pytest_lift.project.ini_files import project_folder, read_ini_file
from pytest_lift.project.option_tokens import (
    Tokens,
    arities,
    expanded,
    refuse_mistaken_root,
    values_after,
)
from pytest_lift.project.option_values import Given, ValueSources, converted
from pytest_lift.report.writing import read_target
from pytest_lift.run.pytest_options import usual_marks
from pytest_lift.settings import ReportTarget, Settings
from pytest_lift.source.program import Program
from pytest_lift.suite.collection import Naming
from pytest_lift.suite.suite import Suite


def read_settings(
    config: pytest.Config, typed: Namespace, environ: Mapping[str, str] = os.environ
) -> Settings:
    """Reads the settings: command line (`typed`) wins over `LIFT_*` variables, these over ini.

    Raises `UsageError` that names the option, the variable or the ini key.
    """
    root = project_root(config)
    refuse_mistaken_root(config, root)
    sources = ValueSources(
        lambda option: getattr(typed, option.dest, None),
        environ,
        lambda option: _from_ini(option.dest, config),
        config.inipath,
        config.invocation_params.dir,
        root,
    )
    given = {option.name: sources.given(option) for option in OPTIONS}
    values = {g.option.field: converted(g) for g in given.values() if g.option.kind != "special"}
    values["output"] = values["output"] or ("patch" if environ.get("CI") else "land")
    summary = environ.get("GITHUB_STEP_SUMMARY")
    links = LinkNames.configured(given["marker"].texts, given["property"].texts)
    return Settings(
        root=root,
        tests=_test_root(config, root, given["tests"].text, needed=bool(typed.lift)),
        prices=read_prices(given["prices"].texts, given["prices"].where),
        replay=_recording(root, given["replay"]),
        reports=tuple(_reports(config, root, given["report"], values["requirements"])),
        step_summary=Path(summary) if summary else None,
        claims=Claims(links, given["junit-property"].texts[0]),
        naming=Naming(
            tuple(config.getini("python_files")),
            tuple(config.getini("python_functions")),
            tuple(config.getini("python_classes")),
            usual_marks(config),
            links,
        ),
        **values,
    )


def project_root(config: pytest.Config) -> Path:
    if config.inipath is not None:
        return config.rootpath
    return project_folder((config.rootpath, *config.rootpath.parents)) or config.rootpath


def _from_ini(name: str, config: pytest.Config) -> Any:
    """Reads numbers of native TOML tables (``lift_iterations = 10``), where pytest expects text."""
    try:
        return config.getini(name)
    except (TypeError, pytest.UsageError):
        value = read_ini_file(config.inipath).values[name] if config.inipath else None
        if not isinstance(value, int | float):
            raise
        return str(value)


def _recording(root: Path, given: Given) -> Path | None:
    if given.text is None:
        return None
    path = given.paths[0]
    return find_recording(root, str(path) if path.exists() else given.text).absolute()


def _reports(
    config: pytest.Config, root: Path, given: Given, requirements: Iterable[Path]
) -> Iterator[ReportTarget]:
    inputs = {os.path.realpath(path) for path in (*requirements, config.inipath or root)}
    for text in given.texts:
        target = read_target(text, given.where, root / ".lift")
        if target.named:
            target = replace(target, path=given.base / target.named)
        if os.path.realpath(target.path) in inputs or target.path.suffix == ".py":
            what = f"{target.path} is an input, and would be overwritten"
            raise UsageError(what, where=given.where, todo="name another place for the report")
        yield target


def _test_root(config: pytest.Config, root: Path, typed: str | None, *, needed: bool) -> str:
    """Returns `--lift-tests`, else the first of testpaths with tests, else the usual folder.

    In a monorepo, testpaths and folders of the project that contains the working directory count.
    Where `python_files` names files of certain folders alone, the first of these is the usual one.
    Raises UsageError for a folder outside the project, if it is `needed`.
    """
    top = member_of(root, config.invocation_params.dir) or ""
    usual = next((n for n in ("tests", "test") if (root / top / n).is_dir()), "tests")
    usual = f"{top}/{usual}" if top else _admitted(usual, config.getini("python_files"))
    named = [config.rootpath / typed] if typed else [*_testpaths(config)]
    if top and not typed:
        named = [path for path in named if path.is_relative_to(root / top)]
    full = (_of_tests(named, config) if named else root / usual).resolve()
    inside = full.is_relative_to(root.resolve()) and full != root.resolve()
    fits = inside and (full.is_dir() or not full.exists())
    if not fits and not needed:
        return usual
    if not fits:
        raise UsageError(
            f"{full} is not a folder below the project {root}",
            where="--lift-tests",
            todo="name a folder inside the project that holds the tests",
        )
    return full.relative_to(root.resolve()).as_posix()


def _admitted(usual: str, patterns: Sequence[str]) -> str:
    """Returns a folder, or the first one that patterns like ``src/tests/test_*.py`` name where
    they admit no file of it."""
    folders = [pattern.rpartition("/")[0].strip("/") for pattern in patterns]
    if not all(folders) or any(fnmatch(usual, folder) for folder in folders):
        return usual
    return next((folder for folder in folders if not glob.has_magic(folder)), usual)


def _of_tests(places: Sequence[Path], config: pytest.Config) -> Path:
    """Returns the first folder with test files, else the first with "test" in its name: `testpaths`
    may list folders of the program whose docstrings are tests."""
    naming = Naming(tuple(config.getini("python_files")))
    if len(places) > 1:
        for place in places:
            if any(naming.is_test_file(path.as_posix()) for path in place.rglob("*.py")):
                return place
    return next((place for place in places if "test" in place.name.lower()), places[0])


def _testpaths(config: pytest.Config) -> Iterator[Path]:
    """Yields the folders of `testpaths`, wildcards expanded; for a file, its folder."""
    for text in config.getini("testpaths"):
        if text in (".", "./"):
            continue
        wild = glob.has_magic(text)
        found = (
            sorted(glob.glob(text, root_dir=config.rootpath, recursive=True)) if wild else [text]
        )
        for name in found:
            place = config.rootpath / name
            yield place.parent if place.is_file() else place


@dataclass(frozen=True)
class TypedArguments:
    """Arguments of the command line that are no options."""

    sources: tuple[str, ...] = ()
    """Paths of the program."""
    places: tuple[str, ...] = ()
    """Paths of tests."""
    rest: tuple[str, ...] = ()
    """All tokens but the paths of the program, unchanged."""


def typed_places(
    config: pytest.Config,
    parser: pytest.Parser,
    args: list[str],
    program: Program,
    suite: Suite,
    root: Path,
) -> TypedArguments:
    """Separates paths of the program from paths of tests. A folder with tests counts as tests."""
    here = config.invocation_params.dir
    known, tokens = arities(parser), Tokens(expanded(parser, args))
    sources: list[str] = []
    places: list[str] = []
    rest: list[str] = []
    for token in tokens:
        rest.append(token)
        if token == "--":
            known = {}
        elif token.startswith("-") and len(token) > 1 and known:
            rest += tokens.take(values_after(token, known))
        elif _is_source(here / token.partition("::")[0], program, suite, root):
            sources.append(token)
            rest.pop()
        else:
            places.append(token)
    return TypedArguments(tuple(sources), tuple(places), tuple(rest))


def _is_source(place: Path, program: Program, suite: Suite, root: Path) -> bool:
    full, top = place.resolve(), root.resolve()
    if not full.is_relative_to(top):
        return False
    path = full.relative_to(top).as_posix()
    if not full.is_dir():
        return path in program.files
    inside = "" if path == "." else f"{path}/"
    return any(file.startswith(inside) for file in program.files) and not any(
        suite.naming.is_test_file(found.relative_to(top).as_posix())
        for found in (*full.rglob("*.py"), top / suite.root / "test_.py")
        if found.is_relative_to(full)
        and not any(part.startswith(".") for part in found.relative_to(full).parts)
    )
