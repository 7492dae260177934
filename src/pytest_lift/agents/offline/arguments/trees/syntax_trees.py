"""Which nodes of the `ast` module the parameters of a program take, and sources of them."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import chain, islice, zip_longest
from pathlib import Path

from pytest_lift.agents.offline.arguments.trees.nodes import (
    class_named,
    concrete,
    fields_of,
    sources_of,
)
from pytest_lift.agents.offline.texts.formats import formats

PYTHON = "py"
"""Format of texts of Python."""
TEXTS = Path(__file__).with_name("python_texts.toml")
WHOLE = re.compile(r"^(ast|ast_?tree|syntax_?tree|tree|module_?node)$|_(tree|ast)$")
"""Names of parameters for the tree of a module."""
NODE = re.compile(r"^(node|stmt|ast_?node|expr)$|_(node|stmt|expr)$|^(node|stmt|expr)_")
"""Names of parameters for a part of one."""
VISITS = re.compile(
    r"^(?:visit|leave|depart|handle|check|on|enter|exit|process)(?:_|(?=[A-Z]))(\w+)$"
)
"""Names of methods that tell the class of the nodes that they get."""
MOST, MOST_SHOWN = 30, 80
"""Most nodes of a class, and most of them from documents."""
MOST_CLASSES = 8
"""Most classes of nodes that a parameter is tried with where its attributes tell them."""
PLACES = frozenset(ast.expr._attributes)
"""Attributes of all nodes that stand somewhere."""
USUAL = ("If", "FunctionDef", "Call", "For", "ClassDef", "Assign", "Compare", "Name", "Try")
"""Classes of nodes that are tried where nothing tells the class."""


@cache
def python_texts() -> Sequence[str]:
    """Returns short texts of Python, then longer ones."""
    return (*tomllib.loads(TEXTS.read_text("utf-8"))["texts"], *formats()[PYTHON].texts)


class SyntaxTrees:
    """Sources of nodes, those of texts which the documentation shows first."""

    def __init__(self) -> None:
        self.shown: Sequence[str] = ()
        """Texts of Python that the documentation shows."""
        self._sources: dict[str, tuple[str, ...]] = {}

    @property
    def texts(self) -> Sequence[str]:
        """All texts of Python that are known."""
        return (*self.shown, *python_texts())

    def note_shown(self, texts: Sequence[str]) -> None:
        """Notes texts of Python which the documentation shows."""
        self.shown = texts
        self._sources.clear()

    def of_class(self, name: str) -> tuple[str, ...]:
        """Returns sources of nodes of a class, by its name without that of the module."""
        if name not in self._sources:
            kind = class_named(name)
            self._sources[name] = () if kind is None else tuple(self._find(kind))
        return self._sources[name]

    def _find(self, kind: type[ast.AST]) -> list[str]:
        shown = [*islice(sources_of(kind, self.shown), MOST_SHOWN)]
        known = [*islice(sources_of(kind, python_texts()), MOST_SHOWN)]
        most = len(known) if kind in (ast.Module, ast.AST, ast.mod) else MOST
        return _in_turn(shown, known[:most])

    def of_classes(self, names: Sequence[str]) -> tuple[str, ...]:
        """Returns sources of nodes of several classes, in turn."""
        return tuple(_in_turn(*(self.of_class(name) for name in names)))

    def having(self, attributes: AbstractSet[str]) -> list[str]:
        """Returns the names of the classes whose nodes have all of these attributes, those with the
        fewest others first; none where all nodes have them."""
        found = [one for one in concrete() if attributes <= fields_of(one)]
        told = any(name in one._fields for one in found for name in attributes - PLACES)
        found.sort(key=lambda one: len(one._fields))
        return [one.__name__ for one in found[:MOST_CLASSES]] if told else []


def node_classes(parameter: str) -> Sequence[str]:
    """Returns the classes of nodes that the name of a parameter tells."""
    if WHOLE.search(parameter):
        return ("Module",)
    return USUAL if NODE.search(parameter) else ()


def visited(function: str) -> str:
    """Returns the name of the class of nodes that a method gets, by its own name; "" where it tells
    none."""
    found = VISITS.match(function)
    return found[1] if found and class_named(found[1]) else ""


def _in_turn(*pools: Sequence[str]) -> list[str]:
    found = chain.from_iterable(zip_longest(*pools))
    return list(dict.fromkeys(one for one in found if one is not None))
