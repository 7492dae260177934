"""Finds calls of targets in source and in existing tests, with arguments bound to parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_lift.calls.call import Call
from pytest_lift.calls.names import BUILTINS, STANDARD, free_names
from pytest_lift.calls.targets import Target
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

    def __init__(self, targets: Sequence[Target]) -> None:
        self.functions = {t.call: t for t in targets if t.kind in ("function", "main")}
        self.classes = {t.call: t for t in targets if t.kind == "constructor"}
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
        near = [m for m in members if m.call in named]
        if near:
            return near[0]
        owner = function.value.id if isinstance(function.value, ast.Name) else ""
        found = self.functions.get(function.attr) or self.classes.get(function.attr)
        return found if owner and owner == owner.lower() and found else None

    def documented_calls(self, sources: Sequence[str]) -> Iterator[Call]:
        """Yields calls whose arguments need only literals; simple variables are replaced by their
        values."""
        literals = _literal_variables(sources)
        for source in sources:
            for match in self.matches(source, "\n".join(sources)):
                if isinstance(match.node, ast.Call):
                    call = bind(match.target, match.node, literals)
                    if call is not None:
                        yield self._received(call, match.node, literals)

    def _received(self, call: Call, node: ast.Call, literals: dict[str, str]) -> Call:
        owner = call.target.owner
        if owner is None or call.target.kind == "static":
            return call
        inner = node.func.value if isinstance(node.func, ast.Attribute) else None
        receiver = bind(owner, inner, literals) if isinstance(inner, ast.Call) else None
        return Call(call.target, call.values, call.extra, receiver or Call(owner))


def bind(target: Target, node: ast.Call, literals: dict[str, str]) -> Call | None:
    """Returns the call with the arguments of `node` by parameter; None if one is not
    self-contained."""
    values: dict[str, str] = {}
    extra: list[str] = []
    places = [p for p in target.parameters if p.kind in ("positional-only", "positional")]
    takes_more = any(p.kind == "var-positional" for p in target.parameters)
    for index, argument in enumerate(node.args):
        text = _self_contained(argument, literals)
        if text is None or (index >= len(places) and not takes_more):
            return None
        if index < len(places):
            values[places[index].name] = text
        else:
            extra.append(text)
    known = {p.name for p in target.parameters}
    for keyword in node.keywords:
        text = _self_contained(keyword.value, literals)
        if text is None or keyword.arg not in known:
            return None
        values[str(keyword.arg)] = text
    return Call(target, tuple(values.items()), tuple(extra))


def _self_contained(node: ast.expr, literals: dict[str, str]) -> str | None:
    if isinstance(node, ast.Name) and node.id in literals:
        return literals[node.id]
    text = ast.unparse(node)
    return text if free_names(text) <= BUILTINS | STANDARD.keys() else None


def _literal_variables(sources: Sequence[str]) -> dict[str, str]:
    found = {}
    for source in sources:
        tree = ast.parse(source)
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                text = ast.unparse(node.value)
                if free_names(text) <= BUILTINS | STANDARD.keys():
                    found[node.targets[0].id] = text
    return found


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
