"""What several tests of a file begin with is one fixture."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import brief, write_program
from test_offline_generator import run_pytest

from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.printing.fixtures import FEWEST, with_fixtures
from pytest_lift.agents.offline.printing.functions import PrintedTest

FIXTURE = "@pytest.fixture\ndef lot():\n    return Lot(2)"


def printed(name: str, *body: str, parameters: str = "", mark: str = "") -> PrintedTest:
    head = [*([mark] if mark else []), f"def {name}({parameters}):", '    """Lots."""']
    lines = (*head, *(f"    {line}" for line in body))
    return PrintedTest(name, lines, ("from park import Lot",), "park.py", len(head))


def alike(count: int = FEWEST) -> list[PrintedTest]:
    return [
        printed(f"test_{n}", "lot = Lot(2)", f"assert lot.free({n}) == 2") for n in range(count)
    ]


def test_tests_that_begin_alike_share_a_fixture() -> None:
    other = printed("test_other", "lot = Lot(3)", "assert lot.free() == 3")
    fixtures, found = with_fixtures([*alike(), other])
    assert fixtures == [FIXTURE]
    assert found[0].text == 'def test_0(lot):\n    """Lots."""\n    assert lot.free(0) == 2'
    assert found[-1] == other


def test_a_function_that_comes_first_then_has_a_blank_line_before_it() -> None:
    defining = printed("test_it", "lot = Lot(2)", "def f():", "    return 1", "", "lot.add(f)")
    _, found = with_fixtures([*alike(), defining])
    assert found[-1].lines[1:4] == ('    """Lots."""', "", "    def f():")


def test_few_tests_keep_their_first_line() -> None:
    assert with_fixtures(alike(FEWEST - 1)) == ([], alike(FEWEST - 1))


@pytest.mark.parametrize(
    "one",
    [
        printed("test_it", "lot = Lot(2)", "assert lot.free() == 2", parameters="capsys"),
        printed("test_it", "lot = Lot(2)", "assert lot.free() == 2", parameters="lot"),
        printed("test_it", "lot = Lot(2)", "assert lot", mark='@pytest.mark.req("R-1")'),
        printed("test_it", "lot = Lot(2)", "assert Lot(2).free() == 2"),
        printed("test_it", "lot = Lot(2)"),
        printed("test_it", "lot = other = Lot(2)", "assert lot is other"),
        printed("test_it", "lot = [2]", "assert lot == [2]"),
        printed("test_it", "lot = Lot(size)", "assert lot", parameters="size"),
    ],
)
def test_what_a_fixture_would_change_stays(one: PrintedTest) -> None:
    fixtures, found = with_fixtures([*alike(), one] + [one] * FEWEST)
    assert found[FEWEST:] == [one] * (FEWEST + 1)
    assert fixtures == [FIXTURE]


def test_arguments_of_rows_come_first() -> None:
    rows = printed("test_rows", "lot = Lot(2)", "assert lot.free(n) == 2", parameters="n")
    _, found = with_fixtures([*alike(), rows])
    assert "def test_rows(n, lot):" in found[-1].lines


@pytest.mark.parametrize("taken", ["lot", "tmp_path"])
def test_names_that_mean_something_else_stay_variables(taken: str) -> None:
    tests = [
        printed(f"test_{n}", f"{taken} = Lot(2)", f"assert {taken}.free({n})")
        for n in range(FEWEST)
    ]
    assert with_fixtures(tests, ["lot"]) == ([], tests)


def test_a_fixture_of_the_file_is_used_by_new_tests() -> None:
    text = f"import pytest\n\n\n{FIXTURE}\n\n\n@pytest.fixture\ndef other(lot):\n    return lot\n"
    fixtures, (found,) = with_fixtures(alike(1), ["lot", "other"], text)
    assert fixtures == []
    assert "def test_0(lot):" in found.lines
    changed = text.replace("Lot(2)", "Lot(1)")
    assert with_fixtures(alike(), ["lot"], changed) == ([], alike())


def test_the_generator_writes_fixtures_that_pass(tmp_path: Path) -> None:
    text = """
        class Lot:
            def __init__(self):
                self.cars = []

            def park(self, car: str):
                self.cars.append(car)
                return len(self.cars)

            def leave(self, car: str):
                if car not in self.cars:
                    raise ValueError("not here")
                self.cars.remove(car)

            def find(self, car: str):
                if car in self.cars:
                    return self.cars.index(car)
                return -1

            def free(self):
                return 3 - len(self.cars)
    """
    program = write_program(tmp_path, {"park.py": text})
    edit = generator(brief(tmp_path, program))
    (text,) = [text for text in edit.files.values() if text]
    assert "@pytest.fixture\ndef lot():\n    return Lot()\n\n\n" in text
    assert " failed" not in (said := run_pytest(tmp_path, edit.files))
    assert "error" not in said


def test_a_fixture_is_not_called_like_a_builtin() -> None:
    tests = [
        printed(f"test_{n}", "set = Lot(2)", f"assert set.free({n}) == 2") for n in range(FEWEST)
    ]
    assert with_fixtures(tests) == ([], tests)


def test_what_is_tested_stands_in_each_test() -> None:
    tests = [printed(f"test_{n}", "result = free(2)", f"assert result[{n}]") for n in range(FEWEST)]
    assert with_fixtures(tests) == ([], tests)
