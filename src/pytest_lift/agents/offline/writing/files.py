"""Writes printed tests into test files, one per source file, after existing tests."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pytest_lift.agents.offline.writing.imports import (
    Binding,
    ImportPlan,
    binding,
    import_block,
    import_line,
    is_plain,
)
from pytest_lift.agents.offline.writing.printing import PrintedTest
from pytest_lift.calls.names import bound_names
from pytest_lift.source.bindings import import_bindings
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import parse, split_lines
from pytest_lift.suite.layout import WIDTH
from pytest_lift.suite.placement import placements
from pytest_lift.suite.splice import merge_tests, top_level_imports
from pytest_lift.suite.suite import Suite


def write_files(tests: Sequence[PrintedTest], program: Program, suite: Suite) -> Mapping[str, str]:
    """Returns test path -> its whole new text; files that cannot be parsed are left alone."""
    places = placements(program.files.values(), suite)
    by_place: dict[str, list[PrintedTest]] = {}
    for test in tests:
        by_place.setdefault(places[test.path], []).append(test)
    texts = {}
    for place, members in by_place.items():
        existing = suite.files.get(place)
        if existing is None or not existing.text.strip():
            about = sorted({program.files[test.path].module for test in members})
            texts[place] = new_file(members, about, program)
        elif existing.error is None:
            texts[place] = extend(existing.text, members, program)
            if suite.is_owned_file(place):
                texts[place] = with_sorted_imports(texts[place])
    return texts


def new_file(tests: Sequence[PrintedTest], modules: Sequence[str], program: Program) -> str:
    """Returns a whole file: docstring, imports, tests with two blank lines between them."""
    tests = one_spelling(tests)
    plan = ImportPlan([test.imports for test in tests], program)
    tests = [_with_local(test, plan) for test in distinct(tests)]
    body = "\n\n\n".join(test.text for test in tests)
    return f'"""Tests of {", ".join(modules)}."""\n\n{import_block(plan.top())}\n\n\n{body}\n'


def extend(text: str, tests: Sequence[PrintedTest], program: Program) -> str:
    """Returns `text` with missing imports after its own and the tests at its end."""
    tree = parse(text)
    taken = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    plan = ImportPlan([test.imports for test in tests], program, _present(tree))
    tests = [_with_local(test, plan) for test in distinct(tests, taken)]
    body = "\n\n\n".join(test.text for test in tests) + "\n"
    return merge_tests(text, plan.top(), body)


def with_sorted_imports(text: str) -> str:
    """Returns `text` with the imports at its top printed anew in sorted order.

    For files without a person's lines; a file with relative imports is returned unchanged.
    """
    tree = parse(text)
    nodes = [
        node
        for node in tree.body
        if isinstance(node, ast.Import)
        or (isinstance(node, ast.ImportFrom) and node.module != "__future__")
    ]
    if not nodes or any(isinstance(node, ast.ImportFrom) and node.level for node in nodes):
        return text
    lines = split_lines(text)
    start, end = nodes[0].lineno - 1, nodes[-1].end_lineno or 0
    together = [node for node in tree.body if start < node.lineno <= end]
    if together != nodes:
        return text
    singles = [import_line(item) for node in nodes for item in import_bindings(node)]
    return "".join([*lines[:start], import_block(singles), "\n", *lines[end:]])


def one_spelling(tests: Sequence[PrintedTest]) -> list[PrintedTest]:
    """Spells ``io.StringIO`` in all tests if one test imports `io` and another `StringIO` from
    it."""
    whole = {line.split()[1] for test in tests for line in test.imports if is_plain(line)}
    return [_spelt(test, whole) for test in tests]


def _spelt(test: PrintedTest, whole: AbstractSet[str]) -> PrintedTest:
    for line in test.imports:
        module, name, bound = binding(line)
        if module not in whole & sys.stdlib_module_names or name != bound:
            continue
        called = re.compile(rf"(?<![\w.\"']){name}(?=\()")
        lines = tuple(called.sub(f"{module}.{name}", text) for text in test.lines)
        left = re.search(rf"(?<![\w.]){name}\b", "\n".join(lines))
        if not left and all(len(text) <= WIDTH for text in lines):
            rest = {other for other in test.imports if other != line}
            imports = tuple(sorted(rest | {f"import {module}"}))
            test = replace(test, lines=lines, imports=imports)
    return test


def _present(tree: ast.Module) -> list[Binding]:
    """Returns what the file binds at its top; its own names count as imports from nowhere."""
    own = [("<here>", name, name) for name in sorted(bound_names(tree))]
    imported = list(top_level_imports(tree))
    known = {bound for _, _, bound in imported}
    return [*imported, *(item for item in own if item[2] not in known)]


def _with_local(test: PrintedTest, plan: ImportPlan) -> PrintedTest:
    lines = plan.local(test.imports)
    if not lines:
        return test
    inside = [f"    {line}" for line in lines] + [""]
    at = test.body_at
    return replace(test, lines=(*test.lines[:at], *inside, *test.lines[at:]))


def distinct(tests: Sequence[PrintedTest], taken: Collection[str] = ()) -> list[PrintedTest]:
    """Renames second and later tests of one name, by a longer name or a number."""
    used = set(taken)
    found = []
    for test in tests:
        name = next((n for n in (test.name, *test.others) if n not in used), "")
        number = 2
        while not name or name in used:
            name, number = f"{test.name}_{number}", number + 1
        used.add(name)
        pattern = rf"^def {re.escape(test.name)}\("
        lines = tuple(re.sub(pattern, f"def {name}(", line) for line in test.lines)
        found.append(replace(test, name=name, lines=lines))
    return found
