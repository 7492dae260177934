"""Gives prompts to code that a session needs and that stands before it without them, as in READMEs
that define a class in one block and show it in the next."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import dedent, indent

from pytest_lift.agents.offline.examples.snippets import (
    FENCED,
    INDENTED,
    LANGUAGES,
    PROMPT,
    plain_lines,
)
from pytest_lift.calls.names import free_names
from pytest_lift.source.bindings import bound_names
from pytest_lift.source.syntax import parsed

PROMPTED = re.compile(r"^[ ]*>>> (.*(?:\n[ ]*\.\.\. .*)*)", re.MULTILINE)
"""Example of a session, with the lines that go on."""
CONTINUED = re.compile(r"\n[ ]*\.\.\. ")
CODE = re.compile(r"(?:async |def |class |@|import |from )")
"""How code begins that stands between the results of a session, behind an empty line."""


@dataclass(frozen=True)
class _Unprompted:
    """Code without prompts: where it stands in the text, and its statements."""

    start: int
    end: int
    margin: str
    nodes: tuple[ast.stmt, ...]
    lines: tuple[str, ...]

    @property
    def binds(self) -> set[str]:
        return {name for node in self.nodes for name in bound_names(node)}

    @property
    def reads(self) -> set[str]:
        return set().union(*(free_names(ast.unparse(node)) for node in self.nodes)) - self.binds

    @property
    def prompted(self) -> str:
        """The statements, each with its prompts."""
        found = []
        for node in self.nodes:
            first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
            shown = self.lines[first - 1 : node.end_lineno]
            prompts = (f"{'... ' if n else '>>> '}{line}".rstrip() for n, line in enumerate(shown))
            found.append("\n".join(prompts))
        return indent("\n".join(found), self.margin) + "\n"


def with_definitions(text: str) -> str:
    """Returns a text in which code has prompts that binds what its examples read before they bind
    it themselves; a text without such code as it is."""
    if PROMPT not in text:
        return text
    plain = plain_lines(text)
    examples = [parsed(CONTINUED.sub("\n", found[1])) for found in PROMPTED.finditer(plain)]
    trees = [tree for tree in examples if isinstance(tree, ast.Module)]
    wanted, bound = set[str](), set[str]()
    for tree in trees:
        wanted |= free_names(ast.unparse(tree)) - bound
        bound.update(bound_names(tree))
    if not wanted:
        return text
    last = plain.rfind(PROMPT)
    chosen: list[_Unprompted] = []
    for part in sorted(_parts(plain), key=lambda one: -one.start):
        if part.start < last and not wanted.isdisjoint(part.binds):
            chosen.append(part)
            wanted |= part.reads
    if not any(not isinstance(n, ast.Import | ast.ImportFrom) for one in chosen for n in one.nodes):
        return text
    for part in chosen:  # from the end, so that places before it stay as they are
        plain = plain[: part.start] + part.prompted + plain[part.end :]
    return plain


def _parts(text: str) -> Iterator[_Unprompted]:
    """Yields what has no prompts: whole blocks, the beginnings of sessions, and definitions between
    their results."""
    for found in FENCED.finditer(text):
        if found[2].lower() in LANGUAGES:
            yield from _of_block(found[3], found.start(3))
    rest = FENCED.sub(lambda one: "~" * (len(one[0]) - 1) + "\n", text)
    for found in INDENTED.finditer(rest):
        yield from _of_block(found[1], found.start(1))


def _of_block(block: str, start: int) -> Iterator[_Unprompted]:
    at, gap, lines = 0, True, block.splitlines(keepends=True)
    margin = " " * min((len(one) - len(one.lstrip()) for one in lines if one.strip()), default=0)
    while at < len(lines):
        line = lines[at].removeprefix(margin)
        begins = line.strip() and not line.startswith((PROMPT, "..."))
        end = at + 1
        if begins and (at == 0 or (gap and CODE.match(line))):
            while end < len(lines) and not lines[end].lstrip().startswith(PROMPT):
                end += 1
            code, before = "".join(lines[at:end]).rstrip() + "\n", sum(map(len, lines[:at]))
            if nodes := _statements(dedent(code)):
                own = tuple(dedent(code).splitlines())
                yield _Unprompted(start + before, start + before + len(code), margin, nodes, own)
        gap = not lines[end - 1].strip()
        at = end


def _statements(source: str) -> tuple[ast.stmt, ...]:
    tree = parsed(source)
    return tuple(tree.body) if isinstance(tree, ast.Module) else ()
