"""Repairs mixtures of pytest and unittest: what one of the two does not call or does not have."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from unittest import TestCase

from pytest_lift.gate.diagnosis.diagnostic import Diagnostic
from pytest_lift.gate.diagnosis.fixtures import parametrized, requested
from pytest_lift.gate.repair.fix import DraftFile, Fix, TextEdit
from pytest_lift.source.bindings import imports_in
from pytest_lift.source.syntax import FunctionNode

PYTEST_NAMES = {
    "setUp": "setup_method",
    "tearDown": "teardown_method",
    "setUpClass": "setup_class",
    "tearDownClass": "teardown_class",
}
OF_CASES = frozenset(name for name in dir(TestCase) if not name.startswith("_"))


def xunit_fixes(draft: DraftFile, one: Diagnostic) -> Iterator[Fix]:
    """Yields a base class for a class that is written like a test case; where its methods ask for
    arguments, which test cases do not get, pytest's name for the method."""
    function = draft.function_at(one.line)
    owner = draft.class_of(function) if function is not None else None
    if function is None or owner is None:
        return
    if uses_cases(owner) and not _asks(owner):
        yield from _made_case(draft, owner)
    elif not uses_cases(owner):
        name = PYTEST_NAMES[function.name]
        what = f"{name} in place of {function.name}"
        yield Fix("xunit-name", what, (TextEdit(*draft.named(function), name),))


def case_method_fixes(draft: DraftFile, one: Diagnostic) -> Iterator[Fix]:
    """Yields what gives ``self.assertEqual`` its class: a base, or a test case for a function."""
    function = draft.function_at(one.line)
    owner = draft.class_of(function) if function is not None else None
    if function is None or one.subject.rpartition(".")[2] not in OF_CASES | {"self"}:
        return
    if owner is not None and not owner.bases and not _asks(owner):
        yield from _made_case(draft, owner)
    elif owner is None and not any(arg.arg == "self" for arg in function.args.args):
        yield from _with_case(draft, function)


def _made_case(draft: DraftFile, owner: ast.ClassDef) -> Iterator[Fix]:
    base = _base(draft)
    at = draft.named(owner)[1]
    closed = draft.text[at:].lstrip().startswith("()")
    end = draft.text.index(")", at) + 1 if closed else at
    edit = TextEdit(at, end, f"({base})")
    imports = ("import unittest",) if base.startswith("unittest.") else ()
    yield Fix("unittest-base", f"class {owner.name}({base})", (edit,), imports, reveals=True)


def _base(draft: DraftFile) -> str:
    bound = {one.bound for one in imports_in(draft.tree.body) if one.origin == "unittest.TestCase"}
    return next(iter(bound), "unittest.TestCase")


def _with_case(draft: DraftFile, function: FunctionNode) -> Iterator[Fix]:
    """Yields a local test case for a function that uses methods of one without having one."""
    uses = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == "self"]
    names = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)}
    if "case" in names or not all(isinstance(use.ctx, ast.Load) for use in uses):
        return
    first = function.body[1] if ast.get_docstring(function) and function.body[1:] else None
    first = first or function.body[0]
    at = draft.span(first)[0]
    base, indent = _base(draft), " " * first.col_offset
    edits = [TextEdit(at, at, f"case = {base}()\n{indent}")]
    edits += [draft.replacing(use, "case") for use in uses]
    imports = ("import unittest",) if base.startswith("unittest.") else ()
    what = f"case = {base}() for the assertions of {function.name}"
    yield Fix("unittest-case", what, tuple(edits), imports, {"self": "case"}, reveals=True)


def argument_fixes(draft: DraftFile, one: Diagnostic) -> Iterator[Fix]:
    """Yields the class without its base, where nothing in it needs a test case."""
    function = draft.function_at(one.line)
    owner = draft.class_of(function) if function is not None else None
    if owner is None or uses_cases(owner) or len(owner.bases) != 1 or owner.keywords:
        return
    start, end = draft.named(owner)[1], draft.span(owner.bases[0])[1]
    end = draft.text.index(")", end) + 1
    what = f"{owner.name} without {draft.source(owner.bases[0])}, so that its methods get arguments"
    yield Fix("no-unittest-base", what, (TextEdit(start, end, ""),))


def uses_cases(owner: ast.ClassDef) -> bool:
    """Whether a class uses what only a test case has, its own methods of set-up aside."""
    own = {n.name for n in owner.body if isinstance(n, FunctionNode)}
    if own & PYTEST_NAMES.keys() and owner.bases:
        return True
    return any(
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in ("self", "cls")
        and node.attr in OF_CASES - own
        for node in ast.walk(owner)
    )


def _asks(owner: ast.ClassDef) -> bool:
    """Whether methods of a class take arguments that pytest passes."""
    methods = [n for n in owner.body if isinstance(n, FunctionNode)]
    return any(requested(m)[1:] or parametrized(m.decorator_list) for m in methods)
