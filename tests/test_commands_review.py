"""`pytest-lift review`: what a run proposes, decided one by one; refused checks do not come back."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import lift_command
import pytest
from conftest import Project

from pytest_lift.cli import main
from pytest_lift.commands.review import proposed
from pytest_lift.gate.gating import Gated, gate
from pytest_lift.gate.refused_tests import fingerprints, refused_checks, without_refused_asserts
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import read_program
from pytest_lift.store.history import History
from pytest_lift.store.landing import land
from pytest_lift.suite.ownership import ownership_text, parse_ownership
from pytest_lift.suite.suite import Edit, Suite, read_suite

MINE = "def test_mine():\n    assert 1 + 1 == 2\n"
ONE = 'def test_one():\n    """Doubles one."""\n    assert double(1) == 2\n'
TWO = 'def test_two():\n    """Doubles two and three."""\n    assert double(2) == 4\n    assert double(3) == 6\n'
HEAD = "from thing import double\n\n\n"
BOTH = f"{HEAD}{ONE}\n\n{TWO}"
PLACE = "tests/test_thing.py"


@pytest.fixture
def lifted(project: Project) -> Project:
    """A project in which a run has written two tests."""
    return run_of(project.write({"tests/test_mine.py": MINE}), BOTH)


def run_of(project: Project, text: str, *, lands: bool = True) -> Project:
    history = History.open(project.root)
    run = history.start_run()
    suite = read_suite(project.root, "tests")
    run.archive(0, suite=suite)
    after = suite.apply(Edit({PLACE: text}))
    if lands:
        after = land(project.root, history.root, suite, after, run.id).suite
    run.archive(1, suite=after)
    return project


def suite_of(project: Project) -> Suite:
    return read_suite(project.root, "tests")


def nodes(project: Project) -> list[str]:
    return [test.name for test in suite_of(project).tests()]


def review(project: Project, *arguments: str) -> int:
    return main(["review", "--project", str(project.root), *arguments])


def typed(project: Project, keys: str) -> str:
    environ = project.environment(NO_COLOR="1")
    return lift_command.typed(keys, "review", folder=project.root, environ=environ)


def test_what_a_run_wrote_is_proposed_with_intent_and_diff(lifted: Project) -> None:
    history = History.open(lifted.root)
    found = proposed(history.run_named(history.runs()[-1]), suite_of(lifted))
    assert [p.node for p in found.proposals] == [f"{PLACE}::test_one", f"{PLACE}::test_two"]
    first = found.proposals[0]
    assert (first.intent, first.before) == ("Doubles one.", "")
    assert first.diff[-1] == "+    assert double(1) == 2"
    assert first.adds == ("the report of the run does not mention it",)


def test_a_test_that_the_user_changed_is_theirs_and_not_proposed(lifted: Project) -> None:
    lifted.write({PLACE: BOTH.replace("double(1) == 2", "double(1) == 2.0")})
    assert review(lifted, "--accept", f"{PLACE}::test_one") == 4


def test_refused_tests_go_and_are_named_no_more(
    lifted: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert review(lifted, "--refuse", f"{PLACE}::test_two", "--accept", f"{PLACE}::test_one") == 0
    assert "1 accepted, 1 refused, 0 left to decide" in capsys.readouterr().out
    assert nodes(lifted) == ["test_mine", "test_one"]
    assert lifted.read(PLACE) == f"{HEAD}{ONE}"
    assert lifted.read("tests/test_mine.py") == MINE
    assert len(suite_of(lifted).refused) == 2
    assert review(lifted, "--list") == 0
    assert "nothing to decide" in capsys.readouterr().out


def test_a_review_can_be_undone_with_the_run(lifted: Project) -> None:
    review(lifted, "--refuse", f"{PLACE}::test_two")
    assert main(["restore", "--project", str(lifted.root)]) == 0
    assert nodes(lifted) == ["test_mine"]
    assert len(suite_of(lifted).refused) == 2, "what was refused stays refused"


def test_of_a_patch_the_accepted_tests_land(project: Project) -> None:
    run_of(project.write({"tests/test_mine.py": MINE}), BOTH, lands=False)
    assert review(project, "--accept", f"{PLACE}::test_one") == 0
    assert nodes(project) == ["test_mine", "test_one"]
    assert [test.name for test in suite_of(project).owned_tests()] == ["test_one"]


def test_a_file_that_changed_since_a_patch_was_written_is_not_offered(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.write({"tests/test_mine.py": MINE, PLACE: f"{HEAD}{ONE}"})
    run_of(project, BOTH, lands=False)
    project.write({PLACE: f"{HEAD}{ONE}\n\ndef test_meanwhile():\n    assert double(4) == 8\n"})
    assert review(project, "--list") == 0
    assert "nothing to decide" in capsys.readouterr().out


def test_keys_decide_and_the_rest_is_asked_again(lifted: Project) -> None:
    told = typed(lifted, "snq")
    assert "1 of 2  tests/test_thing.py::test_one" in told
    assert "+    assert double(3) == 6" in told
    assert "0 accepted, 1 refused, 1 left to decide" in told
    assert nodes(lifted) == ["test_mine", "test_one"]
    assert "1 of 1  tests/test_thing.py::test_one" in typed(lifted, "y")


def test_going_back_takes_a_decision_back(lifted: Project) -> None:
    assert "2 accepted, 0 refused" in typed(lifted, "nba")
    assert nodes(lifted) == ["test_mine", "test_one", "test_two"]


def test_without_a_terminal_nothing_is_decided(lifted: Project) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from pytest_lift.cli import main; exit(main(['review']))"],
        cwd=lifted.root,
        env=lifted.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 4
    assert "--accept NODE" in done.stderr
    assert nodes(lifted) == ["test_mine", "test_one", "test_two"]


def refusing(lifted: Project) -> Suite:
    """The suite after a review that refused `test_two`."""
    assert review(lifted, "--refuse", f"{PLACE}::test_two") == 0
    return suite_of(lifted)


def through_the_gate(project: Project, suite: Suite, text: str) -> Gated:
    program = read_program(project.root, ("thing.py",), ("",), "")
    return gate(Edit({"tests/test_thing.py": text}), suite, Requirements(), program)


def gated(project: Project, suite: Suite, text: str) -> Suite:
    return through_the_gate(project, suite, text).suite


def test_a_refused_test_is_left_out_under_any_name(lifted: Project) -> None:
    suite = refusing(lifted)
    renamed = TWO.replace("test_two", "test_again").replace("two and three", "others")
    after = through_the_gate(lifted, suite, f"{HEAD}{ONE}\n\n{renamed}")
    assert [test.name for test in after.suite.tests()] == ["test_mine", "test_one"]
    (finding,) = after.refused
    assert "checks what was refused in a review: " in finding.what


def test_of_a_test_with_other_checks_the_refused_ones_are_cut(lifted: Project) -> None:
    suite = refusing(lifted)
    more = TWO.replace("test_two", "test_more") + "    assert double(5) == 10\n"
    after = gated(lifted, suite, f"{HEAD}{ONE}\n\n{more}")
    text = after.files[PLACE].text
    assert "double(5) == 10" in text
    assert "double(2)" not in text
    assert not refused_checks(after, f"{PLACE}::test_more")


def test_what_was_not_refused_passes_as_it_is(lifted: Project) -> None:
    suite = refusing(lifted)
    other = TWO.replace("double(2) == 4", "double(7) == 14").replace(
        "double(3) == 6", "double(8) == 16"
    )
    text = f"{HEAD}{ONE}\n\n{other}"
    assert gated(lifted, suite, text).files[PLACE].text == text


def test_an_assertion_that_cannot_be_cut_alone_stays_for_the_gate(lifted: Project) -> None:
    suite = suite_of(lifted)
    inside = f"{HEAD}def test_in():\n    for n in (1,):\n        assert double(n) == 2\n    assert double(5) == 10\n"
    drafted = suite.apply(Edit({PLACE: inside}))
    (first, _) = sorted(fingerprints(drafted, f"{PLACE}::test_in"))
    for refused in fingerprints(drafted, f"{PLACE}::test_in"):
        with_refused = Suite(**{**vars_of(drafted), "refused": frozenset({refused})})
        after = without_refused_asserts(with_refused, [f"{PLACE}::test_in"])
        cut = "double(5)" not in after.files[PLACE].text
        assert cut != bool(refused_checks(after, f"{PLACE}::test_in"))
    assert first


def vars_of(suite: Suite) -> dict[str, object]:
    return {name: getattr(suite, name) for name in suite.__dataclass_fields__}


def test_what_was_refused_is_read_back_and_nonsense_is_said() -> None:
    text = ownership_text({}, {}, {"0123456789abcdef"})
    assert text is not None
    assert parse_ownership(text).refused == {"0123456789abcdef"}
    assert parse_ownership(text).problem is None
    odd = json.loads(text) | {"refused": ["x", 3, "0123456789abcdef"]}
    found = parse_ownership(json.dumps(odd))
    assert (found.refused, bool(found.problem)) == ({"0123456789abcdef"}, True)


def test_planted_decisions_are_no_reason_to_fail(lifted: Project) -> None:
    history = History.open(lifted.root)
    folder: Path = history.run_named(history.runs()[-1]).folder
    for text in ("[", "[1]", '{"a": [1]}'):
        (folder / "review.json").write_text(text)
        assert review(lifted, "--list") == 0
