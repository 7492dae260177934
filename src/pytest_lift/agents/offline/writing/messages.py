"""Pieces of messages that a test matches: what the source of a `raise` has, or a usage says."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from pytest_lift.agents.offline.writing.words import DANGLING, cut
from pytest_lift.calls.case import OF_A_RUN, Raised
from pytest_lift.calls.child.refused import UNSUPPORTED
from pytest_lift.source.bindings import all_bound_names
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.symbols import Symbol
from pytest_lift.source.syntax import FunctionNode, leaf, texts
from pytest_lift.source.unreachable.reachability import is_import_fallback

CACHE = "__pycache__"
"""Folder that is there once tests have run."""
OUT_OF_FOLDERS = re.compile(r"(\.\.(/|\\+)){3}")
"""Way to another folder that begins with as many folders above as that of the tests has."""
PROGRAMS = re.compile(r"(?:/usr|/local|/opt)*/s?bin/")
"""Places of the programs of a machine."""
RUNNER = "pytest"
"""Name of the program that runs the tests."""
SHARED = frozenset({"/", "/usr", "/usr/local"})
"""Where Python lies on many machines, and much else."""
TAG = sys.implementation.cache_tag
"""What Python writes into the names of compiled files, as its version: ``cpython-311``; None where
it keeps no such files."""
PYTHON = [*map(re.escape, {sys.prefix, sys.base_prefix} - SHARED)]
PYTHON += [rf"\b{re.escape(TAG)}\b"] if TAG else []
OF_A_MACHINE = (
    r" at 0x[0-9a-f]+|[/\\](tmp|dev[/\\]+shm|home)[/\\]|\.py\b.*line \d+"
    r"|site-packages|<module>|<case>|<locals>"
)
PLACES = re.compile("|".join([OF_A_MACHINE, *PYTHON]))
LONGEST_MATCH, LONGEST_LINE = 60, 88
"""Most characters of a piece of a message, and of a line of a text that stands for all of it."""
INSTALL = re.compile(r"\bnot installed\b|\binstall [`'\"\w]", re.IGNORECASE)
"""What a message says of a library that is missing."""
CLOSING, OPENING = re.compile(r"['\"`][:,;]? "), re.compile(r" ['\"`]$")
"""Quotation marks at the end and at the beginning of what is quoted in a message."""
RANGE = re.compile(r"\.\.[.\d]+")
"""What is left of a range of numbers that a message was filled with: ``..30`` of ``1..30``."""
REST = re.compile(r"^\W*[a-z][^.?!]*[.?!] (?=[A-Z]\w*(?: \w+){2})")
"""Rest of a sentence that began before what a message was filled with, and that a whole one
follows."""
LONG_MATCH = 32
"""Characters of a message from which a remark in brackets at its end is left out."""


def constant_part(raised: Raised, program: Program) -> str:
    """Returns the longest piece of the message that is in the source of the `raise`, else of those
    that the program has elsewhere for this error, or ``""``; all of a short message of which that
    says nothing by itself, where it is the same each time."""
    refused = UNSUPPORTED.match(raised.message) if raised.type == "TypeError" else None
    if refused is not None and raised.explicit:
        return refused[0]
    file = _file_of(raised, program)
    if file is None:
        return ""
    pieces: list[str] = []
    raising, assigning = _statements(file)
    for node in raising:
        if node.lineno <= raised.line <= (node.end_lineno or 0):
            pieces += _pieces(node)
            pieces += _named_pieces(node, assigning)
            pieces += _handed_pieces(node, file, program)
    elsewhere = _longest([*_pieces_elsewhere(raised, program)], raised)
    found = _longest(pieces, raised) or (elsewhere if " " in elsewhere else "")
    if raised.varies:
        return found
    found = _with_range(found, raised.message)
    return raised.message if _is_vague(found) and _is_short(raised.message) else found


def _is_vague(piece: str) -> bool:
    """Whether a piece of a message says nothing without what stands around it: ``not in``."""
    words = re.findall(r"\w+", piece.lower())
    return bool(words) and DANGLING.issuperset(words)


def _is_short(message: str) -> bool:
    """Whether all of a message may be matched: a line that is the same on another machine."""
    fits = len(message) <= LONGEST_MATCH and message.isprintable()
    return fits and not pins_the_machine(message)


def _with_range(piece: str, message: str) -> str:
    """Returns ``day must be in 1..30`` for ``day must be in 1``: no range is cut in its middle."""
    rest = RANGE.match(message.partition(piece)[2]) if piece[-1:].isdigit() else None
    return piece + rest[0].rstrip(".") if rest is not None else piece


def _longest(pieces: Sequence[str], raised: Raised) -> str:
    """Returns the longest phrase of the message among some pieces, or ``""``."""
    fitting = [p for p in pieces if p in raised.message and re.search(r"\w{3}", p)]
    sentences = [REST.sub("", _bare(piece), count=1) for piece in fitting]
    phrases = [_bare(_without_remark(cut(one, LONGEST_MATCH)).rstrip(".")) for one in sentences]
    return max((one for one in phrases if re.search(r"\w{3}", one)), key=len, default="")


def _pieces_elsewhere(raised: Raised, program: Program) -> Iterator[str]:
    """Yields what the class of an error has, which makes its message itself, and what all other
    errors say where it repeats one: ``raise Failed(str(error))``."""
    made = program.by_module.get(raised.module)
    for node in made.tree.body if made is not None else ():
        if isinstance(node, ast.ClassDef) and node.name == raised.type:
            yield from _pieces(node)
    for file in program.files.values() if raised.repeats else ():
        raising, assigning = _statements(file)
        for one in raising:
            yield from (*_pieces(one), *_named_pieces(one, assigning))


def asks_to_install(raised: Raised, program: Program) -> bool:
    """Whether an error says that a library is not installed, where its `raise` depends on whether
    an import succeeded: it is raised on this machine, and not on others."""
    file = _file_of(raised, program) if INSTALL.search(raised.message) else None
    return file is not None and any(
        first <= raised.line <= last for first, last in _lines_without_a_library(file)
    )


def _file_of(raised: Raised, program: Program) -> SourceFile | None:
    """Returns the file of the program in which an error was raised."""
    place = f"/{raised.file}"
    return next((f for p, f in program.files.items() if place.endswith(f"/{p}")), None)


@lru_cache(maxsize=256)
def _lines_without_a_library(file: SourceFile) -> tuple[tuple[int, int], ...]:
    """Returns the first and last lines of what depends on imports that may fail: their handlers,
    and functions that ask for a name which such a ``try`` binds."""
    nodes = list(ast.walk(file.tree))
    found, bound = list[ast.ExceptHandler | FunctionNode](), set[str]()
    for node in (one for one in nodes if isinstance(one, ast.Try)):
        handlers = [one for one in node.handlers if is_import_fallback(one)]
        found += handlers
        bound |= {name for one in (node, *handlers) if handlers for name in all_bound_names(one)}
    functions = (one for one in nodes if isinstance(one, FunctionNode))
    found += [one for one in functions if not bound.isdisjoint(_asked_in(one))]
    return tuple((one.lineno, one.end_lineno or one.lineno) for one in found)


def _asked_in(function: FunctionNode) -> Iterator[str]:
    """Yields the names on which it depends how a function goes on."""
    for node in ast.walk(function):
        if isinstance(node, ast.If):
            yield from (one.id for one in ast.walk(node.test) if isinstance(one, ast.Name))


def _without_remark(phrase: str) -> str:
    """Returns ``Invalid unit`` for ``Invalid unit (valid units are `days` and `hours`)``."""
    plain = re.sub(r"\s+\([^()]*\)?.*$", "", phrase) if len(phrase) > LONG_MATCH else phrase
    return plain if " " in plain else phrase


def _bare(phrase: str) -> str:
    """Returns ``is no number`` for ``' is no number``: without the end of what was quoted or called
    before it, and the beginning of what is quoted after it."""
    phrase = phrase.removeprefix("() ")
    closing = CLOSING.match(phrase)
    if closing is not None and _is_alone(phrase[0], phrase):
        phrase = phrase[closing.end() :]
    if OPENING.search(phrase) and _is_alone(phrase[-1], phrase):
        phrase = phrase[:-2]
    return phrase


def _is_alone(mark: str, phrase: str) -> bool:
    """Whether a quotation mark of a phrase has no other end there; that of ``doesn't`` is none."""
    return len(re.findall(rf"(?<!\w){mark}|{mark}(?!\w)", phrase)) % 2 == 1


