"""A conversation with the model: prompt, packet, tool calls and their results, until it ends."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import current_thread, main_thread
from typing import Literal

from pytest_lift.agents.prompted.tools import arguments as a
from pytest_lift.agents.prompted.tools.toolbox import Toolbox
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
