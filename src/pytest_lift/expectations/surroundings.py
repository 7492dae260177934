"""Adds to a test the constants and simple fixtures of its own file that it uses."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

from pytest_lift.source.bindings import import_bindings
from pytest_lift.source.syntax import parsed

_WORD = re.compile(r"[^\W\d]\w*")
_DEFINED = re.compile(r"^(?:[^\W\d]\w*[ \t]*(?::[^=\n]+)?=(?!=)|@(?:pytest\.)?fixture\b)", re.M)
_FIXTURE = re.compile(r"(?:pytest\.)?fixture(?:\(\))?")
CHANGING = frozenset(
    "add append clear discard extend insert pop popitem remove reverse setdefault sort "
    "update".split()
)
"""Methods that change a list, a dictionary or a set in place."""


def surrounded(source: str, text: str) -> str:
    """Returns the test `source` behind the definitions of the names that it uses from its file
    `text`.

    Only names with one meaning throughout the file are defined: literal values, aliases of
    functions, and fixtures with a single ``return``, which are made anew for each test. A
    module-level object is left out, since other tests may have changed it.
    """
    known = _definitions(text)
    needed: set[str] = set()
    asked = [source]
    while asked:
        for word in {*_WORD.findall(asked.pop())} & known.keys() - needed:
            needed.add(word)
            asked.append(known[word])
    return "".join(f"{part}\n" for name, part in known.items() if name in needed) + source


@lru_cache(maxsize=4096)
def _definitions(text: str) -> Mapping[str, str]:
    """Returns name -> its definition, in the order of the file."""
    tree = parsed(text) if _DEFINED.search(text) else None
    if not isinstance(tree, ast.Module):
        return {}
    unsure = {name for name, times in Counter(_changed(tree)).items() if times > 1}
    taken = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    found: dict[str, str] = {}
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in taken:
                plain = _is_written_out(value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if (
                name not in taken
            ):
                plain = _is_written_out(value)
            case ast.FunctionDef(name=name):
                plain = _only_returns(node)
            case _:
                continue
        if plain and name not in unsure:
            found[name] = ast.unparse(node)
    return found


def _changed(tree: ast.Module) -> Iterator[str]:
    """Yields names, once for each binding, and twice if their value is changed in place."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name) | ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.Import() | ast.ImportFrom():
                yield from (one.bound for one in import_bindings(node))
            case (
                ast.Attribute(value=ast.Name(id=name), ctx=ast.Store() | ast.Del())
                | ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del())
            ):
                yield from (name, name)
            case ast.Attribute(value=ast.Name(id=name), attr=method) if method in CHANGING:
                yield from (name, name)


def _is_written_out(value: ast.expr) -> bool:
    if isinstance(value, ast.Name | ast.Attribute):
        return True
    try:
        ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _only_returns(node: ast.FunctionDef) -> bool:
    """Whether a function is a fixture of one expression, made for each test."""
    marks = [ast.unparse(mark) for mark in node.decorator_list]
    if len(marks) != 1 or not _FIXTURE.fullmatch(marks[0]) or ast.unparse(node.args):
        return False
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return len(body) == 1 and isinstance(body[0], ast.Return) and body[0].value is not None
