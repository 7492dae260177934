"""The parts that all conversations of a run share: model, prompts, and room for a message."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.conversation import Ended, converse
from pytest_lift.agents.prompted.prompting import Prompts
from pytest_lift.agents.prompted.tools.toolbox import Toolbox
from pytest_lift.llm.values import Model, ModelError

SHARE = 0.45
"""Part of a context that a first message may take; the rest is for the turns after it."""
LONGEST = 40_000
"""Tokens of a first message, however large the context is: calls stay cheap, and models keep
what matters in sight."""

Work = TypeVar("Work")
Result = TypeVar("Result")


@dataclass
class Team:
    """Holds conversations; what one learns does not reach another but through files."""

    model: Model
    prompts: Prompts
    exhausted: str = ""
    """Which budget ended a conversation, in words."""
    broken: ModelError | None = None
    """Why the model cannot be asked any more: raised once what there is has been kept."""
    unasked: list[str] = field(default_factory=list)
    """Questions since the last `take` that could not be asked, and why."""
    fruitless: set[str] = field(default_factory=set)
    """Pieces of work (`WorkItem.key`) that brought nothing and would not if asked once more."""
    asked: set[str] = field(default_factory=set)
    """Requirement texts that expectations were asked for, in this process."""

    @property
    def budget(self) -> int:
        """Tokens of a first message."""
        return min(int(self.model.context * SHARE), LONGEST)

    def take_unasked(self) -> tuple[str, ...]:
        taken, self.unasked = tuple(dict.fromkeys(self.unasked)), []
        return taken

    async def talk(self, brief: Brief, packet: str, toolbox: Toolbox) -> Ended:
        """One conversation. When a budget is used up, or the model cannot be asked any more, it
        ends with what it has so far, and so do those beside it.

        Raises ModelError ``overflow``: a smaller packet may pass.
        """
        if self.exhausted or self.broken:
            return Ended("failed", trouble=self.exhausted or str(self.broken))
        try:
            return await converse(
                self.prompts.system(toolbox.role, brief), packet, toolbox, self.model
            )
        except ModelError as error:
            if error.kind == "overflow":
                raise
            if error.kind == "budget":
                self.exhausted = str(error)
            else:
                self.broken = error
            return Ended("failed", trouble=str(error))

    async def each(
        self,
        work: Iterable[Work],
        do: Callable[[Work], Awaitable[Result]],
        halve: Callable[[Work], tuple[Work, ...]],
    ) -> list[Result]:
        """`do` for all pieces side by side; one that overflows the context is halved.

        A piece that cannot be halved and does not fit is left out.
        """

        async def one(piece: Work) -> list[Result]:
            try:
                return [await do(piece)]
            except ModelError as error:
                if error.kind != "overflow":
                    raise
                smaller = halve(piece)
                if not smaller:
                    self.unasked.append(f"a request does not fit, and was left out: {error}")
                return await self.each(smaller, do, halve)

        return [r for results in await asyncio.gather(*map(one, work)) for r in results]


def halved(group: tuple[Work, ...]) -> tuple[tuple[Work, ...], ...]:
    """Two smaller pieces of work for one that did not fit; none of what cannot be divided."""
    middle = len(group) // 2
    return (group[:middle], group[middle:]) if middle else ()
