"""Seeds the random generators from which documented examples draw."""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from pytest_lift.calls.case import SEEDING, Case, Observation, Step
from pytest_lift.calls.prober import Prober
from pytest_lift.source.bindings import imports_in
from pytest_lift.source.program import Program

SEEDED_SECONDS = 4.0
DRAWS = re.compile(r"\brandom\b")
SEEDS_ITSELF = re.compile(r"\b(default_rng|RandomState|Generator|SystemRandom|Random|seed)\(")
"""Calls of code that has a generator of its own, or seeds the shared one."""


def drawn_from(source: str, imports: Iterable[str]) -> list[str]:
    """Returns the modules from whose shared generator a source draws, by its words and those of its
    import lines."""
    lines = [*imports]
    if not DRAWS.search("\n".join([source, *lines])) or SEEDS_ITSELF.search(source):
        return []
    tops = {one.top for line in lines for one in imports_in(ast.parse(line).body)}
    return [name for name in SEEDING if name in tops]


def with_seeds(
    cases: Sequence[Case], program: Program, prober: Prober
) -> dict[str, tuple[Case, Observation]]:
    """Returns `Case.key` of those that draw from a generator which nobody seeds -> the case with a
    line that does, and what is seen of it."""
    modules = generators_of(program)
    if not modules or not cases:
        return {}
    strict = prober.observe(cases, SEEDED_SECONDS, strict=True)
    drawing = [c for c in cases if c.key in strict and strict[c.key].rejected == "chance"]
    tried = {case.key: seeded(case, modules) for case in drawing}
    seen = prober.observe(list(tried.values()), SEEDED_SECONDS)
    return {key: (case, seen[case.key]) for key, case in tried.items() if case.key in seen}


def generators_of(
    program: Program, find: Callable[[str], object] = importlib.util.find_spec
) -> tuple[str, ...]:
    """Returns the modules with shared random generators that a program imports anywhere, and that
    are installed: what `find` finds."""
    imported = {one.top for file in program.files.values() for one in file.imports}
    return tuple(name for name in SEEDING if name in imported and find(name) is not None)


def seeded(case: Case, modules: Iterable[str]) -> Case:
    """Returns a case that seeds the generators of modules behind what it defines."""
    lines = [SEEDING[name] for name in modules]
    steps = (
        *case.steps[: case.defines],
        *(Step(seed) for _, seed in lines),
        *case.steps[case.defines :],
    )
    imports = tuple(sorted({*case.imports, *(line for line, _ in lines)}))
    return replace(case, steps=steps, imports=imports, seeded=True)
