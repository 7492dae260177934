"""`Feedback` <-> ``fixes.md`` and ``evaluation.md``: YAML for programs, Markdown for readers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, cast, get_args

from pytest_lift.files.codec import decode_each, encode
from pytest_lift.findings.finding import Finding, Kind
from pytest_lift.source.unreachable.reachability import Reach
from pytest_lift.source.worthless import WorthlessMutant
from pytest_lift.text.printable import spelled_out
from pytest_lift.trace.covering import LinkGrade

Role = Literal["debugger", "evaluator"]
Verdict = Literal["FIX", "REWORK", "FINAL"]

FILES: Mapping[Role, str] = {"debugger": "fixes.md", "evaluator": "evaluation.md"}
FENCE = "---\n"
MAX_CHARACTERS = 4 * 1024 * 1024
DEEPEST = 20
"""Deepest nesting of a front matter that is accepted."""


@dataclass(frozen=True)
class Feedback:
    """Output of a debugger or an evaluator, read by the next generator."""

    role: Role
    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    summary: str = ""
    """The justification of the verdict, one paragraph."""
    body: str = ""
    """The Markdown below the front matter."""
    link_grades: tuple[LinkGrade, ...] = ()
    """Grades that an evaluator gave to single links."""
    worthless: tuple[WorthlessMutant, ...] = ()
    """Mutants that an evaluator judged to be worth no test."""
    asked: bool = False
    """Whether a model wrote it; otherwise it was computed."""

    @property
    def filename(self) -> str:
        return FILES[self.role]


def write_feedback(feedback: Feedback) -> str:
    """Returns the text of the file. Evidence is only in the body: the front matter holds only
    what programs need."""
    import yaml

    front: dict[str, Any] = {
        "role": feedback.role,
        "verdict": feedback.verdict,
        "summary": _printable(feedback.summary),
        "findings": [_as_mapping(finding) for finding in feedback.findings],
    }
    if feedback.asked:
        front["asked"] = True
    if feedback.link_grades:
        front["links"] = [_cleaned(encode(one)) for one in feedback.link_grades]
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text = yaml.dump(front, Dumper=dumper, sort_keys=False, allow_unicode=True, width=100)
    return f"{FENCE}{text}{FENCE}{_printable(spelled_out(feedback.body))}"


def _as_mapping(finding: Finding) -> dict[str, Any]:
    """Returns the fields of a finding without the evidence and without empty values."""
    plain = _cleaned(encode(replace(finding, evidence="")))
    if finding.reach == "testable":
        del plain["reach"]
    return {key: value for key, value in plain.items() if value or key == "kind"}


def _cleaned(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _clean(value) for key, value in row.items()}


def _clean(value: object) -> object:
    if isinstance(value, str):
        return _printable(value)
    if isinstance(value, list):
        return [_printable(item) for item in value]
    return value


def _printable(text: str) -> str:
    """Replaces lone surrogates by question marks, so that `text` can be encoded as UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


def read_feedback(text: str, role: Role) -> Feedback:
    """Reads `text` leniently: parts that cannot be understood are left out, and nothing is raised.

    `role` follows from the file's name; it is used if the front matter does not state a role.
    """
    front, body = _split(text[:MAX_CHARACTERS])
    told = front.get("role")
    who: Role = "debugger" if told == "debugger" else "evaluator" if told == "evaluator" else role
    findings = front.get("findings")
    return Feedback(
        who,
        _verdict(front.get("verdict"), who),
        tuple(_findings(findings if isinstance(findings, list) else [])),
        _text(front.get("summary")),
        body,
        decode_each(LinkGrade, front.get("links")),
        (),
        front.get("asked") is True,
    )


def _split(text: str) -> tuple[dict[str, Any], str]:
    """Returns (front matter, body). The mapping is empty if the front matter is missing or
    broken."""
    import yaml

    if not text.startswith(FENCE):
        return {}, text
    head, fence, body = text[len(FENCE) :].partition(f"\n{FENCE}")
    if not fence:
        return {}, text
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        front = yaml.load(head, Loader=loader) if _is_plain(head, loader) else {}
    except (*_UNREADABLE, yaml.YAMLError):
        return {}, body
    return (front if isinstance(front, dict) else {}), body


_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError)
"""Exceptions that PyYAML raises for tags that do not fit their values."""


def _is_plain(head: str, loader: Any) -> bool:
    """Whether a front matter has no aliases, which may expand to huge values, and no deep
    nesting, which overflows the C stack in libyaml's composer."""
    from yaml import events, parse

    depth = 0
    for event in parse(head, Loader=loader):
        if isinstance(event, events.AliasEvent):
            return False
        depth += isinstance(event, events.CollectionStartEvent)
        depth -= isinstance(event, events.CollectionEndEvent)
        if depth > DEEPEST:
            return False
    return True


def _verdict(told: object, role: Role) -> Verdict:
    """Returns the verdict of the front matter, or the default of the role. The body is not
    searched: it quotes requirements, names and logs, and none of these may declare the suite
    final."""
    for verdict in get_args(Verdict):
        if told == verdict:
            return cast("Verdict", verdict)
    return "FIX" if role == "debugger" else "REWORK"


def _findings(rows: list[Any]) -> list[Finding]:
    found = []
    for row in rows:
        if isinstance(row, dict) and row.get("kind") in get_args(Kind):
            found.append(_finding(row))
    return found


def _finding(row: dict[str, Any]) -> Finding:
    tests = row.get("tests")
    reach: Reach = row["reach"] if row.get("reach") in get_args(Reach) else "testable"
    return Finding(
        kind=row["kind"],
        what=_text(row.get("what")),
        file=_text(row.get("file")),
        line=int(_number(row.get("line"))),
        symbol=_text(row.get("symbol")),
        requirement=_text(row.get("requirement")),
        tests=tuple(map(_text, tests)) if isinstance(tests, list) else (),
        todo=_text(row.get("todo")),
        gain=_number(row.get("gain")),
        reach=reach,
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)


def _number(value: object) -> float:
    """Returns a finite number as a float, and 0 for anything else."""
    if isinstance(value, int | float) and abs(value) < 1e15:
        return float(value)
    return 0.0
