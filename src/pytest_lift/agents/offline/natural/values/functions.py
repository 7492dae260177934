"""Functions that calls hand on: what a person hands on in each place, and whether it matters."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import islice
from typing import Any

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.known.parameter_kinds import SCALARS
from pytest_lift.agents.offline.natural.kinds import is_function
from pytest_lift.agents.offline.natural.values.sample_functions import ALL_SOURCES
from pytest_lift.calls.call import RECORDER, Call
from pytest_lift.calls.cost import cost_of
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import leaf, parsed_expression, shared_expression

PAIRS: dict[str, tuple[tuple[str, str], ...]] = {
    "predicate": (
        ("lambda value: value > 1", "[1, 2, 3]"),
        ("lambda value: value < 3", "[1, 2, 3]"),
    ),
    "key": (
        ("len", "['b', 'aaa', 'cc']"),
        ("abs", "[-3, 1, 2]"),
        ("lambda value: -value", "[1, 2, 3]"),
    ),
    "joining": (("lambda a, b: a + b", "[1, 2, 3]"),),
    "mapped": (("lambda value: value * 2", "[1, 2, 3]"), ("len", "['b', 'aaa', 'cc']")),
    "reading": (("float", ""), ("str", ""), ("int", "")),
    "kept": (
        ("greet", ""),
        ("double", ""),
        ("shout", ""),
        ("say_hello", ""),
        ("add", ""),
        ("count_up", ""),
        ("fetch", ""),
        ("stream", ""),
    ),
    "asked": (("say_hello", ""),),
    "paired": (("add", ""),),
    "told": ((RECORDER, ""), ("double", "")),
}
"""Role of a function -> functions that a person hands on, each with data on which it matters, if
there are such."""
FITTED = frozenset({"predicate", "key", "joining", "reading"})
"""Roles in which Python's own functions mostly say nothing: a text is always true."""
OWN = frozenset({"kept", "asked", "paired", "told"})
"""Roles of what belongs to the user: a command, a listener, what is decorated. A function of
Python's own is none of these."""
FOR_PYTHONS_OWN = re.compile(
    r"type|factory|conver|cast|coerc|pars|serial|load|dump|(de|en)cod|format|key|make|class|cls|repr"
    r"|hash|transform|get|read|agg|reduc|^op$"
)
"""Names of parameters for which people give classes and functions of Python's own."""
DATA = frozenset({"iterable", "list", "tuple", "dict", "set", "array", "matrix"})
"""Kinds of what a function is mapped over."""
UNTOLD = frozenset({"type", "repr", "sorted", "callable", "object", "id"})
"""Functions of Python's own by which nothing that is mapped is shown."""
TRUTHS = "[0, 1, 2]"
"""Data of which not all are true, for a predicate that is left out."""
PREDICATE = re.compile(r"pred|^cond(ition)?$|^test$|^filter(_?func)?$|^(is|should)_")
KEY = re.compile(r"^key(_?(func|fn|function))?$|(sort|group)_?(key|by)$")
MAPPED = re.compile(r"^f(n|unc|unction)?$|(map|transform)(_?(func|fn))?$|^mapper$|^getter$")
SIFTING = re.compile(
    r"(^|_)(filter(false)?|takewhile|dropwhile|partition|reject|find(_if)?|any|all|count_if)(_|$)"
)
"""Names of functions that ask another one whether a thing is meant."""
READING = re.compile(r"^(parse|convert|cast|coerce)_(int|float|number|num|value)$")
"""Names of parameters for functions, by what these do."""
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "lambda value: value > 1": lambda value: value > 1,
    "lambda value: value < 3": lambda value: value < 3,
    "lambda value: -value": lambda value: -value,
    "lambda value: value * 2": lambda value: value * 2,
    "lambda a, b: a + b": lambda a, b: a + b,
    "str": str, "repr": repr, "len": len, "abs": abs, "bool": bool, "int": int, "list": list,
    "sorted": sorted, "type": type, "tuple": tuple, "set": set, "float": float, "max": max,
    "min": min, "callable": callable,
}  # fmt: skip
"""Functions of which it is worked out whether they matter."""
UNFIT, FOREIGN = 0.6, 1.2
"""Oddness of a function of Python's own where it says nothing, and where the user's is meant."""
MOST_SHOWN = 2
"""Most functions of the documentation's examples that are handed on."""
DEFINING = 0.3
"""Cost of a function that a test defines: it is known from one test to the next."""
READ_OF_FUNCTIONS = frozenset(
    {"__name__", "__qualname__", "__doc__", "__module__", "__code__", "__wrapped__",
     "__annotations__", "__defaults__"}
)  # fmt: skip
READERS = frozenset({"signature", "getfullargspec", "getargspec", "wraps", "update_wrapper"})
"""What the code reads of functions that it names or looks into, and functions that do that: one
without a name or parameters shows nothing there."""
IDLE = 0.9
"""Oddness of a function that keeps or changes nothing of the data beside it."""
KEYS = ("'a'", "'b'", "'c'")
"""Keys of the dict in which data stand where a dict was given."""
MOST_ITEMS = 6
"""Most numbers of a range on which functions are tried."""


