"""Expected failures and skips without a reason are found; skips that say why are not."""

from __future__ import annotations

import ast

import pytest

from pytest_lift.gate.skipping import set_aside

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
