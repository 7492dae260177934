"""Keeps contradictions in the suite: a strict xfail test for each of them.

The tool prints these tests itself; agents do not write them. They show that a person has to decide.
They verify and cover nothing, and they fail as soon as the program does what its requirement
states.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Set

from pytest_lift.expectations.printing import (
    ContradictionTest,
    contradiction_tests,
    focal_names,
    identity,
    is_mark,
    node_of,
    one_line,
    printed,
    without_mark,
)
from pytest_lift.gate.forbidden import forbidden
from pytest_lift.gate.imported import Origins
from pytest_lift.oracles.discrepancies import Discrepancy
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.bindings import Import, bound_names, imports_in
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import FunctionNode, parse, parsed, split_lines
from pytest_lift.suite.placement import test_file_for, test_file_named
from pytest_lift.suite.splice import merge_tests
from pytest_lift.suite.suite import Edit, Suite, path_of
from pytest_lift.suite.test_file import TestFunction
from pytest_lift.suite.user_code import refusals

QUOTE = re.compile(r'says: "(.*)"\s*$', re.DOTALL)


def with_contradictions(
    suite: Suite,
    contradictions: Mapping[str, tuple[Discrepancy, ...]],
    program: Program,
    requirements: Requirements,
    *,
    passing: Collection[str] = (),
    rejected_contradictions: Collection[str] = (),
) -> Suite:
    """Returns `suite` with one test for each of `contradictions`, and without outdated ones. Pure.

    `passing` are contradiction tests whose assertion held in the last run: they become ordinary
    tests. Tests whose requirement no longer states the sentence are removed.
    `rejected_contradictions` are tests that were tried without success.
    """
    wanted: dict[str, tuple[Discrepancy, ContradictionTest]] = {}
    for name, group in contradictions.items():
        for said in group if name in requirements else ():
            test = printed(said, requirements.by_id[name])
            if test is not None and _is_allowed(test):
                wanted.setdefault(test.identity, (said, test))
    suite = _tidied(suite, wanted, requirements, passing)
    there = set(_identities(suite, {said.requirement for said, _ in wanted.values()}))
    for what, (said, test) in wanted.items():
        if what not in there:
            suite = _added(suite, said, test, program, requirements, rejected_contradictions)
    return suite


def _is_allowed(test: ContradictionTest) -> bool:
    """Whether the test satisfies the rules for agents' code: it is made of text from
    requirements or a model."""
    try:
        return not forbidden(
            "\n".join(["import pytest", *test.imports, test.mark_import, test.source("test_it")])
        )
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _tidied(
    suite: Suite,
    wanted: Mapping[str, tuple[Discrepancy, ContradictionTest]],
    requirements: Requirements,
    passing: Collection[str],
) -> Suite:
    """Removes outdated contradiction tests, and the marks of tests that pass now."""
    gone, held = [], []
    for node, test in contradiction_tests(suite).items():
        if node in passing:
            held.append(test)
            continue
        known = wanted.get(_identity(suite, test))
        if known is not None:
            if not _says(suite, test, known[1]):
                gone.append(node)  # it is written again, as things are now
        elif not _still_said(test, requirements):
            gone.append(node)
    for test in sorted(held, key=lambda test: -test.line):
        suite = _unmarked(suite, test)
    return suite.without(gone) if gone else suite


def _unmarked(suite: Suite, test: TestFunction) -> Suite:
    path = path_of(test.node)
    lines = split_lines(suite.files[path].text)
    source = "".join(lines[test.line - 1 : test.end_line])
    lines[test.line - 1 : test.end_line] = [without_mark(source)]
    return suite.apply(Edit({path: "".join(lines)}))


def _says(suite: Suite, test: TestFunction, wanted: ContradictionTest) -> bool:
    """Whether the mark still describes the current behaviour."""
    now = ast.parse(wanted.source(test.name)).body[0]
    there = node_of(suite, test)
    assert isinstance(now, ast.FunctionDef)
    assert isinstance(there, FunctionNode)
    loose = ast.parse(wanted.source(test.name, mark=False)).body[0]
    assert isinstance(loose, ast.FunctionDef)
    return any(_marks(there) == _marks(it) for it in (now, loose))


def _marks(node: FunctionNode) -> set[str]:
    return {ast.dump(mark) for mark in node.decorator_list if is_mark(mark)}


def _still_said(test: TestFunction, requirements: Requirements) -> bool:
    """Whether the requirement still contains the quoted sentence; if so, a test that was not
    tried in this lift stays."""
    quote = QUOTE.search(test.doc)
    if not test.requirements or quote is None:
        return False
    requirement = requirements.by_id.get(test.requirements[0])
    if requirement is None or requirement.exempt is not None:
        return False
    return one_line(quote.group(1)) in one_line(requirement.text)


def _identities(suite: Suite, names: Set[str]) -> Iterator[str]:
    """Yields the identities of all tests that name one of these requirements, including the
    user's."""
    for test in suite.tests():
        if names & set(test.requirements):
            yield _identity(suite, test)


