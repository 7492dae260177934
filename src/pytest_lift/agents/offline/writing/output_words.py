"""Says what a test finds printed or written: texts, files and streams."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, asserted
from pytest_lift.agents.offline.writing.told import Told, assigned
from pytest_lift.agents.offline.writing.values import (
    has_lines,
    line_words,
    lines_words,
    listed,
    text_words,
    value_words,
)
from pytest_lift.calls.child.isolation.surroundings import GONE, THERE
from pytest_lift.source.syntax import shared_expression

LONGEST_PRINTED, LONGEST_LINE = 40, 60
"""Most characters of the beginning of a file, and of a printed line, that are told."""
MADE = re.compile(r"(io\.)?\w+\(\)")
"""An empty stream, or another new object that collects what is written to it."""


def given_words(check: StepCheck) -> str:
    """Returns ``gives 2 and `` of a call that gives something and prints or writes something, too;
    "" where it gives nothing."""
    result = value_words(check.expected) if check.expected not in ("", "None") else ""
    return f"gives {result} and " if result else ""


def said_words(check: StepCheck) -> str:
    """Returns what a call prints, as far as it is asserted."""
    printed = [printed_words(check.printed)] if check.printed else []
    where = {"out": "", "err": " to the standard error"}
    printed += [f"a text with {text!r}{where[stream]}" for stream, text in check.said]
    return listed(printed) if printed else ""


def printed_words(text: str) -> str:
    """Returns a text as it is, or by its first and last line, or by its beginning."""
    if len(text) <= LONGEST_LINE and not has_lines(repr(text)):
        return repr(text)
    return line_words(text) or lines_words(text) or text_words(text)


def held_words(check: StepCheck, text: str) -> str:
    """Returns what is asserted of a file with that text, or with that beginning, or of none."""
    if text in (GONE, THERE):
        return "is gone" if text == GONE else "exists"
    return (
        f"begins with {text[:LONGEST_PRINTED]!r}" if check.begun else f"holds {printed_words(text)}"
    )


def stream_sentences(told: Told) -> Iterator[str]:
    """Yields ``Report().write(['a'], out) writes 'a' to out`` of a test that makes what collects
    it, passes that to a call and looks at nothing but what is in it."""
    check, *others = asserted(told.checks)
    found = re.fullmatch(r"(\w+)\.(\w+)\(\)", check.expression)
    if others or found is None or check.form != "equals" or not told.setup:
        return
    if not (check.aside or found[2] == "getvalue"):
        return
    *setup, call = told.setup
    made = [assigned(line) or ("", "") for line in setup]
    objects = [pair for pair in made if pair[0] != found[1]]
    given = rf"[(= ]{found[1]}[,)]"
    passed = any(re.search(given, line) for line in (call, *(source for _, source in objects)))
    streams = [source for name, source in made if name == found[1] and MADE.fullmatch(source)]
    if not passed or not streams or assigned(call) or len(objects) > 1:
        return
    node = shared_expression(check.expected)
    value = node.value if isinstance(node, ast.Constant) else None
    text = printed_words(value) if isinstance(value, str) else value_words(check.expected)
    for act in told.words.calls(call):
        for name, source in objects or [("", "")]:
            for one in told.words.calls(source) if name else [""]:
                said = act.replace(f"{name}.", f"{one}.", 1) if act.startswith(f"{name}.") else act
                if not (name and re.search(rf"\b{name}\b", said.removeprefix(one))):
                    yield f"{said} writes {text} to {found[1]}"
