"""The pieces of packets: short, and valid Python where they look like it."""

from __future__ import annotations

from pathlib import Path

import pytest
from brief_of import brief_of

from pytest_lift.agents.prompted.sections import expectation_line, steady
from pytest_lift.oracles.discrepancies import Tried
from pytest_lift.requirements.requirement import Expectation

PROGRAM = {"pkg/__init__.py": "def half(x): ...\n"}


@pytest.mark.parametrize(
    ("setup", "line"),
    [
        ("from pkg import half", "holds: `half(4)` == `2`"),
        ("from pkg import (\n    half,\n)", "holds: `half(4)` == `2`"),
        ("from pkg import half; x = 1", "holds: `x = 1; half(4)` == `2`"),
        ("import contextlib", "holds: `half(4)` == `2`"),
        ("import pkg.sub\nfrom pkgs import y", "holds: `half(4)` == `2`"),
        ("x = 1\nfor y in (x,):\n    half(y)", "holds: `half(4)` == `2` after\n    ```\n    x = 1\n    for y in (x,):\n        half(y)\n    ```"),
        ("import math\nx = math.pi", "holds: `half(4)` == `2` after\n    ```\n    import math\n    x = math.pi\n    ```"),
        ("def broken(:", "holds: `def broken(:; half(4)` == `2`"),
    ],
)  # fmt: skip
def test_preparations_are_shown_without_what_goes_without_saying(
    tmp_path: Path, setup: str, line: str
) -> None:
    said = Expectation("R-1", "s", "half(4)", expected="2", setup=setup)
    brief = brief_of(tmp_path, PROGRAM, expectations=(said,), tried={said.key: Tried("holds", "2")})
    assert expectation_line(said, brief) == line


def test_addresses_are_no_difference() -> None:
    assert steady("<X object at 0x7f2a11c0ffee>") == "<X object at 0x...>"
