"""What a case writes to nowhere leaves no trace: it may, and who starts a program does so first."""

from __future__ import annotations

from pathlib import Path

from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.prober import Prober

CODE = """
    import os
    import subprocess


    def quiet(text):
        with open(os.devnull, "w") as nowhere:
            return print(text, file=nowhere), len(text)


    def version(program):
        asked = [program, "--version"]
        try:
            return subprocess.check_output(asked, stderr=subprocess.DEVNULL).decode()
        except OSError:
            return "not installed"
    """


def test_nothing_is_written_nowhere(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"tools.py": CODE})
    prober = Prober(tmp_path, program, best_jail())
    imports = ("from tools import quiet, version",)
    cases = [
        Case("tools.py", "quiet", (Step("quiet('a')", check=True),), imports),
        Case("tools.py", "version", (Step("version('git')", check=True),), imports),
    ]
    found = prober.observe(cases, 20)
    prober.close()
    quiet, version = (found[case.key] for case in cases)
    assert not quiet.rejected
    assert [one.source for one in quiet.outcomes] == ["(None, 1)"]
    assert version.rejected == "subprocess"
