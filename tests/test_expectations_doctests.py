"""Doctest sessions read as expectations: calls, results, errors and the setup that they need."""

from __future__ import annotations

import pytest

from pytest_lift.expectations.doctests import examples, stated_in
from pytest_lift.requirements.requirement import Requirement


def stated(text: str) -> list[list[tuple[str, str, str]]]:
    return [[(one.call, one.relation, one.expected) for one in forms] for forms in stated_in(text)]


def test_a_value_may_be_asserted_as_such_or_as_shown() -> None:
    assert stated(">>> f(1)\n2\n") == [[("f(1)", "equals", "2"), ("repr(f(1))", "equals", "'2'")]]


def test_what_is_shown_and_is_no_expression_is_a_text() -> None:
    (forms,) = stated(">>> f(1)\n<Thing at 1>\n")
    assert forms[0] == ("f(1)", "equals", "'<Thing at 1>'")


def test_what_is_printed_is_what_the_inner_value_reads_as() -> None:
    assert stated(">>> print(f(1))\na b\n") == [
        [("f(1)", "equals", "'a b'"), ("str(f(1))", "equals", "'a b'")]
    ]
    assert stated(">>> print(f(1), 2)\n1 2\n")[0][0][0] == "print(f(1), 2)"


def test_a_comparison_that_is_true_states_the_relation() -> None:
    assert stated(">>> f(1) == 2\nTrue\n") == [[("f(1) == 2", "holds", "")]]
    assert stated(">>> f(1) == 2\nFalse\n")[0][0] == ("f(1) == 2", "equals", "False")
    assert stated(">>> 0 < f(1) < 2\nTrue\n")[0][0] == ("0 < f(1) < 2", "equals", "True")


def test_an_error_is_known_by_the_last_part_of_its_name() -> None:
    text = ">>> f(0)\nTraceback (most recent call last):\n    ...\npkg.errors.Bad: too small\n"
    assert stated(text) == [[("f(0)", "raises", "Bad")]]
    assert stated(">>> x = f(0)\n" + text.partition("\n")[2]) == [[("f(0)", "raises", "Bad")]]


@pytest.mark.parametrize(
    "text", ["", ">>> x = f(1)\n", ">>> f(1)\n", ">>> f(\n2\n", ">>>f(1)\n2\n"]
)
def test_what_shows_nothing_states_nothing(text: str) -> None:
    assert stated(text) == []


def test_the_setup_is_what_shares_data_with_the_call() -> None:
    text = """
    >>> import pkg
    >>> a = pkg.A()
    >>> b = pkg.B()
    >>> c = pkg.C()
    >>> a.grow(2)
    >>> b.join(a)
    >>> a.size
    2
    >>> c.size
    0
    """
    setups = [forms[0].setup for forms in stated_in(text)]
    assert setups == ["a = pkg.A()\nb = pkg.B()\na.grow(2)\nb.join(a)", "c = pkg.C()"]


def test_all_texts_of_a_requirement_are_read_examples_first() -> None:
    asked = Requirement(
        "R", "t", "See:\n>>> f(2)\n2\n", (">>> f(3)\n3\n", "plain"), (), "r", 1, examples=(">>> f(1)\n1\n",)
    )  # fmt: skip
    assert [forms[0].call for forms in examples(asked)] == ["f(1)", "f(2)", "f(3)"]
