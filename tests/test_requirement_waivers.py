"""Waivers have a reason and perhaps dates, and end by themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.requirements import reader
from pytest_lift.requirements.requirement import Requirements


@pytest.fixture(autouse=True)
def in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def load(text: str) -> Requirements:
    Path("reqs.yml").write_text(text, "utf-8")
    return reader.load([Path("reqs.yml")])


def waiver(text: str) -> str:
    return f"r:\n  - id: A-1\n    title: t\n    description: d\n    acceptance: a\n    waived: {text}\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("no machine for it", ("no machine for it", None, None)),
        ("{reason: later}", ("later", None, None)),
        ("{reason: later, date: 2026-11-20}", ("later", "2026-11-20", None)),
        (
            "{reason: later, date: 2026-11-20, until: 2999-01-01}",
            ("later", "2026-11-20", "2999-01-01"),
        ),
    ],
)
def test_a_waiver_has_a_reason_and_perhaps_dates(text: str, found: tuple[str | None, ...]) -> None:
    item = load(waiver(text)).by_id["A-1"]
    assert (item.waived, item.waived_on, item.waived_until) == found
    assert item.exempt == found[0]


def test_a_waiver_that_has_ended_exempts_no_longer_and_is_told() -> None:
    loaded = load(waiver("{reason: later, until: 2020-02-29}"))
    assert loaded.by_id["A-1"].exempt is None
    (warning,) = loaded.warnings
    assert "the waiver of requirement 'A-1' ended on 2020-02-29" in warning


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{date: 2026-11-20}", "waived of requirement 'A-1' has no reason"),
        ("{reason: later, until: soon}", "until 'soon' is not a date"),
        ("{reason: later, until: 2026-02-30}", "until '2026-02-30' is not a date"),
    ],
)
def test_a_waiver_that_cannot_be_understood_is_a_problem(text: str, what: str) -> None:
    with pytest.raises(UsageError, match=what):
        load(waiver(text))
