"""A pytest plugin inside mutmut's processes: notes who fails on which mutant; orders, leaves out.

Standard library and pytest only: it is loaded in every process that runs a mutant. Each failing
test is a line of JSON, ``[mutant, node]``, appended to a file; the mutant is ``stats`` or empty
where nothing is mutated.

mutmut asks for tests in the order of a set. Here those come first that noticed another mutant of
the same function (Zhang, Marinov and Khurshid, ISSTA 2013), then the files with the quickest
tests. A suite has to pass backwards for that; one that does not is run in its own order.
"""

from __future__ import annotations

import json
import math
import os
import resource
import signal
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Generator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pytest_lift.mutation import trampoline
from pytest_lift.mutation.caches import forget_cached, mutated_modules
from pytest_lift.mutation.steering import Steering, begin_mutant

JOB = "LIFT_MUTATION_JOB"
"""Variable that names a JSON file: ``left_out`` (nodes, functions or files), ``chosen`` (the folder
with a file for each mutant that needs only some of the tests of its function), ``failures`` (the
file to append to), ``order`` (the file that keeps the suite's own order), ``imported`` (the file
for the names of mutated modules as the tests import them), ``free`` (whether another
order will do), ``seconds`` (node -> how long it takes), ``sources`` (files that are mutated, seen
from where the tests run), ``control`` (whether the
unmutated suite is run ``twice`` or ``once`` as a control), ``processes`` (at a time), ``patience``
(seconds, and times as long as it takes without a mutant, that one test may compute), ``told``
(what to print, and end, once mutants are made; empty: go on), ``steering`` (fields of `Steering`;
null: mutmut decides which mutant is next)."""
CONTROL = "lift.x_nothing__mutmut_0"
"""A mutant that there is not: while it is under test nothing is mutated, which a test that looks
for mutants, to fail on them, cannot know."""
FORWARD = "lift.x_nothing__mutmut_1"
"""The same, while the files of tests that failed in the control are run once more, alone and in the
suite's own order: what fails then, too, fails however mutants are run."""
UNMUTATED = ("", "stats", CONTROL, FORWARD)
"""What `MUTANT_UNDER_TEST` says while nothing is mutated."""
FAILED_CONTROL = b"Failed to run clean test\n"
"""As mutmut says it."""
HANGS = 5.0
"""Seconds, and times as long as it takes, after which a control hangs."""
MARKS = ("no_cover", "xdist_group", "timeout", "flaky", "benchmark", "random_order", "anyio")
"""That plugins register which are not loaded, since each mutant would pay for them."""
LEAST_TEST = 0.001
"""Seconds that the quickest test takes."""
FORCED = "fail"
"""The same while every function raises."""


@dataclass(frozen=True)
class Part:
    """Of the tests, those that one process runs as a control."""

    number: int = 0
    of: int = 1
    files: Collection[str] = ()
    """Of these files only; empty: of all."""


class _Plugin:
    def __init__(self, job: Mapping[str, Any], mutant: str, part: Part | None = None) -> None:
        self._job = job
        self._mutant = mutant
        self._part = part
        self._left_out = frozenset(job["left_out"]) | _ANYWAY

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """A file that cannot be imported would end the whole run."""
        return True if os.path.relpath(collection_path) in self._left_out else None

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> Generator[None]:
        yield
        gone = {item for item in items if self._is_left_out(item.nodeid)}
        if gone:
            config.hook.pytest_deselected(items=list(gone))
            items[:] = [item for item in items if item not in gone]
        if self._mutant == "stats":
            with open(self._job["order"], "a", encoding="utf-8") as file:
                file.writelines(json.dumps(item.nodeid) + "\n" for item in items)
        elif os.path.exists(self._job["order"]):
            self._sort(items)
        if self._part is not None:
            items[:] = part_of(items, self._part, self._job["seconds"])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """One test that computes on and on does not use up what all of them together may take."""
        if self._mutant in UNMUTATED or self._mutant == FORCED:
            return
        constant, times = self._job["patience"]
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        allowed = constant + times * self._job["seconds"].get(nodeid, 0.0)
        soft = math.ceil(time.process_time() + allowed)
        if hard == resource.RLIM_INFINITY or soft < hard:
            resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))

    def _sort(self, items: list[pytest.Item]) -> None:
        with open(self._job["order"], encoding="utf-8") as file:
            places = {json.loads(line): number for number, line in enumerate(file)}
        items.sort(key=lambda item: places.get(item.nodeid, len(places)))
        if not self._job["free"] or self._mutant == FORWARD:
            return
        if self._mutant in UNMUTATED:
            items.reverse()  # what is proven by it: the order does not matter
            return
        noticed, slowness = self._noticed(), _slowness(self._job["seconds"])
        items.sort(key=lambda item: (-noticed[item.nodeid], slowness.get(_file(item.nodeid), 0.0)))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """In the process from which mutants are forked tests are only imported: what one of them
        leaves behind there (a cache, rows that are used up) would be there for each mutant. That
        the suite passes, and fails where every function raises, is seen in forks, too."""
        if self._part is not None or not _forks(self._job):
            return None
        if self._mutant == FORCED:
            session.testsfailed = int(_fails_by_force(session.config, self._job))
        return True if self._mutant in ("", FORCED) else None

    def _noticed(self) -> Counter[str]:
        """Node -> mutants of the same function that it has failed on so far."""
        function = self._mutant.partition("__mutmut_")[0] + "__mutmut_"
        found: Counter[str] = Counter()
        try:
            with open(self._job["failures"], encoding="utf-8") as file:
                for line in file:
                    if function in line:
                        found[json.loads(line)[1]] += 1
        except (OSError, ValueError):
            pass  # none so far, or a line that is still being written
        return found

    def _is_left_out(self, node: str) -> bool:
        return node in self._left_out or node.partition("[")[0] in self._left_out

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            line = json.dumps([self._mutant, report.nodeid], ensure_ascii=False) + "\n"
            with open(self._job["failures"], "ab", buffering=0) as file:
                file.write(line.encode("utf-8", "backslashreplace"))


