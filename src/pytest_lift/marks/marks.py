"""Marks and fields in a test file, by `ast`: ids, their places, and what is malformed.

Nothing of the file is imported, so only literals are read, names that the module binds to literals
once, and marks that the module gives a name to, once. The same rules hold at run time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pytest_lift.marks.fields import (
    EMERGENT,
    Documented,
    FieldPlaces,
    TextSpan,
    docstring_of,
    fields_of,
)
from pytest_lift.source.bindings import Bindings, bindings, import_bindings
from pytest_lift.source.syntax import FunctionNode, leaf

ID_KEYWORDS = ("id", "ids")
"""Keywords of marks for ids, as pytest-reqcov has them."""
_DEEPEST_NAME = 3
"""Largest number of names that are followed from one to the next."""
_Collection = ast.List | ast.Tuple | ast.Set


@dataclass(frozen=True)
class LinkNames:
    """The names by which a test is linked to requirements."""

    markers: tuple[str, ...] = ("req",)
    """`req` of ``@pytest.mark.req("ENC-1")``."""
    properties: tuple[str, ...] = ()
    """`verifies` of ``record_property("verifies", "ENC-1")``."""

    @classmethod
    def configured(cls, markers: Iterable[str], properties: Iterable[str]) -> LinkNames:
        """Returns `req` and the names that the project has configured beside it."""
        return cls(tuple(dict.fromkeys((*cls.markers, *markers))), tuple(properties))

    def may_occur_in(self, text: str) -> bool:
        """Whether a text holds one of the names, or `emergent`."""
        names = (EMERGENT, *self.markers, *self.properties)
        return bool(self.markers) and any(name in text for name in names)


DEFAULT_LINK_NAMES = LinkNames()
NO_LINK_NAMES = LinkNames(())
"""Names for readers that need no links: marks are not read at all."""


class Id(NamedTuple):
    """An id in a mark, and the string literal that holds it; in a field the id alone."""

    value: str
    place: TextSpan


class Fault(NamedTuple):
    """Argument of a mark that can never be an id."""

    what: str
    place: TextSpan


class Mark(NamedTuple):
    """One use of a mark, of a property, or of a field in a docstring, on tests."""

    name: str
    place: TextSpan
    ids: tuple[Id, ...] = ()
    """Ids of the mark; of `emergent`, its strings."""
    faults: tuple[Fault, ...] = ()
    unreadable: int = 0
    """Number of arguments that cannot be read without running the file."""
    row: bool = False
    """Whether it holds for one row of a parametrized test only."""
    in_docstring: bool = False
    """Whether it is a field, not a mark."""


class MarkReader:
    """Reads the marks and fields of one module."""

    def __init__(
        self, module: ast.Module, lines: Sequence[str], names: LinkNames = DEFAULT_LINK_NAMES
    ) -> None:
        self._bindings = bindings(module.body)
        self.bound = self._bindings.once
        """Value of each name of the module that one plain assignment binds."""
        self._lines = lines
        self._names = names
        self._known = {*names.markers, EMERGENT}
        self._mark_names = {"mark", *_names_of_mark(module.body, self.bound)}
        self._adds = "add_marker" in "".join(lines)
        self._of_name: dict[str, tuple[Mark, ...]] = {}
        self._classes = {node.name: node for node in module.body if isinstance(node, ast.ClassDef)}
        self._functions = {
            node.name: node for node in module.body if isinstance(node, FunctionNode)
        }
        self._of_class: dict[int, tuple[Mark, ...]] = {}
        self._by_call = self._marked_by_call(module.body)
        self.of_module = (*self._pytestmarks(self._bindings), *self._fields(module))
        """Links in the module's `pytestmark` and docstring."""

    def of_test(self, function: FunctionNode, classes: Sequence[ast.ClassDef]) -> tuple[Mark, ...]:
        """Returns all marks that hold for the test: its own, those of its classes inside out, the
        module's. `classes` are the enclosing ones, outermost first."""
        outer = [mark for node in reversed(classes) for mark in self.of_class(node)]
        return (*self.of_function(function), *outer, *self.of_module)

    def of_function(self, function: FunctionNode) -> list[Mark]:
        """Returns links on a function and in its docstring, marks that its body adds, and
        properties that it records."""
        found = [mark for node in function.decorator_list for mark in self._marks(node)]
        found += self._fields(function)
        found += self._added(function) if self._adds else ()
        if self._functions.get(function.name) is function:
            found += self._by_call.get(function.name, ())
        return [*found, *self._properties(function)] if self._names.properties else found

    def of_class(self, node: ast.ClassDef) -> tuple[Mark, ...]:
        """Returns links on a class, and on those of the module that it is derived from."""
        known = self._of_class.get(id(node))
        if known is None:
            self._of_class[id(node)] = ()  # a class may be derived from another of its own name
            found = self.on_class(node)
            for base in node.bases:
                if isinstance(base, ast.Name) and base.id in self._classes:
                    found += self.of_class(self._classes[base.id])
            known = self._of_class[id(node)] = tuple(found)
        return known

    def on_class(self, node: ast.ClassDef) -> list[Mark]:
        """Returns links on the class itself."""
        found = [mark for part in node.decorator_list for mark in self._marks(part)]
        if self._classes.get(node.name) is node:
            found += self._by_call.get(node.name, ())
        return [*found, *self._pytestmarks(bindings(node.body)), *self._fields(node)]

    def _pytestmarks(self, bound: Bindings) -> Iterator[Mark]:
        """Yields the value of `pytestmark`: its last binding counts, because pytest reads the name
        when the block has run."""
        value = bound.last.get("pytestmark")
        if value is not None:
            yield from self._marks(value)
        elif values := bound.unclear.get("pytestmark"):
            yield self._unreadable(values[-1])

    def _marked_by_call(self, body: Sequence[ast.stmt]) -> dict[str, tuple[Mark, ...]]:
        """Returns name -> the marks that it is given by ``pytest.mark.req("D-7")(TestClass)``."""
        found: dict[str, tuple[Mark, ...]] = {}
        for node in body:
            match node:
                case (
                    ast.Expr(value=ast.Call(func=ast.Call() as mark, args=[ast.Name(id=name)]))
                    | ast.Assign(value=ast.Call(func=ast.Call() as mark, args=[ast.Name(id=name)]))
                ) if self.marker(mark.func):
                    found[name] = (*found.get(name, ()), *self._marks(mark))
        return found

    def _added(self, function: FunctionNode) -> Iterator[Mark]:
        """Yields marks that a body adds: ``request.node.add_marker(pytest.mark.req("D-7"))``."""
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and leaf(node.func) == "add_marker":
                for part in node.args[:1]:
                    yield from self._marks(part)

    def _unreadable(self, node: ast.expr, row: bool = False) -> Mark:
        return Mark(self._names.markers[0], self.place(node), unreadable=1, row=row)

    def _marks(self, node: ast.expr, depth: int = 0) -> Iterator[Mark]:
        """Yields every mark in an expression, in the order of the text."""
        todo: list[tuple[ast.AST, bool]] = [(node, False)]
        while todo:
            part, row = todo.pop()
            if isinstance(part, ast.Constant):
                continue
            if isinstance(part, ast.Call) and (name := self.marker(part.func)):
                yield self._mark(name, part, row)
            elif isinstance(part, ast.Attribute) and (name := self.marker(part)):
                yield self._bare(name, part, row)
            elif isinstance(part, ast.Name):
                yield from self._named(part, row, depth)
            else:
                row = row or (isinstance(part, ast.Call) and leaf(part.func) == "param")
                todo += [(child, row) for child in reversed([*ast.iter_child_nodes(part)])]

    def _named(self, node: ast.Name, row: bool, depth: int) -> Iterator[Mark]:
        """Yields the marks that the module gave this name to."""
        value = self.bound.get(node.id)
        if depth >= _DEEPEST_NAME:
            return
        if value is None:
            values = self._bindings.unclear.get(node.id, ())
            if any(True for each in values for _ in self._marks(each, depth + 1)):
                yield self._unreadable(node, row)
            return
        if isinstance(value, ast.Attribute) and (name := self.marker(value)):
            yield self._bare(name, node, row)
            return
        if node.id not in self._of_name:
            self._of_name[node.id] = tuple(self._marks(value, depth + 1))
        for mark in self._of_name[node.id]:
            yield mark._replace(row=True) if row and not mark.row else mark

    def marker(self, node: ast.expr) -> str | None:
        """Returns ``req`` for ``pytest.mark.req``, also under a name that the module gave it."""
        if isinstance(node, ast.Attribute):
            if node.attr == "with_args":
                return self.marker(node.value)
            return node.attr if node.attr in self._known and self._is_mark(node.value) else None
        if isinstance(node, ast.Name):
            value = self.bound.get(node.id)
            return self.marker(value) if isinstance(value, ast.Attribute) else None
        return None

    def _is_mark(self, node: ast.expr) -> bool:
        """Whether an expression is ``pytest.mark`` or a name that the module gave it."""
        return (
            leaf(node) in self._mark_names if isinstance(node, ast.Name) else leaf(node) == "mark"
        )

    def _bare(self, name: str, node: ast.expr, row: bool) -> Mark:
        place = self.place(node)
        faults = () if name == EMERGENT else (Fault("names no requirement", place),)
        return Mark(name, place, faults=faults, row=row)

    def _mark(self, name: str, call: ast.Call, row: bool) -> Mark:
        place, said = self.place(call), _Said(self)
        for node in call.args:
            said.hear(node)
        if name == EMERGENT:
            for keyword in call.keywords:
                said.hear(keyword.value)
            return Mark(name, place, tuple(said.ids), row=row)
        for keyword in call.keywords:
            if keyword.arg in ID_KEYWORDS:
                said.hear(keyword.value)
            elif keyword.arg is None:
                said.unreadable += 1
            else:
                what = f"has a keyword argument: {keyword.arg}"
                said.faults.append(Fault(what, self.place(keyword)))
        if not (said.ids or said.faults or said.unreadable):
            said.faults.append(Fault("names no requirement", place))
        return Mark(name, place, tuple(said.ids), tuple(said.faults), said.unreadable, row)

    def _properties(self, function: FunctionNode) -> Iterator[Mark]:
        """Yields properties that a body records, as by ``record_property("verifies", "X")``."""
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and (pair := _recorded(node)):
                key, value = pair
                if isinstance(key, ast.Constant) and key.value in self._names.properties:
                    said = _Said(self)
                    said.hear(value)
                    ids = tuple(one for found in said.ids for one in _listed(found))
                    faults = tuple(said.faults)
                    yield Mark(key.value, self.place(node), ids, faults, said.unreadable)

    def _fields(self, node: Documented) -> Iterator[Mark]:
        """Yields the fields of a docstring; an id is looked for in the lines of the field."""
        docstring = docstring_of(node)
        for found in fields_of(docstring.text) if docstring else ():
            assert docstring is not None
            places = FieldPlaces(self._lines, docstring, found)
            place = places.whole or self.place(docstring.literal)
            # Escapes may have moved the lines: then the place of an id is not known.
            none = TextSpan(place.line, place.column, place.line, place.column)
            ids = tuple(Id(value, places.next(value) or none) for value in found.values)
            empty = found.name != EMERGENT and not ids
            faults = (Fault("names no requirement", place),) if empty else ()
            yield Mark(found.name, place, ids, faults, in_docstring=True)

    def place(self, node: ast.expr | ast.keyword) -> TextSpan:
        """Returns the place of a node, in characters of the text."""
        end_line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return TextSpan(
            node.lineno,
            self._column(node.lineno, node.col_offset),
            end_line,
            self._column(end_line, end),
        )

    def _column(self, line: int, offset: int) -> int:
        if line > len(self._lines):  # an encoding that spells ends of lines in another way
            return offset + 1
        text = self._lines[line - 1]
        return offset + 1 if text.isascii() else self._characters(text, line, offset) + 1

    def _characters(self, text: str, line: int, offset: int) -> int:
        """Returns the column in characters: `ast` counts UTF-8 bytes of the decoded line."""
        encoding = _encoding(self._lines[:2])
        raw = text.encode("utf-8", "surrogateescape")
        if line == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        try:
            before = raw.decode(encoding, "replace").encode()[:offset].decode("utf-8", "ignore")
            return len(before.encode(encoding, "replace").decode("utf-8", "surrogateescape"))
        except (LookupError, UnicodeError):
            return offset


