"""Checks of a case keep the lines that do something."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.writing.oracles import StepCheck, verify, without_unused
from pytest_lift.calls.case import Case, Observation, Outcome, Step
from pytest_lift.calls.names import Resolver


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("unused = []", []),
        ("unused = job.run()", ["job.run()"]),
        ("unused = job.friday.seconds", ["job.friday.seconds"]),
        ("_ = job.days", ["job.days"]),
    ],
)
def test_what_is_assigned_for_nobody_stays_where_it_acts(line: str, kept: list[str]) -> None:
    checks = (StepCheck("none", line), StepCheck("equals", "job.unit", "1"))
    assert [check.expression for check in without_unused(checks)] == [*kept, "job.unit"]


def test_a_value_whose_class_has_the_name_of_another_one_is_not_asserted(tmp_path: Path) -> None:
    text = "import decimal\n\n\nclass Decimal:\n    def parse(self, text):\n        return decimal.Decimal(text)\n"
    program = write_program(tmp_path, {"fields.py": text})
    steps = (Step("Decimal().parse('1.5')", check=True),)
    names = (("decimal", "Decimal"),)
    seen = Observation((Outcome("decimal.Decimal", "Decimal('1.5')", names=names),), frozenset())
    for line, told in (("from fields import Decimal", False), ("import fields", True)):
        case = Case("fields.py", "Decimal.parse", steps, (line,))
        assert (verify(case, seen, program, Resolver(program)) is not None) is told
