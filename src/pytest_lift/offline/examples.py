"""Documented examples -> cases whose expected values stand in the documentation."""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pytest_lift.offline.case import Case, Observation, Origin, Step
from pytest_lift.offline.matching import Matcher
from pytest_lift.offline.names import BUILTINS, Resolver, bound_names, free_names
from pytest_lift.program import Program, SourceFile
from pytest_lift.requirements import Requirement

DOCUMENTS = ("README*", "*.rst", "*.md", "docs/*.rst", "docs/*.md")
FENCE = re.compile(r"^\s*(```|~~~).*$", re.MULTILINE)
LENIENT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Item:
    """One ``>>>`` example of a session."""

    source: str
    tree: ast.Module
    want: str
    raises: str | None
    skipped: bool
    binds: frozenset[str]
    reads: frozenset[str]
    title: str = ""

    @property
    def imports(self) -> bool:
        return any(isinstance(n, ast.Import | ast.ImportFrom) for n in self.tree.body)

    @property
    def defines(self) -> bool:
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        return any(isinstance(n, kinds) for n in self.tree.body)

    @property
    def expects(self) -> bool:
        return bool(self.want or self.raises)


@dataclass
class Session:
    """All examples of one docstring, document or requirement, in order."""

    path: str
    """Source file whose names the examples see."""
    items: list[Item]
    origin: Origin = "documented"
    requirement: str = ""
    key: str = ""
    """Tells sessions apart."""
    imported: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Name here -> (module, name there or "")."""


def documented_sessions(root: Path, program: Program) -> list[Session]:
    """Sessions in docstrings, then in the documents at the project's root and in docs/."""
    found = []
    for file in program.files.values():
        if file.error is None:
            docs = [ast.get_docstring(file.tree) or "", *(s.doc for s in file.symbols)]
            found += [_session(doc, file.path) for doc in docs if ">>>" in doc]
    top = _top_file(program)
    for pattern in DOCUMENTS:
        for document in sorted(root.glob(pattern)):
            if document.is_file() and document.stat().st_size < 400_000 and top:
                text = document.read_text(encoding="utf-8", errors="replace")
                found.append(_session(FENCE.sub("", text), top.path))
    return [session for session in found if session.items]


def requirement_session(requirement: Requirement, program: Program) -> Session | None:
    """The examples of a requirement; a test made of them verifies it."""
    top = _top_file(program)
    if top is None or not requirement.examples:
        return None
    session = _session("\n\n".join(requirement.examples), top.path)
    session.origin, session.requirement = "requirement", requirement.id
    return session


def _top_file(program: Program) -> SourceFile | None:
    tops = [program.by_module[name] for name in program.names if name in program.by_module]
    return tops[0] if tops else None


def _session(text: str, path: str) -> Session:
    try:
        pieces = doctest.DocTestParser().parse(text)
    except ValueError:
        return Session(path, [])
    items, title = [], ""
    for piece in pieces:
        if isinstance(piece, doctest.Example):
            item = _item(piece, title)
            items += [item] if item is not None else []
        elif piece.strip():
            title = _title(piece)
    session = Session(path, items, key=f"{path}\0{text}")
    for item in items:
        session.imported.update(_imports_of(item.tree))
    return session


def _title(prose: str) -> str:
    """The last line of the prose, if it reads like a heading of what follows."""
    line = re.sub(r"[`*:]+", "", prose.strip().splitlines()[-1]).strip()
    plain = re.fullmatch(r"[A-Z][\w ,'-]+", line) is not None
    return line if plain and 2 <= len(line.split()) <= 6 else ""


def _item(example: doctest.Example, title: str) -> Item | None:
    try:
        tree = ast.parse(example.source)
    except (SyntaxError, ValueError):
        return None
    skipped = bool(example.options.get(doctest.SKIP))
    binds = frozenset(bound_names(tree)) & _assigned(tree)
    loaded = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    return Item(
        example.source.strip(),
        tree,
        example.want.rstrip("\n"),
        example.exc_msg,
        skipped,
        binds,
        frozenset(loaded),
        title,
    )


def _assigned(tree: ast.Module) -> frozenset[str]:
    """Names bound at the top of the statement, not inside comprehensions or functions."""
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found.update(a.asname or a.name.partition(".")[0] for a in node.names)
        else:
            targets = (n for n in ast.walk(node) if isinstance(n, ast.Name))
            found.update(n.id for n in targets if isinstance(n.ctx, ast.Store))
    return frozenset(found)


