"""A chat endpoint on loopback that says what a script has for it: a real server, no model."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """One HTTP answer."""

    content: str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    delay: float = 0.0
    """Seconds before the first byte."""
    lost: int = 0
    """Bytes at the end that are announced and never sent."""

    def after(self, seconds: float) -> Reply:
        return replace(self, delay=seconds)

    def cut(self, lost: int = 10) -> Reply:
        return replace(self, lost=lost)


Step = Reply | Body
Script = Iterable[Step] | Callable[[Body, int], Step]


def say(text: str, *, finish: str = "stop", usage: Body | None = None, **message: Any) -> Reply:
    """An answer of text. `message` adds fields to the message, ``refusal`` for one."""
    turn = {"role": "assistant", "content": text, **message}
    return completion([{"index": 0, "message": turn, "finish_reason": finish}], usage)


def call(tool: str, /, **arguments: Any) -> Reply:
    """An answer that is one tool call."""
    return calls((tool, arguments))


def calls(
    *made: tuple[str, Mapping[str, Any]], text: str = "", finish: str = "tool_calls"
) -> Reply:
    """An answer of several tool calls."""
    items = [
        {
            "id": f"c{number}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for number, (name, arguments) in enumerate(made)
    ]
    turn = {"role": "assistant", "content": text or None, "tool_calls": items}
    return completion([{"index": 0, "message": turn, "finish_reason": finish}])


def completion(choices: list[Body], usage: Body | None = None) -> Reply:
    counted = {"prompt_tokens": 100, "completion_tokens": 10} if usage is None else usage
    body = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": choices}
    return Reply(json.dumps(body | ({"usage": counted} if counted else {})))


def fail(
    status: int, message: str = "", *, headers: Mapping[str, str] | None = None, **error: Any
) -> Reply:
    """An error as OpenAI writes it; `error` adds ``code``, ``type``, ``param``."""
    content = json.dumps({"error": {"message": message, **error}})
    return Reply(content, status, headers or {})


def page(status: int = 200, text: str = "Welcome") -> Reply:
    """What a proxy or a wrong address answers."""
    return Reply(f"<html><body><h1>{text}</h1></body></html>", status, kind="text/html")


class ScriptedModel:
    """A server for a ``with`` statement.

    The script is a list of replies in order, or a function of the body of the request and its
    number from 0 on. What is asked beyond a list is an error 400 that says so.
    """

    def __init__(self, script: Script, *, models: list[Body] | None = None) -> None:
        self._script = script if callable(script) else _in_order(script)
        self._models = models
        self._lock = threading.Lock()
        self.requests: list[Body] = []
        """Bodies of the calls of the model, in order."""
        self.headers: list[dict[str, str]] = []
        """Headers of the same, names in lower case."""

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> ScriptedModel:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                owner._send(self, owner._reply(body, dict(self.headers.items())))

            def do_GET(self) -> None:
                listed = owner._models
                known = self.path == "/v1/models" and listed is not None
                found = Reply(json.dumps({"object": "list", "data": listed}))
                owner._send(self, found if known else fail(404, "not found"))

            def log_message(self, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _reply(self, body: Body, headers: dict[str, str]) -> Reply:
        with self._lock:
            number = len(self.requests)
            self.requests.append(body)
            self.headers.append({name.lower(): value for name, value in headers.items()})
        step = self._script(body, number)
        return step if isinstance(step, Reply) else Reply(json.dumps(step))

    def _send(self, handler: BaseHTTPRequestHandler, reply: Reply) -> None:
        time.sleep(reply.delay)
        data = reply.content.encode()
        try:
            handler.send_response(reply.status)
            for name, value in {"Content-Type": reply.kind, **reply.headers}.items():
                handler.send_header(name, value)
            handler.send_header("Content-Length", str(len(data)))
            handler.end_headers()
            handler.wfile.write(data[: len(data) - reply.lost])
        except OSError:
            pass  # whoever asked has gone
        handler.close_connection = handler.close_connection or bool(reply.lost)


def _in_order(script: Iterable[Step]) -> Callable[[Body, int], Step]:
    steps = list(script)

    def at(body: Body, number: int) -> Step:
        return (
            steps[number]
            if number < len(steps)
            else fail(400, f"the script is over after {number} calls")
        )

    return at
