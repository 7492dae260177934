"""Maps the text of a requirement to the functions and classes that it is about.

Everything that relates requirements to functions asks here; what differs is how close a symbol has
to be. Whose mutant it is and what a scope contains needs what is ``named``. Evidence counts
``beside`` too, since a doubt must be certain: what a test uses may be an override, or come by way
of the class. Links rest on names in prose and on options, and a conversation is shown every symbol
whose name is a ``word`` of the text.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from pytest_lift.coverage.coverage import Coverage, Entry
from pytest_lift.requirements.requirement import Requirement
from pytest_lift.source.program import Program
from pytest_lift.source.symbols import Symbol
from pytest_lift.trace.grounding.names import TextNames, names_in
from pytest_lift.trace.grounding.second_names import second_names

Closeness = Literal["named", "beside", "mentioned", "parameter", "word"]
"""How a text names a symbol. ``named``: as code, itself or by its class; ``beside``: as code, but
another symbol of its name or class is meant; ``mentioned``: in prose, by a name that is no ordinary
word; ``parameter``: by a parameter of it; ``word``: by an ordinary word."""

CLOSENESS: tuple[Closeness, ...] = ("named", "beside", "mentioned", "parameter", "word")


@dataclass(frozen=True)
class Subject:
    """A symbol of the program that a requirement is about."""

    path: str
    symbol: Symbol
    closeness: Closeness
    names: frozenset[str]
    """Words of the text that name the symbol, its class or its parameters."""

    @property
    def entry(self) -> Entry:
        """Place of the symbol, as coverage knows it."""
        return self.path, self.symbol.line

    @property
    def is_function(self) -> bool:
        """Whether it is a function or a method."""
        return self.symbol.kind != "class"

    @property
    def is_named_itself(self) -> bool:
        """Whether its own name is in the text, not only that of its class or of a parameter."""
        return self.symbol.leaf in self.names


class Grounding:
    """The symbols of one program by name, and which of them each test entered."""

    def __init__(self, program: Program, coverage: Coverage | None = None) -> None:
        self._order: dict[tuple[str, Symbol], int] = {}
        self._symbols: dict[str, list[tuple[str, Symbol]]] = defaultdict(list)
        self._takers: dict[str, list[tuple[str, Symbol]]] = defaultdict(list)
        self._methods: dict[str, set[str]] = defaultdict(set)
        for path, file in program.files.items():
            for symbol in file.symbols:
                self._add(path, symbol)
        self._entries = {
            name: frozenset((path, one.line) for path, one in found if one.kind != "class")
            for name, found in self._symbols.items()
        }
        self._modules = {
            path: file.module.rpartition(".")[2] for path, file in program.files.items()
        }
        self._second = second_names(program)
        self._known: dict[Requirement, tuple[Subject, ...]] = {}
        self._unseen = _unseen(program, coverage)
        self._entered = _entered(coverage) if coverage is not None else {}
        self.measured = bool(self._entered)
        """Whether it is known which test executes what."""

    def _add(self, path: str, symbol: Symbol) -> None:
        place = path, symbol
        self._order.setdefault(place, len(self._order))
        owner = _owner(symbol)
        if symbol.kind == "method":
            self._methods[owner].add(symbol.leaf)
        for name in {symbol.leaf, owner if symbol.kind == "method" else symbol.leaf}:
            self._symbols[name].append(place)
        if symbol.public:
            for name in {one.name for one in symbol.parameters} - {"self", "cls"}:
                self._takers[name].append(place)

    def subjects(self, requirement: Requirement, least: Closeness = "named") -> tuple[Subject, ...]:
        """Returns the symbols that the text names at least so closely: the closest first, then in
        the order of the program."""
        if requirement not in self._known:
            self._known[requirement] = self._found(names_in(requirement))
        kept = CLOSENESS[: CLOSENESS.index(least) + 1]
        return tuple(one for one in self._known[requirement] if one.closeness in kept)

    def _found(self, names: TextNames) -> tuple[Subject, ...]:
        by_name: dict[tuple[str, Symbol], set[str]] = defaultdict(set)
        by_parameter: dict[tuple[str, Symbol], set[str]] = defaultdict(set)
        for word in names.words:
            for place in self._symbols.get(word, ()):
                by_name[place].add(word)
        for word in names.code - self._symbols.keys():
            for path, symbol, certain in self._second.of(word):
                if certain:
                    by_name[path, symbol].add(word)
        for word in names.code | names.prose:
            for place in self._takers.get(word, ()):
                by_parameter[place].add(word)
        found = [
            Subject(
                *place,
                self._closeness(place, by_name[place], names, bool(by_parameter[place])),
                frozenset(by_name[place] | by_parameter[place]),
            )
            for place in {*by_name, *by_parameter}
        ]
        found.sort(
            key=lambda one: (
                CLOSENESS.index(one.closeness),
                self._order[one.path, one.symbol],
            )
        )
        return tuple(found)

    def _closeness(
        self, place: tuple[str, Symbol], own: Collection[str], names: TextNames, takes: bool
    ) -> Closeness:
        if not names.code.isdisjoint(own):
            meant = self._is_meant(place[1], names.code) and self._is_there(*place, names)
            return "named" if meant else "beside"
        if not names.prose.isdisjoint(own):
            return "mentioned"
        return "parameter" if takes else "word"

    def _is_meant(self, symbol: Symbol, code: frozenset[str]) -> bool:
        """Whether code is about this symbol: a class stands for all its methods, unless some of
        them are named beside it, and a name beside a class that has it is that of the method."""
        if symbol.kind == "class":
            return code.isdisjoint(self._methods.get(symbol.leaf, ()))
        owner = _owner(symbol)
        if symbol.leaf in code:
            others = any(symbol.leaf in self._methods.get(name, ()) for name in code)
            return owner in code or not others
        return code.isdisjoint(self._methods.get(owner, ()))

    def _is_there(self, path: str, symbol: Symbol, names: TextNames) -> bool:
        """Whether a symbol is in the module that code has before its name, if any symbol is."""
        before = {owner for owner, name in names.owners if name == symbol.leaf}
        if not before or self._modules[path] in before:
            return True
        return not any(self._modules[other] in before for other, _ in self._symbols[symbol.leaf])

    def named(self, requirement: Requirement) -> tuple[str, ...]:
        """Returns the names of functions, and of classes with functions, that the text has as
        code, in order."""
        names = names_in(requirement)
        return tuple(name for name in sorted(names.code & names.words) if self._entries.get(name))

    def executed(self, test: str, names: Iterable[str]) -> tuple[str, ...] | None:
        """Returns those of `names` that any row of the test entered; None where nothing was
        measured.

        A class is entered with any of its methods; of functions of one name any counts.
        """
        if not self.measured:
            return None
        entered = self._entered.get(test, frozenset())
        return tuple(name for name in names if not entered.isdisjoint(self._entries[name]))

    def sees(self, names: Iterable[str]) -> bool:
        """Whether using any of `names` is always seen: not so of classes whose making runs no line
        of theirs, of decorated functions (a cache may answer for them), and where coverage was
        not measured."""
        return self._unseen.isdisjoint(names)


def _owner(symbol: Symbol) -> str:
    """Returns the name of the class of a method, without outer ones."""
    return symbol.name.rpartition(".")[0].rpartition(".")[2]


_TRANSPARENT = frozenset({"staticmethod", "classmethod", "property", "abstractmethod", "override"})
"""Decorators under which a function runs whenever it is used."""


def _unseen(program: Program, coverage: Coverage | None) -> frozenset[str]:
    """Returns names of functions and classes that a test can use without entering a function of
    theirs."""
    found: set[str] = set()
    for path, file in program.files.items():
        measured = coverage is not None and path in coverage.files
        made = {
            symbol.name.rpartition(".")[0]
            for symbol in file.symbols
            if symbol.leaf in ("__init__", "__new__")
        }
        for symbol in file.symbols:
            decorators = {text.partition("(")[0].rpartition(".")[2] for text in symbol.decorators}
            seen = symbol.name in made if symbol.kind == "class" else decorators <= _TRANSPARENT
            if not (measured and seen):
                found.add(symbol.leaf)
    return frozenset(found)


def _entered(coverage: Coverage) -> dict[str, frozenset[Entry]]:
    """Returns test function -> what its rows entered."""
    found: dict[str, frozenset[Entry]] = {}
    for node, entries in coverage.functions_by_test.items():
        function = node.partition("[")[0]
        found[function] = found[function] | entries if function in found else entries
    return found


def requirements_by_symbol(
    program: Program, requirements: Iterable[Requirement]
) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Returns (path, qualified name) -> ids of the requirements that are about the function, in
    their order; exempt ones have none."""
    grounding = Grounding(program)
    found: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for item in requirements:
        for one in grounding.subjects(item) if item.exempt is None else ():
            found[one.path, one.symbol.name][item.id] = None
    return {place: tuple(ids) for place, ids in found.items()}


def most_in_scope(
    item: Requirement,
    requirements: Iterable[Requirement],
    about: Mapping[str, Collection[str]],
) -> frozenset[str]:
    """Returns what most requirements in the scope of `item` are about, as far as `about` (id ->
    files or names) knows: one value or none."""
    near = Counter(
        each
        for other in requirements
        if other.scope == item.scope
        for each in about.get(other.id, ())
    )
    return frozenset(each for each, _ in near.most_common(1))
