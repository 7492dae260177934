"""Conversations with the model (prompt, packet, tool calls and results), and what they share."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import current_thread, main_thread
from typing import Literal, TypeVar

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.roles import Prompts
from pytest_lift.agents.prompted.tools import arguments as a
from pytest_lift.agents.prompted.tools.toolbox import Toolbox
from pytest_lift.context.retriever import Retriever
from pytest_lift.llm.values import Message, Model, ModelError, ModelRequest

MOST_USELESS = 5
"""Number of useless calls in a row after which a conversation is ended."""
MOST_CALLS = 40
"""Largest number of calls of one answer that are carried out; calls after `finish` are not."""
MOST_PROSE = 2
"""Largest number of answers without a tool call that are tolerated."""
GOES_ON = ("refusal", "truncated", "empty", "bad-answer")
"""Kinds of ModelError that end only this conversation; other kinds concern all conversations."""
NUDGE = "Only tool calls count. Call a tool; when all is done, call finish."
CUT = "Your answer was cut off at the length limit. Take smaller steps: one file or part at a time."

How = Literal["finished", "turns", "prose", "useless", "failed"]
SHARE = 0.45
"""Share of the context that a first message may take; the rest is for the turns after it."""
LONGEST = 40_000
"""Largest number of tokens of a first message, however large the context is: calls stay cheap,
and models attend to all of it."""

Work = TypeVar("Work")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Ended:
    """Ending of a conversation; its results are in its toolbox."""

    how: How
    told: a.Arguments | None = None
    """Arguments of the call of `finish`."""
    trouble: str = ""


async def converse(system: str, packet: str, toolbox: Toolbox, model: Model) -> Ended:
    """Talks with the model until it calls `finish`, or until going on is useless.

    Raises ModelError of kind ``overflow`` if the first request is too long (a smaller packet may
    fit), and of kinds that would also end every other conversation.
    """
    messages = [Message("system", system), Message("user", packet)]
    prose = 0
    for turn in range(toolbox.role.most_turns):
        request = ModelRequest(
            tuple(messages), toolbox.tools, toolbox.role.most_tokens, toolbox.role.name
        )
        try:
            answer = await model.complete(request)
        except ModelError as error:
            if error.kind == "truncated" and prose < MOST_PROSE:
                prose += 1
                messages += [Message("assistant", "(cut off)"), Message("user", CUT)]
                continue
            if error.kind in GOES_ON or (error.kind == "overflow" and turn):
                return Ended("failed", trouble=str(error))
            raise
        messages.append(Message("assistant", answer.text, answer.calls))
        if not answer.calls:
            prose += 1
            if prose > MOST_PROSE:
                return Ended("prose", trouble=answer.text[:500])
            messages.append(Message("user", NUDGE))
            continue
        with _stopped_by_ctrl_c():
            for number, call in enumerate(answer.calls):
                over = toolbox.ending is not None or number >= MOST_CALLS
                told = "not carried out" if over else toolbox.use(call)
                messages.append(Message("tool", told, answers=call.id))
        if toolbox.ending is not None:
            return Ended("finished", toolbox.ending)
        if toolbox.useless >= MOST_USELESS:
            return Ended("useless")
    return Ended("turns")


@contextmanager
def _stopped_by_ctrl_c() -> Iterator[None]:
    """Makes Ctrl-C stop a tool call at once: tools run in this thread (`ast` is not safe in
    several), and asyncio's own handler would wait until a long run of tests ends."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


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
    retriever: Retriever = field(default_factory=lambda: Retriever(None))
    """Finder of what functions need of the rest of the program."""
    asked: set[str] = field(default_factory=set)
    """Texts of requirements for which expectations were requested in this process."""

    @property
    def budget(self) -> int:
        """Largest number of tokens of a first message."""
        return min(int(self.model.context * SHARE), LONGEST)

    def take_unasked(self) -> tuple[str, ...]:
        taken, self.unasked = dict.fromkeys(self.unasked), []
        if trouble := self.retriever.take_trouble():
            taken[trouble] = None
        return tuple(taken)

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