def _identity(suite: Suite, test: TestFunction) -> str:
    node = node_of(suite, test)
    requirement = test.requirements[0] if test.requirements else ""
    return identity(requirement, getattr(node, "body", []))


def _added(
    suite: Suite,
    said: Discrepancy,
    test: ContradictionTest,
    program: Program,
    requirements: Requirements,
    rejected_contradictions: Collection[str],
) -> Suite:
    """Returns `suite` with the test in the first possible file, or `suite` if no file accepts
    it."""
    for path, about in _places(suite, said, test, program, requirements):
        file = suite.files.get(path)
        if file is not None and file.error is not None:
            continue
        text = file.text if file is not None else f'"""{about}"""\n'
        tree = parse(text)
        name = _name(suite, test, tree)
        if name in _origins(tree) or f"{path}::{name}" in rejected_contradictions:
            return suite
        edit = Edit({path: _merged(text, tree, test, name)}, test.reason)
        if not refusals(suite, edit):
            return suite.apply(edit)
    return suite


def _places(
    suite: Suite,
    said: Discrepancy,
    test: ContradictionTest,
    program: Program,
    requirements: Requirements,
) -> Iterator[tuple[str, str]]:
    """Yields (path, docstring of a new file): the test file of the called function, then files
    of the requirement's scope."""
    source = focal_source(said.call, "\n".join([*test.imports, said.setup]), program)
    if source is not None:
        yield test_file_for(source, program, suite), f"Tests of {source.module}."
    scope = "_".join(requirements.by_id[said.requirement].scope)
    slug = re.sub(r"\W+", "_", scope.lower(), flags=re.ASCII).strip("_")
    for core in filter(None, (slug, f"{slug}_contradictions".strip("_"))):
        yield test_file_named(core, suite), "Where the program and its requirements differ."


def _name(suite: Suite, test: ContradictionTest, tree: ast.Module) -> str:
    """Returns the name of the test: equal for equal contradictions, with a hash if the name is
    taken."""
    prefix = suite.naming.functions[0].rstrip("*?[]_") or "test"
    name = f"{prefix}_contradicts_{test.slug}"
    return f"{name}_{test.short_hash}" if name in _origins(tree) else name


def _merged(text: str, tree: ast.Module, test: ContradictionTest, name: str) -> str:
    """Returns the text with the test. Imports go to the top of the file, except those whose name
    already has another meaning there."""
    taken = _origins(tree)
    fits = [line for line in test.imports if _fits(line, taken)]
    local = [line for line in test.imports if line not in fits]
    mark = not test.mark_import or _fits(test.mark_import, taken)
    top = ["import pytest", *fits, *([test.mark_import] if mark and test.mark_import else [])]
    return merge_tests(text, top, test.source(name, local, mark=mark))


def _fits(line: str, taken: Mapping[str, str]) -> bool:
    found = imports_in(ast.parse(line).body)
    return all(taken.get(one.bound, one.origin) == one.origin for one in found)


def _origins(tree: ast.Module) -> dict[str, str]:
    """Returns the names bound at the top level of the file -> what they stand for; "" for the
    file's own."""
    names = (name for node in tree.body for name in bound_names(node))
    return {**dict.fromkeys(names, ""), **{i.bound: i.origin for i in imports_in(tree.body)}}


def focal_source(call: str, before: str, program: Program) -> SourceFile | None:
    """Returns the file that defines what `call` calls, tried from the outermost name inwards.

    `before` are the statements before the call. None if nothing of the program is called, or if
    that cannot be decided.
    """
    setup, tree = parsed(before), parsed(call.strip(), "eval")
    if tree is None:
        return None
    names, origins = list(focal_names(call)), Origins(program)
    nodes = [*ast.walk(setup)] if setup is not None else []
    imported = {one.bound: one for one in imports_in(nodes) if one.module}
    for name in names:
        if found := _defining(name, imported, origins):
            return found
    for name in names:
        if found := _of_method(name, program):
            return found
    used = [node.id for node in nodes if isinstance(node, ast.Name)]
    return next((found for name in used if (found := _defining(name, imported, origins))), None)


def _defining(name: str, imported: dict[str, Import], origins: Origins) -> SourceFile | None:
    """Returns the file that defines `name`: by its import, else by the program's own top-level
    modules, else the only one that does."""
    own = imported[name].name if name in imported else name
    program = origins.program
    for top in (imported[name].module,) if name in imported else program.names:
        module, inside = origins.split(origins.origin(f"{top}.{own}"))
        file = program.by_module.get(module)
        if file is not None and _defines(file, inside):
            return file
    defining = [file for file in program.files.values() if _defines(file, own)]
    return defining[0] if len(defining) == 1 else None


def _defines(file: SourceFile, name: str) -> bool:
    return any(symbol.name == name for symbol in file.symbols)


def _of_method(name: str, program: Program) -> SourceFile | None:
    """Returns the only file with a method of that name."""
    files = [
        file
        for file in program.files.values()
        if any(symbol.kind == "method" and symbol.leaf == name for symbol in file.symbols)
    ]
    return files[0] if len(files) == 1 else None
