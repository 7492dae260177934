"""What kinds of assertions a test has, which of them cannot fail, and whose values they look at."""

from __future__ import annotations

from textwrap import indent

import pytest

from pytest_lift.assertions.assertions import Assertions, assertions_of, read_assertions
from pytest_lift.source.syntax import parse
from pytest_lift.suite.collection import DEFAULT_NAMING
from pytest_lift.suite.suite import suite_of

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


@pytest.mark.parametrize("body", ["f()", "look(f())", "json.dumps(f())"])
def test_nothing_asserted(body: str) -> None:
    assert read(body) == Assertions()


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


@pytest.mark.parametrize(
    ("name", "docstring", "intent"),
    [
        ("test_it", "", ""),
        ("test_it", "The sum of both.", ""),
        ("test_does_not_raise", "", "not-raised"),
        ("test_smoke", "", "not-raised"),
        ("test_it", "Nothing happens if types match.", "not-raised"),
        ("test_it", "It doesn't cause a crash.", "not-raised"),
        ("test_it", "Raises no error.", "not-raised"),
        ("test_none_is_accepted", "", "possible"),
        ("test_it", "It works with tuples.", "possible"),
        ("test_it", "It can be pickled.", "possible"),
        ("test_it", "It cannot be pickled.", ""),
        ("test_it", "It can't be pickled.", ""),
        ("test_raises", "It raises ValueError.", ""),
    ],
)
def test_what_a_test_says_that_it_asks(name: str, docstring: str, intent: str) -> None:
    text = f"def {name}():\n    {docstring!r}\n    f()\n"
    assert assertions_of(parse(text), ("pkg",), DEFAULT_NAMING)[name].intent == intent


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


@pytest.mark.parametrize(
    ("helper", "source"),
    [
        ("def made(f):\n    return f + 1", "own"),
        ("def made(x):\n    f = x\n    return f", "own"),
        ("def made(x):\n    return f(x)", "program"),
        ("def made(x):\n    import pkg.other\n    return x", "program"),
        ("def made(x):\n    import json\n    return x", "own"),
        ("def made(x):\n    import json\n    return json.dumps(x)", "own"),
        ("def made(x):\n    def inner(y):\n        return y\n    return inner(x)", "own"),
        ("class made:\n    def f(self, x):\n        return f(x)", "program"),
    ],
)
def test_what_a_helper_of_the_file_gives_is_what_it_uses(helper: str, source: str) -> None:
    text = f"from pkg import f\n\n\n{helper}\n\n\ndef test_a():\n    assert made(1) == 2\n"
    assert assertions_of(parse(text), ("pkg",), DEFAULT_NAMING)["test_a"].looks_at == source


def test_a_suite_is_read_by_node() -> None:
    texts = {"tests/test_a.py": "def test_x():\n    assert 1 == 2\n", "tests/bad.py": "def ("}
    assert list(read_assertions(suite_of("tests", texts), ("pkg",))) == ["tests/test_a.py::test_x"]
