"""Leaves out dull cases that alone enter functions of a family of which others are tested.

A family are functions that have the same code but for constants and names: the conversions of a
size to each of thirty units.
"""

from __future__ import annotations

import ast
import copy
import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from pytest_lift.agents.offline.choosing.selection import LEAST_DULL, Chosen
from pytest_lift.agents.offline.search.dullness import dullness
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.reach import Function, Reach
from pytest_lift.source.syntax import FunctionNode

MOST_SHOWN = 4
"""Functions of a family that are tested, however little their results say."""
MOST_LOST = 0.03
"""Share of the counted probes reached that may go with cases of further ones."""


@dataclass(frozen=True)
class Families:
    """Families of the functions of a program, and what tests reach of them."""

    functions: Mapping[Function, FunctionNode]
    reach: Reach
    counted: AbstractSet[int]
    """Probes of which not too many may be lost."""
    branches: AbstractSet[int]
    """Those of which none may."""
    tested: AbstractSet[int]

    def without_siblings(
        self, chosen: Sequence[Chosen], distance: Callable[[KeptCase], float]
    ) -> list[Chosen]:
        """Returns the cases without those whose result says little, and that alone reach nothing
        but functions of families of which enough are entered; the plainest stay."""
        entered = self.reach.functions(self.tested)
        news = [self.reach.functions(item.kept.seen.hits) - entered for item in chosen]
        idle = {n for n, item in enumerate(chosen) if news[n] and _is_dull(item.kept)}
        if not idle:
            return list(chosen)
        families = families_of(self.functions)
        hits = [item.kept.seen.hits & self.counted - self.tested for item in chosen]
        reached = Counter(number for own in hits for number in own)
        spare = MOST_LOST * len(reached.keys() | (self.tested & self.counted))
        shown = Counter(families[one] for one in entered if one in families)
        left_out: set[int] = set()
        order = sorted(
            range(len(chosen)),
            key=lambda n: (chosen[n].kept.case.origin == "searched", distance(chosen[n].kept)),
        )
        for number in order:
            alone = {probe for probe in hits[number] if reached[probe] == 1}
            new = news[number] - entered
            known = all(shown[families.get(one, "")] >= MOST_SHOWN for one in new)
            spared = not alone & self.branches and len(alone) <= spare
            if number in idle and new and known and spared:
                left_out.add(number)
                reached.subtract(hits[number])
                spare -= len(alone)
            else:
                entered |= new
                shown.update(families[one] for one in new if one in families)
        return [item for number, item in enumerate(chosen) if number not in left_out]


def _is_dull(kept: KeptCase) -> bool:
    return kept.case.origin == "searched" and dullness(kept.case, kept.seen) >= LEAST_DULL


def families_of(functions: Mapping[Function, FunctionNode]) -> dict[Function, str]:
    """Returns function -> digest of its code without constants and names, but for those of what is
    called: a function of the program stands there with the digest of its own code, that of any one
    where several have the name."""
    classes = {symbol.rpartition(".")[0].rpartition(".")[2] for _, symbol in functions}
    bare = _Bare(dict.fromkeys(classes, "<class>"))
    called = dict(bare.called)
    for (_, symbol), node in functions.items():
        called.setdefault(symbol.rpartition(".")[2], _digest(bare.code(node)))
    whole = _Bare(called)
    return {place: _digest(whole.code(node)) for place, node in functions.items()}


def _digest(code: str) -> str:
    """Returns a short text that is the same for the same code only."""
    return hashlib.sha256(code.encode(errors="surrogatepass")).hexdigest()


class _Bare(ast.NodeTransformer):
    """Takes constants and names out of the code of functions.

    `called` has what stands for the names of what is called.
    """

    def __init__(self, called: Mapping[str, str]) -> None:
        self.called = called

    def code(self, node: FunctionNode) -> str:
        body = node.body
        documented = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        inner = [copy.deepcopy(one) for one in (body[1:] if documented else body)]
        taken = ast.dump(node.args) if node.args.defaults else str(len(node.args.args))
        return f"{taken}:{';'.join(ast.dump(self.visit(one)) for one in inner)}"

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant(type(node.value).__name__)

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name("", node.ctx)

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        return ast.Attribute(self.visit(node.value), "", node.ctx)

    def visit_Call(self, node: ast.Call) -> ast.Call:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        name = node.func.id if isinstance(node.func, ast.Name) else name
        self.generic_visit(node)
        stands = self.called.get(name, name)
        return ast.Call(ast.Name(stands, ast.Load()), [node.func, *node.args], node.keywords)
