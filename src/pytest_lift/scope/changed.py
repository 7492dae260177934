"""Changes since a commit as a `Scope`: functions by syntax tree, tests, requirements."""

from __future__ import annotations

import ast
import os
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_lift.errors import LiftError, UsageError
from pytest_lift.files.git import Git, common_ancestor, differences, untracked
from pytest_lift.options import DEFAULT_BASE
from pytest_lift.requirements.reader import load_one
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.scope.scope import STATEMENT, Scope, ScopePlace, completed
from pytest_lift.source.bindings import bound_names, is_import
from pytest_lift.source.program import Program, decoded
from pytest_lift.source.syntax import FunctionNode, first_line, is_bare_literal, to_bytes
from pytest_lift.suite.suite import Suite

Versions = Mapping[str, Sequence[str]]
"""Qualified name -> dumps of its definitions in order; a property has several."""


OPTION = "--lift-changed"
SETTINGS = ("pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml")
USUAL = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
"""Usual names of default branches."""


def changed_places(path: str, before: str | None, now: str) -> tuple[ScopePlace, ...]:
    """Returns new and changed functions, classes and module-level statements. Changes of comments,
    formatting and docstrings are ignored.

    `before` is None for a new file. A new file, or one of which a version cannot be parsed, is one
    single place.
    """
    everything = ScopePlace(path, "", 1, max(now.count("\n") + 1, 1))
    try:
        old, new = ast.parse(before or ""), ast.parse(now)
    except (SyntaxError, ValueError, RecursionError):
        return () if before == now else (everything,)
    if before is None:
        return (everything,)
    known = _versions(_definitions(old.body, ""))
    found = [*_definitions(new.body, "")]
    later = _versions(iter(found))
    places = [
        ScopePlace(path, name, first_line(node), node.end_lineno or node.lineno)
        for name, node in found
        if later[name] != known.get(name)
    ]
    return (*dict.fromkeys(places), *_statements(path, old, new))


def gone_names(before: str, now: str) -> tuple[str, ...]:
    """Returns the names of functions, classes and values that only the old version defines."""
    try:
        old, new = ast.parse(before), ast.parse(now)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    return tuple(sorted(_all_names(old) - _all_names(new)))


def _all_names(tree: ast.Module) -> set[str]:
    names = {name for name, _ in _definitions(tree.body, "")}
    return names.union(*map(bound_names, _simple(tree.body)))


Node = FunctionNode | ast.ClassDef


def _versions(found: Iterator[tuple[str, Node]]) -> dict[str, list[str]]:
    said: dict[str, list[str]] = defaultdict(list)
    for name, node in found:
        said[name].append(_dump(node))
    return said


def _definitions(body: Sequence[ast.stmt], prefix: str) -> Iterator[tuple[str, Node]]:
    """Yields functions, methods and classes with their qualified names, but no definitions
    inside functions."""
    for node in body:
        if isinstance(node, FunctionNode):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield prefix + node.name, node
            yield from _definitions(node.body, f"{prefix}{node.name}.")
        else:
            yield from _definitions(_inner(node), prefix)


def _inner(node: ast.AST) -> list[ast.stmt]:
    """Returns the statements of an `if`, `try` or `with`."""
    found = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.stmt)]
    for handler in getattr(node, "handlers", ()):
        found += handler.body
    return found


def _dump(node: Node) -> str:
    """Returns the dump of a definition; a class is dumped without its methods and inner classes."""
    if not isinstance(node, ast.ClassDef):
        return ast.dump(_without_doc(node))
    head = [*node.decorator_list, *node.bases, *(word.value for word in node.keywords)]
    own = [part for part in node.body if not isinstance(part, Node) and not is_bare_literal(part)]
    return "\n".join(ast.dump(part) for part in (*head, *own) if not isinstance(part, ast.Pass))


def _without_doc(node: FunctionNode) -> ast.AST:
    body = node.body[1:] if is_bare_literal(node.body[0]) else node.body
    fields = {name: value for name, value in ast.iter_fields(node) if name != "body"}
    return type(node)(**fields, body=body or [ast.Pass()])


def _statements(path: str, old: ast.Module, new: ast.Module) -> Iterator[ScopePlace]:
    """Yields the statements that the old version does not have. Imports are ignored: a new
    import has an effect only where it is used."""
    there = Counter(ast.dump(node) for node in _simple(old.body))
    for node in _simple(new.body):
        said = ast.dump(node)
        if there[said]:
            there[said] -= 1
        else:
            yield ScopePlace(path, STATEMENT, node.lineno, node.end_lineno or node.lineno)


