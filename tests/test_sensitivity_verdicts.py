"""What the rows of a test noticed makes the verdict on the test."""

from __future__ import annotations

from typing import Any

import pytest
from strength_program import BY_VERDICT, HEAD, OTHER, PROGRAM

from pytest_lift.sensitivity.verdicts import EnteredFunction, ProbedRow, StubbedRun, judge

FILES = {
    "src/pkg/lib.py": PROGRAM,
    "src/pkg/other.py": OTHER,
    "pyproject.toml": '[project]\nname = "pkg"\nscripts = { tool = "pkg.lib:main" }\n',
    **{
        f"tests/test_{verdict.replace('-', '_')}.py": HEAD + text
        for verdict, text in BY_VERDICT.items()
    },
}


def row(outcome: str = "failed", **options: Any) -> ProbedRow:
    entry = EnteredFunction("pkg.lib", "double", 1, "value")
    return ProbedRow(entries=(entry,), nothing=StubbedRun(outcome, reached=1), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rows", "verdict"),
    [
        ([row()], "sensitive"),
        ([row("passed"), row()], "sensitive"),
        ([ProbedRow(why_not="it was skipped"), row()], "sensitive"),
        ([row(), ProbedRow(settled=True)], "sensitive"),
        ([ProbedRow(why_not="it was skipped")], "not-probed"),
        ([row("passed")], "not-probed"),
        ([row("passed", doubts=("it talks",)), row("passed")], "not-probed"),
        ([], "not-probed"),
    ],
)
def test_what_one_row_notices_the_test_notices(rows: list[ProbedRow], verdict: str) -> None:
    assert judge(rows, None).verdict == verdict
