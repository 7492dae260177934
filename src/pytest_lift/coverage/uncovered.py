"""Code that no test executes, by function, and the figures of files that were never executed."""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pytest_lift.coverage.coverage import Coverage, FileCoverage, read_files
from pytest_lift.files import untrusted
from pytest_lift.sandbox.child import Places, run_child
from pytest_lift.sandbox.jail import Jail
from pytest_lift.source.bindings import is_import
from pytest_lift.source.libraries import libraries_of
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.unreachable.missing import lines_without, not_importable
from pytest_lift.source.unreachable.reachability import Reach, gates
from pytest_lift.text.wording import count

EXCERPT_LINES = 40
MOST_DECISIONS = 6

SECONDS = 120.0

REPORT = """
import sys
from coverage import Coverage
from coverage.exceptions import NoDataError

data, report, config, *paths = sys.argv[1:]
tool = Coverage(data_file=data, branch=True, config_file=config or True)
tool.get_data().add_arcs({path: [] for path in paths})
tool.get_data().touch_files(paths)
tool.set_option("report:ignore_errors", True)
tool.set_option("paths", {})  # with any, data without an executed line loses its branches
# What a run would not have measured is no part of the figures either.
omitted = [*(tool.get_option("run:omit") or []), *(tool.get_option("report:omit") or [])]
tool.set_option("report:omit", omitted or None)
try:
    tool.json_report(outfile=report)
except NoDataError:
    pass
"""
"""Script that runs in the copy, where the project's own coverage settings (omit, exclude) apply."""


@dataclass(frozen=True)
class Uncovered:
    """Lines and branches of a function, or a module outside of functions, that nothing executed."""

    source: SourceFile
    symbol: str
    """Qualified name in its file; empty for the module itself."""
    reach: Reach
    lines: tuple[int, ...]
    branches: tuple[tuple[int, int], ...]
    """(from line, to line) not taken; a negative `to` leaves the function."""

    @property
    def line(self) -> int:
        return min([*self.lines, *(origin for origin, _ in self.branches)])

    @property
    def what(self) -> str:
        """Summary of it in one sentence."""
        module = self.source.module
        where = f"{module}.{self.symbol}" if self.symbol else f"module {module}"
        parts = [count(len(self.branches), "branch")] if self.branches else []
        parts += [count(len(self.lines), "line")] if self.lines else []
        reach = "" if self.reach == "testable" else f" ({self.reach})"
        return f"{where}: {' and '.join(parts)} not executed{reach}"

    @property
    def excerpt(self) -> str:
        """Source lines around it; `>` marks lines not executed, `?` decisions taken one way."""
        half = {origin for origin, _ in self.branches}
        wanted = sorted({*half, *self.lines})
        shown = {n for line in wanted for n in range(line - 1, line + 2)} & set(
            range(1, self.source.text.count("\n") + 2)
        )
        text = self.source.text.splitlines()
        rows = []
        for n in sorted(shown)[:EXCERPT_LINES]:
            sign = ">" if n in self.lines else "?" if n in half else " "
            rows.append(f"{sign} {n:5d}  {text[n - 1] if n <= len(text) else ''}")
        left = len(shown) - len(rows)
        return "\n".join(rows) + (f"\n  ... {left} more lines" if left > 0 else "")

    @property
    def way(self) -> str:
        """Hint on how to execute it, or why to leave it."""
        if self.reach == "platform":
            return "cannot run on this interpreter or platform: leave it"
        if self.reach == "excluded":
            return "not part of the importable program: leave it"
        if self.reach == "defensive":
            return "guards against what should not happen: test it only if a public call reaches it"
        text = self.source.text.splitlines()
        decisions = [
            f"line {origin} `{text[origin - 1].strip()[:80]}` never goes to "
            + (f"line {target}" if target > 0 else "the end of the function")
            for origin, target in self.branches[:MOST_DECISIONS]
            if origin <= len(text)
        ]
        return "; ".join(decisions) or "call it"


def uncovered(coverage: Coverage, program: Program) -> Iterator[Uncovered]:
    """Yields one `Uncovered` per function and kind of reach; other code counts to its module."""
    for path, figures in coverage.files.items():
        source = program.files.get(path)
        if source is not None:
            yield from _uncovered_in(source, figures, reach_of(source, program, figures.executed))


def reach_of(source: SourceFile, program: Program, executed: frozenset[int]) -> Mapping[int, Reach]:
    """Returns line -> why no ordinary test reaches it, without those that one does.

    Where a line was executed that needs a missing library, what is known of libraries is wrong for
    the file, and does not count.
    """
    gated, without = _gates_of(source), _needing_libraries(source, program)
    if not executed.isdisjoint(without):
        return gated
    return {**dict.fromkeys(without, "missing-library"), **gated}


@lru_cache(maxsize=1024)
def _needing_libraries(source: SourceFile, program: Program) -> frozenset[int]:
    missing = libraries_of(program).missing
    if missing and source.module in _not_importable(program):
        return frozenset(range(1, source.text.count("\n") + 2)) - _imports_of(source)
    return lines_without(source, missing)


@lru_cache(maxsize=4)
def _not_importable(program: Program) -> frozenset[str]:
    return not_importable(program, libraries_of(program).missing)


def _imports_of(source: SourceFile) -> frozenset[int]:
    """Returns the lines above the end of the last import of a module: they may run before one
    fails."""
    last = [node.end_lineno or node.lineno for node in source.tree.body if is_import(node)]
    return frozenset(range(1, max(last, default=0) + 1))


def _uncovered_in(
    source: SourceFile, figures: FileCoverage, gated: Mapping[int, Reach]
) -> Iterator[Uncovered]:
    places: dict[tuple[str, Reach], set[tuple[int, int]]] = defaultdict(set)
    for origin, target in figures.missing_branches:
        reach = gated.get(abs(target), gated.get(origin, "testable"))
        places[_symbol_name(source, origin), reach].add((origin, target))
    for line in figures.missing:
        reach = gated.get(line, "testable")
        places[_symbol_name(source, line), reach].add((line, 0))
    for (symbol, reach), arcs in places.items():
        branches = tuple(sorted(arc for arc in arcs if arc[1]))
        lines = tuple(sorted({arc[0] for arc in arcs if not arc[1]}))
        yield Uncovered(source, symbol, reach, lines, branches)


@lru_cache(maxsize=1024)
def _gates_of(source: SourceFile) -> dict[int, Reach]:
    return gates(source.tree)


def _symbol_name(source: SourceFile, line: int) -> str:
    symbol = source.symbol_at(line)
    return symbol.name if symbol else ""


def unexecuted(
    paths: Iterable[str], program: Program, copy: Path, scratch: Path, jail: Jail
) -> dict[str, FileCoverage]:
    """Returns path -> figures of files that nothing executed; `paths` are relative to `copy`.

    Files that the project's coverage configuration omits are left out.
    """
    folder = scratch / "unexecuted"
    untrusted.remove(folder)
    folder.mkdir()
    report, data = folder / "report.json", folder / "coverage.db"
    files = [str(copy / path) for path in paths]
    run_child(
        [sys.executable, "-c", REPORT, str(data), str(report), program.coverage.told or "", *files],
        cwd=copy,
        env=jail.environment(folder, {}),
        seconds=SECONDS,
        jail=jail,
        places=Places(reads=(copy,), writes=(folder,)),
    )
    return read_files(report, program, copy) if os.path.lexists(report) else {}
