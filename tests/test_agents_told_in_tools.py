"""What tools tell an author of tests is what stands now, of all tests there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from brief_of import asked, brief_of
from scripted_model import Body, Reply, call, calls
from served_team import message, results, served
from talked_draft import PROGRAM

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.generating import generate
from pytest_lift.coverage.coverage import Coverage, FileCoverage
from pytest_lift.findings.finding import Finding
from pytest_lift.requirements.requirement import Expectation
from pytest_lift.run.result import Run, TestResult
from pytest_lift.suite.suite import Suite, suite_of

PLACE = "tests/test_mod.py"
CODE = "def one(x):\n    if x:\n        return 1\n    return 2\n\n\ndef two():\n    return 3\n"
TWO = '''from pkg.mod import one, two


def test_one():
    """One."""
    assert one(True) == 1


def test_two():
    """Two."""
    assert two() == 3
'''
DONE = ("finish", {"summary": "done"})


def gap(path: str = "pkg/mod.py", line: int = 1) -> Finding:
    return Finding("uncovered-branch", "a gap", path, line, gain=1)


def run_of(suite: Suite, chosen: Sequence[str]) -> tuple[Run, Coverage]:
    """The tests pass; `test_one` executes lines 2 and 3, `test_two` line 8."""
    lines = {"test_one": {2, 3}, "test_two": {8}}
    names = [t.name for t in suite.tests() if t.node in chosen or t.node.split("::")[0] in chosen]
    done = frozenset({1, 7}.union(*(lines[name] for name in names)))
    figures = FileCoverage(
        "pkg/mod.py", done, frozenset({2, 3, 4, 8} - done), frozenset(), frozenset(), frozenset()
    )
    results = {name: TestResult(f"{PLACE}::{name}", "passed", 0.0) for name in names}
    return Run("passed", results), Coverage({"pkg/mod.py": figures})


@pytest.fixture
def brief(tmp_path: Path) -> Brief:
    program = {"pkg/__init__.py": "", "pkg/mod.py": CODE}
    return brief_of(tmp_path, program, findings=(gap(),), try_tests=run_of)


def test_reading_tools_see_what_was_just_written(tmp_path: Path) -> None:
    text = TWO.replace("one, two", "double").replace("one(True) == 1", "double(1) == 2")
    text = text.partition("\n\ndef test_two")[0]
    asked = [("list_files", {"folder": "tests"}), ("read_file", {"path": PLACE}), ("search", {"text": "double(1)"})]  # fmt: skip

    def script(body: Body, number: int) -> Reply:
        if number < 3:
            return calls(*asked)
        if number == 3:
            return calls(("write_test_file", {"path": PLACE, "text": text}), *asked)
        return calls(DONE)

    _, requests = served(generate, brief_of(tmp_path, PROGRAM, findings=(gap(),)), script)
    before, after = results(requests[1]), results(requests[4])[-3:]
    assert before[0] == "nothing there"
    assert before[1].startswith("not done: ")
    assert before[2] == "no line contains 'double(1)'"
    assert after[0] == f"{PLACE} (6 lines)"
    assert "    6     assert double(1) == 2" in after[1]
    assert after[2] == f"{PLACE}:6: assert double(1) == 2"


def test_a_requirement_is_looked_up_with_all_its_expectations(tmp_path: Path) -> None:
    said = tuple(
        Expectation("R-1", "s", f"one(x + {n})", expected="1", setup="from pkg import one\nx = 4\ny = 5\nz = x + y")
        for n in range(9)
    )  # fmt: skip
    item = asked("R-1", "`one` gives one.")
    brief = brief_of(tmp_path, PROGRAM, requirements=(item,), findings=(gap(),), expectations=said)
    _, requests = served(generate, brief, [call("requirement", id="R-1"), calls(DONE), calls(DONE)])
    (told,) = results(requests[1])
    assert told.count("x = 4") == 1
    assert all(f"`one(x + {n})` == `1`" in told for n in range(9))


def test_what_no_test_executes_is_told_of_all_tests_that_there_are(brief: Brief) -> None:
    whole = {"path": PLACE, "text": TWO}
    script = [
        calls(("write_test_file", whole), ("run_tests", {"tests": [f"{PLACE}::test_one"]})),
        call("run_tests", tests=[f"{PLACE}::test_two"]),
        call("run_tests"),
        calls(DONE),
        calls(DONE),
    ]
    _, requests = served(generate, brief, script)
    _, single, both, whole_file = results(requests[3])
    told = "not executed by the tests that ran, nor by the accepted ones:"
    assert single == f"1 passed\n{told}\n  pkg/mod.py:4: return 2\n  pkg/mod.py:8: return 3"
    assert both == f"1 passed\n{told}\n  pkg/mod.py:4: return 2"
    assert whole_file == "2 passed\nnot executed by any test yet:\n  pkg/mod.py:4: return 2"


def test_what_accepted_tests_execute_is_no_gap(brief: Brief) -> None:
    theirs = suite_of("tests", {"tests/test_theirs.py": TWO})
    _, accepted = run_of(theirs, ["tests/test_theirs.py"])
    brief = replace(brief, suite=theirs, accepted=theirs, coverage=accepted)
    text = TWO.partition("\n\ndef test_two")[0].replace("one, two", "one")
    script = [
        calls(("write_test_file", {"path": PLACE, "text": text}), ("run_tests", {})),
        calls(DONE),
        calls(DONE),
    ]
    _, requests = served(generate, brief, script)
    told = "not executed by any test yet:\n  pkg/mod.py:4: return 2"
    assert results(requests[1])[-1] == f"1 passed\n{told}"


def test_a_task_does_not_deny_the_tests_that_it_lists(brief: Brief) -> None:
    _, (none,) = served(generate, brief, [calls(DONE)])
    assert "Mode: initial. Write tests for this: there are none yet." in message(none)
    theirs = suite_of("tests", {PLACE: TWO})
    _, (some,) = served(generate, replace(brief, suite=theirs), [calls(DONE)])
    assert "- test_one (unlinked) [the user's: read-only]: One." in message(some)
    assert "those that are listed are the user's, so add what they lack." in message(some)
    assert "no tests of ours" not in "".join(turn["content"] for turn in some["messages"])


def test_a_later_task_of_a_file_tells_of_the_tests_that_were_just_written(tmp_path: Path) -> None:
    body = "\n".join(f"def g{k}(a):\n    return a + {k}\n" for k in range(300))
    findings = (gap("pkg/mod.py", 4), gap("pkg/mod.py", 691))

    def script(asked: Body, number: int) -> Reply:
        if results(asked):
            return calls(DONE)
        name = "g230" if "def g230" in message(asked) else "g1"
        code = f'def test_{name}():\n    """It adds."""\n    assert {name}(0) == {name[1:]}\n'
        return call("add_tests", path=PLACE, tests=code, imports=f"from pkg.mod import {name}")

    brief = brief_of(tmp_path, {"pkg/__init__.py": "", "pkg/mod.py": body}, findings=findings)
    _, requests = served(generate, brief, script, context=4000)
    first, _, second, _ = (message(one) for one in requests)
    assert "Write tests for this: there are none yet." in first
    assert "those of ours that are listed were written just now, so add what they lack." in second
