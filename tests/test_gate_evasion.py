"""Tests that evade are refused: set aside without a reason, or in a faked world."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.assertions.test_checks import aside
from pytest_lift.gate.evasion import faked, set_aside
from pytest_lift.gate.gating import Rules
from pytest_lift.gate.imported import Origins
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.bindings import QualifiedNames

FILES = {
    "pkg/__init__.py": "from .mod import HAS_YAML",
    "pkg/mod.py": """
        import os, sys
        from os import name as os_name
        try:
            import yaml
            HAS_YAML = True
        except ImportError:
            HAS_YAML = False
        def _speedups():
            try:
                from pkg import _fast
                return _fast.scan
            except ImportError:
                return None
        c_scan = _speedups()
        LIMIT = 3
        def load():
            return LIMIT
    """,
    "pkg/platform.py": "def system():\n    return 1\n",
}


@pytest.fixture
def origins(tmp_path: Path) -> Origins:
    return Origins(write_program(tmp_path, FILES))


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("import sys\ndef test(monkeypatch):\n    monkeypatch.setattr(sys, 'version_info', (2, 7))", "sys.version_info"),
        ("def test(monkeypatch):\n    monkeypatch.setattr('sys.platform', 'win32')", "sys.platform"),
        ("def test(monkeypatch):\n    monkeypatch.setattr('pkg.mod.sys.platform', 'win32')", "sys.platform"),
        ("from pkg import mod\ndef test(monkeypatch):\n    monkeypatch.setattr(mod.sys, 'maxsize', 1)", "sys.maxsize"),
        ("from pkg import mod as m\nm.os_name = 'nt'", "os.name"),
        ("import os as o\no.sep = '!'", "os.sep"),
        ("import os\nsystem = os\nsystem.name = 'nt'", "os.name"),
        ("from unittest import mock\nwith mock.patch('platform.system'):\n    pass", "platform.system"),
        ("import platform\nfrom unittest.mock import patch\n@patch.object(platform, 'machine')\ndef test(m): pass", "platform.machine"),
        ("import sys\nfrom unittest.mock import patch\npatch.multiple(sys, flags=1)", "sys.flags"),
        ("import typing\ntyping.TYPE_CHECKING = True", "typing.TYPE_CHECKING"),
        ("import sys\nsys.modules['yaml'] = None", "sys.modules"),
        ("import sys\ndel sys.modules['yaml']", "sys.modules"),
        ("import sys\nsys.modules.pop('yaml')", "sys.modules"),
        ("import sys\ndef test(monkeypatch):\n    monkeypatch.setitem(sys.modules, 'yaml', None)", "sys.modules"),
        ("from unittest.mock import patch\npatch.dict('sys.modules', {'yaml': None})", "sys.modules"),
        ("import builtins\nbuiltins.__import__ = None", "builtins.__import__"),
        ("def test(monkeypatch):\n    monkeypatch.setattr('builtins.__import__', None)", "builtins.__import__"),
        ("import importlib\ndef test(monkeypatch):\n    monkeypatch.setattr(importlib, 'import_module', None)", "importlib.import_module"),
        ("import pkg.mod\npkg.mod.HAS_YAML = False", "pkg.mod.HAS_YAML"),
        ("def test(monkeypatch):\n    monkeypatch.setattr('pkg.HAS_YAML', False)", "pkg.HAS_YAML"),
        ("from pkg import mod\ndef test(monkeypatch):\n    monkeypatch.setattr(mod, 'c_scan', None)", "pkg.mod.c_scan"),
    ],
)  # fmt: skip
def test_found(code: str, what: str, origins: Origins) -> None:
    found = [fault.what for fault in faked(ast.parse(code), origins)]
    assert found == [f"fakes {what}"]


ORDINARY = '''
import os, sys, platform
from unittest import mock
import pkg.mod
def test(monkeypatch, tmp_path, thing):
    """Reads what it likes, and replaces what is the program's or the test's to give."""
    monkeypatch.setattr(sys, "argv", ["x"])
    monkeypatch.setattr("sys.stdin", None)
    monkeypatch.setattr("pkg.mod.LIMIT", 4)
    monkeypatch.setattr("pkg.platform.system", lambda: 2)
    monkeypatch.setitem(os.environ, "A", "b")
    os.environ["B"] = "c"
    thing.name = "x"
    thing.os.name = "Linux"
    with mock.patch("pkg.mod.load"), mock.patch.object(pkg.mod, "LIMIT", 3), mock.patch.dict(os.environ):
        assert sys.platform and platform.system() and pkg.mod.HAS_YAML in (True, False)
        assert "yaml" in sys.modules or sys.version_info > (3,)
    {}.pop("a", None)
'''


def test_ordinary_means_are_fine(origins: Origins) -> None:
    assert list(faked(ast.parse(ORDINARY), origins)) == []


def test_a_relative_import_names_the_program_too(origins: Origins) -> None:
    rules = Rules(Requirements(), origins.program)
    code = "from .. import mod\ndef test(monkeypatch):\n    monkeypatch.setattr(mod, 'HAS_YAML', 0)"
    (fault,) = rules.broken("pkg/tests/test_a.py", code)
    assert fault.what == "fakes pkg.mod.HAS_YAML"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import sys\n\nsys.platform = 'a'\n", [(3, "sys.platform")]),
        ("import sys\nmock.dict(sys.modules)\npatch.dict(sys.modules)\n", [(3, "sys.modules")]),
        ("import sys\ndict('sys.modules')\npatch.other('sys.modules')\n", []),
        ("import sys\npatch.dict()\nm.setitem()\nm.delitem(sys.modules, 'a')\n", [(4, "sys.modules")]),
        ("import sys\nsys.modules.get('a')\nsys.modules.update({})\npop(sys.modules)\n", [(3, "sys.modules")]),
        ("import sys\nsys.modules.clear()\nsys.modules.setdefault('a', 1)\nsys.modules.popitem()\n", [(2, "sys.modules"), (3, "sys.modules"), (4, "sys.modules")]),
        ("import platform\nplatform.x.y = 1\nplatform.machine = 1\n", [(3, "platform.machine")]),
        ("from pkg import mod\nmod.os.name = 1\n", [(2, "os.name")]),
        ("a.b.sys.platform = 1\n", []),
        ("import a\na.b.platform.system = 1\na.system = 1\n", [(2, "platform.system")]),
    ],
)  # fmt: skip
def test_each_is_told_with_its_line_and_the_way_out(
    code: str, found: list[tuple[int, str]], origins: Origins
) -> None:
    instead = "leave code for other platforms, versions and missing modules untested"
    faults = [(one.line, one.what, one.instead) for one in faked(ast.parse(code), origins)]
    assert faults == [(line, f"fakes {what}", instead) for line, what in found]


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
def test_what_sets_aside_is_found(code: str) -> None:
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
