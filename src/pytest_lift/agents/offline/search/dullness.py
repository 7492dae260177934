"""Tells how little a reader learns from the result of a case."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, repeat

from pytest_lift.agents.offline.writing.legibility import LONGEST, illegibility
from pytest_lift.agents.offline.writing.readings import READINGS
from pytest_lift.calls.call import RECORDED
from pytest_lift.calls.case import Case, Observation, Outcome
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import leaf, parsed_expression, shared_expression

EMPTY = frozenset({"[]", "{}", "''", "()", "set()", "b''", "frozenset()", "deque()",
                   "0", "0.0", "-0.0"})  # fmt: skip
"""Results that mostly stand for nothing."""
BEGUN_WITH = EMPTY | {"None", "False"}
"""Values with which objects begin: they say little of one."""
NOTHING, NONE, NO, ECHO, YES = 1.5, 1.0, 0.6, 0.7, 0.2
"""Dullness of an empty result, of None, no number or an object with nothing in it, of False, of an
argument given back, and of True."""
PARTLY = 0.4
"""Dullness of a tuple of results of which one is empty: what was read, and nothing of it."""
APART = 0.4
"""Dullness of groups of which each has one item."""
FRESH = 0.7
"""Dullness of what an object says that was made of nothing, and with which nothing was done."""
READ_BACK = 0.8
"""Dullness of an object whose attributes are nothing but the arguments that made it."""

TOO_LONG = 10.0
"""Dullness of a result that is too long for a test: none is written of it, so that any other is
better."""
LONGEST_RANGE = 20
"""Most numbers of a range of which it is told whether they come back."""
PLAIN = {"None": NONE, "False": NO, "True": YES, "float('nan')": NONE}


def dullness(case: Case, seen: Observation) -> float:
    """Returns 0 for a result that says something, more for one that any program may give, or whose
    numbers nobody checks."""
    if not seen.outcomes or seen.fails:
        return 0.0
    given = _given(case)
    checked = chain((step.source for step in case.steps if step.check), repeat(""))
    pairs = [*zip(seen.outcomes, checked, strict=False)]
    if len(pairs) > 1 and "with " in case.source:
        made = entered(case.source)
        pairs = [
            (outcome, name)
            for outcome, name in pairs
            if not is_as_made(outcome.source or "", made.get(name))
        ] or pairs
    dull = min(_dull(outcome, source, given) for outcome, source in pairs)
    told = any(outcome.printed or outcome.files for outcome in seen.outcomes)
    if dull < FRESH and not told and is_fresh(case.source):
        return FRESH
    if case.origin == "searched" and any(len(one.source or "") > LONGEST for one in seen.outcomes):
        return TOO_LONG
    return max(dull, *map(_illegible, seen.outcomes))


@lru_cache(maxsize=8192)
def entered(source: str) -> dict[str, ast.Call]:
    """Returns the variables of what blocks enter, with the calls that make these."""
    nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.With))
    items = ((i.optional_vars, i.context_expr) for node in nodes for i in node.items)
    return {
        name.id: call
        for name, call in items
        if isinstance(name, ast.Name) and isinstance(call, ast.Call)
    }


def is_as_made(source: str, maker: ast.Call | None) -> bool:
    """Whether an object has the arguments of the call that made it for a block: as if no call
    inside had changed it."""
    made = shared_expression(source) if source and maker is not None else None
    if maker is None or not isinstance(made, ast.Call):
        return False
    given, left = ([*one.args, *one.keywords] for one in (maker, made))
    return [*map(ast.dump, given)] == [*map(ast.dump, left)]


def _illegible(outcome: Outcome) -> float:
    """Returns how hard the numbers are to read in what comes out, or in what an object shows."""
    shown = (value for _, value in outcome.attributes)
    return max(map(illegibility, (outcome.source or "", outcome.printed, *shown)))


@lru_cache(maxsize=8192)
def is_fresh(source: str) -> bool:
    """Whether statements do nothing but make objects of nothing, and ask one of them something
    without arguments: ``table = Table()`` and ``table.rows``."""
    *setup, last = ast.parse(source).body or [ast.Pass()]
    if not isinstance(last, ast.Expr) or not _asks(last.value, made=bool(setup)):
        return False
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    given = (v for c in calls for v in (*c.args, *(keyword.value for keyword in c.keywords))
             if leaf(c.func) not in READINGS)  # fmt: skip
    made = all(isinstance(value, ast.Call) for value in given)
    return made and all(isinstance(line, ast.Assign) for line in setup)


def _asks(node: ast.expr, *, made: bool) -> bool:
    """Whether an expression reads an attribute, or calls a method without arguments; of an object
    that it makes itself where none is `made` before."""
    if isinstance(node, ast.Call) and leaf(node.func) in READINGS and len(node.args) == 1:
        return _asks(node.args[0], made=made)
    if isinstance(node, ast.Call) and not (node.args or node.keywords):
        node = node.func
    if not isinstance(node, ast.Attribute):
        return False
    return isinstance(node.value, ast.Name) if made else isinstance(node.value, ast.Call)


def is_mute(case: Case, seen: Observation) -> bool:
    """Whether a case has a callback that was not called, and nothing else to show."""
    shown = [step.source for step in case.steps if step.check]
    if RECORDED not in shown or len(shown) != len(seen.outcomes):
        return False
    pairs = zip(shown, seen.outcomes, strict=True)
    return not any(
        outcome.telling and (look, outcome.source) != (RECORDED, "[]") for look, outcome in pairs
    )


def is_crash(target: Target, seen: Observation) -> bool:
    """Whether a command fails without a word: its runner catches every exception."""
    ends = tuple(outcome.source for outcome in seen.outcomes)
    return target.kind == "command" and ends == ("1", "''")


def _dull(outcome: Outcome, checked: str, given: frozenset[str]) -> float:
    source = outcome.source
    if outcome.printed or outcome.files:
        return 0.0
    if source is None:
        values = {value for _, value in outcome.attributes if value not in EMPTY | PLAIN.keys()}
        made = checked.partition("(")[0].rpartition(".")[2] == outcome.type
        if not (made and outcome.attributes) or outcome.text or not values <= given:
            return 0.0
        return READ_BACK if values else NONE
    if source in EMPTY or is_bare(source):
        return NOTHING
    if source in PLAIN:
        return PLAIN[source]
    node = shared_expression(source)
    if isinstance(node, ast.Call) and leaf(node.func) == "approx" and node.args:
        node = node.args[0]
    items = _items(node)
    if items and all(ast.unparse(item) in EMPTY | PLAIN.keys() for item in _leaves(node)):
        return min(PLAIN.get(ast.unparse(item), NOTHING) for item in _leaves(node))
    if _listed(source) in given or (len(items) == 1 and ast.unparse(items[0]) in given):
        return ECHO
    if isinstance(node, ast.Tuple) and any(map(_is_nothing, items)):
        return PARTLY
    groups = node.values if isinstance(node, ast.Dict) else items
    return APART if len(groups) > 1 and all(map(_has_one, groups)) else 0.0


def _is_nothing(item: ast.expr) -> bool:
    return ast.unparse(item) in EMPTY or is_bare(ast.unparse(item))


def _listed(source: str) -> str:
    """Returns the source of a tuple or set as that of a list: what holds the same items as an
    argument says as little."""
    node = shared_expression(source)
    return f"[{', '.join(map(ast.unparse, _items(node)))}]" if _items(node) else source


def _items(node: ast.expr | None) -> Sequence[ast.expr]:
    return node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else ()


def _leaves(node: ast.expr | None) -> Iterator[ast.expr]:
    """Yields what is in lists and tuples, and in those inside of them."""
    for item in _items(node):
        yield from _leaves(item) if _items(item) else [item]


def _has_one(node: ast.expr) -> bool:
    return isinstance(node, ast.List | ast.Set) and len(node.elts) == 1


def is_bare(source: str) -> bool:
    """Whether a source makes an object of nothing: ``Tree()``, ``Headers({})``,
    ``Table(None, [])``."""
    node = parsed_expression(source)
    if not isinstance(node, ast.Call):
        return False
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    return all(ast.unparse(one) in {*EMPTY, "None"} for one in given)


def _given(case: Case) -> frozenset[str]:
    """Returns the literals of a case, as they are written there."""
    return frozenset[str]().union(*(_literals(step.source) for step in case.steps))


@lru_cache(maxsize=8192)
def _literals(source: str) -> frozenset[str]:
    kinds = (ast.Constant, ast.UnaryOp, ast.List, ast.Tuple, ast.Dict, ast.Set)
    tree = ast.parse(source)
    nodes = (node for node in ast.walk(tree) if isinstance(node, kinds))
    ranges = (str(list(found)) for node in ast.walk(tree) if (found := _range(node)))
    return frozenset({*map(_listed, map(ast.unparse, nodes)), *ranges})


def _range(node: ast.AST) -> range:
    """Returns what ``range(5)`` is; an empty range for anything else."""
    match node:
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(end))]):
            return range(min(end, LONGEST_RANGE))
    return range(0)
