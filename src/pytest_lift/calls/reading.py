"""Reads examples, scripts and existing tests as calls, with what was done to their objects."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from pytest_lift.calls.call import RECORDER, Call, as_line
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.self_contained import self_contained
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.special_methods import as_argument
from pytest_lift.source.syntax import FunctionNode, leaf, parsed
from pytest_lift.suite.suite import Suite

CALLS = ast.Call | ast.Subscript | ast.Attribute
"""Expressions that call something of a program, where its class has a method for them."""
MOST_ROWS = 40
MOST_LINES = 6
"""Most calls on an object that are kept for the calls after them."""


@dataclass
class CallReader:
    """Reads the statements of one example, in order: simple variables stand for their values,
    others for the objects of the program that they hold."""

    matcher: Matcher
    values: dict[str, str] = field(default_factory=dict)
    """Variable -> expression."""
    objects: dict[str, Call] = field(default_factory=dict)
    """Variable -> call that makes its object, with the calls on it so far as those before it."""
    named: AbstractSet[str] = frozenset()
    """Names in the example."""
    _read: dict[ast.expr, Call | None] = field(default_factory=dict)
    """Expressions that were read -> the calls that they are."""

    def calls(self, sources: Sequence[str]) -> Iterator[Call]:
        """Yields the calls of the program, as far as their arguments need only literals and
        calls of the program; ``__doc__`` is the text with which the sources begin."""
        statements = [node for source in sources for node in ast.parse(source).body]
        if statements and isinstance(statements[0], ast.Expr):
            first = statements[0].value
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                self.values["__doc__"] = ast.unparse(first)
        self.named = {n.id for one in statements for n in ast.walk(one) if isinstance(n, ast.Name)}
        for node in statements:
            for call in self._statement(node):
                yield call
                yield from self._on_new_object(call)

    def _statement(self, node: ast.stmt) -> Iterator[Call]:
        if isinstance(node, FunctionNode) and node.name not in self.matcher.definitions.known:
            self.values[node.name] = _stand_in(node)
        inner = getattr(node, "body", None)
        if isinstance(inner, list) and not isinstance(node, FunctionNode | ast.ClassDef):
            for header in _headers(node):
                yield from self._calls_in(header)
            for part in (*inner, *getattr(node, "orelse", ())):
                yield from self._statement(part)
            return
        if isinstance(node, FunctionNode | ast.ClassDef):
            for decorator in node.decorator_list:
                yield from self._calls_in(decorator)
            inside = CallReader(self.matcher, {**self.values}, {**self.objects}, self.named)
            for part in node.body:
                yield from inside._statement(part)
            return
        changing = self._changing(node)
        yield from self._calls_in(node)
        if changing is not None:
            yield changing
            self._note_line(changing)
        value = getattr(node, "value", None)
        last = self._call(value) if isinstance(value, ast.Call) else None
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            self._note(node.targets[0].id, node.value, last)
        if last is not None and isinstance(node, ast.Expr | ast.Assign):
            self._note_line(last)

    def _calls_in(self, node: ast.AST) -> Iterator[Call]:
        for part in ast.walk(node):
            if isinstance(part, CALLS) and (call := self._call(part)):
                yield call

    def _note(self, name: str, value: ast.expr, made: Call | None) -> None:
        """Notes what a variable holds."""
        self.values.pop(name, None)
        self.objects.pop(name, None)
        if (text := self._text(value)) is not None:
            self.values[name] = text
        if made is not None:
            self.objects[name] = replace(made, name="", before=())

    def _note_line(self, call: Call) -> None:
        """Notes a call on the object of a variable for the calls after it."""
        made = self.objects.get(call.name)
        if made is None or call.receiver is None or not call.name:
            return
        if call.target.kind not in ("property", "operator"):
            self.objects[call.name] = replace(
                made, before=(*made.before, as_line(call))[-MOST_LINES:]
            )

    def _call(self, node: ast.expr) -> Call | None:
        """Returns the call of the program that an expression is, None where it is none; each is
        read once."""
        if node not in self._read:
            self._read[node] = self._called(node)
        return self._read[node]

    def _called(self, node: ast.expr) -> Call | None:
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            return self._operator("__getitem__", node.value, (as_argument(node.slice),), "operator")
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            return self._by_name("__getattr__", node, (), "operator")
        if not isinstance(node, ast.Call):
            return None
        function = node.func
        if isinstance(function, ast.Attribute):
            found = self._on_object(function.value)
            target = self._member(function.attr, found) if found is not None else None
            if target is not None and found is not None:
                call = self._bound(target, node)
                return call if call is None else self._on(call, found)
        target = self.matcher.called(function, self.named)
        call = self._bound(target, node) if target is not None else None
        if call is None or target is None or target.owner is None or target.kind == "static":
            return call
        return call.but(receiver=_plainly_made(target.owner))

    def _on_new_object(self, call: Call) -> Iterator[Call]:
        """Yields a call, or a chain, that begins with a function beside which a class has a method
        of the same name, on a new object: ``Scheduler().every(10)`` for ``every(10)``, which
        changes one that all share."""
        if call.receiver is not None:
            objects = self._on_new_object(call.receiver)
            yield from (call.but(receiver=one) for one in objects)
        elif call.target.kind == "function":
            members = (
                m for m in self.matcher.members.get(call.target.symbol, ()) if m.kind == "method"
            )
            member = next((m for m in members if m.path == call.target.path), None)
            if member is not None and member.owner is not None:
                receiver = _plainly_made(member.owner)
                yield Call(member, call.values, call.extra, receiver)

    def _on_object(self, node: ast.expr) -> tuple[Call, str] | None:
        """Returns the call that makes the object on which something is called, and the variable
        that holds it."""
        if isinstance(node, ast.Name):
            made = self.objects.get(node.id)
            return (made, node.id) if made is not None else None
        if isinstance(node, ast.Attribute):
            found = self._on_object(node.value)
            target = self._member(node.attr, found, ("property",)) if found is not None else None
            return (self._on(Call(target), found), "") if target is not None and found else None
        call = self._call(node)
        return (call, "") if call is not None else None

    def _on(self, call: Call, found: tuple[Call, str]) -> Call:
        """Returns a call on an object, after the calls that were made on it."""
        made, name = found
        if call.target.kind == "static":
            return call
        lines = tuple(line.but(subject=name) for line in made.before)
        if not name:
            return call.but(receiver=made)
        return call.but(receiver=made.but(before=()), name=name, before=lines)

    def _changing(self, node: ast.stmt) -> Call | None:
        """Returns the change of an object by a statement: an item or an attribute that is set."""
        place = node.targets[0] if isinstance(node, ast.Assign | ast.Delete) else None
        if isinstance(place, ast.Subscript) and isinstance(node, ast.Assign):
            return self._operator(
                "__setitem__", place.value, (place.slice, node.value), "statement"
            )
        if isinstance(place, ast.Subscript):
            return self._operator("__delitem__", place.value, (place.slice,), "statement")
        if isinstance(place, ast.Attribute) and isinstance(node, ast.Assign):
            known = self._operator(place.attr, place.value, (node.value,), "statement")
            return known or self._by_name("__setattr__", place, (node.value,), "statement")
        if isinstance(place, ast.Attribute):
            return self._by_name("__delattr__", place, (), "statement")
        return None

    def _by_name(
        self, leaf: str, node: ast.Attribute, given: Sequence[ast.expr], kind: str
    ) -> Call | None:
        """Returns the call of the method by which an object has attributes of any name; None where
        a class of the program has a member of this one."""
        if node.attr in self.matcher.members:
            return None
        return self._operator(leaf, node.value, (ast.Constant(node.attr), *given), kind)

    def _operator(
        self, leaf: str, value: ast.expr, given: Sequence[ast.expr], kind: str
    ) -> Call | None:
        found = self._on_object(value)
        target = self._member(leaf, found, (kind,)) if found is not None else None
        texts = [self._text(one) for one in given]
        if found is None or target is None or len(target.parameters) != len(given) or None in texts:
            return None
        names = (parameter.name for parameter in target.parameters)
        values = tuple((name, str(text)) for name, text in zip(names, texts, strict=True))
        return self._on(Call(target, values), found)

    def _member(
        self,
        leaf: str,
        found: tuple[Call, str],
        kinds: Sequence[str] = ("method", "static"),
    ) -> Target | None:
        """Returns the member of an object's class; where that is not known, the only one of that
        name."""
        members = [one for one in self.matcher.members.get(leaf, ()) if one.kind in kinds]
        made = found[0].target
        if made.kind == "constructor":
            return next((one for one in members if one.owner == made), None)
        return members[0] if len(members) == 1 else None

    def _bound(self, target: Target, node: ast.Call) -> Call | None:
        return bind(target, node, self.values, self.matcher.names)

    def _text(self, node: ast.expr) -> str | None:
        return self_contained(node, self.values, self.matcher.names)


def _plainly_made(owner: Target) -> Call:
    """Returns the call without arguments that gives an object; what a member of another object
    gives is asked of one that is made like this, too."""
    needs = owner.owner if owner.kind in ("method", "property") else None
    return Call(owner, receiver=_plainly_made(needs) if needs is not None else None)


def documented_calls(matcher: Matcher, sources: Sequence[str]) -> Iterator[Call]:
    """Yields the calls of an example."""
    yield from CallReader(matcher).calls(sources)


def _headers(node: ast.stmt) -> Iterator[ast.AST]:
    """Yields the expressions of a compound statement that stand before its body."""
    for name in ("test", "iter", "items"):
        value = getattr(node, name, None)
        yield from value if isinstance(value, list) else [value] if value is not None else []


def _stand_in(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Returns what may stand in the place of a function that an example defines."""
    names = [argument.arg for argument in node.args.args]
    return RECORDER if len(names) == 1 else f"lambda {', '.join(names)}: None".replace(" :", ":")


