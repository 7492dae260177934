"""Gives a made-up text that stands at several places of a call a plain name at all of them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator

from pytest_lift.agents.offline.natural.oddness import oddness
from pytest_lift.calls.call import Call
from pytest_lift.source.syntax import shared_expression

NAMES = ("name", "age", "city", "title")
"""Names that a person gives to keys, one for each text that is renamed."""
PLAIN = 0.2
"""Oddness up to which a text is plain enough."""
MOST = 3
"""Most texts of one call that are renamed."""


def renamed(call: Call) -> Iterator[Call]:
    """Yields the call with one of its odd texts renamed wherever it is given, those first that are
    given several times: ``render('{{name}}', {'name': 1})``."""
    counts = Counter(text for part in call.chain for text in _texts_of(part))
    odd = [text for text in counts if text and oddness(repr(text)) > PLAIN]
    odd.sort(key=lambda text: -counts[text])
    free = [name for name in NAMES if name not in counts]
    for text in odd[:MOST]:
        if counts[text] > 1:
            yield from (_everywhere(call, _renaming(text, name)) for name in free[:1])


def _texts_of(call: Call) -> Iterator[str]:
    for value in (*(value for _, value in call.values), *call.extra):
        node = shared_expression(value)
        for part in ast.walk(node) if node is not None else ():
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.value


def _renaming(text: str, name: str) -> Callable[[str], str]:
    """Returns what puts `name` in the place of a text in an expression."""

    def rename(expression: str) -> str:
        if shared_expression(expression) is None or repr(text)[1:-1] not in expression:
            return expression
        tree = _Renamer(text, name).visit(ast.parse(expression, mode="eval"))
        return ast.unparse(tree)

    return rename


class _Renamer(ast.NodeTransformer):
    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant(self.name) if node.value == self.text else node


def _everywhere(call: Call, rename: Callable[[str], str]) -> Call:
    """Returns the call with all arguments renamed, those of its object and of the calls before it
    included."""
    return call.but(
        values=tuple((name, rename(value)) for name, value in call.values),
        extra=tuple(rename(value) for value in call.extra),
        receiver=None if call.receiver is None else _everywhere(call.receiver, rename),
        before=tuple(_everywhere(line, rename) for line in call.before),
    )
