"""The readers of files that others wrote, each with valid inputs to begin from.

A target makes one hostile case in `box`, gives it to what the product itself calls, and returns
what came out. Only `LiftError` may be raised.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import socket
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from fuzzing.mutation import as_bytes, mutated, mutated_data, put, yaml_bomb
from fuzzing.seeds import (
    EVENTS,
    FEEDBACK,
    ITERATION,
    NEW,
    NODE,
    OLD,
    OWNERSHIP,
    REPORT,
    REQUIREMENTS,
    SOURCE,
    STANDING,
    TESTS,
    damaged,
    database,
)
from pytest_lift.calls.running.children import read_observations
from pytest_lift.cli import main as command
from pytest_lift.coverage.coverage import Coverage, read_files
from pytest_lift.coverage.database import read_coverage
from pytest_lift.errors import LiftError
from pytest_lift.evolve.resume import resumed
from pytest_lift.files.project_reads import read_confined
from pytest_lift.findings.feedback import Feedback, Role, read_feedback, write_feedback
from pytest_lift.findings.finding import collect_findings
from pytest_lift.findings.page import page
from pytest_lift.gate.gating import gate
from pytest_lift.oracles.asking import answers
from pytest_lift.oracles.discrepancies import _tried, grouped
from pytest_lift.requirements.reader import load
from pytest_lift.requirements.requirement import (
    Expectation,
    Requirements,
    read_expectations,
    still_stated,
    written_expectations,
)
from pytest_lift.run.channel import KEY_BYTES, SealedRecord, _sum
from pytest_lift.run.events import run_from_events
from pytest_lift.run.result import Run
from pytest_lift.sandbox.worker import records
from pytest_lift.source.program import Program, SourceFile, read_program
from pytest_lift.store.archive import HistoryRun
from pytest_lift.store.history import History, restore
from pytest_lift.store.journal import content_hash
from pytest_lift.store.landing import recover
from pytest_lift.suite.collection import DEFAULT_NAMING
from pytest_lift.suite.suite import Edit, Suite, read_suite, suite_of
from pytest_lift.suite.user_code import refusals
from pytest_lift.trace.trace import trace_run

EXPECTED = Expectation("ENC-7", "It is one.", "f()", expected="1", setup="import pkg")

MINE = ("mine.txt", ".git/config", "src/mod.py")
"""Files of a project that no reader may change."""
UPWARDS = (
    "../mine.txt", "../.git/config", "../src/mod.py", "./../mine.txt", "sub/../../.git/hooks/x",
    "..", "../../decoy/a.py", "../../../x.py", "../../../../../../x.py", "../conftest.py",
    "..//.git/config", "../tests/../mine.txt", "../tests2/test_x.py", "/../mine.txt",
)  # fmt: skip
"""Below the folder of the tests, as somebody may write it."""

Target = Callable[[Random, Path, Path], Any]
"""(random, box, decoy) -> what came out; the case is made in `box`."""


def requirements(random: Random, box: Path, decoy: Path) -> Any:
    bomb = random.random() < 0.03
    put(box / "r.yml", yaml_bomb(random) if bomb else mutated(REQUIREMENTS, random), random, decoy)
    found = load([box / "r.yml"])
    assert all(type(item.id) is str and item.id.isprintable() for item in found)
    return found.warnings


def feedback(random: Random, box: Path, decoy: Path) -> Any:
    data = mutated(FEEDBACK, random)
    if random.random() < 0.03:
        data = b"---\n" + yaml_bomb(random) + b"\n---\nbody"
    text = data.decode("utf-8", random.choice(("replace", "surrogateescape")))
    roles: tuple[Role, ...] = ("debugger", "evaluator")
    for role in random.sample(roles, 1):
        read = read_feedback(text, role)
        again = read_feedback(write_feedback(read), read.role)
        assert (again.verdict, again.findings) == (read.verdict, again.findings)
        run = Run("passed")
        trace = trace_run(Requirements(), run, Suite("tests"))
        told = page(Feedback("evaluator", "REWORK", read.findings, read.summary), run, trace, None)
        assert "\x1b" not in told + write_feedback(read)
        assert told.count("**Verdict:") <= 1 + read.summary.count("**Verdict:") + text.count(
            "Verdict"
        )
    return None


def ownership(random: Random, box: Path, decoy: Path) -> Any:
    data = as_bytes(mutated_data(json.loads(json.dumps(OWNERSHIP)), random), random)
    put(box / "tests" / ".lift.json", data, random, decoy)
    put(box / "tests" / "test_mod.py", OLD.encode(), random, decoy)
    suite = read_suite(box, "tests")
    edited = suite.apply(Edit({"tests/test_mod.py": NEW}))
    assert not suite.user_tests() or refusals(suite, Edit({"tests/test_mod.py": NEW}))
    return [*suite.warnings, *edited.texts(), *suite.without([NODE]).texts()]


def record(random: Random, box: Path, decoy: Path) -> Any:
    """What comes over the recorder's socket: forged, replayed, or written with a stolen key."""
    events = mutated_data(json.loads(json.dumps(EVENTS)), random)
    heard = _Heard()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        sealed = SealedRecord(heard)
        sealed.read(ours)
        key = theirs.recv(KEY_BYTES)
        for number, row in enumerate(events if isinstance(events, list) else [events], 1):
            body = as_bytes(row, random).replace(b"\n", b" ")
            line = b"%d %s %s\n" % (number, _sum(key, number, body), body)
            line = mutated(line, random) if random.random() < 0.1 else line
            for start in range(0, len(line), 32_000):
                theirs.sendall(line[start : start + 32_000])
                sealed.read(ours)
    return [heard.doubts, _used(run_from_events(heard.events), Coverage())]


