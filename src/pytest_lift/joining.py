"""What an edit adds to a test file, put into the file as it was: clashing names get another one."""

from __future__ import annotations

import ast
import copy
import symtable
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from pytest_lift.editing import Import, bindings, merge_tests, replace_test, top_level_imports
from pytest_lift.testfile import (
    FunctionNode,
    Naming,
    definitions,
    first_line,
    leaf,
    parse,
    split_lines,
    statements,
)

_BY_NAME = {"usefixtures", "getfixturevalue"}
"""Calls that name fixtures by strings."""


@dataclass(frozen=True)
class Joined:
    """The file with what was added."""

    text: str
    renamed: Mapping[str, str]
    """Name in the edit -> name in `text`."""
    left_out: Mapping[str, str]
    """Test or other name that could not be added -> why."""


@dataclass(frozen=True)
class _Part:
    """One top-level statement of the edit that the file does not have, imports one by one."""

    node: ast.stmt
    source: str
    """With the comments right above it."""
    names: frozenset[str]
    """What it binds at the top of the file."""


def joined(
    base: str,
    edited: str,
    naming: Naming,
    ours: Collection[str] = (),
    staying: Collection[str] = (),
) -> Joined | None:
    """`base`, every line as it is, with the tests, helpers and imports that `edited` adds.

    A name that `base` has or needs for something else is another one in what is added. `ours` are
    tests of `base` that `edited` may replace; other versions of the tests `staying` are passed
    over. None where a text cannot be parsed, or where nothing would come of it. Pure.
    """
    try:
        return _Joining(base, edited, naming, frozenset(ours), frozenset(staying)).joined()
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class _Joining:
    """One file and one edit of it."""

    def __init__(
        self, base: str, edited: str, naming: Naming, ours: frozenset[str], staying: frozenset[str]
    ) -> None:
        self.base, self.naming, self.ours, self.staying = base, naming, ours, staying
        self.tree, self.edited = parse(base), parse(edited)
        self.lines = split_lines(edited.removeprefix("\ufeff"))
        self.imports = {*top_level_imports(self.tree)}
        self.bound = {name for node in statements(self.tree.body) for name in _bound(node)}
        self.left_out: dict[str, str] = {}

    def joined(self) -> Joined | None:
        text = self._with_replaced(self.base)
        parts = self._parts()
        clashing = self._clashing(parts)
        parts = self._without(parts, clashing)
        renames = self._renames(parts, clashing)
        sources = [_renamed(part, renames) for part in parts]
        imports = [s for p, s in zip(parts, sources, strict=True) if _is_import(p.node)]
        others = [s.rstrip() for p, s in zip(parts, sources, strict=True) if not _is_import(p.node)]
        text = self._with_methods(text, renames)
        text = merge_tests(text, ["\n".join(imports)], "\n\n\n".join(others))
        parse(text)
        if text == self.base:
            return None
        return Joined(text, renames, self.left_out)

    def _parts(self) -> list[_Part]:
        """What the edit adds, in order."""
        known = Counter(ast.dump(node) for node in self.tree.body)
        tests = {id(d.function): d.name for d in definitions(self.edited, self.naming)}
        found: list[_Part] = []
        above = 0
        for index, node in enumerate(self.edited.body):
            dumped = ast.dump(node)
            start, end = self._start(node, above), node.end_lineno or node.lineno
            above = end
            if _is_import(node):
                found += self._new_imports(node)
            elif known[dumped]:
                known[dumped] -= 1
            elif (index == 0 and _is_text(node)) or tests.get(id(node)) in self._known:
                continue
            elif not (isinstance(node, ast.ClassDef) and node.name in self._classes):
                source = "".join(self.lines[start:end])
                found.append(_Part(node, source, frozenset(_bound(node))))
        return found

    @property
    def _known(self) -> frozenset[str]:
        return self.ours | self.staying

    @property
    def _classes(self) -> dict[str, ast.ClassDef]:
        return {node.name: node for node in self.tree.body if isinstance(node, ast.ClassDef)}

    def _start(self, node: ast.stmt, above: int) -> int:
        """Index of the first line, comments that stand right above included."""
        line = first_line(node) if isinstance(node, FunctionNode | ast.ClassDef) else node.lineno
        index = line - 1
        while index > above and self.lines[index - 1].startswith("#"):
            index -= 1
        return index

    def _new_imports(self, node: ast.stmt) -> Iterator[_Part]:
        assert isinstance(node, ast.Import | ast.ImportFrom)
        for alias, binding in zip(node.names, bindings(node), strict=True):
            if binding not in self.imports:
                single = copy.copy(node)
                single.names = [alias]
                bound = _bound_by(binding, self.imports)
                yield _Part(single, ast.unparse(single), frozenset(bound))

    def _clashing(self, parts: Iterable[_Part]) -> set[str]:
        """Names that the file binds otherwise, or looks up in the built-ins or as fixtures."""
        used = global_uses(self.tree)
        new = Counter(name for part in parts for name in part.names)
        return {name for name in new if name in self.bound or name in used}

    def _without(self, parts: list[_Part], clashing: set[str]) -> list[_Part]:
        """Those in which every clashing name can be changed, and that need none of the others."""
        left = parts
        doomed = [part for part in parts if _fixed(part.node) & clashing]
        while doomed:
            left = [part for part in left if part not in doomed]
            gone = {name for part in doomed for name in part.names}
            gone -= {name for part in left for name in part.names}
            for name in sorted(gone):
                self.left_out[name] = "it needs a name that the file has for something else"
            doomed = [part for part in left if gone & _read(part.node)]
        return left

    def _renames(self, parts: list[_Part], clashing: set[str]) -> dict[str, str]:
        used = {*self.bound, *global_uses(self.tree)}
        used |= {word for tree in (self.tree, self.edited) for word in _words(tree)}
        found: dict[str, str] = {}
        for part in parts:
            for name in sorted(part.names & clashing):
                found[name] = next(new for new in _others(name, part.node) if new not in used)
                used.add(found[name])
        return found

    def _with_replaced(self, text: str) -> str:
        """The tool's tests as the edit has them."""
        theirs = {d.name: d.function for d in definitions(self.tree, self.naming)}
        for found in definitions(self.edited, self.naming):
            old = theirs.get(found.name)
            new = "".join(self.lines[found.first_line - 1 : found.function.end_lineno])
            if found.name in self.ours and old and ast.dump(old) != ast.dump(found.function):
                text = replace_test(text, found.name, new, self.naming)
        return text

    def _with_methods(self, text: str, renames: Mapping[str, str]) -> str:
        """New tests in classes that the file has."""
        theirs = {d.name for d in definitions(self.tree, self.naming)}
        for found in definitions(self.edited, self.naming):
            outer = found.classes[0].name if found.classes else ""
            if outer not in self._classes or found.name in theirs:
                continue
            if renames.keys() & _read(found.function):
                self.left_out[found.name] = "it needs a name that the file has for something else"
                continue
            lines = self.lines[found.first_line - 1 : found.function.end_lineno]
            text = replace_test(text, found.name, "".join(lines), self.naming)
        return text


