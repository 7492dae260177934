"""Outcomes of the steps of a case: exceptions in words, what there is to assert, why it failed.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import contextlib
import json
import opcode
import os
import re
import sys
import time
from functools import lru_cache
from itertools import takewhile
from types import TracebackType
from typing import Any

from .describing.describe import FUNCTIONS
from .describing.objects import module_of
from .refused import refused_by

RAISE = bytes([opcode.opmap["RAISE_VARARGS"]])
"""Instruction of a ``raise`` statement."""
PRINTED = 2000
"""Most characters that are told of what was printed."""
PLACE = re.compile(r" at 0x[0-9a-f]+>")
"""Place of an object, as Python describes those that do not describe themselves."""
RESULT = "result"
"""Variable of what a command returned."""
REASONS = 3
"""Most different reasons that are told of one symbol."""
TELLING = 6
"""Fewest characters of a message whose repetition in another message is no coincidence."""

LEADS = 4
"""Most functions and objects that one symbol makes that are told, without a test for them."""
ANSWERS = 3
"""Most calls of one symbol that are told for nothing but that they return something."""
NO_THREAD, CAUSES = "can't start new thread", 10
"""Message of the error of a thread for which there is no room, and most errors that are looked at
of those for which another one was raised."""
CONDITIONS = ("True", "False")
"""Answers of functions that tell whether something holds."""
CALLED = re.compile(r"(\w+)\(")
"""Names that a step calls."""
PLAIN = frozenset({type(None), bool, int, float, str, bytes, list, tuple, dict, set})
"""Types of results on which nothing can be called that the program defines."""
NOTHING = "nothing to assert"
EMPTY = ("''", "b''", "[]", "()", "{}")
"""What is read of what collects, where nothing was written to it."""
HANGS = 4
"""Cases of a symbol, beyond those that end, that take too long before no more of it are tried."""
WAITED, SHARE_WAITED = 1.0, 0.07
"""Seconds, and share of the time of a process, that cases which take too long may use up before one
such case of a symbol is enough and calls get less time."""
SPENT, SHARE_SPENT, FEW = 1.0, 0.06, 4
"""Seconds, and share of the time of a process, that the cases of one symbol may take; more where
there are only a few symbols."""
OF_CASES = "<case>"
"""File of the code of cases."""
FULL, SHORT = 1.0, 0.2
"""How much of the usual time a call gets until then, and afterwards."""


def raised(
    error: BaseException, raising: dict[str, frozenset[int]], watching: str
) -> dict[str, Any]:
    """Returns what is told of an exception; `raising` are the lines of `raise` statements by file,
    `watching` is a file whose frames are not the program's. What a function raises that a case
    hands on is meant to be, too."""
    last = _last(error.__traceback__)
    code = last.tb_frame.f_code if last is not None else None
    inside = False
    if code is not None and code.co_filename in (watching, OF_CASES):
        last, inside = _of_program(error.__traceback__, watching)
        code = last.tb_frame.f_code if last is not None else None
    file, line = (code.co_filename, last.tb_lineno) if last and code else ("", 0)
    meant = line in raising.get(_real(file), ()) or (file == OF_CASES and inside)
    space = last.tb_frame.f_globals if last is not None and not inside else {}
    refusing = refused_by(error, space, raising) if file == OF_CASES else None
    if refusing is not None:
        file, line = refusing.co_filename, refusing.co_firstlineno
    # A module that runs as a script defines its classes anew: no test can import these.
    named = module_of(type(error)) != "__main__"
    message = message_of(error)
    cause = error.__cause__ or error.__context__
    known = message_of(cause) if cause is not None else ""
    return {
        "type": type(error).__qualname__,
        "module": module_of(type(error)),
        "message": message,
        "file": file,
        "line": line,
        "explicit": (meant and named and is_raised(last))
        or refusing is not None
        or isinstance(error, SystemExit),
        "repeats": len(known) >= TELLING and known in message,
        "varies": False,
    }


def _last(frame: TracebackType | None) -> TracebackType | None:
    """Returns where an exception was raised. Only this one is asked for its code: that is an event
    each time, which is heard."""
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    return frame


def _of_program(frame: TracebackType | None, watching: str) -> tuple[TracebackType | None, bool]:
    """Returns where an exception was raised that is not in the file `watching`: a look-up that
    fails is the program's; and whether something that the case called was on the way there."""
    last, begun, inside = None, False, False
    while frame is not None:
        name = frame.tb_frame.f_code.co_filename
        if name != watching:
            last = frame
            begun, inside = begun or name == OF_CASES, inside or (begun and name != OF_CASES)
        frame = frame.tb_next
    return last, inside


