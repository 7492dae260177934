"""Values for annotations: generic types, classes of the program, callables, unions."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from pytest_lift.agents.offline.arguments.classes import ClassMatcher
from pytest_lift.agents.offline.arguments.declared import AbstractMembers, Declarations
from pytest_lift.agents.offline.arguments.libraries import Libraries
from pytest_lift.agents.offline.natural.kinds import HINTS, KINDS, is_function
from pytest_lift.calls.collectors import readers_of
from pytest_lift.source.bindings import EXCEPTIONS
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import chain, parsed_expression, shared_expression

DEEPEST = 4
MOST = 6
"""Most values of one type inside of another one."""
UNIONS = frozenset({"Optional", "Union"})
WRAPPERS = frozenset({"Annotated", "Final", "ClassVar", "Required", "NotRequired", "Self"})
LISTS = frozenset({"list", "List", "Sequence", "MutableSequence", "Iterable", "Collection",
                   "Reversible"})  # fmt: skip
SETS = frozenset({"set", "Set", "AbstractSet", "MutableSet", "frozenset", "FrozenSet"})
DICTS = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "OrderedDict"})
ITERATORS = frozenset({"Iterator", "Generator"})
CALLABLES = frozenset({"Callable"})
TYPES = frozenset({"type", "Type"})
TYPE_VARIABLE = re.compile(r"\b_?[A-Z]{1,2}\b(?!\s*[.\[(])")
"""Name of a type variable, by custom: ``T``, ``_KT``."""
BUILT_IN_TYPES = {
    "Exception": ("ValueError", "KeyError"), "BaseException": ("ValueError", "KeyboardInterrupt"),
    "int": ("int",), "str": ("str",), "float": ("float",), "Any": ("int", "str"),
}  # fmt: skip
"""Class -> classes of Python that are one."""
CONTAINERS: dict[str, type] = {"dict": dict, "list": list, "str": str, "set": set}
PYTHON_CLASSES: dict[str, type] = {
    one.__name__: one for one in (*vars(builtins).values(), type(None)) if isinstance(one, type)
}
EXTREME = frozenset({"float('nan')", "float('inf')"})
LITERALS = {
    "bool": {"bool"}, "int": {"int"}, "float": {"int", "float"}, "str": {"str"},
    "bytes": {"bytes"}, "list": {"list"}, "tuple": {"tuple"}, "set": {"set"}, "dict": {"dict"},
    "iterable": {"list", "tuple", "set", "dict", "str"}, "complex": {"int", "float", "complex"},
    "callable": set(),
}  # fmt: skip
"""Kind -> names of the types of literals that are of it."""
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


class Annotations:
    """Evaluates annotations to expressions of values."""

    def __init__(
        self,
        program: Program,
        objects: Mapping[str, Sequence[str]],
        matcher: ClassMatcher,
        classes_of: Callable[[str], AbstractSet[str]] = lambda _: frozenset(),
        declared: Declarations | None = None,
    ) -> None:
        """`classes_of` tells the names of the classes of which an expression was seen to make
        objects: more and more while the search goes on."""
        self.program = program
        self.classes_of = classes_of
        self.objects = objects
        """Class -> expressions that make an instance; grows while the search goes on."""
        self.readers = readers_of(program)
        """Classes of which a test can read back what was written to an object: they come first."""
        self.matcher = matcher
        self.declared = declared or Declarations(program)
        self.libraries = Libraries(program)
        self._fitting: dict[tuple[str, str], Judgement] = {}
        self._seen: dict[str, int] = {}
        """What an answer rests on that is not complete yet, as `Judgement.seen`."""

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

    def values(self, annotation: str | None, texts: Sequence[str] = ()) -> list[str]:
        """Returns values for an annotation that names more than plain types; `texts` are strings
        that the code knows."""
        tree = parsed_expression(annotation.strip("'\"")) if annotation else None
        if tree is None or not any(self._tells(node) for node in ast.walk(tree)):
            return []
        return list(dict.fromkeys(self._values(tree, texts, 0)))

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
            case ast.Name(id=name) | ast.Attribute(attr=name):
                return self._fits_name(name, value, depth)
        return True

    def _fits_name(self, name: str, value: ast.expr, depth: int) -> bool:
        while isinstance(value, ast.BinOp) and is_literal(value.right):
            value = value.left  # what is computed of literals is of their kind
        if name in self.declared.aliases:
            alias = shared_expression(self.declared.aliases[name])
            return alias is None or self._fits(alias, value, depth + 1)
        if name in self.declared.classes or name in self.declared.of_libraries:
            return self._is_of_class(name, value)
        if name in self.declared.private and is_literal(value):
            return False
        if libraries := self.libraries.named([name]):
            source = ast.unparse(value)
            if any(one.makes(source) for one in libraries):
                return True
            return not (is_literal(value) or self._is_own_object(name, value))
        if name in CALLABLES:
            return self._may_be_called(value)
        kinds = LITERALS.get(HINTS.get(name, name), set() if name in EXCEPTIONS else None)
        if kinds is None or is_literal(value):
            return kinds is None or literal_kind(value) in kinds
        if kinds and isinstance(value, ast.Name) and _is_callable(value.id):
            return False
        made = chain(value.func) if isinstance(value, ast.Call) else None
        if not made or len(made) > 1:
            return True
        other = made[0] in BUILT and made[0] not in (name, "iter", "range")
        return not other and made[0] not in self.declared.classes

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
            return literal_kind(value) in self._of_python(name)
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
            return self._fits(self._filled_in(self.declared.aliases[name], first), value, depth + 1)
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

    def _tells(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Name | ast.Attribute):
            name = node.id if isinstance(node, ast.Name) else node.attr
            known = self.declared.classes, self.declared.aliases, self.declared.of_libraries
            return any(name in one for one in known)
        return isinstance(node, ast.Subscript)

    def _values(self, node: ast.expr, texts: Sequence[str], depth: int) -> Iterator[str]:
        if depth > DEEPEST:
            return
        match node:
            case ast.Constant(value=str(text)):
                inner = parsed_expression(text)
                yield from self._values(inner, texts, depth + 1) if inner is not None else ()
            case ast.Constant(value=None):
                yield "None"
            case ast.Name(id=name) | ast.Attribute(attr=name):
                yield from self._of_name(name, texts, depth)
            case ast.BinOp(left=left, right=right):
                yield from in_turn([self._some(one, texts, depth) for one in (left, right)])
            case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name)):
                parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                yield from self._of_generic(name, parts, texts, depth)

    def _some(self, node: ast.expr, texts: Sequence[str], depth: int) -> list[str]:
        return list(dict.fromkeys(self._values(node, texts, depth + 1)))[:MOST]

    def _of_name(self, name: str, texts: Sequence[str], depth: int) -> Iterator[str]:
        if name in self.declared.aliases:
            alias = parsed_expression(self.declared.aliases[name])
            yield from self._some(alias, texts, depth) if alias is not None else ()
        elif name in self.declared.classes or name in self.declared.of_libraries:
            yield from self._of_class(name, texts, depth)
        elif libraries := self.libraries.named([name]):
            yield from in_turn([library.values for library in libraries])
        else:
            kind = HINTS.get(name, name)
            plain = [one for one in KINDS.get(kind, ())[:MOST] if one not in EXTREME]
            yield from in_turn([plain, texts[:3]]) if kind == "str" else plain

    def _of_class(self, name: str, texts: Sequence[str], depth: int) -> Iterator[str]:
        """Yields members, dicts, objects of the class and of those derived from it, or, where no
        class of the program is one, an object that has what it asks for."""
        if name in self.declared.enumerations:
            yield from self.declared.enumerations[name]
        elif name in self.declared.typed_dicts:
            keys = self.declared.typed_dicts[name]
            pools = [self._choices(kind, texts, depth) for kind in keys.values()]
            for chosen in _choices_of(pools):
                pairs = zip(keys, chosen, strict=True)
                yield f"{{{', '.join(f'{key!r}: {value}' for key, value in pairs)}}}"
        else:
            shape = self.declared.missing(name)
            derived = self.declared.derived(name)
            known = [name, *sorted(derived, key=lambda one: one not in self.readers)]
            if self.declared.is_unfinished(name):
                known = [*known[1:], name]
            if shape.names:
                known += self.matcher.having(shape.names)
            made = in_turn([self.objects.get(one, ()) for one in dict.fromkeys(known)])
            made += [value for kind in self._of_python(name) for value in KINDS[kind][:MOST]]
            yield from made
            if shape.names and not made and not self.declared.derived(name):
                yield self._double(shape, texts, depth)

    def _of_python(self, name: str) -> list[str]:
        """Returns Python's own containers that have all members of a protocol."""
        wanted = self.declared.missing(name).names
        if not wanted or "Protocol" not in self.declared.bases(name):
            return []
        have = {kind: {*dir(made)} for kind, made in CONTAINERS.items()}
        return [kind for kind, names in have.items() if wanted <= names]

    def _choices(self, annotation: str, texts: Sequence[str], depth: int) -> list[str]:
        tree = parsed_expression(annotation.strip("'\"")) if annotation else None
        return (self._some(tree, texts, depth) if tree is not None else []) or ["1"]

    def _double(self, shape: AbstractMembers, texts: Sequence[str], depth: int) -> str:
        """Returns an object that has the members of a class and nothing else."""
        parts = [
            f"{name}={self._choices(kind, texts, depth)[0]}"
            for name, kind in shape.attributes.items()
        ]
        for name, (parameters, returns) in shape.methods.items():
            value = self._choices(returns, texts, depth)[0] if returns else "None"
            parts.append(
                f"{name}=lambda {', '.join(parameters)}: {value}".replace("lambda :", "lambda:")
            )
        return f"SimpleNamespace({', '.join(parts)})"

    def _of_generic(
        self, name: str, parts: Sequence[ast.expr], texts: Sequence[str], depth: int
    ) -> Iterator[str]:
        first = parts[0]
        if name in self.declared.aliases:
            yield from self._some(self._filled_in(self.declared.aliases[name], first), texts, depth)
        elif name in UNIONS:
            yield from in_turn([self._some(one, texts, depth) for one in parts])
            yield from ["None"] if name == "Optional" else []
        elif name in WRAPPERS:
            yield from self._some(first, texts, depth)
        elif name == "Literal":
            yield from (ast.unparse(one) for one in parts)
        elif name in LISTS or (name in ("tuple", "Tuple") and _is_open(parts)):
            shape = "({},)" if name in ("tuple", "Tuple") else "[{}]"
            yield from _filled(shape, self._some(first, texts, depth))
        elif name in SETS:
            shape = "frozenset({{{}}})" if name.lower() == "frozenset" else "{{{}}}"
            yield from _filled(
                shape, [one for one in self._some(first, texts, depth) if one[:1] not in "[{"]
            )
        elif name in ITERATORS:
            shape = "(item for item in [{}])" if name == "Generator" else "iter([{}])"
            yield from _filled(shape, self._some(first, texts, depth))
        elif name in DICTS and len(parts) == 2:
            keys, items = (self._some(one, texts, depth) for one in parts)
            pairs = [
                f"{key}: {item}" for key, item in zip(keys, _cycled(items, len(keys)), strict=False)
            ]
            yield from _filled("{{{}}}", pairs)
        elif name in ("tuple", "Tuple"):
            pools = [self._some(one, texts, depth) for one in parts]
            for chosen in _choices_of(pools):
                yield f"({', '.join(chosen)}{',' if len(chosen) == 1 else ''})"
        elif name in CALLABLES:
            yield from self._callables(parts, texts, depth)
        elif name in TYPES:
            base = ast.unparse(first).rpartition(".")[2]
            whole = base in self.declared.classes and not self.declared.missing(base).names
            own = [base] if whole else []
            yield from [*self.declared.derived(base), *own, *BUILT_IN_TYPES.get(base, ())]
        else:
            yield from self._of_name(name, texts, depth)

    def _filled_in(self, alias: str, part: ast.expr) -> ast.expr:
        """Returns the type that an alias stands for, with `part` for its type variables."""
        source = re.sub(TYPE_VARIABLE, lambda _: ast.unparse(part), alias)
        return parsed_expression(source) or part

    def _callables(
        self, parts: Sequence[ast.expr], texts: Sequence[str], depth: int
    ) -> Iterator[str]:
        """Yields functions of as many arguments that return what is asked for."""
        arguments = parts[0].elts if isinstance(parts[0], ast.List) else None
        names = ["value"] if arguments is None or len(arguments) == 1 else list("abcdef")
        given = names[: len(arguments)] if arguments is not None else ["*args"]
        head = f"lambda {', '.join(given)}:" if given else "lambda:"
        returns = parts[1] if len(parts) > 1 else None
        if arguments and returns is not None:
            kinds = [ast.unparse(one) for one in arguments]
            if kinds[0] == ast.unparse(returns):
                yield f"{head} {given[0]}"
            if ast.unparse(returns) == "bool" and kinds[0] in ("int", "float"):
                yield f"{head} {given[0]} > 1"
        results = self._some(returns, texts, depth) if returns is not None else []
        yield from (f"{head} {value}" for value in results[:3] or ["None"])


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


