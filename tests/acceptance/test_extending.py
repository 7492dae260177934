"""The worked examples of a third-party agent and a requirement loader pass their own tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_lift.testing import Example

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("name", "passed"), [("agent", 3), ("loader", 4)])
def test_worked_examples_pass_their_own_tests(name: str, passed: int) -> None:
    folder = ROOT / "examples" / name
    result = Example(folder).pytest(
        "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), PYTHONPATH=str(folder)
    )
    assert result.status == 0, result.text
    assert f"{passed} passed" in result
