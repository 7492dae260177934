"""Other tools, each in a virtual environment of its own, and how a check says what it found."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from exchange.sample import Sample


@dataclass(frozen=True)
class Found:
    """What came of one check."""

    fits: bool
    what: str


@dataclass(frozen=True)
class Tool:
    """The programs of a virtual environment."""

    bin: Path

    def run(self, name: str, *args: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
        command = [str(self.bin / name), *map(str, args)]
        return subprocess.run(
            command, cwd=cwd, capture_output=True, text=True, timeout=300, check=False
        )


@dataclass(frozen=True)
class Check:
    """One round trip: what is given to a tool, and what has to come back."""

    peer: str
    packages: tuple[str, ...]
    what: str
    of: Callable[[Tool, Sample, Path], Found]
    """(tool, sample, empty folder) -> what was found."""


def installed(packages: tuple[str, ...], folder: Path) -> tuple[Tool, str]:
    """The tool and its version; raises SystemExit with pip's words where it cannot be had."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    tool = Tool(folder / ("Scripts" if sys.platform == "win32" else "bin"))
    pip = ("-m", "pip", "--disable-pip-version-check")
    done = tool.run("python", *pip, "install", "-q", *packages, cwd=folder)
    if done.returncode:
        raise SystemExit(f"{' '.join(packages)} could not be installed:\n{done.stderr[-2000:]}")
    name = packages[0].partition("==")[0]
    version = f"from importlib.metadata import version; print(version({name!r}))"
    return tool, tool.run("python", "-c", version, cwd=folder).stdout.strip()


def last_words(done: subprocess.CompletedProcess[str]) -> str:
    """The first line that names an error, else the last one."""
    lines = [line.strip() for line in (done.stderr + done.stdout).splitlines() if line.strip()]
    wrong = [line for line in lines if "error" in line.lower() or "warning" in line.lower()]
    return ((wrong or lines[-1:] or ["nothing was said"])[0])[:160]
