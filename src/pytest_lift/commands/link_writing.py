"""Links written into a person's test file, every other byte kept, and links that were refused.

The project's files decide the spelling (`spelling_of`): a mark if marks are used or registered,
otherwise a field of the docstring, which needs no registration.
"""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path

from pytest_lift.check.fixing import span
from pytest_lift.check.reading import read_content, read_text
from pytest_lift.commands.link_candidates import Candidate
from pytest_lift.errors import UsageError
from pytest_lift.files.atomic import place_file
from pytest_lift.marks.fields import REQ, docstring_of, fields_of
from pytest_lift.marks.marks import MarkReader
from pytest_lift.project.ini_files import find_ini_file
from pytest_lift.project.option_values import StaticConfig
from pytest_lift.source.bindings import imports_in
from pytest_lift.source.syntax import (
    FunctionNode,
    first_line,
    from_bytes,
    parse,
    split_lines,
    to_bytes,
)
from pytest_lift.suite.collection import definitions
from pytest_lift.suite.ownership import OWNERSHIP_FILE, ownership_text, parse_ownership
from pytest_lift.suite.respelling import marker_lines, registered
from pytest_lift.suite.splice import merge_tests
from pytest_lift.suite.test_file import TestFile

DOCSTRING = ""
"""Spelling of links as fields of docstrings, instead of the name of a mark."""
_TRIPLE = re.compile(r"[rRuU]?(\"\"\"|''')")


@dataclass(frozen=True)
class LinkedText:
    """A file after a link was added."""

    file: TestFile
    """As it is now."""
    line: int
    """Line of the link."""


def spelling_of(files: Iterable[TestFile], config: StaticConfig) -> str:
    """Returns the name of the mark that links are written with, or `DOCSTRING`."""
    used = Counter(
        DOCSTRING if mark.in_docstring else mark.name
        for file in files
        for mark in file.marks
        if mark.in_docstring or mark.name in config.naming.links.markers
    )
    if used:
        return used.most_common(1)[0][0]
    _, ini = find_ini_file(config.root)
    lines = ini.lines("markers") if ini else []
    known = registered([*lines, *marker_lines(config.root, config.tests)])
    return next((name for name in config.naming.links.markers if name in known), DOCSTRING)


def write_link(
    file: TestFile, test: str, identity: str, spelling: str, config: StaticConfig
) -> LinkedText:
    """Links `test` of `file` to the requirement `identity`.

    The new text is checked before it replaces the old one. Raises `UsageError` if the test cannot
    have a link in this spelling, or if the file changed or cannot be written.
    """
    try:
        text, line = linked_text(file.text, test, identity, spelling, config)
    except _Unplaced as error:
        raise _by_hand(file, test, identity, str(error)) from None
    after = read_text(file.path, text, config.naming)
    if not adds_a_link(file, after, test, identity):
        raise _by_hand(file, test, identity, "the changed file would differ in more than this link")
    place = (config.root / file.path).resolve()
    try:
        if not place.is_relative_to(config.root.resolve()):
            raise _by_hand(file, test, identity, "its file is outside of the project")
        if read_content(place) != file.text:
            raise _by_hand(file, test, identity, "its file changed meanwhile")
        place_file(place, to_bytes(text))
    except OSError as error:
        raise _by_hand(
            file, test, identity, f"its file cannot be written: {error.strerror}"
        ) from None
    return LinkedText(after, line)


def _by_hand(file: TestFile, test: str, identity: str, why: str) -> UsageError:
    todo = (
        f'mark it by hand: @pytest.mark.{REQ}("{identity}"), or :{REQ}: {identity} in its docstring'
    )
    return UsageError(
        f"{identity} cannot be written there: {why}", where=file.node(test), todo=todo
    )


def linked_text(
    text: str, test: str, identity: str, spelling: str, config: StaticConfig
) -> tuple[str, int]:
    """Returns (`text` with the link, its line). Pure. Raises _Unplaced if the link cannot be
    added."""
    tree = parse(text)
    found = [one for one in definitions(tree, config.naming) if one.name == test]
    if not found:
        raise _Unplaced("it is not a test of its file")
    function = found[-1].function  # of several with one name the last is the test
    if spelling == DOCSTRING:
        return _with_field(text, tree, function, identity)
    return _with_mark(text, tree, function, identity, spelling)


def _with_mark(
    text: str, tree: ast.Module, function: FunctionNode, identity: str, name: str
) -> tuple[str, int]:
    lines = split_lines(text)
    at = first_line(function) - 1
    indent, end = _indent(lines[at]), _line_end(lines, at)
    mark = _name_of_mark(tree)
    lines[at:at] = [f"{indent}@{mark or 'pytest.mark'}.{name}({_quoted(identity, text)}){end}"]
    new = "".join(lines)
    if mark:
        return new, at + 1
    imported = merge_tests(new, ["import pytest"], "")
    if not new.endswith(("\n", "\r")):
        imported = imported.removesuffix("\n").removesuffix("\r")
    return imported, at + 1 + len(split_lines(imported)) - len(lines)


def _name_of_mark(tree: ast.Module) -> str:
    """Returns the module's name for ``pytest.mark``; empty if it is not imported."""
    names = {"pytest": "{}.mark", "pytest.mark": "{}"}
    imported = imports_in(tree.body)
    return next((names[i.origin].format(i.bound) for i in imported if i.origin in names), "")


