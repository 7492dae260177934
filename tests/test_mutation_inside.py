"""What the plugin does inside mutmut's processes: controls in parts, and patience with one test."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.mutation.inside import controls, plugin
from pytest_lift.mutation.mutmut.configuration import Configuration

CONFIGURATION = Configuration(("shop",), ("tests",), (), {})
JOB = {"left_out": [], "patience": CONFIGURATION.patience, "seconds": {"t::slow": 3.0}}
MUTANT = "shop.prices.x_total__mutmut_1"


def in_a_fork(told: Callable[[], int]) -> int:
    """The status of a process that ends with what `told` says."""
    child = os.fork()
    if not child:
        status = 99
        try:
            status = told()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def limit_of(mutant: str, node: str) -> int:
    """Seconds of processor time after which a process that begins this test is told to end."""

    def told() -> int:
        resource.setrlimit(resource.RLIMIT_CPU, (200, 201))
        plugin._Plugin(JOB, mutant).pytest_runtest_logstart(node)
        return resource.getrlimit(resource.RLIMIT_CPU)[0]

    return in_a_fork(told)


@pytest.mark.parametrize(("node", "seconds"), [("t::quick", 5), ("t::slow", 20)])
def test_one_test_may_not_use_up_the_time_of_all(node: str, seconds: int) -> None:
    assert seconds <= limit_of(MUTANT, node) <= seconds + 2


@pytest.mark.parametrize("mutant", [*controls.UNMUTATED, controls.FORCED])
def test_what_is_not_mutated_has_no_such_limit(mutant: str) -> None:
    assert limit_of(mutant, "t::quick") == 200


def test_a_limit_is_never_raised_above_the_one_of_the_whole() -> None:
    def told() -> int:
        resource.setrlimit(resource.RLIMIT_CPU, (3, 4))
        plugin._Plugin(JOB, MUTANT).pytest_runtest_logstart("t::slow")
        return resource.getrlimit(resource.RLIMIT_CPU)[0]

    assert in_a_fork(told) == 3


def test_patience_is_longer_for_what_seemed_to_hang() -> None:
    assert CONFIGURATION.patience == (5.0, 5.0)
    assert CONFIGURATION.patient().patience == (10.0, 15.0)


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


def test_a_limit_that_is_reached_is_a_time_out_to_mutmut() -> None:
    def told() -> int:
        resource.setrlimit(resource.RLIMIT_CPU, (1, 5))
        while True:
            pass

    assert in_a_fork(told) == -signal.SIGXCPU == -24
