"""Objects that calls are made on: how the program makes them, and the states they were left in."""

from __future__ import annotations

import ast
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from pytest_lift.agents.offline.natural.kinds import KINDS
from pytest_lift.agents.offline.natural.objects.variables import variable_for
from pytest_lift.agents.offline.natural.values.failing import known_failing
from pytest_lift.agents.offline.stories.chance import seeding_lines
from pytest_lift.agents.offline.stories.offers import Offers
from pytest_lift.agents.offline.stories.preparing import preparing
from pytest_lift.agents.offline.stories.sharing import unshared, with_shared
from pytest_lift.agents.offline.stories.ways import BY_HAND, Ways
from pytest_lift.calls.call import Call, as_line, as_lines, expression, rerooted
from pytest_lift.calls.case import Observation, Outcome
from pytest_lift.calls.child.describing.describe import FUNCTIONS
from pytest_lift.calls.child.outcomes import OF_CASES
from pytest_lift.calls.names import BUILTINS, STANDARD
from pytest_lift.calls.targets.target import (
    ARGUMENTS,
    CALLED,
    DEEPEST_FUNCTION,
    Target,
    function_of,
)
from pytest_lift.source.special_methods import ATTRIBUTES, is_attribute
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import shared_expression

KNOWN_MAKER = 0.9
"""Share of objects that are made as one was made before."""
GIVEN = 0.8
"""Share of objects of a class which the program does not offer that come from what it offers."""
KNOWN = 100.0
"""What an object costs less that is made as the program or its documentation makes one."""
READ_BACK = 2.0
"""What an object costs less that gives back what was written to it: a test can look at that."""
GIVING = ("__getitem__",)
"""Operators whose results are objects that a user works with."""
STATEFUL = 0.5
"""Share of calls on objects that follow earlier calls on them."""
MOST_STATES = 60
"""Most states of the objects of one class that calls go on from."""
PREPARED = 0.35
"""Share of the calls on objects before which another method assigns or fills what they read."""
CHAINED = 0.3
"""Share of the calls on objects before which a chain of calls begins at the object."""
OF_STORY = 0.6
"""Share of the fitting arguments that are objects which the story has made."""
FILLED, MOST_FILLING = 0.3, 3
"""Share of the arguments for objects of the program's classes that earlier calls on them have
filled, and most such calls."""
SHARED = 0.6
"""Share of the calls with several objects of one class that have one of it instead."""
AS_BEFORE, AS_KEY = 0.5, 0.25
"""Shares of the arguments that are what a call before it on the same object got by this name, and a
text or number in what such a call got by another one."""
OF_OBJECT, NAMES = 0.8, ("'name'", "'value'", "'a'")
"""Share of the names of attributes that are texts with which an object was made, and other ones."""
INSIDE, INTERRUPTED = 0.3, 0.25
"""Shares of the calls on context managers inside their block, and of those blocks that an exception
leaves."""
ENTERED = ("method", "property", "statement", "operator")
FUNCTION = "function"
"""Variable for a function that another one made."""
DECORATED = frozenset({"func", "fn", "f", "function", "method", "wrapped", "callback"})
"""Names of parameters of decorators."""
LONGEST_STORY = 6
"""Most calls on an object before the one that is tried."""

Fresh = Callable[[Target, float], Call | None]
"""Makes a new call, with optional arguments at this share."""


