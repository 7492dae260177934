"""What calls of a symbol took is known in all processes, and of all symbols of a search."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from textwrap import dedent
from typing import Any

import pytest

from pytest_lift.calls.child.outcomes import FEW, SHARE_SPENT, SPENT, Patience

SLOW: dict[str, Any] = {"symbol": "many.py:slow", "awake": []}


def patience(spent: float, *, others: int, elapsed: float = 20.0) -> Patience:
    """Returns one of a process that begins when others have run cases of so many symbols."""
    found = Patience()
    quick = {f"many.py:f{n}": 0.001 for n in range(others)}
    found.resume(0.0, elapsed, {SLOW["symbol"]: spent, **quick})
    return found


def test_where_a_batch_has_few_symbols_those_before_it_count() -> None:
    spent = 1.5 * max(SPENT, SHARE_SPENT * 20)
    assert spent < FEW / 27 * 20
    assert patience(spent, others=200).gives_up(SLOW, 27)
    assert not patience(spent, others=3).gives_up(SLOW, 27)


def test_what_was_spent_is_told_once_and_taken_over() -> None:
    found = patience(0.5, others=1)
    journal = io.StringIO()
    found.note(SLOW, False, 0.25)
    found.tell(journal)
    found.tell(journal)
    told = [json.loads(line) for line in journal.getvalue().splitlines()]
    assert [one["spent"] for one in told] == [{SLOW["symbol"]: 0.25}, {}]
    assert found.spent[SLOW["symbol"]] == 0.75


@pytest.mark.parametrize(("worked", "ended"), [("0.05", -signal.SIGVTALRM), ("", 0)])
def test_a_process_ends_when_it_has_worked_for_so_long(worked: str, ended: int) -> None:
    code = f"""
        import time
        from pytest_lift.calls.child.isolation.timers import Timers
        timers = Timers()
        timers.install()
        timers.set({worked})
        while time.process_time() < 0.4:
            pass
        timers.set()
    """
    child = subprocess.run([sys.executable, "-c", dedent(code)], check=False)
    assert child.returncode == ended