def global_uses(tree: ast.Module) -> set[str]:
    """Names that any scope of the code looks up in the module or the built-ins, and parameters."""
    pending = [symtable.symtable(ast.unparse(tree), "<suite>", "exec")]
    found: set[str] = set()
    while pending:
        table = pending.pop()
        pending += table.get_children()
        found |= {
            symbol.get_name()
            for symbol in table.get_symbols()
            if symbol.is_global() or (table.get_type() == "module" and symbol.is_referenced())
        }
        if isinstance(table, symtable.Function):
            found |= set(table.get_parameters())
    return found


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _bound(node: ast.stmt) -> Iterator[str]:
    """What a statement binds at the top of the file, in its blocks too."""
    for each in statements([node]):
        if isinstance(each, FunctionNode | ast.ClassDef):
            yield each.name
        elif isinstance(each, ast.Import | ast.ImportFrom):
            yield from (bound for _, _, bound in bindings(each))
        else:
            own = (n for n in ast.walk(each) if isinstance(n, ast.Name))
            yield from (n.id for n in own if isinstance(n.ctx, ast.Store))


def _bound_by(binding: Import, there: Collection[Import]) -> set[str]:
    """``import a.b`` beside ``import a.c`` takes no name."""
    module, name, bound = binding
    roots = {b for m, n, b in there if not m and n.partition(".")[0] == b}
    shared = not module and name.partition(".")[0] == bound and bound in roots
    return set() if shared else {bound}


def _read(node: ast.AST) -> set[str]:
    """Names, parameters and fixtures named by strings."""
    names = {n.id if isinstance(n, ast.Name) else n.arg for n in _named(node)}
    return names | {str(text.value) for text in _fixture_texts(node)}


def _named(node: ast.AST) -> Iterator[ast.Name | ast.arg]:
    return (n for n in ast.walk(node) if isinstance(n, ast.Name | ast.arg))


def _words(tree: ast.AST) -> Iterator[str]:
    """Every word that may be a name."""
    for node in ast.walk(tree):
        for field in ("id", "arg", "name", "attr", "asname"):
            if isinstance(word := getattr(node, field, None), str):
                yield word


def _fixture_texts(node: ast.AST) -> Iterator[ast.Constant]:
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and leaf(call.func) in _BY_NAME:
            for argument in call.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument


