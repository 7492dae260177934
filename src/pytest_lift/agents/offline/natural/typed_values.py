"""What a person would type for a parameter: usual values, and what the program has for it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from pytest_lift.agents.offline.arguments.fitting_inputs import EMPTY
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.places import OPENERS
from pytest_lift.agents.offline.natural.fitting.fitness import Fitness, named_parameter
from pytest_lift.agents.offline.natural.fitting.near_misses import neighbours
from pytest_lift.agents.offline.natural.kinds import is_numeric
from pytest_lift.agents.offline.natural.values.plain_numbers import is_long
from pytest_lift.agents.offline.natural.values.plain_parts import is_dump
from pytest_lift.agents.offline.natural.values.usual import YEAR, is_of_other_times
from pytest_lift.agents.offline.texts.formats import words_of
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import parsed_expression

ANYTHING_NAMED = re.compile(r"value|name|text|data|item|key|obj|object|other|default|arg|[a-z]")
"""Names of parameters that take something else in each function."""
LONGEST_SHOWN = 40
"""Characters of an argument of the documentation that may take the place of another one."""
NOTHING = EMPTY | {"''", "b''"}
"""Values with nothing in them."""
BRACKET = re.compile(r"""(['"])[()\[\]{}]\1""")
MARKS = re.compile(r"""(['"])[^\w'"\\]+\1""")
FOR_WORDS = re.compile(r"(^|_)(text|name|label|title|message|msg|string|s)$")
"""One bracket, and marks, which code puts around and between texts; parameters for these."""
FILE = re.compile(r"""(['"])[\w./-]*\w\.\w{2,5}\1""")
"""Name of a file."""
WORD = re.compile(r"""(['"])[A-Za-z][\w-]+\1""")
"""Word of two characters or more, as source."""
MOST_TYPED = 3
"""Most values of one parameter that a person would type."""


@lru_cache(maxsize=4096)
def _last_words(name: str) -> tuple[str, ...]:
    """Returns the name of a parameter, and its last words, without those that tell nothing."""
    words = words_of(name).split()
    names = (name, *("_".join(words[at:]) for at in range(1, len(words))))
    return tuple(one for one in names if not ANYTHING_NAMED.fullmatch(one))


@dataclass
class TypedValues:
    """Knows what the documentation, the program's code and the names of parameters tell of their
    values."""

    inputs: Inputs
    fitness: Fitness
    _typed: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)

    def forget(self) -> None:
        """Forgets what it worked out: more is known of the parameters."""
        self._typed.clear()

    def typed(self, target: Target, name: str) -> tuple[str, ...]:
        """Returns what a person would type for a parameter; empty where any value may do."""
        key = (target.key, name)
        if key not in self._typed:
            parameter = named_parameter(target, name)
            usual = self.inputs.usual(target, parameter) if parameter is not None else ()
            documented, used = (
                _shown(pool.get(key, [])) for pool in (self.inputs.documented, self.inputs.used)
            )
            if parameter is not None and self._is_of_other_calendar(target, parameter):
                shown = [*documented, *_shown(self._years(target, parameter))]
                known = [one for one in shown if is_of_other_times(parameter.name, one)]
            else:
                known = self._telling(target, name, [*documented, *usual, *used])
            if not known and parameter is not None:
                known = self._telling(target, name, self._of_same_name(target, parameter))
            if not known and parameter is not None:
                known = self._telling(target, name, self._chosen(target, parameter))
            if not known and parameter is not None:
                known = self._constants(target, parameter)
            if not known and parameter is not None:
                passed = self.inputs.passed.get(key) or []
                shown = _shown([*passed, *self.inputs.passed_beside(target, parameter)])
                known = self._telling(target, name, shown)
            self._typed[key] = tuple(dict.fromkeys(known))[:MOST_TYPED]
        if not self._typed[key] and (parameter := named_parameter(target, name)) is not None:
            return tuple(self.inputs.inferred_values(target, parameter)[:1])
        return self._typed[key]

    def _is_of_other_calendar(self, target: Target, parameter: Parameter) -> bool:
        """Whether most years that documents give to a parameter are none in which anybody lives
        now: those of another calendar."""
        if not YEAR.search(parameter.name):
            return False
        years = self._years(target, parameter)
        other = sum(is_of_other_times(parameter.name, one) for one in years)
        return 2 * other > len(years)

    def _years(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns the years that documents give to a parameter, or else to others of the file under
        its name, or to a ``year`` of it."""
        named = (parameter, replace(parameter, name="year"))
        beside = (self.inputs.shown_beside(target, one) for one in named)
        own = self.inputs.documented.get((target.key, parameter.name), ())
        found = ([*filter(is_numeric, pool)] for pool in (own, *beside))
        return next(filter(None, found), [])

    def _of_same_name(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns the plain arguments that the documentation gives to a parameter of this name, or
        to one that is called like its last words, whatever it calls; none to one whose name says
        nothing."""
        shown = _shown(self._called_alike(parameter.name))
        fits = self.inputs.annotations.fits
        return [
            value
            for value in shown
            if fits(parameter.annotation, value) and self.inputs.suits(target, parameter, value)
        ]

    def _called_alike(self, name: str) -> Sequence[str]:
        """Returns the arguments that the documentation gives under a name, or its last words: to a
        ``force_zone`` as to a ``zone``."""
        return next(filter(None, map(self.inputs.by_name.get, _last_words(name))), ())

    def beside(self, name: str) -> list[str]:
        """Returns the numbers and letters beside those that the documentation gives under a name,
        or its last words."""
        known = self._called_alike(name)[:MOST_TYPED]
        return [one for value in known for one in neighbours(value)][:MOST_TYPED]

    def _chosen(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns the texts among which the code chooses by an option, without its default: those
        of a table, or else the words with which it is compared."""
        usage = self.inputs.usage(target, parameter)
        words = [one for one in dict.fromkeys(usage.constants) if WORD.fullmatch(one)]
        named = ANYTHING_NAMED.fullmatch(parameter.name)
        told = not named and (parameter.default is not None or len(words) > 1)
        chosen = usage.choices or (words if told else [])
        return [one for one in chosen if one != parameter.default]

    def _constants(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns the constants of the classes that a parameter takes and that hold nothing else:
        ``State.open``."""
        held = self.inputs.annotations.declared.constants
        kinds = self.inputs.known_kinds(target, parameter)
        return [one for kind in kinds for one in held.get(kind, ())]

    def is_known(self, target: Target, name: str, value: str) -> bool:
        """Whether the documentation or the code of the program gives the argument, here or to a
        parameter of this name, whatever it calls, and nothing speaks against it here."""
        if self.fitness.is_given(target, name, value):
            return True
        parameter = named_parameter(target, name)
        if value in self.inputs.inference.usage(target.path, target.definition, name).choices:
            return True
        if parameter is None or value not in self._called_alike(name):
            return False
        fits = self.inputs.annotations.fits(parameter.annotation, value)
        return fits and self.inputs.suits(target, parameter, value)

    def _telling(self, target: Target, name: str, values: Sequence[str]) -> list[str]:
        """Returns the values without those that say little."""
        return [value for value in values if not self.says_little(target, name, value)]

    def says_little(self, target: Target, name: str, value: str) -> bool:
        """Whether nobody would type a value because the program or its documentation has it: a
        fraction of many digits, the name of a file that is not there, and a whole number of many
        digits, a year in which nobody lives, marks, bytes that are no text or what is empty, but
        where the documentation gives that."""
        if is_long(value) and not value.removeprefix("-").isdigit():
            return True
        little = is_long(value) or is_of_other_times(target.telling_name(name), value)
        if value in NOTHING or little or _is_mark(name, value) or is_dump(value):
            return value not in self.inputs.documented.get((target.key, name), ())
        return self._is_file(target, name, value)

    def _is_file(self, target: Target, name: str, value: str) -> bool:
        """Whether a text names a file, for a parameter whose files the program looks for."""
        if not FILE.fullmatch(value):
            return False
        handed = self.inputs.inference.usage(target.path, target.definition, name).handed
        return not OPENERS.isdisjoint(function.rpartition(".")[2] for function in handed)


def _shown(values: Sequence[str]) -> list[str]:
    """Returns the short ones of arguments that are plain."""
    short = (value for value in values if len(value) <= LONGEST_SHOWN)
    return [value for value in short if is_plain(value) or is_numeric(value)]


def _is_mark(name: str, value: str) -> bool:
    marks = MARKS if FOR_WORDS.search(name) else BRACKET
    return marks.fullmatch(value) is not None


@lru_cache(maxsize=65536)
def is_plain(value: str) -> bool:
    """Whether an argument is a number or a text, in the place of which another one may stand."""
    node = parsed_expression(value)
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) in (int, float, str, bytes)
