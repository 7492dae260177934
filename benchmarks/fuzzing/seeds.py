"""Valid inputs of every reader: what the hostile ones are made from."""

from __future__ import annotations

import sqlite3
from functools import cache
from random import Random
from typing import Any

REQUIREMENTS = b"""\
encoding: &top
  options:
    - id: ENC-7
      title: "Keys can be sorted"
      description: With `sort_keys` the keys are written in order.
      acceptance:
        - keys come in ascending order
      examples:
        - |
          >>> from pkg import dumps
          >>> dumps({"b": 1, "a": 2})
          '{"a": 2, "b": 1}'
      level: unit
      tags: [a, b]
    - {id: 1.10, title: t, description: d, acceptance: a, scenario: s, untestable: why}
  non_goals:
    - {id: NG-1, title: YAML, description: Not provided., acceptance: none, waived: later}
other: &x
  <<: {copied: [{id: C, title: t, description: d, acceptance: [a]}]}
"""
FEEDBACK = b"""\
---
role: evaluator
verdict: REWORK
summary: Two gaps.
findings:
- kind: uncovered-branch
  what: 2 branches not executed
  file: pkg/mod.py
  line: 3
  symbol: sign
  requirement: ENC-7
  tests: [tests/test_mod.py::test_a]
  todo: call it
  gain: 2.0
  reach: testable
- kind: failing
  what: test fails
---
# Evaluation

**Verdict: REWORK**
"""
SOURCE = """\
def sign(x):
    if x > 0:
        return 1
    if x < 0:
        return -1
    return 0
"""
TESTS = '''\
"""Tests."""

import os

import pytest
from pkg import sign

MODE = [1, 2]


@pytest.fixture
def place(tmp_path):
    return tmp_path


@pytest.mark.req("ENC-7")
@pytest.mark.parametrize("x", [1, 2])
def test_sign(x, place, request):
    """Intent."""
    assert sign(x) == getattr(os, "sep") and request.node.name


class TestSign:
    @pytest.mark.emergent("seen")
    def test_zero(self):
        """Intent."""
        with pytest.raises(ValueError, match="x"):
            sign(None)
        assert eval(repr(1)) == __import__("os").getpid()
'''
FAILURE = {
    "phase": "call",
    "type": "ValueError",
    "message": "no",
    "file": "pkg/mod.py",
    "line": 3,
    "traceback": "Traceback",
    "frames": [["pkg/mod.py", 3, "sign"]],
}
NODE = "tests/test_mod.py::test_a"
CLAIMS = {"requirements": ["ENC-7"], "emergent": None, "doc": "Intent.", "written": True}
PHASE = {
    "event": "phase",
    "node": NODE,
    "when": "setup",
    "outcome": "passed",
    "seconds": 0.1,
    "reason": "",
    "output": "",
    "subtest": None,
}
EVENTS: list[dict[str, Any]] = [
    {"event": "start", "root": "/"},
    {"event": "broken", "file": "tests/test_b.py", "failure": FAILURE},
    {"event": "collected", "nodes": [NODE]},
    {"event": "begin", "node": NODE},
    {**PHASE, **CLAIMS},
    {**PHASE, "when": "call", "outcome": "failed", "failure": FAILURE},
    {**PHASE, "when": "teardown", "output": "printed"},
    {"event": "end", "node": NODE},
    {"event": "interrupt", "text": "^C"},
    {"event": "internal", "text": "bad"},
    {"event": "finish", "status": 1},
]
REPORT = {
    "files": {
        "pkg/mod.py": {
            "executed_lines": [1, 2, 3],
            "missing_lines": [4, 5, 6],
            "excluded_lines": [],
            "executed_branches": [[2, 3]],
            "missing_branches": [[2, 4], [4, 5]],
            "summary": {"covered_branches": 1},
        }
    }
}
FIGURES: dict[str, Any] = dict.fromkeys(
    ("tests", "passed", "failed", "skipped", "requirements", "touched", "verified", "unknown"), 1
)
FIGURES |= {"line_percent": 50.0, "branch_percent": 50.0, "contradicted": 0}
ITERATION: dict[str, Any] = {
    "number": 0,
    "mode": "baseline",
    "figures": FIGURES,
    "accepted": True,
    "why": "found",
    "verdict": "REWORK",
    "dropped": {NODE: "fails"},
    "seconds": {"measure": 1.0},
    "elapsed": 1.5,
}
FINDING = {
    "kind": "failing",
    "what": "fails",
    "file": "a.py",
    "line": 1,
    "symbol": "f",
    "gain": 1.0,
    "requirement": "R",
    "tests": [NODE],
    "evidence": "e",
    "todo": "t",
    "reach": "testable",
}
STANDING: dict[str, Any] = {
    "version": 1,
    "mode": "correct",
    "on_disk": {"tests/test_mod.py": "0" * 64},
    "seed": 0,
    "program": "p",
    "requirements": "r",
    "corrections": 1,
    "excused": [NODE],
    "findings": [FINDING],
}
OWNERSHIP = {"version": 1, "files": {"tests/test_mod.py": "0" * 16}, "tests": {NODE: "a" * 16}}
OLD, NEW = "def test_a():\n    assert 1\n", "def test_b():\n    assert 2\n"

