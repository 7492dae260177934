"""What each test holds: its checks, its rows, and what sets it aside."""

from __future__ import annotations

import pytest
from kept_suite import PATH, WHOLE, suite

from pytest_lift.assertions.test_checks import held_by
from pytest_lift.gate.regression import keep
from pytest_lift.suite.suite import Edit, Suite
from pytest_lift.suite.test_file import Naming

NAMED = Naming(("check_*.py",), ("check",), ("Check",))
THEIR_PATH = "tests/check_a.py"


def their_suite(text: str) -> Suite:
    """Of a project whose tests have other names."""
    return Suite("tests", naming=NAMED).apply(Edit({THEIR_PATH: text}))


def theirs(text: str) -> str:
    return text.replace("test_", "check_").replace("TestF", "CheckF")


def test_a_test_is_known_by_the_names_of_its_project() -> None:
    old = their_suite(theirs(WHOLE))
    assert held_by(old, f"{THEIR_PATH}::check_one") == {
        "result == 2\nresult = f(1)": 1,
        "f(2) == 3": 1,
    }
    less = theirs(WHOLE).replace("    assert f(2) == 3\n", "")
    result = keep(old.apply(Edit({THEIR_PATH: less})), old, old)
    assert result.suite.files[THEIR_PATH].text == theirs(WHOLE)
    assert [place for place, _ in result.told] == [f"{THEIR_PATH}::check_one"]


def test_what_a_test_holds_is_known_by_its_node() -> None:
    cls = "\n\nclass TestF:\n    def test_one(self):\n        assert f(9)\n"
    old = suite(WHOLE + cls)
    assert held_by(old, f"{PATH}::TestF::test_one") == {"f(9)": 1}
    assert held_by(old, f"{PATH}::test_raises") == {"pytest.raises(ValueError):\nf(-1)": 1}
    assert held_by(old, f"{PATH}::test_rows") == {
        "f(x)": 1,
        "'x': 1": 1,
        "'x': 2": 1,
        "'x': 3": 1,
    }
    assert held_by(old, f"{PATH}::test_none") == {}
    assert held_by(old, "tests/test_b.py::test_one") == {}


@pytest.mark.parametrize(
    ("marks", "rows"),
    [
        ('@pytest.mark.parametrize("x", [1, 2])', ["'x': 1", "'x': 2"]),
        ('@pytest.mark.parametrize(("x", "y"), ((1, 2), (3, 4)))', ["('x', 'y'): (1, 2)", "('x', 'y'): (3, 4)"]),
        ('@pytest.mark.parametrize(argnames="x", argvalues=[1])', ["pytest.mark.parametrize(argnames='x', argvalues=[1]): 1"]),
        ('@pytest.mark.parametrize("x", argvalues=[1])', ["'x': 1"]),
        ('@pytest.mark.parametrize("x", ROWS)', ["'x': 5", "'x': 6"]),
        ('@pytest.mark.parametrize("x", OTHERS)', ["'x': OTHERS"]),
        ('@pytest.mark.parametrize("x", made())', ["'x': made()"]),
        ('@pytest.mark.parametrize("x")', ["'x': "]),
        ('@pytest.mark.parametrize("x", [1])\n@pytest.mark.other([2])\n@plain', ["'x': 1"]),
    ],
)  # fmt: skip
def test_each_row_is_held(marks: str, rows: list[str]) -> None:
    text = f"import pytest\n\nROWS = [5, 6]\n\n\n{marks}\ndef test_it(x):\n    pass\n"
    assert sorted(held_by(suite(text), f"{PATH}::test_it").elements()) == rows


def test_rows_of_a_test_and_of_all_its_classes_are_held() -> None:
    text = (
        "import pytest\n\n\n"
        '@pytest.mark.parametrize("a", [1])\nclass TestA:\n'
        '    @pytest.mark.parametrize("b", [2])\n    class TestB:\n'
        '        @pytest.mark.parametrize("c", [3])\n        def test_it(self, a, b, c):\n'
        "            assert a\n"
    )
    held = held_by(suite(text), f"{PATH}::TestA::TestB::test_it")
    assert held == {"'a': 1": 1, "'b': 2": 1, "'c': 3": 1, "a": 1}
