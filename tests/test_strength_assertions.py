"""What kinds of assertions a test has, which of them cannot fail, and whose values they look at."""

from __future__ import annotations

from textwrap import indent

import pytest

from pytest_lift.strength.assertions import Assertions, assertions_of, read_assertions
from pytest_lift.suite import suite_of
from pytest_lift.testfile import DEFAULT_NAMING, parse

HEAD = """\
import json
import os
import pytest
import support
import unittest
from unittest.mock import MagicMock, Mock, patch
import pkg
from pkg import f, Thing

EXPECTED = {"a": 1}
MADE = f(1)


def check(value):
    assert value == 1


def look(value):
    print(value)


def assert_nothing(value):
    return value


class TestIt(unittest.TestCase):
    def test_it(self):
"""


def read(body: str) -> Assertions:
    text = HEAD + indent(body, "        ")
    return assertions_of(parse(text), ("pkg",), DEFAULT_NAMING)["TestIt::test_it"]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("assert f() == 1", "equality"),
        ("assert f() != 1", "equality"),
        ("assert Thing(1) == Thing(1)", "equality"),
        ("assert f() < 1", "comparison"),
        ("assert 1 < f() < 3", "comparison"),
        ("assert all(x > 1 for x in f())", "comparison"),
        ("assert 'a' in f()", "membership"),
        ("assert 'a' not in f()", "membership"),
        ("assert f() is None", "identity"),
        ("assert f() is not None", "not-none"),
        ("assert not f()", "truth"),
        ("assert f()", "truth"),
        ("assert f() and f() == 1", "equality"),
        ("assert isinstance(f(), int)", "type"),
        ("assert type(f()) is int", "type"),
        ("assert f() == pytest.approx(1)", "approx"),
        ("with pytest.raises(ValueError):\n    f()", "raises"),
        ("with self.assertRaises(ValueError):\n    f()", "raises"),
        ("m = Mock()\nf(m)\nm.assert_called_once_with(1)", "mock"),
        ("m = Mock()\nf(m)\nassert m.called", "mock"),
        ("self.assertEqual(f(), 1)", "equality"),
        ("self.assertTrue(f())", "truth"),
        ("self.assertIsNotNone(f())", "not-none"),
        ("self.assertIsInstance(f(), int)", "type"),
        ("self.assertAlmostEqual(f(), 1)", "approx"),
        ("self.assertRegex(f(), 'a')", "unittest"),
        ("support.assert_equal(f(), 1)", "helper"),
        ("if f():\n    pytest.fail('no')", "fail"),
        ("if f():\n    raise AssertionError('no')", "fail"),
    ],
)
def test_kinds(body: str, kind: str) -> None:
    found = read(body)
    assert found.kinds == (kind,)
    assert [one.can_fail for one in found.listed] == [True]


@pytest.mark.parametrize(
    "body",
    [
        "assert True",
        "x = f()\nassert x == x",
        "assert f(1) == f(1)",
        "assert f(1).a == f(1).a and f(2) == f(2)",
        "assert f(1) == pytest.approx(f(1))",
        "self.assertEqual(f(1), f(1))",
        "assert (f() == 1, 'a message')",
        "assert f() == 1 or True",
        "assert len(f()) >= 0",
        "assert isinstance(f(), object)",
        "try:\n    assert f() == 1\nexcept AssertionError:\n    pass",
        "return\nassert f() == 1",
        "assert_nothing(f())",
    ],
)
def test_what_cannot_fail_is_listed_as_such(body: str) -> None:
    found = read(body)
    assert found.listed
    assert not found.any_can_fail


@pytest.mark.parametrize("body", ["f()", "look(f())", "x = json.dumps(f())"])
def test_nothing_asserted(body: str) -> None:
    assert read(body) == Assertions()


