"""A module in a few lines: what it offers by name and signature, nothing of how it does it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from pytest_lift.source.bindings import is_import
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import FunctionNode

LONGEST_LINE = 160
ALWAYS = frozenset({"__init__", "__call__", "__enter__", "__iter__", "__len__", "__getitem__"})
"""Methods that are part of a class's face although their names begin with underscores."""


@lru_cache(maxsize=2048)
def outline(source: SourceFile, program: Program, *, private: bool = False) -> str:
    """Returns the public names of a module with their signatures, one per line; no docstrings, no
    code.

    Names that it takes from other modules of the program, and so offers too, stand at the end.
    """
    lines = [f"module {source.module} ({source.path})"]
    if source.error:
        return f"{lines[0]}: cannot be parsed: {source.error}"
    for node in _definitions(source.tree.body):
        lines += (f"  {line}"[:LONGEST_LINE] for line in _lines(node, private))
    offered = sorted(_offered(source, program))
    if offered:
        lines.append(f"  offers also: {', '.join(offered)}")
    return "\n".join(lines)


def _definitions(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Definitions of the module itself, those under `if` and `try` included."""
    for node in body:
        if isinstance(node, ast.If | ast.Try | ast.With):
            yield from _definitions(node.body)
            yield from _definitions(getattr(node, "orelse", []))
        else:
            yield node


def _lines(node: ast.stmt, private: bool) -> Iterator[str]:
    if isinstance(node, FunctionNode):
        if private or _is_public(node.name):
            yield from _decorators(node)
            yield _signature(node)
    elif isinstance(node, ast.ClassDef):
        if private or _is_public(node.name):
            yield from class_lines(node, private=private)
    else:
        yield from (f"{name} = ..." for name in _assigned(node) if private or _is_public(name))


def class_lines(node: ast.ClassDef, *, private: bool = False) -> Iterator[str]:
    """Yields the head of a class and, indented by two, its attributes and the signatures of its
    methods."""
    bases = [*map(ast.unparse, node.bases), *(ast.unparse(k) for k in node.keywords)]
    yield from _decorators(node)
    yield f"class {node.name}({', '.join(bases)})" if bases else f"class {node.name}"
    for inner in node.body:
        shown = private or _is_public(getattr(inner, "name", ""))
        if isinstance(inner, ast.Assign | ast.AnnAssign):
            if any(private or _is_public(name) for name in _assigned(inner)):
                yield f"  {ast.unparse(inner)}"
        elif isinstance(inner, FunctionNode) and (shown or inner.name in ALWAYS):
            yield from (f"  {line}" for line in _decorators(inner))
            yield f"  {_signature(inner)}"
        elif isinstance(inner, ast.ClassDef) and shown:
            yield from (f"  {line}" for line in class_lines(inner, private=private))


def _signature(node: FunctionNode) -> str:
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{word} {node.name}({ast.unparse(node.args)}){returns}"


def _decorators(node: FunctionNode | ast.ClassDef) -> Iterator[str]:
    return (f"@{ast.unparse(decorator)}" for decorator in node.decorator_list)


def _assigned(node: ast.stmt) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    return (target.id for target in targets if isinstance(target, ast.Name))


def _is_public(name: str) -> bool:
    return not name.startswith("_")


def _offered(source: SourceFile, program: Program) -> set[str]:
    """Returns public names that the module imports from the program."""
    nodes = filter(is_import, _definitions(source.tree.body))
    found = (one for node in nodes for one in source.import_bindings(node))
    return {
        one.bound
        for one in found
        if one.module in program.by_module and _is_public(one.bound) and one.name != "*"
    }


@lru_cache(maxsize=2048)
def imports(source: SourceFile, program: Program) -> tuple[str, ...]:
    """Returns paths of the modules of the program that `source` imports, in order."""
    names = (n for one in source.imports for n in (one.source, f"{one.module}.{one.name}"))
    paths = (program.by_module[name].path for name in names if name in program.by_module)
    return tuple(path for path in dict.fromkeys(paths) if path != source.path)
