"""Proposed tests are repaired by rules: what keeps them from running, never what they assert."""

from __future__ import annotations

import ast

import pytest
from proposed_file import PATH, by_server, by_tree, diagnoser, repaired, shop

from pytest_lift.gate.diagnosis.diagnosing import Diagnoser
from pytest_lift.gate.repair.repairing import Repairer

__all__ = ["by_server", "by_tree", "diagnoser", "shop"]
GOOD = "from shop import Good\n"


def told(diagnoser: Diagnoser, text: str) -> tuple[list[str], str]:
    found = repaired(diagnoser, text)
    assert [one.message for one in found.left] == []
    return [one.rule for one in found.repairs], found.text


@pytest.mark.parametrize(
    ("wrong", "right", "rule"),
    [
        ("from goods import Good\n", "from shop.goods import Good\n", "module-path"),
        ("from src.shop.goods import Good\n", "from shop.goods import Good\n", "module-path"),
        ("from shop.shop.goods import Good\n", "from shop.goods import Good\n", "module-path"),
        ("from shop.good import Good\n", "from shop.goods import Good\n", "module-path"),
        ("from shop.rules import Rule\n", "from shop.deep.rules import Rule\n", "module-path"),
        ("from ..shop.goods import Goood\n", "from shop.goods import Good\n", "relative-import"),
        ("from ..shop.goods import Good\n", "from shop.goods import Good\n", "relative-import"),
        ("from .things import two\n", "from things import two\n", "relative-import"),
        ("from shop.goods import fare\n", "from shop.fares import fare\n", "import-name"),
        ("from shop import god, Good\n", "from shop import Good\n", "unused-import"),
        (
            "from shop.fares import farre\n\ndef test_a():\n    assert farre(1)\n",
            "from shop.fares import fare\n\ndef test_a():\n    assert fare(1)\n",
            "import-name",
        ),
        (
            "from shop import Good, fare\n",
            "from shop import Good\nfrom shop.fares import fare\n",
            "import-name",
        ),
        (
            "import shop.good\n\ndef test_a():\n    assert shop.good.Good('a')  # so\n",
            "import shop.goods\n\ndef test_a():\n    assert shop.goods.Good('a')  # so\n",
            "module-path",
        ),
        (
            "from mock_of.shop import Good\nfrom unittest.mock import patch\n\ndef test_a():\n"
            "    with patch('mock_of.shop.Good'):\n        assert Good('a')\n",
            "from shop import Good\nfrom unittest.mock import patch\n\ndef test_a():\n"
            "    with patch('shop.Good'):\n        assert Good('a')\n",
            "module-path",
        ),
    ],
)
def test_imports(diagnoser: Diagnoser, wrong: str, right: str, rule: str) -> None:
    rules, after = told(diagnoser, wrong)
    assert (rules[0], after) == (rule, right)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("json", "import json"),
        ("Path", "from pathlib import Path"),
        ("ABCMeta", "from abc import ABCMeta"),
        ("assert_allclose", "from numpy.testing import assert_allclose"),
        ("assert_frame_equal", "from pandas.testing import assert_frame_equal"),
        ("Good", "from shop import Good"),
        ("Rule", "from shop.deep.rules import Rule"),
        ("fare", "from shop.fares import fare"),
        ("ET", "import xml.etree.ElementTree as ET"),
        ("pytest", "import pytest"),
        ("MagicMock", "from unittest.mock import MagicMock"),
    ],
)
def test_missing_imports(diagnoser: Diagnoser, name: str, line: str) -> None:
    text = f"def test_a():\n    assert {name} is not None\n"
    rules, after = told(diagnoser, text)
    assert rules == ["missing-import"]
    assert line in after.splitlines()
    assert text in after


@pytest.mark.parametrize(
    ("wrong", "right", "rule"),
    [
        ("assert Good('a').is_deer() is False", "is_dear()", "misspelt-attribute"),
        ("assert Good(nane='a').price == 1", "Good(name='a')", "misspelt-keyword"),
        ("good = Good('a')\n    assert goood.name == 'a'", "good.name", "misspelt-name"),
    ],
)
def test_misspelt_names(by_server: Diagnoser, wrong: str, right: str, rule: str) -> None:
    rules, after = told(by_server, f"{GOOD}\ndef test_a():\n    {wrong}\n")
    assert (rules, right in after) == ([rule], True)


def test_a_slip_without_a_type_is_corrected(diagnoser: Diagnoser) -> None:
    text = "def test_a(stock):\n    stock.append(1)\n    assert stock[0].is_daer(limmit=2)\n"
    found = repaired(diagnoser, f"{GOOD}\n{text}    assert Good('a')\n")
    assert "assert stock[0].is_dear(limit=2)" in found.text


def test_the_package_of_the_program_by_a_short_name(diagnoser: Diagnoser) -> None:
    rules, after = told(diagnoser, "def test_a():\n    assert sh.Good('a').price == 1\n")
    assert (rules, "import shop as sh" in after) == (["missing-import"], True)


