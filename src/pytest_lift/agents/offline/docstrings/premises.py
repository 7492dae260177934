"""Says what the classes and functions that a test defines are made of."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.agents.offline.writing.told import Wording
from pytest_lift.agents.offline.writing.values import listed
from pytest_lift.source.syntax import FunctionNode, bare_leaf, chain

LONGEST_PREMISE = 180
MOST_FIELDS = 3
"""Most annotated fields of a class that are told where the class itself is looked at."""
LENGTHS = (150, 60, 40)
"""Most characters of an argument that is written out."""
PLAIN_BASE = re.compile(r"object$|Protocol$|ABC$|TypedDict$|NamedTuple$|.*(Enum|Error|Exception)$")
"""Classes that tell nothing of those that inherit from them but what their names say."""


@dataclass(frozen=True)
class Premise:
    """What a class or function of a test is made of."""

    place: str
    """``in class C``, ``on class C``, ``class C(Base)``."""
    made: str = ""
    """``x``, ``@define(order=True)``, ``x: int and y: int``; "" for a class that only inherits."""
    value: str = ""
    """What the field `made` is given: ``field(init=False)``."""

    def words(self, calls: Wording, longest: int) -> str:
        """Returns the premise, without arguments that are longer."""
        if not self.value:
            return f"{self.made} {self.place}".strip()
        plain = ast.unparse(_Plain().visit(ast.parse(self.value, mode="eval")))
        return f"{self.made} = {calls.call(plain, longest) or plain} {self.place}"


class _Plain(ast.NodeTransformer):
    """Takes the modules away before functions that are called: ``lt(3)`` of ``checks.lt(3)``."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        names = chain(node.func)
        if len(names) > 1 and names[0].islower():
            node.func = ast.Name(names[-1])
        return node


def with_premises(
    sentence: str, checks: Sequence[StepCheck], function: str, words: Wording
) -> Iterator[str]:
    """Yields ``With x = field(init=False) in class C, C() raises TypeError`` for a sentence of a
    test that defines such a class; nothing where there is no such thing to tell."""
    found = premises(checks, function)
    told_so = [listed([one.words(words, longest) for one in found]) for longest in LENGTHS]
    for told in dict.fromkeys(told_so) if found else ():
        if len(told) > LONGEST_PREMISE or not told.isprintable():
            continue
        begin, _, rest = sentence.partition(" ")
        if begin == "With":
            yield f"With {told}, {rest}"
        else:
            begins = begin in ("After", "For")
            yield f"With {told}, {f'{begin.lower()} {rest}' if begins else sentence}"


def premises(checks: Iterable[StepCheck], function: str) -> Sequence[Premise]:
    """Returns what is made by a call of `function` in the definitions of a test, and the classes
    that inherit there; nothing where two definitions have one name."""
    return _premises(tuple(check.expression for check in checks), function)


@lru_cache(maxsize=512)
def _premises(lines: Sequence[str], function: str) -> Sequence[Premise]:
    nodes = [ast.parse(line).body[0] for line in lines]
    passed = {one for node in nodes for one in _passed(node, function)}
    defined = [node for node in nodes if isinstance(node, FunctionNode | ast.ClassDef)]
    sources = {ast.unparse(node): node for node in defined}
    if len({node.name for node in defined}) < len(sources):
        return []
    return [part for node in sources.values() for part in _parts(node, function, passed)]


def _passed(node: ast.stmt, function: str) -> Iterator[str]:
    """Yields the names that a statement passes to calls of the function."""
    for one in ast.walk(node):
        if isinstance(one, ast.Call) and function and bare_leaf(one) == function:
            given = [*one.args, *(keyword.value for keyword in one.keywords)]
            yield from (value.id for value in given if isinstance(value, ast.Name))


def _parts(
    node: FunctionNode | ast.ClassDef, function: str, passed: AbstractSet[str]
) -> Iterator[Premise]:
    name = f"class {node.name}" if isinstance(node, ast.ClassDef) else f"{node.name}()"
    for mark in node.decorator_list:
        if _is_made(mark, function):
            yield Premise(f"on {name}", f"@{ast.unparse(mark)}")
    if not isinstance(node, ast.ClassDef):
        return
    plain = [one for one in node.body if isinstance(one, ast.AnnAssign)]
    if node.name in passed and len(plain) == len(node.body) <= MOST_FIELDS:
        yield Premise(f"in {name}", listed([*map(_field, plain)]))
        return
    fields: set[str] = set()
    for part in node.body:
        if isinstance(part, ast.Assign | ast.AnnAssign) and part.value is not None:
            target = ast.unparse(part.targets[0] if isinstance(part, ast.Assign) else part.target)
            fields |= {target} if bare_leaf(part.value) == function else set()
            if _is_made(part.value, function):
                yield Premise(f"in {name}", target, ast.unparse(part.value))
        elif isinstance(part, FunctionNode):
            for mark in part.decorator_list:
                if chain(mark)[:1] and chain(mark)[0] in fields:
                    yield Premise(f"in {name}", f"@{ast.unparse(mark)} on {part.name}()")
    bases = [source for one in node.bases if not PLAIN_BASE.match(source := ast.unparse(one))]
    if bases:
        own = [one.name for one in node.body if isinstance(one, FunctionNode)]
        defining = f" defining {listed(own)}" if own else ""
        yield Premise(f"{name}({', '.join(bases)}){defining}")


def _field(node: ast.AnnAssign) -> str:
    """Returns ``x: int`` of a field, with its default where that is a constant."""
    told = f"{ast.unparse(node.target)}: {ast.unparse(node.annotation)}"
    plain = isinstance(node.value, ast.Constant)
    return f"{told} = {ast.unparse(node.value)}" if plain and node.value else told


def _is_made(value: ast.expr | None, function: str) -> bool:
    """Whether a call with arguments of the function makes a value."""
    call = isinstance(value, ast.Call) and bool(value.args or value.keywords)
    return value is not None and call and bool(function) and bare_leaf(value) == function
