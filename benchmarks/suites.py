"""`make bench-suites ARGS="FOLDER"`: suites that an engine writes for each project of a folder.

The three scenarios of MultiFileTest (Wang et al. 2025): tests as a model writes them in one answer
to the whole project; the same after mechanical repair by our rules; and after the model has been
shown once what fails. Then a whole lift with the same engine, iteration by iteration. The offline
engine and a recorded lift have no single answer: of the offline engine the first scenario is the
suite that one iteration writes, of a recording there is only the loop.

    OPENAI_BASE_URL=... make bench-suites ARGS="FOLDER --model NAME"     # any compatible endpoint
    make bench-suites ARGS="FOLDER --engine offline --seconds 60"
    make bench-suites ARGS="FOLDER --engine replay --replay CALLS"       # of --keep, or of a lift
    make bench-suites ARGS="FOLDER --model NAME --keep DIR --mutants 2"  # goes on where it ended

Each project is a folder with its sources; tests in it are not used. What was done stands in --keep
(default: FOLDER/.suites), one file a step, and is not done again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from sdists import KEPT
from suite_figures import TESTS, SuiteFigures, measured, mutants
from suite_table import PAPER, SCENARIOS, averages, by_iteration, table, worse
from untested import without_tests

from pytest_lift.errors import LiftError
from pytest_lift.gate.diagnosis.diagnosing import Diagnoser
from pytest_lift.gate.repair.repairing import Repairer
from pytest_lift.llm.calls import CallLog, Recorded
from pytest_lift.llm.factory import open_endpoint
from pytest_lift.llm.replay import Replay
from pytest_lift.llm.values import Message, Model, ModelError, ModelRequest, Usage
from pytest_lift.project.discovery import find_program
from pytest_lift.settings import Settings
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import read_suite, suite_of

GENERATED = f"{TESTS}/test_generated.py"
FAILED = ("no outcome", "failed")
"""Outcomes of lifts that something went wrong with."""
MOST_SOURCE = 120_000
"""Characters of sources in one request."""
ANSWER = 8192
ASK = (
    "Write pytest tests for this project: one file that can be run from the project's folder, "
    "with all imports. Test each function and class, usual and unusual input. Answer with the "
    "file alone, in one block of Python.\n\n"
)
MEND = "Running it gives what follows. Correct the tests and answer with the whole file again.\n\n"
_FENCED = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)(?:\n```|\Z)", re.DOTALL)


@dataclass(frozen=True)
class Step:
    """One scenario of one project."""

    figures: SuiteFigures
    texts: Mapping[str, str]
    tokens: int = 0
    seconds: float = 0.0
    trouble: str = ""
    repairs: int = 0


@dataclass(frozen=True)
class Bench:
    """How suites are made, and where what was done is kept."""

    engine: str
    keep: Path
    model: Model | None = None
    name: str = ""
    replay: Path | None = None
    seconds: float = 60.0
    iterations: int = 5
    mutation_minutes: float = 0.0

    def kept(self, project: Path, step: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The result of a step: read where it was done, else made and written."""
        place = self.keep / project.name / f"{step.replace(' ', '-')}.json"
        try:
            found: dict[str, Any] = json.loads(place.read_text("utf-8"))
        except (OSError, ValueError):
            found = make()
            place.parent.mkdir(parents=True, exist_ok=True)
            half = place.with_suffix(".half")
            half.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
            half.replace(place)
        return found


def code_in(answer: str) -> str:
    """The program text in an answer as the paper's script takes it: the first block, else all."""
    found = _FENCED.search(answer)
    return (found[1] if found else answer).strip("\n") + "\n"


def sources(program: Program) -> str:
    parts = [f"# {path}\n```python\n{file.text}\n```\n" for path, file in program.files.items()]
    return "\n".join(parts)[:MOST_SOURCE]


def asked(model: Model, messages: Sequence[Message]) -> tuple[str, Usage]:
    """The answer, empty where there is none."""
    request = ModelRequest(tuple(messages), most_tokens=ANSWER, label="suite")
    try:
        answer = asyncio.run(model.complete(request))
    except ModelError as error:
        print(f"  no answer: {error}", file=sys.stderr)
        return "", Usage()
    return answer.text, answer.usage


