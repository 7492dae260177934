"""Which test executes what is known from the lift's own run: mutmut does not count it again."""

from __future__ import annotations

from pathlib import Path

import pytest
from mutated_project import SEEN, MutatedProject

from pytest_lift.coverage.lines import Lines
from pytest_lift.mutation.inside import entry
from pytest_lift.mutation.inside.controls import CONTROL
from pytest_lift.mutation.mutation import Mutant
from pytest_lift.mutation.mutmut.errors import OtherModules
from pytest_lift.mutation.statements import executing
from pytest_lift.source.program import read_program

PROGRAM = '''\
def outer(x):
    """Says."""

    def inner(y):
        return y + 1

    return inner(x)


class Till:
    def add(self, x): return x + 1
'''


def mutant(symbol: str, line: int) -> Mutant:
    return Mutant(f"shop.x_{symbol}__mutmut_1", "shop.py", line, symbol, "", "", "")


def called(executed: dict[int, str], *mutants: Mutant, root: Path) -> dict[str, str]:
    """Function -> initials of the tests that call it; `executed`: line -> initials."""
    (root / "shop.py").write_text(PROGRAM)
    program = read_program(root, ("shop.py",), ("",), "")
    names = ("a", "b", "c")
    bits = {
        ("shop.py", line): sum(1 << names.index(one) for one in who)
        for line, who in executed.items()
    }
    found = executing(mutants, program, Lines(names, reached=bits))
    return {name.rpartition("x_")[2]: "".join(sorted(tests)) for name, tests in found.items()}


def test_who_executes_a_line_of_its_body_calls_it(tmp_path: Path) -> None:
    outer, add = mutant("outer", 7), mutant("Till.add", 11)
    found = called({1: "abc", 4: "a", 7: "ab", 11: "c"}, outer, add, root=tmp_path)
    assert found == {"outer": "ab", "Till.add": "c"}
    assert called({1: "abc"}, outer, root=tmp_path) == {}


def test_who_calls_a_function_inside_later_does_not_call_the_outer_one(tmp_path: Path) -> None:
    assert called({5: "b", 7: "a"}, mutant("outer", 7), root=tmp_path) == {"outer": "a"}


def test_of_a_function_that_is_not_found_nobody_is_left_out(tmp_path: Path) -> None:
    assert called({7: "a"}, mutant("gone", 7), root=tmp_path) == {"gone": "abc"}


def test_no_test_is_run_to_count_and_none_in_the_process_that_is_forked(tmp_path: Path) -> None:
    told = MutatedProject(tmp_path).shop().write({"tests/test_seen.py": SEEN})
    mutation = told.measure(told_lines=True)
    ran = (told.mutator.mutated / "run").read_text().splitlines()
    assert mutation.detected
    assert CONTROL in ran
    assert (told.mutator.mutated / "imports").read_text().count("once more") == 1
    assert entry.__file__ in ran
    assert not {"stats", ""} & set(ran)


def test_a_program_that_is_imported_under_another_name_is_told(tmp_path: Path) -> None:
    project = MutatedProject(tmp_path).shop()
    project.write(
        {
            "setup.cfg": "[tool:pytest]\npythonpath = shop\n",
            "tests/test_prices.py": "from prices import label\n\n"
            "def test_label():\n    assert label('ann') == 'ann'\n",
        }
    )
    with pytest.raises(OtherModules, match="the tests import prices, which by its file is shop"):
        project.measure(told_lines=True)
