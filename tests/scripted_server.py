"""A language server that answers as its one argument says: well, or badly in one of some ways.

Each run adds a line to the file `runs` in its working directory, with the names of the keys in its
environment.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

HOW = sys.argv[1] if len(sys.argv) > 1 else "well"


def read() -> dict[str, Any]:
    size = 0
    while line := sys.stdin.buffer.readline().strip():
        name, _, value = line.partition(b":")
        size = int(value) if name == b"Content-Length" else size
    if not size:
        raise SystemExit
    message: dict[str, Any] = json.loads(sys.stdin.buffer.read(size))
    return message


def write(message: dict[str, Any]) -> None:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    sys.stdout.buffer.flush()


def add(name: str, text: str) -> None:
    with Path(name).open("a") as file:
        file.write(text)


def answer(method: str, params: dict[str, Any]) -> Any:
    if method == "initialize":
        keys = sorted(name for name in os.environ if "KEY" in name or "TOKEN" in name)
        add("runs", f"{HOW} {keys}\n")
        return {"capabilities": {}, "serverInfo": {"name": "scripted", "version": "1"}}
    if method == "textDocument/hover":
        return {"contents": {"kind": "plaintext", "value": "int\n---\nA number."}}
    where = Path("prices.py").absolute().as_uri()
    if HOW == "lost":
        where = "file:///elsewhere.py"
    point = {"line": 0, "character": 4}
    found = {"uri": where, "range": {"start": point, "end": point}}
    return [found] if method == "textDocument/references" else found


def serve() -> None:
    while True:
        if HOW == "deaf" and Path("runs").exists():
            time.sleep(60)
        message = read()
        method, number = message.get("method", ""), message.get("id")
        if method.startswith("textDocument/") and number is not None:
            if HOW == "dies" or (HOW == "dies-once" and Path("runs").read_text().count("\n") == 1):
                print("out of luck", file=sys.stderr)
                os._exit(3)
            if HOW == "hangs":
                time.sleep(60)
            if HOW == "garbage":
                sys.stdout.buffer.write(b"Traceback: what is this\n" * 10)
                sys.stdout.buffer.flush()
            if HOW == "no-uses" and method == "textDocument/references":
                continue
            if HOW == "huge":
                sys.stdout.buffer.write(b"Content-Length: 99999999999\r\n\r\n")
                sys.stdout.buffer.flush()
            if HOW == "no-json":
                sys.stdout.buffer.write(b"Content-Length: 4\r\n\r\n{{{{")
                sys.stdout.buffer.flush()
            if HOW == "refuses":
                write({"id": number, "error": {"code": -32600, "message": "no"}})
                continue
        if HOW == "floods" and method == "textDocument/hover":
            write({"method": "window/logMessage", "params": {"message": "x" * 200_000}})
            items = {"items": [{"section": "other"}]}
            write({"id": 79, "method": "workspace/configuration", "params": items})
        if HOW == "asks" and method == "initialized":
            items = {"items": [{"section": "python"}, {"section": "other"}]}
            write({"id": 77, "method": "workspace/configuration", "params": items})
            write({"id": 78, "method": "window/showDocument", "params": {}})
        if not method or method == "$/cancelRequest":
            add("told", json.dumps(message) + "\n")
        elif HOW == "odd" and number is not None and method != "initialize":
            write({"id": number, "result": [{"uri": 7}, None, "x"]})
        elif number is not None:
            write({"id": number, "result": answer(method, message["params"])})


if __name__ == "__main__":
    serve()
