"""Arguments that are taken together, as those of `zip`: one alone, or equal ones, show little."""

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


def oddness(call: Call) -> float:
    """Returns the cost of arguments that are alone or equal where several are taken together,
    those of the object and of the calls before it included."""
    parts = (part for part in call.chain if _takes_several(part.target))
    return sum(
        EQUAL * (len(part.extra) - len({*part.extra}))
        + (LONELY if len(part.extra) < FEWEST else 0.0)
        for part in parts
    )


def variants(call: Call) -> Iterator[Call]:
    """Yields the call with two different arguments, where fewer, or equal ones, are given."""
    alone = len({*call.extra}) < max(FEWEST, len(call.extra))
    if alone and _takes_several(call.target):
        nodes = map(shared_expression, call.extra[:1])
        kinds = [literal_kind(node) for node in nodes if node is not None]
        for kind in dict.fromkeys([*kinds, "list"]):
            if kind in MORE:
                yield call.but(extra=MORE[kind])


def _takes_several(target: Target) -> bool:
    """Whether a target takes any number of arguments that are there to be taken together."""
    names = (one.name for one in target.parameters if one.kind == "var-positional")
    return any(TAKEN_TOGETHER.search(name) for name in names)
