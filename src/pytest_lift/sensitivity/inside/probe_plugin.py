"""A pytest plugin inside a run: each test once as usual, then with what it calls replaced.

Loaded with ``-p pytest_lift.sensitivity.inside.probe_plugin``; LIFT_PROBE names the file with the
task. One JSON line for each test goes to the file that the task names. A stubbed run has a process
of its own, which is ended when it takes too long: nothing that it breaks is seen by the next test.

Reports cost more than most tests, and nobody reads those of a stubbed run.
"""

from __future__ import annotations

import inspect
import json
import os
import sys
import time
import unittest
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from pytest_lift.sensitivity.inside.probe_stubs import (
    Action,
    Stubs,
    apart,
    forget,
    functions_of,
)
from pytest_lift.sensitivity.inside.probe_watch import ProgramCall, TestActivity, Watch

TASK = "LIFT_PROBE"
Row = dict[str, Any]
_NESTED = ".<locals>."


def run_silently(item: pytest.Item) -> dict[str, Any]:
    """Returns the outcome, and the exception if it failed; function-scoped fixtures are made again,
    those that other tests share are kept."""
    known: Any = item
    if hasattr(item, "_request") and not known._request:
        known._initrequest()
    hooks, found = item.ihook, []
    setup = pytest.CallInfo.from_call(lambda: hooks.pytest_runtest_setup(item=item), "setup")
    found.append(setup.excinfo)
    if setup.excinfo is None:
        call = pytest.CallInfo.from_call(lambda: hooks.pytest_runtest_call(item=item), "call")
        found += [*(getattr(item, "_excinfo", None) or ()), call.excinfo]  # unittest's keep theirs
    parent = item.parent
    down = pytest.CallInfo.from_call(
        lambda: hooks.pytest_runtest_teardown(item=item, nextitem=parent), "teardown"
    )
    found.append(down.excinfo)
    return _told([info.value for info in found if info is not None])


def _told(raised: list[BaseException]) -> dict[str, Any]:
    skips = pytest.skip.Exception, unittest.SkipTest
    failures = [one for one in raised if not isinstance(one, skips)]
    if not failures:
        return {"outcome": "skipped" if raised else "passed"}
    first = failures[0]
    asserted = isinstance(first, AssertionError | pytest.fail.Exception)
    return {"outcome": "failed", "error": type(first).__name__, "asserted": asserted}


@dataclass
class Replacement:
    """Functions that are replaced for one test."""

    functions: list[tuple[list[FunctionType], bool]] = field(default_factory=list)
    """Functions, and whether they are generators that are used in a `with`."""
    all_found: bool = True

    def __bool__(self) -> bool:
        return any(functions for functions, _ in self.functions)


