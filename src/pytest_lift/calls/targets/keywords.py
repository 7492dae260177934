"""Parameters that no signature tells: keywords that a body reads, fields of a class."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

from pytest_lift.calls.targets.attribute_hints import with_attribute_hints
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.symbols import Parameter, ParameterKind, Symbol
from pytest_lift.source.syntax import FunctionNode, first_line

READING = frozenset({"get", "pop", "setdefault"})
KEYWORDS_ONLY = re.compile(r"\bkw_only\s*=\s*True\b")
"""Decorator of a dataclass whose fields are given by name."""
NO_FIELD, UNGIVEN = re.compile(r"\b(ClassVar|KW_ONLY)\b"), re.compile(r"\binit\s*=\s*False\b")
"""Hints of what is no field, and defaults of fields that no constructor takes."""
DEEPEST = 4
"""Most functions through which keywords are followed."""


def named_keywords(node: ast.AST | None) -> tuple[Parameter, ...]:
    """Returns the keywords that are read from ``**kwargs`` by name: ``kwargs.get("sort")``,
    ``kwargs.pop("ranks", None)``, ``kwargs["name"]`` and ``"name" in kwargs``."""
    if not isinstance(node, FunctionNode) or node.args.kwarg is None:
        return ()
    holder = node.args.kwarg.arg
    own = {arg.arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    found: dict[str, str] = {}
    for name, default in _read(node, holder):
        if name.isidentifier() and name not in own:
            found.setdefault(name, default)
    return tuple(Parameter(name, "keyword", default) for name, default in found.items())


def _read(node: ast.AST, holder: str) -> Iterator[tuple[str, str]]:
    """Yields (name, default) of every reading; ``...`` stands for no default."""
    for inner in ast.walk(node):
        match inner:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr=method),
                args=[ast.Constant(value=str(key)), *rest],
            ) if name == holder and method in READING:
                yield key, ast.unparse(rest[0]) if rest else "None"
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key))) if (
                name == holder
            ):
                yield key, "..."
            case ast.Compare(
                left=ast.Constant(value=str(key)),
                ops=[ast.In() | ast.NotIn()],
                comparators=[ast.Name(id=name)],
            ) if name == holder:
                yield key, "..."


class PassedKeywords:
    """What functions of a program take by ``**kwargs`` for those that they hand it on to:
    ``super().__init__(**kwargs)``."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._nodes: dict[str, dict[int, ast.AST]] = {}

    def of(self, file: SourceFile, symbol: Symbol, deepest: int = DEEPEST) -> tuple[Parameter, ...]:
        """Returns the parameters of the functions that get ``**kwargs``, and of those that get
        theirs, without those that are given there."""
        node = self._node(file, symbol)
        if not isinstance(node, FunctionNode) or node.args.kwarg is None or not deepest:
            return ()
        own = {one.name for one in symbol.parameters}
        found: dict[str, Parameter] = {}
        for call in _handing_on(node, node.args.kwarg.arg):
            for place, called in self._called(call.func, file, symbol):
                given = {keyword.arg for keyword in call.keywords}
                bound = called.parameters[len(call.args) + _is_bound(call.func, called) :]
                further = self.of(place, called, deepest - 1)
                taken = (*bound, *named_keywords(self._node(place, called)), *further)
                if called.leaf == "__init__":
                    taken = with_attribute_hints(taken, place, called.name.rpartition(".")[0])
                for one in taken:
                    if one.name not in own | given and not one.kind.startswith("var-"):
                        told = Parameter(one.name, "keyword", one.default, one.annotation)
                        found.setdefault(one.name, told)
                break
        return tuple(found.values())

    def _called(
        self, func: ast.expr, file: SourceFile, symbol: Symbol
    ) -> Iterator[tuple[SourceFile, Symbol]]:
        """Yields the function, method or constructor that an expression may mean."""
        owner = symbol.name.rpartition(".")[0]
        match func:
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name):
                yield from self._inherited(file, owner, name)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
                yield from self._method(file, owner, name)
            case ast.Attribute(value=ast.Name(id=base), attr=name):
                for place, one in self._named(base, file):
                    yield from self._method(place, one.name, name)
            case ast.Name(id="cls") if owner:
                yield from self._method(file, owner, "__init__")
            case ast.Name(id=name):
                for place, one in self._named(name, file):
                    if one.kind == "class":
                        yield from self._method(place, one.name, "__init__")
                    else:
                        yield place, one

    def _method(
        self, file: SourceFile, owner: str, name: str, deepest: int = DEEPEST
    ) -> Iterator[tuple[SourceFile, Symbol]]:
        yield from ((file, one) for one in file.symbols if one.name == f"{owner}.{name}")
        yield from self._inherited(file, owner, name, deepest - 1)

    def _inherited(
        self, file: SourceFile, owner: str, name: str, deepest: int = DEEPEST
    ) -> Iterator[tuple[SourceFile, Symbol]]:
        bases = (base for one in file.symbols if one.name == owner for base in one.bases)
        for base in bases if deepest else ():
            for place, one in self._named(base.partition("[")[0].rpartition(".")[2], file):
                yield from self._method(place, one.name, name, deepest)

    def _named(self, name: str, file: SourceFile) -> list[tuple[SourceFile, Symbol]]:
        """Returns the class or function of a name: that of the file, else the only one."""
        found = self._top_level.get(name, [])
        return [pair for pair in found if pair[0] is file] or (found if len(found) == 1 else [])

    @cached_property
    def _top_level(self) -> dict[str, list[tuple[SourceFile, Symbol]]]:
        found: dict[str, list[tuple[SourceFile, Symbol]]] = {}
        for file in self.program.files.values():
            for one in file.symbols:
                if "." not in one.name:
                    found.setdefault(one.name, []).append((file, one))
        return found

    def _node(self, file: SourceFile, symbol: Symbol) -> ast.AST | None:
        if file.path not in self._nodes:
            nodes = (node for node in ast.walk(file.tree) if isinstance(node, FunctionNode))
            self._nodes[file.path] = {first_line(node): node for node in nodes}
        return self._nodes[file.path].get(symbol.line)


