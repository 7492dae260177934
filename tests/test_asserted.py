"""What a test says, in full: every claim of every row, in normal form."""

from __future__ import annotations

import textwrap

import pytest

from pytest_lift.expectations.asserted import Claim, asserts, claims
from pytest_lift.requirements.requirement import Expectation

SAID = {
    "assert f(1) == 2": ["f(1) == 2"],
    "assert f(1) == pytest.approx(2.0)": [
        "true f(1) == approx(2.0)",
        "equals approx(2.0) f(1)",
        "equals f(1) 2.0",
        "holds approx(2.0) == f(1)",
        "holds f(1) == 2.0",
    ],
    "assert 2 == f(1)": ["2 == f(1)"],
    "assert f(1) is None": [
        "true f(1) is None",
        "equals None f(1)",
        "equals f(1) None",
        "holds None == f(1)",
        "holds f(1) == None",
    ],
    "assert f(1)": ["true f(1)"],
    "assert not f(1)": ["true not f(1)", "equals f(1) False"],
    "assert -f(1)": ["true -f(1)"],
    "assert f(1) < 2": ["true f(1) < 2"],
    "assert 1 < f(1) < 2": ["true 1 < f(1) < 2"],
    "assert 1 == f(1) == 2": ["true 1 == f(1) == 2"],
    "assert list(f(1)) == [2]": ["list(f(1)) == [2]", "equals f(1) [2]"],
    "assert tuple(f(1)) == (2,)": ["tuple(f(1)) == (2,)", "equals f(1) (2,)"],
    "assert asyncio.run(f(1)) == 2": ["run(f(1)) == 2", "equals f(1) 2"],
    "assert loop.run(f(1)) == 2": ["run(f(1)) == 2"],
    "assert run(f(1)) == 2": ["run(f(1)) == 2", "equals f(1) 2"],
    "assert list(f(1), 2) == [2]": ["list(f(1), 2) == [2]"],
    "assert sorted(f(1)) == [2]": ["sorted(f(1)) == [2]"],
    "assert f(1) == approx(2, rel=1)": ["f(1) == approx(2, rel=1)"],
    "assert m.f(1) == 2": ["f(1) == 2"],
    "self.assertEqual(f(1), 2)": ["f(1) == 2"],
    "self.assertEquals(f(1), 2)": ["f(1) == 2"],
    "self.assertListEqual(f(1), [2])": ["f(1) == [2]"],
    "self.assertAlmostEqual(f(1), 2)": ["f(1) == 2"],
    "self.assertIs(f(1), None)": [
        "true f(1) is None",
        "equals None f(1)",
        "equals f(1) None",
        "holds None == f(1)",
        "holds f(1) == None",
    ],
    "self.assertNotEqual(f(1), 2)": ["true f(1) != 2"],
    "self.assertIn(1, f(1))": ["true 1 in f(1)"],
    "self.assertNotIn(1, f(1))": ["true 1 not in f(1)"],
    "self.assertLess(f(1), 2)": ["true f(1) < 2"],
    "self.assertLessEqual(f(1), 2)": ["true f(1) <= 2"],
    "self.assertGreater(f(1), 2)": ["true f(1) > 2"],
    "self.assertGreaterEqual(f(1), 2)": ["true f(1) >= 2"],
    "self.assertTrue(f(1))": ["true f(1)"],
    "self.assertFalse(f(1))": ["true not f(1)", "equals f(1) False"],
    "self.assertTrue()": [],
    "self.assertEqual(f(1))": [],
    "self.assertOther(f(1), 2)": [],
    "self.assertTrue(f(1) == 2, 'so')": ["f(1) == 2"],
    "with pytest.raises(E):\n    f(1)": ["raises f(1) E"],
    "with pytest.raises(m.E):\n    x = f(1)": ["raises f(1) m.E"],
    "with pytest.raises(E), other():\n    f(1)": ["raises f(1) E"],
    "with pytest.raises():\n    f(1)": [],
    "with other(E):\n    f(1)": [],
    "with pytest.raises(E):\n    f(1)\n    f(2)": [],
    "with pytest.raises(E):\n    assert f(1) == 2": [],
    "with pytest.raises(E):\n    return f(1)": [],
    "with self.assertRaises(E):\n    f(1)": ["raises f(1) E"],
    "with self.assertRaisesRegex(E, 'so'):\n    f(1)": ["raises f(1) E"],
    "pytest.raises(E, f, 1, k=2)": ["raises f(1, k=2) E"],
    "pytest.raises(E)": [],
    "x = 1\nassert f(x) == 2": ["f(1) == 2"],
    "x = 1\nassert f(x) == 2\nx = 3\nassert f(x) == 4": ["f(1) == 2", "f(3) == 4"],
    "x: int = 1\nassert f(x) == 2": ["f(1) == 2"],
    "x = 1\nx += 2\nassert f(x) == 2": ["f(1 + 2) == 2"],
    "x += 2\nassert f(x) == 2": ["f(x + 2) == 2"],
    "if (x := 1):\n    assert f(x) == 2": ["f(1) == 2"],
    "x = [1]\nx.append(2)\nassert f(x) == 2": ["f(after([1], append(2))) == 2"],
    "x.append(2)\nassert f(x) == 2": ["f(after(x, append(2))) == 2"],
    "a, b = 1, 2\nassert f(a) == b": ["f(1) == 2"],
    "a, b = made()\nassert f(a) == b": ["f(made()[0]) == made()[1]"],
    "(a, [b, c]) = made()\nassert f(c) == b": ["f(made()[1][1]) == made()[1][0]"],
    "a, b = 1, 2, 3\nassert f(a) == b": ["f((1, 2, 3)[0]) == (1, 2, 3)[1]"],
    "for x in made():\n    assert f(x) == 2": ["f(each(made())) == 2"],
    "for x, y in made():\n    assert f(x) == y": ["f(each(made())[0]) == each(made())[1]"],
    "with made() as x:\n    assert f(x) == 2": ["f(entered(made())) == 2"],
    "with made() as (x, y), other():\n    assert f(x) == y": [
        "f(entered(made())[0]) == entered(made())[1]"
    ],
    "from m import g as f2, h as h\nassert f2(1) == h": ["g(1) == h"],
    "def inner(x):\n    return 1\nassert inner(1) == 2": ["local('inner')(1) == 2"],
    "def test_inner(x):\n    return 1\nassert test_inner(1) == 2": ["test_inner(1) == 2"],
    "async def inner(x):\n    return 1\nassert inner(1) == 2": ["local('inner')(1) == 2"],
    "def inner():\n    assert f(1) == 2\ninner()": ["f(1) == 2"],
    "def inner():\n    assert f(1) == 2": [],
    "if x:\n    assert f(1) == 2\nelse:\n    assert f(1) == 3": ["f(1) == 2", "f(1) == 3"],
    "if False:\n    assert f(1) == 2": [],
    "return\nassert f(1) == 2": [],
    "x = f(1)\ny = x\nassert y == 2": ["f(1) == 2"],
    "x = f(x)\nassert x == 2": ["f(x) == 2"],
    "x = x\nassert x == 2": ["x == 2"],
    "assert x.y.z(1) == 2": ["y.z(1) == 2"],
    "try:\n    assert f(1) == 2\nexcept E:\n    pass": ["f(1) == 2"],
    "try:\n    assert f(1) == 2\nexcept Exception:\n    pass": [],
    "self.assertRaisesRegex(E, 'so', f, 1)": ["raises f(1) E"],
    "pytest.raises(E, f)": ["raises f() E"],
    "self.assertRaises(E, m.f, 1)": ["raises f(1) E"],
}
"""The body of a test -> its claims: equations both ways, truths, and the rest as it is."""
TABLES = {
    "@pytest.mark.parametrize('x', [1, 2])\ndef test(x):\n    assert f(x) == 3": [
        "f(1) == 3",
        "f(2) == 3",
    ],
    "@pytest.mark.parametrize('x, y', [(1, 2), pytest.param(3, 4), pytest.param(5, 6, marks=pytest.mark.skip), (7, 8)])\ndef test(x, y):\n    assert f(x) == y": [
        "f(1) == 2",
        "f(3) == 4",
        "f(7) == 8",
    ],
    "@pytest.mark.parametrize('x', [pytest.param(1), pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=[pytest.mark.xfail]), (4, 5)])\ndef test(x):\n    assert f(x) == 3": [
        "f((4, 5)) == 3",
        "f(1) == 3",
        "f(2) == 3",
    ],
    "@pytest.mark.parametrize(('x', 'y'), [(1, 2)])\ndef test(x, y):\n    assert f(x) == y": [
        "f(1) == 2"
    ],
    "@pytest.mark.parametrize(['x'], [(1,)])\ndef test(x):\n    assert f(x) == 2": ["f(1) == 2"],
    "@pytest.mark.parametrize('x, y', [(1, 2, 3), (4,)])\ndef test(x, y):\n    assert f(x) == y": [
        "f(1) == 2",
        "f(4) == fixture('y')",
    ],
    "@pytest.mark.parametrize('x', [])\ndef test(x):\n    assert f(x) == y": [
        "f(fixture('x')) == y"
    ],
    "@pytest.mark.parametrize('x')\ndef test(x):\n    assert f(x) == 2": ["f(fixture('x')) == 2"],
    "@pytest.mark.parametrize('x', ROWS)\ndef test(x):\n    assert f(x) == 2": ["f(ROWS) == 2"],
    "@pytest.mark.parametrize('x', [1, 2])\n@pytest.mark.parametrize('y', [3, 4])\ndef test(x, y):\n    assert f(x) == y": [
        "f(1) == 3",
        "f(1) == 4",
        "f(2) == 3",
        "f(2) == 4",
    ],
    "def test(self, shop, *rest, key=1):\n    assert shop.f(1) == 2\n    assert self.f(1) == 3": [
        "f(1) == 3",
        "fixture('shop').f(1) == 2",
    ],
    "class TestA:\n    def test(self):\n        assert f(1) == 2": ["f(1) == 2"],
    "assert f(1) == 2\ndef helper():\n    assert f(2) == 3": ["f(1) == 2", "f(2) == 3"],
    "def test(:": [],
    "ROWS = [(1, 2), (3, 4)]\n@pytest.mark.parametrize('x, y', ROWS)\ndef test(x, y):\n    assert f(x) == y": [
        "f(1) == 2",
        "f(3) == 4",
    ],
    "@pytest.mark.parametrize('x', [1, 2])\n@mark(1)\n@mark.other(3, 4)\ndef test(x):\n    assert f(x) == 3": [
        "f(1) == 3",
        "f(2) == 3",
    ],
}
"""The same of whole tests with rows."""


