"""Requirements of a function of the program, by what their texts name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from pytest_lift.source.program import Program
from pytest_lift.trace.grounding import Grounding
from pytest_lift.trace.statuses import EXEMPT
from pytest_lift.trace.trace import Trace


class Belonging:
    """The requirements of one trace that expect a test, against the symbols of one program."""

    def __init__(self, program: Program, trace: Trace) -> None:
        grounding = Grounding(program, None)
        self._named = {
            item.requirement.id: frozenset(grounding.named(item.requirement))
            for item in trace.requirements
            if item.status not in EXEMPT
        }
        self._naming: dict[str, list[str]] = defaultdict(list)
        for identity, names in self._named.items():
            for name in names:
                self._naming[name].append(identity)
        self._methods = _methods(program)
        self._order = {name: place for place, name in enumerate(self._named)}
        self._known: dict[str, tuple[str, ...]] = {}

    def requirements(self, symbol: str) -> tuple[str, ...]:
        """Returns ids, in the order of the trace."""
        if symbol not in self._known:
            outer, _, leaf = symbol.rpartition(".")
            owner = outer.rpartition(".")[2]
            near = {*self._naming.get(leaf, ()), *self._naming.get(owner, ())}
            found = (name for name in near if self._names(self._named[name], owner, leaf))
            self._known[symbol] = tuple(sorted(found, key=self._order.__getitem__))
        return self._known[symbol]

    def _names(self, names: frozenset[str], owner: str, leaf: str) -> bool:
        """Whether the texts name a function; a class stands for all its methods, unless some of
        them are named beside it."""
        if leaf in names:
            others = any(leaf in self._methods.get(name, ()) for name in names)
            return owner in names or not others
        return owner in names and names.isdisjoint(self._methods.get(owner, ()))


def _methods(program: Program) -> Mapping[str, frozenset[str]]:
    """Class -> its methods; classes of one name count as one."""
    found: dict[str, set[str]] = defaultdict(set)
    for file in program.files.values():
        for symbol in file.symbols:
            if symbol.kind == "method":
                found[symbol.name.rpartition(".")[0].rpartition(".")[2]].add(symbol.leaf)
    return {name: frozenset(leaves) for name, leaves in found.items()}