def _is_bound(func: ast.expr, called: Symbol) -> bool:
    """Whether a call need not name the object: it does in ``Base.__init__(self, size)``."""
    match func:
        case ast.Attribute(value=ast.Name(id=name)) if name not in ("self", "cls"):
            return False
    return called.kind == "method"


def _handing_on(node: ast.AST, holder: str) -> Iterator[ast.Call]:
    """Yields the calls that get ``**kwargs``."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            unpacked = [one.value for one in inner.keywords if one.arg is None]
            if any(isinstance(one, ast.Name) and one.id == holder for one in unpacked):
                yield inner


def with_idle(taken: Sequence[Parameter], program: Program) -> list[Parameter]:
    """Returns the parameters for which stars stand; those are idle that may be left out, and that
    the program neither reads as an attribute nor gives by name."""
    return [
        replace(one, idle=one.default is not None and one.name not in _named_in(program))
        for one in taken
    ]


@lru_cache(maxsize=1)
def _named_in(program: Program) -> frozenset[str]:
    """Returns the attributes, keywords and parameters of a program."""
    found: set[str] = set()
    for file in program.files.values():
        for node in ast.walk(file.tree):
            match node:
                case ast.Attribute(attr=str(name)) | ast.keyword(arg=str(name)) | ast.arg(arg=name):
                    found.add(name)
    return frozenset(found)


def fields_of(file: SourceFile, symbol: Symbol) -> tuple[Parameter, ...]:
    """Returns the annotated fields of a dataclass or `NamedTuple` as its constructor's
    parameters."""
    made = any("dataclass" in d or "attr" in d for d in symbol.decorators)
    if not made and not any("NamedTuple" in base for base in symbol.bases):
        return ()
    named = any(KEYWORDS_ONLY.search(decorator) for decorator in symbol.decorators)
    nodes = (node for node in file.tree.body if isinstance(node, ast.ClassDef))
    body = next((node.body for node in nodes if node.name == symbol.name), [])
    found = []
    for item in body:
        if not isinstance(item, ast.AnnAssign) or not isinstance(item.target, ast.Name):
            continue
        hint = ast.unparse(item.annotation)
        default = ast.unparse(item.value) if item.value else None
        named = named or hint.rpartition(".")[2] == "KW_ONLY"
        if NO_FIELD.search(hint) is None and UNGIVEN.search(default or "") is None:
            kind: ParameterKind = "keyword" if named else "positional"
            found.append(Parameter(item.target.id, kind, default, hint))
    return tuple(found)
