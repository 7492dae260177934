"""A whole lift in this process: loop, gate, landing, history and resuming are the real ones, on real
files; only what would be a run of pytest calls the test functions here."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import coverage

from pytest_lift.agents.contract import Agents, Brief, UsageLedger
from pytest_lift.agents.offline.evaluator import evaluator
from pytest_lift.coverage.coverage import Coverage, FileCoverage
from pytest_lift.evolve.endings import ending_of
from pytest_lift.evolve.iteration import Iteration, LiftOutcome
from pytest_lift.evolve.loop import Lift
from pytest_lift.evolve.publisher import IterationLog, Publisher
from pytest_lift.evolve.resume import resumed
from pytest_lift.evolve.setup import Setup
from pytest_lift.findings.feedback import Feedback
from pytest_lift.measure.fault_measurer import FaultMeasurer
from pytest_lift.measure.suite_measurer import SuiteMeasurer
from pytest_lift.oracles.discrepancies import Looked
from pytest_lift.project.discovery import find_program
from pytest_lift.requirements.requirement import Expectation, Requirement, Requirements
from pytest_lift.run.events import SessionEvents
from pytest_lift.run.result import Failure, Run, TestResult
from pytest_lift.run.workspace import Workspace
from pytest_lift.sandbox.jail import Jail
from pytest_lift.settings import Settings
from pytest_lift.store.history import History
from pytest_lift.store.search_memory import WORTHLESS, SearchMemory
from pytest_lift.suite.collection import Naming
from pytest_lift.suite.suite import Edit, Suite, read_suite

THING = """\
def double(number):
    if number > 100:
        return None
    return 2 * number


def label(name, *, loud=False):
    if not name:
        raise ValueError("a name is needed")
    return name.upper() if loud else name
