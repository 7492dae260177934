"""Describes the command lines that usage texts tell to docopt.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product
from typing import Any

MOST = 40
"""Most lines of a usage, and ways to write one of them, that are looked at."""
REPEATED, OPTIONAL = "OneOrMore", frozenset({"Optional", "NotRequired"})
EVERY = frozenset({"AnyOptions", "OptionsShortcut"})
"""What stands for ``[options]``, all that the text describes."""
ENDING = frozenset({"help", "version"})
Word = tuple[Any, bool, bool]
"""What stands in a usage, whether it has to be given, and whether it may be repeated."""


def of_docopt(docopt: Any, text: str) -> dict[str, Any]:
    """Returns what a usage text declares, with the commands in it."""
    options = docopt.parse_defaults(text)
    usage = docopt.printable_usage(text)
    pattern = docopt.parse_pattern(docopt.formal_usage(usage), list(options))
    root = _command(text.strip().partition("\n")[0])
    for line in _lines(pattern, True, False)[:MOST]:
        level = root
        for node, needed, again in line:
            kind = type(node).__name__
            if kind == "Command" and needed and not again:
                level = level["commands"].setdefault(node.name, _command(""))
            elif kind in EVERY:
                for one in options:
                    _add(level, _option(one, text, False))
            elif kind == "Option":
                _add(level, _option(node, text, needed))
            else:
                _add(level, _positional(node, text, needed, again))
    return root


def _command(text: str) -> dict[str, Any]:
    return {"text": text, "arguments": [], "commands": {}}


def _lines(node: Any, needed: bool, again: bool) -> list[list[Word]]:
    """Returns the ways to write a part of a usage."""
    kind, inner = type(node).__name__, getattr(node, "children", None)
    if inner is None or kind in EVERY:
        return [[(node, needed, again)]]
    needed, again = needed and kind not in OPTIONAL, again or kind == REPEATED
    ways = [_lines(one, needed, again) for one in inner]
    if kind == "Either" and needed:
        return [line for some in ways for line in some]
    if not needed:
        return [[word for some in ways for line in some for word in line]]
    return [_joined(parts) for _, parts in zip(range(MOST), product(*ways), strict=False)]


def _joined(parts: Iterable[list[Word]]) -> list[Word]:
    return [word for part in parts for word in part]


def _add(level: dict[str, Any], argument: dict[str, Any]) -> None:
    """Adds an argument where it is not known; one that some lines do without need not be given."""
    known = [one["dest"] for one in level["arguments"]]
    if argument["dest"] not in known:
        level["arguments"].append(argument)


def _option(option: Any, text: str, needed: bool) -> dict[str, Any]:
    flags = [flag for flag in (option.short, option.long) if flag]
    told = re.search(rf"^[ \t]*(-\w,? +)?{re.escape(flags[-1])}([ =]\S+)?,?(.*)$", text, re.M)
    name = flags[-1].strip("-")
    return {
        "flags": flags,
        "dest": name,
        "nargs": "" if option.argcount else "0",
        "type": "",
        "choices": [],
        "required": needed and name not in ENDING,
        "help": told[3].strip() if told else "",
        "metavar": (told[2] or "").strip(" =<>.") if told and option.argcount else "",
        "ends": name in ENDING,
    }


def _positional(node: Any, text: str, needed: bool, again: bool) -> dict[str, Any]:
    """Returns an argument, or a command that need not be given."""
    is_command = type(node).__name__ == "Command"
    told = re.search(rf"^[ \t]*{re.escape(node.name)}[ \t]+(\S.*)$", text, re.MULTILINE)
    return {
        "flags": [],
        "dest": node.name.strip("<>").lower(),
        "nargs": ("+" if needed else "*") if again else ("" if needed else "?"),
        "type": "",
        "choices": [node.name] if is_command else [],
        "required": needed,
        "help": told[1] if told else "",
        "metavar": "",
        "ends": False,
    }
