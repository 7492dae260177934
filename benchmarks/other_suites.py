"""Test suites that other people wrote, from PyPI, as diagnosis and repair see them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sdists import environment, sdist

from pytest_lift.context.launch import chosen_launch
from pytest_lift.context.retriever import Retriever
from pytest_lift.gate.diagnosis.diagnosing import Diagnoser
from pytest_lift.project.discovery import find_program
from pytest_lift.suite.suite import Suite, suite_of

COMMON = ("hypothesis", "pytest-mock", "freezegun")
"""Packages that suites need and do not always declare where pip looks."""
TOPS = ("tests", "test", "testing", "src/tests")


@dataclass(frozen=True)
class Unpacked:
    """A package with its tests, and the interpreter that has what they need."""

    name: str
    root: Path
    python: Path


def unpacked(name: str, folder: Path, extra: tuple[str, ...] = ()) -> Unpacked | None:
    """Returns a package, fetched and installed below `folder`, with what of `extra` its tests speak
    of; None where that does not work, or it ships no tests."""
    folder.mkdir(parents=True, exist_ok=True)
    root = sdist(name, folder)
    if root is None or not [*test_files(root)]:
        return None
    python = environment(root, folder, "[lsp]")
    if python is None:
        return None
    pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    spoken = {
        one for path in test_files(root) for one in extra if one.encode() in path.read_bytes()
    }
    subprocess.run([*pip, *COMMON, *sorted(spoken)], check=False, capture_output=True)
    return Unpacked(name, root, python)


def test_root(root: Path) -> str:
    """Returns the folder of a package's tests, relative to it."""
    for top in TOPS:
        if (root / top).is_dir():
            return top
    inside = sorted(path for path in root.glob("*/tests") if path.is_dir())
    return inside[0].relative_to(root).as_posix() if inside else ""


def test_files(root: Path) -> Iterator[Path]:
    top = root / test_root(root)
    for path in sorted(top.rglob("*.py") if top != root else top.glob("test*.py")):
        if "data" not in path.relative_to(root).parts:
            yield path


@contextmanager
def diagnosed(root: Path) -> Iterator[Diagnoser]:
    """Gives the diagnoser of a package's suite, with a server."""
    program = find_program(root)
    retriever = Retriever(chosen_launch(None))
    suite = suite_as_it_is(root)
    retriever.read(root, program, {path: file.text for path, file in suite.files.items()})
    try:
        yield Diagnoser(program, suite, root.resolve(), retriever.server)
    finally:
        retriever.close()


def suite_as_it_is(root: Path) -> Suite:
    texts = {}
    for path in test_files(root):
        try:
            texts[path.relative_to(root).as_posix()] = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
    return suite_of(test_root(root) or ".", texts)
