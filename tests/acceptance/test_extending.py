"""The worked examples of a third-party agent and a requirement loader pass their own tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_lift.testing import Example

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("name", "chosen", "told"),
    [
        pytest.param("agent", (), "3 passed", marks=pytest.mark.slow, id="agent"),
        pytest.param("agent", ("-k", "not lift_lands"), "2 passed, 1 deselected", id="agent alone"),
        pytest.param("loader", (), "4 passed", id="loader"),
    ],
)
def test_worked_examples_pass_their_own_tests(
    name: str, chosen: tuple[str, ...], told: str
) -> None:
    folder = ROOT / "examples" / name
    options = ("-q", "-p", "no:cacheprovider", "--rootdir", str(folder), *chosen)
    result = Example(folder).pytest(*options, PYTHONPATH=str(folder))
    assert result.status == 0, result.text
    assert told in result
