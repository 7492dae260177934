"""Says values in the words of a sentence."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from functools import lru_cache

from pytest_lift.agents.offline.writing.words import is_balanced
from pytest_lift.source.syntax import leaf, parsed_expression

LONGEST_VALUE = 60
LONGEST_PART = 28
"""Most characters of a part of a value by which the whole is told."""
LONGEST_WHOLE = 70
"""Most characters of a time, a line and a few bytes, of which no part tells the whole."""
LONGEST_ENDS = 110
"""Most characters of the two lines by which a text of several ones is told."""
LONGEST_BROKEN = 24
"""Most characters of a text with a line break in it that is written out, as a literal; with two
breaks it never is."""
MOST_LINES = 5
"""Most lines of a text that are told one by one."""
LONGEST_MARK = 3
"""Most characters of a line without a word that is told: ``[``, and no line of a box."""
LONGEST_PARTS = 80
"""Most characters of the items by which a dict is told."""
SPOKEN_LIKE_YOU = re.compile(r"(?i)(uni(?!n|den|m[apm])|us(e|a|u)|eu(?!ler)|ut[ie]|one\b)")
"""Beginning of a noun that begins with a vowel in writing alone."""
TIMES = frozenset({"datetime", "date", "time", "timedelta", "timezone", "UTC"})
"""Classes of `datetime`, and its only constant."""
FACT = re.compile(r" (gives|is) ")
"""Verb of a fact that may be said of several things at once."""
CHANGED = re.compile(r"[+-](?![+-])")
"""Beginning of a line that a diff takes away or adds."""
MOST_PARTS, MOST_KEYS = 2, 3
CONTAINERS = ast.List | ast.Tuple | ast.Set | ast.Dict
"""Values that are written out where they are short, also with texts of lines in them."""
EMPTY = frozenset({"None", "''", "b''", "()", "[]", "{}"})
"""Values of attributes by which nobody knows an object."""
SPOKEN = {
    "[]": "an empty list", "{}": "an empty dict", "''": "an empty text", "()": "an empty tuple",
    "set()": "an empty set", "b''": "empty bytes",
}  # fmt: skip


@lru_cache(maxsize=16384)
def value_words(source: str, longest: int = LONGEST_VALUE) -> str:
    """Returns a value as a sentence has it: ``'I'``, ``an empty list``, ``a list of 12 items that
    begins with 1``; "" for what no sentence holds. `longest` is how many characters are written
    out."""
    node = parsed_expression(source)
    if node is None:
        return ""
    if "datetime." in source:
        node = _Times().visit(node)
    if isinstance(node, ast.Call) and leaf(node.func) == "approx" and node.args:
        number = isinstance(node.args[0], ast.Constant | ast.UnaryOp)
        return f"{'about ' if number else ''}{value_words(ast.unparse(node.args[0]))}"
    text = ast.unparse(node)
    if "approx(" in text and (plain := _exactly(node)) != text:
        said = value_words(plain, longest)
        return f"about {said}" if said else ""
    if text in SPOKEN:
        return SPOKEN[text]
    whole = isinstance(node, CONTAINERS) or not has_lines(text)
    if len(text) <= longest and text.isprintable() and whole:
        return text
    match node:
        case ast.Constant(value=str() | bytes() as value):
            return text_words(value)
        case ast.List() | ast.Tuple() | ast.Set():
            return _of_items(type(node).__name__.lower(), node.elts)
        case ast.Dict():
            return _with_keys(node)
        case ast.Call() if leaf(node.func):
            return _with_parts(node)
    return ""


def has_lines(source: str) -> bool:
    """Whether literals have line breaks that nobody reads as ``\\n``: several, one at the end, or
    one in a longer text."""
    tree = parsed_expression(source) if "\\n" in source else None
    nodes = ast.walk(tree) if tree is not None else ()
    literals = (node.value for node in nodes if isinstance(node, ast.Constant))
    broken = [one for one in map(_text, literals) if "\n" in one]
    breaks = sum(one.count("\n") for one in broken)
    at_end = breaks == 1 and broken[0].endswith("\n")
    return breaks > 1 or at_end or (breaks == 1 and len(source) > LONGEST_BROKEN)


def _text(value: object) -> str:
    """Returns a text, or bytes as one; "" for all else."""
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return value if isinstance(value, str) else ""


def _exactly(node: ast.expr) -> str:
    """Returns the source of a container without what makes the numbers in it approximate ones."""
    tree = ast.parse(ast.unparse(node), mode="eval")
    return ast.unparse(_Exact().visit(tree))


class _Exact(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        return node.args[0] if leaf(node.func) == "approx" and node.args else node


class _Times(ast.NodeTransformer):
    """Takes the module away before the classes of `datetime`, as the words of calls have them."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        of_module = isinstance(node.value, ast.Name) and node.value.id == "datetime"
        return ast.Name(node.attr) if of_module and node.attr in TIMES else node


def _of_items(kind: str, items: Sequence[ast.expr]) -> str:
    begin = _item_words(items[0]) if items else ""
    count = f"a {kind} of {len(items)} items" if len(items) > 1 else f"a {kind} of one item"
    if not 0 < len(begin) <= LONGEST_VALUE:
        inner = value_words(begin) if items else ""
        return f"{count}, {'first ' * (len(items) > 1)}{inner}" if inner else count
    if len(items) == 1:
        return f"{count}, {begin}"
    if kind == "set":
        return f"{count} with {begin}"
    end = _item_words(items[-1])
    short = len(begin) + len(end) <= LONGEST_VALUE and begin != end
    return f"{count} from {begin} to {end}" if short else f"{count} that begins with {begin}"


def _item_words(node: ast.expr) -> str:
    """Returns the source of an item; a text of lines in words."""
    source = ast.unparse(node)
    whole = isinstance(node, CONTAINERS) and len(source) <= LONGEST_VALUE
    return source if whole or not has_lines(source) else value_words(source)


def _with_keys(node: ast.Dict) -> str:
    keys = [ast.unparse(key) for key in node.keys if key is not None]
    parts = [f"{key}: {ast.unparse(v)}" for key, v in zip(keys, node.values, strict=False)]
    count = f"a dict of {len(node.keys)} items" if len(node.keys) > 1 else "a dict"
    if told := _told_parts(parts):
        return f"{'a dict' if len(told) == len(node.keys) else count} with {listed(told)}"
    if len(keys) == 1 and len(keys[0]) <= LONGEST_PART:
        inner = value_words(ast.unparse(node.values[0]))
        return f"a dict with {keys[0]}: {inner}" if inner else f"a dict with {keys[0]}"
    named = [key for key in keys if len(key) <= LONGEST_PART][:MOST_KEYS]
    more = ["others"] if 0 < len(named) < len(keys) else []
    return f"a dict with {listed([*named, *more])}" if named else count


def _told_parts(parts: Sequence[str]) -> list[str]:
    """Returns the longest of those that are short, and as many others as a sentence holds, in the
    order in which they stand."""
    short = sorted((one for one in parts if len(one) <= 2 * LONGEST_PART), key=len, reverse=True)
    told: set[str] = set()
    for one in (*short[:1], *(one for one in parts if one in short[1:])):
        if len(", ".join((*told, one))) <= LONGEST_PARTS:
            told.add(one)
    return [one for one in parts if one in told]


def _with_parts(node: ast.Call) -> str:
    """Returns ``a Point with x=1`` of a call that makes an object; a time as it is."""
    text = ast.unparse(node)
    if leaf(node.func) in TIMES and len(text) <= LONGEST_WHOLE and text.isprintable():
        return text
    what = with_article(leaf(node.func))
    named = [(k.arg, ast.unparse(k.value)) for k in node.keywords if k.arg]
    filled = [pair for pair in named if pair[1] not in EMPTY] or named
    parts = [f"{name} {value}" for name, value in filled]
    short = [one for one in parts if len(one) <= 2 * LONGEST_PART]
    return f"{what} with {listed(short[:MOST_PARTS])}" if short else what


def text_words(text: str | bytes) -> str:
    """Returns a text that is too long for a sentence by whole lines, or by its length and its
    beginning: ``a text of 80 characters that begins with 'a'``; a line and a few bytes as they
    are."""
    if isinstance(text, str) and (line := line_words(text)):
        return line
    if isinstance(text, str) and (told := lines_words(text)):
        return f"a text of {told}"
    whole, lines = repr(text), len(text.splitlines())
    if len(whole) <= LONGEST_WHOLE and (isinstance(text, bytes) or lines < 2):
        return whole
    sized = "bytes" if lines > 1 else f"{len(text)} bytes"
    kind = "a text" if isinstance(text, str) else sized
    begin = text.strip()[: LONGEST_PART + 12]
    at = begin.rfind(" " if isinstance(begin, str) else b" ")  # type: ignore[arg-type]
    shown = repr(begin[:at] if at > LONGEST_PART // 2 else begin[:LONGEST_PART])
    size = f" of {len(text)} characters" if kind == "a text" else ""
    count = f" of {lines} lines" if lines > 1 else size
    that = " that begins" if kind == "a text" else " that begin"
    that = "" if text[:1].isspace() else that
    return f"{kind}{count}{that} with {shown}" if shown.isprintable() else f"{kind}{count}"


def line_words(text: str) -> str:
    """Returns ``the line 'a'`` of a short text of one line with its end, which an empty one may
    follow; "" for another one."""
    line = text.rstrip("\n")
    if not line.isprintable() or len(line) > LONGEST_WHOLE:
        return ""
    told = f"the line {line!r}"
    words = {1: told, 2: f"{told} and an empty one"} if line else {1: "an empty line"}
    return words.get(len(text) - len(line), "")


def lines_words(text: str) -> str:
    """Returns a text of a few short lines by them, one of several by its first and its last one
    that has a word, those of a diff by what it changes: ``7 lines, from 'a' to '  c'``; "" where no
    line is short enough."""
    lines = [line.rstrip() for line in text.rstrip("\n").splitlines()]
    worded = [line for line in lines if any(map(str.isalnum, line))]
    if any(line.startswith("@@ ") for line in lines):
        worded = [line for line in lines if CHANGED.match(line)] or worded
    if len(lines) < 2 or not worded:
        return ""
    if (told := _each_line(text)) and not any(line.startswith("@@ ") for line in lines):
        return told
    count, first, last = f"{len(lines)} lines", worded[0], worded[-1]
    ends = list(dict.fromkeys((repr(first), repr(last))))
    if (first, last) == (lines[0], lines[-1]) and len(" to ".join(ends)) <= LONGEST_ENDS:
        return f"{count}, from {' to '.join(ends)}"
    if len(told := listed(ends)) <= LONGEST_ENDS:
        return f"{count} with {told}"
    shortest = min(ends, key=len)
    return f"{count} with {shortest}" if len(shortest) <= LONGEST_VALUE else ""


def _each_line(text: str) -> str:
    """Returns ``the lines '[', '  1' and ']'`` of a text of a few short lines, ``twice the line
    'a'`` of one that has it twice; "" for another one."""
    lines = text.splitlines()
    told = list(map(repr, lines))
    most = LONGEST_PARTS if len(told) > 2 else LONGEST_ENDS
    short = len(told) <= MOST_LINES and len(listed(told)) <= most
    if short and len({*told}) == 1 and len(told) == 2:
        return f"twice the line {told[0]}"
    worded = all(any(map(str.isalnum, line)) or len(line) <= LONGEST_MARK for line in lines)
    return f"the lines {listed(told)}" if short and worded else ""


def with_article(noun: str) -> str:
    """Returns the noun after ``a`` or ``an``."""
    vowel = noun[:1].lower() in "aeiou" and not SPOKEN_LIKE_YOU.match(noun)
    return f"an {noun}" if vowel else f"a {noun}"


def listed(words: Sequence[str]) -> str:
    """Returns ``a``, ``a and b``, ``a, b and c``."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def merged(facts: Sequence[str]) -> list[str]:
    """Returns facts, those after one another that say the same of several things as one: ``a() and
    b() give True``."""
    found: list[tuple[list[str], str, str]] = []
    for fact in facts:
        subject, verb, value = _subject_of(fact)
        if verb and found and found[-1][1:] == (verb, value):
            found[-1][0].append(subject)
        else:
            found.append(([subject], verb, value))
    several = {"gives": "give", "is": "are"}
    return [
        f"{listed(list(dict.fromkeys(subjects)))} {several[verb]} {value}"
        if len({*subjects}) > 1
        else f"{subjects[0]} {verb} {value}".rstrip()
        for subjects, verb, value in found
    ]


def _subject_of(fact: str) -> tuple[str, str, str]:
    """Returns what a fact is about, its verb and the rest; verb and rest are empty where there is
    no verb outside of brackets and quotes."""
    for found in FACT.finditer(fact):
        subject = fact[: found.start()]
        if is_balanced(subject) and subject.count("'") % 2 == 0:
            return subject, found[1], fact[found.end() :]
    return fact, "", ""


def apart(first: str, second: str, most: int = LONGEST_VALUE) -> tuple[str, str] | None:
    """Returns two long values in words, each by what the other has not: items of dicts or lists,
    lines of texts; only the longest that fits where all are more than `most` characters. None
    where whole values are short, or where that is too much."""
    if max(len(first), len(second)) <= LONGEST_VALUE:
        return None
    nodes = parsed_expression(first), parsed_expression(second)
    sides = [_parts(node) for node in nodes]
    kinds = {type(node) for node in nodes}
    if len(kinds) > 1 or not all(sides):
        return None
    found = []
    for own, other in (sides, sides[::-1]):
        more = [one for one in own if one not in other]
        text = ", ".join(more)
        fitting = [one for one in more if len(one) <= LONGEST_VALUE]
        text = text if len(text) <= most else max(fitting, key=len, default=text)
        if not more or len(text) > LONGEST_VALUE or not text.isprintable():
            return None
        found.append(text)
    what = {ast.Dict: "a dict", ast.List: "a list", ast.Constant: "a text"}[kinds.pop()]
    return f"{what} with {found[0]}", f"{what} with {found[1]}"


def _parts(node: ast.expr | None) -> list[str]:
    """Returns the items of a dict or list, or the lines of a text, as they are told."""
    match node:
        case ast.Dict(keys=keys, values=values) if all(keys):
            pairs = zip(keys, values, strict=True)
            return [f"{ast.unparse(key)}: {ast.unparse(v)}" for key, v in pairs if key is not None]
        case ast.List(elts=items):
            return [ast.unparse(item) for item in items]
        case ast.Constant(value=str() as text) if "\n" in text:
            return [repr(line.strip()) for line in text.splitlines()]
    return []
