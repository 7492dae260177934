"""Constants of a program that may be arguments: named ones, and literals of its modules."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import islice
from keyword import iskeyword
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
ANY_WORDS = frozenset({"DEFAULT", "MAX", "MIN"})
"""Words in the names of constants that have nothing else in common, with one another or with a
parameter."""
MOST_ITEMS = 8
"""Most items of one constant that are arguments."""
OPENING = frozenset({"open", "fdopen", "read_text", "write_text", "TextIOWrapper", "FileType"})
"""Functions that open files, or read or write them at once."""
OPENED_AS = frozenset({"mode", "encoding", "errors", "newline"})
"""Their parameters that tell how."""
MODE = re.compile(r"[rwaxbtU+]{1,3}")
NO_TEXT = re.compile(r"[][(){}*+?|^$\\]")
"""What stands in regular expressions that match other texts than themselves."""
PATTERN_ALONE = re.compile(r"\(\?(?:[:=!]|P?<)|\[\^.+\]|\\[dDsSwW]")
"""What stands in regular expressions alone."""
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
        if len(word) >= LEAST_WORD and word not in ANY_WORDS:
            for name in self.listed:
                if {f"{word}S", f"{word}ES"} & {*name.split("_")}:
                    yield from self.listed[name]
            yield from [name for name in self.public if word in name.split("_")][:3]

    def beside(self, path: str, name: str | None) -> dict[str, str]:
        """Returns the public module constants whose names begin with the word with which that of
        another one begins, and whose values are like its own: ``DATE_SHORT`` for ``DATE_LONG``;
        name -> value, as source."""
        value = self._assigned_to(path, name) if name in self.public else None
        like = _likeness(value) if value is not None else ""
        word, _, rest = (name or "").partition("_")
        if not (like and rest) or word in ANY_WORDS:
            return {}
        alike = (one for one in self._by_word[word] if one != name)
        found = {one: value for one in alike if _likeness(value := self._public[one]) == like}
        return {one: ast.unparse(value) for one, value in islice(found.items(), MOST_BESIDE)}

    def value_of(self, path: str, source: str | None) -> str | None:
        """Returns the literal that a name in a module stands for, or else in the one module that
        assigns it; an expression that is no such name as it is."""
        found = self._assigned_to(path, source)
        return ast.unparse(found) if isinstance(found, ast.Constant) else source

    def _assigned_to(self, path: str, source: str | None) -> ast.expr | None:
        """Returns what a module assigns to a name, or else the one module that does."""
        if source is None or iskeyword(source) or not source.isidentifier():
            return None
        own = self._assigned[path].get(source)
        return own if own is not None else self._assigned_once.get(source)

    @cached_property
    def _assigned(self) -> dict[str, Mapping[str, ast.expr]]:
        """Path -> name that the module assigns once -> value."""
        files = self.program.files.items()
        return {path: bindings(file.tree.body).once for path, file in files}

    @cached_property
    def _assigned_once(self) -> dict[str, ast.expr]:
        """Name that one module alone assigns -> value."""
        pairs = [pair for values in self._assigned.values() for pair in values.items()]
        count = Counter(name for name, _ in pairs)
        return {name: value for name, value in pairs if count[name] == 1}

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

    @property
    def public(self) -> Collection[str]:
        """Names of constants that only one public module assigns."""
        return self._public.keys()

    @cached_property
    def _public(self) -> dict[str, ast.expr]:
        """Name of a constant that only one public module assigns -> value."""
        files = [file for file in self.program.files.values() if file.public]
        pairs = [pair for file in files for pair in constants_of(file).items()]
        count = Counter(name for name, _ in pairs)
        return {name: value for name, value in pairs if count[name] == 1}

    @cached_property
    def _by_word(self) -> dict[str, list[str]]:
        """First word of the names of public constants -> names."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in self._public:
            found[name.partition("_")[0]].append(name)
        return found

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
    without regular expressions that are no plain texts, the names that type variables and loggers
    are given, how files are opened, and what a module says of itself: ``__version__``."""
    found: dict[object, None] = {}
    left_out = {id(one.args[0]) for one in ast.walk(tree) if _names_itself(one)}
    left_out |= {id(pattern) for one in ast.walk(tree) if (pattern := _pattern(one)) is not None}
    left_out |= {id(part) for one in ast.walk(tree) for part in _of_opening(one)}
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


def _likeness(value: ast.expr) -> str:
    """Returns what values that may take the place of each other have in common: the type of a
    literal, or what is called; "" for all else."""
    if isinstance(value, ast.Call):
        return leaf(value.func)
    return type(value.value).__name__ if isinstance(value, ast.Constant) else ""


def _pattern(node: ast.AST) -> ast.expr | None:
    """Returns the regular expression that a call of `re` is given, where it is no plain text, and
    any text with what only such have."""
    match node:
        case ast.Constant(value=str(text)) if PATTERN_ALONE.search(text):
            return node
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="re" | "regex")),
            args=[ast.Constant(value=str(text)) as pattern, *_],
        ) if NO_TEXT.search(text):
            return pattern
    return None


def _of_opening(node: ast.AST) -> list[ast.expr]:
    """Returns what tells a call how a file is opened, or a text encoded."""
    match node:
        case ast.Call(func=ast.Attribute(attr="encode" | "decode")):
            return [*node.args, *(word.value for word in node.keywords)]
        case ast.Call() if leaf(node.func) in OPENING:
            modes = [one for one in node.args if MODE.fullmatch(str(getattr(one, "value", "")))]
            return [*modes, *(one.value for one in node.keywords if one.arg in OPENED_AS)]
    return []


def _names_itself(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether a call makes what knows its own name: ``TypeVar("T")``."""
    return isinstance(node, ast.Call) and bool(node.args) and leaf(node.func) in NAMED


def _tells_of_module(statement: ast.stmt) -> bool:
    """Whether a statement assigns a name like ``__author__``."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    names = [one.id for one in targets if isinstance(one, ast.Name)]
    return any(name.startswith("__") and name.endswith("__") for name in names)
