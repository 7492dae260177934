"""Values for annotations: generic types, classes of the program, callables, unions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from pytest_lift.agents.offline.arguments.classes import ClassMatcher
from pytest_lift.agents.offline.arguments.hints.declared import AbstractMembers, Declarations
from pytest_lift.agents.offline.arguments.hints.fitting import DEEPEST, FittingValues
from pytest_lift.agents.offline.arguments.hints.forms import (
    CALLABLES,
    DICTS,
    ITERATORS,
    LISTS,
    SETS,
    TYPES,
    UNIONS,
    WRAPPERS,
    filled_in,
    type_name,
)
from pytest_lift.agents.offline.arguments.hints.own_generators import OwnGenerators
from pytest_lift.agents.offline.natural.kinds import HINTS, KINDS
from pytest_lift.calls.collectors import readers_of
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import parsed_expression

MOST = 6
"""Most values of one type inside of another one."""
BUILT_IN_TYPES = {
    "Exception": ("ValueError", "KeyError"), "BaseException": ("ValueError", "KeyboardInterrupt"),
    "int": ("int",), "str": ("str",), "float": ("float",), "Any": ("int", "str"),
}  # fmt: skip
"""Class -> classes of Python that are one."""
EXTREME = frozenset({"float('nan')", "float('inf')", "float('-inf')"})


class Annotations(FittingValues):
    """Evaluates annotations to expressions of values."""

    def __init__(
        self,
        program: Program,
        objects: Mapping[str, Sequence[str]],
        matcher: ClassMatcher,
        classes_of: Callable[[str], AbstractSet[str]] = lambda _: frozenset(),
        declared: Declarations | None = None,
        shown: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        """`shown` gives the dicts that documents have; for the rest see `FittingValues`."""
        super().__init__(program, matcher, classes_of, declared)
        self.objects = objects
        self.shown = shown
        """Class -> expressions that make an instance; grows while the search goes on."""
        self.generators = OwnGenerators(program)
        self.readers = readers_of(program)
        """Classes of which a test can read back what was written to an object: they come first."""

    def values(self, annotation: str | None, texts: Sequence[str] = ()) -> list[str]:
        """Returns values for an annotation that names more than plain types; `texts` are strings
        that the code knows."""
        tree = parsed_expression(annotation.strip("'\"")) if annotation else None
        if tree is None or not any(self._tells(node) for node in ast.walk(tree)):
            return []
        return list(dict.fromkeys(self._values(tree, texts, 0)))

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
            case ast.Name() | ast.Attribute():
                yield from self._of_name(type_name(node), texts, depth)
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
            kind = "hashable" if kind == "any" and depth else kind
            plain = [one for one in KINDS.get(kind, ())[:MOST] if one not in EXTREME]
            yield from self.shown() if kind == "dict" and depth else ()
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
            plain = [KINDS[kind][:MOST] for kind in self.declared.containers_like(name)]
            made = in_turn([*plain, *(self.objects.get(one, ()) for one in dict.fromkeys(known))])
            yield from made
            if shape.names and not made and not self.declared.derived(name):
                yield self._double(shape, texts, depth)

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
            yield from self._some(filled_in(self.declared.aliases[name], first), texts, depth)
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
        yield from self.generators.given_for(parts[0], returns)
        results = self._some(returns, texts, depth) if returns is not None else []
        yield from (f"{head} {value}" for value in results[:3] or ["None"])


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
