"""Symbols of a module: its functions, methods and classes, with the hints of a stub file."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pytest_lift.source.syntax import FunctionNode, first_line, runs_as_script

SymbolKind = Literal["function", "method", "class"]
ParameterKind = Literal["positional-only", "positional", "var-positional", "keyword", "var-keyword"]
TELLS_NOTHING = frozenset({"Any", "object", "typing.Any", "Incomplete"})
"""Hints of stubs that no argument can miss."""


@dataclass(frozen=True)
class Parameter:
    """One parameter as it is written in the source."""

    name: str
    kind: ParameterKind
    default: str | None = None
    annotation: str | None = None
    idle: bool = False
    """Whether it is an option for a library, of which the program itself reads nothing."""


@dataclass(frozen=True)
class Symbol:
    """A function, method or class of the program; nested functions belong to the outer one."""

    name: str
    """Qualified inside the module: ``JSONEncoder.default``."""
    kind: SymbolKind
    line: int
    """First line, decorators included: what coverage.py calls the entry of the function."""
    end_line: int
    doc: str
    parameters: tuple[Parameter, ...] = ()
    decorators: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()

    @property
    def leaf(self) -> str:
        return self.name.rpartition(".")[2]

    @property
    def called(self) -> str:
        """Name by which it is called: that of the class for its ``__init__``."""
        owner, _, leaf = self.name.rpartition(".")
        return owner.rpartition(".")[2] if owner and leaf == "__init__" else leaf

    @property
    def is_overload(self) -> bool:
        """Whether it is a signature for type checkers alone."""
        return any(one.rpartition(".")[2] == "overload" for one in self.decorators)

    @property
    def public(self) -> bool:
        """Whether no part of the name is private, as dunders are but `__init__`, `__call__`."""
        open_dunders = {"__init__", "__call__"}
        return all(not p.startswith("_") or p in open_dunders for p in self.name.split("."))


def symbols_of(tree: ast.Module) -> tuple[Symbol, ...]:
    """Returns the symbols of a module in the order of its lines, each class before its methods."""
    return tuple(_symbols(tree.body, ""))


Hints = Mapping[tuple[str, str], str]
"""(name of a symbol, name of a parameter) -> annotation."""


def hints_of(stub: Sequence[Symbol]) -> dict[tuple[str, str], str]:
    """Returns the annotations of a stub (PEP 484); a parameter takes what any of several signatures
    says of it, but for those that say nothing."""
    found: dict[tuple[str, str], list[str]] = {}
    for symbol in stub:
        for one in symbol.parameters:
            if one.annotation and one.annotation not in TELLS_NOTHING:
                found.setdefault((symbol.name, one.name), []).append(one.annotation)
    return {place: " | ".join(dict.fromkeys(several)) for place, several in found.items()}


def hints_by_another_name(hints: Hints, name: str, other: str) -> dict[tuple[str, str], str]:
    """Returns those of a symbol and of what it holds, under the other name: a package's stub also
    tells of what the package imports from its modules."""
    return {
        (other + symbol.removeprefix(name), parameter): annotation
        for (symbol, parameter), annotation in hints.items()
        if symbol == name or symbol.startswith(f"{name}.")
    }


def with_hints(symbols: Sequence[Symbol], hints: Hints) -> tuple[Symbol, ...]:
    """Returns the symbols of a module, parameters without a hint of their own with that of the
    stub."""
    return tuple(_hinted(symbol, hints) for symbol in symbols)


def _hinted(symbol: Symbol, hints: Hints) -> Symbol:
    parameters = tuple(
        replace(one, annotation=one.annotation or hints.get((symbol.name, one.name)))
        for one in symbol.parameters
    )
    return replace(symbol, parameters=parameters)


def _symbols(body: list[ast.stmt], prefix: str) -> Iterator[Symbol]:
    for node in body:
        if isinstance(node, FunctionNode):
            yield _function(node, prefix)
        elif isinstance(node, ast.ClassDef):
            name = prefix + node.name
            yield Symbol(
                name,
                "class",
                first_line(node),
                node.end_lineno or node.lineno,
                ast.get_docstring(node) or "",
                decorators=tuple(ast.unparse(d) for d in node.decorator_list),
                bases=tuple(ast.unparse(base) for base in node.bases),
            )
            yield from _symbols(node.body, f"{name}.")
        else:
            yield from _symbols(_nested_statements(node), prefix)


def _nested_statements(node: ast.stmt) -> list[ast.stmt]:
    """Definitions under module-level `if`, `try` and `with` are the module's own, but for those
    that only a script has."""
    if not isinstance(node, ast.If | ast.Try | ast.With):
        return []
    script = isinstance(node, ast.If) and runs_as_script(node.test)
    nested = [] if script else list(node.body)
    if isinstance(node, ast.Try):
        nested += [s for handler in node.handlers for s in handler.body] + node.finalbody
    if isinstance(node, ast.If | ast.Try):
        nested += node.orelse
    return nested


def _function(node: FunctionNode, prefix: str) -> Symbol:
    return Symbol(
        prefix + node.name,
        "method" if prefix else "function",
        first_line(node),
        node.end_lineno or node.lineno,
        ast.get_docstring(node) or "",
        tuple(parameters_of(node.args)),
        tuple(ast.unparse(d) for d in node.decorator_list),
    )


def parameters_of(args: ast.arguments) -> Iterator[Parameter]:
    """Yields the parameters of a function."""
    plain = args.posonlyargs + args.args
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(args.defaults)) + [*args.defaults]
    for index, (arg, default) in enumerate(zip(plain, defaults, strict=True)):
        kind: ParameterKind = "positional-only" if index < len(args.posonlyargs) else "positional"
        yield _parameter(arg, kind, default)
    if args.vararg:
        yield _parameter(args.vararg, "var-positional")
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        yield _parameter(arg, "keyword", default)
    if args.kwarg:
        yield _parameter(args.kwarg, "var-keyword")


def _parameter(arg: ast.arg, kind: ParameterKind, default: ast.expr | None = None) -> Parameter:
    value, hint = (ast.unparse(node) if node else None for node in (default, arg.annotation))
    return Parameter(arg.arg, kind, value, hint)
