"""Parameters that no signature tells: keywords that a body reads, fields of a class."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pytest_lift.source.program import Parameter, SourceFile, Symbol
from pytest_lift.source.syntax import FunctionNode

READING = frozenset({"get", "pop", "setdefault"})


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


def fields_of(file: SourceFile, symbol: Symbol) -> tuple[Parameter, ...]:
    """Returns the annotated fields of a dataclass or `NamedTuple` as its constructor's
    parameters."""
    made = any("dataclass" in d or "attr" in d for d in symbol.decorators)
    if not made and not any("NamedTuple" in base for base in symbol.bases):
        return ()
    for node in file.tree.body:
        if isinstance(node, ast.ClassDef) and node.name == symbol.name:
            return tuple(
                Parameter(
                    item.target.id,
                    "positional",
                    ast.unparse(item.value) if item.value else None,
                    ast.unparse(item.annotation),
                )
                for item in node.body
                if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
            )
    return ()
