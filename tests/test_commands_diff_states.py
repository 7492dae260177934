"""Two states of a project held against each other: reports, runs and the working tree."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from compared_project import REQUIREMENTS, TESTS, diff, git
from hypothesis import given
from hypothesis import strategies as st
from mutants_of import CHANGES, survivor
from report_of import bare, hostile, small

from pytest_lift.commands.diff.commits import state_of_files
from pytest_lift.commands.diff.states import (
    ComparedState,
    MutantName,
    StatedRequirement,
    compare,
)
from pytest_lift.report.mutant_facts import FunctionMarks, MutantFile, MutationFacts
from pytest_lift.report.stored import as_text


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
