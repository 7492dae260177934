"""State that all conversations of a run share: model, prompts, and size of a message."""

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
"""Share of the context that a first message may take; the rest is for the turns after it."""
LONGEST = 40_000
"""Largest number of tokens of a first message, however large the context is: calls stay cheap,
and models attend to all of it."""

Work = TypeVar("Work")
Result = TypeVar("Result")


@dataclass
class Team:
    """Shared state of conversations; they pass knowledge to each other only through files."""

    model: Model
    prompts: Prompts
    exhausted: str = ""
    """Description of the budget that ended a conversation; empty if none did."""
    broken: ModelError | None = None
    """Error after which the model cannot be asked any more; it is raised after existing results
    are stored."""
    unasked: list[str] = field(default_factory=list)
    """Questions that could not be asked since the last `take_unasked`, with the reasons."""
    fruitless: set[str] = field(default_factory=set)
    """Work items (`WorkItem.key`) that produced nothing and would not if asked again."""
    asked: set[str] = field(default_factory=set)
    """Texts of requirements for which expectations were requested in this process."""

    @property
    def budget(self) -> int:
        """Largest number of tokens of a first message."""
        return min(int(self.model.context * SHARE), LONGEST)

    def take_unasked(self) -> tuple[str, ...]:
        taken, self.unasked = tuple(dict.fromkeys(self.unasked)), []
        return taken

    async def talk(self, brief: Brief, packet: str, toolbox: Toolbox) -> Ended:
        """Holds one conversation. If a budget is used up or the model cannot be asked any more, it
        ends as ``failed``, and later conversations are not started.

        Raises ModelError of kind ``overflow``: a smaller packet may fit.
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
        """Calls `do` for all pieces of work in parallel; a piece that overflows the context is
        halved.

        A piece that does not fit and cannot be halved is left out.
        """

        async def one(piece: Work) -> list[Result]:
            try:
                return [await do(piece)]
            except ModelError as error:
                if error.kind != "overflow":
                    raise
                smaller = halve(piece)
                if not smaller:
                    self.unasked.append(
                        f"a request is too long for the model and was not sent: {error}"
                    )
                return await self.each(smaller, do, halve)

        return [r for results in await asyncio.gather(*map(one, work)) for r in results]


def halved(group: tuple[Work, ...]) -> tuple[tuple[Work, ...], ...]:
    """Returns the two halves of a group that did not fit; empty if it cannot be divided."""
    middle = len(group) // 2
    return (group[:middle], group[middle:]) if middle else ()
