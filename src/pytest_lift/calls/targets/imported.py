"""Targets as they are after import: what a survey tells of classes, inherited members, setters."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from pytest_lift.calls.survey import Member, MemberKind, SurveyedClass
from pytest_lift.calls.targets.target import Target, TargetKind
from pytest_lift.source.special_methods import NEEDED, OPERATORS, STATEMENTS
from pytest_lift.source.symbols import Parameter

PLACED = frozenset({"positional-only", "positional", "var-positional"})
"""Kinds of parameters that are given by their place."""


def after_import(
    targets: Sequence[Target],
    classes: Mapping[str, SurveyedClass],
    takes: Mapping[str, Parameter],
    handed: Mapping[str, Sequence[Parameter]],
) -> Iterator[Target]:
    """Yields the targets of a file as they are after import; `takes` is what may be assigned to
    attributes, by their symbols, and `handed` what stars stand for, as `Survey.handed`."""
    built: dict[str, Target] = {}
    for target in targets:
        known = classes.get(target.symbol)
        if target.owner is not None:
            if (owner := target.owner.symbol) in built:
                parameters = _behind_stars(target.parameters, handed.get(target.symbol, ()))
                made = replace(target, owner=built[owner], parameters=parameters)
                yield _as_surveyed(made, classes[owner].members)
        elif target.kind != "constructor":
            behind = handed.get(target.symbol, ())
            yield replace(target, parameters=_behind_stars(target.parameters, behind))
        elif known is not None and not known.abstract:
            signature = known.parameters or ()
            parameters = _by_name(target.parameters, signature) or signature
            parameters = _behind_stars(parameters, handed.get(target.symbol, ()))
            yield (maker := target if target.factory else replace(target, parameters=parameters))
            built[target.symbol] = maker
    own = {target.symbol for target in targets}
    for name, maker in built.items():
        for member in classes[name].members:
            symbol = f"{maker.symbol}.{member.name}"
            yield from _members(maker, member, symbol in own, takes.get(symbol))


def _by_name(
    parameters: Sequence[Parameter], signature: Sequence[Parameter]
) -> tuple[Parameter, ...]:
    """Returns the parameters, those as given by name that a signature has so."""
    named = {one.name for one in signature if one.kind == "keyword"}
    return tuple(replace(p, kind="keyword") if p.name in named else p for p in parameters)


def _behind_stars(
    parameters: Sequence[Parameter], handed: Sequence[Parameter]
) -> tuple[Parameter, ...]:
    """Returns the parameters with what stars stand for in the place of these: what is given by
    place before what is given by name; what can be both keeps its name alone after a star that
    is left."""
    if not handed:
        return tuple(parameters)
    own = {one.name for one in parameters}
    new = [one for one in handed if one.kind.startswith("var-") or one.name not in own]
    if any(one.kind == "var-positional" for one in new):
        new = [one for one in new if one.kind != "positional" or one.default is None]
    placed = [one for one in new if one.kind in PLACED]
    named = [one for one in new if one.kind not in PLACED]
    before = [one for one in parameters if one.kind in ("positional", "positional-only")]
    if any(one.kind == "positional-only" for one in placed):  # what stands before has to be given
        before = [replace(one, default=None) for one in before]
    after = [one for one in parameters if one.kind == "keyword"]
    return (*before, *placed, *after, *named)


def _as_surveyed(target: Target, members: Sequence[Member]) -> Target:
    """Returns a method as a property where a decorator has made one of it."""
    kind = next((one.kind for one in members if one.name == target.leaf), target.kind)
    if target.kind == "method" and kind == "property":
        return replace(target, kind="property", parameters=())
    return target


def assigned_attributes(tree: ast.Module) -> Iterator[tuple[str, Parameter]]:
    """Yields (``Class.attribute``, what it takes) of the properties that a class defines, as their
    setters say it, or else by what they return."""
    for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        returned: dict[str, str] = {}
        for node in (one for one in owner.body if isinstance(one, ast.FunctionDef)):
            names = [ast.unparse(one) for one in node.decorator_list]
            if node.returns is not None and any(name.endswith("property") for name in names):
                returned[node.name] = ast.unparse(node.returns)
            given = node.args.args[1:2] if f"{node.name}.setter" in names else ()
            for one in given:
                hint = ast.unparse(one.annotation) if one.annotation else returned.get(node.name)
                yield f"{owner.name}.{node.name}", Parameter(one.arg, "positional", None, hint)


def _members(
    owner: Target, member: Member, is_known: bool, assigned: Parameter | None = None
) -> Iterator[Target]:
    """Yields what the static reading does not have: inherited members, and setters, as far as it is
    known with what they take."""
    make = partial(
        Target,
        owner.path,
        f"{owner.symbol}.{member.name}",
        call=owner.call,
        imports=owner.imports,
        owner=owner,
    )
    if owner.factory and member.kind == "static":
        return
    if member.settable:
        yield make("statement", parameters=(assigned or Parameter("value", "positional"),))
    special = member.name in STATEMENTS or member.name in OPERATORS
    if not is_known and (special or not member.name.startswith("__")):
        kind = kind_of(member.name, member.kind)
        plain = (p for p in member.parameters if not (special and p.kind.startswith("var-")))
        streams = member.streams or member.name == "__aiter__"
        waits = member.waits and not streams
        lines = (*owner.imports, *NEEDED.get(member.name, ()))
        made = make(kind, parameters=tuple(plain), asynchronous=waits, streams=streams)
        yield replace(made, imports=lines, library=member.library)


def kind_of(name: str, kind: MemberKind) -> TargetKind:
    """Returns the kind of a member's target, by its name and how it is defined."""
    if kind != "method":
        return kind
    return "statement" if name in STATEMENTS else "operator" if name in OPERATORS else "method"
