"""Replaces arguments by values that turn a comparison of the program.

Input-to-state correspondence (Aschermann et al., REDQUEEN, NDSS 2019): an operand that stands in
the input is replaced there by what would turn the comparison.
"""

from __future__ import annotations

import ast
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from pytest_lift.agents.offline.search.comparisons.patterns import text_matching
from pytest_lift.agents.offline.search.comparisons.replacing import (
    UNKNOWN,
    constant_of,
    literal_of,
    literals_of,
    replaced,
)
from pytest_lift.calls.call import Call
from pytest_lift.calls.noted.operands import Operands
from pytest_lift.source.syntax import shared_expression

MOST_ITEMS, MOST_KEYS = 4, 8
"""Most items of a container, and keys of a table in which another key was looked up, that are
tried."""
PLAIN = 0.5
"""Share of the texts which match a pattern that are plain, beside one that always is."""
MOST_TABLES = 2
"""Most tables of a call that get another key."""
MOST_SIZE = 40
"""Largest container or text that is made for a test of its length."""

MOST_MOVED, FARTHEST = 3, 1e15
"""Most numbers of a call that are moved, and how far."""
STEPS = {
    ("<", False, False): -1, ("<", False, True): -1,
    (">", True, False): 1, (">", False, True): 1,
    ("<=", True, False): 1, ("<=", False, True): 1,
    (">=", False, False): -1, (">=", False, True): -1,
    ("==", False, True): 1, ("!=", False, True): 1,
}  # fmt: skip
"""(comparison, whether left is less, whether equal) -> how far from right left has to get; 0 for
others."""
CHARACTERS = frozenset((*range(9, 0x300), 0x2028, 0x2029, 0xFEFF, 0xFFFD))
"""Numbers that a program may have from characters and compare."""
MOST_ELSEWHERE = 8
"""Most comparisons of one call that are answered though they stand at no uncovered branch."""
FIRST_OF_PLACE = 2
"""Comparisons of one place that are answered before those of others have had their turn."""
FAR = 5
"""Lines above an uncovered side from which on a comparison counts as one that stands elsewhere."""
NUMBERS = {"int": ("7", "0", "-3"), "float": ("1.5", "0", "nan")}
FILLED: dict[type, object] = {
    bool: True, int: 1, float: 1.5, str: "a", bytes: b"a", list: [1], tuple: (1,), set: {1},
    dict: {"a": 1},
}  # fmt: skip
DERIVED: Mapping[type, Sequence[str]] = {
    int: ("True", "HTTPStatus.OK"),
    str: ("HTTPMethod.GET",),
    dict: ("OrderedDict({value})", "Counter()"),
}
"""Type -> values of classes that Python derives from it."""
UNDER_A_KEY = (1, {"a": 1}, ["a"])
"""What stands under a key of which nothing is known."""

Pair = tuple[object, ast.expr]
"""An operand, and what to put in its place."""


