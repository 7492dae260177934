"""Limits of tokens, money and time, held before each call."""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from pytest_lift.errors import UsageError
from pytest_lift.llm.values import (
    Answer,
    Model,
    ModelError,
    ModelRequest,
    ModelWrapper,
    ToolCall,
    Trouble,
    Usage,
)
from pytest_lift.settings import Prices

CHARACTERS_PER_TOKEN = 4.0
"""Average for English and code, used if an endpoint does not count tokens."""
_FRAME = 16
"""Characters of overhead for the role of a message or the name of a field."""


PATIENCE = 0.05
"""Seconds between checks whether concurrent calls have ended."""
LEAST_ANSWER = 512
"""Smallest answer in tokens for which a call is made at the end of the budget."""
_FIRST_RATIO = 3.5
_RATIOS = (1.0, 6.0)
_READ: frozenset[Trouble] = frozenset({"refusal", "empty", "bad-answer", "budget"})
"""Errors after which the endpoint has read the request and charges for it."""
_RESUME = "raise it and go on with --lift-resume"


_FORM = "model, input, cached input, output (or: model, input, output) per million tokens"


def characters(request: ModelRequest) -> int:
    """Returns the number of characters that the model sees."""
    spoken = sum(len(m.text) + _called(m.calls) + _FRAME for m in request.messages)
    schemas = sum(len(json.dumps(dict(tool.parameters))) for tool in request.tools)
    return spoken + schemas + sum(len(t.name) + len(t.description) for t in request.tools)


def answered_characters(answer: Answer) -> int:
    return len(answer.text) + _called(answer.calls)


def estimated_tokens(length: int) -> int:
    """Returns the estimated number of tokens of `length` characters, at least one."""
    return max(1, round(length / CHARACTERS_PER_TOKEN))


def _called(calls: tuple[ToolCall, ...]) -> int:
    return sum(len(call.name) + len(call.arguments) + _FRAME for call in calls)


@dataclass(eq=False)
class _UnderWay:
    """A call in progress."""

    request: ModelRequest
    estimate: Usage
    """Largest possible usage of the call."""


class Budget:
    """Limits of a run for model calls, and its usage by role."""

    def __init__(
        self,
        max_tokens: int | None = None,
        max_cost: float | None = None,
        deadline: float | None = None,
        prices: Prices | None = None,
        *,
        spent_before: Usage | None = None,
    ) -> None:
        """Creates the budget. `deadline` is a value of `time.monotonic()`. `spent_before` is the
        usage of a resumed run so far. Without `prices` calls cost nothing, and `max_cost` is never
        reached."""
        self.max_tokens = max_tokens
        self.max_cost = max_cost
        self.deadline = deadline
        self.spent_before = spent_before or Usage()
        self.spent: dict[str, Usage] = {}
        """Label -> usage of the calls of this process."""
        self.prices = prices
        self._taken: dict[str, Usage] = {}
        self._under_way: list[_UnderWay] = []
        self._characters = 0
        self._tokens = 0

    @property
    def total(self) -> Usage:
        """Usage of the run, including earlier processes."""
        return sum(self.spent.values(), self.spent_before)

    def take(self) -> Mapping[str, Usage]:
        """Returns label -> usage since the last call of this method; labels without calls are
        left out."""
        taken, self._taken = self._taken, {}
        return taken

    def priced(self, usage: Usage) -> Usage:
        return replace(usage, cost=usage.cost_at(self.prices)) if self.prices else usage

    @contextmanager
    def call(self, request: ModelRequest) -> Iterator[_UnderWay]:
        """Reserves the budget of one call until it ends. Raises ModelError ``budget``."""
        admitted = self._admitted(request)
        self._under_way.append(admitted)
        try:
            yield admitted
        finally:
            self._under_way.remove(admitted)

    def has_to_wait(self, request: ModelRequest) -> bool:
        """Whether calls in progress leave too little room for a whole answer now."""
        if not self._under_way:
            return False
        prompt = Usage(calls=1, prompt_tokens=round(characters(request) / self._ratio))
        return min(self._room_in_tokens(prompt), self._room_in_money(prompt)) < request.most_tokens

    def spend(self, label: str, usage: Usage) -> None:
        self.spent[label] = self.spent.get(label, Usage()) + usage
        self._taken[label] = self._taken.get(label, Usage()) + usage

    def learn(self, request: ModelRequest, usage: Usage) -> None:
        """Updates the average number of characters per token."""
        self._characters += characters(request)
        self._tokens += usage.prompt_tokens

    def _admitted(self, request: ModelRequest) -> _UnderWay:
        """Returns the call, its answer limited to what is left. Raises ModelError ``budget``."""
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise time_is_up()
        prompt = Usage(calls=1, prompt_tokens=round(characters(request) / self._ratio))
        tokens, money = self._room_in_tokens(prompt), self._room_in_money(prompt)
        most = int(min(request.most_tokens, max(tokens, 0), max(money, 0)))
        if most < min(LEAST_ANSWER, request.most_tokens):
            whole = self.priced(replace(prompt, completion_tokens=request.most_tokens))
            raise self._out_of_tokens(whole) if tokens <= money else self._out_of_money(whole)
        estimate = self.priced(replace(prompt, completion_tokens=most))
        return _UnderWay(replace(request, most_tokens=most), estimate)

    @property
    def _ratio(self) -> float:
        if not self._tokens:
            return _FIRST_RATIO
        return min(max(self._characters / self._tokens, _RATIOS[0]), _RATIOS[1])

    @property
    def _held(self) -> Usage:
        return sum((call.estimate for call in self._under_way), Usage())

    def _room_in_tokens(self, prompt: Usage) -> float:
        if self.max_tokens is None:
            return float("inf")
        return self.max_tokens - (self.total + self._held + prompt).tokens

    def _room_in_money(self, prompt: Usage) -> float:
        if self.max_cost is None or self.prices is None:
            return float("inf")
        left = self.max_cost - (self.total + self._held + self.priced(prompt)).cost
        each = self.prices.output / 1_000_000
        return left / each if each else float("inf") if left >= 0 else 0.0

    def _out_of_tokens(self, wanted: Usage) -> ModelError:
        spent = f"{self.total.tokens:,} of {self.max_tokens or 0:,} tokens are spent"
        beside = f", {self._held.tokens:,} are under way" if self._under_way else ""
        what = f"{spent}{beside}, and this call may take {wanted.tokens:,}"
        return ModelError("budget", what, where="--lift-max-tokens", todo=_RESUME)

    def _out_of_money(self, wanted: Usage) -> ModelError:
        spent = f"{self.total.cost:.4f} of {self.max_cost or 0:g} are spent"
        beside = f", {self._held.cost:.4f} are under way" if self._under_way else ""
        what = f"{spent}{beside}, and this call may cost {wanted.cost:.4f}"
        return ModelError("budget", what, where="--lift-max-cost", todo=_RESUME)


