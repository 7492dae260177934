"""Calls that a search kept as lines of JSON, for a later search of the same functions.

Each line has the hash of the function that it is about; where that has changed, the line goes. What
is read may come from anybody: it is checked for its form, and is run in the jail like any call.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from keyword import iskeyword
from pathlib import PurePosixPath
from typing import Any

from pytest_lift.calls.call import Call
from pytest_lift.calls.case import SEEDING, SLEEPS, TELLS, WAITS
from pytest_lift.calls.child.isolation.connections import CONNECTS
from pytest_lift.calls.targets.target import CALLED, DEEPEST_FUNCTION, Target, function_of
from pytest_lift.source.hashes import of_functions
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import digest, parsed_expression

MOST_LINES = 4000
DEEPEST = 8
LONGEST = 2000
"""Characters of an expression, and of a text of a command line or a file."""
NEVER = frozenset(
    (
        *("breakpoint", "compile", "delattr", "eval", "exec", "exit", "globals", "help", "input"),
        *("locals", "open", "quit", "setattr", "vars"),
    )
)
"""Built-in names that no kept call uses."""
REPLACED = (SLEEPS, WAITS, TELLS, CONNECTS)
"""What the functions do that are replaced in a case."""
TEXTS = ("name", "subject", "bound", "raises", "closed")
FLAGS = ("folder", "home", "alone", "slept", "binary", "entered", "interrupted", "looped", "beside")


@dataclass(frozen=True)
class Recalled:
    """What earlier searches left."""

    calls: Sequence[Call] = ()
    banned: frozenset[str] = frozenset()
    """`Case.key` of cases that ended or blocked the process."""
    failures: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """`Target.key` -> why calls of it failed most often."""
    lines: Sequence[str] = ()
    """All lines that still hold, those about other parts of the program included."""


class Memory:
    """Reads and writes the lines about a program."""

    def __init__(self, program: Program, targets: Iterable[Target]) -> None:
        self.program = program
        self.targets = {target.key: target for target in targets}
        self._hashes: dict[str, Mapping[str, str]] = {}

    def recall(self, lines: Iterable[str]) -> Recalled:
        """Returns what the lines say of functions that are as they were."""
        calls, banned, valid = list[Call](), set[str](), dict[str, None]()
        failures: dict[str, Sequence[str]] = {}
        for line in lines:
            try:
                row = json.loads(line)
                if self._hash_of(row["path"], row["symbol"]) != row["hash"]:
                    continue
                if "call" in row:
                    if self._target(row["target"]) is not None:
                        calls.append(self._call(row["call"]))
                elif row["target"] in self.targets:
                    if "banned" in row:
                        banned.add(_text(row["banned"], 2 * LONGEST))
                    else:
                        failures[row["target"]] = [_text(why) for why in row["why"]]
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                continue
            valid[line] = None
        return Recalled(tuple(calls), frozenset(banned), failures, tuple(valid))

    def lines(
        self,
        recalled: Recalled,
        kept: Iterable[Call],
        banned: Iterable[tuple[Target, str]],
        failures: Mapping[str, Sequence[str]],
    ) -> list[str]:
        """Returns the lines for the next search: those that hold, and what was found."""
        found = dict.fromkeys(recalled.lines)
        for key, why in failures.items():
            if why and key in self.targets:
                found.pop(self._line(self.targets[key], why=recalled.failures.get(key)), None)
                found[self._line(self.targets[key], why=why)] = None
        for target, case in banned:
            found[self._line(target, banned=case)] = None
        for call in kept:
            found[self._line(call.target, call=_written(call))] = None
        return [line for line in found if line][-MOST_LINES:]

    def _line(self, target: Target, **said: Any) -> str:
        """Returns a line about a target, "" where the source does not have it."""
        known = self._hash_of(target.path, target.symbol)
        about = {"path": target.path, "symbol": target.symbol, "hash": known, "target": target.key}
        return json.dumps({**about, **said}) if known else ""

    def _hash_of(self, path: str, symbol: str) -> str:
        """Returns the hash of the function that calls of a symbol enter; of a class, that of its
        constructor, and the whole of it where it has none."""
        known = self._hashes_of(path)
        owner = symbol.rpartition(".")[0]
        names = (f"{symbol}.__init__", symbol, f"{owner}.__init__", owner)
        return next((known[name] for name in names if name in known), "")

    def _hashes_of(self, path: str) -> Mapping[str, str]:
        """Returns symbol -> hash of the functions and classes of a file; cached."""
        if path not in self._hashes:
            file, found = self.program.files.get(path), {}
            if file is not None:
                of_line, lines = of_functions(file.text), file.text.split("\n")
                found = {
                    one.name: of_line.get(one.line)
                    or digest("\n".join(lines[one.line - 1 : one.end_line]))
                    for one in file.symbols
                }
            self._hashes[path] = found
        return self._hashes[path]

    def _target(self, key: str) -> Target | None:
        """Returns a target by its key, also that for the functions which another one makes."""
        made = key.removesuffix(CALLED)
        if key in self.targets or made == key or key.count(CALLED) > DEEPEST_FUNCTION:
            return self.targets.get(key)
        maker = self._target(made)
        return None if maker is None else function_of(maker)

    def _call(self, raw: Mapping[str, Any], depth: int = 0) -> Call:
        """Reads a call; raises ValueError, TypeError or KeyError for what is none."""
        if depth > DEEPEST:
            raise ValueError
        target = self._target(raw["target"])
        if target is None:
            raise KeyError(raw["target"])
        known = {parameter.name for parameter in target.parameters}
        values = tuple((name, _expression(text)) for name, text in raw.get("values", ()))
        seeds = tuple(raw.get("seeds", ()))
        if not {name for name, _ in values} <= known or not set(seeds) <= SEEDING.keys():
            raise ValueError
        receiver = raw.get("receiver")
        files = {_place(name): _text(text) for name, text in raw.get("files", {}).items()}
        return Call(
            target,
            values,
            tuple(map(_expression, raw.get("extra", ()))),
            None if receiver is None else self._call(receiver, depth + 1),
            before=tuple(self._call(line, depth + 1) for line in raw.get("before", ())[:DEEPEST]),
            seeds=seeds,
            argv=tuple(map(_text, raw.get("argv", ()))),
            awake=tuple(map(_pause, raw.get("awake", ()))),
            stdin=_text(raw.get("stdin", "")),
            files=files,
        ).but(
            **{name: _name(raw.get(name, "")) for name in TEXTS},
            **{name: raw.get(name) is True for name in FLAGS},
        )


def _written(call: Call) -> dict[str, Any]:
    said: dict[str, Any] = {
        "values": call.values,
        "extra": call.extra,
        "seeds": call.seeds,
        "argv": call.argv,
        "awake": call.awake,
        "stdin": call.stdin,
        "files": dict(call.files),
        "before": [_written(line) for line in call.before],
        "receiver": None if call.receiver is None else _written(call.receiver),
        **{name: getattr(call, name) for name in (*TEXTS, *FLAGS)},
    }
    return {"target": call.target.key, **{name: value for name, value in said.items() if value}}


def _text(value: object, longest: int = LONGEST) -> str:
    if not isinstance(value, str) or len(value) > longest:
        raise TypeError("a text was expected")
    return value


def _path(value: object) -> str:
    """Reads the dotted name of something in a module."""
    path = _text(value)
    if not all(part.isidentifier() for part in path.split(".")):
        raise ValueError("the name of a function was expected")
    return path


def _pause(value: object) -> tuple[str, str]:
    """Reads a function by which a program waits, tells the time or connects, with what it does."""
    if not isinstance(value, list) or len(value) != 2 or value[1] not in REPLACED:
        raise ValueError("a function and what it does were expected")
    return _path(value[0]), value[1]


def _name(value: object) -> str:
    name = _text(value)
    if name and (not name.isidentifier() or iskeyword(name) or name.startswith("_")):
        raise ValueError("the name of a variable was expected")
    return name


def _place(value: object) -> str:
    path = PurePosixPath(_text(value))
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError("a file below the working directory was expected")
    return str(value)


def _expression(value: object) -> str:
    text = _text(value)
    tree = parsed_expression(text)
    if tree is None:
        raise ValueError("an expression was expected")
    for node in ast.walk(tree):
        name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
        if name in NEVER or "__" in name:
            raise ValueError("a plain expression was expected")
    return text
