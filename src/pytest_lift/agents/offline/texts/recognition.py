"""Recognises which formats the parameters of a program read, by what the program says of itself."""

from __future__ import annotations

import ast
import contextlib
import math
import re
import time
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, zip_longest
from pathlib import Path

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.texts.formats import (
    Format,
    told_by,
    told_by_name,
    told_by_parsers,
    words_of,
)
from pytest_lift.agents.offline.texts.shaped import has_fields
from pytest_lift.calls.targets.target import Target
from pytest_lift.errors import LiftError
from pytest_lift.files.project_reads import read_confined
from pytest_lift.source.program import Program
from pytest_lift.source.symbols import Parameter

ABOUT = ("pyproject.toml", "setup.cfg", "setup.py", "PKG-INFO")
"""Files in which a project says in a line what it is."""
LINES = tuple(
    re.compile(rf"^\s*(?:{key})\s*[=:]\s*(\S.*)", re.I | re.M)
    for key in ("description|summary", "keywords")
)
README, OPENING = ("README.md", "README.rst", "README.txt", "README"), 400
"""Files that say it where none of these does, and the characters of their beginning."""
LARGEST = 400_000
DOCUMENTS = frozenset(
    "text texts string str s source src data content contents input code doc document "
    "markup body buffer buf stream fp f file fobj fileobj infile instream reader chunk md".split()
)
"""Last words of the names of parameters for whole texts."""
STRING = re.compile(r"([a-z]{3,})(string|str)$")
"""Name that is written as one word: ``datestring``."""
VERB = re.compile(r"^(parse|read|load|decode|is)([a-z]{3,})")
"""The same of a function: ``parsedate``."""
BEFORE = frozenset("my in input raw source the full whole whatever".split())
"""Words that may stand before these: a ``help_text`` is no whole text."""
VALUES = frozenset(
    "value val raw arg spec expression expr expr line query statement stmt param x".split()
)
"""Last words of the names of parameters for texts of which something else tells the format."""
ANY = frozenset("obj object instance thing candidate element field item token word v".split())
JUDGES = frozenset("is valid validate validated check normalize".split())
"""Names of parameters that say nothing, and first words of the names of functions that say what
such a one is (``validate_date(obj)``), but not whether it is a text."""
WRITERS = frozenset("dump dumps write encode serialize unparse to as save export emit".split())
"""First or last words of the names of functions that make texts."""
MAKERS = frozenset("make build create new generate".split())
"""First words of the names of functions that make what their names tell."""
READERS = frozenset(
    "parse parser load loads read decode from is valid validate check normalize convert match "
    "compile tokenize tokens lex scan split analyze detect extract get".split()
)
"""Words in the names of functions that read a value."""
OF_DATA = frozenset({"json", "json5", "lines", "yaml", "toml"})
"""Formats whose texts a program mostly has read before: a document is what was in one."""
LINES_OF_TEXTS = frozenset({"line", "stmt", "statement"})
"""Last words of the names of parameters for lines of texts."""
MOST_LINES = 60
"""Most of these lines that are tried."""
TEXTS = frozenset({"str", "bytes", "any", "hashable"})
STREAM = "reader"
TOLD = frozenset({"str", "bytes", STREAM})
"""Kinds of parameters of which the code, or a hint, tells that they are for texts."""
TEXT_READERS = frozenset({"reader", "DictReader", "read_file", "StringIO", "generate_tokens"})
"""Functions of the standard library that read no bytes."""
MOST_FORMATS = 2
MOST_STREAMS, MOST_WRITTEN = 40, 12
"""Formats of one parameter, texts of one for streams, and of these as texts where bytes may be
meant."""


