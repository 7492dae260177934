"""What an agent's edit must satisfy before it counts; what does not is left out, with a reason."""

from __future__ import annotations

import ast
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pytest_lift.forbidden import Forbidden, forbidden
from pytest_lift.gradient import GAIN, Finding
from pytest_lift.requirements import Requirements
from pytest_lift.suite import Edit, Suite, TestFunction, parse_test_file

CHECKS = frozenset({"raises", "warns", "deprecated_call", "fail", "approx"})
"""Calls of pytest that can make a test fail without an `assert` statement."""


@dataclass(frozen=True)
class Gated:
    """What is left of an edit, and a finding for everything that was not let through."""

    suite: Suite
    refused: tuple[Finding, ...] = ()


def gate(edit: Edit, suite: Suite, requirements: Requirements) -> Gated:
    """Apply `edit` to `suite` without the files and tests that may not pass. Pure."""
    refused: list[Finding] = []
    files = {}
    inside: dict[str, list[str]] = {}
    for path, text in edit.files.items():
        around, within = _forbidden(suite, path, text or "")
        inside |= within
        reasons = [*suite.refusals(Edit({path: text})), *around]
        if reasons:
            refused += [_refusal(reason.removeprefix(f"{path}: "), path) for reason in reasons]
        else:
            files[path] = text
    candidate = suite.apply(Edit(files, edit.why))
    faulty: set[str] = set()
    for test in _written(suite, candidate):
        faults = _faults(test, candidate.source(test), requirements)
        for reason in (*faults, *inside.get(test.node, ())):
            faulty.add(test.node)
            refused.append(_refusal(reason, test.node))
    return Gated(candidate.without(faulty) if faulty else candidate, tuple(refused))


def _forbidden(suite: Suite, path: str, text: str) -> tuple[list[str], Mapping[str, list[str]]]:
    """What generated code may not do: around the tests of a file, and by test.

    What stood around the tests before the edit is not the edit's doing.
    """
    try:
        found = forbidden(text)
    except (SyntaxError, ValueError, MemoryError):
        return [], {}  # refused for not being parsable
    except RecursionError:
        return ["is nested too deeply to be checked"], {}
    if not found:
        return [], {}
    inside: dict[str, list[str]] = {}
    around = []
    tests = parse_test_file(path, text, suite.naming).tests
    for fault in found:
        test = next((t for t in tests if t.line <= fault.line <= t.end_line), None)
        if test is not None:
            inside.setdefault(test.node, []).append(str(fault))
        else:
            around.append(fault)
    return [str(fault) for fault in _new(around, suite, path)], inside


def _new(around: list[Forbidden], suite: Suite, path: str) -> Iterator[Forbidden]:
    before = suite.files.get(path)
    readable = before is not None and before.error is None
    known = Counter(fault.what for fault in forbidden(before.text if before and readable else ""))
    for fault in around:
        known[fault.what] -= 1
        if known[fault.what] < 0:
            yield fault


def _written(before: Suite, after: Suite) -> Iterator[TestFunction]:
    """The tool's tests that the edit added or changed."""
    known = {test.node: test.digest for test in before.tests()}
    return (test for test in after.owned_tests() if known.get(test.node) != test.digest)


def _faults(test: TestFunction, source: str, requirements: Requirements) -> Iterator[str]:
    if len(requirements):
        yield from _faulty_links(test, requirements)
    if not test.doc.strip():
        yield "has no docstring that says its intent"
    tree = ast.parse(textwrap.dedent(source))
    if not any(_can_fail(node) for node in ast.walk(tree)):
        yield "asserts nothing"
    if any(_expects_anything(node) for node in ast.walk(tree)):
        yield "expects any exception at all: name the one that the program promises"


def _faulty_links(test: TestFunction, requirements: Requirements) -> Iterator[str]:
    for name in test.requirements:
        if name not in requirements:
            yield f"names the unknown requirement {name!r}"
    if not test.requirements and test.emergent is None:
        yield "has neither a req mark nor an emergent mark"


def _can_fail(node: ast.AST) -> bool:
    if isinstance(node, ast.Assert):
        return not isinstance(node.test, ast.Constant)
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func).rpartition(".")[2]
        return name in CHECKS or name.startswith("assert")
    return False


def _expects_anything(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or not node.args:
        return False
    if ast.unparse(node.func).rpartition(".")[2] != "raises":
        return False
    return ast.unparse(node.args[0]) in ("Exception", "BaseException")


def _refusal(reason: str, place: str) -> Finding:
    return Finding(
        "refused",
        f"{place} {reason}",
        file=place.partition("::")[0],
        tests=(place,) if "::" in place else (),
        todo="write it again without that",
        gain=GAIN["refused"],
    )
