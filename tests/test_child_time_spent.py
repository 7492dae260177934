"""The seconds that were spent are those of a clock."""

from __future__ import annotations

from pathlib import Path

from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober

CODE = """
    import time

    def spent():
        began = time.process_time()
        return [time.process_time() - began]
"""


def test_how_long_a_call_took_is_no_test(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"m.py": CODE}), best_jail())
    case = Case("m.py", "spent", (Step("spent()", check=True),), ("from m import spent",))
    found = prober.observe([case], 5, checked=True)[case.key]
    prober.close()
    assert found.rejected in ("clock", "another result each time")
