"""Targets of classes that tests define: their constructors and methods."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from pytest_lift.calls.definitions import LocalDefinition, LocalDefinitions
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import MEMBER
from pytest_lift.calls.targets.target import Target, TargetKind
from pytest_lift.source.enumerations import enumerations, members_of
from pytest_lift.source.program import Program
from pytest_lift.source.symbols import Parameter, Symbol, symbols_of
from pytest_lift.source.syntax import parsed

PLAIN = frozenset({"classmethod", "property", "staticmethod"})
"""Decorators of methods that leave their parameters as they are."""


def with_defined(
    targets: Sequence[Target], definitions: LocalDefinitions, program: Program
) -> list[Target]:
    """Returns the targets after those of `defined_targets`; methods of an enumeration without
    members, of which there are no objects, are called on those of one that is derived from it."""
    defined = [*defined_targets(targets, definitions, program)]
    members = {one.key: one for one in reversed(defined) if one.members}
    own = (one for one in targets if one.key not in members)
    moved = (replace(one, owner=members.get(one.owner.key, one.owner)) if one.owner else one
             for one in own)  # fmt: skip
    return [*defined, *moved]


def defined_targets(
    targets: Sequence[Target], definitions: LocalDefinitions, program: Program
) -> Iterator[Target]:
    """Yields what makes objects of the classes that definitions derive from those of the program,
    and their class methods; their other methods are those of the base class."""
    makers = {target.call: target for target in targets if target.kind == "constructor"}
    for base, maker in makers.items():
        for one in definitions.derived(base) if not maker.members else ():
            if any(other in makers for other in one.bases if other != base):
                continue
            made = _made(maker, one, program)
            yield made
            for target in targets:
                if target.owner == maker and target.kind == "static":
                    yield replace(target, call=one.name, imports=(), owner=made)


def _made(base: Target, one: LocalDefinition, program: Program) -> Target:
    """Returns what makes the objects of a class that is derived from another one: those of an
    enumeration are its members."""
    tree = parsed(one.source) if (base.path, base.symbol) in enumerations(program) else None
    nodes = tree.body if isinstance(tree, ast.Module) else []
    several = [members_of(node) for node in nodes if isinstance(node, ast.ClassDef)]
    members = tuple(f"{one.name}.{name}" for name in chain.from_iterable(several))
    parameters = MEMBER if members else _with_fields(base, one.fields)
    return replace(base, call=one.name, imports=(), parameters=parameters, members=members)


def using_targets(definitions: LocalDefinitions, resolver: Resolver) -> Iterator[Target]:
    """Yields the constructors and methods of classes whose behaviour is told by what the program
    gives them: these are the program in use."""
    places = {name: path for path, name in resolver.exports}
    for one in definitions.known.values():
        tree = parsed(one.source) if one.is_class and one.uses else None
        if isinstance(tree, ast.Module):
            yield from _members(one.name, places[one.uses[0]], symbols_of(tree))


def _members(name: str, path: str, symbols: Sequence[Symbol]) -> Iterator[Target]:
    """Yields the constructor of a class, and its public methods; where another decorator stands on
    one, it is not known whether its parameters stay."""
    methods = {s.leaf: s for s in symbols if s.kind == "method" and s.name.startswith(f"{name}.")}
    init = methods.get("__init__")
    given = init.parameters[1:] if init is not None else ()
    maker = Target(path, name, "constructor", name, (), given)
    yield maker
    for symbol in methods.values():
        if symbol.leaf.startswith("_"):
            continue
        kinds = {one.rpartition(".")[2] for one in symbol.decorators}
        static = not kinds.isdisjoint(("classmethod", "staticmethod"))
        kind: TargetKind = "static" if static else "property" if "property" in kinds else "method"
        own = symbol.parameters[0 if "staticmethod" in kinds else 1 :]
        if kinds - PLAIN:
            own = tuple(replace(p, default=p.default or "...") for p in own)
        yield Target(path, symbol.name, kind, name, (), own, maker)


def _with_fields(maker: Target, fields: Sequence[str]) -> tuple[Parameter, ...]:
    """Returns the parameters of a constructor, with the fields of a class where it takes any
    keyword."""
    known = {parameter.name for parameter in maker.parameters}
    if not any(parameter.kind == "var-keyword" for parameter in maker.parameters):
        return maker.parameters
    public = [name for name in fields if name not in known and not name.startswith("_")]
    added = [Parameter(name, "keyword", default="None") for name in public if name.islower()]
    return (*maker.parameters, *added)
