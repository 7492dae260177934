"""Sentences that state something else, or nothing, and tests that assert something else.

None of these may count as stated, be tried as a contradiction, or be verified.
"""

from __future__ import annotations

import pytest

from pytest_lift.agents.offline.expecting import written_out
from pytest_lift.expectations.requirement_match import agreement
from pytest_lift.requirements.requirement import Requirement

SILENT = {
    "denied": [
        "`f(1) == 2` does not hold.",
        "It is not true that `f(1) == 2`.",
        "It is wrong that `f(1)` is `2`.",
        "Wrong: `f(1)` is `2`.",
    ],
    "of another time, or asked": [
        "Formerly `f(1)` returns `2`.",
        "`f(1)` used to be `2`.",
        "Should `f(1)` be `2`?",
        "`f(1)` may be `2`.",
    ],
    "under a condition": [
        "If `f(1)` is `2`, `g(1)` is `3`.",
        "`g(3)` raises `ValueError` if `f(1) == 2`.",
        "`f(1)` is `2` assuming a C locale.",
        "Strict mode: `parse('x')` raises `ValueError`.",
        "Following `g(5)`, `f(1)` is `2`.",
    ],
    "one of several": [
        "`div(0)` raises `ValueError` or `TypeError`.",
        "`triple(1)` gives `1`, `1` and `1`.",
        "`f(1)` and `g(1)` are `5` and `3`.",
        "With `indent=1` `dumps([])` is `'[]'` and `dumps([1])` is `'[1]'`.",
    ],
    "of something else": [
        "`split('a b')` returns 2 words.",
        "`listing(9)` returns `9` numbers.",
        "`token(1)` is at least 8 characters long.",
        "`f(1)` is `2` or more.",
        "`f(1)` is `4` more than `g(1)`.",
        "The length of the result of `dumps([1])` is `3`.",
        "`text(2)` returns the string `2`.",
        "`scale(3)` is 1,000.",
    ],
    "no value as it stands": [
        "`third(1)` is `1/3`.",
        "`scale(6)` is `10**6`.",
        "`day('2020-01-01')` returns `2020-01-01`.",
        "`listing(4)` gives `[0, ..., 3]`.",
    ],
    "not to be called as it stands": [
        "`print(hi('a'))` gives `'hi a'`.",
        "`words(list)` is `0`.",
        "`dumps([1], ...)` is `'[1]'`.",
        "`old(1)` raises a `DeprecationWarning`.",
        "`Reader.read(5)` returns `'hello'`.",
    ],
}
"""What a text says of a call that it writes out -> texts."""


def requirement(text: str, title: str = "T", acceptance: tuple[str, ...] = ()) -> Requirement:
    return Requirement("R-1", title, text, acceptance, (), "r.yml", 1)


def tried(item: Requirement) -> list[tuple[str, str]]:
    return [(one.call, one.expected) for one in written_out(item)]


@pytest.mark.parametrize("text", [text for texts in SILENT.values() for text in texts])
def test_nothing_is_tried_that_is_not_stated(text: str) -> None:
    assert tried(requirement(text)) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Unlike `f(1)` which is `2`, `g(1)` is `3`.", [("g(1)", "3")]),
        ("For example, `f(1)` is `2`.", [("f(1)", "2")]),
        ("Then `f(1)` must be `2`, and `indent=2` adds lines.", [("f(1)", "2")]),
        ("`f(1)` is exactly `2`.", [("f(1)", "2")]),
        ("`pad('a')` is `'a   '`.", [("pad('a')", "'a   '")]),
        ("`add(0.1, 0.2)` is `0.3`.", [("abs(add(0.1, 0.2) - 0.3) < 1e-09", "")]),
        ("A score counts from 90: `grade(90)` is `'A'`.", [("grade(90)", "'A'")]),
    ],
)
def test_what_is_stated_is_tried(text: str, found: list[tuple[str, str]]) -> None:
    said = [
        (call.replace("1e-9", "1e-09"), expected) for call, expected in tried(requirement(text))
    ]
    assert said == found


@pytest.mark.parametrize(
    "acceptance",
    [
        (
            "In strict mode:\n- `parse('x')` raises `ValueError`\n\nOtherwise:\n- `parse('x')` is `0`\n",
        ),
        ("In version 1:", "`f(1)` is `2`"),
    ],
)
def test_what_stands_below_a_heading_holds_there_only(acceptance: tuple[str, ...]) -> None:
    assert tried(requirement("", acceptance=acceptance)) == []


