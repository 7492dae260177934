"""The family of agents that asks a model: one event loop per phase, nothing kept between them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from pytest_lift.agents.contract import Agents, Brief, UsageLedger
from pytest_lift.agents.prompted.diagnosing import diagnose
from pytest_lift.agents.prompted.evaluating import evaluate
from pytest_lift.agents.prompted.expecting import expect, rule
from pytest_lift.agents.prompted.forecast import forecast
from pytest_lift.agents.prompted.generating import generate
from pytest_lift.agents.prompted.prompting import Prompts
from pytest_lift.agents.prompted.team import Team
from pytest_lift.llm.budget import Budget
from pytest_lift.llm.calls import CallLog
from pytest_lift.llm.factory import open_budget, open_model
from pytest_lift.llm.values import Usage
from pytest_lift.settings import Settings

Result = TypeVar("Result")


def model_agents(settings: Settings, environ: Mapping[str, str] = os.environ) -> Agents:
    """Agents that ask the model that `settings` name, after one cheap call to see what it can.

    Raises UsageError and ModelError: wrong key, no such model, no answer, an unknown recording.
    """
    prompts = Prompts(settings.prompts)
    prompts.check()
    log, budget = CallLog(environ), open_budget(settings)
    notes: list[str] = []
    model = asyncio.run(open_model(settings, environ, log, budget, notes.append))
    team = Team(model, prompts)

    def phase(work: Callable[[Brief, Team], Awaitable[Result]]) -> Callable[[Brief], Result]:
        return lambda brief: asyncio.run(_until(brief, work(brief, team), budget))

    def first(work: Callable[[Brief, Team], Awaitable[Result]]) -> Callable[[Brief], Result]:
        """A phase that there is no point in beginning without a model."""

        def begun(brief: Brief) -> Result:
            if team.broken is not None:
                raise team.broken
            return phase(work)(brief)

        return begun

    whence = "a recording of " if settings.replay else ""
    return Agents(
        name=f"model {model.name}",
        generator=first(generate),
        debugger=phase(diagnose),
        evaluator=phase(evaluate),
        expect=first(expect),
        rule=phase(rule),
        ledger=UsageLedger(
            budget.take, lambda: team.exhausted, team.take_unasked, log.open, _before(budget)
        ),
        told=(f"agents ask {whence}model {model.name}, {model.context} tokens at a time", *notes),
        forecast=lambda brief: forecast(brief, team, budget.prices, settings.iterations),
    )


def _before(budget: Budget) -> Callable[[Usage], None]:
    def spent(usage: Usage) -> None:
        budget.spent_before = usage

    return spent


async def _until(brief: Brief, work: Awaitable[Result], budget: Budget) -> Result:
    """No call is begun after the deadline of the lift, and one under way is ended at it."""
    budget.deadline = brief.deadline
    return await work
