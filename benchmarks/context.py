"""`make bench-context`: the context of every function of two packages, by language server.

Black 24.1.0 and Tornado 6.4 from PyPI, all functions longer than ten lines, nested ones too: how
long it takes to find the context of one, how many key tokens have a definition anywhere (or are
modules), how large the text is. Then each function of Black again with its annotations taken off in
a buffer: how many attributes of its parameters lead to the same definitions as before, by what
callers pass.

Key tokens are those of LspRag (what guards a branch or feeds a guard, types, results); calls, which
are retrieved too, are counted apart. Tokens of text are characters / 4.

    make bench-context
    make bench-context ARGS="--lsp 'basedpyright-langserver --stdio'"    # another server
    make bench-context ARGS="--lsp off"                                 # names alone
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean, median
from typing import Any

from sdists import KEPT, fetched

from pytest_lift.context.definitions import definitions, function_at
from pytest_lift.context.function_context import FunctionContext
from pytest_lift.context.launch import chosen_launch
from pytest_lift.context.rendering import context_text, estimate
from pytest_lift.context.retriever import Retriever
from pytest_lift.project.discovery import find_program
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.symbols import Symbol
from pytest_lift.source.syntax import FunctionNode, split_lines

PACKAGES = {"black": "black==24.1.0", "tornado": "tornado==6.4"}
ENVIRONMENT = "black[colorama,d,jupyter]==24.1.0"
"""What is installed beside the packages, for the libraries that they import."""
LONGER_THAN = 10
EXAMPLE = ("src/black/brackets.py", "is_split_before_delimiter")
"""The motivating example of LspRag."""


@dataclass
class Measured:
    """Figures of one package."""

    name: str
    ms: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    prompts: list[int] = field(default_factory=list)
    tokens: Counter[str] = field(default_factory=Counter)
    resolved: Counter[str] = field(default_factory=Counter)
    example: tuple[int, int] = (0, 0)
    """Key tokens of the example, and those with exactly one definition."""

    def add(self, found: FunctionContext, source: SourceFile, symbol: Symbol, text: str) -> None:
        self.sizes.append(estimate(text))
        lines = split_lines(source.text)[symbol.line - 1 : symbol.end_line]
        self.prompts.append(estimate("".join(lines)) + self.sizes[-1])
        for one in found.found:
            kind = "call" if one.token.role == "call" else "key"
            self.tokens[kind] += 1
            self.resolved[kind] += one.resolved
        if (source.path, symbol.name) == EXAMPLE:
            key = [one for one in found.found if one.token.role != "call"]
            single = [one for one in key if one.resolved and len(one.places) <= 1]
            self.example = len(key), len(single)

    @property
    def figures(self) -> dict[str, Any]:
        return {
            "functions": len(self.ms),
            "first_ms": round(self.ms[0]),
            "p50_ms": round(median(self.ms), 1),
            "p95_ms": round(percentile(self.ms, 0.95), 1),
            "seconds": round(sum(self.ms) / 1000, 1),
            "key_tokens": self.tokens["key"],
            "resolved_percent": percent(self.resolved["key"], self.tokens["key"]),
            "calls": self.tokens["call"],
            "resolved_calls_percent": percent(self.resolved["call"], self.tokens["call"]),
            "context_mean": round(mean(self.sizes)),
            "context_p95": percentile(self.sizes, 0.95),
            "prompt_mean": round(mean(self.prompts)),
        }


def percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0


def percentile(values: list[Any], share: float) -> Any:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def environment(folder: Path) -> Path:
    """The interpreter of a new environment with the libraries of the packages."""
    subprocess.run(
        [sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, env=KEPT
    )
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q"]
    subprocess.run([*pip, ENVIRONMENT], check=True, env=KEPT, capture_output=True)
    return python


def functions(program: Program) -> Iterator[tuple[SourceFile, Symbol]]:
    """Yields the functions that are long enough; nested ones are no symbols of a program."""
    for source in program.files.values():
        known = {(one.name, one.line): one for one in source.symbols}
        for many in definitions(source).values():
            for one in many:
                if one.kind == "function" and one.end_line - one.node.lineno + 1 > LONGER_THAN:
                    nested = Symbol(one.symbol, "function", one.line, one.end_line, "")
                    yield source, known.get((one.symbol, one.line), nested)


def measured(name: str, root: Path, retriever: Retriever) -> Measured:
    program = find_program(root)
    tests = {p.relative_to(root).as_posix(): "" for p in root.glob("**/test*/**/*.py")}
    retriever.read(root, program, tests)
    told = Measured(name)
    for source, symbol in functions(program):
        started = time.perf_counter()
        found = retriever.context(source, symbol)
        told.ms.append(1000 * (time.perf_counter() - started))
        if found is not None:
            told.add(found, source, symbol, context_text(found, retriever.files))
    return told


def untyped(retriever: Retriever, program: Program) -> dict[str, Any]:
    """How many attributes of parameters are found without the annotations of their function."""
    wanted = recovered = wrong = 0
    ms: list[float] = []
    for source, symbol in functions(program):
        function = function_at(source, symbol.line)
        typed = retriever.context(source, symbol)
        assert function is not None
        assert typed is not None
        names = {arg.arg for arg in arguments(function) if arg.annotation is not None}
        before = {
            one.token.text: {*one.places}
            for one in typed.found
            if one.places and one.token.role != "type"
            if one.token.text.partition(".")[0] in names and "." in one.token.text
        }
        if not before:
            continue
        bare = replace(source, text=without_annotations(source, function))
        started = time.perf_counter()
        found = retriever.unsaved_context(bare, symbol)
        ms.append(1000 * (time.perf_counter() - started))
        after = {one.token.text: {*one.places} for one in found.found} if found else {}
        wanted += len(before)
        recovered += sum(after.get(text) == places for text, places in before.items())
        wrong += sum(bool(after.get(text, set()) - places) for text, places in before.items())
    return {
        "attributes": wanted,
        "recovered": recovered,
        "recovered_percent": percent(recovered, wanted),
        "elsewhere": wrong,
        "p50_ms": round(median(ms), 1),
    }


def arguments(function: FunctionNode) -> list[Any]:
    args = function.args
    return [*args.posonlyargs, *args.args, *args.kwonlyargs]


def without_annotations(source: SourceFile, function: FunctionNode) -> str:
    """The text of a file with the annotations of one function's parameters blanked out."""
    lines = [line.encode() for line in split_lines(source.text)]
    for arg in arguments(function):
        if arg.annotation is None:
            continue
        first, begin = arg.lineno, arg.col_offset + len(arg.arg.encode())
        last, end = arg.annotation.end_lineno, arg.annotation.end_col_offset
        for number in range(first, last + 1):
            line = lines[number - 1]
            start = begin if number == first else 0
            stop = end if number == last else len(line.rstrip(b"\r\n"))
            lines[number - 1] = line[:start] + b" " * (stop - start) + line[stop:]
    return b"".join(lines).decode()


