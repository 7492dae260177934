"""Texts of README and docstrings -> drafts of requirements. Nothing is run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pytest_lift.commands.init_prose import (
    Section,
    markdown_sections,
    paragraphs,
    raises,
    rest_sections,
    sentences,
    session_of,
    shortened,
    with_imports,
)
from pytest_lift.errors import LiftError
from pytest_lift.files.project_reads import read_confined
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.symbols import Symbol

MOST_OF_DOCSTRINGS, MOST_OF_DOCUMENTS = 150, 30
MOST_SENTENCES = 6
LONGEST_TITLE = 70
LARGEST = 400_000
"""Largest size of a document in bytes."""
NO_BEHAVIOUR = re.compile(
    r"instal|licen[cs]e|contribut|change|history|release|credit|author|acknowledg|thank|badge|"
    r"link|support|sponsor|roadmap|to-?do|develop|content|documentation|resources|see also|"
    r"requirement|dependenc|compatib|faq|community|security|citation|test|benchmark|related",
    re.IGNORECASE,
)
"""Headings of sections that do not describe the program's behaviour."""


@dataclass(frozen=True)
class Draft:
    """A possible requirement, derived from the documentation."""

    scope: str
    """Name of the module or the document."""
    id: str
    title: str
    description: str
    acceptance: tuple[str, ...]
    examples: tuple[str, ...]
    source: str
    """Place of the text, such as ``pkg/mod.py:12``, or the document."""


def drafts_of(root: Path, program: Program) -> tuple[Draft, ...]:
    """Returns drafts from the README, then from the docstrings of public functions and classes."""
    homes = _homes(program)
    return (
        *_numbered(list(_of_readme(root, homes))[:MOST_OF_DOCUMENTS]),
        *_numbered(list(_of_docstrings(program))[:MOST_OF_DOCSTRINGS]),
    )


def documented(program: Program) -> int:
    """Returns the number of drafts that all docstrings would give."""
    return sum(1 for _ in _of_docstrings(program))


def _homes(program: Program) -> dict[str, str]:
    """Returns public name -> module that defines it; the shortest module name if several do."""
    found: dict[str, str] = {}
    for file in sorted(program.files.values(), key=lambda file: -len(file.module)):
        found |= {s.name: file.module for s in file.symbols if "." not in s.name and s.public}
    return found | {name: name for name in program.names}


def _of_docstrings(program: Program) -> Iterator[Draft]:
    for file in program.files.values():
        if not file.public or file.error:
            continue
        tops = {s.name: file.module for s in file.symbols if "." not in s.name}
        for symbol in file.symbols:
            if _behaves(symbol) and (draft := _of_symbol(file, symbol, tops)):
                yield draft


def _behaves(symbol: Symbol) -> bool:
    """Whether a symbol is public, documented and no exception class."""
    raised = any(base.endswith(("Error", "Exception", "Warning")) for base in symbol.bases)
    open_to_all = symbol.public and not symbol.leaf.startswith("__")
    return open_to_all and bool(symbol.doc.strip()) and not raised


def _of_symbol(file: SourceFile, symbol: Symbol, homes: dict[str, str]) -> Draft | None:
    prose = paragraphs(symbol.doc)
    if not prose:
        return None
    said = [sentence for paragraph in prose for sentence in sentences(paragraph)]
    acceptance = [*said[:MOST_SENTENCES]]
    acceptance += [f"`{symbol.name}` raises `{name}`: {when}" for name, when in raises(symbol.doc)]
    session = session_of(symbol.doc)
    example = with_imports(session, homes) if session else None
    return Draft(
        file.module,
        "",
        shortened(said[0], LONGEST_TITLE),
        f"`{symbol.name}`: {' '.join(prose[:2])}",
        tuple(acceptance),
        (example,) if example else (),
        f"{file.path}:{symbol.line}",
    )


def _of_readme(root: Path, homes: dict[str, str]) -> Iterator[Draft]:
    for place in sorted(root.glob("README*"), key=lambda path: (path.suffix != ".md", path.name)):
        try:
            text = read_confined(root, place.name, limit=LARGEST).decode("utf-8", "replace")
        except LiftError:
            continue
        kind = markdown_sections if place.suffix.lower() in (".md", ".markdown") else rest_sections
        for section in kind(text):
            if not NO_BEHAVIOUR.search(section.heading):
                yield from _of_section(section, place.name, homes)
        return


def _of_section(section: Section, name: str, homes: dict[str, str]) -> Iterator[Draft]:
    for bullet in section.bullets:
        words = bullet.split()
        if len(words) >= 4 and not bullet.startswith("http"):
            title = shortened(sentences(bullet)[0], LONGEST_TITLE)
            yield Draft(name, "", title, bullet, tuple(sentences(bullet)), (), name)
    sessions = [found for text in section.code if (found := session_of(text))]
    examples = tuple(text for one in sessions if (text := with_imports(one, homes)))
    if examples:
        said = section.paragraphs[:1] or [section.heading or "The examples of the document."]
        title = shortened(section.heading or sentences(said[0])[0], LONGEST_TITLE)
        yield Draft(name, "", title, said[0], ("The examples hold.",), examples, name)


def _numbered(drafts: list[Draft]) -> Iterator[Draft]:
    """Yields the drafts with short unique ids: ``ENCODER-1``, or ``JSON_ENCODER-1`` if need be."""
    scopes = list(dict.fromkeys(draft.scope for draft in drafts))
    prefixes: dict[str, str] = {}
    for scope in scopes:
        parts = [re.sub(r"\W", "_", part).upper() for part in _parts(scope)]
        for length in range(1, len(parts) + 1):
            prefix = "_".join(parts[-length:])
            if prefix not in prefixes.values():
                break
        prefixes[scope] = prefix
    counts = dict.fromkeys(scopes, 0)
    for draft in drafts:
        counts[draft.scope] += 1
        number = f"{prefixes[draft.scope]}-{counts[draft.scope]}"
        yield Draft(**{**vars(draft), "id": number})


def _parts(scope: str) -> list[str]:
    """Returns ``README`` for a README, or the components of a module name."""
    return ["README"] if scope.upper().startswith("README") else scope.split(".")
