"""A session with a language server: started when first asked, tried, restarted once when it fails.

A server that cannot be relied on is left alone from then on, and `trouble` tells why.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from pytest_lift.context.launch import Launch
from pytest_lift.context.rpc import Connection, RequestRefused, ServerGone

SECONDS = 10.0
"""Seconds that a server may take for one answer."""
MOST_FAILURES = 2
"""Failures in a row after which a server is not started again."""
Place = Literal["definition", "typeDefinition", "hover", "references", "completion"]
Method = Place | Literal["signatureHelp", "diagnostic"]
_CAPABILITIES = {
    "general": {"positionEncodings": ["utf-8", "utf-16"]},
    "textDocument": {
        "definition": {"linkSupport": True},
        "typeDefinition": {"linkSupport": True},
        "hover": {"contentFormat": ["plaintext", "markdown"]},
        "references": {},
        "diagnostic": {"dynamicRegistration": False},
        "synchronization": {"didSave": False},
    },
    "workspace": {
        "configuration": True,
        "workspaceFolders": True,
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    },
    "window": {"workDoneProgress": False},
}
Change = Literal["created", "changed", "deleted"]
_CHANGES: Mapping[Change, int] = {"created": 1, "changed": 2, "deleted": 3}


@dataclass(frozen=True)
class Query:
    """A question about one place: `line` from 1, `column` in bytes of the line; a diagnostic is
    about the whole file."""

    method: Method
    path: str
    line: int
    column: int


@dataclass(frozen=True)
class Canary:
    """A text of names with known definitions: a server that finds none of them is of no use."""

    path: str
    text: str
    queries: tuple[Query, ...]
    expected: frozenset[str]
    """Files of the definitions, relative to the root; a stub beside one will do."""


@dataclass(frozen=True)
class Location:
    """A place that a server names, lines from 1, columns as the server counts them."""

    path: str | None
    """Relative to the root; None outside of it."""
    line: int
    column: int
    is_module: bool
    """Whether it is a file as a whole."""


class LanguageServer:
    """One server on one folder."""

    def __init__(
        self,
        launch: Launch,
        root: Path,
        import_roots: Sequence[str] = (),
        canary: Canary | None = None,
        seconds: float = SECONDS,
    ) -> None:
        self.launch = launch
        self.root = root.resolve()
        self.trouble = ""
        """Why the server is not asked any more; empty while it is."""
        self.name = launch.name
        """With its version, once it was started."""
        self.started = 0
        self._import_roots = import_roots
        self._canary = canary
        self._seconds = seconds
        self._connection: Connection | None = None
        self._texts: dict[str, str] = {}
        """Buffers that differ from the files, by path."""
        self._version = 0
        self._failures = 0
        self._wide = False
        self._ended = weakref.finalize(self, lambda: None)

    @property
    def pid(self) -> int | None:
        return self._connection.pid if self._connection else None

    def ask(self, queries: Sequence[Query]) -> list[Any]:
        """Returns the answers, None for those that the server refuses; all None where there is
        `trouble`. All are sent at once."""
        while not self.trouble:
            try:
                answers = self._asked(self._running(), queries)
            except ServerGone as error:
                self._failed(str(error))
            else:
                self._failures = 0
                return answers
        return [None for _ in queries]

    def ask_briefly(self, query: Query, seconds: float) -> Any:
        """Returns an answer, None where there is none in time: the question is taken back, and the
        server is not blamed."""
        if self.trouble:
            return None
        try:
            connection = self._running()
            method = f"textDocument/{query.method}"
            future = connection.ask(method, self._params(query), self._seconds)
            try:
                return future.result(seconds)
            except RequestRefused:
                return None
            except TimeoutError:
                connection.cancel(future, self._seconds)
        except ServerGone as error:
            self._failed(str(error))
        return None

    def show(self, path: str, text: str) -> None:
        """Puts a buffer in the place of a file, until `hide`."""
        known, self._texts[path] = path in self._texts, text
        self._version += 1
        document = {"uri": self._uri(path), "version": self._version}
        if known:
            change = {"textDocument": document, "contentChanges": [{"text": text}]}
            self._tell("textDocument/didChange", change)
        else:
            self._tell("textDocument/didOpen", self._opened(path))

    def hide(self, path: str) -> None:
        """Takes the buffer away, so that the file counts again."""
        if self._texts.pop(path, None) is not None:
            self._tell("textDocument/didClose", {"textDocument": {"uri": self._uri(path)}})

    def files_changed(self, changes: Mapping[str, Change]) -> None:
        """Tells the server of files that are other than when it read them."""
        told = [{"uri": self._uri(path), "type": _CHANGES[how]} for path, how in changes.items()]
        if told:
            self._tell("workspace/didChangeWatchedFiles", {"changes": told})

    def close(self) -> None:
        self._ended()
        self._connection = None

    def locations(self, answer: Any) -> list[Location]:
        """Returns the places of an answer to a definition or to references, in its order."""
        listed = answer if isinstance(answer, list) else [answer]
        return [place for one in listed if (place := self._location(one)) is not None]

    def column(self, line: str, column: int) -> int:
        """Returns the byte of a column that the server names; `line` is the text of its line."""
        if not self._wide:
            return column
        head = line.encode("utf-16-le", "surrogatepass")[: 2 * column]
        return len(head.decode("utf-16-le", "replace").encode("utf-8", "replace"))

    def _running(self) -> Connection:
        if self._connection is None:
            connection = Connection(self.launch.command, self.root, self.launch.environment())
            launch, root, roots = self.launch, self.root, self._import_roots
            connection.settings = lambda name: launch.section(name, root, roots)
            self._ended = weakref.finalize(self, connection.close)
            self._connection = connection
            self.started += 1
            self._begin(connection)
        return self._connection

    def _begin(self, connection: Connection) -> None:
        folder = self.root.as_uri()
        given = {
            "processId": os.getpid(),
            "clientInfo": {"name": "pytest-lift"},
            "rootUri": folder,
            "capabilities": _CAPABILITIES,
            "workspaceFolders": [{"uri": folder, "name": self.root.name}],
            "initializationOptions": self.launch.options(self.root, self._import_roots),
        }
        answer = self._result(connection.ask("initialize", given, self._seconds))
        try:
            capabilities, info = answer["capabilities"], answer.get("serverInfo") or {}
            self._wide = capabilities.get("positionEncoding", "utf-16") != "utf-8"
            version = str(info.get("version", ""))[:40]
        except (TypeError, KeyError, AttributeError) as error:
            raise ServerGone("it does not say what it can do") from error
        self.name = f"{self.launch.name} {version}".strip()
        connection.tell("initialized", {}, self._seconds)
        for path in self._texts:
            connection.tell("textDocument/didOpen", self._opened(path), self._seconds)
        if self._canary is not None:
            self._try(connection, self._canary)

    def _try(self, connection: Connection, canary: Canary) -> None:
        self._texts[canary.path] = canary.text
        connection.tell("textDocument/didOpen", self._opened(canary.path), self._seconds)
        answers = self._asked(connection, canary.queries)
        places = [place.path for answer in answers for place in self.locations(answer)]
        found = {
            path.removesuffix("i") if path.endswith(".pyi") else path for path in places if path
        }
        del self._texts[canary.path]
        uri = {"textDocument": {"uri": self._uri(canary.path)}}
        connection.tell("textDocument/didClose", uri, self._seconds)
        if not canary.expected & found:
            said = "; ".join(connection.notes)
            raise ServerGone(f"it does not find the program{f' ({said})' if said else ''}")

    def _asked(self, connection: Connection, queries: Sequence[Query]) -> list[Any]:
        sent = [
            connection.ask(f"textDocument/{one.method}", self._params(one), self._seconds)
            for one in queries
        ]
        return [self._answer(future) for future in sent]

    def _answer(self, future: Future[Any]) -> Any:
        try:
            return self._result(future)
        except RequestRefused:
            return None

    def _result(self, future: Future[Any]) -> Any:
        try:
            return future.result(self._seconds)
        except TimeoutError:
            raise ServerGone(f"it did not answer within {self._seconds:g} seconds") from None

    def _params(self, query: Query) -> dict[str, Any]:
        position = {"line": query.line - 1, "character": self._counted(query)}
        asked: dict[str, Any] = {
            "textDocument": {"uri": self._uri(query.path)},
            "position": position,
        }
        if query.method == "references":
            asked["context"] = {"includeDeclaration": False}
        return asked

    def _counted(self, query: Query) -> int:
        """Returns the column of a query as the server counts it."""
        if not self._wide:
            return query.column
        lines = self._text(query.path).split("\n")
        line = lines[query.line - 1] if query.line <= len(lines) else ""
        head = line.encode("utf-8", "surrogatepass")[: query.column].decode("utf-8", "replace")
        return len(head.encode("utf-16-le", "surrogatepass")) // 2

    def _text(self, path: str) -> str:
        if path in self._texts:
            return self._texts[path]
        try:
            return (self.root / path).read_text("utf-8", "replace")
        except OSError:
            return ""

    def _opened(self, path: str) -> dict[str, Any]:
        self._version += 1
        document = {
            "uri": self._uri(path),
            "languageId": "python",
            "version": self._version,
            "text": self._texts[path],
        }
        return {"textDocument": document}

    def _tell(self, method: str, params: Any) -> None:
        """Sends a notification, if the server runs; one that starts later need not be told."""
        if self._connection is not None and not self.trouble:
            try:
                self._connection.tell(method, params, self._seconds)
            except ServerGone as error:
                self._failed(str(error))

    def _failed(self, why: str) -> None:
        self._failures += 1
        said = self._connection.words() if self._connection else ""
        if self._failures >= MOST_FAILURES:
            last = said.splitlines()[-1:] if said else []
            self.trouble = ": ".join([f"{self.name}: {why}", *last])
        self._ended()
        self._connection = None

    def _uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def _location(self, found: Any) -> Location | None:
        try:
            uri = found.get("targetUri") or found["uri"]
            span = found.get("targetSelectionRange") or found["range"]
            line, column = int(span["start"]["line"]), int(span["start"]["character"])
            is_module = line == column == 0 and span["end"] == span["start"]
            parts = urlsplit(uri)
            place = Path(unquote(parts.path)) if parts.scheme == "file" else None
        except (TypeError, KeyError, AttributeError, ValueError):
            return None
        inside = None
        if place is not None:
            with suppress(ValueError):
                inside = place.relative_to(self.root).as_posix()
        return Location(inside, line + 1, column, is_module)


def hover_type(answer: Any) -> str:
    """Returns the first line or lines of a hover: the type or the signature, without its text."""
    contents = answer.get("contents") if isinstance(answer, dict) else None
    if isinstance(contents, list):
        contents = contents[0] if contents else None
    value = contents.get("value") if isinstance(contents, dict) else contents
    if not isinstance(value, str):
        return ""
    kept: list[str] = []
    for line in value.strip().removeprefix("```python").lstrip("\n").splitlines():
        if line.startswith(("---", "```")):
            break
        kept.append(line.strip())
    return " ".join(filter(None, kept))[:LONGEST_TYPE]


LONGEST_TYPE = 300
