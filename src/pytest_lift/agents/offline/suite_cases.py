"""Reads the tests of a suite as cases: what they do, and what they look at."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from pytest_lift.agents.offline.printing.fixtures import fixtures_of
from pytest_lift.agents.offline.printing.growing import table_rows
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.names import free_names
from pytest_lift.source.bindings import imports_in
from pytest_lift.source.syntax import parse
from pytest_lift.suite.suite import Suite
from pytest_lift.suite.test_file import TestFunction

MOST = 400
"""Most cases of a suite that others are run beside."""


def case_of(test: TestFunction, suite: Suite) -> Case | None:
    """Returns the body of a plain test (no fixtures, no tables) as a case; None for any other
    test."""
    function = ast.parse(suite.source(test)).body[0]
    if not isinstance(function, ast.FunctionDef) or function.args.args:
        return None
    steps = [step for node in function.body[1:] if (step := _step(node)) is not None]
    return _observed(test, steps, suite) if any(step.check for step in steps) else None


def cases_of(suite: Suite) -> list[Case]:
    """Returns the tests of a suite as cases, one for each row of a table, with what has a name at
    the top of their file, and without those that need other fixtures than what makes an object
    there; some of them where they are many."""
    found = [case for test in suite.tests() for case in _cases(test, suite)]
    return found[:: len(found) // MOST + 1]


def _cases(test: TestFunction, suite: Suite) -> Iterator[Case]:
    function = ast.parse(suite.source(test)).body[0]
    if not isinstance(function, ast.FunctionDef):
        return
    text = suite.files[test.node.partition("::")[0]].text
    body = function.body[1:] if ast.get_docstring(function) else function.body
    steps = [step for node in body if (step := _step(node)) is not None]
    asked = {one.arg for one in function.args.args}
    made = sorted((one.name, one.source) for one in fixtures_of(text) if one.name in asked)
    shared = [Step(f"{name} = {source}") for name, source in made]
    for given in _rows(function, len(asked) - len(shared)):
        lines = [*shared, *given, *steps]
        names = {name for step in lines for name in free_names(step.source)}
        texts = [Step(f"{n} = {value}") for n, value in _constants(text).items() if n in names]
        if any(step.check for step in steps):
            yield _observed(test, [*texts, *lines], suite)


def _rows(function: ast.FunctionDef, width: int) -> list[list[Step]]:
    """Returns the rows of a table of so many columns as lines that bind these, one without lines
    for a test that has none; no row for one that needs fixtures."""
    columns = [one.arg for one in function.args.args][:width]
    table = table_rows(function)
    found: list[list[Step]] = [] if columns else [[]]
    for row in table.elts if columns and table is not None else ():
        values = row.elts if isinstance(row, ast.Tuple) and width > 1 else [row]
        if len(values) != width:
            return []
        pairs = zip(columns, map(ast.unparse, values), strict=True)
        found.append([Step(f"{name} = {value}") for name, value in pairs])
    return found


def _constants(text: str) -> Mapping[str, str]:
    """Returns the variables of a file with their values."""
    return {
        node.targets[0].id: ast.unparse(node.value)
        for node in parse(text).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }


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
