"""What the user asked of pytest, as the inner runs need to know it."""

from __future__ import annotations

import pytest

from pytest_lift.run.plain_pytest import typed
from pytest_lift.run.pytest_options import asked_options, partial_selection, usual_marks


@pytest.mark.parametrize(
    ("addopts", "usual"),
    [
        ("", ""),
        ("-m 'not slow'", "not slow"),
        ("-v -m 'not (slow or gpu)' --strict-markers", "not (slow or gpu)"),
        ("-m unit", ""),  # tests without marks would not run: new ones are of these
        ("-m 'not slow and unit'", ""),
        ("-m 'not ('", ""),
    ],
)
def test_what_a_project_sets_apart_by_marks_is_not_run(
    pytester: pytest.Pytester, addopts: str, usual: str
) -> None:
    pytester.makeini(f"[pytest]\naddopts = {addopts}\n")
    config = pytester.parseconfig()
    assert usual_marks(config) == usual
    for told in (
        asked_options(config, pytester.path),
        typed(config, pytester.path, "tests").addopts,
    ):
        assert usual in told if usual else "-m" not in told, told
    assert partial_selection(config) == (["-m"] if addopts.startswith("-m") and not usual else [])


def test_what_is_typed_selects_the_users_session_only(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\naddopts = -m 'not slow'\n")
    config = pytester.parseconfig("-m", "slow", "-k", "a")
    assert partial_selection(config) == ["-k", "-m"]
    told = asked_options(config, pytester.path)
    assert told[told.index("-m") + 1] == "not slow"
    assert "slow" not in told
