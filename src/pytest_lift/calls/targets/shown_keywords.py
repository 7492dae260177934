"""Keywords of classes that take any by ``**kwargs``: those that calls show, or tables name."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cache, cached_property

from pytest_lift.calls.targets.target import Target
from pytest_lift.source.ancestry import above
from pytest_lift.source.program import Program
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import FunctionNode, leaf, parsed, texts

MOST_SHOWN, MOST_LISTED = 6, 3
"""Most keywords of a class that calls show, and that its tables name."""
LONGEST = 10
"""Characters of a keyword from which on others come first."""
WHOLE = frozenset({"items", "keys", "popitem"})
"""Methods by which ``**kwargs`` are looked through whatever they are called."""


def with_shown_keywords(
    targets: Sequence[Target], program: Program, documents: Iterable[str]
) -> list[Target]:
    """Returns the targets, classes that take any keywords with those that the program's own calls
    and its `documents` give them; and with names in their tables, where they look through all
    that they are given."""
    shown = _Shown(program, documents)

    @cache
    def told(target: Target) -> Target:
        owner = told(target.owner) if target.owner is not None else None
        more = shown.keywords(target)
        if not more and owner is target.owner:
            return target
        return replace(target, owner=owner, parameters=(*target.parameters, *more))

    return [told(target) for target in targets]


class _Shown:
    """Knows what classes of a program are given by name."""

    def __init__(self, program: Program, documents: Iterable[str]) -> None:
        trees = [file.tree for file in program.files.values() if file.error is None]
        bodies = [one for tree in trees for one in tree.body]
        self._classes = {one.name: one for one in bodies if isinstance(one, ast.ClassDef)}
        self._bases = {one: [*map(leaf, node.bases)] for one, node in self._classes.items()}
        self._names = dict(_aliases(bodies))
        self._given: dict[str, dict[str, ast.expr]] = defaultdict(dict)
        """Class -> names that calls of it give -> the last value of each."""
        read = (tree for text in documents if (tree := parsed(text)) is not None)
        for tree in (*read, *trees):
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and node.keywords:
                    name = leaf(node.func)
                    given = self._given[self._names.get(name, name)]
                    given |= {one.arg: one.value for one in node.keywords if one.arg}

    def keywords(self, target: Target) -> tuple[Parameter, ...]:
        """Returns the keywords of a class that takes any; none of others, and none of one that is
        data with names, and hands all of them on as they are: ``self.update(**kwargs)``."""
        if target.kind != "constructor" or target.factory:
            return ()
        if not any(one.kind == "var-keyword" for one in target.parameters):
            return ()
        init = self._constructors.get(target.call)
        if init is None or _only_hands_on(init):
            return ()
        known = {one.name for one in target.parameters}
        given = [one for one in self._given.get(target.call, ()) if one not in known]
        listed = [one for one in self._listed(target.call) if one not in {*known, *given}]
        names = (*given[:MOST_SHOWN], *listed[:MOST_LISTED])
        hint = self._hint(target.call, known)
        return tuple(Parameter(name, "keyword", "...", hint) for name in names)

    def _hint(self, name: str, known: AbstractSet[str]) -> str | None:
        """Returns the hint of the keywords of a class: numbers, where calls of all that share its
        constructor give nothing else by names that are not `known`; where there are none, of all
        that look through what they are given."""
        own = self._constructors.get(name)
        alike = [one for one in self._given if self._constructors.get(one) is own is not None]
        alike = alike or [one for one in self._given if one in self._looking]
        given = (pair for one in alike for pair in self._given[one].items())
        values = (value for arg, value in given if arg not in known)
        kinds = {type(one.value) for one in values if isinstance(one, ast.Constant)}
        return "float" if kinds and kinds <= {int, float} else None

    def _listed(self, name: str) -> list[str]:
        """Returns the names in the tables of a class that looks through its keywords, or of the
        nearest one above it that has such: those first that a constant is, long ones last."""
        if name not in self._looking:
            return []
        line = [self._classes[one] for one in self._line(name)]
        constants = {*texts(one.value for node in line for one in _assigned(node))}
        found = next(filter(None, ([*_keys(node)] for node in line)), [])
        return sorted(found, key=lambda one: (one not in constants, len(one) > LONGEST))

    @cached_property
    def _constructors(self) -> dict[str, FunctionNode]:
        """Class -> the constructor that gets its keywords: its own, or that of one above it where
        it has none or hands them up."""
        own = {name: _own_constructor(node) for name, node in self._classes.items()}
        taking = {name: init for name, init in own.items() if init and not _hands_up(init)}
        lines = {name: self._line(name) for name in self._classes}
        found = {name: [*filter(taking.__contains__, line)] for name, line in lines.items()}
        return {name: taking[line[0]] for name, line in found.items() if line}

    @cached_property
    def _looking(self) -> AbstractSet[str]:
        """Classes that look through their keywords."""
        inits = self._constructors.items()
        return {name for name, init in inits if _looks_through(init)}

    def _line(self, name: str) -> Iterator[str]:
        """Yields a class and those of the program above it."""
        yield from (one for one in (name, *above(name, self._bases)) if one in self._bases)


def _own_constructor(node: ast.ClassDef) -> FunctionNode | None:
    """Returns the constructor that a class itself defines."""
    inits = (one for one in node.body if isinstance(one, FunctionNode) and one.name == "__init__")
    return next(inits, None)


def _assigned(node: ast.ClassDef) -> Iterator[ast.Assign]:
    """Yields what a class assigns to its attributes."""
    yield from (one for one in node.body if isinstance(one, ast.Assign))


def _keys(node: ast.ClassDef) -> Iterator[str]:
    """Yields the names in the tables of a class, each once."""
    tables = [one.value for one in _assigned(node) if isinstance(one.value, ast.Dict)]
    found = texts(key for table in tables for key in table.keys if key is not None)
    yield from dict.fromkeys(one for one in found if one.isidentifier())


def _aliases(bodies: Iterable[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Yields other names of classes: ``Weight = Mass``."""
    for one in bodies:
        match one:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=known)):
                yield name, known