def _names_of_mark(body: Iterable[ast.stmt], bound: Mapping[str, ast.expr]) -> Iterator[str]:
    """Yields names that a module gives to `pytest.mark`, by an import or by ``m = pytest.mark``."""
    for node in body:
        if isinstance(node, ast.ImportFrom) and node.module == "pytest":
            yield from (found.bound for found in import_bindings(node) if found.name == "mark")
    for name, value in bound.items():
        if isinstance(value, ast.Attribute) and value.attr == "mark":
            yield name


def _listed(found: Id) -> Iterator[Id]:
    """Yields the ids between the commas of a property; they share the place of the literal."""
    for part in found.value.split(","):
        if part.strip():
            yield Id(part.strip(), found.place)


class _Said:
    """Meaning of the arguments of one mark."""

    def __init__(self, reader: MarkReader) -> None:
        self._reader = reader
        self.ids: list[Id] = []
        self.faults: list[Fault] = []
        self.unreadable = 0

    def hear(self, node: ast.expr, inside: bool = False, depth: int = 0) -> None:
        """Reads one argument; `inside` says that it stands in a list, where no other may be."""
        if isinstance(node, ast.Constant):
            self._constant(node)
        elif isinstance(node, ast.Starred):
            self.hear(node.value, False, depth)
        elif isinstance(node, _Collection):
            self._collection(node, inside, depth)
        elif isinstance(node, ast.Name) and depth < _DEEPEST_NAME:
            value = self._reader.bound.get(node.id)
            if value is None:
                self.unreadable += 1
            else:
                self.hear(value, inside, depth + 1)
        elif isinstance(node, ast.Dict):
            self._blame("has an argument that is not a string", node)
        else:
            self.unreadable += 1

    def _constant(self, node: ast.Constant) -> None:
        if not isinstance(node.value, str):
            self._blame("has an argument that is not a string", node)
        elif not node.value.strip():
            self._blame("has an empty argument", node)
        else:
            self.ids.append(Id(node.value, self._reader.place(node)))

    def _collection(self, node: ast.List | ast.Tuple | ast.Set, inside: bool, depth: int) -> None:
        if inside:
            self._blame("has a list in a list", node)
        elif not node.elts:
            self._blame("has an empty list", node)
        for element in () if inside else node.elts:
            self.hear(element, True, depth)

    def _blame(self, what: str, node: ast.expr) -> None:
        self.faults.append(Fault(what, self._reader.place(node)))


def _recorded(call: ast.Call) -> tuple[ast.expr, ast.expr] | None:
    """Returns (name, value) of a property that the call records."""
    name = leaf(call.func)
    if name == "record_property" and len(call.args) == 2:
        return call.args[0], call.args[1]
    if name == "append" and isinstance(call.func, ast.Attribute) and len(call.args) == 1:
        pair = call.args[0]
        if leaf(call.func.value) == "user_properties" and isinstance(pair, ast.Tuple):
            return (pair.elts[0], pair.elts[1]) if len(pair.elts) == 2 else None
    return None


def _encoding(first_lines: Sequence[str]) -> str:
    """Returns the encoding by the file's coding cookie; the interpreter has accepted it already."""
    from tokenize import detect_encoding

    data = iter([line.encode("utf-8", "surrogateescape") for line in first_lines])
    found = detect_encoding(lambda: next(data, b""))[0]
    return "utf-8" if found == "utf-8-sig" else found