class _Heard:
    """What a record said."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.doubts = 0

    def take(self, event: dict[str, Any]) -> None:
        self.events.append(event)

    def doubt(self) -> None:
        self.doubts += 1


def coverage_report(random: Random, box: Path, decoy: Path) -> Any:
    data = as_bytes(mutated_data(json.loads(json.dumps(REPORT)), random), random)
    put(box / "coverage.json", data, random, decoy, odd=0.05)
    return _used(Run("passed"), Coverage(read_files(box / "coverage.json", program(), box)))


def coverage_database(random: Random, box: Path, decoy: Path) -> Any:
    (box / "coverage.json").write_bytes(json.dumps(REPORT).encode())
    data = database(random.randrange(40)) if random.random() < 0.5 else database(0)
    if random.random() < 0.7:
        data = damaged(data, random)
    put(box / "coverage.db", data, random, decoy, odd=0.05)
    if random.random() < 0.1:
        put(box / "coverage.db-journal", mutated(data, random), random, decoy, odd=0.3)
    return _used(Run("passed"), read_coverage(box, program(), box))


def reports(random: Random, box: Path, decoy: Path) -> Any:
    """The folder that a run left, archived."""
    left = box / "reports"
    left.mkdir()
    names = ("junit.xml", "coverage.xml", "coverage.json", "coverage.db", "sub/x", "..x", "\udcff")
    for name in random.sample(names, 3):
        data = b"<xml/>" * (300_000 if random.random() < 0.02 else 10)
        put(left / name, data, random, decoy, odd=0.4)
    (box / ".lift" / "history" / "20260101-000000").mkdir(parents=True)
    run = HistoryRun(box / ".lift", "20260101-000000")
    stored = run.archive(0, suite=suite_of("tests", {"tests/test_a.py": OLD}), reports=left)
    found = [path for path in stored.rglob("*") if path.is_file()]
    assert not any(path.is_symlink() for path in stored.rglob("*"))
    packed = [gzip.decompress(p.read_bytes()) for p in found if p.suffix == ".gz"]
    return [[path.read_bytes() for path in found], packed, run.suite_at(0)]


def history(random: Random, box: Path, decoy: Path) -> Any:
    """`.lift/` as somebody else left it, and everything that is done with one."""
    _left_history(random, box, decoy)
    return [*_leaving_the_rest(box, lambda: [*_answers(box)]), (box / "tests").is_dir()]


def _left_history(random: Random, box: Path, decoy: Path) -> None:
    root = box / ".lift"
    (box / "tests").mkdir()
    (box / "tests" / "test_mod.py").write_text(NEW)
    names = [
        "20260101-000000",
        "20260101-000000-002",
        "2026",
        "²",
        "9",
        "29990101-000000-x",
        "29990101-000000",
        "..a",
    ]
    for name in random.sample(names, 2):
        folder = root / "history" / name
        if random.random() < 0.1:
            put(folder, b"x", random, decoy, odd=1.0)
            continue
        number = random.choice(("000", "000", "001", "²", "0000000000001", ".000.tmp", ".000.old"))
        _iteration(folder / number, random, decoy)
        landed = {"tests/test_mod.py": [content_hash(NEW.encode())]}
        data = as_bytes(mutated_data(landed, random) if random.random() < 0.3 else landed, random)
        put(folder / "landed.json", data, random, decoy, odd=0.05)
    for name in (".last-passing.old", "last-passing/test_a.py", ".x.tmp"):
        if random.random() < 0.1:
            put(root / name, b"x", random, decoy, odd=0.5, kinds=7)


def _iteration(folder: Path, random: Random, decoy: Path) -> None:
    said: Any = {"test_root": random.choice(("tests", "tests", "../decoy", "/", "", 1))}
    figures, standing = deepcopy(ITERATION), deepcopy(STANDING)
    if random.random() < 0.5:
        figures, standing = mutated_data(figures, random), mutated_data(standing, random)
    put(folder / "suite.json", as_bytes(said, random), random, decoy, odd=0.05)
    put(folder / "figures.json", as_bytes(figures, random), random, decoy)
    put(folder / "standing.json", as_bytes(standing, random), random, decoy, odd=0.03)
    put(folder / "tests" / "test_mod.py", OLD.encode(), random, decoy, odd=0.1, kinds=7)
    put(
        folder / "feedback" / "fixes.md", mutated(FEEDBACK, random), random, decoy, odd=0.1, kinds=7
    )
    put(
        folder / "tests" / "sub" / "x.py",
        mutated(OLD.encode(), random),
        random,
        decoy,
        odd=0.1,
        kinds=7,
    )


def _answers(box: Path) -> Iterator[Any]:
    """Each question that the product asks of a history; a refusal of one leaves the others."""
    known: list[Callable[[History], Any]] = [
        lambda h: [h.run_named(run).iterations() for run in h.runs()],
        lambda h: [h.run_named(run).suite_at(0) for run in h.runs()],
        lambda h: resumed(h, "tests", DEFAULT_NAMING),
        lambda h: restore(box, None, force=True).lines(),
        lambda h: h.start_run(keep=2).id,
    ]
    for ask in known:
        try:
            yield ask(History.open(box))
        except LiftError as error:
            yield str(error)


def journal(random: Random, box: Path, decoy: Path) -> Any:
    """A landing that was cut short, as the journal tells it."""
    (box / "tests").mkdir()
    put(box / "tests" / "test_mod.py", OLD.encode(), random, decoy, odd=0.1)
    contents = {content_hash(text.encode()): text for text in (OLD, NEW)}
    old, new = contents
    steps = [
        {"path": "tests/test_mod.py", "old": old, "new": new, "between": None},
        {"path": "tests/new/test_x.py", "old": None, "new": new, "between": None},
        {"path": "tests/.lift.json", "old": None, "new": old, "between": new},
    ]
    data: Any = {"version": 1, "run": "r1", "test_root": "tests", "steps": steps}
    data["contents"] = contents
    if random.random() < 0.1:
        data["run"] = random.choice(("..", "../../decoy", "a/b", "²", "-", "a\n"))
    if random.random() < 0.3:
        steps[1]["path"] = f"tests/{random.choice(UPWARDS)}"
    elif random.random() < 0.8:
        data = mutated_data(data, random)
    put(box / ".lift" / "landing.json", as_bytes(data, random), random, decoy, odd=0.03)
    return _leaving_the_rest(box, lambda: recover(box, box / ".lift"))


def stated(random: Random, box: Path, decoy: Path) -> Any:
    """What the child that tries the examples of requirements answers."""
    said = {"call": "f()", "expected": "1", "actual": "2", "setup": ""}
    tried = {"outcome": "differs", "actual": "2", "call": "f()", "imports": ["import pkg"]}
    rows: Any = [
        {"number": 0, "answer": said},
        {"number": 1, "answer": {**said, **tried}},
        {"number": 1, "ended": "signal 9"},
    ]
    rows = mutated_data(rows, random)
    data = b"\n".join(as_bytes(row, random) for row in (rows if isinstance(rows, list) else [rows]))
    put(box / "answers.jsonl", data, random, decoy, odd=0.1)
    found = answers(box / "answers.jsonl", 2)
    return grouped(["ENC-7", "C"], found), [_tried(EXPECTED, row, ()) for row in found.values()]


def expectations(random: Random, box: Path, decoy: Path) -> Any:
    """What an earlier lift stored of what texts let one expect."""
    data = mutated_data(json.loads(written_expectations([EXPECTED, EXPECTED])), random)
    found = read_expectations(as_bytes(data, random).decode("utf-8", "replace"))
    assert all(one.key and one.told is not None for one in found)
    return still_stated(found, asked())


def observed(random: Random, box: Path, decoy: Path) -> Any:
    """What the child of the search answers."""
    raised = {"type": "ValueError", "module": "builtins", "message": "no"}
    outcome = {"type": "int", "source": "1", "wrap": "", "names": [["os", "sep"]], "text": None}
    outcome |= {"attributes": [["x", "1"]], "shown": "1", "printed": "", "files": [["a", "b"]]}
    rows: Any = [
        {"case": 0, "outcomes": [outcome], "hits": [1, 2], "rejected": ""},
        {"case": 1, "outcomes": [{**outcome, "raised": raised}], "hits": [], "rejected": "clock"},
        {"case": -1},
    ]
    rows = mutated_data(rows, random)
    data = b"\n".join(as_bytes(row, random) for row in (rows if isinstance(rows, list) else [rows]))
    put(box / "journal", data, random, decoy, odd=0.1)
    found = read_observations(records(box / "journal"), 2, 3)
    assert all(0 <= case < 2 and seen.hits <= {0, 1, 2} for case, seen in found.items())
    return found


def generated(random: Random, box: Path, decoy: Path) -> Any:
    """A test file as an agent may write it, at the gate."""
    text = mutated(TESTS.encode(), random).decode("utf-8", "surrogateescape")
    path = random.choice(("tests/test_a.py", "tests/conftest.py", "tests/test_mod.py", "../x.py"))
    before = suite_of("tests", {"tests/test_mod.py": OLD})
    gated = gate(Edit({path: text}), before, asked(), program())
    for test in gated.suite.owned_tests():
        assert set(test.requirements) <= set(asked().by_id)
    return [finding.what for finding in gated.refused]


def confined(random: Random, box: Path, decoy: Path) -> Any:
    """Names that a text may give for a file."""
    (box / "src").mkdir()
    (box / "src" / "a.py").write_text("x = 1\n")
    (box / ".env").write_bytes((decoy / "secret.txt").read_bytes())
    put(box / "link", b"plain", random, decoy, odd=0.8)
    put(box / "up" / "link", b"plain", random, decoy, odd=0.5)
    if random.random() < 0.1:
        assert read_confined(box, "src/a.py") == b"x = 1\n"
    parts = [
        "src",
        "src",
        "src/a.py",
        "a.py",
        "..",
        ".",
        "",
        "link",
        "up",
        ".env",
        ".ENV",
        "decoy",
        "secret.txt",
        "/",
    ]
    parts += [
        str(decoy),
        "\0",
        "\uff0eenv",
        "a" * 300,
        "~",
        "inner",
        ".env ",
        "\\",
        "\udcff",
        "proc",
    ]
    name = "/".join(random.choice(parts) for _ in range(random.choice((1, 2, 2, 3, 4, 6))))
    if random.random() < 0.2:
        name = mutated(name.encode("utf-8", "surrogateescape"), random).decode("latin-1")
    return read_confined(box, name)


def arguments(random: Random, box: Path, decoy: Path) -> Any:
    """`pytest-lift restore` as it is typed, on a history that is odd."""
    _left_history(random, box, decoy)
    run = random.choice(("20260101-000000", "..", "../..", "", "2026", "²", "\x1b[2J", "a\0b"))
    typed = ["restore", run, "--project", str(box), *random.choice(([], ["--list"]))]
    return _leaving_the_rest(box, lambda: command(typed))


def _mine(box: Path) -> dict[Path, bytes]:
    """What of a project is neither its tests nor kept by the lift, as far as it can be read."""
    ours = (box / "tests", box / ".lift")
    return {
        path: path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        for path in sorted(box.rglob("*"))
        if not any(path == top or path.is_relative_to(top) for top in ours)
    }


def _leaving_the_rest(box: Path, call: Callable[[], Any]) -> Any:
    """What `call` gives, which may change a project's tests and nothing beside them."""
    for name in MINE:
        (box / name).parent.mkdir(parents=True, exist_ok=True)
        (box / name).write_text("mine")
    before = _mine(box)
    try:
        return call()
    finally:
        assert _mine(box) == before, "something beside the tests was changed"


