"""Code with probes is made once, and what cannot be compiled is told by the process that runs it."""

from __future__ import annotations

from pathlib import Path

from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.instrumented import instrumented
from pytest_lift.calls.prober import Prober


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


def test_the_file_with_the_code_goes_with_its_prober(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"fine.py": "def told():\n    return 1\n"})
    prober = Prober(tmp_path, program, best_jail())
    prober.observe([_case("fine")], 10)
    folder = prober._code_file.folder
    assert folder.is_dir()
    prober.close()
    del prober
    assert not folder.exists()
