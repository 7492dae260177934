"""Asserts of a long text the line that a case is about, not all of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pytest_lift.agents.offline.writing.messages import pins_the_machine
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.source.syntax import parsed_expression

LONG_TEXT = 8
"""Lines from which a text is not asserted as a whole: any change of its words would break it."""
GAP = re.compile(r"[^\W\d_]+ [^\W\d_]+ [^\W\d_]+ {3,}[^\W\d_]+ [^\W\d_]+")
"""Blanks in the middle of a sentence: the indentation of a source line that goes on there."""
SHORTEST_WORD = 3
"""Characters of an argument by which a line is known."""
WORD = re.compile(r"[^\W\d_]{3}")
"""What a line has by which others know it: a number is in many texts."""
LONGEST_LINE = 72
LONGEST_FILE, BEGINNING = 800, 200
"""Most characters of a file that is asserted as a whole, and those that are asserted of another
one."""


def in_short(items: Sequence[Verified], whole: AbstractSet[str] = frozenset()) -> list[Verified]:
    """Returns the cases, searched ones with a line in the place of each long text: one that holds
    an argument of the case; of what is printed else the first one. All assert of long files how
    they begin.

    Those with one of the keys `whole` stay as they are.
    """
    return [
        item
        if item.case.key in whole
        else replace(item, checks=tuple(_check(_begun(check), item) for check in item.checks))
        for item in items
    ]


def _begun(check: StepCheck) -> StepCheck:
    """Returns a check of files, of how they begin where one is long."""
    if all(len(text) <= LONGEST_FILE for _, text in check.files):
        return check
    files = tuple((name, text[:BEGINNING]) for name, text in check.files)
    return replace(check, files=files, begun=True)


def _check(check: StepCheck, item: Verified) -> StepCheck:
    if item.case.origin != "searched":
        return check
    node = parsed_expression(check.expected)
    value = node.value if isinstance(node, ast.Constant) else None
    if check.printed.count("\n") >= LONG_TEXT and not check.said:
        line = _line(check.printed, item, first=True)
        return replace(check, printed="", said=(("out", line),)) if line else check
    if check.form != "equals" or not isinstance(value, str) or not _breaks_easily(value):
        return check
    line = _line(value, item, first=bool(item.case.command))
    inside = replace(check, form="true", expression=f"{line!r} in {check.expression}", expected="")
    return inside if line else check


def _breaks_easily(text: str) -> bool:
    """Whether a text is not asserted as a whole: a long one, or lines with an accidental gap."""
    lines = text.count("\n")
    return lines >= LONG_TEXT or (lines > 0 and GAP.search(text) is not None)


def _line(text: str, item: Verified, first: bool) -> str:
    """Returns the line of a text that holds an argument of a case, what its option is set to or
    else the longest one; where none does, "" or the `first` one with a word."""
    case = item.case
    names = [case.effect.partition("=")[0]] if case.effect else case.keywords
    trees = [ast.parse(one.expression) for one in item.checks]
    given = _texts(trees)
    set_to = _texts(n for t in trees for n in ast.walk(t) if getattr(n, "arg", None) in names)
    words = sorted(one for one in given if len(one) >= SHORTEST_WORD)
    words.sort(key=lambda word: (word not in set_to, -len(word)))
    lines = [line.strip() for line in text.splitlines()]
    lines = [one for one in lines if len(one) <= LONGEST_LINE and not pins_the_machine(one)]
    found = next((line for word in words for line in lines if word in line), "")
    worded = [line for line in lines if any(map(str.isalnum, line))]
    lettered = [line for line in worded if WORD.search(line)]
    return found or (next(iter(lettered or worded), "") if first else "")


def _texts(trees: Iterable[ast.AST]) -> set[str]:
    """Returns the literals in some nodes as texts."""
    nodes = (node for tree in trees for node in ast.walk(tree))
    return {str(node.value) for node in nodes if isinstance(node, ast.Constant)}