SCHEMA = (
    "CREATE TABLE file (id INTEGER PRIMARY KEY, path TEXT)",
    "CREATE TABLE context (id INTEGER PRIMARY KEY, context TEXT)",
    "CREATE TABLE arc (file_id INTEGER, context_id INTEGER, fromno INTEGER, tono INTEGER)",
)
ENDLESS = (
    "WITH RECURSIVE n(a, b) AS (SELECT 1, 'x' UNION ALL SELECT a + 1, b FROM n) SELECT a, b FROM n"
)
CHANGES = (
    "INSERT INTO file VALUES (2, x'00ff')",
    "INSERT INTO file VALUES (3, NULL)",
    "INSERT INTO context VALUES (7, x'ff')",
    "INSERT INTO context VALUES (8, NULL)",
    "INSERT INTO context VALUES (9, 5.5)",
    "INSERT INTO arc VALUES (1, 1, 'x', 2)",
    "INSERT INTO arc VALUES (1, 1, NULL, 2)",
    "INSERT INTO arc VALUES (1, 1, 9223372036854775807, -9223372036854775808)",
    "INSERT INTO arc VALUES (1, 1, 1.5, 2)",
    "DROP TABLE arc",
    "DROP TABLE context",
    f"DROP TABLE context; CREATE VIEW context (id, context) AS {ENDLESS}",
    "DROP TABLE file; CREATE VIEW file AS SELECT 1 AS id, 'pkg/mod.py' AS path",
    "CREATE TRIGGER t AFTER INSERT ON arc BEGIN DELETE FROM file; END",
    "DROP TABLE arc; CREATE TABLE arc (file_id, context_id, fromno, tono AS (zeroblob(900000000)))",
    "DROP TABLE context; CREATE TABLE context (id INTEGER, context AS (hex(zeroblob(100000000))))",
    "PRAGMA journal_mode = WAL",
    "PRAGMA user_version = -1",
)


@cache
def database(change: int) -> bytes:
    """A database as coverage.py leaves it, as far as it is read, and one change by SQL."""
    data = sqlite3.connect(":memory:", isolation_level=None)
    for statement in SCHEMA:
        data.execute(statement)
    data.execute("INSERT INTO file VALUES (1, 'pkg/mod.py')")
    data.executemany("INSERT INTO context VALUES (?, ?)", [(1, ""), (2, f"{NODE}|run")])
    data.executemany("INSERT INTO arc VALUES (1, 2, ?, ?)", [(-1, 2), (2, 3), (2, 4), (4, 5)])
    if 0 < change <= len(CHANGES):
        data.executescript(CHANGES[change - 1])
    return data.serialize()


def damaged(data: bytes, random: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice((1, 2, 5, 40))):
        low = random.choice((0, 0, 100, len(changed) - 400))
        at = random.randrange(max(0, low), len(changed))
        changed[at] = random.choice((0, 1, 255, 127, random.randrange(256)))
    return bytes(changed[: random.choice((len(changed), len(changed), len(changed) // 2, 100))])