def scenarios(root: Path, program: Program, bench: Bench) -> dict[str, dict[str, Any]]:
    """The three scenarios by name, as far as the engine has them."""
    found: dict[str, dict[str, Any]] = {}

    def step(name: str, make: Callable[[], Step]) -> dict[str, Any]:
        found[name] = bench.kept(root, name, lambda: _as_data(_with_mutants(make(), root, bench)))
        return found[name]

    if bench.engine == "replay" and bench.model is None:
        return {}
    model = bench.model
    first: Callable[[], Step] = lambda: _offline(root, program, bench)  # noqa: E731
    if model is not None:
        first = lambda: _answered(root, program, model)  # noqa: E731
    texts = step(SCENARIOS[0], first)["texts"]
    step(SCENARIOS[1], lambda: _repaired(root, program, texts))
    if model is not None:
        step(SCENARIOS[2], lambda: _mended_by_model(root, program, model, found[SCENARIOS[0]]))
    return found


def _answered(root: Path, program: Program, model: Model) -> Step:
    began = time.monotonic()
    text, usage = asked(model, [Message("user", ASK + sources(program))])
    return _step(root, program, {GENERATED: code_in(text)} if text else {}, usage, began)


def _mended_by_model(root: Path, program: Program, model: Model, before: Mapping[str, Any]) -> Step:
    """The suite after one more answer of the model; as it was where nothing failed."""
    began, texts = time.monotonic(), before["texts"]
    if not before["trouble"] or not texts:
        return _step(root, program, texts, Usage(), began)
    said = [
        Message("user", ASK + sources(program)),
        Message("assistant", f"```python\n{texts[GENERATED]}```"),
        Message("user", MEND + before["trouble"]),
    ]
    text, usage = asked(model, said)
    return _step(root, program, {GENERATED: code_in(text)} if text else texts, usage, began)


def _step(
    root: Path, program: Program, texts: Mapping[str, str], usage: Usage, began: float
) -> Step:
    seconds = round(time.monotonic() - began, 1)
    told = measured(root, program, texts)
    return Step(told.figures, texts, usage.tokens, seconds, told.trouble)


def _repaired(root: Path, program: Program, texts: Mapping[str, str]) -> Step:
    began, made, repairs = time.monotonic(), dict(texts), 0
    repairer = Repairer(Diagnoser(program, suite_of(TESTS, {}), root))
    for path, text in texts.items():
        done = repairer.repaired(path, text)
        made[path] = done.text
        repairs += len(done.repairs)
    return replace(_step(root, program, made, Usage(), began), repairs=repairs)


def _with_mutants(step: Step, root: Path, bench: Bench) -> Step:
    if not bench.mutation_minutes or not step.figures.passed:
        return step
    told = mutants(root, step.texts, bench.mutation_minutes)
    return replace(step, figures=replace(step.figures, mutation_percent=told))


def _as_data(step: Step) -> dict[str, Any]:
    correct = round(step.figures.correct_percent, 1)
    return {**asdict(step), "figures": {**asdict(step.figures), "correct_percent": correct}}