def is_raised(last: TracebackType | None) -> bool:
    """Whether an exception whose traceback ends there was raised by a statement, and not while the
    exception of one was made: ``raise Unknown(kind.__name__)`` where the kind has no name."""
    if last is None:
        return False
    raising = last.tb_frame.f_code.co_code[last.tb_lasti : last.tb_lasti + 2]
    return raising[:1] == RAISE and raising[1:] != b"\0"


def lacks_room(error: BaseException | None) -> bool:
    """Whether a case failed since it may take no more memory, of which a test has more: that, or
    what the program made of it. It may raise a `MemoryError` of its own."""
    for _ in range(CAUSES):
        if error is None:
            return False
        if isinstance(error, MemoryError) and not is_raised(_last(error.__traceback__)):
            return True
        if type(error) is RuntimeError and message_of(error) == NO_THREAD:
            return True
        error = error.__cause__ or error.__context__
    return False


def said(printed: Any, start: int) -> str:
    """Returns what was printed since `start`; "" where it tells the place of an object, which is
    another one in each run."""
    text = str(printed.getvalue()[start : start + PRINTED])
    return "" if PLACE.search(text) else text


def complaints(start: int = 0) -> str:
    """Returns what a case wrote to its standard error since `start`; "" where the program put
    something else in its place."""
    with contextlib.suppress(Exception):
        stream: Any = sys.stderr
        return str(stream.getvalue()[start:])
    return ""


def said_at_the_end(
    error: BaseException, printed: Any, start: int, complained: int
) -> dict[str, str]:
    """Returns what a program that ended itself wrote to its standard streams, to the first since
    `start`, to that of errors since `complained`."""
    if not isinstance(error, SystemExit):
        return {}
    return {"printed": said(printed, start), "complained": complaints(complained)[-PRINTED:]}


def complaint(value: Any, complained: int) -> dict[str, str]:
    """Returns what a call that gives a whole number, as an exit code is one, wrote to its standard
    error since `complained`; nothing of one that gives 0 or anything else."""
    text = complaints(complained)[-PRINTED:] if type(value) is int and value else ""
    return {"complained": text} if text else {}


def raise_crash(space: dict[str, Any]) -> None:
    """Raises the exception of a command that crashed, which its result has."""
    crash = getattr(space.get(RESULT), "exception", None)
    if isinstance(crash, BaseException) and not isinstance(crash, SystemExit):
        raise crash


@lru_cache(maxsize=1024)
def _real(file: str) -> str:
    return os.path.realpath(file)


def message_of(error: BaseException) -> str:
    """Returns the beginning of the message of an exception, "" where it has none."""
    try:
        return str(error)[:400]
    except Exception:
        return ""


def agree(outcomes: list[dict[str, Any]], others: list[dict[str, Any]]) -> bool:
    """Returns whether two runs of a case agree but for attributes and texts of objects and words of
    errors; those on which they do not are taken out of `outcomes`."""
    if len(outcomes) != len(others):
        return False
    varying = ("shown", "attributes", "text")
    for one, other in zip(outcomes, others, strict=True):
        one, other = _in_common(one, other)
        kept = [{k: v for k, v in each.items() if k not in varying} for each in (one, other)]
        if kept[0] != kept[1]:
            return False
        if one.get("text") != other.get("text"):
            one["text"] = None
        if one.get("attributes"):
            same = other.get("attributes") or []
            one["attributes"] = [pair for pair in one["attributes"] if pair in same]
    return True


