"""Turns documented examples into cases whose expected values come from the documentation."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeGuard

from pytest_lift.agents.offline.examples.sessions import Item, Session
from pytest_lift.agents.offline.examples.steps import steps_of
from pytest_lift.agents.offline.examples.together import groups
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.names import BUILTINS, Resolver, free_names
from pytest_lift.source.program import Program


class ExampleReader:
    """Turns sessions into cases of the targets that they call."""

    def __init__(self, program: Program, resolver: Resolver, matcher: Matcher) -> None:
        self.program = program
        self.resolver = resolver
        self.matcher = matcher

    def cases(self, session: Session) -> Iterator[Case]:
        """Yields one case per group of examples that share variables and expect something."""
        found = []
        for group in groups(session.items):
            if any(i.skipped for i in group) or not any(i.expects for i in group):
                continue
            case = self._case(session, group)
            found += [case] if case is not None else []
        about = next(((c.path, c.symbol) for c in found if c.symbol), None)
        if about is None and found:
            about = self._about(session, found[0].source)
        for case in found:
            path, symbol = about or (case.path, case.symbol)
            yield case if case.symbol else replace(case, path=path, symbol=symbol)

    def _case(self, session: Session, group: list[Item]) -> Case | None:
        unaliased = _Unalias(session, self.program, self.resolver)
        steps: list[Step] = []
        for item in group:
            own = steps_of(item, unaliased)
            if own is None:
                return None
            steps += own
        source = "\n".join(step.source for step in steps)
        imports = self._imports(session, source, unaliased)
        match = self.matcher.principal([step.source for step in steps if step.check], source)
        if imports is None or (match is None and not session.requirement):
            return None
        return Case(
            match.target.path if match else session.path,
            match.target.symbol if match else "",
            tuple(steps),
            imports,
            session.origin,
            session.requirement,
            keywords=match.options if match else (),
            cost=len(source) / 60,
            title=next((item.title for item in group if item.expects), ""),
            session=session.key,
        )

    def _about(self, session: Session, source: str) -> tuple[str, str]:
        """Returns a module or class of the program, for examples that call nothing of it."""
        words = [node.value for node in ast.walk(ast.parse(source)) if _is_text(node)]
        for module in words:
            if module in self.program.by_module:
                return self.program.by_module[module].path, module.rpartition(".")[2]
        named = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
        for path, name in self.resolver.exports:
            if name in named:
                return path, name
        return session.path, self.program.files[session.path].module.rpartition(".")[2]

    def _imports(
        self, session: Session, source: str, unaliased: _Unalias
    ) -> tuple[str, ...] | None:
        lines: set[str] = set()
        unknown: set[str] = set()
        for name in free_names(source):
            if name in unaliased.lines:
                lines.add(unaliased.lines[name])
            elif name in session.imported:
                lines.add(_import_line(name, *session.imported[name]))
            else:
                unknown.add(name)
        more = self.resolver.imports(unknown, session.path)
        return None if more is None else tuple(sorted(lines | set(more)))


def _is_text(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _import_line(name: str, module: str, original: str) -> str:
    if original:
        return f"from {module} import {original}" + (f" as {name}" if name != original else "")
    return f"import {module}" + (f" as {name}" if name != module else "")


class _Unalias(ast.NodeTransformer):
    """Replaces ``json.dumps`` by ``dumps`` if the session imported a module of the program as
    json."""

    def __init__(self, session: Session, program: Program, resolver: Resolver) -> None:
        self.lines: dict[str, str] = {}
        self.taken = {name for item in session.items for name in item.binds}
        self.imported = session.imported
        self.modules = {file.module for file in program.files.values()}
        self.known = {(export.module, export.name) for export in resolver.exports.values()}
        self.inside = {(program.files[p].module, n) for p, n in resolver.exports}

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.value, ast.Name):
            return node
        module, original = self.imported.get(node.value.id, ("", ""))
        free = node.attr not in self.taken | BUILTINS and not node.attr.startswith("_")
        if original or module not in self.modules or not free:
            return node
        if not self._has(module, node.attr):
            return node
        self.lines[node.attr] = f"from {module} import {node.attr}"
        return ast.copy_location(ast.Name(node.attr, node.ctx), node)

    def _has(self, module: str, name: str) -> bool:
        reexported = any(name == n and m.startswith(f"{module}.") for m, n in self.inside)
        return (module, name) in self.known | self.inside or reexported
