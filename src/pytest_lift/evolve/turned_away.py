"""Tests that were refused in this lift: the same one is not tried again while nothing has changed.

The same is what has the same syntax tree but for its name, takes the same imports, and stands
beside the same helpers and fixtures.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from pytest_lift.findings.finding import Finding
from pytest_lift.measure.failing import UNCOLLECTED
from pytest_lift.measure.last_gate import STOPS
from pytest_lift.source.bindings import import_bindings
from pytest_lift.source.syntax import FunctionNode, digest, parse, statements
from pytest_lift.suite import hashes
from pytest_lift.suite.suite import Suite, path_of

_IMPORT = ast.Import | ast.ImportFrom


@dataclass
class TurnedAway:
    """Remembers what the tests are, so that another name makes them no new ones."""

    _groups: dict[frozenset[str], str] = field(default_factory=dict)
    """Tests that were refused together -> why. Any one may be to blame where a file
    cannot be collected, or where the session stops: the others are tried without it."""
    _by_gate: set[str] = field(default_factory=set)

    def note(self, suite: Suite, refused: Mapping[str, str]) -> None:
        """Remember the tests of `suite` that were refused (node -> why)."""
        together: dict[tuple[str, str], set[str]] = {}
        for node, key in keys_of(suite, refused).items():
            why = refused[node]
            whole = STOPS if STOPS in why else path_of(node) if UNCOLLECTED in why else node
            together.setdefault((whole, why), set()).add(key)
        self._groups |= {frozenset(keys): why for (_, why), keys in together.items()}

    def again(self, suite: Suite, held: Collection[str]) -> dict[str, str]:
        """The tool's tests of `suite` that were refused as they are -> why; `held` are those that
        were accepted."""
        if not self._groups:
            return {}
        nodes = [test.node for test in suite.owned_tests() if test.node not in held]
        found = keys_of(suite, nodes)
        there = {*found.values()}
        known = {key: why for keys, why in self._groups.items() if keys <= there for key in keys}
        return {node: known[key] for node, key in found.items() if key in known}

    def is_news(self, suite: Suite, refused: Iterable[Finding]) -> bool:
        """Whether the gate has refused anything of `suite`, an edit in it, for the first time."""
        findings = list(refused)
        keys = keys_of(suite, [node for finding in findings for node in finding.tests])
        found = set()
        for finding in findings:
            file = suite.files.get(finding.file)
            texts = [keys[node] for node in finding.tests if node in keys]
            found.update(texts or [digest(file.text) if file else f"{finding.file} is gone"])
        news = not found <= self._by_gate
        self._by_gate |= found
        return news

    def forget(self) -> None:
        """The program, the settings or the user's tests are others now."""
        self._groups.clear()
        self._by_gate.clear()


def keys_of(suite: Suite, nodes: Collection[str]) -> dict[str, str]:
    """Node -> what is the same for the same test; none for one that cannot be read by itself."""
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
