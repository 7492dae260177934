"""What a watch over a child counts, and what it does not blame on it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from textwrap import dedent

import pytest

from pytest_lift.sandbox.watch import (
    descendants,
    hold_more_than,
    is_too_much,
    machine_memory,
    nameless_bytes,
)

MEGABYTE = 1 << 20


def test_what_others_use_of_the_memory_is_not_blamed_on_a_child() -> None:
    """This process stands for the child; it holds some megabytes."""
    mebibyte, mine = 1024 * 1024, [os.getpid()]
    roomy, full = (500 * mebibyte, 1000 * mebibyte), (1 * mebibyte, 1000 * mebibyte)
    assert is_too_much(2 * mebibyte, roomy, mine)
    assert is_too_much(8 * mebibyte, full, mine)
    for machine in (roomy, full, (0, 0)):
        assert not is_too_much(64 * 1024 * mebibyte, machine, mine)


@pytest.fixture
def family() -> Iterator[tuple[int, int]]:
    """A child that holds 32 MiB, and a child of its own."""
    code = """
        import subprocess, sys
        held = bytearray(b"x") * (32 << 20)
        inner = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        print(inner.pid, flush=True)
        sys.stdin.read()
        inner.kill()
        inner.wait()
    """
    child = subprocess.Popen(
        [sys.executable, "-c", dedent(code)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdout
    yield child.pid, int(child.stdout.readline())
    child.communicate()


def test_all_below_are_found(family: tuple[int, int]) -> None:
    child, inner = family
    assert descendants(child) == [inner]
    assert descendants(inner) == []
    assert {child, inner} <= {*descendants(os.getpid())}


def test_memory_is_that_of_all_together(family: tuple[int, int]) -> None:
    assert hold_more_than(32 * MEGABYTE, [family[0]])
    assert hold_more_than(32 * MEGABYTE, [*family])
    assert not hold_more_than(1024 * MEGABYTE, [*family])
    assert not hold_more_than(32 * MEGABYTE, [family[1]])


def test_of_a_process_that_is_gone_nothing_is_known() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    assert descendants(gone.pid) == []
    assert not hold_more_than(0, [gone.pid])
    assert nameless_bytes([gone.pid]) == 0


def test_files_without_a_name_are_counted_once() -> None:
    before = nameless_bytes([os.getpid()])
    with tempfile.TemporaryFile() as file, tempfile.NamedTemporaryFile() as named:
        for each in (file, named):
            each.write(b"x" * MEGABYTE)
            each.flush()
            os.fsync(each.fileno())
        until = time.monotonic() + 5
        while nameless_bytes([os.getpid()]) - before < MEGABYTE and time.monotonic() < until:
            time.sleep(0.05)
        held = nameless_bytes([os.getpid(), os.getpid()]) - before
    assert MEGABYTE <= held < 2 * MEGABYTE


def test_what_the_machine_has() -> None:
    left, whole = machine_memory()
    assert 0 < left <= whole
