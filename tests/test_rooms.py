"""Imports point down: a package imports only from those that stand above it in this list.

Lazy and type-only imports count. What runs inside other processes imports next to nothing.
"""

from __future__ import annotations

import ast
import graphlib
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from pytest_lift.source.syntax import parse

SOURCE = Path(__file__).resolve().parents[1] / "src/pytest_lift"
ROOMS = (
    *("errors", "version", "options", "text", "files", "source", "marks", "requirements"),
    *(
        "suite",
        "project",
        "settings",
        "sandbox",
        "run",
        "coverage",
        "assertions",
        "oracles",
        "expectations",
    ),
    *(
        "trace",
        "scope",
        "context",
        "mutation",
        "calls",
        "sensitivity",
        "flakiness",
        "measure",
        "redundancy",
    ),
    *("findings", "gate", "llm", "agents", "store", "evolve", "report", "check", "commands"),
    *("session", "values", "hookspecs", "plugin", "cli", "testing"),
)
"""From the bottom up."""
MOST_FILES = 15
LONGEST_LOOP = 150
UPWARDS = {
    ("run.inside.bystander", "plugin"),
}
"""Imports that point up: the bystander declares the hooks that a project may have."""
OF_USERS = {
    *("conf.py", "setup.py", "conftest.py", "secrets.py", "mod.py", "src/pkg/mod.py", "pkg/mod.py"),
    *(
        "test_mod.py",
        "mod_test.py",
        "testing_test.py",
        "tests/sub/test_mod.py",
        "tests/test_mod.py",
    ),
}
"""Files of a project that texts give as examples."""
INSIDE = ("run/inside", "sensitivity/inside", "mutation/inside", "calls/child")
"""What runs in processes where nothing heavy may be loaded."""


@cache
def modules() -> tuple[tuple[str, Path], ...]:
    paths = sorted(SOURCE.rglob("*.py"))
    return tuple((".".join(path.relative_to(SOURCE).with_suffix("").parts), path) for path in paths)


@dataclass(frozen=True)
class Outlined:
    """What these tests look for in a file, wherever it stands there."""

    docstring: str
    imports: tuple[ast.Import | ast.ImportFrom, ...]
    classes: tuple[str, ...]


@cache
def outline(path: Path) -> Outlined:
    """The trees of all files are not kept, nor is any class of them: collecting garbage among them
    takes three times as long as parsing, and is paused meanwhile."""
    tree = parse(path.read_text("utf-8"))
    nodes = [*ast.walk(tree)]
    imports = tuple(node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))
    classes = tuple(node.name for node in nodes if isinstance(node, ast.ClassDef))
    return Outlined(ast.get_docstring(tree) or "", imports, classes)


def imported(path: Path) -> Iterator[str]:
    """Modules of the package that a file imports, below the package."""
    for node in outline(path).imports:
        if isinstance(node, ast.ImportFrom) and node.module:
            head, _, base = _absolute(node, path).partition(".")
            if head == "pytest_lift":
                for alias in node.names:
                    whole = f"{base}.{alias.name}".lstrip(".")
                    yield whole if is_module(whole) else base


def _absolute(node: ast.ImportFrom, path: Path) -> str:
    """The module that a statement names, which may be a neighbour."""
    if not node.level:
        return node.module or ""
    folder = path.parents[node.level - 1].relative_to(SOURCE.parent)
    return ".".join([*folder.parts, node.module or ""])


@cache
def is_module(name: str) -> bool:
    place = SOURCE / name.replace(".", "/")
    return place.with_suffix(".py").is_file() or (place / "__init__.py").is_file()


def room(name: str) -> str:
    return name.partition(".")[0]


def test_every_module_has_its_room() -> None:
    there = {room(name) for name, _ in modules()} - {"__init__"}
    assert there == set(ROOMS)


def test_imports_point_down() -> None:
    rank = {name: number for number, name in enumerate(ROOMS)}
    up = {
        (name, other)
        for name, path in modules()
        for other in imported(path)
        if name != "__init__" and other and rank[room(other)] > rank[room(name)]
    }
    assert up == UPWARDS


def circle() -> list[str]:
    """Modules that import each other, first and last the same; empty where there are none."""
    edges = {name: {*imported(path)} - {name} for name, path in modules()}
    try:
        graphlib.TopologicalSorter(edges).prepare()
    except graphlib.CycleError as error:
        return list(error.args[1])
    return []


def test_no_imports_run_in_a_circle() -> None:
    assert circle() == []


def test_no_class_name_is_used_twice() -> None:
    names = Counter(name for _, path in modules() for name in outline(path).classes)
    assert [name for name, count in names.items() if count > 1] == []


def test_the_loop_fits_on_one_screen() -> None:
    text = (SOURCE / "evolve/loop.py").read_text("utf-8")
    assert len(text.splitlines()) <= LONGEST_LOOP


def test_no_folder_holds_too_many_files() -> None:
    folders = {path.parent for _, path in modules()}
    held = {
        folder.relative_to(SOURCE).as_posix(): sum(
            path.name != "__init__.py" for path in folder.glob("*.py")
        )
        for folder in folders
    }
    assert not {name for name, count in held.items() if count > MOST_FILES}


@pytest.mark.parametrize("folder", INSIDE)
def test_what_runs_inside_other_processes_imports_little(folder: str) -> None:
    others = {"pytest", "_pytest", "coverage", "mutmut", "libcst", "pytest_lift"}
    allowed = {*sys.stdlib_module_names, *others}
    for path in (SOURCE / folder).rglob("*.py"):
        for node in outline(path).imports:
            if isinstance(node, ast.Import):
                assert {alias.name.partition(".")[0] for alias in node.names} <= allowed, path
            elif isinstance(node, ast.ImportFrom):
                assert _absolute(node, path).partition(".")[0] in allowed, path


def test_every_file_says_its_job() -> None:
    for name, path in modules():
        said = outline(path).docstring.split("\n")[0]
        assert len(said) > 15, name


def test_files_that_texts_name_are_there() -> None:
    root = SOURCE.parents[1]
    places = [path.relative_to(root).as_posix() for path in SOURCE.rglob("*.py")]
    others = (*root.glob("tests/**/*.py"), *root.glob("benchmarks/**/*.py"))
    places += [path.relative_to(root).as_posix() for path in others]
    texts = [*root.glob("docs/*.md"), root / "CONTRIBUTING.md", *(p for _, p in modules())]
    gone = {
        f"{text.relative_to(root)}: {name}"
        for text in texts
        for name in re.findall(r"`((?:[a-z_]+/)*[a-z_]+\.py)`", text.read_text("utf-8"))
        if name not in OF_USERS and not any(f"/{place}".endswith(f"/{name}") for place in places)
    }
    assert not gone
