"""Notes the command lines that programs declare, and describes the parsers of argparse and optparse
and the commands of click and typer.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType
from typing import Any

DEEPEST = 3
MOST = 60
"""Most arguments of one parser, subcommands of one command and choices of one argument."""
LIBRARIES = frozenset({"click", "typer", "rich_click", "asyncclick", "cloup"})
FLAGS = frozenset({"store_true", "store_false", "store_const", "append_const", "count", "callback"})
"""Actions of optparse, and of a declared type none, that take no value."""


class ParserWatch:
    """Notes what the parsers of argparse and optparse, the commands of click and the usages of
    docopt declare when they read a command line.

    A program may read it in steps, each with more arguments: what declares most of them counts.
    """

    def __init__(self, of_docopt: Callable[[Any, str], Any]) -> None:
        self.of_docopt = of_docopt
        self.declared: dict[str, Any] = {}
        """Symbol of a case that ran -> the command line read in it of which not all was told."""
        self.known: dict[str, int] = {}
        """Symbol -> number of arguments of the largest command line that was read."""
        self.symbol = ""
        self._inside = False
        self._wrapped: list[Any] = []

    def install(self) -> None:
        """Begins to watch the parsers that the program has imported."""
        for module, owner, name, describe in (
            ("argparse", "ArgumentParser", "parse_known_args", of_argparse),
            ("argparse", "ArgumentParser", "parse_intermixed_args", of_argparse),
            ("optparse", "OptionParser", "parse_args", of_optparse),
        ):
            if module in sys.modules:
                self._wrap(getattr(sys.modules[module], owner), name, describe)
        for module in [name for name in sys.modules if name.endswith("click.core")]:
            if hasattr(command := getattr(sys.modules[module], "Command", None), "make_context"):
                self._wrap(command, "make_context", of_click)
        if (docopt := sys.modules.get("docopt")) is not None and hasattr(docopt, "parse_defaults"):
            self._wrap(docopt, "parse_defaults", partial(self.of_docopt, docopt))

    def _wrap(self, owner: Any, name: str, describe: Callable[[Any], Any]) -> None:
        original = getattr(owner, name)
        if original in self._wrapped:
            return

        def watched(parser: Any, *args: Any, **more: Any) -> Any:
            if self._inside or not self.symbol:
                return original(parser, *args, **more)
            self._inside = True
            try:
                with contextlib.suppress(Exception):  # whatever a case took for a parser
                    if (size := _size(parser)) > self.known.get(self.symbol, -1):
                        self.declared[self.symbol] = describe(parser)
                        self.known[self.symbol] = size
                return original(parser, *args, **more)
            finally:
                self._inside = False

        self._wrapped.append(watched)
        setattr(owner, name, watched)

    def tell(self, journal: Any) -> None:
        """Writes down the command lines that were not told before."""
        for symbol, line in self.declared.items():
            journal.write(json.dumps({"case": -3, "symbol": symbol, "line": line}) + "\n")
        self.declared = {}


def _size(parser: Any) -> int:
    """Returns how many arguments a parser, a command or a usage text declares, about."""
    for name in ("_actions", "option_list", "params"):
        if (declared := getattr(parser, name, None)) is not None:
            return len(declared)
    return len(parser)


def _argument(**told: Any) -> dict[str, Any]:
    usual = {"flags": [], "nargs": "", "type": "", "choices": [], "required": False, "help": ""}
    return {**usual, **told}


def of_argparse(parser: Any, depth: int = 0) -> dict[str, Any]:
    """Returns what a parser of argparse declares, and its subcommands."""
    arguments, commands = [], {}
    for action in list(parser._actions)[:MOST]:
        kind = type(action).__name__
        if kind == "_SubParsersAction":
            if depth < DEEPEST:
                pairs = list(action.choices.items())[:MOST]
                commands = {str(name): of_argparse(sub, depth + 1) for name, sub in pairs}
            continue
        arguments.append(
            _argument(
                flags=list(action.option_strings),
                dest=_text(action.dest),
                nargs=_count(action.nargs),
                type=_type(action.type),
                choices=_texts(action.choices),
                required=bool(action.required),
                help=_text(action.help),
                metavar=_text(action.metavar),
                ends=kind in ("_HelpAction", "_VersionAction"),
            )
        )
    return {"text": _text(parser.description), "arguments": arguments, "commands": commands}


def of_optparse(parser: Any) -> dict[str, Any]:
    """Returns what a parser of optparse declares; its usage may name what else it reads."""
    options = [*parser.option_list, *(o for g in parser.option_groups for o in g.option_list)]
    arguments = [
        _argument(
            flags=[*option._short_opts, *option._long_opts],
            dest=_text(option.dest),
            nargs="0" if option.action in ("help", "version", *FLAGS) and not option.type else "",
            type=_text(option.type),
            choices=_texts(option.choices),
            help=_text(option.help),
            metavar=_text(option.metavar),
            ends=option.action in ("help", "version"),
        )
        for option in options[:MOST]
    ]
    rest = _argument(dest="args", nargs="*", help=_text(parser.usage))
    return {"text": _text(parser.description), "arguments": [*arguments, rest], "commands": {}}


def of_click(command: Any, depth: int = 0) -> dict[str, Any]:
    """Returns what a command of click or typer declares, and its subcommands."""
    arguments = [_of_parameter(one) for one in list(command.params)[:MOST]]
    inner = getattr(command, "commands", None)
    pairs = list(inner.items())[:MOST] if isinstance(inner, dict) and depth < DEEPEST else []
    return {
        "text": _text(getattr(command, "help", "")).split("\n\n")[0],
        "arguments": [a for a in arguments if not any("-completion" in f for f in a["flags"])],
        "commands": {str(name): of_click(sub, depth + 1) for name, sub in pairs},
    }


def _of_parameter(parameter: Any) -> dict[str, Any]:
    words = [*parameter.opts, *getattr(parameter, "secondary_opts", ())]
    flags = [word for word in words if word[:1] in ("-", "/", "+")]
    takes_none = getattr(parameter, "is_flag", False) or getattr(parameter, "count", False)
    nargs = parameter.nargs
    count = "0" if flags and takes_none else "*" if nargs == -1 else _count(nargs)
    if getattr(parameter, "multiple", False) and count == "1":
        count = ""
    kind = getattr(parameter, "type", None)
    hint = getattr(getattr(parameter, "type_descriptor", None), "annotation", None)
    choices = getattr(kind, "choices", None)
    if choices is None and isinstance(hint, type) and hasattr(hint, "__members__"):
        choices = hint
    named = getattr(kind, "name", "") or getattr(hint, "__name__", "")
    return _argument(
        flags=flags,
        dest=_text(parameter.name),
        nargs="" if count == "1" else count,
        type=_text(named),
        choices=_texts(choices),
        required=bool(parameter.required),
        help=_text(getattr(parameter, "help", "")),
        metavar=_text(getattr(parameter, "metavar", "")),
        ends=parameter.name in ("help", "version"),
    )


def commands_of(module: ModuleType) -> Iterator[tuple[str, str, dict[str, Any], bool]]:
    """Yields (name, library, command line, whether another one runs it) of the commands of click
    and typer in a module."""
    found: dict[str, tuple[str, Any]] = {}
    for name, value in list(vars(module).items()):
        tops = {str(kind.__module__).partition(".")[0] for kind in type(value).__mro__}
        try:
            if hasattr(type(value), "make_context") and tops & LIBRARIES:
                found[name] = ("typer" if "typer" in tops else "click", value)
            elif type(value).__name__ == "Typer" and "typer" in tops:
                found[name] = ("typer", sys.modules["typer.main"].get_command(value))
        except Exception:
            continue
    inner = {id(one) for _, command in found.values() for one in _inner(command, 0)}
    for name, (library, command) in found.items():
        yield name, library, of_click(command), id(command) in inner


def _inner(command: Any, depth: int) -> Iterator[Any]:
    """Yields the subcommands of a command of click, and theirs."""
    commands = getattr(command, "commands", None)
    if isinstance(commands, dict) and depth < DEEPEST:
        for one in commands.values():
            yield one
            yield from _inner(one, depth + 1)


def _count(value: Any) -> str:
    """Returns how many words an argument takes: ``""`` for one, else a number or a sign."""
    return "" if value is None else str(value)


def _type(value: Any) -> str:
    if value is None:
        return ""
    return str(getattr(value, "__name__", None) or type(value).__name__)[:MOST]


def _texts(values: Any) -> list[str]:
    """Returns choices as they are typed; those of an enumeration by their values."""
    try:
        return [str(getattr(value, "value", value)) for value in list(values or ())[:MOST]]
    except Exception:
        return []


def _text(value: Any) -> str:
    return value[:400] if isinstance(value, str) else ""