@dataclass(frozen=True)
class HandedFunctions:
    """Judges and proposes the functions that are handed to parameters."""

    inputs: Inputs
    _roles: dict[tuple[str, str], str] = field(default_factory=dict)

    def forget(self) -> None:
        """Forgets what it worked out: more is known of the parameters."""
        self._roles.clear()

    def role(self, target: Target, name: str) -> str:
        """Returns what a parameter's function does, a key of `PAIRS`; "" where nothing tells;
        cached."""
        key = (target.key, name)
        if key not in self._roles:
            parameter = next((one for one in target.parameters if one.name == name), None)
            self._roles[key] = self._found_role(target, parameter) if parameter else ""
        return self._roles[key]

    def _found_role(self, target: Target, parameter: Parameter) -> str:
        kinds = {*self.inputs.known_kinds(target, parameter)}
        if not kinds & {"callable", "predicate", "callback"}:
            return ""
        usage = self.inputs.usage(target, parameter)
        if usage.is_awaited:
            return ""
        told = _hinted(parameter.annotation)
        arities = {told[0]} if told and told[0] is not None else {*usage.arities}
        own = not kinds & SCALARS and FOR_PYTHONS_OWN.search(parameter.name) is None
        data = self._has_data(target, parameter)
        if "callback" in kinds:
            return "told" if own and arities <= {1} else ""
        if arities == {2}:
            mapped = MAPPED.search(parameter.name) is not None and data
            return "joining" if mapped else "paired" if own else ""
        if arities and 1 not in arities:
            return "asked" if own and arities == {0} else ""
        if READING.search(parameter.name):
            return "reading"
        truth = told is not None and told[1] in ("bool", "TypeGuard", "TypeIs")
        if truth or PREDICATE.search(parameter.name):
            return "predicate"
        if KEY.search(parameter.name):
            return "key"
        if data and MAPPED.search(parameter.name):
            return "predicate" if SIFTING.search(target.leaf) else "mapped"
        return "kept" if own else ""

    def _has_data(self, target: Target, parameter: Parameter) -> bool:
        """Whether a call gets something that a function may be mapped over, beside the function, or
        makes its object of that."""
        makers = [one for one in (target, target.owner) if one is not None]
        beside = [(one, p) for one in makers for p in one.parameters if p is not parameter]
        needed = [pair for pair in beside if pair[1].default is None]
        return any(
            p.kind == "var-positional"
            or (p.kind != "var-keyword" and not DATA.isdisjoint(self.inputs.known_kinds(one, p)))
            for one, p in needed
        )

    def known(self, target: Target, name: str) -> list[tuple[str, str]]:
        """Returns the functions that a person hands on here, with data for them."""
        defined = self.inputs.definitions.known
        role = self.role(target, name)
        pairs = PAIRS.get(role, ())
        found = [(one, data) for one, data in pairs if one not in ALL_SOURCES or one in defined]
        own = (one for one in defined.values() if not (one.sample or one.is_class))
        shown = (one.name for one in own) if role in OWN else ()
        return [*found, *((name, "") for name in islice(shown, MOST_SHOWN))]

    def is_usual(self, target: Target, name: str, value: str) -> bool:
        """Whether a person hands on a function like this one here."""
        own = (one for one in target.parameters if one.name == name)
        marked = (value in self.inputs.marked(target, one) for one in own)
        return any(marked) or any(value == one for one, _ in self.known(target, name))

    def defining(self, value: str) -> float:
        """Returns what the definition of a function in a test costs less than its source says."""
        known = self.inputs.definitions.known.get(value)
        if known is None or not (value in ALL_SOURCES or value in self.inputs.decorated.set_by):
            return 0.0
        return cost_of(known.source) - DEFINING

    def unfit(self, target: Target, name: str, value: str) -> float:
        """Returns the oddness of a function of Python's own where such say nothing, of a class of
        the program where the user's function is meant, and of one without a name where the code
        looks for that; 0 of others, and of what is documented."""
        role = self.role(target, name)
        key = (target.key, name)
        shown = [*self.inputs.documented.get(key, ())]
        if value not in self.inputs.classes:
            shown += self.inputs.used.get(key, ())
        if not role or value in shown:
            return 0.0
        if role in OWN:
            nameless = value.startswith("lambda") and self._is_looked_into(target, name)
            of_program = value in self.inputs.classes
            return FOREIGN if is_function(value) or of_program or nameless else 0.0
        return UNFIT if is_function(value) and (role in FITTED or value in UNTOLD) else 0.0

    def instead(self, target: Target, name: str, value: str, place: int = 0) -> str | None:
        """Returns a function in the place of one that is unfit, the first or a later one of those
        that a person hands on; None for others."""
        known = self.known(target, name) if self.unfit(target, name, value) == FOREIGN else []
        return known[min(place, len(known) - 1)][0] if known else None

    def _is_looked_into(self, target: Target, name: str) -> bool:
        usage = self.inputs.inference.usage(target.path, target.definition, name)
        handed = {function.rpartition(".")[2] for function in usage.handed}
        return not (READ_OF_FUNCTIONS.isdisjoint(usage.met) and READERS.isdisjoint(handed))

    def idle(self, call: Call) -> int:
        """Returns how many functions keep or change nothing of the data that the same call gets,
        those of its object and of the calls before it included."""
        return sum(map(self._idle, call.chain))

    def _idle(self, call: Call) -> int:
        given = [(name, value, self.role(call.target, name)) for name, value in call.values]
        handed = [(value, role) for _, value, role in given if role]
        if not handed:
            return 0
        others = [*(value for _, value, role in given if not role), *call.extra]
        data = [items for value in others if (items := _items(value)) is not None]
        return sum(
            bool(data) and all(_is_idle(value, role, items) for items in data)
            for value, role in handed
        )

    def variants(self, call: Call) -> Iterator[Call]:
        """Yields the call with functions that a person hands on, first with data on which these
        matter; with such data alone for a predicate that is left out."""
        for name, value in call.values:
            role = self.role(call.target, name)
            if role == "predicate" and value == "None":
                yield from _on(call, name, TRUTHS)
            elif role and parsed_expression(value) is not None and value != "None":
                for function, data in self.known(call.target, name):
                    handed = call.with_value(name, function)
                    yield from _on(handed, name, data)
                    yield from [handed] if value != function else ()


