"""A project on disk, and `pytest-lift check` run on it as a user would."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

from pytest_lift.cli import main

INI = "[pytest]\nlift_requirements = requirements.yml\n"
ITEM = "  - {{id: {0}, title: about {0}, description: what {0} is, acceptance: it is so{1}}}\n"
ODD_PLACE = "tests/dir é/test_100%,a:b.py"
ODD_LINKS = """
    @pytest.mark.req("ENC-1", "X%:,\\r\\nY")
    def test_a(): pass
    @pytest.mark.req
    def test_b(): pass
    @pytest.mark.req("X", "é")
    @pytest.mark.req("X")
    def test_c(): pass
"""
"""A test file whose name and ids no output format may be misled by."""


@dataclass(frozen=True)
class Checked:
    """What one check said."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> dict[str, Any]:
        return json.loads(self.out)

    @property
    def rules(self) -> list[str]:
        return [problem["rule"] for problem in self.data["problems"]]

    @property
    def summary(self) -> str:
        return self.out.splitlines()[-1]


@dataclass
class CheckedProject:
    """Requirements ENC-1 to ENC-3, and whatever tests are written."""

    root: Path

    def write(self, files: dict[str, str]) -> CheckedProject:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text), encoding="utf-8", newline="")
        return self

    def require(self, *ids: str, **exempt: str) -> CheckedProject:
        """Requirements by id; ``D_1="waived"``: D-1 with an exemption."""
        lines = [ITEM.format(identity, "") for identity in ids]
        for name, reason in exempt.items():
            lines.append(ITEM.format(name.replace("_", "-"), f", {reason}: not now"))
        return self.write({"pytest.ini": INI, "requirements.yml": "enc:\n" + "".join(lines)})

    def tests(self, text: str, name: str = "tests/test_a.py") -> CheckedProject:
        return self.write({name: "import pytest\n" + dedent(text).lstrip("\n")})

    def check(self, *arguments: str, folder: str = ".") -> Checked:
        out, err = io.StringIO(), io.StringIO()
        streams = contextlib.redirect_stdout(out), contextlib.redirect_stderr(err)
        with contextlib.chdir(self.root / folder), streams[0], streams[1]:
            code = main(["check", *arguments])
        return Checked(code, out.getvalue(), err.getvalue())

    def json(self, *arguments: str) -> Checked:
        return self.check("--format=json", *arguments)

    def lines(self, *arguments: str) -> list[str]:
        """What text says of problems, steps and summary left out."""
        said = self.check(*arguments).out.splitlines()[:-1]
        return [line for line in said if not line.startswith("  -> ")]

    def git(self, *arguments: str) -> str:
        author = (
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@localhost",
            "-c",
            "init.defaultBranch=main",
        )
        command = ["git", *author, *arguments]
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, env=clean())
        assert done.returncode == 0, done.stderr
        return done.stdout

    def commit(self, message: str = "all") -> CheckedProject:
        if not (self.root / ".git").exists():
            self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-qm", message)
        return self


def clean() -> dict[str, str]:
    """An environment in which git knows only the repository that it stands in."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
