"""Constants of a program that may be arguments: named ones, and literals of its modules."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TypeGuard

from pytest_lift.agents.offline.arguments.call_sites import literal_items
from pytest_lift.agents.offline.arguments.classes import LEAST_WORD
from pytest_lift.calls.names import constants_of
from pytest_lift.source.bindings import bindings
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import leaf

NAMED = frozenset({"TypeVar", "ParamSpec", "TypeVarTuple", "NewType", "getLogger"})
"""What is given its own name as a text."""
QUOTED = re.compile(r"""(?<![\w"'])["'](\w[\w-]{0,11})["'](?![\w"'])""")
"""Short word in quotes."""
MOST_BESIDE = 3
"""Most constants that are given in the place of one."""
MOST_ITEMS = 8
"""Most items of one constant that are arguments."""


PREFIX = re.compile(r"(\w*[A-Za-z]_)(?:%s|\{\w*\})?$")
"""Text by which functions are looked up: ``visit_``, ``do_%s``."""


class Constants:
    """The constants of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def of_parameter(self, parameter: str) -> Iterator[str]:
        """Yields public module constants whose name contains that of a parameter, and items of
        those that have its plural: ``suit`` of ``SUITS``."""
        word = parameter.strip("_").upper()
        if len(word) >= LEAST_WORD:
            for name in self.listed:
                if {f"{word}S", f"{word}ES"} & {*name.split("_")}:
                    yield from self.listed[name]
            yield from [name for name in self.public if word in name.split("_")][:3]

    def beside(self, name: str | None) -> list[str]:
        """Returns the public module constants whose names begin with the word with which that of
        another one begins: ``DATE_SHORT`` for ``DATE_LONG``."""
        if name is None or name not in self.public or "_" not in name:
            return []
        word = name.partition("_")[0] + "_"
        return [one for one in self.public if one.startswith(word) and one != name][:MOST_BESIDE]

    def value_of(self, path: str, source: str | None) -> str | None:
        """Returns the literal that a name in a module stands for, or else in the one module that
        assigns it; an expression that is no such name as it is."""
        if source is None or not source.isidentifier():
            return source
        own = self._assigned[path].get(source)
        others = [values[source] for values in self._assigned.values() if source in values]
        found = own if own is not None else others[0] if len(others) == 1 else None
        return ast.unparse(found) if isinstance(found, ast.Constant) else source

    @cached_property
    def _assigned(self) -> dict[str, Mapping[str, ast.expr]]:
        """Path -> name that the module assigns once -> value."""
        files = self.program.files.items()
        return {path: bindings(file.tree.body).once for path, file in files}

    @cached_property
    def listed(self) -> dict[str, list[str]]:
        """Name of a module constant that lists literals -> its first items."""
        files = self.program.files.values()
        return {
            name: items[:MOST_ITEMS]
            for file in files
            for name, value in constants_of(file).items()
            if (items := literal_items(value))
        }

    @cached_property
    def public(self) -> list[str]:
        """Names of constants that only one public module assigns."""
        found: Counter[str] = Counter()
        for file in self.program.files.values():
            if file.public:
                found.update(constants_of(file).keys())
        return [name for name, count in found.items() if count == 1]

    @cached_property
    def of_module(self) -> dict[str, list[object]]:
        """Path -> short literals of the module."""
        return {p: self._of_file(file)[:80] for p, file in self.program.files.items()}

    def _of_file(self, file: SourceFile) -> list[object]:
        literals = short_literals(file.tree)
        prefixes = {found[1] for text in literals if (found := PREFIX.match(str(text)))}
        named = [ends for prefix in sorted(prefixes) if len(ends := self._behind(prefix)) > 1]
        return list(dict.fromkeys([*(name for ends in named for name in ends), *literals]))

    def _behind(self, prefix: str) -> list[str]:
        """Returns what follows a prefix in names of functions: by it they are looked up."""
        leaves = (s.leaf for file in self.program.files.values() for s in file.symbols)
        ends = (leaf.removeprefix(prefix) for leaf in leaves if leaf.startswith(prefix))
        return list(dict.fromkeys(filter(None, ends)))


def short_literals(tree: ast.AST) -> list[object]:
    """Returns numbers and short strings with at most one space, which leaves out docstrings, and
    without the names that type variables and loggers are given, and what a module says of itself:
    ``__version__``."""
    found: dict[object, None] = {}
    left_out = {id(one.args[0]) for one in ast.walk(tree) if _names_itself(one)}
    about = (one for one in getattr(tree, "body", ()) if _tells_of_module(one))
    left_out |= {id(part) for one in about for part in ast.walk(one)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in left_out:
            value = node.value
            short = isinstance(value, str) and 0 < len(value) <= 20 and value.count(" ") < 2
            if short or (type(value) is int and abs(value) > 1):
                found[value] = None
    return list(found)


def told_values(doc: str) -> list[str]:
    """Returns the short words that a docstring quotes: ``either "l", "c" or "r"``."""
    return list(dict.fromkeys(QUOTED.findall(doc)))[:MOST_ITEMS]


def _names_itself(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether a call makes what knows its own name: ``TypeVar("T")``."""
    return isinstance(node, ast.Call) and bool(node.args) and leaf(node.func) in NAMED


def _tells_of_module(statement: ast.stmt) -> bool:
    """Whether a statement assigns a name like ``__author__``."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    names = [one.id for one in targets if isinstance(one, ast.Name)]
    return any(name.startswith("__") and name.endswith("__") for name in names)
