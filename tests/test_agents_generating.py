"""Conversations that write tests: side by side, or one after the other where they share a file."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from brief_of import brief_of
from spoken_model import SpokenModel, calls, says

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.generating import generate
from pytest_lift.agents.prompted.roles import Prompts
from pytest_lift.agents.prompted.team import Team
from pytest_lift.findings.finding import Finding
from pytest_lift.llm.values import Answer, ModelError, ModelRequest
from pytest_lift.run.result import Run
from pytest_lift.suite.suite import Edit, Suite

BODY = "\n".join(f"def g{k}(a):\n    return a + {k}\n" for k in range(300))
PROGRAM = {
    "pkg/__init__.py": "",
    "pkg/long.py": BODY,
    "pkg/short.py": "def half(a):\n    return a // 2\n",
}


def gap(path: str, symbol: str, line: int, gain: float = 1.0) -> Finding:
    return Finding("uncovered-branch", f"{symbol} is not executed", path, line, symbol, gain=gain)


def a_test(module: str, name: str) -> dict[str, str]:
    code = f'def test_{name}():\n    """It adds."""\n    assert {name}(0) is not None\n'
    return {
        "path": f"tests/test_{module}.py",
        "tests": code,
        "imports": f"from pkg.{module} import {name}",
    }


def write(brief: Brief, answer: Any, context: int = 4000) -> tuple[Edit, SpokenModel, Team]:
    model = SpokenModel(answer, context)
    people = Team(model, Prompts())
    return asyncio.run(generate(brief, people)), model, people


def of(tmp_path: Path, *findings: Finding, **others: Any) -> Brief:
    return brief_of(tmp_path, PROGRAM, findings=findings, **others)


def test_packets_of_one_file_come_one_after_the_other(tmp_path: Path) -> None:
    shown: list[str] = []

    def answer(request: ModelRequest) -> Answer:
        if len(request.messages) > 2:
            return calls(("finish", {"summary": "s", "left_out": ["pkg/long.py:1 dead"]}))
        text = request.messages[1].text
        shown.append(text)
        symbol = "g230" if "def g230" in text else "g1"
        return calls(("add_tests", a_test("long", symbol)))

    brief = of(tmp_path, gap("pkg/long.py", "g1", 4, 1), gap("pkg/long.py", "g230", 691, 5))
    edit, _, _ = write(brief, answer)
    text = edit.files["tests/test_long.py"]
    assert text is not None
    assert re.findall(r"def (test_\w+)", text) == ["test_g230", "test_g1"]
    assert "Tests that are there" not in shown[0]
    assert "- test_g230 (unlinked): It adds." in shown[1]
    assert edit.left_out == ("pkg/long.py:1 dead",) * 2


def test_a_packet_that_overflows_is_halved_until_it_fits(tmp_path: Path) -> None:
    def answer(request: ModelRequest) -> Answer | Exception:
        if len(request.messages[1].text) > 1500:
            return ModelError("overflow", "too long")
        return calls(("finish", {"summary": "s"}))

    brief = of(tmp_path, gap("pkg/long.py", "g1", 4), gap("pkg/short.py", "half", 1))
    _, model, _ = write(brief, answer, 100_000)
    assert len(model.asked) > 4


def test_what_brought_nothing_is_not_asked_for_again(tmp_path: Path) -> None:
    brief = of(tmp_path, gap("pkg/short.py", "half", 1), mode="refine")
    model = SpokenModel(lambda request: calls(("finish", {"summary": "cannot"})))
    people = Team(model, Prompts())
    asyncio.run(generate(brief, people))
    asyncio.run(generate(brief, people))
    assert len(model.asked) == 1
    more = replace(brief, findings=(*brief.findings, gap("pkg/short.py", "other", 2)))
    asyncio.run(generate(more, people))
    assert len(model.asked) == 2


def test_a_draft_counts_when_the_budget_ends(tmp_path: Path) -> None:
    answers = [calls(("add_tests", a_test("short", "half"))), ModelError("budget", "used up")]
    edit, _, people = write(of(tmp_path, gap("pkg/short.py", "half", 1)), answers)
    assert "test_half" in (edit.files["tests/test_short.py"] or "")
    assert people.exhausted == "used up"


def test_mechanical_repairs_need_no_model(tmp_path: Path) -> None:
    code = 'def test_half():\n    """Halves."""\n    assert half(4) == 2\n'
    suite = Suite("tests").apply(Edit({"tests/test_short.py": code}))
    broken = Finding(
        "failing",
        "NameError: name 'half' is not defined",
        "tests/test_short.py",
        3,
        tests=("tests/test_short.py::test_half",),
        gain=100,
    )
    edit, model, _ = write(of(tmp_path, broken, suite=suite, mode="correct"), [])
    assert model.asked == []
    assert "from pkg.short import half" in (edit.files["tests/test_short.py"] or "")


def test_the_end_is_objected_to_while_tests_fail_or_are_refused(tmp_path: Path) -> None:
    runs: list[list[str]] = []

    def try_tests(suite: Suite, chosen: Any) -> tuple[Run, None]:
        runs.append(list(chosen))
        return Run("collection-errors" if len(runs) == 1 else "passed", broken={}), None

    bad = {**a_test("short", "half"), "tests": 'def test_half():\n    """H."""\n    half(1)\n'}
    end = calls(("finish", {"summary": "s"}))
    _, model, _ = write(
        of(tmp_path, gap("pkg/short.py", "half", 1), try_tests=try_tests),
        [calls(("add_tests", bad)), end, calls(("finish", {"summary": "t"}))],
    )
    assert "asserts nothing" in model.asked[2].messages[-1].text
    assert runs == []


def test_prose_alone_changes_nothing(tmp_path: Path) -> None:
    edit, _, _ = write(
        of(tmp_path, gap("pkg/short.py", "half", 1)), [says("a"), says("b"), says("c")]
    )
    assert not edit
    assert edit.why == "prose"
