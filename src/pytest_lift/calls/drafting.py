"""Calls as cases: the steps of blocks and callbacks, the import lines, and what the texts cost."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import lru_cache

from pytest_lift.calls.blocks import ANSWER, ANSWERING, ENTERED, awaiting, entered, scenario
from pytest_lift.calls.call import (
    RECORDED,
    RECORDER,
    RESULT,
    SLEPT,
    STAND_IN,
    Call,
    expression,
    setup,
    statements,
)
from pytest_lift.calls.case import SEEDING, TELLS, WAITS, Awake, Case, Origin, Step
from pytest_lift.calls.child.isolation.connections import CONNECTS, SENT
from pytest_lift.calls.collecting import altered, collected, texts_of
from pytest_lift.calls.cost import cost_of, cost_of_files
from pytest_lift.calls.definitions import LocalDefinition, LocalDefinitions
from pytest_lift.calls.names import Resolver, free_names
from pytest_lift.calls.targets.target import SCRIPT


def as_case(
    call: Call, resolver: Resolver, origin: Origin = "searched", *, priced: bool = True
) -> Case | None:
    """Returns the call as a case, or None if a test cannot import a name in it; its cost is 0 where
    it is not `priced`."""
    case = _entry_case(call) if call.target.entry else _case(call, resolver, origin)
    return replace(case, cost=price(call, case)) if priced and case is not None else case


def price(call: Call, case: Case) -> float:
    """Returns what the texts of the case of a call cost."""
    if not call.target.entry:
        line = cost_of(repr(case.argv)) if case.argv else 0.0
        return cost_of(case.source) + cost_of_files(case.files) + line
    reading = (*(word for line in (*call.before, call) for word in line.argv), call.stdin)
    return 2 + cost_of(repr(reading)) + cost_of_files(case.files)


def _case(call: Call, resolver: Resolver, origin: Origin) -> Case | None:
    collecting, call = collected(call, resolver.readers, resolver.definitions.known)
    hoisted = [(name, value) for name, value, _ in collecting]
    looks = [Step(look, check=True, aside=True) for *_, look in collecting]
    if (parameters := resolver.altered.get(call.target.key)) and not call.looped:
        changing, call = altered(call, parameters, resolver.definitions.known)
        hoisted += [(name, value) for name, value, _ in changing]
        looks += [Step(name, check=True, began=begins) for name, _, begins in changing]
    texts = "\n".join(texts_of(call))
    if RECORDER in texts:
        call = _recording(call)
        hoisted = [*hoisted, (RECORDED, "[]")]
        looks = [*looks, Step(RECORDED, check=True, aside=True)]
    chain = call.chain
    if any(part.slept for part in chain):
        hoisted = [*hoisted, (SLEPT, "[]")]
        looks = [*looks, Step(SLEPT, check=True, aside=True)]
    if any(kind == CONNECTS for part in chain for _, kind in part.awake):
        hoisted = [*hoisted, (SENT, "[]")]
        looks = [*looks, Step(SENT, check=True, aside=True)]
    receivers = [part.receiver for part in chain if part.receiver is not None]
    if any(receiver.target.kind == "statement" for receiver in receivers):
        return None  # a statement is no object
    steps = [_step(SEEDING[module][1]) for module in call.seeds]
    steps += [_step(f"{name} = {value}") for name, value in hoisted]
    if ANSWER in texts and _answers(texts):
        steps.append(Step(ANSWERING))
        hoisted = [*hoisted, (ANSWER, "None")]
    acting = _acting(call, call.text)
    if call.looped:
        acting = [replace(step, source=awaiting(step.source)) for step in acting]
    steps += acting
    steps += looks
    unknown = call.names
    if unknown and len(chain) > 1:
        unknown = unknown.difference([n for c in chain for n in (c.name, c.bound)])
    if hoisted:
        unknown = unknown.difference(name for name, _ in hoisted)
        unknown |= {n for _, v in hoisted for n in free_names(v)}
    defined = _defined(call, resolver.definitions, unknown)
    steps[:0] = [_step(one.source) for one in defined]
    unknown = unknown.difference([STAND_IN, *(one.name for one in defined)])
    lines = resolver.imports(unknown, call.target.path)
    if lines is None:
        return None
    about = _about(call)
    seeding = tuple(SEEDING[module][0] for module in call.seeds)
    others = [*(part.target.imports for part in chain), *(one.imports for one in defined)]
    targets = tuple(dict.fromkeys(others))
    reading = [part for part in chain if part.files or part.folder or part.stdin or part.argv]
    return Case.made(
        path=about.target.path,
        symbol=about.target.symbol,
        steps=tuple(steps),
        imports=_together(lines, seeding, targets),
        origin=origin,
        keywords=about.options,
        subject=call.name,
        closing=_closing(call) if call.closed else "",
        defines=len(defined),
        optional=call.target.optional,
        seeded=bool(call.seeds),
        looped=call.looped,
        files={name: text for part in reading for name, text in part.files.items()},
        folder=any(part.folder for part in reading),
        home=any(part.home for part in chain),
        alone=any(part.alone for part in chain),
        awake=_awake(chain),
        stdin=next((part.stdin for part in reading if part.stdin), ""),
        binary=any(part.binary and part.stdin for part in reading),
        argv=next((part.argv for part in reading if part.argv), None),
    )


def _defined(
    call: Call, definitions: LocalDefinitions, names: AbstractSet[str]
) -> list[LocalDefinition]:
    """Returns the definitions that a call needs, by the free names in it and its targets."""
    if not definitions.known:
        return []
    return definitions.needed({*names, *(part.target.call for part in call.chain)})


@lru_cache(maxsize=4096)
def _together(
    lines: tuple[str, ...], seeding: tuple[str, ...], targets: tuple[tuple[str, ...], ...]
) -> tuple[str, ...]:
    """Returns all import lines of a case."""
    return _distinct({*lines, *seeding, *(line for own in targets for line in own)})


def _distinct(lines: Iterable[str]) -> tuple[str, ...]:
    """Returns import lines in order, of several that bind one name the last, which counts."""
    return tuple({line.rpartition(" ")[2]: line for line in sorted(lines)}.values())


def _acting(call: Call, text: str) -> list[Step]:
    """Returns the statements that make the object of a call, and the call itself, in the blocks
    that they need."""
    target, before = call.target, setup(call)
    manages = target.manages
    changes = target.kind == "statement"
    if call.entered or manages:
        made = call if manages else call.receiver
        manager = target if manages else call.manager
        assert made is not None
        assert manager is not None
        body, name = [], ENTERED if manages else call.name
        if not manages:
            body = [text for line in call.before for text in statements(line)]
            body.append(text if changes else f"{RESULT} = {text}")
            before = setup(made)
        manner = manager.enters
        waits, maker, bound = manner == "async", expression(made), name
        if call.entered and manager.apart:  # what the block gets is not what the call is on
            before, maker, bound = [*before, f"{name} = {maker}"], name, ""
        block = entered(maker, bound, body, waits=waits, interrupted=call.interrupted)
        told = [name] if manages or changes else [RESULT, name]
        if not waits or call.looped:
            return [*map(Step, (*before, block)), *(Step(one, check=True) for one in told)]
        return scenario([*before, block], told[0])
    if call.closed:
        lines = [*before, text if changes else f"{RESULT} = {text}", _closing(call)]
        told = [call.name] if changes else [RESULT, call.name]
        return [*map(_step, lines), *(Step(one, check=True) for one in told)]
    if target.streams:
        result = f"[item async for item in {text}]"
        gives = [Step(result, check=True)] if call.looped else scenario([], result)
        return [*map(Step, before), *gives]
    if changes:
        steps = [Step(text, check=True, acts=True), Step(call.name, check=True)]
        return [*map(_step, before), *steps]
    return [*map(_step, before), Step(text, check=True)]


def _closing(call: Call) -> str:
    """Returns the statement that closes the object of a call."""
    return f"{call.name}.{call.closed}()"


def _about(call: Call) -> Call:
    """Returns the call that a case is about: what was called to give an object to which the last
    call only listens."""
    given = call.receiver
    listens = any(value == f"{RECORDED}.append" for _, value in call.values) and not call.before
    made = given is not None and given.target.kind in ("function", "method", "static")
    return given if listens and made and given is not None else call


def _awake(chain: Iterable[Call]) -> Awake:
    """Returns what does not wait in a case of some calls, and what tells the time then; a task
    beside others has to be waited for in truth."""
    parts = list(chain)
    found = dict.fromkeys(one for part in parts for one in part.awake)
    if any(part.beside for part in parts):
        found = dict.fromkeys(one for one in found if one[1] != WAITS)
    return tuple(found) if any(kind != TELLS for _, kind in found) else ()


@lru_cache(maxsize=4096)
def _step(source: str) -> Step:
    return Step(source)


def _answers(value: str) -> bool:
    return re.search(rf"\b{ANSWER}\b", value) is not None


def _recording(call: Call) -> Call:
    """Returns the call with its recorders writing into one variable."""
    target = f"{RECORDED}.append"
    return call.but(
        values=tuple((name, value.replace(RECORDER, target)) for name, value in call.values),
        extra=tuple(value.replace(RECORDER, target) for value in call.extra),
        receiver=_recording(call.receiver) if call.receiver is not None else None,
        before=tuple(_recording(line) for line in call.before),
    )


def _entry_case(call: Call) -> Case:
    """Returns the case of a command line, and of those before it."""
    target = call.target
    steps = [_step(source) for source in target.defined]
    if target.kind == "command":
        steps += [Step(f"{RESULT} = {expression(line)}") for line in (*call.before, call)]
        steps += [Step(f"{RESULT}.{name}", check=True) for name in ("exit_code", "output")]
    else:
        steps.append(Step(expression(call), check=True, acts=target.symbol == SCRIPT))
    reads_argv = target.kind == "main" and not target.argv
    return Case(
        target.path,
        target.symbol,
        tuple(steps),
        (*target.imports, *(["import asyncio"] if target.asynchronous else [])),
        argv=call.argv if reads_argv else None,
        stdin="" if target.kind == "command" else call.stdin,
        binary=call.binary and call.stdin != "" and target.kind != "command",
        files=call.files,
        folder=not target.defined or call.folder or bool(call.files),
        home=any(line.home for line in (*call.before, call)),
        alone=any(line.alone for line in (*call.before, call)),
        awake=_awake((*call.before, call)),
        command=call.argv,
    )