def literal_kind(value: ast.expr) -> str:
    """Returns the name of the type of a literal, "" for any other expression."""
    if isinstance(value, ast.UnaryOp):
        value = value.operand
    if isinstance(value, ast.Constant):
        return type(value.value).__name__
    return type(value).__name__.lower() if is_literal(value) else ""


def is_literal(value: ast.expr) -> bool:
    """Whether an expression is a constant or a display of a container."""
    if isinstance(value, ast.UnaryOp):
        value = value.operand
    return isinstance(value, ast.Constant | ast.List | ast.Tuple | ast.Set | ast.Dict)


def outer_names(node: ast.expr) -> Iterable[str]:
    """Yields the names of the types: all members of a union, only the outer type of a generic."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.BinOp):
        yield from outer_names(node.left)
        yield from outer_names(node.right)
    elif isinstance(node, ast.Subscript):
        outer = list(outer_names(node.value))
        if outer and outer[0] in UNIONS | WRAPPERS:
            inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            for item in inner:
                yield from outer_names(item)
        elif outer != ["Literal"]:
            yield from outer


def in_turn(pools: Iterable[Sequence[str]]) -> list[str]:
    """Returns the first of each pool, then the second of each, and so on."""
    pools = list(pools)
    most = max(map(len, pools), default=0)
    return [pool[at] for at in range(most) for pool in pools if at < len(pool)]


def _choices_of(pools: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """Yields a choice of each pool, then others, until each of the longest was chosen."""
    if pools and all(pools):
        for at in range(max(map(len, pools))):
            yield [pool[at % len(pool)] for pool in pools]


def _filled(shape: str, items: Sequence[str]) -> Iterator[str]:
    """Yields containers of some items, of one, of all, and an empty one."""
    empty = {"{{{}}}": "{}", "({},)": "()", "frozenset({{{}}})": "frozenset()"}
    for chosen in dict.fromkeys([tuple(items[:3]), tuple(items[:1]), tuple(items[1:4])]):
        if chosen:
            yield shape.format(", ".join(chosen))
    yield empty.get(shape, shape.format(""))


def _cycled(items: Sequence[str], count: int) -> list[str]:
    return [items[at % len(items)] for at in range(count)] if items else []


def _is_open(parts: Sequence[ast.expr]) -> bool:
    return any(isinstance(one, ast.Constant) and one.value is ... for one in parts)
