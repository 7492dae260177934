"""What the plugin does inside mutmut's processes: patience with one test, and its end."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable

import pytest

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


def test_a_limit_that_is_reached_is_a_time_out_to_mutmut() -> None:
    def told() -> int:
        resource.setrlimit(resource.RLIMIT_CPU, (1, 5))
        while True:
            pass

    assert in_a_fork(told) == -signal.SIGXCPU == -24
