"""Tells whether an expression may be of the type that a hint names."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from pytest_lift.agents.offline.arguments.classes import ClassMatcher
from pytest_lift.agents.offline.arguments.hints.declared import Declarations
from pytest_lift.agents.offline.arguments.hints.forms import (
    CALLABLES,
    DICTS,
    LISTS,
    SETS,
    TYPES,
    UNIONS,
    WRAPPERS,
    filled_in,
    is_literal,
    literal_kind,
    outer_names,
    type_name,
)
from pytest_lift.agents.offline.arguments.hints.written_types import WrittenTypes
from pytest_lift.agents.offline.arguments.libraries import Libraries
from pytest_lift.agents.offline.natural.kinds import HINTS, is_function
from pytest_lift.calls.survey import LibraryClass
from pytest_lift.source.bindings import EXCEPTIONS
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import chain, shared_expression

DEEPEST = 4
PYTHON_CLASSES: dict[str, type] = {
    one.__name__: one for one in (*vars(builtins).values(), type(None)) if isinstance(one, type)
}
LITERALS = {
    "bool": {"bool"}, "int": {"int"}, "float": {"int", "float"}, "str": {"str"},
    "bytes": {"bytes"}, "list": {"list"}, "tuple": {"tuple"}, "set": {"set"}, "dict": {"dict"},
    "iterable": {"list", "tuple", "set", "dict", "str"}, "complex": {"int", "float", "complex"},
    "callable": set(),
}  # fmt: skip
"""Kind -> names of the types of literals that are of it."""
SCALARS = frozenset({"bool", "int", "float", "str", "bytes"})
"""Kinds of values that an object of another class seldom stands for."""
DERIVED = {"datetime": "date"}
"""Class of a library -> another one from which it is derived."""
COMPUTED = (ast.Lambda, ast.BinOp, ast.Compare, ast.JoinedStr)
"""Expressions of plain values."""
DOUBLE = "SimpleNamespace"
BUILT = frozenset({"Decimal", "Fraction", "Path", "StringIO", "BytesIO", "iter", "range", "object",
                   "str", "len", "repr", "list", "int", "sorted", "dict", "max", "print",
                   "float"})  # fmt: skip
"""What makes objects that are of no class of the program."""
OF_ONE = frozenset({"len", "abs", "repr", "bool", "callable", "id", "chr", "ord", "hash", "float",
                    "list", "tuple", "set"})  # fmt: skip
"""Functions of Python's own that take one argument."""


class Judgement(NamedTuple):
    """Whether a value fits an annotation."""

    fits: bool
    seen: dict[str, int]
    """Expression -> number of classes that were seen of it when that was judged."""


