"""Applies the remedies to the tool's own tests, and observes their calls again."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from textwrap import indent
from typing import get_args

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.choosing.steady import stable
from pytest_lift.agents.offline.docstrings.retelling import told_anew
from pytest_lift.agents.offline.printing.checks import check_lines, names_in
from pytest_lift.agents.offline.printing.headers import docstring
from pytest_lift.agents.offline.remedies import MECHANICAL, Action, Remedy, remedies
from pytest_lift.agents.offline.renewing_rows import EdgeTable, edge_table
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.oracles.verifying import verify
from pytest_lift.calls.case import Case, Observation, Step
from pytest_lift.calls.names import Resolver, free_names
from pytest_lift.calls.prober import Prober
from pytest_lift.source.bindings import imports_in
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import parse
from pytest_lift.suite.relinking import with_links
from pytest_lift.suite.splice import merge_tests
from pytest_lift.suite.suite import Edit, Suite
from pytest_lift.suite.test_file import TestFunction


def renew(nodes: Sequence[str], suite: Suite, brief: Brief) -> Suite:
    """Returns `suite` in which the tests `nodes` assert what the program does now.

    A test whose assertions cannot be renewed is removed, and so is a row of a table of edge cases.
    """
    cases = {}
    tables: dict[str, tuple[EdgeTable, list[Case]]] = {}
    for node in nodes:
        test = suite.function(node)
        case = _case(test, suite) if test is not None else None
        if test is not None and case is not None:
            cases[node] = case
        elif test is not None and (table := edge_table(suite.source(test))) is not None:
            rows = [_observed(test, [Step(call, check=True)], suite) for call in table.calls]
            tables[node] = table, rows
    prober = Prober(brief.copy, brief.program, brief.jail)
    every = [*cases.values(), *(row for _, rows in tables.values() for row in rows)]
    seen = stable(every, prober) if every else {}
    resolver = Resolver(brief.program)
    gone = []
    for node in nodes:
        if node in tables:
            table, rows = tables[node]
            new = table.renewed(_checks_of(rows, seen, brief.program, resolver))
            path = node.partition("::")[0]
            text = suite.files[path].text
            if new and table.source in text:
                suite = suite.apply(Edit({path: text.replace(table.source, new)}))
            else:
                gone.append(node)
            continue
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


def _checks_of(
    rows: Iterable[Case], seen: Mapping[str, Observation], program: Program, resolver: Resolver
) -> dict[str, StepCheck]:
    """Returns source of a call -> what can be asserted of it now, without more imports."""
    told = [(row, seen[row.key]) for row in rows if row.key in seen]
    items = [(row, verify(row, observed, program, resolver)) for row, observed in told]
    return {
        row.source: item.checks[-1]
        for row, item in items
        if item is not None and {*item.imports} <= {*row.imports}
    }


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


def _case(test: TestFunction, suite: Suite) -> Case | None:
    """Returns the body of a plain test (no fixtures, no tables) as a case; None for any other
    test."""
    function = ast.parse(suite.source(test)).body[0]
    if not isinstance(function, ast.FunctionDef) or function.args.args:
        return None
    steps = [step for node in function.body[1:] if (step := _step(node)) is not None]
    if not any(step.check for step in steps):
        return None
    return _observed(test, steps, suite)


def _observed(test: TestFunction, steps: Sequence[Step], suite: Suite) -> Case:
    """Returns steps of a test as a case, with what its file imports for them."""
    path = test.node.partition("::")[0]
    needed = {name for step in steps for name in free_names(step.source)}
    imports = tuple(
        one.line for one in imports_in(parse(suite.files[path].text).body) if one.bound in needed
    )
    return Case(path, test.name, tuple(steps), tuple(sorted(set(imports))))


def _step(node: ast.stmt) -> Step | None:
    """Returns the step of a statement: an assertion becomes a check of its left side.

    None for an assignment to ``expected``.
    """
    if isinstance(node, ast.Assert):
        left = node.test.left if isinstance(node.test, ast.Compare) else node.test
        return Step(ast.unparse(left), check=True)
    if isinstance(node, ast.With) and "pytest.raises" in ast.unparse(node.items[0]):
        return Step(ast.unparse(node.body[0]), check=True)
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "expected":
        return None
    return Step(ast.unparse(node))


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
