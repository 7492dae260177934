"""Can a test in the test root import the program under plain pytest? Asked before anything else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pytest_lift.measure.suite_measurer import SuiteMeasurer
from pytest_lift.run.plain_pytest import AS_IT_IS, Overrides
from pytest_lift.run.result import Run
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import Edit, Suite

NAME = "test_lift_asks_for_the_program.py"

_TEXT = """\
import importlib.util
import os
import unittest


def place(name):
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError as error:
        if f"{{name}}.".startswith(f"{{error.name}}."):
            return []
        raise
    if spec is None:
        return []
    return [os.path.realpath(p) for p in spec.submodule_search_locations or [spec.origin or ""]]


class TestImports(unittest.TestCase):
"""
_TEST = """\
    def test_{number}_found(self):
        assert place({name!r})

    def test_{number}_here(self):
        assert any(p.startswith({copy!r}) for p in place({name!r}))

"""


@dataclass(frozen=True)
class ImportableModules:
    """Which modules of the program a test could import under plain pytest."""

    missing: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    """Those that are found, and not in this project: another version is installed."""
    known: bool = True
    """False where the question could not be put."""


def probe(
    measurer: SuiteMeasurer, suite: Suite, overrides: Overrides = AS_IT_IS
) -> ImportableModules:
    """Ask from a file in the test root of `suite`, conftest files and all; nothing of the
    program's is run but packages around the modules asked for."""
    path = f"{suite.root}/{NAME}"
    names = tuple(asked_for(measurer.program))
    copy = str(measurer.workspace.root.resolve())
    tests = [_TEST.format(number=n, name=name, copy=f"{copy}/") for n, name in enumerate(names)]
    text = _TEXT.format() + "".join(tests)
    run = measurer.run_plainly(suite.apply(Edit({path: text})), [path], overrides)
    found, here = _passed(run, names, "found"), _passed(run, names, "here")
    if any(outcome is None for outcome in found.values()):
        return ImportableModules(known=False)
    missing = tuple(name for name in names if not found[name])
    return ImportableModules(missing, tuple(n for n in names if found[n] and here[n] is False))


def asked_for(program: Program) -> Iterator[str]:
    """The topmost module of each part of the program."""
    for path in program.paths:
        inside = [
            file.module
            for place, file in program.files.items()
            if path in (".", "", place) or place.startswith(f"{path}/")
        ]
        if inside:
            yield min(inside, key=lambda module: (module.count("."), module))


def _passed(run: Run, names: tuple[str, ...], what: str) -> dict[str, bool | None]:
    """Name -> whether its test passed; None where it did not come to that."""
    outcomes = {node.rpartition("::")[2]: result.outcome for node, result in run.results.items()}
    told = {name: outcomes.get(f"test_{n}_{what}") for n, name in enumerate(names)}
    return {name: None if one is None else one == "passed" for name, one in told.items()}