def _simple(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        if isinstance(node, Node) or is_import(node) or is_bare_literal(node):
            continue
        if inner := _inner(node):
            yield from _simple(inner)
        else:
            yield node


@dataclass(frozen=True)
class Changed:
    """Program, tests, requirements and settings whose meaning changed. Paths are relative to the
    project."""

    since: str
    program: tuple[ScopePlace, ...] = ()
    tests: tuple[ScopePlace, ...] = ()
    """Changed tests and other code of the test files, such as fixtures."""
    requirements: frozenset[str] = frozenset()
    gone: tuple[tuple[str, str], ...] = ()
    """(path, name) of each definition that was removed."""
    settings: tuple[str, ...] = ()
    """Changed configuration and conftest files, which influence every test."""

    def scope(self, program: Program, requirements: Requirements) -> Scope:
        """Returns the scope of the changes, with the requirements that name changed code."""
        found = Scope((), self.program, self.requirements)
        return replace(completed(found, program, requirements), since=self.since)


def what_changed(
    root: Path,
    base: str,
    program: Program,
    suite: Suite,
    requirements: Requirements,
    files: Sequence[Path],
) -> Changed:
    """Compares the working tree with the commit at which this branch left `base`.

    `files` are the requirement files. Raises UsageError if git cannot find that commit.
    """
    git = Git(root, OPTION, "leave --lift-changed out")
    commit, since = _base(git, root, base)
    inside = [path.resolve() for path in files]
    inside = [path for path in inside if path.is_relative_to(root.resolve())]
    named = [path.relative_to(root.resolve()).as_posix() for path in inside]
    old = _old(git, commit, ("*.py", *SETTINGS, *(f":(literal){name}" for name in named)))
    texts = {path: file.text for path, file in program.files.items()}
    theirs = {
        path: _text(to_bytes(file.text))
        for path, file in suite.files.items()
        if path.endswith(".py")
    }
    return Changed(
        since,
        tuple(_places(texts, old)),
        tuple(_places(theirs, old)),
        frozenset(_requirements(root, requirements, old)),
        tuple(_gone({**texts, **theirs}, old, program)),
        tuple(sorted(path for path in old if _decides(path) and path not in suite.files)),
    )


def _base(git: Git, root: Path, base: str) -> tuple[str, str]:
    """Returns (commit, its description for users)."""
    if base != DEFAULT_BASE:
        commit = _ancestor(git, root, base)
        return commit, base if commit.startswith(base) else f"{base} ({commit[:7]})"
    for name in _candidates(git):
        done = git("merge-base", "--end-of-options", "HEAD", name)
        if done.returncode == 0:
            commit = done.stdout.decode("ascii").strip()
            return commit, f"{name} ({commit[:7]})"
    commit = common_ancestor(git, "HEAD", OPTION)
    return commit, f"HEAD ({commit[:7]})"


def _ancestor(git: Git, root: Path, base: str) -> str:
    """Returns the common ancestor. Raises UsageError; if `base` is a path, the error says how to
    type it."""
    try:
        return common_ancestor(git, base, OPTION)
    except UsageError as error:
        if not (root / base).exists():
            raise
        todo = f"write paths before the option: {base} {OPTION}"
        raise UsageError(error.what, where=error.where, todo=todo) from error


def _candidates(git: Git) -> Iterator[str]:
    """Yields possible names of the branch from which this one was made, the likeliest first."""
    here = _name(git, "HEAD")
    upstream = _name(git, "@{upstream}")
    if upstream and upstream.partition("/")[2] != here:
        yield upstream
    yield from (name for name in USUAL if name != here)
    if upstream:
        yield upstream


def _name(git: Git, ref: str) -> str:
    done = git("rev-parse", "--abbrev-ref", "--symbolic-full-name", ref)
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""


def _old(git: Git, commit: str, patterns: Sequence[str]) -> dict[str, bytes | None]:
    """Returns path -> old content of each changed file; None for a new file."""
    hashes, new = {}, set(untracked(git, patterns))
    for path, old_hash in differences(git, commit, patterns):
        if old_hash:
            hashes[path] = old_hash
        else:
            new.add(path)
    return {**dict.fromkeys(new), **git.contents(hashes.items())}


def _places(texts: Mapping[str, str], old: Mapping[str, bytes | None]) -> Iterator[ScopePlace]:
    for path, text in texts.items():
        if path in old:
            data = old[path]
            before = None if data is None else _text(data)
            yield from changed_places(path, before, text)


def _gone(
    texts: Mapping[str, str], old: Mapping[str, bytes | None], program: Program
) -> Iterator[tuple[str, str]]:
    for path, data in old.items():
        inside = program.is_inside(path) and path.endswith(".py")
        if data is not None and (path in texts or inside):
            before = _text(data)
            yield from ((path, name) for name in gone_names(before, texts.get(path, "")))


def _text(data: bytes) -> str:
    try:
        return decoded(data)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return data.decode("utf-8", "replace")


def _decides(path: str) -> bool:
    name = path.rpartition("/")[2]
    return name == "conftest.py" or path in SETTINGS


def _requirements(
    root: Path, requirements: Requirements, old: Mapping[str, bytes | None]
) -> Iterator[str]:
    """Yields the ids of testable requirements that are new or have a different text."""
    top = root.resolve()
    by_file: dict[str, list[Requirement]] = {}
    for item in requirements.testable:
        path = os.path.relpath(os.path.realpath(root / item.file), top)
        by_file.setdefault(Path(path).as_posix(), []).append(item)
    for path in by_file.keys() & old.keys():
        before = _said(Path(path).name, old[path])
        for item in by_file[path]:
            if before.get(item.id) != item.text:
                yield item.id


def _said(name: str, data: bytes | None) -> dict[str, str]:
    """Returns id -> old text of the requirements of a file; empty if the file is new or cannot
    be read."""
    if data is None:
        return {}
    with tempfile.TemporaryDirectory(prefix="pytest-lift-") as folder:
        place = Path(folder) / name
        place.write_bytes(data)
        try:
            items: Iterable[Requirement] = load_one(place)
        except LiftError:
            return {}
        return {item.id: item.text for item in items}
