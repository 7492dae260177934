"""What the documents of a program show: read once for all searches of a lift."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

from pytest_lift.agents.offline.arguments.trees.shown_python import shown_python
from pytest_lift.agents.offline.arguments.trees.syntax_trees import PYTHON
from pytest_lift.agents.offline.examples.documents import (
    DOCUMENTS,
    GUIDES,
    docstrings,
    read_documents,
)
from pytest_lift.agents.offline.examples.sessions import Session, documented_sessions
from pytest_lift.agents.offline.examples.shown_blocks import ShownBlocks, shown_blocks
from pytest_lift.agents.offline.examples.shown_data import ShownData, shown_data
from pytest_lift.agents.offline.examples.snippets import (
    Snippet,
    documented_snippets,
    guide_snippets,
    script_snippets,
)
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.stories.typed_commands import CommandLines, typed_commands
from pytest_lift.source.program import Program


class Documentation:
    """The docstrings of a program, the documents of its project, and scripts that are examples."""

    def __init__(self, program: Program, root: Path) -> None:
        self.program = program
        self.root = root
        self.kept: dict[frozenset[str] | None, Sequence[KeptCase]] = {}
        """Files that have probes -> examples that the program conforms to, once all were tried."""

    @cached_property
    def sessions(self) -> Sequence[Session]:
        """Sessions of the interpreter."""
        return documented_sessions(self.root, self.program)

    @cached_property
    def scripts(self) -> Sequence[Snippet]:
        """Scripts in folders of examples."""
        return script_snippets(self.root)

    @cached_property
    def snippets(self) -> Sequence[Snippet]:
        """Blocks of code that call something, then the scripts."""
        return documented_snippets(self.root, self.program, self.scripts)

    @cached_property
    def guides(self) -> Sequence[Snippet]:
        """Blocks of code of guides."""
        return guide_snippets(self.root)

    @cached_property
    def blocks(self) -> Sequence[ShownBlocks]:
        """Blocks of code without prompts, by the document that shows them."""
        return tuple(shown_blocks(self.root, self.program))

    def typed(self, names: Collection[str]) -> CommandLines:
        """Returns the command lines of programs that documents show."""
        documents = read_documents(self.root, (*DOCUMENTS, *GUIDES))
        return typed_commands([*docstrings(self.program), *documents], names) if names else {}

    @cached_property
    def data(self) -> ShownData:
        """Data that documents show; of a program that reads Python, code is such."""
        code = list(shown_python(self.root, self.program))
        return {**shown_data(self.root, self.program), **({PYTHON: code} if code else {})}


@lru_cache(maxsize=1)
def documentation_of(program: Program, root: Path) -> Documentation:
    """Returns the documentation of the program of a project; cached over iterations."""
    return Documentation(program, root)
