"""YAML files -> trees of text that are safe to walk: raw scalars, a place for each, bounded.

`reader.py` gives the trees their meaning. They are built from parse events because `yaml.compose`
types nothing we need, and overflows the C stack on deeply nested input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_lift.errors import UsageError
from pytest_lift.text.wording import exists_twice

if TYPE_CHECKING:
    from yaml.events import Event

LARGEST_FILE = 64 * 2**20
"""Bytes; a device or an endless pipe ends here."""
DEEPEST = 100
"""Levels of nesting, aliases followed; keeps every recursive walk far from the stack's end."""
LIBYAML_TOO_DEEP = "exceeded maximum nesting depth"
"""What newer versions of libyaml say when they refuse nesting by themselves, at 1,000 levels."""
ALIAS_GROWTH = 10
"""How many times its own length a file may become when its aliases are written out."""
ALIAS_ALLOWANCE = 200_000
"""Characters that any file may grow by aliases, however short it is."""

_UNPRINTABLE = re.compile(r"[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NULLS = frozenset(("~", "null", "Null", "NULL"))


@dataclass(slots=True, eq=False)
class Node:
    """A piece of a YAML file; `line` and `column` count from 1."""

    file: str
    line: int
    column: int
    weight: int = field(default=1, kw_only=True)
    """Characters and nodes in it, aliases written out."""
    depth: int = field(default=0, kw_only=True)

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(slots=True, eq=False)
class Text(Node):
    """A scalar as it was written: ``1.10``, ``010`` and ``NO`` are not interpreted."""

    value: str
    plain: bool
    """Neither quoted, nor a block, nor tagged."""

    @property
    def null(self) -> bool:
        """An explicit ``null`` or ``~``; nothing at all is an empty text instead."""
        return self.plain and self.value in _NULLS


@dataclass(slots=True, eq=False)
class YamlSequence(Node):
    """A YAML sequence."""

    children: list[Node]


@dataclass(slots=True, eq=False)
class Table(Node):
    """A YAML mapping with its merge keys (``<<``) applied: name -> (key, value)."""

    entries: dict[str, tuple[Text, Node]]

    def get(self, name: str) -> Node | None:
        entry = self.entries.get(name)
        return entry[1] if entry else None


def read_documents(path: Path, problems: list[UsageError], *, loader: Any = None) -> Iterator[Node]:
    """Yields the root of every YAML document in `path`.

    Raises `UsageError` for what ends the reading of this file; what does not (a repeated key)
    is added to `problems`. `loader` is a PyYAML loader class: libyaml's, where it is there.
    """
    yield from documents_of(decoded(path), shown(path), problems, loader=loader)


def documents_of(
    text: str, file: str, problems: list[UsageError], *, loader: Any = None
) -> Iterator[Node]:
    """Yields the roots of the YAML documents in `text`, the text of `file`."""
    import yaml

    _refuse_control_characters(text, file)
    chosen = loader or getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        yield from _Builder(file, len(text), problems).build(yaml.parse(text, Loader=chosen))
    except yaml.MarkedYAMLError as error:
        raise _broken(error, file, text) from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # The pure Python loader lets chr() and int() fail on absurd escapes and versions.
        todo = "correct the escapes and directives in this file"
        raise UsageError(f"not valid YAML: {error}", where=f"{file}:1:1", todo=todo) from None


def shown(path: Path) -> str:
    """Returns `path` as the user gave it; an absolute one below the working directory shortened."""
    try:
        return str(path.relative_to(Path.cwd()) if path.is_absolute() else path)
    except (ValueError, OSError):
        return str(path)


def decoded(path: Path) -> str:
    """Returns the text of a requirement file; raises `UsageError` where it has none."""
    file = shown(path)
    data = _bytes(path, file)
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        what = f"not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}"
        todo = "save the file as UTF-8"
        raise UsageError(what, where=_place_after(before, file), todo=todo) from None


def _refuse_control_characters(text: str, file: str) -> None:
    if found := _UNPRINTABLE.search(text):
        what = f"not valid YAML: control character U+{ord(found[0]):04X}"
        where = _place_after(text[: found.start()], file)
        raise UsageError(what, where=where, todo='remove it, or write it as "\\x.." in quotes')


def _bytes(path: Path, file: str) -> bytes:
    if path.is_dir():
        todo = "name the YAML files in it"
        raise UsageError("a directory, not a requirement file", where=file, todo=todo)
    try:
        with path.open("rb") as stream:
            data = stream.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        todo = "check the path; it is relative to the working directory"
        raise UsageError("requirement file not found", where=file, todo=todo) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        what = f"requirement file cannot be read: {reason}"
        raise UsageError(what, where=file, todo="check the path and its permissions") from None
    if len(data) > LARGEST_FILE:
        what = f"larger than {LARGEST_FILE // 2**20} MiB"
        raise UsageError(what, where=file, todo="split it into several requirement files")
    return data


def _place_after(before: str, file: str) -> str:
    """Returns the place of the character that follows `before`."""
    column = len(before) - before.rfind("\n")
    return f"{file}:{before.count(chr(10)) + 1}:{column}"


def _broken(error: Any, file: str, text: str) -> UsageError:
    """Returns a `yaml.MarkedYAMLError` in our words."""
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    if error.problem == LIBYAML_TOO_DEEP:
        return _too_deep(f"{file}:{line}:{column}")
    reason = ", ".join(part for part in (error.context, error.problem) if part)
    begun = error.context_mark
    if begun and begun.line + 1 != line:
        reason += f" (it began at {begun.line + 1}:{begun.column + 1})"
    source = text.split("\n")[line - 1 : line] or [""]
    indent = source[0][: len(source[0]) - len(source[0].lstrip())]
    todo = "correct the YAML here; put quotes around a text that has ': ' or ' #' in it"
    if "\t" in indent or "'\\t'" in reason:
        todo = "indent with spaces; YAML does not allow tabs there"
    return UsageError(f"not valid YAML: {reason}", where=f"{file}:{line}:{column}", todo=todo)


def _too_deep(place: str) -> UsageError:
    what = f"nested more than {DEEPEST} levels deep"
    return UsageError(what, where=place, todo="flatten the scopes")


@dataclass
class _Builder:
    """Parse events -> nodes. Aliases share nodes, so what they add up to is counted."""

    file: str
    length: int
    problems: list[UsageError]
    anchors: dict[str, Node | None] = field(default_factory=dict)
    """None while the anchored collection is still open: an alias to it would never end."""
    opened: list[tuple[Any, list[Node]]] = field(default_factory=list)
    """The start event and the children so far of every open collection, outermost first."""

    def build(self, events: Iterator[Event]) -> Iterator[Node]:
        from yaml import events as kinds

        for event in events:
            if isinstance(event, kinds.ScalarEvent):
                node = self._scalar(event)
            elif isinstance(event, kinds.AliasEvent):
                node = self._alias(event)
            elif isinstance(event, kinds.CollectionEndEvent):
                node = self._close(is_table=isinstance(event, kinds.MappingEndEvent))
            else:
                if isinstance(event, kinds.CollectionStartEvent):
                    self._open(event)
                elif isinstance(event, kinds.DocumentStartEvent):
                    self.anchors.clear()
                continue
            if self.opened:
                self.opened[-1][1].append(node)
            else:
                yield node

    def _scalar(self, event: Any) -> Node:
        mark, value = event.start_mark, event.value
        place = (self.file, mark.line + 1, mark.column + 1)
        node = Text(*place, value, event.implicit[0], weight=1 + len(value))
        if event.anchor:
            self.anchors[event.anchor] = node
        return node

    def _open(self, event: Any) -> None:
        if len(self.opened) >= DEEPEST:
            raise _too_deep(self._place(event.start_mark))
        if event.anchor:
            self.anchors[event.anchor] = None
        self.opened.append((event, []))

    def _alias(self, event: Any) -> Node:
        node = self.anchors.get(event.anchor)
        if node is not None:
            return node
        if event.anchor in self.anchors:
            what, todo = "contains itself", "name something outside of it, or write it out"
        else:
            what = "has no anchor before it"
            todo = f"define &{event.anchor} earlier, or put the text in quotes"
        raise self._refusal(f"alias *{event.anchor} {what}", event.start_mark, todo)

    def _close(self, is_table: bool) -> Node:
        start, children = self.opened.pop()
        mark = start.start_mark
        weight = 1 + sum([child.weight for child in children])
        depth = 1 + max([child.depth for child in children], default=0)
        if weight > ALIAS_GROWTH * self.length + ALIAS_ALLOWANCE:
            todo = "use fewer aliases, or write the text out where it is needed"
            raise self._refusal("aliases make this file too large", mark, todo)
        if depth > DEEPEST:
            raise _too_deep(self._place(mark))
        place = (self.file, mark.line + 1, mark.column + 1)
        node: Node = YamlSequence(*place, children, weight=weight, depth=depth)
        if is_table:
            node = Table(*place, self._entries(children), weight=weight, depth=depth)
        if start.anchor:
            self.anchors[start.anchor] = node
        return node

    def _entries(self, children: list[Node]) -> dict[str, tuple[Text, Node]]:
        """Returns the entries of a mapping: own keys win over merged ones, earlier merged ones over
        later ones, as YAML says."""
        entries: dict[str, tuple[Text, Node]] = {}
        merged: list[Node] = []
        pairs = iter(children)
        for key, value in zip(pairs, pairs, strict=True):
            if not isinstance(key, Text) or not key.value:
                self._complain("a key must be text", key, "write a name before the ':'")
            elif key.plain and key.value == "<<":
                merged += value.children if isinstance(value, YamlSequence) else [value]
            elif key.value in entries:
                what = exists_twice(f"key {key.value!r}", entries[key.value][0].place)
                self._complain(what, key, "keep one of the two, or join their values")
            else:
                entries[key.value] = (key, value)
        for source in merged:
            if not isinstance(source, Table):
                self._complain("<< must name a mapping", source, "write <<: *anchor")
                continue
            for name, entry in source.entries.items():
                entries.setdefault(name, entry)
        return entries

    def _complain(self, what: str, node: Node, todo: str) -> None:
        self.problems.append(UsageError(what, where=node.place, todo=todo))

    def _refusal(self, what: str, mark: Any, todo: str) -> UsageError:
        return UsageError(what, where=self._place(mark), todo=todo)

    def _place(self, mark: Any) -> str:
        return f"{self.file}:{mark.line + 1}:{mark.column + 1}"
