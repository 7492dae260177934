"""Test files as a value: the tests in them, who owns each, what each claims, and edits to them."""

from __future__ import annotations

import ast
import errno
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePosixPath

from pytest_lift.requirements.doubtful import DoubtfulRequirement
from pytest_lift.requirements.requirement import Expectation
from pytest_lift.source import hashes
from pytest_lift.source.bindings import is_import
from pytest_lift.source.program import Obstacle
from pytest_lift.source.syntax import digest, from_bytes, parse
from pytest_lift.source.worthless import WorthlessMutant
from pytest_lift.suite.collection import (
    DEFAULT_NAMING,
    Naming,
    case_classes,
    is_for_unittest,
    is_foreign,
)
from pytest_lift.suite.import_places import without_idle_imports
from pytest_lift.suite.never_run import is_deselected
from pytest_lift.suite.ownership import OWNERSHIP_FILE, ownership_text, parse_ownership
from pytest_lift.suite.splice import cut_tests, is_idle
from pytest_lift.suite.test_file import TestFile, TestFunction, parse_test_file

TestKey = tuple[str, str, str]
"""(node, hash of the test, hash of its file's other text)"""
LARGEST_FILE = 64 * 1024 * 1024
"""Bytes of a file that is read."""


@dataclass(frozen=True)
class Repair:
    """A mechanical repair of a proposed text: the name of its rule, and what was changed where."""

    rule: str
    path: str
    line: int
    what: str


@dataclass(frozen=True)
class Edit:
    """A change to the suite: whole new texts by path; None deletes the file."""

    files: Mapping[str, str | None] = field(default_factory=dict)
    why: str = ""
    expectations: tuple[Expectation, ...] = ()
    """Where its author saw the program do something else than a requirement says."""
    left_out: tuple[str, ...] = ()
    """Notes of its author on what is left untested on purpose, with place and reason."""
    settled: tuple[str, ...] = ()
    """Earlier notes of that kind that no longer hold."""
    doubts: tuple[DoubtfulRequirement, ...] = ()
    """Requirements that contradict themselves or each other, as its author sees them."""
    worthless: tuple[WorthlessMutant, ...] = ()
    """Mutants of messages and logs that are worth no test."""
    obstacles: tuple[Obstacle, ...] | None = None
    """What its author tried to test and could not; None where nothing was tried."""
    repairs: tuple[Repair, ...] | None = None
    """Mechanical repairs that are part of it; None where nobody looked for what to repair."""
    cut_short: bool = False
    """Whether its author was stopped by a limit of the time, and might have found more."""

    def __bool__(self) -> bool:
        return bool(self.files)


