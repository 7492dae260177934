"""Merges the tool's own tests that differ in literals only into one parametrized test.

The user's tests are never merged. The rows make the same calls with the same values in the same
order as the tests; where that is not certain, the tests stay as they are.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile, takewhile

from pytest_lift.assertions.spelling import Speller, local_names, meanings_in
from pytest_lift.expectations.printing import contradiction_tests
from pytest_lift.marks.fields import fields_of, without_fields
from pytest_lift.redundancy.shapes import SILENT_MARKS, Column, body_of, columns_of, is_mark
from pytest_lift.source.syntax import FunctionNode, bare_leaf, first_line, parse
from pytest_lift.source.syntax import split_lines as lines_of
from pytest_lift.suite.collection import Definition, definitions
from pytest_lift.suite.layout.spelling import requoted, tidy
from pytest_lift.suite.layout.statements import WIDTH, statement
from pytest_lift.suite.splice import cut_tests, merge_tests, replace_test
from pytest_lift.suite.suite import Edit, Suite

RESERVED = frozenset({"request", "self"})


@dataclass(frozen=True)
class Merged:
    """Tests of one file that are merged into one."""

    name: str
    """Name of the new test, such as ``TestClass::test_f``."""
    members: tuple[str, ...]
    """Names of the tests that it replaces, in the order of the file."""
    source: str
    """Source of the new test, indented for its place."""


def merge_alike(suite: Suite, spared: Collection[str] = ()) -> Edit:
    """Returns the edit that merges tests; an empty edit if there is nothing to merge. Pure.

    `spared` are node ids that have to keep their names.
    """
    left = {*spared, *contradiction_tests(suite)}
    owned = {test.node for test in suite.owned_tests()} - left
    files: dict[str, str | None] = {}
    count = 0
    for path, file in suite.files.items():
        names = {node.partition("::")[2] for node in owned if node.startswith(f"{path}::")}
        merged = _merged_in(path, file.text, names, suite) if len(names) > 1 else []
        if merged:
            files[path] = _rewritten(file.text, merged, suite)
            count += sum(len(one.members) - 1 for one in merged)
    return Edit(files, why=f"{count} tests merged into rows of others" if files else "")


def _rewritten(text: str, merged: Sequence[Merged], suite: Suite) -> str:
    for one in merged:
        text = replace_test(text, one.members[0], one.source, suite.naming)
        text = cut_tests(text, set(one.members[1:]), suite.naming)
    return merge_tests(text, ["import pytest"], "")


def _merged_in(path: str, text: str, names: set[str], suite: Suite) -> list[Merged]:
    tree = parse(text)
    bound = meanings_in(tree.body, path)
    if bound.get("pytest", "pytest") != "pytest":
        return []
    every = list(definitions(tree, suite.naming))
    lines = lines_of(text)
    taken = {found.name for found in every} | bound.keys()
    buckets: dict[str, list[Definition]] = {}
    for found in every:
        alike = found.name in names and sum(d.name == found.name for d in every) == 1
        if alike and (key := _key(found, lines)):
            buckets.setdefault(key, []).append(found)
    return [
        one
        for members in buckets.values()
        if len(members) > 1 and (one := _merge(members, lines, taken, frozenset(bound)))
    ]


def _key(found: Definition, lines: Sequence[str]) -> str | None:
    """Returns the text in which tests have to be equal to be merged.

    None for a test that cannot be merged: it has other marks, a comment that would be lost, or
    parameters that are not plain names.
    """
    function = found.function
    plain = isinstance(function, ast.FunctionDef) and function.returns is None
    named = function.args.posonlyargs + function.args.args
    simple = ast.dump(ast.arguments([], named, None, [], [], None, [])) == ast.dump(function.args)
    silent = all(
        is_mark(node) and bare_leaf(node) in SILENT_MARKS for node in function.decorator_list
    )
    source = "".join(lines[first_line(function) - 1 : function.end_lineno])
    start = function.body[0]
    simple = simple and not lines[start.lineno - 1].encode()[: start.col_offset].strip()
    derived = any(node.bases for node in found.classes)  # a unittest class takes no parameters
    if (
        derived
        or not (plain and simple and silent)
        or "#" in source
        or any(a.annotation for a in named)
    ):
        return None
    marks = "".join(ast.dump(node) for node in function.decorator_list)
    links = [(each.name, each.values) for each in fields_of(ast.get_docstring(function))]
    # Local names count as written, since the rows share one source.
    try:
        spelled = "".join(map(Speller({}, frozenset()).spell, body_of(function)))
    except RecursionError:
        return None
    outer = found.name.rpartition("::")[0]
    return f"{outer} {marks} {links} {[a.arg for a in named]} {spelled}"


def _merge(
    members: Sequence[Definition],
    lines: Sequence[str],
    taken: Collection[str],
    bound: frozenset[str],
) -> Merged | None:
    first = members[0].function
    columns = columns_of([found.function for found in members], _used(members) | bound | RESERVED)
    if not columns:
        return None
    ids = _ids([found.function.name for found in members])
    outer = members[0].name.rpartition("::")[0]
    leaf_name = _name([found.function.name for found in members])
    name = f"{outer}::{leaf_name}" if outer else leaf_name
    if name in taken and name != members[0].name:
        leaf_name, name = first.name, members[0].name
    pad = " " * first.col_offset
    head = [
        *(line.rstrip("\r\n") for line in lines[first_line(first) - 1 : first.lineno - 1]),
        *(pad + line if line else line for line in _table(columns, ids, WIDTH - len(pad))),
        *(pad + line for line in _def(leaf_name, first, columns)),
        *(pad + line for line in _docstring([f.function for f in members], ids)),
    ]
    body = _body(first, columns, lines)
    source = "\n".join([*head, *body]) + "\n"
    return Merged(name, tuple(found.name for found in members), source)


def _used(members: Sequence[Definition]) -> frozenset[str]:
    """Returns the names that the functions use or bind; a column must not hide any of them."""
    found: set[str] = set()
    for member in members:
        nodes = list(ast.walk(member.function))
        found |= {node.id for node in nodes if isinstance(node, ast.Name)}
        found |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        found |= local_names(member.function)
    return frozenset(found)


def _table(columns: Sequence[Column], ids: Sequence[str], width: int) -> list[str]:
    names = [column.name for column in columns]
    single = len(names) == 1
    head = requoted(repr(names[0])) if single else tidy(repr(tuple(names)))
    found = ["@pytest.mark.parametrize(", f"    {head},", "    ["]
    for row in zip(*(column.values for column in columns), strict=True):
        source = row[0] if single else f"({', '.join(row)})"
        found += statement("", source, ",", 8 + WIDTH - width)
    shift = WIDTH - width
    found[3:] = [line[shift:] for line in found[3:]]
    flat = f"    ids=[{', '.join(requoted(repr(one)) for one in ids)}],"
    told = [flat] if len(flat) <= width else []
    told = told or ["    ids=[", *(f"        {requoted(repr(one))}," for one in ids), "    ],"]
    return [*found, "    ],", *told, ")"]


def _def(name: str, first: FunctionNode, columns: Sequence[Column]) -> list[str]:
    fixtures = [arg.arg for arg in first.args.posonlyargs + first.args.args]
    owner = fixtures[:1] if fixtures[:1] == ["self"] else []
    parameters = [*owner, *(column.name for column in columns), *fixtures[len(owner) :]]
    flat = f"def {name}({', '.join(parameters)}):"
    if len(flat) <= WIDTH - first.col_offset:
        return [flat]
    return [f"def {name}(", f"    {', '.join(parameters)}", "):"]


def _docstring(functions: Sequence[FunctionNode], ids: Sequence[str]) -> Iterator[str]:
    """Yields the lines of a docstring: the common text, or the text of each test with its row's id;
    then the requirement fields, which are equal for all."""
    full = [ast.get_docstring(function) or "" for function in functions]
    docs = [without_fields(doc) for doc in full]
    if len(set(docs)) == 1:
        told = docs[0].split("\n") if docs[0] else []
    else:
        rows = [f"{name}: {' '.join(doc.split())}" for name, doc in zip(ids, docs, strict=True)]
        told = [rows[0], "", *rows[1:]] if all(docs) else [row for row in rows if row[-2:] != ": "]
    linked = [
        line for each in fields_of(full[0]) for line in full[0].split("\n")[each.first : each.end]
    ]
    told += ["", *linked] if told and linked else linked
    if not told:
        return
    text = "\n".join(told).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    text = text[:-1] + '\\"' if text.endswith('"') else text
    rows = text.split("\n")
    if len(rows) == 1:
        yield f'    """{rows[0]}"""'
        return
    yield f'    """{rows[0]}'
    yield from (f"    {row}" if row else "" for row in rows[1:])
    yield '    """'


