"""One run of ``mutmut run`` in the jail, within its time, and what its ending means."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path
from typing import Any

from pytest_lift.files import untrusted
from pytest_lift.mutation.inside import plugin
from pytest_lift.mutation.inside.controls import FORWARD, UNMUTATED
from pytest_lift.mutation.inside.steering import ENDING, STARTED, STOPPED
from pytest_lift.mutation.mutation import function_of
from pytest_lift.mutation.mutmut.errors import (
    MutationError,
    MutationStopped,
    MutmutMissing,
    NothingExecuted,
    NothingFails,
    NothingToMutate,
    NotMutable,
    OtherModules,
    SuiteNotCollected,
    SuiteNotPassing,
)
from pytest_lift.mutation.mutmut.project import FAILURES, IMPORTED, ORDER, MutationProject
from pytest_lift.mutation.mutmut.results import read_failures
from pytest_lift.run.pytest_options import own_folder
from pytest_lift.sandbox.child import Child, Places, run_child
from pytest_lift.sandbox.jail import Jail
from pytest_lift.text.wording import count

ENTRY = "pytest_lift.mutation.inside.entry"
"""Named, because it imports modules that exist only with mutmut."""
JOB, CHOSEN, NOTHING = "job.json", "chosen", "nothing"
NEEDLESS = frozenset(
    "lift xdist xdist.looponfail pytest_cov randomly random_order html metadata benchmark "
    "timeout rerunfailures sugar".split()
)
"""Plugins that order, distribute, measure, repeat or print: each mutant would pay for them."""
SELDOM = {
    "hypothesispytest": "hypothesis",
    "anyio": "anyio",
    "platformdirs": "platformdirs",
    "faker": "faker",
}
"""Plugins that come with libraries -> the word that stands in every suite that needs them."""
IMPORT_ALIKE = (
    "import it in the tests as its files are named below the import root (shop/prices.py as "
    "shop.prices); a pythonpath inside the package, or an import by path, hides the name"
)
ELSEWHERE = "run pytest in a copy of the project that holds what git tracks"
UNCOLLECTED = {
    "2": ("cannot be imported", ELSEWHERE),
    "4": ("is refused by pytest", ELSEWHERE),
    "5": ("has no tests", "write one, or name the folder of the tests: lift_tests"),
}
"""Status of pytest -> what it means, and what to do."""
MADE = "mutants are made"
"""Printed where pytest would be started, which is not needed."""
NO_MATCH = "Filtered for specific mutants, but nothing matches"
TAIL = 12
GRACE_SHARE, LONGEST_GRACE = 0.1, 3.0
"""Part of the time of a run that mutmut may need to end; seconds at most."""
_SPINNER = re.compile(r"\s*([\u2800-\u28ff] .*)?$")
"""Empty, or mutmut's progress indicator."""
_COLLECTED = re.compile(r"failed to collect stats\. runner returned (\d+)")


@dataclass(frozen=True)
class Steered:
    """When to begin no more mutants, so that those under test can end in time."""

    share: float = 1.0
    """Part of the time from the first mutant on."""
    least: int = 0
    """Number of mutants that are begun in any case."""


@dataclass(frozen=True)
class WantedRun:
    """Purpose of one run of mutmut."""

    keys: Sequence[str] = ()
    """Mutants to run, whatever is known of them; empty: all that are not decided yet."""
    only_prepare: bool = False
    """Make the mutants and find out which test executes what; run no mutant."""
    told: bool = False
    """Which test executes what is known: with `only_prepare`, collect no test either."""
    left_out: Collection[str] = ()
    """Tests (nodes, functions, or files that cannot be imported) that do not count."""
    seconds: float = 600.0
    words: Collection[str] = ()
    """Words of `SELDOM` that occur in the suite."""
    blocked: Collection[str] = ()
    """Plugins that the user's options switch off."""
    careful: bool = False
    """With pytest's own ways, for suites that need what is switched off to be fast."""
    free_order: bool = True
    """Let the tests come first that notice most; needs a suite that passes in any order."""
    control: bool = True
    """Run the suite twice in one process before any mutant: needed where mutants are forked from
    a process that has run it."""
    tests: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Mutant -> nodes of the tests that it is run against; all of its function where it has none
    here."""
    of_function: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """`Mutant.function` -> the tests that mutmut asks for."""
    times: Mapping[str, float] = field(default_factory=dict)
    """Node -> seconds."""
    patience: tuple[float, float] = (5.0, 5.0)
    """Seconds, and times as long as without a mutant, that a test may compute."""
    steered: Steered | None = None
    """Run the mutants of `tests` in their order; None: in mutmut's own."""


