"""The recorder inside a pytest session: what happens, as JSON-able events, while it happens.

Loaded with ``-p pytest_lift.run.inside.recorder`` it sends every event through the socket whose
descriptor is in ``LIFT_RECORD``, so that what ran before a crash is known. `Recorder` is the same
thing for a session of one's own: register it on every xdist worker too (with a sink that does
nothing there); the facts travel on the reports, and the controller's recorder has them all.

Events: ``start`` (root), ``broken`` (file, failure), ``deselected`` and ``collected`` (nodes,
named), ``begin`` (node), ``phase`` (node, when, outcome, seconds; and what else there is to say),
``end`` (node), ``internal`` (text), ``interrupt`` (text), ``finish`` (status).
`pytest_lift.run.events` folds them into a `Run`.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from pytest_lift.marks.claims import (
    DEFAULT,
    Claims,
    PropertyWriter,
    changed_since_setup,
    emergent,
    from_text,
    intent,
)
from pytest_lift.options import MARKS, NAMED_MARK
from pytest_lift.run.channel import Event, socket_sink
from pytest_lift.run.inside.coverage import ReadableCoverage
from pytest_lift.run.inside.failures import (
    MESSAGE_LIMIT,
    TEXT_LIMIT,
    describe,
    head,
    is_conftest_failure,
    plain_text,
    tail,
)

Sink = Callable[[Event], None]

RECORD = "LIFT_RECORD"
SHUFFLE = "LIFT_SHUFFLE"
CLAIMS = "LIFT_CLAIMS"
WORKER = "lift_known"
"""Key of what a worker of xdist tells its controller."""
OUTPUT_LIMIT = 16_000


class Recorder:
    """A pytest plugin object that hands every event of the session to `sink`."""

    def __init__(self, sink: Sink, claims: Claims = DEFAULT) -> None:
        self._sink = sink
        self._claims = claims
        self._collected = False
        self._deselected: dict[str, list[str]] = {}
        self._named: dict[str, list[str]] = {}
        """Tests that were collected, of those that name a requirement."""

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        self._sink({"event": "start", "root": str(session.config.rootpath)})

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        report = yield
        info = getattr(getattr(report, "call", None), "excinfo", None)
        if report.failed and info is not None:
            root = collector.config.rootpath
            failure = describe(info.value, "collect", root, report.longreprtext)
            report.lift_failure = failure  # type: ignore[attr-defined]
        return report

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            failure = getattr(report, "lift_failure", None) or _unknown("collect", report)
            file = failure.get("conftest") or report.nodeid.partition("::")[0] or failure["file"]
            self._sink({"event": "broken", "file": file, "failure": failure})

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        self._deselected.update((item.nodeid, list(self._claims.marked(item))) for item in items)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if session.config.pluginmanager.hasplugin("dsession"):
            return  # a controller of xdist
        marked = ((item.nodeid, list(self._claims.marked(item))) for item in session.items)
        self._named = {node: ids for node, ids in marked if ids}
        self._tell_deselected(self._deselected)
        nodes = [item.nodeid for item in session.items]
        self._sink({"event": "collected", "nodes": nodes, "named": self._named})

    def _tell_deselected(self, found: Mapping[str, list[str]]) -> None:
        if found:
            self._sink({"event": "deselected", "nodes": list(found), "named": dict(found)})

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: object, ids: list[str]) -> None:
        if not self._collected:
            self._collected = True
            self._sink({"event": "collected", "nodes": list(ids)})

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Passes on what an ended worker of xdist knows: all collect the same tests."""
        known = getattr(node, "workeroutput", {}).get(WORKER)
        if known and not self._named and not self._deselected:
            self._named, self._deselected = known
            self._tell_deselected(self._deselected)
            self._sink({"event": "collected", "nodes": [], "named": self._named})

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._sink({"event": "begin", "node": nodeid})

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        # A test may give itself a mark while it runs.
        told = report.when == "setup" or (report.when == "teardown" and changed_since_setup(item))
        facts = _said(item, self._claims) if told else {}
        if report.failed and call.excinfo is not None:
            root = item.config.rootpath
            text = report.longreprtext
            facts["failure"] = describe(
                call.excinfo.value, report.when, root, text, start=str(item.path)
            )
        if facts:
            report.lift = facts  # type: ignore[attr-defined]
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        event = {
            "event": "phase",
            "node": report.nodeid,
            "when": report.when,
            "outcome": report.outcome,
            "seconds": report.duration,
        }
        if facts := getattr(report, "lift", None):
            event |= facts
        if report.outcome != "passed" or hasattr(report, "wasxfail"):
            event |= _unusual(report)
        if report.sections and (report.when == "teardown" or report.failed):
            event["output"] = _output(report)
        if self._claims.names.properties:
            event["recorded"] = list(self._claims.recorded(report.user_properties))
        if type(report) is not pytest.TestReport:
            event["subtest"] = _subtest(report)
        if report.failed and "failure" not in event:
            event["failure"] = _unknown(str(report.when), report)
        self._sink(event)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self._sink({"event": "end", "node": nodeid})

    def pytest_internalerror(self, excrepr: object) -> None:
        self._sink({"event": "internal", "text": tail(str(excrepr), TEXT_LIMIT)})

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        self._sink({"event": "interrupt", "text": head(excinfo.exconly(), MESSAGE_LIMIT)})

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None]:
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[WORKER] = [self._named, self._deselected]
        yield
        self._sink({"event": "finish", "status": int(session.exitstatus)})


