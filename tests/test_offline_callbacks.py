"""A callback notes what it is called with, and the test asserts that."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import brief, write_program

from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.search.dullness import is_mute
from pytest_lift.calls.call import Call, as_line
from pytest_lift.calls.case import Observation, Outcome
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

BELL = """
    class Bell:
        def __init__(self):
            self._listeners = []

        def add_listener(self, listener):
            self._listeners.append(listener)

        def ring(self, times):
            for listener in self._listeners:
                listener(times)
"""


def test_callbacks_of_all_lines_write_into_one_variable(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"bell.py": BELL})
    resolver = Resolver(program)
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    made = Call(targets["Bell"])
    added = Call(targets["Bell.add_listener"], (("listener", "[].append"),), name="bell")
    ring = Call(
        targets["Bell.ring"], (("times", "2"),), receiver=made, name="bell",
        before=(as_line(added), as_line(added)),
    )  # fmt: skip
    case = as_case(ring, resolver)
    assert case is not None
    assert case.source.splitlines() == [
        "calls = []",
        "bell = Bell()",
        "bell.add_listener(calls.append)",
        "bell.add_listener(calls.append)",
        "bell.ring(2)",
        "calls",
    ]
    silent, heard = (
        Observation((Outcome(source="None"), Outcome(source=source))) for source in ("[]", "[2, 2]")
    )
    assert is_mute(case, silent)
    assert not is_mute(case, heard)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_test_shows_what_a_callback_was_called_with(tmp_path: Path, seed: int) -> None:
    program = write_program(tmp_path, {"bell.py": BELL})
    edit = generator(brief(tmp_path, program, seconds=10, seed=seed))
    text = "\n".join(text for text in edit.files.values() if text)
    assert "bell.add_listener(calls.append)\n    bell.ring(" in text
    assert "assert calls == [" in text
    assert "assert calls == []" not in text
