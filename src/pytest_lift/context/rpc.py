"""JSON-RPC over the standard streams of a child process, as language servers speak it.

Many requests may be under way at a time. Nothing here waits for ever: writing and reading have
deadlines, and a process that dies, or says what is no message, ends all of them.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

LARGEST = 64 * 1024 * 1024
"""Bytes of one message."""
LONGEST_HEAD = 4096
"""Bytes of the header of a message."""
MOST_NOTES = 20
_HEADERS = (b"content-length", b"content-type")
PATIENCE = 1.0
"""Seconds that a process gets to end by itself."""
LONGEST_POLL = 0.1
"""Seconds after which a write that waits looks whether the connection is closed."""
_UNKNOWN = {"code": -32601, "message": "this client does not have it"}


class ServerGone(Exception):
    """The process died, hangs, or speaks another language."""


class RequestRefused(Exception):
    """The server answered a request with an error."""


class Connection:
    """A server process and the requests that it was sent."""

    def __init__(self, command: Sequence[str], cwd: Path, env: Mapping[str, str]) -> None:
        """Starts the process. Raises ServerGone where it cannot be started."""
        self.notes: list[str] = []
        """Messages that the server wanted shown, the first few."""
        self.gone = ""
        """Why no more answers come; empty while the server lives."""
        self.settings: Callable[[str], Any] = lambda section: None
        """Returns the settings that the server asks for, by the name of their section."""
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115
        self._waiting: dict[int, Future[Any]] = {}
        self._number = 0
        self._lock = threading.Lock()
        """Guards what is under way."""
        self._writing = threading.Lock()
        self._replies: SimpleQueue[Mapping[str, Any] | None] = SimpleQueue()
        """What the server asked, answered; None ends the thread that sends them."""
        self._owner = os.getpid()
        try:
            self._process = subprocess.Popen(
                [*command],
                cwd=cwd,
                env=dict(env),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            self._stderr.close()
            raise ServerGone(f"{command[0]} cannot be started: {error}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        os.set_blocking(self._stdin.fileno(), False)
        self._reader = threading.Thread(target=self._read, daemon=True, name="language server")
        self._reader.start()
        # Not in the thread that reads: a server that is being written to may wait to be read.
        self._replier = threading.Thread(target=self._reply, daemon=True, name="replies")
        self._replier.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, method: str, params: Any, seconds: float) -> Future[Any]:
        """Sends a request; the future raises RequestRefused or ServerGone where no answer comes.
        Raises ServerGone where it cannot be sent within `seconds`."""
        answer: Future[Any] = Future()
        with self._lock:
            self._number += 1
            number = self._number
            self._waiting[number] = answer
        self._send({"id": number, "method": method, "params": params}, seconds)
        return answer

    def tell(self, method: str, params: Any, seconds: float) -> None:
        """Sends a notification. Raises ServerGone."""
        self._send({"method": method, "params": params}, seconds)

    def cancel(self, answer: Future[Any], seconds: float) -> None:
        """Takes a request back; its answer is not waited for. Raises ServerGone."""
        with self._lock:
            numbers = [number for number, one in self._waiting.items() if one is answer]
            for number in numbers:
                del self._waiting[number]
        for number in numbers:
            self.tell("$/cancelRequest", {"id": number}, seconds)

    def close(self) -> None:
        """Ends the process and all that it started, whatever state it is in; not in a fork of the
        process that started it. What the server asked is answered before."""
        if os.getpid() != self._owner:
            return
        patience = 0 if self.gone else PATIENCE
        self._replies.put(None)
        self._replier.join(patience)
        self.gone = self.gone or "it was closed"
        with self._writing, suppress(OSError):
            self._stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._reader.join(PATIENCE)
        if not self._reader.is_alive():
            self._stdout.close()
            self._stderr.close()

    def words(self) -> str:
        """Returns the end of what the server wrote to its standard error."""
        with suppress(OSError, ValueError):
            size = os.fstat(self._stderr.fileno()).st_size
            said = os.pread(self._stderr.fileno(), 400, max(0, size - 400))
            return said.decode("utf-8", "replace").strip()
        return ""

    def _send(self, message: Mapping[str, Any], seconds: float) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode()
        data = memoryview(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        with self._writing:
            try:
                self._write(data, time.monotonic() + seconds)
            except BaseException:  # whatever is sent next would follow half a message
                self.gone = self.gone or "a message to it was cut short"
                raise

    def _write(self, data: memoryview, until: float) -> None:
        writable = select.poll()
        while data:
            if self.gone:
                raise ServerGone(self.gone)
            left = until - time.monotonic()
            try:
                writable.register(self._stdin, select.POLLOUT)
                if not writable.poll(max(min(left, LONGEST_POLL), 0) * 1000):
                    if left <= 0:
                        raise ServerGone("it does not read what it is sent")
                    continue
                data = data[os.write(self._stdin.fileno(), data) :]
            except BlockingIOError:
                continue
            except (OSError, ValueError) as error:
                raise ServerGone(f"it cannot be written to: {error}") from error

    def _read(self) -> None:
        why = "it has ended"
        try:
            while (body := _message(self._stdout)) is not None:
                self._take(json.loads(body))
        except (OSError, ValueError, AttributeError, RecursionError) as error:
            why = f"it does not speak the protocol of language servers: {error}"
        self.gone = self.gone or why
        for answer in self._taken():
            answer.set_exception(ServerGone(why))

    def _taken(self) -> list[Future[Any]]:
        with self._lock:
            waiting = [*self._waiting.values()]
            self._waiting.clear()
            return waiting

    def _take(self, message: dict[str, Any]) -> None:
        number, method = message.get("id"), message.get("method")
        if method is None:
            with self._lock:
                answer = self._waiting.pop(number, None) if isinstance(number, int) else None
            if answer is not None and "error" in message:
                answer.set_exception(RequestRefused(str(message["error"])[:400]))
            elif answer is not None:
                answer.set_result(message.get("result"))
        elif number is not None:
            self._answer(number, method, message.get("params"))
        elif method == "window/showMessage" and len(self.notes) < MOST_NOTES:
            self.notes.append(str(message.get("params", {}).get("message", ""))[:400])

    def _answer(self, number: Any, method: str, params: Any) -> None:
        """Answers what a server asks of its client: its settings, no progress, no more."""
        reply: dict[str, Any] = {"id": number}
        if method == "workspace/configuration":
            items = params.get("items", [])
            reply["result"] = [self.settings(str(one.get("section", ""))) for one in items]
        elif method in ("client/registerCapability", "window/workDoneProgress/create"):
            reply["result"] = None
        else:
            reply["error"] = _UNKNOWN
        self._replies.put(reply)

    def _reply(self) -> None:
        """Sends the replies one after the other, in the order that they were asked for."""
        while (reply := self._replies.get()) is not None:
            with suppress(ServerGone):
                self._send(reply, PATIENCE)


def _message(stream: IO[bytes]) -> bytes | None:
    """Returns the body of the next message, None at the end. Raises ValueError."""
    size = None
    while line := stream.readline(LONGEST_HEAD):
        if line in (b"\r\n", b"\n") and size is not None:
            body = stream.read(size)
            return body if len(body) == size else None
        name, _, value = line.partition(b":")
        if name.strip().lower() not in _HEADERS:
            raise ValueError(f"{line[:60]!r} is no header")
        if name.strip().lower() == _HEADERS[0]:
            size = int(value)
            if not 0 <= size <= LARGEST:
                raise ValueError(f"a message of {size} bytes")
    return None