@dataclass(frozen=True)
class Suite:
    """Python files under the test root, and which tests the tool wrote."""

    root: str
    """The test root, POSIX, relative to the project root (``tests``)."""
    files: Mapping[str, TestFile] = field(default_factory=dict)
    owned: Mapping[str, str] = field(default_factory=dict)
    """node -> hash as written by the tool (`meaning`; of its text where an older version wrote
    it), as read from `OWNERSHIP_FILE`."""
    owned_files: Mapping[str, str] = field(default_factory=dict)
    """path -> hash of files that the tool created, as a whole; likewise."""
    refused: frozenset[str] = frozenset()
    """Hashes of checks that a person refused (see `gate.reviewed`)."""
    refused_links: frozenset[str] = frozenset()
    """Keys of links that a person refused (see `linking`); a lift leaves them as they are."""
    ownership: str | None = None
    """The text of `OWNERSHIP_FILE` as read, None when there was none."""
    warnings: tuple[str, ...] = ()
    naming: Naming = DEFAULT_NAMING
    outside: frozenset[str] = frozenset()
    """Test files that pytest collects from elsewhere in the project; theirs and read-only, but no
    new file may have the module name of one."""
    uncollected: frozenset[str] = frozenset()
    """Files of the user's that pytest cannot collect: a test in one of them would never run."""

    @cached_property
    def _by_node(self) -> dict[str, dict[str, TestFunction]]:
        """Path -> node -> test, of the files that were asked for."""
        return {}

    @property
    def ownership_path(self) -> str:
        """Path of `OWNERSHIP_FILE`, relative to the project root."""
        return (PurePosixPath(self.root) / OWNERSHIP_FILE).as_posix()

    def is_for_unittest(self, text: str) -> bool:
        """Whether a text is a file of test cases that unittest runs without pytest, also where
        the class that they are derived from stands in another file of the suite."""
        return is_for_unittest(text, self.naming, self._case_classes)

    def is_deselected(self, text: str) -> bool:
        """Whether the marks of a file as a whole keep all of its tests from being run."""
        return is_deselected(text, self.naming.marks)

    @cached_property
    def _case_classes(self) -> frozenset[str]:
        texts = [file.text for file in self.files.values()]
        return case_classes(texts) if any("TestCase" in text for text in texts) else frozenset()

    def tests(self) -> Iterator[TestFunction]:
        """Returns every test, by file and line."""
        return (test for path in self.files for test in self._tests_of(path).values())

    def function(self, node: str) -> TestFunction | None:
        """Returns the test of a node id, with or without parameters; None for an inherited one."""
        tests = self._tests_of(path_of(node))
        return tests.get(node) or tests.get(node.partition("[")[0])

    def _tests_of(self, path: str) -> dict[str, TestFunction]:
        if path not in self._by_node:
            file = self.files.get(path)
            self._by_node[path] = {test.node: test for test in file.tests} if file else {}
        return self._by_node[path]

    def text(self, path: str) -> str:
        """Returns the text of a file as it was read, without parsing it; empty if there is none."""
        if isinstance(self.files, _ParsedOnDemand):
            return self.files.texts.get(path, "")
        file = self.files.get(path)
        return file.text if file else ""

    def source(self, test: TestFunction) -> str:
        """Returns the test as written, with decorators, without its class's indentation."""
        return test.source

    def is_owned(self, test: TestFunction) -> bool:
        """Whether the tool wrote the test and nobody changed it since, except by formatting it."""
        return test.is_recorded_as(self.owned.get(test.node))

    def is_owned_file(self, path: str) -> bool:
        """Whether the tool created the file and nobody changed it since, but by formatting."""
        file, recorded = self.files.get(path), self.owned_files.get(path)
        if file is None or recorded is None:
            return False
        return recorded == hashes.of_file(file.text) or recorded == digest(file.text)

    def owned_tests(self) -> tuple[TestFunction, ...]:
        return tuple(test for test in self.tests() if self.is_owned(test))

    def user_tests(self) -> tuple[TestFunction, ...]:
        return tuple(test for test in self.tests() if not self.is_owned(test))

    def files_fully_owned(self) -> tuple[str, ...]:
        """Returns files with at least one test, all of them the tool's."""
        return tuple(
            path
            for path, file in self.files.items()
            if file.tests and all(self.is_owned(test) for test in file.tests)
        )

    def around(self, path: str) -> str:
        """Returns the hash of what stands in a file beside its tests and imports, and in the
        conftest files above it."""
        above = [p for p in self.files if p.endswith("conftest.py") and _is_above(p, path)]
        above_texts = [self.files[p].text for p in above]
        return digest("\0".join([_used_beside(self.files[path], self.naming), *above_texts]))

    def keys(self, tests: Iterable[TestFunction]) -> dict[str, TestKey]:
        """Returns node -> what stays while neither the test nor what is around it changes."""
        tests = list(tests)
        around = {path: self.around(path) for path in {path_of(test.node) for test in tests}}
        return {test.node: (test.node, test.digest, around[path_of(test.node)]) for test in tests}

    def apply(self, edit: Edit) -> Suite:
        """Returns the suite after `edit`; nothing is written and nothing is refused (see
        `user_code`).

        What is new becomes the tool's, what was the tool's stays so; a test that was the user's
        stays the user's, whatever the edit made of it.
        """
        files, owned_files = dict(self.files), dict(self.owned_files)
        owned = {n: d for n, d in self.owned.items() if path_of(n) not in edit.files}
        for path, text in edit.files.items():
            before = files.pop(path, None)
            created = before is None or self.is_owned_file(path)
            owned_files.pop(path, None)
            if text is None:
                continue
            text = in_the_manner_of(before, text)
            files[path] = parse_test_file(path, text, self.naming)
            owned.update(self._owned_after(before, files[path]))
            if created:
                owned_files[path] = hashes.of_file(text)
        files = dict(sorted(files.items()))
        return replace(self, files=files, owned=owned, owned_files=owned_files)

    def without(self, nodes: Iterable[str]) -> Suite:
        """Returns the suite without these tests; the rest of their files stays byte for byte, but
        for imports that nothing else uses in a file that is the tool's as a whole.

        A file goes when no test is left in it, all were the tool's and nothing else stands in it
        that somebody could miss. Unknown nodes are passed over.
        """
        by_path: dict[str, set[str]] = {}
        for node in nodes:
            if test := self.function(node):
                path, _, name = test.node.partition("::")
                by_path.setdefault(path, set()).add(name)
        return self.apply(Edit({p: self._cut(p, names) for p, names in by_path.items()}))

    def edit_to(self, other: Suite) -> Edit:
        """Returns the edit that turns the files of this suite into those of `other`."""
        gone: dict[str, str | None] = {p: None for p in self.files if p not in other.files}
        new = {
            path: file.text
            for path, file in other.files.items()
            if path not in self.files or self.files[path].text != file.text
        }
        return Edit(gone | new)

    def texts(self) -> dict[str, str]:
        """Returns every file of the suite as it is on disk, with `OWNERSHIP_FILE` if it has one."""
        texts = {path: file.text for path, file in self.files.items()}
        recorded = parse_ownership(self.ownership or "")
        said = (dict(self.owned), dict(self.owned_files), self.refused, self.refused_links)
        known = (recorded.tests, recorded.files, recorded.refused, recorded.refused_links)
        if known == said:
            own = self.ownership
        else:
            own = ownership_text(*self._renewed(), self.refused, self.refused_links)
        return texts if own is None else {**texts, self.ownership_path: own}

    def _renewed(self) -> tuple[dict[str, str], dict[str, str]]:
        """Returns owned tests, with hashes of today in place of those of older versions."""
        tests = {t.node: t.meaning for t in self.owned_tests()}
        files = {
            path: hashes.of_file(self.files[path].text)
            for path in self.owned_files
            if self.is_owned_file(path)
        }
        return {**self.owned, **tests}, {**self.owned_files, **files}

    def _owned_after(self, before: TestFile | None, after: TestFile) -> dict[str, str]:
        """Returns the tests owned after an edit; those of an unparsable text stay recorded."""
        if after.error is not None:
            return {n: d for n, d in self.owned.items() if path_of(n) == after.path}
        if before is None or self.is_owned_file(after.path):
            return {test.node: test.meaning for test in after.tests}
        if before.error is not None:
            return {test.node: test.meaning for test in after.tests if self.is_owned(test)}
        users = {test.node for test in before.tests if not self.is_owned(test)}
        return {t.node: t.meaning for t in after.tests if t.node not in users}

    def _cut(self, path: str, names: set[str]) -> str | None:
        file = self.files[path]
        text = cut_tests(file.text, names, self.naming)
        left = parse_test_file(path, text, self.naming).tests
        owned = all(self.is_owned(test) for test in file.tests)
        gone = not left and owned and (self.is_owned_file(path) or is_idle(text))
        if gone:
            return None
        return without_idle_imports(text, file.text) if self.is_owned_file(path) else text


