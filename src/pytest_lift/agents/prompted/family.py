"""The family of agents that asks a model, and a forecast of its requests."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pytest_lift.agents.contract import Agents, Brief, UsageLedger
from pytest_lift.agents.prompted.diagnosing import diagnose
from pytest_lift.agents.prompted.evaluating import evaluate
from pytest_lift.agents.prompted.expecting import expect, planned, rule
from pytest_lift.agents.prompted.expecting import message as expecting_message
from pytest_lift.agents.prompted.generating import generate
from pytest_lift.agents.prompted.generating import message as generating_message
from pytest_lift.agents.prompted.packets import PacketPlanner
from pytest_lift.agents.prompted.roles import EVALUATOR, EXPECT, GENERATOR, RULE, Prompts, Role
from pytest_lift.agents.prompted.sections import tokens
from pytest_lift.agents.prompted.team import Team
from pytest_lift.context.launch import chosen_launch
from pytest_lift.context.retriever import INSTALL, Retriever
from pytest_lift.llm.budget import Budget
from pytest_lift.llm.calls import CallLog
from pytest_lift.llm.factory import open_budget, open_model
from pytest_lift.llm.values import Usage
from pytest_lift.settings import Prices, Settings

TURNS = {EXPECT.name: 2, RULE.name: 1, GENERATOR.name: 4, EVALUATOR.name: 1}
"""Model calls per conversation of a role, as observed in real runs (docs/models.md)."""
ANSWER = 2500
"""Tokens of an answer, as observed in real runs."""
RESULT = 800
"""Tokens that the results of one answer's tool calls add."""
MOST_NAMED = 60


Result = TypeVar("Result")


@dataclass(frozen=True)
class ForecastCall:
    """Conversation of the first iteration, as forecast."""

    role: Role
    about: str
    tokens: int
    """Tokens of its prompt, its tools and its first message."""

    @property
    def usage(self) -> Usage:
        """Estimated usage of all calls of the conversation; each call sends the earlier messages
        again."""
        turns = TURNS[self.role.name]
        sent = sum(self.tokens + n * (ANSWER + RESULT) for n in range(turns))
        return Usage(turns, sent, 0, turns * ANSWER)


def forecast(brief: Brief, team: Team, prices: Prices | None, iterations: int) -> Sequence[str]:
    """Returns lines for the terminal: conversations with their sizes, files, calls and cost."""
    calls = list(_calls(brief, team))
    packets = PacketPlanner(brief, team.budget, (), team.retriever).packets()
    shown = sorted({path for packet in packets for path in packet.shown})
    total = sum((call.usage for call in calls), Usage())
    return [
        f"nothing is sent (--lift-dry-run); model {team.model.name}, "
        f"context {team.model.context} tokens, first messages up to {team.budget}",
        "first iteration:",
        *(f"  {c.role.name:10} {c.tokens:>7} tokens  {c.about}" for c in calls),
        f"files that are sent, whole or in part ({len(shown)}):",
        *(f"  {path}" for path in shown[:MOST_NAMED]),
        *([f"  and {len(shown) - MOST_NAMED} more"] if len(shown) > MOST_NAMED else []),
        "also sent: definitions that functions need, and project files that a tool call "
        "reads; secrets are left out",
        f"forecast: about {total.calls} calls, {total.prompt_tokens} tokens in, "
        f"{total.completion_tokens} out{_cost(total, prices)}; this is the first of at most "
        f"{iterations} iterations, later ones are smaller",
    ]


def _cost(usage: Usage, prices: Prices | None) -> str:
    return f", cost {usage.cost_at(prices):.2f}" if prices is not None else ", no price known"


def _calls(brief: Brief, team: Team) -> Iterator[ForecastCall]:
    for group in planned(brief, team):
        size = _size(EXPECT, brief, team, expecting_message(brief, group))
        yield ForecastCall(
            EXPECT, f"{len(group)} requirements: {group[0].id} to {group[-1].id}", size
        )
    if len(brief.requirements.testable):
        yield ForecastCall(RULE, "where the program gives something else", team.budget // 4)
    for packet in PacketPlanner(brief, team.budget, (), team.retriever).packets():
        size = _size(GENERATOR, brief, team, generating_message(brief, packet))
        yield ForecastCall(GENERATOR, ", ".join(packet.sources[:4]), size)
    yield ForecastCall(EVALUATOR, "the tests that were written", team.budget // 2)


def _size(role: Role, brief: Brief, team: Team, message: str) -> int:
    tools = sum(tokens(str(takes.model_json_schema())) for takes in role.tools.values())
    return tokens(team.prompts.system(role, brief)) + tools + tokens(message)


def model_agents(settings: Settings, environ: Mapping[str, str] = os.environ) -> Agents:
    """Returns agents that ask the model of `settings`, after one cheap call that finds out what it
    supports.

    Raises UsageError and ModelError: wrong key, no such model, no answer, an unknown recording.
    """
    prompts = Prompts(settings.prompts)
    prompts.check()
    log, budget = CallLog(environ), open_budget(settings)
    notes: list[str] = []
    model = asyncio.run(open_model(settings, environ, log, budget, notes.append))
    launch = chosen_launch(settings.lsp)
    team = Team(model, prompts, retriever=Retriever(launch))

    def phase(work: Callable[[Brief, Team], Awaitable[Result]]) -> Callable[[Brief], Result]:
        return lambda brief: asyncio.run(_until(brief, work(brief, team), budget))

    def first(work: Callable[[Brief, Team], Awaitable[Result]]) -> Callable[[Brief], Result]:
        """Returns a phase that is not started if the model has failed before: it raises that
        ModelError."""

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
        told=(
            f"agents ask {whence}model {model.name}, {model.context} tokens at a time",
            *notes,
            *([] if launch or settings.lsp else [f"they are shown definitions by name; {INSTALL}"]),
        ),
        forecast=lambda brief: forecast(brief, team, budget.prices, settings.iterations),
    )


def _before(budget: Budget) -> Callable[[Usage], None]:
    def spent(usage: Usage) -> None:
        budget.spent_before = usage

    return spent


async def _until(brief: Brief, work: Awaitable[Result], budget: Budget) -> Result:
    """Runs `work` until the deadline of the lift, at which a running call is ended, too."""
    budget.deadline = brief.deadline
    return await work
