"""Notes both sides of the comparisons that a program makes: what an input would have to be.

The idea is input-to-state correspondence (Aschermann et al., REDQUEEN, NDSS 2019): a value that is
compared and stands in the input is replaced there by what it is compared with. Loaded by path in
the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import ast
import enum
import operator
import os
import re
import time
from collections.abc import Callable, Mapping
from typing import Any

WATCH = "__lift_watch__"
PROBES = "'__lift_"
"""How the text of a name begins that only the instrumented program has, among the builtins too."""
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
OPERATIONS: dict[str, Callable[..., Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge, "is": operator.is_, "is not": operator.is_not,
    "in": lambda item, container: item in container,
    "not in": lambda item, container: item not in container,
    "isinstance": isinstance,
    "startswith": lambda text, start, *at: text.startswith(start, *at),
    "endswith": lambda text, end: text.endswith(end),
    "key": lambda table, key: table[key],
    "get": lambda table, key: table.get(key),
    "case": lambda subject, values: subject,
    "getattr": getattr, "hasattr": hasattr,
    "truth": lambda value: value,
    "int": lambda text: int(text),
    "float": lambda text: float(text),
}  # fmt: skip
OF_SIZES = frozenset({"==", "!=", "<", "<=", ">", ">=", "in", "not in"})
"""Comparisons of a length."""
OF_TYPES = frozenset({"==", "!=", "is", "is not", "in", "not in"})
"""Comparisons that ask for the type of a value."""
ASKING = (("getattr", 2), ("getattr", 3), ("hasattr", 2))
"""Functions that look for an attribute by its name, and their numbers of arguments."""
METHODS = {"startswith": 2, "endswith": 1, "get": 1}
"""Method -> most arguments with which it is watched."""
MATCHING = {"match": 0, "fullmatch": 0, "search": 0, "findall": 0, "finditer": 0, "split": 0,
            "sub": 1, "subn": 1}  # fmt: skip
"""Method of a pattern -> which of its arguments is the text."""
ANCHORED = frozenset({"match", "fullmatch"})
PLAIN = ast.Name | ast.Attribute | ast.Constant
"""Expressions that may be evaluated where the program might not: nothing happens by it."""
MOST_OF_A_PLACE = 6
"""Most different operands that are noted of one place in one case."""
MOST_ITEMS = 8
MOST_KEYS = 40
"""Most items, or keys, of a container that are noted beside what was not among them."""
LONGEST, LONGEST_PATTERN = 120, 2500
FLAGS = {re.A: "a", re.I: "i", re.M: "m", re.S: "s", re.X: "x"}
"""Flag of a pattern -> how the pattern itself says it."""
BITS_OF_DIGIT = 4
"""More bits than a decimal digit has. Python refuses to write a very long number at all."""
CLASSES = (tuple, list, set, frozenset)
"""Containers in which classes are kept."""
SCALARS = (str, bytes, int, float, bool, type(None))
NEAR_NOW = 3600.0
"""Seconds from now within which a number comes from a clock."""
UNITS_OF_TIME = (1, 1000, 10**9)
"""Whole numbers that one second is in times that programs keep."""
DIGITS_OF_CLOCK = 5
"""Decimals that a reading of a clock has at least, which numbers that people write have not."""


class Watching(ast.NodeTransformer):
    """Lets comparisons, tests of types and texts, and look-ups go through `ComparisonLog.watch`."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.line = 0
        """First line of the branching statement in whose condition the node stands, else 0."""

    def _watched(self, node: ast.expr, operation: str, *sides: ast.expr) -> ast.expr:
        line = self.line or node.lineno
        about = [ast.Constant(self.first), ast.Constant(line), ast.Constant(operation)]
        call = ast.Call(ast.Name(WATCH, ast.Load()), [*about, *sides], [])
        return ast.copy_location(call, node)

    def _branch(self, node: Any) -> ast.AST:
        outer, self.line = self.line, node.lineno
        node.test = self._truth(self.visit(node.test))
        self.line = outer
        for name in ("body", "orelse"):
            part = getattr(node, name)
            setattr(node, name, [self.visit(n) for n in part] if isinstance(part, list)
                    else self.visit(part))  # fmt: skip
        return node  # type: ignore[no-any-return]

    def _truth(self, test: ast.expr) -> ast.expr:
        """Returns the condition with what is only true or false in it watched."""
        if isinstance(test, ast.BoolOp):
            test.values = [self._truth(value) for value in test.values]
        elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test.operand = self._truth(test.operand)
        elif isinstance(test, ast.Name | ast.Attribute):
            return self._watched(test, "truth", test)
        return test

    visit_If = visit_While = visit_IfExp = _branch

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        operation = COMPARISONS[type(node.ops[0])]
        if len(node.ops) > 1:
            return self._chain(node)
        left, right = node.left, node.comparators[0]
        if _is_call_of(left, "type", 1) and operation in OF_TYPES:
            assert isinstance(left, ast.Call)
            return self._watched(node, f"type {operation}", left.args[0], right)
        if _is_call_of(left, "len", 1) and operation in OF_SIZES:
            assert isinstance(left, ast.Call)
            return self._watched(node, f"len {operation}", left.args[0], right)
        return self._watched(node, operation, left, right)

    def _chain(self, node: ast.Compare) -> ast.expr:
        """Returns a comparison of three values as two, where asking twice changes nothing."""
        sides = [node.left, *node.comparators]
        if len(sides) > 3 or not all(isinstance(side, PLAIN) for side in sides):
            return node
        names = [COMPARISONS[type(op)] for op in node.ops]
        pairs = zip(names, sides, sides[1:], strict=False)
        both = [self._watched(node, name, left, right) for name, left, right in pairs]
        return ast.copy_location(ast.BoolOp(ast.And(), both), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if _is_call_of(node, "isinstance", 2):
            return self._watched(node, "isinstance", *node.args)
        if _is_call_of(node, "int", 1) or _is_call_of(node, "float", 1):
            assert isinstance(node.func, ast.Name)
            return self._watched(node, node.func.id, *node.args)
        if any(_is_call_of(node, *one) for one in ASKING) and not isinstance(
            node.args[1], ast.Constant
        ):
            assert isinstance(node.func, ast.Name)
            return self._watched(node, node.func.id, *node.args)
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        plain = not node.keywords and not any(isinstance(a, ast.Starred) for a in node.args)
        if not plain or not isinstance(node.func, ast.Attribute):
            return node
        if method in METHODS and 1 <= len(node.args) <= METHODS[method]:
            return self._watched(node, method, node.func.value, *node.args)
        if method in MATCHING and 1 <= len(node.args) <= 3:
            return self._watched(node, f"{method}()", node.func.value, *node.args)
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:
        self.generic_visit(node)
        values = [n.value for n in ast.walk(node) if isinstance(n, ast.MatchValue)]
        plain = [n for n in values if isinstance(n, ast.Constant)]
        if plain:
            wanted = ast.Tuple([ast.Constant(n.value) for n in plain[:MOST_ITEMS]], ast.Load())
            self.line = node.lineno
            node.subject = self._watched(node.subject, "case", node.subject, wanted)
            self.line = 0
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load) and not isinstance(node.slice, ast.Slice | ast.Tuple):
            return self._watched(node, "key", node.value, node.slice)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        return node


