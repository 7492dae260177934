"""Which symbols a requirement names, and which of them a test entered."""

from __future__ import annotations

from pathlib import Path

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.requirements.requirement import Requirement
from pytest_lift.source.program import read_program
from pytest_lift.trace.grounding import Grounding

SOURCE = """\
class Encoder:
    def encode(self, x):
        return x

def dumps(x):
    return x

def loads(x):
    return x
"""


def grounding(tmp_path: Path, coverage: Coverage | None) -> Grounding:
    (tmp_path / "m.py").write_text(SOURCE)
    return Grounding(read_program(tmp_path, ("m.py",), ("",), "x"), coverage)


def requirement(text: str, *examples: str) -> Requirement:
    return Requirement("R", "t", text, ("a",), (), "r.yml", 1, examples=examples)


def test_names_in_backticks_and_calls_of_examples_count(tmp_path: Path) -> None:
    found = grounding(tmp_path, None)
    asked = requirement("`m.dumps(x)` with `sort_keys`, not loads", ">>> Encoder().encode(1)\n1")
    assert found.named(asked) == ("Encoder", "dumps", "encode")


def test_a_row_that_enters_a_method_enters_its_class(tmp_path: Path) -> None:
    entered = {"t.py::test_a[1]": frozenset({("m.py", 2)}), "t.py::test_a[2]": frozenset()}
    found = grounding(tmp_path, Coverage(functions_by_test=entered))
    assert found.executed("t.py::test_a", ("Encoder", "dumps", "encode")) == ("Encoder", "encode")
    assert found.executed("t.py::test_b", ("dumps",)) == ()


def test_without_contexts_nothing_is_known(tmp_path: Path) -> None:
    assert grounding(tmp_path, Coverage()).executed("t.py::test_a", ("dumps",)) is None
