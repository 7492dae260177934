"""Controls inside mutmut's processes: the suite in parts that take about as long, ended in time."""

from __future__ import annotations

import os
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.mutation.inside import controls

MUTANT = "shop.prices.x_total__mutmut_1"


@given(st.lists(st.floats(0, 10), max_size=30), st.integers(1, 4))
def test_parts_are_the_suite_in_its_order(taken: list[float], of: int) -> None:
    items = [SimpleNamespace(nodeid=f"t::{number}") for number in range(len(taken))]
    seconds = {item.nodeid: one for item, one in zip(items, taken, strict=True)}
    parts = [controls.part_of(items, controls.Part(number, of), seconds) for number in range(of)]  # type: ignore[arg-type]
    assert [item for part in parts for item in part] == items


def test_parts_take_about_as_long() -> None:
    items = [SimpleNamespace(nodeid=f"t::{number}") for number in range(40)]
    seconds = {item.nodeid: 1.0 for item in items}
    sizes = [len(controls.part_of(items, controls.Part(n, 4), seconds)) for n in range(4)]  # type: ignore[arg-type]
    assert min(sizes) >= 9
    assert max(sizes) <= 11


def test_a_control_that_hangs_is_ended() -> None:
    child = os.fork()
    if not child:
        time.sleep(60)
        os._exit(0)
    began = time.monotonic()
    controls._await({child}, 0.2)
    assert time.monotonic() - began < 10
    with pytest.raises(ChildProcessError):
        os.waitpid(child, os.WNOHANG)


def test_a_failure_of_the_control_is_seen(tmp_path: Path) -> None:
    failures = tmp_path / "failures"
    assert not controls._failed_on(str(failures), controls.CONTROL)
    failures.write_text(f'["{MUTANT}", "t::one"]\n')
    assert not controls._failed_on(str(failures), controls.CONTROL)
    failures.write_text(f'["{MUTANT}", "t::one"]\n["{controls.CONTROL}", "t::two"]\n')
    assert controls._failed_on(str(failures), controls.CONTROL) == {"t::two"}
