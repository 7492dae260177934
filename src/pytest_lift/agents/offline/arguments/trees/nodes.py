"""Sources of nodes of the `ast` module, as a test makes them: from a short text of Python."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from functools import lru_cache
from textwrap import dedent

from pytest_lift.source.program import SourceFile
from pytest_lift.source.syntax import first_line, parsed, shared_expression

WORKING = re.compile(r"\bast\.(?!literal_eval\b)\w|\bfrom ast import (?!literal_eval\b)")
SIGNS = (ast.boolop, ast.operator, ast.unaryop, ast.cmpop, ast.expr_context)
"""Classes of nodes that have neither a place nor parts."""
OTHER = (ast.stmt, ast.expr, *SIGNS)
MODULES = (ast.Module, ast.Interactive, ast.Expression)
LONGEST = 600
"""Longest text of Python of which a node is made."""
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
"""Statements that are whole wherever they stand."""
DEEPEST = 3
"""Most steps from a statement or an expression to a node that cannot stand alone."""
OLD = {"Num": "Constant", "Str": "Constant", "Bytes": "Constant", "NameConstant": "Constant",
       "Ellipsis": "Constant", "Index": "expr", "ExtSlice": "Slice"}  # fmt: skip
"""Classes of which the parser makes no nodes any more, and what it makes now."""


def works_with_nodes(file: SourceFile) -> bool:
    """Whether a module works with nodes of the `ast` module: to read literals is none."""
    return any(one.top == "ast" for one in file.imports) and WORKING.search(file.text) is not None


def python(text: str, mode: str = "exec") -> ast.AST | None:
    """Returns the tree of a text, None where that is no Python, or Python that is warned of."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return parsed(text, mode)


def is_whole(text: str) -> bool:
    """Whether Python runs a text as it stands: nothing is returned outside of a function, and no
    loop is left outside of one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "<text>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def stays_python(text: str, new: str) -> bool:
    """Whether a changed text is Python, and as whole as it was."""
    return python(new) is not None and (is_whole(new) or not is_whole(text))


def class_named(name: str) -> type[ast.AST] | None:
    """Returns the class of nodes of this name, None where there is none."""
    found = getattr(ast, OLD.get(name, name), None) if name.isidentifier() else None
    return found if isinstance(found, type) and issubclass(found, ast.AST) else None


def sources_of(kind: type[ast.AST], texts: Sequence[str]) -> Iterator[str]:
    """Yields the sources of nodes of a class that stand in texts, each once."""
    seen: set[str] = set()
    for text in texts:
        for source in _in_text(kind, text):
            if source not in seen and len(source) <= LONGEST:
                seen.add(source)
                yield source


def _in_text(kind: type[ast.AST], text: str) -> Iterator[str]:
    tree = python(text)
    if tree is None:
        return
    if issubclass(kind, MODULES) or kind in (ast.AST, ast.mod):
        yield from _whole(kind, text)
        return
    if issubclass(kind, SIGNS):
        found = dict.fromkeys(type(n).__name__ for n in ast.walk(tree) if isinstance(n, kind))
        yield from (f"ast.{name}()" for name in found)
        return
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt | ast.expr):
            continue
        if isinstance(node, kind):
            yield from filter(None, [_alone(node, text)])
        elif not issubclass(kind, ast.stmt | ast.expr):
            for way in _ways(node, kind, ""):
                made = _alone(node, text)
                yield from [made + way] if made else []


def _whole(kind: type[ast.AST], text: str) -> Iterator[str]:
    if kind is ast.Expression:
        if text.strip() and python(text.strip(), "eval") is not None:
            yield f"ast.parse({text.strip()!r}, mode='eval')"
    elif kind is not ast.Interactive:
        yield f"ast.parse({text!r})"


def _alone(node: ast.stmt | ast.expr, text: str) -> str:
    """Returns the source of a node in a text of its own; "" where it cannot stand alone."""
    segment = _segment(node, text)
    if isinstance(node, ast.expr):
        for alone in (segment, f"({segment})"):
            again = python(alone, "eval")
            if isinstance(again, ast.Expression) and type(again.body) is type(node):
                return f"ast.parse({alone!r}, mode='eval').body"
        return ""
    module = python(segment)
    fits = isinstance(module, ast.Module) and [type(one) for one in module.body] == [type(node)]
    fits = fits and (is_whole(segment) or not isinstance(node, DEFINITIONS))
    return f"ast.parse({segment!r}).body[0]" if fits else ""


def _segment(node: ast.stmt | ast.expr, text: str) -> str:
    """Returns the part of a text that a node is, with its decorators, as it stands alone."""
    if isinstance(node, ast.expr):
        return ast.get_source_segment(text, node) or ""
    lines = text.splitlines()[first_line(node) - 1 : node.end_lineno]
    if len(lines) == 1:
        return ast.get_source_segment(text, node) or ""
    return dedent("\n".join(lines)) + "\n"


def _ways(node: ast.AST, kind: type[ast.AST], way: str) -> Iterator[str]:
    """Yields the ways from a node to those of a class that cannot stand alone."""
    if way.count(".") >= DEEPEST:
        return
    for name, value in ast.iter_fields(node):
        parts = value if isinstance(value, list) else [value]
        for at, part in enumerate(parts):
            if not isinstance(part, ast.AST) or isinstance(part, OTHER):
                continue
            here = f"{way}.{name}[{at}]" if isinstance(value, list) else f"{way}.{name}"
            if isinstance(part, kind):
                yield here
            yield from _ways(part, kind, here)


def node_of(source: str) -> object:
    """Returns what the source of a node makes; None for any other source."""
    tree = shared_expression(source)
    return None if tree is None else _made(tree)


def text_of(source: str) -> tuple[ast.expr, ast.Constant] | None:
    """Returns the tree of the source of a node, and the text in it of which the node is made; None
    where there is no text."""
    tree = shared_expression(source)
    nodes = ast.walk(tree) if tree is not None else ()
    texts = (n for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str))
    place = next(texts, None)
    return (tree, place) if tree is not None and place is not None else None


def _made(tree: ast.expr) -> object:
    match tree:
        case ast.Call(
            func=ast.Attribute(value=ast.Name("ast"), attr="parse"),
            args=[ast.Constant(value=str(text))],
            keywords=given,
        ):
            return python(text, "eval" if given else "exec")
        case ast.Attribute(value=inner, attr=name):
            return getattr(_made(inner), name, None)
        case ast.Subscript(value=inner, slice=ast.Constant(value=int(at))):
            parts = _made(inner)
            return parts[at] if isinstance(parts, list) and at < len(parts) else None
    return None


def fields_of(kind: type[ast.AST]) -> frozenset[str]:
    """Returns the names of the attributes that nodes of a class have."""
    return frozenset((*kind._fields, *kind._attributes, "_fields", "_attributes"))


@lru_cache(maxsize=1)
def concrete() -> Sequence[type[ast.AST]]:
    """Returns the classes of nodes that the parser makes."""
    own = [one for one in vars(ast).values() if isinstance(one, type) and issubclass(one, ast.AST)]
    left = (one for one in own if one.__name__ not in OLD and not one.__name__.startswith("_"))
    return [one for one in left if not one.__subclasses__() and one._fields]
