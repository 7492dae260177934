"""Finds the classes above another one, by the names of their bases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from pytest_lift.source.program import Program, SourceFile


def above(name: str, bases: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Yields the names of the classes that one is derived from, nearest first and each once; what
    `bases` does not know has none."""
    waiting, seen = [name], {name}
    for one in waiting:
        for base in bases.get(one, ()):
            if base not in seen:
                seen.add(base)
                waiting.append(base)
                yield base


def class_key(path: str, name: str) -> str:
    """Returns what tells the class of a file from others of its name."""
    return f"{path}:{name}"


@lru_cache(maxsize=1)
def bases_by_key(program: Program) -> Mapping[str, Sequence[str]]:
    """Returns `class_key` of each class of a program -> the keys of its bases; the names of those
    that are of no file."""
    files = program.files.values()
    classes = [(file, one) for file in files for one in file.symbols if one.kind == "class"]
    known: dict[str, list[str]] = defaultdict(list)
    for file, one in classes:
        known[one.name].append(class_key(file.path, one.name))
    return {
        class_key(file.path, one.name): [
            key for base in one.bases for key in _meant(base, one.name, file, program, known)
        ]
        for file, one in classes
    }


def _meant(
    base: str, derived: str, file: SourceFile, program: Program, known: Mapping[str, Sequence[str]]
) -> Sequence[str]:
    """Returns the keys of the classes that the base of a class of a file may be: one of the file,
    the one that the file imports, else each of that name; its name for one of no file, and for
    what is imported from libraries alone."""
    first, dot, rest = base.partition("[")[0].partition(".")
    own = class_key(file.path, first)
    if not dot and first != derived and own in known.get(first, ()):
        return [own]
    imports = [one for one in file.imports if one.bound == first]
    origins = [one.origin for one in imports] or [first]
    places = [f"{origin}{dot}{rest}".rpartition(".") for origin in origins]
    for module, _, name in places:
        imported = program.by_module.get(module)
        if imported is not None and class_key(imported.path, name) in known.get(name, ()):
            return [class_key(imported.path, name)]
    name = places[0][2]
    if imports and not any(one.top in program.names for one in imports):
        return [name]
    return [key for key in known.get(name, ()) if key != own] or [name]
