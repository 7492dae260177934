"""Tables of a suite get the rows that a later iteration finds."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import PRICES, write_program

from pytest_lift.agents.offline.printing.files import write_files
from pytest_lift.agents.offline.printing.functions import PrintedTest
from pytest_lift.agents.offline.printing.growing import MOST_ROWS
from pytest_lift.source.syntax import digest
from pytest_lift.suite.suite import Suite, suite_of

PLACE = "tests/test_prices.py"


def table(*rows: str, name: str = "test_parse_price", body: str = "assert call() == expected", told: str = "Intent.",
          imports: tuple[str, ...] = ("import pytest", "from prices import parse_price"),
          ) -> PrintedTest:  # fmt: skip
    lines = (
        '@pytest.mark.emergent("why")', "@pytest.mark.parametrize(", '    ("call", "expected"),',
        "    [", *(f"        {row}," for row in rows), "    ],", ")",
        f"def {name}(call, expected):", f'    """{told}"""', f"    {body}",
    )  # fmt: skip
    return PrintedTest(name, lines, imports, "prices.py", len(lines) - 1)


def suite(text: str, *, tool: bool = True) -> Suite:
    found = suite_of("tests", {PLACE: text})
    owned = {test.node: test.digest for test in found.tests()} if tool else {}
    return Suite(found.root, found.files, owned, {PLACE: digest(text)} if tool else {})


@pytest.fixture
def first(tmp_path: Path) -> str:
    program = write_program(tmp_path / "first", {"prices.py": PRICES})
    return write_files([table("(lambda: parse_price('1'), 1)")], program, suite_of("tests", {}))[
        PLACE
    ]


def test_rows_join_the_table_that_does_the_same(tmp_path: Path, first: str) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    more = table(
        "(lambda: parse_price('1'), 1)",
        "(lambda: Basket([]).total, 0)",
        imports=("import pytest", "from prices import Basket", "from prices import parse_price"),
    )
    text = write_files([more], program, suite(first))[PLACE]
    assert text.count("def test_") == 1
    assert text.count("parse_price('1')") == 1
    assert (
        "        (lambda: parse_price('1'), 1),\n        (lambda: Basket([]).total, 0),\n    ],\n"
        in text
    )
    assert "from prices import Basket, parse_price\n" in text


@pytest.mark.parametrize(
    "other",
    [
        table("(lambda: parse_price('2'), 2)", name="test_others"),
        table("(lambda: parse_price('2'), 2)", body="assert call() is expected"),
        table(*(f"(lambda: parse_price('{n}'), {n})" for n in range(MOST_ROWS))),
    ],
)
def test_other_tests_stand_apart(tmp_path: Path, first: str, other: PrintedTest) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    text = write_files([other], program, suite(first))[PLACE]
    assert text.count("def test_") == 2


def test_what_a_person_changed_is_not_added_to(tmp_path: Path, first: str) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    more = table("(lambda: parse_price('2'), 2)")
    text = write_files([more], program, suite(first, tool=False))[PLACE]
    assert text.count("def test_") == 2


def test_a_table_and_another_test_are_added_at_once(tmp_path: Path, first: str) -> None:
    program = write_program(tmp_path, {"prices.py": PRICES})
    more = table("(lambda: parse_price('2'), 2)")
    lines = ("def test_b():", '    """Intent."""', "    assert parse_price('3')")
    other = PrintedTest("test_b", lines, ("from prices import parse_price",), "prices.py", 2)
    text = write_files([more, other], program, suite(first))[PLACE]
    assert text.count("def test_") == 2
    assert text.index("parse_price('2')") < text.index("def test_b")
