"""Classes and functions that a test defines: of the documentation's examples, or samples."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from pytest_lift.source.syntax import FunctionNode, bare_leaf


@dataclass(frozen=True)
class LocalDefinition:
    """Class or function that a test defines before it is used."""

    name: str
    source: str
    bases: tuple[str, ...] = ()
    """Last parts of the names of its base classes."""
    needs: frozenset[str] = frozenset()
    """Names of other definitions that it uses."""
    imports: tuple[str, ...] = ()
    """Import lines of the other names that it uses."""
    fields: tuple[str, ...] = ()
    """Names that its body assigns."""
    uses: tuple[str, ...] = ()
    """Names of the program that the body of a class calls when it is made: as its decorators, or
    for attributes that tell how its objects behave."""
    sample: bool = False
    """Whether it is a class for those who take any class, and of no documentation."""

    @property
    def is_class(self) -> bool:
        return bool(self.bases) or "class " in self.source.partition(self.name)[0]


@dataclass
class LocalDefinitions:
    """The definitions that tests may use, by their names."""

    known: dict[str, LocalDefinition] = field(default_factory=dict)

    def needed(self, names: Iterable[str]) -> list[LocalDefinition]:
        """Returns the definitions of names, those that others use first."""
        found: dict[str, LocalDefinition] = {}
        for name in sorted(names):
            self._add(name, found)
        return list(found.values())

    def _add(self, name: str, found: dict[str, LocalDefinition]) -> None:
        one = self.known.get(name)
        if one is not None and name not in found:
            for other in sorted(one.needs - {name}):
                self._add(other, found)
            found[name] = one

    def derived(self, base: str) -> list[LocalDefinition]:
        """Returns the classes that have a class of this name among their bases, through others."""
        return [one for one in self.known.values() if base in self.bases(one.name)]

    def bases(self, name: str) -> set[str]:
        """Returns the names of the classes that a definition is derived from, through others."""
        found: set[str] = set()
        waiting = [*self.known[name].bases] if name in self.known else []
        while waiting:
            base = waiting.pop()
            if base not in found:
                found.add(base)
                waiting += self.known[base].bases if base in self.known else ()
        return found


def decorated_name(decorator: str) -> str:
    """Returns the name of a function that says what decorates it: ``with_cache``."""
    return f"function_{decorator}" if decorator.startswith("with_") else f"with_{decorator}"


def is_named_after_decorator(node: ast.stmt) -> bool:
    """Whether a statement defines a function with a `decorated_name`, after which an option may
    stand."""
    if not isinstance(node, FunctionNode):
        return False
    names = (decorated_name(bare_leaf(one)) for one in node.decorator_list if bare_leaf(one))
    return any(f"{node.name}_".startswith(f"{name}_") for name in names)