def time_is_up() -> ModelError:
    return ModelError("budget", "the time is up", where="--lift-max-minutes", todo=_RESUME)


class Budgeted(ModelWrapper):
    """A model that is called only within a budget."""

    def __init__(self, inner: Model, budget: Budget) -> None:
        super().__init__(inner)
        self._budget = budget

    async def complete(self, request: ModelRequest) -> Answer:
        """Raises ModelError ``budget`` before a call that would not fit, and at the deadline.

        What calls under way may take at most is held; they usually take less, so one that fits
        but for them waits.
        """
        while self._budget.has_to_wait(request):
            await asyncio.sleep(PATIENCE)
        with self._budget.call(request) as call:
            began = time.monotonic()
            try:
                answer = await self._before_deadline(call.request)
            except BaseException as error:
                lost = _lost(call.estimate, error, time.monotonic() - began)
                self._budget.spend(request.label, self._budget.priced(lost))
                raise
            usage = self._budget.priced(answer.usage)
            self._budget.spend(request.label, usage)
            self._budget.learn(request, usage)
            return replace(answer, usage=usage)

    async def _before_deadline(self, request: ModelRequest) -> Answer:
        deadline = self._budget.deadline
        left = None if deadline is None else deadline - time.monotonic()
        try:
            async with asyncio.timeout(left) as limit:
                return await self._inner.complete(request)
        except TimeoutError:
            if limit.expired():
                raise time_is_up() from None
            raise


def _lost(estimate: Usage, error: BaseException, seconds: float) -> Usage:
    """Returns the estimated usage of a call without an answer, because endpoints do not report it.

    A cancelled call was read by the endpoint; a rejected one was not.
    """
    kind = error.kind if isinstance(error, ModelError) else "budget"
    if kind == "truncated":
        return replace(estimate, seconds=seconds)
    if kind in _READ:
        return replace(estimate, completion_tokens=0, seconds=seconds)
    return Usage(calls=1, seconds=seconds)


def read_prices(lines: Iterable[str], where: str) -> dict[str, Prices]:
    """Reads model -> prices from lines such as ``gpt-5-mini 0.25 0.025 2.00``. Raises
    UsageError."""
    found = {}
    for line in lines:
        name, *texts = line.split() or [""]
        numbers = [_amount(text) for text in texts]
        if len(numbers) not in (2, 3) or not all(0 <= number < math.inf for number in numbers):
            todo = f"write {_FORM}, such as: gpt-5-mini 0.25 0.025 2.00"
            raise UsageError(f"{line!r} is not a price", where=where, todo=todo)
        found[name] = Prices(numbers[0], numbers[-2], numbers[-1])
    return found


def price_of(name: str, prices: Mapping[str, Prices]) -> Prices:
    """Returns the price of a model. Raises UsageError, which shows the line to write."""
    if name in prices:
        return prices[name]
    raise UsageError(
        f"the price of {name} is not known",
        where="--lift-max-cost",
        todo=f'say it with --lift-prices="{name} INPUT CACHED OUTPUT" or in the ini file, '
        f"lift_prices = {name} INPUT CACHED OUTPUT, per million tokens",
    )


def _amount(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
