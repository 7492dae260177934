"""Puts a value in the place of another one in a call: in its arguments, command line or files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pytest_lift.agents.offline.arguments.trees.changing import SUFFIXES
from pytest_lift.agents.offline.arguments.trees.nodes import node_of, stays_python, text_of
from pytest_lift.agents.offline.arguments.variation import is_negative
from pytest_lift.agents.offline.search.making import is_settable
from pytest_lift.calls.call import Call
from pytest_lift.source.syntax import shared_expression, written_with

WORD = re.compile(r"\w+")
MOST_PLACES = 3
"""Most occurrences in one text that are replaced."""
LONGEST = 300
"""Longest argument that is made."""
UNKNOWN = object()
"""Stands for what is no literal."""


def replaced(call: Call, have: object, want: ast.expr) -> Iterator[Call]:
    """Yields the call with `want` in each place where `have` stands: an argument or a part of one,
    an option that is left to its default, of its receiver, of an earlier call, of its command line,
    input or files."""
    for name, value in (*call.values, *_defaults(call)):
        for changed in _replacements(value, have, want):
            yield call.with_value(name, changed)
    for at, value in enumerate(call.extra):
        for changed in _replacements(value, have, want):
            yield call.with_extra(at, changed)
    if call.receiver is not None:
        for receiver in replaced(call.receiver, have, want):
            yield call.but(receiver=receiver)
    for at, line in enumerate(call.before):
        for other in replaced(line, have, want):
            yield call.but(before=(*call.before[:at], other, *call.before[at + 1 :]))
    if isinstance(have, str) and isinstance(want, ast.Constant):
        yield from _in_command(call, have, str(want.value))


def _defaults(call: Call) -> Iterator[tuple[str, str]]:
    """Yields the public options that a call leaves to their defaults."""
    given = call.given
    for parameter in () if call.target.entry else call.target.parameters:
        left = parameter.default is not None and parameter.name not in given
        if left and is_settable(parameter):
            yield parameter.name, parameter.default or ""


def _in_command(call: Call, have: str, want: str) -> Iterator[Call]:
    for at, word in enumerate(call.argv):
        if at and have and have in word:
            argv = (*call.argv[:at], word.replace(have, want, 1), *call.argv[at + 1 :])
            yield call.but(argv=argv)
    if have and have in call.stdin:
        yield call.but(stdin=call.stdin.replace(have, want, 1))
    for name, text in call.files.items():
        new = text.replace(have, want, 1) if have else text
        if new != text and not (name.endswith(SUFFIXES) and _is_torn(text, new, want)):
            yield call.but(files={**call.files, name: new})


def _replacements(source: str, have: object, want: ast.expr) -> Iterator[str]:
    """Yields the expression with `want` in each place of `have`; a node of Python stays one."""
    tree, literals = literals_of(source)
    if tree is None:
        return
    code = text_of(source) if node_of(source) is not None else None
    for node, value in literals:
        for new in _in_place(value, have, want):
            text = written_with(tree, node, new, source)
            if text is None or len(text) > LONGEST or text == source:
                continue
            if code is None or not _tears_node(code[1].value, text, want):
                yield text


def _tears_node(code: object, source: str, want: ast.expr) -> bool:
    """Whether the text of a node is no Python any more in a new source, or has torn words."""
    changed = text_of(source) if node_of(source) is not None else None
    new, wanted = changed and changed[1].value, getattr(want, "value", None)
    return not isinstance(new, str) or _is_torn(str(code), new, str(wanted))


def _is_torn(code: str, new: str, wanted: str) -> bool:
    """Whether a text of Python is none any more with a text in the place of another one, or has
    parts of words, or other marks alone."""
    words = {*WORD.findall(wanted)}
    known = words.union(WORD.findall(code))
    return not words or not known.issuperset(WORD.findall(new)) or not stays_python(code, new)


@lru_cache(maxsize=4096)
def literals_of(source: str) -> tuple[ast.expr | None, Sequence[tuple[ast.expr, object]]]:
    """Returns the tree of an expression, which stays as it is, and the literals in it with their
    values."""
    tree = shared_expression(source)
    if tree is None:
        return None, ()
    kinds = ast.Constant | ast.List | ast.Tuple | ast.Dict | ast.Set
    signed = [node for node in ast.walk(tree) if is_negative(node)]
    inner = [node.operand for node in signed]
    nodes = [n for n in ast.walk(tree) if isinstance(n, kinds) and n not in inner]
    return tree, [(node, literal_of(node)) for node in (*signed, *nodes)]


def _in_place(value: object, have: object, want: ast.expr) -> Iterator[ast.expr]:
    """Yields what takes the place of a literal: `want`, or the text with a part of it changed."""
    wanted = want.value if isinstance(want, ast.Constant) else None
    if type(value) is type(have) and value == have:
        yield want
    elif isinstance(value, str) and isinstance(have, str) and isinstance(wanted, str):
        if have and value.casefold().strip() == have.casefold().strip():
            yield want
        yield from (ast.Constant(text) for text in _within(value, have, wanted))
    elif isinstance(value, bytes) and isinstance(have, bytes) and isinstance(wanted, bytes):
        texts = _within(*(side.decode("latin-1") for side in (value, have, wanted)))
        yield from (ast.Constant(text.encode("latin-1")) for text in texts)
    elif isinstance(value, str) and type(have) in (int, float) and type(wanted) in (int, float):
        yield from (ast.Constant(text) for text in _within(value, str(have), str(wanted)))
    elif type(value) is int and isinstance(have, str) and str(value) == have:
        yield want


def _within(text: str, have: str, wanted: str) -> Iterator[str]:
    """Yields the text with `wanted` in the place of `have`: its last occurrence, the first and the
    others; at the end where nothing was left to compare."""
    if not have:
        yield text + wanted
        return
    places = [at for at in range(len(text)) if text.startswith(have, at)]
    for at in [*places[-1:], *places[:-1]][:MOST_PLACES]:
        yield text[:at] + wanted + text[at + len(have) :]


def constant_of(value: object) -> ast.expr:
    """Returns the expression of a literal's value."""
    tree = shared_expression(repr(value))
    return ast.Constant(None) if tree is None else tree


def literal_of(node: ast.expr) -> object:
    """Returns the value of a literal, `UNKNOWN` for all else."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return UNKNOWN
