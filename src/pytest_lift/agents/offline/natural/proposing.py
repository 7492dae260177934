"""Proposes calls with what a person would type in the place of what a search made up."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_lift.agents.offline.arguments.call_sites import bound_arguments
from pytest_lift.agents.offline.arguments.fitting_inputs import EMPTY
from pytest_lift.agents.offline.arguments.hints.forms import is_literal, literal_kind
from pytest_lift.agents.offline.arguments.trees.nodes import node_of
from pytest_lift.agents.offline.natural.dicts import held_keys
from pytest_lift.agents.offline.natural.dicts.records import named_in
from pytest_lift.agents.offline.natural.fitting.fitness import named_parameter
from pytest_lift.agents.offline.natural.kinds import ANYTHING, KINDS
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.objects.plainer_objects import PlainerObjects
from pytest_lift.agents.offline.natural.oddness import in_public, oddness
from pytest_lift.agents.offline.natural.operands import hiding
from pytest_lift.agents.offline.natural.renaming import renamed
from pytest_lift.agents.offline.natural.typed_values import MOST_TYPED, NOTHING, is_plain
from pytest_lift.agents.offline.natural.values import (
    ordered,
    plain_parts,
    several,
    telling_numbers,
    usual,
    worded,
)
from pytest_lift.agents.offline.texts.known_texts import content_of, text_of
from pytest_lift.agents.offline.texts.strangeness import is_of_one_feature, strangeness
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import parsed_expression, shared_expression, written_with

MOST_GIVEN = 16
"""Most known arguments that are tried in the place of one that is made up."""
MOST_FUNCTIONS = 6
"""Most functions that are tried in the place of one of Python's own."""
MOST_FULLER = 3
"""Most texts of a format that are tried first in the place of a stranger one."""
OPENING = ("[", "(", "{")
"""Beginnings of containers."""
PLAINEST = ("'hello'", "1", "{'a': 1}", "[1, 2, 3]")
"""Values that a person types where nothing is known."""
OF_NO_KIND = ("'hello'", "1")
"""Values of which one is of a wrong kind wherever an object is."""
DECIMAL = "1.5"
"""Number that most of what takes whole ones refuses."""
STRANGE, MOST_PLAIN = 0.6, 4
"""Oddness of an argument from which plain values are tried in its place, and how many."""


