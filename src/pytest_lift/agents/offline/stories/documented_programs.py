"""Targets for the command-line programs that documents make of a library of such: a test repeats
the definitions of each."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.search.surroundings.needs import COMMAND_LINE
from pytest_lift.agents.offline.stories.shown_programs import (
    ProgramReader,
    ShownProgram,
    shown_command_lines,
)
from pytest_lift.calls.call import RESULT, Call
from pytest_lift.calls.case import Case, Observation, Step
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter

MOST_COMMANDS, MOST_MAINS = 32, 12
"""Most programs of each kind that are run."""
TRIED_SECONDS = 6.0
"""Seconds in which those of a kind are tried."""


def documented_programs(
    blocks: Iterable[Sequence[str]], resolver: Resolver, prober: Prober
) -> list[Target]:
    """Returns the programs of blocks of code that can be run, the most diverse ones."""
    reader = ProgramReader(resolver)
    parsed = [
        [node for source in block for node in ast.parse(source).body]
        for block in dict.fromkeys(map(tuple, blocks))
    ]
    shown = shown_command_lines(node for nodes in parsed for node in nodes)
    programs = (one for nodes in parsed for one in reader.programs(nodes))
    found = [replace(one, shown=tuple(shown.get(one.name, ()))) for one in programs]
    places = {name: path for path, name in reversed(resolver.exports)}
    chosen: list[Target] = []
    for kind, most in (("command", MOST_COMMANDS), ("main", MOST_MAINS)):
        diverse = _diverse([one for one in found if one.kind == kind], 2 * most)
        targets = [
            _target(one, places[one.about], number)
            for number, one in enumerate(diverse)
            if one.about in places
        ]
        chosen += _working(targets, prober)[:most]
    return chosen


def _diverse(programs: Sequence[ShownProgram], most: int) -> list[ShownProgram]:
    """Returns programs each of which shows something that those before it do not show, those with
    most of it first."""
    waiting = {one.defined: one for one in programs}
    known: set[str] = set()
    found: list[ShownProgram] = []
    while waiting and len(found) < most:
        best = max(waiting.values(), key=lambda one: len(one.shows - known))
        if not best.shows - known:
            break
        known |= best.shows
        found.append(waiting.pop(best.defined))
    return found


def _target(program: ShownProgram, path: str, number: int) -> Target:
    """Returns the target for a program; its number tells it from others of its name."""
    given: list[tuple[str, str]] = []
    parameters: list[Parameter] = []
    call, name = program.call, program.name
    if call is not None:
        name = ast.unparse(call.func)
        for at, value in enumerate(call.args):
            given.append((f"given_{at}", ast.unparse(value)))
            parameters.append(Parameter(f"given_{at}", "positional-only"))
        for one in call.keywords:
            given.append((str(one.arg), ast.unparse(one.value)))
            parameters.append(Parameter(str(one.arg), "keyword"))
    return Target(
        path,
        f"{name.rpartition('.')[2]}#{number + 1}",
        program.kind,
        name,
        program.imports,
        tuple(parameters),
        given=tuple(given),
        defined=program.defined,
        shown=program.shown,
    )


def _working(targets: Sequence[Target], prober: Prober) -> list[Target]:
    """Returns the commands that tell how they are used, and the mains that read a command line."""
    cases = {}
    for target in targets:
        steps = [*map(Step, target.defined)]
        if target.kind == "command":
            steps.append(Step(f"{RESULT} = CliRunner().invoke({target.call}, ['--help'])"))
            steps.append(Step(f"{RESULT}.exit_code", check=True))
        else:
            steps.append(Step(Call(target, target.given).text, check=True))
        cases[target.key] = Case(
            target.path, target.symbol, tuple(steps), target.imports, folder=True
        )
    seen = prober.observe(list(cases.values()), TRIED_SECONDS, hurry=True)
    return [one for one in targets if _is_run(one, seen.get(cases[one.key].key))]


def _is_run(target: Target, seen: Observation | None) -> bool:
    """Whether a command ends well when it is asked how it is used, or a main asks for a command
    line."""
    if seen is None:
        return False
    ends = [outcome.source for outcome in seen.outcomes]
    return ends[-1:] == ["0"] if target.kind == "command" else seen.rejected == COMMAND_LINE
