"""Level of a test: one module, several together, or the program as it is used."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

Level = Literal["unit", "integration", "system"]
"""As in ISTQB's syllabus: component, integration of components, system."""

_LISTED = 4
_LOOPBACK = ("127.", "localhost", "::1")


@dataclass(frozen=True)
class Reached:
    """Modules and functions of the program that a test reached, and the ways to them."""

    modules: tuple[str, ...] = ()
    """Modules of which a function ran."""
    entries: tuple[tuple[str, str], ...] = ()
    """(module, qualified name) of what the test, or a fixture of it, called itself."""
    processes: tuple[tuple[str, ...], ...] = ()
    """The commands that it started."""
    sockets: tuple[str, ...] = ()
    """The addresses that it connected to."""
    mains: tuple[str, ...] = ()
    """Description of how it ran a command line in its own process."""


def level_of(
    reached: Reached, names: Collection[str], scripts: Collection[str] = ()
) -> tuple[Level | None, tuple[str, ...]]:
    """Returns the level and what speaks for it; None for a test of which nothing was seen.

    `names` are the program's top-level modules, `scripts` its console scripts.
    """
    if outside := tuple(_as_used(reached, names, scripts)):
        return "system", outside
    public = [(module, name) for module, name in reached.entries if _is_public(name)]
    called = tuple(dict.fromkeys(module for module, _ in public or reached.entries))
    if len(called) > 1 and len(public) > 1:
        return "integration", (f"calls functions of {_list(called)}",)
    if reached.modules:
        inside = [name for name in reached.modules if name not in called]
        said = [f"calls functions of {_list(called)} only"] if called else []
        behind = [f"which run {_list(inside)}"] if inside and called else []
        return "unit", (*said, *behind) or (f"runs {_list(reached.modules)}",)
    return None, ()


def _as_used(reached: Reached, names: Collection[str], scripts: Collection[str]) -> Iterable[str]:
    yield from (f"starts {_shown(c)}" for c in reached.processes if is_program(c, names, scripts))
    yield from reached.mains
    local = [address for address in reached.sockets if any(a in address for a in _LOOPBACK)]
    if local and reached.modules:
        yield f"connects to {local[0]}"


def is_program(
    command: Sequence[str], names: Collection[str], scripts: Collection[str] = ()
) -> bool:
    """Whether a command runs the program: ``python -m PKG ...``, a console script, or a file of
    it."""
    words = list(command)
    for word, following in pairwise(words):
        if word == "-m" and following.partition(".")[0] in names:
            return True
        if word == "-c" and any(name in following for name in names):
            return True
    parts = words[0].split() if len(words) == 1 else words
    leaves = [part.rpartition("/")[2] for part in parts[:2]]
    return any(leaf in scripts for leaf in leaves) or (
        len(words) == 1 and len(parts) > 1 and is_program(parts, names, scripts)
    )


def _is_public(name: str) -> bool:
    """Whether a name is public: no part is private. Special methods are what operators and calls
    mean."""
    return all(
        not part.startswith("_") or (part.startswith("__") and part.endswith("__"))
        for part in name.split(".")
    )


def _shown(command: Sequence[str]) -> str:
    return " ".join(word.rpartition("/")[2] if word.startswith("/") else word for word in command)


def _list(names: Sequence[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more
