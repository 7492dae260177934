"""Doorstop documents -> requirements: a folder with ``.doorstop.yml`` and a file per item.

Active, normative items are requirements; headings above them in the outline are their scope.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pytest_lift.errors import UsageError
from pytest_lift.requirements.columns import Scoped, first_sentence
from pytest_lift.requirements.yaml_tree import (
    Node,
    Table,
    Text,
    YamlSequence,
    decoded,
    documents_of,
    read_documents,
    shown,
)

SETTINGS = ".doorstop.yml"
SKIPPED = (".doorstop.skip", ".doorstop.skip-all")
"""Files that keep doorstop, and us, from reading the folder's document."""
SUFFIXES = {"yaml": (".yml", ".yaml"), "markdown": (".md",)}
"""Item format -> suffixes of its files."""
OURS = ("acceptance", "examples", "tags", "scenario", "non_goal", "untestable", "waived")
"""Doorstop keeps attributes that it does not know; these mean what they mean in our own files."""

_UID = re.compile(r"\w+(?:[-_.]\w+)*")
_FALSE = ("false", "no", "off", "0", "f", "n", "disabled")
_FRONT = re.compile(r"\A\s*---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_HEADER = re.compile(r"\A\s*#[ \t]+(.*?)[ \t]*(?:\r?\n|\Z)")


@dataclass(frozen=True)
class _Item:
    """Item file of Doorstop."""

    uid: str
    fields: Table

    def text(self, name: str) -> str:
        """Returns the text without trailing white space in its lines, as doorstop reads it."""
        value = self.fields.get(name)
        if not isinstance(value, Text) or value.null:
            return ""
        return "\n".join(line.rstrip() for line in value.value.split("\n")).strip()

    def holds(self, name: str) -> bool:
        """Whether a switch is on; doorstop's are when nothing is said."""
        return self.text(name).lower() not in _FALSE

    @property
    def outline(self) -> tuple[int, ...]:
        """Place in the outline without a final zero: the heading ``1.2.0`` is above ``1.2.1``."""
        parts = [int(part) for part in re.findall(r"\d+", self.text("level")[:200])]
        return tuple(parts[:-1] if parts and parts[-1] == 0 else parts)

    @property
    def is_heading(self) -> bool:
        level = self.text("level")
        return not self.holds("normative") and bool(re.search(r"(?:^|\.)0+$", level))

    @property
    def name(self) -> str:
        return " ".join(self.text("header").split()) or first_sentence(self.text("text"))


def is_document(path: Path) -> bool:
    """Whether `path` is a settings file of doorstop, or a folder with one in or below it."""
    if path.name == SETTINGS:
        return True
    return path.is_dir() and next(_documents(path), None) is not None


def read_items(path: Path, problems: list[UsageError]) -> Scoped:
    """Yields the requirements of the documents in and below the folder `path`; of a settings file,
    those of its own document alone. Files that cannot be read are problems."""
    folders = [path.parent] if path.name == SETTINGS else _documents(path)
    for folder in folders:
        try:
            prefix, suffixes = _settings(folder / SETTINGS, problems)
        except UsageError as problem:
            problems.append(problem)
            continue
        items = list(_items(folder, suffixes, problems))
        yield from _demanded(prefix, items, problems)


def _documents(top: Path) -> Iterator[Path]:
    """Folders with a document, those above before those below."""
    for folder, inner, files in os.walk(top):
        inner[:] = sorted(name for name in inner if name not in (".git", ".venv", "node_modules"))
        if SKIPPED[1] in files:
            inner.clear()
        if SETTINGS in files and not set(SKIPPED) & set(files):
            yield Path(folder)


def _settings(path: Path, problems: list[UsageError]) -> tuple[str, tuple[str, ...]]:
    """Returns the prefix of the document's ids, and the suffixes of its item files."""
    root = next(read_documents(path, problems), None)
    given = root.get("settings") if isinstance(root, Table) else None
    values = {
        name: value.value.strip()
        for name, (_, value) in (given.entries.items() if isinstance(given, Table) else ())
        if isinstance(value, Text)
    }
    written = values.get("itemformat") or "yaml"
    if written not in SUFFIXES:
        raise UsageError(
            f"unknown item format {written!r} of a doorstop document",
            where=f"{shown(path)}:1:1",
            todo=f"use one of {', '.join(SUFFIXES)}",
        )
    return values.get("prefix") or path.parent.name, SUFFIXES[written]


def _items(folder: Path, suffixes: tuple[str, ...], problems: list[UsageError]) -> Iterator[_Item]:
    for path in _item_files(folder, suffixes):
        try:
            fields = _fields(path, problems)
        except UsageError as problem:
            problems.append(problem)
            continue
        if fields is not None:
            yield _Item(path.stem, fields)


def _item_files(folder: Path, suffixes: tuple[str, ...]) -> Iterator[Path]:
    """Yields files named like an id (a prefix, a number or name), nested documents left out."""
    for place, inner, files in os.walk(folder):
        inner[:] = sorted(name for name in inner if not Path(place, name, SETTINGS).exists())
        for name in sorted(files):
            path = Path(place, name)
            is_uid = _UID.fullmatch(path.stem) and re.search(r"\d$|[-_.]", path.stem)
            if path.suffix.lower() in suffixes and is_uid:
                yield path


def _fields(path: Path, problems: list[UsageError]) -> Table | None:
    """Returns the attributes of an item; None where the file is no item at all."""
    if path.suffix.lower() == ".md":
        return _front_matter(path, problems)
    root = next(read_documents(path, problems), None)
    if isinstance(root, Table):
        return root
    todo = "write the attributes of a doorstop item, or move the file elsewhere"
    raise UsageError("not a doorstop item", where=f"{shown(path)}:1:1", todo=todo)


def _front_matter(path: Path, problems: list[UsageError]) -> Table | None:
    """Attributes between lines of ``---``, then a heading that is the header, then the text."""
    file, text = shown(path), decoded(path)
    front = _FRONT.match(text)
    if front is None:
        return None
    above = "\n" * text[: front.start(1)].count("\n")
    root = next(documents_of(above + front[1], file, problems), None)
    entries = dict(root.entries) if isinstance(root, Table) else {}
    body = text[front.end() :]
    if header := _HEADER.match(body):
        entries["header"] = _entry(file, 1, "header", header[1])
        body = body[header.end() :]
    entries["text"] = _entry(file, 1, "text", body)
    return Table(file, 1, 1, entries)


def _demanded(prefix: str, items: list[_Item], problems: list[UsageError]) -> Scoped:
    """Yields the active and normative items in the order of the outline."""
    active = [item for item in items if item.holds("active")]
    headings = {item.outline: item.name for item in active if item.is_heading}
    for item in sorted(active, key=lambda item: (item.outline, item.uid)):
        if not item.holds("normative"):
            continue
        above = (headings.get(item.outline[:depth]) for depth in range(1, len(item.outline)))
        if table := _requirement(item, problems):
            yield (prefix, *(name for name in above if name)), table


def _requirement(item: _Item, problems: list[UsageError]) -> Table | None:
    """Returns the item's fields as in our own files; an item without a text demands nothing."""
    file = item.fields.file
    text = item.text("text") or item.text("header")
    if not text:
        what = f"the doorstop item {item.uid!r} has no text"
        todo = "write it, or set 'active: false' until it is written"
        problems.append(UsageError(what, where=f"{file}:1:1", todo=todo))
        return None
    entries = {
        "id": _entry(file, 1, "id", item.uid),
        "title": _entry(file, 1, "title", item.name),
        "description": _entry(file, 1, "description", text),
        "acceptance": _entry(file, 1, "acceptance", text),
    }
    own = {name: entry for name, entry in item.fields.entries.items() if name in OURS}
    entries |= {name: entry for name, entry in own.items() if not _says_nothing(entry[1])}
    return Table(file, 1, 1, entries)


def _entry(file: str, line: int, name: str, value: str) -> tuple[Text, Node]:
    return Text(file, line, 1, name, plain=False), Text(file, line, 1, value, plain=False)


def _says_nothing(node: Node) -> bool:
    """Attributes that a document's defaults give to every item are often empty."""
    if isinstance(node, YamlSequence):
        return not node.children
    return isinstance(node, Text) and (node.null or not node.value.strip())