def _body(first: FunctionNode, columns: Sequence[Column], lines: Sequence[str]) -> list[str]:
    """Returns the statements of the first test with names in place of literals.

    An assignment of a literal to the name of its column is left out.
    """
    gone = {id(node) for column in columns for node in column.assignments}
    edits: dict[tuple[int, int], tuple[int, int, str]] = {}
    for column in columns:
        for node in column.places:
            stop = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
            edits[node.lineno, node.col_offset] = (*stop, column.name)
    rows = [line.rstrip("\r\n").encode("utf-8", "surrogateescape") for line in lines]
    left = set(range(body_of(first)[0].lineno, (first.end_lineno or 0) + 1))
    for (line, begin), (end_line, end, name) in sorted(edits.items(), reverse=True):
        after = rows[end_line - 1][end:]
        rows[line - 1] = rows[line - 1][:begin] + name.encode() + after
        left.difference_update(range(line + 1, end_line + 1))
    for stmt in first.body:
        if id(stmt) in gone:
            left.difference_update(range(stmt.lineno, (stmt.end_lineno or 0) + 1))
    found = [rows[number - 1].decode("utf-8", "surrogateescape") for number in sorted(left)]
    return list(dropwhile(lambda row: not row.strip(), found))


def _name(names: Sequence[str]) -> str:
    """Returns the words that all names begin with; the first name if it would be ``test`` alone."""
    words = _common([name.split("_") for name in names])
    return "_".join(words).rstrip("_") if len(words) > 1 else names[0]


def _ids(names: Sequence[str]) -> list[str]:
    """Returns the words in which the names differ; all words if that would leave an id empty or
    twice."""
    words = [name.removeprefix("test_").split("_") for name in names]
    front = len(_common(words))
    found = ["-".join(part for part in each[front:] if part) for each in words]
    whole = ["-".join(each) for each in words]
    return found if all(found) and len(set(found)) == len(found) else whole


def _common(rows: Sequence[Sequence[str]]) -> list[str]:
    """Returns the longest common start of all rows."""
    same = takewhile(lambda parts: len(set(parts)) == 1, zip(*rows, strict=False))
    return [parts[0] for parts in same]