def _file(node: str) -> str:
    return node.partition("::")[0]


def _slowness(seconds: Mapping[str, float]) -> dict[str, float]:
    """File -> mean seconds of its tests."""
    of_file: defaultdict[str, list[float]] = defaultdict(list)
    for node, taken in seconds.items():
        of_file[_file(node)].append(taken)
    return {file: sum(taken) / len(taken) for file, taken in of_file.items()}


def name_of(mutant: str) -> str:
    """Of its file in the folder ``chosen``: keys can be longer than a file system allows."""
    return sha256(mutant.encode("utf-8", "surrogatepass")).hexdigest()


def mask_of(chosen: Collection[str], nodes: Collection[str]) -> str:
    """Which of `nodes`, sorted, are chosen: a hash of them all, and bits in hexadecimal. A list of
    names for each mutant would be the size of the suite times that of the program."""
    every = sorted(nodes)
    bits = sum(1 << number for number, node in enumerate(every) if node in chosen)
    return f"{name_of(chr(0).join(every))} {bits:x}"


def _choose(config: pytest.Config, folder: str, mutant: str) -> None:
    """Have pytest collect the tests only that execute what the mutant changes."""
    try:
        every, _, bits = Path(folder, name_of(mutant)).read_text("ascii").partition(" ")
    except FileNotFoundError:
        return
    nodes, mask = sorted(config.args), int(bits, 16)
    if every == name_of(chr(0).join(nodes)):
        chosen = {node for number, node in enumerate(nodes) if mask >> number & 1}
        config.args[:] = [node for node in config.args if node in chosen]


def _job() -> dict[str, Any] | None:
    place = os.environ.get(JOB)
    return json.loads(Path(place).read_text("utf-8")) if place else None


