"""Tries examples and expectations, and collects by requirement what the program contradicts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pytest_lift.oracles.doctest_examples import DIRECTIVE, TRACEBACK, Discrepancy, contradictions
from pytest_lift.oracles.try_expectations import Tried, try_expectations
from pytest_lift.requirements.expectation import Expectation
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.sandbox.jail import Jail
from pytest_lift.source.program import Program

RAISED = re.compile(r"^([A-Za-z_][\w.]*)(?::|$)", re.MULTILINE)


@dataclass(frozen=True)
class Looked:
    """Expectations and the program's behaviour on them, for one state of the program."""

    expectations: tuple[Expectation, ...] = ()
    contradictions: Mapping[str, tuple[Discrepancy, ...]] = field(default_factory=dict)
    """Requirement id -> its differences from the program."""
    tried: Mapping[str, Tried] = field(default_factory=dict)
    """`Expectation.key` -> result on the program."""

    @property
    def agreed(self) -> dict[str, tuple[Expectation, ...]]:
        """Requirement id -> expectations that a test may rely on."""
        found: dict[str, tuple[Expectation, ...]] = {}
        for one in self.expectations:
            holds = self.tried[one.key].outcome == "holds"
            if one.ruling != "withdrawn" and (holds or one.ruling == "stands"):
                found[one.requirement] = (*found.get(one.requirement, ()), one)
        return found


def look(
    requirements: Requirements,
    expectations: Sequence[Expectation],
    program: Program,
    copy: Path,
    scratch: Path,
    jail: Jail,
) -> Looked:
    """Tries every example and every expectation on the program in `copy`."""
    stated = contradictions(requirements, program, copy, scratch, jail)
    forms = {id(said): tuple(_forms(said)) for group in stated.values() for said in group}
    everything = (*expectations, *(form for group in forms.values() for form in group))
    tried = try_expectations(everything, program, copy, scratch, jail)
    found = {
        name: tuple(_proved(said, forms[id(said)], tried) for said in group)
        for name, group in stated.items()
    }
    testable = {item.id for item in requirements.testable}
    for one in expectations:
        seen = tried[one.key]
        if one.requirement in testable and seen.outcome == "differs" and one.ruling == "stands":
            found[one.requirement] = _with(found.get(one.requirement, ()), _differing(one, seen))
    return Looked(tuple(expectations), found, {one.key: tried[one.key] for one in expectations})


def _differing(one: Expectation, seen: Tried) -> Discrepancy:
    return Discrepancy(
        requirement=one.requirement,
        call=one.call,
        expected=one.told,
        actual=seen.actual,
        sentence=one.sentence,
        suspect=one.suspect,
        why=one.why,
        setup=one.setup,
        relation=one.relation,
        proof=seen.proof,
    )


def _with(known: tuple[Discrepancy, ...], new: Discrepancy) -> tuple[Discrepancy, ...]:
    """Adds a discrepancy unless its call is known; an author's example is the better evidence."""
    for number, said in enumerate(known):
        if _normal(said) == _normal(new):
            told = said if said.why else replace(said, suspect=new.suspect, why=new.why)
            told = told if told.proof else replace(new, sentence=said.sentence or new.sentence)
            return (*known[:number], told, *known[number + 1 :])
    return (*known, new)


def _normal(said: Discrepancy) -> str:
    """Returns setup and call in normal form, without imports."""
    try:
        body = ast.parse(f"{said.setup}\n{said.call}").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return f"{said.setup}\n{said.call}"
    return "\n".join(
        ast.unparse(node) for node in body if not isinstance(node, ast.Import | ast.ImportFrom)
    )


def _proved(
    said: Discrepancy, forms: tuple[Expectation, ...], tried: Mapping[str, Tried]
) -> Discrepancy:
    """Returns the discrepancy with the proof of the first form that a plain test can show."""
    found = (tried[form.key] for form in forms if tried[form.key].outcome == "differs")
    seen = next(found, None)
    if seen is None:
        return said
    return replace(said, actual=said.actual or seen.actual, proof=seen.proof)  # None prints nothing


def _forms(said: Discrepancy) -> Iterator[Expectation]:
    """Yields an example, whose printed text counts, as calls with values; the simplest form
    first."""
    try:
        call = ast.parse(said.call, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    source, loose = ast.unparse(call), DIRECTIVE in said.call
    blank = Expectation(said.requirement, "", source, setup=said.setup)
    if said.expected.startswith(TRACEBACK):
        names = RAISED.findall(said.expected.removeprefix(TRACEBACK))
        if names:
            yield replace(blank, relation="raises", expected=names[-1])
    elif isinstance(call, ast.Call) and ast.unparse(call.func) == "print":
        if len(call.args) == 1 and not call.keywords and not loose:
            text = f"str({ast.unparse(call.args[0])})"
            yield replace(blank, call=text, expected=repr(said.expected))
    else:
        if not (loose and "..." in said.expected):
            yield replace(blank, expected=said.expected)
        if not loose and said.expected:
            yield replace(blank, call=f"repr({source})", expected=repr(said.expected))
