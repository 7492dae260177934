"""Calls with the nodes of Python that documents show, and with those of texts that are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, zip_longest

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.libraries import NODE
from pytest_lift.agents.offline.search.making import CallMaker
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter

MOST, MOST_OF_EACH = 1500, 120
"""Most calls, and most of one target."""


def with_nodes(maker: CallMaker, inputs: Inputs, targets: Iterable[Target]) -> Iterator[Call]:
    """Yields calls of what takes a node, or has an object made of one, with each node: the first of
    each target, then the second of each, and so on."""
    rows = [row for target in targets for row in _rows(maker, inputs, target)]
    turns = zip_longest(*rows)
    yield from islice((call for turn in turns for call in turn if call is not None), MOST)


def _rows(maker: CallMaker, inputs: Inputs, target: Target) -> Iterator[Iterator[Call]]:
    own, made = _taking(inputs, target), _taking(inputs, target.owner)
    call = maker.fresh(target) if own or made else None
    if call is None:
        return
    for parameter in own:
        nodes = _nodes(inputs, target, parameter)
        yield (call.with_value(parameter.name, node) for node in nodes)
    receiver = call.receiver
    if own or receiver is None or receiver.target != target.owner or call.before:
        return
    for parameter in made:
        nodes = _nodes(inputs, receiver.target, parameter)
        changed = (receiver.with_value(parameter.name, node) for node in nodes)
        yield (call.but(receiver=one) for one in changed)


def _taking(inputs: Inputs, target: Target | None) -> list[Parameter]:
    """Returns the parameters that take nodes and have to be given."""
    if target is None or target.entry:
        return []
    needed = [one for one in target.parameters if one.default is None]
    return [one for one in needed if _nodes(inputs, target, one)]


def _nodes(inputs: Inputs, target: Target, parameter: Parameter) -> list[str]:
    kinds, _ = inputs.foreign(target, parameter)
    found = (value for one in kinds if one.kind == NODE for value in one.values)
    return list(islice(found, MOST_OF_EACH))
