"""Event loop in which the steps of a case run, one after the other.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import asyncio
import inspect
from types import CodeType
from typing import Any


class StepLoop:
    """One event loop, in which what a step begins goes on while the next ones run."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()

    def value(self, code: CodeType, space: dict[str, Any]) -> Any:
        """Returns the value of a step."""
        return self.runner.run(_inside(code, space))

    def close(self) -> None:
        """Cancels what still runs."""
        self.runner.close()


async def _inside(code: CodeType, space: dict[str, Any]) -> Any:
    found = eval(code, space)
    return await found if code.co_flags & inspect.CO_COROUTINE else found
