"""The signals that a supervisor knows: without the enumerations of `signal`, which take 5 ms."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]

KILL: int = _signal.SIGKILL
CHILD: int = _signal.SIGCHLD

_ORDINARY = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGPIPE", "SIGXFSZ")


def forget_handlers() -> None:
    """Resets the signal handlers, so that signals that the parent ignores are not ignored here."""
    for name in _ORDINARY:
        _signal.signal(getattr(_signal, name), _signal.SIG_DFL)
