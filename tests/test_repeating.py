"""Agents that proposed nothing are not asked the very same again: the lift ends."""

from __future__ import annotations

from pytest_lift.agents.offline.family import offline_agents


def test_the_offline_agents_do_not_go_by_feedback() -> None:
    assert not offline_agents().reads_feedback