def _fixed(node: ast.stmt) -> set[str]:
    """Names that cannot simply be changed in a statement.

    They may mean more than one thing there: a parameter or a local name beside the global one, a
    parametrized column. What ``import a.b`` binds is no name of one thing either.
    """
    if isinstance(node, ast.Import):
        return {bound for _, name, bound in bindings(node) if name.startswith(f"{bound}.")}
    if isinstance(node, ast.ImportFrom):
        whole = node.module == "__future__"
        return {bound for _, name, bound in bindings(node) if whole or name == "*"}
    own = node.name if isinstance(node, FunctionNode | ast.ClassDef) else ""
    local: set[str] = set()
    for each in ast.walk(node):
        if isinstance(each, ast.Global | ast.Nonlocal):
            local |= {*each.names}
        elif isinstance(each, FunctionNode | ast.Lambda) and each is not node:
            local |= {one.arg for one in ast.walk(each.args) if isinstance(one, ast.arg)}
        elif isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load) and own:
            local.add(each.id)
        elif isinstance(each, FunctionNode | ast.ClassDef) and each is not node:
            local.add(each.name)
        elif isinstance(each, ast.Import | ast.ImportFrom):
            local |= {bound for _, _, bound in bindings(each)}
        elif isinstance(each, ast.ExceptHandler) and each.name:
            local.add(each.name)
        elif isinstance(each, ast.Call) and leaf(each.func) == "parametrize":
            local |= {w for a in each.args[:1] for w in _columns(a)}
    if isinstance(node, FunctionNode) and not _asks_fixtures(node):
        local |= {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
    return local


def _columns(node: ast.expr) -> set[str]:
    texts = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
    return {word.strip() for text in texts for word in str(text).split(",")}


def _asks_fixtures(node: FunctionNode) -> bool:
    """Parameters of tests and fixtures are names of fixtures; nobody passes them by keyword."""
    fixture = any(leaf(decorator) == "fixture" for decorator in node.decorator_list)
    return fixture or node.name.startswith("test")


def _others(name: str, node: ast.stmt) -> Iterator[str]:
    """Names in the place of a clashing one."""
    if isinstance(node, ast.ImportFrom) and node.module:
        yield f"{node.module.rpartition('.')[2].strip('_') or 'our'}_{name}"
    elif isinstance(node, ast.Import):
        yield f"{name}_module"
    number = 2
    while True:
        yield f"{name}_{number}"
        number += 1


def _renamed(part: _Part, renames: Mapping[str, str]) -> str:
    """The source of a part under its new names; printed anew where that is not simple."""
    if _is_import(part.node):
        assert isinstance(part.node, ast.Import | ast.ImportFrom)
        return _renamed_import(part.node, renames)
    if not renames.keys() & (part.names | _read(part.node)):
        return part.source
    wanted = ast.unparse(_Renaming(renames).visit(copy.deepcopy(part.node)))
    source = _respelt(part.source, renames)
    try:
        same = ast.unparse(parse(source)) == wanted
    except SyntaxError:
        same = False
    return source if same else wanted


def _renamed_import(node: ast.Import | ast.ImportFrom, renames: Mapping[str, str]) -> str:
    alias, (_, _, bound) = node.names[0], next(bindings(node))
    if bound not in renames:
        return ast.unparse(node)
    again = copy.copy(node)
    again.names = [ast.alias(alias.name, renames[bound])]
    return ast.unparse(again)


class _Renaming(ast.NodeTransformer):
    """Names, parameters and texts that name fixtures."""

    def __init__(self, renames: Mapping[str, str]) -> None:
        self.renames = renames

    def _new(self, name: str) -> str:
        return self.renames.get(name, name)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name(self._new(node.id), node.ctx), node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        self.generic_visit(node)
        node.arg = self._new(node.arg)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.name = self._new(node.name)
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.name = self._new(node.name)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.generic_visit(node)
        node.name = self._new(node.name)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if leaf(node.func) in _BY_NAME:
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    argument.value = self._new(argument.value)
        return node


def _respelt(source: str, renames: Mapping[str, str]) -> str:
    """With the new names in the places of the old ones, everything else as it is."""
    lines = [line.encode() for line in split_lines(source)]
    spots: set[tuple[int, int, str]] = set()
    for node in ast.walk(parse(source)):
        if isinstance(node, ast.Name):
            spots.add((node.lineno, node.col_offset, node.id))
        elif isinstance(node, ast.arg):
            spots.add((node.lineno, node.col_offset, node.arg))
        elif isinstance(node, FunctionNode | ast.ClassDef):
            word = {ast.FunctionDef: "def ", ast.ClassDef: "class "}.get(type(node), "async def ")
            spots.add((node.lineno, node.col_offset + len(word), node.name))
    spots |= {(t.lineno, t.col_offset + 1, str(t.value)) for t in _fixture_texts(parse(source))}
    for line, column, name in sorted(spots, reverse=True):
        old, text = name.encode(), lines[line - 1]
        if name in renames and text[column : column + len(old)] == old:
            lines[line - 1] = text[:column] + renames[name].encode() + text[column + len(old) :]
    return b"".join(lines).decode()