def test_a_misspelt_assertion_of_unittest_is_corrected(diagnoser: Diagnoser) -> None:
    head = "import unittest\nfrom shop import Good\n\n\nclass TestA(unittest.TestCase):\n"
    wrong = f"{head}    def test_a(self):\n        self.asserEtqual(Good('a').price, 1)\n"
    assert told(diagnoser, wrong) == (["misspelt-attribute"], wrong.replace("asserEt", "assertE"))


@pytest.mark.parametrize(
    ("use", "line"),
    [("shop.Good('a')", "import shop"), ("deque([Good('a')])", "from collections import deque")],
)
def test_an_import_fits_the_use(diagnoser: Diagnoser, use: str, line: str) -> None:
    _, after = told(diagnoser, f"{GOOD}\ndef test_a():\n    assert {use}\n")
    assert line in after.splitlines()


def test_what_pytest_has_is_no_slip(diagnoser: Diagnoser) -> None:
    text = f"{GOOD}import os\n\ndef test_a(monkeypatch):\n    monkeypatch.setenv('A', 'b')\n"
    text += "    assert os.getenv('A') == 'b' and Good('a')\n"
    assert told(diagnoser, text) == ([], text)


def test_two_close_names_are_no_choice(by_server: Diagnoser) -> None:
    text = GOOD + "\ndef test_a():\n    zqa, zqb = 1, 2\n    assert zqc and Good('a')\n"
    assert repaired(by_server, text).repairs == ()


@pytest.mark.parametrize(
    ("wrong", "right", "rule"),
    [
        (
            "class TestA:\n    def test_b():\n        assert Good('a')\n",
            "class TestA:\n    def test_b(self):\n        assert Good('a')\n",
            "missing-self",
        ),
        (
            "def test_a():\n    assert Good('a')\n\ndef test_a():\n    assert Good('b')\n",
            "def test_a_2():\n    assert Good('a')\n\ndef test_a():\n    assert Good('b')\n",
            "duplicate-test",
        ),
        (
            "def test_a(stok):\n    assert stok == [] and Good('a')\n",
            "def test_a(stock):\n    assert stock == [] and Good('a')\n",
            "misspelt-fixture",
        ),
        (
            "class TestA:\n    def setUp(self):\n        self.a = Good('a')\n\n"
            "    def test_a(self):\n        assert self.a\n",
            "class TestA:\n    def setup_method(self):\n        self.a = Good('a')\n\n"
            "    def test_a(self):\n        assert self.a\n",
            "xunit-name",
        ),
        (
            "import unittest\n\nclass TestA(unittest.TestCase):\n"
            "    def test_a(self, tmp_path):\n        assert Good('a')\n",
            "import unittest\n\nclass TestA:\n"
            "    def test_a(self, tmp_path):\n        assert Good('a')\n",
            "no-unittest-base",
        ),
        (
            "import unittest\n\nclass TestA:\n"
            "    def test_a(self):\n        self.assertEqual(Good('a').price, 1)\n",
            "import unittest\n\nclass TestA(unittest.TestCase):\n"
            "    def test_a(self):\n        self.assertEqual(Good('a').price, 1)\n",
            "unittest-base",
        ),
        (
            "import unittest\n\ndef test_a():\n    self.assertEqual(Good('a').price, 1)\n",
            "import unittest\n\ndef test_a():\n    case = unittest.TestCase()\n"
            "    case.assertEqual(Good('a').price, 1)\n",
            "unittest-case",
        ),
        (
            "def test_a():\n    with open('a.txt', 'w') as file:\n        file.write('a')\n"
            "    assert Good('a') and open('a.txt').read() == 'a'\n",
            "def test_a(tmp_path, monkeypatch):\n    monkeypatch.chdir(tmp_path)\n"
            "    with open('a.txt', 'w') as file:\n        file.write('a')\n"
            "    assert Good('a') and open('a.txt').read() == 'a'\n",
            "tmp-path",
        ),
        (
            "from pathlib import Path\n\ndef test_a():\n    text = open('data/goods.json').read()\n"
            "    assert Good(text)\n",
            "from pathlib import Path\n\ndef test_a():\n"
            '    text = open(Path(__file__).parent / "data/goods.json").read()\n'
            "    assert Good(text)\n",
            "file-path",
        ),
    ],
)
def test_heads_cases_and_files(diagnoser: Diagnoser, wrong: str, right: str, rule: str) -> None:
    assert told(diagnoser, GOOD + wrong) == ([rule], GOOD + right)


