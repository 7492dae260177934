"""Reads doctest sessions of docstrings, documents and requirements, one item per example."""

from __future__ import annotations

import ast
import contextlib
import doctest
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pytest_lift.agents.offline.expecting import session_text
from pytest_lift.calls.case import Origin
from pytest_lift.calls.names import bound_names
from pytest_lift.errors import LiftError
from pytest_lift.files.project_reads import read_confined
from pytest_lift.requirements.requirement import Requirement
from pytest_lift.source.program import Program, SourceFile

DOCUMENTS = ("README*", "*.rst", "*.md", "docs/*.rst", "docs/*.md")
LARGEST = 400_000
"""Most bytes of a document that are read."""
FENCE = re.compile(r"^\s*(```|~~~).*$", re.MULTILINE)


@dataclass(frozen=True)
class Item:
    """``>>>`` example of a session."""

    source: str
    tree: ast.Module
    want: str
    raises: str | None
    skipped: bool
    binds: frozenset[str]
    reads: frozenset[str]
    title: str = ""

    @property
    def imports(self) -> bool:
        return any(isinstance(n, ast.Import | ast.ImportFrom) for n in self.tree.body)

    @property
    def defines(self) -> bool:
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        return any(isinstance(n, kinds) for n in self.tree.body)

    @property
    def expects(self) -> bool:
        return bool(self.want or self.raises)


@dataclass
class Session:
    """All examples of one docstring, document or requirement, in order."""

    path: str
    """Source file whose names the examples may use."""
    items: list[Item]
    origin: Origin = "documented"
    requirement: str = ""
    key: str = ""
    """Identity of the session: its path and text."""
    imported: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Name in the session -> (module, name there or "")."""


def documented_sessions(root: Path, program: Program) -> list[Session]:
    """Returns sessions in docstrings, then in the documents at the project's root and in docs/."""
    found = []
    for file in program.files.values():
        if file.error is None:
            docs = [ast.get_docstring(file.tree) or "", *(s.doc for s in file.symbols)]
            found += [_session(doc, file.path) for doc in docs if ">>>" in doc]
    top = _top_file(program)
    for pattern in DOCUMENTS:
        for document in sorted(root.glob(pattern)):
            with contextlib.suppress(LiftError):
                name = document.relative_to(root).as_posix()
                text = read_confined(root, name, limit=LARGEST).decode("utf-8", "replace")
                found += [_session(FENCE.sub("", text), top.path)] if top else []
    return [session for session in found if session.items]


def requirement_session(requirement: Requirement, program: Program) -> Session | None:
    """Returns the examples of a requirement and the doctests of its written-out sentences.

    A test made of them verifies the requirement. None if there are none.
    """
    top = _top_file(program)
    texts = [*requirement.examples, session_text(requirement)]
    if top is None or not any(texts):
        return None
    session = _session("\n\n".join(filter(None, texts)), top.path)
    session.origin, session.requirement = "requirement", requirement.id
    return session


def _top_file(program: Program) -> SourceFile | None:
    tops = [program.by_module[name] for name in program.names if name in program.by_module]
    return tops[0] if tops else None


def _session(text: str, path: str) -> Session:
    try:
        pieces = doctest.DocTestParser().parse(text)
    except ValueError:
        return Session(path, [])
    items, title = [], ""
    for piece in pieces:
        if isinstance(piece, doctest.Example):
            item = _item(piece, title)
            items += [item] if item is not None else []
        elif piece.strip():
            title = _title(piece)
    session = Session(path, items, key=f"{path}\0{text}")
    for item in items:
        session.imported.update(_imports_of(item.tree))
    return session


def _title(prose: str) -> str:
    """Returns the last line of the prose if it reads like a heading of what follows, else ""."""
    line = re.sub(r"[`*:]+", "", prose.strip().splitlines()[-1]).strip()
    plain = re.fullmatch(r"[A-Z][\w ,'-]+", line) is not None
    return line if plain and 2 <= len(line.split()) <= 6 else ""


def _item(example: doctest.Example, title: str) -> Item | None:
    try:
        tree = ast.parse(example.source)
    except (SyntaxError, ValueError):
        return None
    skipped = bool(example.options.get(doctest.SKIP))
    binds = frozenset(bound_names(tree)) & _assigned(tree)
    loaded = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    return Item(
        example.source.strip(),
        tree,
        example.want.rstrip("\n"),
        example.exc_msg,
        skipped,
        binds,
        frozenset(loaded),
        title,
    )


def _assigned(tree: ast.Module) -> frozenset[str]:
    """Returns names bound at the top of the statement, not inside comprehensions or functions."""
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found.update(a.asname or a.name.partition(".")[0] for a in node.names)
        else:
            targets = (n for n in ast.walk(node) if isinstance(n, ast.Name))
            found.update(n.id for n in targets if isinstance(n.ctx, ast.Store))
    return frozenset(found)


def _imports_of(tree: ast.Module) -> Iterator[tuple[str, tuple[str, str]]]:
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, (node.module or "", alias.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                yield alias.asname or whole, (whole, "")
