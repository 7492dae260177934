"""Leaves out cases that show of a function of their own what it does without the program, too."""

from __future__ import annotations

import ast
import math
import time
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pytest_lift.agents.offline.joining.merits.hollow import waited_for
from pytest_lift.agents.offline.needed.rerun import as_case, still_holds, with_lines
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.names import BUILTINS, free_names
from pytest_lift.calls.prober import Prober
from pytest_lift.source.syntax import FunctionNode, parsed_expression

SECONDS = 1.0
MUCH = 2
"""Branches that nothing else reaches, from which such a case stays."""


def without_handed_back(
    items: Sequence[Verified],
    prober: Prober,
    counted: AbstractSet[int],
    whole: AbstractSet[str] = frozenset(),
    until: float = math.inf,
) -> list[Verified]:
    """Returns the cases without searched ones whose assertions hold with the functions that the
    test defines, or built-in ones, in the place of what the program makes of them:
    ``marked = mark(double)``, then ``marked(2)`` is 4.

    Those stay that alone reach much that is `counted`, and those with one of the keys `whole`;
    nothing is run after `until` (`time.monotonic()`).
    """
    plain = {n: one for n, item in enumerate(items) if (one := _plainly(item, whole)) is not None}
    pairs = {n: (as_case(items[n]), as_case(one)) for n, one in plain.items()}
    seconds = max(0.0, min(SECONDS, until - time.monotonic()))
    cases = [case for pair in pairs.values() for case in pair]
    seen = prober.observe(cases, seconds) if cases else {}
    reached = Counter(hit for item in items for hit in item.hits & counted)
    left_out = set[int]()
    for number, pair in pairs.items():
        before, after = (seen.get(case.key) for case in pair)
        if before is None or after is None or not still_holds(plain[number], after, before):
            continue
        own = items[number].hits & counted
        if sum(reached[hit] == 1 for hit in own) < MUCH:
            reached.subtract(own)
            left_out.add(number)
    return [item for number, item in enumerate(items) if number not in left_out]


def _plainly(item: Verified, whole: AbstractSet[str]) -> Verified | None:
    """Returns a case with its own functions in the place of what calls make of them; None where it
    hands on none."""
    case = item.case
    if case.origin != "searched" or case.looped or case.command or case.key in whole:
        return None
    trees = [ast.parse(check.expression) for check in item.checks]
    own = {tree.body[0].name for tree in trees if isinstance(tree.body[0], FunctionNode)}
    writer = _HandedBack(own)
    checks = [
        _written(check, writer.visit(tree)) for check, tree in zip(item.checks, trees, strict=True)
    ]
    named = {line.rpartition(" ")[2] for line in item.imports}
    asks = any(_asks_more(check, named) for check in checks if check.form != "none")
    return with_lines(item, checks) if writer.changed and not asks else None


def _asks_more(check: StepCheck, imported: AbstractSet[str]) -> bool:
    """Whether a check is of something else than what a function gives: an attribute that it may
    have kept, or what the program says of it."""
    node = waited_for(parsed_expression(check.expression) or ast.Name("_"))
    called = node.func if isinstance(node, ast.Call) else node
    names = free_names(check.expression) & imported
    return not (isinstance(node, ast.Call) and isinstance(called, ast.Name)) or bool(names)


def _written(check: StepCheck, tree: ast.Module) -> StepCheck:
    return replace(check, expression=ast.unparse(tree))


class _HandedBack(ast.NodeTransformer):
    """Writes functions in the place of calls that they are given to, where the result is called or
    becomes a variable, and takes away their decorators."""

    def __init__(self, own: AbstractSet[str]) -> None:
        self.own = own
        self.changed = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.changed |= bool(node.decorator_list)
        node.decorator_list = []
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        self.changed |= bool(node.decorator_list)
        node.decorator_list = []
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        node.value = self._plain(node.value)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        node.func = self._plain(node.func)
        return self.generic_visit(node)

    def _plain(self, node: ast.expr) -> ast.expr:
        """Returns the function that a call is given alone; other expressions as they are."""
        match node:
            case (
                ast.Call(args=[ast.Name(id=name) as function])
                | ast.Call(args=[], keywords=[ast.keyword(value=ast.Name(id=name) as function)])
            ):
                if name in self.own or (name in BUILTINS and name[:1].islower()):
                    self.changed = True
                    return function
        return node
