"""Findings in each output format (text, JSON, commands of GitHub, SARIF), and where they are put.

docs/check.md describes the JSON format.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pytest_lift.check.problems import ERROR, RULES, WARNING, Findings, Problem
from pytest_lift.errors import UsageError
from pytest_lift.files.atomic import place_file
from pytest_lift.marks.fields import TextSpan
from pytest_lift.project.option_values import StaticConfig
from pytest_lift.text import printable
from pytest_lift.text.printable import redacted_data
from pytest_lift.text.wording import count

_ITEM_SUFFIXES = (".yml", ".yaml", ".md", ".markdown")
"""Suffixes of the files in a folder of requirements."""
VERSION = 1
"""Version of the JSON format; it changes when a key changes its meaning or goes away."""
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
BASE = "%SRCROOT%"
"""Name of the top folder of the repository, as code hosts know it."""
_NUMBERS = {rule.name: number for number, rule in enumerate(RULES)}


def put(text: str, output: str | None) -> None:
    """Writes to the file, else to standard output. Raises `UsageError` where it cannot be
    written."""
    if output is None:
        sys.stdout.write(text)
        return
    try:
        place_file(Path(output), text.encode("utf-8"))
    except OSError as error:
        what = f"{output} cannot be written: {error.strerror}"
        raise UsageError(what, where="--output", todo="name another place") from None


def require_output(config: StaticConfig, path: Path) -> None:
    """Raises `UsageError` where `path` is what the findings are about."""
    place = _real(path)
    if kind := _kind(config, place):
        what, todo = f"{path} is {kind}: it would be overwritten", "name another place"
        raise UsageError(what, where="--output", todo=todo)


def _kind(config: StaticConfig, place: Path) -> str:
    """Returns the kind of a file that must not be overwritten; empty if it may be."""
    root = config.root.resolve()
    for path in map(_real, config.requirements):
        inside = path in place.parents and place.suffix.lower() in _ITEM_SUFFIXES
        if place == path or (inside and place.exists()):
            return "a requirement file"
    if config.ini and place == _real(config.ini):
        return "the ini file"
    if place.is_relative_to(root) and config.is_test_path(place.relative_to(root).as_posix()):
        return "a test file"
    return ""


def _real(path: Path) -> Path:
    """Returns the directory entry itself: writing there replaces a link and does not follow it."""
    full = Path(os.path.abspath(path))
    return full.parent.resolve() / full.name


def from_folder(root: Path, cwd: Path) -> Callable[[str], str]:
    """Returns a function from a path of the project to one relative to the working directory."""
    return lambda file: file if root == cwd else os.path.relpath(root / file, cwd)


def from_repository(root: Path) -> Callable[[str], str]:
    """Returns a function from a path of the project to one relative to the top folder of the
    repository."""
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), root)
    prefix = "" if top == root else f"{root.relative_to(top).as_posix()}/"
    return lambda file: file if file.startswith("/") else prefix + file


def valid(text: str) -> str:
    """Bytes that are no text stand as surrogates, which no output may hold."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def as_text(found: Findings, shown: Callable[[str], str], *, verbose: bool = False) -> str:
    """Returns the problems as text. `shown` turns a path of the project into one for the reader of
    the terminal."""
    lines: list[str] = []
    for problem in found.problems:
        kind = "" if problem.severity == ERROR else f"{WARNING}: "
        where = f"{shown(problem.file)}:{problem.place.line}:{problem.place.column}"
        lines.append(f"{where}: {problem.rule}: {kind}{problem.what}")
        if problem.todo:
            lines.append(f"  -> {problem.todo}")
    if verbose:
        for unread in found.unreadable:
            where = f"{shown(unread.file)}:{unread.place.line}:{unread.place.column}"
            lines.append(f"{where}: an argument cannot be read without running the file")
    lines += [f"fixed: {text}" for text in found.fixes]
    lines += [f"baseline: {text}" for text in found.stale]
    return "".join(
        f"{printable.line(text)}\n" for text in (*lines, summary(found, verbose=verbose))
    )


def summary(found: Findings, *, verbose: bool = False) -> str:
    """Returns one line: how much was looked at, and what came of it."""
    parts = [f"{count(found.tests, 'test')} in {count(found.files, 'file')}"]
    if found.whole:
        parts[0] += f" ({found.linked_tests:,} linked)"
    if found.requirements is not None:
        tested = f"{found.tested:,} tested, {_percent(found.percent)}"
        parts.append(f"{count(found.requirements, 'requirement')} ({tested})")
    elif found.whole:
        parts.append("requirements not read")
    parts.append(count(found.counts[ERROR], "error"))
    parts.append(count(found.counts[WARNING], "warning"))
    if found.suppressed:
        parts.append(f"{found.suppressed} hidden by the baseline")
    if verbose and found.unreadable:
        parts.append(f"{len(found.unreadable)} cannot be read statically")
    if found.fixes:
        parts.append(f"{len(found.fixes)} fixed")
    return ", ".join(parts)