def test_a_fixture_of_another_file_is_imported(diagnoser: Diagnoser) -> None:
    rules, after = told(diagnoser, "def test_a(hat):\n    assert hat.name == 'hat'\n")
    assert rules == ["missing-fixture-import"]
    assert "from things import hat" in after


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("assert fare(Good('a')", "assert fare(Good('a'))"),
        ("assert fare(Good('a')) == 8)", "assert fare(Good('a')) == 8"),
        ("prices = [1, (2)\n    assert Good('a').price in prices", "prices = [1, (2)]"),
        ("with pytest.raises(KeyError:\n        fare(Good('a'), 'x')", "raises(KeyError):"),
        ("assert any(Good('a').price == [1]", "any(Good('a').price == [1])"),
        ("assert (Good('a').price\n            == 1", "            == 1)"),
        ("good = Good(\n        'a',\n        2\n    assert good.price == 2", "2)"),
        ("good = Good('''\nA (text.\n'''\n    assert good.price == 1", "\n''')"),
        ("good = Good(  # a (word\n        'a'  # b\n    assert good.price == 1", "'a')  # b"),
    ],
)
def test_brackets(diagnoser: Diagnoser, wrong: str, right: str) -> None:
    head = f"import pytest\n{GOOD}from shop.fares import fare\n"
    rules, after = told(diagnoser, f"{head}\ndef test_a():\n    {wrong}\n")
    assert (rules, right in after) == (["bracket"], True)


def test_a_comparison_of_what_an_assertion_returns_is_not_meant(by_tree: Diagnoser) -> None:
    head = f"import unittest\n{GOOD}\nclass TestA(unittest.TestCase):\n    def test_a(self):\n"
    rules, after = told(by_tree, f"{head}        self.assertTrue(Good('a').price in (1, 2)\n")
    assert (rules, after) == (
        ["bracket"],
        f"{head}        self.assertTrue(Good('a').price in (1, 2))\n",
    )


@pytest.mark.parametrize(
    "wrong",
    ["assert fare(Good('a') == 8", "assert [Good('a') is None", "self.assertTrue((1 < 2)"],
)
def test_a_bracket_that_may_belong_elsewhere_is_left_to_the_author(
    by_tree: Diagnoser, wrong: str
) -> None:
    found = repaired(by_tree, f"{GOOD}\ndef test_a():\n    {wrong}\n")
    assert found.repairs == () or "assertTrue((1 < 2))" in found.text


def test_no_line_goes_where_a_bracket_is_all_that_is_wrong(diagnoser: Diagnoser) -> None:
    head = f"{GOOD}\n\ndef test_a():\n    assert Good('a')\n"
    rules, after = told(diagnoser, f"{head}    Good('b').is_dear(2\n")
    assert (rules, after) == (["bracket"], f"{head}    Good('b').is_dear(2)\n")


@pytest.mark.parametrize(
    "around",
    [
        "Here are the tests you asked for:\n\n```python\n{}```\n",
        "```\n{}```\n\nThey cover the price, and assert that it's one.",
        "Sure! I will test this.\n{}",
        "{}\nThis covers all of it, doesn't it?\n",
    ],
)
def test_prose_and_fences_go(diagnoser: Diagnoser, around: str) -> None:
    code = f"{GOOD}\ndef test_a():\n    assert Good('a').price == 1\n"
    rules, after = told(diagnoser, around.format(code))
    assert rules == ["prose"]
    assert after.strip() == code.strip()


def test_code_is_no_prose(by_tree: Diagnoser) -> None:
    text = f"{GOOD}\ndef test_a():\n    assert Good('a').price == 1\n\nassert 1 = 2\n"
    assert repaired(by_tree, text).text == text


def test_several_faults_at_once(by_server: Diagnoser) -> None:
    text = """\
        Here it is:
        ```python
        from src.shop.good import Good, RATES

        class TestAll:
            def test_a(self):
                good = Good(nane="a", price=Decimal(2)
                assert good.is_deer() == False
                assert fare(good, list(RATES)[0]) == 9

            def test_a():
                assert json.dumps(Good("a").nam) == '"a"'
        ```
        """
    rules, after = told(by_server, text)
    assert {"prose", "bracket", "misspelt-keyword", "misspelt-attribute", "missing-self"} <= {
        *rules
    }
    ast.parse(after)
    assert "assert fare(good, list(RATES)[0]) == 9" in after


def test_what_a_user_wrote_stays(by_server: Diagnoser) -> None:
    before = "import jsonn\n\n\ndef test_theirs():\n    assert jsonn\n"
    text = before + "\n\ndef test_ours():\n    assert Good('a').price == 1\n"
    found = Repairer(by_server).repaired(PATH, text, before=before, protected=True)
    assert [one.rule for one in found.repairs] == ["missing-import"]
    assert "import jsonn" in found.text
    assert found.left == ()


def test_a_test_that_would_not_touch_the_program_any_more_is_not_repaired(
    by_tree: Diagnoser,
) -> None:
    text = "def test_a(tmp_pth):\n    assert tmp_pth.name\n"
    assert repaired(by_tree, text).text == text
