"""Reads the command-line programs that blocks of documentation make of a library of such, with what
each needs, and the command lines that are shown for them."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property

from pytest_lift.agents.offline.examples.told.statements import (
    ToldStatement,
    needed,
    read_statement,
    root_of,
    unbound,
)
from pytest_lift.calls.names import BUILTINS, Resolver, free_names
from pytest_lift.calls.targets.target import TargetKind
from pytest_lift.source.bindings import bound_names, imports_in, is_future, is_import
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode, leaf
from pytest_lift.suite.layout.blocks import block

LONGEST = 1000
"""Most characters of what a program defines."""
WIDEST = 100
"""Most characters of a line of it in a test."""
COMMANDS = frozenset({"command", "group"})
"""Last parts of the names of decorators that make a command of a function."""
FORBIDDEN = frozenset({"open", "exit", "quit", "exec", "eval", "__import__", "__file__"})
SLOW = "sleep("
SHOWING = "invoke"
"""Function by which documents run a command: ``invoke(hello, args=["--count", "3"])``."""
WORD = re.compile(r"[\w-]{2,}")
DOC, USAGE = "__doc__", "usage"
"""The docstring of a script, and the variable that has it in a test."""


@dataclass(frozen=True)
class ShownProgram:
    """One program of a document."""

    name: str
    """Variable or function that is the program; "" for a call that reads the command line."""
    call: ast.Call | None
    """That call."""
    defined: tuple[str, ...]
    imports: tuple[str, ...]
    about: str
    """Last part of the name that makes it a program: ``command``, ``Typer``, ``Fire``."""
    shown: tuple[tuple[str, ...], ...] = ()

    @property
    def kind(self) -> TargetKind:
        return "main" if self.call is not None else "command"

    @cached_property
    def shows(self) -> set[str]:
        """What it shows of the library: attributes, options, types of parameters, and literals
        that options are given; of one that hands all to the library, every word."""
        if self.call is not None:
            return {*WORD.findall("\n".join(self.defined))}
        found: set[str] = set()
        for node in (one for source in self.defined for one in ast.walk(ast.parse(source))):
            if isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.keyword):
                plain = isinstance(node.value, ast.Constant) and not isinstance(
                    node.value.value, str
                )
                found.add(f"{node.arg}={ast.unparse(node.value) if plain else ''}")
            elif isinstance(node, ast.arg) and node.annotation is not None:
                found |= free_names(ast.unparse(node.annotation))
        return found


class ProgramReader:
    """Reads the programs in blocks of code."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self.program: Program = resolver.program
        self.top = next(iter(self.program.files), "")
        self.runner = self._runner_line()

    def _runner_line(self) -> str:
        """Returns the import line of the runner of commands; "" where the program has none."""
        for top in self.program.names:
            file = self.program.by_module.get(f"{top}.testing")
            if file is not None and any(one.name == "CliRunner" for one in file.symbols):
                return f"from {file.module} import CliRunner"
        tops = {one.top for file in self.program.files.values() for one in file.namespace_imports}
        return "from click.testing import CliRunner" if "click" in tops else ""

    def programs(self, nodes: Sequence[ast.stmt]) -> Iterator[ShownProgram]:
        """Yields the programs of a block: those of its commands that no other one runs, and the
        call of the program by which a script ends."""
        imports = {
            one.bound: one for one in imports_in(node for node in nodes if not is_future(node))
        }
        own = {name for name, one in imports.items() if one.top in self.program.names}
        own |= set(self.program.names)
        plain = [node for node in nodes if not is_import(node)]
        ending = [part for node in plain if _is_guard(node) for part in getattr(node, "body", ())]
        plain = [node for node in plain if not _is_guard(node)]
        doc = _docstring(plain)
        plain = [node for node in plain if doc is None or node is not plain[0]]
        plain = [node for node in plain if not _runs_it(node)]
        bound = {name for node in plain for name in bound_names(node)}
        told = [_told(node, bound, place) for place, node in enumerate(plain)]
        lines = {name: one.line for name, one in imports.items()}
        for name, about in self._commands(plain, own - bound) if self.runner else ():
            made = self._made(name, None, about, needed({name}, told), lines)
            if made is not None:
                yield made
        call = _ending_call(ending, own - bound)
        if call is not None and leaf(call.func) != SHOWING:
            names = {one.id for one in ast.walk(call) if isinstance(one, ast.Name)}
            lead = needed(names, told)
            if DOC in names:
                if doc is None:
                    return
                lead = [read_statement(ast.parse(f"{USAGE} = {doc!r}").body[0], set()), *lead]
                call = _with_usage(call)
            made = self._made("", call, leaf(call.func), lead, lines)
            if made is not None:
                yield made

    def _commands(
        self, nodes: Sequence[ast.stmt], own: AbstractSet[str]
    ) -> Iterator[tuple[str, str]]:
        """Yields (name, what makes it a command) of commands and of objects whose methods make
        some."""
        inner = {
            given.id
            for node in nodes
            for one in ast.walk(node)
            if isinstance(one, ast.Call) and leaf(one.func).startswith("add_")
            for given in one.args
            if isinstance(given, ast.Name)
        }
        decorators = [mark for node in nodes for mark in getattr(node, "decorator_list", ())]
        roots = {root_of(mark) for mark in decorators if leaf(_called(mark)) in COMMANDS}
        for node in nodes:
            if isinstance(node, FunctionNode) and node.name not in inner:
                for mark in node.decorator_list:
                    if leaf(_called(mark)) in COMMANDS and root_of(mark) in own:
                        yield node.name, leaf(_called(mark))
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                name = leaf(node.targets[0])
                if name in roots - inner and root_of(node.value) in own:
                    yield name, leaf(node.value.func)

    def _made(
        self,
        name: str,
        call: ast.Call | None,
        about: str,
        lead: Sequence[ToldStatement],
        lines: dict[str, str],
    ) -> ShownProgram | None:
        """Returns a program; None where it is long, or has names that are not known."""
        used = [] if call is None else [read_statement(ast.Expr(call), set())]
        names = unbound([*lead, *used]) - BUILTINS
        sources = tuple(one.source for one in lead)
        text = "\n".join(sources)
        wide = any(len(line) > WIDEST for line in block(text))
        if names & FORBIDDEN or len(text) > LONGEST or wide or SLOW in text:
            return None
        imports = {lines[one] for one in names if one in lines}
        more = self.resolver.documented_imports(frozenset(names - lines.keys()), self.top)
        if more is None:
            return None
        runner = [self.runner] if call is None else []
        known = tuple(sorted({*imports, *more, *runner}))
        return ShownProgram(name, call, sources, known, about)