class Objects:
    """What the search has learnt of the objects of a program."""

    def __init__(self, targets: Sequence[Target], ways: Ways, rng: random.Random) -> None:
        self.ways = ways
        self.natural = ways.natural
        self.inputs = inputs = self.natural.inputs
        self.rng = rng
        self.offers = Offers(inputs, rng)
        self.known_states: set[str] = set()
        self.states: dict[str, list[Call]] = defaultdict(list)
        """Maker -> calls that left an object of it in a state in which no earlier one did."""
        self.made_by = ways.made_by
        """Maker -> calls whose results are its objects."""
        self._known_makers: set[Call] = set()
        """Calls of constructors in the program's code and documentation."""
        self._class_of: dict[str, Target] = {}
        """Target -> constructor of the class of which its result is."""
        self._factories: dict[str, dict[str, Call]] = defaultdict(dict)
        """Maker -> method of its objects that makes other ones -> a call of it."""
        self._takers: dict[tuple[str, str], tuple[int, list[Target]]] = {}
        """(target, parameter) -> number of classes with states, those whose objects it takes."""
        self._seeding = seeding_lines(inputs.program, targets)
        """Maker -> calls that give its objects seeded random generators."""
        self._names = taken = {target.call for target in targets} | BUILTINS | STANDARD.keys()
        self._constructors = {t.call: t for t in targets if t.kind == "constructor"}
        self._preparing = preparing(targets, inputs.inference.functions)
        self._variables = {
            target.key: target.call
            if target.exists
            else variable_for(target.leaf if target.factory else target.call, taken)
            for target in targets
            if target.kind == "constructor"
        }
        self._givers: dict[str, Target] = {}
        """Class without a public name -> what gives its objects."""
        for target in targets:
            if target.owner is not None and target.owner.factory:
                giver, kind = target.owner, target.symbol.rpartition(".")[0]
                named = giver.leaf if giver.kind == "property" else kind
                self._givers[kind] = giver
                self._variables.setdefault(giver.key, variable_for(named, taken))

    def variable(self, kind: str) -> str:
        """Returns the variable for a result of this type: that of a class of the program, else
        ``result``."""
        maker = self._constructors.get(kind)
        return self._variables[maker.key] if maker else "result"

    def note_maker(self, call: Call) -> None:
        """Adds a call of a constructor."""
        self.made_by[call.target.key].append(call)
        self._known_makers.add(call)

    def note_result(self, call: Call, outcome: Outcome) -> Target | None:
        """Remembers a call by what it made; returns a new target if that is the first function
        that its target made."""
        target = call.target
        if outcome.raised or target.kind == "statement" or target.library or call.in_block:
            return None
        self.offers.note(call, outcome)
        kind = outcome.type.rpartition(".")[2]
        if kind in FUNCTIONS and outcome.source is None:
            return self._note_function(call)
        maker = self._constructors.get(kind)
        call = unshared(call)
        if not call.before:
            self.inputs.objects.note_class(expression(call.but(name="")), kind)
        if (giver := self._givers.get(kind)) is not None and call.receiver is not None:
            self._class_of[call.target.key] = giver
            self._factories[call.receiver.target.key].setdefault(call.target.key, call)
        if maker is not None:
            self._class_of[call.target.key] = maker
            if not call.before:
                self._note_object(call, maker)
        return None

    def _note_object(self, call: Call, maker: Target) -> None:
        if call.receiver is not None:
            self._factories[call.receiver.target.key].setdefault(call.target.key, call)
            if call.target.kind not in ("method", "property") and call.target.leaf not in GIVING:
                return
        call = call.but(name="")
        known, odd = self.made_by[maker.key], self.natural.misfit(call)
        if known and odd != (usual := self.natural.misfit(known[0])):
            if odd > usual:
                return
            known.clear()  # objects made of what fits replace those made of anything
            self.inputs.forget_objects(maker.call)
        given = call in self._known_makers
        if not (self.ways.note(maker, call) or given):
            return
        if not any(part.files or (part.folder and not part.home) for part in call.chain):
            by_hand = self.ways.by_hand(call)
            shown = given and not (by_hand and self.ways.given(maker))
            odd = -KNOWN if shown else BY_HAND * by_hand + self.ways.detour(call, maker)
            odd -= READ_BACK if maker.call in self.inputs.annotations.readers else 0.0
            for name in (maker.call, *self.inputs.definitions.bases(maker.call)):
                self.inputs.note_object(name, expression(call), odd)

    def _note_function(self, call: Call) -> Target | None:
        made = call.target
        if call.before or made.symbol.count(CALLED) >= DEEPEST_FUNCTION:
            return None
        known = self.made_by[made.key]
        known.append(call.but(name=""))
        if len(known) > 1:
            return None
        target = function_of(made)
        self._variables.setdefault(made.key, FUNCTION)
        for parameter in target.parameters:
            unknown = parameter.name == ARGUMENTS
            values = (*KINDS["int"][:2], *KINDS["str"][:2]) if unknown else ()
            if unknown or parameter.name in DECORATED:
                failing = known_failing(self.inputs.definitions)
                values = (*KINDS["callable"][:8], *failing, *values)
            for value in values:
                self.inputs.note_used(target, parameter.name, value)
        return target

    def note_state(self, call: Call, seen: Observation) -> None:
        """Remembers a call after which an object is in a new state, for calls to follow it."""
        owner = call.target.owner
        alone = call.target.streams or call.target.manages
        if owner is None or alone or not seen.state or seen.state in self.known_states:
            return
        self.known_states.add(seen.state)
        known = self.states[owner.key]
        raised = [outcome.raised for outcome in seen.outcomes if outcome.raised]
        meant = bool(raised) and raised[0].file == OF_CASES and raised[0].module == "builtins"
        if len(known) < MOST_STATES and len(call.before) < LONGEST_STORY and (meant or not raised):
            known.append(call.but(raises=raised[0].type) if raised else call)

    def prepared(self, target: Target, fresh: Fresh) -> Call:
        """Returns a call without arguments; one that needs an object is on one in a state that is
        known or new."""
        owner = target.owner
        if owner is None or target.kind == "static":
            return Call(target)
        known = self.states.get(owner.key)
        if known and self.rng.random() < STATEFUL:
            last = known[-1 - int(len(known) * self.rng.random() ** 1.5)]
            made = last.but(target=target, before=(*last.before, as_line(last)), raises="")
        else:
            name = self._variables.get(owner.key, FUNCTION)
            seeds = tuple(replace(line, subject=name) for line in self._seeding.get(owner.key, ()))
            receiver = self._made(owner, target.leaf, fresh)
            made = Call(target, receiver=receiver, name=name, before=seeds)
        manages = made.manager is not None and made.manager.enters and made.name
        if manages and target.kind in ENTERED and self.rng.random() < INSIDE:
            interrupted = self.rng.random() < INTERRUPTED
            made = replace(made, entered=True, interrupted=interrupted)
        made = self._prepared_by(made, fresh)
        if len(made.before) < LONGEST_STORY and self.rng.random() < CHAINED:
            line = self._chain(owner, made.name)
            if line is not None:
                made = made.but(before=(*made.before, self._bound(line, made)))
        return made

    def _prepared_by(self, made: Call, fresh: Fresh) -> Call:
        """Returns the call, now and then after one that assigns or fills what it reads."""
        others = self._preparing.get(made.target.key)
        if not others or len(made.before) >= LONGEST_STORY or self.rng.random() >= PREPARED:
            return made
        line = fresh(self.rng.choice(others), 0.1)
        if line is None:
            return made
        return made.but(before=(*made.before, *as_lines(line, made.name)))

    def argument(self, made: Call, parameter: Parameter) -> str:
        """Returns an argument: an object that the story has made, what an earlier call got by the
        same name, as the key by which something is stored and read, or one drawn from the pool."""
        if self.rng.random() < OF_STORY:
            of = {n.bound: self._class_of.get(n.target.key) for n in made.before if n.bound}
            kinds = {name: {maker.call} for name, maker in of.items() if maker is not None}
            takes = self.inputs.takes
            there = [name for name in kinds if takes(made.target, parameter, kinds[name])]
            if there:
                return self.rng.choice(there)
        if made.target.leaf in ATTRIBUTES and made.target.parameters[:1] == (parameter,):
            return self._attribute(made)
        before = [value for line in made.before for name, value in line.values
                  if name == parameter.name]  # fmt: skip
        if before and self.rng.random() < AS_BEFORE:
            return self.rng.choice(before)
        if made.before and self.rng.random() < AS_KEY:
            known = [key for line in made.before for _, value in line.values for key in keys(value)]
            keyed = [key for key in known if self.inputs.suits(made.target, parameter, key)]
            if keyed:
                return self.rng.choice(keyed)
        offered = self.offers.draw(made.target, parameter)
        return self.inputs.draw(made.target, parameter) if offered is None else offered

    def _attribute(self, made: Call) -> str:
        """Returns the name of an attribute: mostly a text that the object was made with."""
        parts = (*(made.receiver.chain if made.receiver else ()), *made.before)
        held = [key for part in parts for value in part.sources for key in keys(value)]
        known = list(filter(is_attribute, held))
        return self.rng.choice(known if known and self.rng.random() < OF_OBJECT else NAMES)

    def filled(self, made: Call, parameter: Parameter) -> tuple[Call, str | None]:
        """Returns a call, now and then after lines that make an object for an argument and fill it,
        with the variable of that."""
        makers = self._taken(made.target, parameter) if self.states else ()
        if not makers or self.rng.random() >= FILLED:
            return made, None
        maker = self.rng.choice(makers)
        state = self.rng.choice(self.states[maker.key])
        lines = len(state.before) + 2
        if lines > MOST_FILLING + 1 or len(made.before) + lines > LONGEST_STORY:
            return made, None
        name = self._free(maker, made, parameter.name)
        filling = brought(state, name)
        return made.but(before=(*made.before, *filling)), name if filling else None

    def _taken(self, target: Target, parameter: Parameter) -> list[Target]:
        """Returns the constructors of classes whose objects a parameter takes and calls have
        filled."""
        key = (target.key, parameter.name)
        count, found = self._takers.get(key, (0, []))
        if count != len(self.states):
            own = target.owner if target.kind == "operator" else None
            bases = self.inputs.annotations.declared.bases
            known = [t for t in self._constructors.values() if self.states.get(t.key)]
            kinds = ((t, {t.call, *bases(t.symbol)}) for t in known)
            takes = self.inputs.takes
            found = [t for t, names in kinds if t is own or takes(target, parameter, names)]
            self._takers[key] = len(self.states), found
        return found

    def sharing(self, call: Call) -> Call:
        """Returns a call, mostly with one object in the place of several of one class in it."""
        found = list(with_shared(call, self._constructors, self._free))
        return self.rng.choice(found) if found and self.rng.random() < SHARED else call

    def other_lines(self, call: Call) -> tuple[Call, ...]:
        """Returns an earlier call to set before a call on the same object, after the lines that it
        needs."""
        known = self.states.get(call.target.owner.key) if call.target.owner else None
        return as_lines(self.rng.choice(known), call.name) if known else ()

    def _made(self, owner: Target, leaf: str, fresh: Fresh) -> Call:
        """Returns what makes an object, mostly as a user would."""
        given = self.ways.given(owner, leaf) if self.ways.is_internal(owner) else ()
        if given and self.rng.random() < GIVEN:
            return given[int(len(given) * self.rng.random() ** 1.5)]
        known = self.made_by.get(owner.key)
        if known and self.rng.random() < KNOWN_MAKER:
            return self.rng.choice(known)
        return fresh(owner, 0.1) or Call(owner)

    def _chain(self, owner: Target, name: str) -> Call | None:
        """Returns calls that begin with a method of the variable's object which makes another
        object, and go on as some call on such an object did."""
        factories = self._factories.get(owner.key)
        if not factories:
            return None
        factory = self.rng.choice(list(factories.values()))
        maker = self._class_of[factory.target.key].key
        first = factory.but(receiver=None, name="", before=(), subject=name)
        known = [call for call in self.states.get(maker, ()) if not call.before]
        return rerooted(self.rng.choice(known), maker, first) if known else first

    def _bound(self, line: Call, story: Call) -> Call:
        """Returns a line with a variable for its result, where that is an object of the program;
        one that raises has none."""
        maker = self._class_of.get(line.target.key)
        if maker is None or line.raises:
            return line
        return replace(line, bound=self._free(maker, story))

    def _free(self, maker: Target, story: Call, other: str = "") -> str:
        """Returns a variable for another object of a class in a story, `other` where the first one
        is taken, and numbered ones."""
        taken = {story.name, *(line.bound for line in story.before)}
        name, number = self._variables[maker.key], 2
        if name in taken and len(other) > 1 and other not in self._names:
            name = other
        while name in taken:
            name, number = f"{self._variables[maker.key]}_{number}", number + 1
        return name


@lru_cache(maxsize=8192)
def keys(value: str) -> tuple[str, ...]:
    """Returns the sources of the texts and whole numbers in an argument, by which what a call
    stores may be found again."""
    tree = shared_expression(value)
    found = ast.walk(tree) if tree is not None else ()
    plain = (one.value for one in found if isinstance(one, ast.Constant))
    return tuple(dict.fromkeys(repr(one) for one in plain if type(one) in (str, int)))


def brought(state: Call, name: str) -> tuple[Call, ...]:
    """Returns the lines that make an object in a variable and bring it into the state in which a
    call left it; none where they are more than calls on the object alone."""
    made, lines = state.receiver, (*state.before, as_line(state))
    alone = made is not None and not (made.before or made.name or state.seeds)
    if made is None or not alone or any(one.target.asynchronous for one in (made, *lines)):
        return ()
    if any(one.bound or one.subject != state.name or state.name in one.names for one in lines):
        return ()
    return made.but(bound=name), *(one.but(subject=name) for one in lines)
