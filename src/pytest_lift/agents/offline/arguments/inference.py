"""Infers the kinds of values that parameters take, by how the code uses them."""

from __future__ import annotations

import ast
from collections import OrderedDict, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from pytest_lift.agents.offline.arguments.classes import takes_own_class
from pytest_lift.agents.offline.arguments.flow.function_index import FunctionIndex
from pytest_lift.agents.offline.arguments.known.by_name import kind_by_function, kinds_by_name
from pytest_lift.agents.offline.arguments.known.choices import (
    Tables,
    fallbacks,
    told_by_default,
    variables,
)
from pytest_lift.agents.offline.arguments.known.flags import SWITCH, Flags, Use
from pytest_lift.agents.offline.arguments.known.lookups import Lookups
from pytest_lift.agents.offline.arguments.known.numbers import Numbers
from pytest_lift.agents.offline.arguments.known.offered import OfferedTexts
from pytest_lift.agents.offline.arguments.known.other_places import OtherPlaces
from pytest_lift.agents.offline.arguments.overloads import Row, overloads
from pytest_lift.agents.offline.arguments.uses import (
    ParameterUse,
    called_name,
    class_names,
    copies_of,
    is_matched,
    kind_taken,
    note_attribute,
    note_attribute_call,
    note_call,
    note_changed_item,
    note_choices,
    note_compared,
    note_fallback,
    note_handed,
    note_item,
    note_type,
)
from pytest_lift.agents.offline.natural.kinds import KINDS
from pytest_lift.agents.offline.texts.shaped import filled_texts
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import FunctionNode, chain, parts_of

ARITHMETIC = (ast.Div, ast.Pow, ast.FloorDiv)
"""Operators of numbers alone."""
OF_CONTAINERS = frozenset(
    name for kind in (dict, list, set, OrderedDict, deque) for name in dir(kind) if name[0] != "_"
)
"""Methods of Python's own containers: the program may have others of these names."""
WHOLLY = frozenset({"callable", "list", "predicate"})
"""Kinds that a name tells so surely that no other one is looked for."""
TELLING = (ast.Call, ast.Compare, ast.AugAssign, ast.Subscript, ast.Assign)
"""Nodes that may tell something of the variables in them."""
DEEPEST = 2
"""Most calls, or base classes, that are followed from a function."""


@lru_cache(maxsize=1)
def inference_of(program: Program) -> Inference:
    """Returns what the uses of parameters in a program tell; cached over iterations."""
    return Inference(program)


