"""The published schema of a report is that of its types."""

from __future__ import annotations

import json
import math
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from report_of import bare, hostile, small

from pytest_lift.commands.schema import report_schema
from pytest_lift.files.codec import DecodeError
from pytest_lift.report.facts import Report, RequirementFacts, TestFacts
from pytest_lift.report.mutant_facts import MutationFacts
from pytest_lift.report.stored import as_data, as_text, from_data

FEW = settings.default.max_examples // 10
"""Of what takes a second to make."""
SAMPLES = {"small": small, "bare": bare, "hostile": hostile}


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=FEW)
@given(
    st.lists(st.from_type(RequirementFacts), max_size=3),
    st.lists(st.from_type(TestFacts), max_size=3),
    st.none() | st.from_type(MutationFacts),
)
def test_whatever_a_report_holds_survives_and_fits_the_schema(
    requirements: list[RequirementFacts], tests: list[TestFacts], mutation: MutationFacts | None
) -> None:
    said = "p", "m", "t", small().verdict, tuple(requirements), tuple(tests)
    report = Report(*said, mutation=mutation)
    data = json.loads(json.dumps(as_data(report), allow_nan=True))
    if not _is_finite(data):
        with pytest.raises(DecodeError, match=r"cannot be -?(nan|inf)"):
            from_data(data)
        return
    assert as_data(from_data(data)) == data
    jsonschema.validate(data, report_schema())


def _is_finite(data: Any) -> bool:
    """Whether all numbers can stand in JSON."""
    if isinstance(data, dict | list):
        return all(map(_is_finite, data.values() if isinstance(data, dict) else data))
    return not isinstance(data, float) or math.isfinite(data)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_fits_the_schema(name: str) -> None:
    schema = report_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(as_text(SAMPLES[name]())), schema)
