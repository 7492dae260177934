"""Finds calls of targets in source and in existing tests, with arguments bound to parameters."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import PurePosixPath

from pytest_lift.calls.definitions import LocalDefinitions
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import leaf

EXPECTING = re.compile(r"(assert_?)?raises\w*", re.IGNORECASE)
"""Names of context managers inside of which an error is raised, pytest's and those of programs."""


@dataclass(frozen=True)
class Match:
    """Call found in source, with its target."""

    target: Target
    node: ast.expr
    options: tuple[str, ...]


class Matcher:
    """Finds targets by the names that source uses."""

    def __init__(
        self, targets: Sequence[Target], definitions: LocalDefinitions | None = None
    ) -> None:
        self.definitions = definitions or LocalDefinitions()
        """What examples define themselves."""
        self.functions = {t.call: t for t in targets if t.kind in ("function", "main")}
        self.classes = {t.call: t for t in targets if t.kind == "constructor"}
        made = [t for t in targets if t.kind in ("function", "main", "constructor")]
        self._placed = {(_module_of(t.path), t.call): t for t in made}
        """(last name of a module, name) -> function or class."""
        self._derived: dict[str, set[str]] = {}
        self.members: dict[str, list[Target]] = {}
        for target in targets:
            if target.owner is not None:
                self.members.setdefault(target.leaf, []).append(target)

    def principal(self, checks: Sequence[str], source: str) -> Match | None:
        """Returns the main call of a case: the outermost program call of its last check, or of any
        line; one that only expects an error where there is no other."""
        expecting = None
        for text in [*reversed(checks), source]:
            for match in self.matches(text, source):
                if not (isinstance(match.node, ast.Call) and _expects(match.node)):
                    return match
                expecting = expecting or match
        return expecting

    def matches(self, text: str, context: str = "") -> Iterator[Match]:
        """Yields calls of targets in `text`, outermost first; names in `context` decide between
        methods of equal name, and what it assigns to a variable is no function of that name."""
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            return
        named, own = _names_in(context or text), _assigned_in(context or text)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                if isinstance(node.func, ast.Name) and node.func.id in own:
                    continue
                target = self._of_variable(node.func, context or text) or self.called(
                    node.func, named
                )
                if target is not None:
                    yield Match(target, node, _options(target, node))
            elif isinstance(node, ast.Attribute):
                for member in self.members.get(node.attr, ()):
                    if member.kind == "property" and member.call in named:
                        yield Match(member, node, ())

    def _of_variable(self, function: ast.expr, context: str) -> Target | None:
        """Returns the method of a variable that the context makes by calling a class."""
        if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
            return None
        kind = _made_in(context).get(function.value.id)
        members = self.members.get(function.attr, ()) if kind is not None else ()
        return next((m for m in members if m.call == kind and m.kind != "property"), None)

    def called(self, function: ast.expr, named: AbstractSet[str]) -> Target | None:
        """Returns the target that a function stands for; names around it decide between methods
        of equal name."""
        if isinstance(function, ast.Name):
            return self.functions.get(function.id) or self.classes.get(function.id)
        if not isinstance(function, ast.Attribute):
            return None
        if (placed := self._in_its_module(function)) is not None:
            return placed  # `dates.date(2024, 1, 2)`, whatever else has a method `date`
        members = [m for m in self.members.get(function.attr, ()) if m.kind != "property"]
        near = [m for m in members if m.call in named or not named.isdisjoint(self._below(m.call))]
        if near:
            return near[0]
        found = self._of_module(function)
        return found or (members[0] if members and self._is_made(function.value) else None)

    def _below(self, base: str) -> AbstractSet[str]:
        """Returns the names of the classes that examples derive from a class."""
        if base not in self._derived:
            self._derived[base] = {one.name for one in self.definitions.derived(base)}
        return self._derived[base]

    def _of_module(self, function: ast.Attribute) -> Target | None:
        """Returns the function or class that ``module.name`` stands for."""
        owner = function.value.id if isinstance(function.value, ast.Name) else ""
        found = self.functions.get(function.attr) or self.classes.get(function.attr)
        return found if owner and owner == owner.lower() else None

    def _in_its_module(self, function: ast.Attribute) -> Target | None:
        """Returns the function or class of a module of that very name."""
        owner = function.value.id if isinstance(function.value, ast.Name) else ""
        return self._placed.get((owner, function.attr)) if owner == owner.lower() else None

    def _is_made(self, node: ast.expr) -> bool:
        """Whether a function or class of the program makes the first object of a chain:
        ``every(10).minutes``."""
        while isinstance(node, ast.Attribute | ast.Call):
            inner = node.func if isinstance(node, ast.Call) else node.value
            if isinstance(inner, ast.Name | ast.Attribute) and isinstance(node, ast.Call):
                made = isinstance(inner, ast.Attribute) and self._of_module(inner) is not None
                if made or (isinstance(inner, ast.Name) and inner.id in self.names):
                    return True
            node = inner
        return False

    @cached_property
    def names(self) -> AbstractSet[str]:
        """Names of functions and classes, those that examples define included."""
        return self.functions.keys() | self.classes.keys() | self.definitions.known.keys()


def _module_of(path: str) -> str:
    """Returns the last part of the name of a module: ``days`` of the file of a package ``days``."""
    return PurePosixPath(path.removesuffix("/__init__.py")).stem


def _options(target: Target, node: ast.Call) -> tuple[str, ...]:
    optional = {p.name for p in target.parameters if p.default is not None}
    given = [k.arg for k in node.keywords if k.arg in optional]
    inner = node.func.value if isinstance(node.func, ast.Attribute) else None
    made = inner.keywords if isinstance(inner, ast.Call) else []
    return tuple(str(name) for name in [*(k.arg for k in made if k.arg), *given])


@lru_cache(maxsize=64)
def _names_in(text: str) -> frozenset[str]:
    """Returns the names in a piece of code."""
    nodes = ast.walk(ast.parse(text))
    return frozenset(node.id for node in nodes if isinstance(node, ast.Name))


@lru_cache(maxsize=64)
def _assigned_in(text: str) -> frozenset[str]:
    """Returns the variables of a piece of code, but for those that are given what a function of the
    same name gives."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Assign):
            names = {one.id for one in node.targets if isinstance(one, ast.Name)}
            found |= names - {one.id for one in ast.walk(node.value) if isinstance(one, ast.Name)}
    return frozenset(found)


@lru_cache(maxsize=64)
def _made_in(text: str) -> Mapping[str, str]:
    """Returns the variables of a piece of code that calls by a name make, with that."""
    found = {}
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Assign(targets=[ast.Name(variable)], value=ast.Call(func=called)):
                found[variable] = leaf(called)
    return found


def _expects(call: ast.Call) -> bool:
    """Whether a call makes a context manager that expects an error, as its name says."""
    return EXPECTING.fullmatch(leaf(call.func)) is not None
