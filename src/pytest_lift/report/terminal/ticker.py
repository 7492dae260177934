"""A thread that says again and again what is going on; it only prints."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Ticker:
    """Calls `tell` every so many seconds from `start` to `stop`; both may be called twice."""

    def __init__(self, tell: Callable[[], None], every: float) -> None:
        self._tell = tell
        self._every = every
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._go_on, name="lift-ticker", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join(self._every + 1.0)

    def _go_on(self) -> None:
        while not self._over.wait(self._every):
            try:
                self._tell()
            except (OSError, ValueError):
                return  # the terminal is gone: nobody is told any more
