"""Texts of Python in documents and docstrings that a program which works on Python may read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import dedent

from pytest_lift.agents.offline.arguments.trees.nodes import python, works_with_nodes
from pytest_lift.agents.offline.examples.documents import (
    DOCUMENTS,
    GUIDES,
    docstrings,
    read_documents,
)
from pytest_lift.agents.offline.examples.shown_data import blocks_of
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import texts

READERS = frozenset(
    "tokenize libcst parso lib2to3 symtable asttokens pyflakes tokenize_rt astroid gast typed_ast "
    "redbaron rope".split()
)
"""Modules by which programs read Python, beside `ast`."""
LANGUAGES = frozenset({"python", "python3", "py", ""})
PROMPT = ">>>"
QUOTED = re.compile(r"``([^`\n]{4,80})``|`([^`\n]{4,80})`|'([^'\n]{4,80})'|\"([^\"\n]{4,80})\"")
"""What stands in quotes or signs of code in a sentence."""
TITLE = re.compile(r"(?:#.*\n)+")
BLANK_LINES = re.compile(r"\n[ \t]*\n")
LONGEST, MOST = 600, 120
"""Longest text, and most of them."""
STATEMENTS = (ast.If, ast.For, ast.While, ast.Try, ast.With, ast.FunctionDef, ast.ClassDef,
              ast.AsyncFunctionDef, ast.Return, ast.Assign, ast.AugAssign, ast.Import,
              ast.ImportFrom, ast.Assert, ast.Raise)  # fmt: skip
EXPRESSIONS = (ast.Call, ast.Compare, ast.BoolOp, ast.Subscript, ast.IfExp, ast.Lambda, ast.UnaryOp,
               ast.ListComp, ast.GeneratorExp, ast.JoinedStr)  # fmt: skip
"""Nodes by which a text is Python and no sentence."""


def works_on_python(program: Program) -> bool:
    """Whether a program reads Python."""
    files = program.files.values()
    if any(one.top in READERS for file in files for one in file.imports):
        return True
    return any(map(works_with_nodes, files))


def shown_python(root: Path, program: Program) -> Sequence[str]:
    """Returns blocks of Python that do not use the program, their paragraphs, and what is quoted in
    sentences and messages of the program; none where it does not read Python."""
    if not works_on_python(program):
        return ()
    documents = [*docstrings(program), *read_documents(root, (*DOCUMENTS, *GUIDES))]
    constants = (text for file in program.files.values() for text in texts(ast.walk(file.tree)))
    found = (
        *(one for text in documents for one in _blocks(text)),
        *(one for text in (*documents, *constants) for one in _quoted(text)),
    )
    own = {*program.names, *(file.module for file in program.files.values())}
    fitting = (one for one in found if _is_python(one, own))
    return list(dict.fromkeys(fitting))[:MOST]


def _blocks(text: str) -> Iterator[str]:
    """Yields the paragraphs of blocks of code, then whole ones, and those of a docstring."""
    for language, block in blocks_of(text):
        if language in LANGUAGES:
            parts = [_untitled(one) for one in BLANK_LINES.split(block)]
            yield from parts
            if len(parts) > 1 and not any(map(TITLE.match, BLANK_LINES.split(block))):
                yield block
    for part in BLANK_LINES.split(text):
        if "\n" in part.strip():
            yield _untitled(dedent(part))


def _untitled(part: str) -> str:
    """Returns a paragraph without the comments above it, which say what it is an example of."""
    lines = part.strip("\n")
    return f"{TITLE.sub('', lines) or lines}\n"


def _quoted(text: str) -> Iterator[str]:
    for found in QUOTED.finditer(text):
        yield next(filter(None, found.groups())).strip()


def _is_python(text: str, own: set[str]) -> bool:
    """Whether a text is Python, and no use of the program."""
    if len(text) > LONGEST or PROMPT in text or "{" in text.partition("\n")[0][:1]:
        return False
    tree = python(text)
    if not isinstance(tree, ast.Module):
        return False
    nodes = [*ast.walk(tree)]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    names |= {one.name for node in nodes if isinstance(node, ast.Import) for one in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    if own & names or any(node.id in vars(ast) for node in _called(nodes)):
        return False
    plain = (node.value if isinstance(node, ast.Expr) else node for node in tree.body)
    return any(isinstance(node, (*STATEMENTS, *EXPRESSIONS)) for node in plain)


def _called(nodes: Sequence[ast.AST]) -> Iterator[ast.Name]:
    functions = (node.func for node in nodes if isinstance(node, ast.Call))
    return (one for one in functions if isinstance(one, ast.Name))
