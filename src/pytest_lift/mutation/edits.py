"""Tests and verdicts of mutants that an edit of the suite or the program makes void.

A verdict can change only by a test that is new, gone, or may behave in another way. A mutant
that an unchanged test is known to kill stays killed; one that survived is run against the new
and changed tests only; where the test that noticed is gone or changed, all tests are run.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from pytest_lift.mutation.mutation import Mutation, Verdict, function_of
from pytest_lift.source.bindings import bound_names, is_import
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import FunctionNode, first_line, is_bare_literal, parse
from pytest_lift.suite.collection import Naming
from pytest_lift.suite.suite import Suite, beside_tests, path_of
from pytest_lift.suite.test_file import TestFile

_ACTING = ("pytest_", "pytestmark", "setup", "teardown", "setUp", "tearDown", "__")
"""How names begin that act on tests which do not name them."""


Tests = Mapping[str, frozenset[str]]
"""Function -> nodes of the tests that execute it."""
NONE: frozenset[str] = frozenset()


def changed_tests(before: Suite, after: Suite) -> frozenset[str] | None:
    """Returns tests (nodes without parameters) of `after` that are new or changed, or stand where
    what they use was changed; None for all. Pure."""
    found: set[str] = set()
    for path in sorted(before.files.keys() | after.files.keys()):
        old, new = before.files.get(path), after.files.get(path)
        if old is not None and new is not None and old.text == new.text:
            continue
        named = PurePosixPath(path)
        if named.name == "conftest.py":
            below = f"{named.parent.as_posix()}/"
            found |= {test.node for test in after.tests() if path_of(test.node).startswith(below)}
        elif not after.naming.is_test_file(path):
            return None  # whoever imports it
        elif new is not None:
            found |= _changed_in(old, new, after.naming)
    return frozenset(found)


def _changed_in(old: TestFile | None, new: TestFile, naming: Naming) -> set[str]:
    if old is None or old.error or new.error or not _is_harmless(old, new, naming):
        return {test.node for test in new.tests}
    known = {test.node: test.digest for test in old.tests}
    return {test.node for test in new.tests if known.get(test.node) != test.digest}


def _is_harmless(old: TestFile, new: TestFile, naming: Naming) -> bool:
    """Whether a change outside the tests cannot matter: it removes nothing, and new names were used
    by nothing before."""
    earlier, later = (Counter(map(ast.dump, _besides(file, naming))) for file in (old, new))
    if earlier - later:
        return False
    come = (node for node in _besides(new, naming) if ast.dump(node) not in earlier)
    used = frozenset(_names(parse(old.text)))
    return all(_is_idle(node, used) for node in come)


def _is_idle(statement: ast.stmt, used: Collection[str]) -> bool:
    """Whether a statement only defines names that no test knew."""
    if isinstance(statement, ast.Assign):  # or changes in place
        bound = {node.id for target in statement.targets for node in ast.walk(target)
                 if isinstance(node, ast.Name)}  # fmt: skip
    elif is_import(statement) or isinstance(statement, FunctionNode | ast.ClassDef):
        bound = {*bound_names(statement)}
    else:
        return False
    acting = any(name.startswith(_ACTING) or name in used for name in bound)
    return not acting and "*" not in bound and "autouse" not in ast.dump(statement)


def _besides(file: TestFile, naming: Naming) -> list[ast.stmt]:
    """Returns the statements beside tests, without bare string literals."""
    return [node for node in beside_tests(file, naming) if not is_bare_literal(node)]


def _names(tree: ast.AST) -> Iterator[str]:
    """Yields everything a name could be meant by: parameters are names of fixtures."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                yield name
            case ast.Constant(value=str(text)):
                yield text


def changed_functions(before: Program, after: Program) -> frozenset[tuple[str, str]] | None:
    """Returns (path, symbol) of the functions whose text is another one; None where anything else
    of the program differs: what a module runs when it is imported can concern every test. Pure."""
    if before.files.keys() != after.files.keys():
        return None
    found: set[tuple[str, str]] = set()
    for path, file in after.files.items():
        old = before.files[path]
        if old.text == file.text:
            continue
        if old.error or file.error:
            return None
        earlier, later = _functions(old), _functions(file)
        if earlier.keys() != later.keys() or _module(old, earlier) != _module(file, later):
            return None
        found |= {(path, name) for name in later if earlier[name] != later[name]}
    return frozenset(found)


def _functions(file: SourceFile) -> dict[str, str]:
    """Returns outermost functions and methods -> their text from the first line of the body on."""
    lines = file.text.split("\n")
    return {
        symbol.name: "\n".join(lines[symbol.line - 1 : symbol.end_line])
        for symbol in file.symbols
        if symbol.kind != "class"
    }


def _module(file: SourceFile, functions: Collection[str]) -> str:
    """Dumps a module without its function bodies; signatures stay, since defaults are computed on
    import."""
    spans = {symbol.line for symbol in file.symbols if symbol.name in functions}
    tree = ast.parse(file.text)
    for node in ast.walk(tree):
        if isinstance(node, FunctionNode) and first_line(node) in spans:
            node.body = []
    return ast.dump(tree)


@dataclass(frozen=True)
class MutantPlan:
    """Mutants to run, and verdicts that stand."""

    keys: frozenset[str] = NONE
    tests: Tests = field(default_factory=dict)
    """Function -> the tests to run its mutants in `keys` against: all others are known to pass."""
    own: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Key -> the tests that this mutant needs, where its function has more of them to be run."""
    known: Mapping[str, Verdict] = field(default_factory=dict)


def plan_increment(
    before: Mutation, now: Tests, changed: Collection[str], keys: Collection[str]
) -> MutantPlan:
    """Returns the `MutantPlan` for the mutants `keys`, after `before` was measured with other
    tests. Pure.

    `now` is which tests execute what after the edit; `changed` are nodes that are new or may
    behave in another way than before. Killed and timed-out both mean detected: which of them it
    is can depend on which test comes first.
    """
    changed = frozenset(changed)
    known: dict[str, Verdict] = {}
    against_all, against_new = set(), set()
    for key in keys:
        function, verdict = function_of(key), before.verdicts.get(key)
        executing, earlier = now.get(function, NONE), before.tests.get(function, NONE)
        fresh, lost = (executing & changed) | (executing - earlier), earlier - executing
        if verdict == "excluded":
            known[key] = verdict
        elif not executing:
            known[key] = "untested"
        elif verdict is None:
            against_all.add(key)
        elif verdict in ("survived", "untested"):
            known[key] = "survived"
            if fresh:
                against_new.add(key)
        else:
            noticed = before.killers.get(key, NONE) & (executing - fresh)
            if not noticed and (fresh or lost):
                against_all.add(key)
            known[key] = verdict
    running = against_all | against_new
    whole = {function_of(key) for key in against_all}
    new = {
        function: (now[function] & changed) | (now[function] - before.tests.get(function, NONE))
        for function in map(function_of, running)
    }
    return MutantPlan(
        frozenset(running),
        {function: now[function] if function in whole else new[function] for function in new},
        {key: new[function_of(key)] for key in against_new if function_of(key) in whole},
        {key: verdict for key, verdict in known.items() if key not in running},
    )
