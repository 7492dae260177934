"""Names that nothing defines are imported from where they live, the likeliest place first."""

from __future__ import annotations

import pytest
from proposed_file import by_server, by_tree, diagnoser, repaired, shop
from test_gate_repair_slips import after, with_program

from pytest_lift.gate.diagnosis.diagnosing import Diagnoser
from pytest_lift.gate.repair.repairing import Repairer

__all__ = ["by_server", "by_tree", "diagnoser", "shop"]
GOOD = "from shop import Good\n\n\n"


@pytest.mark.parametrize(
    ("use", "line"),
    [
        ("date(2020, 1, 1)", "from datetime import date"),
        ("isinstance(1, Pattern)", "from re import Pattern"),
        ("walk('a')", "from os import walk"),
        ("pprint(1)", "from pprint import pprint"),
        ("pprint.pformat(1)", "import pprint"),
    ],
)
def test_names_of_the_standard_library(diagnoser: Diagnoser, use: str, line: str) -> None:
    text = f"{GOOD}def test_a():\n    assert {use} or Good('a')\n"
    assert line in after(diagnoser, text).splitlines()


def test_a_plain_word_is_not_taken_from_the_library(diagnoser: Diagnoser) -> None:
    text = f"{GOOD}def test_a():\n    assert Good(index)\n"
    assert repaired(diagnoser, text).repairs == ()


def test_what_fits_the_call_comes_first(by_server: Diagnoser) -> None:
    text = f"{GOOD}def test_a():\n    assert time(12, 30) and Good('a')\n"
    assert "from datetime import time" in after(by_server, text)


def test_a_variable_is_imported_from_where_it_is_bound(diagnoser: Diagnoser) -> None:
    files = {"shop/a.py": "LIMIT = 1\n", "shop/b.py": "from shop.a import LIMIT\n"}
    found = with_program(diagnoser, {**files, "shop/c.py": files["shop/b.py"]})
    text = f"{GOOD}def test_a():\n    assert Good('a', LIMIT)\n"
    assert "from shop.a import LIMIT" in after(found, text)


def test_a_name_that_has_members_is_a_module(diagnoser: Diagnoser) -> None:
    files = {"shop/deep/token.py": "def token(text):\n    return text\n"}
    found = with_program(diagnoser, files)
    text = "def test_a():\n    assert token.tokne('a')\n"
    assert after(found, text) == (
        "from shop.deep import token\n\ndef test_a():\n    assert token.token('a')\n"
    )


def test_a_slip_of_a_name_of_the_program_that_is_not_imported(diagnoser: Diagnoser) -> None:
    text = "def test_a():\n    assert fethced('a')\n"
    assert after(diagnoser, text) == (
        "from shop.fares import fetched\n\ndef test_a():\n    assert fetched('a')\n"
    )


def test_a_name_in_a_block_that_catches_everything_is_to_be_defined(diagnoser: Diagnoser) -> None:
    text = f"{GOOD}def test_a():\n    try:\n        json.dumps(Good('a').price)\n"
    text += "    except {}:\n        assert False\n"
    assert "import json" in after(diagnoser, text.format("Exception"))
    assert repaired(diagnoser, text.format("NameError")).repairs == ()


def test_a_short_name_of_a_class(diagnoser: Diagnoser) -> None:
    found = with_program(diagnoser, {"shop/deep/rules.py": "class RuleBook:\n    word = 'a'\n"})
    text = "def test_a():\n    assert RBook.word == 'a'\n"
    assert "from shop.deep.rules import RuleBook as RBook" in after(found, text)


def test_a_name_of_a_library_that_the_project_needs(diagnoser: Diagnoser) -> None:
    text = f"{GOOD}def test_a():\n    assert HealthCheck and Good('a')\n"
    (diagnoser.root / "requirements-test.txt").write_text("hypothesis>=6\n")
    assert "from hypothesis import HealthCheck" in after(diagnoser, text)


def test_a_name_of_two_modules_is_of_the_one_that_the_file_is_named_after(
    diagnoser: Diagnoser,
) -> None:
    text = "def label(good):\n    return good.name\n"
    found = with_program(diagnoser, {"shop/boxes.py": text, "shop/shelves.py": text})
    wrong = f"{GOOD}def test_a():\n    assert label(Good('a')) == 'a'\n"
    assert repaired(found, wrong).repairs == ()
    right = Repairer(found).repaired("tests/test_big_shelves.py", wrong).text
    assert "from shop.shelves import label" in right


def test_what_comes_later_tells_where_a_name_is_from(diagnoser: Diagnoser) -> None:
    text = "def label(good):\n    return good.name\n"
    files = {"shop/boxes.py": f"{text}\n\ndef folded():\n    pass\n", "shop/shelves.py": text}
    found = with_program(diagnoser, files)
    text = f"{GOOD}def test_a():\n    assert label(Good('a')) == 'a' and not folded()\n"
    assert "from shop.boxes import label" in after(found, text)
