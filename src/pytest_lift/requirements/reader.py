"""Reads requirement files: chooses the format, collects all errors with their places."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from textwrap import indent

from pytest_lift.errors import UsageError
from pytest_lift.requirements.columns import Scoped
from pytest_lift.requirements.recognising import (
    FIELDS,
    REASONS,
    REQUIRED,
    holds_items,
    is_named_scope,
    is_non_goals,
    is_null,
    lacks_id,
    reads_like_item,
    similar_to,
)
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.requirements.yaml_tree import (
    Node,
    Table,
    Text,
    YamlSequence,
    read_documents,
    shown,
)
from pytest_lift.text.wording import exists_twice

Scope = tuple[str, ...]
"""Names of the mappings around a requirement, outermost first."""
LEVELS = ("unit", "integration", "system")
LIST_FIELDS = ("acceptance", "examples", "tags")
"""Fields that hold one text or a list of texts."""
WAIVER = ("reason", "date", "until")
NOT_A_GOAL = "listed under non_goals"
LONGEST_ID = 200
MOST_PROBLEMS = 20
"""How many problems one error spells out."""

_LIST_THEM = "write a list of items that have id, title, description and acceptance"
_WRITE_ITEMS = "write a scope with a list of items that have id, title, description, acceptance"
_WRITE_ROWS = "name a file with a table that has columns for id and description, or a doorstop tree"


def load(paths: Sequence[Path]) -> Requirements:
    """Reads and merges the files and folders `paths`; one that is given twice is read once.

    A folder is a tree of doorstop documents, ``.md`` and ``.csv`` are tables, and anything else is
    YAML. Raises `UsageError`: one problem as it is, several (all files, the first `MOST_PROBLEMS`)
    in one error whose `where` is the first place.
    """
    reader = Reader()
    for path in dict.fromkeys(paths):
        reader.read(path)
    if reader.problems:
        raise together(reader.problems)
    return Requirements(tuple(reader.items.values()), tuple(reader.warnings))


def load_one(path: Path) -> Requirements:
    """Reads one file or folder; see `load`."""
    return load([path])


def together(problems: Sequence[UsageError]) -> UsageError:
    if len(problems) == 1:
        return problems[0]
    lines = [f"{len(problems)} problems in the requirement files"]
    lines += [indent(str(problem), "  ") for problem in problems[:MOST_PROBLEMS]]
    if len(problems) > MOST_PROBLEMS:
        lines.append(f"  and {len(problems) - MOST_PROBLEMS} more")
    todo = "correct these places, then run again"
    error = UsageError("\n".join(lines), where=problems[0].where, todo=todo)
    error.problems = tuple(problems)
    return error


def _position(problem: UsageError) -> tuple[str, tuple[int, ...]]:
    """Returns file, line and column of a place; a file that could not be read has only its name."""
    file, *numbers = problem.where.rsplit(":", 2)
    return file, tuple(int(number) for number in numbers if number.isdecimal())


class Reader:
    """Gathers the requirements of all files, and everything that is wrong with them."""

    def __init__(self) -> None:
        self.items: dict[str, Requirement] = {}
        self.places: dict[str, str] = {}
        self.warnings: list[str] = []
        self.problems: list[UsageError] = []
        self.notes = 0
        """Non-goals that have no id."""

    def read(self, path: Path) -> None:
        """Reads one file or folder; a fault, and finding nothing at all, become problems."""
        found, problems = len(self.items) + self.notes, len(self.problems)
        foreign = self._foreign(path)
        try:
            for scope, table in foreign or ():
                self.item(table, scope)
            for document in () if foreign else read_documents(path, self.problems):
                self._document(document)
        except UsageError as problem:
            self.problems.append(problem)
        if (len(self.items) + self.notes, len(self.problems)) == (found, problems):
            todo = _WRITE_ROWS if foreign else _WRITE_ITEMS
            where = f"{shown(path)}:1:1"
            self.problems.append(UsageError("no requirement in this file", where=where, todo=todo))
        self.problems[problems:] = sorted(self.problems[problems:], key=_position)

    def _foreign(self, path: Path) -> Scoped | None:
        """Returns the requirements of a file that is none of our YAML files, by a reader for it."""
        suffix = path.suffix.lower()
        if suffix in (".md", ".markdown"):
            from pytest_lift.requirements.tables import read_tables

            return read_tables(path, self.problems, self.warnings)
        if suffix in (".csv", ".tsv"):
            from pytest_lift.requirements.tables import read_rows

            return read_rows(path, self.problems, self.warnings)
        from pytest_lift.requirements.doorstop import is_document, read_items

        return read_items(path, self.problems) if is_document(path) else None

    def _document(self, root: Node) -> None:
        if not isinstance(root, Text):
            self._walk(root, ())
        elif root.value and not root.null:
            self._complain("text where scopes or requirements are expected", root, _LIST_THEM)

    def _walk(self, node: Node, scope: Scope) -> None:
        if isinstance(node, Table) and is_named_scope(node):
            self._named_scope(node, scope)
        elif isinstance(node, Table) and "id" in node.entries:
            self.item(node, scope)
        elif isinstance(node, Table):
            self._scope(node, scope)
        elif isinstance(node, YamlSequence):
            self._listing(node, scope)
        elif isinstance(node, Text) and is_non_goals(scope):
            self._note(node)

    def _scope(self, table: Table, scope: Scope) -> None:
        if is_non_goals(scope) and reads_like_item(table):
            self.notes += 1
            return
        if lacks_id(table):
            todo = "add an id that is unique in all files"
            if similar := similar_to("id", table.entries):
                todo = f"rename {similar!r} to 'id'"
            self._complain("requirement without id", table, todo)
            return
        for name, (_, value) in table.entries.items():
            self._walk(value, (*scope, name))

    def _named_scope(self, table: Table, scope: Scope) -> None:
        identity = self._identity(table)
        what = f"{identity!r} has no acceptance: it is the scope of the requirements below it"
        self.warnings.append(f"{table.place}: {what}")
        for name, (_, value) in table.entries.items():
            if name not in FIELDS:
                self._walk(value, (*scope, identity, name))

    def _listing(self, listing: YamlSequence, scope: Scope) -> None:
        excluded = is_non_goals(scope)
        demands = not excluded and holds_items(listing)
        for child in listing.children:
            if not isinstance(child, Text):
                self._walk(child, scope)
            elif excluded:
                self._note(child)
            elif demands:
                self._complain("text where a requirement is expected", child, _LIST_THEM)

    def _note(self, text: Text) -> None:
        """Counts a non-goal in words alone, which no test can name."""
        if text.value.strip() and not text.null:
            self.notes += 1

    def item(self, table: Table, scope: Scope) -> None:
        """Reads `table` as one requirement below `scope`; mistakes become problems."""
        identity = self._identity(table)
        excluded = NOT_A_GOAL if is_non_goals(scope) else None
        reason = self._reason(table, "non_goal") or excluded
        title, description, acceptance = self._said(table, is_non_goal=reason is not None)
        self.items[identity] = Requirement(
            id=identity,
            title=title,
            description=description,
            acceptance=acceptance,
            scope=scope,
            file=table.file,
            line=table.line,
            level=self._level(table),
            examples=self._texts(table, "examples"),
            tags=self._texts(table, "tags"),
            scenario=self._optional(table, "scenario"),
            non_goal=reason,
            untestable=self._reason(table, "untestable"),
            **self._waiver(table),
        )
        self._unknown_keys(table, (*scope, identity), FIELDS, _label(table))

    def _said(self, table: Table, *, is_non_goal: bool) -> tuple[str, str, tuple[str, ...]]:
        """Returns title, description and acceptance. A non-goal needs one of the first two only."""
        if not is_non_goal:
            title, *_ = self._required(table, "title")
            description, *_ = self._required(table, "description")
            return title, description, self._required(table, "acceptance")
        named, described = self._optional(table, "title"), self._optional(table, "description")
        if named is None and described is None:
            named, *_ = self._required(table, "title")
        said = named or described or "", described or named or ""
        return *said, self._texts(table, "acceptance")

    def _identity(self, table: Table) -> str:
        """Returns the id; a bad or repeated one is a problem."""
        (identity,) = self._required(table, "id")
        node = table.entries["id"][1]
        if identity in self.places:
            what = exists_twice(f"id {identity!r}", self.places[identity])
            self._complain(what, table, "give one of the two another id")
        elif identity:
            self.places[identity] = table.place
        raw = node.value if isinstance(node, Text) else ""
        fault = _fault_of_id(raw)
        if identity and fault:
            self._complain(f"id {_cut(raw)!r} {fault}", node, "use a short name such as ENC-1")
        return identity

    def _required(self, table: Table, name: str, of: str = "") -> tuple[str, ...]:
        """Returns at least one text; a single empty one if a problem was reported."""
        value = table.get(name)
        if value is None:
            unknown = [key for key in table.entries if key not in FIELDS]
            similar = similar_to(name, unknown)
            todo = f"rename {similar!r} to {name!r}" if similar else f"add {name!r} to it"
            self._complain(f"{of or _label(table)} has no {name}", table, todo)
        elif is_null(value) or (isinstance(value, YamlSequence) and not value.children):
            self._complain_empty(table, name, value)
        return self._texts(table, name) or ("",)

    def _optional(self, table: Table, name: str) -> str | None:
        return next(iter(self._texts(table, name)), None)

    def _texts(self, table: Table, name: str) -> tuple[str, ...]:
        """Returns the texts in the field, none when absent or null; a lone one needs no list."""
        value = table.get(name)
        if value is None or is_null(value):
            return ()
        if isinstance(value, YamlSequence) and name in LIST_FIELDS:
            return tuple(self._text(table, name, child) for child in value.children)
        return (self._text(table, name, value),)

    def _text(self, table: Table, name: str, node: Node) -> str:
        """Returns the text without blank lines around it and white space after it."""
        if not isinstance(node, Text):
            kind = "list" if isinstance(node, YamlSequence) else "mapping"
            todo = "put quotes around a text that has ': ' in it or begins with [ or {"
            what = f"{name} of {_label(table)} must be text, not a {kind}"
            self._complain(what, node, todo)
            return ""
        text = node.value.rstrip().lstrip("\r\n")
        if not text or node.null:
            self._complain_empty(table, name, node)
        return text

    def _level(self, table: Table) -> str | None:
        level = self._optional(table, "level")
        if level and level not in LEVELS:
            similar = similar_to(level, LEVELS)
            hint = f"did you mean {similar!r}?" if similar else f"use one of {', '.join(LEVELS)}"
            what = f"unknown level {_cut(level)!r} of {_label(table)}"
            self._complain(what, table.entries["level"][1], hint)
        return level

    def _reason(self, table: Table, name: str) -> str | None:
        """Returns why no test is expected; ``false`` says that one is."""
        reason = self._optional(table, name)
        if reason is None or reason.lower() in ("false", "no", "off"):
            return None
        if reason.lower() in ("true", "yes", "on"):
            what = f"{name} of {_label(table)} has no reason"
            todo = f"give a reason: '{name}: because ...'"
            self._complain(what, table.entries[name][1], todo)
        return reason

    def _waiver(self, table: Table) -> dict[str, str | None]:
        """Returns the reason of a waiver, or reason and dates on which it began and will end."""
        given = table.get("waived")
        if not isinstance(given, Table):
            return {"waived": self._reason(table, "waived")}
        reason = self._required(given, "reason", of=f"waived of {_label(table)}")[0]
        begun, ends = self._date(given, "date"), self._date(given, "until")
        self._unknown_keys(given, (), WAIVER, f"waived of {_label(table)}")
        if ends is not None and date.fromisoformat(ends) < date.today():
            what = f"the waiver of {_label(table)} ended on {ends}: a test is expected again"
            self.warnings.append(f"{given.place}: {what}")
            return {}
        return {"waived": reason, "waived_on": begun, "waived_until": ends}

    def _date(self, table: Table, name: str) -> str | None:
        text = self._optional(table, name)
        if text is None:
            return None
        try:
            return date.fromisoformat(text).isoformat()
        except ValueError:
            what, node = f"{name} {_cut(text)!r} is not a date", table.entries[name][1]
            self._complain(what, node, "write it as 2026-11-20")
            return None

    def _unknown_keys(self, table: Table, scope: Scope, known: Sequence[str], of: str) -> None:
        for name, (key, value) in table.entries.items():
            if name in known:
                continue
            if is_non_goals((name,)) or holds_items(value):
                self._walk(value, (*scope, name))
                continue
            similar = similar_to(name, known)
            hint = f"; did you mean {similar!r}?" if similar else ""
            what = f"unknown key {_cut(name)!r} in {of}{hint}"
            self.warnings.append(f"{key.place}: {what}")

    def _complain_empty(self, table: Table, name: str, node: Node) -> None:
        todo = f"write the {name}" if name in REQUIRED else "write it, or remove the key"
        if name in REASONS:
            todo = f"give a reason: '{name}: because ...'"
        self._complain(f"{name} of {_label(table)} is empty", node, todo)

    def _complain(self, what: str, node: Node, todo: str) -> None:
        self.problems.append(UsageError(what, where=node.place, todo=todo))


def _fault_of_id(identity: str) -> str | None:
    """Returns the reason why a text can be no argument of a mark or part of a node id."""
    if any(character.isspace() for character in identity):
        return "has white space in it"
    if not identity.isprintable():
        return "has characters that cannot be printed"
    if len(identity) > LONGEST_ID:
        return f"is longer than {LONGEST_ID} characters"
    return None


def _label(table: Table) -> str:
    node = table.get("id")
    if isinstance(node, Text) and node.value.strip() and not node.null:
        return f"requirement {_cut(node.value)!r}"
    return "requirement"


def _cut(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
