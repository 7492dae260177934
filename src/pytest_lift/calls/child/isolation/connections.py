"""The connection that a case gets in the place of those to other machines: it notes what is sent.

Loaded by path in the child process, so it imports nothing of this package. A test makes the same
connection of the same sources.
"""

from __future__ import annotations

import io
import socket
from collections.abc import Sequence
from typing import Any

NETWORK = "socket"
"""Why a case is rejected that connects to others."""
CONNECTS = "connects"
"""What a function or method does that is replaced."""
SENT = "sent"
"""Variable with what was sent."""
CONNECTION = "connection"
"""Variable of the one connection of a test."""
FUNCTIONS = {
    "socket.getaddrinfo": "lambda host, port, family=0, kind=0, *others: "
    "[(family, kind, 0, '', (host, port))]",
    "socket.socket": f"lambda *how, **more: {CONNECTION}",
}
"""Function of the system -> what takes its place."""
METHODS = {
    "send": f"lambda data, *how: {SENT}.append(data) or len(data)",
    "sendall": f"{SENT}.append",
    "sendto": f"lambda *datagram: {SENT}.append(datagram)",
    "recv": "lambda most: b''",
    "makefile": "lambda *how, **more: io.BytesIO()",
    "fileno": "lambda: -1",
}
"""Method of a connection -> what it does: nobody answers. All others do nothing."""


NAMED = {"fileno": "select"}
"""Method -> what a program names that has it called, where that is not the method."""


class Connections:
    """Puts a connection to nobody in the place of those that a program makes."""

    def __init__(self, names: Sequence[str], space: dict[str, Any]) -> None:
        self._space = space
        self._unread: list[Any] = []
        self._before = {name: getattr(socket, leaf(name)) for name in FUNCTIONS if name in names}
        if not self._before:
            return
        from unittest.mock import MagicMock

        connection = MagicMock()
        known = {SENT: self, CONNECTION: connection, "io": io}
        for name in names:
            if name in METHODS:
                getattr(connection, name).side_effect = eval(METHODS[name], known)
        for name in self._before:
            setattr(socket, leaf(name), eval(FUNCTIONS[name], known))

    def append(self, data: Any) -> None:
        """Notes what is sent, in the variable that the case has for it, if any."""
        noted = self._space.get(SENT)
        (noted if isinstance(noted, list) else self._unread).append(data)

    def end(self) -> None:
        """Puts back what was there before."""
        for name, function in self._before.items():
            setattr(socket, leaf(name), function)


def leaf(name: str) -> str:
    """Returns the last part of a dotted name."""
    return name.rpartition(".")[2]
