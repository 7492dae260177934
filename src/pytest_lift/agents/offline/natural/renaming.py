"""Gives a text that stands at several places of a call a plain name at all of them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from pytest_lift.agents.offline.natural.oddness import oddness
from pytest_lift.calls.call import Call
from pytest_lift.source.syntax import shared_expression

NAMES = ("name", "age", "city", "title")
"""Names that a person gives to keys, one for each text that is renamed."""
LETTERS = ("a", "b", "c", "hello")
"""Texts that a person types where any may stand."""
PLAIN = 0.2
"""Oddness up to which a text is plain enough."""
MOST = 3
"""Most texts of one call that are renamed."""


def renamed(call: Call) -> Iterator[Call]:
    """Yields the call with one of its odd texts renamed wherever it is given, those first that are
    given several times: ``render('{{name}}', {'name': 1})``."""
    counts = _counts(call)
    odd = {text: n for text, n in counts.items() if text and oddness(repr(text)) > PLAIN}
    yield from _in_turn(call, odd, next((one for one in NAMES if one not in counts), ""))


def with_letters(call: Call) -> Iterator[Call]:
    """Yields the call with a letter wherever it has one of its texts that are given several times:
    a key that one line sets and the next one reads is the same in both."""
    counts = _counts(call)
    longer = {text: n for text, n in counts.items() if text not in LETTERS}
    yield from _in_turn(call, longer, next((one for one in LETTERS if one not in counts), ""))


def _in_turn(call: Call, texts: Mapping[str, int], name: str) -> Iterator[Call]:
    """Yields the call with `name` for each of some texts that it has several times."""
    shared = sorted((text for text, n in texts.items() if n > 1), key=lambda text: -texts[text])
    for text in shared[:MOST] if name else ():
        yield _everywhere(call, _renaming(text, name))


def _counts(call: Call) -> Counter[str]:
    """Returns how often the call, those before it and those that make objects have each text."""
    return Counter(text for part in call.chain for text in _texts_of(part))


def _texts_of(call: Call) -> Iterator[str]:
    fixed = dict(call.target.given)
    for value in (*(value for name, value in call.values if name not in fixed), *call.extra):
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
    included, but for those that every call of its target has."""
    fixed = dict(call.target.given)
    return call.but(
        values=tuple((name, v if name in fixed else rename(v)) for name, v in call.values),
        extra=tuple(rename(value) for value in call.extra),
        receiver=None if call.receiver is None else _everywhere(call.receiver, rename),
        before=tuple(_everywhere(line, rename) for line in call.before),
    )
