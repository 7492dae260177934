"""Gives functions what those return that they undo: ``decode`` what ``encode`` gives."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import InitVar, dataclass, field
from itertools import islice

from pytest_lift.agents.offline.arguments.hints.forms import is_literal
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.choosing.options.removing import without_options
from pytest_lift.agents.offline.choosing.steady import ADDRESS
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import shared_expression

PAIRS = (
    ("encode", "decode"), ("serialize", "deserialize"), ("encrypt", "decrypt"),
    ("compress", "decompress"), ("escape", "unescape"), ("quote", "unquote"), ("pack", "unpack"),
    ("flatten", "unflatten"), ("dumps", "loads"), ("to", "from"), ("format", "parse"),
    ("humanize", "dehumanize"), ("wrap", "unwrap"), ("mangle", "unmangle"),
    ("marshal", "unmarshal"),
)  # fmt: skip
"""Words of the names of functions of which each undoes the other."""
BOTH_WAYS = re.compile(r"(\w+?)_?(to|2)_?(\w+)")
MOST_CALLS, MOST_GIVEN, LONGEST = 40, 3, 60
"""Most calls that are run for what they return, most results that one parameter gets of them, and
most characters of one."""

Undoing = tuple[Target, Parameter]
"""Function that undoes another one, and the parameter that takes what this returns."""


@dataclass
class Inverses:
    """Knows the functions of a program that undo each other, by their names."""

    prober: Prober
    resolver: Resolver
    inputs: Inputs
    natural: Naturalness
    targets: InitVar[Sequence[Target]]
    _by_name: dict[str, list[Target]] = field(init=False)
    _given: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    _ran: set[str] = field(default_factory=set)

    def __post_init__(self, targets: Sequence[Target]) -> None:
        self._by_name = defaultdict(list)
        for target in targets:
            self._by_name[target.leaf].append(target)

    def learn(self, calls: Iterable[Call], seconds: float) -> None:
        """Notes what natural calls return as arguments of the functions that undo them."""
        rows = [*islice(self._cases(calls), MOST_CALLS)]
        seen = self.prober.observe([case for case, _ in rows], seconds) if rows else {}
        found = [(_returned(seen[case.key]), some) for case, some in rows if case.key in seen]
        for source, undoing in sorted(found, key=lambda row: len(row[0])):
            for target, parameter in undoing if source else ():
                if self._given[target.key] < MOST_GIVEN:
                    self._given[target.key] += 1
                    self.inputs.note_used(target, parameter.name, source)
        if seen:
            self.natural.forget()

    def _cases(self, calls: Iterable[Call]) -> Iterator[tuple[Case, list[Undoing]]]:
        """Yields natural calls as cases, each once and without options, too, with the functions
        that undo theirs."""
        calls = [call for call in calls if next(self.of(call.target), None)]
        for call in (*(without_options(one, one.options) for one in calls), *calls):
            undoing = [*self.of(call.target)]
            if self.natural.fits(call) and not self.natural.guesses(call):
                case = as_case(call, self.resolver, priced=False)
                if case is not None and case.key not in self._ran:
                    self._ran.add(case.key)
                    yield case, undoing

    def of(self, target: Target) -> Iterator[Undoing]:
        """Yields the functions that undo one, of its class or else of its file, with the parameter
        that takes what it returns: the first, where others may be left out."""
        for name in dict.fromkeys(inverse_names(target.leaf)):
            for other in self._by_name.get(name, ()):
                beside = other.path == target.path and other.kind == target.kind
                needed = [one for one in other.parameters if one.default is None]
                first = next(iter(other.parameters), None)
                alone = first is not None and needed in ([], [first])
                if beside and alone and first is not None and _owner(other) == _owner(target):
                    yield other, first


def inverse_names(name: str) -> Iterator[str]:
    """Yields the names that a function may have which undoes that of a name."""
    words = name.split("_")
    for pair in PAIRS:
        for one, other in (pair, pair[::-1]):
            if one in words:
                yield "_".join(other if word == one else word for word in words)
    if found := BOTH_WAYS.fullmatch(name):
        yield name.replace(found[0], f"{found[3]}_{found[2]}_{found[1]}")
        yield f"{found[3]}{found[2]}{found[1]}"


def _returned(seen: Observation) -> str:
    """Returns the short literal that a case gives in the end; "" for all else."""
    if not seen.usable or seen.outcomes[-1].raised:
        return ""
    source = seen.outcomes[-1].source or ""
    node = shared_expression(source)
    literal = node is not None and is_literal(node) and ADDRESS.search(source) is None
    return source if literal and 2 < len(source) <= LONGEST else ""


def _owner(target: Target) -> str:
    return target.owner.key if target.owner is not None else ""
