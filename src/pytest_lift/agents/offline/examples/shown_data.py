"""Blocks of data in docstrings and documents: what a program reads, as its authors show it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from textwrap import dedent

from pytest_lift.agents.offline.examples.documents import (
    DOCUMENTS,
    GUIDES,
    docstrings,
    read_documents,
)
from pytest_lift.agents.offline.examples.snippets import FENCED
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import parsed

DIRECTIVE = re.compile(r"^\s*\.\. (?:code-block|code|sourcecode|highlight)::[ ]*(\S*)[ ]*$")
LITERAL = re.compile(r"^\s*(?!\.\. ).*::[ ]*$")
"""Line before a block of reStructuredText: with its language, and without."""
TYPED_FILE = re.compile(
    r"\bcat *(?:>>? *([\w./-]+) *)?<<-? *['\"]?(\w+)['\"]? *(?:>>? *([\w./-]+) *)?\n"
    r"(.*?)\n *\2 *$",
    re.DOTALL | re.MULTILINE,
)
"""File that somebody writes in a shell, with its text."""
OPTION = re.compile(r"^\s*:[\w-]+:")
CODE = frozenset(
    "python python3 py pycon py3 ipython console bash sh shell shell-session doctest rst "
    "restructuredtext diff text none powershell bat make makefile".split()
)
"""Languages of blocks that are no data."""
TYPED = re.compile(r"^\s*(\$|>>>|%|pip |python |git |sudo )", re.MULTILINE)
"""Beginning of a line that somebody types."""
DOING = (ast.Call, ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
"""Nodes of Python that does something: ``a: 1`` may be Python, too."""
SPECIFICATIONS = ("*.txt", "doc*/*.txt")
"""Files whose fenced blocks are data."""
EXAMPLE = "example"
"""What specifications call their blocks, whatever language that is."""
LONGEST, MOST_BLOCKS = 1500, 200

ShownData = Mapping[str, list[str]]
"""Language of blocks, in lower case, "" where none is told -> their texts."""


def shown_data(root: Path, program: Program) -> ShownData:
    """Returns the blocks of data in docstrings, then in documents."""
    found: dict[str, dict[str, None]] = {}
    texts = (*docstrings(program), *read_documents(root, (*DOCUMENTS, *GUIDES)))
    blocks = chain.from_iterable(map(blocks_of, texts))
    specified = chain.from_iterable(map(specified_data, read_documents(root, SPECIFICATIONS)))
    for language, block in (*blocks, *specified):
        known = found.setdefault(language, {})
        if len(known) < MOST_BLOCKS and _is_data(language, block):
            known.setdefault(block)
    return {language: list(texts) for language, texts in found.items() if texts}


def specified_data(text: str) -> Iterator[tuple[str, str]]:
    """Yields (language, block) of the fenced blocks of a specification; of an example with what
    comes of it, behind a line with a dot, what is read."""
    for found in FENCED.finditer(text.replace("\r\n", "\n") + "\n"):
        data, dot, _ = found[3].partition("\n.\n")
        yield ("" if found[2] == EXAMPLE else found[2].lower()), data + "\n" * bool(dot)


def blocks_of(text: str) -> Iterator[tuple[str, str]]:
    """Yields (language, block) of the blocks in a text; a file that a shell writes is one, of the
    language that its name ends with."""
    text = text.expandtabs().replace("\r\n", "\n") + "\n"
    for found in TYPED_FILE.finditer(text):
        name = found[1] or found[3] or ""
        yield name.rpartition(".")[2].lower(), dedent(found[4]) + "\n"
    for found in FENCED.finditer(text):
        yield found[2].lower(), dedent(found[3])
    lines = FENCED.sub("\n", text).split("\n")
    for at, line in enumerate(lines):
        directive = DIRECTIVE.match(line)
        if directive or LITERAL.match(line):
            block = _block(lines, at)
            if block:
                yield (directive[1].lower() if directive else ""), block


def _block(lines: list[str], at: int) -> str:
    """Returns the indented block after a line, without the options of a directive."""
    depth = len(lines[at]) - len(lines[at].lstrip())
    found: list[str] = []
    for line in lines[at + 1 :]:
        if line.strip() and len(line) - len(line.lstrip()) <= depth:
            break
        if found or (line.strip() and not OPTION.match(line)):
            found.append(line)
    return dedent("\n".join(found)).strip("\n") + "\n" if found else ""


def _is_data(language: str, block: str) -> bool:
    if language in CODE or len(block) > LONGEST or TYPED.search(block) or not block.strip():
        return False
    tree = None if language else parsed(block)
    return tree is None or not any(isinstance(node, DOING) for node in ast.walk(tree))
