"""`llm/budget.py` and `llm/budget.py`: no call that would not fit, and none after the time."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_model import Body, ScriptedModel, Step, fail, say

from pytest_lift.errors import UsageError
from pytest_lift.llm.budget import Budget, Budgeted, characters, price_of, read_prices
from pytest_lift.llm.endpoint import Endpoint
from pytest_lift.llm.values import Answer, Message, ModelError, ModelRequest, Usage
from pytest_lift.settings import Prices

ASKED = ModelRequest((Message("user", "x" * 3484),), most_tokens=1000, label="generator")
"""3500 characters: 1000 tokens before anything is learnt."""
CHEAP = Prices(1.0, 0.1, 10.0)


def used(prompt: int, completion: int, cached: int = 0) -> Step:
    details = {"cached_tokens": cached}
    usage = {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "prompt_tokens_details": details,
    }
    return say("Hi.", usage=usage)


def asked(
    budget: Budget, steps: list[Step], *requests: ModelRequest
) -> tuple[list[Answer], list[Body]]:
    with ScriptedModel(steps) as server:
        model = Budgeted(Endpoint("m", server.base_url, "k"), budget)

        async def each() -> list[Answer]:
            return [await model.complete(request) for request in requests]

        return asyncio.run(each()), server.requests


def refused(budget: Budget, steps: list[Step], *requests: ModelRequest) -> ModelError:
    """The error that ends `requests` after so many steps."""
    with ScriptedModel(steps) as server:
        model = Budgeted(Endpoint("m", server.base_url, "k"), budget)

        async def each() -> None:
            for request in requests:
                await model.complete(request)

        with pytest.raises(ModelError) as caught:
            asyncio.run(each())
    assert len(server.requests) == len(steps)
    assert caught.value.kind == "budget"
    return caught.value


def test_the_size_of_the_request_that_these_tests_use() -> None:
    assert characters(ASKED) == 3500


def test_what_is_spent_is_kept_by_label() -> None:
    budget = Budget(prices=CHEAP, spent_before=Usage(3, 1000, 0, 100, 1.0, 0.5))
    other = replace(ASKED, label="debugger")
    steps = [used(1000, 100, 500), used(10, 1), used(20, 2)]
    answers, _ = asked(budget, steps, ASKED, other, other)
    assert answers[0].usage.cost == pytest.approx((500 * 1 + 500 * 0.1 + 100 * 10) / 1e6)
    assert (budget.spent["debugger"].calls, budget.spent["debugger"].tokens) == (2, 33)
    assert (budget.total.calls, budget.total.tokens) == (6, 2233)
    assert budget.total.cost == pytest.approx(0.5 + sum(one.usage.cost for one in answers))
    assert {label: usage.calls for label, usage in budget.take().items()} == {
        "generator": 1,
        "debugger": 2,
    }
    asked(budget, [used(1, 1)], ASKED)
    assert {label: usage.calls for label, usage in budget.take().items()} == {"generator": 1}
    assert budget.take() == {}
    assert budget.spent["generator"].calls == 2


def test_a_call_must_fit_before_it_is_made() -> None:
    error = refused(Budget(max_tokens=1500), [], ASKED)
    assert str(error).startswith(
        "--lift-max-tokens: 0 of 1,500 tokens are spent, and this call may take 2,000"
    )
    assert "--lift-resume" in error.todo


def test_the_answer_is_shortened_to_fit() -> None:
    for room, most in ((2000, 1000), (1999, 999), (1512, 512)):
        _, [body] = asked(Budget(max_tokens=room), [used(1, 1)], ASKED)
        assert body["max_tokens"] == most
    refused(Budget(max_tokens=1511), [], ASKED)
    short = replace(ASKED, most_tokens=100)
    assert asked(Budget(max_tokens=1100), [used(1, 1)], short)[1][0]["max_tokens"] == 100
    refused(Budget(max_tokens=1099), [], short)


def test_what_was_spent_before_counts() -> None:
    error = refused(Budget(max_tokens=3000, spent_before=Usage(prompt_tokens=1600)), [], ASKED)
    assert "1,600 of 3,000 tokens are spent" in str(error)


def test_money() -> None:
    """A call takes 0.001 for its request, and 0.00512 at least for its answer."""
    assert (
        asked(Budget(max_cost=0.006125, prices=CHEAP), [used(1, 1)], ASKED)[1][0]["max_tokens"]
        == 512
    )
    error = refused(Budget(max_cost=0.00611, prices=CHEAP), [], ASKED)
    assert str(error).startswith(
        "--lift-max-cost: 0.0000 of 0.00611 are spent, and this call may cost 0.0110"
    )
    assert "--lift-resume" in error.todo
    after = refused(Budget(max_cost=0.0115, prices=CHEAP), [used(1000, 500)], ASKED, ASKED)
    assert "0.0060 of 0.0115 are spent" in str(after)


def test_the_scarcer_one_is_named() -> None:
    assert refused(Budget(1700, 0.001, prices=CHEAP), [], ASKED).where == "--lift-max-cost"
    assert refused(Budget(1100, 0.0075, prices=CHEAP), [], ASKED).where == "--lift-max-tokens"


def test_an_answer_may_cost_nothing() -> None:
    free = Prices(1.0, 1.0, 0.0)
    asked(Budget(max_cost=0.001, prices=free), [used(1, 1)], ASKED)
    refused(Budget(max_cost=0.0009, prices=free), [], ASKED)


def test_the_length_of_a_token_is_learnt() -> None:
    budget = Budget(max_tokens=5200)
    asked(budget, [used(2000, 10)], ASKED)
    error = refused(budget, [], replace(ASKED, messages=ASKED.messages * 2))
    assert "2,010 of 5,200 tokens are spent, and this call may take 5,000" in str(error)


@pytest.mark.parametrize(("spent", "kind"), [(100, Answer), (1500, ModelError)])
def test_a_call_waits_for_those_under_way_and_counts_what_they_took(spent: int, kind: type) -> None:
    budget = Budget(max_tokens=3000)

    async def both(model: Budgeted) -> list[Any]:
        asked = (model.complete(ASKED) for _ in range(2))
        return await asyncio.gather(*asked, return_exceptions=True)

    with ScriptedModel(lambda body, number: used(spent, 900)) as server:
        first, second = asyncio.run(both(Budgeted(Endpoint("m", server.base_url, "k"), budget)))
        assert len(server.requests) == (2 if kind is Answer else 1)
    assert isinstance(first, Answer)
    assert isinstance(second, kind)
    assert budget.total.tokens <= 3000


@pytest.mark.parametrize(
    ("step", "tokens"),
    [
        (fail(401), 0),
        (fail(400, "maximum context length"), 0),
        (say("", refusal="no"), 1000),
        (say("to be", finish="length"), 2000),
    ],
)
def test_what_brought_no_answer_is_counted_as_it_is_billed(step: Step, tokens: int) -> None:
    budget = Budget(prices=CHEAP)
    with ScriptedModel([step]) as server, pytest.raises(ModelError):
        asyncio.run(Budgeted(Endpoint("m", server.base_url, "k"), budget).complete(ASKED))
    assert (budget.total.calls, budget.total.tokens) == (1, tokens)
    assert budget.total.cost == pytest.approx(budget.total.cost_at(CHEAP))


def test_no_call_after_the_deadline() -> None:
    error = refused(Budget(deadline=time.monotonic() - 1), [], ASKED)
    assert str(error).startswith("--lift-max-minutes: the time is up")
    assert "--lift-resume" in error.todo


class Slow:
    """A model that takes a minute."""

    name, context = "slow", 10_000

    async def complete(self, request: ModelRequest) -> Answer:
        await asyncio.sleep(60)
        return Answer("late")


def test_a_call_under_way_is_cut_off_at_the_deadline() -> None:
    budget = Budget(prices=CHEAP, deadline=time.monotonic() + 0.2)
    with pytest.raises(ModelError, match="the time is up"):
        asyncio.run(Budgeted(Slow(), budget).complete(ASKED))
    assert 0 < budget.total.seconds < 30
    assert (budget.total.tokens, budget.total.cost) == (1000, 0.001)


def test_a_timeout_of_others_is_theirs() -> None:
    async def cut(model: Budgeted) -> None:
        async with asyncio.timeout(0.05):
            await model.complete(ASKED)

    budget = Budget(max_tokens=2000, deadline=time.monotonic() + 60)
    with pytest.raises(TimeoutError):
        asyncio.run(cut(Budgeted(Slow(), budget)))
    assert budget.total.tokens == 1000


class Broken:
    """A model that has a limit of its own, and says so like a program."""

    name, context = "broken", 10_000

    async def complete(self, request: ModelRequest) -> Answer:
        raise TimeoutError("mine")


def test_a_timeout_of_the_model_is_not_the_deadline() -> None:
    with pytest.raises(TimeoutError, match="mine"):
        asyncio.run(Budgeted(Broken(), Budget(deadline=time.monotonic() + 60)).complete(ASKED))


class Greedy:
    """A model that takes all it may."""

    name, context = "greedy", 10_000

    async def complete(self, request: ModelRequest) -> Answer:
        await asyncio.sleep(0)
        prompt = round(characters(request) / 3.5)
        return Answer("x", usage=Usage(1, prompt, 0, request.most_tokens))


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.tuples(st.integers(1, 9000), st.integers(1, 5000)), max_size=12),
    st.integers(0, 20_000),
    st.floats(0, 0.2),
)
def test_nothing_is_overspent(sizes: list[tuple[int, int]], tokens: int, money: float) -> None:
    budget = Budget(tokens, money, prices=CHEAP)
    model = Budgeted(Greedy(), budget)

    async def all_at_once() -> None:
        requests = (
            ModelRequest((Message("user", "x" * size),), most_tokens=most) for size, most in sizes
        )
        await asyncio.gather(*map(model.complete, requests), return_exceptions=True)

    asyncio.run(all_at_once())
    # What a token is was learnt from counts that are rounded: by one for each call.
    assert budget.total.tokens <= tokens + len(sizes)
    assert budget.total.cost <= money + len(sizes) * CHEAP.input / 1e6


def test_prices_are_read() -> None:
    lines = ["gpt-5-mini 0.25 0.025 2.00", "llama3:8b 0 0"]
    found = read_prices(lines, "ini")
    assert found == {"gpt-5-mini": Prices(0.25, 0.025, 2.0), "llama3:8b": Prices(0, 0, 0)}
    assert read_prices(["m 1 4"], "ini")["m"] == Prices(1, 1, 4)
    assert Usage(1, 1_000_000, 400_000, 500_000).cost_at(found["gpt-5-mini"]) == pytest.approx(1.16)


@pytest.mark.parametrize(
    "line", ["m", "m 1", "m 1 2 3 4", "m 1 x", "m 1 -2", "m 1 nan", "m 1 inf", " "]
)
def test_what_is_no_price(line: str) -> None:
    with pytest.raises(UsageError, match="is not a price") as caught:
        read_prices([line], "--lift-prices")
    assert caught.value.where == "--lift-prices"


def test_a_missing_price_shows_the_line_to_write() -> None:
    with pytest.raises(UsageError) as caught:
        price_of("m", {"other": CHEAP})
    assert '--lift-prices="m INPUT CACHED OUTPUT"' in str(caught.value)
