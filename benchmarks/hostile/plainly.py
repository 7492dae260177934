"""What a suite is worth by plain pytest: each mutant written into the sources."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_lift.mutation.mutation import Mutant

PLAIN = {"PYTHONHASHSEED": "0", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def plainly_noticed(
    folder: Path, source: str, texts: dict[str, str], known: dict[str, Mutant]
) -> frozenset[str]:
    """Mutants that plain pytest fails on, each written into `source`, the one of the shop."""
    mutants: dict[str, str] = {}
    for key, one in known.items():
        lines, before = source.split("\n"), one.before.split("\n") if one.before else []
        start = one.line - 1
        assert lines[start : start + len(before)] == before, key
        lines[start : start + len(before)] = one.after.split("\n") if one.after else []
        mutants[key] = "\n".join(lines)
    folder.mkdir(parents=True)
    (folder / "job.json").write_text(
        json.dumps({"texts": texts, "sources": {"": source, **mutants}}), "utf-8"
    )
    environ = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "LIFT"))}
    command = [sys.executable, __file__, str(folder)]
    subprocess.run(command, env={**environ, **PLAIN}, check=True, capture_output=True)
    return frozenset(json.loads((folder / "found.json").read_text("utf-8")))


def run_plainly(folder: Path) -> None:
    """The job of `plainly_noticed`: a process forked for each mutant, in a folder of its own."""
    job = json.loads((folder / "job.json").read_text("utf-8"))
    failing, found = folder / "failing", []
    options: list[str] = []
    for number, (key, source) in enumerate(job["sources"].items()):
        place = folder / str(number)
        written(place, {**job["texts"], "shop/__init__.py": "", "shop/prices.py": source})
        child = os.fork()
        if not child:
            os.chdir(place)
            sys.path.insert(0, str(place))
            plugins = [] if key else [Failing(failing)]
            stop = ["-x"] if key else []
            told = ["-q", *stop, "-p", "no:cacheprovider", *options]
            os._exit(int(pytest.main(told, plugins=plugins)))
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if not key and failing.exists():
            options = [f"--deselect={node}" for node in failing.read_text("utf-8").splitlines()]
        found += [key] if key and status else []
    (folder / "found.json").write_text(json.dumps(found), "utf-8")


@dataclass
class Failing:
    """Notes what fails where nothing is mutated: it notices no mutant."""

    place: Path

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            with self.place.open("a", encoding="utf-8") as file:
                file.write(f"{report.nodeid}\n")


def written(root: Path, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")


if __name__ == "__main__":
    run_plainly(Path(sys.argv[1]))
