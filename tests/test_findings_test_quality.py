"""Survivors as findings: what to assert, and which are guessed to be equivalent."""

from __future__ import annotations

import pytest

from pytest_lift.findings.test_quality import what_to_assert
from pytest_lift.mutation.change import likely_equivalent
from pytest_lift.mutation.mutation import Mutant


def mutant(before: str, after: str) -> Mutant:
    return Mutant("m.x_f__mutmut_1", "m.py", 3, "f", before, after, f"-{before}\n+{after}")


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("    if count >= 10:", "    if count > 10:", "boundary"),
        ("    if a and b:", "    if a or b:", "only one side of `and`"),
        ("    return x * 0.9", "    return x * 1.9", "0.9 and 1.9 give different results"),
        ("    return a + b", "    return a - b", "`+` and `-` give different results"),
        ("    f(a, b)", "    f(a, None)", "None takes its place"),
        ("    f(a, b)", "    f(a, )", "the argument"),
        ("      flags=re.I)", "      )", "the argument `flags = re.I`"),
        ("    n = g(a.b[0], (c)) // 2", "    n = None", "needs `g(a.b[0], (c)) // 2`;"),
        ("    n = not (a and (b))", "    n = None", "needs `not (a and (b))`;"),
        ("    if not a:", "    if a:", "for which the condition holds and one"),
        ("    loud = True", "    loud = False", "what True stands for"),
        ('    return "a"', '    return "XXaXX"', 'exact text "a"'),
        ("        break", "        return", "`break` and `return`"),
        (
            "    if x in {'u', 'y'}:",
            "    if x in {'U', 'y'}:",
            "for which 'u' and 'U' give different",
        ),
        ("    return ', '.join(a)", "    return 'XX, XX'.join(a)", "an input for which ', ' and"),
    ],
)
def test_what_to_assert(before: str, after: str, words: str) -> None:
    assert words in what_to_assert(mutant(before, after))
    assert likely_equivalent(mutant(before, after)) == ""
