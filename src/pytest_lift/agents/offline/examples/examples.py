"""Turns documented examples into cases whose expected values come from the documentation."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.examples.defining import made_with
from pytest_lift.agents.offline.examples.in_turn import in_turn
from pytest_lift.agents.offline.examples.sessions import Item, Session
from pytest_lift.calls.blocks import waits_for
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.names import BUILTINS, Resolver, free_names
from pytest_lift.calls.reading import named_texts
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import leaf, texts, unannotated
from pytest_lift.suite.suite import Suite

Words = frozenset[str]
LONG_SETUP = 3
"""Lines of set-up that are not told where a title, or a heading, tells what a story is about."""
MOST_LINES = 40
"""Source lines of examples between which variables pass that are one test."""


def groups(items: list[Item]) -> Iterator[list[Item]]:
    """Yields groups of items between which a variable passes; definitions are shared by groups."""
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
    """Whether an example continues with the old value, such as ``x = f(x)`` and ``x += 1``: it
    reads the name before it binds it, unlike ``for x in rows: print(x)``."""
    return next(_uses(item.tree, name), "bound") == "read"


def _uses(node: ast.AST, name: str) -> Iterator[str]:
    """Yields ``read`` and ``bound`` for the uses of a name, in the order in which they happen."""
    match node:
        case ast.Name():
            if node.id == name:
                yield "read" if isinstance(node.ctx, ast.Load) else "bound"
            return
        case ast.AugAssign(target=ast.Name(id=found)) if found == name:
            yield "read"
            return
        case ast.Assign(targets=targets, value=value):
            parts: list[ast.AST | None] = [value, *targets]
        case ast.AnnAssign(target=target, value=value):
            parts = [value, target]
        case ast.For(target=target, iter=source, body=body, orelse=orelse):
            parts = [source, target, *body, *orelse]
        case ast.withitem(context_expr=source, optional_vars=bound):
            parts = [source, bound]
        case ast.ExceptHandler(name=found):
            if found == name:
                yield "bound"
            parts = [node.type, *node.body]
        case _:
            parts = list(ast.iter_child_nodes(node))
    for part in parts:
        yield from _uses(part, name) if part is not None else ()


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


def _beginning(group: list[Item]) -> list[Item]:
    """Returns the first examples of a group, as many as are read in one go."""
    lines, last = 0, len(group)
    for number, item in enumerate(group):
        lines += item.source.count("\n") + 1
        if lines > MOST_LINES and item.expects:
            last = number
            break
    shown = [number for number in range(last) if group[number].expects]
    return group[: shown[-1] + 1] if shown else group


def _title(group: Sequence[Item]) -> str:
    """Returns the sentence that introduces what is shown; of an example with a long set-up else the
    heading above it."""
    first = next(item for item in group if item.expects)
    setup = sum(not item.expects for item in group)
    return first.title or (first.heading if setup >= LONG_SETUP else "")


def steps_of(item: Item, rename: ast.NodeTransformer) -> list[Step] | None:
    """Returns the steps; None if no assertion can express what the example shows.

    `rename` replaces ``module.name`` by imported names.
    """
    tree = rename.visit(ast.parse(item.source))
    body = tree.body = [unannotated(node) for node in tree.body]
    if not item.expects:
        return [Step(ast.unparse(tree))]
    if len(body) != 1:
        return None
    if isinstance(body[0], ast.Try):
        return _caught(body[0], item)
    if isinstance(body[0], ast.Assign | ast.AnnAssign) and item.raises is None:
        return [Step(ast.unparse(tree))]  # it prints meanwhile, and is made ready all the same
    if not isinstance(body[0], ast.Expr):
        return None
    value = body[0].value
    if item.raises is not None:
        return [Step(ast.unparse(value), True, item.raises.strip(), raises=True)]
    if _is_print(value):
        return _printed(value, item.want)
    if (shown := _laid_out(value)) is not None and (want := _literal(item.want)) is not None:
        return [Step(ast.unparse(shown), True, want)]
    return [Step(ast.unparse(value), True, item.want)]


def _laid_out(node: ast.expr) -> ast.expr | None:
    """Returns what ``pprint(result, width=40)`` lays out on lines: that is shown, not the lines."""
    match node:
        case ast.Call(func=called, args=[shown]) if leaf(called) in ("pprint", "pp"):
            return shown
    return None


def _literal(text: str) -> str | None:
    """Returns a literal on one line; None for any other text."""
    try:
        return repr(ast.literal_eval(text.strip()))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _is_print(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "print"


def _printed(node: ast.expr, want: str) -> list[Step] | None:
    """Returns steps for ``print(a, b)``: each printed value becomes an assertion of its own."""
    assert isinstance(node, ast.Call)
    ended = all(k.arg == "end" and ast.unparse(k.value) == "''" for k in node.keywords)
    if not ended or not node.args:
        return None
    if len(node.args) == 1:
        return [Step(ast.unparse(node.args[0]), True, want, printed=True)]
    words = want.split()
    if len(words) != len(node.args):
        return None
    pairs = zip(node.args, words, strict=True)
    return [Step(ast.unparse(shown), True, word, printed=True) for shown, word in pairs]


def _caught(node: ast.Try, item: Item) -> list[Step] | None:
    """Returns steps for ``try: call() except Error as error: print(error.pos)``.

    The error is caught, then examined. Without the error its name is not bound, so that the checks
    cannot pass.
    """
    handler = node.handlers[0] if len(node.handlers) == 1 else None
    if handler is None or not handler.name or not handler.type or item.raises is not None:
        return None
    if node.orelse or node.finalbody or len(handler.body) != 1 or len(node.body) != 1:
        return None
    shown = handler.body[0]
    if not isinstance(shown, ast.Expr) or not _is_print(shown.value):
        return None
    checks = _printed(shown.value, item.want)
    catching = ast.ExceptHandler(handler.type, "caught", list(_kept_as(handler.name)))
    caught = ast.Try(node.body, [catching], [], [])
    source = ast.unparse(ast.fix_missing_locations(caught))
    return [Step(source), *checks] if checks else None


def _kept_as(name: str) -> Iterator[ast.stmt]:
    yield ast.parse(f"{name} = caught").body[0]


class ExampleReader:
    """Turns sessions into cases of the targets that they call."""

    def __init__(self, program: Program, resolver: Resolver, matcher: Matcher) -> None:
        self.program = program
        self.resolver = resolver
        self.matcher = matcher
        self.names = _Names(program, resolver)

    def cases(self, session: Session) -> Iterator[Case]:
        """Yields one case per group of examples that share variables and expect something."""
        found = []
        for group in groups(session.items):
            if not session.requirement:
                group = _beginning(group)
            case = self._case(session, group)
            while case is None and not session.requirement and len(group) > 1:
                group = group[:-1]  # what comes before a line that tells nothing is an example
                case = self._case(session, group)
            found += [case] if case is not None else []
        about = next(((c.path, c.symbol) for c in found if c.symbol), None)
        if about is None and found:
            about = self._about(session, found[0].source)
        for case in found:
            path, symbol = about or (case.path, case.symbol)
            yield case if case.symbol else replace(case, path=path, symbol=symbol)

    def in_turn(self, session: Session) -> Iterator[Case]:
        """Yields one case per block of examples in which the program is told something."""
        for group in in_turn(session, self.program):
            if (case := self._case(session, group)) is not None:
                yield replace(case, stateful=True)

    def _case(self, session: Session, group: list[Item]) -> Case | None:
        if any(i.skipped for i in group) or not any(i.expects for i in group):
            return None
        unaliased = _Unalias(session, self.names)
        steps: list[Step] = []
        for item in group:
            own = steps_of(item, unaliased)
            if own is None:
                return None
            steps += own
        source = "\n".join(step.source for step in steps)
        imports = self._imports(session, source, unaliased)
        waits = any(waits_for(node) for node in ast.parse(source).body)
        match = self.matcher.principal([step.source for step in steps if step.check], source)
        found = (match.target.path, match.target.symbol) if match else self._made_with(group)
        if imports is None or (found is None and not session.requirement):
            return None
        path, symbol = found or (session.path, "")
        return Case(
            path,
            symbol,
            tuple(steps),
            tuple(sorted({*imports, *(["import asyncio"] if waits else [])})),
            session.origin,
            session.requirement,
            looped=waits,
            keywords=match.options if match else (),
            cost=len(source) / 60,
            title=_title(group),
            session=session.key,
        )

    def _made_with(self, group: Sequence[Item]) -> tuple[str, str] | None:
        defined = [node for item in group if item.defines for node in item.tree.body]
        return made_with(defined, self.resolver)

    def _about(self, session: Session, source: str) -> tuple[str, str]:
        """Returns a module or class of the program, for examples that call nothing of it."""
        for module in texts(ast.walk(ast.parse(source))):
            if module in self.program.by_module:
                return self.program.by_module[module].path, module.rpartition(".")[2]
        named = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
        for path, name in self.resolver.exports:
            if name in named:
                return path, name
        return session.path, self.program.files[session.path].module.rpartition(".")[2]

    def _imports(
        self, session: Session, source: str, unaliased: _Unalias
    ) -> tuple[str, ...] | None:
        lines: set[str] = set()
        unknown: set[str] = set()
        for name in free_names(source):
            if name in unaliased.lines:
                lines.add(unaliased.lines[name])
            elif name in session.imported:
                lines.add(session.imported[name].line)
            else:
                unknown.add(name)
        more = self.resolver.documented_imports(unknown, session.path)
        return None if more is None else tuple(sorted(lines | set(more)))


class _Names:
    """Modules of a program, and the names that they have."""

    def __init__(self, program: Program, resolver: Resolver) -> None:
        self.modules = {file.module for file in program.files.values()}
        self._known = {(export.module, export.name) for export in resolver.exports.values()}
        self._inside: dict[str, list[str]] = {}
        """Name -> modules that define it."""
        for path, name in resolver.exports:
            self._inside.setdefault(name, []).append(program.files[path].module)

    def has(self, module: str, name: str) -> bool:
        """Whether a module defines a name or has it from a module inside of it."""
        defining = self._inside.get(name, ())
        inside = any(one == module or one.startswith(f"{module}.") for one in defining)
        return inside or (module, name) in self._known


class _Unalias(ast.NodeTransformer):
    """Replaces ``json.dumps`` by ``dumps`` if the session imported a module of the program as
    json."""

    def __init__(self, session: Session, names: _Names) -> None:
        self.names = names
        self.lines: dict[str, str] = {}
        self.taken = {name for item in session.items for name in item.binds}
        self.imported = session.imported

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.value, ast.Name):
            return node
        found = self.imported.get(node.value.id)
        free = node.attr not in self.taken | BUILTINS and not node.attr.startswith("_")
        if found is None or found.module or found.origin not in self.names.modules or not free:
            return node
        module = found.origin
        if not self.names.has(module, node.attr):
            return node
        self.lines[node.attr] = f"from {module} import {node.attr}"
        return ast.copy_location(ast.Name(node.attr, node.ctx), node)


@dataclass(frozen=True)
class WrittenLiterals:
    """Literals and names of every test of a suite, by the requirements that it names."""

    stated: dict[str, tuple[Words, ...]]
    all: tuple[Words, ...]

    def has(self, case: Case) -> bool:
        """Whether a test of the same requirement (of any, for other examples) contains the whole
        case."""
        wanted = _words(step.source for step in case.steps if step.check)
        tests = self.stated.get(case.requirement, ()) if case.requirement else self.all
        return any(wanted <= words for words in tests)


NOTHING_WRITTEN = WrittenLiterals({}, ())
"""What a suite without tests has."""


def read_written(suite: Suite) -> WrittenLiterals:
    """Returns the literals and names in the tests of `suite`, including the rows of their
    tables."""
    stated: dict[str, list[Words]] = {}
    every = []
    constants = {path: named_texts(file.text) for path, file in suite.files.items()}
    for test in suite.tests():
        words = _words([suite.source(test)])
        named = (
            repr(text)
            for text, name in constants[test.node.partition("::")[0]].items()
            if name in words
        )
        words = words.union(named)
        every.append(words)
        for name in test.requirements:
            stated.setdefault(name, []).append(words)
    return WrittenLiterals({name: tuple(found) for name, found in stated.items()}, tuple(every))


def _words(sources: Iterable[str]) -> Words:
    """Returns literals and names, which stay if an example becomes a row or its result a
    variable."""
    found = set()
    for source in sources:
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant):
                found.add(repr(node.value))
            elif isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.Name):
                found.add(node.id)
    return frozenset(found)
