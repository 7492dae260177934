"""Random generators that objects make for themselves, and seeded ones to put in their place."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.program import Program
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import chain, leaf

MAKERS = {
    "RandomState": "np.random.RandomState(1)",
    "default_rng": "np.random.default_rng(1)",
    "Random": "Random(1)",
}
"""What makes a generator -> a seeded one."""
SEED_NAME = re.compile(r"^(random_?)?(seed|state)$|_seed$")


def is_seed(parameter: Parameter) -> bool:
    """Whether a parameter may hold a seed, without which an object makes its own."""
    return parameter.default == "None" and SEED_NAME.search(parameter.name) is not None


def seeding_lines(program: Program, targets: Sequence[Target]) -> dict[str, tuple[Call, ...]]:
    """Returns key of a constructor -> calls that give its objects seeded generators, in the place
    of those that have no seed."""
    own: dict[str, dict[str, str]] = defaultdict(dict)
    bases: dict[str, list[str]] = {}
    for file in program.files.values():
        for node in file.tree.body:
            if isinstance(node, ast.ClassDef):
                own[node.name] |= _unseeded(node)
                bases[node.name] = [leaf(base) for base in node.bases]
    found = {}
    for target in targets:
        if target.kind == "constructor":
            kinds = {**own.get(target.symbol, {})}
            for base in bases.get(target.symbol, ()):
                kinds |= own.get(base, {})
            found[target.key] = tuple(_assignment(target, *pair) for pair in kinds.items())
    return {key: calls for key, calls in found.items() if calls}


def _unseeded(node: ast.ClassDef) -> dict[str, str]:
    """Returns public attribute -> seeded generator, for attributes that get one without a seed."""
    return {
        found[1]: MAKERS[maker]
        for inner in ast.walk(node)
        if isinstance(inner, ast.Assign)
        for maker in _makers(inner.value)
        for target in inner.targets
        if len(found := chain(target) or []) == 2 and found[0] == "self" and found[1][0] != "_"
    }


def _makers(value: ast.expr) -> Iterator[str]:
    if isinstance(value, ast.Call) and not value.args and not value.keywords:
        name = leaf(value.func)
        if name in MAKERS:
            yield name


def _assignment(owner: Target, attribute: str, value: str) -> Call:
    target = Target(
        owner.path,
        f"{owner.symbol}.{attribute}",
        "statement",
        owner.call,
        owner.imports,
        (Parameter("value", "positional"),),
        owner,
    )
    return Call(target, (("value", value),))