def _offline(root: Path, program: Program, bench: Bench) -> Step:
    """The suite that one iteration of the offline agents writes."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / root.name
        shutil.copytree(root, copy, symlinks=True)
        _lift(copy, bench, "--lift-iterations=1")
        texts = dict(read_suite(copy, TESTS).texts())
    seconds = round(time.monotonic() - began, 1)
    own = {path: text for path, text in texts.items() if path.endswith(".py")}
    told = measured(root, program, own)
    return Step(told.figures, own, 0, seconds, told.trouble)


def _lift(copy: Path, bench: Bench, *options: str) -> None:
    command = [sys.executable, "-m", "pytest", "--lift", "-q", "--lift-output=land", *options]
    command.append("--lift-write-config")
    if bench.engine == "offline":
        command.append(f"--lift-max-minutes={bench.seconds / 60:.4f}")
    elif bench.replay is not None:
        command.append(f"--lift-replay={bench.replay}")
    else:
        command.append(f"--lift-model={bench.name}")
    minutes = bench.mutation_minutes
    command.append(f"--lift-mutation-minutes={minutes}" if minutes else "--lift-mutation=off")
    if (copy / "requirements.yml").is_file():
        command += ["--requirements", "requirements.yml"]
    subprocess.run(command, cwd=copy, env=KEPT, capture_output=True, text=True, check=False)


def loop(root: Path, bench: Bench) -> dict[str, Any]:
    """The iterations of a whole lift: what was accepted by then, with tokens and seconds."""

    def make() -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / root.name
            shutil.copytree(root, copy, symlinks=True)
            _lift(copy, bench, f"--lift-iterations={bench.iterations}")
            try:
                run = json.loads((copy / ".lift/run.json").read_text("utf-8"))
            except (OSError, ValueError):
                return {"outcome": "no outcome", "iterations": []}
        return {"outcome": run["outcome"], "iterations": [*map(_iteration, run["history"])]}

    return bench.kept(root, "loop", make)


def _iteration(told: Mapping[str, Any]) -> dict[str, Any]:
    figures = told["figures"]
    keys = ("tests", "passed", "line_percent", "branch_percent", "mutation_percent", "verified")
    usage = told["usage"].values()
    return {
        "number": told["number"],
        "accepted": told["accepted"],
        **{key: figures[key] for key in keys},
        "tokens": sum(one["prompt_tokens"] + one["completion_tokens"] for one in usage),
        "seconds": round(told["elapsed"], 1),
        "repairs": len(told["repairs"]),
    }


def projects(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.iterdir() if path.is_dir() and path.name[0] != ".")
    return [path for path in found if any(path.rglob("*.py"))]


def benched(source: Path, bench: Bench) -> dict[str, Any]:
    """All that is known of one project."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / source.name
        shutil.copytree(source, root, symlinks=True)
        without_tests(root)
        try:
            program = find_program(root)
            return {
                "project": source.name,
                "scenarios": scenarios(root, program, bench),
                "loop": loop(root, bench),
            }
        except LiftError as error:
            return {"project": source.name, "skipped": str(error)}


def opened(options: argparse.Namespace, keep: Path) -> Bench:
    """The bench that was asked for. Raises UsageError without a key or a name."""
    engine = options.engine or ("model" if options.model else "offline")
    bench = Bench(
        engine, keep, None, options.model or "", options.replay, options.seconds,
        options.iterations, options.mutants,
    )  # fmt: skip
    if engine == "model":
        endpoint = open_endpoint(Settings(Path.cwd(), TESTS, model=options.model), os.environ)
        log = CallLog()
        log.open(keep / "calls")
        return replace(bench, model=Recorded(endpoint, log))
    if engine == "replay" and options.single:
        return replace(bench, model=Replay(options.replay))
    return bench


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--engine", choices=("model", "offline", "replay"))
    parser.add_argument("--model", help="name of the model; the endpoint is OPENAI_BASE_URL")
    parser.add_argument("--replay", type=Path, help="recorded calls, with --engine replay")
    parser.add_argument(
        "--single", action="store_true", help="the recording is of single answers (DIR/calls)"
    )
    parser.add_argument("--seconds", type=float, default=60.0, help="of an offline lift")
    parser.add_argument("--iterations", type=int, default=5, help="of the loop")
    parser.add_argument("--mutants", type=float, default=0.0, metavar="MINUTES")
    parser.add_argument("--keep", type=Path, help="where what was done is kept")
    options = parser.parse_args(arguments)
    engine = options.engine or ("model" if options.model else "offline")
    name = re.sub(r"\W+", "-", f"{engine}-{options.model or ''}").strip("-")
    keep = (options.keep or options.folder / ".suites").resolve() / name
    options.replay = options.replay.resolve() if options.replay else None
    try:
        bench = opened(options, keep)
    except LiftError as error:
        print(error, file=sys.stderr)
        return 2
    rows = []
    for source in projects(options.folder):
        print(source.name, file=sys.stderr, flush=True)
        rows.append(benched(source, bench))
    tried = [row for row in rows if "skipped" not in row]
    found = {scenario: averages(tried, scenario) for scenario in SCENARIOS}
    iterations = by_iteration(tried)
    table(found, iterations)
    figures = {
        "engine": engine,
        "model": options.model,
        "projects": len(tried),
        "skipped": {row["project"]: row["skipped"] for row in rows if "skipped" in row},
        "scenarios": found,
        "loop": iterations,
        "worse_after_repair": worse(tried),
        "failed_lifts": [r["project"] for r in tried if r["loop"]["outcome"] in FAILED],
        "paper": PAPER,
    }
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
