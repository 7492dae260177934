"""Makes calls that may kill a mutant: variations towards the values in its diff."""

from __future__ import annotations

import ast
import io
import random
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, replace
from keyword import iskeyword

from pytest_lift.agents.offline.arguments.variation import put, spaced, vary
from pytest_lift.agents.offline.search.making import is_settable
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import Target
from pytest_lift.mutation.mutation import Mutant

PLAIN = ("None", "''", "[]", "{}", "0", "1", "-1", "True", "False", "'a'", "1.5", "[1]")
LONGEST = 40


COMMANDS = 60
"""Number of command lines that are tried on a ``main``."""

WRAPPED = ("[{}]", "({},)", "{{'a': {}}}", "[{0}, {0}]", "{{'a': {}, 'b': 1}}")


@dataclass(frozen=True)
class Literals:
    """Source of values, and names of arguments, that a changed statement mentions."""

    own: tuple[str, ...]
    """Values of the diff, neighbours of its numbers, and objects with the methods that it names."""
    texts: tuple[str, ...]
    names: frozenset[str]
    """Parameters and attributes: ``indent`` of ``indent=indent`` and of ``self.indent``."""

    @property
    def values(self) -> tuple[str, ...]:
        """Values of the diff, and values that are often a special case."""
        return (*self.own, *PLAIN)


def literals_of(mutant: Mutant) -> Literals:
    """Reads the program's side of the change, and its surroundings in the diff."""
    hunk = [line for line in mutant.diff.splitlines() if not line.startswith("---")]
    near = [line[1:] for line in hunk if line[:1] in (" ", "-")]
    lines = [*mutant.before.splitlines(), *near]
    texts: dict[str, None] = {}
    values: dict[str, None] = {}
    names: set[str] = set()
    for line in lines:
        for kind, word in _words(line):
            if kind == tokenize.NAME:
                names.add(word.strip("_"))
                continue
            value = _value(word)
            if isinstance(value, str) and 0 < len(value) <= LONGEST:
                texts[value] = None
                values[repr(value)] = None
            elif type(value) in (int, float):
                values.update(dict.fromkeys(_boundary(value)))
    ducks = [f"SimpleNamespace({text}=lambda: {{'a': 1}})" for text in texts if _is_method(text)]
    return Literals((*values, *ducks), tuple(texts), frozenset(names))


def _is_method(text: str) -> bool:
    """Whether a text may name a method that the program looks up on its arguments."""
    return len(text) > 3 and text.isidentifier() and text.islower() and not iskeyword(text)


def _boundary(number: object) -> Iterator[str]:
    assert isinstance(number, int | float)
    yield from (repr(number), repr(number + 1), repr(number - 1))


def _value(word: str) -> object:
    try:
        return ast.literal_eval(word)
    except (ValueError, SyntaxError):
        return None


