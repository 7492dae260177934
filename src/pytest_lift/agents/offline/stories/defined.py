"""Targets of classes that tests define: their constructors and class methods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pytest_lift.calls.definitions import LocalDefinitions
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter


def defined_targets(targets: Sequence[Target], definitions: LocalDefinitions) -> Iterator[Target]:
    """Yields what makes objects of the classes that definitions derive from those of the program,
    and their class methods; their other methods are those of the base class."""
    makers = {target.call: target for target in targets if target.kind == "constructor"}
    for base, maker in makers.items():
        for one in definitions.derived(base) if not maker.members else ():
            if any(other in makers for other in one.bases if other != base):
                continue
            made = replace(
                maker, call=one.name, imports=(), parameters=_with_fields(maker, one.fields)
            )
            yield made
            for target in targets:
                if target.owner == maker and target.kind == "static":
                    yield replace(target, call=one.name, imports=(), owner=made)


def _with_fields(maker: Target, fields: Sequence[str]) -> tuple[Parameter, ...]:
    """Returns the parameters of a constructor, with the fields of a class where it takes any
    keyword."""
    known = {parameter.name for parameter in maker.parameters}
    if not any(parameter.kind == "var-keyword" for parameter in maker.parameters):
        return maker.parameters
    public = [name for name in fields if name not in known and not name.startswith("_")]
    added = [Parameter(name, "keyword", default="None") for name in public if name.islower()]
    return (*maker.parameters, *added)