class FittingValues:
    """Judges expressions by hints, the classes of a program, and what was seen of expressions."""

    def __init__(
        self,
        program: Program,
        matcher: ClassMatcher,
        classes_of: Callable[[str], AbstractSet[str]] = lambda _: frozenset(),
        declared: Declarations | None = None,
    ) -> None:
        """`classes_of` tells the names of the classes of which an expression was seen to make
        objects: more and more while the search goes on."""
        self.classes_of = classes_of
        self.matcher = matcher
        self.declared = declared or Declarations(program)
        self.libraries = Libraries(program)
        self.written_types = WrittenTypes(program)
        self._fitting: dict[tuple[str, str], Judgement] = {}
        self._seen: dict[str, int] = {}
        """What an answer rests on that is not complete yet, as `Judgement.seen`."""

    @property
    def library_classes(self) -> Mapping[str, LibraryClass]:
        """Classes of libraries that hints name."""
        return self.libraries.surveyed

    def names(self, annotation: str | None, depth: int = 0) -> list[str]:
        """Returns names of types, all of a union, only the outer one of a generic type, with the
        program's aliases resolved."""
        found: list[str] = []
        tree = shared_expression(annotation.strip("'\"")) if annotation else None
        for name in outer_names(tree) if tree is not None else ():
            if name in self.declared.aliases and depth < DEEPEST:
                found += self.names(self.declared.aliases[name], depth + 1)
            else:
                found.append(name)
        return found

    def fits(self, annotation: str | None, expression: str) -> bool:
        """Whether a value may be of the type; True where that cannot be told; cached as long as no
        more is seen of what it is made of."""
        key = (annotation or "", expression)
        known = self._fitting.get(key)
        if known is None or any(len(self.classes_of(e)) > many for e, many in known.seen.items()):
            tree = shared_expression(annotation.strip("'\"")) if annotation else None
            value = shared_expression(expression)
            self._seen = {}
            fits = tree is None or value is None or self._fits(tree, value, 0)
            self._fitting[key] = known = Judgement(fits, self._seen)
        return known.fits

    def _seen_of(self, value: ast.expr) -> AbstractSet[str]:
        """Returns the classes of which an expression was seen to make objects."""
        expression = ast.unparse(value)
        seen = self.classes_of(expression)
        self._seen[expression] = len(seen)
        return seen

    def _fits(self, node: ast.expr, value: ast.expr, depth: int) -> bool:
        if depth > DEEPEST:
            return True
        match node:
            case ast.Constant(value=str(text)):
                inner = shared_expression(text)
                return inner is None or self._fits(inner, value, depth + 1)
            case ast.Constant(value=None):
                return self._is_none(value)
            case ast.BinOp(left=left, right=right):
                return any(self._fits(one, value, depth + 1) for one in (left, right))
            case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name)):
                parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                return self._fits_generic(name, parts, value, depth)
            case ast.Name() | ast.Attribute():
                return self._fits_name(type_name(node), value, depth)
        return True

    def _fits_name(self, name: str, value: ast.expr, depth: int) -> bool:
        while isinstance(value, ast.BinOp) and is_literal(value.right):
            # What is computed of literals is of their kind, a complex number among them alone.
            value = value.right if literal_kind(value.right) == "complex" else value.left
        if name in self.declared.aliases:
            alias = shared_expression(self.declared.aliases[name])
            return alias is None or self._fits(alias, value, depth + 1)
        if name in self.declared.classes or name in self.declared.of_libraries:
            return self._is_of_class(name, value)
        if name in self.declared.private and is_literal(value):
            return False
        if name in self.library_classes and is_literal(value):
            return literal_kind(value) in self.library_classes[name].plain
        if libraries := self.libraries.named([name]):
            source = ast.unparse(value)
            if any(one.makes(source) for one in libraries):
                return True
            if is_literal(value) or self._is_own_object(name, value):
                return False
            return self._may_give({kind for one in libraries for kind in one.types}, value)
        if name in CALLABLES:
            return self._may_be_called(value)
        kinds = LITERALS.get(HINTS.get(name, name), set() if name in EXCEPTIONS else None)
        if kinds is None or is_literal(value):
            return kinds is None or literal_kind(value) in kinds
        if kinds and isinstance(value, ast.Name) and _is_callable(value.id):
            return False
        scalar = bool(kinds) and HINTS.get(name, name) in SCALARS
        if scalar and (self._is_of_library(value) or not self._may_give(kinds, value)):
            return False
        made = chain(value.func) if isinstance(value, ast.Call) else None
        if not made or len(made) > 1:
            return True
        other = made[0] in BUILT and made[0] not in (name, "iter", "range")
        return not other and made[0] not in self.declared.classes

    def _is_of_library(self, value: ast.expr) -> bool:
        """Whether an expression calls a class of a known library in its module:
        ``datetime.date(2024, 1, 2)``."""
        names = chain(value.func) if isinstance(value, ast.Call) else []
        made = self.libraries.named(names[-1:]) if len(names) == 2 else []
        return any(one.module == names[0] for one in made)

    def _may_give(self, kinds: AbstractSet[str], value: ast.expr) -> bool:
        """Whether an expression may give an object of one of some types: neither what was seen of
        it nor what is written tells another one."""
        seen = {*self._seen_of(value)} or {self.written_types.of(value)} - {""}
        return not seen or any(self._is_derived(one, kinds) for one in seen)

    def _is_derived(self, name: str, kinds: AbstractSet[str]) -> bool:
        """Whether a class is one of some, or may be derived from one."""
        if name in kinds or DERIVED.get(name) in kinds:
            return True
        if name in self.declared.classes:
            return not kinds.isdisjoint(self.declared.bases(name))
        if (python := PYTHON_CLASSES.get(name)) is not None:
            return not kinds.isdisjoint(one.__name__ for one in python.__mro__)
        return not self.libraries.named([name])

    def _is_own_object(self, name: str, value: ast.expr) -> bool:
        """Whether an expression makes an object of a class of the program that is not derived from
        one of this name."""
        match value:
            case ast.Call(func=ast.Name(id=made)) if made in self.declared.classes:
                return name not in self.declared.bases(made)
        return False

    def _may_be_called(self, value: ast.expr) -> bool:
        """Whether an expression may be a function: no literal, no constant, no member of an
        enumeration, and no object of a class of the program without ``__call__``."""
        match value:
            case ast.Attribute(value=ast.Name(id=owner)):
                return owner not in self.declared.enumerations
            case ast.Call(func=ast.Name(id=made)) if made in self.declared.classes:
                return "__call__" in self.matcher.attributes.get(made, ())
            case ast.Call(func=ast.Name(id=made)) if made in BUILT:
                return False
            case ast.Name(id=name):
                return not name.isupper()
        return isinstance(value, ast.Lambda | ast.Attribute | ast.Call)

    def _is_of_class(self, name: str, value: ast.expr) -> bool:
        if name in self.declared.typed_dicts:
            keys = {ast.unparse(key) for key in getattr(value, "keys", ()) if key is not None}
            wanted, known = self.declared.required_keys(name), self.declared.typed_dicts[name]
            return {*map(repr, wanted)} <= keys <= {*map(repr, known)}
        if is_literal(value):
            return literal_kind(value) in self.declared.containers_like(name)
        if isinstance(value, COMPUTED):
            return False
        called = isinstance(value, ast.Call)
        made = chain(value.func if isinstance(value, ast.Call) else value) or [""]
        wanted = self.declared.missing(name).names
        if made[0] == DOUBLE:
            return bool(wanted)
        if made[0] not in self.declared.classes or (called and len(made) > 1):
            seen = self._seen_of(value)
            fitting = not seen or any(self._is_like(one, name, wanted) for one in seen)
            return made[0] not in BUILT and fitting
        return self._is_like(made[0], name, wanted)

    def _is_like(self, made: str, name: str, wanted: AbstractSet[str]) -> bool:
        """Whether a class is another one, is derived from it, or has all of its members that are
        wanted; one that is not the program's has those of a protocol unless Python's own lacks
        them."""
        if made == name or name in self.declared.bases(made):
            return True
        if made in self.declared.classes:
            return bool(wanted) and wanted <= self.matcher.attributes.get(made, frozenset())
        python = PYTHON_CLASSES.get(made)
        protocol = bool(wanted) and "Protocol" in self.declared.bases(name)
        return protocol and (python is None or wanted <= {*dir(python)})

    def _is_none(self, value: ast.expr) -> bool:
        """Whether an expression is None, or was seen to give it."""
        if isinstance(value, ast.Constant):
            return value.value is None
        return not is_literal(value) and "NoneType" in self._seen_of(value)

    def _fits_generic(
        self, name: str, parts: Sequence[ast.expr], value: ast.expr, depth: int
    ) -> bool:
        first = parts[0]
        if name in self.declared.aliases:
            return self._fits(filled_in(self.declared.aliases[name], first), value, depth + 1)
        if name == "Optional" and self._is_none(value):
            return True
        if name in UNIONS:
            return any(self._fits(one, value, depth + 1) for one in parts)
        if name in WRAPPERS:
            return self._fits(first, value, depth + 1)
        if name in CALLABLES:
            many = len(first.elts) if isinstance(first, ast.List) else None
            return self._may_be_called(value) and _may_take(value, many)
        if name in TYPES:
            return isinstance(value, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
        if name == "Literal" and is_literal(value):
            return ast.unparse(value) in {ast.unparse(one) for one in parts}
        if name not in LISTS | SETS | DICTS and self.libraries.named([name]):
            return self._fits_name(name, value, depth)
        if not is_literal(value):
            return True
        if name in DICTS and isinstance(value, ast.Dict) and len(parts) == 2:
            keys = [key for key in value.keys if key is not None]
            pairs = [*((first, key) for key in keys), *((parts[1], item) for item in value.values)]
            return all(self._fits(kind, one, depth + 1) for kind, one in pairs)
        if name in LISTS | SETS and isinstance(value, ast.List | ast.Tuple | ast.Set):
            return all(self._fits(first, one, depth + 1) for one in value.elts)
        allowed = LITERALS.get(HINTS.get(name, name), {literal_kind(value)})
        if (
            name in LISTS
            and literal_kind(value) == "str"
            and not self._fits(first, value, depth + 1)
        ):
            return False  # its items are texts
        return literal_kind(value) in allowed


def _may_take(function: ast.expr, many: int | None) -> bool:
    """Whether a function may be called with so many arguments, as far as that is known."""
    match function:
        case ast.Lambda(args=given):
            least = len(given.posonlyargs) + len(given.args) - len(given.defaults)
            most = len(given.posonlyargs) + len(given.args)
            return many is None or (least <= many and (bool(given.vararg) or many <= most))
        case ast.Name(id=name) if name in OF_ONE:
            return many in (None, 1)
    return True


def _is_callable(name: str) -> bool:
    """Whether a name is that of one of Python's own functions, or of a class, as classes are
    named."""
    return is_function(name) or (name[:1].isupper() and not name.isupper())
