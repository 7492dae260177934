"""Finds the blocks of code without prompts in docstrings, documents and scripts."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pytest_lift.agents.offline.examples.code_blocks import CodeBlock, code_block, code_blocks
from pytest_lift.agents.offline.examples.documents import DOCUMENTS, GUIDES, read_documents
from pytest_lift.agents.offline.examples.snippets import EXAMPLES
from pytest_lift.source.program import Program


@dataclass(frozen=True)
class ShownBlocks:
    """Blocks of one text, in order."""

    path: str
    """Source file whose names they may use."""
    blocks: tuple[CodeBlock, ...]
    owner: str = ""
    """Class in whose docstring, or that of one of its methods, they stand."""

    @property
    def statements(self) -> list[ast.stmt]:
        """The statements of all blocks, in order."""
        return [node for block in self.blocks for node in block.statements]


def shown_blocks(root: Path, program: Program) -> Iterator[ShownBlocks]:
    """Yields the docstrings of a program, the documents of its project, and scripts that are
    examples, as far as they show code without prompts."""
    for file in program.files.values():
        if file.error is None:
            yield from _document(file.path, code_blocks(ast.get_docstring(file.tree) or ""))
            for one in file.symbols:
                owner = one.name.partition(".")[0] if one.kind != "function" else ""
                yield from _document(file.path, code_blocks(one.doc), owner)
    top = next((program.by_module[n].path for n in program.names if n in program.by_module), "")
    if top:
        for text in read_documents(root, (*DOCUMENTS, *GUIDES)):
            yield from _document(top, code_blocks(text))
        for text in read_documents(root, EXAMPLES):
            yield from _document(top, [code_block(text)])


def _document(path: str, blocks: Iterable[CodeBlock], owner: str = "") -> Iterator[ShownBlocks]:
    found = tuple(blocks)
    if any(block.statements for block in found):
        yield ShownBlocks(path, found, owner)
