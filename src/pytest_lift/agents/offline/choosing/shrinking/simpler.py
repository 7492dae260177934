"""Makes calls that have one thing less than another one, or plainer values."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from dataclasses import replace

from pytest_lift.agents.offline.arguments.trees.nodes import node_of
from pytest_lift.agents.offline.arguments.trees.smaller import smaller_node
from pytest_lift.agents.offline.choosing.options.words import without_word
from pytest_lift.agents.offline.choosing.shrinking.contents import (
    shorter_contents,
    shorter_input,
    shorter_texts,
)
from pytest_lift.agents.offline.choosing.shrinking.idle_files import in_no_folder, with_fewer_files
from pytest_lift.agents.offline.natural.dicts.fewer import with_fewer_members
from pytest_lift.agents.offline.natural.kinds import PLAIN_FUNCTIONS, is_function
from pytest_lift.agents.offline.natural.oddness import ODD_CALLS, oddness
from pytest_lift.agents.offline.natural.renaming import with_letters
from pytest_lift.calls.call import RECORDER, Call
from pytest_lift.source.special_methods import OPERATORS
from pytest_lift.source.syntax import is_none, leaf, parsed_expression, written_with

WORDS = ("a", "hello")
MOMENTS = frozenset({"datetime", "date"})
LETTERS = ("'a'", "'b'", "'c'", "'d'")
LIKE_DICTS = frozenset({"OrderedDict", "Counter", "defaultdict", "ChainMap", "MappingProxyType"})
"""What makes objects of Python's own that are used like dicts."""
PLAIN = {
    "str": tuple(repr(word) for word in WORDS), "int": ("1", "2", "3"), "float": ("1.5",),
    "bool": ("1", "2", "0"), "complex": ("1", "1.5"), "bytes": ("b'a'", "'a'"),
    "List": ("[1, 2, 3]", "[1]", "'a'"), "Dict": ("{'a': 1}", "'a'"), "Tuple": ("(1, 2)", "'a'"),
    "Set": ("{1, 2}", "'a'"),
    "BinOp": ("1", "1.5", "2", "1000", "100000"), "UnaryOp": ("1", "-1"),
    "Call": ("1", "'a'", "[1, 2, 3]"), "Lambda": ("len", "str"),
}  # fmt: skip
"""Kind of an argument -> what a person would type in its place."""
PLAIN_ITEMS = ("'a'", "1")
"""What a person stores where any value may be."""
WITHOUT_END = ("1.5", "0", "-1", "1000")
"""Numbers that a person types in the place of ``float('inf')`` and ``float('-inf')``, beside 1."""
FRACTION = 1.5
"""The same inside of an argument."""
ROUND = (10, 100, 1000)
"""Numbers that a person types in the place of larger ones."""
DIGITS = (1, 2, 3)
"""Digits after the point that a person types."""
MOST_INSIDE = 3
"""Most parts of an argument that are tried in its place."""
PLACED = re.compile(r"'(input|output|other|data)\b[\w.]*'")
"""File or folder that a test makes."""


def simpler(call: Call) -> Iterator[Call]:
    """Yields calls with one thing less: a line, an option, an item, a piece of text; or with a
    plainer argument."""
    if any(part.folder for part in call.chain) and not any(part.files for part in call.chain):
        yield in_no_folder(call)
    yield from _without_block(call)
    plain = _plainest(call)
    bare = [replace(plain, before=()), replace(call, before=())] if call.before else []
    bare += [replace(call, extra=())] if len(call.extra) > 1 else []
    for whole in (*bare, *_without_options(plain), plain):
        if whole != call:
            yield whole
    yield from with_fewer_members(call)
    yield from with_fewer_files(call)
    yield from _with_fewer_words(call)
    yield from with_letters(call)
    yield from _with_distinct_texts(call)
    yield from _without_lines(call)
    yield from _with_plain_values(call)
    for name, value in _literals(call):
        compared = call.target.leaf in OPERATORS and value in ("True", "False", "None")
        for text in ("1", "'a'") if compared else (*plainer(value), *inside(value)):
            yield call.with_value(name, text)
    for at, value in enumerate(call.extra):
        yield replace(call, extra=call.extra[:at] + call.extra[at + 1 :])
        for text in (*plainer(value), *inside(value)):
            yield call.with_extra(at, text)
    for name in call.options:
        if name in call.given:
            yield call.without(name)
    if call.receiver is not None:
        for receiver in simpler(call.receiver):
            yield replace(call, receiver=receiver)
    for at, line in enumerate(call.before):
        for smaller in simpler(line):
            yield replace(call, before=(*call.before[:at], smaller, *call.before[at + 1 :]))
    for name, value in _literals(call):
        for text in simpler_expressions(value):
            yield call.with_value(name, text)
    for name, content in call.files.items():
        for text in shorter_contents(name, content):
            yield replace(call, files={**call.files, name: text})
    if call.argv and not call.target.entry:
        yield from (replace(call, argv=line) for line in ((), call.argv[:-1]) if line != call.argv)
    if call.stdin:
        for text in shorter_input(call.stdin):
            yield replace(call, stdin=text)


