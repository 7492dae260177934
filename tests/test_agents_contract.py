"""Briefs that ask the very same: numbers and time are no news, failures and other texts are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from brief_of import brief_of

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.family import offline_agents
from pytest_lift.findings.feedback import Feedback
from pytest_lift.findings.finding import Finding
from pytest_lift.suite.suite import suite_of

FOUND = Finding("uncovered-branch", "a branch is not executed")


@pytest.fixture
def brief(tmp_path: Path) -> Brief:
    return brief_of(tmp_path, {"pkg/__init__.py": "", "pkg/mod.py": "A = 1\n"})


def told(brief: Brief, text: str, *findings: Finding) -> Brief:
    feedback = Feedback("evaluator", "REWORK", findings, body=text)
    return replace(brief, feedback=feedback, findings=findings)


def same(one: Brief, other: Brief, *, reads_feedback: bool) -> bool:
    return one.asks(reads_feedback=reads_feedback) == other.asks(reads_feedback=reads_feedback)


def test_numbers_and_time_ask_nothing_new(brief: Brief) -> None:
    later = replace(brief, iteration=7, deadline=5.0)
    assert same(brief, later, reads_feedback=True)


@pytest.mark.parametrize("reads", [True, False])
def test_feedback_is_news_to_those_that_read_it(brief: Brief, reads: bool) -> None:
    assert same(told(brief, "a", FOUND), told(brief, "b", FOUND), reads_feedback=reads) is not reads
    assert same(told(brief, "a", FOUND), told(brief, "a"), reads_feedback=reads) is not reads


def test_what_fails_is_news_to_all(brief: Brief) -> None:
    failing = replace(brief, mode="correct")
    assert not same(brief, failing, reads_feedback=False)
    assert not same(told(failing, "a"), told(failing, "b"), reads_feedback=False)


def test_another_suite_or_program_is_news(brief: Brief, tmp_path: Path) -> None:
    suite = suite_of("tests", {"tests/test_a.py": "def test_a():\n    assert 1\n"})
    assert not same(brief, replace(brief, suite=suite), reads_feedback=False)
    assert not same(brief, replace(brief, accepted=suite), reads_feedback=False)
    other = brief_of(tmp_path / "other", {"pkg/__init__.py": "", "pkg/mod.py": "A = 2\n"})
    assert not same(brief, replace(brief, program=other.program), reads_feedback=False)


def test_the_offline_agents_do_not_go_by_feedback() -> None:
    assert not offline_agents().reads_feedback
