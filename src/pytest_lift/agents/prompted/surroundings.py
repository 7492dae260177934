"""What a packet shows beside its sources: definitions that its functions need, and their uses."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pytest_lift.agents.contract import Brief
from pytest_lift.context.function_context import FunctionContext
from pytest_lift.context.rendering import IsShown, definitions_text, uses_text
from pytest_lift.context.retriever import Retriever
from pytest_lift.source.outline import imports, outline
from pytest_lift.source.program import SourceFile
from pytest_lift.source.symbols import Symbol

MOST_NEIGHBOURS = 6
MOST_FUNCTIONS = 60
"""Functions of one packet whose context is looked up."""
DEFINITIONS, USES = 3000, 500
"""Tokens of definitions and of uses in one packet."""
SHARE = 0.25
"""Largest share of a packet that definitions may take."""
OF_ONE = 80
"""Tokens of the uses of one function."""
Lines = Collection[int] | None
"""Lines of a file that a packet shows; None: all of them."""


@dataclass(frozen=True)
class Surroundings:
    """Sections of a packet, and the files of which they show a part."""

    definitions: str = ""
    uses: str = ""
    paths: tuple[str, ...] = ()


def read(brief: Brief, retriever: Retriever) -> None:
    """Has the private copy looked at as it is now."""
    tests = {path: file.text for path, file in brief.suite.files.items()}
    retriever.read(brief.copy, brief.program, tests)


class Surveyor:
    """Finder of the surroundings for the packets of one brief."""

    def __init__(self, brief: Brief, retriever: Retriever, budget: int) -> None:
        """Takes the `budget` of a packet in tokens."""
        self.program = brief.program
        self.retriever = retriever
        self.budget = min(DEFINITIONS, int(budget * SHARE))
        if not retriever.has_read(brief.program):
            read(brief, retriever)

    def around(
        self,
        functions: Sequence[tuple[SourceFile, Symbol]],
        asked: Collection[tuple[str, str]],
        shown: Mapping[str, Lines],
    ) -> Surroundings:
        """Returns what `functions` need beside what is `shown` already, and uses of those in
        `asked`, pairs of path and name."""
        found = [
            self.retriever.context(source, symbol, uses=(source.path, symbol.name) in asked)
            for source, symbol in functions[:MOST_FUNCTIONS]
        ]
        contexts = [one for one in found if one is not None]

        def is_shown(path: str, line: int) -> bool:
            lines = shown.get(path, ())
            return lines is None or line in lines

        files = self.retriever.files
        definitions = definitions_text(contexts, files, self.budget, is_shown)
        wanted = (one for one in contexts if (one.path, one.symbol) in asked)
        uses, places = self._uses(wanted, is_shown)
        sections = ["## What it builds on, shortened", definitions.text] if definitions.text else []
        around: list[str] = []
        if not self.retriever.has_types:
            around = self._neighbours(shown)
            sections += self._outlines(around)
        paths = dict.fromkeys((*definitions.paths, *places, *around))
        return Surroundings("\n\n".join(sections), uses, tuple(paths))

    def _uses(
        self, contexts: Iterable[FunctionContext], is_shown: IsShown
    ) -> tuple[str, tuple[str, ...]]:
        left, parts, paths = min(USES, self.budget), list[str](), list[str]()
        for one in contexts:
            text = uses_text(one, self.retriever.files, min(OF_ONE, left), is_shown)
            left -= text.tokens
            if text.text and left >= 0:
                parts += [f"`{one.symbol}`:", text.text]
                paths += text.paths
        heading = "## How it is used, for example"
        return "\n".join([heading, *parts]) if parts else "", tuple(paths)

    def _neighbours(self, shown: Mapping[str, Lines]) -> list[str]:
        """Returns the modules that those of a packet import."""
        near = (imports(self.program.files[path], self.program) for path in shown)
        found = dict.fromkeys(path for paths in near for path in paths if path not in shown)
        return list(found)[:MOST_NEIGHBOURS]

    def _outlines(self, paths: Sequence[str]) -> list[str]:
        texts = (outline(self.program.files[path], self.program) for path in paths)
        outlines = [f"```\n{text}\n```" for text in texts]
        return ["## Neighbours, by signature", *outlines] if outlines else []
