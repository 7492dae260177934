"""A brief of a small suite that passes, before anybody has judged it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from brief_of import asked, brief_of

from pytest_lift.agents.contract import Brief
from pytest_lift.run.result import Run, TestResult
from pytest_lift.suite.suite import Edit, Suite
from pytest_lift.trace.trace import trace_run

PROGRAM = {
    "pkg/__init__.py": "",
    "pkg/mod.py": "def half(x):\n    return x // 2\n\n\ndef name():\n    return 'pkg'\n",
}
R1 = asked("R-1", "`half` gives half of a number.", acceptance="Half of ten is five.")
R2 = asked("R-2", "`name` is short.", acceptance="It has three letters.")
TESTS = '''import pytest
from pkg.mod import half, name


@pytest.mark.req("R-1")
def test_half():
    """Halves."""
    assert half(10) == 5


@pytest.mark.req("R-2")
def test_name():
    """Names."""
    assert len(name()) == 3
'''
HALF, NAME = "tests/test_mod.py::test_half", "tests/test_mod.py::test_name"


def passing_brief(tmp_path: Path) -> Brief:
    suite = Suite("tests").apply(Edit({"tests/test_mod.py": TESTS}))
    base = brief_of(tmp_path, PROGRAM, requirements=(R1, R2), suite=suite, mode="refine")
    results = {
        HALF: TestResult(HALF, "passed", 0.1, requirements=("R-1",)),
        NAME: TestResult(NAME, "passed", 0.1, requirements=("R-2",)),
    }
    run = Run("passed", results)
    return replace(base, run=run, trace=trace_run(base.requirements, run, suite))