def _in_common(one: dict[str, Any], other: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the outcomes of two runs, which raise errors that differ in their words, with those
    that both begin with, the only ones that `one` keeps; the words of what ends the process are its
    exit code."""
    known, again = one.get("raised"), other.get("raised")
    if not known or not again or known["type"] == "SystemExit":
        return one, other
    if known["varies"] or known["message"] != again["message"]:
        shared = shared_beginning(known["message"], again["message"])
        one["raised"] = {**known, "message": shared, "varies": True}
        other = {**other, "raised": {**again, "message": shared, "varies": True}}
    return one, other


def shared_beginning(message: str, other: str) -> str:
    """Returns the words with which two messages begin, and a blank after them: what follows is
    another text each time."""
    pairs = zip(message, other, strict=False)
    common = "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return common[: common.rfind(" ") + 1]


def accident(outcomes: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Returns the exception that the program did not raise by a statement of its own."""
    raised = (outcome.get("raised") for outcome in outcomes)
    return next((one for one in raised if one and not one["explicit"]), None)


def idle(aside: bool | str) -> tuple[str, ...]:
    """Returns what says nothing of an object that is looked at after a call: that it is as it
    began, or that nothing is in it."""
    if isinstance(aside, str):
        return ("None", aside)
    return ("None", *EMPTY) if aside else ("None",)


def usable(outcomes: list[dict[str, Any]], telling: bool = False) -> bool:
    if accident(outcomes) is not None:
        return False
    for outcome in outcomes:
        raised = outcome.get("raised")
        nothing = (None, *idle(outcome.get("aside", False)))
        said = outcome.get("source") not in nothing or outcome.get("attributes")
        said = said or outcome.get("absent")
        shown = outcome.get("text") or outcome.get("printed") or outcome.get("files")
        telling = telling or bool(raised or said or shown)
    return telling


def _waited_for(case: dict[str, Any]) -> str:
    """Returns what a case has in common with those that take as long: its symbol, and whether it
    sleeps."""
    return f"{case['symbol']} awake" if case["awake"] else str(case["symbol"])


class Patience:
    """How long calls are waited for, by how long earlier ones of the same symbol took."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.waited = 0.0
        """Seconds that cases which took too long have used up."""
        self.lost = 0.0
        """Those of them that ended processes before this one."""
        self.hangs: dict[str, int] = {}
        """Symbol -> how many more of its cases took too long than did not."""
        self.spent: dict[str, float] = {}
        """Symbol -> seconds that its cases took."""
        self.told: dict[str, float] = {}
        """What of these was told."""

    def resume(self, waited: float, elapsed: float, spent: dict[str, float]) -> None:
        """Counts the seconds that were lost to cases which ended earlier processes, and takes the
        seconds since the first process began for the time that has passed, and what cases `spent`
        in all processes for what they did in this one."""
        self.spent = dict(spent)
        self.told = dict(spent)
        self.waited += max(waited - self.lost, 0.0)
        self.lost = max(waited, self.lost)
        self.began = min(self.began, time.monotonic() - elapsed)

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.began

    @property
    def is_short(self) -> bool:
        return self.waited > WAITED + SHARE_WAITED * self.elapsed

    @property
    def share(self) -> float:
        """The part of the usual time that a call gets."""
        return SHORT if self.is_short else FULL

    def gives_up(self, case: dict[str, Any], symbols: int) -> bool:
        """Whether cases like this one, of one of so many symbols or those that were run before, are
        not worth the wait: too many of them took too long, or they have used up more than their
        share of the time."""
        symbol = _waited_for(case)
        hangs = self.hangs.get(symbol, 0)
        if hangs > 0 and (hangs >= HANGS or self.is_short):
            return True
        spent = self.spent.get(symbol, 0.0)
        share = max(SHARE_SPENT, FEW / max(symbols, len(self.spent)))
        return spent > SPENT and spent > share * self.elapsed

    def note(self, case: dict[str, Any], hung: bool, seconds: float) -> None:
        """Counts a case that took `seconds`."""
        symbol = _waited_for(case)
        self.waited += seconds if hung else 0.0
        self.spent[symbol] = self.spent.get(symbol, 0.0) + seconds
        self.hangs[symbol] = max(self.hangs.get(symbol, 0) + (1 if hung else -1), 0)

    def tell(self, journal: Any) -> None:
        """Writes down how long the cases of symbols took since the last time."""
        now = {symbol: all_ - self.told.get(symbol, 0.0) for symbol, all_ in self.spent.items()}
        told = {symbol: seconds for symbol, seconds in now.items() if seconds}
        journal.write(json.dumps({"case": -5, "spent": told}) + "\n")
        self.told = dict(self.spent)


class FailureLog:
    """Symbol -> why calls of it failed or were rejected -> how often; "" where they did not."""

    def __init__(self) -> None:
        self.reasons: dict[str, dict[str, int]] = {}

    def note(self, symbol: str, raised: dict[str, Any] | None, why: str, known: bool) -> None:
        """Counts why a case failed: the exception `raised` by accident, else `why`, "" where it did
        not; `known` is one that was counted so."""
        if raised is not None:
            if known:
                return
            why = f"{raised['type']}: {raised['message'][:120]}"
            if os.path.isabs(raised["file"]):
                why += f" ({os.path.basename(raised['file'])}:{raised['line']})"
        reasons = self.reasons.setdefault(symbol, {})
        reasons[why] = reasons.get(why, 0) + 1
        if known:
            reasons[""] = reasons.get("", 0) - 1

    def tell(self, journal: Any) -> None:
        """Writes down what was counted since the last time, since a crash loses what is not."""
        for symbol, reasons in self.reasons.items():
            fine = reasons.pop("", 0)
            often = sorted(reasons.items(), key=lambda pair: -pair[1])[:REASONS]
            told = {"case": -2, "symbol": symbol, "fine": fine, "why": often}
            journal.write(json.dumps(told) + "\n")
        self.reasons.clear()


def answer_key(symbol: str, source: str | None) -> str:
    """Returns by what answers of a symbol are counted: yes and no apart, since a test of a
    condition shows both."""
    return f"{symbol} {source}" if source in CONDITIONS else symbol


class Telling:
    """Counts what is told of each symbol for other reasons than what it reaches."""

    def __init__(self, answered: list[str]) -> None:
        self.answered = dict.fromkeys(answered, ANSWERS)
        """`answer_key` -> number of calls that returned something to assert and were told."""
        self.leads: dict[str, int] = {}
        """Symbol -> number of functions and objects that it made and that were told."""
        self.heard: dict[str, int] = {}
        """What a case calls -> number of such cases that were told for what callbacks got, or for
        the seconds that were waited."""

    def is_done(self, symbol: str, value: Any) -> bool:
        """Whether a result of a symbol is not told for itself: enough are."""
        if not self._answered(symbol, repr(value) if type(value) is bool else None):
            return False
        return type(value) in PLAIN or self.leads.get(symbol, 0) >= LEADS

    def answers(self, symbol: str, outcomes: list[dict[str, Any]]) -> bool:
        """Whether a case is among the first of its symbol whose last step returns something."""
        if not outcomes or self._answered(symbol, outcomes[-1].get("source")):
            return False
        return outcomes[-1].get("raised") is None and usable(outcomes[-1:])

    def hears(self, case: dict[str, Any], outcomes: list[dict[str, Any]]) -> bool:
        """Whether a case is among the first that call the same, of those in which callbacks get
        something, or some seconds are waited; notes it then."""
        if not outcomes or not outcomes[-1].get("aside") or not usable(outcomes[-1:]):
            return False
        lines = "\n".join(step[0] for step in case["steps"])
        calls = " ".join([case["symbol"], *sorted({*CALLED.findall(lines)})])
        self.heard[calls] = self.heard.get(calls, 0) + 1
        return self.heard[calls] <= ANSWERS

    def _answered(self, symbol: str, source: str | None) -> bool:
        """Whether enough answers of a symbol are told, or enough that are like one."""
        keys = symbol, answer_key(symbol, source)
        return any(self.answered.get(key, 0) >= ANSWERS for key in keys)

    def note_answer(self, symbol: str, source: str | None) -> None:
        """Counts an answer that is told."""
        key = answer_key(symbol, source)
        self.answered[key] = self.answered.get(key, 0) + 1

    def lead(
        self, symbol: str, outcomes: list[dict[str, Any]], state: str = ""
    ) -> dict[str, Any] | None:
        """Returns the record of a case that is no test, but makes a function or an object of the
        program, or leaves one in a new `state` that it does not show."""
        if not outcomes or outcomes[-1].get("raised"):
            return None
        last = outcomes[-1]
        made = last.get("type") in FUNCTIONS or "attributes" in last
        if made and self.leads.get(symbol, 0) < LEADS:
            self.leads[symbol] = self.leads.get(symbol, 0) + 1
        elif not state:
            return None
        return {"outcomes": outcomes, "rejected": NOTHING, "state": state}
