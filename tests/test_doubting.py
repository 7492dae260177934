"""What is measured of a passing test, and speaks against its word."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest

from pytest_lift.coverage.coverage import Coverage, FileCoverage
from pytest_lift.project.discovery import find_program
from pytest_lift.requirements.requirement import Requirement
from pytest_lift.run.result import TestResult
from pytest_lift.trace.doubting import doubt, is_idle
from pytest_lift.trace.grounding import Grounding

NODE = "tests/test_shop.py::test_it"
PROGRAM = """
import functools


def price(number):
    return number * 3


def total(numbers):
    return sum(map(price, numbers))


@functools.lru_cache
def rate(kind):
    return len(kind)


class Cart:
    def __init__(self):
        self.numbers = []

    def add(self, number):
        self.numbers.append(number)


class Plain:
    kind = "plain"

    def label(self):
        return self.kind
"""


@pytest.mark.parametrize(
    "body",
    [
        "pass",
        "...",
        '"""Says it all."""',
        "return",
        "assert True",
        "assert 1 == 1",
        "x = 3",
        "assert price(3) or True",
        "result = price(3)\nassert result == result",
        "try:\n    price(3)\nexcept Exception:\n    pass",
        "with contextlib.suppress(Exception):\n    assert price(3) == 9",
        "if False:\n    assert price(3) == 9",
        "return\nassert price(3) == 9",
        "def inner():\n    assert price(3) == 9",
    ],
)
def test_what_passes_whatever_the_program_does_is_idle(body: str) -> None:
    text = f"def test_it(self):\n{indent(body, '    ')}\n"
    assert is_idle(text)
    assert is_idle(indent(text, "    ")), "as a method"


@pytest.mark.parametrize(
    "text",
    [
        "def test_it():\n    price(3)\n",
        "def test_it():\n    import shop\n",
        "def test_it():\n    assert price(3) == 9\n",
        "def test_it():\n    assert True\n    check_price(3)\n",
        "def test_it():\n    assert True\n    assert price(3) == 9\n",
        "def test_it():\n    assert price(3) == 9\n    assert True\n",
        "def test_it():\n    with pytest.raises(TypeError):\n        price()\n",
        "def test_it():\n    assert True\n    with pytest.raises(TypeError):\n        price()\n",
        "def test_it(checked):\n    pass\n",
        "@settings\ndef test_it():\n    pass\n",
        "def test_it():\n    for x in prices():\n        pass\n",
        "def test_it():\n    assert True\n    raise LookupError\n",
        "def test_it():\n    x = price(3)\n",
        "@pytest.mark.parametrize('x', [1])\ndef test_it(x):\n    assert x\n",
        "def test_it(:\n",
    ],
)
def test_what_may_fail_is_not(text: str) -> None:
    assert not is_idle(text)


@pytest.mark.parametrize("names", ['"x"', '"x, y"', '["x", "y"]', '("x", "y")'])
def test_a_table_helps_an_idle_body_as_little_as_a_folder(names: str) -> None:
    assert is_idle(f"@pytest.mark.parametrize({names}, [1])\ndef test_it(x, tmp_path): pass\n")
    assert not is_idle(f"@pytest.mark.parametrize({names}, [1])\ndef test_it(x, shop): pass\n")


def grounding(root: Path, entered: set[str], measured: bool = True) -> Grounding:
    (root / "shop.py").write_text(dedent(PROGRAM), "utf-8")
    program = find_program(root, source=("shop.py",))
    lines = {symbol.name: symbol.line for symbol in program.files["shop.py"].symbols}
    functions = {
        NODE: frozenset(("shop.py", lines[name]) for name in entered),
        "tests/test_shop.py::test_other": frozenset({("shop.py", lines["price"])}),
    }
    nothing: tuple[frozenset[Any], ...] = (frozenset(),) * 5
    files = {"shop.py": FileCoverage("shop.py", *nothing)} if measured else {}
    return Grounding(program, Coverage(files, functions_by_test=functions))


def said(text: str, known: Grounding | None, source: str = "", **row: object) -> str:
    asked = Requirement("R-1", "t", text, ("a",), (), "r.yml", 1)
    result = TestResult(NODE, "passed", 0.1, **row)  # type: ignore[arg-type]
    source = source or "def test_it():\n    assert total([1]) == 3\n"
    return doubt(asked, [result], is_idle(source), source, known)


def test_a_test_that_executes_nothing_of_what_is_named_is_doubted(tmp_path: Path) -> None:
    known = grounding(tmp_path, {"total"})
    assert said("`price(2)` is 6", known) == "it executes none of what the text names: price"
    assert said("`total([2])` is 6", known) == ""
    assert said("`total` uses `price`", known) == "", "one of them is enough"
    assert said("prices are numbers", known) == "", "nothing is named"
    assert said("`Cart` is empty", known) == "it executes none of what the text names: Cart"
    assert said("`price(2)` is 6", None) == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("`rate('a')` is 1", "a cache may have answered"),
        ("`Plain` is plain", "making one runs no line of it"),
    ],
)
def test_what_can_be_used_unseen_is_no_doubt(text: str, why: str, tmp_path: Path) -> None:
    assert said(text, grounding(tmp_path, {"total"})) == "", why


def test_nor_is_what_nobody_looked_at(tmp_path: Path) -> None:
    text = "`price(2)` is 6"
    known = grounding(tmp_path, {"total"})
    assert said(text, grounding(tmp_path, {"total"}, measured=False)) == ""
    assert said(text, known, shares=True) == "", "a fixture of the module may have run it"
    elsewhere = "def test_it():\n    assert subprocess.run(['shop']).returncode == 0\n"
    assert said(text, known, elsewhere) == ""


def test_an_idle_test_and_a_failed_attempt_are_doubted(tmp_path: Path) -> None:
    known = grounding(tmp_path, {"price"})
    assert said("`price(2)` is 6", known, "def test_it(): pass\n") == "nothing in it can fail"
    assert said("`price(2)` is 6", known, reruns=1) == "it failed 1 time before it passed"
    assert said("`price(2)` is 6", known) == ""


def test_what_a_test_is_given_by_the_way_helps_it_as_little() -> None:
    assert is_idle("@classmethod\ndef test_it(cls): pass\n") is False, "a decorator may check"
    for name in ("self", "cls", "request", "tmp_path"):
        assert is_idle(f"def test_it({name}): pass\n"), name