def memory(retriever: Retriever) -> float:
    """Megabytes that the server had at most."""
    if retriever.server is None or retriever.server.pid is None:
        return 0.0
    status = Path(f"/proc/{retriever.server.pid}/status").read_text("utf-8")
    return round(int(status.partition("VmHWM:")[2].split()[0]) / 1024, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lsp", default=None, metavar="COMMAND")
    options = parser.parse_args()
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        python = environment(Path(folder, "env"))
        for name, package in PACKAGES.items():
            (Path(folder) / name).mkdir()
            root = fetched(package, Path(folder) / name)
            retriever = Retriever(chosen_launch(options.lsp, python), math.inf)
            told = measured(name, root, retriever)
            figures[name] = told.figures
            figures["server"] = retriever.server.name if retriever.server else "names"
            if name == "black":
                figures["example_tokens"], figures["example_single"] = told.example
                if retriever.server is not None:
                    figures["untyped"] = untyped(retriever, retriever.files.program)
            figures[name]["memory_mb"] = memory(retriever)
            print(f"{name} ({len(told.ms)} functions, {figures['server']})")
            for key, value in figures[name].items():
                print(f"  {key:24} {value}")
            if trouble := retriever.take_trouble():
                print(f"  {trouble}")
            retriever.close()
    print(f"  untyped, Black: {figures.get('untyped')}")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
