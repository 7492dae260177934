"""Types of expressions, by the types of the variables in them."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence

from pytest_lift.agents.offline.arguments.flow.definitions import (
    PROPERTIES,
    Class,
    Defined,
    Definitions,
    Function,
)
from pytest_lift.agents.offline.arguments.flow.known_types import KnownTypes, Place
from pytest_lift.agents.offline.arguments.flow.program_blocks import ProgramBlock
from pytest_lift.agents.offline.arguments.flow.value_types import (
    ANYTHING,
    MAPPINGS,
    NONE,
    NOTHING,
    UNKNOWN,
    Type,
    Types,
    generic,
    items_of,
    joined,
    part_of,
    plain,
    told,
    values_of,
)
from pytest_lift.source.exits import is_generator
from pytest_lift.source.syntax import leaf

GIVING = {
    "int": ("len", "int", "ord", "round", "index", "find", "count", "hash", "id", "rfind"),
    "str": ("str", "repr", "format", "join", "strip", "lower", "upper", "replace", "decode", "chr",
            "lstrip", "rstrip", "title", "capitalize", "hex", "bin", "oct", "casefold", "ascii"),
    "list": ("list", "sorted", "split", "splitlines", "rsplit"), "bytes": ("encode", "bytes"),
    "bool": ("bool", "isinstance", "startswith", "endswith", "hasattr", "any", "all", "callable",
             "issubclass", "isdigit", "isalpha", "isspace"),
    "float": ("float",), "dict": ("dict",), "set": ("set", "frozenset"), "tuple": ("tuple",),
}  # fmt: skip
"""Kind -> functions and methods that return such values."""
KIND_GIVEN = {name: kind for kind, names in GIVING.items() for name in names}
SAME_ITEMS = frozenset({"list", "sorted", "set", "frozenset", "iter", "reversed"})
KEEPING = frozenset({"copy", "deepcopy"})
OF_BUILTINS = frozenset(
    name for kind in (str, bytes, list, dict, set, int) for name in vars(kind)
)  # fmt: skip
"""Methods of Python's own types: a call of one on an unknown object tells nothing."""
MOST_OWNERS = 3
"""Most classes with a method of one name for which a call on an unknown object counts."""
VAGUE = plain("type", "dict", "list", "tuple")
"""Hints of results that what is returned tells better."""


