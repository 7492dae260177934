"""Which documented examples a suite already holds, in whatever form it was written down."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from pytest_lift.calls.case import Case
from pytest_lift.suite.suite import Suite

Words = frozenset[str]


@dataclass(frozen=True)
class WrittenLiterals:
    """The literals and names of every test of a suite, by the requirements that it names."""

    stated: dict[str, tuple[Words, ...]]
    all: tuple[Words, ...]

    def has(self, case: Case) -> bool:
        """A test of the same requirement (for other examples: any) holds all that it says."""
        wanted = _words(step.source for step in case.steps if step.check)
        tests = self.stated.get(case.requirement, ()) if case.requirement else self.all
        return any(wanted <= words for words in tests)


def read_written(suite: Suite) -> WrittenLiterals:
    """What the tests of `suite` mention, the rows of their tables included."""
    stated: dict[str, list[Words]] = {}
    every = []
    for test in suite.tests():
        words = _words([suite.source(test)])
        every.append(words)
        for name in test.requirements:
            stated.setdefault(name, []).append(words)
    return WrittenLiterals({name: tuple(found) for name, found in stated.items()}, tuple(every))


def _words(sources: Iterable[str]) -> Words:
    """Literals and names: what stays when an example becomes a row, or its result a variable."""
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
