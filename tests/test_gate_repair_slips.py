"""Slips in words of which no type is known, or that other faults stand before, are repaired."""

from __future__ import annotations

from pathlib import Path

import pytest
from proposed_file import _of, by_server, by_tree, diagnoser, repaired, shop

from pytest_lift.gate.diagnosis.diagnosing import Diagnoser
from pytest_lift.source.program import read_program

__all__ = ["by_server", "by_tree", "diagnoser", "shop"]
GOOD = "import pytest\nfrom shop import Good\n\n\n"


def after(diagnoser: Diagnoser, text: str) -> str:
    found = repaired(diagnoser, text)
    assert [one.message for one in found.left] == []
    return found.text


def with_program(given: Diagnoser, files: dict[str, str]) -> Diagnoser:
    """Returns a diagnoser of the shop with other files in it."""
    for path, text in files.items():
        (given.root / path).parent.mkdir(parents=True, exist_ok=True)
        (given.root / path).write_text(text)
    program = read_program(given.root, ("shop",), ("",), "")
    return Diagnoser(program, given.suite, given.root, given.server)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("with pytest.raises(ValueError):\n        Good('a').is_deer()", "Good('a').is_dear()"),
        ("with pytest.raises(shop.goods.Lost):\n        Good('a').is_deer()", "a').is_dear()"),
        ("with pytest.raises(shop.gods.Lost):\n        Good('a').is_dear()", "shop.goods.Lost"),
        ("with pytest.warns(UserWarning, macth='a'):\n        Good('a')", "Warning, match='a'"),
        ("assert Good('a').is_deer is not None", "Good('a').is_dear is"),
        ("assert [Good('a').is_deer for _ in 'a']", "Good('a').is_dear for"),
    ],
)
def test_slips_where_failures_are_expected_or_words_follow(
    by_server: Diagnoser, wrong: str, right: str
) -> None:
    text = "class Lost(LookupError):\n    pass\n\n" + (by_server.root / "shop/goods.py").read_text()
    found = with_program(by_server, {"shop/goods.py": text})
    assert right in after(found, f"import shop.goods\n{GOOD}def test_a():\n    {wrong}\n")


@pytest.mark.parametrize("kind", ["AttributeError", "TypeError", "Exception", "shop.goods.Lost"])
def test_what_may_be_tested_is_no_slip(by_server: Diagnoser, kind: str) -> None:
    text = (
        "class Lost(AttributeError):\n    pass\n" + (by_server.root / "shop/goods.py").read_text()
    )
    found = with_program(by_server, {"shop/goods.py": text})
    text = f"import shop.goods\n{GOOD}def test_a():\n    with pytest.raises({kind}):\n"
    assert repaired(found, f"{text}        Good('a').is_deer()\n").repairs == ()


def test_a_misspelt_name_of_a_module_that_may_have_more(by_server: Diagnoser) -> None:
    found = with_program(by_server, {"shop/open.py": "def fetch():\n    pass\n\nexec('x = 1')\n"})
    text = "from shop.open import fecth\n\n\ndef test_a():\n    assert fecth() is None\n"
    assert after(found, text) == text.replace("fecth", "fetch")
    text = f"from ..shop.open import fecth\n{text.partition(chr(10))[2]}"
    assert "from shop.open import fetch\n" in after(found, text)


def test_a_misspelt_assertion_of_a_test_case_from_another_file(by_server: Diagnoser) -> None:
    text = "from things import Case\nfrom shop import Good\n\n\nclass TestA(Case):\n    def test_a(self):\n"
    text += "        self.asserEtqual(Good('a').price, 1)\n"
    (by_server.root / "tests/things.py").write_text(
        "import unittest\n\nclass Case(unittest.TestCase):\n    pass\n"
    )
    assert "self.assertEqual(" in repaired(by_server, text).text


def test_an_attribute_of_self_is_one_that_the_class_has(diagnoser: Diagnoser) -> None:
    text = GOOD + "class Shelf:\n    def fill(self):\n        self.module = Good('a')\n"
    text += "        return self.modle, self.module.mode\n\n\ndef test_a():\n    assert Shelf().fill()\n"
    assert "self.module, self.module.mode" in repaired(diagnoser, text).text


def test_a_keyword_that_a_function_takes_from_its_keywords(diagnoser: Diagnoser) -> None:
    program = {"shop/open.py": "def fetch(**more):\n    return more.pop('scrub', False)\n"}
    found = with_program(diagnoser, program)
    text = "from shop.open import fetch\n\n\ndef test_a():\n    assert fetch(scrb=True)\n"
    assert after(found, text) == text.replace("scrb", "scrub")


def test_a_module_that_nothing_has_imported(by_server: Diagnoser) -> None:
    text = "import shop\nimport shop.deep\n\n\ndef test_a():\n    assert shop.deep.rles.Rule\n"
    assert "shop.deep.rules.Rule" in repaired(by_server, text).text


def test_a_name_that_comments_silence_is_still_to_be_defined(diagnoser: Diagnoser) -> None:
    text = "import pytest\n\n\ndef test_a():\n    with pytest.raises(TypeError):\n        Good()  # type: ignore\n"
    assert "from shop import Good" in after(diagnoser, text)


