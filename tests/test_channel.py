"""Events on a socket that only the recorder can have written; every other line is doubted."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator

import pytest

from pytest_lift.run.channel import KEY_BYTES, Event, SealedRecord, socket_sink


class Heard:
    """What a listener was told."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.doubts = 0

    def take(self, event: Event) -> None:
        self.events.append(event)

    def doubt(self) -> None:
        self.doubts += 1


class Wire:
    """Both ends of one record; `raw` writes past the recorder."""

    def __init__(self) -> None:
        self.heard = Heard()
        self.record = SealedRecord(self.heard)
        self.near, far = socket.socketpair()
        self.near.setblocking(False)
        self.record.read(self.near)
        self.raw = far.dup()
        self.sink: Callable[[Event], None] = socket_sink(far.detach())

    def read(self) -> Heard:
        self.record.read(self.near)
        return self.heard

    def sent(self) -> bytes:
        return self.near.recv(1 << 16)


@pytest.fixture
def wire() -> Iterator[Wire]:
    made = Wire()
    yield made
    made.near.close()
    made.raw.close()


def test_events_arrive_in_order(wire: Wire) -> None:
    for number in range(3):
        wire.sink({"event": "n", "number": number, "text": "é\n"})
    heard = wire.read()
    assert [event["number"] for event in heard.events] == [0, 1, 2]
    assert heard.events[0]["text"] == "é\n"
    assert heard.doubts == 0


def test_a_line_may_come_in_pieces(wire: Wire) -> None:
    wire.sink({"a": 1})
    line = wire.sent()
    wire.raw.send(line[:20])
    assert wire.read().events == []
    wire.raw.send(line[20:])
    assert wire.read().events == [{"a": 1}]


@pytest.mark.parametrize(
    "forge",
    [
        lambda line: line.replace(b'"a": 1', b'"a": 2'),
        lambda line: b"2" + line[1:],
        lambda line: b"x\n",
        lambda line: b'1 {"a": 1}\n',
        lambda line: b"\n",
    ],
)
def test_a_line_that_does_not_fit_is_doubted(wire: Wire, forge) -> None:  # type: ignore[no-untyped-def]
    wire.sink({"a": 1})
    wire.raw.send(forge(wire.sent()))
    heard = wire.read()
    assert (heard.events, heard.doubts) == ([], 1)


def test_a_line_counts_once(wire: Wire) -> None:
    wire.sink({"a": 1})
    line = wire.sent()
    wire.raw.send(line + line)
    heard = wire.read()
    assert (heard.events, heard.doubts) == ([{"a": 1}], 1)


def test_nothing_is_said_after_the_end(wire: Wire) -> None:
    wire.sink({"event": "finish"})
    wire.sink({"event": "more"})
    heard = wire.read()
    assert (heard.events, heard.doubts) == ([{"event": "finish"}], 1)


def test_what_is_sealed_and_no_event_is_doubted(wire: Wire) -> None:
    wire.sink([1])  # type: ignore[arg-type]
    assert wire.read().doubts == 1


def test_a_forked_child_writes_nothing(wire: Wire) -> None:
    child = os.fork()
    if not child:
        wire.sink({"from": "child"})
        os._exit(0)
    os.waitpid(child, 0)
    wire.sink({"from": "parent"})
    heard = wire.read()
    assert (heard.events, heard.doubts) == ([{"from": "parent"}], 0)


def test_where_nobody_listens_nothing_is_written(wire: Wire) -> None:
    wire.near.close()
    wire.sink({"a": 1})


def test_another_key_seals_otherwise() -> None:
    one, two = Wire(), Wire()
    one.sink({"a": 1})
    two.raw.send(one.sent())
    assert two.read().doubts == 1
    assert KEY_BYTES >= 32
    for wire in (one, two):
        wire.near.close()
        wire.raw.close()