class Guidance:
    """Makes calls from operands; `examples` returns sources of values of a type, by its name, and
    `values` such of what stands under a key."""

    def __init__(
        self,
        examples: Callable[[str], Sequence[str]],
        rng: random.Random,
        values: Callable[[str], Sequence[str]] = lambda _: (),
    ) -> None:
        self.examples = examples
        self.values = values
        self.rng = rng
        self.nearer: list[Call] = []
        """Calls that were yielded with a number moved, or with a key that was lacking: they may be
        near what they were to reach, and lack another one."""

    def solutions(self, call: Call, operands: Sequence[Operands]) -> Iterator[Call]:
        """Yields variations of `call`: one for each comparison, then another for each, and so on;
        several for a look-up that failed, for each key may lead elsewhere."""
        waiting = [
            (self._answers(call, row), MOST_KEYS if row.operation in ("key", "name") else 1)
            for row in operands
        ]
        while waiting:
            for row in [*waiting]:
                answers, several = row
                for _ in range(several):
                    if (answer := next(answers, None)) is None:
                        waiting.remove(row)
                        break
                    yield answer

    def _answers(self, call: Call, row: Operands) -> Iterator[Call]:
        found = False
        if row.operation == "name":
            yield from self._named(call, _value(row.left), row.items)
        for have, want in self._pairs(row):
            for answer in replaced(call, have, want):
                found = True
                if row.operation == "key" and isinstance(want, ast.Dict):
                    self.nearer.append(answer)
                yield answer
        if not found:
            for answer in _moved(call, row):
                self.nearer.append(answer)
                yield answer

    def _named(self, call: Call, word: object, items: Sequence[str]) -> Iterator[Call]:
        """Yields the call with other words among the keys of its tables in which a word stands:
        in its place, or beside it, with values of several kinds."""
        tables = [table for table in _tables(call) if _is_key(word) and word in table]
        for item in self._some(items, MOST_KEYS) if tables else ():
            key = ast.literal_eval(item)
            for table in self.rng.sample(tables, min(len(tables), MOST_TABLES)):
                value = self.rng.choice(_kinds(table, word))
                rest = {k: v for k, v in table.items() if k != word}
                for changed in ({**table, key: value}, {**rest, key: value}):
                    yield from replaced(call, table, constant_of(changed))

    def _pairs(self, row: Operands) -> Iterator[Pair]:
        left, right = _value(row.left), _value(row.right)
        if row.operation.startswith("len "):
            sizes = [_value(size) for size in row.items[:MOST_ITEMS]]
            yield from (pair for size in sizes for pair in _sized(left, size, near=()))
            yield from _sized(left, right)
        elif row.operation == "isinstance":
            for name in row.items:
                for source in self.examples(name)[:MOST_ITEMS]:
                    if (want := shared_expression(source)) is not None:
                        yield left, want
        elif row.operation == "derived":
            for source in DERIVED.get(type(left), ()):
                if (want := shared_expression(source.format(value=row.left))) is not None:
                    yield left, want
        elif row.operation in ("match", "find"):
            yield from self._matching(left, right, anywhere=row.operation == "find")
        elif row.operation == "truth":
            yield from _opposite(left)
        elif row.operation in ("int", "float"):
            yield from ((left, ast.Constant(text)) for text in NUMBERS[row.operation])
        elif row.operation == "name":
            yield from ((left, want) for want in self._some(row.items))
        elif row.operation == "key":
            yield from ((left, want) for want in self._some(row.items, MOST_KEYS))
            if isinstance(right, dict) and _is_key(left):
                yield from ((right, want) for want in self._with_key(right, left))
        elif row.operation in ("in", "not in"):
            yield from self._containing(left, right, row.items)
        elif row.operation in ("startswith", "endswith"):
            yield from _affixed(left, right, at_end=row.operation == "endswith")
        else:
            yield from _near(left, right)
            yield from _near(right, left)

    def _with_key(self, table: dict[object, object], key: object) -> Iterator[ast.expr]:
        """Yields a table with another key: with what the program has under it, else with a number,
        a table, or a list."""
        known = self.values(key) if isinstance(key, str) else ()
        for value in (*map(_value, known[:MOST_ITEMS]), *UNDER_A_KEY):
            if value is not UNKNOWN:
                yield constant_of({**table, key: value})

    def _some(self, items: Sequence[str], most: int = MOST_ITEMS) -> list[ast.expr]:
        """Returns the first one of some items, which people mostly know best, and others."""
        chosen = [*items[:1], *self.rng.sample(items[1:], min(most, len(items)) - len(items[:1]))]
        return [tree for item in chosen if (tree := shared_expression(item)) is not None]

    def _containing(self, left: object, right: object, items: Sequence[str]) -> Iterator[Pair]:
        yield from ((left, want) for want in self._some(items))
        if isinstance(left, str) and isinstance(right, str):
            yield right, ast.Constant(_joined(right, left))
            yield right, ast.Constant(_joined(left, right))
            yield from ((left, ast.Constant(right[:size])) for size in (1, len(right)) if right)
        elif isinstance(right, list | tuple) and left is not UNKNOWN:
            yield right, constant_of(type(right)([*right, left]))
        elif isinstance(right, set) and _is_key(left):
            yield right, constant_of({*right, left})
        elif isinstance(right, dict) and _is_key(left):
            yield right, constant_of({**right, left: 1})

    def _matching(self, left: object, right: object, *, anywhere: bool) -> Iterator[Pair]:
        if isinstance(left, str) and isinstance(right, str):
            for plain in (True, self.rng.random() < PLAIN):
                text = text_matching(right, self.rng, plain=plain)
                if text is not None:
                    yield left, ast.Constant(text)
                    if anywhere and text:
                        yield left, ast.Constant(_joined(left, text))


def _tables(call: Call) -> list[dict[object, object]]:
    """Returns the tables in the arguments of a call, of those before it and of its object."""
    values = [value for part in call.chain for value in (*dict(part.values).values(), *part.extra)]
    found = (literal for value in values for _, literal in literals_of(value)[1])
    return [literal for literal in found if isinstance(literal, dict)]


def _kinds(table: dict[object, object], word: object) -> list[object]:
    """Returns values of several kinds for another key beside a word."""
    return [True, 1, "a", [1], [table[word]], ["a", "b"], {"a": 1}, table, table[word]]


def _opposite(value: object) -> Iterator[Pair]:
    """Yields values of the same type that are true where this one is false, or the reverse."""
    if isinstance(value, bool | int | float | str | bytes | list | tuple | set | dict):
        kind = type(value)
        yield value, constant_of(kind() if value else FILLED[kind])


def _is_key(value: object) -> bool:
    """Whether a literal can be an item of a set or a key of a table."""
    try:
        hash(value)
    except TypeError:
        return False
    return value is not UNKNOWN


