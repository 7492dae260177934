"""A small real project on disk, and pytest run on it as a user would."""

from __future__ import annotations

import compileall
import gc
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import quick_pytest
from hypothesis import settings

from pytest_lift.testing import Example, Result

settings.register_profile("fixed", derandomize=True, database=None, max_examples=60, deadline=None)
settings.register_profile("explore", max_examples=500, print_blob=True, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))

SOURCE = Path(__file__).resolve().parents[1] / "src"

THING = '''\
"""A thing to test."""


def double(number):
    """Twice the number.

    >>> double(2)
    4
    """
    if number > 100:
        return None
    return 2 * number


def label(name, *, loud=False):
    """A greeting."""
    if not name:
        raise ValueError("a name is needed")
    return name.upper() if loud else name
'''

REQUIREMENTS = """\
things:
  - id: R-1
    title: doubling
    description: "`double` gives twice a number."
    acceptance: doubles
    examples:
      - |
        >>> from thing import double
        >>> double(21)
        42
  - id: R-2
    title: labels
    description: "`label` greets; `loud` makes it upper case."
    acceptance: [greets, shouts]
"""

MARKERS = """\
markers =
    req(id): verifies a requirement
    emergent(why): verifies none
"""

REGISTERED = f"[tool:pytest]\n{MARKERS}"

AGENTS = '''\
"""Agents whose generator writes what the files of `.script/` say, one folder per iteration.

Each run of the suite imports this file: what only a lift needs is imported where it is used.
"""
from pathlib import Path

HERE = Path(__file__).parent


def generator(brief):
    from pytest_lift.suite.suite import Edit

    folder = HERE / ".script" / str(brief.iteration)
    files = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*.py"))
    }
    (HERE / ".briefs").mkdir(exist_ok=True)
    told = f"{brief.mode} {brief.feedback.filename if brief.feedback else None}\\n"
    (HERE / ".briefs" / str(brief.iteration)).write_text(told + repr(brief.findings))
    return Edit(files)


def debugger(brief):
    from pytest_lift.findings.feedback import Feedback

    return Feedback("debugger", "FIX", brief.findings, "Something fails.")


def evaluator(brief):
    from pytest_lift.agents.offline.evaluator import evaluator

    return evaluator(brief)


def pytest_lift_agents(settings):
    from pytest_lift.agents.contract import Agents

    return Agents("scripted", generator, debugger, evaluator)
'''


@dataclass
class Project(Example):
    """An example whose commands run with the sources of this repository."""

    def script(self, *iterations: dict[str, str] | str) -> Project:
        """Use agents that write these files, one mapping per iteration (a text: test_thing.py)."""
        self.write({"conftest.py": AGENTS})
        for number, files in enumerate(iterations, 1):
            named = {"tests/test_thing.py": files} if isinstance(files, str) else files
            self.write({f".script/{number}/{name}": text for name, text in named.items()})
        return self

    def environment(self, **more: str) -> dict[str, str]:
        # Mutants are measured where a test is about them: they would take most of the time.
        own = {"PYTHONPATH": str(SOURCE), "LIFT_MUTATION": "off"}
        quick = {"PYTEST_ADDOPTS": " ".join(quick_pytest.OPTIONS)}
        return super().environment(**{**own, **quick, **more})

    def lift(
        self, *arguments: str, requirements: bool = True, cwd: str = ".", **environ: str
    ) -> Result:
        told = ["--lift-requirements", str(self.root / "reqs.yml")] if requirements else []
        return super().lift(*told, *map(str, arguments), cwd=cwd, **environ)

    def start(
        self, *arguments: str, environ: dict[str, str] | None = None
    ) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "pytest", "--lift", *arguments],
            cwd=self.root,
            env=environ or self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            # A runner started in the background may have handed down an ignored Ctrl-C.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )

    @property
    def history(self) -> Path:
        """The folder of the latest run."""
        return self.root / ".lift" / "history" / str(self.outcome["run"])

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", "-c", "user.name=x", "-c", "user.email=x@x.invalid", *arguments],
            cwd=self.root,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout


def pytest_configure(config: pytest.Config) -> None:
    """Compiles the sources, where the environment would keep no bytecode of them: each of hundreds
    of processes would do it anew."""
    if sys.dont_write_bytecode and not hasattr(config, "workerinput"):
        compileall.compile_dir(SOURCE, quiet=2)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keeps the bytecode of these tests for the next session, too. The collector of garbage passes
    over what was collected: sessions inside of tests have it look at everything five times."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    try:
        return (yield)
    finally:
        sys.dont_write_bytecode = before
        gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _quick_children() -> Iterator[None]:
    """What tests start with this environment leaves the developer's plugins out."""
    before = os.environ.get("PYTEST_ADDOPTS")
    os.environ["PYTEST_ADDOPTS"] = " ".join(quick_pytest.OPTIONS)
    yield
    del os.environ["PYTEST_ADDOPTS"]
    if before is not None:
        os.environ["PYTEST_ADDOPTS"] = before


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A flat project with the module `thing` and two requirements, without tests. It registers the
    marks, so that what is written stays as it is written; its conftest file is what lets plain
    pytest import `thing`."""
    files = {"thing.py": THING, "reqs.yml": REQUIREMENTS, "conftest.py": ""}
    return Project(tmp_path / "project").write(files).write({"setup.cfg": REGISTERED})


@pytest.fixture
def running() -> Iterator[Callable[[subprocess.Popen[str]], subprocess.Popen[str]]]:
    """Registers a process that must not outlive the test."""
    started: list[subprocess.Popen[str]] = []

    def register(process: subprocess.Popen[str]) -> subprocess.Popen[str]:
        started.append(process)
        return process

    yield register
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
