"""The context of a function as a value: each key token, where it is defined and why it matters."""

from __future__ import annotations

from dataclasses import dataclass, field

from pytest_lift.context.key_tokens import KeyToken, Role

WHY: dict[Role, str] = {
    "guard": "decides a branch",
    "flow": "feeds a condition",
    "type": "type of a parameter or the result",
    "result": "is returned or raised",
    "call": "is called",
}


@dataclass(frozen=True, order=True)
class Place:
    """Lines of a file of the project, from 1."""

    path: str
    """POSIX, relative to the project root."""
    line: int
    end_line: int = 0


@dataclass(frozen=True)
class FoundToken:
    """A key token and what it stands for."""

    token: KeyToken
    places: tuple[Place, ...] = ()
    """Its definitions in the program; several where it is defined under conditions."""
    type: str = ""
    """Type or signature in words of the server; empty where none is known."""
    outside: bool = False
    """Whether it is defined in a library or the language."""
    is_module: bool = False
    """Whether it is a module, of the program or another."""
    inferred: bool = False
    """Whether it was found by the types that callers give to parameters without annotation."""

    @property
    def resolved(self) -> bool:
        return bool(self.places) or self.outside or self.is_module

    @property
    def why(self) -> str:
        return f"{WHY[self.token.role]}, line {self.token.line}"


@dataclass(frozen=True)
class FunctionUse:
    """A place where the function is named, outside of itself."""

    place: Place
    inside: str
    """Qualified name of the function or class around it; empty at the top of a module."""
    is_test: bool


@dataclass(frozen=True)
class FunctionContext:
    """What a reader of one function has to know of the rest of the project."""

    path: str
    symbol: str
    found: tuple[FoundToken, ...] = ()
    """Key tokens in the order of the text."""
    uses: tuple[FunctionUse, ...] = ()
    """Tests first."""
    by: str = field(default="names")
    """Name of the language server, or ``names`` where it was found by the syntax tree alone."""

    @property
    def unresolved(self) -> tuple[str, ...]:
        return tuple(found.token.text for found in self.found if not found.resolved)
