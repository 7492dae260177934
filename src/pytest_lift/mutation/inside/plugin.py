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
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Generator, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pytest_lift.mutation.inside import controls
from pytest_lift.mutation.inside.controls import CONTROL, FORCED, FORWARD, UNMUTATED, file_of
from pytest_lift.mutation.inside.steering import Steering, begin_mutant

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
MARKS = ("no_cover", "xdist_group", "timeout", "flaky", "benchmark", "random_order", "anyio")
"""That plugins register which are not loaded, since each mutant would pay for them."""


class _Plugin:
    def __init__(
        self, job: Mapping[str, Any], mutant: str, part: controls.Part | None = None
    ) -> None:
        self._job = job
        self._mutant = mutant
        self._part = part
        self._left_out = frozenset(job["left_out"]) | controls.failing_anyway

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Ignores files that cannot be imported, which would end the whole run."""
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
            items[:] = controls.part_of(items, self._part, self._job["seconds"])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Limits the processor time of one test, so that it does not use up the time of all."""
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
        noticed, slow = self._noticed(), _slowness(self._job["seconds"])
        items.sort(key=lambda item: (-noticed[item.nodeid], slow.get(file_of(item.nodeid), 0.0)))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Only imports the tests in the process from which mutants are forked: state that a test
        leaves there (a cache, an exhausted iterator) would be there for each mutant. That the suite
        passes, and fails where every function raises, is tried in forks, too."""
        if self._part is not None or not controls.forks(self._job):
            return None
        if self._mutant == FORCED:
            session.testsfailed = int(controls.fails_by_force(session.config, self._job))
        return True if self._mutant in ("", FORCED) else None

    def _noticed(self) -> Counter[str]:
        """Returns node -> mutants of the same function that it has failed on so far."""
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


def _slowness(seconds: Mapping[str, float]) -> dict[str, float]:
    """Returns file -> mean seconds of its tests."""
    of_file: defaultdict[str, list[float]] = defaultdict(list)
    for node, taken in seconds.items():
        of_file[file_of(node)].append(taken)
    return {file: sum(taken) / len(taken) for file, taken in of_file.items()}


def name_of(mutant: str) -> str:
    """Returns the file name for a mutant in the folder ``chosen``: keys can be longer than a file
    system allows."""
    return sha256(mutant.encode("utf-8", "surrogatepass")).hexdigest()


def mask_of(chosen: Collection[str], nodes: Collection[str]) -> str:
    """Returns a mask of the chosen ones of `nodes`, sorted: a hash of them all, and bits in
    hexadecimal. A list of names for each mutant would be the size of the suite times that of the
    program."""
    every = sorted(nodes)
    bits = sum(1 << number for number, node in enumerate(every) if node in chosen)
    return f"{name_of(chr(0).join(every))} {bits:x}"


def _choose(config: pytest.Config, folder: str, mutant: str) -> None:
    """Makes pytest collect only the tests that execute what the mutant changes."""
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
    config.pluginmanager.register(_Plugin(job, mutant, controls.part()), "lift-mutation-inside")
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
    """Begins the next control once the tests of a run are over, if there is one."""
    job, mutant = _job(), os.environ.get("MUTANT_UNDER_TEST")
    if job is None:
        return
    if mutant in ("", CONTROL):
        names = "".join(f"{name}\n" for name in mutated_modules(job["sources"]))
        Path(job["imported"]).write_text(names, "utf-8", errors="surrogatepass")
    if job["control"] == "twice" and mutant == "":
        controls.run_again(config, job)
    elif mutant == CONTROL and job["control"] == "once":
        os.environ["MUTANT_UNDER_TEST"] = ""


def forget_cached(sources: Collection[str]) -> None:
    """Empties the caches of functions and methods in the modules of these files, relative to the
    working directory."""
    for module in mutated_modules(sources).values():
        for clear in _clearing(vars(module)):
            with suppress(Exception):  # it is the program's
                clear()


def mutated_modules(sources: Collection[str]) -> dict[str, ModuleType]:
    """Returns name -> module, of those that are imported from these files, relative to the working
    directory."""
    return {name: one for name, one in list(sys.modules.items()) if _place(one) in sources}


def _place(module: ModuleType) -> str:
    file = getattr(module, "__file__", None)
    return os.path.relpath(file) if isinstance(file, str) else ""


def _clearing(names: dict[str, object], *, inner: bool = True) -> Iterator[Callable[[], object]]:
    for value in list(names.values()):
        value = getattr(value, "__func__", value)  # a static or class method
        if isinstance(value, type):
            if inner:
                yield from _clearing(dict(vars(value)), inner=False)
        elif callable(clear := getattr(value, "cache_clear", None)):
            yield clear
