"""Types that a program declares: its classes, enumerations, typed dicts, protocols and aliases."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from pytest_lift.calls.targets.type_aliases import alias_of
from pytest_lift.source.ancestry import above
from pytest_lift.source.bindings import bound_names
from pytest_lift.source.enumerations import ENUMERATIONS, members_of
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import FunctionNode, bare_leaf, leaf

MOST_MEMBERS = 6
"""Most members of an enumeration that are tried."""
CONTAINERS: dict[str, type] = {"dict": dict, "list": list, "str": str, "set": set}


@dataclass(frozen=True)
class AbstractMembers:
    """Attributes and methods that objects of a class have to have."""

    attributes: dict[str, str] = field(default_factory=dict)
    """Name -> annotation."""
    methods: dict[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)
    """Name -> parameters without self, and annotation of what it returns."""

    @property
    def names(self) -> frozenset[str]:
        return frozenset({*self.attributes, *self.methods})


class Declarations:
    """The classes of a program, by their names."""

    def __init__(
        self, program: Program, library_bases: Mapping[str, Sequence[str]] = MappingProxyType({})
    ) -> None:
        """`library_bases` has the classes of libraries that those of the program derive from."""
        self.program = program
        self.library_bases = library_bases
        self._missing: dict[str, AbstractMembers] = {}

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """Public classes at the top of a module; of those that only stubs have, typed dicts."""
        found = {node.name: node for node in _classes(self.program.files)}
        in_stubs = (node for node in _classes(self.program.stubs) if _is_typed_dict(node))
        return {node.name: node for node in in_stubs} | found

    @cached_property
    def private(self) -> frozenset[str]:
        """Names of the classes that the program keeps for itself, but for types of dicts and those
        that anything may stand for."""
        nodes = _classes(self.program.files, public=False)
        open_ones = {"Protocol", "TypedDict", *vars(builtins)} - {"object"}
        return frozenset(n.name for n in nodes if open_ones.isdisjoint(map(leaf, _plain_bases(n))))

    def bases(self, name: str) -> Iterator[str]:
        """Yields the names of all base classes, the program's followed."""
        found = [*above(name, self._bases)]
        yield from found
        yield from (one for one in self._above_outside(name) if one not in found)

    @cached_property
    def _bases(self) -> dict[str, list[str]]:
        """Class -> the classes that it names as its bases."""
        return {name: [*map(leaf, _plain_bases(node))] for name, node in self.classes.items()}

    def _above_outside(self, name: str) -> list[str]:
        """Returns the classes of libraries above one, without those called like the program's."""
        found = dict.fromkeys(self.library_bases.get(name, ()))
        return [one for one in found if one not in self.classes]

    @cached_property
    def of_libraries(self) -> frozenset[str]:
        """Classes of libraries that those of the program derive from."""
        return frozenset(one for name in self.library_bases for one in self._above_outside(name))

    def derived(self, name: str) -> list[str]:
        """Returns the classes derived from one, that can be built."""
        below = [one for one in self.classes if name in self.bases(one)]
        return [one for one in below if not self.missing(one).names]

    def is_unfinished(self, name: str) -> bool:
        """Whether a method of a class does nothing but raise NotImplementedError: an object of it
        is good for little."""
        node = self.classes.get(name)
        return node is not None and any(map(_is_left_open, _functions(node).values()))

    @cached_property
    def enumerations(self) -> dict[str, list[str]]:
        """Enumeration -> expressions of its first members."""
        found = {}
        for name, node in self.classes.items():
            if ENUMERATIONS & {*self.bases(name)}:
                found[name] = [f"{name}.{one}" for one in [*members_of(node)][:MOST_MEMBERS]]
        return {name: members for name, members in found.items() if members}

    @cached_property
    def constants(self) -> dict[str, list[str]]:
        """Class of nothing but numbers and texts under names -> these, as ``Mode.fast``."""
        found: dict[str, list[str]] = {}
        for name, node in self.classes.items():
            docs = [one for one in node.body if isinstance(one, ast.Expr | ast.Pass)]
            names = [
                target.id
                for one in node.body
                if isinstance(one, ast.Assign) and isinstance(one.value, ast.Constant)
                for target in one.targets
                if isinstance(target, ast.Name) and not target.id.startswith("_")
            ]
            bare = [*map(leaf, _plain_bases(node))] in ([], ["object"])
            if bare and len(names) > 1 and len(names) + len(docs) == len(node.body):
                found[name] = [f"{name}.{one}" for one in names[:MOST_MEMBERS]]
        return found

    @cached_property
    def typed_dicts(self) -> dict[str, dict[str, str]]:
        """Typed dict -> key -> annotation; inherited keys included."""
        return {
            name: {
                key: kind
                for one in (*reversed([*self.bases(name)]), name)
                for key, kind in _annotated(self.classes.get(one)).items()
            }
            for name in self.classes
            if "TypedDict" in self.bases(name)
        }

    def required_keys(self, name: str) -> frozenset[str]:
        """Returns the keys that a typed dict has to have (PEP 655)."""
        found: set[str] = set()
        for node in filter(None, map(self.classes.get, (name, *self.bases(name)))):
            flags = (word.value for word in node.keywords if word.arg == "total")
            whole = not any(isinstance(one, ast.Constant) and not one.value for one in flags)
            for key, kind in _annotated(node).items():
                outer = kind.partition("[")[0].rpartition(".")[2]
                if outer == "Required" or (whole and outer != "NotRequired"):
                    found.add(key)
        return frozenset(found)

    @cached_property
    def aliases(self) -> dict[str, str]:
        """Names for types, as ``Text = Union[str, bytes]`` or an import gives them, in modules and
        in their stubs -> source of the type; none that another file gives to a class of its own."""
        found: dict[str, str] = {}
        for file in (*self.program.files.values(), *self.program.stubs.values()):
            for one in file.imports:
                if one.module and one.bound != one.name and one.bound[:1].isupper():
                    found[one.bound] = one.name
            for node in ast.walk(file.tree):
                name, value = alias_of(node)
                if value is not None and name.lstrip("_")[:1].isupper():
                    found[name] = ast.unparse(value)
        return {name: source for name, source in found.items() if name not in self.classes}

    def containers_like(self, name: str) -> list[str]:
        """Returns Python's own containers that have all members of a protocol."""
        wanted = self.missing(name).names
        if not wanted or "Protocol" not in self.bases(name):
            return []
        have = {kind: {*dir(made)} for kind, made in CONTAINERS.items()}
        return [kind for kind, names in have.items() if wanted <= names]

    def missing(self, name: str) -> AbstractMembers:
        """Returns what a class leaves to those derived from it: members of a protocol, abstract
        methods and properties; cached."""
        if name not in self._missing:
            self._missing[name] = AbstractMembers()  # a class may be derived from its own name
            self._missing[name] = self._find_missing(name)
        return self._missing[name]

    def _find_missing(self, name: str) -> AbstractMembers:
        node = self.classes.get(name)
        if node is None:
            return AbstractMembers()
        own = {name for statement in node.body for name in bound_names(statement)}
        bases = [leaf(base) for base in _plain_bases(node)]
        abstract = {key: f for key, f in _functions(node).items() if _is_abstract(f)}
        attributes: dict[str, str] = {}
        methods: dict[str, tuple[tuple[str, ...], str]] = {}
        if "Protocol" in bases:
            abstract = {key: f for key, f in _functions(node).items() if not key.startswith("__")}
            attributes = _annotated(node)
        for key, function in abstract.items():
            returns = ast.unparse(function.returns) if function.returns else ""
            if any(leaf(one).endswith("property") for one in function.decorator_list):
                attributes[key] = returns
            else:
                arguments = [*function.args.posonlyargs, *function.args.args][1:]
                methods[key] = (tuple(one.arg for one in arguments), returns)
        for shape in map(self.missing, bases):
            attributes |= {k: v for k, v in shape.attributes.items() if k not in own}
            methods |= {k: v for k, v in shape.methods.items() if k not in own}
        return AbstractMembers(attributes, methods)


