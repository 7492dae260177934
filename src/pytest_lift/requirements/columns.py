"""The header and rows of a table as fields of requirements, by the names of the columns.

Each format reads a path and yields requirements as the YAML files have them: scope and fields.
Values of fields and repeated ids are judged in one place, `requirements.reader`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pytest_lift.errors import UsageError
from pytest_lift.requirements.points import BULLET
from pytest_lift.requirements.yaml_tree import Table, Text, YamlSequence
from pytest_lift.text.wording import some

NAMES = {
    "id": ("id", "uid", "identifier", "requirement id", "req id", "issue key", "key", "req",
           "requirement"),
    "title": ("title", "name", "summary", "header"),
    "description": ("description", "text", "statement", "requirement"),
    "acceptance": ("acceptance", "acceptance criteria", "acceptance criterion"),
    "level": ("level", "test level"),
    "tags": ("tags", "tag", "labels", "label"),
    "examples": ("examples", "example"),
    "scenario": ("scenario",),
    "waived": ("waived",),
    "non_goal": ("non goal", "nongoal"),
    "untestable": ("untestable",),
}  # fmt: skip
"""Field -> names of its column, the surest first; a column serves one field."""
SEVERAL = ("acceptance", "tags", "examples")
"""Fields that take all columns of their names: exports of trackers repeat a column per label."""

_NOTHING = frozenset(("", "-", "--", "\N{EN DASH}", "\N{EM DASH}", "n/a"))
_GOES_ON = re.compile(r"^\s*(?:when|then|and|but)\b", re.IGNORECASE)
_OUTLINE = re.compile(r"\d+(?:\.\d+)*")
"""A place in a document, as doorstop's exports have it in their column ``level``."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^a-z\s])")

Scoped = Iterator[tuple[tuple[str, ...], Table]]
"""(names of the scopes, outermost first; the fields of one requirement), in written order."""


@dataclass(frozen=True)
class TableRow:
    """The cells of one row, as text."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Columns:
    """Columns of the fields."""

    file: str
    header: TableRow
    places: dict[str, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, file: str, header: TableRow) -> Columns | None:
        """Returns the columns of requirements; None if the header has none."""
        names = [_normal(cell) for cell in header.cells]
        places: dict[str, tuple[int, ...]] = {}
        taken: set[int] = set()
        for name, accepted in NAMES.items():
            found = [at for one in accepted for at, given in enumerate(names) if given == one]
            free = [at for at in found if at not in taken]
            if free:
                places[name] = tuple(sorted(free)) if name in SEVERAL else (free[0],)
                taken.update(places[name])
        stated = places.keys() & {"title", "description", "acceptance"}
        return cls(file, header, places) if "id" in places and stated else None

    @property
    def id_column(self) -> str:
        return self.header.cells[self.places["id"][0]].strip()

    @property
    def warning(self) -> str | None:
        """Names the columns that are not read, and those that would be."""
        used = {at for places in self.places.values() for at in places}
        names = [cell.strip() for at, cell in enumerate(self.header.cells) if at not in used]
        unknown = [repr(name[:60]) for name in dict.fromkeys(names) if name]
        if not unknown:
            return None
        known = ", ".join(accepted[0] for accepted in NAMES.values())
        ignored = f"columns {some(unknown)} are ignored"
        return f"{self.file}:{self.header.line}: {ignored}; known are {known}"

    def requirement(self, row: TableRow, problems: list[UsageError]) -> Table | None:
        """Returns the fields that the row states; None where it is empty or a problem was added."""
        if not any(cell.strip() for cell in row.cells):
            return None
        where = f"{self.file}:{row.line}"
        if not self._text(row, "id"):
            what = f"requirement without id: the column {self.id_column!r} is empty"
            problems.append(UsageError(what, where=where, todo="write an id in it"))
            return None
        fields = {name: list(self._values(row, name)) for name in self.places}
        if not (fields.get("title") or fields.get("description") or fields.get("acceptance")):
            what = f"requirement {self._text(row, 'id')!r} has no text"
            problems.append(UsageError(what, where=where, todo="write what it demands in its row"))
            return None
        return _as_table(self.file, row.line, completed(fields))

    def _values(self, row: TableRow, name: str) -> Iterator[str]:
        for at in self.places[name]:
            text = row.cells[at].strip("\r\n") if at < len(row.cells) else ""
            if text.strip().lower() in _NOTHING:
                continue
            if name == "acceptance":
                yield from sentences(text)
            elif name == "tags":
                yield from (tag.strip() for tag in re.split(r"[,;\n]", text) if tag.strip())
            elif name == "examples":
                yield text
            elif name == "description":
                yield text.strip()
            elif name == "level":
                yield from () if _OUTLINE.fullmatch(text.strip()) else (text.strip().lower(),)
            else:
                yield " ".join(text.split("\n")).strip()

    def _text(self, row: TableRow, name: str) -> str:
        return next(self._values(row, name), "")


def sentences(text: str) -> Iterator[str]:
    """Returns the acceptance sentences in `text`: a list item or line each, a scenario as one."""
    lines = [line for line in text.splitlines() if line.strip()]
    listed = any(BULLET.match(line) for line in lines)
    found: list[str] = []
    for line in lines:
        goes_on = not BULLET.match(line) if listed else _GOES_ON.match(line)
        if found and goes_on:
            found[-1] += f"\n{line.strip()}"
        else:
            found.append(BULLET.sub("", line).strip())
    return (sentence for sentence in found if sentence)


def completed(fields: dict[str, list[str]]) -> dict[str, list[str]]:
    """Fills fields that the format lacks from others: title, description, acceptance."""
    title, description = fields.get("title"), fields.get("description")
    acceptance = fields.get("acceptance") or []
    description = description or title or acceptance[:1]
    title = title or [first_sentence(description[0])]
    stated = {"title": title, "description": description, "acceptance": acceptance or description}
    return {name: values for name, values in {**fields, **stated}.items() if values}


def first_sentence(text: str) -> str:
    """Returns the first sentence of the first paragraph, on one line."""
    paragraph = text.strip().split("\n\n", 1)[0]
    return _SENTENCE_END.split(" ".join(paragraph.split()), maxsplit=1)[0]


def _as_table(file: str, line: int, fields: dict[str, list[str]]) -> Table:
    def text(value: str) -> Text:
        return Text(file, line, 1, value, plain=False)

    entries: dict[str, tuple[Text, Text | YamlSequence]] = {}
    for name, values in fields.items():
        texts = [text(value) for value in values]
        value = YamlSequence(file, line, 1, list(texts)) if name in SEVERAL else texts[0]
        entries[name] = (text(name), value)
    return Table(file, line, 1, dict(entries))


def _normal(name: str) -> str:
    """Returns the normal form of a name: ``Non-goal(s)`` and ``non_goals`` are ``non goal``."""
    words = re.sub(r"[^\w]+|_", " ", name.replace("(s)", "")).lower().split()
    normal = " ".join(words)
    return normal.removesuffix("s") if normal == "non goals" else normal