@dataclass(frozen=True)
class Finished:
    """Ending of a run."""

    failures: Mapping[str, set[str]]
    """Mutant -> tests that failed on it."""
    cut_short: bool
    """The time was up: mutants without a verdict were not run."""
    left_out: frozenset[str] = frozenset()
    """Tests that mutants were run without, since they fail where nothing is mutated."""


def require_mutmut() -> None:
    """Raises MutmutMissing."""
    try:
        found = version("mutmut")
    except PackageNotFoundError:
        found = ""
    numbers = tuple(int(part) for part in re.findall(r"\d+", found)[:3])
    if not (3, 8, 1) <= numbers < (3, 9):
        what = f"mutmut {found} is not a supported version" if found else "mutmut is not installed"
        raise MutmutMissing(what, todo="pip install 'pytest-lift[mutation]' (mutmut >=3.8.1,<3.9)")


def run_mutmut(project: MutationProject, jail: Jail, scratch: Path, wanted: WantedRun) -> Finished:
    """Runs mutmut once in `project`; verdicts are in its folder then.

    Raises MutationError, one kind for each failure mode;
    `SuiteNotPassing` where tests fail without a mutant (`failing_unmutated` names them).
    """
    for name in (FAILURES, STARTED, ENDING, STOPPED):
        untrusted.remove(project.kills / name)
    _write_job(project, wanted)
    keys = (NOTHING,) if wanted.only_prepare else wanted.keys
    child = run_child(
        [sys.executable, "-m", ENTRY, "run", f"--max-children={processors()}", *keys],
        cwd=project.root,
        env=jail.environment(scratch / "home", _environment(project, scratch, wanted)),
        seconds=wanted.seconds,
        jail=jail,
        places=Places((project.root,), project.writes, scratch, ("home", "tmp")),
    )
    found = read_failures(project)
    anyway = failing_anyway(project, found)
    prepared = MADE if wanted.told else NO_MATCH
    if not child.timed_out and not (wanted.only_prepare and prepared in child.output):
        _raise_for(child, found)
        if failing := failing_unmutated(found) - anyway:
            raise _failing(failing)
        if wanted.only_prepare:
            raise _ended_early(child)
    stopped = (project.kills / STOPPED).exists()
    return Finished(found, child.timed_out or stopped, anyway)


def processors() -> int:
    """Mutants that are run at a time."""
    return len(os.sched_getaffinity(0))


def failing_unmutated(failures: Mapping[str, set[str]]) -> frozenset[str]:
    """Returns tests that fail on the program as it is."""
    return frozenset().union(*(failures.get(name, set()) for name in UNMUTATED))


def failing_anyway(project: MutationProject, failures: Mapping[str, set[str]]) -> frozenset[str]:
    """Returns those of them that fail in the suite's own order, too; none where they are most of
    it."""
    found = frozenset(failures.get(FORWARD, ()))
    return found if 2 * len(found) <= project.collected() else frozenset()


def _write_job(project: MutationProject, wanted: WantedRun) -> None:
    _write_chosen(project, wanted)
    job = {
        "chosen": str(project.root / CHOSEN),
        "left_out": sorted(map(project.layout.placed, wanted.left_out)),
        "failures": str(project.kills / FAILURES),
        "order": str(project.kills / ORDER),
        "imported": str(project.kills / IMPORTED),
        "free": wanted.free_order,
        "sources": sorted(project.sources),
        "seconds": dict(wanted.times),
        "control": "twice" if wanted.control else "once",
        "told": MADE if wanted.only_prepare and wanted.told else "",
        "processes": processors(),
        "patience": wanted.patience,
        "steering": _steering(project, wanted),
    }
    untrusted.write(project.root / JOB, json.dumps(job).encode())


def _steering(project: MutationProject, wanted: WantedRun) -> dict[str, Any] | None:
    if wanted.steered is None:
        return None
    grace = min(LONGEST_GRACE, GRACE_SHARE * wanted.seconds)
    return {
        "folder": str(project.kills),
        "queue": {key: place for place, key in enumerate(wanted.tests)},
        "until": time.monotonic() + wanted.seconds - grace,
        "share": wanted.steered.share,
        "least": wanted.steered.least,
    }


def _write_chosen(project: MutationProject, wanted: WantedRun) -> None:
    folder, placed = project.root / CHOSEN, project.layout.placed
    untrusted.remove(folder)
    folder.mkdir()
    asked = {name: set(map(placed, nodes)) for name, nodes in wanted.of_function.items()}
    for mutant, nodes in wanted.tests.items():
        every = asked.get(function_of(mutant), set())
        if len(nodes) < len(every):
            told = plugin.mask_of(set(map(placed, nodes)), every)
            (folder / plugin.name_of(mutant)).write_text(told, "ascii")


