"""Cases that write files do it in memory, where there is room for them."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober
from pytest_lift.sandbox.in_memory import LEAST_FREE, SHARED, quick_folder
from pytest_lift.sandbox.jail import Jail

has_memory = pytest.mark.skipif(
    not SHARED.is_dir() or shutil.disk_usage(SHARED).free < LEAST_FREE,
    reason="no room in a file system in memory",
)


@has_memory
@pytest.mark.parametrize("tier", ["bwrap", "namespaces", "off"])
def test_a_folder_lies_in_memory_where_others_do_not_reach_it(tier: str) -> None:
    folder = Path(quick_folder(replace(best_jail(), tier=tier)))
    folder.rmdir()
    assert folder.parent == SHARED


def test_a_folder_lies_on_the_disk_where_others_reach_it_or_there_is_no_memory(
    tmp_path: Path,
) -> None:
    places = [
        Path(quick_folder(Jail("landlock"))),
        Path(quick_folder(Jail("off"), tmp_path / "missing")),
    ]
    for place in places:
        place.rmdir()
    assert all(place.parent != SHARED for place in places)


@has_memory
def test_a_case_writes_in_memory(tmp_path: Path) -> None:
    code = """
        import os


        def saved(text):
            with open("a.txt", "w") as file:
                file.write(text)
            return os.getcwd()
    """
    prober = Prober(tmp_path, write_program(tmp_path, {"saving.py": code}), best_jail())
    step = Step("saved('a')", check=True)
    case = Case("saving.py", "saved", (step,), ("from saving import saved",), folder=True)
    found = [prober.observe([case], 10, apart=apart)[case.key] for apart in (False, True)]
    prober.close()
    for seen in found:
        assert (seen.outcomes[0].source or "").startswith(f"'{SHARED}/lift-")
        assert seen.outcomes[0].files == (("a.txt", "a"),)