def is_stand_in(expression: str) -> bool:
    """Whether an argument stands in the place of a function that an example defines."""
    made = expression.startswith("lambda") and expression.endswith(": None")
    return made or expression == RECORDER


def bind(
    target: Target,
    node: ast.Call,
    variables: Mapping[str, str],
    known: AbstractSet[str],
) -> Call | None:
    """Returns the call with the arguments of `node` by parameter, without keyword arguments that
    are constants of a module; None if another one needs more than literals, `variables` and names
    of the program that are `known`."""
    values: dict[str, str] = {}
    extra: list[str] = []
    places = [p for p in target.parameters if p.kind in ("positional-only", "positional")]
    takes_more = any(p.kind == "var-positional" for p in target.parameters)
    for index, argument in enumerate(node.args):
        text = self_contained(argument, variables, known)
        if text is None or (index >= len(places) and not takes_more):
            return None
        if index < len(places):
            values[places[index].name] = text
        else:
            extra.append(text)
    names = {p.name for p in target.parameters}
    for keyword in node.keywords:
        text = self_contained(keyword.value, variables, known)
        if keyword.arg not in names or (text is None and not _is_constant(keyword.value)):
            return None
        if text is not None:
            values[str(keyword.arg)] = text
    return Call(target, tuple(values.items()), tuple(extra))


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute | ast.Name) and leaf(node).isupper()


def written_calls(suite: Suite, matcher: Matcher) -> list[Call]:
    """Returns every call of the suite whose arguments can be written as literals, each once."""
    found: dict[Call, None] = {}
    constants = {path: named_texts(file.text) for path, file in suite.files.items()}
    for test in suite.tests():
        named = [
            f"{name} = {text!r}" for text, name in constants[test.node.partition("::")[0]].items()
        ]
        for sources in _readings(suite.source(test)):
            found.update(dict.fromkeys(documented_calls(matcher, [*named, *sources])))
    return list(found)


def named_texts(source: str) -> dict[str, str]:
    """Returns text -> name of the constants at the top of a file; none of one that cannot be
    parsed."""
    found = {}
    tree = parsed(source, "exec") if source else None
    for node in tree.body if isinstance(tree, ast.Module) else ():
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            value = node.value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                found[value.value] = node.targets[0].id
    return found


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
