"""Makes the objects on which calls are shown as plainly as known ones: without options, and not out
of objects of another kind."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice

from pytest_lift.agents.offline.arguments.call_sites import bound_arguments
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.shrinking.simplifying import keeps
from pytest_lift.agents.offline.choosing.typed_at_last import may_change
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.operands.hiding import differing
from pytest_lift.agents.offline.search.drafts import Drafts
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Observation
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import shared_expression

SECONDS = 2.0
MOST_PLAIN, MOST_TRIED = 2, 6
"""Most known objects that are tried in the place of one that an option is given to, and most calls
that are tried in the place of one."""


@dataclass(frozen=True)
class PlainlyMade:
    """Takes options out of objects that calls are made on, or get, with what only these allow, and
    makes by their classes those that a method of these makes of other objects."""

    prober: Prober
    drafts: Drafts
    natural: Naturalness
    _tried: set[tuple[str, frozenset[int]]] = field(default_factory=set)
    """Keys of cases in whose place others were tried, and what the cases were for then."""
    _equal: dict[str, str] = field(default_factory=dict)
    """What a class makes by a method out of another object -> what it makes equal to that."""

    def all(self, chosen: Sequence[Chosen], seconds: float = SECONDS) -> list[Chosen]:
        """Returns the cases, those whose objects are made with options on known objects that are
        made without, where that reaches all that they are for and ends alike: a year that is
        allowed for one where nothing is checked."""
        found = list(chosen)
        self._note_equal(found, min(seconds, SECONDS))
        tried = {number: self._new(item) for number, item in enumerate(found)}
        cases = {one.case.key: one.case for several in tried.values() for one in several}
        if not cases:
            return found
        seen = self.prober.observe([*cases.values()], min(seconds, SECONDS), checked=True)
        for number, several in tried.items():
            ran = (replace(one, seen=seen[one.case.key]) for one in several if one.case.key in seen)
            found[number] = self._best(found[number], [*ran])
        return found

    def _note_equal(self, chosen: Sequence[Chosen], seconds: float) -> None:
        """Notes what is equal to the objects that methods of their classes make for cases."""
        calls = (item.kept.call for item in chosen if item.kept.call is not None)
        made = (one for call in calls for one in _made(call) if one.target.kind == "static")
        new = {one.text: one for one in made if one.text not in self._equal and _detour(one.text)}
        cases = {
            text: case
            for text, one in new.items()
            if (case := self.drafts.unpriced(one.but(bound="")))
        }
        seen = self.prober.observe([*cases.values()], seconds) if cases else {}
        for text, case in cases.items():
            observed = seen.get(case.key)
            self._equal[text] = (observed and _answer(observed)) or ""

    def _new(self, item: Chosen) -> list[KeptCase]:
        """Returns the first cases on other objects, without their cost; none where they were tried
        before."""
        key = item.kept.case.key, item.gain
        if key in self._tried or not may_change(item, self.drafts.unpriced):
            return []
        self._tried.add(key)
        return [*islice(self._others(item), MOST_TRIED)]

    def _best(self, old: Chosen, ran: Sequence[KeptCase]) -> Chosen:
        """Returns the case on the first objects that show the same; with the same answer, where
        some have it."""
        fitting = [one for one in ran if keeps(old, one, one.seen)]
        same = [one for one in fitting if _answer(one.seen) == _answer(old.kept.seen)]
        for one in (same or fitting)[:1]:
            assert one.call is not None
            priced = self.drafts.priced(one.call, one.case)
            return replace(old, kept=replace(one, case=priced))
        return old

    def _others(self, item: Chosen) -> Iterator[KeptCase]:
        """Yields a case on other objects; nothing for one that shows what an option of these
        does."""
        call = item.kept.call
        assert call is not None
        for owner in self._roundabout(call):
            if any(goal.startswith(f"option {owner.key} ") for goal in item.kept.goals):
                continue
            equal = (self._equal.get(one.text, "") for one in _made(call))
            plain = [*filter(partial(_makes_plainly, owner), equal), *self._plain(owner)]
            for other in _with_others(call, owner, plain):
                blocks = self.drafts.blocking.have(other)
                case = None if blocks else self.drafts.unpriced(other)
                if case is not None:
                    yield replace(item.kept, case=case, call=other)

    def _roundabout(self, call: Call) -> list[Target]:
        """Returns the constructors of the classes of which objects are made in a roundabout way for
        a call, or as its arguments."""
        texts = (*(one.text for one in _made(call)), *call.sources)
        nodes = (shared_expression(text) for text in texts if "(" in text)
        calls = (node for node in nodes if isinstance(node, ast.Call))
        makers = ((self.natural.makers.get(_class_of(node)), node) for node in calls)
        several = [
            maker for maker, node in makers if maker is not None and _is_roundabout(node, maker)
        ]
        return [one for one in dict.fromkeys(several) if one.kind == "constructor"]

    def _plain(self, owner: Target) -> list[str]:
        """Returns what makes objects of a class without options, and what differs in one value."""
        known = self.natural.inputs.objects.get(owner.call, ())
        made = [text for text in known if _makes_plainly(owner, text)][:MOST_PLAIN]
        return [one for text in made for one in (text, *differing(text))]


def _has_option(owner: Target, made: ast.Call) -> bool:
    """Whether a constructor gets what it does without."""
    return any(name in owner.optional_names for name, _ in bound_arguments(owner, made))


def _makes_plainly(owner: Target, text: str) -> bool:
    """Whether a text makes an object of a class of something, without options."""
    node = shared_expression(text)
    if not isinstance(node, ast.Call) or ast.unparse(node.func) != owner.call:
        return False
    return bool(node.args or node.keywords) and not _has_option(owner, node)


def _detour(text: str) -> bool:
    """Whether a text calls a method of a class with objects of another kind."""
    node = shared_expression(text)
    return isinstance(node, ast.Call) and _class_of(node) != ast.unparse(node.func)


def _class_of(made: ast.Call) -> str:
    """Returns what a call calls, or the class whose method that is: ``Day`` of ``Day.of(x)``."""
    called = made.func
    detour = isinstance(called, ast.Attribute) and _is_of_objects(made)
    return ast.unparse(called.value if detour and isinstance(called, ast.Attribute) else called)


def _is_of_objects(made: ast.Call) -> bool:
    given = (*made.args, *(one.value for one in made.keywords))
    return any(isinstance(one, ast.Call) for one in given)


def _is_roundabout(made: ast.Call, owner: Target) -> bool:
    """Whether an object of a class is made with options, or by a method of the class of objects of
    another kind."""
    if ast.unparse(made.func) == owner.call:
        return _has_option(owner, made)
    return _class_of(made) == owner.call


def _with_others(call: Call, owner: Target, plain: Sequence[str]) -> Iterator[Call]:
    """Yields a call with plain objects of a class in the place of those with options: where several
    are made, the same ones, or two that differ, those first that are like what is there."""
    made = [one.text for one in _made(call) if _makes_so(one.text, owner)]
    given = [value for value in call.sources if _makes_so(value, owner)]
    alike = len({*made, *given}) == 1
    pairs = [(one, other) for one in plain for other in plain]
    pairs.sort(key=lambda pair: (pair[0] == pair[1]) != alike)
    several = len(made) + len(given) > 1
    for one, other in pairs if several else [(one, one) for one in plain]:
        yield _on_plain(call, owner, one, other)


def _on_plain(call: Call, owner: Target, one: str, other: str) -> Call:
    """Returns a call on one object, with another one in the place of what it is given."""
    return call.but(
        receiver=call.receiver and _plainly(call.receiver, owner, one),
        before=tuple(_plainly(line, owner, other) for line in call.before),
        values=tuple(
            (name, other if _makes_so(value, owner) else value) for name, value in call.values
        ),
    )


def _plainly(made: Call, owner: Target, plain: str) -> Call:
    """Returns the call of a constructor without options in the place of a roundabout one."""
    node = shared_expression(plain)
    if not isinstance(node, ast.Call) or not _makes_so(made.text, owner):
        return made
    bound = ((name, ast.unparse(value)) for name, value in bound_arguments(owner, node))
    return made.but(target=owner, values=tuple(bound))


def _made(call: Call) -> list[Call]:
    """Returns the calls that make the objects of a call, and of those before it."""
    return [one for one in (call.receiver, *call.before) if one is not None]


def _makes_so(text: str, owner: Target) -> bool:
    """Whether a text makes an object of a class in a roundabout way."""
    node = shared_expression(text) if text.startswith(owner.call) else None
    return isinstance(node, ast.Call) and _is_roundabout(node, owner)


def _answer(seen: Observation) -> str | None:
    """Returns what the last call gives, as source."""
    return seen.outcomes[-1].source if seen.outcomes else None
