"""Surveys the program by importing it in a child process: members, signatures, failed imports."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

from pytest_lift.calls.prober import CHILDREN
from pytest_lift.sandbox.jail import Jail
from pytest_lift.sandbox.worker import Worker, records
from pytest_lift.source.program import Parameter, ParameterKind, Program

CHILD = CHILDREN / "survey_child.py"
MOST_CRASHES = 8
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


@dataclass(frozen=True)
class SurveyedClass:
    """A class as it is after import."""

    abstract: bool
    parameters: tuple[Parameter, ...] | None
    """Those of the constructor; None where they cannot be known."""
    members: tuple[Member, ...]


@dataclass(frozen=True)
class Survey:
    """What importing the program showed."""

    classes: Mapping[str, Mapping[str, SurveyedClass]] = field(default_factory=dict)
    """Module that could be imported -> name -> class that it defines."""
    failed: Mapping[str, str] = field(default_factory=dict)
    """Module -> why it cannot be imported."""


UNKNOWN = Survey()
"""Survey of a program that was not imported."""


@lru_cache(maxsize=1)
def survey(program: Program, copy: Path, jail: Jail, seconds: float) -> Survey:
    """Imports each module of the program in the jail; one that crashes costs only itself. Cached,
    since the program of a lift stays the same."""
    modules = [file.module for file in program.files.values() if file.error is None]
    classes: dict[str, dict[str, SurveyedClass]] = {}
    failed: dict[str, str] = {}
    waiting = list(range(len(modules)))
    job = {
        "roots": [str(copy / root) for root in program.import_roots],
        "modules": modules,
    }
    with tempfile.TemporaryDirectory(prefix="lift-") as folder:
        variables = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
        worker = Worker(CHILD, Path(folder), copy, jail, (copy, CHILDREN), variables)
        for _ in range(MOST_CRASHES):
            child = worker.run({**job, "order": waiting}, seconds)
            for record in records(worker.journal):
                with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
                    _read(record, modules, classes, failed)
            died = worker.died_at(child)
            if not died or died[0] not in waiting:
                break
            failed[modules[died[0]]] = "it ends or blocks the process that imports it"
            waiting = waiting[waiting.index(died[0]) + 1 :]
    return Survey(classes, failed)


def _read(
    record: Mapping[str, Any],
    modules: list[str],
    classes: dict[str, dict[str, SurveyedClass]],
    failed: dict[str, str],
) -> None:
    number = record["case"]
    if type(number) is not int or not 0 <= number < len(modules):
        return
    if "error" in record:
        failed[modules[number]] = str(record["error"])
        return
    classes[modules[number]] = {
        str(raw["name"]): SurveyedClass(
            bool(raw["abstract"]),
            _parameters(raw["parameters"]),
            tuple(_member(one) for one in raw["members"]),
        )
        for raw in record["classes"]
    }


def _member(raw: Mapping[str, Any]) -> Member:
    return Member(
        str(raw["name"]),
        _one_of(get_args(MemberKind), raw["kind"]),
        _parameters(raw.get("parameters")) or (),
        bool(raw.get("settable")),
        bool(raw.get("waits")),
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
