"""What packets tell of contradictions that the run knows: each packet whose code they are about."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from pytest_lift.agents.contract import Brief
from pytest_lift.gate.contradictions import focal_source
from pytest_lift.oracles.discrepancies import Discrepancy, bare, plainly
from pytest_lift.text.wording import shortened
from pytest_lift.trace.grounding.subjects import Grounding

MOST_TOLD, LONGEST = 20, 160
"""Largest number of contradictions in one packet, and of characters of a call or a value."""
HEADING = "## Contradicted by the program, written down by the lift: leave these calls out"


class Contradicted:
    """The known contradictions of one brief, with the source files that each is about."""

    def __init__(self, brief: Brief, grounding: Grounding) -> None:
        self._about = [(said, _paths(said, brief, grounding)) for said in brief.contradictions]

    def section(self, sources: Collection[str], listed: Collection[str]) -> Iterator[str]:
        """Yields a section on the contradictions about any of `sources`.

        Of the requirements that are `listed` in the packet, expectations are told there.
        """
        told = [
            said
            for said, paths in self._about
            if not paths.isdisjoint(sources) and not (said.sentence and said.requirement in listed)
        ]
        if told:
            yield "\n".join([HEADING, *_lines(told)])


def _paths(said: Discrepancy, brief: Brief, grounding: Grounding) -> frozenset[str]:
    imports = said.proof.imports if said.proof is not None else ()
    called = focal_source(bare(said.call), "\n".join([*imports, said.setup]), brief.program)
    about = grounding.subjects(brief.requirements.by_id[said.requirement])
    named = [*(one.path for one in about), *([called.path] if called else [])]
    return frozenset([*named, *_entered(said, brief)])


def _entered(said: Discrepancy, brief: Brief) -> Iterator[str]:
    """Yields the files that a contradiction executes; for an example, those of all examples of its
    requirement."""
    known = brief.entered()
    if not said.sentence:
        yield from (path for path, _ in known.by_requirement.get(said.requirement, ()))
    for one in brief.expectations:
        if (one.requirement, one.call, one.setup) == (said.requirement, said.call, said.setup):
            yield from (path for path, _ in known.by_call.get(one.key, ()))


def _lines(told: Sequence[Discrepancy]) -> Iterator[str]:
    for said in told[:MOST_TOLD]:
        call, wanted, actual = (
            shortened(plainly(text), LONGEST)
            for text in (bare(said.call), said.expected, said.actual)
        )
        yield f"- {said.requirement} states of `{call}`: {wanted}; the program: {actual}"
    if len(told) > MOST_TOLD:
        yield f"- and {len(told) - MOST_TOLD} more (the tool `findings`, about suspected-defect)"
