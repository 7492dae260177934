"""What each symbol of a program says of itself: its names, docstring, comments and messages, the
options on which it decides, and what it calls."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pytest_lift.source.program import SourceFile
from pytest_lift.source.symbols import Symbol
from pytest_lift.source.syntax import FunctionNode, bare_leaf, first_line, leaf
from pytest_lift.trace.grounding.stems import identifier_terms, text_terms

NAME, OWNER, PARAMETER, DOCSTRING, COMMENT, BODY = 4.0, 1.0, 1.0, 2.0, 1.0, 0.5
"""How much a term counts, by where it stands. Messages and names of inner functions count as
comments do."""
_COMMENT = re.compile(r"(?:^|\s)#(.*)")
_BLOCKS = ("body", "orelse", "finalbody")


@dataclass(frozen=True, eq=False)
class Document:
    """One symbol as a text to be found; methods have documents of their own beside their class."""

    path: str
    symbol: Symbol
    promised: dict[str, float]
    """Term -> weight, in names and the docstring."""
    done: dict[str, float]
    """Term -> weight, in names, comments, messages and the body."""
    decides: frozenset[str]
    """Names on which it branches or with which it computes, without underscores in front."""
    passes: frozenset[str]
    """Names that it only hands on or stores, without underscores in front."""
    uses: frozenset[str]
    """Names and attributes in its body, as they are."""
    calls: frozenset[str]
    """Last parts of what it calls, without underscores in front."""
    raises: frozenset[str]
    extends: bool
    """Whether it calls the method that it overrides: what it does itself is something else."""
    branches: int

    @property
    def key(self) -> tuple[str, str]:
        """(path, qualified name)."""
        return self.path, self.symbol.name


def documents(file: SourceFile) -> tuple[Document, ...]:
    """Returns a document for each symbol of a file, in its order."""
    lines = file.text.splitlines()
    nodes = dict(_definitions(file.tree.body))
    places = ((symbol, nodes.get(symbol.line)) for symbol in file.symbols)
    return tuple(
        _DocumentReader().document(file.path, symbol, node, lines)
        for symbol, node in places
        if node
    )


def _definitions(body: Iterable[ast.stmt]) -> Iterator[tuple[int, FunctionNode | ast.ClassDef]]:
    """Yields (first line, node) of all definitions that are no inner functions."""
    for node in body:
        if isinstance(node, FunctionNode | ast.ClassDef):
            yield first_line(node), node
        if not isinstance(node, FunctionNode):
            for name in _BLOCKS:
                yield from _definitions(getattr(node, name, ()))
            for handler in getattr(node, "handlers", ()):
                yield from _definitions(handler.body)


@dataclass
class _DocumentReader:
    """One document in the making."""

    promised: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    done: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    decides: set[str] = field(default_factory=set)
    passes: set[str] = field(default_factory=set)
    uses: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    raises: set[str] = field(default_factory=set)
    extended: set[str] = field(default_factory=set)
    branches: int = 0

    def document(
        self, path: str, symbol: Symbol, node: FunctionNode | ast.ClassDef, lines: list[str]
    ) -> Document:
        self._name(symbol)
        for statement in _own(node, bool(symbol.doc)):
            self._read(statement)
        for line in lines[symbol.line - 1 : _last_line(node, symbol)]:
            if "#" in line and (comment := _COMMENT.search(line)):
                _count(self.done, text_terms(comment[1]), COMMENT)
        return Document(
            path,
            symbol,
            self.promised,
            self.done,
            frozenset(self.decides),
            frozenset(self.passes - self.decides),
            frozenset(self.uses),
            frozenset(self.calls),
            frozenset(self.raises),
            symbol.leaf in self.extended,
            self.branches,
        )

    def _name(self, symbol: Symbol) -> None:
        owner, _, name = symbol.name.rpartition(".")
        for terms in (self.promised, self.done):
            _count(terms, identifier_terms(name), NAME)
            _count(terms, identifier_terms(owner), NAME if name == "__init__" else OWNER)
            for parameter in symbol.parameters:
                _count(terms, identifier_terms(parameter.name), PARAMETER)
        _count(self.promised, text_terms(symbol.doc), DOCSTRING)

    def _read(self, tree: ast.stmt) -> None:
        deciding: set[int] = set()
        for node in ast.walk(tree):  # from the outside to the inside
            if isinstance(node, ast.Name | ast.Attribute):
                self._use(node, id(node) in deciding)
            else:
                self._read_other(node)
                deciding.update(map(id, self._deciding(node)))

    def _use(self, node: ast.Name | ast.Attribute, decides: bool) -> None:
        name = node.id if isinstance(node, ast.Name) else node.attr
        self.uses.add(name)
        (self.decides if decides else self.passes).add(name.lstrip("_"))
        _count(self.done, identifier_terms(name), BODY)

    def _read_other(self, node: ast.AST) -> None:
        match node:
            case ast.Constant(value=str(text)) if len(text) > 1:
                _count(self.done, text_terms(text), COMMENT)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                _count(self.done, identifier_terms(name), COMMENT)
            case ast.keyword(arg=str(name)):
                _count(self.done, identifier_terms(name), BODY)
            case ast.Raise(exc=ast.expr() as raised):
                self.raises.add(bare_leaf(raised))
            case ast.Call(func=function):
                self.calls.add(leaf(function).lstrip("_"))
                if isinstance(function, ast.Attribute) and _is_super(function.value):
                    self.extended.add(function.attr)

    def _deciding(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yields the names with which a node decides or computes."""
        if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
            self.branches += 1
            yield from _named(node.test)
        elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
            self.branches += not isinstance(node, ast.comprehension)
            yield from _named(node.iter)
        elif isinstance(node, ast.BoolOp | ast.BinOp | ast.Compare):
            yield from _named(node)
        elif isinstance(node, ast.Subscript):
            yield from (node.value, node.slice)


def _named(tree: ast.AST) -> Iterator[ast.AST]:
    """Yields the names of an expression, but those that it hands to calls."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name | ast.Attribute):
            yield node
        if isinstance(node, ast.Call):
            waiting += [node.func.value] if isinstance(node.func, ast.Attribute) else []
        else:
            waiting += ast.iter_child_nodes(node)


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and leaf(node.func) == "super"


def _count(terms: dict[str, float], found: Iterable[str], weight: float) -> None:
    for term in found:
        terms[term] += weight


def _own(node: FunctionNode | ast.ClassDef, documented: bool) -> list[ast.stmt]:
    """Returns the statements that belong to a definition itself, its docstring left out."""
    body = node.body[1:] if documented else node.body
    if isinstance(node, FunctionNode):
        return body
    return [one for one in body if not isinstance(one, FunctionNode | ast.ClassDef)]


def _last_line(node: FunctionNode | ast.ClassDef, symbol: Symbol) -> int:
    """Returns the last line whose comments belong to a symbol: of a class, that before its first
    method."""
    if isinstance(node, FunctionNode):
        return symbol.end_line
    inner = [first_line(one) for one in node.body if isinstance(one, FunctionNode | ast.ClassDef)]
    return min([symbol.end_line + 1, *inner]) - 1
