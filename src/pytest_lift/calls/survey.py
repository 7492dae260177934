"""Surveys the program by importing it in a child process: members, signatures, failed imports."""

from __future__ import annotations

import contextlib
import re
import signal
import tempfile
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

from pytest_lift.calls.child.survey_child import IDLE_SECONDS
from pytest_lift.calls.noted.declared import CommandLine, command_line_from
from pytest_lift.calls.running.children import CHILDREN
from pytest_lift.calls.targets.library_hints import hinted_classes
from pytest_lift.sandbox.child import Child
from pytest_lift.sandbox.jail import Jail
from pytest_lift.sandbox.worker import Worker, records
from pytest_lift.source.bindings import is_import
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.symbols import Parameter, ParameterKind

CHILD = CHILDREN / "survey_child.py"
MOST_CRASHES = 8
IMPORT_SECONDS, LEAST_SECONDS = 15.0, 3.0
"""Seconds that one import may take, where there is time and where there is little."""
LIMITS_HIT = {
    "flooded": "prints without end",
    "out-of-memory": "takes more memory than there is",
    "too-many-processes": "starts too many processes",
    "scratch-full": "writes too much",
}
"""Limit that a child hit -> what the import does."""
ENDLESS, IDLE = "Timeout (", "Timeout (0:00:00.001"
"""What a child says that an import ended which takes too long, or waits for something."""
MemberKind = Literal["method", "static", "property"]


@dataclass(frozen=True)
class Member:
    """Public member of a class, own or inherited."""

    name: str
    kind: MemberKind
    """A class method counts as static: neither needs an object."""
    parameters: tuple[Parameter, ...] = ()
    settable: bool = False
    waits: bool = False
    streams: bool = False
    """Whether it is an asynchronous generator."""
    library: bool = False
    """Whether a class of the program has it from one of a library."""


@dataclass(frozen=True)
class SurveyedClass:
    """A class as it is after import."""

    abstract: bool
    parameters: tuple[Parameter, ...] | None
    """Those of the constructor; None where they cannot be known."""
    members: tuple[Member, ...]
    bases: tuple[str, ...] = ()
    """Names of the classes of libraries, but Python's own, that it is derived from."""


@dataclass(frozen=True)
class DeclaredCommand:
    """A command that a library runs."""

    library: str
    """click or typer: where the runner for tests is imported from."""
    line: CommandLine
    inner: bool = False
    """Whether another command runs it, as one of its own."""


@dataclass(frozen=True)
class LibraryClass:
    """A class of a library that hints of the program name."""

    call: str
    """How a file that has such a hint names it: ``asyncio.Queue``."""
    module: str
    parameters: tuple[Parameter, ...]
    """Those of its constructor."""
    members: frozenset[str]
    """Public attributes and methods of its objects, as far as the class has them."""
    plain: frozenset[str]
    """Python's own types whose values are objects of it, as those of an abstract one may be."""


@dataclass(frozen=True)
class Survey:
    """What importing the program showed."""

    classes: Mapping[str, Mapping[str, SurveyedClass]] = field(default_factory=dict)
    """Module that could be imported -> name -> class that it defines."""
    failed: Mapping[str, str] = field(default_factory=dict)
    """Module -> why it cannot be imported."""
    commands: Mapping[str, Mapping[str, DeclaredCommand]] = field(default_factory=dict)
    """Module -> name -> command of click or typer that it has."""
    handed: Mapping[str, Mapping[str, tuple[Parameter, ...]]] = field(default_factory=dict)
    """Module -> function, method or class that hands arguments on to a library -> parameters in
    the place of its ``*args`` and ``**kwargs``."""
    seconds: float = 0.0
    """Seconds that a process takes to import the program, about, without what it imports for types
    alone."""
    library_classes: Mapping[str, LibraryClass] = field(default_factory=dict)
    """Name of a class of a library that hints have -> that class."""

    @property
    def library_bases(self) -> dict[str, tuple[str, ...]]:
        """Class of the program -> names of the classes of libraries that it is derived from."""
        found = (pair for known in self.classes.values() for pair in known.items())
        return {name: one.bases for name, one in found if one.bases}


UNKNOWN = Survey()
"""Survey of a program that was not imported."""


