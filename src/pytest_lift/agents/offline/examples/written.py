"""Finds documented examples that a suite already contains, in whatever form."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from pytest_lift.calls.case import Case
from pytest_lift.suite.suite import Suite

Words = frozenset[str]


@dataclass(frozen=True)
class WrittenLiterals:
    """Literals and names of every test of a suite, by the requirements that it names."""

    stated: dict[str, tuple[Words, ...]]
    all: tuple[Words, ...]

    def has(self, case: Case) -> bool:
        """Whether a test of the same requirement (of any, for other examples) contains the whole
        case."""
        wanted = _words(step.source for step in case.steps if step.check)
        tests = self.stated.get(case.requirement, ()) if case.requirement else self.all
        return any(wanted <= words for words in tests)


def read_written(suite: Suite) -> WrittenLiterals:
    """Returns the literals and names in the tests of `suite`, including the rows of their
    tables."""
    stated: dict[str, list[Words]] = {}
    every = []
    for test in suite.tests():
        words = _words([suite.source(test)])
        every.append(words)
        for name in test.requirements:
            stated.setdefault(name, []).append(words)
    return WrittenLiterals({name: tuple(found) for name, found in stated.items()}, tuple(every))


def _words(sources: Iterable[str]) -> Words:
    """Returns literals and names, which stay if an example becomes a row or its result a
    variable."""
    found = set()
    for source in sources:
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant):
                found.add(repr(node.value))
            elif isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.Name):
                found.add(node.id)
    return frozenset(found)