def _percent(value: float) -> str:
    """Returns a percentage that is cut, not rounded: 100 % means all."""
    return f"{int(value * 10) / 10:.1f} %"


def as_json(found: Findings) -> str:
    """Returns one mapping; see docs/check.md."""
    counted = found.requirements is not None
    data: dict[str, Any] = {
        "version": VERSION,
        "whole": found.whole,
        "tests": found.tests,
        "linked_tests": found.linked_tests,
        "files": found.files,
        "requirements": found.requirements,
        "tested": found.tested if counted else None,
        "percent": round(found.percent, 2) if counted else None,
        "errors": found.counts[ERROR],
        "warnings": found.counts[WARNING],
        "suppressed": found.suppressed,
        "stale": list(found.stale),
        "fixed": list(found.fixes),
        "unreadable": [
            {"file": unread.file, **_place(unread.place)} for unread in found.unreadable
        ],
        "problems": [_entry(problem) for problem in found.problems],
    }
    return valid(json.dumps(redacted_data(data), indent=1)) + "\n"


def _entry(problem: Problem) -> dict[str, Any]:
    return {
        "rule": problem.rule,
        "severity": problem.severity,
        "file": problem.file,
        **_place(problem.place),
        "what": printable.line(problem.what),
        "todo": printable.line(problem.todo),
        "requirement": problem.requirement,
        "test": problem.test,
    }


def _place(place: TextSpan) -> dict[str, int]:
    return {
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
    }


def as_github(found: Findings, shown: Callable[[str], str]) -> str:
    """Returns workflow commands: one annotation per problem, then the summary."""
    lines = [_annotation(problem, shown(problem.file)) for problem in found.problems]
    return "".join(f"{line}\n" for line in (*lines, printable.line(summary(found))))


def _annotation(problem: Problem, file: str) -> str:
    place = problem.place
    said = {"file": file, "line": place.line}
    if place.end_line == place.line:
        said |= {"col": place.column, "endColumn": max(place.end_column - 1, place.column)}
    said["title"] = f"pytest-lift: {problem.rule}"
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in said.items())
    step = f"\n-> {problem.todo}" if problem.todo else ""
    return f"::{problem.severity} {properties}::{_data(printable.lines(problem.what + step))}"


def _data(text: str) -> str:
    return valid(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(printable.line(text)).replace(":", "%3A").replace(",", "%2C")


def as_sarif(found: Findings, shown: Callable[[str], str], version: str) -> str:
    """Returns one run with all rules; `shown` turns a path into one from the top of the
    repository."""
    seen: Counter[tuple[str, ...]] = Counter()
    results = []
    for problem in found.problems:
        seen[problem.key] += 1
        results.append(_result(problem, shown(problem.file), seen[problem.key]))
    run = {
        "tool": {"driver": _driver(version)},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {
            BASE: {"description": {"text": "The top folder of the repository."}}
        },
        "results": results,
    }
    data = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(data, indent=1) + "\n"


def _driver(version: str) -> dict[str, Any]:
    return {
        "name": "pytest-lift check",
        "semanticVersion": version,
        "rules": [
            {
                "id": rule.name,
                "shortDescription": {"text": f"{rule.what}."},
                "help": {"text": rule.help},
                "defaultConfiguration": {"level": rule.severity},
            }
            for rule in RULES
        ],
    }


def _result(problem: Problem, file: str, number: int) -> dict[str, Any]:
    step = f" {_sentence(problem.todo)}" if problem.todo else ""
    result: dict[str, Any] = {
        "ruleId": problem.rule,
        "ruleIndex": _NUMBERS[problem.rule],
        "level": problem.severity,
        "message": {"text": printable.line(_sentence(problem.what) + step)},
        "locations": [{"physicalLocation": _location(problem, file)}],
        "partialFingerprints": {"lift/v1": _fingerprint(problem, number)},
    }
    if problem.test:
        name = [{"fullyQualifiedName": printable.line(problem.test), "kind": "function"}]
        result["locations"][0]["logicalLocations"] = name
    return result


def _location(problem: Problem, file: str) -> dict[str, Any]:
    place = problem.place
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }
    return {"artifactLocation": _artifact(file), "region": region}


def _artifact(file: str) -> dict[str, str]:
    """Returns the address of a file; one outside the repository is absolute."""
    uri = quote(file.encode("utf-8", "surrogateescape"))
    return {"uri": f"file://{uri}"} if file.startswith("/") else {"uri": uri, "uriBaseId": BASE}


def _fingerprint(problem: Problem, number: int) -> str:
    """Returns a fingerprint without lines; the number tells equal findings apart."""
    text = "\0".join((*problem.key, str(number)))
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(("?", ".")) else ".")
