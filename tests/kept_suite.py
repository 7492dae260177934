"""A test of the tool's that holds each kind of check, and a suite with it."""

from __future__ import annotations

from pytest_lift.suite.suite import Edit, Suite

PATH = "tests/test_a.py"
HEAD = "import pytest\nfrom pkg import f\n\n\n"
ONE = 'def test_one():\n    """I."""\n    result = f(1)\n    assert result == 2\n    assert f(2) == 3\n'
ROWS = (
    '@pytest.mark.parametrize("x", [1, 2, 3])\ndef test_rows(x):\n    """I."""\n    assert f(x)\n'
)
RAISES = 'def test_raises():\n    """I."""\n    with pytest.raises(ValueError):\n        f(-1)\n'
WHOLE = HEAD + "\n\n".join([ONE, ROWS, RAISES])


def suite(text: str = WHOLE) -> Suite:
    return Suite("tests").apply(Edit({PATH: text}))