class TestProber:
    """Runs every test of the session and writes down what it found."""

    def __init__(self, task: dict[str, Any]) -> None:
        self._modules: dict[str, str] = task["modules"]
        """Module -> absolute path."""
        self._files = {path: module for module, path in self._modules.items()}
        self._hollow = frozenset(task["hollow"])
        self._only: dict[str, list[list[Any]]] = task["only"]
        self._nonce: str = task["nonce"]
        self._watch = Watch(self._modules, self._files, task["mains"])
        self._out = os.open(task["answers"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._settled: set[str] = set()
        self._found: dict[int, tuple[CodeType, list[FunctionType]]] = {}
        """id of a code object -> it, and the functions that run it."""
        self._failed = self._asserted = False
        """Something was reported as failed: in a stubbed run this is a subtest."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        self._write({"begin": item.nodeid})
        self._write({"node": item.nodeid, **self._row(item)})
        # What the tests of a module or a class share lives on until here.
        over = item.session._setupstate.teardown_exact
        ends = KeyboardInterrupt, pytest.exit.Exception
        pytest.CallInfo.from_call(lambda: over(nextitem), "teardown", reraise=ends)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            said = getattr(getattr(report.longrepr, "reprcrash", None), "message", "")
            self._failed = True
            self._asserted |= str(said).startswith(("assert", "Failed"))

    def _row(self, item: pytest.Item) -> Row:
        function = item.nodeid.partition("[")[0]
        if function in self._settled:
            _run(item, log=True)
            return {"settled": True}
        forget(self._modules)
        started = time.monotonic()
        before = frozenset(name for name in self._modules if name in sys.modules)
        with self._watch.on() as seen:
            reports = _run(item, log=True)
        seconds = time.monotonic() - started
        facts = self._facts(seen, before)
        why = _unsuited(item, reports, seen)
        if why:
            return {**facts, "why": why}
        target = self._named(function) if function in self._only else self._entered(seen)
        if not target:
            return facts
        facts["unstubbed"] = seen.cut_short or not target.all_found
        return {**facts, **self._stubbed_runs(item, function, target, 2.0 + 10 * seconds)}

    def _stubbed_runs(
        self, item: pytest.Item, function: str, target: Replacement, seconds: float
    ) -> Row:
        runs = {"nothing": self._stubbed(item, target, "nothing", seconds)}
        failed = runs["nothing"]["outcome"] != "passed"
        if function in self._only or not failed:
            runs["raise"] = self._stubbed(item, target, "raise", seconds)
            if function not in self._hollow and runs["raise"]["outcome"] != "passed":
                runs["distinct"] = self._stubbed(item, target, "distinct", seconds)
        elif function in self._hollow:
            runs["hollow"] = self._stubbed(item, target, "hollow", seconds)
        if failed and ("hollow" not in runs or runs["hollow"]["outcome"] != "passed"):
            self._settled.add(function)
        return {"runs": runs}

    def _stubbed(
        self, item: pytest.Item, target: Replacement, action: Action, seconds: float
    ) -> Row:
        def run() -> Row:
            stubs = Stubs(action)
            self._failed = self._asserted = False
            forget(self._modules)
            for functions, managed in target.functions:
                stubs.put(functions, managed=managed)
            outcome = run_silently(item)
            if outcome["outcome"] == "passed" and self._failed:
                outcome |= {"outcome": "failed", "asserted": self._asserted}
            return {**outcome, "reached": stubs.reached}

        return apart(run, seconds)

    def _entered(self, seen: TestActivity) -> Replacement:
        """Returns the functions of the entries of a test, as far as they can be found."""
        unknown = {n: e.code for n, e in seen.entries.items() if n not in self._found}
        called = {(entry.module, entry.code.co_qualname) for entry in seen.entries.values()}
        # What a function makes anew each time has to be looked for, unless that one is stubbed.
        loose = any(
            _NESTED in entry.code.co_qualname and not _is_made_by(entry, called)
            for entry in seen.entries.values()
        )
        self._found |= {number: (code, []) for number, code in unknown.items()}
        if unknown or loose:
            self._look()
        rows = [(entry, self._found[number][1]) for number, entry in seen.entries.items()]
        made = {(entry.module, entry.code.co_qualname) for entry, functions in rows if functions}
        return Replacement(
            [(functions, entry.managed) for entry, functions in rows],
            all(functions or _is_made_by(entry, made) for entry, functions in rows),
        )

    def _look(self) -> None:
        """Searches the whole heap for functions; done rarely, because it takes as long as many
        tests."""
        for function in functions_of(self._modules):
            code = function.__code__
            known = self._found.setdefault(id(code), (code, []))[1]
            if not any(function is one for one in known):
                known.append(function)

    def _named(self, function: str) -> Replacement:
        places = {(str(path), int(line)) for path, line in self._only[function]}
        functions = [
            one
            for one in functions_of(self._modules)
            if (one.__code__.co_filename, one.__code__.co_firstlineno) in places
        ]
        return Replacement([(functions, False)])

    def _facts(self, seen: TestActivity, before: frozenset[str]) -> Row:
        return {
            "entries": [
                {
                    "module": entry.module,
                    "name": entry.code.co_qualname,
                    "line": entry.code.co_firstlineno,
                    "returned": entry.returned,
                }
                for entry in seen.entries.values()
            ],
            "modules": list(seen.modules),
            "imported": list(seen.imported),
            "reloaded": any(name in before for name in seen.imported),
            "processes": seen.processes,
            "sockets": seen.sockets,
            "mains": list(seen.mains),
        }

    def _write(self, row: Row) -> None:
        os.write(self._out, json.dumps({**row, "nonce": self._nonce}).encode() + b"\n")


def _run(item: pytest.Item, *, log: bool) -> list[pytest.TestReport]:
    """Runs the test once; fixtures that other tests share are kept."""
    parent: Any = item.parent
    return runtestprotocol(item, log=log, nextitem=parent)


def _outcome(reports: list[pytest.TestReport]) -> str:
    outcomes = {str(report.outcome) for report in reports}
    return next((bad for bad in ("failed", "skipped") if bad in outcomes), "passed")


def _unsuited(item: pytest.Item, reports: list[pytest.TestReport], seen: TestActivity) -> str:
    """Returns why it is not run with stubs, if it is not."""
    if any(hasattr(report, "wasxfail") for report in reports):
        return "it is expected to fail"
    if (outcome := _outcome(reports)) != "passed":
        return f"it {outcome}" if outcome == "failed" else "it was skipped"
    if not isinstance(item, pytest.Function):
        return "it is not a Python function"
    function = inspect.unwrap(getattr(item.obj, "__func__", item.obj))
    if hasattr(item.obj, "is_hypothesis_test") or hasattr(function, "is_hypothesis_test"):
        return "its inputs are chosen by hypothesis"
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return "it runs in an event loop of a plugin"
    return "it uses a profiler of its own" if seen.disturbed else ""


def _is_made_by(entry: ProgramCall, made: set[tuple[str, str]]) -> bool:
    """Whether a function is made by one that is replaced, so that it is never made."""
    name = entry.code.co_qualname
    while _NESTED in name:
        name = name.rpartition(_NESTED)[0]
        if (entry.module, name) in made:
            return True
    return False


def pytest_configure(config: pytest.Config) -> None:
    name = os.environ.pop(TASK, None)
    if name is not None:
        task = json.loads(Path(name).read_bytes())
        os.unlink(name)  # it holds what makes a line a genuine one
        config.pluginmanager.register(TestProber(task), "lift-prober")