"""
R1 = Requirement("R-1", "doubling", "`double(21)` is 42.", ("doubles",), (), "reqs.yml", 1)
R2 = Requirement("R-2", "labels", "`label` greets.", ("greets",), (), "reqs.yml", 9)
NAMING = Naming(marks="not slow")
Script = Mapping[str, str] | str
Watch = Callable[[str, Brief], None]


@dataclass
class CallingBench(SuiteMeasurer):
    """Runs a suite by calling its functions, file by file, with coverage of `thing.py`."""

    def _compile(self, suite: Suite) -> None:
        """Nothing here is imported from files."""

    def _look(self, expectations: tuple[Expectation, ...]) -> Looked:
        return Looked(expectations)

    def _run_suite(
        self,
        suite: Suite,
        reports: Path,
        seconds: float,
        session: SessionEvents,
        *,
        measure: bool,
        seed: int | None,
        chosen: Sequence[str],
    ) -> Run:
        measured = coverage.Coverage(
            data_file=None, branch=True, config_file=False, include=[f"{self.workspace.root}/*.py"]
        )
        results: dict[str, TestResult] = {}
        broken: dict[str, Failure] = {}
        measured.start()
        try:
            with self._imported():
                order = list(suite.tests())
                if seed is not None:
                    random.Random(seed).shuffle(order)
                for path, file in suite.files.items():
                    if suite.is_deselected(file.text):
                        continue
                    try:
                        names = _executed(self.workspace.root / path)
                    except Exception as error:
                        broken[path] = _failure(error, path)
                        continue
                    for test in order:
                        if test.node.startswith(f"{path}::"):
                            results[test.node] = _called(test.node, names)
        finally:
            measured.stop()
        if measure:
            measured.json_report(outfile=str(reports / "coverage.json"))
        failed = broken or any(result.outcome == "failed" for result in results.values())
        ending = "failed" if failed else "passed" if results else "nothing-collected"
        return Run(ending, results, tuple(results), broken, reports=reports if measure else None)

    def _coverage(self, run: Run) -> Coverage:
        assert run.reports is not None
        files = json.loads((run.reports / "coverage.json").read_text())["files"]
        root = str(self.workspace.root)
        found = {}
        for name, data in files.items():
            path = str(Path(name).resolve()).removeprefix(f"{root}/")
            if path not in self.program.files:
                continue
            lines = [frozenset(data[f"{kind}_lines"]) for kind in ("executed", "missing")]
            branches = [
                frozenset(map(tuple, data[f"{kind}_branches"])) for kind in ("executed", "missing")
            ]
            found[path] = FileCoverage(path, *lines, frozenset(), *branches)
        return Coverage(found)

    @contextmanager
    def _imported(self) -> Iterator[None]:
        """Every module of the program as the copy has it."""
        kept = dict(sys.modules)
        try:
            for path, file in self.program.files.items():
                module = ModuleType(file.module)
                sys.modules[file.module] = module
                module.__dict__.update(_executed(self.workspace.root / path))
            yield
        finally:
            sys.modules.clear()
            sys.modules.update(kept)


def _executed(path: Path) -> dict[str, Any]:
    names: dict[str, Any] = {"__file__": str(path), "__name__": path.stem}
    exec(compile(path.read_text("utf-8"), str(path), "exec"), names)
    return names


def _called(node: str, names: dict[str, Any]) -> TestResult:
    function = names[node.partition("::")[2]]
    marks = {mark.name: mark.args for mark in getattr(function, "pytestmark", ())}
    emergent = marks["emergent"][0] if "emergent" in marks else None
    failure = None
    try:
        function()
    except Exception as error:
        failure = _failure(error, node.partition("::")[0])
    outcome = "failed" if failure else "passed"
    said = marks.get("req", ()), emergent, function.__doc__ or ""
    return TestResult(node, outcome, 0.0, failure, "", "", *said)  # type: ignore[arg-type]


def _failure(error: Exception, path: str) -> Failure:
    return Failure("call", type(error).__name__, str(error), path, 1, "")


def debugger(brief: Brief) -> Feedback:
    return Feedback("debugger", "FIX", brief.findings, "Something fails.")


@dataclass
class SmallLift:
    """Lifts of a project with the module `thing`; `watch` is told of each agent before it acts."""

    root: Path
    requirements: Requirements = field(default_factory=lambda: Requirements((R1, R2)))
    watch: Watch = lambda name, brief: None
    briefs: list[Brief] = field(default_factory=list)
    ledger: UsageLedger | None = None
    agents: Agents | None = None
    """Agents that write instead of the scripts."""
    cut_short: bool = False
    """Whether the generator says that it had less time than usual."""
    faults: Callable[[SuiteMeasurer], FaultMeasurer] = FaultMeasurer
    said: list[str] = field(default_factory=list)
    """What the user was told in between."""
    publisher: Publisher = field(init=False)

    def __post_init__(self) -> None:
        self.root.mkdir(parents=True, exist_ok=True)
        self.write({"thing.py": THING})

    def write(self, files: Mapping[str, str]) -> SmallLift:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return self

    def read(self, name: str) -> str:
        return (self.root / name).read_text("utf-8")

    @property
    def history(self) -> tuple[Iteration, ...]:
        found = resumed(History.open(self.root), "tests")
        return found.iterations if found else ()

    def lift(
        self, *scripts: Script, landing: bool = True, resume: bool = False, **settings: Any
    ) -> LiftOutcome:
        """Evolve the suite; the generator writes `scripts`, one per iteration (a text: that of
        test_thing.py), and nothing more after the last."""
        told = Settings(root=self.root, tests="tests", **settings)
        program, suite = find_program(self.root), read_suite(self.root, "tests", NAMING)
        history = History.open(self.root)
        before = resumed(history, "tests") if resume else None
        with Workspace.create(self.root, program.paths, tests="tests") as workspace:
            jail = Jail("off").inside(self.root, workspace.root)
            measurer = CallingBench(workspace, program, self.requirements, jail, None)  # type: ignore[arg-type]
            run = before.run if before else history.start_run()
            self.publisher = Publisher(self.root, measurer, run, suite, landing)
            chronicle = IterationLog(self.publisher, self.ledger, lambda phase, iteration: None)
            scripted = Agents("scripted", self._generator(scripts), debugger, self._evaluator)
            agents = self.agents or scripted
            stop = lambda iterations: ending_of(told, iterations)  # noqa: E731
            marks = frozenset({"req", "emergent"})
            faults = self.faults(measurer)
            judgements = SearchMemory(self.root / ".lift", self.said.append, WORTHLESS)
            setup = Setup(
                faults,
                agents,
                chronicle,
                say=self.said.append,
                judgements=judgements,
                marks=marks,
            )
            return Lift(setup, stop).run(suite, before)

    def _generator(self, scripts: Sequence[Script]) -> Callable[[Brief], Edit]:
        def generator(brief: Brief) -> Edit:
            self.briefs.append(brief)
            self.watch("generator", brief)
            if brief.iteration > len(scripts):
                return Edit({}, cut_short=self.cut_short)
            script = scripts[brief.iteration - 1]
            return Edit({"tests/test_thing.py": script} if isinstance(script, str) else script)

        return generator

    def _evaluator(self, brief: Brief) -> Feedback:
        self.watch("evaluator", brief)
        return evaluator(brief)
