"""Splits a sentence into calls, names, options, literals and errors, with the words between."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from pytest_lift.source.syntax import called, parsed, unparsed

Role = Literal["call", "name", "option", "literal", "error", "other"]
"""``other`` is an expression that is no literal value (``1/3``), or one with a gap (``...``)."""

_PIECE = re.compile(
    r"``(?P<double>[^`\n]+)``|`(?P<single>[^`\n]+)`"
    r"|(?<!\w)(?P<quoted>'[^'\n]{1,200}'|\"[^\"\n]{1,200}\")(?!\w)"
    r"|(?<![\w.])(?<!\d,)(?P<number>-?\d+(?:\.\d+)?)(?![\w%]|[.,]\d)"
    r"|(?P<cut>[,;:](?=\s)|\s--?\s|\s\N{EN DASH}\s)"
    r"|(?P<word>[A-Za-z]+(?:['\N{RIGHT SINGLE QUOTATION MARK}]t)?|->|=>|\N{RIGHTWARDS ARROW})"
)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_SETTING = re.compile(r"([A-Za-z_]\w*)\s*=(?!=)\s*(.+)", re.DOTALL)
FILLERS = frozenset(
    "a an the string text value number integer float list tuple dict word character characters "
    "just exactly simply only literal result always also then it again still".split()
)
_TEXTUAL = frozenset("string text word character characters".split())
_NO_CONSTANT = object()


@dataclass(frozen=True)
class Piece:
    """Text in backticks or quotes, or a number, with the words before it."""

    role: Role
    text: str
    """Text in normal form; for a name, its last part."""
    before: tuple[str, ...]
    """Words after the piece before it, in lower case, without trailing fillers."""
    bare: bool = False
    """Whether it is a number in prose, or text in backticks that is no Python."""
    source: str = ""
    """Call as written; empty for other roles."""
    textual: bool = False
    """Whether the words before call it a string: ``the string `2` `` is no number."""


@dataclass
class Clause:
    """Part of a sentence between commas and colons."""

    pieces: list[Piece] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    """Words after the last piece."""

    @property
    def every_word(self) -> set[str]:
        return {*self.words}.union(*(piece.before for piece in self.pieces))


@lru_cache(maxsize=4096)
def parts_of(sentence: str) -> list[list[Clause]]:
    """Returns the clauses of a sentence, grouped by its semicolons and dashes.

    A condition applies to its own group.
    """
    parts = [[Clause()]]
    words: list[str] = []
    for found in _PIECE.finditer(sentence):
        if found["cut"]:
            parts[-1][-1].words = words
            words = []
            if found["cut"] in (",", ":"):
                parts[-1].append(Clause())
            else:
                parts.append([Clause()])
        elif found["word"]:
            words.append(found["word"].lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
        else:
            textual = not _TEXTUAL.isdisjoint(words[-2:])
            made = _pieces(found, tuple(_without_fillers(words)))
            parts[-1][-1].pieces += (replace(one, textual=textual) for one in made)
            words = []
    parts[-1][-1].words = words
    return parts


def _without_fillers(words: Sequence[str]) -> Sequence[str]:
    end = len(words)
    while end and words[end - 1] in FILLERS:
        end -= 1
    return words[:end]


def _pieces(found: re.Match[str], before: tuple[str, ...]) -> Iterator[Piece]:
    text = found["double"] or found["single"]
    if text is None:
        yield Piece("literal", _normal(found["quoted"] or found["number"]), before, bare=True)
        return
    text = text.strip()
    tree = getattr(parsed(text, "eval"), "body", None)
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1 and isinstance(tree.ops[0], ast.Eq):
        yield Piece("call", unparsed(tree.left), before, source=ast.unparse(tree.left))
        right = tree.comparators[0]
        known = is_constant(right) and not _has_gap(right)
        yield Piece("literal" if known else "other", unparsed(right), ("is",))
    elif tree is not None and _has_gap(tree):
        yield Piece("other", text, before)
    elif isinstance(tree, ast.Call) or (tree is not None and is_closed(tree)):
        yield Piece("call", unparsed(tree), before, source=ast.unparse(tree))
    elif setting := _SETTING.fullmatch(text):
        yield Piece("option", f"{setting[1]}={_normal(setting[2])}", before)
    elif tree is not None and is_constant(tree):
        yield Piece("literal", unparsed(tree), before)
    elif _IDENTIFIER.fullmatch(text):
        role = _role_of_name(text)
        yield Piece(role, text if role == "error" else text.rpartition(".")[2], before)
    elif tree is not None:
        yield Piece("other", text, before)
    else:
        yield Piece("literal", repr(text), before, bare=True)


def _has_gap(tree: ast.AST) -> bool:
    """Whether an expression leaves something out, such as ``[0, ..., 3]``."""
    return any(isinstance(n, ast.Constant) and n.value is ... for n in ast.walk(tree))


def _role_of_name(name: str) -> Role:
    leaf = name.rpartition(".")[2]
    known = getattr(builtins, leaf, None)
    if isinstance(known, type) and issubclass(known, BaseException):
        return "error"
    return "error" if leaf.endswith(("Error", "Exception", "Warning")) else "name"


def _normal(source: str) -> str:
    tree = parsed(source.strip(), "eval")
    return unparsed(tree) if tree is not None else repr(source)


def is_constant(node: ast.AST) -> bool:
    """Whether an expression is a literal, a negative number or a container of literals."""
    return _constant(ast.unparse(node)) is not _NO_CONSTANT


def _constant(text: str) -> object:
    try:
        return ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return _NO_CONSTANT


def is_closed(node: ast.AST | None) -> bool:
    """Whether an expression says what is called and with what: ``to(4)``, ``Bits('0xf').u``.

    Not ``to(n)``, ``to()``, ``tree.at(4).x``: there the text leaves open what the call is about.
    """
    if not isinstance(node, ast.Call | ast.Attribute):
        return False
    calls = [each for each in ast.walk(node) if isinstance(each, ast.Call)]
    known = {id(name) for call in calls for name in _of_function(call)}
    names = (each for each in ast.walk(node) if isinstance(each, ast.Name))
    given = any(call.args or call.keywords for call in calls)
    return given and all(id(name) in known or hasattr(builtins, name.id) for name in names)


def _of_function(call: ast.Call) -> Iterator[ast.Name]:
    """Yields the name that a call starts with, such as ``roman`` of ``roman.to(4)``."""
    function = call.func
    while isinstance(function, ast.Attribute):
        function = function.value
    if isinstance(function, ast.Name):
        yield function


def names_function(piece: Piece) -> bool:
    return piece.role in ("call", "name")


def leaf(text: str) -> str:
    """Returns the name of a function, or of the function that a call calls, without its module."""
    node = getattr(parsed(text, "eval"), "body", None)
    return called(node) if isinstance(node, ast.Call) else text.rpartition(".")[2]


def setting(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value


def is_number(text: str) -> bool:
    return isinstance(_constant(text), int | float)
