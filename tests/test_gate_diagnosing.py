"""What keeps proposed tests from running is told without running them."""

from __future__ import annotations

from pathlib import Path

import pytest
from proposed_file import PATH, _of, by_server, by_tree, diagnoser, rules, shop

from pytest_lift.gate.diagnosis.diagnosing import Diagnoser
from pytest_lift.source.program import read_program

__all__ = ["by_server", "by_tree", "diagnoser", "shop"]

HEALTHY = '''\
import json
from pathlib import Path
from unittest.mock import patch

import pytest

from shop import Good
from shop.fares import fare, fetched
import shop.goods as goods


@pytest.fixture(name="dear")
def a_dear_one():
    return Good("ring", 1000)


@pytest.mark.parametrize(("name", "price"), [("a", 1), pytest.param("b", 2, id="b")])
def test_rows(name, price, stock, dear, tmp_path):
    """Doc."""
    good = goods.Good(name, price)
    stock.append(good)
    (tmp_path / "a.json").write_text(json.dumps([good.name]))
    assert fare(good, rounded=True) == 7 + price and dear.is_dear()


def test_what_is_wrong_on_purpose():
    with pytest.raises(AttributeError):
        Good("a").colour
    with pytest.raises(TypeError):
        Good()
    good = Good("a")
    good.colour = "red"
    assert good.colour == "red"
    with patch("shop.fares.RATES", {}) as rates:
        assert not rates


async def test_waits():
    assert await fetched("books") == 7
    waiting = fetched("books")
    assert await waiting == 7


class TestGood:
    @staticmethod
    def test_alone():
        assert Good("a").price == 1

    def test_inside(self, stock, capsys):
        try:
            import numpy_that_is_not_there
        except ImportError:
            numpy_that_is_not_there = None
        assert not stock


def test_files():
    with open("written.txt", encoding="utf-8") as file:
        file.read()
'''


def test_healthy_tests_have_no_faults(diagnoser: Diagnoser) -> None:
    (diagnoser.root / "written.txt").write_text("")
    assert diagnoser.diagnose(PATH, HEALTHY) == ()


@pytest.mark.parametrize(
    ("text", "rule", "subject"),
    [
        ("import shop.goodies\n", "import-not-found", "shop.goodies"),
        ("from shop.good import Good\n", "import-not-found", "shop.good"),
        ("from shop import Goood\n", "import-not-found", "shop.Goood"),
        ("def test_a():\n    assert json.dumps(1)\n", "unresolved-reference", "json"),
        ("from .things import two\n", "relative-import", ".things"),
        ("def test_a(stok):\n    assert stok\n", "unknown-fixture", "stok"),
        ("def test_a():\n    pass\n\ndef test_a():\n    pass\n", "redefined-test", "test_a"),
        ("class TestA:\n    def test_b():\n        pass\n", "missing-self", "test_b"),
        ("class TestA:\n    def test_b(stock):\n        pass\n", "missing-self", "test_b"),
        ("class TestA:\n    def setUp(self):\n        pass\n", "xunit-method", "setUp"),
        ("def test_a():\n    open('gone.txt')\n", "missing-file", "gone.txt"),
        ("def test_a():\n    open('new.txt', 'w')\n", "written-file", "new.txt"),
        ("def test_a(:\n", "invalid-syntax", ""),
        (
            "import pytest\n@pytest.mark.parametrize('a,b', [(1, 2)])\ndef test_a(a):\n    pass\n",
            "parametrize-names",
            "b",
        ),
        (
            "import pytest\n@pytest.mark.parametrize('a,b', [(1,)])\ndef test_a(a, b):\n    pass\n",
            "parametrize-row",
            "test_a",
        ),
        (
            "from shop.fares import fetched\nasync def test_a():\n    assert fetched('books') == 7\n",
            "missing-await",
            "fetched",
        ),
        (
            "import unittest\nclass TestA(unittest.TestCase):\n"
            "    def test_b(self, tmp_path):\n        pass\n",
            "case-argument",
            "tmp_path",
        ),
    ],
)
def test_a_fault_is_told_with_and_without_a_server(
    diagnoser: Diagnoser, text: str, rule: str, subject: str
) -> None:
    assert rules(diagnoser, text) == [(rule, subject)]


@pytest.mark.parametrize(
    ("call", "rule", "subject"),
    [
        ("Good('a').is_deer()", "missing-attribute", "is_deer"),
        ("fare(Good('a'), kynd='books')", "unknown-argument", "kynd"),
        ("Good()", "missing-argument", ""),
        ("Good('a', 1, 2)", "too-many-positional-arguments", ""),
        ("Good('a', name='a')", "parameter-already-assigned", ""),
        ("fare(Good('a'))()", "not-callable", ""),
    ],
)
def test_what_needs_types_is_told_by_the_server(
    by_server: Diagnoser, call: str, rule: str, subject: str
) -> None:
    text = f"from shop import Good\nfrom shop.fares import fare\ndef test_a():\n    {call}\n"
    expected = [] if rule == "not-callable" else [(rule, subject)]
    assert rules(by_server, text) == expected  # what is called there has no known type