def spelled(said: str) -> set[Claim]:
    """All claims that one of the short forms stands for."""
    kind, _, rest = said.partition(" ")
    if kind == "true":
        return {("holds", rest, ""), ("equals", rest, "True")}
    if kind == "raises":
        call, _, error = rest.rpartition(" ")
        return {("raises", call, error)}
    if kind == "equals":
        call, _, value = rest.rpartition(" ")
        return {("equals", call, value)}
    if kind == "holds":
        return {("holds", rest, "")}
    one, _, other = said.partition(" == ")
    both = {("equals", one, other), ("equals", other, one)}
    return both | {("holds", f"{other} == {one}", "")} | spelled(f"true {said}")


def spelled_out(said: list[str]) -> set[Claim]:
    return set().union(*map(spelled, said))


@pytest.mark.parametrize("body", SAID)
def test_what_a_body_claims(body: str) -> None:
    source = "def test():\n" + textwrap.indent(body, "    ")
    assert claims(source) == spelled_out(SAID[body])
    assert claims(textwrap.indent(source, "    ")) == spelled_out(SAID[body])


@pytest.mark.parametrize("source", TABLES)
def test_each_row_claims_something(source: str) -> None:
    assert claims(source) == spelled_out(TABLES[source])


def expected(call: str, relation: str = "equals", told: str = "", setup: str = "") -> Expectation:
    return Expectation("R-1", "so it is", call, relation, told, setup)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("expectation", "body", "made"),
    [
        (expected("f(1)", told="2"), "assert f(1) == 2", True),
        (expected("f(1)", told="2"), "assert f(1) == 3", False),
        (expected("f(", told="2"), "assert f(1) == 2", False),
        (expected("f(1)", told="2", setup="x ="), "assert f(1) == 2", False),
        (expected("f(1)", told="2 +"), "assert f(1) == 2", False),
        (expected(" f(1) ", told=" 2 "), "assert f(1) == 2", True),
        (expected("f(1)", "raises", "E"), "with pytest.raises(E):\n    f(1)", True),
        (expected("f(1)", "raises", "m.E"), "with pytest.raises(E):\n    f(1)", True),
        (expected("f(1)", "raises", "E"), "with pytest.raises(m.E):\n    f(1)", True),
        (expected("f(1)", "raises", "E"), "with pytest.raises(ME):\n    f(1)", False),
        (expected("f(1)", "raises", "Exception"), "with pytest.raises(E):\n    f(1)", True),
        (expected("f(1)", "raises", "BaseException"), "with pytest.raises(E):\n    f(1)", True),
        (expected("f(1)", "raises", "Exception"), "with pytest.raises(E):\n    f(2)", False),
        (expected("f(1)", "raises", "Exception"), "assert f(1) == Exception", False),
        (expected("f(1)", told="Exception"), "assert f(1) == 3", False),
        (expected("f(1)", told="E"), "assert f(1) == m.E", True),
        (expected("f(1) > 2", "holds"), "assert f(1) > 2", True),
        (expected("f(1) > 2", "holds", "True"), "assert f(1) > 2", True),
        (expected("f(1) > 2", "holds"), "assert f(1) > 3", False),
        (expected("f(x)", told="2", setup="x = 1"), "assert f(1) == 2", True),
        (expected("f(x)", told="2", setup="x = made()"), "y = made()\nassert f(y) == 2", True),
        (expected("f(1)", told="2", setup="begin()"), "assert f(1) == 2", False),
        (expected("f(1)", told="2", setup="begin()"), "begin()\nassert f(1) == 2", True),
        (expected("f(1)", told="2", setup="begin()"), "begin()\nmore()\nassert f(1) == 2", True),
        (expected("f(1)", told="2", setup="begin()"), "assert begin()\nassert f(1) == 2", True),
        (expected("f(1)", told="2", setup="'a text'"), "assert f(1) == 2", True),
        (expected("f(x)", told="2", setup="x = []\nx[0] = 1"), "x = []\nassert f(x) == 2", False),
        (expected("f(x)", told="2", setup="x = []\nx[0] = 1"), "x = []\nx[0] = 1\nassert f(x) == 2", True),
        (expected("f(x)", told="2", setup="x = {}\ndel x.a"), "x = {}\ndel x.a\nassert f(x) == 2", True),
        (expected("f(x)", told="2", setup="x = {}\ndel x.a"), "x = {}\nassert f(x) == 2", False),
        (expected("f(x)", told="2", setup="x = 1\nx += 1"), "x = 1\nx += 1\nassert f(x) == 2", True),
    ],
)  # fmt: skip
def test_an_expectation_is_asserted_after_the_same_preparations(
    expectation: Expectation, body: str, made: bool
) -> None:
    source = "def test():\n" + textwrap.indent(body, "    ")
    assert asserts(expectation, source) is made


def test_many_names_and_rows_have_an_end() -> None:
    names = "\n".join(f"    a{n + 1} = (a{n}, a{n})" for n in range(12))
    deep = f"def test():\n    a0 = 1\n{names}\n    assert f(a12) == 2\n    assert f(a0) == 3\n"
    found = claims(deep)
    assert ("equals", "f(1)", "3") in found
    longest = max(len(call) for _, call, _ in found)
    assert 500 < longest < 5_000
    rows = ", ".join(map(str, range(510)))
    many = f"@pytest.mark.parametrize('x', [{rows}])\ndef test(x):\n    assert f(x) == 1\n"
    calls = {call for kind, call, told in claims(many) if kind == "equals" and told == "1"}
    assert calls == {f"f({n})" for n in range(500)}
