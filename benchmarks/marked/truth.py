"""Ids of every collected test, from where marks were put, and pytest's rules, by syntax alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from marked.inserting import Claims, Function
from marked.wording import Claim


@dataclass(frozen=True)
class Row:
    """One collected test, as a probe inside pytest saw it."""

    node: str
    kind: str
    indices: Mapping[str, int]

    @property
    def function(self) -> str:
        return self.node.partition("[")[0]


@dataclass
class Expected:
    """What is true of one test."""

    marked: set[str] = field(default_factory=set)
    recorded: set[str] = field(default_factory=set)
    emergent: bool = False
    stands_here: bool = True
    """Its definition is in its file and class, not inherited and no doctest."""
    certain: bool = True
    """False: what it is made from cannot be told by syntax."""

    def add(self, claim: Claim | None) -> None:
        if claim is not None:
            self.marked |= claim.marked
            self.recorded |= claim.recorded
            self.emergent |= claim.emergent


@dataclass(frozen=True)
class Module:
    """A marked file: its syntax, and what was put into it."""

    path: str
    tree: ast.Module
    claims: Claims


class Suite:
    """All marked files; classes are found through the names under which modules import them."""

    def __init__(self, modules: Sequence[Module]) -> None:
        self._modules = {module.path: module for module in modules}
        self._classes: dict[tuple[str, str], type] = {}

    @cached_property
    def _stems(self) -> dict[str, Module]:
        """``test_signer``, and the folder of an ``__init__.py``, -> its module."""
        found = {}
        for path, module in self._modules.items():
            parts = path.removesuffix(".py").split("/")
            found[parts[-2] if parts[-1] == "__init__" and len(parts) > 1 else parts[-1]] = module
        return found

    def expected(self, row: Row) -> Expected:
        path, *names = row.function.split("::")
        module = self._modules.get(path)
        if module is None or row.kind == "DoctestItem":
            return Expected(stands_here=False)
        found = Expected()
        found.add(module.claims.get(""))
        *classes, name = names
        for depth in range(1, len(classes) + 1):
            for claim in self._of_class(module, "::".join(classes[:depth])):
                found.add(claim)
        self._of_function(found, module, "::".join(classes), name, row)
        return found

    def _of_class(self, module: Module, name: str) -> Iterator[Claim | None]:
        for one in self._made(module, name).__mro__[:-1]:
            yield one.claim  # type: ignore[attr-defined]

    def _of_function(
        self, found: Expected, module: Module, owner: str, name: str, row: Row
    ) -> None:
        claims, key, there = module.claims, f"{owner}::{name}", module.tree.body
        if owner:
            made = self._made(module, owner)
            holder = next((c for c in made.__mro__[:-1] if name in c.names), None)  # type: ignore[attr-defined]
            here = (module, owner) == (made.module, made.place)  # type: ignore[attr-defined]
            found.stands_here = holder is made and here
            if holder is None:
                found.certain = found.stands_here = False
                return
            claims, key = holder.module.claims, f"{holder.place}::{name}"  # type: ignore[attr-defined]
        elif name not in {one.name for one in definitions(there)}:
            found.certain = found.stands_here = False
        claim = claims.get(key.removeprefix("::"))
        found.add(claim)
        for (names, index), said in (claim.rows if claim else {}).items():
            if all(row.indices.get(one) == index for one in names):
                found.add(said)

    def _made(self, module: Module, name: str) -> type:
        """An empty class with the bases that the text names, so that Python orders them."""
        key = (module.path, name)
        if key not in self._classes:
            self._classes[key] = self._make(module, name)
        return self._classes[key]

    def _make(self, module: Module, name: str) -> type:
        node = _class_at(module.tree, name)
        if node is None:
            return self._inherited(module, name)
        bases = [self._named(module, ast.unparse(one).split("[")[0]) for one in node.bases]
        names = {one.name for one in definitions(node.body)}
        told: dict[str, Any] = {"names": names, "module": module, "place": name}
        told["claim"] = module.claims.get(name)
        return type(node.name, tuple(one for one in bases if one is not None), told)

    def _inherited(self, module: Module, name: str) -> type:
        """A class that a base of the class around it holds, or that the module imports."""
        outer, _, last = name.rpartition("::")
        for base in self._made(module, outer).__mro__[1:-1] if outer else ():
            inner = f"{base.place}::{last}"  # type: ignore[attr-defined]
            if _class_at(base.module.tree, inner):  # type: ignore[attr-defined]
                return self._made(base.module, inner)  # type: ignore[attr-defined]
        imported = None if outer else self._named(module, last)
        if imported is not None:
            return imported
        nothing = {"names": set(), "module": module, "place": name, "claim": None}
        return type("Unknown", (), nothing)

    def _named(self, module: Module, text: str) -> type | None:
        """The class behind the name of a base; None where it is no class of the suite."""
        if _class_at(module.tree, text):
            return self._made(module, text)
        name = text.split(".")[-1]
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ImportFrom) and name in {one.name for one in node.names}:
                stem = (node.module or module.path.split("/")[-2]).split(".")[-1]
                other = self._stems.get(stem)
                if other and _class_at(other.tree, name):
                    return self._made(other, name)
        return None


def definitions(body: Sequence[ast.stmt]) -> Iterator[Function | ast.ClassDef]:
    """Definitions in a block and in the compound statements in it."""
    for node in body:
        if isinstance(node, Function | ast.ClassDef):
            yield node
            continue
        for name in ("body", "orelse", "finalbody", "handlers"):
            inner = getattr(node, name, None)
            if isinstance(inner, list):
                yield from definitions(inner)


def _class_at(tree: ast.Module, name: str) -> ast.ClassDef | None:
    body: Sequence[ast.stmt] = tree.body
    found = None
    for part in name.split("::"):
        found = next(
            (
                o
                for o in [*definitions(body)][::-1]
                if o.name == part and isinstance(o, ast.ClassDef)
            ),
            None,
        )
        if found is None:
            return None
        body = found.body
    return found
