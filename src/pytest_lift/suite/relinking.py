"""The text of a test file with marks turned into fields of docstrings, every other byte kept."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from textwrap import wrap

from pytest_lift.marks.fields import (
    EMERGENT,
    REQ,
    Documented,
    docstring_of,
    fields_of,
    without_fields,
)
from pytest_lift.marks.marks import Mark, MarkReader
from pytest_lift.source.bindings import import_bindings, imports_in, is_import
from pytest_lift.source.syntax import FunctionNode, first_line, leaf, line_end, parse
from pytest_lift.source.syntax import split_lines as lines_of
from pytest_lift.suite.collection import Definition, Naming, definitions

WIDTH = 71
"""Characters of a field, without the indentation of its docstring."""
_PAD = "    "


@dataclass(frozen=True)
class MarkChanges:
    """Changes wanted in one file."""

    names: Collection[str]
    """Marks that become fields."""
    tests: Collection[str]
    """Names of the tests that may be changed (``TestClass::test_f``)."""
    emergent: bool = True
    """Whether those tests may be called emergent; else that goes without a trace."""
    whole: bool = False
    """Whether code beside the tests may be changed, too."""


def with_fields(text: str, wanted: MarkChanges, naming: Naming) -> str:
    """Returns `text` with fields in the place of marks.

    A mark of a row becomes one of its test; what stands on a class or a module goes to its
    docstring. Raises ValueError or SyntaxError where that cannot be done.
    """
    rewriting = _Rewriting(text, wanted)
    tests = [*definitions(rewriting.tree, naming)]
    for test in tests:
        if test.name in wanted.tests:
            rewriting.test(test)
    for node, names in _classes(tests).items():
        if names <= {*wanted.tests}:
            rewriting.class_or_module(node, rewriting.reader.on_class(node))
    if wanted.whole:
        rewriting.class_or_module(rewriting.tree, rewriting.reader.of_module)
        rewriting.names()
    return rewriting.done()


def with_links(
    text: str, name: str, ids: Iterable[str], emergent: str | None, naming: Naming
) -> str:
    """Returns `text` with these fields, and no others, in the docstring of the test `name`."""
    rewriting = _Rewriting(text, MarkChanges((), (name,)))
    for test in definitions(rewriting.tree, naming):
        if test.name == name:
            rewriting.docstring(test.function, printed(ids, emergent))
    return rewriting.done()


def without_idle_imports(text: str, before: str, theirs: Collection[str] = ()) -> str:
    """Returns `text` without imports that `before` used and it does not, but for `theirs`."""
    tree, lines = parse(text), lines_of(text)
    idle = _used(parse(before)) - _used(tree) - {*theirs}
    for node in reversed(tree.body):
        if not is_import(node):
            continue
        aliases = zip(node.names, import_bindings(node), strict=True)
        left = [alias for alias, found in aliases if found.bound not in idle]
        first, last = node.lineno, node.end_lineno or node.lineno
        if not left:
            del lines[first - 1 : _end_of_cut(lines, first, last)]
        elif len(left) < len(node.names):
            node.names = left
            lines[first - 1 : last] = [ast.unparse(node) + line_end(lines[last - 1])]
    return "".join(lines)


def bound_by_imports(text: str) -> frozenset[str]:
    """Returns names that the imports of the module bind."""
    return frozenset(found.bound for found in imports_in(parse(text).body))


def printed(ids: Iterable[str], emergent: str | None) -> list[str]:
    """Returns the lines of the fields that say this."""
    named = ", ".join(ids)
    texts = [f":{REQ}: {named}"] if named else []
    texts += [] if emergent is None else [f":{EMERGENT}: {' '.join(emergent.split())}".rstrip()]
    return [line for text in texts for line in _wrapped(text)]


def _wrapped(text: str) -> list[str]:
    return wrap(text, WIDTH, subsequent_indent=_PAD, break_long_words=False, break_on_hyphens=False)


@dataclass
class _Rewriting:
    """One file, and the changes of its text."""

    text: str
    wanted: MarkChanges
    changes: dict[tuple[int, int], str] = field(default_factory=dict)
    """(begin, end) in the text -> what stands there instead."""

    def __post_init__(self) -> None:
        self.tree = parse(self.text)
        self.lines = lines_of(self.text)
        self.reader = MarkReader(self.tree, self.lines)
        self.end = "\r\n" if "\r\n" in self.text else "\n"
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))

    def done(self) -> str:
        """Returns the text with all changes."""
        text, left = self.text, len(self.text)
        for (begin, end), new in sorted(self.changes.items(), reverse=True):
            if end > left:
                raise ValueError("two changes are in each other's way")
            text, left = text[:begin] + new + text[end:], begin
        return text

    def test(self, test: Definition) -> None:
        self._decorators(test.function.decorator_list)
        self._say(test.function, self.reader.of_function(test.function))

    def class_or_module(self, node: ast.ClassDef | ast.Module, marks: Sequence[Mark]) -> None:
        """Marks of the class itself, not of its base classes."""
        if isinstance(node, ast.ClassDef):
            self._decorators(node.decorator_list)
        for stmt in node.body:
            if isinstance(stmt, ast.Assign) and "pytestmark" in map(ast.unparse, stmt.targets):
                self._marks(stmt.value, stmt)
        self._say(node, marks)

    def names(self) -> None:
        """Marks to which the module gives a name, and tables with one."""
        for stmt in self.tree.body:
            if isinstance(stmt, ast.Assign) and self._is_ours(stmt.value):
                self._cut_lines(stmt)
            elif isinstance(stmt, ast.Assign):
                self._rows(stmt)

    def docstring(self, node: Documented, fields: Sequence[str]) -> None:
        """Puts `fields` at the end of the docstring, in the place of those that are there."""
        found = docstring_of(node)
        if found is None:
            self._new_docstring(node, fields)
            return
        literal = found.literal
        begin = self._offset(literal.lineno, literal.col_offset)
        end = self._offset(literal.end_lineno or 0, literal.end_col_offset or 0)
        before = self.text[self.starts[literal.lineno - 1] : begin]
        if before.strip():
            raise ValueError("the docstring stands in the line of its definition")
        source, quotes = self.text[begin:end], self.text[begin : begin + 3]
        if quotes in ('"""', "'''") and not fields_of(found.text):
            inner = source[3:-3].rstrip()
        else:
            quotes, inner = '"""', _escaped(without_fields(found.text), before, self.end)
        below = [line for line in inner.split("\n")[1:] if line.strip()]
        pads = [before, *(line[: len(line) - len(line.lstrip())] for line in below)]
        self.changes[begin, end] = _quoted(quotes, inner, fields, min(pads, key=len), self.end)

    def _decorators(self, decorators: Iterable[ast.expr]) -> None:
        for decorator in decorators:
            if self._is_ours(decorator):
                self._cut_lines(decorator)
            else:
                self._rows(decorator)

    def _rows(self, node: ast.AST) -> None:
        """Takes our marks out of ``marks=`` of each ``pytest.param`` below `node`."""
        for call in ast.walk(node):
            if isinstance(call, ast.Call) and leaf(call.func) == "param":
                for word in call.keywords:
                    if word.arg == "marks":
                        self._marks(word.value, word, [*call.args, *call.keywords])

    def _marks(
        self, value: ast.expr, bearer: ast.stmt | ast.keyword, beside: Sequence[ast.AST] = ()
    ) -> None:
        """Removes our marks from one or a list of them; with the `bearer` if none is left."""
        parts = value.elts if isinstance(value, ast.List | ast.Tuple) else [value]
        ours = [part for part in parts if self._is_ours(part)]
        if len(ours) < len(parts):
            self._cut_parts(ours, parts)
        elif isinstance(bearer, ast.stmt) and ours:
            self._cut_lines(bearer)
        elif ours:
            self._cut_parts([bearer], beside)

    def _is_ours(self, node: ast.expr) -> bool:
        """Whether a mark becomes a field: ``pytest.mark.req("X")``, or a name of one."""
        if isinstance(node, ast.Name):
            value = self.reader.bound.get(node.id)
            return value is not None and not isinstance(value, ast.Name) and self._is_ours(value)
        name = self.reader.marker(node.func if isinstance(node, ast.Call) else node)
        return name in self.wanted.names

    def _say(self, node: Documented, marks: Sequence[Mark]) -> None:
        """Writes into the docstring of `node` what its marks say."""
        going = [m for m in marks if m.name in self.wanted.names and not m.in_docstring]
        if any(mark.unreadable or (mark.faults and mark.name == REQ) for mark in going):
            raise ValueError("the arguments of a mark are known only at run time")
        told = [m for m in marks if m.in_docstring or m in going]
        ids = dict.fromkeys(each.value for m in told if m.name == REQ for each in m.ids)
        reasons = [" ".join(each.value for each in m.ids) for m in told if m.name == EMERGENT]
        fields = printed(ids, reasons[0] if reasons and self.wanted.emergent else None)
        there = any(mark.in_docstring for mark in marks)
        dropped = there and bool(reasons) and not self.wanted.emergent
        if (going and (fields or there)) or dropped:
            self.docstring(node, fields)

    def _new_docstring(self, node: Documented, fields: Sequence[str]) -> None:
        first = node.body[0]
        module = isinstance(node, ast.Module)
        line = first_line(first)
        pad = self.lines[line - 1][: first.col_offset]
        if pad.strip() or (not isinstance(node, ast.Module) and line == node.lineno):
            raise ValueError("the body stands in the line of the definition")
        if module:
            heads = (n for n, text in enumerate(self.lines, 1) if not text.startswith("#"))
            line = next(heads, 1)
        at, gap = self.starts[line - 1], "" if isinstance(node, FunctionNode) else self.end
        self.changes[at, at] = pad + _quoted('"""', "", fields, pad, self.end) + self.end + gap

    def _cut_lines(self, node: ast.stmt | ast.expr) -> None:
        first, last = node.lineno, node.end_lineno or node.lineno
        end = _end_of_cut(self.lines, first, last)
        self.changes[self.starts[first - 1], self.starts[end]] = ""

    def _cut_parts(self, gone: Sequence[ast.AST], parts: Sequence[ast.AST]) -> None:
        """Cuts some of several items, each with the comma before it, else the one after."""
        spans = sorted(self._span(each) for each in parts)
        going = {self._span(each) for each in gone}
        stays = False
        for number, (begin, end) in enumerate(spans):
            if (begin, end) not in going:
                stays = True
            elif stays:
                self.changes[spans[number - 1][1], end] = ""
            else:
                after = spans[number + 1][0] if number + 1 < len(spans) else end
                self.changes[begin, after] = ""

    def _span(self, node: ast.AST) -> tuple[int, int]:
        assert isinstance(node, ast.expr | ast.keyword)
        end = self._offset(node.end_lineno or 0, node.end_col_offset or 0)
        return self._offset(node.lineno, node.col_offset), end

    def _offset(self, line: int, column: int) -> int:
        """Returns the offset in the text, because `ast` counts UTF-8 bytes."""
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())


