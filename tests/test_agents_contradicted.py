"""A contradiction that the run knows is told wherever its code is worked on, and is not pinned."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from brief_of import asked, brief_of
from conftest import Project
from model_lift import lift
from model_script import ModelScript, turn_of
from scripted_model import Body, Reply, ScriptedModel, call, calls
from served_team import message, results, served

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.generating import generate
from pytest_lift.agents.prompted.packets import PacketPlanner
from pytest_lift.coverage.coverage import Coverage
from pytest_lift.findings.finding import Finding
from pytest_lift.findings.known import pinning_findings
from pytest_lift.measure.measurement import Measurement
from pytest_lift.oracles.discrepancies import Discrepancy, Tried
from pytest_lift.requirements.requirement import Expectation
from pytest_lift.run.result import Run
from pytest_lift.suite.suite import suite_of
from pytest_lift.trace.trace import RequirementTrace, Trace

PROGRAM = {
    "pkg/__init__.py": "from pkg.prices import discount\n",
    "pkg/prices.py": "def discount(amount):\n    return amount // 20\n",
    "pkg/dates.py": "def workdays(start, end):\n    return end - start\n",
    "pkg/tax.py": "def rate(country):\n    return 19\n",
}
RATE = asked("T-1", "It is 7 percent for books.")
SAID = Discrepancy("T-1", "rate('books')", "7", "19", setup="from pkg.tax import rate")
PIN = '''import pytest
from pkg.tax import rate


@pytest.mark.emergent("no requirement says so")
def test_rate_of_books():
    """The rate of books."""
    assert rate("books") == 19


@pytest.mark.emergent("no requirement says so")
def test_rate_of_pens():
    """The rate of pens."""
    assert rate("pens") == 19
'''


def gap(path: str) -> Finding:
    return Finding("uncovered-branch", f"a gap in {path}", path, 1, gain=1)


def contradicted(tmp_path: Path, *paths: str) -> Brief:
    brief = brief_of(
        tmp_path, PROGRAM, requirements=(RATE,), findings=tuple(map(gap, paths)), mode="refine"
    )
    return replace(brief, trace=Trace((RequirementTrace(RATE, "suspected-defect", (), (SAID,)),)))


def test_it_is_in_the_packet_whose_code_it_calls_and_in_no_other(tmp_path: Path) -> None:
    """The text names nothing of `tax.py`, so that the requirement is at home elsewhere."""
    told = "- T-1 states of `rate('books')`: 7; the program: 19"
    (packet,) = PacketPlanner(contradicted(tmp_path, "pkg/tax.py"), 10_000).packets()
    assert packet.requirements == ()
    assert told in packet.text
    (packet,) = PacketPlanner(contradicted(tmp_path, "pkg/dates.py"), 10_000).packets()
    assert told not in packet.text


def test_an_expectation_that_stands_beside_its_requirement_is_told_once(tmp_path: Path) -> None:
    said = Expectation("T-1", "7 percent for books", "rate('books')", expected="7", setup=SAID.setup, ruling="stands")  # fmt: skip
    brief = contradicted(tmp_path, "pkg/tax.py")
    untested = Finding("requirement-untested", "T-1: untested", requirement="T-1", gain=10)
    own = replace(SAID, sentence=said.sentence)
    brief = replace(
        brief,
        findings=(*brief.findings, untested),
        expectations=(said,),
        tried={said.key: Tried("differs", "19")},
        trace=Trace((RequirementTrace(RATE, "suspected-defect", (), (own,)),)),
    )
    (packet,) = PacketPlanner(brief, 10_000).packets()
    assert packet.text.count("rate('books')") == 1
    assert "CONTRADICTION (the program gives 19)" in packet.text


def test_a_test_that_pins_it_is_refused_at_once_with_the_reason(tmp_path: Path) -> None:
    place = "tests/test_tax.py"
    script = [
        calls(("write_test_file", {"path": place, "text": PIN})),
        *[call("finish", summary="Done.")] * 2,
    ]
    edit, requests = served(generate, contradicted(tmp_path, "pkg/tax.py"), script)
    why = "pins what contradicts T-1: rate('books') gives 19, and the text says otherwise"
    assert results(requests[1]) == [
        f"written: {place}, 1 tests of yours in it\n- left out: {place}::test_rate_of_books {why}"
    ]
    assert why in results(requests[2])[-1]
    assert "test_rate_of_books" in edit.files[place]  # it is the gate's to leave it out


def test_what_an_author_reports_is_not_pinned_by_the_same_author(tmp_path: Path) -> None:
    place = "tests/test_tax.py"
    brief = contradicted(tmp_path, "pkg/tax.py")
    brief = replace(
        brief,
        trace=None,
        try_expectations=lambda said: {one.key: Tried("differs", "19") for one in said},
    )
    report = {"requirement": "T-1", "sentence": "7 percent for books", "call": "rate('books')", "expected": "7", "setup": SAID.setup}  # fmt: skip
    script = [
        calls(("write_test_file", {"path": place, "text": PIN})),
        calls(("report_contradiction", report), ("read_file", {"path": place})),
        *[call("finish", summary="Done.")] * 2,
    ]
    _, requests = served(generate, brief, script)
    assert "2 tests of yours" in results(requests[1])[0]
    assert "pins what contradicts T-1" in results(requests[3])[-1]


@pytest.mark.slow
def test_no_accepted_suite_pins_what_another_conversation_has_reported(project: Project) -> None:
    def generator(body: Body, number: int) -> Reply:
        text = project_pin if turn_of(body) == 0 else ""
        if text:
            return calls(("write_test_file", {"path": "tests/test_thing.py", "text": text}))
        return call("finish", summary="Done.")

    project_pin = '''import pytest

from thing import double


@pytest.mark.emergent("large numbers")
def test_large():
    """Large numbers."""
    assert double(200) is None


@pytest.mark.req("R-1")
def test_small():
    """Small numbers."""
    assert double(21) == 42
'''
    with ScriptedModel(ModelScript({"generator": generator})) as model:
        result = lift(project, model, "--lift-iterations=1")
    assert result.status == 0, result.text
    text = project.read("tests/test_thing.py")
    assert "test_small" in text
    assert "double(200) is None" not in text
    refused = [f["what"] for f in project.outcome["findings"] if f["kind"] == "refused"]
    told = "pins what contradicts R-1: double(200) gives None, and the text says otherwise"
    assert refused == [f"tests/test_thing.py::test_large {told}"]
    assert message(model.requests[3]).count("double(200)") == 1


def test_what_repeats_a_known_cause_is_not_pinned_either(tmp_path: Path) -> None:
    place = "tests/test_tax.py"
    said = Expectation("T-1", "7 percent for books", "rate('pens')", expected="7", setup=SAID.setup, ruling="repeats")  # fmt: skip
    brief = contradicted(tmp_path, "pkg/tax.py")
    brief = replace(brief, expectations=(said,), tried={said.key: Tried("differs", "19")})
    script = [calls(("write_test_file", {"path": place, "text": PIN})), *[call("finish", summary="D")] * 2]  # fmt: skip
    _, requests = served(generate, brief, script)
    assert "rate('pens') gives 19, and the text says otherwise" in results(requests[1])[0]


def test_a_test_that_was_there_before_is_a_finding_for_a_person(tmp_path: Path) -> None:
    brief = contradicted(tmp_path, "pkg/tax.py")
    suite = suite_of("tests", {"tests/test_tax.py": PIN})
    assert brief.trace is not None
    measured = Measurement(suite, Run("passed"), Coverage(), brief.trace)
    (found,) = pinning_findings(measured)
    assert (found.kind, found.tests) == (
        "pins-contradiction",
        ("tests/test_tax.py::test_rate_of_books",),
    )
    assert (
        found.what
        == "tests/test_tax.py::test_rate_of_books pins what contradicts T-1: rate('books')"
    )
    work = replace(brief, suite=suite, findings=(found,))
    assert PacketPlanner(work, 10_000).packets() == []
