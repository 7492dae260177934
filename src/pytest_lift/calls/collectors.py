"""Finds classes of a program whose objects collect what is written to them and give it back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pytest_lift.source.program import Program
from pytest_lift.source.symbols import Symbol

WRITING = re.compile(r"(write|print|emit|echo|append|put|push|send)(_?(line|lines|row|rows|ln))?")
"""Names of methods that take what is written."""
READING = re.compile(
    r"getvalue|((get|fetch|read|take|dump)_?)?"
    r"(output|written|text|contents?|lines|messages|records|buffer)|fetch"
)
"""Names of methods without arguments that give back what was written."""
DEEPEST = 4
"""Most classes above one of which methods are taken."""


def readers_of(program: Program) -> dict[str, str]:
    """Returns class -> its method that gives back what was written, of the classes with one name
    in the program that have both kinds of methods; methods of other classes of the program that
    they derive from are theirs, too."""
    found: dict[str, list[Symbol]] = {}
    methods: dict[str, list[Symbol]] = {}
    for symbol in (one for file in program.files.values() for one in file.symbols):
        if symbol.kind == "class":
            found.setdefault(symbol.name, []).append(symbol)
        elif symbol.kind == "method":
            methods.setdefault(symbol.name.rpartition(".")[0], []).append(symbol)
    classes = {name: several[0] for name, several in found.items() if len(several) == 1}
    readers = {}
    for name in classes:
        every = [one for above in _line(name, classes) for one in methods.get(above, ())]
        reader = next((one.leaf for one in every if _reads(one)), "")
        if reader and any(WRITING.fullmatch(one.leaf) for one in every):
            readers[name] = reader
    return readers


def _line(name: str, classes: Mapping[str, Symbol], deepest: int = DEEPEST) -> Iterator[str]:
    """Yields a class and those of the program above it."""
    yield name
    for base in classes[name].bases if deepest else ():
        if (leaf := base.partition("[")[0].rpartition(".")[2]) in classes and leaf != name:
            yield from _line(leaf, classes, deepest - 1)


def _reads(method: Symbol) -> bool:
    """Whether a method gives back what was written, without an argument."""
    if method.decorators or not READING.fullmatch(method.leaf):
        return False
    others = method.parameters[1:]
    return all(one.default is not None or one.kind.startswith("var-") for one in others)
