"""Events on a socket, line by line, that only the recorder can have written.

Each line carries its number and a keyed checksum (BLAKE2b) over number and text. The key comes
through the socket before any test is imported; the lift keeps what arrives, so nothing that was
said can be taken back. A line that does not fit was written by something else: a test.

Inside the inner session only the standard library is used.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
from collections.abc import Callable
from hashlib import blake2b
from typing import Any, Protocol

Event = dict[str, Any]

KEY_BYTES, SUM_BYTES = 32, 16
LINE_LIMIT = 64 * 1024 * 1024
RECORD_LIMIT = 256 * 1024 * 1024
"""Bytes that are read of one record."""
_OUT_OF_THE_WAY = 400
"""Tests close low descriptors, which is their right."""
_CHUNK = 1 << 18


def socket_sink(number: int) -> Callable[[Event], None]:
    """Returns a function that writes events to the socket with this descriptor, after reading the
    key from it.

    Tests may fork, or replace functions of `os`: they are bound here, and a forked child that runs
    on into pytest writes nothing. If the lift no longer listens, nothing is written.
    """
    owner, getpid, write = os.getpid(), os.getpid, os.write
    out = fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, _OUT_OF_THE_WAY)
    os.close(number)
    key = b""
    while len(key) < KEY_BYTES and (more := os.read(out, KEY_BYTES - len(key))):
        key += more
    encode = json.JSONEncoder(default=str).encode
    count = 0

    def sink(event: Event) -> None:
        nonlocal count
        if getpid() != owner:
            return
        count += 1
        body = encode(event).encode("ascii")
        left = memoryview(b"%d %s %s\n" % (count, _sum(key, count, body), body))
        try:
            while left:
                left = left[write(out, left) :]
        except OSError:
            return  # a test closed it; the run will show as ended early

    return sink


def _sum(key: bytes, number: int, body: bytes) -> bytes:
    text = b"%d %s" % (number, body)
    return blake2b(text, key=key, digest_size=SUM_BYTES).hexdigest().encode()


class Listener(Protocol):
    """Receiver of the events in the record."""

    def take(self, event: Event) -> None:
        """Receives a genuine event, in order."""

    def doubt(self) -> None:
        """Receives a line that is not the recorder's, is old, or came after the end."""


class SealedRecord:
    """The lift's end: tells `listener` every genuine event and every line that is none."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._key = os.urandom(KEY_BYTES)
        self._rest = b""
        self._number = 0
        self._left = RECORD_LIMIT
        self._sent = False
        self._over = False

    def read(self, source: socket.socket) -> None:
        """Reads what has arrived, without waiting for more; the first call sends the key."""
        if not self._sent:
            self._sent = True
            source.send(self._key)
        while True:
            try:
                more = source.recv(_CHUNK)
            except (BlockingIOError, OSError):
                return
            if not more:
                return
            self._left -= len(more)
            if self._left > 0:
                self._split(more)

    def _split(self, more: bytes) -> None:
        *lines, self._rest = (self._rest + more).split(b"\n")
        for line in lines:
            self._line(line)
        if len(self._rest) > LINE_LIMIT:
            self._rest = b""
            self._listener.doubt()

    def _line(self, line: bytes) -> None:
        event = self._genuine(line)
        if event is None or self._over:
            self._listener.doubt()
            return
        self._over = event.get("event") == "finish"
        self._listener.take(event)

    def _genuine(self, line: bytes) -> Event | None:
        number, _, rest = line.partition(b" ")
        checksum, _, body = rest.partition(b" ")
        if not number.isdigit() or len(number) > 12 or int(number) <= self._number:
            return None
        if checksum != _sum(self._key, int(number), body):
            return None
        self._number = int(number)
        try:
            event = json.loads(body)
        except (ValueError, RecursionError):
            return None  # sealed all the same: a test has got hold of the key
        return event if isinstance(event, dict) else None