def _on(call: Call, name: str, data: str) -> Iterator[Call]:
    """Yields the call with other data in the place of those that it gets, if it gets any."""
    if not data:
        return
    values = tuple(
        (own, value if own == name else _in_place(value, data)) for own, value in call.values
    )
    changed = call.but(values=values, extra=tuple(_in_place(one, data) for one in call.extra))
    if changed != call:
        yield changed


def _in_place(value: str, data: str) -> str:
    """Returns data for what an argument is: a dict with them for a dict, nothing else for what is
    no data."""
    if _items(value) is None:
        return value
    node = shared_expression(data)
    if value.startswith("{") and isinstance(shared_expression(value), ast.Dict):
        parts = map(ast.unparse, node.elts) if isinstance(node, ast.List) else ()
        pairs = zip(KEYS, parts, strict=False)
        return f"{{{', '.join(f'{key}: {part}' for key, part in pairs)}}}"
    return data


@lru_cache(maxsize=4096)
def _hinted(annotation: str | None) -> tuple[int | None, str] | None:
    """Returns how many arguments a hinted function takes, and what it returns; None for no hint of
    a function."""
    tree = shared_expression(annotation.strip("'\"")) if annotation else None
    for node in ast.walk(tree) if tree is not None else ():
        match node:
            case ast.Subscript(value=called, slice=ast.Tuple(elts=[ast.List(elts=given), result])):
                if leaf(called) == "Callable":
                    return len(given), ast.unparse(result).partition("[")[0].rpartition(".")[2]
    return None


@lru_cache(maxsize=16384)
def _items(value: str) -> tuple[Any, ...] | None:
    """Returns the items of a literal, a range or an iterator of one; of a dict its values; None of
    what has none."""
    node = shared_expression(value)
    match node:
        case ast.Call(func=ast.Name(id="iter"), args=[inner]):
            return _items(ast.unparse(inner))
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(end))]):
            return tuple(range(min(end, MOST_ITEMS)))
    try:
        found = ast.literal_eval(node) if node is not None else None
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    if isinstance(found, dict):
        return tuple(found.values())
    return tuple(found) if isinstance(found, list | tuple | set | str) else None


def _is_idle(value: str, role: str, items: Sequence[Any]) -> bool:
    """Whether a function makes no difference to items; False where that is not known."""
    function = _function(value)
    if function is None:
        return False
    try:
        return _makes_no_difference(function, role, items)
    except Exception:  # a function that fails on them shows something
        return False


def _makes_no_difference(function: Callable[..., Any], role: str, items: Sequence[Any]) -> bool:
    if role == "predicate":
        return len({bool(function(item)) for item in items}) < 2
    if role == "joining":
        return not items or reduce(function, items) in (items[0], items[-1])
    made = [function(item) for item in items]
    if role == "key":
        apart = len(set(made)) == len(set(items))
        return apart and sorted(items, key=function) == sorted(items)
    return made == list(items)


@lru_cache(maxsize=1024)
def _function(value: str) -> Callable[..., Any] | None:
    """Returns a known function, or one that gives a constant or an argument back."""
    if value in FUNCTIONS:
        return FUNCTIONS[value]
    match shared_expression(value):
        case ast.Lambda(body=ast.Constant(value=constant)):
            return lambda *_: constant
        case ast.Lambda(args=given, body=ast.Name(id=name)):
            names = [one.arg for one in given.args]
            if name in names:
                at = names.index(name)
                return lambda *values: values[at]
    return None
