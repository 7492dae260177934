"""Arguments whose items belong together, as names and values do: as many of one as of the other."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from pytest_lift.agents.offline.arguments.hints.forms import literal_kind
from pytest_lift.agents.offline.arguments.inference import Inference
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import FunctionNode, leaf, shared_expression

UNEQUAL = 1.0
"""Oddness of two arguments of which one has more items than the other."""
DEEPEST = 2
"""Most calls that are followed from a function to the one that takes its arguments together."""
LETTERS, NUMBERS = ("'a'", "'b'", "'c'", "'d'", "'e'"), ("1", "2", "3", "4", "5")
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
ITEMS = {"str": LETTERS, "int": NUMBERS}
"""Kind of the items of a list -> items with which it is filled up."""


@dataclass(frozen=True)
class Pair:
    """Two parameters whose items belong together."""

    first: str
    second: str
    rows: bool = False
    """Whether each item of the second has as many items as the first: rows below a head."""


@dataclass
class Pairs:
    """Knows which parameters the functions of a program take together."""

    inference: Inference
    _told: dict[str, Sequence[Pair]] = field(default_factory=dict)
    _found: dict[FunctionNode, Sequence[Pair]] = field(default_factory=dict)

    def of(self, target: Target) -> Sequence[Pair]:
        """Returns the pairs among the parameters of a target, as its code or that of another method
        of its name tells."""
        if target.key not in self._told:
            names = {parameter.name for parameter in target.parameters}
            found = dict.fromkeys(p for node in self._nodes(target) for p in self._told_by(node))
            self._told[target.key] = [p for p in found if {p.first, p.second} <= names]
        return self._told[target.key]

    def oddness(self, call: Call) -> float:
        """Returns the cost of pairs of unequal lengths, in all calls of a chain."""
        return UNEQUAL * sum(
            not _agree(pair, part.given) for part in call.chain for pair in self.of(part.target)
        )

    def variants(self, call: Call) -> Iterator[Call]:
        """Yields the call with as many items in the second argument of a pair as in the first, or
        in the first as in the second."""
        for pair in self.of(call.target):
            if not _agree(pair, call.given):
                for changed in _made_equal(pair, call.given):
                    yield call.but(values=tuple({**dict(call.values), **changed}.items()))

    def _nodes(self, target: Target) -> Iterator[FunctionNode]:
        name = target.symbol.rpartition(".")[2] if target.kind != "constructor" else "__init__"
        own = (target.path, target.symbol), (target.path, f"{target.symbol}.__init__")
        alike = self._methods.get(name, ()) if target.owner is not None else ()
        functions = self.inference.functions
        yield from (functions[key] for key in dict.fromkeys((*own, *alike)) if key in functions)

    @cached_property
    def _methods(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        """Name of methods -> (path, qualified name) of each."""
        found: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for path, symbol in self.inference.functions:
            owner, _, name = symbol.rpartition(".")
            if owner:
                found[name].append((path, symbol))
        return found

    def _told_by(self, node: FunctionNode) -> Sequence[Pair]:
        if node not in self._found:
            self._found[node] = [*dict.fromkeys(self._in(node, DEEPEST))]
        return self._found[node]

    def _in(self, node: FunctionNode, deepest: int) -> Iterator[Pair]:
        """Yields what a function takes together, and what those to which it passes it do."""
        parameters = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
        parameters += [one.arg for one in node.args.kwonlyargs]
        yield from _taken_together(node, frozenset(parameters))
        for call in ast.walk(node) if deepest else ():
            if not isinstance(call, ast.Call):
                continue
            for other in self.inference.named(leaf(call.func)):
                passed = _passed(call, other)
                for pair in self._in(other, deepest - 1) if len(passed) > 1 else ():
                    first, second = passed.get(pair.first), passed.get(pair.second)
                    if first in parameters and second in parameters and first and second:
                        yield Pair(first, second, pair.rows)


def _passed(call: ast.Call, function: FunctionNode) -> Mapping[str, str]:
    """Returns parameter -> variable that a call passes for it."""
    places = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    places = places[1:] if places[:1] in (["self"], ["cls"]) else places
    given = [*zip(places, call.args, strict=False), *((k.arg, k.value) for k in call.keywords)]
    return {name: v.id for name, v in given if name and isinstance(v, ast.Name)}


def _taken_together(node: FunctionNode, parameters: frozenset[str]) -> Iterator[Pair]:
    """Yields the parameters that are zipped, or read by one index."""
    rows: dict[str, str] = {}
    """Loop variable -> parameter whose items it stands for."""
    together: list[set[str]] = []
    """What has an item at the index of one loop."""
    for loop, target, items in _loops(node):
        match target, items:
            case ast.Name(id=row), ast.Name(id=name):
                rows[row] = name
            case (ast.Name(id=index), ast.Call(func=ast.Name(id="range"), args=given)):
                lengths = (n for one in given for n in ast.walk(one) if isinstance(n, ast.Call))
                measured = (n.args[0] for n in lengths if leaf(n.func) == "len" and n.args)
                names = {one.id for one in measured if isinstance(one, ast.Name)}
                together.append(names | _read_at(index, loop))
            case (
                ast.Tuple(elts=[ast.Name(id=index), _]),
                ast.Call(func=ast.Name(id="enumerate"), args=[ast.Name(id=name), *_]),
            ):
                together.append({name} | _read_at(index, loop))
    for inner in ast.walk(node):
        match inner:
            case ast.Call(func=ast.Name(id="zip"), args=given):
                zipped = [one.id for one in given if isinstance(one, ast.Name)]
                for one, other in combinations(zipped, 2):
                    yield from _pair(one, other, rows, parameters)
    for read in together:
        for one, other in combinations(sorted(read & parameters), 2):
            yield Pair(one, other)


def _loops(node: ast.AST) -> Iterator[tuple[ast.AST, ast.expr, ast.expr]]:
    """Yields (loop, its variable, what it goes over), of comprehensions, too."""
    for one in ast.walk(node):
        if isinstance(one, ast.For):
            yield one, one.target, one.iter
        elif isinstance(one, COMPREHENSIONS):
            yield from ((one, clause.target, clause.iter) for clause in one.generators)


def _read_at(index: str, loop: ast.AST) -> set[str]:
    """Returns the names of which a loop reads the item at its index."""
    read = (one for one in ast.walk(loop) if isinstance(one, ast.Subscript))
    at = (one.value for one in read if isinstance(one.slice, ast.Name) and one.slice.id == index)
    return {one.id for one in at if isinstance(one, ast.Name)}


def _pair(
    one: str, other: str, rows: Mapping[str, str], parameters: frozenset[str]
) -> Iterator[Pair]:
    """Yields the pair of two names of which one may be that of a row."""
    if {one, other} <= parameters and one != other:
        yield Pair(one, other)
    for head, row in ((one, other), (other, one)):
        if head in parameters and row not in parameters and rows.get(row) in parameters - {head}:
            yield Pair(head, rows[row], rows=True)


def _agree(pair: Pair, given: Mapping[str, str]) -> bool:
    """Whether two arguments have as many items; so do those of which it cannot be told."""
    first, second = _items(given.get(pair.first)), _items(given.get(pair.second))
    if first is None or second is None:
        return True
    if not pair.rows:
        return len(first) == len(second)
    rows = [_items_of(row) for row in second]
    return all(row is None or len(row) == len(first) for row in rows)


def _made_equal(pair: Pair, given: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yields what takes the place of arguments that do not agree: the longer one is cut, then the
    shorter one filled."""
    first, second = _items(given[pair.first]) or [], _items(given[pair.second]) or []
    rows = [_items_of(row) or [] for row in second] if pair.rows else [second]
    least = min(map(len, (first, *rows)))
    most = max(map(len, (first, *rows)))
    for length in dict.fromkeys((least, most)) if least else (most,):
        changed = [_with_length(row, length, NUMBERS) for row in rows]
        second_source = _list(changed) if pair.rows else changed[0]
        yield {pair.first: _with_length(first, length, LETTERS), pair.second: second_source}


def _with_length(items: Sequence[ast.expr], length: int, new: Sequence[str]) -> str:
    """Returns a list of so many items: the first of some, filled up with others of their kind."""
    sources = [ast.unparse(one) for one in items[:length]]
    kinds = {literal_kind(one) for one in items}
    fill = ITEMS.get(next(iter(kinds)), new) if len(kinds) == 1 else new
    more = [one for one in fill if one not in sources]
    return _list([*sources, *more[: length - len(sources)]])


def _list(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"


def _items(source: str | None) -> Sequence[ast.expr] | None:
    node = shared_expression(source) if source else None
    return _items_of(node) if node is not None else None


def _items_of(node: ast.expr) -> Sequence[ast.expr] | None:
    """Returns the items of a list or tuple; None of all else."""
    return node.elts if isinstance(node, ast.List | ast.Tuple) else None
