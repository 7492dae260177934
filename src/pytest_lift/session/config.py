"""Reads `Settings` from command line, environment and ini file, in this order."""

from __future__ import annotations

import glob
import os
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.llm.prices import read_prices
from pytest_lift.llm.replay import find_recording
from pytest_lift.marks.claims import Claims
from pytest_lift.marks.marks import LinkNames
from pytest_lift.options import DEFAULT_BASE, OPTIONS, Option
from pytest_lift.project.ini_files import read_ini_file
from pytest_lift.project.members import member_of
from pytest_lift.project.typed_paths import refuse_mistaken_root
from pytest_lift.report.targets import read_target
from pytest_lift.run.user_options import usual_marks
from pytest_lift.sandbox.jail import TIERS
from pytest_lift.settings import ReportTarget, Settings
from pytest_lift.suite.test_file import Naming

KEYS = ("OPENAI_API_KEY",)
SANDBOXES = ("auto", *TIERS, "off")
MUTATIONS = ("auto", "full", "off")
VERIFIED = ("all", "any")
LEAST_MEMORY = 256
LEAST_CONTEXT = 2048
PROJECT_SIGNS = (".lift", "pyproject.toml", "setup.cfg", "setup.py", ".git")


def read_settings(
    config: pytest.Config, given: Namespace, environ: Mapping[str, str] = os.environ
) -> Settings:
    """Command line (`given`) before `LIFT_*` variables before ini.

    Raises `UsageError` that names the option, the variable or the ini key.
    """
    values = {option.name: _value(option, config, given, environ) for option in OPTIONS}
    root = project_root(config)
    refuse_mistaken_root(config, root)
    text = {name: found[0] for name, (found, _) in values.items() if found}
    where = {name: place for name, (_, place) in values.items()}
    numbers = {
        name: _number(text[name], where[name])
        for name in (
            "min-line",
            "min-branch",
            "min-requirements",
            "min-mutation",
            "mutation-minutes",
            "max-minutes",
            "max-cost",
            "timeout",
            "fail-under",
        )
        if name in text
    }
    for name in ("min-line", "min-branch", "min-requirements", "min-mutation", "fail-under"):
        if not 0 <= numbers.get(name, 0) <= 100:
            raise UsageError(f"{text[name]} is not a percentage", where=where[name])
    links = LinkNames.configured(values["marker"][0], values["property"][0])
    return Settings(
        root=root,
        tests=_test_root(config, root, text.get("tests"), needed=bool(given.lift)),
        requirements=tuple(_paths(config, root, *values["requirements"])),
        source=tuple(values["source"][0]),
        changed=_since(text.get("changed")),
        only=tuple(text.strip() for text in values["only"][0] if text.strip()),
        model=text.get("model"),
        max_tokens=_positive(text, where, "max-tokens"),
        max_cost=numbers.get("max-cost"),
        prices=read_prices(values["prices"][0], where["prices"]),
        concurrency=_positive(text, where, "concurrency") or 1,
        context=_context(text, where),
        replay=_recording(config, root, text.get("replay"), where["replay"]),
        prompts=_prompts(_paths(config, root, *values["prompts"]), where["prompts"]),
        dry_run=_is_on(text.get("dry-run")),
        iterations=_whole(text["iterations"], where["iterations"]),
        min_line=numbers.get("min-line"),
        min_branch=numbers.get("min-branch"),
        min_requirements=numbers.get("min-requirements"),
        min_mutation=numbers.get("min-mutation"),
        mutation=_one_of(MUTATIONS, text["mutation"], where["mutation"]),
        mutation_minutes=numbers.get("mutation-minutes"),
        minimise=_is_on(text.get("minimise")),
        strict=_is_on(text.get("strict")),
        max_minutes=numbers.get("max-minutes"),
        timeout=numbers["timeout"],
        output=_output(text.get("output"), where["output"], environ),
        write_config=_is_on(text.get("write-config")),
        json=_json_file(next(_paths(config, root, *values["json"]), None), where["json"]),
        seed=_whole(text["seed"], where["seed"]) if "seed" in text else None,
        resume=_is_on(text.get("resume")),
        contexts=not _is_on(text.get("no-contexts")),
        sandbox=_one_of(SANDBOXES, text["sandbox"], where["sandbox"]),
        allow_net=_is_on(text.get("allow-net")),
        allow_read=_existing(_paths(config, root, *values["allow-read"]), where["allow-read"]),
        allow_write=_existing(_paths(config, root, *values["allow-write"]), where["allow-write"]),
        pass_env=tuple(_variable(name, where["pass-env"]) for name in values["pass-env"][0]),
        max_memory=_memory(text["max-memory"], where["max-memory"]),
        reports=tuple(_reports(config, root, *values["report"], values["requirements"])),
        step_summary=Path(environ["GITHUB_STEP_SUMMARY"])
        if environ.get("GITHUB_STEP_SUMMARY")
        else None,
        fail_under=numbers.get("fail-under"),
        verified=_one_of(VERIFIED, text["verified"], where["verified"]),
        claims=Claims(links, text["junit-property"]),
        naming=Naming(
            tuple(config.getini("python_files")),
            tuple(config.getini("python_functions")),
            tuple(config.getini("python_classes")),
            usual_marks(config),
            links,
        ),
    )


