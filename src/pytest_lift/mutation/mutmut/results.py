"""Values read from what mutmut left in its folder; any other shape is an error.

The tests run in the processes that write these files: nothing in them is believed beyond names of
mutants that the mutated sources have.
"""

from __future__ import annotations

import ast
import difflib
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from pytest_lift.files import untrusted
from pytest_lift.mutation.mutation import Mutant, Verdict, function_of
from pytest_lift.mutation.mutmut.errors import ResultsUnreadable
from pytest_lift.mutation.mutmut.project import FAILURES, IMPORTED, ORDER, STATS, MutationProject
from pytest_lift.source.bindings import ImportNode
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import FunctionNode, is_bare_literal

LARGEST = 256 * 1024 * 1024
SPANS_VERSION = 1
AROUND = 3
"""Lines of context in a diff."""
SEPARATOR = "ǁ"

VERDICTS: Mapping[int, Verdict] = {
    0: "survived",
    1: "killed",
    3: "killed",
    5: "untested",
    33: "untested",
    34: "excluded",
    37: "excluded",
    24: "timed-out",
    -24: "timed-out",
    36: "timed-out",
    152: "timed-out",
    255: "timed-out",
}
"""Exit status that mutmut 3.8 stores -> what it means; 2 is an interruption, no verdict."""
INTERRUPTED = 2


_PLAIN = ("staticmethod", "classmethod")
"""Decorators of functions that are mutated all the same, where they stand alone."""


@dataclass(frozen=True)
class Statistics:
    """Tests that execute each function, and their durations."""

    tests: Mapping[str, frozenset[str]]
    """`Mutant.function` -> node ids."""
    seconds: Mapping[str, float]
    """node id -> seconds of its call phase."""

    def only(self, nodes: Collection[str]) -> Statistics:
        """Returns the statistics of these tests."""
        kept = frozenset(nodes)
        return Statistics(
            {name: tests & kept for name, tests in self.tests.items() if tests & kept},
            {node: taken for node, taken in self.seconds.items() if node in kept},
        )


def read_verdicts(project: MutationProject, source: str) -> dict[str, Verdict | None]:
    """Returns key -> verdict of the mutants of one source (its path in mutmut's folder); None where
    there is none yet. Raises ResultsUnreadable."""
    data = _json(project.mutants / f"{source}.meta")
    try:
        codes = data["exit_code_by_key"]
        return {_key(key): _verdict(code) for key, code in codes.items()}
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise _unreadable(f"{source}.meta", error) from error


def _key(key: object) -> str:
    if not isinstance(key, str) or "__mutmut_" not in key or len(key) > 1000:
        raise ValueError(f"{key!r:.60} is no name of a mutant")
    return key


def _verdict(code: object) -> Verdict | None:
    """Returns the verdict for an exit status; one that mutmut does not know means that the mutant
    crashed."""
    if code is None or code == INTERRUPTED:
        return None
    if type(code) is not int:
        raise TypeError(f"{code!r:.60} is no exit status")
    return VERDICTS.get(code, "crashed")


