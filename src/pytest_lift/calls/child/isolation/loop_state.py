"""The event loop that a program finds where none is running: as after import, before each case.

Running a loop leaves the main thread without one, and what asks for it then fails. Loaded by path
in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import contextlib
import sys
from typing import Any

POLICY, LOOP = "_event_loop_policy", "_loop"
"""Names by which `asyncio` keeps the policy, and a policy its loop."""


class LoopState:
    """Policy of event loops after import, with the loop that it had for the main thread."""

    def __init__(self) -> None:
        events: Any = sys.modules.get("asyncio.events")
        self.policy = getattr(events, POLICY, None)
        self.known = dict(_loops_of(self.policy))

    def put_back(self) -> None:
        """Puts back what a case changed, and closes the loop that it left, which has open files."""
        events: Any = sys.modules.get("asyncio.events")
        policy = getattr(events, POLICY, self.policy)
        left = _loops_of(policy).get(LOOP)
        if left is not None and left is not self.known.get(LOOP):
            with contextlib.suppress(Exception):  # a loop of the program's own may do anything
                left.close()
        if policy is not self.policy:
            setattr(events, POLICY, self.policy)
        loops = _loops_of(self.policy)
        if loops != self.known:
            loops.clear()
            loops.update(self.known)


def _loops_of(policy: Any) -> dict[str, Any]:
    """Returns what a policy keeps for this thread; nothing of one that keeps it elsewhere."""
    found: dict[str, Any] = getattr(getattr(policy, "_local", None), "__dict__", {})
    return found