def test_a_relative_import_of_nothing_is_told_without_the_server(by_tree: Diagnoser) -> None:
    for path in ("tests/__init__.py", "tests/test_shop.py"):
        (by_tree.root / path).touch()
    found = with_program(by_tree, {})
    text = "from .shop.goods import Good\n\n\ndef test_a():\n    assert Good('a')\n"
    assert "from shop.goods import Good" in after(found, text)
    whole = "from .things import two\nfrom shop import Good\n\n\ndef test_a():\n    assert two() and Good('a')\n"
    assert after(found, whole) == whole


def test_the_first_parameter_is_no_self_where_fixtures_cannot_be_told(by_tree: Diagnoser) -> None:
    text = (
        GOOD
        + "from tests.things import *\n\n\nclass TestA:\n    def test_a({}):\n        assert Good(word)\n"
    )
    assert "(self, word)" in repaired(by_tree, text.format("word")).text
    assert repaired(by_tree, text.format("self, word")).repairs == ()


def test_a_parameter_is_the_column_of_its_table(diagnoser: Diagnoser) -> None:
    text = (
        f"{GOOD}@pytest.mark.parametrize('name', ['a'])\ndef test_a(nae):\n    assert Good(name)\n"
    )
    assert after(diagnoser, text) == text.replace("nae", "name")


@pytest.mark.parametrize(
    ("folder", "use", "right"),
    [
        (
            "DATA = 'data'",
            "os.path.join(DATA, 'goods.json')",
            'str(Path(__file__).parent / "data")',
        ),
        ("DATA = 'data'", "(DATA / 'goods.json').name", 'DATA = Path(__file__).parent / "data"'),
        ("", "os.path.join('data', 'goods.json')", 'join(str(Path(__file__).parent / "data"),'),
    ],
)
def test_a_folder_beside_the_test(diagnoser: Diagnoser, folder: str, use: str, right: str) -> None:
    text = (
        f"import os\n{GOOD}{folder}\n\n\ndef test_a():\n    path = {use}\n    assert Good(path)\n"
    )
    assert right in after(diagnoser, text)
    Path(diagnoser.root / "data").mkdir()
    assert repaired(diagnoser, text).repairs == ()


def test_a_fixture_that_a_call_makes(diagnoser: Diagnoser) -> None:
    text = f"{GOOD}def _shelf():\n    return [Good('a')]\n\n\nshelf = pytest.fixture()(_shelf)\n"
    (diagnoser.root / "conftest.py").write_text(text)
    wrong = "def test_a(shelff):\n    assert shelff[0].price == 1\n"
    assert after(diagnoser, wrong) == wrong.replace("shelff", "shelf")


def test_a_column_named_cls_is_no_self(diagnoser: Diagnoser) -> None:
    text = f"{GOOD}class TestA:\n    @pytest.mark.parametrize('cls', [Good])\n"
    text += "    def test_a({}cls):\n        assert cls('a').price == 1\n"
    assert after(diagnoser, text.format("")) == text.format("self, ")


def test_a_slip_in_a_package_that_makes_modules(diagnoser: Diagnoser) -> None:
    found = with_program(diagnoser, {"shop/made.py": "import sys\n\nsys.modules['shop.x'] = sys\n"})
    text = "from shop.gooods import Good\n\n\ndef test_a():\n    assert Good('a')\n"
    assert after(found, text) == text.replace("gooods", "goods")


def test_what_an_older_python_cannot_read_is_no_fault(by_server: Diagnoser) -> None:
    place = by_server.root / "pyproject.toml"
    place.write_text('[project]\nname = "shop"\nversion = "1"\nrequires-python = ">=3.8"\n')
    text = "def test_a():\n    match Good('a').price:\n        case 1:\n            assert True\n"
    for found in _of(by_server.root, with_server=True):
        assert "from shop import Good" in after(found, text)


def test_a_slip_between_two_underscores(diagnoser: Diagnoser) -> None:
    text = f"{GOOD}def test_a():\n    assert Good('a').__clas__ is Good\n"
    assert after(diagnoser, text) == text.replace("__clas__", "__class__")


def test_a_test_that_asserts_nothing_gets_its_import(diagnoser: Diagnoser) -> None:
    text = "from shopp.goods import Good\n\n\ndef test_a():\n    Good('a').is_dear()\n"
    assert after(diagnoser, text) == text.replace("shopp", "shop")


@pytest.mark.parametrize(
    "wrong", ["shop.shop.parts.a_test", "shop.parts.a_tset", "..shop.parts.a_test"]
)
def test_a_module_in_the_program_that_nobody_has_read(diagnoser: Diagnoser, wrong: str) -> None:
    for path in ("shop/parts/__init__.py", "shop/parts/a_test.py"):
        (diagnoser.root / path).parent.mkdir(exist_ok=True)
        (diagnoser.root / path).write_text("def made():\n    return 1\n")
    text = "from shop.parts.a_test import made\nfrom shop import Good\n\n\n"
    text += "def test_a():\n    assert Good(made()).name == 1\n"
    assert after(diagnoser, text.replace("shop.parts.a_test", wrong)) == text