def _quoted(identity: str, text: str) -> str:
    """Returns the id as a string literal, in the quotes that the file uses more often."""
    told = json.dumps(identity, ensure_ascii=False)
    plain = told[1:-1] == identity and "'" not in identity
    singles, doubles = (text.replace(3 * quote, "").count(quote) for quote in "'\"")
    return f"'{identity}'" if plain and singles > doubles else told


def _with_field(
    text: str, tree: ast.Module, function: FunctionNode, identity: str
) -> tuple[str, int]:
    if "," in identity or identity != " ".join(identity.split()):
        raise _Unplaced("a field of a docstring cannot hold this id")
    lines = split_lines(text)
    docstring = docstring_of(function)
    if docstring is not None:
        place = MarkReader(tree, lines).place(docstring.literal)
        start, end = span(text, place)
        new = _longer(text[start:end], _indent(lines[place.line - 1]), identity, _any_end(text))
        line = place.line + new.count("\n", 0, new.index(f":{REQ}: {identity}"))
        return text[:start] + new + text[end:], line
    first = function.body[0]
    at = first_line(first)
    if at == function.lineno or lines[at - 1][: first.col_offset].strip():
        raise _Unplaced("it is written on one line")
    field = f'{_indent(lines[at - 1])}""":{REQ}: {identity}"""'
    lines[at - 1 : at - 1] = [field + _line_end(lines, at - 2)]
    return "".join(lines), at


def _longer(literal: str, indent: str, identity: str, end: str) -> str:
    """Returns a docstring with one more field, below a blank line or another field."""
    quotes = _TRIPLE.match(literal)
    inner = literal[quotes.end() : -3] if quotes else ""
    if quotes is None or not literal.endswith(quotes[1]) or quotes[1] in inner:
        raise _Unplaced("its docstring is not in triple quotes")
    below = [line for line in inner.split("\n")[1:] if line.strip()]
    indent = min((_indent(line) for line in below), key=len, default=indent)
    head, _, last = inner.rpartition("\n")
    said, closing = (f"{head}\n", f"{last}") if head and not last.strip() else (inner + end, indent)
    fields = fields_of(inner)
    told = inner.rstrip().count("\n") + 1
    blank = "" if fields and fields[-1].end >= told else end
    return f"{quotes[0]}{said}{blank}{indent}:{REQ}: {identity}{end}{closing}{quotes[1]}"


def adds_a_link(before: TestFile, after: TestFile, test: str, identity: str) -> bool:
    """Whether the change adds one id to one test, and nothing but the link and what it needs."""
    old, new = (
        {each.inner_node: {*each.requirements} for each in (*file.tests, *file.mixins)}
        for file in (before, after)
    )
    old.setdefault(test, set()).add(identity)
    return old == new and after.broken is None and _code(before.text) == _code(after.text)


def _code(text: str) -> str:
    """Returns the tree without what may be links: docstrings, marks, the import of pytest."""
    tree = parse(text)
    for node in ast.walk(tree):
        if isinstance(node, FunctionNode):
            node.decorator_list = [one for one in node.decorator_list if not _may_link(one)]
            if docstring_of(node):
                node.body = node.body[1:]
    tree.body = [node for node in tree.body if ast.unparse(node) != "import pytest"]
    return ast.dump(tree)


def _may_link(node: ast.expr) -> bool:
    """Whether a decorator is a call with one constant, such as ``pytest.mark.req("X")``."""
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return False
    return isinstance(node.args[0], ast.Constant) and isinstance(node.func, ast.Attribute)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _line_end(lines: list[str], at: int) -> str:
    return lines[at][len(lines[at].rstrip("\r\n")) :]


def _any_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


class _Unplaced(Exception):
    """Raised with the reason if a link cannot be added to a text."""


def keep_refused(config: StaticConfig, refused: Iterable[Candidate]) -> tuple[str, ...]:
    """Stores the keys of `refused`, and returns the changed files relative to the project.

    Raises UsageError if a file cannot be understood or written.
    """
    by_place: dict[Path, set[str]] = {}
    for one in refused:
        by_place.setdefault(_place(config, one.file.path), set()).add(one.key)
    for place, keys in by_place.items():
        _add(place, keys)
    return tuple(place.relative_to(config.root).as_posix() for place in by_place)


def _place(config: StaticConfig, path: str) -> Path:
    """Returns the ownership file in the innermost test folder that contains `path`."""
    tops = [
        config.root / top
        for pattern in config.tests
        for top in (glob(pattern, root_dir=config.root) if has_magic(pattern) else [pattern])
    ]
    folders = [top if top.is_dir() else top.parent for top in tops]
    holding = [folder for folder in folders if (config.root / path).is_relative_to(folder)]
    return max(holding, key=lambda folder: len(folder.parts), default=config.root) / OWNERSHIP_FILE


def _add(place: Path, keys: Iterable[str]) -> None:
    try:
        text = from_bytes(place.read_bytes()) if place.exists() else ""
        said = parse_ownership(text)
        if said.problem is None:
            links = said.refused_links.union(keys)
            new = ownership_text(said.tests, said.files, said.refused, links)
            place_file(place, to_bytes(new or ""))
            return
        why, todo = f"the file {said.problem}", "correct it or delete it"
    except OSError as error:
        why, todo = f"{error.strerror}", "make it writable"
    raise UsageError(f"what was refused cannot be kept: {why}", where=str(place), todo=todo)