def control(random: Random, box: Path, decoy: Path) -> Any:
    """Readers as they must not be: the oracle has to see all that these do."""
    match random.randrange(7):
        case 0:
            (box / "a").symlink_to(decoy / "secret.txt")
            return (box / "a").read_bytes()
        case 1:
            (decoy / "new.txt").write_text("x")
        case 2:
            return json.loads("[" * 100_000)
        case 3:
            os.mkfifo(box / "a")
            return (box / "a").read_bytes()
        case 4:
            (decoy / "secret.txt").chmod(0o755)
        case 5:
            (box / "tests").mkdir()
            place = box / "tests" / ".." / MINE[0]
            return _leaving_the_rest(box, lambda: place.write_text("theirs"))
        case _:
            raise ValueError("not told properly")
    return None


TARGETS: dict[str, Target] = {
    "requirements": requirements,
    "feedback": feedback,
    "ownership": ownership,
    "record": record,
    "coverage-report": coverage_report,
    "coverage-database": coverage_database,
    "reports": reports,
    "history": history,
    "arguments": arguments,
    "journal": journal,
    "stated": stated,
    "expectations": expectations,
    "observed": observed,
    "generated": generated,
    "confined": confined,
}


@cache
def program() -> Program:
    """One module, as the reports speak of it."""
    place = Path(os.environ["FUZZ_SCRATCH"], "program")
    shutil.rmtree(place, ignore_errors=True)
    (place / "pkg").mkdir(parents=True)
    (place / "pkg" / "__init__.py").write_text("")
    (place / "pkg" / "mod.py").write_text(SOURCE)
    return read_program(place, ("pkg",), ("",), "")


@cache
def asked() -> Requirements:
    place = Path(os.environ["FUZZ_SCRATCH"], "asked.yml")
    place.write_bytes(REQUIREMENTS)
    return load([place])


def _used(run: Run, coverage: Coverage) -> Any:
    """What the loop does with a run: trace, findings, feedback, figures."""
    source: dict[str, SourceFile] = dict(program().files)
    trace = trace_run(asked(), run, suite_of("tests", {"tests/test_mod.py": OLD}))
    findings = collect_findings(run, trace, program(), coverage)
    told = Feedback("debugger", "FIX", findings, "summary")
    text = write_feedback(told) + page(told, run, trace, coverage)
    assert "\x1b" not in text
    return [
        text,
        coverage.line_percent,
        coverage.branch_percent,
        len(coverage.covered()),
        len(source),
    ]
