"""Findings as SARIF 2.1.0, the format that code hosts read results of checkers in."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from pytest_lift.check.problems import RULES, Findings, Problem
from pytest_lift.text import printable

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
BASE = "%SRCROOT%"
"""Name of the top folder of the repository, as code hosts know it."""
_NUMBERS = {rule.name: number for number, rule in enumerate(RULES)}


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
    """Returns a fingerprint that does not depend on lines; the number tells equal findings
    apart."""
    text = "\0".join((*problem.key, str(number)))
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(("?", ".")) else ".")