def _classes(tests: Iterable[Definition]) -> dict[ast.ClassDef, set[str]]:
    """Returns each class with tests -> their names, those of inner classes included."""
    found: dict[ast.ClassDef, set[str]] = {}
    for test in tests:
        for node in test.classes:
            found.setdefault(node, set()).add(test.name)
    return found


def _quoted(quotes: str, inner: str, fields: Sequence[str], pad: str, end: str) -> str:
    """Returns a docstring with its old text and `fields`."""
    fields = [*map(_literal, fields)]
    if not fields:
        close = f"{end}{pad}" if "\n" in inner else " " if inner.endswith(quotes[0]) else ""
        return f"{quotes}{inner}{close}{quotes}"
    if not inner and len(fields) == 1:
        return f"{quotes}{fields[0]}{quotes}"
    head = f"{inner}{end}{end}" if inner else end
    return f"{quotes}{head}{end.join(pad + line for line in fields)}{end}{pad}{quotes}"


def _escaped(prose: str, pad: str, end: str) -> str:
    """Returns the inside of a docstring that says `prose`."""
    first, *rest = map(_literal, prose.split("\n"))
    return end.join([first, *(pad + line if line else "" for line in rest)])


def _literal(line: str) -> str:
    """Returns a line as it is written between triple quotes."""
    text = line.replace("\\", "\\\\").replace('"""', '\\"\\"\\"').replace("'''", "\\'\\'\\'")
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _end_of_cut(lines: Sequence[str], first: int, last: int) -> int:
    """Returns the last line to be cut: of blank lines above and below the one below goes, too."""
    above = first == 1 or not lines[first - 2].strip()
    return last + (above and last < len(lines) and not lines[last].strip())


def _used(tree: ast.Module) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