def read_statistics(project: MutationProject) -> Statistics:
    """Raises ResultsUnreadable."""
    data = _json(project.mutants / STATS)
    original = project.layout.original
    try:
        tests = data["tests_by_mangled_function_name"].items()
        seconds = data["duration_by_test"].items()
        return Statistics(
            {str(name): frozenset(original(str(node)) for node in nodes) for name, nodes in tests},
            {original(str(node)): float(value) for node, value in seconds},
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise _unreadable(STATS, error) from error


def begin_statistics(project: MutationProject, seconds: Mapping[str, float]) -> None:
    """Lists all tests, in their order, so that mutmut collects no statistics. Which of them
    executes what is written by `write_statistics`, once there are mutants."""
    placed = project.layout.placed
    known = {placed(node): taken for node, taken in seconds.items()}
    data = {
        "tests_by_mangled_function_name": {},
        "duration_by_test": known,
        "stats_time": sum(known.values()),
    }
    untrusted.write(project.mutants / STATS, json.dumps(data).encode())
    order = "".join(json.dumps(node) + "\n" for node in known)
    untrusted.write(project.kills / ORDER, order.encode())


def write_statistics(project: MutationProject, statistics: Statistics) -> None:
    """Replaces the statistics that mutmut stored itself, if it did."""
    place, placed = project.mutants / STATS, project.layout.placed
    if not place.is_file():
        return
    data = _json(place)
    data["tests_by_mangled_function_name"] = {
        name: sorted(map(placed, nodes)) for name, nodes in statistics.tests.items()
    }
    data["duration_by_test"] = {placed(n): taken for n, taken in statistics.seconds.items()}
    untrusted.write(place, json.dumps(data).encode())


def write_pending(project: MutationProject, source: str, keys: Collection[str]) -> None:
    """Marks these mutants of a source, and none of its others, to be run next time."""
    place = project.mutants / f"{source}.meta"
    data = _json(place)
    codes = data["exit_code_by_key"]
    data["exit_code_by_key"] = {key: None if key in keys else 0 for key in codes}
    untrusted.write(place, json.dumps(data).encode())


def read_failures(project: MutationProject) -> dict[str, set[str]]:
    """Returns mutant (``""``: none, ``"stats"``) -> nodes of tests that failed on it."""
    found: dict[str, set[str]] = {}
    for line in untrusted.lines(project.kills / FAILURES, LARGEST, 64 * 1024):
        try:
            mutant, node = json.loads(line)
        except (ValueError, TypeError, RecursionError):
            continue
        if isinstance(mutant, str) and isinstance(node, str):
            found.setdefault(mutant, set()).add(project.layout.original(node))
    return found


def read_imported(project: MutationProject) -> frozenset[str]:
    """Returns names under which the tests have imported modules that are mutated; empty where
    nothing tells."""
    lines = untrusted.lines(project.kills / IMPORTED, LARGEST, 64 * 1024)
    return frozenset(line.decode("utf-8", "replace").strip() for line in lines)


def read_mutants(project: MutationProject, program: Program) -> dict[str, Mutant]:
    """Returns every mutant of the program with its place and diff. Raises ResultsUnreadable."""
    found: dict[str, Mutant] = {}
    for path, file in program.files.items():
        place = project.layout.placed(path)
        if (project.mutants / f"{place}.meta").is_file():
            found |= {mutant.key: mutant for mutant in _mutants_of(project, place, file)}
    return found


def _mutants_of(project: MutationProject, place: str, file: SourceFile) -> Iterator[Mutant]:
    keys = read_verdicts(project, place)
    if not keys:
        return
    data = _json(project.mutants / f"{place}.spans")
    try:
        if data["version"] != SPANS_VERSION:
            raise ValueError(f"version {data['version']!r:.20}")
        spans = {str(name): (int(a), int(b)) for name, (a, b) in data["spans"].items()}
        text = untrusted.read(project.mutants / place, LARGEST).decode("utf-8")
        pieces = _Pieces(text.split("\n"), spans, file)
        for key in keys:
            yield pieces.mutant(key)
    except (OSError, KeyError, TypeError, ValueError, IndexError) as error:
        raise _unreadable(f"{place}.spans", error) from error


class _Pieces:
    """The generated functions of one mutated file, compared with the original."""

    def __init__(
        self, lines: list[str], spans: Mapping[str, tuple[int, int]], file: SourceFile
    ) -> None:
        self._lines = lines
        self._spans = spans
        self._file = file
        self._source = file.text.split("\n")
        self._symbols = {s.name: s for s in file.symbols if s.kind != "class"}

    def mutant(self, key: str) -> Mutant:
        """Raises KeyError for a mutant that the index does not know."""
        name = function_of(key).rpartition(".")[2]
        number = key[len(function_of(key)) :]
        original = self._lines_of(name + "__mutmut_orig", name + "__mutmut_orig")
        changed = self._lines_of(name + number, name + number)
        symbol = _symbol(name)
        start = self._start(symbol)
        same = _equal_lines(original, changed)
        behind = _equal_lines(original[same:][::-1], changed[same:][::-1])
        gone, new = _between(original, same, behind), _between(changed, same, behind)
        return Mutant(
            key,
            self._file.path,
            start + (same if gone or new else 0),
            symbol,
            "\n".join(gone),
            "\n".join(new),
            _diff(original, changed, same, behind, start - 1),
        )

    def _lines_of(self, name: str, generated: str) -> list[str]:
        first, last = self._spans[name]
        leaf = _symbol(function_of(name)).rpartition(".")[2]
        lines = [line.replace(generated, leaf) for line in self._lines[first - 1 : last]]
        while lines and not _begins_function(lines[0]):
            lines.pop(0)  # blank lines, comments and decorators
        return lines

    def _start(self, symbol: str) -> int:
        """Returns the line of the ``def`` in the source: decorators are left out of the generated
        function."""
        found = self._symbols.get(symbol)
        if found is None:
            return 1
        for number in range(found.line, found.end_line + 1):
            if _begins_function(self._source[number - 1]):
                return number
        return found.line


def _begins_function(line: str) -> bool:
    return line.lstrip().startswith(("def ", "async def "))


def _symbol(name: str) -> str:
    """Returns the qualified name: ``xǁClassǁmethod`` -> ``Class.method``, ``x_f`` -> ``f``."""
    if SEPARATOR in name:
        _, owner, method = name.split(SEPARATOR)
        return f"{owner}.{method}"
    return name.removeprefix("x_")


def _equal_lines(old: list[str], new: list[str]) -> int:
    """Returns how many lines the two begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))


def _between(lines: list[str], before: int, behind: int) -> list[str]:
    return lines[before : len(lines) - behind]


def _diff(old: list[str], new: list[str], same: int, behind: int, moved: int) -> str:
    """Returns the diff in unified format. Only the lines around the change are compared: comparing
    whole functions would take most of the time if there are 800 mutants of 400 lines."""
    before, after = max(same - AROUND, 0), max(behind - AROUND, 0)
    one, two = _between(old, before, after), _between(new, before, after)
    hunk = list(difflib.unified_diff(one, two, n=AROUND, lineterm=""))[2:]
    return "\n".join([_moved(hunk[0], before + moved), *hunk[1:]]) if hunk else ""


def _moved(header: str, by: int) -> str:
    """Returns the hunk header ``@@ -a,b +c,d @@`` with the line numbers of the file."""
    parts = header.split(" ")
    for index in (1, 2):
        sign, rest = parts[index][0], parts[index][1:]
        start, comma, count = rest.partition(",")
        parts[index] = f"{sign}{int(start) + by}{comma}{count}"
    return " ".join(parts)


def _json(path: Path) -> Any:
    try:
        return json.loads(untrusted.read(path, LARGEST))
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(path.name, error) from error


def _unreadable(name: str, error: Exception) -> ResultsUnreadable:
    return ResultsUnreadable(
        f"what mutmut left cannot be read ({type(error).__name__}: {str(error)[:200]})",
        where=name,
        todo="run again; if it persists, check that mutmut >=3.8.1,<3.9 is installed",
    )


def left_alone(program: Program) -> dict[str, int]:
    """Returns file -> statements outside the functions that mutmut 3.8 mutates: module and class
    level, nested classes, properties and other decorated functions. Imports, texts and the
    definitions themselves are not counted; files without any are left out."""
    found = {
        path: sum(_counts(node) for node in _outside(file.tree))
        for path, file in program.files.items()
    }
    return {path: count for path, count in found.items() if count}


def _outside(tree: ast.Module) -> Iterator[ast.stmt]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            for inner in node.body:
                yield from () if _is_mutated(inner) else _statements(inner)
        elif not _is_mutated(node):
            yield from _statements(node)


def _is_mutated(node: ast.stmt) -> bool:
    if not isinstance(node, FunctionNode):
        return False
    named = [item.id if isinstance(item, ast.Name) else "" for item in node.decorator_list]
    return not named or (len(named) == 1 and named[0] in _PLAIN)


def _statements(node: ast.stmt) -> Iterator[ast.stmt]:
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.stmt))


def _counts(node: ast.stmt) -> bool:
    named = FunctionNode | ast.ClassDef | ImportNode | ast.Pass
    return not isinstance(node, named) and not is_bare_literal(node)
