"""Which requirements live in which source files, and how packets tell it of those in part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.prompted.known.snippets import expectation_line
from pytest_lift.coverage.coverage import Entry
from pytest_lift.requirements.requirement import Expectation, Requirement
from pytest_lift.source.program import SourceFile
from pytest_lift.text.wording import shortened, some
from pytest_lift.trace.grounding.homes import Parts, parts

MOST_SHARED, LONGEST = 12, 400
"""Largest number of requirements that are told in part, and of characters of one."""
MOST_EXPECTED = 3
"""Largest number of expectations shown for one of them."""
MOST_NAMED = 4
HEADING = "## Requirements that live here in part; their tests are written elsewhere"


def residents(brief: Brief) -> dict[str, Parts]:
    """Returns requirement id -> the files where it lives, its home first, with its symbols there.

    What its examples and expectations enter counts; where it has none, what verifies it enters.
    """
    return parts(brief.requirements, brief.program, {**_by_tests(brief), **_by_texts(brief)})


def _by_texts(brief: Brief) -> Mapping[str, frozenset[Entry]]:
    return brief.entered().by_requirement


def _by_tests(brief: Brief) -> dict[str, frozenset[Entry]]:
    """Returns requirement id -> what tests that verify it enter."""
    if brief.trace is None or brief.coverage is None:
        return {}
    entered: dict[str, set[Entry]] = {}
    for node, entries in brief.coverage.functions_by_test.items():
        entered.setdefault(node.partition("[")[0], set()).update(entries)
    found = {
        item.requirement.id: frozenset().union(
            *(entered.get(link.test, ()) for link in item.links if link.grade == "verified")
        )
        for item in brief.trace.requirements
    }
    return {name: entries for name, entries in found.items() if entries}


def where_lines(told: Parts, path: str) -> Iterator[str]:
    """Yields a list item on a requirement that lives in several files: its symbols in each."""
    if len(told) > 1:
        here = [f"`{name}`" for name in told.get(path, ())]
        rest = ((other, names) for other, names in told.items() if other != path)
        others = [f"`{name}` in {other}" for other, names in rest for name in names]
        yield f"- about {some([*here, *others], MOST_NAMED)}"


def shared_section(
    items: Sequence[Requirement],
    lives: Mapping[str, Parts],
    source: SourceFile,
    said: Mapping[str, Sequence[Expectation]],
    brief: Brief,
) -> Iterator[str]:
    """Yields a section on requirements whose home is another file: their words, their symbols in
    this one, and the expectations whose code is here."""
    if not items:
        return
    lines = [HEADING]
    for item in items[:MOST_SHARED]:
        names = [f"`{name}`" for name in lives[item.id][source.path]]
        words = shortened(item.description or item.title, LONGEST)
        home = next(iter(lives[item.id]))
        lines.append(f"- {item.id} (home: {home}; here {some(names, MOST_NAMED)}): {words}")
        lines += [
            f"  - {expectation_line(one, brief)}"
            for one in [*_executing(said.get(item.id, ()), source.path, brief)][:MOST_EXPECTED]
        ]
    if len(items) > MOST_SHARED:
        more = [item.id for item in items[MOST_SHARED:]]
        lines.append(f"- and {some(more, MOST_SHARED)} (the tool `requirement` shows each)")
    yield "\n".join(lines)


def _executing(said: Sequence[Expectation], path: str, brief: Brief) -> Iterator[Expectation]:
    """Yields the expectations that enter a function of a file; all, where nothing was watched."""
    by_call = brief.entered().by_call
    for one in said:
        entries = by_call.get(one.key)
        if not by_call or (entries and any(file == path for file, _ in entries)):
            yield one