def _without_block(call: Call) -> Iterator[Call]:
    """Yields the call in a block that no exception leaves, and without the block, if that only
    gives the object."""
    if call.interrupted:
        yield call.but(interrupted=False)
    manager = call.manager
    if call.entered and manager is not None and manager.enters == "sync" and not manager.apart:
        yield call.but(entered=False, interrupted=False)


def _with_fewer_words(call: Call) -> Iterator[Call]:
    """Yields a command of the program's without any of its words, and without one of them, with the
    files that no other word names."""
    name, *words = call.argv if call.target.entry and call.argv else ("",)
    fewer = [without_word(words, at) for at in range(len(words))]
    # An option that went with its value may be a switch, which comes last: it takes no other there.
    both = [at for at, left in enumerate(fewer) if len(left) == len(words) - 2]
    fewer += [[*fewer[at], words[at - 1]] for at in both]
    for left in ([], *fewer) if len(words) > 1 else fewer:
        unnamed = {one for one in words if one not in left}
        files = {path: text for path, text in call.files.items() if path not in unnamed}
        yield replace(call, argv=(name, *left), files=files)


def _without_options(call: Call) -> Iterator[Call]:
    """Yields the call without any option, its object's included, if there is one."""
    bare = call
    for name in call.options:
        bare = bare.without(name)
    if bare.receiver is not None:
        bare = replace(bare, receiver=next(_without_options(bare.receiver), bare.receiver))
    if bare != call:
        yield bare


def _plainest(call: Call) -> Call:
    """Returns the call with the first plainer expression for every argument that has one."""
    plain = {name: next(plainer(value), value) for name, value in _literals(call)}
    values = tuple((name, plain.get(name, value)) for name, value in call.values)
    return replace(
        call,
        values=values,
        extra=tuple(next(plainer(value), value) for value in call.extra),
        receiver=None if call.receiver is None else _plainest(call.receiver),
        before=tuple(_plainest(line) for line in call.before),
    )


def _with_plain_values(call: Call) -> Iterator[Call]:
    """Yields the call with a number or a text in the place of each object that the story makes."""
    made = {line.bound for line in call.before if line.bound}
    for name, value in call.values if made else ():
        yield from (call.with_value(name, text) for text in PLAIN_ITEMS if value in made)
    for at, line in enumerate(call.before) if made else ():
        for name, value in line.values:
            for text in PLAIN_ITEMS if value in made else ():
                plain = line.with_value(name, text)
                yield replace(call, before=(*call.before[:at], plain, *call.before[at + 1 :]))


def _literals(call: Call) -> Iterator[tuple[str, str]]:
    """Yields the arguments of a call, the oddest ones first, but for its files, whose names tell
    what they are."""
    for name, value in sorted(call.values, key=lambda pair: -oddness(pair[1])):
        fixed = any(name == own for own, _ in call.target.given)
        if not fixed and not (call.folder and PLACED.search(value)):
            yield name, value