def _classes(files: Mapping[str, SourceFile], *, public: bool = True) -> Iterator[ast.ClassDef]:
    """Yields the public classes at the top of modules, or the others."""
    nodes = (node for file in files.values() for node in file.tree.body)
    found = (node for node in nodes if isinstance(node, ast.ClassDef))
    return (node for node in found if node.name.startswith("_") is not public)


def _is_typed_dict(node: ast.ClassDef) -> bool:
    return "TypedDict" in map(leaf, node.bases)


def _plain_bases(node: ast.ClassDef) -> list[ast.expr]:
    return [one.value if isinstance(one, ast.Subscript) else one for one in node.bases]


def _functions(node: ast.ClassDef) -> dict[str, FunctionNode]:
    return {one.name: one for one in node.body if isinstance(one, FunctionNode)}


def _annotated(node: ast.ClassDef | None) -> dict[str, str]:
    body = node.body if node is not None else ()
    found = (one for one in body if isinstance(one, ast.AnnAssign))
    return {leaf(one.target): ast.unparse(one.annotation) for one in found}


def _is_left_open(function: FunctionNode) -> bool:
    first, *more = function.body
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    last = more[0] if documented and len(more) == 1 else first
    raised = last.exc if isinstance(last, ast.Raise) else None
    return raised is not None and bare_leaf(raised) == "NotImplementedError"


def _is_abstract(function: FunctionNode) -> bool:
    return any(leaf(one).startswith("abstract") for one in function.decorator_list)
