"""`pytest-lift check --baseline`: what is known already is counted, not told."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from checked_project import CheckedProject

UNKNOWN = '@pytest.mark.req("X-1")\ndef test_a(): pass\n'
ALL = '@pytest.mark.req("ENC-1")\ndef test_all(): pass\n'


@pytest.fixture
def project(tmp_path: Path) -> CheckedProject:
    return CheckedProject(tmp_path).require("ENC-1").tests(UNKNOWN + ALL)


def test_known_problems_are_counted(project: CheckedProject) -> None:
    said = project.check("--write-baseline")
    assert (said.code, said.out) == (0, ".lift-baseline.json: 1 problem known from now on\n")
    found = project.check()
    assert found.code == 0
    assert found.out.splitlines() == [
        "2 tests in 1 file (2 linked), 1 requirement (1 tested, 100.0 %), 0 errors, 0 warnings, "
        "1 hidden by the baseline"
    ]


def test_lines_do_not_matter_but_counts_do(project: CheckedProject) -> None:
    project.check("--write-baseline")
    project.tests("# more\n\n\n" + UNKNOWN + ALL)
    assert project.check().code == 0
    project.tests(UNKNOWN.replace('"X-1"', '"X-1", ["X-1"]') + ALL)
    assert project.json().rules == ["duplicate-id", "unknown-id"]
    project.tests(UNKNOWN + UNKNOWN.replace("test_a", "test_b") + ALL)
    assert [problem["test"] for problem in project.json().data["problems"]] == [
        "tests/test_a.py::test_b"
    ]


def test_what_no_longer_occurs_is_said_so_that_it_can_shrink(project: CheckedProject) -> None:
    project.check("--write-baseline")
    found = project.tests(ALL).check()
    assert found.out.splitlines()[0] == (
        "baseline: no longer occurs: unknown-id tests/test_a.py::test_a X-1"
    )
    assert found.code == 0
    assert project.check("tests/test_a.py").out.count("baseline:") == 0
    project.check("--write-baseline")
    assert json.loads((project.root / ".lift-baseline.json").read_text("utf-8")) == {
        "version": 1,
        "problems": [],
    }


def test_a_file_of_another_name(project: CheckedProject) -> None:
    project.check("--baseline=known.json", "--write-baseline")
    assert not (project.root / ".lift-baseline.json").exists()
    assert project.check().code == 1
    assert project.check("--baseline=known.json").code == 0


def test_a_missed_threshold_and_a_broken_requirement_file_are_never_hidden(
    project: CheckedProject,
) -> None:
    project.require("ENC-1", "ENC-2").check("--write-baseline")
    assert project.check().code == 0
    assert project.check("--fail-under=100").code == 1
    project.write({"requirements.yml": "x:\n  - {id: A}\n"})
    project.check("--write-baseline")
    assert set(project.json().rules) == {"requirement-file"}
    assert project.check().code == 1


def test_lost_links_of_the_baseline_are_not_missed_without_a_base(project: CheckedProject) -> None:
    project.commit().tests(UNKNOWN)
    project.check("--base=HEAD", "--write-baseline")
    assert project.check("--base=HEAD").code == 0
    assert "no longer occurs" not in project.check().out


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"version": 2, "problems": []}',
        '{"version": 1}',
        '{"version": 1, "problems": [{}]}',
        '{"version": 1, "problems": 3}',
        '{"version": 1, "problems": [{"rule": "a", "file": "b", "test": "", "requirement": "",'
        ' "count": -1}]}',
    ],
)
def test_what_is_no_baseline_is_refused(project: CheckedProject, text: str) -> None:
    found = project.write({".lift-baseline.json": text}).check()
    assert found.code == 4
    assert "--write-baseline" in found.err
    written = project.check("--write-baseline")
    assert (written.code, written.out) == (4, "")
    assert "not a baseline" in written.err
    assert (project.root / ".lift-baseline.json").read_text("utf-8") == text


@pytest.mark.parametrize("name", ["requirements.yml", "pytest.ini", "tests/test_a.py"])
def test_no_other_file_is_overwritten(project: CheckedProject, name: str) -> None:
    before = (project.root / name).read_bytes()
    found = project.check(f"--baseline={name}", "--write-baseline")
    assert (found.code, "not a baseline" in found.err) == (4, True)
    assert "--baseline FILE" in found.err
    assert (project.root / name).read_bytes() == before


def test_a_baseline_may_be_written_anew_and_to_a_device(project: CheckedProject) -> None:
    project.check("--write-baseline")
    assert project.tests(ALL).check("--write-baseline").code == 0
    assert project.check(f"--baseline={os.devnull}", "--write-baseline").code == 0
    assert not Path(os.devnull).is_file()


def test_a_planted_link_is_replaced(project: CheckedProject) -> None:
    outside = project.root.parent / f"{project.root.name}-outside"
    (project.root / ".lift-baseline.json").symlink_to(outside)
    assert project.check("--write-baseline").code == 0
    assert not outside.exists()
    assert not (project.root / ".lift-baseline.json").is_symlink()


SECRET = "hunter2-and-more"


def test_secrets_are_neither_kept_nor_told(
    project: CheckedProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what was kept is known again, with the variable and with what it was before."""
    project.tests(UNKNOWN.replace("X-1", SECRET) + ALL)
    monkeypatch.setenv("DEPLOY_TOKEN", SECRET)
    told = [project.check(f"--format={name}").out for name in ("json", "text", "sarif", "github")]
    project.check("--write-baseline")
    kept = (project.root / ".lift-baseline.json").read_text("utf-8")
    assert all("redacted DEPLOY_TOKEN" in text for text in (kept, *told))
    assert not any(SECRET in text for text in (kept, *told))
    assert project.check().code == 0
    written = kept.replace("[redacted DEPLOY_TOKEN]", SECRET)
    assert project.write({".lift-baseline.json": written}).check().code == 0
