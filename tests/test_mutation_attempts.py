"""What stands in the way of mutants is left out or eased, with as few runs of the suite as it takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from mutated_project import SEEN, MutatedProject

from pytest_lift.mutation.inside.controls import CONTROL
from pytest_lift.mutation.mutmut.attempts import Setting

READS_SOURCES = """
import inspect
from shop import prices

def test_source():
    assert prices.total(1, 2) == 2
    assert "trampoline" not in inspect.getsource(prices)
"""
NEEDS_THE_ONE_BEFORE = """
from shop.prices import total
SEEN = []

def test_first():
    SEEN.append(total(1, 2))

def test_second():
    assert SEEN == [total(1, 2)]
"""
ASSERTION_TOLD = """
import pytest

from shop.prices import label

def test_words():
    with pytest.raises(AssertionError, match="assert 'a' == 'b'"):
        assert label("a") == "b"
"""


def setting(project: MutatedProject) -> Setting:
    assert project.mutator._attempts is not None
    return project.mutator._attempts.setting


def test_what_fails_however_it_is_run_is_left_out_at_once(tmp_path: Path) -> None:
    project = MutatedProject(tmp_path).shop()
    project.write({"tests/test_source.py": READS_SOURCES, "tests/test_seen.py": SEEN})
    mutation = project.measure(told_lines=True)
    ran = (project.mutator.mutated / "run").read_text().splitlines()
    found = setting(project)
    assert mutation.detected
    assert found.left_out == {"tests/test_source.py::test_source"}
    assert (found.configuration.isolation, found.free_order) == ("fork", True)
    assert ran.count(CONTROL) == 1  # and then the mutants, in the same run
    assert not any("test_source" in node for nodes in mutation.killers.values() for node in nodes)
    assert any("tests/test_source.py::test_source" in note for note in mutation.notes)


def test_what_needs_its_own_order_is_kept_and_run_in_it(tmp_path: Path) -> None:
    project = MutatedProject(tmp_path).shop()
    project.write(
        {"tests/test_source.py": READS_SOURCES, "tests/test_order.py": NEEDS_THE_ONE_BEFORE}
    )
    mutation = project.measure(told_lines=True)
    found = setting(project)
    assert mutation.detected
    assert found.left_out == {"tests/test_source.py::test_source"}
    assert not found.free_order


def test_warnings_may_be_errors_where_pytest_has_all_its_ways(tmp_path: Path) -> None:
    settings = '[tool.pytest.ini_options]\nfilterwarnings = ["error"]\n'
    project = MutatedProject(tmp_path).shop().write({"pyproject.toml": settings})
    project.write({"tests/test_words.py": ASSERTION_TOLD})
    assert project.measure().detected


def test_marks_of_plugins_that_are_left_out_are_known(tmp_path: Path) -> None:
    project = MutatedProject(tmp_path).shop()
    project.write(
        {
            "setup.cfg": "[tool:pytest]\nfilterwarnings = error\n",
            "tests/conftest.py": "import pytest\n\ndef pytest_collection_modifyitems(items):\n"
            "    for item in items[:1]:\n        item.add_marker(pytest.mark.no_cover)\n",
        }
    )
    mutation = project.measure(told_lines=True)
    assert mutation.detected
    assert setting(project).fast


@pytest.mark.parametrize("told_lines", [pytest.param(False, marks=pytest.mark.slow), True])
def test_a_file_that_cannot_be_imported_stands_in_nobodys_way(
    told_lines: bool, tmp_path: Path
) -> None:
    project = MutatedProject(tmp_path).shop()
    project.write({"tests/test_broken.py": "import nothing_of_this_name\n"})
    assert project.measure("tests/test_broken.py", told_lines=told_lines).detected
