"""Completes objects in calls: what such objects are always given, and the object in use."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence

from pytest_lift.agents.offline.arguments.call_sites import bound_arguments
from pytest_lift.agents.offline.natural.fitting.fitness import CALLED
from pytest_lift.agents.offline.natural.kinds import KINDS
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.typed_values import LONGEST_SHOWN, NOTHING, is_plain
from pytest_lift.agents.offline.stories.habits import Habits
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import leaf, parsed_expression, shared_expression, written_with

POSITIONAL = ("positional-only", "positional")
PLAIN = ("str", "int")
"""Kinds of which any value may do where nothing is known."""
HALF_MADE = 0.8
"""Cost of an argument that an object lacks, though objects of its class are always given it."""
OTHER_OBJECT = 1.0
"""Cost of an object that belongs to another one than that in use."""


class Completing:
    """Judges the objects in calls by what the program gives to objects of their classes."""

    def __init__(self, targets: Sequence[Target], natural: Naturalness) -> None:
        self.natural = natural
        self.habits = Habits(natural.inputs.program, targets)
        self._makers = {t.call: t for t in targets if t.kind == "constructor"}
        self._kin: dict[str, frozenset[str]] = {}
        self._usual: dict[str, dict[str, str]] = {}
        self._lacking: dict[str, int] = {}

    def forget(self) -> None:
        """Forgets what objects lack: more arguments are known."""
        self._usual.clear()
        self._lacking.clear()

    def oddness(self, call: Call) -> float:
        """Returns the cost of what the objects lack that a call makes, and of those that belong to
        another object than the one in use."""
        lacking = 0
        for part in call.chain:
            lacking += len(self._missing(part.target, part.given))
            lacking += sum(self._lacking_inside(value) for _, value in part.values)
        return HALF_MADE * lacking + OTHER_OBJECT * len([*self._beside(call)])

    def completed(self, call: Call, plainly: bool = False) -> Call:
        """Returns a call with what the objects in it lack; `plainly` also with what is known in the
        place of plain values that are not."""
        values = dict(self._missing(call.target, call.given))
        for name, value in call.values:
            values[name] = self._completed_inside(value, plainly)
        if plainly:
            values |= self._odd(call.target, values)
        for name, value in values.items():
            call = call.with_value(name, value)
        if call.receiver is None and not call.before:
            return call
        return call.but(
            receiver=None if call.receiver is None else self.completed(call.receiver, plainly),
            before=tuple(self.completed(line, plainly) for line in call.before),
        )

    def with_own(self, call: Call) -> Iterator[Call]:
        """Yields the call with the object in use in the place of one like it in an argument:
        ``command.get_help(Context(command))`` for that with ``Context(Command('a'))``."""
        for name, node, part in self._beside(call):
            text = written_with(node, part, ast.Name(call.name))
            if text is not None:
                yield call.with_value(name, text)

    def _missing(self, maker: Target, given: Collection[str]) -> dict[str, str]:
        """Returns what objects of a class are always given and these are not, as far as it is known
        what that may be."""
        if maker.kind != "constructor":
            return {}
        if maker.key not in self._usual:
            known = ((p.name, self._known(maker, p)) for p in maker.parameters)
            self._usual[maker.key] = {n: _first_short(texts) for n, texts in known if texts}
        return {n: text for n, text in self._usual[maker.key].items() if n not in given}

    def _odd(self, maker: Target, given: Mapping[str, str]) -> dict[str, str]:
        """Returns what objects of a class are always given as the documentation and the code have
        it, in the place of what they do not have."""
        usual = self._missing(maker, ())
        shown = {name: self._shown(maker, name) for name in usual.keys() & given.keys()}
        return {
            name: usual[name]
            for name, known in shown.items()
            if given[name] not in known and (known or is_plain(given[name]))
        }

    def _shown(self, maker: Target, name: str) -> list[str]:
        """Returns what the documentation and the program's own code give for a parameter."""
        inputs, key = self.natural.inputs, (maker.key, name)
        known = [*inputs.documented.get(key, ()), *inputs.used.get(key, ())]
        return [value for value in known if value not in NOTHING]

    def _known(self, maker: Target, parameter: Parameter) -> list[str]:
        """Returns what the program gives for a parameter, or for one that it always gives a plain
        value of its kind; nothing for other optional ones."""
        usual = parameter.name in self.habits.usual(maker)
        if parameter.default is not None and not usual:
            return []
        if (known := self._shown(maker, parameter.name)) or not usual:
            return known
        kinds = self.natural.inputs.known_kinds(maker, parameter)
        if plain := [KINDS[kind][0] for kind in kinds if kind in PLAIN]:
            return plain
        given = self.natural.fitness.given(maker.key, parameter.name)
        return [value for value in given if value not in NOTHING]

    def _lacking_inside(self, value: str) -> int:
        if value not in self._lacking:
            objects = [*self._objects(value)]
            self._lacking[value] = sum(len(self._missing(maker, g)) for *_, maker, g in objects)
        return self._lacking[value]

    def _objects(self, value: str) -> Iterator[tuple[ast.expr, ast.Call, Target, dict[str, str]]]:
        """Yields (argument, call of a constructor inside it, that, what it is given)."""
        named = not self._makers.keys().isdisjoint(CALLED.findall(value))
        node = shared_expression(value) if named else None
        for part in ast.walk(node) if node is not None else ():
            maker = self._makers.get(leaf(part.func)) if isinstance(part, ast.Call) else None
            if node is not None and maker is not None and isinstance(part, ast.Call):
                given = bound_arguments(maker, part)
                yield node, part, maker, {name: ast.unparse(one) for name, one in given}

    def _completed_inside(self, value: str, plainly: bool) -> str:
        for node, part, maker, given in self._objects(value):
            new = self._missing(maker, given) | (self._odd(maker, given) if plainly else {})
            trees = {n: tree for n, text in new.items() if (tree := parsed_expression(text))}
            if not trees:
                continue
            places = [p.name for p in maker.parameters if p.kind in POSITIONAL]
            pairs = zip(part.args, [*places, *("" for _ in part.args)], strict=False)
            args = [trees.pop(name, old) for old, name in pairs]
            words = [ast.keyword(k.arg, trees.pop(k.arg or "", k.value)) for k in part.keywords]
            words += [ast.keyword(name, tree) for name, tree in trees.items()]
            text = written_with(node, part, ast.Call(part.func, args, words))
            if text is not None:
                return text
        return value

    def _beside(self, call: Call) -> Iterator[tuple[str, ast.expr, ast.Call]]:
        """Yields (parameter, argument, object in a call in it that is of a kind with the object in
        use)."""
        made = call.receiver.target if call.receiver is not None else None
        if not call.name or made is None or made.kind != "constructor":
            return
        for name, value in call.values:
            node = shared_expression(value) if value.count("(") > 1 else None
            if not isinstance(node, ast.Call) or leaf(node.func) not in self._makers:
                continue
            for part in (*node.args, *(one.value for one in node.keywords)):
                if isinstance(part, ast.Call) and leaf(part.func) in self._kin_of(made):
                    yield name, node, part

    def _kin_of(self, maker: Target) -> frozenset[str]:
        """Returns the class of a constructor, its bases, and all classes derived from these."""
        if maker.key not in self._kin:
            bases = self.natural.inputs.annotations.declared.bases
            line = {maker.symbol, *bases(maker.symbol)} & self._makers.keys()
            below = {name for name in self._makers if not line.isdisjoint(bases(name))}
            self._kin[maker.key] = frozenset(line | below)
        return self._kin[maker.key]


def _first_short(sources: Sequence[str]) -> str:
    """Returns the first of the expressions that is short, or else the shortest."""
    short = (source for source in sources if len(source) <= LONGEST_SHOWN)
    return next(short, min(sources, key=len))