class Recognition:
    """Knows the formats that functions read, where a program says so."""

    def __init__(self, inputs: Inputs, root: Path) -> None:
        self.inputs = inputs
        self.program = inputs.program
        self.root = root

    def note(self, targets: Sequence[Target], until: float = math.inf) -> None:
        """Gives the parameters of targets the texts of the formats that they read, or lines of
        those that other functions of their module read; of the first targets alone where this
        takes longer than `until`, a moment of `time.monotonic`."""
        read: dict[str, dict[str, Format]] = {}
        rest: list[tuple[Target, Parameter]] = []
        for target in targets:
            if time.monotonic() > until:
                break
            for parameter in target.parameters:
                if found := self.sources(target, parameter):
                    self.inputs.note_read(target, parameter.name, found)
                    known = self.formats(target, parameter)
                    read.setdefault(target.path, {}).update(
                        {o.name: o for o in known if not o.short}
                    )
                elif words_of(parameter.name).rpartition(" ")[2] in LINES_OF_TEXTS:
                    rest.append((target, parameter))
        for target, parameter in rest:
            formats = read.get(target.path, {}).values()
            if formats and self._takes(target, parameter) == "str":
                texts = (text for one in formats for text in one.texts)
                lines = (line for text in texts for line in text.splitlines(keepends=True))
                sources = [repr(line) for line in dict.fromkeys(lines) if line.strip()]
                self.inputs.note_read(target, parameter.name, sources[:MOST_LINES])

    def sources(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns texts for a parameter as source; none where nothing tells a format."""
        takes = self._takes(target, parameter)
        if not takes:
            return []
        found = [one.every for one in self.formats(target, parameter)]
        mixed = (text for texts in zip_longest(*found) for text in texts if text is not None)
        texts = list(dict.fromkeys(mixed))
        if takes == STREAM:
            known = texts[:MOST_STREAMS]
            read = [f"BytesIO({_literal(text, True)})" for text in known]
            written = [f"StringIO({_literal(text, False)})" for text in known]
            hint = parameter.annotation or ""
            if re.search(r"TextIO|\[str\]|StringIO", hint) or self._is_text(target, parameter):
                return written
            return read if hint else [*read, *written[:MOST_WRITTEN]]
        sources = [_literal(text, takes == "bytes") for text in texts]
        fits = self.inputs.annotations.fits
        return [one for one in sources if fits(parameter.annotation, one)]

    def formats(self, target: Target, parameter: Parameter) -> list[Format]:
        """Returns the formats that a parameter reads, by what reads it, by its own name, else by
        the names around it, else by what the program is about; those that it may write are none,
        nor whole documents where its name tells a value: a hint of a type is a short text, though
        it is read as Python. What the program itself fills has the fields that it knows."""
        if handed := told_by_parsers(self.inputs.usage(target, parameter).handed):
            usual = self.inputs.usual(target, parameter)
            return [one for one in handed if one.short or not usual][:MOST_FORMATS]
        if has_fields(self.inputs.usage(target, parameter).choices):
            return []
        words = words_of(STRING.sub(r"\1_\2", parameter.name)).split()
        while len(words) > 1 and words[-1] in DOCUMENTS:
            words.pop()
        own = [one for one in told_by(" ".join(words)) if _ends_with(words, one)]
        if own:
            return own[:MOST_FORMATS]
        *before, last = words_of(parameter.name).split() or [""]
        whole = last in DOCUMENTS and BEFORE.issuperset(before)
        verbs = words_of(target.leaf).split()
        judged = self._is_judged(target, parameter, last, verbs)
        writes = not WRITERS.isdisjoint((*verbs[:1], *verbs[-1:]))
        if not (whole or last in VALUES or judged) or writes:
            return []
        names = [words_of(target.leaf)] if judged else self._names(target)
        near = next((found for name in names if (found := told_by(name))), [])
        if near:
            return [one for one in near if whole or one.short][:MOST_FORMATS]
        if judged:
            return []
        reads = not READERS.isdisjoint(verbs)
        if TOLD.isdisjoint(self.inputs.known_kinds(target, parameter)):
            return []
        told = [*(told_by(_first_line(self._doc(target))) if reads else ()), *self.about]
        parses = reads and JUDGES.isdisjoint(verbs[:1])
        if not parses and self._may_be_data(target, parameter):
            told = [one for one in told if one.name not in OF_DATA]
        named = [one for one in self.named if one.short]
        fitting = (one for one in told if (reads or one in named if one.short else whole))
        return list({one.name: one for one in fitting}.values())[:MOST_FORMATS]

    def _is_judged(
        self, target: Target, parameter: Parameter, last: str, verbs: Sequence[str]
    ) -> bool:
        """Whether a function says by its name what its first argument, named like any, is."""
        first = target.kind == "function" and target.parameters[0] is parameter
        return first and last in ANY and not JUDGES.isdisjoint(verbs[:1])

    def _may_be_data(self, target: Target, parameter: Parameter) -> bool:
        """Whether nothing but its name tells that a parameter is for a text, and that name may be
        one of data, too."""
        usage = self.inputs.usage(target, parameter)
        told = {*usage.seen, *self.inputs.documents.kinds(target, parameter)}
        kinds = self.inputs.known_kinds(target, parameter)
        return not parameter.annotation and "any" in kinds and TOLD.isdisjoint(told)

    def _is_text(self, target: Target, parameter: Parameter) -> bool:
        """Whether what gets a stream reads texts alone."""
        handed = self.inputs.usage(target, parameter).handed
        return not TEXT_READERS.isdisjoint(name.rpartition(".")[2] for name in handed)

    @cached_property
    def named(self) -> list[Format]:
        """The formats that the name of the program tells."""
        return [*chain.from_iterable(map(told_by_name, self.program.names))]

    @cached_property
    def about(self) -> list[Format]:
        """The formats that the program is about."""
        told = chain.from_iterable(map(told_by, described(self.root, self.program)))
        found = {one.name: one for one in chain(self.named, told)}
        return list(found.values())[:MOST_FORMATS]

    def _names(self, target: Target) -> Iterator[str]:
        """Yields the names that tell what a function reads, the nearest first: its own, of
        ``xml_to_json`` what stands before ``to``, its class's, its module's."""
        own = words_of(target.leaf)
        if own.partition(" ")[0] not in MAKERS:
            read = re.split(r" to | 2 |(?<=[a-z])2(?=[a-z])", own)[0]
            yield read
            yield VERB.sub(r"\1 \2", read)
        yield target.symbol.rpartition(".")[0]
        yield self.program.files[target.path].module.rpartition(".")[2]

    def _doc(self, target: Target) -> str:
        symbols = self.program.files[target.path].symbols
        return next((one.doc for one in symbols if one.name == target.symbol), "")

    def _takes(self, target: Target, parameter: Parameter) -> str:
        """Returns whether a parameter takes a text, bytes or a stream, as far as is known; "" for
        what takes none. Where the code asks whether it has bytes, it takes texts, too."""
        if parameter.kind.startswith("var-") or parameter.default in ("True", "False"):
            return ""
        kinds = {*self.inputs.known_kinds(target, parameter)}
        if STREAM in kinds and "str" not in kinds:
            return STREAM
        if kinds and TEXTS.isdisjoint(kinds):
            return ""
        usage = self.inputs.usage(target, parameter)
        told = not kinds.isdisjoint({"str", "bytes"})
        if not told and (usage.attributes or self.inputs.foreign(target, parameter)[1]):
            return ""
        only_bytes = "bytes" in kinds and "str" not in kinds and not usage.asks_type
        return "bytes" if only_bytes else "str"


def described(root: Path, program: Program) -> Iterator[str]:
    """Yields sentences about a program: those of its metadata, else the beginnings of its main
    docstring and its README."""
    for name in ABOUT:
        text = _text(root, name)
        if found := [match[1] for line in LINES if (match := line.search(text))]:
            yield from found
            return
    for name in program.names:
        file = program.by_module.get(name)
        if file is not None and file.error is None:
            yield _first_line(ast.get_docstring(file.tree) or "")
    yield next((text for name in README if (text := _text(root, name))), "")[:OPENING]


def _text(root: Path, name: str) -> str:
    with contextlib.suppress(LiftError, OSError):
        return read_confined(root, name, limit=LARGEST).decode("utf-8", "replace")
    return ""


def _first_line(doc: str) -> str:
    return doc.strip().partition("\n")[0]


def _ends_with(words: Sequence[str], one: Format) -> bool:
    """Whether the name of a format stands last: a ``css_class`` is no CSS."""
    told = " ".join(words)
    return any(told.endswith((word, f"{word}s")) for word in one.words)


def _literal(text: str, as_bytes: bool) -> str:
    return repr(text.encode() if as_bytes else text)
