"""Closes brackets that a statement leaves open at its end, and takes away one too many."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from pytest_lift.source.syntax import UNREADABLE, bare_leaf, parse, split_lines

_TOKEN = re.compile(
    r"(?P<text>(?:[rbuf]{0,2})(?:'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"|"
    r"'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"))|(?P<comment>#[^\n]*)|(?P<bracket>[()\[\]{}])",
    re.IGNORECASE | re.DOTALL,
)
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_HEAD = re.compile(r"^\s*(?:async\s+)?(?:def|class|if|elif|while|for|with|except|match|case)\b")
_ASSERTING = re.compile(r"^\s*(?:\w+\.)*assert\w+\($")
"""Call of which the result is no part of a comparison."""
_JUDGING = re.compile(r"\b(?:all|any|bool)\($")
"""Call of which the result is true or false, which nobody compares."""
_GROUPING = re.compile(r"^\s*assert\s*\($")
"""Bracket that groups all that is asserted, if there is one comparison in it: ending it before
that says the same."""
_DECIDING = re.compile(r"==|!=|<=|>=|<|>|\b(?:is|in|and|or|not|if)\b")
"""Words before which the bracket may have been meant to close."""
MOST = 6
"""Statements of one file that are closed."""


@dataclass(frozen=True)
class _Open:
    sign: str
    at: int


def closed(text: str) -> tuple[str, int, str] | None:
    """Returns the text with balanced brackets, the first line that changed, and how; None where it
    cannot be told where a bracket belongs."""
    first, signs = 0, ""
    for _ in range(MOST):
        step = _step(text)
        if step is None:
            return None
        text, line, added = step
        first, signs = first or line, f"{signs}{added}"
        if _parses(text):
            return text, first, f"balanced {signs}"
    return None


def _step(text: str) -> tuple[str, int, str] | None:
    plain = _plain(text)
    stack: list[_Open] = []
    end: int | None = None
    for found in re.finditer(r"[()\[\]{}]", plain):
        sign = found[0]
        if stack and (end := _end_before(plain, stack[0].at, found.start())) is not None:
            break
        if sign in _PAIRS:
            stack.append(_Open(sign, found.start()))
        elif stack and _PAIRS[stack[-1].sign] == sign:
            stack.pop()
        elif not stack:
            return _without(text, found.start())
        else:
            return None
    if stack and end is None:
        end = _end_before(plain, stack[0].at, len(plain))
        end = len(plain.rstrip()) if end is None else end
    if not stack or end is None:
        return None
    return _with(text, stack, end)


def _end_before(text: str, start: int, until: int) -> int | None:
    """Returns where the code of the statement ends that the bracket at `start` is in, if another
    statement begins before `until`; `text` is a plain one."""
    head = text.rfind("\n", 0, start) + 1
    indent = _indent(text[head:])
    offset = text.find("\n", start) + 1
    last = len(text[start : offset - 1 if offset else len(text)].rstrip()) + start
    is_head = text[start] != "{" and _HEAD.match(text[head:]) is not None
    if is_head and offset and offset <= until and text[last - 1] == ":":
        return last
    while offset and offset <= until:
        stop = text.find("\n", offset)
        line = text[offset : stop if stop >= 0 else len(text)]
        if line.strip():
            if _indent(line) <= indent and line.lstrip()[0] not in ")]}":
                return last
            last = offset + len(line.rstrip())
        offset = stop + 1 if stop >= 0 else 0
    return None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _with(text: str, stack: list[_Open], end: int) -> tuple[str, int, str] | None:
    start = text.rfind("\n", 0, stack[0].at) + 1
    if _HEAD.match(text[start:]) and text[end - 1] == ":":
        end -= 1
    signs = "".join(_PAIRS[one.sign] for one in reversed(stack))
    statement = text[start:end]
    if _is_checked(statement + signs) and _is_open_question(text, stack, end):
        return None
    line = text.count("\n", 0, end) + 1
    return text[:end] + signs + text[end:], line, signs


def _is_checked(statement: str) -> bool:
    """Whether a statement decides what a test asserts."""
    plain = statement.strip()
    if plain.startswith(("assert", "@")):
        return True
    try:
        tree = ast.parse(plain)
    except UNREADABLE:
        return "raises" in plain
    return any(
        isinstance(node, ast.Call) and bare_leaf(node).startswith(("assert", "raises", "fail"))
        for node in ast.walk(tree)
    )


def _is_open_question(text: str, stack: list[_Open], end: int) -> bool:
    """Whether the bracket may as well close before a comparison or another word that decides."""
    for one in stack:
        head = text[text.rfind("\n", 0, one.at) + 1 : one.at + 1]
        plain = _plain(text[one.at + 1 : end])
        words = _DECIDING.findall(plain)
        is_one = len(words) == 1 and words[0] not in ("and", "or", "not", "if")
        if _ASSERTING.match(head) or _JUDGING.search(head) or (_GROUPING.match(head) and is_one):
            continue
        depth = 0
        for found in re.finditer(r"[()\[\]{}]|" + _DECIDING.pattern, plain):
            if found[0] in _PAIRS:
                depth += 1
            elif found[0] in _PAIRS.values():
                depth -= 1
            elif depth == 0 and not re.search(r"\bfor\b", plain[: found.start()]):
                return True
    return False


def _plain(text: str) -> str:
    """Returns a text of the same length with signs in the place of literals, line ends in them
    too, and blanks in that of comments."""
    parts, last = list[str](), 0
    for found in _TOKEN.finditer(text):
        if not found["bracket"]:
            sign = "x" if found["text"] else " "
            parts += [text[last : found.start()], sign * len(found[0])]
            last = found.end()
    return "".join([*parts, text[last:]])


def _without(text: str, at: int) -> tuple[str, int, str] | None:
    """Returns the text without a bracket that nothing opened, where it ends its line."""
    rest = text[at + 1 :].partition("\n")[0].strip()
    if rest.rstrip(":,)]}") or text[text.rfind("\n", 0, at) + 1 : at].lstrip()[:1] == "@":
        return None
    return text[:at] + text[at + 1 :], text.count("\n", 0, at) + 1, f"without {text[at]}"


def _parses(text: str) -> bool:
    try:
        parse(text)
    except UNREADABLE:
        return False
    return bool(split_lines(text))
