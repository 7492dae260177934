"""What kinds of assertions a test has, which of them cannot fail, and whose values they look at."""

from __future__ import annotations

import pytest
from asserted_functions import read

from pytest_lift.assertions.assertions import Assertions, assertions_of, read_assertions
from pytest_lift.source.syntax import parse
from pytest_lift.suite.suite import suite_of
from pytest_lift.suite.test_file import DEFAULT_NAMING


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


def test_a_suite_is_read_by_node() -> None:
    texts = {"tests/test_a.py": "def test_x():\n    assert 1 == 2\n", "tests/bad.py": "def ("}
    assert list(read_assertions(suite_of("tests", texts), ("pkg",))) == ["tests/test_a.py::test_x"]


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