def project_root(config: pytest.Config) -> Path:
    if config.inipath is not None:
        return config.rootpath
    for folder in (config.rootpath, *config.rootpath.parents):
        if any((folder / sign).exists() for sign in PROJECT_SIGNS):
            return folder
    return config.rootpath


def _value(
    option: Option, config: pytest.Config, given: Namespace, environ: Mapping[str, str]
) -> tuple[list[str], str]:
    """The texts that were given for `option`, and the place to name in a complaint."""
    typed = getattr(given, option.dest, None)
    if typed:
        texts = typed if isinstance(typed, list) else [str(typed)]
        return [str(text) for text in texts], f"--lift-{option.name}"
    variable = f"LIFT_{option.name.replace('-', '_').upper()}"
    if environ.get(variable):
        text = environ[variable]
        return text.split(option.between) if option.many else [text], variable
    ini = _from_ini(option.dest, config)
    if ini:
        texts = ini if isinstance(ini, list) else [str(ini)]
        return texts, f"{config.inipath or 'ini'}: {option.dest}"
    return ([option.default] if option.default else []), f"--lift-{option.name}"


def _from_ini(name: str, config: pytest.Config) -> Any:
    """A native TOML table may have ``lift_iterations = 10``, where pytest wants a text."""
    try:
        return config.getini(name)
    except (TypeError, pytest.UsageError):
        value = read_ini_file(config.inipath).values[name] if config.inipath else None
        if not isinstance(value, int | float):
            raise
        return str(value)


def _paths(config: pytest.Config, root: Path, texts: list[str], place: str) -> Iterator[Path]:
    base = root if place.endswith(tuple(option.dest for option in OPTIONS)) else None
    for text in texts:
        yield (base or config.invocation_params.dir) / text


