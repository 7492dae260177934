"""Tells what a story is about: the function, method or class of the program that it shows."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.writing.oracles.checks import Verified
from pytest_lift.calls.case import Step
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.names import Resolver
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, leaf


@dataclass(frozen=True)
class StorySubject:
    """What a story is about."""

    path: str
    symbol: str
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True)
class StorySubjects:
    """Finds what stories are about."""

    program: Program
    resolver: Resolver
    matcher: Matcher

    def of(self, steps: Sequence[Step]) -> StorySubject | None:
        """Returns the main call of a story; where it only uses what it defines, a method or the
        class from which it derives that; else what its definitions call."""
        trees = [(step.source, node) for step in steps for node in ast.parse(step.source).body]
        acting = [
            source for source, node in trees if not isinstance(node, FunctionNode | ast.ClassDef)
        ]
        match = self.matcher.principal(acting, "\n".join(acting))
        if match is None:
            nodes = [node for _, node in trees]
            found = self._derived(nodes)
            if found is not None:
                return found
            match = self.matcher.principal([], "\n".join(step.source for step in steps))
        if match is None:
            return self._named([node for _, tree in trees for node in ast.walk(tree)])
        return StorySubject(match.target.path, match.target.symbol, match.options)

    def of_what_is_left(self, item: Verified) -> Verified:
        """Returns a documented case as one of what its lines show, where these have lost the call
        that it was about."""
        case, name = item.case, item.case.symbol.rpartition(".")[2]
        lines = [check.expression for check in item.checks]
        named = re.compile(rf"\b{re.escape(name)}\b")
        special = name.startswith("_") or case.command or case.argv is not None
        if case.origin != "documented" or special or any(map(named.search, lines)):
            return item
        about = self.of([Step(line) for line in lines])
        if about is None or about.path != case.path:
            return item
        return replace(item, case=replace(case, symbol=about.symbol, keywords=about.keywords))

    def _derived(self, nodes: Iterable[ast.stmt]) -> StorySubject | None:
        """Returns the method that is called of a class which a story derives from, else the
        class, else the only method of a name."""
        walked = [one for node in nodes for one in ast.walk(node)]
        bases = [base for one in walked if isinstance(one, ast.ClassDef) for base in one.bases]
        names = {leaf(base) for base in bases}
        called = [one.func for one in walked if isinstance(one, ast.Call)]
        methods = [one.attr for one in called if isinstance(one, ast.Attribute)]
        members = [self.matcher.members.get(name, []) for name in reversed(methods)]
        targets = [one for several in members for one in several if one.call in names]
        targets += [one for name, one in self.matcher.classes.items() if name in names]
        targets += [several[0] for several in members if len(several) == 1]
        if targets:
            return StorySubject(targets[0].path, targets[0].symbol)
        return self._named(bases)

    def _named(self, nodes: Iterable[ast.AST]) -> StorySubject | None:
        """Returns the first name of the program among expressions."""
        places = {name: path for path, name in self.resolver.exports}
        for node in (one for one in nodes if isinstance(one, ast.Name | ast.Attribute)):
            if leaf(node) in places:
                return StorySubject(places[leaf(node)], leaf(node))
            module = self.program.by_module.get(ast.unparse(node).rpartition(".")[0])
            if module is not None:
                return StorySubject(module.path, leaf(node))
        return None
