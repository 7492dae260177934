"""Words of a program that stand in one role, each of which may take the place of another one."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import zip_longest

from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, texts, walked

SHORTEST, LONGEST = 2, 32
"""Characters of a word."""
MOST_OF_ONE = 80
"""Most words of one role."""
MOST_PLACES = 8
"""Most words of a text that give way to others."""
WORD = re.compile(r"\w.*\w", re.DOTALL)
ASKING = frozenset({"startswith", "endswith"})
"""Methods of texts that are asked for one of several."""


class WordRoles:
    """Groups the texts of a program by where they stand: what classes assign to one attribute, the
    items of one container, what one expression is compared with."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def exchanged(self, text: str) -> Iterator[str]:
        """Yields a text with one word of the program in it replaced by each other one of its role,
        those of all its words in turn."""
        found = [*self._places(text)]
        for turn in zip_longest(*(others for *_, others in found)):
            for (start, end, _), other in zip(found, turn, strict=True):
                yield from [] if other is None else [text[:start] + other + text[end:]]

    def _places(self, text: str) -> Iterator[tuple[int, int, list[str]]]:
        """Yields (start, end, other words of its role) of words in a text, each word once."""
        seen: set[str] = set()
        for match in self._any_word.finditer(text):
            word = match[0]
            if word not in seen and word != text and len(seen) < MOST_PLACES:
                seen.add(word)
                yield match.start(), match.end(), self._beside(word)

    def _beside(self, word: str) -> list[str]:
        groups = self._groups_of[word]
        return list(dict.fromkeys(one for group in groups for one in group if one != word))

    @cached_property
    def _any_word(self) -> re.Pattern[str]:
        """Matches the words, the longest first; nothing where there are none."""
        words = sorted(self._groups_of, key=lambda one: (-len(one), one))
        any_word = "|".join(map(re.escape, words)) or "(?!)"
        return re.compile(rf"(?<!\w)(?:{any_word})(?!\w)")

    @cached_property
    def _groups_of(self) -> dict[str, list[list[str]]]:
        """Word -> the groups with at least one other word in which it is."""
        found: dict[str, list[list[str]]] = defaultdict(list)
        for words in self._groups():
            group = [*dict.fromkeys(filter(_is_word, words))][:MOST_OF_ONE]
            for word in group if len(group) > 1 else ():
                found[word].append(group)
        return found

    def _groups(self) -> Iterator[Iterable[str]]:
        of_attribute: dict[str, list[str]] = defaultdict(list)
        for file in self.program.files.values():
            for node in walked(file.tree):
                match node:
                    case ast.ClassDef():
                        for name, text in _of_class(node):
                            of_attribute[name].append(text)
                    case ast.FunctionDef() | ast.AsyncFunctionDef():
                        yield from _compared(node)
                    case ast.List() | ast.Tuple() | ast.Set():
                        yield texts(node.elts)
                    case ast.Dict():
                        yield texts(filter(None, node.keys))
                        yield texts(node.values)
                    case ast.Match():
                        patterns = (part for one in node.cases for part in ast.walk(one.pattern))
                        values = [one.value for one in patterns if isinstance(one, ast.MatchValue)]
                        yield texts(values)
        yield from of_attribute.values()


def _compared(function: FunctionNode) -> Iterable[list[str]]:
    """Returns the texts with which a function compares one expression, of each that it compares."""
    found: dict[str, list[str]] = defaultdict(list)
    for node in ast.walk(function):
        match node:
            case ast.Compare(ops=[ast.Eq() | ast.NotEq() | ast.In()], comparators=[right]):
                for one, other in ((node.left, right), (right, node.left)):
                    if asked := [*texts([one])]:
                        found[ast.unparse(other)] += asked
            case ast.Call(func=ast.Attribute(value, str(name))) if name in ASKING:
                found[ast.unparse(value)] += texts(node.args[:1])
    return found.values()


def _of_class(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Yields (attribute, text) of what the body of a class assigns, of lists each item."""
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                items = value.elts if isinstance(value, ast.List | ast.Tuple) else [value]
                yield from ((name, text) for text in texts(items))


def _is_word(text: str) -> bool:
    return SHORTEST <= len(text) <= LONGEST and WORD.fullmatch(text) is not None