def _without_lines(call: Call) -> Iterator[Call]:
    """Yields calls without one of the lines before, with the first of them in the chain that makes
    the object, and without the last call."""
    for at in range(len(call.before)):
        yield replace(call, before=call.before[:at] + call.before[at + 1 :])
        inner = call.before[at].receiver
        if inner is not None:
            yield replace(call, before=(*call.before[:at], inner, *call.before[at + 1 :]))
    if call.subject or call.receiver is None:
        return
    if call.before:
        first, *rest = call.before
        if first.target.kind in ("method", "property") and not first.bound:
            made = replace(first, subject="", receiver=call.receiver)
            yield replace(call, receiver=made, before=tuple(rest))
        *earlier, last = call.before
        yield replace(
            last, subject="", bound="", receiver=call.receiver, name=call.name,
            before=tuple(earlier), seeds=call.seeds,
        )  # fmt: skip
    elif call.receiver.receiver is not None:
        yield replace(call.receiver, seeds=call.seeds)
        chain = call.receiver
        while chain.receiver is not None:
            chain = chain.receiver
            yield replace(call, receiver=chain)
        yield from _without_links(call)
    elif call.target.kind == "statement":
        yield replace(call.receiver, seeds=call.seeds)


def _with_distinct_texts(call: Call) -> Iterator[Call]:
    """Yields the call with another letter for each argument that is the letter of one before it: a
    test would not notice if the two changed places."""
    taken: set[str] = set()
    values = []
    for name, value in call.values:
        free = next((letter for letter in LETTERS if letter not in taken), value)
        values.append((name, free if value in taken and value in LETTERS else value))
        taken.add(values[-1][1])
    if tuple(values) != call.values:
        yield call.but(values=tuple(values))


def _without_links(call: Call) -> Iterator[Call]:
    """Yields a call on a chain with one of its calls left out: ``every().monday`` for
    ``every().day.monday``."""
    receiver = call.receiver
    if receiver is not None and receiver.receiver is not None:
        yield call.but(receiver=receiver.receiver)
        yield from (call.but(receiver=one) for one in _without_links(receiver))


def plainer(expression: str) -> Iterator[str]:
    """Yields what a person would type in the place of an argument."""
    node = parsed_expression(expression)
    if node is None or is_none(node):
        return
    if RECORDER in expression:
        yield from ("len", "str") if expression == RECORDER else (RECORDER,)
        return
    if isinstance(node, ast.Name) and expression.isupper():
        yield "'a'"  # a constant of the program, where any text may do
        return
    if isinstance(node, ast.Name) and is_function(expression):
        yield from (one for one in PLAIN_FUNCTIONS if one != expression)
        return
    if (letters := _of_letters(node)) not in ("", expression):
        yield letters
    if isinstance(node, ast.Call) and leaf(node.func) == "float":
        yield from WITHOUT_END
    if isinstance(node, ast.Call) and leaf(node.func) in LIKE_DICTS:
        yield from (*PLAIN["Dict"][:1], "{}")
    constant = isinstance(node, ast.Constant)
    kind = type(node.value).__name__ if isinstance(node, ast.Constant) else type(node).__name__
    for text in PLAIN.get(kind, ()):
        if text != expression and (constant or oddness(text) <= oddness(expression)):
            yield text
    if isinstance(node, ast.Call) and leaf(node.func)[:1].islower():
        yield "b'hello'"  # functions give bytes, too, where classes give objects
    if isinstance(node, ast.Call) and node.keywords and isinstance(node.func, ast.Name):
        yield ast.unparse(ast.Call(node.func, node.args, []))
    if (word := _as_long(node)) not in ("", expression):
        yield word


def inside(expression: str) -> Iterator[str]:
    """Yields the containers that an object is made of, the largest first: ``{'a': 1}`` of
    ``Schema({'a': 1}).root``, where the object itself plays no part."""
    node = parsed_expression(expression) if "(" in expression else None
    parts = ast.walk(node) if isinstance(node, ast.Call | ast.Attribute) else ()
    made = (part for part in parts if isinstance(part, ast.List | ast.Dict | ast.Tuple))
    found = {ast.unparse(part): None for part in made if _has_items(part)}
    yield from sorted(found, key=len, reverse=True)[:MOST_INSIDE]


def _has_items(node: ast.List | ast.Dict | ast.Tuple) -> bool:
    return bool(node.keys if isinstance(node, ast.Dict) else node.elts)


