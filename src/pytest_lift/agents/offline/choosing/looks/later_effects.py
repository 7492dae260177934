"""Shows what a call does that is seen only after another one: ``batch.send()`` after
``batch.add('a')``."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.search.dullness import BEGUN_WITH
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.agents.offline.writing.readings import is_look
from pytest_lift.calls.case import Case, Observation, Outcome, Step
from pytest_lift.source.ancestry import above

SECONDS = 3.0
SEEDING = ".seed("
"""What a line has that makes a case draw the same each time."""
MOST_FOLLOWING = 6
"""Most methods that are called after what a case does."""


@dataclass(frozen=True)
class _SilentCase:
    """A case that ends with a call of a method, and looks at something."""

    case: Case
    act: int
    """Number of the step that is the call."""
    name: str
    """Variable of its object."""
    following: tuple[str, ...]
    """Names of methods of its object that need no arguments."""

    def with_steps(self, steps: Sequence[Step]) -> Case:
        """Returns the case with other steps before its looks."""
        looks = self.case.steps[self.act + 1 :]
        return replace(self.case, steps=(*steps, *looks), watched=())

    @property
    def idle(self) -> Case:
        """The case without its call."""
        return self.with_steps(self.case.steps[: self.act])

    @property
    def pairs(self) -> Iterator[tuple[Case, Case]]:
        """Yields the case with another call after its own, and that without its own."""
        for method in self.following:
            yield from self._followed(Step(f"{self.name}.{method}()"))

    def _followed(self, last: Step) -> Iterator[tuple[Case, Case]]:
        """Yields both with one call: without what other lines do, then with it."""
        *before, act = self.case.steps[: self.act + 1]
        binding = [one for one in before if not _only_calls(one) or SEEDING in one.source]
        for lines in (binding, before) if len(binding) < len(before) else (before,):
            acts = [*lines, replace(act, check=False)]
            yield self.with_steps([*acts, last]), self.with_steps([*lines, last])


class _PlainMethods:
    """The methods of the classes of a program that can be called without arguments."""

    def __init__(self, search: ProgramSearch) -> None:
        self._bases = search.inputs.matcher.bases
        self._own: dict[str, dict[str, bool]] = defaultdict(dict)
        """Class -> its methods, and whether each needs no arguments."""
        for target in search.targets:
            if target.owner is not None:
                plain = target.is_plain_method and not target.needs_arguments
                public = not target.leaf.startswith("_")
                self._own[target.owner.leaf][target.leaf] = plain and public

    def of(self, owner: str) -> Iterator[str]:
        """Yields the names of those of a class, inherited ones included."""
        nearest: dict[str, bool] = {}
        for kind in (owner, *above(owner, self._bases)):
            nearest = self._own.get(kind, {}) | nearest
        yield from (name for name, plain in nearest.items() if plain)


def with_later_effects(chosen: Sequence[Chosen], search: ProgramSearch) -> list[Chosen]:
    """Returns the cases; those of which the last call makes no difference to what they look at with
    a call after it by which it does, where the program has such."""
    plain = _PlainMethods(search)
    silent = {n: one for n, item in enumerate(chosen) if (one := _read(item.kept, plain))}
    seen = search.prober.observe(
        [case for one in silent.values() for case in (one.case, one.idle)], SECONDS
    )
    silent = {
        n: one
        for n, one in silent.items()
        if (whole := seen.get(one.case.key)) is not None
        and (idle := seen.get(one.idle.key)) is not None
        and _looks(whole, one) == _looks(idle, one)
    }
    pairs = {n: [*one.pairs] for n, one in silent.items()}
    cases = [case for some in pairs.values() for pair in some for case in pair]
    seen = search.prober.observe(cases, SECONDS, checked=True) if cases else {}
    found = list(chosen)
    for number, some in pairs.items():
        item = chosen[number]
        for case, without in some:
            told, other = seen.get(case.key), seen.get(without.key)
            if told is None or other is None or not _shows(told, other):
                continue
            if item.gain <= told.hits:
                found[number] = replace(item, kept=replace(item.kept, case=case, seen=told))
                break
    return found


def _read(kept: KeptCase, plain: _PlainMethods) -> _SilentCase | None:
    call, case = kept.call, kept.case
    if call is None or not call.name or call.target.owner is None or call.target.kind != "method":
        return None
    special = case.looped or case.effect or call.in_block
    if special or case.origin != "searched" or call.target.asynchronous:
        return None
    steps = case.steps
    act = next((n for n in reversed(range(len(steps))) if not _is_look(steps[n])), None)
    if act is None or act == len(steps) - 1 or not _only_calls(steps[act]):
        return None
    following = (one for one in plain.of(call.target.owner.leaf) if one != call.target.leaf)
    return _SilentCase(case, act, call.name, tuple(islice(following, MOST_FOLLOWING)))


def _is_look(step: Step) -> bool:
    return step.check and not step.acts and is_look(step.source)


def _only_calls(step: Step) -> bool:
    """Whether a step is a call of which nothing is kept."""
    body = ast.parse(step.source).body
    return len(body) == 1 and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Call)


def _looks(seen: Observation, one: _SilentCase) -> Sequence[Outcome]:
    """Returns what the looks of a case show."""
    return seen.outcomes[-len(one.case.steps[one.act + 1 :]) :]


def _shows(seen: Observation, without: Observation) -> bool:
    """Whether a case looks at something that is not as objects begin, and differs from what is seen
    without the call."""
    if not seen.usable or any(outcome.raised for outcome in seen.outcomes):
        return False
    told = any(one.attributes or one.source not in (None, *BEGUN_WITH) for one in seen.outcomes)
    return told and seen.outcomes != without.outcomes
