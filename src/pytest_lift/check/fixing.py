"""Safe corrections in marks and fields: planned as new texts, shown, then written.

An edit touches one string literal, or one id of a field in a docstring, and is kept only if the
file's syntax tree then differs in this literal, or this id, and nothing else.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_lift.check.problems import Problem
from pytest_lift.check.reading import ownership_files, read_content, read_text
from pytest_lift.errors import UsageError
from pytest_lift.files.atomic import place_file
from pytest_lift.files.git import Git
from pytest_lift.marks.fields import REQ, TextSpan, docstring_of, fields_of, without_fields
from pytest_lift.marks.marks import MarkReader
from pytest_lift.project.option_values import StaticConfig
from pytest_lift.source import hashes
from pytest_lift.source.syntax import digest, from_bytes, parse, split_lines, to_bytes
from pytest_lift.suite.ownership import Ownership, ownership_text, parse_ownership
from pytest_lift.suite.test_file import TestFile

_LITERAL = re.compile(r"(?P<head>[rRuU]?)(?P<quote>'''|\"\"\"|'|\")(?P<body>.*)(?P=quote)", re.S)
_PLAIN = re.compile(r"[^\s'\"\\]+")


@dataclass(frozen=True)
class FileFix:
    """One file with some of its literals corrected."""

    file: TestFile
    text: str
    """The whole file afterwards."""
    told: tuple[str, ...]
    """Each edit in words."""


def plan_fixes(files: Iterable[TestFile], problems: Iterable[Problem]) -> list[FileFix]:
    """Returns the corrections that `problems` propose, as far as they are safe; nothing is
    written."""
    edits: dict[str, dict[TextSpan, Problem]] = {}
    for problem in problems:
        if problem.instead is not None:
            of_file = edits.setdefault(problem.file, {})
            if problem.instead == "" or problem.place not in of_file:
                of_file[problem.place] = problem
    planned = [_fixed(file, edits[file.path]) for file in files if file.path in edits]
    return [fix for fix in planned if fix.told]


def apply_fixes(fixes: Sequence[FileFix], config: StaticConfig) -> list[FileFix]:
    """Writes the corrections, and the new hashes of tests that the tool owns; returns those that
    were written.

    A file that changed meanwhile, or is outside the project, is skipped. Raises `UsageError` when a
    file cannot be written.
    """
    done = []
    for fix in fixes:
        place = (config.root / fix.file.path).resolve()
        inside = place.is_relative_to(config.root.resolve())
        try:
            if inside and read_content(place) == fix.file.text:
                place_file(place, to_bytes(fix.text))
                done.append(fix)
        except OSError as error:
            what = f"cannot be written: {error.strerror}"
            where, todo = fix.file.path, "make it writable, or correct it by hand"
            raise UsageError(what, where=where, todo=todo) from None
    if done:
        _keep_ownership(done, config)
    return done


def _fixed(file: TestFile, edits: Mapping[TextSpan, Problem]) -> FileFix:
    """Returns a text with its corrections, made from the end so that earlier places stay valid."""
    text, told = file.text, []
    for place, problem in sorted(edits.items(), reverse=True):
        new = _edited(text, place, problem)
        if new is not None and _differs_only_there(text, new, place, problem):
            text = new
            told.append(f"{file.path}:{place.line}: {_words(problem)}")
    return FileFix(file, text, tuple(reversed(told)))


def _words(problem: Problem) -> str:
    if problem.instead:
        return f"{problem.requirement!r} -> {problem.instead!r}"
    return f"the second {problem.requirement!r} is removed"


def _edited(text: str, place: TextSpan, problem: Problem) -> str | None:
    """Returns the text with the literal exchanged, or cut with the comma before it."""
    start, end = span(text, place)
    head = quote = ""
    if text[start:end] != problem.requirement:  # of a field, the id itself
        literal = _LITERAL.fullmatch(text[start:end])
        if literal is None or literal["body"] != problem.requirement:
            return None
        head, quote = literal["head"], literal["quote"]
    if problem.instead:
        if not _PLAIN.fullmatch(problem.instead):
            return None
        return f"{text[:start]}{head}{quote}{problem.instead}{quote}{text[end:]}"
    before = text[:start].rstrip()
    return before.removesuffix(",") + text[end:] if before.endswith(",") else None


def span(text: str, place: TextSpan) -> tuple[int, int]:
    """Offsets of a place; the columns of the first line do not count a byte order mark."""
    lines = split_lines(text)
    mark = 1 if text.startswith("\ufeff") else 0

    def offset(line: int, column: int) -> int:
        return sum(map(len, lines[: line - 1])) + column - 1 + (mark if line == 1 else 0)

    return offset(place.line, place.column), offset(place.end_line, place.end_column)


def _differs_only_there(old: str, new: str, place: TextSpan, problem: Problem) -> bool:
    try:
        before, after = parse(old), parse(new)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    reader = MarkReader(before, split_lines(old))
    for node, now in zip(ast.walk(before), ast.walk(after), strict=False):
        docstring, other = docstring_of(node), docstring_of(now)
        if docstring and other and _holds(reader.place(docstring.literal), place):
            docstring.literal.value = other.text
            same = ast.dump(before) == ast.dump(after)
            return same and _differs_in_one_id(docstring.text, other.text, problem)
        for name in ("args", "elts"):
            parts = getattr(node, name, None)
            if not isinstance(parts, list):
                continue
            for number, part in enumerate(parts):
                if isinstance(part, ast.Constant) and reader.place(part) == place:
                    parts[number : number + 1] = _instead(part, problem)
                    return ast.dump(before) == ast.dump(after)
    return False


def _holds(docstring: TextSpan, place: TextSpan) -> bool:
    return docstring[:2] < place[:2] and place[2:] < docstring[2:]


def _differs_in_one_id(old: str, new: str, problem: Problem) -> bool:
    """Whether the fields of two docstrings say the same but for it, and the rest is the same."""
    before, after = (
        Counter((f.name, v) for f in fields_of(d) for v in f.values) for d in (old, new)
    )
    instead = [(REQ, problem.instead)] if problem.instead else []
    fields = (before - after, after - before) == (
        Counter([(REQ, problem.requirement)]),
        Counter(instead),
    )
    return fields and without_fields(old) == without_fields(new)


def _instead(part: ast.Constant, problem: Problem) -> list[ast.expr]:
    if not problem.instead:
        return []
    return [ast.Constant(problem.instead, kind=part.kind)]


def _keep_ownership(fixes: Sequence[FileFix], config: StaticConfig) -> None:
    """Keeps the tool's ownership of a test whose mark the tool corrects."""
    for place in ownership_files(config):
        text = from_bytes(place.read_bytes())
        said = parse_ownership(text)
        tests, files = dict(said.tests), dict(said.files)
        for fix in fixes:
            after = read_text(fix.file.path, fix.text, config.naming)
            tests.update(_new_digests(fix.file, after, said))
            before = (digest(fix.file.text), hashes.of_file(fix.file.text))
            if said.files.get(fix.file.path) in before:
                files[fix.file.path] = hashes.of_file(fix.text)
        if (tests, files) != (said.tests, said.files):
            kept = ownership_text(tests, files, said.refused, said.refused_links)
            place_file(place, to_bytes(kept or text))


def _new_digests(before: TestFile, after: TestFile, said: Ownership) -> dict[str, str]:
    now = {test.node: test.meaning for test in after.tests}
    return {
        test.node: now[test.node]
        for test in before.tests
        if test.node in now and test.is_recorded_as(said.tests.get(test.node))
    }


def former_ids(root: Path, files: Iterable[Path], ids: Collection[str]) -> frozenset[str]:
    """Returns those of `ids` that stand in any version of `files` in the history of HEAD.

    None where there is no git repository to ask.
    """
    inside = [str(path) for path in files if path.is_relative_to(root)]
    if not ids or not inside:
        return frozenset()
    git = Git(root, "--fix", "leave --fix out")
    try:
        done = git("log", "-p", "--format=", "--no-ext-diff", "--no-textconv", "--", *inside)
    except UsageError:
        return frozenset()
    if done.returncode:
        return frozenset()
    text = done.stdout.decode("utf-8", "replace")
    return frozenset(one for one in ids if _word(one).search(text))


def _word(identity: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.-]){re.escape(identity.strip())}(?![\w-]|\.\w)")
