"""Two states of a project held against each other: reports, runs and commits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lift_command import run
from mutants_of import CHANGES, survivor
from report_of import bare, hostile, small

from pytest_lift.commands.diff.commits import state_at, state_of_files
from pytest_lift.commands.diff.comparing import (
    ComparedState,
    MutantName,
    StatedRequirement,
    compare,
)
from pytest_lift.report.mutant_facts import FunctionMarks, MutantFile, MutationFacts
from pytest_lift.report.stored import as_text

REQUIREMENTS = "r:\n" + "".join(
    f"  - {{id: R-{n}, title: t{n}, description: d, acceptance: a}}\n" for n in (1, 2, 3)
)
TESTS = """
import pytest

@pytest.mark.req("R-1")
def test_one(): assert int("1")

@pytest.mark.req("R-2")
def test_two(): assert int("1")
"""


def git(folder: Path, *arguments: str) -> str:
    named = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    command = ["git", *named, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "pytest.ini").write_text("[pytest]\nlift_requirements = reqs.yml\n")
    (tmp_path / "reqs.yml").write_text(REQUIREMENTS)
    (tmp_path / "tests/test_a.py").write_text(TESTS)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def diff(
    folder: Path, *arguments: str, environ: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return run("diff", *arguments, folder=folder, environ=environ)


def test_a_commit_and_the_working_tree_are_compared_without_running_anything(
    project: Path,
) -> None:
    text = TESTS.replace('"R-2"', '"R-3"') + '\n@pytest.mark.req("R-8")\ndef test_new(): pass\n'
    (project / "tests/test_a.py").write_text(f"raise SystemExit\n{text}")
    result = diff(project, "HEAD")
    assert result.returncode == 0, result.stderr
    assert "from HEAD to the working tree" in result.stdout
    assert "requirements gained (1):\n  R-3" in result.stdout
    assert "requirements lost (1):\n  R-2" in result.stdout
    assert "links lost (1):\n  R-2 <- tests/test_a.py::test_two" in result.stdout
    assert "unknown ids, new (1):\n  R-8" in result.stdout
    assert "tests added (1):\n  tests/test_a.py::test_new" in result.stdout
    assert diff(project, "HEAD", "--strict").returncode == 1


def test_the_json_form_has_a_version_and_the_markdown_form_quotes(project: Path) -> None:
    (project / "tests/test_a.py").unlink()
    found = json.loads(diff(project, "HEAD", "--format", "json").stdout)
    assert (found["version"], found["lost"]) == (1, ["R-1", "R-2"])
    assert (
        "- `R-1 <- tests/test_a.py::test_one`" in diff(project, "HEAD", "--format=markdown").stdout
    )


def test_nothing_changed_is_said(project: Path) -> None:
    assert "nothing changed" in diff(project, "HEAD", "HEAD").stdout


def test_a_waiver_is_a_change(project: Path) -> None:
    text = (project / "reqs.yml").read_text()
    first = text.splitlines()[1]
    waived = first.rstrip("}") + ", waived: later}"
    (project / "reqs.yml").write_text(text.replace(first, waived))
    told = diff(project, "HEAD").stdout
    assert "requirements newly exempt from testing (1):\n  R-1" in told
    assert "nothing changed" not in told
    assert json.loads(diff(project, "HEAD", "--format=json").stdout)["exempted"] == ["R-1"]
    subprocess.run(["git", "commit", "-qam", "waived"], cwd=project, check=True)
    (project / "reqs.yml").write_text(text)
    assert "requirements no longer exempt from testing (1):\n  R-1" in diff(project, "HEAD").stdout


def test_a_name_that_means_nothing_is_a_usage_error(project: Path) -> None:
    result = diff(project, "no-such-thing")
    assert result.returncode == 4
    assert "'no-such-thing' is neither a run, nor a report, nor a commit" in result.stderr
    assert "Traceback" not in result.stderr


def test_reports_are_compared_by_status(project: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    for name in ("a.json", "b.json"):
        subprocess.run([*command, f"--lift-report=json:{name}"], cwd=project, check=False)
        broken = TESTS.replace('def test_two(): assert int("1")', "def test_two(): assert 0")
        (project / "tests/test_a.py").write_text(broken)
    result = diff(project, "a.json", "b.json")
    assert "requirements lost (1):\n  R-2" in result.stdout
    assert "R-2 (t2): verified -> failing" in result.stdout
    assert "links" not in result.stdout


def mutated(path: Path, *marks: str, count: int = 3, **more: object) -> None:
    """A report in which the first mutants of `CHANGES` were measured; `marks` survive."""
    found = [survivor(nth, *CHANGES[nth - 1]) for nth in range(1, count + 1)]
    left = tuple(one for one in found if one.mark in marks)
    all_marks = {one.mark for one in found}
    functions = FunctionMarks("Cart.add", tuple(sorted(all_marks - {*marks})), marks)
    file = MutantFile("cart.py", 3, 3, 3 - len(marks), len(marks), 0, 0, left, (functions,))
    percent = 100 - 100 * len(marks) / 3
    mutation = MutationFacts(percent, 3, 3, 3 - len(marks), len(marks), False, files=(file,))
    report = replace(bare(), mutation_percent=percent, mutation=mutation, **more)  # type: ignore[arg-type]
    path.write_text(as_text(report), "utf-8")


def test_mutants_that_are_detected_now_or_no_longer_are_named(tmp_path: Path) -> None:
    one, two, three = (survivor(nth, *CHANGES[nth - 1]).mark for nth in (1, 2, 3))
    mutated(tmp_path / "a.json", one, two)
    mutated(tmp_path / "b.json", three, one)
    result = diff(tmp_path, "a.json", "b.json")
    assert result.returncode == 0, result.stderr
    gained = "cart.py Cart.add, line 13: if price < 0: -> if price <= 0:"
    assert f"mutants newly detected (1):\n  {gained}\n" in result.stdout
    assert "mutants no longer detected (1):\n  cart.py Cart.add, line 14: raise" in result.stdout
    found = json.loads(diff(tmp_path, "a.json", "b.json", "--format=json").stdout)
    assert found["mutants_gained"] == [
        {"file": "cart.py", "symbol": "Cart.add", "change": gained.partition(", ")[2]}
    ]


def test_suites_are_compared_on_the_mutants_that_were_measured_with_both(tmp_path: Path) -> None:
    """A larger sample of the same suite is no other figure."""
    one, two, *_ = (survivor(nth, *CHANGES[nth - 1]).mark for nth in (1, 2, 3))
    mutated(tmp_path / "a.json", one)
    mutated(tmp_path / "larger.json", one, count=6)
    mutated(tmp_path / "b.json", one, two, count=5)
    assert "nothing changed" in diff(tmp_path, "a.json", "larger.json").stdout
    told = diff(tmp_path, "a.json", "b.json").stdout
    assert "mutation 66.7 % -> 33.3 % of 3 mutants that were measured in both" in told


def test_what_another_suite_noticed_is_not_compared(tmp_path: Path) -> None:
    one, two, three = (survivor(nth, *CHANGES[nth - 1]).mark for nth in (1, 2, 3))
    mutated(tmp_path / "a.json", one, two)
    mutated(tmp_path / "b.json", three)
    data = json.loads((tmp_path / "b.json").read_text("utf-8"))
    data["mutation"]["earlier"] = "the suite with 3 tests"
    (tmp_path / "b.json").write_text(json.dumps(data))
    assert "nothing changed" in diff(tmp_path, "a.json", "b.json").stdout


def test_a_part_of_the_program_takes_nothing_away(tmp_path: Path) -> None:
    """A lift of a part runs some of the tests and tells of some of the requirements."""
    whole = small()
    verified = next(item for item in whole.requirements if item.status == "verified")
    part = replace(
        whole,
        scope="cart.py",
        requirements=(replace(verified, status="failing"),),
        tests=whole.tests[:1],
        unknown=(),
        line_percent=40.0,
    )
    for name, report in (("whole.json", whole), ("part.json", part)):
        (tmp_path / name).write_text(as_text(report).encode("utf-8", "replace").decode("utf-8"))
    told = diff(tmp_path, "whole.json", "part.json").stdout
    assert "whole.json is about all of the program, part.json is about cart.py: only " in told
    assert f"requirements lost (1):\n  {verified.id}\n" in told
    assert f"({verified.title}): verified -> failing" in told
    for title in ("removed", "new requirements", "gone", "tests", "figures", "links"):
        assert title not in told.partition("\n")[2].partition("\n")[2], title
    assert (
        "only requirements and mutants"
        in diff(tmp_path, "part.json", "whole.json", "--format=markdown").stdout
    )
    assert "all of the program" not in diff(tmp_path, "part.json", "part.json").stdout


def test_texts_that_utf8_cannot_say_are_compared(tmp_path: Path) -> None:
    text = as_text(hostile()).encode("utf-8", "backslashreplace")
    (tmp_path / "a.json").write_bytes(text)
    result = diff(tmp_path, "a.json", "a.json")
    assert (result.returncode, result.stderr) == (0, "")
    assert "nothing changed" in result.stdout


def test_a_report_without_mutants_is_compared_without_them(tmp_path: Path) -> None:
    mutated(tmp_path / "a.json", survivor(1, *CHANGES[0]).mark)
    data = json.loads((tmp_path / "a.json").read_text("utf-8"))
    del data["mutation"], data["mutation_percent"]
    (tmp_path / "old.json").write_text(json.dumps(data))
    for pair in (("a.json", "old.json"), ("old.json", "a.json")):
        assert "nothing changed" in diff(tmp_path, *pair).stdout


def test_a_folder_below_the_repository_is_a_project_of_its_own(project: Path) -> None:
    inner = project / "inner"
    (inner / "tests").mkdir(parents=True)
    (inner / "pytest.ini").write_text("[pytest]\nlift_requirements = ../reqs.yml\n")
    (inner / "tests/test_b.py").write_text(TESTS)
    git(project, "add", ".")
    git(project, "commit", "-qm", "second")
    assert state_at(inner, "HEAD").tests == {
        "tests/test_b.py::test_one",
        "tests/test_b.py::test_two",
    }


def test_requirements_beside_the_project_are_those_of_then(project: Path) -> None:
    inner = project / "inner"
    (inner / "tests").mkdir(parents=True)
    (inner / "pytest.ini").write_text("[pytest]\nlift_requirements = ../reqs.yml\n")
    (inner / "tests/test_b.py").write_text(TESTS)
    git(project, "add", ".")
    git(project, "commit", "-qm", "second")
    (project / "reqs.yml").write_text(REQUIREMENTS.replace("R-3", "R-4"))
    assert [*state_at(inner, "HEAD").requirements] == ["R-1", "R-2", "R-3"]
    result = diff(inner, "HEAD")
    assert "new requirements (1):\n  R-4" in result.stdout
    assert "requirements removed (1):\n  R-3" in result.stdout
    (inner / "pytest.ini").write_text(f"[pytest]\nlift_requirements = {project}/reqs.yml\n")
    git(project, "commit", "-qm", "an absolute path", "inner/pytest.ini")
    assert [*state_at(inner, "HEAD").requirements] == ["R-1", "R-2", "R-3"]


@pytest.mark.parametrize("absolute", [True, False])
def test_requirements_outside_of_the_repository_are_a_usage_error(
    tmp_path: Path, absolute: bool
) -> None:
    folder = tmp_path / "repository"
    folder.mkdir()
    (tmp_path / "reqs.yml").write_text(REQUIREMENTS)
    named = tmp_path / "reqs.yml" if absolute else "../reqs.yml"
    (folder / "pytest.ini").write_text(f"[pytest]\nlift_requirements = {named}\n")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    result = diff(folder, "HEAD")
    assert result.returncode == 4
    assert f"{tmp_path / 'reqs.yml'} is outside the repository" in result.stderr


def test_attributes_of_the_repository_hide_and_change_nothing(project: Path) -> None:
    text = "tests export-ignore\n*.py export-subst\n"
    (project / ".gitattributes").write_text(text)
    subst = TESTS + '\n@pytest.mark.req("$Format:%s$")\ndef test_three(): pass\n'
    (project / "tests/test_a.py").write_text(subst)
    git(project, "add", ".")
    git(project, "commit", "-qm", "R-3")
    found = state_at(project, "HEAD")
    assert len(found.tests) == 3
    assert found.unknown == {"$Format:%s$"}


def test_settings_around_the_private_folder_are_not_read(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Nor is a project taken for another that had no settings yet."""
    foreign = tmp_path_factory.mktemp("tmp")
    (foreign / "pytest.ini").write_text("[pytest]\npython_files = other_*.py\n[")
    git(project, "rm", "-q", "pytest.ini")
    git(project, "commit", "-qm", "none")
    (project / "pytest.ini").write_text("[pytest]\nlift_requirements = reqs.yml\n")
    environ = {**os.environ, "TMPDIR": str(foreign)}
    result = diff(project, "HEAD", environ=environ)
    assert (result.returncode, result.stderr) == (0, "")
    assert "new requirements (3)" in result.stdout
    assert "tests" not in result.stdout.replace("<- tests/", "")
    assert [path.name for path in foreign.iterdir()] == ["pytest.ini"]


