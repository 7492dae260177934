"""Fitness of arguments: does one fit its parameter, as far as that is known?"""

from __future__ import annotations

import ast
import builtins
import collections
import collections.abc
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, field

from pytest_lift.agents.offline.arguments.call_sites import bound_arguments
from pytest_lift.agents.offline.arguments.fitting_inputs import CLASS_NAME
from pytest_lift.agents.offline.arguments.hints.fitting import BUILT, DOUBLE
from pytest_lift.agents.offline.arguments.hints.forms import literal_kind
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.known.parameter_kinds import (
    ANY_TYPE,
    CONTAINERS,
    SCALARS,
    STORED,
)
from pytest_lift.agents.offline.arguments.places import HINTED
from pytest_lift.agents.offline.natural.fitting.likeness import FUNCTIONS, Likeness
from pytest_lift.agents.offline.natural.fitting.unpacked import UnpackedParameters
from pytest_lift.agents.offline.natural.kinds import HINTS, KINDS, accepted, is_function, is_scalar
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.special_methods import ATTRIBUTES, is_attribute
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import leaf, shared_expression

AGAINST = 3.0
"""Oddness of an argument that its annotation does not allow, or that has nothing of what the code
reads of it: more than a long object costs."""
PLAIN_KINDS = frozenset({"bool", "int", "float", "str", "bytes"})
FEWEST_BESIDE, MOST_OTHERS = 3, 0.7
"""Documented containers, and the share of them, from which a parameter of the same name in another
function of the file takes no plain value."""
REST = "var-positional"
"""Kind of the parameter that has the rest of the arguments."""
NAN = "float('nan')"
OPEN = frozenset({"any", "Any", "object", "hashable"})
"""Kinds and hints of parameters for any value."""
ANY_OBJECT = 1.2
"""Oddness of an object of the program where any value may stand."""
ANOTHER_CLASS = 0.6
"""Oddness of an object of another class than the one that a parameter is named after."""
ANY_FUNCTION = 0.6
"""Oddness of a function of Python's own where something else may stand."""
UNMARKED = 0.4
"""Oddness of a function without a mark that the program looks for."""
UNTOLD = 0.4
"""Oddness of bytes, a set, or an object of Python's own where nothing is known of a parameter."""
BUILT_ALL = frozenset({*BUILT, DOUBLE, "deque", "Counter", "OrderedDict", "defaultdict"})
"""What makes objects of Python's own."""
_ITEMS = frozenset({"__iter__", "__getitem__", "__len__", "__contains__"})
_CALLS = frozenset({"__call__"})
PLAIN: dict[str, frozenset[str]] = {
    **dict.fromkeys(("list", "tuple", "set", "dict", "iterable"), _ITEMS),
    **dict.fromkeys(("callable", "callback", "predicate", "clock"), _CALLS),
    **dict.fromkeys(("bool", "int", "float", "complex", "str", "bytes", "encoding"), frozenset()),
}
"""Kind of values of Python's own -> methods by which other objects can stand for them."""
EQUALITY = frozenset({"__eq__", "__ne__"})
"""Operators that take any value."""
TAKES_DEFINED = re.compile(r"\b(type|Callable)\b")
"""Inferred annotations of what may be a class or function of the test."""
CALLED = re.compile(r"[\w.]+(?=\s*\()")
"""Names of what is called in an expression."""
BUILT_IN: dict[str, type] = {
    kind.__name__: kind for kind in (bool, int, float, complex, str, bytes, list, tuple, set, dict)
}


