"""Finds calls of targets in source and in existing tests, with arguments bound to parameters."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

from pytest_lift.calls.call import Call
from pytest_lift.calls.definitions import LocalDefinitions
from pytest_lift.calls.names import BUILTINS, STANDARD, free_names
from pytest_lift.calls.targets import Target
from pytest_lift.source.syntax import parsed_expression
from pytest_lift.suite.suite import Suite

MOST_ROWS = 40


@dataclass(frozen=True)
class Match:
    """Call found in source, with its target."""

    target: Target
    node: ast.expr
    options: tuple[str, ...]


class Matcher:
    """Finds targets by the names that source uses."""

    def __init__(
        self, targets: Sequence[Target], definitions: LocalDefinitions | None = None
    ) -> None:
        self.definitions = definitions or LocalDefinitions()
        """What examples define themselves."""
        self.functions = {t.call: t for t in targets if t.kind in ("function", "main")}
        self.classes = {t.call: t for t in targets if t.kind == "constructor"}
        self._derived: dict[str, set[str]] = {}
        self.members: dict[str, list[Target]] = {}
        for target in targets:
            if target.owner is not None:
                self.members.setdefault(target.leaf, []).append(target)

    def principal(self, checks: Sequence[str], source: str) -> Match | None:
        """Returns the main call of a case: the outermost program call of its last check, or of any
        line."""
        for text in [*reversed(checks), source]:
            match = next(self.matches(text, source), None)
            if match is not None:
                return match
        return None

    def matches(self, text: str, context: str = "") -> Iterator[Match]:
        """Yields calls of targets in `text`, outermost first; names in `context` decide between
        methods of equal name."""
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            return
        named = {n.id for n in ast.walk(ast.parse(context or text)) if isinstance(n, ast.Name)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                target = self._called(node.func, named)
                if target is not None:
                    yield Match(target, node, _options(target, node))
            elif isinstance(node, ast.Attribute):
                for member in self.members.get(node.attr, ()):
                    if member.kind == "property" and member.call in named:
                        yield Match(member, node, ())

    def _called(self, function: ast.expr, named: set[str]) -> Target | None:
        if isinstance(function, ast.Name):
            return self.functions.get(function.id) or self.classes.get(function.id)
        if not isinstance(function, ast.Attribute):
            return None
        members = [m for m in self.members.get(function.attr, ()) if m.kind != "property"]
        near = [m for m in members if m.call in named or not named.isdisjoint(self._below(m.call))]
        if near:
            return near[0]
        found = self._of_module(function)
        return found or (members[0] if members and self._is_made(function.value) else None)

    def _below(self, base: str) -> AbstractSet[str]:
        """Returns the names of the classes that examples derive from a class."""
        if base not in self._derived:
            self._derived[base] = {one.name for one in self.definitions.derived(base)}
        return self._derived[base]

    def _of_module(self, function: ast.Attribute) -> Target | None:
        """Returns the function or class that ``module.name`` stands for."""
        owner = function.value.id if isinstance(function.value, ast.Name) else ""
        found = self.functions.get(function.attr) or self.classes.get(function.attr)
        return found if owner and owner == owner.lower() else None

    def _is_made(self, node: ast.expr) -> bool:
        """Whether a function or class of the program makes the first object of a chain:
        ``every(10).minutes``."""
        while isinstance(node, ast.Attribute | ast.Call):
            inner = node.func if isinstance(node, ast.Call) else node.value
            if isinstance(inner, ast.Name | ast.Attribute) and isinstance(node, ast.Call):
                made = isinstance(inner, ast.Attribute) and self._of_module(inner) is not None
                if made or (isinstance(inner, ast.Name) and inner.id in self._names):
                    return True
            node = inner
        return False

    def documented_calls(self, sources: Sequence[str]) -> Iterator[Call]:
        """Yields calls whose arguments need only literals and calls of the program; variables are
        replaced by their values."""
        variables = self._variables(sources)
        for source in sources:
            for match in self.matches(source, "\n".join(sources)):
                if isinstance(match.node, ast.Call):
                    call = self._bound(match.target, match.node, variables)
                    if call is not None:
                        call = self._received(call, match.node, variables)
                        yield call
                        yield from self._on_new_object(call)

    def _bound(self, target: Target, node: ast.Call, variables: Mapping[str, str]) -> Call | None:
        return bind(target, node, variables, self._names)

    def _received(self, call: Call, node: ast.Call, variables: Mapping[str, str]) -> Call:
        owner = call.target.owner
        if owner is None or call.target.kind == "static":
            return call
        inner = node.func.value if isinstance(node.func, ast.Attribute) else None
        receiver = self._made(inner, variables) if inner is not None else None
        return Call(call.target, call.values, call.extra, receiver or Call(owner))

    def _on_new_object(self, call: Call) -> Iterator[Call]:
        """Yields a call, or a chain, that begins with a function beside which a class has a method
        of the same name, on a new object: ``Scheduler().every(10)`` for ``every(10)``, which
        changes one that all share."""
        if call.receiver is not None:
            made = self._on_new_object(call.receiver)
            yield from (call.but(receiver=one) for one in made)
        elif call.target.kind == "function":
            members = (m for m in self.members.get(call.target.symbol, ()) if m.kind == "method")
            member = next((m for m in members if m.path == call.target.path), None)
            if member is not None and member.owner is not None:
                yield Call(member, call.values, call.extra, Call(member.owner))

    def _made(self, node: ast.expr | None, variables: Mapping[str, str]) -> Call | None:
        """Returns the call that makes what an expression stands for; None where it is no chain that
        begins with a function or class of the program."""
        if isinstance(node, ast.Name) and node.id in variables:
            node = parsed_expression(variables[node.id])
        if isinstance(node, ast.Call):
            target = self._called(node.func, set())
            call = self._bound(target, node, variables) if target is not None else None
            if call is None or call.target.owner is None or call.target.kind == "static":
                return call
            inner = node.func.value if isinstance(node.func, ast.Attribute) else None
            receiver = self._made(inner, variables)
            return call.but(receiver=receiver) if receiver is not None else None
        members = self.members.get(node.attr, ()) if isinstance(node, ast.Attribute) else ()
        known = [one for one in members if one.kind == "property"]
        receiver = self._made(node.value, variables) if isinstance(node, ast.Attribute) else None
        return Call(known[0], receiver=receiver) if known and receiver is not None else None

    @cached_property
    def _names(self) -> AbstractSet[str]:
        return self.functions.keys() | self.classes.keys() | self.definitions.known.keys()

    def _variables(self, sources: Sequence[str]) -> dict[str, str]:
        """Returns name -> what it stands for, as far as that needs only literals and the program;
        ``__doc__`` is the text with which the sources begin."""
        found: dict[str, str] = {}
        for number, source in enumerate(sources):
            for at, node in enumerate(ast.parse(source).body):
                value, name = None, ""
                if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                    value, name = node.value, node.targets[0].id
                elif isinstance(node, ast.Expr) and not (number or at):
                    value, name = node.value, "__doc__"
                text = _self_contained(value, found, self._names) if value is not None else None
                if text is None or (name == "__doc__" and not _is_text(value)):
                    found.pop(name, None)
                else:
                    found[name] = text
        return found


def _is_text(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def bind(
    target: Target,
    node: ast.Call,
    variables: Mapping[str, str],
    known: AbstractSet[str] = frozenset(),
) -> Call | None:
    """Returns the call with the arguments of `node` by parameter; None if one needs more than
    literals, `variables` and names of the program that are `known`."""
    values: dict[str, str] = {}
    extra: list[str] = []
    places = [p for p in target.parameters if p.kind in ("positional-only", "positional")]
    takes_more = any(p.kind == "var-positional" for p in target.parameters)
    for index, argument in enumerate(node.args):
        text = _self_contained(argument, variables, known)
        if text is None or (index >= len(places) and not takes_more):
            return None
        if index < len(places):
            values[places[index].name] = text
        else:
            extra.append(text)
    named = {p.name for p in target.parameters}
    for keyword in node.keywords:
        text = _self_contained(keyword.value, variables, known)
        if text is None or keyword.arg not in named:
            return None
        values[str(keyword.arg)] = text
    return Call(target, tuple(values.items()), tuple(extra))


def _self_contained(
    node: ast.expr, variables: Mapping[str, str], known: AbstractSet[str]
) -> str | None:
    """Returns an expression with its variables replaced; None if other names are in it."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id in variables:
            node = _Filled(variables).visit(copy.deepcopy(node))
            break
    text = ast.unparse(node)
    names = free_names(text)
    of_module = any(name.startswith("__") for name in names)  # `__doc__`, which each module has
    return text if names <= BUILTINS | STANDARD.keys() | known and not of_module else None


