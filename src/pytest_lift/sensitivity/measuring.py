"""Suite -> `Strength` of its tests: what their texts assert, what the probe saw, their level."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_lift.assertions.assertions import Assertions, read_assertions
from pytest_lift.marks.claims import DEFAULT, Claims
from pytest_lift.sandbox.jail import Jail
from pytest_lift.sensitivity.levels import Level, Reached, level_of
from pytest_lift.sensitivity.probing import Place, ProbeRequest, SeenRow, probe
from pytest_lift.sensitivity.verdicts import EnteredFunction, ProbedRow, Verdict, judge
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import Suite


@dataclass(frozen=True)
class Strength:
    """Faults that a test function can notice, and the level at which it tests."""

    test: str
    """Node of the test function, without parameters."""
    verdict: Verdict
    reason: str
    assertions: Assertions | None
    """None for a test whose text is not in the suite (an inherited one)."""
    entries: tuple[EnteredFunction, ...] = ()
    """Functions of the program that it calls itself, over all its rows."""
    level: Level | None = None
    level_evidence: tuple[str, ...] = ()
    unaffected: bool | None = None
    """Whether every row passes both with what was stubbed returning nothing and raising; None
    where that was not tried. With `stub_only`: True means that it does not verify it."""


def measure_strength(
    suite: Suite,
    program: Program,
    copy: Path,
    scratch: Path,
    jail: Jail,
    *,
    addopts: Sequence[str] = (),
    claims: Claims = DEFAULT,
    chosen: Sequence[str] = (),
    stub_only: Mapping[str, Sequence[Place]] | None = None,
    seconds: float = 600.0,
) -> Mapping[str, Strength]:
    """Returns test function -> its strength; `suite` has been written to `copy`.

    `chosen` (node ids or paths; empty: all) says what is probed. For the tests that `stub_only`
    names just these functions and classes of the program are stubbed, whatever else they call;
    their verdicts then speak of these only. Raises what `run_suite` raises.
    """
    assertions = read_assertions(suite, program.names)
    scripts = _scripts(copy)
    idle = [node for node, one in assertions.items() if one.idle]
    request = ProbeRequest(suite.root, chosen, idle, stub_only or {}, scripts.values())
    seen = probe(
        request, program, copy, scratch, jail, addopts=addopts, claims=claims, seconds=seconds
    )
    rows: dict[str, list[SeenRow]] = {}
    for node, one in seen.items():
        rows.setdefault(node.partition("[")[0], []).append(one)
    named = frozenset(program.names), frozenset(scripts)
    return {
        test: _strength(test, of_test, assertions.get(test), *named)
        for test, of_test in rows.items()
    }


def _strength(
    test: str,
    rows: Sequence[SeenRow],
    assertions: Assertions | None,
    names: frozenset[str],
    scripts: frozenset[str],
) -> Strength:
    probed = [row.probed for row in rows]
    judgement = judge(probed, assertions)
    entries = dict.fromkeys(entry for row in probed for entry in row.entries)
    level, evidence = level_of(_together([row.reached for row in rows]), names, scripts)
    return Strength(
        test,
        judgement.verdict,
        judgement.reason,
        assertions,
        tuple(entries),
        level,
        evidence,
        _unaffected(probed),
    )


def _unaffected(rows: Sequence[ProbedRow]) -> bool | None:
    tried = [row.unaffected for row in rows if row.unaffected is not None]
    return all(tried) if tried else None


def _together(rows: Sequence[Reached]) -> Reached:
    return Reached(
        tuple(dict.fromkeys(one for row in rows for one in row.modules)),
        tuple(dict.fromkeys(one for row in rows for one in row.entries)),
        tuple(dict.fromkeys(one for row in rows for one in row.processes)),
        tuple(dict.fromkeys(one for row in rows for one in row.sockets)),
        tuple(dict.fromkeys(one for row in rows for one in row.mains)),
    )


def _scripts(copy: Path) -> dict[str, str]:
    """Returns console script -> ``module:function``, as pyproject.toml names them."""
    try:
        project = tomllib.loads((copy / "pyproject.toml").read_text("utf-8")).get("project", {})
        scripts = project.get("scripts", {})
        return {str(name): str(target).split("[")[0] for name, target in scripts.items()}
    except (OSError, ValueError, AttributeError):
        return {}