def _words(line: str) -> Iterator[tuple[int, str]]:
    """Yields (kind, text) of the literals and names of a line, which may be incomplete code."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(line.strip() + "\n").readline):
            if token.type in (tokenize.NAME, tokenize.NUMBER, tokenize.STRING):
                yield token.type, token.string
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return


class Guesses:
    """Makes calls from the calls and targets of a search."""

    def __init__(self, search: ProgramSearch, rng: random.Random) -> None:
        self.search = search
        self.rng = rng
        self._literals: dict[str, Literals] = {}
        self._near: dict[tuple[str, str], list[Target]] = {}
        self._known_words: dict[str, list[str]] = {}
        self.targets = list(search.targets)

    def seeds(self) -> list[Call]:
        """Returns calls that the search has made, command lines given as arguments, and new
        calls."""
        progress = self.search.progress.values()
        known = [call for one in progress for call in one.calls]
        for target in self.targets:
            tries = COMMANDS if target.entry else 4
            known += [
                c for _ in range(tries) if (c := self.search.maker.fresh(target, 0.2)) is not None
            ]
        return list(dict.fromkeys(known))

    def _often(self, share: float) -> bool:
        return self.rng.random() < share

    def near(self, call: Call, mutant: Mutant) -> Call:
        """Returns a variation of a call that reaches the mutant."""
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            call = self._step(call, self._of(mutant))
        return call

    def towards(self, mutant: Mutant) -> Call | None:
        """Returns a new call of a target near the mutant; None if there is no target."""
        targets = self._targets(mutant)
        if not targets:
            return None
        target = self.rng.choice(targets)
        known = self.search.progress[target.key].calls
        if known and self.rng.random() < 0.5:
            return self.near(self.rng.choice(known), mutant)
        call = self.search.maker.fresh(target, self.rng.choice((0.0, 0.2, 0.5)))
        return self._step(call, self._of(mutant)) if call is not None else None

    def _step(self, call: Call, literals: Literals) -> Call:
        if call.target.entry:
            return self._reading(call)
        choice = self.rng.random()
        if choice < 0.3:
            return self.search.maker.varied(call)
        if choice < 0.4:
            return self._as_the_diff_says(call, literals)
        if call.receiver is not None and (choice < 0.55 or not call.values):
            return replace(call, receiver=self._step(call.receiver, literals))
        if choice < 0.7:
            return self._with_option(call, literals)
        return self._with_literal(call, literals)

    def _reading(self, call: Call) -> Call:
        """Returns a command that reads another text, often a documented one."""
        texts = self.search.inputs.documented_texts
        if not texts or self._often(0.5):
            return self.search.maker.entered(call)
        text = self.rng.choice(texts)
        if call.files:
            return replace(call, files=dict.fromkeys(call.files, text))
        if len(call.argv) > 1 and self._often(0.5):
            at = self.rng.randrange(1, len(call.argv))
            return replace(call, argv=(*call.argv[:at], text, *call.argv[at + 1 :]))
        return replace(call, stdin=text)

    def _as_the_diff_says(self, call: Call, literals: Literals) -> Call:
        """Returns the call with options that the statement names and a value from the diff."""
        for parameter in call.target.parameters:
            optional = is_settable(parameter) and parameter.default is not None
            if optional and parameter.name in literals.names and self._often(0.7):
                value = self.search.inputs.draw(call.target, parameter)
                call = call.with_value(parameter.name, value)
        needed = [p.name for p in call.target.parameters if p.name in call.given and not p.default]
        if not needed or not literals.own:
            return call
        name, value = self.rng.choice(needed), self.rng.choice(literals.own)
        if self._often(0.5):
            return call.with_value(name, self.rng.choice(WRAPPED).format(value))
        return call.with_value(name, put(call.given[name], value, self.rng))

    def _with_option(self, call: Call, literals: Literals) -> Call:
        """Returns the call with one argument set or left out, preferably one that the statement
        names."""
        settable = [p for p in call.target.parameters if is_settable(p)]
        named = [p for p in settable if p.name in literals.names]
        if not settable:
            return call
        parameter = self.rng.choice(named if named and self.rng.random() < 0.8 else settable)
        if parameter.name in call.given and parameter.default is not None:
            return call.without(parameter.name)
        if self.rng.random() < 0.3:
            return call.with_value(parameter.name, self.rng.choice(literals.values))
        return call.with_value(parameter.name, self.search.inputs.draw(call.target, parameter))

    def _with_literal(self, call: Call, literals: Literals) -> Call:
        """Returns the call with one constant replaced, by one of the diff or of the program's
        texts."""
        if not call.values:
            return self._with_option(call, literals)
        name, value = self.rng.choice(call.values)
        words = [*literals.texts, *self._words(call.target)]
        choice = self.rng.random()
        if choice < 0.08:
            return call.with_value(name, self.rng.choice(WRAPPED).format(value))
        if choice < 0.25:
            return call.with_value(name, spaced(value, self.rng))
        if choice < 0.45:
            return call.with_value(name, put(value, self.rng.choice(literals.values), self.rng))
        if choice < 0.65 and words:
            return call.with_value(name, put(value, repr(self.rng.choice(words)), self.rng))
        spare = [*literals.values, *map(repr, words), *self.search.inputs.anything]
        return call.with_value(name, vary(value, self.rng, words, spare))

    def _words(self, target: Target) -> list[str]:
        if target.key not in self._known_words:
            documented = self.search.inputs.documented_texts
            self._known_words[target.key] = [*self.search.maker.words(target), *documented]
        return self._known_words[target.key]

    def _of(self, mutant: Mutant) -> Literals:
        if mutant.key not in self._literals:
            self._literals[mutant.key] = literals_of(mutant)
        return self._literals[mutant.key]

    def _targets(self, mutant: Mutant) -> list[Target]:
        """Returns the function itself and its known callers, else all targets of its file."""
        place = (mutant.file, mutant.symbol)
        if place not in self._near:
            targets = self.targets
            itself = [t for t in targets if (t.path, t.symbol) == place]
            owner = mutant.symbol.rpartition(".")[0]
            itself += [t for t in targets if (t.path, t.symbol) == (mutant.file, owner)]
            callers = [t for t in targets if place in self.search.progress[t.key].functions]
            near = itself + callers or [t for t in targets if t.path == mutant.file]
            self._near[place] = near or targets
        return self._near[place]
