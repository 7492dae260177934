"""Checks that a person refused in a review: what has them is not proposed again."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Collection, Iterator

from pytest_lift.assertions.test_checks import held_by
from pytest_lift.source.syntax import parse, split_lines, to_bytes
from pytest_lift.suite.suite import Edit, Suite, TestFunction, path_of
from pytest_lift.suite.test_file import definitions, parse_test_file


def fingerprint(check: str) -> str:
    """16 hex digits of a check, as `gate.kept` tells it: with what its names are assigned."""
    return hashlib.sha256(to_bytes(check)).hexdigest()[:16]


def fingerprints(suite: Suite, node: str) -> frozenset[str]:
    """The hashes of all checks of one test; empty for one that is not there."""
    return frozenset(map(fingerprint, held_by(suite, node)))


def refused_checks(suite: Suite, node: str) -> tuple[str, ...]:
    """The checks of a test that `suite.refused` names, as texts."""
    if not suite.refused:
        return ()
    return tuple(text for text in held_by(suite, node) if fingerprint(text) in suite.refused)


def without_refused_asserts(suite: Suite, nodes: Collection[str]) -> Suite:
    """`suite` with the refused assertions cut out of the tests `nodes`, where each is a statement
    of its own and another check is left; a test that has refused checks after that is for the
    gate to leave out."""
    for node in nodes:
        while refused_checks(suite, node):
            shorter = _one_less(suite, node)
            if shorter is None:
                break
            suite = shorter
    return suite


def _one_less(suite: Suite, node: str) -> Suite | None:
    """The suite without one refused assertion of a test; None where none can be cut alone."""
    test = suite.function(node)
    if test is None:
        return None
    before = refused_checks(suite, node)
    for text in _texts_with_one_less(suite, test):
        if parse_test_file(path_of(node), text, suite.naming).error:
            continue
        after = suite.apply(Edit({path_of(node): text}))
        fewer = len(refused_checks(after, node)) < len(before)
        if fewer and held_by(after, node):
            return after
    return None


def _texts_with_one_less(suite: Suite, test: TestFunction) -> Iterator[str]:
    """The file of a test without one of the assertions that stand in its body."""
    text = suite.files[path_of(test.node)].text
    name = test.node.partition("::")[2]
    function = next(f.function for f in definitions(parse(text), suite.naming) if f.name == name)
    lines = split_lines(text)
    for statement in function.body:
        if isinstance(statement, ast.Assert) and statement.end_lineno is not None:
            yield "".join([*lines[: statement.lineno - 1], *lines[statement.end_lineno :]])
