"""Observes the calls of the tool's own tests again and renews or drops their assertions."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.writing.imports import import_line
from pytest_lift.agents.offline.writing.oracles import Verified, stable, verify
from pytest_lift.agents.offline.writing.printing import check_lines
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.names import Resolver, free_names
from pytest_lift.calls.prober import Prober
from pytest_lift.source.syntax import parse
from pytest_lift.suite.splice import top_level_imports
from pytest_lift.suite.suite import Edit, Suite, TestFunction


def renew(nodes: Sequence[str], suite: Suite, brief: Brief) -> Suite:
    """Returns `suite` in which the tests `nodes` assert what the program does now.

    A test whose assertions cannot be renewed is removed.
    """
    cases = {}
    for node in nodes:
        test = suite.function(node)
        case = _case(test, suite) if test is not None else None
        if test is not None and case is not None:
            cases[node] = case
    prober = Prober(brief.copy, brief.program, brief.jail)
    seen = stable(list(cases.values()), prober) if cases else {}
    resolver = Resolver(brief.program)
    gone = []
    for node in nodes:
        case = cases.get(node)
        test = suite.function(node)
        if case is None or test is None or case.key not in seen:
            gone.append(node)
            continue
        verified = verify(case, seen[case.key], brief.program, resolver)
        if verified is None or not set(verified.imports) <= set(case.imports):
            gone.append(node)
        else:
            suite = suite.apply(_rewritten(test, verified, suite))
    return suite.without(gone)


def _case(test: TestFunction, suite: Suite) -> Case | None:
    """Returns the body of a plain test (no fixtures, no tables) as a case; None for any other
    test."""
    path = test.node.partition("::")[0]
    function = ast.parse(suite.source(test)).body[0]
    if not isinstance(function, ast.FunctionDef) or function.args.args:
        return None
    steps = [step for node in function.body[1:] if (step := _step(node)) is not None]
    if not any(step.check for step in steps):
        return None
    needed = {name for step in steps for name in free_names(step.source)}
    imports = tuple(
        import_line((module, name, bound))
        for module, name, bound in top_level_imports(parse(suite.files[path].text))
        if bound in needed
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
    """Returns the edit that keeps the head and docstring of the test and replaces its body."""
    path = test.node.partition("::")[0]
    source = suite.source(test)
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    head = source.splitlines()[: function.body[0].end_lineno]
    body = [line for check in verified.checks for line in check_lines(check)]
    new = "\n".join([*head, *body]) + "\n"
    text = suite.files[path].text
    return Edit({path: text.replace(source, new) if source in text else text})
