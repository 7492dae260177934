"""Private names and messages that a test pins, and the public ways that are fine."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from offline_program import write_program
from pinned_program import ASKED, FILES

from pytest_lift.gate.gating import Rules
from pytest_lift.gate.imported import Origins
from pytest_lift.gate.pinned import foreign_words, pinned, pinned_messages
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return write_program(tmp_path, FILES)


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("from pkg._core import _LIMIT", "imports the private pkg._core._LIMIT"),
        ("import pkg._core\npkg._core._LIMIT", "uses the private pkg._core._LIMIT"),
        ("from pkg import _core\n_core._LIMIT = 4", "uses the private pkg._core._LIMIT"),
        ("from pkg.shop import Shop\nShop()._stock", "uses the private _stock"),
        ("from pkg.shop import Shop\nShop._count", "uses the private pkg.shop.Shop._count"),
        ("def test(shop):\n    shop._Shop__secret", "uses the private _Shop__secret"),
        ("from pkg.shop import Shop\n_count = Shop._count", "uses the private pkg.shop.Shop._count"),
        ("def test(monkeypatch):\n    monkeypatch.setattr('pkg._core._LIMIT', 4)", "reaches the private pkg._core._LIMIT"),
        ("def test(monkeypatch):\n    monkeypatch.setattr('pkg._core.run', 4)", "reaches the private pkg._core.run"),
        ("from unittest import mock\nfrom pkg import shop\nmock.patch.object(shop.Shop, '_count')", "reaches the private pkg.shop.Shop._count"),
        ("def test(shop):\n    assert getattr(shop, '_stock') == {}", "reaches the private _stock"),
        ("import operator\noperator.attrgetter('_stock')", "reaches the private _stock"),
        ("from pkg._core import run", "takes pkg._core.run from a private module"),
        ("from pkg import _core\n_core.run(1)", "takes pkg._core.run from a private module"),
        ("from pkg._deep import deep", "takes pkg._deep.deep from a private module"),
        ("import pkg.shop\npkg.shop._json.dumps(1)", "uses the private pkg.shop._json"),
    ],
)  # fmt: skip
def test_found(code: str, what: str, program: Program) -> None:
    found = [fault.what for fault in pinned(ast.parse(code), Origins(program), Requirements())]
    assert found == [what]


def test_a_relative_import_names_the_program_too(program: Program) -> None:
    rules = Rules(Requirements(), program)
    code = "from .._core import _LIMIT\nfrom .cases import _check\n"
    (fault,) = rules.broken("pkg/tests/test_a.py", code)
    assert fault.what == "imports the private pkg._core._LIMIT"
    assert not rules.broken("tests/unit/test_a.py", code)


def test_the_public_way_is_named(program: Program) -> None:
    tree = ast.parse("from pkg._core import run")
    (fault,) = pinned(tree, Origins(program), Requirements())
    assert fault.instead == "use pkg.run"


FINE = """
import os
from collections import namedtuple
from pkg import run
from pkg._core import inner
from pkg.shop import Shop
import pkg.shop as shop_module
Point = namedtuple("Point", "x y")
class Mine(Shop):
    _own = 3
    def __init__(self):
        self._stock = {}
    def _mine(self):
        return self._stock
def test(monkeypatch):
    _, __ = Point(1, 2)._replace(x=3), Point._fields
    assert Mine()._own == 3 and Mine()._mine() == {} and inner(1)
    monkeypatch.setattr(os, "_exit", None)
    assert os._exit is None and getattr(Shop(), "__class__") is Shop and Shop.__name__
    monkeypatch.setattr("pkg.shop.Shop", None)
    _LIMIT = run(1)
    assert _LIMIT