@lru_cache(maxsize=256)
def _statements(
    file: SourceFile,
) -> tuple[tuple[ast.Raise | ast.Expr, ...], tuple[ast.Assign, ...]]:
    """Returns the statements that raise something, ``sys.exit(...)`` as well, and those that assign
    something."""
    nodes = list(ast.walk(file.tree))
    raising = tuple(n for n in nodes if isinstance(n, ast.Raise | ast.Expr) and _raises(n))
    return raising, tuple(n for n in nodes if isinstance(n, ast.Assign))


def _raises(node: ast.Raise | ast.Expr) -> bool:
    called = node.value if isinstance(node, ast.Expr) else None
    return isinstance(node, ast.Raise) or (
        isinstance(called, ast.Call) and leaf(called.func) == "exit"
    )


def _pieces(node: ast.AST) -> list[str]:
    """Returns what texts have on one line between the places that are filled."""
    found = []
    for text in texts(ast.walk(node)):
        found += re.split(r"%[-#0 +.\d]*[a-zA-Z]|%\(\w+\)\w|\{[^}]*\}|\n", text)
    return found


def _named_pieces(node: ast.stmt, assigning: Sequence[ast.Assign]) -> list[str]:
    """Returns texts of variables that the `raise` uses and that get a constant nearby."""
    names = _names(node)
    found: list[str] = []
    for other in assigning:
        if abs(other.lineno - node.lineno) < 60:
            targets = {t.id for t in other.targets if isinstance(t, ast.Name)}
            if targets & names:
                found += _pieces(other.value)
    return found


