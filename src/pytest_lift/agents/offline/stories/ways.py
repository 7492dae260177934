"""Ways to objects: the calls that make objects of a class, those that a user would write first."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from heapq import nsmallest

from pytest_lift.agents.offline.natural.dicts import held_keys
from pytest_lift.agents.offline.natural.fitting.fitness import CALLED
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.oddness import oddness
from pytest_lift.agents.offline.natural.offered import Offer
from pytest_lift.agents.offline.natural.typed_values import NOTHING
from pytest_lift.agents.offline.stories.completing import Completing
from pytest_lift.calls.call import Call
from pytest_lift.calls.cost import cost_of
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.bindings import bound_names
from pytest_lift.source.syntax import shared_expression, written_with

MAKING = ("constructor", "function", "static")
"""Kinds of targets with which a call begins."""
MOST_WAYS = 60
"""Most calls that are known to make objects of one class."""
BY_HAND = 0.5
"""Cost of an object that a class makes which the program does not offer, where what it offers gives
such objects."""
OF_LIBRARY = 1.0
"""Cost of each call of what a class has from one of a library: its documentation tells of it."""
DETOUR = 0.4
"""Cost of an object that a method of an empty one gives, or that is read from JSON or YAML, where
the class makes one of arguments: ``Basket().with_item(1)``."""
EMPTY = 0.3
"""Cost of an object of values that is made of none: ``Duration()``."""
VALUES = frozenset(
    {
        "__add__",
        "__sub__",
        "__mul__",
        "__lt__",
        "__len__",
        "__iter__",
        "__getitem__",
        "__contains__",
    }
)
CONTAINERS = frozenset({"dict", "list", "set", "tuple", "Mapping", "MutableMapping", "Sequence"})
"""Operators, and bases, of classes of values."""
MOST_TRIED, MOST_INSIDE = 5, 3
"""Most ways that are tried in the place of an object made by hand, and of one in an argument."""


class Ways:
    """The calls that were seen to make objects of the classes of a program.

    An object is made by hand where the constructor of a class that the program does not offer makes
    it: users get such objects from a function, or as a part of another object.
    """

    def __init__(self, targets: Sequence[Target], natural: Naturalness, offer: Offer) -> None:
        self.natural = natural
        self.offer = offer
        self.completing = Completing(targets, natural)
        self.made_by: dict[str, list[Call]] = defaultdict(list)
        """Constructor (its key) -> calls whose results are objects of its class."""
        self._makers = {t.call: t for t in targets if t.kind == "constructor"}
        self._declared = natural.inputs.annotations.declared
        self._internal: dict[str, bool] = {}
        self._inside: dict[str, list[Target]] = {}
        self._given: dict[str, list[Call]] = {}
        self._related: dict[str, list[Call]] = {}
        self._plainest: dict[str, tuple[int, list[tuple[float, Call]]]] = {}
        """Constructor (its key) -> number of ways to its objects, the plainest ones with costs."""
        self._of_values: dict[str, bool] = {}
        self._below: dict[tuple[str, str], list[Target]] = {}

    def sources(self, targets: Sequence[Target]) -> list[Target]:
        """Returns the functions that the program offers, and that return objects of classes which
        it does not offer, by their hints."""
        names = {t.symbol for t in self._makers.values() if self.is_internal(t)}
        functions = [t for t in targets if t.kind == "function" and not self.is_internal(t)]
        return [t for t in functions if not names.isdisjoint(self._returned(t))]

    def _returned(self, target: Target) -> set[str]:
        node = self.natural.inputs.inference.functions.get((target.path, target.symbol))
        hint = ast.unparse(node.returns) if node is not None and node.returns else None
        return {*self.natural.inputs.annotations.names(hint)}

    def note(self, maker: Target, call: Call) -> bool:
        """Adds a call that makes an object of a class; returns whether it is new, and worth
        knowing."""
        known = self.made_by[maker.key]
        if call in known:
            return False
        if len(known) >= MOST_WAYS:
            by_hand = (one for one in reversed(known) if self.by_hand(one))
            worst = None if self.by_hand(call) else next(by_hand, None)
            if worst is None:
                return False
            known.remove(worst)
        known.append(call)
        self._given.pop(maker.key, None)
        self._related.clear()
        return True

    def forget(self) -> None:
        """Forgets its judgements: more is known of the parameters."""
        for judged in (self._internal, self._inside, self._given, self._related, self._plainest):
            judged.clear()
        self.completing.forget()

    def given(self, maker: Target, leaf: str = "") -> list[Call]:
        """Returns the ways to objects of a class that make nothing by hand, the plainest call of
        each function first; where there are none, those to objects of derived classes that have its
        method of this name."""
        if found := self._by_others(maker):
            return found
        key = (maker.key, leaf)
        if key not in self._below:
            makers = self._makers.values()
            self._below[key] = [one for one in makers if self._inherits(one, maker, leaf)]
        return [call for one in self._below[key] for call in self._by_others(one)]

    def _instead(self, maker: Target) -> list[Call]:
        """Returns what may take the place of an object in an argument that is made by hand: one of
        its class, or else one with a base in common."""
        if maker.key not in self._related:
            found = self.given(maker)
            for base in () if found else self._declared.bases(maker.symbol):
                kin = [o for o in self._makers.values() if base in self._line(o)]
                found = [call for one in kin for call in self._by_others(one)]
                if found:
                    break
            self._related[maker.key] = found
        return self._related[maker.key]

    def _line(self, maker: Target) -> list[str]:
        return [maker.symbol, *self._declared.bases(maker.symbol)]

    def _by_others(self, maker: Target) -> list[Call]:
        if maker.key not in self._given:
            known = self.made_by.get(maker.key, ())
            found = [call for call in known if not self.by_hand(call)]
            numbers: Counter[str] = Counter()
            ranks = []
            for call in sorted(found, key=self._cost):
                numbers[call.target.key] += 1
                ranks.append((numbers[call.target.key], call))
            self._given[maker.key] = [call for _, call in sorted(ranks, key=lambda one: one[0])]
        return self._given[maker.key]

    def _inherits(self, derived: Target, maker: Target, leaf: str) -> bool:
        """Whether a class is derived from another one, and has its method of this name."""
        line = [*self._declared.bases(derived.symbol)]
        if maker.symbol not in line:
            return False
        above = {maker.symbol, *self._declared.bases(maker.symbol)}
        nodes = (self._declared.classes.get(name) for name in {derived.symbol, *line} - above)
        bodies = (statement for node in nodes if node is not None for statement in node.body)
        return not any(leaf in bound_names(statement) for statement in bodies)

    def by_hand(self, call: Call) -> int:
        """Returns how many objects in a call are made by hand, or by what is not offered."""
        made = sum(self.is_internal(p.target) for p in call.chain if p.target.kind in MAKING)
        return made + sum(
            len(self._made_inside(text)) for part in call.chain for text in part.sources
        )

    def is_hidden(self, call: Call) -> bool:
        """Whether a call is of what the program neither offers nor gives an object of."""
        if call.target.entry or not self.offer.is_internal(call.target.path, call.target.symbol):
            return False
        return call.receiver is None or self.by_hand(call.receiver) > 0

    def is_internal(self, target: Target) -> bool:
        """Whether a program neither offers a class or function nor shows in its documentation how
        to call it."""
        if target.key not in self._internal:
            shown = self.natural.inputs.documented
            is_shown = any((target.key, one.name) in shown for one in target.parameters)
            hidden = self.offer.is_internal(target.path, target.symbol)
            self._internal[target.key] = hidden and not is_shown and not target.members
        return self._internal[target.key]

    def oddness(self, call: Call) -> float:
        """Returns the cost of the objects that a call is on, or is given: those made by hand though
        there is another way to them, and those that are half made; and of what a library makes."""
        odd = OF_LIBRARY * sum(part.target.library for part in call.chain)
        if call.receiver is not None and call.target.owner is not None:
            odd += self.detour(call.receiver, call.target.owner)
            odd += EMPTY if not call.before and self._is_empty(call.receiver) else 0.0
        return BY_HAND * self._avoidable(call) + self.completing.oddness(call) + odd

    def detour(self, made: Call, maker: Target) -> float:
        """Returns what it costs that a call makes an object of a class by a method of another
        one, or of a text in a well-known format."""
        empty, read = made.receiver, self.natural.inputs.read
        of_empty = empty is not None and empty.target.key == maker.key and not _is_filled(empty)
        of_text = any((made.target.key, name) in read for name, _ in made.values)
        if made.target.key == maker.key or not (of_empty or of_text):
            return 0.0
        return DETOUR if maker.parameters and not self.is_internal(maker) else 0.0

    def _is_empty(self, made: Call) -> bool:
        """Whether an object of a class of values, or of what holds some, is made of nothing though
        it may be made of something: what is done to it is not seen."""
        maker = made.target
        if maker.kind != "constructor" or _is_filled(made) or not maker.parameters:
            return False
        if maker.key not in self._of_values:
            line = self._line(maker)
            nodes = (self._declared.classes.get(name) for name in line)
            bodies = (one for node in nodes if node is not None for one in node.body)
            names = {name for statement in bodies for name in bound_names(statement)}
            self._of_values[maker.key] = bool(names & VALUES) or not CONTAINERS.isdisjoint(line)
        return self._of_values[maker.key] and not self.is_internal(maker)

    def _avoidable(self, call: Call) -> int:
        found = 0
        for part in call.chain:
            if part.target.kind == "constructor" and self.is_internal(part.target):
                found += part is not call and bool(self.given(part.target))
                continue  # what it is given matters no more
            for text in part.sources:
                found += sum(bool(self._instead(maker)) for maker in self._made_inside(text))
        return found

    def others(self, call: Call) -> Iterator[Call]:
        """Yields the call on, and with, objects as users get and make them: all of them, then
        each."""
        replaced = self._replaced(call)
        for plainly in (True, False):
            whole = self.completing.completed(replaced, plainly)
            whole = next(self.completing.with_own(whole), whole)
            yield from [whole] if whole != call else ()
        yield from self.completing.with_own(call)
        if call.target.kind == "constructor" and self.is_internal(call.target) and not call.subject:
            yield from self.given(call.target)[:MOST_TRIED]
        if call.target.library and call.target.owner is not None and not call.subject:
            yield from self.made_by.get(call.target.owner.key, ())[:MOST_TRIED]
        yield from (call.but(receiver=way) for way in self._for_receiver(call)[:MOST_TRIED])
        for name, value in call.values:
            for other in self._with_ways(value, MOST_INSIDE):
                yield call.with_value(name, other)
        for at, value in enumerate(call.extra):
            for other in self._with_ways(value, MOST_INSIDE):
                yield call.with_extra(at, other)
        for at, line in enumerate(call.before):
            for changed in self.others(line):
                yield call.but(before=(*call.before[:at], changed, *call.before[at + 1 :]))
        for made in self._plainer(call):
            on_it = call.but(receiver=made)
            yield from (on_it, *held_keys.variants(on_it))
        if call.receiver is not None and not self.is_internal(call.receiver.target):
            yield from (call.but(receiver=made) for made in self.others(call.receiver))

    def _plainer(self, call: Call) -> list[Call]:
        """Returns the plainest ways to an object of the class of that in use, and the plainest to
        one that is made of something, where they are plainer."""
        made, owner = call.receiver, call.target.owner
        known = self.made_by.get(owner.key, ()) if owner is not None else ()
        if made is None or owner is None or made.files or not known:
            return []
        if self._plainest.get(owner.key, (0, []))[0] != len(known):
            several = [one for one in known if not any(part.folder for part in one.chain)]
            costs = [
                (self._cost(one) + self.detour(one, owner), n, one)
                for n, one in enumerate(several)
                if not self._is_empty(one)
            ]
            ranked = nsmallest(MOST_INSIDE, costs)
            filled = (row for row in costs if row not in ranked and _is_filled(row[-1]))
            ranked += nsmallest(MOST_INSIDE, filled)
            self._plainest[owner.key] = len(known), [(cost, one) for cost, _, one in ranked]
        cost = self._cost(made) + self.detour(made, owner)
        cost += EMPTY if self._is_empty(made) else 0.0
        return [one for least, one in self._plainest[owner.key][1] if least < cost]

    def _for_receiver(self, call: Call) -> list[Call]:
        """Returns the ways to the object of a call, where that is made by hand."""
        made, owner = call.receiver, call.target.owner
        if made is None or owner is None or not self.by_hand(made):
            return []
        kind = made.target if made.target.kind == "constructor" else owner
        return self.given(kind, call.target.leaf)

    def _replaced(self, call: Call) -> Call:
        """Returns a call with the best way to each object that is made by hand."""
        made = call.receiver
        if made is not None:
            made = next(iter(self._for_receiver(call)), None) or self._replaced(made)
        return call.but(
            values=tuple((name, self._best(value)) for name, value in call.values),
            extra=tuple(map(self._best, call.extra)),
            receiver=made,
            before=tuple(map(self._replaced, call.before)),
        )

    def _best(self, value: str) -> str:
        """Returns an argument with the best way to each object that is made by hand in it."""
        for _ in self._made_inside(value):
            value = next(self._with_ways(value, 1), value)
        return value

    def _with_ways(self, value: str, most: int) -> Iterator[str]:
        """Yields an argument with another way to one of the objects that are made by hand in it,
        where that is not much longer."""
        node = shared_expression(value) if self._made_inside(value) else None
        for part in ast.walk(node) if node is not None else ():
            maker = self._makers.get(ast.unparse(part.func)) if isinstance(part, ast.Call) else None
            if maker is None or not self.is_internal(maker) or not isinstance(part, ast.Call):
                continue
            longest = BY_HAND + cost_of(ast.unparse(part))
            ways = [way for way in self._instead(maker) if not any(p.folder for p in way.chain)]
            texts = [way.text for way in ways]
            for text in [text for text in texts if cost_of(text) <= longest][:most]:
                other = shared_expression(text)
                new = written_with(node, part, other) if node and other is not None else None
                yield from [new] if new is not None else ()

    def _made_inside(self, value: str) -> list[Target]:
        """Returns the constructors by which an argument makes objects by hand."""
        if value not in self._inside:
            named = [self._makers.get(name) for name in CALLED.findall(value)]
            self._inside[value] = [m for m in named if m is not None and self.is_internal(m)]
        return self._inside[value]

    def _cost(self, call: Call) -> float:
        odd = self.natural.oddness(call) + self.natural.made_up(call)
        return cost_of(call.text) + oddness(call.text) + odd


def _is_filled(made: Call) -> bool:
    """Whether an object is made of something."""
    return any(text not in NOTHING for text in made.sources)
