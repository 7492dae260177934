"""Planted tests put beside those that they are made from, into the files of a suite."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from planted.making import KINDS, FunctionNode, is_suited
from pytest_lift.source.syntax import parse, split_lines
from pytest_lift.suite.collection import definitions
from pytest_lift.suite.suite import Suite

PREFIX = "test_planted_"


@dataclass(frozen=True)
class Planted:
    """A test that notices nothing."""

    node: str
    kind: str
    text: str
    made_from: str


def plants(suite: Suite, random: Random) -> Iterator[Planted]:
    """Without end but for the tests: the kinds in turn, each time from another real test."""
    found = [
        (path, one.name, one.function)
        for path, file in suite.files.items()
        if file.tests
        for one in definitions(parse(file.text), suite.naming)
        if is_suited(one.function)
    ]
    orders = {kind: random.sample(found, len(found)) for kind in KINDS}
    number = 0
    while any(orders.values()):
        for kind, order in orders.items():
            made, path, name = None, "", ""
            while order and made is None:
                path, name, function = order.pop()
                made = KINDS[kind](function, random)
            if made is not None:
                number += 1
                yield _planted(path, name, kind, made, number)


def _planted(path: str, name: str, kind: str, made: FunctionNode, number: int) -> Planted:
    outer, _, own = name.rpartition("::")
    made.name = f"{PREFIX}{number}_{own.removeprefix('test').strip('_')}"  # a name tells, too
    node = "::".join(part for part in (path, outer, made.name) if part)
    return Planted(node, kind, ast.unparse(ast.fix_missing_locations(made)), f"{path}::{name}")


def planted_texts(suite: Suite, chosen: list[Planted]) -> dict[str, str]:
    """Path -> text, each planted test right behind the one that it is made from."""
    texts = {}
    for path in {one.made_from.partition("::")[0] for one in chosen}:
        lines = split_lines(suite.files[path].text)
        tests = {test.node: test for test in suite.files[path].tests}
        mine = [one for one in chosen if one.made_from in tests]
        for one in sorted(mine, key=lambda one: -tests[one.made_from].end_line):
            test = tests[one.made_from]
            first = lines[test.line - 1]
            indent = first[: len(first) - len(first.lstrip())]
            body = textwrap.indent(one.text, indent)
            lines[test.end_line : test.end_line] = ["\n", *(f"{line}\n" for line in split(body))]
        texts[path] = "".join(lines)
    return texts


def split(text: str) -> list[str]:
    return text.split("\n")