@dataclass
class Fitness:
    """Judges single arguments by what is known of their parameters."""

    inputs: Inputs
    makers: dict[str, Target]
    """Name of a class or function -> target, for calls inside of arguments."""
    _fitting: dict[tuple[str, str, str], bool | None] = field(default_factory=dict)
    """(target, parameter, argument) -> whether it fits; None where that is asked of its calls."""
    _inside: dict[str, list[tuple[Target, str, str]]] = field(default_factory=dict)
    _misfits: dict[str, float] = field(default_factory=dict)
    """Argument -> misfit of what is given to the calls inside of it."""
    _beside: dict[tuple[str, str], bool] = field(default_factory=dict)
    """(target, parameter) -> whether others of that name take containers."""

    def __post_init__(self) -> None:
        self.likeness = Likeness(self.inputs, self.makers)
        self.unpacked = UnpackedParameters(self.inputs.inference)

    def forget(self) -> None:
        """Forgets its judgements: more is known of the parameters."""
        self.likeness.forget()
        self._fitting.clear()
        self._inside.clear()
        self._misfits.clear()
        self._beside.clear()

    def given(self, key: str, name: str) -> list[str]:
        """Returns the arguments that the documentation or the code of the program has, those that
        the program was seen to pass, and texts of the format that the parameter reads."""
        given = self.inputs.documented, self.inputs.used, self.inputs.passed, self.inputs.read
        return [value for pool in given for value in pool.get((key, name), ())]

    def fits(self, target: Target, name: str, value: str) -> bool:
        """Whether nothing speaks for sure against an argument; cached, but for what is seen of its
        calls while the search goes on."""
        key = (target.key, name, value)
        if key not in self._fitting:
            self._fitting[key] = self._may_be(target, name, value)
        fits = self._fitting[key]
        return self._is_hinted(target, name, value) if fits is None else fits

    def _may_be(self, target: Target, name: str, value: str) -> bool | None:
        if self.is_given(target, name, value):
            return True
        if target.leaf in ATTRIBUTES and [name] == [p.name for p in target.parameters[:1]]:
            return is_attribute(value)
        if NAN in value and (value != NAN or target.kind != "function"):
            return False  # its hash is its address: what holds it differs between runs
        parameter = named_parameter(target, name)
        if parameter is not None and not (
            self._is_used_so(target, parameter, value)
            and not self._is_defined_for_plain(target, parameter, value)
        ):
            return False
        return None if "(" in value else self._is_hinted(target, name, value)

    def _is_hinted(self, target: Target, name: str, value: str) -> bool:
        """Whether an argument fits the hint of its parameter, and so do the arguments of all calls
        inside of it."""
        if value not in self._inside:
            self._inside[value] = list(self.given_inside(value))
        parameter = named_parameter(target, name)
        return all(self.fits(*one) for one in self._inside[value]) and (
            parameter is None or self.inputs.annotations.fits(parameter.annotation, value)
        )

    def given_inside(self, value: str) -> Iterator[tuple[Target, str, str]]:
        """Yields (target, parameter, argument) of each call of the program inside an argument, but
        for those inside of another one: they are in its arguments."""
        made = "(" in value and not self.makers.keys().isdisjoint(CALLED.findall(value))
        node = shared_expression(value) if made else None
        waiting: list[ast.AST] = [node] if node is not None else []
        while waiting:
            part = waiting.pop()
            maker = self.makers.get(ast.unparse(part.func)) if isinstance(part, ast.Call) else None
            if maker is None or not isinstance(part, ast.Call):
                waiting += ast.iter_child_nodes(part)
                continue
            for name, given in bound_arguments(maker, part):
                yield maker, name, ast.unparse(given)

    def _is_used_so(self, target: Target, parameter: Parameter, value: str) -> bool:
        """Whether a literal has anything of what the code reads of the parameter."""
        if parameter.kind == REST:  # what is known is of all of them
            return True
        if parameter.annotation or value == parameter.default or target.leaf in EQUALITY:
            return True
        if self._is_like_shown(target, parameter.name, value):
            return True
        if not self.likeness.is_of_told_class(target, parameter, value):
            return False
        if self.inputs.is_seen(target, parameter) and not self.likeness.allows(
            target, parameter, value
        ):
            return False
        usage = self.inputs.usage(target, parameter)
        node = shared_expression(value) if usage.met else None
        kind = BUILT_IN.get(literal_kind(node)) if node is not None else None
        if kind is None:
            return True
        seen = {*usage.seen, *accepted(usage.seen)}
        seen |= accepted(self.inputs.documents.kinds(target, parameter))
        return kind.__name__ in seen or any(hasattr(kind, name) for name in usage.met)

    def _is_defined_for_plain(self, target: Target, parameter: Parameter, value: str) -> bool:
        """Whether a function or class, of the program or of a test, is given for a flag, a number
        or a text."""
        if value not in self.makers and value not in self.inputs.definitions.known:
            return False
        kinds = self.inputs.known_kinds(target, parameter)
        return bool(kinds) and SCALARS.issuperset(kinds)

    def is_guess(self, target: Target, name: str, value: str) -> bool:
        parameter = named_parameter(target, name)
        if parameter is None or self.is_given(target, name, value):
            return False
        if parameter.kind == REST:
            return self._is_open(parameter)
        if parameter.annotation and not self._is_hinted_vaguely(target, parameter):
            return False
        if self.inputs.inferred(target, parameter):
            return not self._is_of_inferred(target, parameter, value)
        kinds = self.inputs.known_kinds(target, parameter)
        if not KINDS.keys().isdisjoint(kinds) or self.inputs.foreign(target, parameter)[0]:
            return self.misfit(target, name, value) > 0
        classes = {*kinds, *(name for name, _ in self.inputs.fitting(target, parameter))}
        return classes.isdisjoint(re.findall(r"\w+", value))

    def _is_hinted_vaguely(self, target: Target, parameter: Parameter) -> bool:
        """Whether the hint of a parameter allows anything, of which nothing tells what it is."""
        return self.inputs.is_unseen(target, parameter) and not STORED.search(parameter.name)

    def is_given(self, target: Target, name: str, value: str) -> bool:
        """Whether the documentation or the code of the program gives the argument."""
        return value in self.given(target.key, name)

    def misfit(self, target: Target, name: str, value: str) -> float:
        """Returns how little an argument fits its parameter, whatever is inside of it."""
        if not self.fits(target, name, value):
            return AGAINST
        parameter = named_parameter(target, name)
        if parameter is None or self.is_given(target, name, value):
            return 0.0
        if not self._is_of_inferred(target, parameter, value):
            return 1.0
        node = shared_expression(value)
        if marked := self.inputs.marked(target, parameter):
            made = value in self.inputs.definitions.known
            return 0.0 if value in marked else UNMARKED if made else 1.0
        if parameter.kind == REST:
            return UNTOLD if self._is_open(parameter) and is_unusual(node) else 0.0
        kind = literal_kind(node) if node is not None else ""
        if kind == "str" and name in self.unpacked.of(target):
            return 1.0
        if kind in PLAIN_KINDS and self._takes_containers_beside(target, parameter):
            return 0.0 if self._is_shown(target, name, kind) else 1.0
        kinds = self.inputs.known_kinds(target, parameter)
        foreign, sure = self.inputs.foreign(target, parameter)
        if any(one.makes(value) for one in foreign):
            return 0.0
        if foreign and (sure or not kinds):
            return 1.0
        if kind and kind != "NoneType" and kinds and "any" not in kinds:
            return 0.0 if kind in accepted(kinds) or self._is_shown(target, name, kind) else 1.0
        if isinstance(node, ast.Name) and is_function(value):
            if self._takes_class(parameter):
                return 0.0 if isinstance(getattr(builtins, value, None), type) else 1.0
            takes = kinds and (FUNCTIONS | {"type"}).issuperset({*kinds})
            return 0.0 if takes else ANY_FUNCTION
        if isinstance(node, ast.Name | ast.Lambda) and self._may_be_scalar(target, parameter):
            known = isinstance(node, ast.Lambda) or node.id in self.inputs.definitions.known
            return ANY_FUNCTION if known else 0.0
        if value.startswith("Path(") and HINTED.search(parameter.annotation or ""):
            return 0.0
        if kinds and SCALARS.issuperset(kinds):
            return 0.0 if is_scalar(value, kinds) else 1.0
        if name := self._class_of(node):
            return self._against_class(target, parameter, name)
        return UNTOLD if self._is_untold(target, parameter, node) else 0.0

    def _takes_containers_beside(self, target: Target, parameter: Parameter) -> bool:
        """Whether the documentation gives containers, and little else, to other functions of the
        file under the name of a parameter without a hint: numbers as ``data``; cached."""
        key = (target.key, parameter.name)
        if key not in self._beside:
            shown = () if parameter.annotation else self.inputs.shown_beside(target, parameter)
            nodes = map(shared_expression, shown)
            kinds = [literal_kind(node) for node in nodes if node is not None]
            held = sum(kind in CONTAINERS for kind in kinds)
            self._beside[key] = held >= FEWEST_BESIDE and held > MOST_OTHERS * len(kinds)
        return self._beside[key]

    def _is_like_shown(self, target: Target, name: str, value: str) -> bool:
        """Whether an argument is a literal of a kind that `_is_shown`."""
        if not self._shown(target, name):  # most have none, and to parse each argument is dear
            return False
        literal = shared_expression(value)
        return literal is not None and self._is_shown(target, name, literal_kind(literal))

    def _is_shown(self, target: Target, name: str, kind: str) -> bool:
        """Whether the documentation, or the program's code, gives a literal of that kind, whatever
        the uses of a parameter tell: it may be put into an object first."""
        nodes = map(shared_expression, self._shown(target, name) if kind else ())
        return any(literal_kind(node) == kind for node in nodes if node is not None)

    def _shown(self, target: Target, name: str) -> tuple[str, ...]:
        """Returns the arguments that the documentation and the program's code give."""
        key = (target.key, name)
        return (*self.inputs.documented.get(key, ()), *self.inputs.used.get(key, ()))

    def _may_be_scalar(self, target: Target, parameter: Parameter) -> bool:
        """Whether a hint allows a number or a text beside functions: that is typed first."""
        named = self.inputs.annotations.names(parameter.annotation)
        told = (HINTS.get(name, name) for name in named)
        return any(kind in SCALARS for kind in told)

    def _takes_class(self, parameter: Parameter) -> bool:
        """Whether the name of a parameter, or its hint, tells that it is for a class."""
        named = CLASS_NAME.search(parameter.name) is not None
        return named or self.inputs.samples.takes_type(parameter)

    def _is_of_inferred(self, target: Target, parameter: Parameter, value: str) -> bool:
        """Whether an argument is of the types that the program itself passes to a parameter, or of
        a kind that the code asks for."""
        hint = self.inputs.inferred(target, parameter)
        if not hint or value == parameter.default:
            return True
        if value in self.inputs.definitions.known and not TAKES_DEFINED.search(hint):
            return False
        if self.inputs.annotations.fits(hint, value):
            return True
        node = shared_expression(value)
        kind = literal_kind(node) if node is not None else ""
        usage = self.inputs.usage(target, parameter)
        if kind == "str" and kind not in usage.seen:
            return False  # what is iterated is none of a text's letters
        if hint == "str" and kind in CONTAINERS and not usage.met and not usage.asks_type:
            return False  # the length and the items of a text are read, too
        return bool(kind) and kind in accepted(usage.seen)

    def misfit_inside(self, value: str) -> float:
        """Returns how little the arguments of the calls inside of an argument fit; cached."""
        if value not in self._misfits:
            self._misfits[value] = 0.0  # an object may be made of one that reads the same
            given = self.given_inside(value)
            self._misfits[value] = sum(
                self.misfit(*one) + self.misfit_inside(one[2]) for one in given
            )
        return self._misfits[value]

    def _class_of(self, node: ast.expr | None) -> str:
        """Returns the class of the program, or of a test, of which an argument is an object, a
        member of an enumeration included; "" of all else."""
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            maker = self.makers.get(name)
            made = maker is not None and maker.kind == "constructor"
            return name if made or name in self.inputs.definitions.known else ""
        owner = node.value if isinstance(node, ast.Attribute) else None
        member = isinstance(owner, ast.Name) and owner.id in self.inputs.classes
        return owner.id if member and isinstance(owner, ast.Name) else ""

    def _against_class(self, target: Target, parameter: Parameter, name: str) -> float:
        """Returns what an object of a class costs where values of Python's own are known to be
        taken, or where nothing speaks for it: any value may stand there."""
        kinds = {*self.inputs.known_kinds(target, parameter)}
        named = {*self.inputs.annotations.names(parameter.annotation)}
        told = self.inputs.classes.intersection(self.inputs.documents.kinds(target, parameter))
        if told:
            likes = {name, *self.inputs.annotations.declared.bases(name)}
            return 0.0 if not told.isdisjoint(likes) else 1.0
        if self.inputs.takes(target, parameter, self.inputs.classes):
            return ANOTHER_CLASS if self._is_named_after_another(parameter, name) else 0.0
        if not kinds or not OPEN.isdisjoint(kinds | named):
            return ANY_OBJECT
        plain = kinds <= PLAIN.keys() and not self._is_like(name, kinds)
        return 1.0 if plain and not parameter.annotation else 0.0

    def _is_named_after_another(self, parameter: Parameter, name: str) -> bool:
        """Whether a parameter without a hint has the name of another class than this one, and of
        none that it is derived from: a dealer for ``player``."""
        named = {one for one, many in self.inputs.matcher.named(parameter.name) if not many}
        likes = {name, *self.inputs.annotations.declared.bases(name)}
        return bool(named) and not parameter.annotation and named.isdisjoint(likes)

    def _is_like(self, name: str, kinds: Set[str]) -> bool:
        """Whether the objects of a class can stand for values of Python's own: it is derived from
        one of their classes, or has what such a value is used by."""
        has = self.inputs.matcher.attributes.get(name, frozenset())
        if any(not has.isdisjoint(PLAIN[kind]) for kind in kinds):
            return True
        own = {*vars(builtins), *vars(collections.abc), *vars(collections)} - {"object"}
        return not own.isdisjoint(self.inputs.annotations.declared.bases(name))

    def _is_untold(self, target: Target, parameter: Parameter, node: ast.expr | None) -> bool:
        """Whether nothing is known of a parameter, or any value may stand there, and an argument is
        none of the plain ones: bytes, a set, a number that is none, an object of a library."""
        kinds = self.inputs.known_kinds(target, parameter)
        named = self.inputs.annotations.names(parameter.annotation)
        if (kinds or named) and OPEN.isdisjoint({*kinds, *named}):
            return False
        if self.inputs.fitting(target, parameter) or self.inputs.usage(target, parameter).met:
            return False
        return is_unusual(node)

    def _is_open(self, parameter: Parameter) -> bool:
        """Whether the hint of a parameter says nothing."""
        return {*self.inputs.annotations.names(parameter.annotation)} <= ANY_TYPE


def is_unusual(node: ast.expr | None) -> bool:
    """Whether nobody types an argument where nothing is known: bytes, a set, a number that is none,
    a function or an object of Python's own."""
    match node:
        case ast.Constant(value=value):
            return isinstance(value, bytes | complex)
        case ast.Call(func=function):
            return leaf(function) in BUILT_ALL
        case ast.Name(id=name):
            return is_function(name)
        case ast.BinOp(left=left, right=right):
            return is_unusual(left) or is_unusual(right)
    return isinstance(node, ast.Set | ast.Lambda)


def named_parameter(target: Target, name: str) -> Parameter | None:
    return next((one for one in target.parameters if one.name == name), None)
