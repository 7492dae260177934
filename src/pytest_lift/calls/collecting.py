"""Moves what a call writes to, or changes in place, into variables, so that a test can read it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import lru_cache

from pytest_lift.calls.blocks import ANSWER, ENTERED
from pytest_lift.calls.call import RECORDED, RESULT, SLEPT, Call
from pytest_lift.calls.case import Case, Outcome, Step
from pytest_lift.calls.child.isolation.connections import CONNECTION, SENT
from pytest_lift.calls.names import BUILTINS
from pytest_lift.source.bindings import all_bound_names

STREAM = re.compile(r"(io\.)?(StringIO|BytesIO)\(\)")
"""Empty stream in memory."""
BINDING = re.compile(r"\blambda\b|\bfor\b|:=")
"""What an expression that binds names has in it."""


def collected(
    call: Call, readers: Mapping[str, str], defined: Iterable[str] = ()
) -> tuple[list[tuple[str, str, str]], Call]:
    """Returns (variable, the object that collects, how it is read) of what a call, the calls before
    it and those that make its object are given, and the call with the variables in their place;
    none has a name that means something else there, such as those that tests have `defined`."""
    chain, found = call.chain, list[tuple[str, str, str]]()
    if not any(_reading(value, readers) for part in chain for _, value in part.values):
        return found, call
    return found, _with_variables(call, readers, found, _taken(call, defined))


def altered(
    call: Call, parameters: AbstractSet[str], defined: Iterable[str] = ()
) -> tuple[list[tuple[str, str, str]], Call]:
    """Returns (variable, container, the container as it begins) of what a call is given for some
    parameters, and the call with the variables in their place."""
    found = list[tuple[str, str, str]]()
    taken = _taken(call, defined).union(*map(_bound_in, texts_of(call)))
    for name, value in call.values:
        if name in parameters and (begins := container(value)):
            variable = _variable(name, "items", taken)
            found.append((variable, value, begins))
            call = call.with_value(name, variable)
    return found, call


def container(value: str) -> str:
    """Returns a list, dict or set of literals as it is shown; "" for another argument."""
    if value[:1] not in "[{":
        return ""
    try:
        found = ast.literal_eval(value)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return ""
    return repr(found)


def unaltered_inline(
    case: Case, outcomes: Sequence[Outcome]
) -> tuple[tuple[Step, ...], tuple[tuple[int, Outcome], ...]]:
    """Returns the steps of a case and its outcomes with their numbers, with what was not changed in
    its place again, and no look at it."""
    pairs = [*zip((step for step in case.steps if step.check), outcomes, strict=False)]
    same = {
        step.source
        for step, outcome in pairs
        if step.began and outcome.source in ("None", step.began)
    }
    kept = [step for step in case.steps if not (step.began and step.source in same)]
    told = tuple(
        (number, outcome)
        for number, (step, outcome) in enumerate(pairs)
        if not (step.began and step.source in same)
    )
    for name in same:
        begin = f"{name} = "
        value = next((one.source for one in kept if one.source.startswith(begin)), "")
        if not value:  # the line that made it is gone already
            continue
        node = ast.parse(value.removeprefix(begin), mode="eval").body
        definitions = kept[: case.defines]  # in which the name is one of their own
        kept = [
            replace(one, source=_with_value(one.source, name, node))
            for one in kept[case.defines :]
            if one.source != value
        ]
        kept = [*definitions, *kept]
    return tuple(kept), told


def _with_value(source: str, name: str, value: ast.expr) -> str:
    """Returns source with a value in the place of a variable."""
    if name not in source:
        return source
    tree = ast.parse(source)
    if name in all_bound_names(tree):  # what is defined there has a name of its own
        return source
    return ast.unparse(_Inlining(name, value).visit(tree))


class _Inlining(ast.NodeTransformer):
    """Puts a value in the place of a variable."""

    def __init__(self, name: str, value: ast.expr) -> None:
        self.name = name
        self.value = value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.value if node.id == self.name else node


def _taken(call: Call, defined: Iterable[str]) -> set[str]:
    variables = {name for part in call.chain for name in (part.name, part.bound, part.target.call)}
    taken = {RESULT, RECORDED, SLEPT, SENT, CONNECTION, ANSWER, ENTERED, *defined}
    return variables | call.names | BUILTINS | taken


def texts_of(call: Call) -> list[str]:
    """Returns the arguments of a call, of those before it and of those that make its object."""
    return [text for part in call.chain for text in part.sources]


@lru_cache(maxsize=4096)
def _bound_in(text: str) -> frozenset[str]:
    """Returns the names that an argument binds: parameters of a ``lambda``, items of a
    comprehension."""
    if not BINDING.search(text):
        return frozenset()
    try:
        return frozenset(all_bound_names(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError):
        return frozenset()


def _variable(name: str, other: str, taken: set[str]) -> str:
    """Returns a name for a variable that nothing has, and takes it."""
    variable = name if len(name) > 1 and name not in taken else other
    while variable in taken:
        variable = f"other_{variable}"
    taken.add(variable)
    return variable


def _with_variables(
    call: Call, readers: Mapping[str, str], found: list[tuple[str, str, str]], taken: set[str]
) -> Call:
    if call.receiver is not None:
        call = call.but(receiver=_with_variables(call.receiver, readers, found, taken))
    if call.before:
        before = [_with_variables(line, readers, found, taken) for line in call.before]
        call = call.but(before=tuple(before))
    for name, value in call.values:
        if reading := _reading(value, readers):
            variable = _variable(name, "stream", taken)
            found.append((variable, value, reading.format(variable)))
            call = call.with_value(name, variable)
    return call


def _reading(value: str, readers: Mapping[str, str]) -> str:
    """Returns how an argument is read of what was written to it, with ``{}`` for it; "" for what
    collects nothing."""
    if not value.endswith("()"):
        return ""
    if value.endswith("IO()") and STREAM.fullmatch(value):
        return "{}.getvalue()"
    reader = readers.get(value.removesuffix("()"))
    return f"{{}}.{reader}()" if reader else ""