class Inference:
    """Examines every use of a parameter, up to two calls deep inside the program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = FunctionIndex(program)
        self._usages: dict[tuple[str, str, str], ParameterUse] = {}
        self._overloads: dict[tuple[str, str], Sequence[Row]] = {}

    @property
    def functions(self) -> dict[tuple[str, str], FunctionNode]:
        """(path, qualified name) -> definition, also of what functions define and return."""
        return self.index.functions

    def named(self, leaf: str) -> list[FunctionNode]:
        """Returns the first functions of a name; those that make an object for that of a class."""
        return self.index.by_leaf.get(leaf, [])[:2]

    @cached_property
    def _numeric(self) -> frozenset[str]:
        """Names by which the program knows numpy."""
        imports = (one for file in self.program.files.values() for one in file.imports)
        return frozenset(one.bound for one in imports if one.origin == "numpy")

    def overloads(self, path: str, symbol: str) -> Sequence[Row]:
        """Returns the types of what a function takes together, as `overloads.overloads` does;
        cached."""
        if (path, symbol) not in self._overloads:
            place = self.index.place(path, symbol)
            found = overloads(self.functions[place]) if place is not None else ()
            self._overloads[path, symbol] = found
        return self._overloads[path, symbol]

    def usage(self, path: str, symbol: str, parameter: str) -> ParameterUse:
        """Returns how `parameter` is used, by the code first and by its name last; cached."""
        key = (path, symbol, parameter)
        if key not in self._usages:
            self._usages[key] = self._find_usage(path, symbol, parameter)
        return self._usages[key]

    def _find_usage(self, path: str, symbol: str, parameter: str) -> ParameterUse:
        usage = ParameterUse()
        place, owner = self.index.place(path, symbol), ""
        if place is not None:
            if kind := self._kind_by_function(place, parameter):
                usage.add(kind)
            self._look_from(place, parameter, usage, 0)
            note_choices(self._offered.beside(usage.constants), usage)
            if not (usage.kinds or usage.attributes):
                for other in self._other_places.of(path, parameter):
                    self._look(other, parameter, usage, DEEPEST)
            node, owner = self.functions[place], place[1].rpartition(".")[0]
            unseen = not (usage.kinds or usage.attributes)
            if owner and unseen and takes_own_class(node, parameter):
                usage.add(owner.rpartition(".")[2])
            named = any(kinds_by_name(parameter))
            open_to_any = not usage.kinds and (not named or SWITCH.search(parameter) is not None)
            if open_to_any and self._flags.is_flag(node, owner, parameter):
                usage.add("bool")
        usage.conclude()
        own = bool(owner) and usage.seen == [owner.rpartition(".")[2]]
        told = usage.seen == ["bool"] or (
            (usage.attributes or own) and KINDS.keys().isdisjoint(usage.seen)
        )  # whatever its name says
        for kind in () if told else kinds_by_name(parameter):
            usage.add(kind)
            if kind == "predicate":
                usage.kinds.sort(key=lambda known: known != kind)
            if kind in WHOLLY:
                break
        return usage

    def _kind_by_function(self, place: tuple[str, str], parameter: str) -> str:
        """Returns the kind that the name of a function tells of its first parameter; else ""."""
        taken = self.functions[place].args
        own = [one.arg for one in (*taken.posonlyargs, *taken.args)]
        first = next((name for name in own if name not in ("self", "cls")), "")
        return kind_by_function(place[1].rpartition(".")[2]) if parameter == first else ""

    def _look_from(
        self, place: tuple[str, str], parameter: str, usage: ParameterUse, depth: int
    ) -> None:
        """Looks at a function, at the methods of its class where that keeps the parameter, and at
        the function of a base class that gets it."""
        node, owner = self.functions[place], place[1].rpartition(".")[0]
        self._look(node, parameter, usage, depth)
        for attribute in _kept_in(node, parameter):
            self._look_at_attribute(self.index.related(owner), attribute, usage)
        if depth >= DEEPEST:
            return
        for call in parts_of(node):
            match call:
                case ast.Call(ast.Attribute(ast.Call(ast.Name("super")), "__init__")):
                    for base in self.index.bases.get(owner, ()):
                        self._look_above(base, call, parameter, usage, depth)

    def _look_above(
        self, base: tuple[str, str], call: ast.Call, variable: str, usage: ParameterUse, depth: int
    ) -> None:
        """Looks at the parameters of a base class that get a variable."""
        place = self.index.place(*base)
        values = [*call.args, *(keyword.value for keyword in call.keywords)]
        for value in values:
            if place is not None and isinstance(value, ast.Name) and value.id == variable:
                for name in parameters_of(self.functions[place], call, value):
                    self._look_from(place, name, usage, depth + 1)

    def _look(self, node: ast.AST, name: str, usage: ParameterUse, depth: int) -> None:
        for parent, child in _names_in(node).get(name, ()):
            note_choices(self._tables.chosen(node, parent, child), usage)
            self.note_use(parent, child, usage, depth)
        for inner in parts_of(node):
            if not isinstance(inner, TELLING):
                continue
            if isinstance(inner, ast.Call):
                note_attribute_call(inner, name, usage)
                note_handed(inner, name, usage)
            elif isinstance(inner, ast.Compare):
                note_type(inner, name, usage)
            elif isinstance(inner, ast.AugAssign):
                note_changed_item(inner, name, usage)
            if _has_columns(inner, name):
                usage.add("matrix")
        for other in copies_of(node, name) if depth < DEEPEST else ():
            self._look(node, other, usage, depth + 1)
        note_choices(filled_texts(node, name), usage)
        note_choices(told_by_default(node, name), usage)
        looked_up = self._lookups.found(node, name)
        note_choices(looked_up.whole, usage)
        usage.item_choices += (
            one for one in dict.fromkeys(looked_up.items) if one not in usage.item_choices
        )
        for value in fallbacks(node, name):
            note_fallback(value, usage)

    @cached_property
    def _offered(self) -> OfferedTexts:
        return OfferedTexts(self.program)

    @cached_property
    def _other_places(self) -> OtherPlaces:
        return OtherPlaces(self.program)

    @cached_property
    def _flags(self) -> Flags:
        return Flags(self.named, self._uses_of)

    def _uses_of(self, owner: str, attribute: str) -> Iterator[Use]:
        """Yields the uses of an attribute of ``self`` in a class and in those around it."""
        related = self.index.related(owner)
        for name, method, parent, child in self._attributes.get(attribute, ()):
            if name in related:
                yield method, parent, child

    @cached_property
    def _tables(self) -> Tables:
        return Tables(self.program)

    @cached_property
    def _lookups(self) -> Lookups:
        return Lookups(self.program, self._tables)

    def note_use(self, parent: ast.AST, child: ast.AST, usage: ParameterUse, depth: int) -> None:
        """Notes what one use of a value tells: the node `parent` around it, `depth` calls away."""
        if isinstance(parent, ast.Attribute):
            note_attribute(parent.attr, usage, called=id(parent) in self._called)
        elif isinstance(parent, ast.For | ast.comprehension) and parent.iter is child:
            usage.add("iterable")
            self._look_at_items(parent, usage)
        elif isinstance(parent, ast.Call):
            self._passed(parent, child, usage, depth)
        elif isinstance(parent, ast.Compare):
            note_compared(parent, child, usage)
            sides = [parent.left, *parent.comparators]
            for kind in filter(
                None, (self._numbers.kind(one) for one in sides if one is not child)
            ):
                usage.add(kind)
        elif isinstance(parent, ast.BinOp):
            other = parent.right if parent.left is child else parent.left
            if isinstance(other, ast.Constant):
                kind = type(other.value).__name__
                usage.add(kind if kind in ("str", "bytes") else "int")
            elif isinstance(other, ast.Call) and called_name(other.func) == "timedelta":
                usage.add("datetime")
            elif isinstance(parent.op, ARITHMETIC):
                usage.add("float")
            elif kind := self._numbers.kind(other):
                usage.add(kind)
        elif isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub):
            usage.add("float")
        elif isinstance(parent, ast.Starred | ast.YieldFrom):
            usage.add("iterable")
        elif isinstance(parent, ast.Subscript) and parent.value is child:
            note_item(parent, usage)
        elif isinstance(parent, ast.withitem):
            usage.add("context")
        elif isinstance(parent, ast.Await):
            usage.add("coroutine")

    @cached_property
    def _awaited(self) -> frozenset[int]:
        """The calls whose results are awaited at once, each by its `id`: the trees live as long."""
        nodes = (one for file in self.program.files.values() for one in ast.walk(file.tree))
        return frozenset(id(one.value) for one in nodes if isinstance(one, ast.Await))

    @cached_property
    def _called(self) -> frozenset[int]:
        """What is called, each by its `id`."""
        nodes = (one for file in self.program.files.values() for one in ast.walk(file.tree))
        return frozenset(id(one.func) for one in nodes if isinstance(one, ast.Call))

    @cached_property
    def _numbers(self) -> Numbers:
        return Numbers(self.program)

    def _look_at_attribute(
        self, owners: set[str], attribute: str, usage: ParameterUse, depth: int = 1
    ) -> None:
        """Looks at uses of ``self.attribute``, which holds a parameter, by methods of classes, and
        of a variable there that is another name of it."""
        for owner, method, parent, child in self._attributes.get(attribute, ()):
            if owner in owners:
                note_choices(self._tables.chosen(method, parent, child), usage)
                note_choices(filled_texts(method, f"self.{attribute}"), usage)
                self.note_use(parent, child, usage, depth)
                match parent:
                    case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is child:
                        self._look(method, name, usage, DEEPEST)

    @cached_property
    def _attributes(self) -> dict[str, list[tuple[str, FunctionNode, ast.AST, ast.Attribute]]]:
        """Attribute of ``self`` -> (class, method, node around it, it) of its uses in methods."""
        found: dict[str, list[tuple[str, FunctionNode, ast.AST, ast.Attribute]]] = defaultdict(list)
        for (_, name), node in self.index.defined.items():
            for parent in ast.walk(node):
                for child in ast.iter_child_nodes(parent):
                    if isinstance(child, ast.Attribute) and _is_own(child):
                        owner = name.rpartition(".")[0]
                        found[child.attr].append((owner, node, parent, child))
        return found

    def _look_at_items(self, loop: ast.For | ast.comprehension, usage: ParameterUse) -> None:
        if isinstance(loop.target, ast.Name) and isinstance(loop, ast.For):
            items = ParameterUse()
            for statement in loop.body:
                self._look(statement, loop.target.id, items, 2)
            usage.item_attributes += [a for a in items.attributes if a not in usage.item_attributes]

    def _passed(self, call: ast.Call, child: ast.AST, usage: ParameterUse, depth: int) -> None:
        if call.func is child:
            note_call(call, usage, awaited=id(call) in self._awaited)
            return
        if isinstance(child, ast.Attribute):
            note_handed(call, ast.unparse(child), usage)
        name = called_name(call.func)
        own = isinstance(call.func, ast.Attribute) and chain(call.func)[:1] == ["self"]
        if name == "isinstance" and len(call.args) == 2 and call.args[0] is child:
            for kind in class_names(call.args[1]):
                usage.add(kind)
        elif is_matched(call, child):
            usage.add("str")
        elif (chain(call.func) or [""])[:1] == ["math"]:
            usage.add("float")
        elif (chain(call.func) or [""])[0] in self._numeric:
            usage.add("array")
        elif kind := kind_taken(name, first=call.args[:1] == [child], own=own):
            usage.add(kind)
        elif name in {"int", "float", "str", "bytes"}:
            usage.add("str" if name == "int" else name)
        elif depth < DEEPEST and not name.startswith("__"):
            for node in self.called(call.func, name):
                owner = self.index.constructed.get(id(node), "")
                for parameter in parameters_of(node, call, child):
                    self._look(node, parameter, usage, depth + 1)
                    for attribute in _kept_in(node, parameter) if owner else ():
                        owners = self.index.related(owner)
                        self._look_at_attribute(owners, attribute, usage, depth + 1)

    @cached_property
    def _of_libraries(self) -> frozenset[int]:
        """The functions of modules of others that are called, each by its `id`; a variable of a
        function may be named like a module."""
        found = set[int]()
        libraries = {p: _libraries(file, self.program) for p, file in self.program.files.items()}
        for (path, _), node in self.index.defined.items():
            modules = libraries[path] - variables(node)
            for part in parts_of(node) if modules else ():
                match part:
                    case ast.Call(ast.Attribute(ast.Name(id=name)) as function) if name in modules:
                        found.add(id(function))
        return frozenset(found)

    def called(self, function: ast.expr, name: str) -> list[FunctionNode]:
        """Returns the first functions that a call may mean: methods of `self`, no method where a
        name stands alone, and nothing where an attribute of an object is used like a container, or
        the function is one of a library's module."""
        found = self.index.by_leaf.get(name, [])
        match function:
            case ast.Attribute() if id(function) in self._of_libraries:
                return []
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                found = [one for one in found if _is_method(one)] or found
            case ast.Attribute(value=ast.Attribute()) if name in OF_CONTAINERS:
                return []
            case ast.Name():
                made = (one for one in found if one.name == "__init__" or not _is_method(one))
                found = [*made] or found
        return found[:2]


