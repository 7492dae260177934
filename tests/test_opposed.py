"""A test that pins the program's side of a contradiction is told by its text; doubt lets it pass."""

from __future__ import annotations

import pytest

from pytest_lift.expectations.opposed import opposes
from pytest_lift.oracles.discrepancies import Discrepancy, Proof
from pytest_lift.trace.texts import surrounded

HALF = Discrepancy("R-1", "half(5)", "3", "2", setup="from pkg import half")
RAISES = Discrepancy("R-2", "half('a')", "raises ValueError", "raises TypeError: no", relation="raises")  # fmt: skip
REFUSES = Discrepancy("R-2", "half(-1)", "raises KeyError", "-1", relation="raises")
FAILS = Discrepancy("R-3", "half(7)", "3", "raises TypeError: odd")
DIFFER = Discrepancy("R-4", "half(1) != half(0)", "is true", "False", relation="holds")
SMALL = Discrepancy("R-5", "len(half('abcd')) <= 2", "is true", "False", relation="holds")
MONEY = Discrepancy("R-6", "half(Decimal(5))", "Decimal('2.5')", "Decimal('2')")
STATE = Discrepancy("R-7", "box.size()", "1", "2", setup="box = Box()\nbox.add(1)")
LISTED = Discrepancy(
    "R-8", "halves(4)", "[2, 2]", "[2]", proof=Proof("list(halves(4))", expected="[2, 2]")
)
TRUTH = Discrepancy("R-9", "is_even(3)", "False", "True")


def function(body: str, head: str = "", parameters: str = "") -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f'{head}def test_it({parameters}):\n    """It."""\n{lines}'


@pytest.mark.parametrize(
    ("said", "body"),
    [
        (HALF, "assert half(5) == 2"),
        (HALF, "assert 2 == half(5)"),
        (HALF, "assert half(5) < 3"),
        (HALF, "assert half(5) in (1, 2)"),
        (HALF, "assert not half(5) == 3"),
        (HALF, "found = half(5)\nassert found == 2"),
        (HALF, "with pytest.raises(ValueError):\n    half(5)"),
        (HALF, "for number, found in [(4, 2), (5, 2)]:\n    assert half(number) == found"),
        (RAISES, "with pytest.raises(TypeError):\n    half('a')"),
        (RAISES, "with pytest.raises((TypeError, KeyError), match='no'):\n    half('a')"),
        (REFUSES, "assert half(-1) == -1"),
        (REFUSES, "assert abs(half(-1)) == 1"),
        (FAILS, "with pytest.raises(TypeError, match='odd'):\n    half(7)"),
        (DIFFER, "assert half(1) == half(0)"),
        (DIFFER, "assert not half(1) != half(0)"),
        (SMALL, "assert half('abcd') == 'abc'"),
        (MONEY, "assert half(Decimal(5)) == Decimal('2')"),
        (STATE, "box = Box()\nbox.add(1)\nassert box.size() == 2"),
        (LISTED, "assert list(halves(4)) == [2]"),
        (TRUTH, "assert is_even(3)"),
        (TRUTH, "assert is_even(3) is True"),
    ],
)  # fmt: skip
def test_what_fails_where_the_requirement_holds_opposes_it(said: Discrepancy, body: str) -> None:
    assert opposes(said, function(body))


@pytest.mark.parametrize(
    ("said", "body"),
    [
        (HALF, "assert half(5) == 3"),
        (HALF, "assert half(5)"),
        (HALF, "assert half(5) > 1"),
        (HALF, "assert half(5) != 4"),
        (HALF, "assert half(5) == 3.0"),
        (HALF, "assert half(5) == approx(3.0000001)"),
        (HALF, "assert half(4) == 2"),
        (HALF, "assert half(5) == expected_of(5)"),
        (HALF, "configure('down')\nassert half(5) == 2"),
        (HALF, "with rounding('down'):\n    assert half(5) == 2"),
        (HALF, "assert half(5) == 2\nassert half(5) == 3"),
        (HALF, "half(5)\nassert True"),
        (RAISES, "with pytest.raises(ValueError):\n    half('a')"),
        (RAISES, "with pytest.raises((TypeError, ValueError)):\n    half('a')"),
        (REFUSES, "with pytest.raises(LookupError):\n    half(-1)"),
        (REFUSES, "with pytest.raises(pkg.Refused):\n    half(-1)"),
        (REFUSES, "assert [half(n) for n in ()] == [] or half(-1)"),
        (FAILS, "with pytest.raises(TypeError):\n    half(8)"),
        (DIFFER, "assert half(1) == 7"),
        (SMALL, "assert half('abcd') == 'ab'"),
        (MONEY, "assert half(Decimal(5)) == Decimal('2.50')"),
        (STATE, "box = Box()\nbox.add(1)\nbox.add(2)\nassert box.size() == 2"),
        (LISTED, "assert list(halves(4)) == [2, 2]"),
        (TRUTH, "assert not is_even(3)"),
        (Discrepancy("R-1", "half(5)", "3", "NameError: half"), "assert half(5) == 2"),
    ],
)  # fmt: skip
def test_what_may_hold_together_with_the_requirement_passes(said: Discrepancy, body: str) -> None:
    assert not opposes(said, function(body))


def test_rows_and_constants_of_the_file_count() -> None:
    table = '@pytest.mark.parametrize(("number", "found"), [(4, 2), (5, FOUND)])\n'
    source = function("assert half(number) == found", table, "number, found")
    assert opposes(HALF, surrounded(source, f"FOUND = 2\n\n{source}"))
    assert not opposes(HALF, surrounded(source, f"FOUND = 3\n\n{source}"))


def test_a_fixture_may_change_what_a_call_gives() -> None:
    body = "assert half(5) == 2"
    assert opposes(HALF, function(body, parameters="tmp_path"))
    assert not opposes(HALF, function(body, parameters="rounding_down"))
    assert opposes(HALF, function(body, parameters="self").replace("def", "async def"))
