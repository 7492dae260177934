"""Decides whether a test asserts what the requirement that it names states.

The answer separates the grades *verified* and *touches*. It is computed from the two texts alone,
and only if function, arguments, relation and value agree; cases that texts do not decide are left
to an evaluator.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from pytest_lift.expectations.agreeing import agrees
from pytest_lift.expectations.asserted import asserts
from pytest_lift.expectations.doctests import Alternatives, examples
from pytest_lift.expectations.sentences import statements
from pytest_lift.requirements.expectation import Expectation
from pytest_lift.requirements.points import sentences_of
from pytest_lift.requirements.requirement import Requirement

CODE_SPAN = re.compile(r"``([^`]+)``|`([^`]+)`")


def agreement(
    requirement: Requirement, source: str, expected_of_it: Sequence[Expectation] = ()
) -> str | None:
    """Returns the evidence for the test `source`: ``example``, ``quoted value`` or ``expectation``.

    `expected_of_it` holds the requirement's expectations, as far as they can be relied on. None if
    the requirement, as far as texts can tell, does not state what the test expects.
    """
    if any(is_made(one, source) for one in examples(requirement)):
        return "example"
    if any(agrees(one, source) for one in statements(requirement)):
        return "quoted value"
    if any(asserts(one, source) for one in expected_of_it):
        return "expectation"
    return None


def quotes(requirement: Requirement, text: str, source: str) -> bool:
    """Whether the test `source` asserts what a sentence in this `text` of the requirement
    states."""
    sentences = {*sentences_of(text), " ".join(text.split())}
    return any(agrees(one, source) for one in statements(requirement) if one.sentence in sentences)


def is_made(example: Alternatives, source: str) -> bool:
    """Whether the test `source` asserts, in any form, what an example states."""
    return any(asserts(form, source) for form in example)


@lru_cache(maxsize=4096)
def code_spans(text: str) -> frozenset[str]:
    """Returns the texts between backticks, with call parentheses and keyword values unchanged."""
    return frozenset((a or b).strip() for a, b in CODE_SPAN.findall(text))
