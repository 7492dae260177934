"""Findings of the check as text: one line each with its place, and a summary that is exact."""

from __future__ import annotations

from pytest_lift.check.output import as_text, summary
from pytest_lift.check.problems import START, WARNING, Findings, Problem, Unreadable
from pytest_lift.marks.fields import TextSpan

PLACE = TextSpan(3, 5, 3, 9)


def shown(path: str) -> str:
    return f"../{path}"


def test_a_finding_is_a_line_and_its_remedy_another() -> None:
    found = Findings(
        (
            Problem("unknown-id", "tests/test_a.py", PLACE, "no 'X'", "correct it"),
            Problem("uncovered", "r.yml", START, "R has no test"),
        ),
        tests=1,
        files=1,
    )
    assert as_text(found, shown).splitlines()[:-1] == [
        "../tests/test_a.py:3:5: unknown-id: no 'X'",
        "  -> correct it",
        "../r.yml:1:1: uncovered: warning: R has no test",
    ]


def test_what_cannot_be_read_is_told_only_at_length() -> None:
    found = Findings(unreadable=(Unreadable("t.py", PLACE),))
    assert "cannot be read" not in as_text(found, shown)
    told = as_text(found, shown, verbose=True).splitlines()
    assert told[0] == "../t.py:3:5: an argument cannot be read without running the file"
    assert told[-1].endswith("1 cannot be read statically")


def test_fixes_and_old_entries_are_told() -> None:
    found = Findings(fixes=("a",), stale=("b",), suppressed=2)
    assert as_text(found, shown).splitlines() == [
        "fixed: a",
        "baseline: b",
        "0 tests in 0 files (0 linked), requirements not read, 0 errors, 0 warnings, "
        "2 hidden by the baseline, 1 fixed",
    ]


def test_a_line_stays_one_line() -> None:
    found = Findings((Problem("unknown-id", "t.py", PLACE, "a\nb\x1b[2J"),))
    assert len(as_text(found, shown).splitlines()) == 2
    assert "\x1b" not in as_text(found, shown)


def test_the_summary_counts() -> None:
    found = Findings(
        (Problem("unknown-id", "t.py", PLACE, "x"), Problem("uncovered", "t.py", PLACE, "x")),
        tests=1200,
        linked_tests=1,
        files=1,
        requirements=3,
        tested=2,
    )
    assert summary(found) == (
        "1,200 tests in 1 file (1 linked), 3 requirements (2 tested, 66.6 %), 1 error, 1 warning"
    )


def test_all_is_said_only_of_all() -> None:
    assert "(1,999 tested, 99.9 %)" in summary(Findings(requirements=2000, tested=1999))
    assert "100.0 %" in summary(Findings(requirements=2000, tested=2000))


def test_single_files_have_no_word_on_the_project() -> None:
    assert summary(Findings(tests=1, files=1, whole=False)) == (
        "1 test in 1 file, 0 errors, 0 warnings"
    )


def test_an_error_is_not_called_one() -> None:
    strict = Problem("uncovered", "t.py", PLACE, "x", severity=WARNING).strictly()
    assert "warning: x" not in as_text(Findings((strict,)), shown)