class _Filled(ast.NodeTransformer):
    """Replaces variables by what they stand for."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self.variables = variables

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return parsed_expression(self.variables.get(node.id, node.id)) or node


def _options(target: Target, node: ast.Call) -> tuple[str, ...]:
    optional = {p.name for p in target.parameters if p.default is not None}
    given = [k.arg for k in node.keywords if k.arg in optional]
    inner = node.func.value if isinstance(node.func, ast.Attribute) else None
    made = inner.keywords if isinstance(inner, ast.Call) else []
    return tuple(str(name) for name in [*(k.arg for k in made if k.arg), *given])


def written_calls(suite: Suite, matcher: Matcher) -> list[Call]:
    """Returns every call of the suite whose arguments can be written as literals, each once."""
    found: dict[Call, None] = {}
    for test in suite.tests():
        for sources in _readings(suite.source(test)):
            found.update(dict.fromkeys(matcher.documented_calls(sources)))
    return list(found)


def _readings(source: str) -> Iterator[list[str]]:
    """Yields the body of a test once for each of its rows, after assignments of the row's
    values."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    function = next((n for n in tree.body if isinstance(n, ast.FunctionDef)), None)
    if function is None:
        return
    body = "\n".join(ast.unparse(statement) for statement in function.body)
    rows = [row for mark in function.decorator_list for row in _rows(mark)][:MOST_ROWS]
    for row in rows or [[]]:
        yield [*row, body]


def _rows(mark: ast.expr) -> Iterator[list[str]]:
    """Yields assignments for each row of a ``parametrize`` mark with literal rows."""
    if not (isinstance(mark, ast.Call) and ast.unparse(mark.func).endswith(".parametrize")):
        return
    if len(mark.args) < 2 or not isinstance(mark.args[1], ast.List | ast.Tuple):
        return
    try:
        said = ast.literal_eval(mark.args[0])
    except ValueError:
        return
    names = [n.strip() for n in said.split(",")] if isinstance(said, str) else [*said]
    for item in mark.args[1].elts:
        values = _values(item, len(names))
        if len(values) == len(names):
            yield [f"{n} = {ast.unparse(v)}" for n, v in zip(names, values, strict=True)]


def _values(item: ast.expr, count: int) -> list[ast.expr]:
    """Returns the values of one row, without its ``pytest.param``."""
    if isinstance(item, ast.Call) and ast.unparse(item.func).endswith("param"):
        return list(item.args)
    if count > 1 and isinstance(item, ast.List | ast.Tuple):
        return list(item.elts)
    return [item]