def _environment(project: MutationProject, scratch: Path, wanted: WantedRun) -> dict[str, str]:
    temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch / "tmp"))
    roots = [str(project.mutants), str(project.mutants / "src")]
    environment = {
        **temporary,
        "PYTHONPATH": os.pathsep.join([*roots, *own_folder()]),
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(scratch / "tmp" / "hypothesis"),
        plugin.JOB: str(project.root / JOB),
        "PYTEST_PLUGINS": ",".join(_plugins(wanted.words, wanted.blocked)),
    }
    if not wanted.careful:
        environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    else:
        environment["PYTEST_PLUGINS"] = ",".join([*_named(), plugin.__name__])
    return environment


def _plugins(words: Collection[str], blocked: Collection[str]) -> list[str]:
    """Returns the options for installed plugins by module, so that no process searches for them,
    and for ours."""
    needless = NEEDLESS | {*blocked} | {name for name, word in SELDOM.items() if word not in words}
    found = [point.value for point in entry_points(group="pytest11") if point.name not in needless]
    return list(dict.fromkeys([*found, *_named(), plugin.__name__]))


def _named() -> list[str]:
    return [name for name in os.environ.get("PYTEST_PLUGINS", "").split(",") if name]


def _raise_for(child: Child, failures: Mapping[str, set[str]]) -> None:
    """Raises the error that mutmut's output stands for; nothing else tells its failures apart."""
    text = child.output
    if child.reason != "ended" or child.status < 0:
        raise MutationStopped(
            f"mutmut was stopped ({child.reason}, status {child.status}): {_tail(text)}",
            todo="raise --lift-max-memory, or take tests out that start processes or print a lot",
        )
    if NO_MATCH in text:
        raise NothingToMutate("mutmut knows none of the mutants asked for")
    if error := _error_of(text, failures):
        raise error
    if child.status != 0:
        raise MutationStopped(f"mutmut ended with status {child.status}: {_tail(text)}")


def _error_of(text: str, failures: Mapping[str, set[str]]) -> MutationError | None:
    collected = _COLLECTED.search(text)
    failing = sorted(failing_unmutated(failures))
    if failing and (collected or "Failed to run clean test" in text):
        return _failing(failing)
    if collected:
        why, todo = UNCOLLECTED.get(collected[1], ("fails", ELSEWHERE))
        return SuiteNotCollected(f"the suite {why} in mutmut's folder: {_tail(text)}", todo=todo)
    if "BadTestExecutionCommandsException" in text or "Failed to collect list of tests" in text:
        return SuiteNotCollected(
            f"pytest refuses the suite in mutmut's folder: {_tail(text)}",
            todo="options in addopts may need what is not there",
        )
    if "Failed to run clean test" in text:
        return SuiteNotPassing(f"the suite fails where nothing is mutated: {_tail(text)}")
    if "could not find any test case for any mutant" in text:
        return NothingExecuted(
            "no test executes a function that can be mutated",
            todo="call the program in the tests' own process: what only child processes run, or "
            "tests import from another folder, cannot be measured",
        )
    if "none match any mutant key" in text:
        return OtherModules(
            "the tests import the program under other module names than its files have",
            todo=IMPORT_ALIKE,
        )
    if "Unable to force test failures" in text:
        return NothingFails(
            "no test fails although every function raises",
            todo="the tests import another copy of the program: uninstall it, or correct sys.path",
        )
    if "invalid python syntax" in text or "CSTValidationError" in text:
        return NotMutable(f"mutmut cannot make mutants of it: {_tail(text)}")
    return None


def _ended_early(child: Child) -> MutationStopped:
    return MutationStopped(
        f"pytest ended before mutmut knew which test executes what: {_tail(child.output)}",
        todo="correct or deselect tests that end their own process (os._exit, signals)",
    )


def _failing(failing: Collection[str]) -> SuiteNotPassing:
    named = ", ".join(sorted(failing)[:3])
    return SuiteNotPassing(
        f"{count(len(failing), 'test')} failed where nothing is mutated: {named}",
        todo="make them pass in a plain pytest run; deselect those that read sources, start "
        "processes elsewhere, or depend on each other",
    )


def _tail(text: str) -> str:
    """Returns the last lines of mutmut's output; of a traceback only what it ends with."""
    lines = [line for line in text.replace("\r", "\n").splitlines() if not _SPINNER.match(line)]
    traced = any(line.startswith("Traceback (most recent call last)") for line in lines)
    return "\n".join(lines[-1 if traced else -TAIL :])