@pytest.mark.parametrize(
    "body", ["check(f())", "support.verify(f())", "def inner():\n    check(f())\ninner()"]
)
def test_what_others_assert_counts(body: str) -> None:
    found = read(body)
    assert found.elsewhere
    assert found.any_can_fail
    assert found.looks_at == "program"


@pytest.mark.parametrize(
    ("body", "source"),
    [
        ("assert f() == 1", "program"),
        ("assert pkg.VERSION == '1'", "program"),
        ("assert MADE == 1", "program"),
        ("x = [f()]\ny = x[0]\nassert y == 1", "program"),
        ("x = []\nx.append(f())\nassert x == [1]", "program"),
        ("x = []\nf(x)\nassert x == [1]", "program"),
        ("x = {}\nx['a'] = f()\nassert x == {'a': 1}", "program"),
        ("for x in f():\n    assert x == 1", "program"),
        ("with f() as x:\n    assert x == 1", "program"),
        ("assert [x for x in f()] == [1]", "program"),
        ("with pytest.raises(ValueError) as caught:\n    f()\nassert str(caught.value)", "program"),
        ("m = Mock()\nf(m)\nassert m.called", "program"),
        ("f()\nassert os.path.exists('made')", "program"),
        ("f()\nassert open('made').read() == 'x'", "program"),
        ("assert self.thing == 1", "program"),
        ("from pkg.other import g\nassert g() == 1", "program"),
        ("def inner():\n    return f()\nassert inner() == 1", "program"),
        ("x = f()\nassert EXPECTED == {'a': 1}", "own"),
        ("x = f()\ny = 1 + 2\nassert y == 3", "own"),
        ("f()\nassert json.loads('1') == 1", "own"),
        ("x = f()\nassert sorted([2, 1]) == [1, 2]", "own"),
        ("with pytest.raises(ValueError):\n    int('x')", "own"),
        ("m = Mock(return_value=1)\nassert m(2) == 1", "mock"),
        ("m = MagicMock()\nm.run.return_value = 1\nassert m.run(f()) == 1", "mock"),
        ("m = Mock()\nm(1)\nm.assert_called_once_with(1)", "mock"),
        ("f = Mock(return_value=1)\nassert f() == 1", "mock"),
        ("with patch('pkg.f', return_value=1):\n    assert pkg.f() == 1", "mock"),
        ("n = 0\ndef hook():\n    nonlocal n\n    n += 1\nf(hook)\nassert n == 1", "program"),
        ("seen = []\ndef hook():\n    seen.append(1)\nf(hook)\nassert seen == [1]", "program"),
        ("with patch('pkg.other'):\n    assert pkg.f() == 1", "program"),
    ],
)
def test_whose_values_are_looked_at(body: str, source: str) -> None:
    assert read(body).looks_at == source


@pytest.mark.parametrize(
    ("head", "arguments", "source"),
    [
        ("@patch('pkg.f')", "mock_f", "mock"),
        ("@patch('pkg.f', new=1)", "mock_f", "program"),
        ("@pytest.mark.parametrize('mock_f', [1, 2])", "mock_f", "own"),
        ("@pytest.mark.parametrize('mock_f', [Thing, 2])", "mock_f", "program"),
        ("@pytest.mark.parametrize(('a', 'mock_f'), [(1, 2)])", "a, mock_f", "own"),
        ("", "mock_f", "program"),
    ],
)
def test_whose_values_arguments_are(head: str, arguments: str, source: str) -> None:
    text = f"{HEAD.partition('class')[0]}{head}\ndef test_a({arguments}):\n    assert mock_f == 1\n"
    found = assertions_of(parse(text), ("pkg",), DEFAULT_NAMING)
    assert found["test_a"].looks_at == source


def test_a_suite_is_read_by_node() -> None:
    texts = {"tests/test_a.py": "def test_x():\n    assert 1 == 2\n", "tests/bad.py": "def ("}
    assert list(read_assertions(suite_of("tests", texts), ("pkg",))) == ["tests/test_a.py::test_x"]
