"""Figures are coverage.py's own, and what each test covered is exact, on real runs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from jails import best_jail
from measured_coverage import MOD, TESTS, TWISTED, Measured
from small_project import SmallProject

from pytest_lift.coverage.coverage import Branch, Coverage, FileCoverage
from pytest_lift.coverage.database import read_coverage
from pytest_lift.errors import LiftError
from pytest_lift.run.run_suite import run_suite
from pytest_lift.source.program import read_program


@pytest.fixture
def project(tmp_path: Path) -> SmallProject:
    return SmallProject(tmp_path).write({MOD: TWISTED, "tests/test_a.py": TESTS})


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[SmallProject, Coverage]:
    """One measured run that many tests look at."""
    project = SmallProject(tmp_path_factory.mktemp("measured"))
    project.write({MOD: TWISTED, "tests/test_a.py": TESTS})
    return project, project.measure()


def totals(project: SmallProject) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((project.reports / "coverage.json").read_text())["totals"]
    return found


def assert_same_totals(coverage: Coverage, theirs: dict[str, Any]) -> None:
    assert coverage.statements == theirs["num_statements"]
    assert coverage.covered_statements == theirs["covered_lines"]
    assert coverage.branches == theirs["num_branches"]
    assert coverage.covered_branches == theirs["covered_branches"]
    assert coverage.combined == theirs["percent_covered"]
    assert sum(len(f.excluded) for f in coverage.files.values()) == theirs["excluded_lines"]


def branches(coverage: Coverage, test: str) -> set[tuple[int, int]]:
    return {arc[1:] for arc in coverage.by_test[f"tests/test_a.py::{test}"]}


def functions(coverage: Coverage, project: SmallProject, test: str) -> set[str]:
    symbols = {s.line: s.name for s in project.program().files[MOD].symbols if s.kind != "class"}
    entered = coverage.functions_by_test[f"tests/test_a.py::{test}"]
    return {symbols[line] for _, line in entered}


@pytest.fixture
def reports(measured: Measured, tmp_path: Path) -> Path:
    """A copy of the reports of the measured project, which a test may damage."""
    return shutil.copytree(measured[0].reports, tmp_path / "copied")


def test_figures_equal_coverages_own_totals(measured: Measured) -> None:
    project, coverage = measured
    theirs = totals(project)
    assert_same_totals(coverage, theirs)
    assert theirs["excluded_lines"] > 0
    assert 0 < theirs["covered_branches"] < theirs["num_branches"]
    assert coverage.line_percent == 100.0 * theirs["covered_lines"] / theirs["num_statements"]
    assert coverage.branch_percent == theirs["percent_branches_covered"]
    assert coverage.files[MOD].partial > 0


def test_what_each_test_covered(measured: Measured) -> None:
    _, coverage = measured
    line: dict[str, int] = {}
    for number, text in enumerate(TWISTED.splitlines(), 1):
        line.setdefault(text.strip(), number)
    condition = line["if (a and"]
    assert branches(coverage, "test_condition[1]") == {(condition, condition + 2)}
    assert branches(coverage, "test_condition[0]") == {(condition, line["return 0"])}
    with_if = line["with contextlib.suppress(ValueError):"] + 1
    assert branches(coverage, "test_with") == {(with_if, line["return a"])}
    first, second = line["case [x, *_]:"], line['case {"k": v}:']
    assert branches(coverage, "test_matches") == {(first, second), (second, second + 1)}
    finally_if = line["finally:"] + 1
    assert branches(coverage, "test_opened") == {(finally_if, finally_if + 1)}
    assert "tests/test_a.py::test_nothing" not in coverage.by_test


def test_branches_of_tests_and_of_the_import_make_up_the_covered_ones(measured: Measured) -> None:
    _, coverage = measured
    taken: set[Branch] = set().union(*coverage.by_test.values())
    assert taken < coverage.covered()
    texts = {TWISTED.splitlines()[line - 1] for _, line, _ in coverage.covered() - taken}
    assert texts == {'if __name__ == "__main__":', "def one_line(a): return a"}


@pytest.mark.parametrize("test", ["test_condition[1]", "test_loops"])
def test_a_test_measured_alone_covers_what_its_context_says(
    measured: Measured, project: SmallProject, test: str
) -> None:
    coverage = measured[1]
    imported = coverage.covered() - set[Branch]().union(*coverage.by_test.values())
    alone = project.measure(selection=[f"tests/test_a.py::{test}"])
    assert coverage.by_test[f"tests/test_a.py::{test}"] == alone.covered() - imported


@pytest.mark.parametrize(
    ("test", "names"),
    [
        ("test_condition[0]", {"long_condition"}),
        ("test_opened", {"decorated"}),
        ("test_thing", {"Thing.nested"}),
        ("test_one_line", {"one_line"}),
    ],
)
def test_functions_that_each_test_entered(measured: Measured, test: str, names: set[str]) -> None:
    project, coverage = measured
    assert functions(coverage, project, test) == names


def test_equal_sets_are_one_object(measured: Measured) -> None:
    first, again = (
        measured[1].by_test[f"tests/test_a.py::{name}"]
        for name in ("test_condition[1]", "test_condition_again")
    )
    assert first is again


def test_a_bar_in_a_node_id_is_part_of_it(measured: Measured) -> None:
    assert "tests/test_a.py::test_condition[x|run]" in measured[1].by_test


def test_importing_a_module_does_not_enter_the_function_on_its_first_line(tmp_path: Path) -> None:
    test = (
        "def test_import(): import pkg.mod\ndef test_call():\n    import pkg.mod\n    pkg.mod.f()\n"
    )
    module = "def f():\n    return 1\n"
    project = SmallProject(tmp_path).write({MOD: module, "tests/test_a.py": test})
    coverage = project.measure()
    assert coverage.functions_by_test["tests/test_a.py::test_import"] == frozenset()
    assert coverage.functions_by_test["tests/test_a.py::test_call"] == {(MOD, 1)}


def test_without_contexts_there_are_figures_only(project: SmallProject) -> None:
    coverage = project.measure(contexts=False)
    assert_same_totals(coverage, totals(project))
    assert (coverage.by_test, coverage.functions_by_test) == ({}, {})


def test_a_suite_without_tests_covers_nothing(tmp_path: Path) -> None:
    coverage = SmallProject(tmp_path).write({}).measure()
    assert coverage.statements == 6
    assert (coverage.covered_statements, coverage.line_percent) == (0, 0.0)
    assert coverage.covered() == frozenset()


def test_nothing_to_cover_is_all_covered() -> None:
    empty = Coverage()
    assert (empty.line_percent, empty.branch_percent, empty.combined) == (100.0, 100.0, 100.0)
    none: frozenset[tuple[int, int]] = frozenset()
    file = FileCoverage("a", frozenset({1}), frozenset(), frozenset(), none, none)
    assert Coverage({"a": file}).branch_percent == 100.0


@pytest.mark.parametrize(
    "configuration",
    [
        "[run]\nrelative_files = true\nparallel = true\nbranch = false\nsource = tests\n"
        "[report]\nfail_under = 100\n[json]\noutput = other.json\n",
        "[run]\ncontext = always\ndata_file = elsewhere\ndynamic_context = test_function\n"
        "[json]\nshow_contexts = true\n",
    ],
)
def test_the_projects_own_coverage_configuration(
    measured: Measured, project: SmallProject, configuration: str
) -> None:
    project.write({".coveragerc": configuration})
    run = project.run(measure=True, addopts=["-W", "default"])
    assert run.ending == "passed", run.output
    assert '"contexts"' not in (project.reports / "coverage.json").read_text()
    assert read_coverage(project.reports, project.program(), project.root) == measured[1]


def test_a_project_behind_a_symbolic_link(measured: Measured, tmp_path: Path) -> None:
    project, coverage = measured
    link = tmp_path / "link"
    link.symlink_to(project.root)
    assert read_coverage(project.reports, project.program(), link) == coverage


def test_only_files_of_the_program_count(project: SmallProject) -> None:
    project.write({"src/pkg/tests/__init__.py": "", "src/pkg/tests/test_inner.py": "x = 1\n"})
    coverage = project.measure()
    assert set(coverage.files) == {MOD, "src/pkg/__init__.py"}


def test_a_single_module_is_measured_by_its_name(tmp_path: Path) -> None:
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    (root / "lonely.py").write_text("def f(x):\n    if x:\n        return 1\n    return 2\n")
    (root / "tests/test_a.py").write_text("import lonely\ndef test_f(): lonely.f(1)\n")
    program = read_program(root, ("lonely.py",), ("",), "")
    reports = tmp_path / "reports"
    run_suite(
        root,
        program,
        test_root="tests",
        reports=reports,
        scratch=tmp_path / "s",
        seconds=60,
        jail=best_jail(),
    )
    coverage = read_coverage(reports, program, root)
    assert coverage.by_test == {"tests/test_a.py::test_f": {("lonely.py", 2, 3)}}


def test_missing_reports_say_what_to_look_at(project: SmallProject) -> None:
    with pytest.raises(LiftError, match="no coverage data was collected for pkg") as caught:
        read_coverage(project.reports, project.program(), project.root)
    assert "installed copy" in caught.value.todo


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"files": {"src/pkg/mod.py": {}}}',
        "\udcff",
        "[" * 100_000,
    ],
)
def test_garbled_json_is_an_error_with_its_place(project: SmallProject, text: str) -> None:
    project.reports.mkdir()
    report = project.reports / "coverage.json"
    report.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(LiftError, match="cannot be read") as caught:
        read_coverage(project.reports, project.program(), project.root)
    assert caught.value.where == str(report)


def test_reports_that_became_links_are_not_followed(measured: Measured, tmp_path: Path) -> None:
    project, _ = measured
    for name in ("coverage.json", "coverage.db"):
        (tmp_path / name).symlink_to(project.reports / name)
    with pytest.raises(LiftError, match="cannot be read"):
        read_coverage(tmp_path, project.program(), project.root)
    (tmp_path / "coverage.json").unlink()
    shutil.copy(project.reports / "coverage.json", tmp_path)
    with pytest.raises(LiftError, match="cannot be read"):
        read_coverage(tmp_path, project.program(), project.root)
