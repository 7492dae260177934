"""Tests and checks that were refused before, in this lift or by a person in a review.

Two tests are equal if they have the same syntax tree except for the name, use the same imports, and
share the same helpers and fixtures.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from pytest_lift.assertions.test_checks import held_by
from pytest_lift.findings.finding import Finding
from pytest_lift.measure.last_gate import STOPS
from pytest_lift.measure.measurement import UNCOLLECTED
from pytest_lift.source import hashes
from pytest_lift.source.bindings import imports_in
from pytest_lift.source.syntax import FunctionNode, digest, parse, split_lines, statements, to_bytes
from pytest_lift.suite.collection import definitions
from pytest_lift.suite.suite import Edit, Suite, path_of
from pytest_lift.suite.test_file import TestFunction, parse_test_file


@dataclass(frozen=True)
class RefusedTests:
    """Digests of the refused tests, independent of their names."""

    groups: Mapping[frozenset[str], str] = field(default_factory=dict)
    """Tests that were refused together -> reason. If a file could not be collected or the
    session stopped, any test of the group may be the cause, and the others may be tried without
    it."""
    by_gate: frozenset[str] = frozenset()

    def noting(self, suite: Suite, refused: Mapping[str, str]) -> RefusedTests:
        """Returns this value extended by the tests of `suite` that a run refused (node ->
        reason)."""
        together: dict[tuple[str, str], set[str]] = {}
        for node, key in keys_of(suite, refused).items():
            why = refused[node]
            whole = STOPS if STOPS in why else path_of(node) if UNCOLLECTED in why else node
            together.setdefault((whole, why), set()).add(key)
        found = {frozenset(keys): why for (_, why), keys in together.items()}
        return replace(self, groups={**self.groups, **found})

    def again(self, suite: Suite, held: Collection[str]) -> dict[str, str]:
        """Returns the tool's tests of `suite` that were already refused unchanged -> reason.

        `held` are tests of the accepted suite, which are left out.
        """
        if not self.groups:
            return {}
        nodes = [test.node for test in suite.owned_tests() if test.node not in held]
        found = keys_of(suite, nodes)
        there = {*found.values()}
        known = {key: why for keys, why in self.groups.items() if keys <= there for key in keys}
        return {node: known[key] for node, key in found.items() if key in known}

    def noting_gate(self, suite: Suite, refused: Iterable[Finding]) -> RefusedTests:
        """Returns this value extended by the gate's refusals; an equal value if nothing is new."""
        findings = list(refused)
        keys = keys_of(suite, [node for finding in findings for node in finding.tests])
        found = set()
        for finding in findings:
            file = suite.files.get(finding.file)
            texts = [keys[node] for node in finding.tests if node in keys]
            found.update(texts or [digest(file.text) if file else f"{finding.file} is gone"])
        return replace(self, by_gate=self.by_gate | found)


def keys_of(suite: Suite, nodes: Collection[str]) -> dict[str, str]:
    """Returns node -> digest of each test that can be parsed."""
    found: dict[str, str] = {}
    files: dict[str, tuple[list[tuple[str, str, str]], str]] = {}
    for node in nodes:
        test = suite.function(node)
        if test is None:
            continue
        path = path_of(test.node)
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            if path not in files:
                body = statements(parse(suite.files[path].text).body)
                files[path] = sorted(one[:3] for one in imports_in(body)), suite.around(path)
            imports, around = files[path]
            found[node] = _key(suite.source(test), imports, around)
    return found


def _key(source: str, imports: Iterable[tuple[str, str, str]], around: str) -> str:
    tree = parse(source)
    function = tree.body[0]
    assert isinstance(function, FunctionNode)
    function.name = "test"
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    taken = [one for one in imports if one[2] in used or one[1] == "*"]
    return digest(f"{hashes.of_file(ast.unparse(tree))} {taken} {around}")


def fingerprint(check: str) -> str:
    """Returns 16 hex digits for a check, given as its text in `assertions.test_checks`."""
    return hashlib.sha256(to_bytes(check)).hexdigest()[:16]


def fingerprints(suite: Suite, node: str) -> frozenset[str]:
    """Returns the fingerprints of all checks of a test; empty if there is no such test."""
    return frozenset(map(fingerprint, held_by(suite, node)))


def refused_checks(suite: Suite, node: str) -> tuple[str, ...]:
    """Returns the checks of a test that `suite.refused` lists, as texts."""
    if not suite.refused:
        return ()
    return tuple(text for text in held_by(suite, node) if fingerprint(text) in suite.refused)


def without_refused_asserts(suite: Suite, nodes: Collection[str]) -> Suite:
    """Returns `suite` without the refused assertions of the tests `nodes`. An assertion is
    removed only if it is a statement of its own and another check remains; the gate leaves out
    tests that still have refused checks."""
    for node in nodes:
        while refused_checks(suite, node):
            shorter = _one_less(suite, node)
            if shorter is None:
                break
            suite = shorter
    return suite


def _one_less(suite: Suite, node: str) -> Suite | None:
    """Returns the suite without one refused assertion of a test; None if none can be removed
    alone."""
    test = suite.function(node)
    if test is None:
        return None
    before = refused_checks(suite, node)
    for text in _texts_with_one_less(suite, test):
        if parse_test_file(path_of(node), text, suite.naming).error:
            continue
        after = suite.apply(Edit({path_of(node): text}))
        fewer = len(refused_checks(after, node)) < len(before)
        if fewer and held_by(after, node):
            return after
    return None


def _texts_with_one_less(suite: Suite, test: TestFunction) -> Iterator[str]:
    """Yields the text of the file without one of the assertions in the body of the test, for
    each of them."""
    text = suite.files[path_of(test.node)].text
    name = test.inner_node
    function = next(f.function for f in definitions(parse(text), suite.naming) if f.name == name)
    lines = split_lines(text)
    for statement in function.body:
        if isinstance(statement, ast.Assert) and statement.end_lineno is not None:
            yield "".join([*lines[: statement.lineno - 1], *lines[statement.end_lineno :]])
