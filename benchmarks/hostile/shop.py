"""A small program, the suite of it that has been accepted, and what it verifies."""

# ruff: noqa: E501 (small programs, each written as one string)

from __future__ import annotations

from pytest_lift.requirements.requirement import Requirement, Requirements

PRICES = '''\
"""Prices."""

LIMIT = 50


def total(price, count):
    """From ten pieces on the tenth part less."""
    if count >= 10:
        return price * count * 0.9
    return price * count


def label(name, loud=False):
    """A name on a sign."""
    if not name:
        raise ValueError("a name is needed")
    return name.upper() if loud else name


def half(price):
    return price / 2


class Till:
    """Adds up."""

    def __init__(self):
        self.sum = 0

    def add(self, amount):
        """Not too much at once."""
        if amount > LIMIT:
            raise ValueError("too much")
        self.sum = self.sum + amount
        return self.sum
'''
MINE = "from shop.prices import Till\n\n\ndef test_mine():\n    assert Till().add(50) == 50\n"
HEAD = '''\
"""Tests of prices."""

import pytest

from shop.prices import Till, label, total

WORDS = {"ann": "ann", "bob": "bob"}


@pytest.fixture
def few():
    return 9


def many():
    return 10
'''
TESTS = '''

@pytest.mark.req("P-1")
def test_total():
    """Multiplies."""
    assert total(2, 3) == 6


@pytest.mark.emergent("the limit of the discount")
def test_discount(few):
    """Begins at ten."""
    assert total(2, few) == 2 * few
    assert total(10, many()) == 9 * many()


@pytest.mark.emergent("words")
@pytest.mark.parametrize("name", ["ann", "bob"])
def test_label(name):
    """Stays as it is."""
    assert label(name) == WORDS[name]


@pytest.mark.req("P-2")
def test_no_label():
    """Needs a name."""
    with pytest.raises(ValueError, match="^a name is needed$"):
        label("")


@pytest.mark.emergent("adds up")
class TestTill:
    """The till."""

    def test_add(self):
        """Adds."""
        till = Till()
        assert till.add(2) == 2
        assert till.add(3) == 5

    def test_too_much(self):
        """Refuses."""
        with pytest.raises(ValueError, match="^too much$"):
            Till().add(51)
'''
FILE = "tests/test_prices.py"
BASE = HEAD + TESTS
SOUND = '\n\n@pytest.mark.emergent("loud")\ndef test_loud():\n    """Shouts."""\n    from shop.prices import half\n\n    assert label("ann", loud=True) == "ANN"\n    assert half(4) == 2\n'
"""What every candidate gains, also where no mutants are measured: a reason to accept it."""
REQUIREMENTS = Requirements(
    (
        Requirement("P-1", "total", "`total(2, 3)` is `6`.", ("a",), (), "r.yml", 1,
                    examples=(">>> from shop.prices import total\n>>> total(2, 3)\n6",)),
        Requirement("P-2", "label", "`label` of nothing: `ValueError`, `a name is needed`.", ("a",), (), "r.yml", 2,
                    examples=(">>> from shop.prices import label\n>>> label('')\nTraceback (most recent call last):\nValueError: a name is needed",)),
    )
)  # fmt: skip