def _is_call_of(node: ast.expr, name: str, arguments: int) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == name
        and len(node.args) == arguments
        and not node.keywords
        and not any(isinstance(argument, ast.Starred) for argument in node.args)
    )


def watched(tree: ast.Module, first: int) -> ast.Module:
    """Returns the tree of a module whose first probe has the number `first`, with its comparisons
    watched; annotations and defaults are left alone."""
    changed = Watching(first).visit(tree)
    assert isinstance(changed, ast.Module)
    return ast.fix_missing_locations(changed)


class ComparisonLog:
    """Rows of what was compared since the last `taken`."""

    def __init__(self) -> None:
        self.rows: dict[tuple[Any, ...], None] = {}
        self.places: dict[tuple[int, int, str], int] = {}
        self.looked_for: set[tuple[int, int, int, str]] = set()
        """Places, numbers of classes and names of attributes that were looked for."""

    def taken(self) -> list[tuple[Any, ...]]:
        """Returns (first probe of the module, line, operation, left, right, items) of each
        comparison, each once; sides are sources of literals, or None."""
        rows = list(self.rows)
        self.rows.clear()
        self.places.clear()
        self.looked_for.clear()
        return rows

    def watch(self, first: int, line: int, operation: str, left: Any, *right: Any) -> Any:
        """Does what the program does, and notes the operands where they are literals."""
        if operation.startswith("len "):
            size = len(left)
            sizes = _items(right[0]) if operation.endswith(" in") else ()
            self._note(first, line, operation, left, right[0], sizes)
            return OPERATIONS[operation[4:]](size, right[0])
        if operation.startswith("type "):
            exact = type(left) in (right[0] if isinstance(right[0], CLASSES) else (right[0],))
            names = _type_names(right[0])
            self._note(first, line, "derived" if exact else "isinstance", left, None, names)
            return OPERATIONS[operation[5:]](type(left), right[0])
        if operation.endswith("()"):
            self._note_match(first, line, left, right, operation[:-2])
            return getattr(left, operation[:-2])(*right)
        if operation in ("in", "not in"):
            self._note(first, line, operation, left, right[0], _items(right[0]))
        elif operation == "isinstance":
            self._note(first, line, operation, left, None, _type_names(right[0]))
        elif operation in ("key", "get"):
            table = left.__members__ if isinstance(left, enum.EnumMeta) else left
            if isinstance(table, Mapping) and type(right[0]) in SCALARS and right[0] not in table:
                self._note(first, line, "key", right[0], left, _items(table))
        elif operation in ("getattr", "hasattr"):
            self._note_name(first, line, left, right[0])
        elif operation in ("truth", "int", "float"):
            if operation == "truth" or isinstance(left, str | bytes):
                self._note(first, line, operation, left, None, ())
        elif operation == "case":
            self._note(first, line, "in", left, None, _items(right[0]))
        else:
            self._note(first, line, operation, _rest(left, right), right[0], ())
        return OPERATIONS[operation](left, *right)

    def _note_match(
        self, first: int, line: int, left: Any, right: tuple[Any, ...], method: str
    ) -> None:
        at = MATCHING[method]
        if left is re:
            pattern, given = right[0], right[1:]
        else:
            pattern, given = left, right
        if (not isinstance(left, re.Pattern) and left is not re) or len(given) <= at:
            return
        text = _rest(given[at], given) if at == 0 else given[at]
        pattern = _pattern(pattern) if isinstance(pattern, re.Pattern) else pattern
        operation = "match" if method in ANCHORED else "find"
        self._note(first, line, operation, text, pattern, (), LONGEST_PATTERN)

    def _note_name(self, first: int, line: int, owner: Any, name: Any) -> None:
        """Notes the word in the name of an attribute that is looked for, with the words in the
        names of others."""
        if type(name) is not str or self.places.get((first, line, "name"), 0) >= MOST_OF_A_PLACE:
            return
        kind = owner if isinstance(owner, type) else type(owner)
        looked_for = (first, line, id(kind), name)
        if looked_for in self.looked_for:
            return  # listing the names of a class takes longer than looking for one of them
        self.looked_for.add(looked_for)
        word, others = _words_of(name, dir(kind))
        if others:
            self._note(first, line, "name", word, None, others)

    def _note(
        self, first: int, line: int, operation: str, left: Any, right: Any, items: tuple[str, ...],
        longest: int = LONGEST,
    ) -> None:  # fmt: skip
        place = (first, line, operation)
        if self.places.get(place, 0) >= MOST_OF_A_PLACE:
            return
        sides = (_source(left), _source(right, longest))
        if sides == (None, None) and not items:
            return
        row = (*place, *sides, items)
        if row not in self.rows:
            self.rows[row] = None
            self.places[place] = self.places.get(place, 0) + 1


