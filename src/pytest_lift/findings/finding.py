"""Run + figures + Trace -> ranked `Finding`s: what should change in the suite, and where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.coverage.uncovered import uncovered
from pytest_lift.oracles.discrepancies import Discrepancy, bare, plainly
from pytest_lift.run.result import INSTEAD, Failure, Run, TestResult, confine
from pytest_lift.source.program import Program
from pytest_lift.source.unreachable.reachability import Reach
from pytest_lift.text.wording import acceptance, shortened
from pytest_lift.trace.contested import has_tests, uncontested, untested_rest
from pytest_lift.trace.statuses import BAD
from pytest_lift.trace.trace import RequirementTrace, Trace

Kind = Literal[
    "failing",
    "broken-file",
    "crashed",
    "timed-out",
    "out-of-memory",
    "denied-write",
    "needs-loopback",
    "flaky",
    "uncovered-branch",
    "surviving-mutant",
    "requirement-untested",
    "requirement-partial",
    "point-uncovered",
    "suspected-defect",
    "doubtful-requirement",
    "pins-contradiction",
    "broken-example",
    "unknown-requirement",
    "missing-behaviour",
    "weak-assertion",
    "doubtful-link",
    "left-out",
    "not-tested",
    "refused",
    "skipped",
    "slow",
    "vacuous",
    "weak",
    "over-mocked",
    "near-duplicate",
    "redundant",
    "polluting",
    "level-differs",
]

JUDGED: frozenset[Kind] = frozenset({"missing-behaviour", "weak-assertion", "doubtful-link"})
"""Kinds of findings that only an evaluator reports; they cannot be computed from figures."""

GAIN: Mapping[Kind, float] = {
    "crashed": 1000.0,
    "timed-out": 1000.0,
    "out-of-memory": 1000.0,
    "broken-file": 500.0,
    "failing": 100.0,
    "denied-write": 100.0,
    "needs-loopback": 100.0,
    "flaky": 80.0,
    "unknown-requirement": 60.0,
    "suspected-defect": 50.0,
    "doubtful-requirement": 50.0,
    "pins-contradiction": 2.0,
    "broken-example": 20.0,
    "requirement-untested": 10.0,
    "doubtful-link": 5.0,
    "missing-behaviour": 5.0,
    "requirement-partial": 4.0,
    "point-uncovered": 1.5,
    "weak-assertion": 3.5,
    "refused": 3.0,
    "polluting": 40.0,
    "vacuous": 2.5,
    "over-mocked": 2.0,
    "weak": 0.6,
    "uncovered-branch": 1.0,
    "surviving-mutant": 0.8,
    "near-duplicate": 0.4,
    "redundant": 0.3,
    "level-differs": 0.2,
    "skipped": 0.5,
    "slow": 0.1,
    "left-out": 0.0,
    "not-tested": 0.0,
}
"""Value of mending one unit (a failing test, a requirement, a branch), by which findings are
ranked."""

SLOW_SECONDS = 1.0


@dataclass(frozen=True)
class Finding:
    """A problem of the suite, with the evidence and the advice what to do."""

    kind: Kind
    what: str
    """A single sentence."""
    file: str = ""
    line: int = 0
    symbol: str = ""
    """Qualified name inside the file (``JSONEncoder.default``)."""
    requirement: str = ""
    tests: tuple[str, ...] = ()
    evidence: str = ""
    """Source excerpt, traceback or figures, verbatim."""
    todo: str = ""
    gain: float = 0.0
    reach: Reach = "testable"


def collect_findings(
    run: Run,
    trace: Trace,
    program: Program,
    coverage: Coverage | None = None,
    *,
    known_failures: frozenset[str] = frozenset(),
    extra: Iterable[Finding] = (),
) -> tuple[Finding, ...]:
    """Returns all findings, those with the highest gain first. Pure.

    `known_failures` are tests that failed and files that could not be collected before the lift
    began; they are ignored. `extra` are findings from elsewhere, such as refusals of the gate.
    """
    found = [
        *extra,
        *_broken(run, known_failures),
        *_failing(run, known_failures),
        *_requirements(trace),
        *_tests(run),
    ]
    if coverage is not None:
        found += _uncovered(coverage, program)
    return tuple(sorted(found, key=lambda f: (-f.gain, f.kind, f.file, f.line, f.what)))


def _broken(run: Run, known_failures: frozenset[str]) -> Iterator[Finding]:
    """Yields findings on files that could not be collected, and on a run that was cut short."""
    for file, failure in run.broken.items():
        if file in known_failures:
            continue
        yield Finding(
            "broken-file",
            f"{file} cannot be collected: {failure.type}: {_first_line(failure.message)}",
            file=failure.file or file,
            line=failure.line,
            tests=(file,),
            evidence=failure.traceback,
            todo=_remedy(failure),
            gain=GAIN["broken-file"],
        )
    kind = run.cut_short
    if kind is not None:
        ended = "ran out of memory" if kind == "out-of-memory" else kind.replace("-", " ")
        yield Finding(
            kind,
            f"the run {ended} in {run.running or 'no test'}: {run.detail}",
            tests=(run.running,) if run.running else (),
            evidence=run.output[-4000:],
            todo=INSTEAD[kind] if kind != "crashed" else "remove what ends the process",
            gain=GAIN[kind],
        )


def _failing(run: Run, known_failures: frozenset[str]) -> Iterator[Finding]:
    """Yields one finding per root cause: the same exception with the same message, raised at the
    same place."""
    clusters: dict[tuple[str, str, int, str], list[TestResult]] = defaultdict(list)
    for result in run.results.values():
        if result.outcome in BAD and result.function not in known_failures:
            clusters[_cause(result)].append(result)
    for (kind, file, line, message), results in clusters.items():
        failure = results[0].failure
        limit = confine(failure) if failure else None
        many = f"{len(results)} tests fail" if len(results) > 1 else f"{results[0].node} fails"
        yield Finding(
            limit or "failing",
            f"{many}: {kind}: {message}",
            file=file,
            line=line,
            symbol=failure.frames[-1][2] if failure and failure.frames else "",
            requirement=next((r for result in results for r in result.requirements), ""),
            tests=tuple(result.node for result in results),
            evidence=failure.traceback if failure else "",
            todo=INSTEAD[limit] if limit else _remedy(failure) if failure else "",
            gain=GAIN["failing"] * len(results),
        )


def _cause(result: TestResult) -> tuple[str, str, int, str]:
    """Returns the root cause of a failure: exception type, file, line and first line of the
    message."""
    failure = result.failure
    if failure is None:
        return ("unknown", result.node, 0, "no details were recorded")
    return (failure.type, failure.file, failure.line, _first_line(failure.message))


def _remedy(failure: Failure) -> str:
    name = failure.type.rpartition(".")[2]
    if name in ("ModuleNotFoundError", "ImportError"):
        return "import an existing name from the module that defines it"
    if name == "NameError":
        return "import or define the name before it is used"
    if name == "SyntaxError":
        return f"correct the syntax in line {failure.line}"
    if name == "AssertionError":
        return (
            "compare the expected value with the requirement; if it only pins observed behaviour, "
            "update it"
        )
    return "correct the call, or expect the exception if the requirement asks for it"


def _first_line(message: str) -> str:
    return message.strip().partition("\n")[0][:200]


def _requirements(trace: Trace) -> Iterator[Finding]:
    for name, tests in trace.unknown.items():
        yield Finding(
            "unknown-requirement",
            f"no requirement has the id {name!r}",
            requirement=name,
            tests=tests,
            todo="name an existing requirement, or mark the test emergent",
            gain=GAIN["unknown-requirement"] * len(tests),
        )
    for item in trace.requirements:
        yield from _contradicted(item)
        if item.status == "uncovered":
            yield _about("requirement-untested", item, "no test names it")
        elif item.status == "not-run":
            yield _about("requirement-untested", item, "none of its tests ran to completion")
        elif item.status == "doubted":
            said = next(link.doubt for link in item.links if link.doubt)
            yield _about("requirement-partial", item, f"its tests are doubted: {said}")
        elif item.status == "touched":
            yield _about("requirement-partial", item, "only observed behaviour is linked to it")
        elif rest := untested_rest(item):
            why = "contradicted in part, and no test shows the rest, such as "
            yield _about("requirement-untested", item, f"{why}{shortened(rest[0], 90)}")
        elif item.status in ("verified", "suspected-defect") and has_tests(item):
            yield from _uncovered_points(item)


def _uncovered_points(item: RequirementTrace) -> Iterator[Finding]:
    """Yields a finding on a requirement that has points not shown by any test."""
    open_, covered = uncontested(item), sum(point.covered for point in item.points)
    if not open_:
        return
    told = f"{acceptance(covered, len(item.points))} covered, no test is known to show"
    listed = "\n".join(f"- {point.text}" for point in open_)
    yield replace(
        _about("point-uncovered", item, f'{told} "{shortened(open_[0].text, 90)}"'),
        evidence=listed,
        todo="assert the value that this sentence states",
        gain=GAIN["point-uncovered"] * len(open_),
    )


def _contradicted(item: RequirementTrace) -> Iterator[Finding]:
    decide = "a person decides: correct the program, or the requirement"
    if item.status == "suspected-defect" and all(said.broken for said in item.contradictions):
        # A test of an earlier run shows it, and it was not tried again in this run.
        tests = tuple(link.test for link in item.links if link.basis == "contradiction")
        what = f": the program contradicts it, as {', '.join(tests)} shows"
        yield _of("suspected-defect", item, what, decide, tests=tests)
    for said in item.contradictions:
        call = _short(bare(said.call))
        if said.broken:
            what = f": its example {call} cannot run: {_short(said.actual)}"
            todo = "let the example import or define what it uses"
            yield _of("broken-example", item, what, todo)
            continue
        states, does = _verb(said.expected), _verb(said.actual)
        what = f" says {call} {states}; the program {does}{_suspicion(said)}"
        yield _of("suspected-defect", item, what, decide, evidence=_evidence(said))


def _verb(told: str) -> str:
    """Returns `told` as a verb phrase: ``raises ValueError`` stays as it is, and a value becomes
    ``gives VALUE``."""
    told = plainly(told)
    text = _short(told)
    return text if told.startswith(("raises ", "is true")) else f"gives {text}"


def _suspicion(said: Discrepancy) -> str:
    if said.suspect not in ("program", "requirement"):
        return ""
    return f"; the {said.suspect} seems wrong" + (f": {said.why.strip()}" if said.why else "")


def _evidence(said: Discrepancy) -> str:
    rows = [*said.setup.splitlines(), *said.call.splitlines()]
    told = {"expected": said.expected, "actual": said.actual, "sentence": said.sentence}
    told |= {"suspect": said.suspect, "why": said.why}
    lines = [f"{name + ':':<10}{text}" for name, text in told.items() if text]
    return "\n".join([*(f">>> {row}" for row in rows), *lines])


def _short(text: str) -> str:
    """Returns the last line of a traceback or of a value, shortened if it is long."""
    last = (text.splitlines() or [""])[-1].strip()
    return last if len(last) <= 60 else f"{last[:57]}..."


def _about(kind: Kind, item: RequirementTrace, why: str) -> Finding:
    todo = "assert a value or relation that the requirement itself states"
    tests = tuple(link.test for link in item.links)
    return _of(kind, item, f": {why}", todo, tests=tests, evidence=item.requirement.text)


def _of(
    kind: Kind,
    item: RequirementTrace,
    what: str,
    todo: str,
    *,
    tests: tuple[str, ...] = (),
    evidence: str = "",
) -> Finding:
    """Returns a finding on a requirement; `what` goes on behind its id and title."""
    requirement = item.requirement
    return Finding(
        kind,
        f"{requirement.id} ({requirement.title}){what}",
        file=requirement.file,
        line=requirement.line,
        requirement=requirement.id,
        tests=tests,
        evidence=evidence,
        todo=todo,
        gain=GAIN[kind],
    )


def _tests(run: Run) -> Iterator[Finding]:
    for result in run.results.values():
        if result.outcome == "skipped":
            yield Finding(
                "skipped",
                f"{result.node} is skipped: {result.reason or 'no reason given'}",
                tests=(result.node,),
                todo="remove the skip, or say why it cannot run here",
                gain=GAIN["skipped"],
            )
        elif result.seconds > SLOW_SECONDS:
            yield Finding(
                "slow",
                f"{result.node} takes {result.seconds:.1f} s",
                tests=(result.node,),
                todo="use a smaller input",
                gain=GAIN["slow"] * result.seconds,
            )


def _uncovered(coverage: Coverage, program: Program) -> Iterator[Finding]:
    for item in uncovered(coverage, program):
        units = len(item.branches) or 1
        yield Finding(
            "uncovered-branch",
            item.what,
            file=item.source.path,
            line=item.line,
            symbol=item.symbol,
            evidence=item.excerpt,
            todo=item.way,
            gain=GAIN["uncovered-branch"] * units if item.reach == "testable" else 0.0,
            reach=item.reach,
        )