STATED = "`f(1)` is `2`."
OTHERWISE = [
    ("`f` of `''` must not under any circumstances return `2`.", "assert f('') == 2"),
    ("Nobody expects that `f` of `''` is `2`.", "assert f('') == 2"),
    ("`f` of `''` used to be `2`; it raises `ValueError` now.", "assert f('') == 2"),
    ("`f` of `''` gives `2` no longer.", "assert f('') == 2"),
    ("`f` of `''` refuses to return `2`.", "assert f('') == 2"),
    ("`f` avoids raising `ValueError` for `''`.", "with pytest.raises(ValueError):\n    f('')"),
    ("`words('a b')` returns 2 words.", "assert words('a b') == 2"),
    ("`scale` turns `6` into `10**6`.", "assert scale(6) == '10**6'"),
    ("`split('a  b')` is `['a', 'b']`.", "assert split('a b') == ['a', 'b']"),
    (STATED, "r = f(1)\nr += 1\nassert r == 2"),
    (STATED, "r = f(1)\nr, s = g(5)\nassert r == 2"),
    (STATED, "r = f(1)\nfor r in g(3):\n    assert r == 2"),
    (STATED, "r = f(1)\nwith g() as r:\n    assert r == 2"),
    (STATED, "x = 1\nx += 4\nassert f(x) == 2"),
    (STATED, "x = 1\nfor x in [7]:\n    assert f(x) == 2"),
    (STATED, "r = f(1)\nr.append(3)\nassert r == 2"),
    (STATED, "def f(x):\n    return 2\nassert f(1) == 2"),
    (STATED, "from m import g as f\nassert f(1) == 2"),
    (STATED, "if False:\n    assert f(1) == 2\nassert g(1)"),
    (STATED, "try:\n    assert f(1) == 2\nexcept AssertionError:\n    pass\nassert g(1)"),
    (STATED, "with pytest.raises(AssertionError):\n    assert f(1) == 2"),
    (STATED, "assert f(1) == pytest.approx(2, abs=100)"),
    (STATED, "assert machine.run(f(1)) == 2"),
    (STATED, "assert f(1, **opts) == 2"),
    (STATED, "for o in things:\n    assert o.f(1) == 2"),
    (STATED, "assert Box().f(1) == 2"),
    ("`f(1)` raises `ValueError`.", "with pytest.raises(ValueError):\n    g(5)\n    f(1)"),
    ("`magnitude` of `5` is `5`.", "assert magnitude(-5) == 5"),
    ("`f` of `1` is `2`.", "assert f([1]) == 2"),
    ("`f` of `1` is `2`.", "assert f(1 + 1) == 2"),
    ("`f` of `1` is `2`.", "assert f(1, 'of') == 2"),
    ("`f` of `1` is `2`.", "assert f(g(1), **opts) == 2"),
    ("`f` of `1` is `2`.", "assert f(*[1, 1, 1]) == 2"),
    ("`f` turns `'a'` into `'b'`.", "assert f('a'.upper()) == 'b'"),
    ("`area` takes 2 numbers and returns `6`.", "assert area(2) == 6"),
    ("`area` returns `6` (see section 3).", "assert area(3) == 6"),
    ("`Fraction.from_float(0.5)` is `1`.", "assert Decimal.from_float(0.5) == 1"),
    ("`a.f(1)` is `2`.", "assert b.f(1) == 2"),
    ("`stack.f(1)` is `2`.", "assert Heap.f(1) == 2"),
    ("`Bits('0xf').u` is `15`.", "assert Bits().u() == 15"),
    ("`Money(5).amount` is `5`.", "assert amount(x) == 5"),
]


def verdict(text: str, body: str) -> str | None:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return agreement(requirement(text), f"def test_it():\n{lines}")


@pytest.mark.parametrize(("text", "body"), OTHERWISE)
def test_what_asserts_something_else_does_not_verify(text: str, body: str) -> None:
    assert verdict(text, body) is None


@pytest.mark.parametrize(
    ("text", "body"),
    [
        (STATED, "r = f(1)\nassert r == 2"),
        (STATED, "import thing as t\nassert t.f(1) == 2"),
        (STATED, "from thing import f\nassert 2 == f(1)"),
        (STATED, "assert f(1) == pytest.approx(2)"),
        (STATED, "assert asyncio.run(f(1)) == 2"),
        ("`split('a  b')` is `['a', 'b']`.", "assert split('a  b') == ['a', 'b']"),
        (
            "`Fraction.from_float(0.5)` is `1`.",
            "from m import Fraction\nassert Fraction.from_float(0.5) == 1",
        ),
        ("`a.f(1)` is `2`.", "from a import f\nassert f(1) == 2"),
        ("`f` of `1` is no more than `2`.", "assert f(1) <= 2"),
    ],
)
def test_what_asserts_just_that_verifies(text: str, body: str) -> None:
    assert verdict(text, body) is not None


def test_a_row_that_is_skipped_asserts_nothing() -> None:
    skipped = "pytest.param(1, 2, marks=pytest.mark.skip(reason='n'))"
    for rows, found in ((f"[{skipped}, (3, 4)]", None), ("[(1, 2), (3, 4)]", "quoted value")):
        source = (
            f"@pytest.mark.parametrize('x, y', {rows})\ndef test_it(x, y):\n    assert f(x) == y\n"
        )
        assert agreement(requirement(STATED), source) == found


def test_names_that_stand_for_deeply_nested_data_are_no_error() -> None:
    lines = ["a0 = 1", *(f"a{i} = {'[' * 20}a{i - 1}{']' * 20}" for i in range(1, 11))]
    assert verdict(STATED, "\n".join([*lines, "assert f(a10) == 2"])) is None
