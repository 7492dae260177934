"""Names that a program gives to its symbols beside their own: ``from wait import slow as calm``."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from pytest_lift.source.program import Program, SourceFile, Symbol

_SECOND = re.compile(
    r"\b(?P<source>[A-Za-z_]\w*)[ \t]+as[ \t]+(?P<bound>[A-Za-z_]\w*)"
    r"|^(?P<name>[A-Za-z_]\w*)[ \t]*=[ \t]*(?P<value>[^=\n][^\n]*(?:\n[ \t]+[^\n]*)*)",
    re.MULTILINE,
)
_WORD = re.compile(r"[A-Za-z_]\w*")


class NamedPlace(NamedTuple):
    """A symbol, as a second name means it."""

    path: str
    symbol: Symbol
    certain: bool
    """Whether the name can mean nothing else, unlike that of ``scan = c_scan or py_scan``."""


@lru_cache(maxsize=2)
def second_names(program: Program) -> Mapping[str, tuple[NamedPlace, ...]]:
    """Returns name -> functions and classes of modules that have it beside their own; names that a
    symbol has as its own are left out.

    Files are searched as texts, and only those parsed that may have such names.
    """
    known: dict[str, list[tuple[str, Symbol]]] = defaultdict(list)
    taken: set[str] = set()
    for path, file in program.files.items():
        for symbol in file.symbols:
            taken.add(symbol.leaf)
            if "." not in symbol.name:
                known[symbol.name].append((path, symbol))
    found: dict[str, dict[NamedPlace, None]] = defaultdict(dict)
    for file in program.files.values():
        if not file.error and _may_rename(file.text, known, taken):
            for name, place in _in_file(file, known):
                if name not in taken:
                    found[name][place] = None
    return {name: tuple(places) for name, places in found.items()}


def _may_rename(text: str, known: Collection[str], taken: Collection[str]) -> bool:
    for match in _SECOND.finditer(text):
        if match["source"]:
            if match["source"] in known and match["bound"] not in taken:
                return True
        elif match["name"] not in taken and any(w in known for w in _WORD.findall(match["value"])):
            return True
    return False


def _in_file(
    file: SourceFile, known: Mapping[str, list[tuple[str, Symbol]]]
) -> Iterator[tuple[str, NamedPlace]]:
    for one in file.imports:
        source = one.origin.rpartition(".")[2]
        if one.bound != source:
            for path, symbol in known.get(source, ()):
                yield one.bound, NamedPlace(path, symbol, certain=True)
    for node in file.tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            certain = isinstance(node.value, ast.Name)
            words = (inner.id for inner in ast.walk(node.value) if isinstance(inner, ast.Name))
            for word in words:
                for path, symbol in known.get(word, ()):
                    if path == file.path:
                        yield node.targets[0].id, NamedPlace(path, symbol, certain)