def _handed_pieces(node: ast.stmt, file: SourceFile, program: Program) -> list[str]:
    """Returns texts that the program hands to the function whose `raise` uses a parameter:
    ``self.fail("expected %s", name)`` for ``raise Failure(message % values)``."""
    functions = _functions(file)
    around = [one for one in functions if one.lineno <= node.lineno <= (one.end_lineno or 0)]
    function = max(around, key=lambda one: one.lineno, default=None)
    if function is None or _names(node).isdisjoint(_parameters(function)):
        return []
    return [piece for call in _calls_of(function, file, program) for piece in _pieces(call)]


def _calls_of(function: FunctionNode, file: SourceFile, program: Program) -> Iterator[ast.Call]:
    """Yields the calls of a function or method, those that make an object for an ``__init__``;
    where others of the program are called like it, those in its class or file alone, and of a
    function inside of another one those in that."""
    symbol = file.symbol_at(function.lineno)
    inner = symbol is not None and symbol.leaf != function.name
    name = function.name if symbol is None or inner else symbol.called
    around = symbol if inner else _class_of(symbol, file)
    alone = not inner and _definitions(program)[name] < 2
    for place, call in _calls(program).get(name, ()):
        near = place is file and (around is None or around.line <= call.lineno <= around.end_line)
        if alone or near:
            yield call


def _class_of(method: Symbol | None, file: SourceFile) -> Symbol | None:
    """Returns the class of a method; None for a function, and for an ``__init__``, which is called
    outside of its class."""
    owner = method.name.rpartition(".")[0] if method is not None else ""
    makes = method is not None and method.called != method.leaf
    return next((one for one in file.symbols if one.name == owner and not makes), None)


@lru_cache(maxsize=1)
def _definitions(program: Program) -> Counter[str]:
    """Returns how many functions and classes of a program have each name."""
    symbols = (one for file in program.files.values() for one in file.symbols)
    return Counter(one.leaf for one in symbols if not one.is_overload)


@lru_cache(maxsize=256)
def _functions(file: SourceFile) -> tuple[FunctionNode, ...]:
    return tuple(one for one in ast.walk(file.tree) if isinstance(one, FunctionNode))


def _parameters(function: FunctionNode) -> Iterator[str]:
    """Yields the names of parameters, and of variables that are made of these."""
    arguments = function.args
    given = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    yield from given
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and not given.isdisjoint(_names(node.value)):
            yield from (one.id for one in node.targets if isinstance(one, ast.Name))


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


@lru_cache(maxsize=1)
def _calls(program: Program) -> Mapping[str, Sequence[tuple[SourceFile, ast.Call]]]:
    """Returns name -> the calls of functions and methods of it, each with the file that it is
    in."""
    found: dict[str, list[tuple[SourceFile, ast.Call]]] = defaultdict(list)
    for file in program.files.values():
        for node in ast.walk(file.tree):
            if isinstance(node, ast.Call):
                found[leaf(node.func)].append((file, node))
    return found


