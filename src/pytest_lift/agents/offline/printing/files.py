"""Writes printed tests into test files, with one sorted block of imports each."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from pytest_lift.agents.offline.printing.connections import with_connections
from pytest_lift.agents.offline.printing.definitions import with_definitions
from pytest_lift.agents.offline.printing.fixtures import with_fixtures
from pytest_lift.agents.offline.printing.functions import PrintedTest
from pytest_lift.agents.offline.printing.growing import with_rows_added
from pytest_lift.agents.offline.printing.spelling import binding, by_name, one_spelling
from pytest_lift.agents.offline.printing.texts import with_texts
from pytest_lift.calls.names import LIBRARIES, defined_in
from pytest_lift.source.bindings import (
    Import,
    all_bound_names,
    imports_in,
    is_future,
    is_import,
)
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, bare_leaf, parse, parsed, split_lines
from pytest_lift.suite.collection import Naming
from pytest_lift.suite.import_places import from_import
from pytest_lift.suite.layout.statements import WIDTH
from pytest_lift.suite.placement import placements
from pytest_lift.suite.splice import merge_tests
from pytest_lift.suite.suite import Suite

FOREIGN = frozenset(module for module, _ in LIBRARIES.values())


class ImportPlan:
    """Decides which import lines stand at the top of a file and which in a test."""

    def __init__(
        self,
        wanted: Sequence[Sequence[str]],
        program: Program,
        present: Mapping[str, Import | None] | None = None,
    ) -> None:
        self.program = program
        self.present = present or {}
        self._chosen: dict[str, str] = {}
        uses = Counter(line for lines in wanted for line in lines)
        for line, _ in sorted(uses.items(), key=lambda item: (-item[1], len(item[0]), item[0])):
            self._chosen.setdefault(binding(line).bound, line)

    @property
    def names(self) -> Collection[str]:
        """Names that imports bind."""
        return self._chosen.keys()

    def top(self) -> list[str]:
        """Returns lines for the top of the file that are not there yet."""
        return sorted(line for bound, line in self._chosen.items() if bound not in self.present)

    def local(self, lines: Sequence[str]) -> list[str]:
        """Returns the lines of a test whose names mean something else at the top of the file."""
        found = []
        for line in lines:
            wanted = binding(line)
            shared = self.present.get(wanted.bound, binding(self._chosen[wanted.bound]))
            if shared is None or defined_in(wanted, self.program) != defined_in(
                shared, self.program
            ):
                found.append(line)
        return found

    def ambiguous(self, tests: Iterable[PrintedTest]) -> set[str]:
        """Returns the names that some of the tests import themselves."""
        return {binding(line).bound for test in tests for line in self.local(test.imports)}


def import_block(lines: Iterable[str]) -> str:
    """Returns lines sorted as isort does: standard library, pytest and others, the program."""
    sections: dict[str, list[str]] = {"standard": [], "other": [], "own": []}
    members: dict[str, set[str]] = {}
    for line in sorted(lines, key=str.lower):
        node = ast.parse(line).body[0]
        if isinstance(node, ast.ImportFrom):
            name = line.partition(" import ")[2]
            members.setdefault(node.module or "", set()).add(name)
        elif isinstance(node, ast.Import):
            sections[_section(node.names[0].name)].append(line)
    for module in sorted(members, key=str.lower):
        names = sorted(members[module], key=_member_order)
        sections[_section(module)].append(from_import(module, names))
    return "\n\n".join("\n".join(part) for part in sections.values() if part)


def _section(module: str) -> str:
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names:
        return "standard"
    return "other" if top == "pytest" or top in FOREIGN else "own"


def _member_order(name: str) -> tuple[int, str, str]:
    constant = name.isupper() and len(name) > 1
    return (0 if constant else 1 if name[:1].isupper() else 2, name.lower(), name)


def write_files(tests: Sequence[PrintedTest], program: Program, suite: Suite) -> Mapping[str, str]:
    """Returns test path -> its whole new text; files that cannot be parsed are left alone."""
    places = placements(program.files.values(), suite)
    by_place: dict[str, list[PrintedTest]] = {}
    for test in (collected(test, suite.naming) for test in tests):
        if parsed(test.text) is not None:  # else it is left out, not the whole file
            by_place.setdefault(places[test.path], []).append(test)
    texts = {}
    for place, members in by_place.items():
        existing = suite.files.get(place)
        if existing is None or not existing.text.strip():
            about = sorted({program.files[test.path].module for test in members})
            texts[place] = new_file(members, about, program)
        elif existing.error is None:
            text = extend(existing.text, members, program, partial(_is_owned, suite, place))
            if text != existing.text:
                owned = suite.is_owned_file(place)
                texts[place] = with_sorted_imports(text) if owned else text
    return texts


def _is_owned(suite: Suite, place: str, name: str) -> bool:
    test = suite.function(f"{place}::{name}")
    return test is not None and suite.is_owned(test)


def collected(test: PrintedTest, naming: Naming) -> PrintedTest:
    """Returns a test with names that pytest collects by its setting `python_functions`."""
    if naming.is_test_function(test.name):
        return test
    first = naming.functions[0]
    pattern = first if "*" in first else f"{first.rstrip('_')}_*"

    def fitting(name: str) -> str:
        return pattern.replace("*", name.removeprefix("test_"))

    return replace(renamed(test, fitting(test.name)), others=tuple(map(fitting, test.others)))


def new_file(tests: Sequence[PrintedTest], modules: Sequence[str], program: Program) -> str:
    """Returns a whole file: docstring, imports, tests with two blank lines between them."""
    tests = by_name(one_spelling(tests))
    plan = ImportPlan([test.imports for test in tests], program)
    taken = {*plan.names, *(test.name for test in tests)}
    constants, tests = with_texts(
        without_known(distinct(tests), ast.Module([], [])), program, taken
    )
    defined, tests = with_definitions(tests, taken, plan.ambiguous(tests))
    connections, tests = with_connections(tests, taken)
    fixtures, tests = with_fixtures(tests, {*taken, *_names_of(defined)})
    tests = list(_with_local(tests, plan))
    body = "\n\n\n".join([*defined, *connections, *fixtures, *(test.text for test in tests)])
    top = "\n\n".join([import_block(plan.top()), *constants])
    about = ", ".join(modules)
    if len(about) > WIDTH - len('"""Tests of ."""'):
        about = ", ".join(dict.fromkeys(module.partition(".")[0] for module in modules))
    return f'"""Tests of {about}."""\n\n{top}\n\n\n{body}\n'


def extend(
    text: str,
    tests: Sequence[PrintedTest],
    program: Program,
    may_change: Callable[[str], bool],
) -> str:
    """Returns `text` with missing imports after its own, and the tests at its end; rows of a table
    that it has, and that `may_change` by its name, are added to that."""
    tree = parse(text)
    tests = by_name(tests, _present(tree))
    plan = ImportPlan([test.imports for test in tests], program, _present(tree))
    tables = [test for test in tests if not plan.local(test.imports)]
    text, grown = with_rows_added(text, tables, may_change)
    if grown:
        plan = ImportPlan([test.imports for test in grown], program, _present(tree))
        text = merge_tests(text, plan.top(), "")
        tree = parse(text)
        tests = [test for test in tests if test not in grown]
    taken = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    plan = ImportPlan([test.imports for test in tests], program, _present(tree))
    names = {*taken, *plan.names, *plan.present, *(test.name for test in tests)}
    constants, tests = with_texts(distinct(tests, taken), program, names, text)
    tests = without_known(tests, tree)
    defined, tests = with_definitions(tests, names, plan.ambiguous(tests), text)
    connections, tests = with_connections(tests, names, text)
    fixtures, tests = with_fixtures(tests, {*names, *_names_of(defined)}, text)
    fixtures = [*connections, *fixtures]
    tests = list(_with_local(without_known(tests, tree), plan))
    if not tests:
        return text
    texts = [test.text for test in tests]
    asked = {name for test in texts for name in re.findall(r"\w+", test)}
    new = [one for one in fixtures if one.split("def ")[1].partition("(")[0] in asked]
    used = [one for one in constants if one.partition(" =")[0] in asked]
    body = "\n\n\n".join([*(["\n\n".join(used)] if used else []), *defined, *new, *texts]) + "\n"
    return merge_tests(text, plan.top(), body)


def _names_of(definitions: Sequence[str]) -> set[str]:
    """Returns the names of functions and classes by their sources."""
    nodes = (ast.parse(one).body[0] for one in definitions)
    return {node.name for node in nodes if isinstance(node, FunctionNode | ast.ClassDef)}


def with_sorted_imports(text: str) -> str:
    """Returns `text` with the imports at its top printed anew in sorted order.

    For files without a person's lines; a file with relative imports is returned unchanged.
    """
    tree = parse(text)
    nodes = [node for node in tree.body if is_import(node) and not is_future(node)]
    if not nodes or any(isinstance(node, ast.ImportFrom) and node.level for node in nodes):
        return text
    lines = split_lines(text)
    start, end = nodes[0].lineno - 1, nodes[-1].end_lineno or 0
    together = [node for node in tree.body if start < node.lineno <= end]
    if together != nodes:
        return text
    singles = [found.line for found in imports_in(nodes)]
    return "".join([*lines[:start], import_block(singles), "\n", *lines[end:]])


def _present(tree: ast.Module) -> dict[str, Import | None]:
    """Returns the names that the file binds -> their imports at its top; None for its own."""
    return {**dict.fromkeys(all_bound_names(tree)), **{i.bound: i for i in imports_in(tree.body)}}


def _with_local(tests: Iterable[PrintedTest], plan: ImportPlan) -> Iterator[PrintedTest]:
    """Yields tests with the imports inside that cannot stand at the top of the file; none that has
    such a name in its rows, which stand outside."""
    for test in tests:
        lines = plan.local(test.imports)
        if not lines:
            yield test
        elif _named_outside(test).isdisjoint(binding(line).bound for line in lines):
            inside = [f"    {line}" for line in lines] + [""]
            at = test.body_at
            yield replace(test, lines=(*test.lines[:at], *inside, *test.lines[at:]))


def _named_outside(test: PrintedTest) -> set[str]:
    """Returns the names in what stands before a test: what a mark says in words has none."""
    decorators = getattr(parse(test.text).body[0], "decorator_list", [])
    nodes = (node for one in decorators for node in ast.walk(one))
    return {node.id for node in nodes if isinstance(node, ast.Name)}


def without_known(tests: Sequence[PrintedTest], tree: ast.Module) -> list[PrintedTest]:
    """Returns the tests without those that stand in a file already, or among the others, under
    whatever name."""
    known = {_told(node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    found = []
    for test in tests:
        told = _told(parse(test.text).body[0])
        if told not in known:
            known.add(told)
            found.append(test)
    return found


def _told(node: ast.stmt) -> str:
    """Returns what a test does: all of it but its name, its docstring, and the mark that says that
    no requirement is known."""
    if not isinstance(node, ast.FunctionDef):
        return ""
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    marks = [one for one in node.decorator_list if bare_leaf(one) != "emergent"]
    parts = [node.args, *marks, *body]
    return "\n".join(ast.dump(part) for part in parts)


def distinct(tests: Sequence[PrintedTest], taken: Collection[str] = ()) -> list[PrintedTest]:
    """Renames second and later tests of one name, by a longer name or a number: by one that tells
    it from the others of that name, where there is one."""
    used = set(taken)
    found = []
    shared = Counter((test.name, one) for test in tests for one in dict.fromkeys(test.others))
    for test in tests:
        others = [one for one in test.others if _fits(test, one)]
        others.sort(key=lambda one: shared[test.name, one] > 1)
        names = (test.name, *others)
        name = next((n for n in names if n not in used), "")
        number = 2
        while not name or name in used:
            name, number = f"{test.name}_{number}", number + 1
        used.add(name)
        found.append(renamed(test, name))
    return found


def renamed(test: PrintedTest, name: str) -> PrintedTest:
    """Returns a test under another name."""
    pattern = rf"^def {re.escape(test.name)}\("
    lines = tuple(re.sub(pattern, f"def {name}(", line) for line in test.lines)
    return replace(test, name=name, lines=lines)


def _fits(test: PrintedTest, name: str) -> bool:
    """Whether the line of the definition has room for another name."""
    lines = [line for line in test.lines if line.startswith(f"def {test.name}(")]
    return all(len(line) + len(name) - len(test.name) <= WIDTH + 2 for line in lines)
