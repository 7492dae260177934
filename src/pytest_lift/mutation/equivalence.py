"""Survivors that no test will tell from the original, by a guess: what is changed is not observed.

Deciding it is impossible in general (Budd and Angluin 1982); a guess ranks a survivor last, it
never takes it out of the score.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pytest_lift.mutation.change import TokenChange, change_of, enclosing
from pytest_lift.mutation.mutants import NOTHING_OBSERVED, Mutant, Observed

LOGGING = ("log", "logger", "logging")
"""Names of what logs, whatever their case and however many underscores stand around them."""
LEVELS = ("debug", "info", "warning", "warn", "error", "exception", "critical", "log")
IMPORT_TIME = ("TYPE_CHECKING",)
STACKLEVEL = "stacklevel"
HELP = ("help", "description", "epilog", "usage", "metavar")
ENCODINGS = ("encode", "decode", "open", "encoding")


def likely_equivalent(mutant: Mutant, seen: Observed = NOTHING_OBSERVED) -> str:
    """Why it is guessed to make no difference that a test should see; empty where it may. `seen`
    is what calls show of it. Pure."""
    change = change_of(mutant)
    if _is_logging(mutant, change.line):
        return "it changes what is logged"
    return _only_words(change, seen) or ("" if seen.call else _no_difference(change))


def _only_words(change: TokenChange, seen: Observed) -> str:
    if _is_help(change):
        return "it changes a text of the command's help"
    if change.only_text and ("raise" in change.line or seen.raises_the_same):
        return "it changes the words of an error message"
    if _calls(change.line, ("warn",)) and (change.only_text or STACKLEVEL in change.line):
        return "it changes the words or the place of a warning"
    return ""


def _no_difference(change: TokenChange) -> str:
    if not change.old and not change.new:
        return "nothing but the layout differs"
    if _is_case_of_codec(change):
        return "names of encodings mean the same in either case"
    if any(name in change.line for name in IMPORT_TIME):
        return "it is never executed"
    if (change.old, change.new) == (("False",), ("None",)):
        return "None is as false as False"
    if _is_missing_default(change):
        return "a default takes the place of what is left out"
    return ""


def _is_logging(mutant: Mutant, line: Sequence[str]) -> bool:
    calls = [line[: place + 1] for place, token in enumerate(line) if token == "("]
    return any(map(_logs, (*calls, *enclosing(mutant))))


def _logs(head: Sequence[str]) -> bool:
    """A call that begins so."""
    if len(head) < 4 or head[-3] != "." or head[-2] not in LEVELS or head[-1] != "(":
        return False
    first = head[-4]
    return first.strip("_").lower() in LOGGING or (first == ")" and "getLogger" in head[-9:])


def _is_help(change: TokenChange) -> bool:
    """The value of a keyword that argparse, click and the like print, or the whole of it."""
    named = change.line[max(change.place - 2, 0) : change.place]
    if named[1:] == ("=",) and (change.only_text or change.new == ("None",)):
        return named[0] in HELP
    return change.old[:1] != () and change.old[0] in HELP and change.old[1:2] == ("=",)


def _calls(line: Sequence[str], names: Sequence[str]) -> bool:
    return any(a in names and b == "(" for a, b in pairwise(line))


def _is_case_of_codec(change: TokenChange) -> bool:
    """``"utf-8"`` and ``"UTF-8"``."""
    if not (change.only_text and len(change.old) == len(change.new) == 1):
        return False
    old, new = change.old[0], change.new[0]
    around = change.line[: change.place]
    return old.lower() == new.lower() and any(name in around for name in ENCODINGS)


def _is_missing_default(change: TokenChange) -> bool:
    """``get(key, None)`` without its None, and what like it changes nothing by definition."""
    if change.new or change.old[-1:] != ("None",) or "," not in (change.old[0], change.before):
        return False
    return _calls(change.line[: change.place], ("get",))
