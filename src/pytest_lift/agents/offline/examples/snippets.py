"""Reads code that is no doctest session: blocks without prompts in documents and docstrings, and
scripts in folders of examples."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from textwrap import dedent

from pytest_lift.agents.offline.examples.documents import (
    DOCUMENTS,
    GUIDES,
    docstrings,
    read_documents,
)
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import UNREADABLE, parse

FENCED = re.compile(
    r"^[ ]{0,3}(```+|(?<!\S\n)~~~+)[ ]*(\w*)[^\n`]*\n(.*?)^[ ]{0,3}\1[ ]*$",
    re.MULTILINE | re.DOTALL,
)
"""Block between two fences; a line of ``~`` below another one underlines a heading."""
LANGUAGES = ("", "py", "python", "python3", "pycon")
IN_MARKDOWN = re.compile(r"^(```+|~~~+)\{eval-rst\}[^\n]*\n(.*?)^\1[ ]*$", re.MULTILINE | re.DOTALL)
"""Block of reStructuredText in a document of Markdown."""
INDENTED = re.compile(r"(?:^|\n[ \t]*\n)((?:[ ]{2,}\S[^\n]*\n|[ \t]*\n)+)")
"""Lines that are all indented, after an empty one: a block of reStructuredText."""
EXAMPLES = ("example*/*.py", "example*/*/*.py", "docs/example*/*.py", "demo*/*.py",
            "docs_src/*.py", "docs_src/*/*.py", "docs_src/*/*/*.py")  # fmt: skip
"""Scripts that show the program."""
PROMPT = ">>>"
MOST_BLOCKS, MOST_SCRIPTS = 200, 600
"""Most blocks of the documents, or of the guides, and most scripts of examples."""

Snippet = Sequence[str]
"""Statements of a block, in order."""


def documented_snippets(
    root: Path, program: Program, scripts: Iterable[Snippet] = ()
) -> Sequence[Snippet]:
    """Returns the blocks of code in docstrings, then in the documents at the project's root and in
    docs/, as far as they are Python and call something, then the scripts that are examples."""
    texts = [*docstrings(program), *read_documents(root, DOCUMENTS)]
    found = (snippet for text in texts for snippet in snippets_of(text))
    return list(dict.fromkeys(chain(found, scripts)))[:MOST_BLOCKS]


def guide_snippets(root: Path) -> Sequence[Snippet]:
    """Returns the blocks of code in the folders of the documentation: what guides define is typical
    of a program, and they call much that they do not make."""
    found = (snippet for text in read_documents(root, GUIDES) for snippet in snippets_of(text))
    return list(dict.fromkeys(islice(found, MOST_BLOCKS)))


def script_snippets(root: Path) -> Sequence[Snippet]:
    """Returns the scripts in folders of examples."""
    found = (snippet for text in read_documents(root, EXAMPLES) if (snippet := _snippet(text)))
    return list(dict.fromkeys(islice(found, MOST_SCRIPTS)))


def snippets_of(text: str) -> Iterator[tuple[str, ...]]:
    """Yields the blocks of a text that are Python and call something, without prompts."""
    text = plain_lines(text)
    fenced = FENCED.finditer(text)
    blocks = [found[3] for found in fenced if found[2].lower() in LANGUAGES]
    blocks += [found[1] for found in INDENTED.finditer(FENCED.sub("\n", text))]
    for block in blocks:
        if PROMPT not in block and (snippet := _snippet(dedent(block))):
            yield snippet


def plain_lines(text: str) -> str:
    """Returns a text with plain spaces and ends of lines, and without fences around what is
    reStructuredText."""
    text = text.expandtabs().replace("\r\n", "\n") + "\n"
    return IN_MARKDOWN.sub(r"\2", text)


def _snippet(block: str) -> tuple[str, ...]:
    """Returns the statements of a block; nothing where they call nothing."""
    statements = statements_in(block)
    if not any(_calls(statement) for statement in statements):
        return ()
    return tuple(ast.unparse(statement) for statement in statements)


def statements_in(block: str) -> Sequence[ast.stmt]:
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
