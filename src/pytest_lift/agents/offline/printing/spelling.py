"""Spells one name in one way in all tests of a file: `io.StringIO`, or `StringIO`."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pytest_lift.agents.offline.printing.functions import PrintedTest
from pytest_lift.source.bindings import Import, imports_in
from pytest_lift.suite.layout.statements import WIDTH

BEGINS = re.compile(r"(async )?def ")
"""First line of a test after its decorators."""


def binding(line: str) -> Import:
    """Returns what a single import line binds."""
    return next(imports_in(ast.parse(line).body))


def is_plain(line: str) -> bool:
    """Whether a line is like ``import io``, without another name for it."""
    return line.startswith("import ") and " as " not in line


def one_spelling(tests: Sequence[PrintedTest]) -> list[PrintedTest]:
    """Spells ``io.StringIO`` in all tests if one test imports `io` and another `StringIO` from
    it."""
    whole = {line.split()[1] for test in tests for line in test.imports if is_plain(line)}
    return [_spelt(test, whole) for test in tests]


def _spelt(test: PrintedTest, whole: AbstractSet[str]) -> PrintedTest:
    for line in test.imports:
        module, name, bound, _ = binding(line)
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


def by_name(
    tests: Sequence[PrintedTest], present: Mapping[str, Import | None] | None = None
) -> list[PrintedTest]:
    """Spells ``datetime.date`` as ``date`` where another test, or the file by what is `present`,
    imports a class by the name of its module: one name cannot be both at the top of a file."""
    known = [*(i for i in (present or {}).values() if i is not None)]
    known += [binding(line) for test in tests for line in test.imports]
    classes = {one.module for one in known if one.module == one.name == one.bound}
    bound = {one.bound: one for one in known if one.module or one.name not in classes}
    bound |= {name: Import("", name, name, "") for name, one in (present or {}).items() if not one}
    return [_named(test, classes, bound) for test in tests]


def _named(
    test: PrintedTest, classes: AbstractSet[str], bound: Mapping[str, Import]
) -> PrintedTest:
    """Returns a test with names in the place of attributes of the modules that are `classes`, too,
    where these names mean nothing else."""
    for module in sorted(classes):
        line = f"import {module}"
        if line not in test.imports:
            continue
        used = re.compile(rf"(?<![\w.\"']){module}\.(\w+)")
        names = {name for text in test.lines for name in used.findall(text)}
        about = next(n for n, text in enumerate(test.lines) if BEGINS.match(text))
        code = [*test.lines[: about + 1], *test.lines[test.body_at :]]
        rest = "\n".join(used.sub("", text) for text in code)
        other = {n for n in names if n in bound and bound[n].module != module}
        if other or any(re.search(rf"(?<![\w.]){name}\b", rest) for name in (module, *names)):
            continue
        lines = tuple(used.sub(r"\1", text) for text in test.lines)
        added = {f"from {module} import {name}" for name in names}
        imports = tuple(sorted({*test.imports, *added} - {line}))
        test = replace(test, lines=lines, imports=imports)
    return test
