"""Applies the remedies to the tool's own tests, and observes their calls again."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from textwrap import indent
from typing import get_args

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.choosing.steady import stable
from pytest_lift.agents.offline.docstrings.retelling import told_anew
from pytest_lift.agents.offline.printing.checks import check_lines, names_in
from pytest_lift.agents.offline.printing.headers import docstring
from pytest_lift.agents.offline.remedies import MECHANICAL, Action, Remedy, remedies
from pytest_lift.agents.offline.suite_cases import case_of
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.oracles.verifying import verify
from pytest_lift.calls.case import Case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.suite.relinking import with_links
from pytest_lift.suite.splice import merge_tests
from pytest_lift.suite.suite import Edit, Suite
from pytest_lift.suite.test_file import TestFunction


def renew(nodes: Sequence[str], suite: Suite, brief: Brief) -> Suite:
    """Returns `suite` in which the tests `nodes` assert what the program does now.

    A test whose assertions cannot be renewed is removed.
    """
    cases = {}
    for node in nodes:
        test = suite.function(node)
        case = case_of(test, suite) if test is not None else None
        if test is not None and case is not None:
            cases[node] = case
    prober = Prober(brief.copy, brief.program, brief.jail)
    seen = stable([*cases.values()], prober) if cases else {}
    resolver = Resolver(brief.program)
    gone = []
    for node in nodes:
        case = cases.get(node)
        test = suite.function(node)
        if case is None or test is None or case.key not in seen:
            gone.append(node)
            continue
        verified = verify(case, seen[case.key], brief.program, resolver)
        if verified is None or not _asserts_as_much(verified, case, _function(test, suite)):
            gone.append(node)
        else:
            suite = suite.apply(_rewritten(test, verified, suite))
    return suite.without(gone)


def _asserts_as_much(verified: Verified, case: Case, function: ast.FunctionDef) -> bool:
    """Whether as many values and errors are asserted as before, in the same order, without more
    imports and without fixtures."""
    checks = [check for check in verified.checks if check.form != "none"]
    errors = [check.raised is not None for check in checks]
    plain = not any(check.printed or check.said or check.files for check in checks)
    same = errors == [not value for value in _asserted(function.body)]
    return same and plain and set(verified.imports) <= set(case.imports)


def _function(test: TestFunction, suite: Suite) -> ast.FunctionDef:
    """Returns the definition of a test that is a plain one."""
    function = ast.parse(suite.source(test)).body[0]
    assert isinstance(function, ast.FunctionDef)
    return function


def _rewritten(test: TestFunction, verified: Verified, suite: Suite) -> Edit:
    """Returns the edit that keeps the head of the test, with a docstring that tells the new values
    in the place of the old ones, and replaces its body."""
    path = test.node.partition("::")[0]
    source, function = suite.source(test), _function(test, suite)
    head = source.splitlines()[: function.body[0].lineno - 1]
    head += _docstring(function, verified.checks)
    taken = names_in(verified.checks)
    body = [line for check in verified.checks for line in check_lines(check, taken)]
    new = "\n".join([*head, *body]) + "\n"
    text = suite.files[path].text
    return Edit({path: text.replace(source, new) if source in text else text})


def _docstring(function: ast.FunctionDef, checks: Sequence[StepCheck]) -> list[str]:
    """Returns the docstring of a test with the new values; the links below its first paragraph
    stay."""
    story, *rest = (ast.get_docstring(function) or "").split("\n\n", 1)
    new = [check.expected for check in checks if check.form != "none"]
    lines = docstring(told_anew(re.sub(r"\s*\n\s*", " ", story), _asserted(function.body), new))
    if not rest:
        return lines
    lines[-1] = lines[-1].removesuffix('"""')
    return [*lines, "", *indent(rest[0], "    ").splitlines(), '    """']


def _asserted(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Yields the value that each check of a test asserts; "" for an error."""
    value = ""
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id="expected")]):
                value = ast.unparse(node.value)
            case ast.Assert(test=ast.Compare(comparators=[right])):
                yield value if ast.unparse(right) == "expected" else ast.unparse(right)
            case ast.Assert():
                yield "True"
            case ast.With() if "pytest.raises" in ast.unparse(node.items[0]):
                yield ""


def correct(brief: Brief) -> Edit:
    """Returns the edit that fixes or removes what the findings call broken."""
    return _corrected(brief, frozenset(get_args(Action)) - {"leave"})


def correct_by_rules(brief: Brief) -> Edit:
    """Returns the edit with mechanical remedies only; empty if there are none."""
    return _corrected(brief, MECHANICAL)


def _corrected(brief: Brief, actions: Collection[Action]) -> Edit:
    suite = brief.suite
    told = []
    for _, remedy in remedies(brief):
        owned = [node for node in remedy.nodes if _is_ours(node, suite)]
        if owned and remedy.action in actions:
            suite = _apply(remedy, owned, suite, brief)
            told.append(remedy.action)
    edit = brief.suite.edit_to(suite)
    return Edit(edit.files, f"corrections: {', '.join(told)}" if told else "nothing to correct")


def _is_ours(node: str, suite: Suite) -> bool:
    test = suite.function(node)
    return suite.is_owned(test) if test is not None else suite.is_owned_file(node)


def _apply(remedy: Remedy, nodes: list[str], suite: Suite, brief: Brief) -> Suite:
    if remedy.action == "import":
        return _in_files(suite, nodes, lambda text: merge_tests(text, [remedy.new], ""))
    if remedy.action == "rename":
        pattern = rf"\b{re.escape(remedy.old)}\b"
        return _in_owned_files(suite, nodes, lambda text: re.sub(pattern, remedy.new, text))
    if remedy.action == "unlink":
        return _unlinked(suite, nodes, remedy.old)
    if remedy.action == "observe":
        return renew(nodes, suite, brief)
    return _without(suite, nodes)


def _in_files(suite: Suite, nodes: Iterable[str], change: Callable[[str], str]) -> Suite:
    paths = dict.fromkeys(node.partition("::")[0] for node in nodes)
    return suite.apply(Edit({path: change(suite.files[path].text) for path in paths}))


def _in_owned_files(suite: Suite, nodes: list[str], change: Callable[[str], str]) -> Suite:
    """Applies a renaming only to files without a person's lines; else removes the tests."""
    paths = {node.partition("::")[0] for node in nodes}
    if all(suite.is_owned_file(path) for path in paths):
        return _in_files(suite, nodes, change)
    return _without(suite, nodes)


def _unlinked(suite: Suite, nodes: list[str], unknown: str) -> Suite:
    """Removes the unknown id; a test without another id becomes emergent."""
    for node in nodes:
        test = suite.function(node)
        if test is None:
            continue
        path, _, name = test.node.partition("::")
        left = [each for each in test.requirements if each != unknown]
        reason = None if left else "no requirement is known to state it"
        text, source = suite.files[path].text, suite.source(test)
        mark = f"req({', '.join(map(repr, left))})" if left else f'emergent("{reason}")'
        changed = re.sub(r"(?<=pytest\.mark\.)req\([^)]*\)", mark, source, count=1)
        text = (
            with_links(text, name, left, reason, suite.naming)
            if changed == source
            else text.replace(source, changed)
        )
        suite = suite.apply(Edit({path: text}))
    return suite


def _without(suite: Suite, nodes: list[str]) -> Suite:
    files: dict[str, str | None] = {n: None for n in nodes if suite.is_owned_file(n)}
    if files:
        suite = suite.apply(Edit(files))
    return suite.without(node for node in nodes if node not in files)
