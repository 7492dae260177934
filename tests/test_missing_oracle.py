"""What is left of an oracle that is gone, and who else asserts; a smoke test has lost nothing."""

from __future__ import annotations

import pytest
from asserted_functions import HEAD, read

from pytest_lift.assertions.assertions import assertions_of
from pytest_lift.source.syntax import parse
from pytest_lift.suite.test_file import DEFAULT_NAMING


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("x = f()", "'x' is assigned and never read"),
        ("x = f()\nf(x)\nx = f(2)", "'x' is assigned and never read"),
        ("a, b = Thing(), f()\nx: int = f(a)", "'x' is assigned and never read"),
        ("a, b = f()", "'a' or 'b' is assigned and never read"),
        ("expected = 3\nf(3)", "'expected' is assigned and never read"),
        ("with f():\n    x = f()", "'x' is assigned and never read"),
        ("def inner(x):\n    return x\nf()", "'inner' is assigned and never read"),
        ("for x in f():\n    pass", "a loop over values does nothing"),
        ("if f():\n    pass", "a branch does nothing"),
        ("with self.subTest(1):\n    pass", "a subtest does nothing"),
        ("def _assert_same(a, b):\n    f(a)\n_assert_same(1, 2)", "_assert_same asserts nothing"),
        ("f() == 1", "the result of f() == 1 is discarded"),
        ("len(f())", "the result of len(f()) is discarded"),
        ("x = Thing()\nx.is_open()", "the result of x.is_open() is discarded"),
        ("f(1)\nf(2)\nf(1)", "f(1) is called repeatedly"),
        ("f(1)\nf(2)\nf(3)\nf(4)", "the results of 4 calls are discarded"),
        ("x = Thing()\nx[1] = 2\nx[2] = 3", "'x' is filled and never read"),
    ],
)
def test_what_is_left_of_an_oracle(body: str, shown: str) -> None:
    assert read(body).remnant.startswith(shown)


@pytest.mark.parametrize(
    "body",
    [
        "f()",
        "x = Thing()\nx.run()",
        "_ = f()",
        "a, b = f()\nf(a)",
        "name = 'a'\nf()",
        "for _ in f():\n    pass",
        "with f():\n    pass",
        "with f() as x:\n    pass",
        "x = f()\nfor i in range(3):\n    f(x)\n    x = f(i)",
        "x = f()\ndef inner():\n    return x\nf(inner)",
        "@pkg.made\nclass C:\n    pass",
        "@pkg.made\ndef inner():\n    pass",
        "x = Thing()\nx[1] = 2\nf(x)",
        "x = Thing()\nx.a = 2",
        "f(1)\nf(2)",
        "str(f())",
    ],
)
def test_a_smoke_test_has_lost_nothing(body: str) -> None:
    assert read(body).remnant == ""


@pytest.mark.parametrize("body", ["x = f()\nassert f() == 1", "x = f()\nsupport.verify(f())"])
def test_what_asserts_is_not_asked_for_remnants(body: str) -> None:
    assert read(body).remnant == ""


@pytest.mark.parametrize(
    ("arguments", "body", "shown"),
    [
        ("n, expected", "f(n)", "nothing reads 'expected', a column of its table"),
        ("n, expected", "f(n, expected)", ""),
        ("n, _expected", "f(n)", ""),
    ],
)
def test_a_column_that_nothing_reads(arguments: str, body: str, shown: str) -> None:
    text = f"{HEAD.partition('class')[0]}@pytest.mark.parametrize('{arguments}', [(1, 2)])\ndef test_a({arguments}):\n    {body}\n"
    assert assertions_of(parse(text), ("pkg",), DEFAULT_NAMING)["test_a"].remnant == shown


@pytest.mark.parametrize(("name", "elsewhere"), [("subTest", False), ("make_sure", True)])
def test_methods_of_unittest_are_known_not_to_assert(name: str, elsewhere: bool) -> None:
    mixed = HEAD.replace("(unittest.TestCase)", "(support.Case, unittest.TestCase)")
    tree = parse(f"{mixed}        with self.{name}(f()):\n            f()\n")
    assert assertions_of(tree, ("pkg",), DEFAULT_NAMING)["TestIt::test_it"].elsewhere is elsewhere


@pytest.mark.parametrize(
    "body", ["check(f())", "support.verify(f())", "def inner():\n    check(f())\ninner()"]
)
def test_what_others_assert_counts(body: str) -> None:
    found = read(body)
    assert found.elsewhere
    assert found.any_can_fail
    assert found.looks_at == "program"
