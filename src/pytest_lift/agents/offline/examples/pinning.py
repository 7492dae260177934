"""Finds the lines of documented cases that may change what is around the program."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pytest_lift.agents.offline.writing.told import assigned
from pytest_lift.calls.case import Case
from pytest_lift.source.bindings import all_bound_names, imports_in
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode

SURROUNDINGS = frozenset(
    "atexit contextvars decimal gc gettext locale logging mimetypes os random secrets signal socket"
    " sys tempfile threading time tracemalloc unittest warnings".split()
)
"""Modules whose functions change what all code of a process sees."""
CLOCK, SETTING = "time", "tzset"
"""One of them that only does so by one function: the others read a clock, or wait."""

HARMLESS = frozenset(
    "abc collections copy dataclasses datetime enum fractions functools itertools json math"
    " operator re string textwrap typing typing_extensions".split()
)
"""Modules whose classes and decorators only say what kind of thing is defined, and those whose
functions change nothing around the program: a line of theirs that nothing needs may go."""


def pinning_lines(case: Case, program: Program) -> Iterator[int]:
    """Yields the numbers of lines that use what other packages than those of the program have: here
    it may be as they make it, and elsewhere not. What only binds a variable is one where it uses
    something of `SURROUNDINGS`."""
    own = {module.partition(".")[0] for module in program.by_module}
    imports = imports_in(ast.parse("\n".join(case.imports)).body)
    foreign = {one.bound: one.top for one in imports}
    for at, step in enumerate(case.steps):
        tree = ast.parse(step.source)
        foreign |= {one.bound: one.top for one in imports_in(tree.body)}
        tops = {foreign[name] for name in names_in(tree) if name in foreign} - {"", *own, *HARMLESS}
        around = sorted(tops & SURROUNDINGS - ({CLOCK} if SETTING not in step.source else set()))
        if around:  # a variable may hold what is around: `context = decimal.getcontext()`
            foreign |= dict.fromkeys(all_bound_names(tree), around[0])
        runs = not all(map(_only_defines, tree.body))
        if runs and (around or (tops and assigned(step.source) is None)):
            yield at


def names_in(tree: ast.AST) -> Iterator[str]:
    """Yields the names in a piece of code, those that it binds too."""
    return (node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def _only_defines(node: ast.stmt) -> bool:
    return isinstance(node, FunctionNode) and not node.decorator_list
