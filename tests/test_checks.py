"""The checks of a test: what can be reached and can fail, and in which words it is compared."""

from __future__ import annotations

import ast
import textwrap

import pytest

from pytest_lift.assertions.checks import cannot_fail, checked_values, checks
from pytest_lift.source.syntax import FunctionNode


def function(body: str, head: str = "def test_it():") -> FunctionNode:
    (node,) = ast.parse(f"{head}\n{textwrap.indent(body, '    ')}").body
    assert isinstance(node, FunctionNode)
    return node


def told(body: str, head: str = "def test_it():") -> list[str]:
    """Of each check, what is around it and what it is."""
    return [" > ".join((*one.within, one.text)) for one in checks(function(body, head))]


@pytest.mark.parametrize(
    ("expression", "always"),
    [
        ("1", True),
        ("0", False),
        ("'a' == 'b'", True),
        ("(x, 1)", True),
        ("[f()]", True),
        ("{f()}", True),
        ("(*x,)", False),
        ("[*x]", False),
        ("{'a': x}", True),
        ("{**x}", False),
        ("{**x, 'a': x}", True),
        ("lambda: x", True),
        ("x or 1", True),
        ("x or 0", False),
        ("x or y", False),
        ("x or not x", True),
        ("x is None or x is not None", True),
        ("x is None or x is None", False),
        ("x or (y, 1)", True),
        ("1 and (x, 2)", True),
        ("1 and x", False),
        ("x and (x, 2)", False),
        ("x == x", True),
        ("x is x", True),
        ("x <= x", True),
        ("x >= x", True),
        ("x < x", False),
        ("x != x", False),
        ("x == y", False),
        ("f() == f()", False),
        ("len(x) >= 0", True),
        ("len(x) > 0", False),
        ("len(x) >= 1", False),
        ("size(x) >= 0", False),
        ("0 <= len(x)", False),
        ("isinstance(x, object)", True),
        ("issubclass(x, object)", True),
        ("isinstance(x, (int, object))", True),
        ("isinstance(x, (int, str))", False),
        ("isinstance(x, int)", False),
        ("isinstance(x)", False),
        ("(y := (x, 1))", True),
        ("(y := x)", False),
        ("x", False),
        ("f()", False),
        ("(yield)", False),
    ],
)
def test_what_is_true_whatever_the_program_does(expression: str, always: bool) -> None:
    assert cannot_fail(ast.parse(expression, mode="eval").body) is always


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("assert x == 1\nassert 1\nassert y", ["x == 1", "y"]),
        ("raise ValueError(x)", ["raise ValueError(x)"]),
        ("raise", []),
        ("if x:\n    raise E\nassert y", ["if x > raise E", "y"]),
        ("if x:\n    assert y\nelse:\n    assert z", ["if x > y", "if x > z"]),
        ("while x:\n    assert y", ["if x > y"]),
        ("for a, b in rows:\n    assert a == b", ["for (a, b) in rows > a == b"]),
        ("with f() as g, h():\n    assert g", ["with f() as g, h() > g"]),
        ("match x:\n    case 1:\n        assert y", ["match x > y"]),
        ("if 1:\n    assert x\nelse:\n    assert y", ["if 1 > x"]),
        ("if 0:\n    assert x\nelse:\n    assert y", ["if 0 > y"]),
        ("def inner():\n    assert x\ninner()", ["def inner > x"]),
        ("def inner():\n    assert x", []),
        ("@mark\ndef inner():\n    assert x\nassert y", ["def inner > x", "y"]),
        (
            "def inner():\n    def deep():\n        assert x\n    deep()\ninner()",
            ["def inner > def deep > x"],
        ),
        (
            "class Own:\n    def go(self):\n        assert x\nassert Own",
            ["class Own > def go > x", "Own"],
        ),
        ("if x:\n    def inner():\n        assert y\n    inner()", ["if x > def inner > y"]),
        (
            "for a in b:\n    if a:\n        assert y\n    assert z",
            ["for a in b > if a > y", "for a in b > z"],
        ),
        ("try:\n    assert x\nfinally:\n    assert y", ["try > x", "try > y"]),
        ("try:\n    assert x\nexcept E:\n    assert y\nelse:\n    assert z", ["try > x", "try > z", "try > y"]),
        ("try:\n    assert x\nexcept Exception:\n    pass\nelse:\n    assert z\nfinally:\n    assert q", ["try > z", "try > q"]),
        ("try:\n    assert x\nexcept (E, AssertionError):\n    pass", []),
        ("try:\n    assert x\nexcept (E, F):\n    pass", ["try > x"]),
        ("try:\n    assert x\nexcept:\n    pass", []),
        ("try:\n    assert x\nexcept Exception:\n    log()", ["try > x"]),
        ("try:\n    assert x\nexcept Exception:\n    raise", ["try > x"]),
        ("try:\n    f()\nexcept E:\n    raise F\n", []),
        ("try:\n    f()\nexcept E:\n    pytest.fail('so')\n    assert False\n    assert y", ["try > y"]),
        ("with suppress(Exception):\n    assert x\nassert y", ["y"]),
        ("with suppress(KeyError, AssertionError):\n    assert x", []),
        ("with suppress(KeyError):\n    assert x", ["with suppress(KeyError) > x"]),
        ("with other(Exception):\n    assert x", ["with other(Exception) > x"]),
        ("with suppress:\n    assert x", ["with suppress > x"]),
        (
            "with pytest.raises(E):\n    a()\n    b()",
            ["pytest.raises(E):\na()\nb()"],
        ),
        ("with self.assertRaises(E) as e:\n    a()", ["self.assertRaises(E):\na()"]),
        ("if x:\n    with pytest.warns(E):\n        a()", ["if x > pytest.warns(E):\na()"]),
        ("with self.assertLogs():\n    a()", ["self.assertLogs():\na()"]),
        ("pytest.raises(E)", []),
        ("pytest.raises(E, f)", ["pytest.raises(E, f)"]),
        ("x = pytest.raises(E)", ["pytest.raises(E)"]),
        ("if x:\n    pytest.raises(E, f)", ["if x > pytest.raises(E, f)"]),
        ("pytest.fail('so')", ["pytest.fail('so')"]),
        ("helper()", []),
        ("assert_same(x, y)", ["assert_same(x, y)"]),
        ("self.assertTrue(x)\nself.assertTrue(1)", ["self.assertTrue(x)"]),
        ("self.assertFalse(x)\nself.assertFalse((x, 1))", ["self.assertFalse(x)"]),
        ("self.assertIsNotNone(x)\nself.assertIsNotNone([x])", ["self.assertIsNotNone(x)"]),
        ("self.assertTrue(x, (y, 1))", ["self.assertTrue(x, (y, 1))"]),
        ("self.assertEqual(x, x)\nself.assertEqual(x, y)", ["self.assertEqual(x, y)"]),
        ("self.assertIs(x, x)\nself.assertEquals(x, x)", []),
        ("self.assertIn(x, x)", ["self.assertIn(x, x)"]),
        ("self.assertEqual(x)", ["self.assertEqual(x)"]),
        ("pytest.skip('so')\nassert x", []),
        ("self.skipTest('so')\nassert x", []),
        ("sys.exit(1)\nassert x", []),
        ("os._exit(1)\nassert x", []),
        ("pytest.exit('so')\nassert x", []),
        ("skip('so')\nassert x", ["x"]),
        ("other.skip('so')\nassert x", ["x"]),
        ("self.run()\nassert x", ["x"]),
        ("x = pytest.skip\nassert x", ["x"]),
        ("return\nassert x", []),
    ],
)  # fmt: skip
def test_what_can_be_reached_and_can_fail(body: str, found: list[str]) -> None:
    assert told(body) == found


def test_a_mark_that_expects_is_a_check() -> None:
    head = "@pytest.mark.parametrize('e', [pytest.raises(E), 1])\n@other(2)\ndef test_it(e):"
    (one,) = checks(function("pass", head))
    assert isinstance(one.node, ast.Call)
    assert (one.text, one.within) == ("pytest.raises(E)", ())


def test_names_are_compared_with_what_they_were_given() -> None:
    body = "a = f(1)\nb: int = 2\nif (c := g()):\n    d, e = h()\n    assert (a, b, c, d, OTHER)[0] == e"
    around = {"OTHER": ("3", "4"), "a": ("5",)}
    assert list(checked_values(function(body), around).elements()) == [
        "if (c := g())\n(a, b, c, d, OTHER)[0] == e\n"
        "OTHER = 3\nOTHER = 4\na = f(1)\nb = 2\nc = g()\nd = h()\ne = h()"
    ]
    twice = function("x = 1\nassert x == f()\nassert x == f()\nx[0] = 2\ny: int")
    assert checked_values(twice) == {"x == f()\nx = 1": 2}
