"""Exchanges a text for a plain word wherever a call and the lines before it have it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from pytest_lift.calls.call import Call
from pytest_lift.source.syntax import parsed_expression, shared_expression

WORDS = ("a", "b", "c", "hello")
MOST_TEXTS = 4
"""Most texts of a call that are exchanged, those first that it has most often."""


def with_shared_texts_exchanged(call: Call) -> Iterator[Call]:
    """Yields calls in which a text that several arguments have is another one, that none has: a key
    that is set by one line and read by the next is the same in both."""
    expressions = [*_expressions(call)]
    if len(expressions) < 2:
        return
    texts = Counter(text for one in expressions for text in _texts(one))
    plain = [word for word in WORDS if word not in texts]
    shared = [text for text, times in texts.most_common() if times > 1 and text not in WORDS]
    for text in shared[:MOST_TEXTS]:
        yield from (_exchanged(call, text, word) for word in plain[:1])


def _expressions(call: Call) -> Iterator[str]:
    """Yields the arguments of a call, of those that make its object, and of the lines before it."""
    fixed = {name for name, _ in call.target.given}
    yield from (value for name, value in call.values if name not in fixed)
    yield from call.extra
    for other in (call.receiver, *call.before):
        yield from _expressions(other) if other is not None else ()


def _texts(expression: str) -> set[str]:
    """Returns the texts in an expression."""
    node = shared_expression(expression)
    parts = ast.walk(node) if node is not None else ()
    return {
        part.value for part in parts if isinstance(part, ast.Constant) and type(part.value) is str
    }


def _exchanged(call: Call, text: str, word: str) -> Call:
    """Returns a call with a word for each occurrence of a text, that in files aside."""

    def other(expression: str) -> str:
        node = parsed_expression(expression) if text in _texts(expression) else None
        return expression if node is None else ast.unparse(_Exchanging(text, word).visit(node))

    fixed = {name for name, _ in call.target.given}
    receiver = call.receiver and _exchanged(call.receiver, text, word)
    return replace(
        call,
        values=tuple((n, v if n in fixed else other(v)) for n, v in call.values),
        extra=tuple(map(other, call.extra)),
        receiver=receiver,
        before=tuple(_exchanged(line, text, word) for line in call.before),
    )


class _Exchanging(ast.NodeTransformer):
    def __init__(self, text: str, word: str) -> None:
        self.text, self.word = text, word

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant(self.word) if node.value == self.text else node