def _only_hands_on(init: FunctionNode) -> bool:
    """Whether a constructor only passes its keywords to another function, each by its name."""
    words = (one for one in ast.walk(init) if isinstance(one, ast.keyword))
    return _reads(init) <= _unpacked(words)


def _hands_up(init: FunctionNode) -> bool:
    """Whether a constructor only passes its keywords to the one above it, each by its name."""
    words: list[ast.keyword] = []
    for node in ast.walk(init):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Name("super")), attr="__init__")
            ):
                words += node.keywords
    read = _reads(init)
    return bool(read) and read <= _unpacked(words)


def _reads(init: FunctionNode) -> set[ast.expr]:
    """Returns where a constructor reads its keywords as a whole."""
    holder = init.args.kwarg.arg if init.args.kwarg is not None else ""
    return {one for one in ast.walk(init) if isinstance(one, ast.Name) and one.id == holder}


def _unpacked(words: Iterable[ast.keyword]) -> set[ast.expr]:
    """Returns what calls are given as ``**kwargs``."""
    return {one.value for one in words if one.arg is None}


def _looks_through(init: FunctionNode) -> bool:
    """Whether a constructor goes through its keywords whatever they are called, or hands all of
    them to another function."""
    holder = init.args.kwarg.arg if init.args.kwarg is not None else ""
    for node in ast.walk(init):
        match node:
            case ast.For(iter=ast.Name(id=name)) if name == holder:
                return True
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if (
                name == holder and method in WHOLE
            ):
                return True
            case ast.Call(args=args) if any(
                isinstance(one, ast.Name) and one.id == holder for one in args
            ):
                return True
    return False
