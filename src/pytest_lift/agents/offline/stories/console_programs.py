"""Targets for the console scripts of a project, with the command lines that documents show."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.search.surroundings.needs import program_name
from pytest_lift.agents.offline.stories.typed_commands import CommandLines
from pytest_lift.calls.targets.mains import is_required
from pytest_lift.calls.targets.target import Target
from pytest_lift.project.console_scripts import ConsoleScript
from pytest_lift.source.bindings import bindings
from pytest_lift.source.program import Program, SourceFile

Typed = Callable[[Collection[str]], CommandLines]
"""Gives the command lines that documents show of programs of some names."""


def with_console_scripts(
    targets: Sequence[Target], program: Program, scripts: Iterable[ConsoleScript], typed: Typed
) -> list[Target]:
    """Returns the targets; what a console script runs reads a command line, whatever it is called,
    and each way into the program has those that are shown of it."""
    names: dict[str, list[str]] = {}
    found = {target.key: target for target in targets}
    files = {file.module: file for file in program.files.values()}
    for script in scripts:
        file = files.get(script.module)
        target = _run_by(script, file, found) if file is not None else None
        if target is not None:
            found[target.key] = target
            names.setdefault(target.key, []).append(script.name)
    for key, target in found.items():
        if target.entry:
            names.setdefault(key, [program_name(target)])
    shown = typed({name for known in names.values() for name in known})
    for key, known in names.items():
        lines = dict.fromkeys(line for name in known for line in shown.get(name, ()))
        if lines and not found[key].shown:
            found[key] = replace(found[key], shown=tuple(lines))
    return [*found.values()]


def _run_by(script: ConsoleScript, file: SourceFile, known: dict[str, Target]) -> Target | None:
    """Returns the target for what a console script runs; None where that needs arguments, or is
    not there."""
    target = known.get(f"{file.path}:{script.attribute}")
    if target is not None and target.entry:
        return target
    if target is not None and target.kind == "function":
        alone = not any(is_required(one) for one in target.parameters)
        return replace(target, kind="main", parameters=()) if alone else None
    first = script.attribute.partition(".")[0]
    there = first in {one.name for one in file.symbols} | bindings(file.tree.body).once.keys()
    if "." not in script.attribute or first.startswith("_") or not (there and file.importable):
        return None
    line = f"from {file.module} import {first}"
    return Target(file.path, script.attribute, "main", script.attribute, (line,), ())
