"""Tests that were refused in this lift, which are not tried again while nothing has changed.

Two tests are the same if they have the same syntax tree but for the name, use the same imports,
and stand beside the same helpers and fixtures.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from pytest_lift.findings.finding import Finding
from pytest_lift.measure.failing import UNCOLLECTED
from pytest_lift.measure.last_gate import STOPS
from pytest_lift.source.bindings import import_bindings
from pytest_lift.source.syntax import FunctionNode, digest, parse, statements
from pytest_lift.suite import hashes
from pytest_lift.suite.suite import Suite, path_of

_IMPORT = ast.Import | ast.ImportFrom


@dataclass(frozen=True)
class RefusedTests:
    """Contents of tests that were refused, whatever they are called."""

    groups: Mapping[frozenset[str], str] = field(default_factory=dict)
    """Tests that were refused together -> why. Any one may be to blame where a file
    cannot be collected, or where the session stops: the others are tried without it."""
    by_gate: frozenset[str] = frozenset()

    def noting(self, suite: Suite, refused: Mapping[str, str]) -> RefusedTests:
        """Returns this with the tests of `suite` that were refused by a run (node -> why)."""
        together: dict[tuple[str, str], set[str]] = {}
        for node, key in keys_of(suite, refused).items():
            why = refused[node]
            whole = STOPS if STOPS in why else path_of(node) if UNCOLLECTED in why else node
            together.setdefault((whole, why), set()).add(key)
        found = {frozenset(keys): why for (_, why), keys in together.items()}
        return replace(self, groups={**self.groups, **found})

    def again(self, suite: Suite, held: Collection[str]) -> dict[str, str]:
        """The tool's tests of `suite` that were refused as they are -> why.

        `held` are tests of the accepted suite, which are not asked about.
        """
        if not self.groups:
            return {}
        nodes = [test.node for test in suite.owned_tests() if test.node not in held]
        found = keys_of(suite, nodes)
        there = {*found.values()}
        known = {key: why for keys, why in self.groups.items() if keys <= there for key in keys}
        return {node: known[key] for node, key in found.items() if key in known}

    def noting_gate(self, suite: Suite, refused: Iterable[Finding]) -> RefusedTests:
        """Returns this with what the gate refused of `suite`; an equal value if nothing is new."""
        findings = list(refused)
        keys = keys_of(suite, [node for finding in findings for node in finding.tests])
        found = set()
        for finding in findings:
            file = suite.files.get(finding.file)
            texts = [keys[node] for node in finding.tests if node in keys]
            found.update(texts or [digest(file.text) if file else f"{finding.file} is gone"])
        return replace(self, by_gate=self.by_gate | found)


def keys_of(suite: Suite, nodes: Collection[str]) -> dict[str, str]:
    """Node -> digest of the test; none for a test that cannot be parsed by itself."""
    found: dict[str, str] = {}
    files: dict[str, tuple[list[tuple[str, str, str]], str]] = {}
    for node in nodes:
        test = suite.function(node)
        if test is None:
            continue
        path = path_of(test.node)
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            if path not in files:
                files[path] = _imports(suite.files[path].text), suite.around(path)
            imports, around = files[path]
            found[node] = _key(suite.source(test), imports, around)
    return found


def _imports(text: str) -> list[tuple[str, str, str]]:
    nodes = (node for node in statements(parse(text).body) if isinstance(node, _IMPORT))
    return sorted(binding for node in nodes for binding in import_bindings(node))


def _key(source: str, imports: Iterable[tuple[str, str, str]], around: str) -> str:
    tree = parse(source)
    function = tree.body[0]
    assert isinstance(function, FunctionNode)
    function.name = "test"
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    taken = [one for one in imports if one[2] in used or one[1] == "*"]
    return digest(f"{hashes.of_file(ast.unparse(tree))} {taken} {around}")