class Evaluator:
    """Tells the types of expressions by what is known of places so far."""

    def __init__(self, definitions: Definitions, known: KnownTypes) -> None:
        self.definitions = definitions
        self.known = known

    def of(self, node: ast.expr | None, block: ProgramBlock) -> Types:
        """Returns the types that an expression may have, as far as they are known."""
        try:
            return self._of(node, block)
        except RecursionError:
            return ANYTHING

    def _of(self, node: ast.expr | None, block: ProgramBlock) -> Types:
        match node:
            case None | ast.Constant(value=None):
                return frozenset({NONE})
            case ast.Constant(value=value):
                return plain(type(value).__name__)
            case ast.JoinedStr():
                return plain("str")
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return plain("bool")
            case ast.UnaryOp(operand=operand):
                return self.of(operand, block)
            case ast.BoolOp(values=values):
                return joined(self.of(one, block) for one in values)
            case ast.IfExp(body=body, orelse=other):
                return joined((self.of(body, block), self.of(other, block)))
            case ast.NamedExpr(value=value) | ast.Await(value=value):
                return self.of(value, block)
            case ast.Lambda():
                return plain("Callable")
            case ast.List(elts=items):
                return generic("list", self._of_items(items, block))
            case ast.Set(elts=items):
                return generic("set", self._of_items(items, block))
            case ast.Tuple(elts=items):
                return generic("tuple", *(self.of(one, block) for one in items))
            case ast.Dict(keys=keys, values=values):
                named = [one for one in keys if one is not None]
                return generic("dict", self._of_items(named, block), self._of_items(values, block))
            case ast.ListComp(elt=item):
                return generic("list", self.of(item, block))
            case ast.SetComp(elt=item):
                return generic("set", self.of(item, block))
            case ast.GeneratorExp(elt=item):
                return generic("Iterator", self.of(item, block))
            case ast.DictComp(key=key, value=value):
                return generic("dict", self.of(key, block), self.of(value, block))
            case ast.BinOp():
                return self._of_operation(node, block)
            case ast.Name(id=name):
                return self._of_name(name, block)
            case ast.Attribute(value=value, attr=name):
                return self._of_attribute(value, name, block)
            case ast.Subscript(value=value, slice=at):
                return self._of_item(value, at, block)
            case ast.Call():
                return self._of_call(node, block)
        return ANYTHING

    def _of_items(self, items: list[ast.expr], block: ProgramBlock) -> Types:
        return joined(
            items_of(self.of(one.value, block))
            if isinstance(one, ast.Starred)
            else self.of(one, block)
            for one in items
        )

    def _of_operation(self, node: ast.BinOp, block: ProgramBlock) -> Types:
        left, right = self.of(node.left, block), self.of(node.right, block)
        names = {one.name for one in left | right}
        if isinstance(node.op, ast.Mod) and {one.name for one in left} == {"str"}:
            return plain("str")
        if names <= {"int", "float", "bool"} and names:
            return plain("float" if "float" in names or isinstance(node.op, ast.Div) else "int")
        if isinstance(node.op, ast.Add | ast.BitOr | ast.Sub | ast.BitAnd) and len(names) == 1:
            return joined((left, right))
        if isinstance(node.op, ast.Add) and "str" in names:
            return plain("str")
        if isinstance(node.op, ast.Mult) and names & {"str", "list"} and "int" in names:
            return frozenset(one for one in left | right if one.name in ("str", "list"))
        return NOTHING if not left and not right else ANYTHING

    def _of_name(self, name: str, block: ProgramBlock) -> Types:
        place = block.place(name)
        if place is not None:
            return self.known.of(place, NOTHING)
        found = self.definitions.named(block.path, name)
        if found is not None:
            return _defined(found)
        imported = self._variable_of(block.path, name)
        if imported is not None:
            return self.known.of(imported, NOTHING)
        python = getattr(builtins, name, None)
        if isinstance(python, type):
            return generic("type", plain(name))
        return plain("Callable") if callable(python) else ANYTHING

    def _variable_of(self, path: str, name: str) -> Place | None:
        """Returns the variable of another module that a file imports."""
        file = self.definitions.program.files[path]
        for one in file.imports:
            if one.bound == name and one.module:
                other = self.definitions.program.by_module.get(one.module)
                return ("variable", other.path, "", one.name) if other is not None else None
        return None

    def _of_attribute(self, value: ast.expr, name: str, block: ProgramBlock) -> Types:
        owners = self.of(value, block)
        if name == "__class__":
            return joined(generic("type", frozenset({one})) for one in owners)
        return joined(self._attribute(one, name) for one in owners)

    def _attribute(self, owner: Type, name: str) -> Types:
        if owner.name == "module":
            return self._of_module(owner, name)
        if owner.name == "type" and owner.arguments:
            return joined(self._of_class(one.name, name) for one in owner.arguments[0])
        method = self.definitions.method(owner.name, name)
        if method is not None:
            if not PROPERTIES.isdisjoint(method.decorators):
                return self.result(method)
            return plain("Callable")
        return self._of_class(owner.name, name)

    def _of_module(self, module: Type, name: str) -> Types:
        path = next(iter(module.arguments[0])).name
        found = self.definitions.named(path, name)
        if found is not None:
            return _defined(found)
        return self.known.of(("variable", path, "", name), ANYTHING)

    def _of_class(self, owner: str, name: str) -> Types:
        """Returns the types of an attribute of objects of a class, or of the class itself."""
        classes = [*self.definitions.above(owner)]
        if not classes:
            return ANYTHING
        places = (("attribute", one.name, name) for one in classes)
        found = [self.known.of(place) for place in places if place in self.known]
        if found:
            return found[0] or joined(found)
        return plain("Callable") if self.definitions.method(owner, name) else NOTHING

    def _of_item(self, value: ast.expr, at: ast.expr, block: ProgramBlock) -> Types:
        types = self.of(value, block)
        if isinstance(at, ast.Slice):
            return joined(
                frozenset({one}) if one.name in ("str", "list", "bytes") else ANYTHING
                for one in types
            )
        if {one.name for one in types} <= MAPPINGS and types:
            return values_of(types)
        if isinstance(at, ast.Constant) and isinstance(at.value, int):
            return part_of(types, at.value)
        got = (self.definitions.method(one.name, "__getitem__") for one in types)
        own = [self.result(one) for one in got if one is not None]
        return joined(own) if own else values_of(types)

    def _of_call(self, node: ast.Call, block: ProgramBlock) -> Types:
        called = self.called(node.func, block)
        if called:
            return joined(
                plain(one.name) if isinstance(one, Class) else self.result(one) for one in called
            )
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        name = node.func.id if isinstance(node.func, ast.Name) else name
        first = node.args[0] if node.args else None
        if isinstance(node.func, ast.Name) and first is not None:
            if name in SAME_ITEMS:
                kind = KIND_GIVEN.get(name, "Iterator")
                return generic(kind, items_of(self.of(first, block)))
            if name == "enumerate":
                item = items_of(self.of(first, block))
                return generic("Iterator", generic("tuple", plain("int"), item))
            if name == "range":
                return plain("range")
            if name in ("next", "min", "max"):
                return items_of(self.of(first, block)) if len(node.args) == 1 else ANYTHING
            if name == "super":
                return ANYTHING
        if name in KEEPING and first is not None:
            return self.of(first, block)
        if isinstance(node.func, ast.Attribute):
            return self._of_method(node.func, name, block)
        if name in KIND_GIVEN:
            return plain(KIND_GIVEN[name])
        made = self.of(node.func, block)
        return _objects_of(made) or (ANYTHING if made else NOTHING)

    def _of_method(self, function: ast.Attribute, name: str, block: ProgramBlock) -> Types:
        """Returns what a method of a value of Python's own gives."""
        owners = self.of(function.value, block)
        names = {one.name for one in owners}
        if names and names <= MAPPINGS:
            if name in ("get", "pop", "setdefault"):
                return values_of(owners)
            if name == "values":
                return generic("Iterable", values_of(owners))
            if name == "keys":
                return generic("Iterable", items_of(owners))
            if name == "items":
                pair = generic("tuple", items_of(owners), values_of(owners))
                return generic("Iterable", pair)
        if name in ("pop", "popleft") and names <= {"list", "deque", "set"} and names:
            return items_of(owners)
        if name == "copy":
            return owners
        if name in KIND_GIVEN and name in OF_BUILTINS:
            kind = KIND_GIVEN[name]
            return generic("list", plain("str")) if kind == "list" else plain(kind)
        made = self._of_attribute(function.value, name, block)
        return _objects_of(made) or (ANYTHING if owners else NOTHING)

    def result(self, function: Function) -> Types:
        """Returns what calls of a function give."""
        node = function.node
        hinted = told(ast.unparse(node.returns)) if node.returns is not None else NOTHING
        if hinted and UNKNOWN not in hinted and hinted.isdisjoint(VAGUE):
            return hinted
        if function.owner and node.returns is not None and leaf(node.returns) == "Self":
            return plain(function.owner)
        found = self.known.of(("result", function.path, function.symbol), NOTHING)
        found = generic("Iterator", found) if found and is_generator(node) else found
        return found or hinted

    def called(self, function: ast.expr, block: ProgramBlock) -> Sequence[Function | Class]:
        """Returns the functions and classes of the program that a call may be of."""
        if isinstance(function, ast.Name):
            return self._named(function.id, block)
        if not isinstance(function, ast.Attribute):
            return []
        name = function.attr
        if isinstance(function.value, ast.Call) and _is_super(function.value):
            bases = [*self.definitions.above(block.owner)][1:]
            return [one.methods[name] for one in bases if name in one.methods][:1]
        owners = self.of(function.value, block)
        found: list[Function | Class] = []
        for one in owners:
            found += self._method_of(one, name)
        if found or (owners and UNKNOWN not in owners):
            return found
        return [*self._methods_called(name)]

    def _named(self, name: str, block: ProgramBlock) -> list[Function | Class]:
        inner: ProgramBlock | None = block
        while inner is not None and inner.symbol:
            nested = (block.path, f"{inner.symbol}.<locals>.{name}")
            if nested in self.definitions.functions:
                return [self.definitions.functions[nested]]
            inner = inner.outer
        if block.place(name) is not None:
            return [*self._classes_in(self._of_name(name, block))]
        found = self.definitions.named(block.path, name)
        return [found] if isinstance(found, Function | Class) else []

    def _classes_in(self, types: Types) -> Iterator[Class]:
        for made in _objects_of(types):
            if made.name in self.definitions.classes:
                yield self.definitions.classes[made.name]

    def _method_of(self, owner: Type, name: str) -> Iterator[Function | Class]:
        if owner.name == "module":
            found = self.definitions.named(next(iter(owner.arguments[0])).name, name)
            if isinstance(found, Function | Class):
                yield found
        elif owner.name == "type" and owner.arguments:
            for one in owner.arguments[0]:
                method = self.definitions.method(one.name, name)
                yield from [method] if method is not None else ()
        else:
            method = self.definitions.method(owner.name, name)
            yield from [method] if method is not None else ()
            below = self.definitions.below.get(owner.name, ())
            yield from (one.methods[name] for one in below if name in one.methods)

    def _methods_called(self, name: str) -> Iterator[Function]:
        """Yields the methods that a call on an unknown object may be of: those of few classes, or
        of classes with one base that has it."""
        owners = self.definitions.owners.get(name, ()) if name not in OF_BUILTINS else ()
        known = {*owners}
        tops = {[one.name for one in self.definitions.above(own) if one.name in known][-1]
                for own in owners}  # fmt: skip
        if len(tops) <= MOST_OWNERS:
            yield from (self.definitions.classes[one].methods[name] for one in owners)


def _objects_of(classes: Types) -> Types:
    """Returns the types of the objects that calls of classes give; none of what is no class."""
    made = (one.arguments[0] for one in classes if one.name == "type" and one.arguments)
    return joined(made)


def _defined(found: Defined) -> Types:
    """Returns the types of a class, a function or a module itself."""
    if isinstance(found, Class):
        return generic("type", plain(found.name))
    if isinstance(found, Function):
        return plain("Callable")
    return frozenset({Type("module", (plain(found.path),))})


def _is_super(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "super"
