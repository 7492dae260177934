"""Decides whether a test asserts an expectation, comparing both as source in normal form."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product

from pytest_lift.assertions.checks import live_blocks, reachable
from pytest_lift.expectations.moments import Moments, Values, names_in, normal_form, parts
from pytest_lift.requirements.requirement import Expectation
from pytest_lift.source.syntax import FunctionNode, called, elements, parsed

Claim = tuple[str, str, str]
"""(relation, call, expected), in normal form."""

ANY_ERROR = frozenset({"Exception", "BaseException"})
MATCHING = "assertRaisesRegex"
"""Method that takes a pattern before the function."""
RAISING = ("raises", "assertRaises", MATCHING)
_COMPARED: tuple[tuple[tuple[str, ...], ast.cmpop], ...] = (
    (("assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertTupleEqual",
      "assertSetEqual", "assertSequenceEqual", "assertMultiLineEqual", "assertAlmostEqual"),
     ast.Eq()),
    (("assertIs",), ast.Is()),
    (("assertNotEqual",), ast.NotEq()),
    (("assertIn",), ast.In()),
    (("assertNotIn",), ast.NotIn()),
    (("assertLess",), ast.Lt()),
    (("assertLessEqual",), ast.LtE()),
    (("assertGreater",), ast.Gt()),
    (("assertGreaterEqual",), ast.GtE()),
)  # fmt: skip
"""Methods of unittest and the comparison that each asserts."""
MOST_ROWS = 500
"""Most combinations of parametrize rows that are examined."""


def asserts(expectation: Expectation, source: str) -> bool:
    """Whether the test `source` checks `expectation`, after the same preparations."""
    wanted = claim_of(expectation)
    if wanted is None:
        return False
    claim, preparations = wanted
    return any(
        any(_is_made(claim, one) for one in made)
        and preparations <= done | {call for _, call, _ in made}
        for made, done in asserted_rows(source)
    )


def _is_made(wanted: Claim, made: Claim) -> bool:
    """Whether a claim is as wanted; if a text names no specific exception, a test may name any."""
    if wanted[0] == "raises" and wanted[2] in ANY_ERROR:
        return wanted[:2] == made[:2]
    if wanted[0] == "raises":
        return wanted[:2] == made[:2] and is_same_error(wanted[2], made[2])
    return wanted == made


def is_same_error(one: str, other: str) -> bool:
    """Whether two names can mean one exception class.

    ``b.ParseError`` is not ``a.ParseError``, but ``ParseError`` may be either.
    """
    return one == other or one.endswith(f".{other}") or other.endswith(f".{one}")


def claims(source: str) -> frozenset[Claim]:
    """Returns everything that the test `source` asserts, for all rows of its tables."""
    return frozenset(claim for made, _ in asserted_rows(source) for claim in made)


@lru_cache(maxsize=4096)
def claim_of(expectation: Expectation) -> tuple[Claim, frozenset[str]] | None:
    setup, call = parsed(expectation.setup), parsed(expectation.call.strip(), "eval")
    expected = parsed(expectation.expected.strip() or "None", "eval")
    if not isinstance(setup, ast.Module) or call is None or expected is None:
        return None
    moment = Moments(setup)
    values = moment.last
    told = normal_form(expected, values)
    if expectation.relation == "raises":
        told = told.rpartition(".")[2]
    elif expectation.relation == "holds":
        told = ""
    return (expectation.relation, normal_form(call, values), told), frozenset(_done(setup, moment))


@lru_cache(maxsize=16384)
def asserted_rows(source: str) -> tuple[tuple[frozenset[Claim], frozenset[str]], ...]:
    """Returns the claims and the other statements, for each combination of rows."""
    tree = parsed(textwrap.dedent(source))
    if tree is None:
        return ()
    found = []
    for number, rows in enumerate(product(*_tables(tree), *_loops(tree))):
        if number >= MOST_ROWS:
            break
        columns = {name: it for row in rows for name, it in row.items()}
        moment = Moments(tree, {**_fixtures(tree), **columns})
        found.append((frozenset(_claims(tree, moment)), frozenset(_done(tree, moment))))
    return tuple(found)


def _tables(tree: ast.AST) -> Iterator[list[Values]]:
    """Yields the rows of each parametrize mark, each as parameter -> value."""
    written = Moments(tree).last
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or called(node) != "parametrize" or len(node.args) < 2:
            continue
        named, rows = node.args[0], node.args[1]
        if isinstance(rows, ast.Name):
            rows = written.get(rows.id, rows)
        one = isinstance(named, ast.Constant)
        texts = [named] if one else elements(named)
        joined = ",".join(str(n.value) for n in texts if isinstance(n, ast.Constant))
        names = [name.strip() for name in joined.split(",")]
        table: list[Values] = []
        for row in elements(rows):
            if _is_left_out(row):
                continue
            whole = (
                one
                and len(names) == 1
                and not (isinstance(row, ast.Call) and called(row) == "param")
            )  # as pytest unpacks them
            table.append(dict(zip(names, [row] if whole else elements(row), strict=False)))
        yield table or [{}]


def _loops(tree: ast.AST) -> Iterator[list[Values]]:
    """Yields the rows of each loop that always runs over all of its written values, like a
    table."""
    written = Moments(tree).last
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    for loop in _reached(tree):
        if not isinstance(loop, ast.For) or not _goes_through(loop):
            continue
        inside = {id(node) for node in ast.walk(loop)}
        bound = names_in(loop.target)
        stored = [n for n in names if n.id in bound and isinstance(n.ctx, ast.Store)]
        if len(stored) == len(bound) and all(id(n) in inside for n in names if n.id in bound):
            rows = _written_rows(loop.iter, written)
            if rows:
                yield [dict(parts(loop.target, row)) for row in rows]


def _goes_through(loop: ast.For) -> bool:
    """Whether nothing in a loop ends it, or one of its rounds, early."""
    early = (ast.Break, ast.Continue, ast.Return, ast.Raise, ast.Try)
    return not any(isinstance(node, early) for node in ast.walk(loop))


def _written_rows(node: ast.expr, values: Values) -> list[ast.expr]:
    if isinstance(node, ast.Name):
        node = values.get(node.id, node)
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return node.elts
    if isinstance(node, ast.Call) and called(node) == "items" and not node.args:
        owner = node.func.value if isinstance(node.func, ast.Attribute) else node
        owner = values.get(owner.id, owner) if isinstance(owner, ast.Name) else owner
        if isinstance(owner, ast.Dict):
            pairs = zip(owner.keys, owner.values, strict=True)
            return [ast.Tuple([key, value], ast.Load()) for key, value in pairs if key is not None]
    return []


def _fixtures(tree: ast.AST) -> Values:
    """Returns parameter of the test -> the value of its fixture in the same source.

    For other parameters a placeholder call, so that their methods are not taken for functions.
    """
    functions = [node for node in ast.walk(tree) if isinstance(node, FunctionNode)]
    returned = {one.name: one.body[-1].value for one in functions if _is_given(one)}  # type: ignore[attr-defined]
    test = next((one for one in functions if one.name not in returned), None)
    names = [one.arg for one in test.args.args if one.arg != "self"] if test else []
    return {
        name: returned.get(name) or ast.Call(ast.Name("fixture"), [ast.Constant(name)], [])
        for name in names
    }


def _is_given(node: FunctionNode) -> bool:
    """Whether a function is a fixture that `trace.texts.surrounded` added."""
    marks = [ast.unparse(mark).partition("(")[0] for mark in node.decorator_list]
    return marks in (["fixture"], ["pytest.fixture"]) and isinstance(node.body[-1], ast.Return)


def _is_left_out(row: ast.expr) -> bool:
    """Whether a row is skipped or expected to fail, so that it asserts nothing."""
    marks = [word.value for word in getattr(row, "keywords", ()) if word.arg == "marks"]
    return any(re.search(r"\b(?:skip|skipif|xfail)\b", ast.unparse(mark)) for mark in marks)


def _reached(tree: ast.AST) -> Iterator[ast.AST]:
    """Yields the nodes that run in a test and fail it if they fail, once each; without
    definitions."""
    for function in _functions(ast.iter_child_nodes(tree)):
        yield from _live(function.body)
    if isinstance(tree, ast.Module):
        yield from _live([node for node in tree.body if not isinstance(node, FunctionNode)])


def _functions(nodes: Iterable[ast.AST]) -> Iterator[FunctionNode]:
    """Yields the functions that run; nested functions only if the outer one names them."""
    for node in nodes:
        if isinstance(node, FunctionNode):
            yield node
            inside = [one for part in node.body for one in ast.walk(part)]
            named = {one.id for one in inside if isinstance(one, ast.Name)}
            yield from (n for n in inside if isinstance(n, FunctionNode) and n.name in named)
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body)


def _live(body: list[ast.stmt]) -> Iterator[ast.AST]:
    for node in reachable(body):
        if isinstance(node, FunctionNode | ast.ClassDef):
            continue
        yield node
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr | ast.withitem):
                yield from ast.walk(part)
        if not _expects_a_failure(node):
            for block in live_blocks(node):
                yield from _live(block)


def _expects_a_failure(node: ast.stmt) -> bool:
    """Whether a block has to raise, so that its assertions do not hold."""
    items = node.items if isinstance(node, ast.With | ast.AsyncWith) else []
    calls = [item.context_expr for item in items if isinstance(item.context_expr, ast.Call)]
    return any(called(call) in RAISING for call in calls)


def _claims(tree: ast.AST, moment: Moments) -> Iterator[Claim]:
    for node in _reached(tree):
        if isinstance(node, ast.Assert):
            yield from _claimed(node.test, moment.of(node))
        elif isinstance(node, ast.Call) and (said := _in_unittest(node)) is not None:
            yield from _claimed(said, moment.of(node))
        elif isinstance(node, ast.Call) and called(node) in RAISING and len(node.args) > 1:
            values, given = moment.of(node), node.args[1 + (called(node) == MATCHING) :]
            if not given:
                continue
            made = ast.Call(given[0], given[1:], node.keywords)
            yield "raises", normal_form(made, values), _kind(node.args[0], values)
        elif isinstance(node, ast.With):
            values = moment.of(node.body[-1])
            calls = [it.context_expr for it in node.items if isinstance(it.context_expr, ast.Call)]
            raising = [call.args[0] for call in calls if called(call) in RAISING and call.args]
            kinds = [_kind(kind, values) for kind in raising]
            last = node.body[-1]
            if isinstance(last, ast.Expr | ast.Assign) and len(node.body) == 1:
                yield from (("raises", normal_form(last.value, values), kind) for kind in kinds)


def _in_unittest(node: ast.Call) -> ast.expr | None:
    """Returns the assertion of a unittest method as an expression: ``self.assertEqual(a, b)`` ->
    ``a == b``.

    None for other calls.
    """
    name = called(node)
    if name in ("assertTrue", "assertFalse") and node.args:
        truth = node.args[0]
        return truth if name == "assertTrue" else ast.UnaryOp(ast.Not(), truth)
    operator = next((made for names, made in _COMPARED if name in names), None)
    if operator is None or len(node.args) < 2:
        return None
    return ast.Compare(node.args[0], [operator], [node.args[1]])


def _claimed(test: ast.expr, values: Values) -> Iterator[Claim]:
    """Yields the claims of an assertion in equivalent forms.

    ``assert f(x)`` also claims that `f(x)` is True, ``assert not f(x)`` that it is False.
    """
    shown = normal_form(test, values)
    yield "holds", shown, ""
    yield "equals", shown, "True"
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield "equals", normal_form(test.operand, values), "False"
    if not isinstance(test, ast.Compare) or len(test.ops) > 1:
        return
    if isinstance(test.ops[0], ast.Eq | ast.Is):
        sides = (test.left, test.comparators[0])
        for one, other in (sides, sides[::-1]):
            expected = normal_form(_unwrapped(other, ("approx",)), values)
            yield "equals", normal_form(one, values), expected
            yield "equals", normal_form(_unwrapped(one, ("list", "tuple", "run")), values), expected
            yield "holds", f"{normal_form(one, values)} == {expected}", ""


def _unwrapped(node: ast.expr, wrappers: tuple[str, ...]) -> ast.expr:
    """Returns the argument of a call of `wrappers`, such as `x` of ``approx(x)``; other nodes
    unchanged."""
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return node
    if called(node) not in wrappers:
        return node
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    if called(node) == "run" and owner is not None and ast.unparse(owner) not in _LOOPS:
        return node
    return node.args[0]


_LOOPS = ("asyncio", "anyio", "trio")
"""Modules whose `run` returns the result of a coroutine."""


def _done(tree: ast.AST, moment: Moments) -> Iterator[str]:
    """Yields statements that are neither data nor claims, since they may change later results."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant):
            yield normal_form(node.value, moment.of(node))
        elif isinstance(node, ast.AugAssign | ast.Delete | ast.Assign) and not _is_plain(node):
            yield normal_form(node, moment.of(node))


def _is_plain(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)


def _kind(node: ast.expr, values: Values) -> str:
    """Returns the name of an exception class, with its module if that is written."""
    return ast.unparse(node) if isinstance(node, ast.Attribute) else normal_form(node, values)