@dataclass(frozen=True)
class Proposals:
    """Proposes calls by what is known of the parameters of their targets."""

    natural: Naturalness

    @property
    def _objects(self) -> PlainerObjects:
        return PlainerObjects(self.natural)

    def mended(self, call: Call) -> Iterator[Call]:
        """Yields the call as a person would type it, with no options inside of its arguments, both
        or one of these, then with what fits in the place of an argument that does not: a function
        that matters, several where one is alone, numbers as they are packed, a value of the kind
        that is taken."""
        whole = self._as_typed(call)
        plainest = [self.natural.inner_options.left_out(one) for one in (whole, call)]
        others = (self._as_typed(call, place) for place in (None, *range(1, MOST_FUNCTIONS)))
        first = dict.fromkeys((plainest[0], whole, plainest[1], *others))
        yield from (one for one in first if one != call)
        yield from self._with_something(call)
        yield from self._with_plainer_objects(call)
        yield from self.natural.torn_words.variants(call)
        yield from self.natural.keyworded.variants(call)
        yield from self.natural.functions.variants(call)
        yield from plain_parts.variants(call)
        yield from several.variants(call)
        yield from telling_numbers.variants(call)
        yield from self.natural.paired.variants(call)
        yield from self.natural.fitness.unpacked.variants(call)
        yield from self.natural.cut_texts.variants(call)
        yield from held_keys.variants(call)
        yield from ordered.variants(call)
        yield from hiding.variants(call)
        yield from self.natural.bare_operands.variants(call)
        numbers = self.natural.inputs.packed
        for name, value in call.values:
            fitting = (
                *self._like_typed(call.target, name, value),
                *self._of_its_kind(call.target, name, value),
            )
            apart = self.natural.is_taken_apart(call.target, name, value)
            fuller = self._plainer_texts(call.target, name, value)[:MOST_FULLER]
            now = usual.in_these_times(call.target.telling_name(name), value)
            beside = self.natural.typed_values.beside(name) if is_plain(value) else ()
            for other in (
                *now,
                *([f"[{value}]"] if apart else ()),
                *beside,
                *fuller,
                *numbers.variants(call.target, name, value),
                *fitting,
            ):
                yield call.with_value(name, other)
        yield from self._with_named_keys(call)
        if call.receiver is not None:
            yield from (call.but(receiver=receiver) for receiver in self.mended(call.receiver))
        for at, line in enumerate(call.before):
            for other_line in self.mended(line):
                yield call.but(before=(*call.before[:at], other_line, *call.before[at + 1 :]))

    def _with_something(self, call: Call) -> Iterator[Call]:
        """Yields the call with something in the place of what has nothing in it, known ones first:
        in all of its arguments, then in each."""
        filled = {
            name: found
            for name, value in call.values
            if value in NOTHING and (found := self._of_something(call.target, name, value))
        }
        if len(filled) > 1:
            yield call.but(
                values=tuple((n, filled[n][0] if n in filled else v) for n, v in call.values)
            )
        yield from (call.with_value(name, one) for name, some in filled.items() for one in some)

    def _of_something(self, target: Target, name: str, value: str) -> list[str]:
        """Returns values for a parameter of the kind of one that has nothing in it."""
        parameter = named_parameter(target, name)
        pool = self.natural.inputs.pool(target, parameter) if parameter is not None else ()
        alike = [one for one in pool if one[:1] == value[:1] and one not in NOTHING]
        alike.sort(key=lambda one: not self.natural.is_known(target, name, one))
        return alike[:MOST_PLAIN]

    def _with_plainer_objects(self, call: Call) -> Iterator[Call]:
        """Yields the call on, and with, plainer objects: all of them, then each."""
        plainer = {
            name: found
            for name, value in call.values
            if (found := self._objects.for_parameter(call.target, name, value))
        }
        if len(plainer) > 1:
            yield call.but(
                values=tuple((n, plainer[n][0] if n in plainer else v) for n, v in call.values)
            )
        yield from (call.with_value(name, one) for name, some in plainer.items() for one in some)
        yield from self._objects.in_use(call)

    def _with_named_keys(self, call: Call) -> Iterator[Call]:
        """Yields the call with a dict of the names in its texts in the place of what is none, but
        where a dict is taken; the same for the object that it is made on."""
        values = (value for part in call.chain for _, value in part.values)
        nodes = [node for value in values if is_plain(value) and (node := shared_expression(value))]
        read = (node.value for node in nodes if isinstance(node, ast.Constant))
        dicts = named_in(text for text in read if isinstance(text, str))
        parts = [part for part in (call, call.receiver) if part is not None and dicts]
        for part in parts:
            for name, value in part.values:
                parameter = named_parameter(part.target, name)
                if parameter is None or value.startswith("{"):
                    continue
                if "dict" in self.natural.inputs.known_kinds(part.target, parameter):
                    for other in (part.with_value(name, one) for one in dicts):
                        yield other if part is call else call.but(receiver=other)

    def variants(self, call: Call) -> Iterator[Call]:
        """Yields the call with the values that a person would type: all of them, then each."""
        whole = self._as_typed(call)
        if whole != call:
            yield whole
        for name, value in call.values:
            for other in self.natural.typed(call.target, name):
                if (is_plain(value) or value in EMPTY) and other != value:
                    yield call.with_value(name, other)
            if (other := self._as_person(call.target, name, value)) != value:
                yield call.with_value(name, other)
            fitting = self._objects.for_parameter(call.target, name, value)
            within = self._objects.within(value)
            for other in (*within, *fitting, *self._known_like(call, name, value)):
                yield call.with_value(name, other)
            for other in self._in_words(call.target, name, value):
                yield call.with_value(name, other)
        yield from renamed(call)
        yield from self.natural.filling.others(call)
        if call.receiver is not None:
            for receiver in self.variants(call.receiver):
                yield call.but(receiver=receiver)
        for at, line in enumerate(call.before):
            for other_line in self.variants(line):
                yield call.but(before=(*call.before[:at], other_line, *call.before[at + 1 :]))

    def _known_like(self, call: Call, name: str, value: str) -> list[str]:
        """Returns known containers in the place of another one of their kind."""
        known = self.natural.fitness.given(call.target.key, name)
        if value[:1] not in OPENING or value in known:
            return []
        return [one for one in known if one[:1] == value[:1]][:MOST_PLAIN]

    def _like_typed(self, target: Target, name: str, value: str) -> Iterator[str]:
        """Yields nothing, and plain values, of the kind that a person types for a parameter, for a
        container where that is always a text or a number: ``''`` for ``[]``."""
        typed = self.natural.typed(target, name) if value[:1] in OPENING else ()
        kinds = {literal_kind(node) for one in typed if (node := shared_expression(one))}
        if len(kinds) == 1 and kinds <= {"str", "int", "float"}:
            (kind,) = kinds
            yield {"str": "''", "int": "0", "float": "0.0"}[kind]
            yield from KINDS[kind][:MOST_TYPED]

    def _of_its_kind(self, target: Target, name: str, value: str) -> Iterator[str]:
        """Yields plain values of the kinds that a parameter takes, for one of another kind; the
        plainest of all kinds where none is known."""
        parameter = named_parameter(target, name)
        if parameter is not None and self.natural.misfit(Call(target, ((name, value),))):
            yield from self.natural.inputs.inferred_values(target, parameter)[:MOST_PLAIN]
            kinds = self.natural.inputs.known_kinds(target, parameter)
            made = shared_expression(value)
            if made is not None and not is_literal(made):
                yield from OF_NO_KIND  # an object that is refused: any wrong value shows that
            if kinds == ["int"]:
                yield DECIMAL
            if not parameter.annotation and not KINDS.keys() & {*kinds}:
                yield from PLAINEST
            for kind in kinds:
                yield from KINDS.get(kind, ())[:MOST_TYPED]

    def _in_words(self, target: Target, name: str, value: str) -> Iterator[str]:
        """Yields what may take the place of an argument with made-up texts: known ones, and it with
        plain words in it."""
        if value[:1] in "'\"" and not self.natural.fitness.is_given(target, name, value):
            yield from map(repr, self.natural.vocabulary.parts(text_of(value)))
        strange = self.natural.odd_texts(value) or oddness(value) >= STRANGE
        given = self.natural.fitness.is_given(target, name, value) or node_of(value) is not None
        yield from self._plainer_texts(target, name, value)
        if (given and not self.natural.says_little(target, name, value)) or not strange:
            return
        if is_plain(value):
            known = [
                *self.natural.fitness.given(target.key, name),
                *self.natural.inputs.by_name.get(name, ()),
            ]
            yield from known[:MOST_GIVEN]
            yield from KINDS[literal_kind(ast.parse(value, mode="eval").body)][:MOST_PLAIN]
        tree = ast.parse(value, mode="eval")
        for part in ast.walk(tree):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                for text in self.natural.vocabulary.respelt(part.value):
                    new = written_with(tree, part, ast.Constant(text))
                    yield from [new] if new is not None else ()

    def _plainer_texts(self, target: Target, name: str, value: str) -> list[str]:
        """Returns the first plain ones of the texts of its format for one that few people type, or
        that shows one feature; those first that show several."""
        read = self.natural.inputs.read.get((target.key, name), [])
        text = content_of(value)
        if value not in read or not (strangeness(text) or is_of_one_feature(text)):
            return []
        plain = [one for one in read if not strangeness(content_of(one)) and one != value]
        plain.sort(key=lambda one: is_of_one_feature(content_of(one)))
        return plain[:MOST_GIVEN]

    def _as_typed(self, call: Call, place: int | None = 0) -> Call:
        """Returns the call as a person would type it, with the function at that place of those that
        may stand for one that is unfit; None keeps functions."""
        values = tuple(
            (name, self._as_person(call.target, name, value, place)) for name, value in call.values
        )
        return call.but(
            values=values,
            argv=tuple(map(in_public, call.argv)),
            receiver=None if call.receiver is None else self._as_typed(call.receiver, place),
            before=tuple(self._as_typed(line, place) for line in call.before),
        )

    def _as_person(self, target: Target, name: str, value: str, place: int | None = 0) -> str:
        """Returns an argument with what a person would type in the place of its plain values, and
        of a function of Python's own where the user's is meant."""
        instead = self.natural.functions.instead
        if place is not None and (function := instead(target, name, value, place)) is not None:
            return function
        if is_plain(value) or value in ANYTHING:
            typed = next(iter(self.natural.typed(target, name)), None)
            known = self.natural.is_known(target, name, value)
            if typed or known:
                return typed or value
            plain = text_of(value) if value[:1] in "'\"" else ""
            public = repr(in_public(plain)) if plain and in_public(plain) != plain else None
            return worded.instead(target.telling_name(name), value) or public or value
        node = parsed_expression(value) if "(" in value else None
        calls = (part for part in ast.walk(node) if isinstance(part, ast.Call)) if node else ()
        for part in calls:
            maker = self.natural.makers.get(ast.unparse(part.func))
            if maker is None:
                continue
            for parameter, given in bound_arguments(maker, part):
                new = self._as_person(maker, parameter, ast.unparse(given), place)
                _replace(part, given, new)
        return value if node is None else ast.unparse(node)


def _replace(call: ast.Call, old: ast.expr, source: str) -> None:
    """Sets an argument of a call."""
    new = parsed_expression(source)
    if new is None:
        return
    call.args = [new if one is old else one for one in call.args]
    for keyword in call.keywords:
        if keyword.value is old:
            keyword.value = new
