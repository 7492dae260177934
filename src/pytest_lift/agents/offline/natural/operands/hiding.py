"""Values that hide what a call does: a factor of one, two equal sides, a key that is not there,
what the same function has made."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pytest_lift.agents.offline.natural.typed_values import NOTHING
from pytest_lift.agents.offline.texts.known_texts import text_of
from pytest_lift.calls.call import Call
from pytest_lift.source.syntax import shared_expression, written_with

NEUTRAL = {
    **dict.fromkeys(("truediv", "floordiv", "pow", "mod"), ("1", "1.0")),
    "mul": ("1", "1.0", "0", "0.0"),
    **dict.fromkeys(("add", "sub", "or", "xor", "lshift", "rshift"), ("0", "0.0")),
}
"""Operation -> numbers that change nothing, or leave nothing."""
SHOWING = {"mul": "3", "truediv": "2", "floordiv": "2", "pow": "2", "mod": "2"}
"""Operation -> a number with which it shows; 2 for others."""
ZEROS, SHOWN_ON = frozenset({"0", "0.0"}), "2"
"""Numbers on which operations do not show, and one on which most do."""
OPERATION = re.compile(r"^__[ri]?(\w+?)__$")
SIDES = frozenset({*NEUTRAL, "and", "matmul", "divmod"})
"""Operations whose two sides are told apart by what comes out."""
CHOOSING = re.compile(
    r"^(ignored?|excluded?|skip(ped)?|omit(ted)?|drop(ped)?|only|included?|pick(ed)?|keep)"
    r"(_(keys|fields|columns|names))?$"
)
"""Names of parameters for keys that are left out or chosen."""
GIVEN = ("'hello'", "b'hello'", "[1, 2, 3]", "1")
"""Plain values of the kinds that functions mostly give."""
HIDDEN = 0.5
"""Oddness of a value that hides what is done."""
SAME, OPENING = 0.4, ("[", "(", "{")
"""Cost of a text, number or container that is given twice: a test would not notice if the two
changed places; and beginnings of containers."""
OTHERS = {"hello": "world", "world": "hello", "a": "b"}
"""Text -> the one that stands beside it where two differ."""


def oddness(call: Call) -> float:
    """Returns the cost of values that hide what the last call does, and of what a call of a chain,
    or a method that is called several times, is given twice."""
    hidden = HIDDEN if next(_showing(call), None) is not None else 0.0
    twice = sum(sum(1 for _ in _repeated(part)) for part in call.chain)
    return hidden + SAME * (twice + sum(1 for _ in _again(call)))


def variants(call: Call) -> Iterator[Call]:
    """Yields the call with a value that shows what it does in the place of one that hides it, and
    with others in the place of what it is given twice."""
    yield from _showing(call)
    for name, value in _repeated(call):
        if value[:1] not in "'\"" or text_of(value) in OTHERS:
            yield from (call.with_value(name, other) for other in differing(value))
    for at, name, value in _again(call):
        for other in differing(value):
            line = call.before[at].with_value(name, other)
            yield call.but(before=(*call.before[:at], line, *call.before[at + 1 :]))


def _again(call: Call) -> Iterator[tuple[int, str, str]]:
    """Yields the place of a line before a call, with a text or a number that it gets as an earlier
    line of the same method does: which of them comes out is not to be seen."""
    seen: set[tuple[str, str, str]] = set()
    for at, line in enumerate(call.before):
        for name, value in line.values:
            given = line.target.key, name, value
            if given in seen:
                yield at, name, value
            elif value[:1].isdigit() or value.lstrip("b")[:1] in ("'", '"'):
                seen.add(given)


def _repeated(call: Call) -> Iterator[tuple[str, str]]:
    """Yields the arguments of a call that are a text, a number or a container with something in it,
    which it gets as another one, too."""
    seen: set[str] = set()
    for name, value in call.values:
        if value in seen:
            yield name, value
        number = value[:1].isdigit() and value != "0"
        if number or value[:1] in "'\"" or (value[:1] in OPENING and value not in NOTHING):
            seen.add(value)


def _showing(call: Call) -> Iterator[Call]:
    """Yields the call with a value that shows what it does in the place of one that hides it."""
    operation = operation_of(call)
    if operation in SIDES and len(call.values) == 1:
        name, value = call.values[0]
        if value in NEUTRAL.get(operation, ()):
            yield call.with_value(name, SHOWING.get(operation, "2"))
        elif call.receiver is not None and value == call.receiver.text:
            yield from (call.with_value(name, other) for other in differing(value))
        if call.receiver is not None and _is_zero(call.receiver):
            twos = tuple((name, SHOWN_ON) for name, _ in call.receiver.values)
            yield call.but(receiver=call.receiver.but(values=twos))
    for name, value in call.values:
        for inner in _of_same_function(call, value):
            yield call.with_value(name, inner)
        keys = _keys(call, name) if _chooses(name) else []
        if keys and (other := _with_a_key(value, keys)) is not None:
            yield call.with_value(name, other)


def _is_zero(made: Call) -> bool:
    """Whether an object is made of zeros alone: most operations leave it as it is."""
    values = [value for _, value in made.values]
    return made.target.kind == "constructor" and bool(values) and {*values} <= ZEROS


def operation_of(call: Call) -> str:
    """Returns ``mul`` of a call of ``__mul__``, ``__rmul__`` or ``__imul__``; "" of others."""
    found = OPERATION.match(call.target.leaf)
    return found[1] if found else ""


def _of_same_function(call: Call, value: str) -> Iterator[str]:
    """Yields what the same function gets in an argument, where that is a call of it, and plain
    values of the kinds that it may give."""
    own = call.target.kind == "function" and value.startswith(f"{call.target.call}(")
    node = shared_expression(value) if own else None
    if isinstance(node, ast.Call) and node.args and ast.unparse(node.func) == call.target.call:
        yield ast.unparse(node.args[0])
        yield from GIVEN


@lru_cache(maxsize=4096)
def _chooses(name: str) -> bool:
    return CHOOSING.search(name) is not None


def differing(value: str) -> Iterator[str]:
    """Yields an object with the last text, or number, in what makes it replaced."""
    node = shared_expression(value)
    inner = [one for one in ast.walk(node) if isinstance(one, ast.Constant)] if node else []
    others = [(one, other) for one in inner if (other := _other(one)) is not None]
    for one, other in others[-1:]:
        new = written_with(node, one, other) if node is not None else None
        yield from [new] if new is not None else ()


def _other(node: ast.Constant) -> ast.Constant | None:
    """Returns the text that stands beside one where two differ, or the number after one."""
    match node:
        case ast.Constant(value=str(text)):
            return ast.Constant(OTHERS.get(text, "world"))
        case ast.Constant(value=bytes(data)):
            return ast.Constant(OTHERS.get(data.decode("latin-1"), "world").encode())
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return ast.Constant(number + 1)
    return None


def _keys(call: Call, chosen: str) -> list[str]:
    """Returns the keys, as source, of the dicts among the other arguments, those inside of them
    included."""
    found: dict[str, None] = {}
    for name, value in call.values:
        node = shared_expression(value) if name != chosen and "{" in value else None
        for one in ast.walk(node) if node is not None else ():
            keys = one.keys if isinstance(one, ast.Dict) else []
            found.update({ast.unparse(key): None for key in keys if isinstance(key, ast.Constant)})
    return list(found)


def _with_a_key(value: str, keys: Sequence[str]) -> str | None:
    """Returns a container of keys with one that there is; None where it has such a key, is empty,
    or holds other things than keys."""
    node = shared_expression(value)
    if not isinstance(node, ast.Set | ast.List | ast.Tuple) or not node.elts:
        return None
    items = [ast.unparse(one) for one in node.elts]
    plain = all(isinstance(one, ast.Constant) for one in node.elts)
    if not plain or not {*items}.isdisjoint(keys):
        return None
    shape = {ast.Set: "{{{}}}", ast.List: "[{}]", ast.Tuple: "({},)"}[type(node)]
    return shape.format(keys[0])
