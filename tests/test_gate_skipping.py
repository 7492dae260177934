"""Expected failures and skips without a reason are found; skips that say why are not."""

from __future__ import annotations

import ast

import pytest

from pytest_lift.assertions.name_resolution import QualifiedNames
from pytest_lift.assertions.test_checks import aside
from pytest_lift.gate.skipping import set_aside

BY_PROGRAM = "leave it out: what contradicts a requirement is marked by the program"
SAY_WHY = 'say why, as in reason="needs a network", or leave it out'

BAD = [
    "@pytest.mark.xfail\ndef test(): pass",
    "@pytest.mark.xfail(reason='known')\ndef test(): pass",
    "pytestmark = [pytest.mark.xfail]",
    "@pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.xfail)])\ndef test(x): pass",
    "def test():\n    pytest.xfail('known')",
    "from pytest import mark as m\n@m.xfail\ndef test(): pass",
    "import unittest\n@unittest.expectedFailure\ndef test(): pass",
    "@pytest.mark.skip\ndef test(): pass",
    "@pytest.mark.skip()\ndef test(): pass",
    "@pytest.mark.skip(reason=' ')\ndef test(): pass",
    "@pytest.mark.skip(reason=WHY)\ndef test(): pass",
    "@pytest.mark.skipif(True)\ndef test(): pass",
    "def test():\n    pytest.skip()",
    "from pytest import skip\ndef test():\n    skip()",
    "yaml = pytest.importorskip('yaml')",
    "import unittest\n@unittest.skip('')\ndef test(): pass",
]


@pytest.mark.parametrize("code", BAD)
def test_found(code: str) -> None:
    (fault,) = set_aside(ast.parse(f"import pytest\n{code}"))
    assert "expects a test to fail" in fault.what or "skips without a reason" in fault.what
    assert fault.line > 1


FINE = """
import pytest, unittest
yaml = pytest.importorskip("yaml", reason="needs yaml")
@pytest.mark.skip(reason="slow")
@pytest.mark.skip("slow")
@pytest.mark.skipif(yaml is None, reason=f"needs {yaml}")
@unittest.skipUnless(yaml, "needs yaml")
def test(self, page):
    pytest.skip("not here")
    page.skip()
    page.xfail = 1
    self.skipTest("not here")
"""


def test_a_reason_is_enough_and_other_things_may_have_these_names() -> None:
    assert list(set_aside(ast.parse(FINE))) == []


@pytest.mark.parametrize(
    ("code", "faults"),
    [
        ("\n@pytest.mark.xfail\ndef test(): pass", [(2, "expects a test to fail (xfail)", BY_PROGRAM)]),
        ("import unittest as u\n@u.expectedFailure\ndef test(): pass", [(2, "expects a test to fail (expectedFailure)", BY_PROGRAM)]),
        ("pytest.skip()", [(1, "skips without a reason (skip)", SAY_WHY)]),
        ("from pytest import skip as leave\nleave()", [(2, "skips without a reason (skip)", SAY_WHY)]),
        ("pytest.skip(msg='so')\nunittest.skip('so')", []),
        ("unittest.skipIf('so')", [(1, "skips without a reason (skipIf)", SAY_WHY)]),
        ("unittest.skipIf('so', why)", [(1, "skips without a reason (skipIf)", SAY_WHY)]),
        ("unittest.skipIf(x, 'so')\nunittest.skipUnless(x, 'so')", []),
        ("pytest.skip(x, 'so')", [(1, "skips without a reason (skip)", SAY_WHY)]),
        ("pytest.importorskip('yaml', 'so')", [(1, "skips without a reason (importorskip)", SAY_WHY)]),
        ("pytest.mark.skip(reason=f'so {x}')\npytest.mark.skip(reason=f'{x}')", [(2, "skips without a reason (skip)", SAY_WHY)]),
        ("mark.skip\nself.xfail\nself.skip()", [
            (1, "skips without a reason (skip)", SAY_WHY),
            (2, "expects a test to fail (xfail)", BY_PROGRAM),
            (3, "skips without a reason (skip)", SAY_WHY),
        ]),
        ("skip()\npage.skip()\nself.page.skip()\nSelf.skip()\nxfail", []),
        ("a.pytest.mark.skip()\npytest.other.skip()", [(1, "skips without a reason (skip)", SAY_WHY)]),
        ("raise unittest.SkipTest\nraise unittest.SkipTest('so')", [(1, "skips without a reason (SkipTest)", SAY_WHY)]),
    ],
)  # fmt: skip
def test_each_is_told_with_its_line_and_what_to_do(
    code: str, faults: list[tuple[int, str, str]]
) -> None:
    found = [(one.line, one.what, one.instead) for one in set_aside(ast.parse(code))]
    assert found == faults


def test_what_sets_aside_is_told_as_it_stands() -> None:
    tree = ast.parse(
        "import pytest as p\n@p.mark.skip\ndef test():\n    p.skip('so')\n    self.skipTest(x)\n"
        "    p.mark.skipif(x, reason='y')\n    page.skip()\n"
    )
    assert aside(tree, QualifiedNames(tree)) == [
        "p.mark.skip",
        "p.skip('so')",
        "self.skipTest(x)",
        "p.mark.skipif(x, reason='y')",
    ]
