"""A project to try agents, loaders and configurations on: files, real commands, a `Brief`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from pytest_lift.agents.contract import Brief

PATIENCE = 240.0
"""Seconds after which a command of an example is stopped."""
COMMAND = (sys.executable, "-c", "import sys; from pytest_lift.cli import main; sys.exit(main())")
"""``pytest-lift`` as the beginning of a list of arguments, whether it is on the path or not."""
_LEFT_OUT = ("PYTEST", "COV", "CI", "GITHUB", "LIFT_")


@dataclass(frozen=True)
class Result:
    """A finished command: ``"passed" in result`` looks for a text in what it printed."""

    status: int
    """Exit status."""
    text: str
    """Standard output and standard error, as they came."""

    def __contains__(self, part: str) -> bool:
        return part in self.text


@dataclass
class Example:
    """A project in a folder, on which commands are run as its user would run them.

    ``Example(tmp_path).write({"shop.py": "..."}).lift("--lift-mutation=off")``
    """

    root: Path

    def write(self, files: Mapping[str, str]) -> Self:
        """Writes texts by path, each without its common indentation; returns the example."""
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text), "utf-8")
        return self

    def read(self, name: str) -> str:
        """Returns the text of a file."""
        return (self.root / name).read_text("utf-8")

    def texts(self, folder: str = "tests") -> dict[str, str]:
        """Returns path -> text of every file below a folder, bytecode left out."""
        return {
            path.relative_to(self.root).as_posix(): path.read_text("utf-8")
            for path in sorted((self.root / folder).rglob("*"))
            if path.is_file() and "__pycache__" not in path.parts
        }

    def environment(self, **more: str) -> dict[str, str]:
        """Variables for commands: those of this process without settings of pytest, CI and lifts.

        Bytecode is not written, so that a file may change twice within one second.
        """
        kept = {k: v for k, v in os.environ.items() if not k.startswith(_LEFT_OUT)}
        return {**kept, "PYTHONDONTWRITEBYTECODE": "1", **more}

    def pytest(self, *arguments: str, cwd: str = ".", **environ: str) -> Result:
        """Runs pytest in a process of its own; raises subprocess.TimeoutExpired."""
        return self._run([sys.executable, "-m", "pytest", *arguments], cwd, environ)

    def lift(self, *arguments: str, cwd: str = ".", **environ: str) -> Result:
        """Runs ``pytest --lift``; `outcome` says what came of it."""
        return self.pytest("--lift", *arguments, cwd=cwd, **environ)

    def command(self, *arguments: str, cwd: str = ".", **environ: str) -> Result:
        """Runs ``pytest-lift`` with these arguments."""
        return self._run([*COMMAND, *arguments], cwd, environ)

    @property
    def outcome(self) -> dict[str, Any]:
        """Content of ``.lift/run.json`` of the last lift (docs/run-json.md)."""
        data: dict[str, Any] = json.loads(self.read(".lift/run.json"))
        return data

    def brief(self, requirements: str | None = None, tests: str = "tests", **fields: Any) -> Brief:
        """Returns what an agent is handed at the start of a lift, with nothing run.

        `requirements` is a file that the built-in loader reads, `tests` the test root; `fields`
        replace fields of the `Brief` (``mode="refine"``). Children would run without a jail. Takes
        milliseconds; raises UsageError for files that a lift would refuse.
        """
        from pytest_lift.agents.contract import Brief
        from pytest_lift.project.discovery import find_program
        from pytest_lift.requirements.reader import load_one
        from pytest_lift.requirements.requirement import Requirements
        from pytest_lift.sandbox.jail import Jail
        from pytest_lift.suite.suite import read_suite

        suite = read_suite(self.root, tests)
        known = load_one(self.root / requirements) if requirements else Requirements()
        return Brief(
            **{
                "mode": "initial",
                "iteration": 1,
                "copy": self.root,
                "jail": Jail("off"),
                "program": find_program(self.root),
                "requirements": known,
                "suite": suite,
                "accepted": suite,
                **fields,
            }
        )

    def _run(self, command: list[str], cwd: str, environ: Mapping[str, str]) -> Result:
        done = subprocess.run(
            command,
            cwd=self.root / cwd,
            env=self.environment(**environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return Result(done.returncode, done.stdout)