def _rest(text: Any, arguments: tuple[Any, ...]) -> Any:
    """Returns what of a text a look-up sees that begins at its second argument."""
    if len(arguments) == 2 and isinstance(text, str | bytes) and type(arguments[1]) is int:
        return text[arguments[1] :]
    return text


def _pattern(compiled: re.Pattern[Any]) -> Any:
    """Returns the text of a pattern, with its flags at the beginning."""
    flags = "".join(letter for flag, letter in FLAGS.items() if compiled.flags & flag)
    if not flags or not isinstance(compiled.pattern, str):
        return compiled.pattern
    return f"(?{flags}){compiled.pattern}"


def _source(value: Any, longest: int = LONGEST) -> str | None:
    """Returns the source of a literal, None for another value, a long one or a time of a clock,
    which is another one where a test runs."""
    if type(value) in SCALARS:
        if _is_long(value, longest) or (type(value) in (int, float) and _of_clock(value)):
            return None
        text = repr(value)
    elif type(value) in (list, tuple, set, dict, frozenset) and len(value) <= MOST_ITEMS:
        pairs = [*value, *value.values()] if isinstance(value, dict) else value
        if any(type(item) not in SCALARS or _is_long(item, longest) for item in pairs):
            return None
        text = repr(value)
    else:
        return None
    return text if len(text) <= longest and text not in ("nan", "inf", "-inf") else None


