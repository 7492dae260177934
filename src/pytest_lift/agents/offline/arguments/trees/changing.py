"""Changes texts of Python by statements and expressions of others, so that they stay Python."""

from __future__ import annotations

import ast
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from textwrap import dedent, indent

from pytest_lift.agents.offline.arguments.trees.nodes import (
    node_of,
    python,
    stays_python,
    text_of,
)
from pytest_lift.agents.offline.texts.changing import changed
from pytest_lift.source.syntax import first_line, written_with

TRIES = 4
"""Most changes that are tried until one is Python."""
LONGEST, LONGEST_PART = 600, 200
"""Longest text that is made, and longest statement or expression that is put into one."""
EXPRESSIONS, ADDED, REPLACED = 0.45, 0.7, 0.85
"""Shares of the changes, each with those before it: an expression for another one, a statement
beside another one, one for another one; the rest leaves a statement out."""

IN_TEXTS, LEFT_OUT = 0.15, 0.4
"""Share of the changes that are made to a docstring of several lines, where there is one, and of
these that leave a line of it out; the rest adds one."""
SUFFIXES, OF_FILES = (".py", ".pyi"), 0.9
"""Ends of the names of files of Python, and share of their changes that keep them Python."""

Parts = Mapping[type, Sequence[str]]
"""Class of nodes -> texts of such."""


def changed_code(text: str, rng: random.Random, others: Sequence[str]) -> str:
    """Returns a text of Python with one part changed, of what stands in it and in others; the same
    text where that is no Python. What Python runs stays so."""
    tree = python(text)
    if not isinstance(tree, ast.Module) or not text.isascii():
        return text
    known = _parts_of(tuple(others))
    for _ in range(TRIES):
        new = _changed(text, tree, rng, known)
        if new and new != text and len(new) <= LONGEST and stays_python(text, new):
            return new
    return text


def changed_file(name: str, text: str, rng: random.Random, others: Sequence[str]) -> str:
    """Returns another text for a file of Python: mostly one that is still such, else one with a
    line or a token changed; the same for any other file."""
    if not name.endswith(SUFFIXES):
        return text
    return (
        changed_code(text, rng, others) if rng.random() < OF_FILES else changed(text, rng, others)
    )


def changed_node(source: str, rng: random.Random, others: Sequence[str]) -> str:
    """Returns the source of a node with its text changed; it stays a node of its class."""
    found = text_of(source)
    if found is None:
        return source
    tree, place = found
    text = changed_code(str(place.value), rng, others)
    new = written_with(tree, place, ast.Constant(text), source) or source
    return new if type(node_of(new)) is type(node_of(source)) else source


def _changed(text: str, tree: ast.Module, rng: random.Random, known: Parts) -> str:
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.stmt | ast.expr)]
    if (docs := [*filter(_has_lines, nodes)]) and rng.random() < IN_TEXTS:
        return _with_other_line(text, rng.choice(docs), rng, known)
    choice = rng.random()
    if choice < EXPRESSIONS:
        places = [node for node in nodes if isinstance(node, ast.expr)]
        new = _drawn(rng, known, ast.expr)
        if not places or not new:
            return ""
        start, end = _span(text, rng.choice(places))
        return text[:start] + new + text[end:]
    statements = [node for node in nodes if isinstance(node, ast.stmt)]
    lines = text.splitlines(keepends=True)
    if not statements:
        return _drawn(rng, known, ast.stmt)
    chosen = rng.choice(statements)
    first, last = first_line(chosen) - 1, chosen.end_lineno or chosen.lineno
    margin = " " * chosen.col_offset
    own = dedent("".join(lines[first:last]))
    new = own if rng.random() < 1 / max(len(known), 1) else _drawn(rng, known, ast.stmt)
    put = indent(new.rstrip("\n"), margin) + "\n"
    if choice < ADDED:
        at = rng.choice((first, last))
        return "".join([*lines[:at], put, *lines[at:]])
    kept = [put] if choice < REPLACED else []
    return "".join([*lines[:first], *kept, *lines[last:]])


def _has_lines(node: ast.stmt | ast.expr) -> bool:
    """Whether a node is a text with lines inside of it, as most docstrings are."""
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return is_text and (node.end_lineno or node.lineno) - node.lineno > 1


def _with_other_line(text: str, doc: ast.expr | ast.stmt, rng: random.Random, known: Parts) -> str:
    """Returns a text without a line inside of a docstring, or with one of another docstring before
    it."""
    lines = text.splitlines(keepends=True)
    at = rng.randrange(doc.lineno, (doc.end_lineno or doc.lineno) - 1)
    others = [dedent("\n".join(one.split("\n")[1:-1])) for one in known.get(ast.Constant, ())]
    added = [line for one in others for line in one.split("\n") if line]
    if not added or rng.random() < LEFT_OUT:
        return "".join([*lines[:at], *lines[at + 1 :]])
    return "".join([*lines[:at], f"{' ' * doc.col_offset}{rng.choice(added)}\n", *lines[at:]])


def _drawn(rng: random.Random, known: Parts, kind: type[ast.AST]) -> str:
    """Returns a part of another text: of a class of nodes, then one of that class."""
    classes = [one for one in known if issubclass(one, kind)]
    return rng.choice(known[rng.choice(classes)]) if classes else ""


@lru_cache(maxsize=64)
def _parts_of(texts: tuple[str, ...]) -> Parts:
    found: dict[type, dict[str, None]] = defaultdict(dict)
    for text in texts:
        tree = python(text)
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, ast.stmt):
                lines = text.splitlines(keepends=True)[first_line(node) - 1 : node.end_lineno]
                part = dedent("".join(lines))
            elif isinstance(node, ast.expr):
                part = ast.get_source_segment(text, node) or ""
            else:
                continue
            if part and len(part) <= LONGEST_PART and python(part) is not None:
                found[type(node)].setdefault(part)
    return {kind: list(parts) for kind, parts in found.items()}


def _span(text: str, node: ast.expr) -> tuple[int, int]:
    """Returns where an expression begins and ends in a text of ASCII."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
    return starts[node.lineno - 1] + node.col_offset, end