def _imports_of(tree: ast.Module) -> Iterator[tuple[str, tuple[str, str]]]:
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, (node.module or "", alias.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                yield alias.asname or whole, (whole, "")


class ExampleReader:
    """Turns sessions into cases, and notes how the documentation calls each target."""

    def __init__(self, program: Program, resolver: Resolver, matcher: Matcher) -> None:
        self.program = program
        self.resolver = resolver
        self.matcher = matcher

    def cases(self, session: Session) -> Iterator[Case]:
        """One case per group of examples that share variables and expect something."""
        for group in _groups(session.items):
            if any(i.skipped for i in group) or not any(i.expects for i in group):
                continue
            case = self._case(session, group)
            if case is not None:
                yield case

    def _case(self, session: Session, group: list[Item]) -> Case | None:
        unaliased = _Unalias(session, self.program, self.resolver)
        steps: list[Step] = []
        for item in group:
            step = _step(item, unaliased)
            if step is None:
                return None
            steps.append(step)
        source = "\n".join(step.source for step in steps)
        imports = self._imports(session, source, unaliased)
        match = self.matcher.principal([step.source for step in steps if step.check], source)
        if imports is None or match is None:
            return None
        return Case(
            match.target.path,
            match.target.symbol,
            tuple(steps),
            imports,
            session.origin,
            session.requirement,
            keywords=match.options,
            cost=len(source) / 60,
            title=next((item.title for item in group if item.expects), ""),
            session=session.key,
        )

    def _imports(
        self, session: Session, source: str, unaliased: _Unalias
    ) -> tuple[str, ...] | None:
        lines: set[str] = set()
        unknown: set[str] = set()
        for name in free_names(source):
            if name in unaliased.lines:
                lines.add(unaliased.lines[name])
            elif name in session.imported:
                lines.add(_import_line(name, *session.imported[name]))
            else:
                unknown.add(name)
        more = self.resolver.imports(unknown, session.path)
        return None if more is None else tuple(sorted(lines | set(more)))


def _import_line(name: str, module: str, original: str) -> str:
    if original:
        return f"from {module} import {original}" + (f" as {name}" if name != original else "")
    return f"import {module}" + (f" as {name}" if name != module else "")


class _Unalias(ast.NodeTransformer):
    """``json.dumps`` -> ``dumps`` where the session imported a module of the program as json."""

    def __init__(self, session: Session, program: Program, resolver: Resolver) -> None:
        self.lines: dict[str, str] = {}
        self.taken = {name for item in session.items for name in item.binds}
        self.imported = session.imported
        self.modules = {file.module for file in program.files.values()}
        self.known = {(export.module, export.name) for export in resolver.exports.values()}
        self.inside = {(program.files[p].module, n) for p, n in resolver.exports}

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.value, ast.Name):
            return node
        module, original = self.imported.get(node.value.id, ("", ""))
        free = node.attr not in self.taken | BUILTINS and not node.attr.startswith("_")
        if original or module not in self.modules or not free:
            return node
        if not self._has(module, node.attr):
            return node
        self.lines[node.attr] = f"from {module} import {node.attr}"
        return ast.copy_location(ast.Name(node.attr, node.ctx), node)

    def _has(self, module: str, name: str) -> bool:
        reexported = any(name == n and m.startswith(f"{module}.") for m, n in self.inside)
        return (module, name) in self.known | self.inside or reexported


def _step(item: Item, unaliased: _Unalias) -> Step | None:
    tree = unaliased.visit(ast.parse(item.source))
    body = tree.body
    single = body[0] if len(body) == 1 else None
    if not item.expects:
        return Step(ast.unparse(tree))
    if not isinstance(single, ast.Expr):
        return None
    value = single.value
    if item.raises is not None:
        return Step(ast.unparse(value), True, item.raises.strip(), raises=True)
    call = value if isinstance(value, ast.Call) else None
    if call is not None and isinstance(call.func, ast.Name) and call.func.id == "print":
        if len(call.args) != 1 or call.keywords:
            return None
        return Step(ast.unparse(call.args[0]), True, item.want, printed=True)
    return Step(ast.unparse(value), True, item.want)


def _groups(items: list[Item]) -> Iterator[list[Item]]:
    """Items that belong together because a variable passes between them; definitions are shared."""
    leader = list(range(len(items)))

    def find(index: int) -> int:
        while leader[index] != index:
            index = leader[index]
        return index

    touched: dict[str, int] = {}
    for index, item in enumerate(items):
        if item.imports or item.defines:
            continue
        for name in item.reads - item.binds:
            if name in touched:
                leader[find(touched[name])] = find(index)
                touched[name] = index
        for name in item.binds:
            if name in item.reads and name in touched and _updates(item, name):
                leader[find(touched[name])] = find(index)
            touched[name] = index
    for root in dict.fromkeys(find(i) for i in range(len(items))):
        members = [i for i in range(len(items)) if find(i) == root]
        if not (items[members[0]].imports or items[members[0]].defines):
            yield _with_definitions(items, members)


def _updates(item: Item, name: str) -> bool:
    """``x = f(x)`` and ``x += 1`` go on with the old value."""
    for node in ast.walk(item.tree):
        if isinstance(node, ast.AugAssign):
            return True
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            return True
    return False


def _with_definitions(items: list[Item], members: list[int]) -> list[Item]:
    wanted = set(members)
    own = set().union(*(items[i].binds for i in members))
    names = set().union(*(items[i].reads for i in members)) - own
    for index in range(len(items) - 1, -1, -1):
        item = items[index]
        if item.defines and item.binds & names and index < max(members):
            wanted.add(index)
            names |= item.reads
            names -= item.binds
    return [items[i] for i in sorted(wanted)]


def differs(case: Case, seen: Observation) -> bool:
    """The program does something else than its documentation says."""
    checked = [step for step in case.steps if step.check]
    if len(seen.outcomes) != len(checked):
        return True
    pairs = zip(checked, seen.outcomes, strict=True)
    return any(not _agrees(step, outcome) for step, outcome in pairs)


def _agrees(step: Step, outcome: object) -> bool:
    from pytest_lift.offline.case import Outcome

    assert isinstance(outcome, Outcome)
    if step.want is None:
        return True
    if step.raises or outcome.raised:
        if outcome.raised is None or not step.raises:
            return False
        name = step.want.partition(":")[0].strip().rpartition(".")[2]
        return name == outcome.raised.type.rpartition(".")[2]
    got = outcome.shown if not step.printed else (outcome.text or _said(outcome))
    checker = doctest.OutputChecker()
    return checker.check_output(step.want + "\n", got + "\n", LENIENT)


def _said(outcome: object) -> str:
    """``str(value)`` of what the outcome shows."""
    shown = str(getattr(outcome, "shown", ""))
    try:
        value = ast.literal_eval(shown)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return shown
    return value if isinstance(value, str) else shown