def read_suite(root: Path, test_root: str, naming: Naming = DEFAULT_NAMING) -> Suite:
    """Returns every Python file under ``root / test_root`` and the ownership file beside them.

    A missing test root gives an empty suite. Folders that are hidden, built or environments are
    left out. What cannot be read is left out and said in `Suite.warnings`.
    """
    texts: dict[str, str] = {}
    warnings: list[str] = []
    for path in _suite_paths(root, test_root):
        try:
            texts[path] = from_bytes(_content(root / path))
        except OSError as error:
            warnings.append(f"{path} cannot be read and is left out: {error.strerror}")
    suite = suite_of(test_root, texts, naming)
    return replace(suite, warnings=(*warnings, *suite.warnings))


def _content(place: Path) -> bytes:
    """Raises OSError, also for what is too large to be meant as a test."""
    if place.stat().st_size > LARGEST_FILE:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return place.read_bytes()


def suite_of(test_root: str, texts: Mapping[str, str], naming: Naming = DEFAULT_NAMING) -> Suite:
    """Returns the suite whose `texts` these are, `OWNERSHIP_FILE` among them or not."""
    suite = Suite(test_root, naming=naming)
    ownership = texts.get(suite.ownership_path)
    said = parse_ownership(ownership or "")
    warning = f"{suite.ownership_path} {said.problem}; tests that it does not name are yours"
    read = {path: texts[path] for path in sorted(texts) if path.endswith(".py")}
    return replace(
        suite,
        files=_ParsedOnDemand(read, naming),
        owned=dict(said.tests),
        owned_files=dict(said.files),
        refused=said.refused,
        refused_links=said.refused_links,
        ownership=ownership,
        warnings=(warning,) if said.problem else (),
    )


