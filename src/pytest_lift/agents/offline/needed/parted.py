"""Makes tests of their own of calls that a case only does on the way, and of which nothing is
asserted: ``op.children()`` before ``generator.visit(op)``."""

from __future__ import annotations

import ast
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.needed.rerun import Rewritten, as_case, still_holds
from pytest_lift.agents.offline.needed.smaller import without_statement
from pytest_lift.agents.offline.writing.oracles.checks import Verified
from pytest_lift.agents.offline.writing.oracles.verifying import verify
from pytest_lift.agents.offline.writing.told import assigned
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.source.syntax import leaf, parsed_expression

SECONDS = 1.5


@dataclass(frozen=True)
class _OnTheWay:
    """Call on the way of a case."""

    number: int
    own: Case
    """The case up to the call, which is looked at."""
    rest: Rewritten
    """The case without it."""


def calls_apart(
    items: Sequence[Verified],
    prober: Prober,
    resolver: Resolver,
    places: Mapping[str, str],
    branches: AbstractSet[int],
    whole: AbstractSet[str] = frozenset(),
    until: float = float("inf"),
) -> list[Verified]:
    """Returns the cases, and those of calls on the way of one that alone reach some of the
    `branches`, where the case shows the same without: these follow it.

    `places` are the files of methods by their qualified names. Cases with one of the keys `whole`
    stay as they are.
    """
    free = [n for n, one in enumerate(items) if _is_free(one, whole)]
    parts = [part for n in free for part in _parts(n, items[n], places)]
    before = {part.number: as_case(items[part.number]) for part in parts}
    cases = [*before.values(), *(c for part in parts for c in (part.own, part.rest.case))]
    left = max(0.0, min(SECONDS, until - time.monotonic()))
    seen = prober.observe(cases, left, checked=True) if parts else {}
    reached = Counter(hit for one in items for hit in one.hits & branches)
    found = {n: [item] for n, item in enumerate(items)}
    for part in parts:
        item, (one, *others) = items[part.number], found[part.number]
        known = [seen.get(case.key) for case in (before[part.number], part.own, part.rest.case)]
        usual, own, rest = known
        if others or usual is None or own is None or rest is None or own.rejected:
            continue
        if not still_holds(part.rest.item, rest, usual):
            continue
        alone = {hit for hit in (one.hits - rest.hits) & branches if reached[hit] == 1}
        told = verify(part.own, own, prober.program, resolver) if alone <= own.hits else None
        if alone and told is not None:
            shorter = replace(part.rest.item, hits=rest.hits)
            found[part.number] = [shorter, told]
            reached.subtract(item.hits & branches)
            reached.update(shorter.hits & branches)
            reached.update(told.hits & branches)
    return [one for some in found.values() for one in some]


def _is_free(item: Verified, whole: AbstractSet[str]) -> bool:
    case = item.case
    odd = case.looped or case.exact or case.command or case.placed or case.seeded
    return case.origin == "searched" and not odd and case.key not in whole


def _parts(number: int, item: Verified, places: Mapping[str, str]) -> Iterator[_OnTheWay]:
    """Yields the calls of methods on the way of a case, the last one first."""
    made: dict[str, str] = {}
    found = []
    for at, check in enumerate(item.checks):
        if check.form != "none":
            break
        if (pair := assigned(check.expression)) is not None:
            node = parsed_expression(pair[1])
            made[pair[0]] = leaf(node.func) if isinstance(node, ast.Call) else ""
            continue
        match parsed_expression(check.expression):
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)):
                symbol = f"{made.get(name, '')}.{method}"
                rest = without_statement(item, at)
                if symbol in places and rest is not None:
                    found.append(
                        _OnTheWay(number, _own(item, at, symbol, places[symbol], name), rest)
                    )
    yield from reversed(found)


def _own(item: Verified, at: int, symbol: str, path: str, subject: str) -> Case:
    """Returns a case up to a call, which it looks at."""
    steps = [Step(check.expression) for check in item.checks[:at]]
    last = Step(item.checks[at].expression, check=True)
    case = replace(item.case, path=path, symbol=symbol, steps=(*steps, last), subject=subject)
    case = replace(case, keywords=(), effect="", idle=(), title="", watched=(), asks=False)
    return replace(case, imports=item.imports, optional=False)
