"""Links in docstrings: fields such as ``:req: ENC-7, ENC-8`` and ``:emergent: why``.

They say what a mark of that name says, and need no registration. As in Sphinx, a field stands at
the docstring's own margin, at its beginning, after a blank line or after another field; lines that
are indented below it belong to it. What is indented, quoted or in running text is no field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

REQ, EMERGENT = "req", "emergent"
NAMES = (REQ, EMERGENT)

_FIELD = re.compile(r":(?P<name>[^\s:`](?:[^:`]*[^\s:`])?):(?:\s+(?P<value>.*))?")


@dataclass(frozen=True, slots=True)
class Field:
    """One `req` or `emergent` field of a docstring."""

    name: str
    values: tuple[str, ...]
    """Ids; of `emergent` its reason, if it has one."""
    first: int
    """Number of its first line in the docstring, from 0."""
    end: int
    """Number of the line after its last."""


def may_have_fields(text: str) -> bool:
    """False: there is none in it."""
    return ":req:" in text or ":emergent:" in text


def fields_of(doc: str | None) -> tuple[Field, ...]:
    """The fields of a docstring, raw or cleaned, in the order of the text."""
    return tuple(_fields(_at_margin(doc))) if doc and may_have_fields(doc) else ()


def without_fields(doc: str) -> str:
    """The docstring, cleaned, as it reads without them."""
    if "\n" not in doc and not may_have_fields(doc):
        return doc.expandtabs().strip()
    lines = _at_margin(doc)
    for field in reversed(fields_of(doc)):
        del lines[field.first : field.end]
    return "\n".join(lines).strip()


def _fields(lines: list[str]) -> Iterator[Field]:
    index, may_begin, block_follows = 0, True, False
    while index < len(lines):
        line = lines[index].rstrip()
        if line and line[0] != " " and may_begin and block_follows:
            return  # nothing is left of the margin: all that follows is what "::" quotes
        found = _FIELD.fullmatch(line) if may_begin else None
        end = index + 1
        if found is None:
            may_begin = not line
            block_follows = line.endswith("::") if line else block_follows
        else:
            while end < len(lines) and lines[end][:1] == " " and lines[end].strip():
                end += 1
            if found["name"] in NAMES:
                text = " ".join([found["value"] or "", *lines[index + 1 : end]])
                yield Field(found["name"], tuple(_values(found["name"], text)), index, end)
        index = end


def _values(name: str, text: str) -> Iterator[str]:
    parts = text.split(",") if name == REQ else [text]
    return (" ".join(part.split()) for part in parts if part.strip())


def _at_margin(doc: str) -> list[str]:
    """Its lines without the indentation that all but the first have in common, none left out."""
    lines = doc.expandtabs().split("\n")
    indents = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(indents, default=0)
    return [lines[0].lstrip(), *(line[margin:] for line in lines[1:])]
