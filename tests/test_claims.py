"""What a test says of itself at run time: the same of a mark as the check says of its text."""

from __future__ import annotations

import pytest
import quick_pytest

from pytest_lift.marks.claims import Claims
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.run.result import Run, TestResult
from pytest_lift.suite.suite import Suite
from pytest_lift.trace.trace import trace_run


@pytest.mark.parametrize(
    ("argument", "ids"),
    [
        ("'A-1', 'A-2'", ("A-1", "A-2")),
        ("['A-1', 'A-2']", ("A-1", "A-2")),
        ("1.10", ("1.1 (float instead of a string)",)),
        ("None", ("None (NoneType instead of a string)",)),
        ("['A-1', 1]", ("A-1", "1 (int instead of a string)")),
        ("('A-1', ('A-2',))", ("A-1", "tuple instead of a string")),
        ("''", ("'' (empty)",)),
        ("object()", ("object instead of a string",)),
        ("id=2", ("2 (int instead of a string)",)),
    ],
)
def test_only_a_string_is_an_id(
    pytester: pytest.Pytester, argument: str, ids: tuple[str, ...]
) -> None:
    pytester.makeini("[pytest]\nmarkers = req\n")
    item = pytester.getitem(f"import pytest\n@pytest.mark.req({argument})\ndef test_func(): pass\n")
    assert Claims().marked(item) == ids


def test_a_number_names_no_requirement() -> None:
    """``req(1.10)`` is 1.1 for Python, which is another requirement."""
    asked = Requirements((Requirement("1.1", "t", "", (), (), "r.yml", 1),))
    row = TestResult(
        "t.py::test_a", "passed", 0.1, requirements=("1.1 (float instead of a string)",)
    )
    trace = trace_run(asked, Run("passed", {row.node: row}), Suite("tests"))
    assert trace.with_status("uncovered") == ["1.1"]
    assert list(trace.unknown) == ["1.1 (float instead of a string)"]


@pytest.mark.parametrize("how", ["ini", "typed", "environment"])
def test_a_mark_of_another_name_is_known_to_pytest(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Also where the plugin is asked for nothing."""
    pytester.makeini(
        "[pytest]\naddopts = --strict-markers\nfilterwarnings = error\n"
        + ("lift_marker = covers\n" if how == "ini" else "")
    )
    if how == "environment":
        monkeypatch.setenv("LIFT_MARKER", "covers")
    pytester.makepyfile("import pytest\n@pytest.mark.covers('A-1')\ndef test_a(): pass\n")
    typed = ["--lift-marker=covers"] if how == "typed" else []
    options = (*typed, "-p", "no:cacheprovider", *quick_pytest.OPTIONS)
    pytester.runpytest_subprocess(*options).assert_outcomes(passed=1)
