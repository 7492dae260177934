"""Types for programs that take types apart, with values of each: ``list[int]`` and ``[1, 2]``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from pytest_lift.calls.definitions import LocalDefinition
from pytest_lift.source.program import Program
from pytest_lift.source.symbols import Parameter

CATALOGUE = Path(__file__).with_name("sample_types.toml")
NAMED = re.compile(
    r"^(cls|clazz|class_?|klass|cl|type_?|typ_?|tp|hint|annotation|data_?class)$|"
    r"_(class|cls|type|hint|annotation)$"
)
"""Names of parameters that take a type, where no annotation tells what else they take."""
HINTED = re.compile(r"^(?:typing\.)?[Tt]ype(?:\[(?:typing\.)?(\w+)\])?$")
"""Annotation of a parameter that takes a type, and what the type has to be."""
VARIABLE = re.compile(r"^\s*(\w+) = (?:\w+\.)?TypeVar\(", re.MULTILINE)
LITERAL = frozenset("'[({0123456789")
"""First characters of values whose type is seen."""
VAGUE = frozenset({"", "Any", "typing.Any", "object"})


@dataclass(frozen=True)
class SampleType:
    """Type that a test may name."""

    source: str
    values: tuple[str, ...]
    """Values of the type and data that it is read from, the most usual first."""
    asked: re.Pattern[str]
    """What a program says that does more with the type than call it."""
    definition: LocalDefinition | None = None
    """The class, where Python has none."""


@cache
def catalogue() -> tuple[SampleType, ...]:
    """Returns all types, the plainest first."""
    read = tomllib.loads(CATALOGUE.read_text("utf-8"))
    asked = {name: re.compile(pattern) for name, pattern in read["asked"].items()}
    return tuple(
        SampleType(one["source"], tuple(one["values"]), asked[one["asked"]], _definition(one))
        for one in read["type"]
    )


def _definition(row: Mapping[str, Sequence[str]]) -> LocalDefinition | None:
    source = "".join(row.get("definition", "")).strip()
    if not source:
        return None
    name, needs = "".join(row["source"]), frozenset(row.get("needs", ()))
    return LocalDefinition(name, source, (), needs, tuple(row["imports"]), sample=True)


class SampleTypes:
    """The types that are worth trying with a program, and which parameters take them."""

    def __init__(self, program: Program) -> None:
        self.program = program

    @cached_property
    def _variables(self) -> frozenset[str]:
        """Names of type variables."""
        texts = (file.text for file in self.program.files.values())
        return frozenset(name for text in texts for name in VARIABLE.findall(text))

    @cached_property
    def known(self) -> dict[str, SampleType]:
        """Source -> type, of those that the program takes apart; none with the name of something
        of the program."""
        texts = [file.text for file in self.program.files.values()]
        patterns = {one.asked for one in catalogue()}
        asked = {one for one in patterns if any(one.search(text) for text in texts)}
        found = (one for one in catalogue() if one.asked in asked)
        return {one.source: one for one in found if one.source not in self.program.identifiers}

    def takes_type(self, parameter: Parameter) -> bool:
        """Whether a parameter takes any type."""
        if found := HINTED.match(_hint(parameter)):
            return found[1] in (None, "Any", "object") or found[1] in self._variables
        return _is_vague(parameter) and NAMED.search(parameter.name) is not None

    def definitions(self) -> dict[str, LocalDefinition]:
        """Returns the classes among them, by their names."""
        made = (one.definition for one in self.known.values())
        return {one.name: one for one in made if one is not None}

    def of(self, parameter: Parameter) -> list[str]:
        """Returns the types to try as an argument; none where a parameter takes something else."""
        return list(self.known) if self.takes_type(parameter) else []

    def fitting(
        self,
        parameters: Sequence[Parameter],
        given: Mapping[str, str],
        fits: Callable[[str | None, str], bool],
    ) -> tuple[str, list[str]]:
        """Returns the first parameter that takes anything, else that takes some of them, and values
        for it that belong to the type which is given for another one; ``""`` where there is no such
        pair. `fits` tells whether an annotation allows a value."""
        source = next((one for one in given.values() if one in self.known), None)
        if source is None:
            return "", []
        values = self.known[source].values
        needed = [p for p in parameters if p.default is None and not p.kind.startswith("var-")]
        others = [one for one in needed if not self.takes_type(one)]
        for parameter in sorted(others, key=lambda one: not _is_vague(one)):
            sure = [value for value in values if _is_vague(parameter) or value[0] in LITERAL]
            allowed = [value for value in sure if fits(parameter.annotation, value)]
            if allowed:
                return parameter.name, allowed
        return "", []


def _is_vague(parameter: Parameter) -> bool:
    return _hint(parameter) in VAGUE


def _hint(parameter: Parameter) -> str:
    return (parameter.annotation or "").strip("'\"")
