"""Tests are drawn by seed, and what a reader says of them is added up."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))
reading = import_module("reading")

ROUNDS = """\
round 1, money, seed 1, commit abc123

tests/test_money.py::test_add: copy
round 2, money, seed 2, commit abc124

# def test_add():
#     assert add(1, 2) == 3
tests/test_money.py::test_add: keep
tests/test_money.py::test_sub: values 2**64 where 1 would do
"""


def test_a_seed_always_draws_the_same_tests(tmp_path: Path) -> None:
    tests = "\n\n".join(f"def test_{n}():\n    assert {n} == {n}" for n in range(30))
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_many.py").write_text(tests)
    first = reading.drawn(tmp_path, 3)
    assert first == reading.drawn(tmp_path, 3) != reading.drawn(tmp_path, 4)
    assert len({one.node for one in first}) == reading.DRAWN
    text = reading.shown(first, "many", 3)
    assert f"{first[0].node}: ?" in text
    assert all(f"# {line}" in text for line in first[0].text.splitlines())


def test_a_function_inside_of_a_test_is_none(tmp_path: Path) -> None:
    inner = (
        "def test_one():\n    def test_process():\n        pass\n    assert test_process() is None"
    )
    (tmp_path / "test_one.py").write_text(inner)
    assert [one.node for one in reading.tests_of(tmp_path)] == ["test_one.py::test_one"]


def test_the_last_round_counts() -> None:
    found = list(reading.verdicts(ROUNDS))
    figures = reading.figures_of(found)
    assert [one.word for one in found] == ["copy", "keep", "values"]
    assert (figures["round"], figures["tests"], figures["kept_percent"]) == (2, 2, 50.0)
    assert figures["fell"] == {"values": 1}


@pytest.mark.parametrize("line", ["test_add: keep", "tests/a.py::test: ?"])
def test_what_is_no_verdict_is_told(line: str) -> None:
    head = "round 1, money, seed 1, commit abc\n" if "?" in line else ""
    with pytest.raises(ValueError, match="no verdict"):
        list(reading.verdicts(head + line))