def _libraries(file: SourceFile, program: Program) -> set[str]:
    """Returns the names by which a file knows modules of others."""
    modules = (one for one in file.imports if not one.module)
    return {one.bound for one in modules if one.top not in program.names}


def _is_method(node: FunctionNode) -> bool:
    first = next(iter((*node.args.posonlyargs, *node.args.args)), None)
    return first is not None and first.arg in ("self", "cls")


def parameters_of(node: FunctionNode, call: ast.Call, value: ast.AST) -> Iterator[str]:
    """Yields the parameters of a function that get a value in a call of it."""
    names = [arg.arg for arg in node.args.posonlyargs + node.args.args]
    if names and names[0] in ("self", "cls"):
        names = names[1:]
    yield from (name for name, one in zip(names, call.args, strict=False) if one is value)
    yield from (one.arg for one in call.keywords if one.value is value and one.arg)


@lru_cache(maxsize=4096)
def _names_in(node: ast.AST) -> Mapping[str, Sequence[tuple[ast.AST, ast.Name]]]:
    """Returns the variables that code reads -> (node around it, it) of each, but for those in what
    decorates it."""
    around = {id(part) for one in _decorators(node) for part in ast.walk(one)}
    found: dict[str, list[tuple[ast.AST, ast.Name]]] = defaultdict(list)
    for parent in (part for part in parts_of(node) if id(part) not in around):
        for child in ast.iter_child_nodes(parent):
            if isinstance(child, ast.Name) and id(child) not in around:
                found[child.id].append((parent, child))
    return dict(found)


