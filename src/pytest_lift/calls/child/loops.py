"""Event loop in which the steps of a case run, one after the other.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import Callable, Coroutine, Generator, Iterator
from functools import partial
from types import CodeType
from typing import Any


class StepLoop:
    """One event loop, in which what a step begins goes on while later ones wait for something. All
    of them are of one task, as they are in the coroutine of a test."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()
        self.loop = self.runner.get_loop()
        self.waiting: asyncio.Future[_Begun] = self.loop.create_future()
        """Gets the next step that waits for something."""
        self.done: asyncio.Future[None] = self.loop.create_future()
        self.given: Any = None
        self.raised: BaseException | None = None
        self.closing = False
        self.task = self.loop.create_task(self._work())
        self.loop.run_until_complete(asyncio.sleep(0))

    def value(self, code: CodeType, space: dict[str, Any]) -> Any:
        """Returns the value of a step."""
        with self._inside():
            found = eval(code, space)
            if not code.co_flags & inspect.CO_COROUTINE:
                return found
            try:
                begun = _Begun(found, found.send(None))
            except StopIteration as end:
                return end.value
        self.given, self.raised, self.done = None, None, self.loop.create_future()
        self.waiting.set_result(begun)
        self.loop.run_until_complete(self.done)
        if self.raised is not None:
            raise self.raised
        return self.given

    def close(self) -> None:
        """Cancels what still runs."""
        self.closing = True
        self.runner.close()

    @contextlib.contextmanager
    def _inside(self) -> Iterator[None]:
        """Lets what runs believe that it is the task, while nothing else runs."""
        asyncio._set_running_loop(self.loop)
        asyncio.tasks._enter_task(self.loop, self.task)
        try:
            yield
        finally:
            asyncio.tasks._leave_task(self.loop, self.task)
            asyncio._set_running_loop(None)

    async def _work(self) -> None:
        """Goes on with one step after the other."""
        while not self.closing:
            begun = await self.waiting
            self.waiting = self.loop.create_future()
            try:
                self.given = await begun
            except BaseException as error:  # what asks to stop the process is told like the rest
                self.raised = error
            self.done.set_result(None)


class _Begun:
    """A coroutine that has come to the first thing that it waits for."""

    def __init__(self, coroutine: Coroutine[Any, Any, Any], first: Any) -> None:
        self.coroutine = coroutine
        self.first = first

    def __await__(self) -> Generator[Any, Any, Any]:
        thing = self.first
        while True:
            try:
                sent = yield thing
            except BaseException as error:
                go_on: Callable[[], Any] = partial(self.coroutine.throw, error)
            else:
                go_on = partial(self.coroutine.send, sent)
            try:
                thing = go_on()
            except StopIteration as end:
                return end.value