"""


def test_public_names_and_those_of_others_are_fine(program: Program) -> None:
    assert list(pinned(ast.parse(FINE), Origins(program), Requirements())) == []


def test_private_names_that_a_requirement_names_are_fine(program: Program) -> None:
    tree = ast.parse("from pkg._core import _check, _LIMIT")
    found = [fault.what for fault in pinned(tree, Origins(program), ASKED)]
    assert found == ["imports the private pkg._core._LIMIT"]


PUBLIC = "test through what the program promises to its users"


@pytest.mark.parametrize(
    ("code", "faults"),
    [
        ("from pkg import shop, _core\nfrom pkg._core import run, _check\n", [
            (2, "imports the private pkg._core._check", PUBLIC),
            (2, "takes pkg._core.run from a private module", "use pkg.run"),
        ]),
        ("from pkg import _core, run\nfrom pkg import shop, _LIMIT\n", [
            (2, "imports the private pkg._LIMIT", PUBLIC),
        ]),
        ("import pkg\n\npkg._core.run(1)\npkg._core._check\n", [
            (3, "takes pkg._core.run from a private module", "use pkg.run"),
            (4, "uses the private pkg._core._check", PUBLIC),
        ]),
        ("def test(m):\n    m.setattr('os._exit', 1)\n    m.setattr('pkg._core._LIMIT', 4)\n", [
            (3, "reaches the private pkg._core._LIMIT", PUBLIC),
        ]),
        ("def test(m, shop):\n    m.patch.multiple(shop, _exit=1, _stock=2)\n", [
            (2, "reaches the private _stock", PUBLIC),
        ]),
        ("def test(shop):\n    getattr(shop, '_stock')\n", [(2, "reaches the private _stock", PUBLIC)]),
        ("class Mine:\n    def _count(self): pass\ndef test(mine):\n    mine._count()\n    getattr(mine, '_count')\n", []),
        ("class Mine:\n    async def _count(self): pass\ndef test(mine):\n    mine._count()\n", []),
        ("class Mine:\n    _count = 1\ndef test(mine):\n    mine._count\n", []),
        ("class _count: pass\ndef test(mine):\n    mine._count\n", []),
        ("class Mine:\n    def put(self):\n        self._count = 1\ndef test(mine):\n    mine._count\n", []),
        ("class Mine:\n    def put(cls):\n        cls._count = 1\ndef test(mine):\n    mine._count\n", []),
        ("def test(mine, other):\n    other._count = 1\n    mine._count\n", [
            (2, "uses the private _count", PUBLIC),
            (3, "uses the private _count", PUBLIC),
        ]),
        ("class Mine:\n    def put(self, other):\n        self._stock\n        self.shop._stock\n", [
            (4, "uses the private _stock", PUBLIC),
        ]),
        ("class Mine:\n    def put(cls):\n        cls._stock\n", []),
        ("import os\nos._exit\nfrom os import _exit\n", []),
        ("import pkg.shop\npkg.shop.Shop().other\npkg.shop.Shop\n", []),
    ],
)  # fmt: skip
def test_each_use_is_told_with_its_line_and_the_way_out(
    code: str, faults: list[tuple[int, str, str]], program: Program
) -> None:
    found = pinned(ast.parse(code), Origins(program), Requirements())
    assert sorted((one.line, one.what, one.instead) for one in found) == faults


@pytest.mark.parametrize(
    "body",
    [
        "with pytest.raises(TypeError, match='required positional argument'):\n        run()",
        "with pytest.warns(UserWarning, match=r'deprecated\\s+since'):\n        run(1)",
        "with pytest.raises(TypeError) as caught:\n        run()\n    assert 'required positional' in str(caught.value)",
        "with pytest.raises(TypeError) as caught:\n        run()\n    error = caught.value\n    assert error.args[0] == 'required positional'",
        "with pytest.raises(TypeError) as caught:\n        run()\n    caught.match('required positional')",
        "try:\n        run()\n    except TypeError as error:\n        assert str(error) == 'required positional'",
    ],
)  # fmt: skip
def test_messages_that_others_write_are_found(body: str, program: Program) -> None:
    tree = ast.parse(f"def test_x():\n    {body}\n")
    (fault,) = pinned_messages(tree, program, Requirements())
    assert "pins a message that the program does not write itself" in fault.what


@pytest.mark.parametrize(
    "body",
    [
        "with pytest.raises(ValueError, match='exceeds the limit'):\n        run(9)",
        "with pytest.raises(ValueError, match='^9 EXCEEDS'):\n        run(9)",
        "with pytest.raises(ValueError, match=r'\\bexceeds\\b'):\n        run(9)",
        "with pytest.raises(ValueError, match='banana exceeds'):\n        run('banana')",
        "with pytest.raises(ValueError, match='out of stock'):\n        run(9)",
        "with pytest.raises(ValueError, match=PATTERN):\n        run(9)",
        "with pytest.raises(ValueError) as caught:\n        run(9)\n    assert type(caught.value).__name__ == 'whatever'",
        "assert re.match('whatever', run('x'))\n    assert str(run(1)) == 'whatever'",
    ],
)  # fmt: skip
def test_messages_of_the_program_and_of_the_requirements_are_fine(
    body: str, program: Program
) -> None:
    tree = ast.parse(f"def test_x():\n    {body}\n")
    assert list(pinned_messages(tree, program, ASKED)) == []


def test_words_of_a_message_that_nobody_here_writes(program: Program) -> None:
    pattern = r"invalid literal for int\(\) exceeds"
    assert foreign_words(pattern, program, Requirements()) == ["invalid", "literal"]
    assert foreign_words(pattern, program, Requirements(), "invalid literal") == []
