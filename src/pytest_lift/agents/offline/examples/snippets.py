"""Reads code in documents and docstrings that is no doctest session: blocks without prompts."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import dedent

from pytest_lift.agents.offline.examples.sessions import DOCUMENTS, LARGEST
from pytest_lift.errors import LiftError
from pytest_lift.files.project_reads import read_confined
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import UNREADABLE, parse

FENCED = re.compile(
    r"^[ ]{0,3}(```+|~~~+)[ ]*(\w*)[^\n`]*\n(.*?)^[ ]{0,3}\1[ ]*$", re.MULTILINE | re.DOTALL
)
LANGUAGES = ("", "py", "python", "python3", "pycon")
INDENTED = re.compile(r"(?:^|\n[ \t]*\n)((?:[ ]{2,}\S[^\n]*\n|[ \t]*\n)+)")
"""Lines that are all indented, after an empty one: a block of reStructuredText."""
PROMPT = ">>>"
MOST_BLOCKS = 200

Snippet = Sequence[str]
"""Statements of a block, in order."""


def documented_snippets(root: Path, program: Program) -> Sequence[Snippet]:
    """Returns the blocks of code in docstrings, then in the documents at the project's root and in
    docs/, as far as they are Python and call something."""
    texts = []
    for file in program.files.values():
        if file.error is None:
            texts += [ast.get_docstring(file.tree) or "", *(s.doc for s in file.symbols)]
    for pattern in DOCUMENTS:
        for document in sorted(root.glob(pattern)):
            with contextlib.suppress(LiftError):
                name = document.relative_to(root).as_posix()
                texts.append(read_confined(root, name, limit=LARGEST).decode("utf-8", "replace"))
    found = (snippet for text in texts for snippet in snippets_of(text))
    return list(dict.fromkeys(found))[:MOST_BLOCKS]


def snippets_of(text: str) -> Iterator[tuple[str, ...]]:
    """Yields the blocks of a text that are Python and call something, without prompts."""
    text = text.expandtabs().replace("\r\n", "\n") + "\n"
    fenced = FENCED.finditer(text)
    blocks = [found[3] for found in fenced if found[2].lower() in LANGUAGES]
    blocks += [found[1] for found in INDENTED.finditer(FENCED.sub("\n", text))]
    for block in blocks:
        statements = () if PROMPT in block else _statements(dedent(block))
        if any(_calls(statement) for statement in statements):
            yield tuple(ast.unparse(statement) for statement in statements)


def _statements(block: str) -> Sequence[ast.stmt]:
    """Returns the statements of a block; where it is no Python, those of the paragraphs that
    are."""
    if (tree := _tree(block)) is not None:
        return tree.body
    trees = (_tree(part) for part in re.split(r"\n\s*\n", block))
    return [statement for tree in trees if tree is not None for statement in tree.body]


def _tree(text: str) -> ast.Module | None:
    try:
        return parse(text)
    except UNREADABLE:
        return None


def _calls(statement: ast.stmt) -> bool:
    return any(isinstance(node, ast.Call) for node in ast.walk(statement))