USAGE = re.compile(r"^usage\b", re.IGNORECASE | re.MULTILINE)
"""Beginning of what stands after a complaint."""
OF_THE_SYSTEM = re.compile(r"\[Errno \d+\]")
"""What stands before the words of the system, which are why something fails."""
BOX, ERROR_BOX = re.compile("[\u2500-\u257f]"), re.compile("\u2500 Error \u2500")
"""Lines that are drawn around a text, and the title of such a box around an error."""


def is_usage(text: str) -> bool:
    """Whether a text is a help of a parser, whose lines depend on the width of the terminal."""
    begins = re.match(r"\s*usage:", text, re.IGNORECASE) is not None
    return begins and re.search(r"\[-h|--help|\[OPTIONS\]", text) is not None


def telling_piece(text: str) -> str:
    """Returns what a parser complains of, or the sentence of its help that says what is for; "" for
    what is another one elsewhere."""
    piece = _piece(text)
    return "" if any(pins_the_machine(one) for one in text.splitlines() if piece in one) else piece


def _piece(text: str) -> str:
    if BOX.search(text):
        return _in_a_box(text)
    if complaint := re.search(r"^(?:.*: )?error: (.+)$", text, re.IGNORECASE | re.MULTILINE):
        said = re.split(r" \(choose from|\. Did you|: '|\?$", complaint[1])[0]
        return cut(said, LONGEST_LINE if OF_THE_SYSTEM.search(said) else LONGEST_MATCH)
    if not is_usage(text):
        said = USAGE.split(text.strip())[0].strip() or text.strip()
        return cut(said.splitlines()[-1], LONGEST_MATCH) if said else ""
    _, _, rest = text.partition("\n\n")
    first = rest.strip().splitlines()[0].strip() if rest.strip() else ""
    return first if len(first) <= LONGEST_MATCH else cut(first, LONGEST_MATCH)


def _in_a_box(text: str) -> str:
    """Returns the first line of an error in a box, "" for another box."""
    lines = re.findall(r"^\u2502 +(\S.*?) +\u2502$", text, re.MULTILINE)
    return cut(lines[0], LONGEST_MATCH) if lines and ERROR_BOX.search(text) else ""


def names_the_runner(text: str, source: str, program: Program) -> bool:
    """Whether a text has the name of the program that runs the tests, as what takes it from the
    command line, of the folder in which they lie, or of the cache in that, a way out of it, or the
    place of other programs: neither the `source` of a case nor the program has it."""
    named = re.search(rf"\b{RUNNER}\b(?!\.approx\()", text) is not None
    runner = named and RUNNER not in source and RUNNER not in program.words
    return runner or _names_the_folder(text, source, program)


def _names_the_folder(text: str, source: str, program: Program) -> bool:
    if CACHE in text and CACHE not in source:
        return True  # what lies in the folder is not the same from one run to the next
    if OUT_OF_FOLDERS.search(text) and not OUT_OF_FOLDERS.search(source):
        return True  # how deep the folder lies is another thing elsewhere
    if any(place not in source and not _has(program, place) for place in PROGRAMS.findall(text)):
        return True  # the program found it there
    folder = program.folder
    known = folder in source or folder in program.words or folder in program.names
    return bool(folder) and not known and bool(re.search(rf"\b{re.escape(folder)}\b", text))


def _has(program: Program, text: str) -> bool:
    return any(text in file.text for file in program.files.values())


def piece_without_runner(text: str) -> str:
    """Returns the first line of a text with two words that is read in one go and has not that
    name, "" for none."""
    lines = (line.strip() for line in text.splitlines())
    short = (line for line in lines if len(line) <= LONGEST_LINE)
    worded = (line for line in short if len(re.findall(r"[^\W\d_]{2,}", line)) > 1)
    return next((line for line in worded if RUNNER not in line), "")


def pins_the_machine(text: str) -> bool:
    """Whether a text is another one elsewhere: it has an address, a place, as that of the Python
    that runs it, or a name of the code in which cases run."""
    return bool(PLACES.search(text) or OF_A_RUN.search(text))