def _is_long(value: Any, longest: int) -> bool:
    """Whether a value is a number of more digits than that."""
    return type(value) is int and value.bit_length() > BITS_OF_DIGIT * longest


def _of_clock(number: float) -> bool:
    """Whether a number is about now by one of the clocks of `time`."""
    if type(number) is int:
        now = time.time()
        return any(abs(number - now * unit) < NEAR_NOW * unit for unit in UNITS_OF_TIME)
    if round(number, DIGITS_OF_CLOCK) == number:
        return False
    return any(abs(number - now) < NEAR_NOW for now in (time.time(), time.monotonic()))


def _items(container: Any) -> tuple[str, ...]:
    """Returns the first literal items, or keys, of a container of Python's own; none of the
    environment, which is another one where a test runs, and no name that the probes have."""
    if container is os.environ:
        return ()
    if not isinstance(container, dict | list | tuple | set | frozenset | Mapping):
        return ()
    found = []
    for item in container:
        text = _source(item)
        if text is not None and not text.startswith(PROBES):
            found.append(text)
        if len(found) == MOST_KEYS:
            break
    return tuple(found)


def _words_of(name: str, names: list[str]) -> tuple[str, tuple[str, ...]]:
    """Returns the part of a name before or after which other names are alike, and these parts of
    theirs: ``min``, ``max`` and ``type`` for ``_validate_min``."""
    parts = [at + 1 for at, letter in enumerate(name) if letter == "_" and 0 < at < len(name) - 1]
    for at in reversed(parts if not name.startswith("__") else ()):
        begun = [one[at:] for one in names if one.startswith(name[:at]) and one != name]
        if len(begun) > 1:
            return name[at:], tuple(map(repr, filter(None, begun[:MOST_KEYS])))
    for end in (at - 1 for at in parts):
        ending = name[end:]
        ended = [one.removesuffix(ending) for one in names if one.endswith(ending) and one != name]
        if len(ended) > 1:
            return name[:end], tuple(map(repr, filter(None, ended[:MOST_KEYS])))
    return name, ()


def _type_names(classinfo: Any) -> tuple[str, ...]:
    kinds = [*classinfo] if isinstance(classinfo, CLASSES) else [classinfo]
    return tuple(kind.__name__ for kind in kinds[:MOST_ITEMS] if isinstance(kind, type))
