"""Code with probes is made once, and what cannot be compiled is told by the process that runs it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.running.instrumented import instrumented, raising


def _case(name: str) -> Case:
    line = f"from {name} import told"
    return Case(f"{name}.py", "told", (Step("told()", check=True),), (line,))


def test_children_run_the_code_that_was_made_for_all_of_them(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"fine.py": "def told():\n    return 1 or 2\n"})
    prober = Prober(tmp_path, program, best_jail())
    (tmp_path / "fine.py").write_text("def told():\n    return 3\n")
    for strict in (False, True):
        (seen,) = prober.observe([_case("fine")], 10, strict=strict).values()
        assert (seen.outcomes[0].source, len(seen.hits)) == ("1", 2)
    prober.close()


def test_what_cannot_be_compiled_is_told(tmp_path: Path) -> None:
    text = "def told():\n    return 1\n\n\nreturn told\n"
    program = write_program(tmp_path, {"odd.py": text})
    assert instrumented(text, 0, "odd.py")[1] == b""
    prober = Prober(tmp_path, program, best_jail())
    (seen,) = prober.observe([_case("odd")], 10).values()
    assert "'return' outside function" in seen.rejected
    prober.close()


def test_lines_that_raise_are_known_by_the_text_of_a_file() -> None:
    """Programs that are read anew have other files with the same text."""
    raising.cache_clear()
    text = "def told():\n    raise ValueError('no')\n"
    assert raising(text) == raising(str(text.encode(), "utf-8")) == (2,)
    assert raising.cache_info().hits == 1


def test_assertions_of_the_program_stay_where_python_is_to_leave_them_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONOPTIMIZE", "1")
    jail = replace(best_jail(), passed_on=("PYTHONOPTIMIZE",))
    text = "def told(value=3):\n    assert value == 7\n"
    prober = Prober(tmp_path, write_program(tmp_path, {"strict.py": text}), jail)
    (seen,) = prober.observe([_case("strict")], 10).values()
    raised = seen.outcomes[0].raised
    assert raised is not None
    assert raised.type == "AssertionError"
    (compared,) = prober.operands([_case("strict")], 10).values()
    assert compared
    prober.close()


def test_the_file_with_the_code_goes_with_its_prober(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"fine.py": "def told():\n    return 1\n"})
    prober = Prober(tmp_path, program, best_jail())
    prober.observe([_case("fine")], 10)
    folder = prober._code_file.folder
    assert folder.is_dir()
    prober.close()
    del prober
    assert not folder.exists()
