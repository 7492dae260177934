"""Sources of objects that have the attributes which the code reads of a parameter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from types import NoneType

from pytest_lift.agents.offline.arguments.hints.annotated import Annotations, in_turn
from pytest_lift.agents.offline.arguments.known.by_name import kinds_by_name
from pytest_lift.agents.offline.arguments.known.namesakes import Namesakes
from pytest_lift.agents.offline.arguments.known.parameter_kinds import literal_of
from pytest_lift.agents.offline.arguments.uses import ParameterUse
from pytest_lift.agents.offline.natural.dicts.records import Records
from pytest_lift.agents.offline.natural.kinds import KINDS
from pytest_lift.agents.offline.natural.values.usual import usual_sources
from pytest_lift.calls.survey import LibraryClass
from pytest_lift.source.symbols import Parameter

VARIANTS = 4
"""Objects that are made for one parameter."""
MOST_PARTS = 6
"""Most attributes of one object."""
MOST_VALUES = 6
"""Most values of one attribute."""
PLAIN = ("1", "2", "3")
"""Values of an attribute of which nothing is known."""


class Ducks:
    """Makes objects by how the attributes of a parameter are used."""

    def __init__(
        self,
        records: Records,
        words: AbstractSet[str],
        annotations: Annotations,
        namesakes: Namesakes,
    ) -> None:
        self.records = records
        self.words = words
        self.annotations = annotations
        self.namesakes = namesakes

    def of(
        self, usage: ParameterUse, attributes: Mapping[str, ParameterUse], hints: Sequence[str]
    ) -> Iterator[str]:
        """Yields objects of the class of a library that a hint names, where one can be made with
        all that is read of it, else those of no class, too."""
        wanted = [one for one in dict.fromkeys(usage.met) if _is_plain(one)][:MOST_PARTS]
        pools = {one: self._pool(one, attributes.get(one)) for one in wanted}
        known = self.annotations.library_classes
        made = next((known[one] for one in hints if one in known), None)
        if made is not None and (given := self._given(made, pools)) is not None:
            yield from self._made(made.call, given, frozenset())
            if given.keys() >= {*wanted} - ({*usage.called} & made.members):
                return
        if wanted:
            yield from self._made("SimpleNamespace", pools, {*usage.called})

    def _given(
        self, made: LibraryClass, pools: Mapping[str, Sequence[str]]
    ) -> dict[str, Sequence[str]] | None:
        """Returns what the constructor of a class gets; None where it needs more than is known."""
        taken = [one for one in made.parameters if not one.kind.startswith("var-")]
        needed = {one.name for one in taken if one.default is None}
        named = any(one.kind == "positional-only" for one in taken if one.name in needed)
        if named or not needed <= pools.keys():
            return None
        return {one.name: _of_type(one, pools[one.name]) for one in taken if one.name in pools}

    def _made(
        self, name: str, pools: Mapping[str, Sequence[str]], called: AbstractSet[str]
    ) -> Iterator[str]:
        most = max((len(pool) for one, pool in pools.items() if one not in called), default=1)
        for number in range(min(most, VARIANTS)):
            parts = (
                f"{one}=lambda *args: {pool[0]}"
                if one in called
                else f"{one}={pool[number % len(pool)]}"
                for one, pool in pools.items()
            )
            yield f"{name}({', '.join(parts)})"

    def _pool(self, name: str, usage: ParameterUse | None) -> list[str]:
        """Returns values for an attribute, those first that its use, the hint of the parameters of
        its name and that name tell."""
        usage = usage or ParameterUse()
        kinds = usage.kinds or [*kinds_by_name(name)]
        hint = self.namesakes.hint(name)
        shaped = [*usage.constants, *usage.choices]
        if "dict" in usage.seen:
            shaped += self.records.sources(usage.keys, self.words)
        shaped = [one for one in shaped if self.annotations.fits(hint, one)]
        found = in_turn([shaped, self.annotations.values(hint)])
        found += [*usual_sources(name, self.words)][:1]
        found += (value for kind in kinds for value in KINDS.get(kind, ()))
        return [*islice(dict.fromkeys(found), MOST_VALUES)] or [*PLAIN]


def _of_type(parameter: Parameter, pool: Sequence[str]) -> Sequence[str]:
    """Returns the values of the type of a default, where that tells one and any is of it."""
    kind = type(literal_of(parameter.default))
    same = [one for one in pool if type(literal_of(one)) is kind]
    return same if same and kind is not NoneType else pool


def _is_plain(name: str) -> bool:
    return name.isidentifier() and not name.startswith("_")
