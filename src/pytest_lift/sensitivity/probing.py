"""Chosen tests -> what the probe saw of them: the parent's side of `probe_plugin.py`."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_lift.files import untrusted
from pytest_lift.files.codec import decode, loads
from pytest_lift.marks.claims import DEFAULT, Claims
from pytest_lift.run.result import Run
from pytest_lift.run.run_suite import Plugin, run_suite
from pytest_lift.sandbox.jail import Jail
from pytest_lift.sensitivity.verdicts import (
    ANEW,
    EnteredFunction,
    ProbedRow,
    Reached,
    StubbedRun,
)
from pytest_lift.source.program import Program

MODULE = "pytest_lift.sensitivity.inside.probe_plugin"
TASK = "LIFT_PROBE"
LARGEST, LONGEST = 256 * 1024 * 1024, 1024 * 1024
"""Bytes of answers that are read, and of one of them."""
MOST_RESTARTS = 20
Place = tuple[str, int]
"""(path relative to the project, first line) of a function or a class of the program."""
Row = Mapping[str, Any]


@dataclass(frozen=True)
class ProbeRequest:
    """Tests to probe, where, and how."""

    program: Program
    copy: Path
    """Holds the suite already."""
    scratch: Path
    jail: Jail
    test_root: str
    chosen: Sequence[str] = ()
    """Node ids or paths; empty: all of the test root."""
    idle: Collection[str] = ()
    """Test functions of which no assertion looks at the program."""
    only: Mapping[str, Sequence[Place]] = field(default_factory=dict)
    """Test function -> what is stubbed for it, instead of what it calls."""
    mains: Collection[str] = ()
    """``module:function`` of console scripts."""
    addopts: Sequence[str] = ()
    claims: Claims = DEFAULT


@dataclass(frozen=True)
class SeenRow:
    """One row of a test, as the child saw it."""

    probed: ProbedRow
    reached: Reached


def probe(request: ProbeRequest, seconds: float) -> dict[str, SeenRow]:
    """Returns node id -> what was seen of it.

    A test that ends the whole session is left out when the next session goes on with the rest.
    """
    until, seen, chosen = time.monotonic() + seconds, dict[str, SeenRow](), request.chosen
    for _ in range(MOST_RESTARTS):
        left = until - time.monotonic()
        if left <= 0:
            break
        run, rows = _once(request, chosen, left)
        seen |= {node: _seen(row) for node, row in rows.items() if node not in seen}
        ended = next((n for n in run.collected if n not in seen), None)
        if run.cut_short in (None, "timed-out") or ended is None:
            break
        seen[ended] = _untold("it ends the whole session")
        chosen = [node for node in run.collected if node not in seen]
        if not chosen:
            break
    missing = [node for node in run.collected if node not in seen]
    return seen | {node: _untold("there was no time for it") for node in missing}


def _once(
    request: ProbeRequest, chosen: Sequence[str], seconds: float
) -> tuple[Run, dict[str, Row]]:
    folder = request.scratch / "probe"
    untrusted.remove(folder)
    folder.mkdir(parents=True)
    nonce, task, answers = os.urandom(16).hex(), folder / "task.json", folder / "answers.jsonl"
    untrusted.write(task, json.dumps(_task(request, answers, nonce)).encode())
    run = run_suite(
        request.copy,
        request.program,
        test_root=request.test_root,
        selection=chosen,
        reports=folder,
        scratch=request.scratch,
        seconds=seconds,
        jail=request.jail,
        claims=request.claims,
        addopts=request.addopts,
        measure=False,
        plugin=Plugin(MODULE, {TASK: str(task)}),
    )
    return run, rows_of(answers, nonce)


def _task(request: ProbeRequest, answers: Path, nonce: str) -> dict[str, Any]:
    root, program = request.copy.resolve(), request.program
    only = {
        node: [(str(root / path), line) for path, line in _functions(places, program)]
        for node, places in request.only.items()
    }
    return {
        "nonce": nonce,
        "answers": str(answers.resolve()),
        "modules": {file.module: str(root / path) for path, file in program.files.items()},
        "hollow": sorted(request.idle),
        "only": only,
        "mains": sorted(request.mains),
    }


def _functions(places: Sequence[Place], program: Program) -> list[Place]:
    """Returns the places of functions; a class stands for its methods."""
    found = []
    for path, line in places:
        symbols = program.files[path].symbols if path in program.files else ()
        here = [s for s in symbols if s.line == line and s.kind == "class"]
        inside = [
            (path, symbol.line)
            for symbol in symbols
            if symbol.kind == "method" and any(symbol.name.startswith(f"{s.name}.") for s in here)
        ]
        found += inside or [(path, line)]
    return found


def rows_of(answers: Path, nonce: str) -> dict[str, Row]:
    """Reads the file of a child: node -> rows; lines that the plugin did not write are left out."""
    found: dict[str, Row] = {}
    for line in untrusted.lines(answers, LARGEST, LONGEST):
        try:
            row = loads(line)
            if row["nonce"] == nonce and "node" in row:
                found.setdefault(str(row["node"]), row)
        except (ValueError, TypeError, KeyError):
            continue
    return found


def _untold(why: str) -> SeenRow:
    return SeenRow(ProbedRow(why_not=why), Reached())


def _seen(row: Row) -> SeenRow:
    try:
        return _read(row)
    except (ValueError, TypeError, KeyError, AttributeError):
        return _untold("what it wrote cannot be read")


def _read(row: Row) -> SeenRow:
    if row.get("settled") is True:
        return SeenRow(ProbedRow(settled=True), Reached())
    entries = decode(tuple[EnteredFunction, ...], row["entries"])
    runs = decode(dict[str, StubbedRun], row.get("runs", {}))
    probed = ProbedRow(
        str(row.get("why", "")),
        entries,
        runs.get("nothing"),
        runs.get("raise"),
        runs.get("hollow"),
        runs.get("distinct"),
        tuple(_doubts(row)),
        row.get("unstubbed") is not True,
    )
    reached = Reached(
        _texts(row["modules"]),
        tuple((entry.module, entry.name) for entry in entries),
        tuple(tuple(one.split("\0")) for one in _texts(row["processes"])),
        _texts(row["sockets"]),
        _texts(row["mains"]),
    )
    return SeenRow(probed, reached)


def _doubts(row: Row) -> list[str]:
    """Reasons why stubs show nothing about this row."""
    doubts = {
        "it starts other processes": row["processes"],
        "it talks through sockets": row["sockets"],
        ANEW: row["reloaded"],
        "it tests what an import does": row["imported"] and not row["entries"],
    }
    return [said for said, found in doubts.items() if found]


def _texts(values: Sequence[Any]) -> tuple[str, ...]:
    return tuple(map(str, values))
