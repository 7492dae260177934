"""Suites that mutants cannot be measured with: no score is made up, what is left out is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from mutated_project import MutatedProject

from pytest_lift.mutation.mutmut.errors import (
    MutationError,
    NothingExecuted,
    OutOfTime,
    SuiteNotCollected,
)


def test_tests_that_are_left_out_detect_nothing(tmp_path: Path) -> None:
    """Contradictions are expected to fail: a mutant that makes one pass is not noticed by it."""
    xfail = (
        "import pytest\nfrom shop.prices import label\n\n"
        "@pytest.mark.xfail(strict=True, raises=AssertionError)\n"
        "def test_contradiction():\n    assert label('b') == 'B'\n"
    )
    project = MutatedProject(tmp_path).shop().write({"tests/test_other.py": xfail})
    node = "tests/test_other.py::test_contradiction"
    mutation = project.measure(node)
    killers = frozenset().union(*mutation.killers.values())
    assert killers
    assert node not in killers
    assert all(node not in nodes for nodes in mutation.tests.values())


@pytest.mark.slow
def test_tests_that_fail_in_its_folder_are_left_out_and_named(tmp_path: Path) -> None:
    reading = (
        "import inspect\nfrom shop import prices\n\n"
        "def test_source():\n    assert 'trampoline' not in inspect.getsource(prices)\n"
    )
    project = MutatedProject(tmp_path).shop().write({"tests/test_source.py": reading})
    mutation = project.measure()
    assert mutation.detected
    assert any("tests/test_source.py::test_source" in note for note in mutation.notes)


FAILING: dict[str, tuple[dict[str, str | None], type[MutationError], str]] = {
    "no test imports it": (
        {"tests/test_prices.py": "def test_nothing(): pass\n"},
        NothingExecuted,
        "no test executes a function that can be mutated",
    ),
    "it cannot be collected": (
        {"tests/test_prices.py": "import nowhere_to_be_found\n"},
        SuiteNotCollected,
        "cannot be imported",
    ),
}


@pytest.mark.parametrize("name", FAILING)
def test_ways_to_fail(name: str, tmp_path: Path) -> None:
    files, error, words = FAILING[name]
    project = MutatedProject(tmp_path).shop().write(files)
    with pytest.raises(error, match=words):
        project.measure()


def test_no_time_is_no_score(tmp_path: Path) -> None:
    project = MutatedProject(tmp_path, told={"seconds": 0.5}).shop()
    with pytest.raises(OutOfTime):
        project.measure()


@pytest.mark.slow
def test_what_a_refused_suite_needed_is_forgotten(tmp_path: Path) -> None:
    """A test that knows of mutants fails where none is, and is left out; a later one may not be."""
    knowing = (
        "import os\nfrom shop.prices import total\n\n"
        "def test_knowing():\n"
        "    assert total(2, 3) and not os.environ['MUTANT_UNDER_TEST'].startswith('lift')\n"
    )
    project = MutatedProject(tmp_path).shop()
    before = project.measure()
    project.write({"tests/test_knowing.py": knowing})
    noticing = project.measure()
    assert noticing.detected == before.detected
    assert any("tests/test_knowing.py::test_knowing" in note for note in noticing.notes)
    project.mutator.undo()
    project.write({"tests/test_knowing.py": None})
    after = project.measure()
    assert (after.detected, after.notes) == (before.detected, before.notes)