def _of_letters(node: ast.expr) -> str:
    """Returns ``['a', 'b']`` for a container of two texts; "" for all else."""
    items = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else []
    texts = [one for one in items if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    if not 0 < len(items) == len(texts) <= len(LETTERS):
        return ""
    letters = ", ".join(LETTERS[: len(items)])
    match node:
        case ast.List():
            return f"[{letters}]"
        case ast.Set():
            return f"{{{letters}}}"
    return f"({letters},)" if len(items) == 1 else f"({letters})"


def _as_long(node: ast.expr) -> str:
    """Returns ``'abc'`` for a text of three characters and for a list of three items, whose length
    alone may matter; "" for all else."""
    match node:
        case ast.Constant(value=str(text)):
            length = len(text)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            length = len(items)
        case _:
            return ""
    return repr("abc"[:length]) if length in (2, 3) else ""


def simpler_expressions(expression: str) -> Iterator[str]:
    """Yields the expression with one literal made shorter, or the last call of a chain left out; of
    a node of Python, with less in its text."""
    if node_of(expression) is not None:
        yield from smaller_node(expression)
        return
    try:
        tree = ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError):
        return
    kinds = (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Call)
    nodes = [n for n in ast.walk(tree) if isinstance(n, kinds)]
    inside = {id(item) for one in nodes for item in _items_of(one)}
    calls = (n for n in nodes if isinstance(n, ast.Call) and leaf(n.func) in MOMENTS)
    kept = {id(argument) for call in calls for argument in call.args}
    kept |= {id(n.slice) for n in ast.walk(tree) if isinstance(n, ast.Subscript)}
    for node in nodes:
        if id(node) in kept or (node is not tree.body and _is_plain_text(node)):
            # a word of a table says more than a letter, no one types the year 1, and `dict[str, ]`
            # is no type
            continue
        for new in _shorter(node, least=int(id(node) in inside)):
            if (text := written_with(tree, node, new)) is not None:
                yield text


def _is_plain_text(node: ast.expr) -> bool:
    text = node.value if isinstance(node, ast.Constant) else None
    return isinstance(text, str) and len(text) > 1 and text.replace(" ", "").isalpha()


def _items_of(node: ast.expr) -> list[ast.expr]:
    """Returns the items of a container, of a dict its values."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return node.elts
    return node.values if isinstance(node, ast.Dict) else []


def _shorter(node: ast.expr, *, least: int = 0) -> Iterator[ast.expr]:
    """Yields shorter literals; a container keeps `least` items."""
    if len(items := _items_of(node)) == least > 0:
        return
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            if re.search(r"^[\w/-]+\.\w{2,5}$", node.value):
                return  # a file: its ending may matter
            longest = len(node.value) - node.value.isascii()
            plain = (text for text in WORDS if len(text) <= longest)
            yield from (ast.Constant(text) for text in (*plain, *shorter_texts(node.value)))
        elif isinstance(node.value, bytes) and node.value != b"a":
            yield ast.Constant(b"a")
        elif isinstance(node.value, int | float) and not isinstance(node.value, bool):
            yield from map(ast.Constant, _rounder(node.value))
    elif isinstance(node, ast.Call):
        if leaf(node.func) == "float":
            yield ast.Constant(FRACTION)
        if leaf(node.func) in ODD_CALLS:
            yield ast.Constant(1)
        for left_out in node.keywords:
            yield ast.Call(node.func, node.args, [k for k in node.keywords if k is not left_out])
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
            yield node.func.value
    elif isinstance(node, ast.List | ast.Tuple):
        made = type(node)
        for index in reversed(range(len(node.elts))):
            yield made(node.elts[:index] + node.elts[index + 1 :], ast.Load())
    elif isinstance(node, ast.Set):
        if len(items) > 1:
            yield from (ast.Set(items[:at] + items[at + 1 :]) for at in reversed(range(len(items))))
        else:
            yield ast.Call(ast.Name("set"), [], [])
    elif isinstance(node, ast.Dict):
        for index in range(len(node.values)):
            keys = node.keys[:index] + node.keys[index + 1 :]
            yield ast.Dict(keys, node.values[:index] + node.values[index + 1 :])


def _rounder(number: int | float) -> Iterator[int | float]:
    """Yields numbers that a person types in the place of one: small and round ones, and it with
    fewer digits."""
    if abs(number) > 1:
        yield from (1, 2, *(one for one in ROUND if one < abs(number)))
    if isinstance(number, float) and math.isfinite(number):
        shorter = (round(number, digits) for digits in DIGITS)
        yield from dict.fromkeys(one for one in shorter if one not in (number, 0))
