"""Contexts as text within a budget: definitions by file and class, the most telling first, and
uses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pytest_lift.context.definitions import (
    FoundDefinition,
    definition_at,
    implemented,
    shown,
    signature_lines,
)
from pytest_lift.context.function_context import FunctionContext, FunctionUse
from pytest_lift.context.key_tokens import ROLES, Role
from pytest_lift.context.sites import ContextFiles
from pytest_lift.source.program import SourceFile
from pytest_lift.source.syntax import split_lines

BUDGET = 1500
"""Tokens of the context of one function."""
OF_USES = 400
"""Tokens of the budget that uses may take."""
MOST_USES = 40
"""Lines of uses of one function."""
LONGEST_USE = 120
MOST_JOINED = 6
"""Lines of one use that are shown as one."""
_INDENT = "    "
IsShown = Callable[[str, int], bool]
"""Whether a reader has a line of a file before them anyway."""


def estimate(text: str) -> int:
    """Returns tokens of a text, four characters each."""
    return (len(text) + 3) // 4


@dataclass(frozen=True)
class Rendered:
    """A text, and the files of which it shows a part."""

    text: str = ""
    paths: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        return estimate(self.text)


@dataclass
class _Entry:
    """A definition that is to be shown, and how."""

    definition: FoundDefinition
    type: str
    role: Role
    readers: int = 1
    """Functions that need it."""
    lines: list[str] = field(default_factory=list)

    @property
    def rank(self) -> tuple[int, int, int]:
        """The most telling first, then what most functions need, then the shortest."""
        length = self.definition.end_line - self.definition.line
        return ROLES.index(self.role), -self.readers, length


def definitions_text(
    contexts: Iterable[FunctionContext],
    files: ContextFiles,
    budget: int = BUDGET,
    is_shown: IsShown = lambda path, line: False,
) -> Rendered:
    """Returns the definitions of the program that some functions need, by file. What is called
    without deciding anything, and what does not fit, is shown by its signature or left out."""
    entries = sorted(_entries(contexts, files, is_shown), key=lambda one: one.rank)
    left = budget
    kept: list[_Entry] = []
    heads: set[tuple[str, str]] = set()
    for one in entries:
        source = files.source(one.definition.path)
        head = (one.definition.path, one.definition.owner)
        extra = 0 if head in heads else estimate(_heading(source)) + 4
        forms = [signature_lines(one.definition, source)]
        if one.role != "call":
            forms.insert(0, shown(one.definition, source, one.type))
        for lines in forms:
            cost = estimate("\n".join(lines)) + len(lines) + extra
            if cost <= left:
                kept.append(one)
                one.lines, left = lines, left - cost
                heads.add(head)
                break
    paths = dict.fromkeys(one.definition.path for one in kept)
    return Rendered("\n".join(_by_file(kept, files)), tuple(paths))


def uses_text(
    context: FunctionContext,
    files: ContextFiles,
    budget: int = OF_USES,
    is_shown: IsShown = lambda path, line: False,
) -> Rendered:
    """Returns the places where a function is used, a line each, tests first."""
    uses = [use for use in context.uses if not is_shown(use.place.path, use.place.line)]
    lines: list[str] = []
    left = budget
    for use in uses[:MOST_USES]:
        line = _use(use, files)
        left -= estimate(line) + 1
        if left < 0:
            break
        lines.append(line)
    paths = tuple(dict.fromkeys(use.place.path for use in uses[: len(lines)]))
    if lines and (more := len(uses) - len(lines)):
        lines.append(f"- and {more} more")
    return Rendered("\n".join(lines), paths)


def context_text(context: FunctionContext, files: ContextFiles, budget: int = BUDGET) -> str:
    """Returns definitions and uses of one function within a budget."""
    uses = uses_text(context, files, min(OF_USES, budget // 3)).text
    found = definitions_text([context], files, budget - estimate(uses)).text
    return "\n".join(filter(None, [found, uses and f"Uses of `{context.symbol}`:\n{uses}"]))


def _entries(
    contexts: Iterable[FunctionContext], files: ContextFiles, is_shown: IsShown
) -> list[_Entry]:
    found: dict[tuple[str, str, int], _Entry] = {}
    for context in contexts:
        for token in context.found:
            for place in token.places:
                source = files.source(place.path)
                definition = definition_at(source, place.line, token.token.leaf)
                if definition is None or _is_of(definition, context):
                    continue
                definition = implemented(definition, source)
                if is_shown(place.path, definition.line):
                    continue
                key = (place.path, definition.symbol, definition.line)
                known = found.get(key)
                if known is None:
                    found[key] = _Entry(definition, token.type, token.token.role)
                    continue
                known.readers += 1
                known.role = min(known.role, token.token.role, key=ROLES.index)
    return [*found.values()]


def _is_of(definition: FoundDefinition, context: FunctionContext) -> bool:
    """Whether a definition is the function itself or stands in it."""
    own = (context.symbol, f"{context.symbol}.")
    return definition.path == context.path and (
        definition.symbol == own[0] or definition.symbol.startswith(own[1])
    )


def _heading(source: SourceFile) -> str:
    return f"### {source.path} (module {source.module})"


def _by_file(entries: Sequence[_Entry], files: ContextFiles) -> Iterator[str]:
    order = {path: number for number, path in enumerate(files.program.files)}
    by_path: dict[str, list[_Entry]] = {}
    for one in sorted(entries, key=lambda one: (order[one.definition.path], one.definition.line)):
        by_path.setdefault(one.definition.path, []).append(one)
    for path, inside in by_path.items():
        yield _heading(files.source(path))
        yield "```python"
        yield from _by_class(inside)
        yield "```"


def _by_class(entries: Sequence[_Entry]) -> Iterator[str]:
    """Yields definitions with members below their class, in the order of the text."""
    classes = {one.definition.symbol: one for one in entries if one.definition.kind == "class"}
    owners = {one.definition.owner for one in entries}
    members: dict[str, list[_Entry]] = {}
    for one in entries:
        owner = one.definition.owner
        if one.definition.kind != "class":
            members.setdefault(owner, []).append(one)
    for one in entries:
        if one.definition.kind == "class":
            inside = members.pop(one.definition.symbol, [])
            lines = _without(one.lines, inside)
            if inside and lines[-1].strip() == "...":
                lines.pop()
            yield from lines
            yield from _members(inside, lines)
        else:
            owner = one.definition.owner
            if owner not in owners or owner not in members or owner in classes:
                continue
            if owner:
                yield f"class {owner}:  # in part"
            yield from _members(members.pop(owner), [], indent=bool(owner))


def _without(lines: Sequence[str], members: Sequence[_Entry]) -> list[str]:
    """Returns the lines of a class without the signatures of methods that follow as a whole."""
    names = {one.definition.symbol.rpartition(".")[2] for one in members if len(one.lines) > 1}
    kept: list[str] = []
    for line in lines:
        words = line.replace("(", " ").split()
        if "def" in words[:2] and names.intersection(words[1:3]):
            while kept and kept[-1].lstrip().startswith("@"):
                kept.pop()
        else:
            kept.append(line)
    return kept


def _members(
    entries: Sequence[_Entry], there: Sequence[str], *, indent: bool = True
) -> Iterator[str]:
    margin = _INDENT if indent else ""
    known = {line.strip() for line in there}
    for one in entries:
        lines = [f"{margin}{line}" if line else line for line in one.lines]
        if len(lines) != 1 or lines[0].strip() not in known:
            yield from lines


def _joined(lines: Sequence[str]) -> str:
    """Returns the first line, with those that follow as long as a bracket is open."""
    text = ""
    for line in lines:
        gap = " " if text and not text.endswith(("(", "[", "{")) else ""
        text = f"{text}{gap}{line.strip()}"
        if sum(map(text.count, "([{")) <= sum(map(text.count, ")]}")):
            break
    return text


def _use(use: FunctionUse, files: ContextFiles) -> str:
    lines = split_lines(files.source(use.place.path).text)
    text = _joined(lines[use.place.line - 1 :][:MOST_JOINED])
    text = text if len(text) <= LONGEST_USE else f"{text[:LONGEST_USE]}..."
    inside = f" in {use.inside}" if use.inside else ""
    return f"- {use.place.path}:{use.place.line}{inside}: `{text}`"