def shuffled(items: Iterable[pytest.Item], seed: int) -> list[pytest.Item]:
    """Returns the items in an order that depends on `seed` and their node ids only; for a negative
    one backwards, so that any two of them have run in both orders then.

    Modules change places, then the classes and functions in each, then the tests in a class:
    the tests of a module and of a class stay together, so that their fixtures are set up once.
    """
    if seed < 0:
        return [*items][::-1]
    source = random.Random(seed)
    rows = [(item.nodeid.partition("[")[0].split("::"), item) for item in items]
    rows.sort(key=lambda row: row[1].nodeid)
    return [item for _, item in _mixed(rows, 0, source)]


def _mixed(
    rows: list[tuple[list[str], pytest.Item]], depth: int, source: random.Random
) -> Iterator[tuple[list[str], pytest.Item]]:
    units: dict[object, list[tuple[list[str], pytest.Item]]] = {}
    for index, row in enumerate(rows):
        inner = len(row[0]) > depth + 1
        units.setdefault(row[0][depth] if inner else index, []).append(row)
    groups = list(units.values())
    source.shuffle(groups)
    for group in groups:
        if len(group[0][0]) > depth + 1:
            yield from _mixed(group, depth + 1, source)
        else:
            yield from group


def _unknown(phase: str, report: pytest.TestReport | pytest.CollectReport) -> Event:
    """Returns a failure without an exception: a strict xfail that passed, one of a plugin's."""
    # With xdist the printed form begins with the worker's name.
    text = report.longrepr if isinstance(report.longrepr, str) else report.longreprtext
    strict = text.startswith("[XPASS(strict)]")
    return {
        "phase": phase,
        "type": "XPASS(strict)" if strict else "",
        "message": head(text.removeprefix("[XPASS(strict)]").strip(), MESSAGE_LIMIT),
        "file": report.nodeid.partition("::")[0],
        "line": 0,
        "traceback": tail(text, TEXT_LIMIT),
        "frames": [],
    }


def _said(item: pytest.Item, claims: Claims) -> Event:
    """Returns links and intent that the test states."""
    return {
        "requirements": list(claims.marked(item)),
        "emergent": emergent(item),
        "doc": head(intent(item), MESSAGE_LIMIT),
        "written": isinstance(item, pytest.Function),
        "shares": _shares(item),
    }


def _shares(item: pytest.Item) -> bool:
    """Whether a fixture that it uses, not one of pytest's, is set up for several tests at once."""
    known = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    for name, definitions in known.items():
        for one in definitions:
            if one.scope != "function" and not _is_pytests(name, one.func):
                return True
    return False


def _is_pytests(name: str, function: object) -> bool:
    """Whether a fixture is pytest's own or a plugin's; pytest's names for ``setup_module`` and the
    like begin with ``_``."""
    module = str(getattr(function, "__module__", ""))
    return module.startswith(("_pytest.", "pytest_", "xdist.")) and not name.startswith("_")


def _unusual(report: pytest.TestReport) -> Event:
    """Outcome and reason of a phase that did not simply pass."""
    outcome, reason = str(report.outcome), ""
    if hasattr(report, "wasxfail"):
        outcome = {"skipped": "xfailed", "passed": "xpassed"}.get(outcome, outcome)
        reason = str(report.wasxfail).removeprefix("reason: ")
    elif report.skipped and isinstance(report.longrepr, tuple):
        reason = str(report.longrepr[2]).removeprefix("Skipped: ")
    return {"outcome": outcome, "reason": head(reason, MESSAGE_LIMIT)}


def _output(report: pytest.TestReport) -> str:
    parts = [f"--- {name} ---\n{text}" for name, text in report.sections if text]
    return tail("\n".join(parts), OUTPUT_LIMIT)


def _subtest(report: pytest.TestReport) -> str | None:
    """Returns the description of a subtest, None for a test's own report."""
    old = getattr(report, "sub_test_description", None)
    describe_it = getattr(report, "_sub_test_description", old)
    return str(describe_it()) if callable(describe_it) else None


# The module as a plugin: only what the environment asks for.

SINK = pytest.StashKey[Sink]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    """Opens the channel to the lift before the first conftest is imported."""
    # Popped, so that a pytest that a test starts does not write into this record.
    number = os.environ.pop(RECORD, None)
    if number is None:
        return (yield)
    sink = early_config.stash[SINK] = socket_sink(int(number))
    try:
        return (yield)
    except Exception as error:
        if is_conftest_failure(error):
            failure = describe(error, "collect", early_config.rootpath, plain_text(error))
            sink({"event": "broken", "file": failure["conftest"], "failure": failure})
        raise


def pytest_configure(config: pytest.Config) -> None:
    sink, claims = config.stash.get(SINK, None), from_text(os.environ.pop(CLAIMS, None))
    for mark in (*MARKS, *map(NAMED_MARK.format, claims.names.markers)):
        config.addinivalue_line("markers", mark)
    if sink is not None:
        config.pluginmanager.register(Recorder(sink, claims), "lift-recorder")
        config.pluginmanager.register(PropertyWriter(claims), "lift-properties")
        config.pluginmanager.register(ReadableCoverage(), "lift-coverage")
    seed = os.environ.pop(SHUFFLE, None)
    if seed:
        config.pluginmanager.register(_Shuffle(int(seed)), "lift-shuffle")


class _Shuffle:
    def __init__(self, seed: int) -> None:
        self._seed = seed

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = shuffled(items, self._seed)