def _near(have: object, wanted: object) -> Iterator[Pair]:
    """Yields the wanted value and its neighbours; of numbers, also the characters that they may
    stand for."""
    if type(wanted) in (int, float) and type(have) in (int, float, str):
        assert isinstance(wanted, int | float)
        for number in (wanted, wanted + 1, wanted - 1):
            yield have, constant_of(number)
        if type(have) is int and type(wanted) is int and {have, wanted} <= CHARACTERS:
            yield chr(have), ast.Constant(chr(wanted))
    elif isinstance(wanted, str | bytes | bool | None | list | tuple | dict | set):
        yield have, constant_of(wanted)


def _moved(call: Call, row: Operands) -> Iterator[Call]:
    """Yields the call with a number moved by as much as turns a comparison of two numbers that were
    reckoned from it: by their distance, and by their ratio."""
    left, right = _value(row.left), _value(row.right)
    if type(left) not in (int, float) or type(right) not in (int, float):
        return
    assert isinstance(left, int | float)
    assert isinstance(right, int | float)
    step = STEPS.get((row.operation, left < right, left == right), 0)
    for have, want in ((left, right + step), (right, left - step)):
        for number in _numbers(call)[:MOST_MOVED]:
            for new in (number + want - have, number * want / have if have else number):
                if new != number and abs(new) < FARTHEST:
                    yield from replaced(call, number, constant_of(type(number)(new)))


def _numbers(call: Call) -> list[int | float]:
    """Returns the numbers in the arguments of a call."""
    literals = (literals_of(value)[1] for value in (*(v for _, v in call.values), *call.extra))
    values = dict.fromkeys(v for found in literals for _, v in found if type(v) in (int, float))
    return [value for value in values if isinstance(value, int | float)]


def _affixed(text: object, affix: object, *, at_end: bool) -> Iterator[Pair]:
    affixes = affix if isinstance(affix, tuple) else (affix,)
    for part in affixes[:MOST_ITEMS]:
        if isinstance(text, str) and isinstance(part, str):
            yield text, ast.Constant(_joined(text, part) if at_end else _joined(part, text))
            yield text, ast.Constant(part)
        elif isinstance(text, bytes) and isinstance(part, bytes):
            yield text, ast.Constant(text + part if at_end else part + text)


def _joined(first: str, second: str) -> str:
    """Returns two texts as one, with a blank between two words where one of them has blanks."""
    words = first[-1:].isalpha() and second[:1].isalpha()
    return f"{first} {second}" if words and " " in first + second else first + second


def _sized(value: object, size: object, near: Sequence[int] = (1, -1)) -> Iterator[Pair]:
    """Yields containers of the wanted size, and of those `near` it by as many items."""
    if type(size) is not int or not isinstance(value, str | bytes | list | tuple):
        return
    for wanted in (size, *(size + more for more in near)):
        if 0 <= wanted <= MOST_SIZE and wanted != len(value):
            full: object = value
            if len(value) < wanted:
                filler = value or ("a" if isinstance(value, str) else (1,))
                if isinstance(value, bytes):
                    filler = value or b"a"
                elif isinstance(value, list):
                    filler = value or [1]
                full = filler * (wanted // len(filler) + 1)
            yield value, constant_of(full[:wanted])  # type: ignore[index]


@lru_cache(maxsize=4096)
def _value(source: str | None) -> object:
    """Returns the value of a literal's source."""
    if source is None:
        return UNKNOWN
    tree = shared_expression(source)
    return UNKNOWN if tree is None else literal_of(tree)


def rows_near(
    operands: Sequence[Operands], missing: Mapping[tuple[int, int], int], most: int
) -> list[Operands]:
    """Returns the rows, those at branching statements with uncovered sides first, then those a few
    lines above one, and few others: look-ups and patterns stand beside the branches that they
    decide. Of a place that has many, most come after those of other places."""
    known: Counter[tuple[int, int, str]] = Counter()
    turns: list[tuple[int, tuple[int, int]]] = []
    for row in operands:
        place = (row.site, row.line, row.operation)
        turns.append((known[place] // FIRST_OF_PLACE, _lines_before(row, missing)))
        known[place] += 1
    near = sum(before[0] < FAR for _, before in turns)
    ordered = sorted(zip(turns, operands, strict=True), key=lambda pair: pair[0])
    return [row for _, row in ordered[: min(most, near + MOST_ELSEWHERE)]]


def _lines_before(row: Operands, missing: Mapping[tuple[int, int], int]) -> tuple[int, int]:
    """Returns how many lines below a row the next uncovered side stands, and how few of them; the
    methods that could be looked up by another name stand elsewhere."""
    if row.operation == "name":
        return 0, -MOST_KEYS
    for lines in range(FAR):
        if sides := missing.get((row.site, row.line + lines), 0):
            return lines, -sides
    return FAR, 0
