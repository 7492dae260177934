"""Links of the tool's tests as the project can read them: marks where it knows them, else fields.

A mark has to be registered, or plain pytest warns of it and refuses it under `--strict-markers`;
a field needs nothing. Agents write either; what they wrote is respelled before it is run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path, PurePosixPath

from pytest_lift.errors import LiftError
from pytest_lift.files.project_reads import read_confined
from pytest_lift.marks.fields import EMERGENT, NAMES
from pytest_lift.marks.marks import MarkReader
from pytest_lift.source.syntax import UNREADABLE, from_bytes, parse_readable, split_lines
from pytest_lift.suite.collection import Naming, definitions
from pytest_lift.suite.relinking import (
    MarkChanges,
    bound_by_imports,
    with_fields,
    without_idle_imports,
)
from pytest_lift.suite.suite import Edit, Suite
from pytest_lift.suite.test_file import TestFile, parse_test_file
from pytest_lift.suite.user_code import refusals

_NAMED = re.compile(rf"\b(?:{'|'.join(NAMES)})\b")
_LARGEST_CONFTEST = 1024 * 1024
"""Bytes of a conftest file that is read."""


def known_marks(markers: Iterable[str], ours: Iterable[str], suite: Suite) -> frozenset[str]:
    """Returns those of `req` and `emergent` that need no further registration: see `registered` and
    `used_by_people`."""
    return (registered(markers, ours) | used_by_people(suite)) & {*NAMES}


def registered(markers: Iterable[str], ours: Iterable[str] = ()) -> frozenset[str]:
    """Returns names of the marks that the project itself registers, by all lines of `markers`;
    `ours` are those that this package has added to them."""
    theirs = list(markers)
    for line in ours:
        if line in theirs:
            theirs.remove(line)
    return frozenset(line.partition(":")[0].partition("(")[0].strip() for line in theirs)


def marker_lines(root: Path, tests: Iterable[str]) -> tuple[str, ...]:
    """Returns marks that conftest files register which pytest loads before it collects the folders
    `tests` (relative to `root`): those in them and above.

    A line that is not written out is passed over.
    """
    folders = {PurePosixPath("."): None}
    for place in tests:
        folders |= dict.fromkeys([PurePosixPath(place), *PurePosixPath(place).parents])
    lines: list[str] = []
    for folder in folders:
        path = (folder / "conftest.py").as_posix()
        if (root / path).is_file():
            try:
                text = from_bytes(read_confined(root, path, limit=_LARGEST_CONFTEST))
            except LiftError:
                continue
            lines += lines_in(text)
    return tuple(dict.fromkeys(lines))


def lines_in(text: str) -> Iterator[str]:
    """Yields the lines of one file: ``config.addinivalue_line("markers", "slow: takes long")``."""
    tree = parse_readable(text) if "addinivalue_line" in text else ast.Module([], [])
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            told = [*node.args, *(word.value for word in node.keywords)]
            values = [one.value for one in told if isinstance(one, ast.Constant)]
            if node.func.attr == "addinivalue_line" and len(values) == 2 == len(told):
                name, line = values
                if name == "markers" and isinstance(line, str):
                    yield line


def used_by_people(suite: Suite) -> frozenset[str]:
    """Returns which of this package's marks stand on tests that the tool did not write."""
    found: set[str] = set()
    for file in suite.files.values():
        theirs = {test.node for test in file.tests if not suite.is_owned(test)}
        if theirs and "mark" in file.text and _NAMED.search(file.text):
            found |= _marks_in(file, theirs, suite.naming)
    return frozenset(found)


def respelled(
    suite: Suite, before: Suite, marks: Collection[str] = (), *, linked: bool = True
) -> Suite:
    """Returns `suite` with the links of the tool's tests, in files that changed since `before`, as
    fields.

    Those in `marks` may stay marks. Where there are no requirements (`linked` is False), no new or
    changed test is called emergent. A file in which that cannot be done stays as it is. Pure.
    """
    names = frozenset(NAMES) - {*marks} | (frozenset() if linked else {EMERGENT})
    files: dict[str, str | None] = {}
    for path, file in suite.files.items():
        if file != before.files.get(path) and _NAMED.search(file.text):
            text = _respelled(file, suite, before, names, linked)
            if text is not None and not refusals(before, Edit({path: text})):
                files[path] = text
    return suite.apply(Edit(files)) if files else suite


def _respelled(
    file: TestFile, suite: Suite, before: Suite, names: frozenset[str], linked: bool
) -> str | None:
    """Returns the new text of a file; None if nothing is to be done, or it cannot be done."""
    old = before.files.get(file.path)
    known = {(test.node, test.digest) for test in old.tests} if old else set()
    owned = [test for test in file.tests if suite.is_owned(test)]
    wanted = MarkChanges(
        names,
        {t.inner_node for t in owned if linked or (t.node, t.digest) not in known},
        linked,
        whole=suite.is_owned_file(file.path) and len(owned) == len(file.tests),
    )
    try:
        file.text.encode()  # bytes that are no UTF-8 have no columns that can be relied on
        mark, text = ("\ufeff" * file.text.startswith("\ufeff"), file.text.removeprefix("\ufeff"))
        new = with_fields(text, wanted, suite.naming)
        theirs = bound_by_imports(old.text) if old and not wanted.whole else frozenset()
        new = mark + without_idle_imports(new, text, theirs) if new != text else file.text
    except UNREADABLE:
        return None
    same = new != file.text and _says_the_same(file, new, wanted, suite.naming)
    return new if same else None


def _says_the_same(file: TestFile, text: str, wanted: MarkChanges, naming: Naming) -> bool:
    """Whether two texts have equal tests with equal links, none by a mark that has to go."""
    after = parse_test_file(file.path, text, naming)
    if [test.node for test in file.tests] != [test.node for test in after.tests]:
        return False
    for old, new in zip(file.tests, after.tests, strict=True):
        told = wanted.emergent or old.inner_node not in wanted.tests
        reason = " ".join(old.emergent.split()) if told and old.emergent is not None else None
        if (old.doc, {*old.requirements}, reason) != (new.doc, {*new.requirements}, new.emergent):
            return False
    nodes = {test.node for test in after.tests if test.inner_node in wanted.tests}
    return not _marks_in(after, nodes, naming) & {*wanted.names}


def _marks_in(file: TestFile, nodes: Collection[str], naming: Naming) -> set[str]:
    """Returns names of the marks that hold for these tests of a file."""
    tree = parse_readable(file.text)
    reader = MarkReader(tree, split_lines(file.text))
    return {
        mark.name
        for test in definitions(tree, naming)
        if f"{file.path}::{test.name}" in nodes
        for mark in reader.of_test(test.function, test.classes)
        if not mark.in_docstring
    }
