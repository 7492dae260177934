"""Which classes of the program a parameter takes: by documentation, name and attributes used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property

from pytest_lift.agents.offline.arguments.descriptions import described, descriptions
from pytest_lift.agents.offline.arguments.uses import ParameterUse
from pytest_lift.agents.offline.writing.words import slug
from pytest_lift.source.ancestry import above
from pytest_lift.source.bindings import EXCEPTIONS, bound_names
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, bare_leaf, leaf, parts_of

LEAST_WORD = 3
"""Fewest letters of a name that tells a class."""
FIRST_WORDS = 10
"""Words of a description in which a class may be named."""
CONVERTING = re.compile(r"^(?:convert_)?([A-Za-z][A-Za-z\d]+)_to_([A-Za-z][A-Za-z\d]+)$")
"""Names of functions that make one thing of another."""
NEXT_WORD = re.compile(r"$|_|\d|[A-Z](?:[a-z]|$)")
"""What follows the first word of the name of a class."""
UNDERLINED = re.compile(r"^\s*Parameters\n\s*-{4,}", re.MULTILINE)
"""Section of a docstring in which a name stands before the type, however it is written."""
KEEPING = re.compile(r"^(?:add|append|attach|enqueue|insert|push|register)_(\w+)$")
"""Names of functions that keep what they are named for: ``add_order_line(line)``."""
OTHER = re.compile(r"other|another|that|rhs")
"""Names of parameters for a second object of the class of a method."""
PLURAL = re.compile(r"\b(?:list|List|sequence|Sequence|iterable|Iterable|tuple|set|array)\b")


class ClassMatcher:
    """The classes of a program with the attributes that their objects have."""

    def __init__(self, program: Program) -> None:
        self.program = program

    @cached_property
    def attributes(self) -> dict[str, frozenset[str]]:
        """Class -> names of its methods, properties and attributes, inherited ones included."""
        own: dict[str, set[str]] = {}
        for node in self._classes:
            own.setdefault(node.name, set()).update(_attributes(node))
        empty = frozenset[str]()
        return {
            name: frozenset(names).union(*(own.get(one, empty) for one in above(name, self.bases)))
            for name, names in own.items()
        }

    @property
    def _classes(self) -> Iterator[ast.ClassDef]:
        for file in self.program.files.values():
            yield from (node for node in file.tree.body if isinstance(node, ast.ClassDef))

    @cached_property
    def bases(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for node in self._classes:
            named = (bare_leaf(base) for base in node.bases)
            found.setdefault(node.name, []).extend(named)
        return found

    def _is_error(self, name: str) -> bool:
        return not EXCEPTIONS.isdisjoint((name, *above(name, self.bases)))

    @cached_property
    def _registered(self) -> dict[str, str]:
        """Function -> the first class of the program that its decorator is given: that which
        ``@converts(Metre, Mile)`` and ``@shown.register(Metre)`` register it for. An error is what
        it may raise, as in ``@retried(NetworkError)``."""
        found: dict[str, str] = {}
        for file in self.program.files.values():
            for node in file.tree.body:
                marks = node.decorator_list if isinstance(node, FunctionNode) else []
                calls = [mark for mark in marks if isinstance(mark, ast.Call)]
                given = [leaf(mark.args[0]) for mark in calls if mark.args]
                known = [name for name in given if name in self.bases and not self._is_error(name)]
                if isinstance(node, FunctionNode) and known:
                    found[node.name] = known[0]
        return found

    @cached_property
    def _by_slug(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self.attributes:
            words = slug(name).split("_")
            for at in range(len(words)):
                found.setdefault("_".join(words[at:]), []).append(name)
        return found

    def having(self, names: frozenset[str]) -> list[str]:
        """Returns the classes whose objects have all these attributes, the smallest first."""
        fitting = [name for name, found in self.attributes.items() if names and names <= found]
        return sorted(fitting, key=lambda name: (len(self.attributes[name]), name))

    def named(self, parameter: str) -> list[tuple[str, bool]]:
        """Returns (class, whether a list of its objects is meant) by the name of a parameter."""
        words = parameter.strip("_").lower()
        found = [(name, False) for name in self._by_slug.get(words, ())]
        for ending in ("s", "es", "_list", "list"):
            single = words.removesuffix(ending)
            if single != words and len(single) >= LEAST_WORD:
                found += [(name, True) for name in self._by_slug.get(single, ())]
        if not found and "_" in words:
            return self.named(words.partition("_")[2])
        return found

    def documented(self, doc: str, parameter: str) -> list[tuple[str, bool]]:
        """Returns (class, whether a list is meant) by a docstring, in Sphinx', Google's or NumPy's
        style."""
        found = []
        for text in documented_types(doc, parameter):
            many = PLURAL.search(text) is not None
            found += [(w, many) for w in re.findall(r"[A-Za-z_]\w+", text) if w in self.attributes]
        many = described(doc, parameter).kinds[:1] == ("list",)
        for text in descriptions(doc, parameter):
            words = re.findall(r"[A-Za-z_]\w+", text.partition(". ")[0])[:FIRST_WORDS]
            found += [(w, many) for w in words if w in self.attributes]
        return found

    def converted(self, function: str) -> list[tuple[str, bool]]:
        """Returns the classes whose objects a function converts, by what registers it or by its
        name: ``RGBColor`` of ``RGB_to_XYZ``, where there is a class for what comes out, too."""
        if function in self._registered:
            name = self._registered[function]
            return [(one, False) for one in (name, *self._derived(name))]
        found = CONVERTING.match(function)
        sides = found.groups() if found else ()
        beginning = [
            [name for name in self.attributes if _begins_with(name, side)] for side in sides
        ]
        return [(name, False) for name in beginning[0]] if beginning and all(beginning) else []

    def is_guessed(self, function: str) -> bool:
        """Whether the name of a function alone may tell which class it converts."""
        return function not in self._registered and CONVERTING.match(function) is not None

    def kept(self, function: str, parameter: str) -> list[tuple[str, bool]]:
        """Returns the classes whose objects a function keeps, by its name, where a parameter has
        the last words of this name."""
        found = KEEPING.match(function)
        words, ending = found[1] if found else "", parameter.strip("_")
        if not ending or not f"_{words}".endswith(f"_{ending}"):
            return []
        joined = words.replace("_", "")
        names = [name for name in self.attributes if name.lower() == joined]
        return [(one, False) for name in names for one in (name, *self._derived(name))]

    def _derived(self, name: str) -> list[str]:
        """Returns the classes that inherit from one, directly or not."""
        found = [name]
        for known in found:
            more = (one for one, bases in self.bases.items() if known in bases)
            found += [one for one in more if one not in found]
        return found[1:]

    def sure(
        self, doc: str, parameter: str, function: str = "", keeping: str = ""
    ) -> frozenset[str]:
        """Returns the classes of which an argument has to be an object, where the name of the
        `function` that has the parameter first, what registers it, the name of one that is
        `keeping` it, or the type that a docstring gives tells some; those derived from them
        included."""
        found = self.converted(function) or self.kept(keeping, parameter)
        told = [name for name, many in found if not many]
        if not told:
            types = [*documented_types(doc, parameter)]
            named = [re.findall(r"[A-Za-z_]\w+", text) for text in types]
            whole = all(word in self.bases for words in named for word in words if word != "or")
            told = [word for words in named for word in words if word != "or"] if whole else []
        return frozenset(one for name in told for one in (name, *self._derived(name)))

    def fitting(
        self, use: ParameterUse, doc: str, parameter: str, function: str = "", keeping: str = ""
    ) -> list[tuple[str, bool]]:
        """Returns (class, whether a list is meant), the surest first; `function` is the name of the
        function that has the parameter first, `keeping` that of any that has it."""
        if known := self.converted(function) or self.kept(keeping, parameter):
            return known
        found = [*self.documented(doc, parameter), *self.named(parameter)]
        wanted = frozenset(use.attributes)
        found += [(name, False) for name in self.having(wanted)]
        found += [(name, True) for name in self.having(frozenset(use.item_attributes))]
        return list(dict.fromkeys(found))


MODULE = re.compile(r"\b[a-z_]\w*\.(?=[A-Za-z_])")
"""Name of a module before what it has."""


def documented_types(doc: str, parameter: str) -> Iterator[str]:
    """Yields the types that a docstring gives for a parameter, as it writes them, without the
    modules that have them: a ``datetime.date`` is no datetime."""
    name = re.escape(parameter)
    for pattern in (
        rf":(?:param|arg|argument|keyword|kwarg)\s+([^:]+?)\s+\*{{0,2}}{name}\s*:",
        rf":type\s+\*{{0,2}}{name}\s*:\s*([^\n]+)",
        rf"^\s*\*{{0,2}}{name}\s*\(([^)\n]+)\)\s*:",
        rf"^\s*\*{{0,2}}{name}{' *' if UNDERLINED.search(doc) else ' +'}:\s*([^\n]+)",
    ):
        yield from (MODULE.sub("", one) for one in re.findall(pattern, doc, re.MULTILINE))


def takes_own_class(node: FunctionNode, parameter: str) -> bool:
    """Whether a method takes another object of its class: it calls it so, or has it beside
    ``self``, as in ``self & other``."""
    taken = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    if taken[:1] != ["self"] or node.name.startswith("__"):
        return False  # operators take numbers, too
    sums = (part for part in parts_of(node) if isinstance(part, ast.BinOp))
    beside = any({leaf(one.left), leaf(one.right)} == {"self", parameter} for one in sums)
    return beside or OTHER.fullmatch(parameter) is not None


def _begins_with(name: str, word: str) -> bool:
    """Whether the name of a class is a word, or begins with it: ``RGBColor`` with ``rgb``."""
    begins = name.lower().startswith(word.lower())
    return begins and NEXT_WORD.match(name[len(word) :]) is not None


def _attributes(node: ast.ClassDef) -> Iterator[str]:
    for inner in ast.walk(node):
        match inner:
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                yield name
    for statement in node.body:
        yield from bound_names(statement)
