"""One test file with marks put in by text, and what they say by the name of what they stand on."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from marked.edits import Edits, first_statement, is_docstring, top_line
from marked.wording import RECORDED, Claim, Wording

Function = ast.FunctionDef | ast.AsyncFunctionDef
Claims = dict[str, Claim]
"""``TestA::test_b`` -> what stands on it; ``TestA`` -> on the class; empty: on the module."""


class Marker:
    """Marks one file."""

    def __init__(self, text: str, wording: Wording) -> None:
        self.tree = ast.parse(text)
        self.edits = Edits(text)
        self.claims: Claims = {}
        self._wording = wording
        self._random = wording.random

    def marked(self) -> str:
        """The text with marks in it; `claims` then says what they say."""
        first = next((one for one in self.tree.body if not _leads(one)), None)
        if first is None:
            return self.edits.text
        line = top_line(first)
        for text in self._wording.header:
            self.edits.insert_line(line, text)
        if self._random.random() < 0.2:
            self._bind(self.tree.body, line, "", "")
        self._block(self.tree.body, "")
        return self.edits.applied()

    def _block(self, body: list[ast.stmt], outer: str) -> None:
        for node in _last_of_each(body):
            name = f"{outer}::{node.name}".removeprefix("::")
            if isinstance(node, ast.ClassDef):
                if _has_tests(node):
                    self._class(node, name)
                    self._block(node.body, name)
            elif node.name.startswith("test"):
                self._function(node, name)

    def _class(self, node: ast.ClassDef, name: str) -> None:
        draw, first = self._random.random(), first_statement(node)
        if draw < 0.2:
            self._decorate(node, name, *self._wording.marks())
            self._wording.kinds["class decorator"] += 1
        elif draw < 0.4 and first:
            self._bind(node.body, top_line(first), name, self.edits.indent(top_line(first)))
        elif draw < 0.45:
            self._decorate(node, name, [self._wording.emergent()], Claim(emergent=True))

    def _bind(self, body: list[ast.stmt], line: int, name: str, indent: str) -> None:
        """``pytestmark = ...``, or into the one that is there."""
        marks, claim = self._wording.marks()
        values = [_value_of(one) for one in body]
        there = [value for value in values if value is not None]
        self.claims[name] = claim
        self._wording.kinds["pytestmark of a class" if name else "pytestmark"] += 1
        if there:
            start, end = self.edits.span(there[-1])
            text = self.edits.text[start:end]
            star = "*" if isinstance(there[-1], ast.List | ast.Tuple) else ""
            self.edits.replace(start, end, f"[{', '.join(marks)}, {star}{text}]")
        elif len(marks) == 1 and self._random.random() < 0.5:
            self.edits.insert_line(line, f"{indent}pytestmark = {marks[0]}")
        else:
            self.edits.insert_line(line, f"{indent}pytestmark = [{', '.join(marks)}]")

    def _function(self, node: Function, name: str) -> None:
        draw = self._random.random()
        claim = Claim()
        if draw < 0.45:
            marks, claim = self._wording.marks()
            self._decorate(node, name, marks, claim)
        elif draw < 0.52:
            claim = Claim(emergent=True)
            self._decorate(node, name, [self._wording.emergent()], claim)
        if draw < 0.7:
            self._rows(node, claim)
        if 0.3 < draw < 0.7 and "::" not in name:
            self._record(node, claim)
        if claim != Claim():
            self.claims[name] = claim

    def _decorate(
        self, node: ast.ClassDef | Function, name: str, marks: list[str], claim: Claim
    ) -> None:
        line = top_line(node) if self._random.random() < 0.7 else node.lineno
        for mark in marks:
            self.edits.insert_line(line, f"{self.edits.indent(node.lineno)}@{mark}")
        self.claims[name] = claim

    def _record(self, node: Function, claim: Claim) -> None:
        """``record_property`` as the first thing that a plain function does."""
        first, given = first_statement(node), node.args
        decorators = [ast.unparse(one) for one in node.decorator_list]
        if first is None or given.posonlyargs or any("mark.param" not in d for d in decorators):
            return
        found, line = self._wording.id(), top_line(first)
        start = self.edits.offset(node.lineno, node.col_offset)
        at = self.edits.text.index("(", start) + 1
        some = given.args or given.kwonlyargs or given.vararg or given.kwarg
        by_hand = self._random.random() < 0.3 and "request" not in ast.unparse(given)
        name = "request" if by_hand else "record_property"
        self.edits.replace(at, at, f"{name}, " if some else name)
        call = (
            f'request.node.user_properties.append(("{RECORDED}", {found!r}))'
            if by_hand
            else f'record_property("{RECORDED}", {found!r})'
        )
        self.edits.insert_line(line, f"{self.edits.indent(line)}{call}")
        claim.recorded.add(found)
        self._wording.kinds["property by hand" if by_hand else "property"] += 1

    def _rows(self, node: Function, claim: Claim) -> None:
        for decorator in node.decorator_list:
            table = _table(decorator)
            for index, row in enumerate(table[1].elts if table else ()):
                assert table is not None
                if self._random.random() < 0.35 and index < 12:
                    marks, said = self._wording.marks()
                    if self._mark_row(row, table[2], marks):
                        claim.rows[table[0], index] = said
                        self._wording.kinds["row"] += 1

    def _mark_row(self, row: ast.expr, single: bool, marks: list[str]) -> bool:
        text = marks[0] if len(marks) == 1 else f"[{', '.join(marks)}]"
        start, end = self.edits.span(row)
        if isinstance(row, ast.Call) and ast.unparse(row.func).split(".")[-1] == "param":
            there = next((one.value for one in row.keywords if one.arg == "marks"), None)
            if there is None:
                inner = [self.edits.span(one.value)[1] for one in row.keywords]
                inner += [self.edits.span(one)[1] for one in row.args]
                self.edits.replace(max(inner), max(inner), f", marks={text}")
            else:
                star = "*" if isinstance(there, ast.List | ast.Tuple) else ""
                now = f"[{', '.join(marks)}, {star}{self.edits.source(there)}]"
                self.edits.replace(*self.edits.span(there), now)
            self._wording.kinds["row that was a param"] += 1
            return True
        if single:
            self.edits.replace(start, start, "pytest.param(")
            self.edits.replace(end, end, f", marks={text})")
            return True
        if not isinstance(row, ast.Tuple | ast.List):
            return False
        values = ", ".join(self.edits.source(one) for one in row.elts)
        self.edits.replace(start, end, f"pytest.param({values}, marks={text})")
        return True


def _leads(node: ast.stmt) -> bool:
    """What has to stay at the top of a module."""
    future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
    return future or is_docstring(node)


def _last_of_each(body: list[ast.stmt]) -> Iterator[ast.ClassDef | Function]:
    """Definitions directly in a block; of those with one name, what Python keeps."""
    found = {one.name: one for one in body if isinstance(one, ast.ClassDef | Function)}
    return iter(found.values())


def _has_tests(node: ast.ClassDef) -> bool:
    inner = [one for one in node.body if isinstance(one, ast.ClassDef)]
    methods = [one for one in node.body if isinstance(one, Function)]
    return any(one.name.startswith("test") for one in methods) or any(map(_has_tests, inner))


def _value_of(node: ast.stmt) -> ast.expr | None:
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
        return node.value
    return None


def _table(node: ast.expr) -> tuple[tuple[str, ...], ast.List | ast.Tuple, bool] | None:
    """(names, rows, whether a row is one value) of ``parametrize`` with literal rows."""
    if not isinstance(node, ast.Call) or not ast.unparse(node.func).endswith("mark.parametrize"):
        return None
    given = {one.arg: one.value for one in node.keywords}
    names = node.args[0] if node.args else given.get("argnames")
    rows = node.args[1] if len(node.args) > 1 else given.get("argvalues")
    if names is None or not isinstance(rows, ast.List | ast.Tuple):
        return None
    if any(isinstance(one, ast.Starred) for one in rows.elts):
        return None
    try:
        said = ast.literal_eval(names)
    except ValueError:
        return None
    texts = said.split(",") if isinstance(said, str) else said
    found = tuple(text.strip() for text in texts if text.strip())
    return found, rows, isinstance(said, str) and len(found) == 1