def _has_columns(node: ast.AST, name: str) -> bool:
    """Whether the code reads the second dimension of a variable: ``x.shape[1]``,
    ``rows, columns = x.shape``, ``x.sum(axis=1)``, ``np.sum(x, axis=1)``."""
    match node:
        case ast.Subscript(
            value=ast.Attribute(value=ast.Name(id=found), attr="shape"),
            slice=ast.Constant(value=1),
        ):
            return found == name
        case ast.Assign(
            targets=[ast.Tuple(elts=[_, _])],
            value=ast.Attribute(value=ast.Name(id=found), attr="shape"),
        ):
            return found == name
        case ast.Call(keywords=[*_, ast.keyword(arg="axis", value=ast.Constant(value=1))]):
            subjects = [*node.args[:1], getattr(node.func, "value", None)]
            return any(isinstance(one, ast.Name) and one.id == name for one in subjects)
    return False


def _kept_in(node: ast.AST, parameter: str) -> Iterator[str]:
    """Yields the attributes of ``self`` that are assigned the parameter as it is, or a default in
    its place."""
    for assign in parts_of(node):
        if isinstance(assign, ast.Assign | ast.AnnAssign) and assign.value is not None:
            value = assign.value
            if isinstance(value, ast.BoolOp):
                value = value.values[0]
            targets = assign.targets if isinstance(assign, ast.Assign) else [assign.target]
            if isinstance(value, ast.Name) and value.id == parameter:
                yield from (t.attr for t in targets if isinstance(t, ast.Attribute))


def _is_own(node: ast.Attribute) -> bool:
    """Whether a node reads an attribute of ``self``."""
    return isinstance(node.ctx, ast.Load) and chain(node) == ["self", node.attr]


def _decorators(node: ast.AST) -> Sequence[ast.expr]:
    """Returns what decorates a function: ``@name.setter`` of a setter reads no parameter."""
    return node.decorator_list if isinstance(node, FunctionNode) else ()