@pytest.mark.parametrize(
    ("call", "rule", "subject"),
    [
        ("stock[0].is_daer()", "unknown-attribute", "is_daer"),
        ("stock[0](ronded=True)", "unknown-keyword", "ronded"),
        ("stock[0].appned(1)", "unknown-attribute", "appned"),
    ],
)
def test_a_slip_is_told_where_no_type_is_known(
    diagnoser: Diagnoser, call: str, rule: str, subject: str
) -> None:
    text = f"def test_a(stock):\n    assert {call}\n"
    assert rules(diagnoser, text) == [(rule, subject)]
    foreign = f"import numpy as np\n\ndef test_a():\n    assert np.{call[9:]}\n"
    assert (rule, subject) not in rules(diagnoser, foreign)
    assert rules(diagnoser, f"{text}    {subject} = 1\n") == []


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("from shop.shop.goods import Good", 1),
        ("from shop.shop.gods import Good", 1),
        ("import shop.made", 0),
    ],
)
def test_a_package_that_makes_modules_may_have_more_but_not_itself(
    by_server: Diagnoser, line: str, count: int
) -> None:
    place = by_server.root / "shop/deep/rules.py"
    place.write_text("import sys\n\nsys.modules['shop.made'] = sys\n")
    program = read_program(by_server.root, ("shop",), ("",), "")
    found = Diagnoser(program, by_server.suite, by_server.root, by_server.server)
    assert len(rules(found, f"{line}\n")) == count


def test_silenced_lines_are_no_fault(diagnoser: Diagnoser) -> None:
    text = "def test_a():\n    assert what  # noqa: F821\n    assert that  # type: ignore[name-defined]\n"
    assert rules(diagnoser, text) == []
    assert rules(diagnoser, "def test_a():\n    assert what  # type: ignore[attr-defined]\n") == [
        ("unresolved-reference", "what")
    ]


def test_relative_imports_of_a_file_that_is_not_there_yet(by_server: Diagnoser) -> None:
    (by_server.root / "tests/__init__.py").touch()
    text = "from .things import two\nfrom .things import three\n"
    found = Diagnoser(by_server.program, by_server.suite, by_server.root, by_server.server)
    assert rules(found, text) == [("import-not-found", "tests.things.three")]
    assert not (by_server.root / PATH).exists()


def test_a_server_that_goes_leaves_what_the_tree_tells(by_server: Diagnoser) -> None:
    assert by_server.server is not None
    by_server.server.trouble = "it does not answer"
    assert rules(by_server, "from shop import Goood\n") == [("import-not-found", "shop.Goood")]


@pytest.mark.parametrize(
    "text",
    [
        "def pytest_generate_tests(metafunc):\n    pass\n\ndef test_a(anything):\n    pass\n",
        "from tests.things import *\n\ndef test_a(anything):\n    pass\n",
        "import mock\n@mock.patch('os.getcwd')\ndef test_a(anything):\n    pass\n",
        "class TestA(Base):\n    def test_b(self, anything):\n        pass\n",
    ],
)
def test_fixtures_that_a_text_cannot_tell_are_no_fault(diagnoser: Diagnoser, text: str) -> None:
    assert "unknown-fixture" not in [rule for rule, _ in rules(diagnoser, text)]


@pytest.mark.parametrize("settings", ["pyproject.toml", "ty.toml"])
def test_a_project_that_silences_the_server_about_its_tests_is_read_by_the_tree(
    shop: Path, settings: str
) -> None:
    head = "tool.ty." if settings == "pyproject.toml" else ""
    text = f'[[{head}overrides]]\ninclude = ["tests"]\nrules.all = "ignore"\n'
    (shop / settings).write_text(text)
    for found in _of(shop, with_server=True):
        assert found.asks is not None
        assert rules(found, "from shop.shop import Good\n") == [("import-not-found", "shop.shop")]
        assert rules(found, "from shop import Good\n") == []


@pytest.mark.parametrize(
    ("decorators", "parameters", "lacks"),
    [
        ("@given(word=texts)\n    @SETTINGS", "word", True),
        ("@given(texts)\n    @SETTINGS", "word", True),
        ("@given(word=texts)\n    @SETTINGS", "self, word", False),
        ("@SETTINGS", "word", False),
    ],
)
def test_what_hypothesis_gives_is_no_self(
    by_tree: Diagnoser, decorators: str, parameters: str, lacks: bool
) -> None:
    text = (
        "from hypothesis import given, settings, strategies as st\nfrom shop import Good\n"
        "SETTINGS = settings(deadline=None)\ntexts = st.text()\n\nclass TestA:\n"
        f"    {decorators}\n    def test_b({parameters}):\n        assert Good(word)\n"
    )
    assert ("missing-self" in {rule for rule, _ in rules(by_tree, text)}) is lacks