def survey(program: Program, copy: Path, jail: Jail, seconds: float) -> Survey:
    """Imports each module of the program in the jail; one that crashes costs itself and what
    imports it. Cached, since the program of a lift stays the same."""
    return _surveyed(program, copy, jail, _Limit(seconds))


@dataclass(frozen=True)
class _Limit:
    """Seconds of a survey, which make no other one of it."""

    seconds: float = field(compare=False)


@lru_cache(maxsize=1)
def _surveyed(program: Program, copy: Path, jail: Jail, limit: _Limit) -> Survey:
    taken = beside = 0.0
    modules = [file.module for file in program.files.values() if file.error is None]
    classes: dict[str, dict[str, SurveyedClass]] = {}
    failed: dict[str, str] = {}
    commands: dict[str, dict[str, DeclaredCommand]] = {}
    handed: dict[str, dict[str, tuple[Parameter, ...]]] = {}
    waiting = list(range(len(modules)))
    patience = max(min(IMPORT_SECONDS, limit.seconds / 2), LEAST_SECONDS)
    job = {
        "roots": [str(copy / root) for root in program.search_path],
        "modules": modules,
        "copy": f"{copy}/",
        "seconds": patience,
        "hinted": hinted_classes(program),
    }
    libraries: dict[str, LibraryClass] = {}
    until = time.monotonic() + max(limit.seconds, 2 * patience)
    with tempfile.TemporaryDirectory(prefix="lift-") as folder:
        variables = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
        worker = Worker(CHILD, Path(folder), copy, jail, (copy, CHILDREN), variables)
        for _ in range(MOST_CRASHES):
            child = worker.run({**job, "order": waiting}, max(until - time.monotonic(), 1.0))
            for record in records(worker.journal):
                with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
                    _read(record, modules, classes, failed, f"{copy}/")
                with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
                    _read_commands(record, modules, commands)
                with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
                    _read_handed(record, modules, handed)
                with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
                    libraries |= _library_classes(record)
                seconds = record.get("seconds")
                beside = max(beside, seconds if type(seconds) is float else 0.0)
            taken = max(taken, child.seconds - _waited(child, patience) - beside)
            _note_threads(program, failed)
            died = worker.died_at(child)
            if not died or died[0] not in waiting:
                break
            reason, path = _ending(child, patience, f"{copy}/")
            lost = {modules[died[0]]}
            if path in program.files:
                lost.add(program.files[path].module)
            for module in (*lost, *importing(program, lost)):
                failed.setdefault(module, reason)
            left = waiting[waiting.index(died[0]) + 1 :]
            waiting = [number for number in left if modules[number] not in failed]
    known = {name: classes[name] for name in classes if name not in failed}
    of_known = {name: commands[name] for name in known if name in commands}
    return Survey(known, failed, of_known, handed, taken, libraries)


def _note_threads(program: Program, failed: dict[str, str]) -> None:
    """Adds the module at fault, and what imports it, where an import left a thread."""
    for reason in {why for why in failed.values() if why.startswith("the import starts a thread")}:
        place = re.search(r" \(([^()]+):\d+\)$", reason)
        if place and place[1] in program.files:
            module = program.files[place[1]].module
            failed.update(dict.fromkeys((module, *importing(program, {module})), reason))


def importing(program: Program, modules: Collection[str]) -> list[str]:
    """Returns the modules that cannot be imported without one of `modules`."""
    found, new = dict[str, None](), set(modules)
    needs = {file.module: _needed(file) for file in program.files.values()}
    while new:
        new = {name for name, needed in needs.items() if needed & new and name not in found}
        found |= dict.fromkeys(new)
    return [name for name in found if name not in modules]


def _needed(file: SourceFile) -> set[str]:
    """Returns the modules that the statements of a module import, with the packages around them."""
    named = {file.module}
    for node in file.tree.body:
        if is_import(node):
            for one in file.import_bindings(node):
                named |= {one.source, f"{one.module}.{one.name}"}
    return {
        ".".join(parts[:length])
        for parts in (name.split(".") for name in named)
        for length in range(1, len(parts) + 1)
    } - {file.module}


