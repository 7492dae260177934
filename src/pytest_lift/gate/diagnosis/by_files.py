"""Files that tests name by paths that do not hold where tests run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from pytest_lift.gate.diagnosis.diagnostic import Diagnostic
from pytest_lift.source.syntax import FunctionNode, bare_leaf, leaf, walked

READING = frozenset({"read_text", "read_bytes"})
WRITING = frozenset({"write_text", "write_bytes", "mkdir", "touch"})
_CHANGING = frozenset({"chdir", "isolated_filesystem", "fs"})


def file_diagnostics(tree: ast.Module, root: Path) -> Iterator[Diagnostic]:
    """Yields literals of paths that are read and not there, or written where tests may not write.

    `root` is the folder in which tests run. A test that changes its folder, or is given one of
    pytest's, is left alone; so is a path that a test writes and reads.
    """
    for function in ast.walk(tree):
        if isinstance(function, FunctionNode) and not _moves(function):
            uses = [*path_uses(function)]
            written = {node.value for node, how in uses if how == "write"}
            for node, how in uses:
                name = str(node.value)
                if how == "write" and _is_plain(name):
                    why = f"{name!r} is written in the folder in which the tests run"
                    yield _at(node, "written-file", why)
                elif how == "read" and node.value not in written and not _stands(root, name):
                    why = f"there is no file {name!r} where the tests run"
                    yield _at(node, "missing-file", why)


def beside_diagnostics(path: str, tree: ast.Module, root: Path) -> Iterator[Diagnostic]:
    """Yields literals that begin a path, and stand beside the test file and not where tests run."""
    functions = [node for node in walked(tree) if isinstance(node, FunctionNode)]
    folder = root / PurePosixPath(path).parent
    if folder == root or any(_CHANGING & called_in(one) for one in functions):
        return
    for literal in path_starts(tree):
        name = str(literal.value)
        is_named = _is_plain(name) and name.strip("./")
        if is_named and _stands(folder, name) and not _stands(root, name):
            why = f"{name!r} stands beside the test file, not where the tests run"
            yield _at(literal, "missing-file", why)


def path_starts(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yields literals that are the first part of a path that is joined, and values of names that
    are."""
    starts = [one for node in walked(tree) if (one := _start(node)) is not None]
    names = {node.id for node in starts if isinstance(node, ast.Name)}
    for node in walked(tree):
        if isinstance(node, ast.Assign) and leaf(node.targets[0]) in names:
            starts.append(node.value)
    yield from (found for node in starts if (found := _literal(node)) is not None)


def _start(node: ast.AST) -> ast.expr | None:
    match node:
        case ast.Call(func=func, args=[first, *rest]):
            is_joined = leaf(func) == "join" and bool(rest) and leaf(first) != "self"
            is_path = leaf(func) in ("Path", "open") and not isinstance(first, ast.Constant)
            return first if is_joined or is_path else None
        case ast.BinOp(left=left, op=ast.Div()):
            return left
    return None


def path_uses(function: FunctionNode) -> Iterator[tuple[ast.Constant, str]]:
    """Yields literals that a function opens as files, and whether it reads or writes."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Call):
            continue
        target = node.func
        if (isinstance(target, ast.Name) and target.id == "open") or _is_io_open(target):
            if node.args and (literal := _literal(node.args[0])) is not None:
                yield literal, _mode(node, 1)
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Call):
            inner = target.value
            if bare_leaf(inner) == "Path" and len(inner.args) == 1:
                literal = _literal(inner.args[0])
                if literal is not None and target.attr in READING | WRITING | {"open"}:
                    how = "read" if target.attr in READING else "write"
                    yield literal, _mode(node, 0) if target.attr == "open" else how


def _is_io_open(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "open"
        and leaf(node.value)
        in (
            "io",
            "codecs",
            "gzip",
        )
    )


def _literal(node: ast.expr) -> ast.Constant | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.strip():
        return node
    return None


def _mode(call: ast.Call, place: int) -> str:
    modes = [*call.args[place : place + 1], *(w.value for w in call.keywords if w.arg == "mode")]
    if not modes:
        return "read"
    value = modes[0].value if isinstance(modes[0], ast.Constant) else None
    if not isinstance(value, str):
        return "unknown"
    return "write" if set(value) & set("wxa") else "read"


def _moves(function: FunctionNode) -> bool:
    """Whether a function changes its folder, or replaces what opens files."""
    names = {arg.arg for arg in ast.walk(function.args) if isinstance(arg, ast.arg)}
    return bool(
        (names | called_in(function))
        & (_CHANGING | {"mock_open", "patch", "raises", "assertRaises"})
    )


def called_in(function: FunctionNode) -> set[str]:
    """Returns the last names of what a function calls."""
    return {bare_leaf(n) for n in ast.walk(function) if isinstance(n, ast.Call)}


def _is_plain(name: str) -> bool:
    """Whether a path is relative and stays inside its folder."""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and "\\" not in name


def _stands(root: Path, name: str) -> bool:
    try:
        return (root / name).exists()
    except (OSError, ValueError):
        return True


def _at(node: ast.Constant, rule: str, message: str) -> Diagnostic:
    end = node.end_col_offset or node.col_offset
    return Diagnostic(node.lineno, node.col_offset, end, rule, str(node.value), message)
