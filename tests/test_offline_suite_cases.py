"""The tests of a suite are read as cases, beside which others are run."""

from __future__ import annotations

from pytest_lift.agents.offline.suite_cases import cases_of
from pytest_lift.suite.suite import suite_of

TEXT = '''
import pytest

from m import Box, first

SHORT = "ab"


@pytest.fixture
def full():
    return Box("a")


@pytest.mark.parametrize(("items", "expected"), [([1], 1), (SHORT, "a")])
def test_first(items, expected):
    """It is the first."""
    assert first(items) == expected


def test_box():
    """It has a first."""
    box = Box(SHORT)
    assert box.first() == "a"
    with pytest.raises(ValueError, match="empty"):
        box.clear()


@pytest.mark.parametrize("item", ["b"])
def test_add(item, full):
    """It is added."""
    full.add(item)
    assert full.items() == ["a", item]


def test_written(tmp_path):
    """It writes."""
    assert first(str(tmp_path)) == "/"
'''


def test_rows_and_texts_of_a_file_are_parts_of_its_cases() -> None:
    cases = cases_of(suite_of("tests", {"tests/test_m.py": TEXT}))
    told = [[(step.source, step.check) for step in case.steps] for case in cases]
    assert told == [
        [("items = [1]", False), ("expected = 1", False), ("first(items)", True)],
        [
            ("SHORT = 'ab'", False), ("items = SHORT", False), ("expected = 'a'", False),
            ("first(items)", True),
        ],
        [
            ("SHORT = 'ab'", False), ("box = Box(SHORT)", False), ("box.first()", True),
            ("box.clear()", True),
        ],
        [
            ('full = Box("a")', False), ("item = 'b'", False), ("full.add(item)", False),
            ("full.items()", True),
        ],
    ]  # fmt: skip
    assert cases[-1].imports == ("from m import Box",)