def _told(node: ast.stmt, variables: AbstractSet[str], place: int) -> ToldStatement:
    """Returns a statement as it is, with its docstring, which is what a command tells of itself."""
    source = ast.unparse(node)
    return replace(read_statement(node, variables, place), source=source)


def _called(mark: ast.expr) -> ast.expr:
    return mark.func if isinstance(mark, ast.Call) else mark


def _is_guard(node: ast.stmt) -> bool:
    """Whether a statement is ``if __name__ == "__main__":``."""
    return isinstance(node, ast.If) and "__name__" in ast.unparse(node.test) and not node.orelse


def _runs_it(node: ast.stmt) -> bool:
    """Whether a statement is a call without arguments: ``app()``."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(), args=[], keywords=[])):
            return True
    return False


def _docstring(nodes: Sequence[ast.stmt]) -> str | None:
    """Returns the text with which a script begins."""
    first = nodes[0] if nodes else None
    value = first.value if isinstance(first, ast.Expr) else None
    text = value.value if isinstance(value, ast.Constant) else None
    return text if isinstance(text, str) else None


def _ending_call(nodes: Sequence[ast.stmt], own: AbstractSet[str]) -> ast.Call | None:
    """Returns the first call of one of the `own` names in the statements with which a script
    ends."""
    for node in nodes:
        value = node.value if isinstance(node, ast.Expr | ast.Assign) else None
        if isinstance(value, ast.Call) and root_of(value.func) in own:
            named = all(one.arg for one in value.keywords)
            plain = not any(isinstance(one, ast.Starred) for one in value.args)
            return value if named and plain else None
    return None


def _with_usage(call: ast.Call) -> ast.Call:
    """Returns the call with a variable for the docstring of the script."""
    tree = ast.parse(re.sub(rf"\b{DOC}\b", USAGE, ast.unparse(call)), mode="eval").body
    assert isinstance(tree, ast.Call)
    return tree


def shown_command_lines(nodes: Iterable[ast.stmt]) -> dict[str, list[tuple[str, ...]]]:
    """Returns name of a command -> command lines with which documents run it."""
    found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for one in (part for node in nodes for part in ast.walk(node)):
        if isinstance(one, ast.Call) and leaf(one.func) == SHOWING and one.args:
            given = {key.arg: key.value for key in one.keywords}
            words = given.get("args", one.args[1] if len(one.args) > 1 else None)
            if isinstance(words, ast.List | ast.Tuple):
                texts = [word.value for word in words.elts if isinstance(word, ast.Constant)]
                if all(isinstance(text, str) for text in texts):
                    found[leaf(one.args[0])].append(tuple(map(str, texts)))
    return found
