"""What changes how modules are imported is no test, where it stays so."""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.child.isolation.finding import put_back
from pytest_lift.calls.prober import Prober

HOOKS = """
    import sys

    class Finder:
        def find_spec(self, name, path, target=None):
            return None

    def install():
        sys.meta_path.insert(0, Finder())
        return len(sys.meta_path) > 0

    def install_class():
        sys.meta_path.append(Finder)
        return Finder in sys.meta_path

    def take_one_away():
        return sys.meta_path.pop(0) is not None

    def install_for_a_moment():
        install()
        return sys.meta_path.pop(0) is not None
"""


def test_a_finder_that_stays_is_taken_away_and_is_no_test(tmp_path: Path) -> None:
    prober = Prober(tmp_path, write_program(tmp_path, {"hooks.py": HOOKS}), best_jail())
    cases = [
        Case("hooks.py", name, (Step(f"{name}()", check=True),), (f"from hooks import {name}",))
        for name in ("install", "install_class", "take_one_away", "install_for_a_moment")
    ]
    seen = prober.observe(cases, 10)
    assert [seen[case.key].rejected for case in cases] == ["os", "os", "os", ""]
    assert seen[cases[-1].key].outcomes[0].source == "True"


PROGRAM, LIBRARY = (type("Finder", (), {"__module__": name})() for name in ("shop", "library"))
BEFORE = [PathFinder, LIBRARY]


@pytest.mark.parametrize(
    ("now", "after", "changed"),
    [
        (BEFORE, BEFORE, False),
        ([LIBRARY, PathFinder], BEFORE, True),
        ((PathFinder, LIBRARY), BEFORE, True),
        (None, BEFORE, True),
        ([LIBRARY], BEFORE, True),
        ([PROGRAM, *BEFORE], BEFORE, True),
        ([PathFinder], [PathFinder], False),
    ],
)
def test_the_list_of_finders_is_as_it_was_but_for_what_a_library_takes_away(
    monkeypatch: pytest.MonkeyPatch, now: Any, after: list[Any], changed: bool
) -> None:
    with monkeypatch.context() as context:
        context.setattr(sys, "meta_path", now)
        found = put_back(BEFORE, lambda kind: kind.__module__ == "shop")
        left = sys.meta_path
    assert (found, left) == (changed, after)
