"""Tools that read files, names, requirements and findings, and texts on runs of tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.known.snippets import by_requirement, expected_lines
from pytest_lift.agents.prompted.sections import (
    finding_lines,
    requirement_section,
    steady,
)
from pytest_lift.agents.prompted.tools import arguments as a
from pytest_lift.coverage.coverage import Coverage
from pytest_lift.coverage.uncovered import reach_of
from pytest_lift.errors import LiftError
from pytest_lift.files.project_reads import LARGEST, looks_secret, read_confined
from pytest_lift.run.result import Failure, Run
from pytest_lift.source.outline import outline
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.text.wording import some
from pytest_lift.trace.statuses import BAD

MOST_FILES = 300
DOCUMENTS = frozenset({".md", ".rst", ".txt", ".toml", ".cfg"})
"""Suffixes of documents at the top of a project that may be read."""
MOST_HITS = 40
MOST_FOUND, MOST_ASKED_FOR = 30, 80
"""Largest numbers of findings shown: of all, and of one kind, file, function, requirement or
test."""
LONGEST_LINE, LONGEST_PART = 300, 11_500
"""Largest numbers of characters of a line, and of the part of a file shown at a time."""


MOST_FAILURES = 8
TRACEBACK = 900
"""Number of characters shown of a traceback, from its end."""
MOST_GAPS = 40


class ToolTrouble(Exception):
    """Reason why a call could not be carried out; it is sent to the model, which may try again."""


class Reading:
    """Reading tools for the files of one brief; other files are refused with a message."""

    def __init__(self, brief: Brief, draft: Mapping[str, str | None]) -> None:
        self.brief = brief
        """Brief whose program, tests and copy of the project are read."""
        self.draft = draft
        """Texts of test files that were written in this conversation; None: deleted."""

    def list_files(self, told: a.ListFiles) -> str:
        paths = sorted(self._paths(told.folder))
        rows = [f"{path} ({len(self._lines(path))} lines)" for path in paths[:MOST_FILES]]
        if len(paths) > MOST_FILES:
            rows.append(f"and {len(paths) - MOST_FILES} more: name a folder")
        return "\n".join(rows) or "nothing there"

    def read_file(self, told: a.ReadFile) -> str:
        lines = self._text(told.path).splitlines()
        shown = lines[told.start - 1 : told.start - 1 + told.lines]
        if not shown:
            raise ToolTrouble(f"{told.path} has {len(lines)} lines only")
        rows = [f"{n:5d} {line[:LONGEST_LINE]}" for n, line in enumerate(shown, told.start)]
        while sum(map(len, rows)) + len(rows) > LONGEST_PART:
            rows.pop()
        last = told.start + len(rows) - 1
        rows.append(f"(lines {told.start} to {last} of {len(lines)})")
        return steady("\n".join(rows))

    def search(self, told: a.Search) -> str:
        hits = []
        for path in sorted(self._paths(told.folder)):
            for number, line in enumerate(self._lines(path), 1):
                if told.text in line:
                    hits.append(f"{path}:{number}: {line.strip()[:LONGEST_LINE]}")
        shown = hits[:MOST_HITS]
        if len(hits) > MOST_HITS:
            shown.append(f"and {len(hits) - MOST_HITS} more: search for a more specific text")
        return "\n".join(shown) or f"no line contains {told.text!r}"

    def outline(self, told: a.Outline) -> str:
        program = self.brief.program
        source = program.by_module.get(told.module) or program.files.get(told.module)
        if source is None:
            raise ToolTrouble(
                f"no module {told.module!r}; there are: {some(program.by_module.keys(), 40)}"
            )
        return outline(source, program, private=True)

    def requirement(self, told: a.LookUpRequirement) -> str:
        item = self.brief.requirements.by_id.get(told.id)
        if item is None:
            known = some(self.brief.requirements.by_id.keys(), 40)
            raise ToolTrouble(f"no requirement has the id {told.id!r}; there are: {known}")
        trace = self.brief.trace
        traced = (
            next((t for t in trace.requirements if t.requirement.id == told.id), None)
            if trace
            else None
        )
        said = by_requirement(self.brief.expectations).get(told.id, ())
        text = requirement_section(item, brief=self.brief, traced=traced)
        rows = expected_lines(said, self.brief, most=len(said)) if said else ()
        return "\n".join([text, *rows])

    def findings(self, told: a.LookUpFindings) -> str:
        found = [
            f
            for f in self.brief.findings
            if not told.about
            or told.about in (f.kind, f.file, f.symbol, f.requirement, f"{f.file}:{f.line}")
            or any(test.startswith(told.about) for test in f.tests)
        ]
        most = MOST_ASKED_FOR if told.about else MOST_FOUND
        rows = finding_lines(found[:most], evidence=len(found) <= 5)
        if len(found) > most:
            rows.append(f"and {len(found) - most} more: name a kind, a file or a function")
        return "\n".join(rows) or "no open finding matches"

    def _paths(self, below: str) -> Iterator[str]:
        """Yields the text files that may be read: program, tests, documents at the top."""
        below = PurePosixPath(below.strip("/") or ".").as_posix()
        known = {*self.brief.program.files, *self.brief.suite.files, *self.draft}
        known -= {path for path, text in self.draft.items() if text is None}
        top = (place for place in self.brief.copy.glob("*") if place.is_file())
        known |= {place.name for place in top if place.suffix in DOCUMENTS}
        for path in known:
            inside = below == "." or path == below or path.startswith(f"{below}/")
            if inside and not looks_secret(path):
                yield path

    def _lines(self, path: str) -> list[str]:
        """Returns the lines of a file; empty if it may not be read."""
        try:
            return self._text(path).splitlines()
        except ToolTrouble:
            return []

    def _text(self, path: str) -> str:
        """Returns the text of a file of the draft, the suite or the program, or else from the copy
        of the project. Raises ToolTrouble."""
        if path in self.draft:
            return self.draft[path] or ""
        if path in self.brief.suite.files:
            return self.brief.suite.files[path].text
        if path in self.brief.program.files:
            return self.brief.program.files[path].text
        try:
            return read_confined(self.brief.copy, path, limit=LARGEST).decode("utf-8", "replace")
        except LiftError as error:
            raise ToolTrouble(str(error)) from error


def results_of(run: Run) -> str:
    """Returns counts and the failures with their tracebacks; times are left out, because they
    differ from run to run."""
    counts = Counter(result.outcome for result in run.results.values())
    told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
    lines = [told or "no test ran"]
    if run.ending not in ("passed", "failed"):
        lines.append(f"the run ended: {run.ending}: {run.detail}")
    for file, failure in run.broken.items():
        lines += [
            f"{file} cannot be collected: {failure.type}: {failure.message}",
            *_shown(failure),
        ]
    bad = [r for r in run.results.values() if r.outcome in BAD]
    for result in bad[:MOST_FAILURES]:
        lines.append(f"{result.outcome}: {result.node}")
        if result.failure is not None:
            lines += _shown(result.failure)
    if len(bad) > MOST_FAILURES:
        lines.append(f"and {len(bad) - MOST_FAILURES} more that fail")
    return steady("\n".join(lines))


def _shown(failure: Failure) -> Iterator[str]:
    text = failure.traceback.strip()
    text = text if len(text) <= TRACEBACK else f"...{text[-TRACEBACK:]}"
    yield from (f"    {line}" for line in text.splitlines())


def gaps_left(
    measured: Sequence[Coverage], stretches: Sequence[tuple[str, range]], program: Program
) -> list[str]:
    """Returns lines that none of the runs in `measured` executes, and branches that none takes.
    Code that cannot run here is left out.

    `stretches` are files with the lines in question; an empty range stands for the whole file.
    """
    rows: list[str] = []
    for path, lines in dict.fromkeys(stretches):
        rows += _gaps_in(program.files[path], lines, measured, program)
    more = [f"  and {len(rows) - MOST_GAPS} more"] if len(rows) > MOST_GAPS else []
    return [*rows[:MOST_GAPS], *more]


def _gaps_in(
    source: SourceFile, lines: range, measured: Sequence[Coverage], program: Program
) -> Iterator[str]:
    figures = [one.files[source.path] for one in measured if source.path in one.files]
    if not figures:
        return
    missing = frozenset.intersection(*(one.missing for one in figures))
    branches = frozenset.intersection(*(one.missing_branches for one in figures))
    executed = frozenset[int]().union(*(one.executed for one in figures))
    shut = reach_of(source, program, executed)
    text = source.text.splitlines()
    half = {a: b for a, b in sorted(branches) if a not in missing}
    for line in sorted({*missing, *half}):
        if line in shut or line > len(text) or abs(half.get(line, 0)) in shut:
            continue
        if lines and line not in lines:
            continue
        goes = half.get(line)
        never = f"  [never goes to {goes if goes > 0 else 'the end'}]" if goes else ""
        yield f"  {source.path}:{line}: {text[line - 1].strip()[:100]}{never}"
