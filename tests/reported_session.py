"""A suite with links of every kind, and the requirements that it names."""

from __future__ import annotations

import json
from typing import Any

from conftest import Project

REQUIREMENTS = """
core:
  - {id: R-1, title: Doubling, description: "`double(2)` is 4", acceptance: doubled, level: unit}
  - {id: R-2, title: Rows, description: r, acceptance: a}
  - {id: R-3, title: Classes, description: c, acceptance: a}
  - {id: R-4, title: Properties, description: p, acceptance: a, level: system}
  - {id: R-5, title: Later, description: d, acceptance: a, waived: {reason: later, date: 2026-11-20}}
"""
TESTS = """
import pytest
from thing import double

@pytest.mark.req("R-1", id="R-2")
def test_double():
    \"\"\"Doubles.\"\"\"
    assert double(2) == 4

@pytest.mark.parametrize("x", [1, pytest.param(2, marks=pytest.mark.req("R-2"))])
def test_rows(x):
    assert x

@pytest.mark.verifies("R-3")
class TestGroup:
    def test_inside(self):
        assert double(1) == 2

def test_property(record_property):
    record_property("covers", "R-4, R-2")

@pytest.mark.req("R-9")
def test_unknown():
    assert double(1) == 2

@pytest.fixture
def marking(request):
    request.node.add_marker(pytest.mark.req("R-4"))

@pytest.mark.req("R-2")
def test_marked_by_a_fixture(marking):
    assert double(1) == 2

@pytest.mark.emergent("nobody asked for it")
def test_emergent():
    assert double(1) == 2
"""


def report(project: Project) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((project.root / "out/report.json").read_text("utf-8"))
    return data
