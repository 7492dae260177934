"""Valid inputs made hostile: by bytes, by structure, and on disk."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

Text = Callable[[Random], str]

TOKENS = [
    *(b"\0", b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\r\n", b"\xe2\x80\xa8", b"\x1b[2J", b"\x85"),
    *(b"---\n", b"\n---\n", b"...\n", b"```\n", b"'", b'"', b": ", b"- ", b"? ", b"#", b"\t", b"|"),
    *(b"&a ", b"*a ", b"<<: ", b"!!int ", b"!!float ", b"!!bool ", b"!!timestamp ", b"!!binary "),
    *(b"!!python/object/apply:os.system [id]", b"!!set ", b"!!omap ", b"!x!y ", b"%YAML 9.9\n"),
    *(b"null", b"true", b"1e999", b"-1", b"9" * 5000, b"0x", b"NaN", b"-Infinity", b".inf"),
    *(b"{", b"}", b"[", b"]", b",", b"[" * 3000, b"{a: " * 3000, b'{"a":' * 3000, b"\\ud800"),
    *(b"../", b"../../..", b"/etc/passwd", b"~", b"file:///", b"A" * 5_000, b"verdict: FINAL"),
]
HOSTILE: list[Any] = [
    *(None, True, False, 0, -1, 2**31, 10**30, 1.5, 1e300, float("inf"), float("nan"), ""),
    *("x", "\0", "\x1b[31m", "\ud800", "a\nb", "../../decoy/a.py", "/etc/passwd", "..", ".", "/"),
    *("tests/../../decoy/a.py", "tests\0.py", "1", "²", "A" * 5_000, "a/" * 3000, "\u202e"),
    *([], {}, [[]], [None], {"": None}, {"a": {"b": {"c": []}}}, ["x", 1], [1, 2], [[1, 2, 3]]),
]


def mutated(data: bytes, random: Random) -> bytes:
    """`data` with a few small accidents, or one that is not small."""
    for _ in range(random.choice((1, 1, 1, 2, 3, 8))):
        at = random.randrange(len(data) + 1)
        to = min(len(data), at + random.choice((0, 1, 1, 2, 8, 40)))
        match random.randrange(7):
            case 0:
                data = data[:at] + bytes([random.randrange(256)]) + data[to:]
            case 1:
                data = data[:at] + data[to:]
            case 2:
                data = data[:at] + data[at:to] * random.choice((2, 3, 50)) + data[to:]
            case 3 | 4:
                data = data[:at] + random.choice(TOKENS) + data[to:]
            case 5:
                other = random.randrange(len(data) + 1)
                data = data[:at] + data[other : other + 40] + data[at:]
            case 6 if random.random() < 0.2:
                data = data[:at]
    return data


def mutated_data(data: Any, random: Random) -> Any:
    """JSON-able `data` with a few of its values exchanged, removed, added or renamed."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        places = [*_places(data)]
        if not places:
            return deepcopy(random.choice(HOSTILE))
        holder, key = random.choice(places)
        match random.randrange(6):
            case 0 | 1 | 2:
                holder[key] = deepcopy(random.choice(HOSTILE))
            case 3:
                del holder[key]
            case 4:
                holder[key] = _wrapped(holder[key], random)
            case 5 if isinstance(holder, dict):
                holder[str(random.choice(HOSTILE))] = _copy(holder[key])
            case _:
                other, name = random.choice(places)
                with contextlib.suppress(LookupError):
                    holder[key] = _copy(other[name])
    return data


def as_bytes(data: Any, random: Random) -> bytes:
    """As JSON, at times with accidents in the text itself."""
    text = json.dumps(data).encode("ascii")
    return mutated(text, random) if random.random() < 0.25 else text


def _places(data: Any) -> Any:
    stack = [data]
    while stack:
        holder = stack.pop()
        keys: Sequence[Any] = []
        if isinstance(holder, dict):
            keys = [*holder]
        elif isinstance(holder, list):
            keys = range(len(holder))
        for key in keys:
            yield holder, key
            stack.append(holder[key])


def _wrapped(value: Any, random: Random) -> Any:
    value = _copy(value)
    return random.choice(([value], {"a": value}, [value] * 50, str(value)[:1000]))


def _copy(value: Any) -> Any:
    return json.loads(json.dumps(value))


def yaml_bomb(random: Random) -> bytes:
    """Documents that are small as text and large, deep or odd as data."""
    depth = random.randrange(5, 40)
    match random.randrange(7):
        case 0:
            rows = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, depth)]
            return "\n".join(["a0: &a0 [x, x]", *rows]).encode()
        case 1:
            rows = [f"a{n}: &a{n} {{<<: *a{n - 1}, k{n}: 1}}" for n in range(1, depth)]
            return "\n".join(["a0: &a0 {x: y}", *rows]).encode()
        case 2:
            return random.choice((b"[", b"{a: ", b"- ", b"? ", b"!!seq [")) * 40_000
        case 3:
            return b"a: &a [*a]\nb: &b {<<: *b}\n"
        case 4:
            return (
                b"s:\n - {id: A, title: t, description: " + b"d" * 3_000_000 + b", acceptance: a}"
            )
        case 5:
            return b"\n".join(b"k%d: &x%d v" % (n, n) for n in range(20_000))
        case _:
            return b"--- a\n" * 20_000


def put(
    place: Path, data: bytes, random: Random, decoy: Path, *, odd: float = 0.0, kinds: int = 8
) -> None:
    """Write `data`, or with the chance `odd` something else than a file: links out of the folder,
    to a device and to itself, a pipe, a folder, a hole of 1 TiB, and (with 8 `kinds`) another
    name of the decoy's file."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if random.random() >= odd:
        place.write_bytes(data)
        return
    match random.randrange(kinds):
        case 0:
            place.symlink_to(decoy / "secret.txt")
        case 1:
            place.symlink_to(decoy)
        case 2:
            place.symlink_to(place.name)
        case 3:
            os.mkfifo(place)
        case 4:
            place.mkdir()
            (place / "inner").write_bytes(data)
        case 7:
            os.link(decoy / "secret.txt", place)
        case 6:
            with place.open("wb") as file:
                file.truncate(2**40)
        case 5:
            place.symlink_to("/dev/zero")