_ANYWAY: set[str] = set()
"""Tests that fail where nothing is mutated, as was found out in this process."""
_PART: Part | None = None
"""Set in a process that runs a part of the suite as a control."""


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Before anything can import the program."""
    if _job() is not None and "mutmut" in sys.modules:
        from mutmut.mutation import trampoline as theirs

        trampoline.install(theirs)


def pytest_configure(config: pytest.Config) -> None:
    job, mutant = _job(), os.environ.get("MUTANT_UNDER_TEST", "")
    if job is None:
        return
    if job["told"]:  # not earlier: while conftests are loaded, pytest keeps what is written
        os.write(1, f"{job['told']}\n".encode())
        os._exit(0)  # the first that mutmut does with mutants is to have tests collected
    steering = job["steering"]
    if steering is not None and mutant == "":
        Steering(**{**steering, "folder": Path(steering["folder"])}).take_over()
    if job["control"] == "once" and mutant == "":
        mutant = os.environ["MUTANT_UNDER_TEST"] = CONTROL
    for mark in MARKS:
        config.addinivalue_line("markers", f"{mark}: of a plugin that is not loaded here")
    config.pluginmanager.register(_Plugin(job, mutant, _PART), "lift-mutation-inside")
    if mutant in UNMUTATED:
        # All that fails on the program as it is has to be known at once.
        config.option.maxfail = 0
        return
    if steering is not None and mutant != FORCED:
        begin_mutant(Path(steering["folder"]))
    forget_cached(job["sources"])
    _choose(config, job["chosen"], mutant)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """A control: mutants run in a process where the suite has run before. What fails then, such
    as rows that can be used once only, would seem to notice every mutant."""
    job, mutant = _job(), os.environ.get("MUTANT_UNDER_TEST")
    if job is None:
        return
    if mutant in ("", CONTROL):
        names = "".join(f"{name}\n" for name in mutated_modules(job["sources"]))
        Path(job["imported"]).write_text(names, "utf-8", errors="surrogatepass")
    if job["control"] == "twice" and mutant == "":
        _run_again(config, job)
    elif mutant == CONTROL and job["control"] == "once":
        os.environ["MUTANT_UNDER_TEST"] = ""


def _run_again(config: pytest.Config, job: Mapping[str, Any]) -> None:
    """In processes forked from this one, as mutants are, and as many at a time; where the suite has
    left threads, which no fork has, in this one."""
    if _forks(job):
        parts = [Part(number, job["processes"]) for number in range(job["processes"])]
        _await({_forked(config, part, CONTROL) for part in parts}, _patience(job))
    else:
        _run(config, CONTROL)
    failing = _failed_on(job["failures"], CONTROL)
    if failing and not (_forks(job) and _fail_anyway(config, job, failing)):
        os.write(1, FAILED_CONTROL)
        os._exit(1)


def _fail_anyway(config: pytest.Config, job: Mapping[str, Any], failing: set[str]) -> bool:
    """Whether these fail in their own order, too, and are not most of the suite: then all others
    pass, and the mutants that are forked from here are run without them."""
    alone = Part(files=frozenset(map(_file, failing)))
    _await({_forked(config, alone, FORWARD)}, _patience(job))
    if failing != _failed_on(job["failures"], FORWARD) or 2 * len(failing) > len(job["seconds"]):
        return False
    _ANYWAY.update(failing)
    return True


def _forks(job: Mapping[str, Any]) -> bool:
    """Whether the suite can be run in forks of this process; threads would be missing there."""
    return bool(job["control"] == "twice" and threading.active_count() == 1)


def _fails_by_force(config: pytest.Config, job: Mapping[str, Any]) -> bool:
    return any(_await({_forked(config, Part(), FORCED)}, _patience(job)))


def _patience(job: Mapping[str, Any]) -> float:
    return HANGS + HANGS * float(sum(job["seconds"].values()))


def _forked(config: pytest.Config, part: Part, mutant: str) -> int:
    """The process of a run of a part of the suite, with this under test."""
    global _PART
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        _PART = part
        status = _run(config, mutant)
    finally:
        os._exit(status)


def _run(config: pytest.Config, mutant: str) -> int:
    before = os.environ["MUTANT_UNDER_TEST"]
    os.environ["MUTANT_UNDER_TEST"] = mutant
    try:
        return int(pytest.main(list(config.invocation_params.args)))
    finally:
        os.environ["MUTANT_UNDER_TEST"] = before


def _await(running: set[int], seconds: float) -> list[int]:
    """Their statuses, not 0 where they failed. What hangs when it is forked is ended: so will
    mutants, and be told by that."""
    until, statuses = time.monotonic() + seconds, []
    while running:
        late = time.monotonic() > until
        for child in list(running):
            if late:
                os.kill(child, signal.SIGKILL)
            ended, status = os.waitpid(child, 0 if late else os.WNOHANG)
            if ended:
                running.remove(child)
                statuses.append(status)
        time.sleep(0.02)
    return statuses


def _failed_on(failures: str, mutant: str) -> set[str]:
    """Nodes of tests."""
    try:
        with open(failures, encoding="utf-8") as file:
            told = (json.loads(line) for line in file)
            return {node for key, node in told if key == mutant}
    except (OSError, ValueError):
        return set()


def part_of(
    items: list[pytest.Item], part: Part, seconds: Mapping[str, float]
) -> list[pytest.Item]:
    """One of the parts that all take about as long, in their order."""
    if part.files:
        items = [item for item in items if _file(item.nodeid) in part.files]
    shares = [seconds.get(item.nodeid, 0.0) + LEAST_TEST for item in items]
    each, before, found = sum(shares) / part.of, 0.0, []
    for item, share in zip(items, shares, strict=True):
        if min(int(before / each), part.of - 1) == part.number:
            found.append(item)
        before += share
    return found
