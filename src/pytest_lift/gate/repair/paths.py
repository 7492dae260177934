"""Repairs paths of files: from the test file on, or to `tmp_path` for what tests write."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

from pytest_lift.gate.diagnosis.by_files import path_uses
from pytest_lift.gate.diagnosis.diagnostic import Diagnostic
from pytest_lift.gate.repair.fix import DraftFile, Fix, TextEdit
from pytest_lift.gate.repair.same_checks import checks_in
from pytest_lift.source.syntax import FunctionNode, leaf, walked

MOST_FILES = 20_000
_SKIPPED = frozenset({".git", "__pycache__", ".venv", "venv", "node_modules", ".tox", ".lift"})


def missing_file_fixes(draft: DraftFile, one: Diagnostic) -> Iterator[Fix]:
    """Yields the path, from the test file, of the one file of the project that a literal can
    mean."""
    literal = _literal(draft, one)
    if literal is None or _is_checked(draft, literal):
        return
    folder = PurePosixPath(draft.path).parent
    is_beside = (draft.diagnoser.root / folder / one.subject).exists()
    found = folder / one.subject if is_beside else _files_like(draft, one.subject)
    if found is None:
        return
    inside = found.is_relative_to(folder)
    up = 0 if inside else len(folder.parts)
    rest = found.relative_to(folder) if inside else found
    base = f"Path(__file__).parents[{up}]" if up else "Path(__file__).parent"
    new = f'{base} / "{rest.as_posix()}"'
    start, end = draft.span(literal)
    is_path = draft.text[:start].rstrip().endswith(("Path(", "open(")) or _is_divided(
        draft, literal
    )
    edit = TextEdit(start, end, new if is_path else f"str({new})")
    what = f"{found.as_posix()} from the test file in place of {one.subject}"
    yield Fix("file-path", what, (edit,), ("from pathlib import Path",))


def _is_divided(draft: DraftFile, literal: ast.Constant) -> bool:
    """Whether something is joined by ``/`` to a literal, or to the name that it is the value of."""
    values = [n for n in walked(draft.tree) if isinstance(n, ast.Assign) and n.value is literal]
    names = {leaf(target) for node in values for target in node.targets}
    divided = [n.left for n in walked(draft.tree) if isinstance(n, ast.BinOp) and _is_slash(n)]
    return any(left is literal or leaf(left) in names - {""} for left in divided)


def _is_slash(node: ast.BinOp) -> bool:
    return isinstance(node.op, ast.Div)


def written_file_fixes(draft: DraftFile, one: Diagnostic) -> Iterator[Fix]:
    """Yields a test that runs in `tmp_path`, where it reads no other file by a relative path."""
    function = draft.function_at(one.line)
    if function is None or not _is_a_test(draft, function):
        return
    uses = [*path_uses(function)]
    written = {node.value for node, how in uses if how == "write"}
    root = draft.diagnoser.root
    if any(node.value not in written and (root / str(node.value)).exists() for node, _ in uses):
        return
    first = function.body[1] if ast.get_docstring(function) and function.body[1:] else None
    first = first or function.body[0]
    start = min([draft.span(first)[0], *_decorated(draft, first)])
    indent = " " * first.col_offset
    names = {arg.arg for arg in ast.walk(function.args) if isinstance(arg, ast.arg)}
    new = [name for name in ("tmp_path", "monkeypatch") if name not in names]
    edits = [TextEdit(start, start, f"monkeypatch.chdir(tmp_path)\n{indent}")]
    if new:
        edits.append(_with_arguments(draft, function, new))
    what = f"{function.name} runs in tmp_path: it writes {one.subject!r}"
    yield Fix("tmp-path", what, tuple(edits))


def _is_a_test(draft: DraftFile, function: FunctionNode) -> bool:
    naming = draft.diagnoser.suite.naming
    owner = draft.class_of(function)
    return naming.is_test_function(function.name) and (owner is None or not owner.bases)


def _decorated(draft: DraftFile, node: ast.stmt) -> list[int]:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return [draft.span(one)[0] - 1 for one in decorators]


def _with_arguments(draft: DraftFile, function: FunctionNode, names: list[str]) -> TextEdit:
    """Returns the edit that appends parameters, before those that have defaults or are starred."""
    open_at = draft.text.index("(", draft.named(function)[1]) + 1
    plain = [*function.args.posonlyargs, *function.args.args]
    required = plain[: len(plain) - len(function.args.defaults)]
    new = ", ".join(names)
    if required:
        end = draft.span(required[-1])[1]
        return TextEdit(end, end, f", {new}")
    more = plain or function.args.kwonlyargs or function.args.vararg or function.args.kwarg
    return TextEdit(open_at, open_at, f"{new}, " if more else new)


def _literal(draft: DraftFile, one: Diagnostic) -> ast.Constant | None:
    for node in walked(draft.tree):
        if isinstance(node, ast.Constant) and (node.lineno, node.col_offset) == (
            one.line,
            one.column,
        ):
            return node
    return None


def _is_checked(draft: DraftFile, literal: ast.Constant) -> bool:
    return any(literal in ast.walk(check) for check in checks_in(draft.tree))


def _files_like(draft: DraftFile, name: str) -> PurePosixPath | None:
    """Returns the one file of the project whose path ends as a literal does, the more of it the
    better."""
    parts = PurePosixPath(name).parts
    if not parts or parts[-1] in ("", ".", ".."):
        return None
    root, found = draft.diagnoser.root, list[PurePosixPath]()
    for count, place in enumerate(root.rglob(parts[-1])):
        if count > MOST_FILES:
            return None
        inside = PurePosixPath(place.relative_to(root).as_posix())
        if not _SKIPPED & {*inside.parts} and place.is_file():
            found.append(inside)
    if not found:
        return None
    rated = sorted(((_common(one.parts, parts), one) for one in found), reverse=True)
    if len(rated) > 1 and rated[0][0] == rated[1][0]:
        return None
    return rated[0][1]


def _common(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    """Returns how many parts two paths share at their ends."""
    shared = 0
    for x, y in zip(reversed(a), reversed(b), strict=False):
        if x != y:
            break
        shared += 1
    return shared
