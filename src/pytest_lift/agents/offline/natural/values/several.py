"""Arguments that are taken together, as those of `zip`: one alone, or equal ones, show little; nor
do equal containers for two parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_lift.agents.offline.arguments.hints.forms import literal_kind
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import shared_expression

TAKEN_TOGETHER = re.compile(
    r"^(iter(able)?s|its|seq(uence)?s|lists|arrays|dicts|mappings|sets|strings|collections)$"
)
"""Names of parameters for arguments that are joined, zipped or compared."""
FEWEST = 2
"""Fewest of these that show how they are taken together."""
LONELY, EQUAL = 0.6, 0.4
"""Oddness of fewer than that, and of each that is equal to one before it."""
MORE = {
    "list": ("[1, 2, 3]", "[4, 5, 6]"), "dict": ("{'a': 1}", "{'b': 2}"),
    "set": ("{1, 2}", "{2, 3}"), "str": ("'abc'", "'de'"), "tuple": ("(1, 2)", "(3, 4)"),
}  # fmt: skip
"""Kind of an argument -> two of that kind."""
CONTAINERS = MORE.keys() - {"str"}
"""Kinds of arguments of which two equal ones say little."""


def oddness(call: Call) -> float:
    """Returns the cost of arguments that are alone or equal where several are taken together,
    those of the object and of the calls before it included."""
    alike = sum(EQUAL for part in call.chain for _ in _repeated(part))
    parts = (part for part in call.chain if _takes_several(part.target))
    return alike + sum(
        EQUAL * (len(part.extra) - len({*part.extra}))
        + (LONELY if len(part.extra) < FEWEST else 0.0)
        for part in parts
    )


def variants(call: Call) -> Iterator[Call]:
    """Yields the call with two different arguments, where fewer, or equal ones, are given, and with
    another container in the place of one that an earlier parameter has, too."""
    for name, kind, given in _repeated(call):
        yield from (call.with_value(name, other) for other in MORE[kind] if other not in given)
    alone = len({*call.extra}) < max(FEWEST, len(call.extra))
    if alone and _takes_several(call.target):
        nodes = map(shared_expression, call.extra[:1])
        kinds = [literal_kind(node) for node in nodes if node is not None]
        for kind in dict.fromkeys([*kinds, "list"]):
            if kind in MORE:
                yield call.but(extra=MORE[kind])


def _repeated(call: Call) -> Iterator[tuple[str, str, set[str]]]:
    """Yields each parameter for which a container is given that an earlier one has, with its kind
    and all that is given: whatever merges or compares them says little then."""
    given: set[str] = set()
    for name, value in call.values:
        node = shared_expression(value) if value in given else None
        kind = literal_kind(node) if node is not None else ""
        if kind in CONTAINERS and len(value) > len("[]"):
            yield name, kind, {one for _, one in call.values}
        given.add(value)


def _takes_several(target: Target) -> bool:
    """Whether a target takes any number of arguments that are there to be taken together."""
    names = (one.name for one in target.parameters if one.kind == "var-positional")
    return any(TAKEN_TOGETHER.search(name) for name in names)
