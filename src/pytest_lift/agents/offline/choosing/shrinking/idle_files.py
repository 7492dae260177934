"""Leaves out surroundings of a case that play no part: files and standard input that nothing reads,
event loops, connections to nobody, and that no other programs are found or nothing is slept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.search.kept import KeptCase, Write
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import TELLS, Outcome
from pytest_lift.calls.child.isolation.connections import SENT
from pytest_lift.calls.prober import Prober

SECONDS = 3.0
ROUNDS = 3
"""Most files that a case loses one after the other, where it does not lose all at once."""


def without_idle_files(chosen: Sequence[Chosen], prober: Prober, write: Write) -> list[Chosen]:
    """Returns the cases, each without the files and the input without which it shows the same, and
    without a connection that other calls of its function need."""
    found = list(chosen)
    for _ in range(ROUNDS):
        drafts = [
            (number, call, case)
            for number, item in enumerate(found)
            if item.kept.case.origin == "searched"
            for call in _lighter(item.kept)
            if (case := write(call)) is not None
        ]
        seen = prober.observe([case for *_, case in drafts], SECONDS)
        lighter: dict[int, Chosen] = {}
        for number, call, case in drafts:
            kept, gain = found[number].kept, found[number].gain
            observed = seen.get(case.key)
            same = observed is not None and observed.usable and gain <= observed.hits
            if number in lighter or observed is None or not same:
                continue
            if observed.outcomes in (kept.seen.outcomes, _with_nothing_sent(kept)):
                case = replace(case, effect=kept.case.effect, idle=kept.case.idle)
                lighter[number] = Chosen(replace(kept, case=case, seen=observed, call=call), gain)
        if not lighter:
            break
        found = [lighter.get(number, item) for number, item in enumerate(found)]
    return found


def _with_nothing_sent(kept: KeptCase) -> tuple[Outcome, ...] | None:
    """Returns what a case shows, without what it sends; None where that is something."""
    shown = [step.source for step in kept.case.steps if step.check]
    pairs = [*zip(shown, kept.seen.outcomes, strict=False)]
    if any(look == SENT and outcome.source != "[]" for look, outcome in pairs):
        return None
    return tuple(outcome for look, outcome in pairs if look != SENT)


def _lighter(kept: KeptCase) -> Iterator[Call]:
    """Yields the call of a case without some of its surroundings."""
    if kept.call is not None:
        if kept.case.awake and not kept.call.unconnected:
            yield _as_usual(kept.call).but(unconnected=True)
        yield from with_fewer_files(kept.call)


def with_fewer_files(call: Call) -> Iterator[Call]:
    """Yields the call in no event loop, among other programs and with sleep, and with a clock that
    goes on, without standard input, then without files and in no folder of its own, then without
    files, then without each of them."""
    if call.looped and not any(_waits(part) for part in call.chain):
        yield call.but(looped=False)
    if any(part.alone or part.awake for part in call.chain):
        yield _as_usual(call)
    if any(kind == TELLS for part in call.chain for _, kind in part.awake):
        yield _with_clock(call)
    if call.stdin:
        yield call.but(stdin="")
    names = list(dict.fromkeys(name for part in call.chain for name in part.files))
    if not names:
        return
    bare = _without(call, names)
    yield in_no_folder(bare)
    yield bare
    if len(names) > 1:
        yield from (_without(call, [name]) for name in names)


def _waits(call: Call) -> bool:
    """Whether a call is awaited, or made while others wait."""
    return call.target.asynchronous or call.target.streams or call.beside


def _as_usual(call: Call) -> Call:
    """Returns the call for a test in which other programs may be found, and that sleeps."""
    return call.but(
        alone=False,
        awake=(),
        receiver=_as_usual(call.receiver) if call.receiver is not None else None,
        before=tuple(map(_as_usual, call.before)),
    )


def _with_clock(call: Call) -> Call:
    """Returns the call for a test whose clock goes on, whatever it sleeps."""
    return call.but(
        awake=tuple((name, kind) for name, kind in call.awake if kind != TELLS),
        receiver=None if call.receiver is None else _with_clock(call.receiver),
        before=tuple(map(_with_clock, call.before)),
    )


def in_no_folder(call: Call) -> Call:
    """Returns the call for a test that makes no folder of its own."""
    return replace(
        call,
        folder=False,
        home=False,
        receiver=in_no_folder(call.receiver) if call.receiver is not None else None,
        before=tuple(in_no_folder(line) for line in call.before),
    )


def _without(call: Call, names: Sequence[str]) -> Call:
    """Returns the call, and those that it is made on, without some files."""
    return call.but(
        files={name: text for name, text in call.files.items() if name not in names},
        receiver=None if call.receiver is None else _without(call.receiver, names),
        before=tuple(_without(line, names) for line in call.before),
    )
