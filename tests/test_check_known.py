"""The requirements that tests may name, and mistakes in their files as findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_lift.check.known import KnownRequirements, read_known
from pytest_lift.check.problems import ERROR, START, WARNING, Problem
from pytest_lift.errors import UsageError

ITEM = "  - {{id: {0}, title: t, description: d, acceptance: a{1}}}\n"


def known(root: Path, text: str, name: str = "reqs.yml") -> KnownRequirements:
    (root / name).write_text(text, "utf-8")
    return read_known([root / name], root, root)


def test_each_has_its_place_and_its_exemption(tmp_path: Path) -> None:
    text = "r:\n" + ITEM.format("A", "") + ITEM.format("B", ", untestable: by eye")
    found = known(tmp_path, text + ITEM.format("C", ", non_goal: never"))
    assert [(i.id, i.file, i.line, i.exempt, i.reason) for i in found.by_id.values()] == [
        ("A", "reqs.yml", 2, "", ""),
        ("B", "reqs.yml", 3, "untestable", "by eye"),
        ("C", "reqs.yml", 4, "non_goal", "never"),
    ]
    assert [item.id for item in found.testable] == ["A"]
    assert found.readable


def test_a_mistake_is_a_finding_at_its_place(tmp_path: Path) -> None:
    found = known(tmp_path, "r:\n" + ITEM.format("A", "") + ITEM.format("A", ""))
    (problem,) = found.problems
    assert (problem.rule, problem.file, problem.severity) == ("requirement-file", "reqs.yml", ERROR)
    assert problem.place.line == 3
    assert (found.by_id, found.readable) == ({}, False)


def test_each_of_several_mistakes_is_one(tmp_path: Path) -> None:
    found = known(tmp_path, "r:\n  - {id: A}\n  - {id: B}\n")
    assert len({problem.place.line for problem in found.problems}) == 2


def test_a_warning_leaves_the_requirements_readable(tmp_path: Path) -> None:
    found = known(tmp_path, "r:\n" + ITEM.format("A", ", prio: high"))
    (problem,) = found.problems
    assert (problem.severity, problem.file, problem.place.line) == (WARNING, "reqs.yml", 2)
    assert "prio" in problem.what
    assert found.readable
    assert "A" in found.by_id


def test_a_file_outside_keeps_its_whole_path(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (tmp_path / "reqs.yml").write_text("r:\n" + ITEM.format("A", ""), "utf-8")
    found = read_known([tmp_path / "reqs.yml"], root, root)
    assert found.by_id["A"].file == (tmp_path / "reqs.yml").as_posix()


def test_a_file_that_is_not_there_is_the_users_to_mend(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        read_known([tmp_path / "none.yml"], tmp_path, tmp_path)


def test_warnings_alone_are_readable() -> None:
    warning = Problem("requirement-file", "r.yml", START, "x", severity=WARNING)
    assert KnownRequirements(problems=(warning,)).readable
    error = Problem("requirement-file", "r.yml", START, "x")
    assert not KnownRequirements(problems=(warning, error)).readable
