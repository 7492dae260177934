"""Whatever is repaired can be parsed and asserts what it asserted."""

from __future__ import annotations

import ast
import random
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from proposed_file import PATH, PROGRAM, TESTS

from pytest_lift.gate.diagnosis.closeness import the_close_one
from pytest_lift.gate.diagnosis.diagnosing import Diagnoser
from pytest_lift.gate.repair.repairing import Repairer
from pytest_lift.gate.repair.same_checks import checks_in, same_checks
from pytest_lift.source.program import read_program
from pytest_lift.suite.suite import suite_of

WHOLE = '''\
import json
from pathlib import Path

import pytest

from shop import Good
from shop.fares import RATES, fare


@pytest.mark.parametrize(("name", "price"), [("a", 1), ("b", 2)])
def test_rows(name, price, stock):
    """Doc."""
    good = Good(name, price=price)  # a comment
    assert fare(good, "books", rounded=True) == (7 + price)


class TestGood:
    def test_dear(self, tmp_path):
        (tmp_path / "a.txt").write_text(json.dumps({"a": [1, 2]}))
        assert Good("a", 200).is_dear(limit=100), "dear"
        assert [RATES["books"], 1] == [7, 1]

    def test_unknown(self):
        with pytest.raises(KeyError):
            fare(Good("b"), "none")
'''


@pytest.fixture(scope="module")
def repairer(tmp_path_factory: pytest.TempPathFactory) -> Repairer:
    root: Path = tmp_path_factory.mktemp("shop")
    for path, text in {**PROGRAM, **TESTS}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(dedent(text))
    program = read_program(root, ("shop",), ("",), "")
    texts = {path: dedent(text) for path, text in TESTS.items() if path.endswith(".py")}
    return Repairer(Diagnoser(program, suite_of("tests", texts), root))


def broken(text: str, chance: random.Random) -> str:
    """Returns a text with a letter, a line or a bracket gone, doubled or moved."""
    lines = text.splitlines(keepends=True)
    at = chance.randrange(len(lines))
    line = lines[at]
    place = chance.randrange(max(len(line) - 1, 1))
    how = chance.randrange(6)
    if how == 0:
        lines[at] = line[:place] + line[place + 1 :]
    elif how == 1:
        lines[at] = ""
    elif how == 2:
        lines[at] = line.replace(")", "", 1)
    elif how == 3:
        lines[at] = line[:place] + line[place : place + 1] * 2 + line[place + 1 :]
    elif how == 4:
        lines.insert(at, "Here is more of it:\n")
    else:
        lines[at] = line[:-2] + line[-1:]
    return "".join(lines)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(seed=st.integers(0, 2**32), times=st.integers(1, 4))
def test_a_repaired_file_is_python_and_asserts_the_same(
    repairer: Repairer, seed: int, times: int
) -> None:
    chance, text = random.Random(seed), WHOLE
    for _ in range(times):
        text = broken(text, chance)
    found = repairer.repaired(PATH, text)
    if not found.repairs:
        assert found.text == text
        return
    after = ast.parse(found.text)
    by_text = {"prose", "bracket"} & {one.rule for one in found.repairs}
    if by_text:
        words = text.count("assert "), found.text.count("assert ")
        assert words[0] == words[1]
        assert sum(isinstance(node, ast.Assert) for node in ast.walk(after)) == words[1]
    else:
        before = [type(one) for one in checks_in(ast.parse(text))]
        assert [type(one) for one in checks_in(after)] == before


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(seed=st.integers(0, 2**32))
def test_what_is_repaired_needs_no_second_repair(repairer: Repairer, seed: int) -> None:
    found = repairer.repaired(PATH, broken(WHOLE, random.Random(seed)))
    assert repairer.repaired(PATH, found.text).repairs == ()


def test_what_needs_no_repair_has_none(repairer: Repairer) -> None:
    assert repairer.repaired(PATH, WHOLE).repairs == ()
    assert repairer.repaired(PATH, WHOLE).left == ()


@pytest.mark.parametrize(
    ("after", "same"),
    [
        ("assert shop.fare(1, kind=2) == 3", True),
        ("assert shop.fair(1, kind=2) == 3", False),
        ("assert store.fare(1, kind=2) == 3", True),
        ("assert shop.fare(1, sort=2) == 3", True),
        ("assert shop.fare(1, kind=2) == 4", False),
        ("assert shop.fare(1, kind=2) >= 3", False),
        ("assert shop.fare(1, kind=2)", False),
        ("shop.fare(1, kind=2) == 3", False),
        ("assert shop.fare(1, kind=2) == 3\n    assert True", False),
        ("assert (shop.fare(1, kind=2)\n        == 3)  # so", True),
    ],
)
def test_assertions_are_the_same_but_for_names(after: str, same: bool) -> None:
    head, renamed = "def test_a():\n    ", {"shop": "store", "kind=": "sort="}
    before = f"{head}assert shop.fare(1, kind=2) == 3\n"
    naming = suite_of("tests", {}).naming
    assert same_checks(before, f"{head}{after}\n", renamed, naming) is same


@pytest.mark.parametrize(
    ("name", "known", "close"),
    [
        ("dumsp", ["dumps", "loads"], "dumps"),
        ("is_deer", ["is_dear", "is_deep"], None),
        ("toList", ["to_list", "to_set"], "to_list"),
        ("ab", ["abc"], None),
        ("name", ["nape", "names"], None),
        ("rounding", ["rounded", "order"], None),
    ],
)
def test_only_one_close_name_is_taken(name: str, known: list[str], close: str | None) -> None:
    assert the_close_one(name, known) == close
