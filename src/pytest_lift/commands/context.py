"""`pytest-lift context`: prints what a reader of one function has to know of the rest."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_lift.commands.project_option import add_project, named_project
from pytest_lift.context.function_context import FoundToken, FunctionContext
from pytest_lift.context.launch import chosen_launch
from pytest_lift.context.rendering import BUDGET, context_text, estimate
from pytest_lift.context.retriever import INSTALL, Retriever
from pytest_lift.errors import UsageError
from pytest_lift.project.discovery import find_program
from pytest_lift.project.option_values import StaticConfig, read_static_config
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.symbols import Symbol
from pytest_lift.text import printable
from pytest_lift.text.printable import redacted_data
from pytest_lift.text.wording import some

VERSION = 1
"""Version of the JSON format; it changes if a key changes its meaning or is removed."""
HOW = "name it as FILE::FUNCTION or FILE::CLASS::METHOD, the file as the project has it"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("function", metavar="FILE::FUNCTION", help="a function or Class::method")
    parser.add_argument(
        "--lsp",
        default=None,
        metavar="COMMAND",
        help="language server to ask, or off (default: ty server, if pytest-lift[lsp] is there)",
    )
    parser.add_argument(
        "--budget",
        type=int,
        default=BUDGET,
        metavar="TOKENS",
        help=f"tokens of definitions and uses together (default: {BUDGET})",
    )
    parser.add_argument(
        "--source",
        action="append",
        default=[],
        metavar="PKG_OR_DIR",
        help="the program (default: found as a lift finds it)",
    )
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="output format (default: text)",
    )
    add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Returns 0. Raises UsageError for a function that is not there."""
    here = named_project(options) or Path.cwd()
    config = read_static_config(here)
    program = find_program(config.root, source=options.source, here=here)
    source, symbol = _named(options.function, program, config.root)
    launch = chosen_launch(options.lsp)
    retriever = Retriever(launch)
    try:
        retriever.read(config.root, program, _tests(config))
        found = retriever.context(source, symbol)
        if found is None:
            raise UsageError(f"{symbol.name} is no function", where=options.function, todo=HOW)
        note = retriever.take_trouble() or ("" if launch or options.lsp else INSTALL)
        if options.format == "json":
            print(json.dumps(redacted_data(_data(found)), indent=1))
        else:
            text = context_text(found, retriever.files, options.budget)
            print(printable.lines("\n".join(_lines(found, text, note))))
    finally:
        retriever.close()
    return 0


def _lines(found: FunctionContext, text: str, note: str) -> Iterator[str]:
    yield f"{found.path}::{found.symbol.replace('.', '::')}, found by {found.by}"
    yield from ([note] if note else [])
    if found.found:
        yield from ["", "key tokens:"]
        width = max(len(one.token.text) for one in found.found)
        yield from (f"  {one.token.text:{width}}  {_told(one)}" for one in found.found)
    if text:
        yield from ["", *text.splitlines()]
    yield from ["", f"about {estimate(text)} tokens"]


def _told(one: FoundToken) -> str:
    where = some([f"{place.path}:{place.line}" for place in one.places], 2)
    if not one.places:
        where = "outside the program" if one.outside else "not found"
        where = "a module" if one.is_module else where
    inferred = ", by what callers pass" if one.inferred else ""
    return f"{one.why}  ->  {where}{inferred}"


def _data(found: FunctionContext) -> dict[str, Any]:
    return {
        "version": VERSION,
        "path": found.path,
        "symbol": found.symbol,
        "by": found.by,
        "tokens": [
            {
                "token": one.token.text,
                "role": one.token.role,
                "line": one.token.line,
                "why": one.why,
                "places": [{"path": place.path, "line": place.line} for place in one.places],
                "type": one.type,
                "outside": one.outside,
                "module": one.is_module,
                "inferred": one.inferred,
            }
            for one in found.found
        ],
        "uses": [
            {
                "path": use.place.path,
                "line": use.place.line,
                "inside": use.inside,
                "test": use.is_test,
            }
            for use in found.uses
        ],
    }


def _named(text: str, program: Program, root: Path) -> tuple[SourceFile, Symbol]:
    path, *parts = text.split("::")
    source = program.files.get(_relative(path, root)) or program.by_module.get(path)
    if source is None or not parts:
        what = f"{path} is no file of the program" if parts else "no function is named"
        raise UsageError(what, where=text, todo=HOW)
    if source.error:
        raise UsageError(f"it cannot be parsed: {source.error}", where=path, todo="mend it first")
    name = ".".join(parts)
    for symbol in source.symbols:
        if symbol.name == name and symbol.kind != "class":
            return source, symbol
    there = [symbol.name for symbol in source.symbols if symbol.kind != "class"]
    raise UsageError(
        f"it has no function {name}; there are: {some(there, 12)}", where=path, todo=HOW
    )


def _relative(path: str, root: Path) -> str:
    full = Path(path).absolute()
    inside = full.is_file() and full.is_relative_to(root)
    return full.relative_to(root).as_posix() if inside else Path(path).as_posix()


def _tests(config: StaticConfig) -> dict[str, str]:
    """Returns the test files with their texts left out: nothing changes while a command runs."""
    paths = (path.relative_to(config.root).as_posix() for path in config.root.rglob("*.py"))
    return {path: "" for path in paths if config.is_test_path(path)}
