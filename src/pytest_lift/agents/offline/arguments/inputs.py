"""Provides argument expressions, the most natural first, by what is known of each parameter."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from pytest_lift.agents.offline.arguments.fitting_inputs import FittingInputs
from pytest_lift.agents.offline.arguments.known.parameter_kinds import (
    literal_of,
)
from pytest_lift.agents.offline.arguments.libraries import spelt
from pytest_lift.agents.offline.natural.kinds import (
    HINTS,
    KINDS,
)
from pytest_lift.agents.offline.natural.values.failing import failing_functions
from pytest_lift.agents.offline.natural.values.sample_functions import (
    sample_functions,
)
from pytest_lift.agents.offline.texts.roles import WordRoles
from pytest_lift.calls.cost import cost_of
from pytest_lift.calls.definitions import LocalDefinitions
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.program import Program
from pytest_lift.source.symbols import Parameter

DOCUMENTED_WORD = re.compile(r"\\[a-zA-Z][0-9a-fA-F]{0,4}|[A-Za-z]+|\d[\d.eE]*")
ODD_VALUES, USUAL = 0.05, 0.4
"""Shares of the arguments that are any value, whatever the parameter is known to take, and that are
what a person types for its name, where that tells."""
OVERLOADED, MOST_OF_TYPE = 0.9, 4
"""Share of what is taken together that has types by which the code tells it apart, and the most
values of one type."""


class Inputs(FittingInputs):
    """Pools of argument expressions, filled once and then extended by what the search finds."""

    def __init__(
        self,
        program: Program,
        rng: random.Random,
        definitions: LocalDefinitions | None = None,
        library_bases: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        """`library_bases` has the classes of libraries that those of the program derive from."""
        super().__init__(program, definitions, library_bases)
        self.rng = rng
        self.roles = WordRoles(program)
        self.exchanged: set[str] = set()
        """Known texts in which a word gave way to another of its role, and wrong ones near them."""

    def add_samples(self, targets: Sequence[Target]) -> None:
        """Adds the classes of sample types, where a target takes types, and functions that raise,
        to what tests may define."""
        takers = (one for target in targets for one in target.parameters)
        if any(map(self.samples.takes_type, takers)):
            self.definitions.known.update(self.samples.definitions() | self.definitions.known)
        given = (one for pool in (*self.documented.values(), *self.used.values()) for one in pool)
        failing = failing_functions(self.program, given)
        own = sample_functions(self.program) | failing | self.definitions.known
        self.definitions.known.update(own)

    def note_described(self, targets: Sequence[Target]) -> None:
        """Adds the arguments that descriptions of parameters name, as documented ones."""
        for target in targets:
            for parameter in target.parameters:
                for value in self.documents.values(target, parameter):
                    if self.annotations.fits(parameter.annotation, value):
                        self.note(target, parameter.name, value)

    def pool(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns every expression worth trying, the most natural first."""
        file = self.program.files[target.path]
        return self._pools.get(
            (target.key, parameter.name),
            lambda: (spelt(value, file) for value in self.fitting_values(target, parameter)),
        )

    def draw(self, target: Target, parameter: Parameter) -> str:
        """Returns one expression from the pool; earlier ones are more likely, what a person types
        for the name most of all, and now and then any value at all."""
        if target.members:
            return self._early(target.members)
        key = target.key, f"{parameter.name} usual"
        usual = self._pools.get(key, lambda: self.usual(target, parameter))
        if usual and self.rng.random() < USUAL:
            return usual[0]
        pool = self.pool(target, parameter)
        if not pool or self.rng.random() < ODD_VALUES:
            pool = self.anything
        return self._early(pool)

    def examples(self, kind: str) -> Sequence[str]:
        """Returns sources of values of a type, by its name: objects of the program, or literals."""
        return self.objects.get(kind) or KINDS.get(HINTS.get(kind, kind), ())

    def draw_together(self, target: Target, parameter: Parameter) -> tuple[str, ...]:
        """Returns arguments for ``*args``: mostly those of one of the rows of types by which the
        code tells them apart, where it does."""
        rows = self.inference.overloads(target.path, target.definition)
        if rows and self.rng.random() < OVERLOADED:
            return tuple(map(self._of_type, self.rng.choice(rows)))
        return tuple(self.draw(target, parameter) for _ in range(self.rng.randint(0, 3)))

    def _of_type(self, hint: str) -> str:
        """Returns a value of a type, one of the first that are known; any where none is."""
        known = self.annotations.values(hint) or self.examples(hint) or self.anything
        return self._early(sorted(known, key=cost_of)[:MOST_OF_TYPE])

    def _early(self, pool: Sequence[str]) -> str:
        """Returns one of a pool; earlier ones are more likely."""
        return pool[int(len(pool) * self.rng.random() ** 1.7)]

    def inferred_values(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns objects of the program of the types that its own calls pass to a parameter, the
        plainest first."""
        hint = self.inferred(target, parameter)
        if self.classes.isdisjoint(re.findall(r"\w+", hint)):
            return []
        return self._pools.get(
            (target.key, f"{parameter.name}:"),
            lambda: sorted(self.annotations.values(hint), key=cost_of),
        )

    @property
    def documented_texts(self) -> list[str]:
        """Strings that documented calls pass to any parameter."""
        if self._documented_texts is None:
            values = [literal_of(e) for pool in self.documented.values() for e in pool]
            texts = {value for value in values if isinstance(value, str) and len(value) > 2}
            ordered = sorted(texts, key=lambda text: (-min(len(text), 30), text))
            self._documented_texts = ordered[:40]
        return self._documented_texts

    @property
    def documented_words(self) -> list[str]:
        """Words, numbers and escapes inside documented texts: tokens of the program's grammar."""
        found = (word for text in self.documented_texts for word in DOCUMENTED_WORD.findall(text))
        return list(dict.fromkeys(word for word in found if 2 <= len(word) <= 12))[:40]