class _ParsedOnDemand(Mapping[str, TestFile]):
    """Files by path, each parsed when it is first asked for: a session needs few of them."""

    def __init__(self, texts: Mapping[str, str], naming: Naming) -> None:
        self.texts = texts
        self._naming = naming
        self.parsed: dict[str, TestFile] = {}

    def __getitem__(self, path: str) -> TestFile:
        if path not in self.parsed:
            self.parsed[path] = parse_test_file(path, self.texts[path], self._naming)
        return self.parsed[path]

    def __contains__(self, path: object) -> bool:
        return path in self.texts

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)


def is_suite_path(test_root: str, path: str) -> bool:
    """Whether `path` (POSIX, relative to the project root) is one of the suite's own files."""
    pure = PurePosixPath(path)
    try:
        inside = pure.relative_to(test_root)
    except ValueError:
        return False
    if inside.parts == (OWNERSHIP_FILE,):
        return True
    return pure.suffix == ".py" and not any(is_foreign(part) for part in inside.parts)


def beside_tests(file: TestFile, naming: Naming) -> list[ast.stmt]:
    """Returns the top-level statements of a file that can be parsed, without its tests."""
    names = {test.inner_node for test in file.tests}
    return parse(cut_tests(file.text, names, naming)).body


def _used_beside(file: TestFile, naming: Naming) -> str:
    if file.error:
        return file.text
    used = (n for n in beside_tests(file, naming) if not is_import(n))
    return "\n".join(map(ast.dump, used))


def _is_above(conftest: str, path: str) -> bool:
    folder = conftest.removesuffix("conftest.py")
    return path.startswith(folder)


def path_of(node: str) -> str:
    """Returns the file of a node id."""
    return node.partition("::")[0]


def _suite_paths(root: Path, test_root: str) -> list[str]:
    found = []
    for folder, folders, names in os.walk(root / test_root):
        folders[:] = [f for f in folders if not is_foreign(f)]
        here = Path(folder).relative_to(root)
        paths = [(here / name).as_posix() for name in names]
        found += [p for p in paths if is_suite_path(test_root, p) and (root / p).is_file()]
    return sorted(found)


def in_the_manner_of(before: TestFile | None, text: str) -> str:
    """Returns the text with the line ends and the byte order mark of the file that it replaces."""
    if before is None:
        return text
    old = before.text
    windows = old.count("\r\n")
    if windows and windows == old.count("\n") and "\r" not in text:
        text = text.replace("\n", "\r\n")
    if old.startswith("\ufeff") and not text.startswith("\ufeff"):
        text = "\ufeff" + text
    return text