def _waited(child: Child, patience: float) -> float:
    """Returns the seconds for which an import was waited for that did not end."""
    if IDLE in child.output:
        return IDLE_SECONDS
    return patience if ENDLESS in child.output else 0.0


def _ending(child: Child, patience: float, copy: str) -> tuple[str, str]:
    """Returns why a child ended while it imported a module, and the file at fault, if known: that
    of the innermost import, which may have called a function of another file."""
    frame = rf'File "{re.escape(copy)}([^"\n]+)", line (\d+)'
    place = re.search(frame, child.output)
    imported = re.search(rf"{frame} in <module>", child.output) or place
    path = imported[1] if imported else ""
    if IDLE in child.output:
        reason = "the import waits for something"
    elif ENDLESS in child.output:
        reason = f"the import does not end within {patience:.0f} s"
    elif child.reason != "ended":
        reason = f"the import {LIMITS_HIT.get(child.reason, child.reason)}"
    elif child.status < 0:
        reason = f"the import crashes the process ({_signal(-child.status)})"
    else:
        reason = f"the import ends the process (exit status {child.status})"
    return f"{reason} ({place[1]}:{place[2]})" if place else reason, path


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _read(
    record: Mapping[str, Any],
    modules: list[str],
    classes: dict[str, dict[str, SurveyedClass]],
    failed: dict[str, str],
    copy: str,
) -> None:
    number = record["case"]
    if type(number) is not int or not 0 <= number < len(modules):
        return
    if "error" in record:
        file, line = record.get("place", ("", 0))
        place = f" ({str(file).removeprefix(copy)}:{int(line)})" if file else ""
        failed[modules[number]] = f"{record['error']}{place}"
        return
    classes[modules[number]] = {
        str(raw["name"]): SurveyedClass(
            bool(raw["abstract"]),
            _parameters(raw["parameters"]),
            tuple(_member(one) for one in raw["members"]),
            tuple(map(str, raw.get("bases", ()))),
        )
        for raw in record["classes"]
    }


def _read_commands(
    record: Mapping[str, Any],
    modules: list[str],
    commands: dict[str, dict[str, DeclaredCommand]],
) -> None:
    found = {
        str(name): DeclaredCommand(
            _one_of(("click", "typer"), library), command_line_from(line), bool(inner)
        )
        for name, library, line, inner in record.get("commands", ())
    }
    if found and type(record["case"]) is int:
        commands[modules[record["case"]]] = found


def _read_handed(
    record: Mapping[str, Any],
    modules: list[str],
    handed: dict[str, dict[str, tuple[Parameter, ...]]],
) -> None:
    read = {str(symbol): _parameters(raw) for symbol, raw in record.get("handed", {}).items()}
    if read and type(record["case"]) is int:
        handed[modules[record["case"]]] = {symbol: own for symbol, own in read.items() if own}


def _library_classes(record: Mapping[str, Any]) -> dict[str, LibraryClass]:
    found = {}
    for raw in record.get("libraries", ()):
        call, parameters = str(raw["call"]), _parameters(raw["parameters"])
        if parameters is not None:
            members, plain = (frozenset(map(str, raw[name])) for name in ("members", "plain"))
            one = LibraryClass(call, str(raw["module"]), parameters, members, plain)
            found[call.rpartition(".")[2]] = one
    return found


def _member(raw: Mapping[str, Any]) -> Member:
    return Member(
        str(raw["name"]),
        _one_of(get_args(MemberKind), raw["kind"]),
        _parameters(raw.get("parameters")) or (),
        bool(raw.get("settable")),
        bool(raw.get("waits")),
        bool(raw.get("streams")),
        bool(raw.get("library")),
    )


def _parameters(raw: Iterable[Mapping[str, Any]] | None) -> tuple[Parameter, ...] | None:
    if raw is None:
        return None
    return tuple(
        Parameter(
            str(one["name"]),
            _one_of(get_args(ParameterKind), one["kind"]),
            None if one["default"] is None else str(one["default"]),
            None if one["annotation"] is None else str(one["annotation"]),
        )
        for one in raw
    )


def _one_of(kinds: tuple[Any, ...], told: object) -> Any:
    if told not in kinds:
        raise ValueError(f"{told!r} is no kind that is known")
    return told
