"""Diagnostics of a language server about unsaved tests, without those that tests mean."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pytest_lift.context.launch import RULES
from pytest_lift.context.server import LanguageServer, Query
from pytest_lift.gate.diagnosis.diagnostic import CALLS, Diagnostic, Positions
from pytest_lift.gate.diagnosis.importables import Importables
from pytest_lift.source.syntax import FunctionNode, bare_leaf, texts

_SUBJECTS = (
    re.compile(r"^Cannot resolve imported module `([^`]+)`"),
    re.compile(r"^Module `(?P<owner>[^`]+)` has no member `([^`]+)`"),
    re.compile(r"has no attribute `([^`]+)`"),
    re.compile(r"^(?:Attribute|Member) `([^`]+)`"),
    re.compile(r"^Name `([^`]+)` used when not defined"),
    re.compile(r"^Argument `([^`]+)` does not match"),
)
_OWNER = re.compile(r"^(?:Object of type|Class|Type) `(?:type\[|<class ')?([\w.]+)")
_FUNCTION = re.compile(r"^(?:Function|Object of type `(?:def|bound method|<function|Overload))")
_MEANT = frozenset(
    {"raises", "suppress", "assertRaises", "assertRaisesRegex", "warns", "deprecated_call"}
)
"""Calls and blocks in which what is wrong may be what is tested."""
_ATTRIBUTES = CALLS | {"missing-attribute"}
_CAUTIOUS = frozenset({"skip", "skipif", "xfail", "skipUnless", "skipIf", "expectedFailure"})


def reported(server: LanguageServer, path: str, text: str) -> list[Diagnostic] | None:
    """Returns what a server says of a text in the place of a file; None where it is silent."""
    server.show(path, text)
    try:
        answer = server.ask([Query("diagnostic", path, 1, 0)])[0]
    finally:
        server.hide(path)
    if not isinstance(answer, dict) or not isinstance(answer.get("items"), list):
        return None
    lines = Positions(text).lines
    found = [_diagnostic(one, lines, server) for one in answer["items"]]
    return [one for one in found if one is not None]


def _diagnostic(item: Any, lines: list[str], server: LanguageServer) -> Diagnostic | None:
    try:
        rule, message = str(item.get("code", "")), str(item["message"]).partition("\n")[0].strip()
        start, stop = item["range"]["start"], item["range"]["end"]
        line, column = int(start["line"]) + 1, int(start["character"])
        same = stop["line"] == start["line"]
        end = int(stop["character"]) if same else column
    except (TypeError, KeyError, ValueError, AttributeError):
        return None
    if rule not in RULES:
        return None
    row = lines[line - 1] if line <= len(lines) else ""
    column, end = server.column(row, column), server.column(row, end)
    return Diagnostic(line, column, end, rule, _subject(message), message)


def _subject(message: str) -> str:
    for pattern in _SUBJECTS:
        if found := pattern.search(message):
            owner = found.groupdict().get("owner")
            name = found[found.lastindex or 1]
            return f"{owner}.{name}" if owner else name
    return ""


@dataclass(frozen=True, eq=False)
class Meant:
    """Which faults of one test file are what its tests are about, or cannot be judged by text."""

    tree: ast.Module
    importables: Importables

    def passes(self, one: Diagnostic) -> bool:
        """Whether a diagnostic counts."""
        if one.rule == "import-not-found":
            return not self._is_guarded(one) and not self._is_there(one)
        if one.line in self._cautious:
            return False
        if one.rule in _ATTRIBUTES and one.line in self._meant:
            return False
        return one.rule != "missing-attribute" or self._is_missing(one)

    @cached_property
    def _cautious(self) -> frozenset[int]:
        """Lines of tests that are skipped or expected to fail."""
        found: set[int] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, FunctionNode | ast.ClassDef) and any(
                bare_leaf(one) in _CAUTIOUS for one in node.decorator_list
            ):
                found |= _lines(node)
        return frozenset(found)

    @cached_property
    def _meant(self) -> frozenset[int]:
        """Lines in which a failure is expected or caught."""
        found: set[int] = set()
        for node in ast.walk(self.tree):
            match node:
                case ast.With(items=items) | ast.AsyncWith(items=items):
                    if any(bare_leaf(item.context_expr) in _MEANT for item in items):
                        found |= _lines(node)
                case ast.Call() if bare_leaf(node) in _MEANT:
                    found |= _lines(node)
                case ast.Try(body=body, handlers=handlers) if handlers:
                    for inner in body:
                        found |= _lines(inner)
                case ast.If(body=body):
                    if any(
                        isinstance(n, ast.Call) and bare_leaf(n) == "hasattr"
                        for n in ast.walk(node.test)
                    ):
                        for inner in body:
                            found |= _lines(inner)
        return frozenset(found)

    @cached_property
    def _guarded(self) -> frozenset[int]:
        """Lines whose imports may fail: in `try` and in conditions."""
        found: set[int] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Try | ast.If) or (
                isinstance(node, ast.With)
                and any(bare_leaf(item.context_expr) in _MEANT for item in node.items)
            ):
                found |= _lines(node)
        return frozenset(found)

    @cached_property
    def _optional(self) -> frozenset[str]:
        """Modules that the file skips its tests without."""
        calls = [n for n in ast.walk(self.tree) if isinstance(n, ast.Call)]
        return frozenset(
            name.partition(".")[0]
            for call in calls
            if bare_leaf(call) in ("importorskip", "find_spec")
            for name in texts(call.args)
        )

    def _is_guarded(self, one: Diagnostic) -> bool:
        top = one.subject.lstrip(".").partition(".")[0]
        return one.line in self._guarded or one.line in self._cautious or top in self._optional

    def _is_there(self, one: Diagnostic) -> bool:
        """Whether something that no server reads stands for a module, or a module may have more
        names than its text."""
        if self.importables.exists(one.subject):
            return True
        owner, _, name = one.subject.rpartition(".")
        known = self.importables.modules.get(owner)
        return known is not None and (known.is_open or name in known.names)

    def _is_missing(self, one: Diagnostic) -> bool:
        name = one.subject.rpartition(".")[2]
        if not name or (name.startswith("__") and name.endswith("__")) or name in self._stored:
            return False
        if _FUNCTION.match(one.message) or "`object`" in one.message:
            return False
        owner = _OWNER.match(one.message)
        module = one.subject.rpartition(".")[0]
        return not self._may_have(owner[1] if owner else module, name)

    @cached_property
    def _stored(self) -> frozenset[str]:
        """Attributes that the file sets on something."""
        found = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                found.add(node.attr)
            elif isinstance(node, ast.Call) and bare_leaf(node) in ("setattr", "object", "Mock"):
                found.update(texts(node.args))
        return frozenset(found)

    def _may_have(self, owner: str, name: str) -> bool:
        """Whether the module of a class, or one that is imported, has the name in its text: what
        is set in other ways than servers know stands there."""
        leaf = owner.rpartition(".")[2]
        files = self.importables.program.files.values()
        known = [f for f in files if any(s.leaf == leaf for s in f.symbols) or f.module == owner]
        word = re.compile(rf"\b{re.escape(name)}\b")
        return any(word.search(file.text) for file in known)


def _lines(node: ast.stmt | ast.expr) -> set[int]:
    return {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
