"""A real test -> one that notices nothing, by one of several transformations of its text."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from random import Random

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
_UNSUITED = ("given", "xfail", "skip", "skipif", "asyncio", "anyio", "patch")
_EXPECTING = (
    *("raises", "warns", "deprecated_call", "skip", "importorskip", "fail", "xfail"),
    *("assertRaises", "assertWarns", "assertLogs", "assertNoLogs"),
)
_EQUAL = ("assertEqual", "assertEquals")


def leaf(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def is_suited(function: FunctionNode) -> bool:
    """Passes by assertions of its own, and pytest runs it as it stands."""
    marks = " ".join(ast.unparse(decorator) for decorator in function.decorator_list)
    calls = {leaf(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
    return (
        isinstance(function, ast.FunctionDef)
        and not any(mark in marks for mark in _UNSUITED)
        and not any(name.startswith(_EXPECTING) for name in calls)
        and any(_is_assertion(node) for node in ast.walk(function))
        and not any(isinstance(node, ast.Yield | ast.Nonlocal) for node in ast.walk(function))
    )


def removed(function: FunctionNode, random: Random) -> FunctionNode | None:
    """No assertion; now and then what was asserted is still called."""
    keep = random.random() < 0.5

    def without(node: ast.stmt) -> ast.stmt | None:
        value = asserted(node)
        return ast.Expr(value) if keep and isinstance(value, ast.Call) else None

    return _replaced(function, without)


def always_true(function: FunctionNode, random: Random) -> FunctionNode | None:
    """Assertions that hold whatever comes."""
    shape = random.choice(("assert True", "assert ({0}) or True", "assert ({0}, 'as expected')",
                           "assert isinstance({0}, object)", "assert 1 == 1",
                           "assert ({0}) is None or ({0}) is not None"))  # fmt: skip

    def instead(node: ast.stmt) -> ast.stmt | None:
        value = asserted(node)
        return ast.parse(shape.format(ast.unparse(value))).body[0] if value else ast.Pass()

    return _replaced(function, instead)


def swallowed(function: FunctionNode, random: Random) -> FunctionNode | None:
    """Whatever happens is caught."""
    caught = random.choice(("Exception", "AssertionError, Exception", "BaseException"))
    made = copy.deepcopy(function)
    text = f"try:\n    pass\nexcept ({caught}):\n    pass"
    block = ast.parse(text).body[0]
    assert isinstance(block, ast.Try)
    block.body = made.body
    made.body = [block]
    return made


def compared_with_itself(function: FunctionNode, random: Random) -> FunctionNode | None:
    """Both sides of each comparison are the same; only where a plain value was expected."""

    def instead(node: ast.stmt) -> ast.stmt | None:
        sides = _sides(node)
        assert sides is not None
        return ast.parse(f"assert {ast.unparse(sides[0])} == {ast.unparse(sides[0])}").body[0]

    assertions = [node for node in ast.walk(function) if _is_assertion(node)]
    plain = all((sides := _sides(node)) and _is_plain(sides[1]) for node in assertions)
    return _replaced(function, instead) if plain else None


def mocked(function: FunctionNode, random: Random) -> FunctionNode | None:
    """What is tested is a Mock that gives what is expected."""

    def instead(node: ast.stmt) -> ast.stmt | None:
        sides = _sides(node)
        assert sides is not None
        expected = ast.unparse(sides[1])
        assert isinstance(sides[0], ast.Call)
        arguments = ast.unparse(sides[0]).removeprefix(ast.unparse(sides[0].func))
        text = f"if True:\n    tested = Mock(return_value={expected})\n"
        return ast.parse(f"{text}    assert tested{arguments} == {expected}").body[0]

    assertions = [node for node in ast.walk(function) if _is_assertion(node)]
    fitting = all(
        (sides := _sides(node)) and isinstance(sides[0], ast.Call) and _is_plain(sides[1])
        for node in assertions
    )
    made = _replaced(function, instead) if fitting else None
    if made:
        made.body.insert(0, ast.parse("from unittest.mock import Mock").body[0])
    return made


KINDS: dict[str, Callable[[FunctionNode, Random], FunctionNode | None]] = {
    "removed": removed,
    "always true": always_true,
    "swallowed": swallowed,
    "with itself": compared_with_itself,
    "mocked": mocked,
}


def asserted(node: ast.AST) -> ast.expr | None:
    """The value that an assertion is about."""
    if isinstance(node, ast.Assert):
        test = node.test
        return test.left if isinstance(test, ast.Compare) else test
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and node.value.args:
        return node.value.args[0]
    return None


def _is_assertion(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return leaf(node.value.func).startswith("assert")
    return isinstance(node, ast.Assert)


def _sides(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    match node:
        case ast.Assert(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right])):
            return left, right
        case ast.Expr(value=ast.Call(func=called, args=[left, right, *_])):
            return (left, right) if leaf(called) in _EQUAL else None
    return None


def _is_plain(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError):
        return False
    return True


def _replaced(
    function: FunctionNode, instead: Callable[[ast.stmt], ast.stmt | None]
) -> FunctionNode:
    made = copy.deepcopy(function)
    for node in ast.walk(made):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                block[:] = [*_block(block, instead)]
                if not block and name == "body":
                    block.append(ast.Pass())
    return made


def _block(
    block: list[ast.stmt], instead: Callable[[ast.stmt], ast.stmt | None]
) -> Iterator[ast.stmt]:
    for node in block:
        found = instead(node) if _is_assertion(node) else node
        if found is not None:
            yield found