def _number(text: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise UsageError(f"{text!r} is not a number from 0 upwards", where=where)
    return value


def _whole(text: str, where: str) -> int:
    if not text.isdecimal():
        raise UsageError(f"{text!r} is not a whole number from 0 upwards", where=where)
    return int(text)


def _positive(text: Mapping[str, str], where: Mapping[str, str], name: str) -> int | None:
    if name not in text:
        return None
    if not _whole(text[name], where[name]):
        raise UsageError("0 leaves nothing to ask a model", where=where[name], todo="1 or more")
    return int(text[name])


def _context(text: Mapping[str, str], where: Mapping[str, str]) -> int | None:
    tokens = _positive(text, where, "context")
    if tokens is not None and tokens < LEAST_CONTEXT:
        what = f"{tokens} tokens are too few for a request and its answer"
        raise UsageError(what, where=where["context"], todo=f"{LEAST_CONTEXT} or more")
    return tokens


def _recording(config: pytest.Config, root: Path, text: str | None, where: str) -> Path | None:
    """The id of a run, or a path as other options have it."""
    if text is None:
        return None
    place = next(_paths(config, root, [text], where))
    return find_recording(root, str(place) if place.exists() else text).absolute()


def _prompts(paths: Iterator[Path], where: str) -> Path | None:
    folder = next(iter(_existing(paths, where)), None)
    if folder is not None and not folder.is_dir():
        raise UsageError(f"{folder} is not a folder", where=where, todo="name the folder")
    return folder


def _is_on(text: str | None) -> bool:
    """A flag; the environment can only say it in words."""
    return text is not None and text.lower() not in ("0", "false", "no", "off")


def _since(text: str | None) -> str | None:
    """Where no base can be named, as in ini files, a word switches it on."""
    if text is None or not _is_on(text):
        return None
    return DEFAULT_BASE if text.lower() in ("1", "true", "yes", "on") else text


def _json_file(path: Path | None, where: str) -> Path | None:
    if path is not None:
        there = next(folder for folder in path.parents if os.path.lexists(folder))
        if path.is_dir() or not there.is_dir():
            raise UsageError(f"{path} cannot be a file", where=where, todo="name another place")
    return path


def _output(text: str | None, where: str, environ: Mapping[str, str]) -> str:
    if text is None:
        return "patch" if environ.get("CI") else "land"
    return _one_of(("land", "patch"), text, where)


def _one_of(known: tuple[str, ...], text: str, where: str) -> str:
    if text not in known:
        raise UsageError(f"{text!r} is none of {', '.join(known)}", where=where)
    return text


def _reports(
    config: pytest.Config,
    root: Path,
    texts: list[str],
    place: str,
    requirements: tuple[list[str], str],
) -> Iterator[ReportTarget]:
    read = {os.path.realpath(path) for path in _paths(config, root, *requirements)}
    read.add(os.path.realpath(config.inipath or root))
    for text in texts:
        target = read_target(text, place, root / ".lift")
        if target.named:
            path = next(_paths(config, root, [target.named], place))
            target = replace(target, path=path)
        if os.path.realpath(target.path) in read or target.path.suffix == ".py":
            what = f"{target.path} is an input, and would be overwritten"
            raise UsageError(what, where=place, todo="name another place for the report")
        yield target


def _existing(paths: Iterator[Path], where: str) -> tuple[Path, ...]:
    found = tuple(path.absolute() for path in paths)
    for path in found:
        if not path.exists():
            raise UsageError(f"{path} does not exist", where=where, todo="make it, or name another")
    return found


def _variable(name: str, where: str) -> str:
    if name in KEYS:
        raise UsageError(
            f"{name} is the key of the model, which no test gets to see",
            where=where,
            todo="hand a key of its own over under another name",
        )
    return name


def _memory(text: str, where: str) -> int:
    if _whole(text, where) < LEAST_MEMORY:
        raise UsageError(f"{text} MiB are too few for pytest", where=where, todo="256 or more")
    return int(text)


def _test_root(config: pytest.Config, root: Path, told: str | None, *, needed: bool) -> str:
    """`--lift-tests`, else the first of testpaths with tests, else the folder that is there, else
    tests.

    In a monorepo, testpaths and folders of the project count which the user stands in. Only a
    lift `needs` it to be inside the project.
    """
    top = member_of(root, config.invocation_params.dir) or ""
    usual = next((n for n in ("tests", "test") if (root / top / n).is_dir()), "tests")
    usual = f"{top}/{usual}" if top else usual
    named = [config.rootpath / told] if told else [*_testpaths(config)]
    if top and not told:
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


def _of_tests(places: Sequence[Path], config: pytest.Config) -> Path:
    """The first that has files of tests, else that is named so: `testpaths` names folders of the
    program, too, where their docstrings are tests."""
    naming = Naming(tuple(config.getini("python_files")))
    if len(places) > 1:
        for place in places:
            if any(naming.is_test_file(path.as_posix()) for path in place.rglob("*.py")):
                return place
    return next((place for place in places if "test" in place.name.lower()), places[0])


def _testpaths(config: pytest.Config) -> Iterator[Path]:
    """The folders that `testpaths` names, wildcards as pytest knows them; a file's own folder."""
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