def test_links_and_what_was_never_a_file_are_left_out(project: Path) -> None:
    (project / "tests/test_link.py").symlink_to("test_a.py")
    git(project, "add", ".")
    git(project, "commit", "-qm", "a link")
    assert len(state_at(project, "HEAD").tests) == 2


def test_a_mistake_of_then_is_told_with_its_place_of_then(project: Path) -> None:
    (project / "reqs.yml").write_text("r:\n  - {id: R-1}\n")
    git(project, "commit", "-qam", "broken")
    result = diff(project, "HEAD")
    assert result.returncode == 4
    assert f"HEAD: {project}/reqs.yml:2" in result.stderr


def test_a_file_that_is_no_report_may_have_the_name_of_a_branch(project: Path) -> None:
    git(project, "branch", "other")
    (project / "other").write_text("words")
    assert "nothing changed" in diff(project, "other").stdout
    (project / "words").write_text("words")
    result = diff(project, "words")
    assert (result.returncode, "not a report" in result.stderr) == (4, True)


def test_the_complaint_of_git_is_told(project: Path, tmp_path: Path) -> None:
    result = diff(project, "HEAD", environ={**os.environ, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"})
    assert (result.returncode, "dubious ownership" in result.stderr) == (4, True)
    result = diff(project, "HEAD", environ={**os.environ, "PATH": str(project)})
    assert (result.returncode, "git is not installed" in result.stderr) == (4, True)
    assert "--base" not in result.stderr


IDS = st.sampled_from("ABCD")
MUTANTS = [MutantName("a.py", symbol, mark) for symbol in ("f", "g") for mark in ("1", "2")]
STATES = st.builds(
    ComparedState,
    st.just("x"),
    st.dictionaries(
        IDS,
        st.builds(
            StatedRequirement,
            st.just("t"),
            st.sampled_from(["1", "2"]),
            st.booleans(),
            st.frozensets(st.sampled_from(["t::a", "t::b"])),
        ),
    ),
    st.frozensets(st.sampled_from(["t::a", "t::b"])),
    detected=st.frozensets(st.sampled_from(MUTANTS)),
    missed=st.dictionaries(st.sampled_from(MUTANTS), st.just("line 1: a -> b")),
).map(lambda state: replace(state, detected=state.detected - state.missed.keys()))


@given(STATES, STATES)
def test_forth_and_back_are_mirror_images(one: ComparedState, two: ComparedState) -> None:
    forth, back = compare(one, two), compare(two, one)
    assert (forth.added, forth.removed) == (back.removed, back.added)
    assert (forth.links_gained, forth.links_lost) == (back.links_lost, back.links_gained)
    assert (forth.tests_added, forth.reworded) == (back.tests_removed, back.reworded)
    assert (forth.mutants_gained, forth.mutants_lost) == (back.mutants_lost, back.mutants_gained)
    assert compare(one, one).same


def test_a_project_without_requirements_has_a_state(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    found = state_of_files(tmp_path, "x")
    assert found.tests == {"test_a.py::test_one", "test_a.py::test_two"}
    assert not found.requirements
