"""Makes calls of a target: new ones, and variations of those that are known."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import islice, zip_longest

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.places import PathArguments, PlacedValue
from pytest_lift.agents.offline.arguments.trees.changing import changed_node
from pytest_lift.agents.offline.arguments.trees.nodes import node_of
from pytest_lift.agents.offline.arguments.variation import texts_of, vary
from pytest_lift.agents.offline.natural.values.wrapped import drawn_for_wrapped
from pytest_lift.agents.offline.search.commands import CommandLines
from pytest_lift.agents.offline.search.kept import Progress
from pytest_lift.agents.offline.search.surroundings.needs import KnownNeeds, program_name
from pytest_lift.agents.offline.stories.chance import is_seed
from pytest_lift.agents.offline.stories.objects import LONGEST_STORY, Objects
from pytest_lift.agents.offline.texts.known_texts import content_of, text_of, written_like
from pytest_lift.agents.offline.texts.plain_texts import LONGEST_EXCHANGED
from pytest_lift.calls.call import Call
from pytest_lift.calls.noted.declared import CommandLine
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter

SHOWN = 0.3
"""Share of the texts to read that are data which the documentation shows."""
TEXT_NAME = re.compile(
    r"^(text|content|contents|source|buffer|data|doc|document|string|str|s|input|stream|code|raw|"
    r"config|schema|markup|body|lines?)$|_(text|string|content|source|data)$"
)
"""Names of parameters that are texts to read."""
CONTAINER = re.compile(r"[\[({]")
"""What is in an argument that may have items."""
GROWN = 0.15
"""Share of the arguments that are taken from kept calls."""
SEEDED = 0.6
"""Share of the calls that give a seed where one can be given."""
USUAL = 0.8
"""Share of the objects that are given what objects of their class are always given."""
UNEXPECTED = re.compile(r"^TypeError: .*?(\w+)\(\) got an unexpected keyword argument '(\w+)'")
WRITTEN_BY_PYTHON = frozenset(
    {"__repr__", "__eq__", "__ne__", "__hash__", "__str__", "__setattr__", "__delattr__"}
)
"""Methods of dataclasses and named tuples that stand in no source."""
MOST_HEIRS = 2
"""Classes whose objects stand for those of a base that is no target."""
MOST_READING = 1000
"""Most calls with known texts."""
MOST_READERS, FEW_TEXTS = 4, 3
"""Targets that are tried with all texts of a format, and texts that others are tried with."""
OF_TYPE = 0.8
"""Share of the calls with a type that get a value of it."""
EXCHANGED, MOST_EXCHANGED = 0.2, 60
"""Share of the varied texts in which words of one role are exchanged, and most from which one is
drawn."""
PLACED = 0.9
"""Share of the arguments for paths that are files or folders which a test makes."""


@dataclass(frozen=True)
class CallMaker:
    """Draws arguments, objects and earlier calls; deterministic for a seed."""

    inputs: Inputs
    objects: Objects
    rng: random.Random
    progress: Mapping[str, Progress]
    places: PathArguments
    lines: CommandLines
    around: KnownNeeds
    declared: Mapping[str, CommandLine]
    """Command lines that targets are known to read."""
    _tokens: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    """Target -> number of functions that it was seen to reach, and tokens of their files."""
    _grown: dict[str, list[str]] = field(default_factory=dict)
    """Name of a parameter -> arguments of kept calls."""
    _texts: dict[str, list[str]] = field(default_factory=dict)
    """Name of a parameter -> texts in them."""
    _settable: dict[str, Sequence[Parameter]] = field(default_factory=dict)
    """Target -> parameters that can be given."""
    _refused: set[tuple[str, str]] = field(default_factory=set)
    """(target, parameter) that the source has, and what a decorator makes of it does not take."""
    _known: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """(target, parameter) -> texts that people write for it."""

    def fresh(self, target: Target, more: float = 0.0) -> Call | None:
        """Returns a new call: required arguments always, optional ones with probability `more`."""
        if target.entry:
            return self.around.around(self.lines.fresh(target, self.declared.get(target.key)))
        made = self.objects.prepared(target, self.fresh)
        values: list[tuple[str, str]] = []
        extra: tuple[str, ...] = ()
        files, folder = dict(made.files), made.folder
        for parameter in target.parameters:
            if parameter.kind == "var-positional":
                known = self.inputs.definitions
                wrapped = drawn_for_wrapped(made.but(values=tuple(values)), known, self.rng)
                together = self.inputs.draw_together
                extra = together(target, parameter) if wrapped is None else wrapped
            elif is_settable(parameter) and self._is_set(target, parameter, more):
                placed = self._placed(target, parameter)
                if placed is None:
                    made, name = self.objects.filled(made, parameter)
                    values.append((parameter.name, name or self._drawn(made, parameter)))
                else:
                    values.append((parameter.name, placed.expression))
                    files, folder = {**files, **placed.files}, True
        made = made.but(values=tuple(values), extra=extra, files=files, folder=folder)
        return self.around.around(self.objects.sharing(self._with_value_of_type(made)))

    def with_object(self, call: Call) -> Call:
        """Returns a call without an object on a new one where it needs one."""
        made = self.objects.prepared(call.target, self.fresh)
        return self.around.around(made.but(values=call.values, extra=call.extra, before=()))

    def _with_value_of_type(self, call: Call) -> Call:
        """Returns the call, mostly, with a value of the type that is among its arguments."""
        name, values = self._of_type(call)
        if not values or self.rng.random() > OF_TYPE:
            return call
        return call.with_value(name, values[int(len(values) * self.rng.random() ** 2)])

    def grow(self, call: Call) -> None:
        """Takes the arguments of a call that was kept for other calls: whatever has a parameter
        of the same name may read the same language."""
        for part in (call, *((call.receiver,) if call.receiver else ())):
            for name, value in part.values:
                known, texts = self._grown.setdefault(name, []), self._texts.setdefault(name, [])
                known += [value] if value not in known else []
                texts += [text for text in texts_of(value) if text and text not in texts]

    def _drawn(self, made: Call, parameter: Parameter) -> str:
        """Returns an argument, now and then one that led somewhere in another call."""
        if (text := self._shown(made.target, parameter)) is not None:
            return text
        known = self._grown.get(parameter.name)
        if known and self.rng.random() < GROWN:
            return self.rng.choice(known)
        return self.objects.argument(made, parameter)

    def _shown(self, target: Target, parameter: Parameter) -> str | None:
        """Returns, now and then, data that the documentation shows, for a text to read."""
        contents = self.lines.contents
        if not (contents.shown and TEXT_NAME.search(parameter.name)) or self.rng.random() > SHOWN:
            return None
        text = repr(contents.shown_text())
        return text if self.inputs.suits(target, parameter, text) else None

    def refuse(self, target: Target, why: str) -> None:
        """Notes the parameter that a call could not be given, though the source of it has it."""
        found = UNEXPECTED.search(why)
        if found and found[1] == target.leaf and found[2] in target.optional_names:
            self._refused.add((target.key, found[2]))
            self._settable.pop(target.key, None)

    def _is_set(self, target: Target, parameter: Parameter, more: float) -> bool:
        if (target.key, parameter.name) in self._refused:
            return False
        share = max(more, SEEDED) if is_seed(parameter) else more
        if parameter.name in self.objects.ways.completing.habits.usual(target):
            share = max(more, USUAL)
        return parameter.default is None or self.rng.random() < share

    def _placed(self, target: Target, parameter: Parameter) -> PlacedValue | None:
        """Returns a path, or what a parser returns, for a parameter that takes such; mostly."""
        if self.rng.random() > PLACED:
            return None
        if attributes := self.lines.namespaces.read(target, parameter):
            return self.lines.namespace(target, attributes)
        return self.places.draw(target, parameter)

    def reading(
        self, targets: Iterable[Target], most_readers: int = MOST_READERS, few: int = FEW_TEXTS
    ) -> Iterator[Call]:
        """Yields calls with the texts that people write for targets: all of them for the first
        targets of a format, a few for others; the first texts of each first."""
        read: Counter[str] = Counter()
        rows: list[Iterator[Call]] = []
        for target in targets:
            for parameter in target.parameters:
                texts = self.inputs.typed_texts(target, parameter.name)
                read.update(texts[:1])
                most = len(texts) if texts and read[texts[0]] <= most_readers else few
                call = self.fresh(target) if texts[:most] else None
                if call is not None:
                    rows.append(self._reading(call, parameter, texts[:most]))
        turns = zip_longest(*rows)
        yield from islice((c for turn in turns for c in turn if c is not None), MOST_READING)

    def _reading(self, call: Call, parameter: Parameter, texts: Sequence[str]) -> Iterator[Call]:
        """Yields the call with each text, in a file where the parameter is the path of one."""
        is_path = self.places.of(call.target, parameter).known
        for text in texts:
            placed = self.places.holding(call.target, parameter, content_of(text))
            if placed is not None:
                changed = call.with_value(parameter.name, placed.expression)
                yield replace(changed, files={**call.files, **placed.files}, folder=True)
            elif not is_path:
                yield call.with_value(parameter.name, text)

    def of_types(self, targets: Iterable[Target]) -> Iterator[Call]:
        """Yields calls with each type that a target may take, and with values of it where the
        target takes such, too; the plainest types first."""
        for target in targets:
            taking = next((p for p in target.parameters if self._takes_type(p)), None)
            call = self.fresh(target) if taking is not None else None
            if call is None or taking is None:
                continue
            for source in self.inputs.samples.of(taking):
                typed = call.with_value(taking.name, source)
                name, values = self._of_type(typed)
                yield from (typed.with_value(name, value) for value in values)
                yield from () if values else (typed,)

    def _of_type(self, call: Call) -> tuple[str, list[str]]:
        """Returns the parameter that takes values of the type that is among the arguments, and
        such values."""
        fits = self.inputs.annotations.fits
        return self.inputs.samples.fitting(call.target.parameters, call.given, fits)

    def _takes_type(self, parameter: Parameter) -> bool:
        return parameter.default is None and self.inputs.samples.takes_type(parameter)

    def bare(self, targets: Sequence[Target]) -> Iterator[Call]:
        """Yields a call of each main without arguments: it may show what the main can be given."""
        for target in targets:
            yield Call(target, target.given, argv=(program_name(target),))

    def shown(self, targets: Iterable[Target]) -> Iterator[Call]:
        """Yields the command lines that documents show of the program's own mains."""
        for target in targets:
            for words in target.shown if not target.defined else ():
                declared = self.declared.get(target.key)
                yield self.around.around(self.lines.given(target, words, declared))

    def following(self, target: Target) -> Call | None:
        """Returns the next call to try: one that was kept, varied, or a new one, which is varied,
        too, where calls of the target mostly repeat earlier ones."""
        progress = self.progress[target.key]
        if not progress.calls or self.rng.random() < (0.5 if target.entry else 0.3):
            call = self.fresh(target, self.rng.choice((0.0, 0.1, 0.3)))
            if call is None or target.entry or self.rng.random() < progress.novelty:
                return call
        else:
            latest = progress.calls[-30:] if self.rng.random() < 0.5 else progress.calls
            call = self.rng.choice(latest)
        if target.entry:
            return self.entered(call)
        for _ in range(self.rng.choice((1, 1, 1, 2, 3))):
            call = self.varied(call)
        return self.objects.sharing(call)

    def entered(self, call: Call) -> Call:
        """Returns a command line with a part of it changed."""
        declared = self.declared.get(call.target.key)
        return self.lines.varied(call, declared, self.words(call.target))

    def varied(self, call: Call) -> Call:
        """Returns the call with one argument, or one of its receiver's, changed."""
        if call.before and self.rng.random() < 0.4:
            return call.but(before=self._varied_lines(call))
        if call.stdin and self.rng.random() < 0.5:
            return call.but(stdin=self.lines.other_input(call.stdin, self.words(call.target)))
        if call.files and self.rng.random() < 0.5:
            name = self.rng.choice(list(call.files))
            new = self.lines.other_text(name, call.files[name], self.words(call.target))
            return call.but(files={**call.files, name: new})
        if call.receiver is not None and self.rng.random() < 0.25:
            return call.but(receiver=self.varied(call.receiver))
        named = self._settable_of(call.target)
        if not named:
            return call
        values = call.given
        given = [p for p in named if p.name in values]
        if given and self.rng.random() < 0.7:
            parameter = self.rng.choice(given)
            value = values[parameter.name]
            if call.folder and self.places.of(call.target, parameter).known:
                return self._elsewhere(call, parameter)
            if node_of(value) is not None:
                trees = self.inputs.libraries.trees
                return call.with_value(parameter.name, changed_node(value, self.rng, trees.texts))
            if value in self.inputs.samples.known:
                return call.with_value(parameter.name, self.inputs.draw(call.target, parameter))
            if (other := self._exchanged(value)) is not None:
                return call.with_value(parameter.name, other)
            words, others = self.words(call.target), self._texts.get(parameter.name, ())
            known = self._known_texts(call.target, parameter)
            items = self.inputs.anything if CONTAINER.search(value) else ()
            new = vary(value, self.rng, words, items, others, known)
            return call.with_value(parameter.name, new)
        parameter = self.rng.choice(named)
        if parameter.default is not None and parameter.name in values:
            return call.without(parameter.name)
        if self.places.of(call.target, parameter).known:
            return self._elsewhere(call, parameter)
        return call.with_value(parameter.name, self.inputs.draw(call.target, parameter))

    def _exchanged(self, value: str) -> str | None:
        """Returns, now and then, a text with a word of one role in the place of another one."""
        short = len(value) <= LONGEST_EXCHANGED and self.rng.random() < EXCHANGED
        text = text_of(value) if short else ""
        others = list(islice(self.inputs.roles.exchanged(text), MOST_EXCHANGED)) if text else []
        return written_like(value, self.rng.choice(others)) if others else None

    def _settable_of(self, target: Target) -> Sequence[Parameter]:
        """Returns the parameters of a target that can be given; cached."""
        if target.key not in self._settable:
            taken = (p for p in target.parameters if (target.key, p.name) not in self._refused)
            self._settable[target.key] = [p for p in taken if is_settable(p)]
        return self._settable[target.key]

    def _known_texts(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns the texts that people write for a parameter; cached."""
        key = (target.key, parameter.name)
        if key not in self._known:
            sources = self.inputs.typed_texts(target, parameter.name)
            self._known[key] = [text for source in sources for text in texts_of(source)]
        return self._known[key]

    def _elsewhere(self, call: Call, parameter: Parameter) -> Call:
        """Returns the call with another path, and what is there."""
        placed = self.places.draw(call.target, parameter)
        if placed is None:
            return call
        changed = call.with_value(parameter.name, placed.expression)
        return replace(changed, files={**call.files, **placed.files}, folder=True)

    def _varied_lines(self, call: Call) -> tuple[Call, ...]:
        """Returns the earlier calls with one left out, repeated, varied, or set beside another."""
        lines = list(call.before)
        at = self.rng.randrange(len(lines))
        choice = self.rng.random()
        if choice < 0.3:
            del lines[at]
        elif choice < 0.45:
            lines.insert(at, lines[at])
        elif choice < 0.8:
            lines[at] = self.varied(lines[at])
        else:
            lines[at:at] = self.objects.other_lines(call)
        return tuple(lines[:LONGEST_STORY])

    def words(self, target: Target) -> list[str]:
        """Returns tokens of the files that the target reaches."""
        functions = self.progress[target.key].functions
        if target.key not in self._tokens or self._tokens[target.key][0] != len(functions):
            paths = {path for path, _ in functions} | {target.path}
            self._tokens[target.key] = len(functions), self._words(sorted(paths))
        return self._tokens[target.key][1]

    def _words(self, paths: Sequence[str]) -> list[str]:
        of_module = self.inputs.named_constants.of_module
        constants = [c for path in paths for c in of_module.get(path, ())]
        words = [c for c in constants if isinstance(c, str) and len(c) <= 12]
        singles = [word for word in words if len(word) == 1]
        return [*words, *singles, *self.inputs.documented_words]


def is_settable(parameter: Parameter) -> bool:
    """Whether a parameter can be given by name or position; private options are left alone, and
    those of a library that the program hands on."""
    public = parameter.default is None or not parameter.name.startswith("_")
    return public and not parameter.idle and not parameter.kind.startswith("var-")


def own_and_inherited(
    targets: Sequence[Target], defined: AbstractSet[tuple[str, str]]
) -> tuple[list[Target], list[Target]]:
    """Returns the targets that stand in the source, `defined` as (path, symbol), and those that a
    class has from another one of the program; none that Python writes itself, as for a dataclass.

    What a class has from one that is no target counts as its own; where it is of the program, for
    the first such classes alone. What it has from a library does not.
    """
    own = [target for target in targets if (target.path, target.symbol) in defined]
    leaves = {target.leaf for target in own if target.owner is not None}
    of_program = {symbol.rpartition(".")[2] for _, symbol in defined if "." in symbol}
    counts: Counter[str] = Counter()
    inherited = []
    for target in targets:
        leaf = target.leaf
        if (target.path, target.symbol) in defined:
            continue
        counts[leaf] += 1
        if target.library or leaf in leaves or (leaf in of_program and counts[leaf] > MOST_HEIRS):
            inherited.append(target)
        elif leaf not in WRITTEN_BY_PYTHON:
            own.append(target)
    return own, inherited
