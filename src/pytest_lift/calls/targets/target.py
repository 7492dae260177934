"""Target: a public callable of the program, how it is called, and by which name it is imported."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from pytest_lift.calls.targets.mains import ARGV_NAMES
from pytest_lift.source.special_methods import STATEMENTS
from pytest_lift.source.symbols import Parameter

TargetKind = Literal[
    "function",
    "constructor",
    "method",
    "static",
    "property",
    "operator",
    "statement",
    "main",
    "command",
]
"""A main reads a command line: of ``sys.argv``, or as its first argument; a command is one that
click or typer runs."""

Manner = Literal["", "sync", "async"]
"""Whether something is a context manager, and of which kind."""
CALLED = ".__call__"
"""End of the symbol of the functions that another target makes."""
ARGUMENTS = "arguments"
"""Name of the arguments of such a function where its parameters are not known."""
DEEPEST_FUNCTION = 2
"""Most results that are called in turn: a decorator with arguments, what it decorates."""
SCRIPT = "__main__"
"""Symbol of a module that is run as a script."""


@dataclass(frozen=True)
class Target:
    """Callable of the program that a test may use."""

    path: str
    symbol: str
    kind: TargetKind
    call: str
    """Name by which the function or class is imported: ``dumps``, ``JSONEncoder``."""
    imports: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    """Parameters without self or cls."""
    owner: Target | None = None
    """Constructor of the class, for methods, properties and operators."""
    members: tuple[str, ...] = ()
    """Members of an enumeration, or a variable of the program: one of them stands in the place of
    a call of it."""
    asynchronous: bool = False
    streams: bool = False
    """Whether it is an asynchronous generator."""
    optional: bool = False
    """Whether it returns something on one way out of it, and None on another."""
    enters: Manner = ""
    """Whether what it makes is a context manager, and of which kind."""
    apart: bool = False
    """Whether the block of such a context manager gets something else than the manager."""
    given: tuple[tuple[str, str], ...] = ()
    """Arguments that every call of it has."""
    factory: bool = False
    """Whether it is what gives the objects of a class without a public name."""
    makes: tuple[tuple[Parameter, ...], ...] = ()
    """Parameters of the function that it defines and returns, then of that which this returns."""
    argv_has_name: bool = False
    """Whether the command line that a main takes begins with the name of the program."""
    defined: tuple[str, ...] = ()
    """Statements of a documented program that a test repeats before it gives it a command line."""
    shown: tuple[tuple[str, ...], ...] = ()
    """Command lines that documents show for it."""
    library: bool = False
    """Whether a class of the program has it from one of a library: it is called for the code of
    the program that runs in it alone."""

    @property
    def exists(self) -> bool:
        """Whether it is an object that the program itself makes and offers."""
        return self.factory and bool(self.members)

    @property
    def definition(self) -> str:
        """Symbol of what gets its arguments: of the function that makes the objects of a class
        without a public name."""
        gives = self.factory and self.kind == "constructor" and bool(self.parameters)
        return self.call if gives else self.symbol

    @property
    def entry(self) -> bool:
        """Whether it is a way into the program from the command line."""
        return self.kind in ("main", "command")

    @property
    def manages(self) -> bool:
        """Whether calls of it make context managers that have no class of their own to use."""
        return bool(self.enters) and self.kind != "constructor" and not self.factory

    @property
    def argv(self) -> str:
        """Parameter by which a main gets its command line; empty where that is ``sys.argv``."""
        first = self.parameters[0].name if self.kind == "main" and self.parameters else ""
        return first if first in ARGV_NAMES else ""

    @cached_property
    def leaf(self) -> str:
        return self.symbol.rpartition(".")[2]

    @property
    def is_plain_method(self) -> bool:
        """Whether it is a method of the program that gives its result to a plain call."""
        later = self.asynchronous or self.streams or self.manages
        return self.kind == "method" and not (later or self.library)

    @property
    def needs_arguments(self) -> bool:
        """Whether it cannot be called without arguments."""
        needed = (one for one in self.parameters if one.default is None)
        return any(not one.kind.startswith("var-") for one in needed)

    def telling_name(self, parameter: str) -> str:
        """Returns the name that tells what a parameter takes: of a property that is set its own."""
        sets = self.kind == "statement" and self.leaf not in STATEMENTS
        return self.leaf if sets else parameter

    @cached_property
    def optional_names(self) -> frozenset[str]:
        """Parameters that a call may leave out."""
        return frozenset(p.name for p in self.parameters if p.default is not None)

    @cached_property
    def key(self) -> str:
        sets = self.kind == "statement" and self.leaf not in STATEMENTS
        return f"{self.path}:{self.symbol}{'=' if sets else ''}"


def function_of(maker: Target) -> Target:
    """Returns the target for the functions that a target makes, with their own parameters where
    they are known and say more than that there are some."""
    given: tuple[Parameter, ...] = (Parameter(ARGUMENTS, "var-positional"),)
    if maker.makes and any(not one.kind.startswith("var-") for one in maker.makes[0]):
        given = maker.makes[0]
    symbol = f"{maker.symbol}{CALLED}"
    made = Target(maker.path, symbol, "method", maker.call, maker.imports, given, maker)
    return replace(made, makes=maker.makes[1:])
