"""Naturalness of calls: do arguments fit their parameters, and are they what a person types?"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import InitVar, dataclass, field

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.bare import InnerOptions
from pytest_lift.agents.offline.natural.dicts import held_keys
from pytest_lift.agents.offline.natural.dicts.keyworded import KeywordedDicts
from pytest_lift.agents.offline.natural.edited_texts import EditedTexts
from pytest_lift.agents.offline.natural.fitting.fitness import Fitness, named_parameter
from pytest_lift.agents.offline.natural.fitting.taken_apart import APART, is_taken_apart
from pytest_lift.agents.offline.natural.kinds import (
    KINDS,
    PLAIN_FUNCTIONS,
    is_function,
    is_numeric,
)
from pytest_lift.agents.offline.natural.objects.base_classes import BaseClasses
from pytest_lift.agents.offline.natural.oddness import is_private, oddness
from pytest_lift.agents.offline.natural.operands import hiding
from pytest_lift.agents.offline.natural.operands.bare_operands import BareOperands
from pytest_lift.agents.offline.natural.paired import Pairs
from pytest_lift.agents.offline.natural.typed_values import NOTHING, TypedValues, is_plain
from pytest_lift.agents.offline.natural.values import (
    ordered,
    packed,
    several,
    telling_numbers,
    worded,
)
from pytest_lift.agents.offline.natural.values.cut_texts import CutTexts
from pytest_lift.agents.offline.natural.values.functions import FOREIGN, IDLE, HandedFunctions
from pytest_lift.agents.offline.natural.values.torn_words import TornWords
from pytest_lift.agents.offline.natural.values.usual import is_of_other_times
from pytest_lift.agents.offline.natural.values.wrapped import beside_wrapped
from pytest_lift.agents.offline.texts.filling import Filling
from pytest_lift.agents.offline.texts.known_texts import FAR, KnownTexts, content_of
from pytest_lift.agents.offline.texts.shaped import SHAPED
from pytest_lift.agents.offline.texts.strangeness import is_of_one_feature, strangeness
from pytest_lift.agents.offline.texts.tidy import is_untidy, open_brackets
from pytest_lift.agents.offline.texts.vocabulary import Vocabulary
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Observation
from pytest_lift.calls.cost import cost_of
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.syntax import shared_expression

MOMENTS = frozenset({"datetime", "date", "timedelta"})
"""Kinds whose examples are long."""
MAKING = ("constructor", "function")
ODD_FUNCTION = 0.3
"""Cost of a function of Python's own that is seldom handed on."""
KNOWN = 0.85
"""Share of its cost that an argument does not cost which the program's documentation or code has:
a whole example reads better than a part of one."""
NEARLY = 0.6
"""Share of its cost that a known text with one thing changed does not cost: a shorter one that was
cut together reads no better."""
ODD_TEXT, ODD_WORD = 0.15, 0.6
"""Costs of a short text that is not common, and of a word that the program does not have."""
PRIVATE_WORD = 0.7
"""Cost of a word of a command line that is spelt like a private name."""
UNTIDY = 0.4
"""Cost of a text with blanks at its ends, or with tabs."""
UNPAIRED = 0.4
"""Cost of a text in which a bracket opens or closes alone: most are cut out of longer ones."""
OF_ONE_FEATURE = 0.2
"""Cost of a text of a format that shows one feature, where one that shows several may do."""
CUT = 1.0
"""Cost of a text of several lines, of which one is in no text of the documentation."""
UNUSUAL, UNLIKE = 0.3, 0.6
"""Oddness of a plain value where the documentation, a parameter's name, or the format that is read
asks for another one, and of one that is not plain there."""
UNREAD = 0.5
"""Oddness of a dict with none of the keys that the code looks up."""
IN_VAIN = 0.3
"""Oddness of a container where nothing looks at what is in it."""
OF_NOTHING = 0.5
"""Oddness of a text, bytes or a container with nothing in it, where some has to be given."""
NEGATIVE, ZERO = 0.5, 0.15
"""Costs of a number below zero, and of zero, where one above may do."""
NUMBERS, TEXT_FOR_NUMBER = frozenset({"int", "float"}), 0.4
"""Kinds of numbers, and the cost of a text where one of them is taken."""
OTHER_TIMES = 0.4
"""Cost of a year in which nobody lives, and of a first day or second."""
PLACE = re.compile(r"index|idx|start|begin|first|offset|pos|place|lower|origin|seed|min|default")
"""Names of parameters for places, and for other numbers that mostly are 0."""
REFUSING = frozenset({"TypeError", "ValueError"})
"""Errors by which programs refuse values of a wrong type, or from which they derive theirs."""


@dataclass
class Naturalness:
    """Judges calls by what is known of the parameters of their targets."""

    inputs: Inputs
    targets: InitVar[Sequence[Target]] = ()
    makers: dict[str, Target] = field(default_factory=dict)
    """Name of a class or function -> target, for calls inside of arguments."""
    _unusuals: dict[tuple[str, str, str, bool], float] = field(default_factory=dict)
    """(target, parameter, argument, whether that is a known text in which a word was exchanged by
    now) -> what it costs more or less: calls that are compared differ in one argument, mostly."""
    _inside: dict[str, float] = field(default_factory=dict)
    _made_up: dict[str, float] = field(default_factory=dict)

    def __post_init__(self, targets: Sequence[Target]) -> None:
        self.vocabulary = Vocabulary(self.inputs.program)
        self.torn_words = TornWords(self.vocabulary)
        self.keyworded = KeywordedDicts(self.inputs)
        self.filling = Filling(self.inputs, self.vocabulary)
        self.known_texts = KnownTexts(self.inputs)
        self.edited = EditedTexts(self.known_texts)
        self.fitness = Fitness(self.inputs, self.makers)
        self.typed_values = TypedValues(self.inputs, self.fitness)
        self.functions = HandedFunctions(self.inputs)
        self.cut_texts = CutTexts(self.inputs.inference)
        self.paired = Pairs(self.inputs.inference)
        self.bare_operands = BareOperands(self.inputs)
        self.base_classes = BaseClasses(self.inputs, self.makers)
        self.makers |= {one.call: one for one in targets if one.kind in MAKING}
        self.inner_options = InnerOptions(self.makers)
        self.forget()

    def forget(self) -> None:
        """Forgets its judgements: more is known of the parameters."""
        self.fitness.forget()
        self.functions.forget()
        given = self.inputs.documented, self.inputs.used, self.inputs.passed, self.inputs.read
        self.vocabulary.add({text for pool in given for texts in pool.values() for text in texts})
        self.filling.forget()
        self.typed_values.forget()
        self.base_classes.forget()
        for judged in (self._unusuals, self._inside, self._made_up):
            judged.clear()

    def fits(self, call: Call) -> bool:
        """Whether nothing speaks for sure against any argument of a call, of those before it, and
        of those that make its object."""
        for part in call.chain:
            for name, value in _given(part):
                if not self.fitness.fits(part.target, name, value):
                    return False
        return True

    def is_refused(self, call: Call, seen: Observation) -> bool:
        """Whether the program refuses an argument of the last call, as an error says that is for
        values of a wrong type, or that names the argument; all else fits."""
        raised = seen.outcomes[-1].raised if seen.outcomes else None
        if raised is None or not raised.explicit or not self.fits(call.but(values=())):
            return False
        wrong = [pair for pair in call.values if not self.fitness.fits(call.target, *pair)]
        named = (word in raised.message for name, value in wrong for word in (name, value))
        kinds = {raised.type, *self.inputs.annotations.declared.bases(raised.type)}
        return not REFUSING.isdisjoint(kinds) or any(named)

    def misfit(self, call: Call) -> float:
        """Returns how many arguments do not fit their parameters; those against what is sure count
        several times."""
        odd = self.misfit(call.receiver) if call.receiver else 0.0
        return odd + sum(
            self.fitness.misfit(call.target, name, value) for name, value in _given(call)
        )

    def guesses(self, call: Call) -> int:
        """Returns how many arguments do not fit, or of how many nothing tells that they do."""
        parts = (beside_wrapped(part, self.inputs.definitions) for part in call.chain)
        pairs = ((part.target, name, value) for part in parts for name, value in _given(part))
        return sum(self.fitness.is_guess(target, name, value) for target, name, value in pairs)

    def oddness(self, call: Call) -> float:
        """Returns the misfit of a call with what its values cost more or less than their source
        says: what a person would type costs nothing, however long."""
        odd = self.misfit(call) + sum(
            self._unusual(part.target, name, value)
            for part in call.chain
            for name, value in part.values
        )
        odd += (
            IDLE * self.functions.idle(call) + several.oddness(call) + telling_numbers.oddness(call)
        )
        odd += hiding.oddness(call) + self.cut_texts.oddness(call)
        odd += self.bare_operands.oddness(call) + self.base_classes.oddness(call)
        inside = (value for part in call.chain for _, value in _given(part) if "(" in value)
        odd += sum(map(self.fitness.misfit_inside, inside)) + sum(map(self.misfit, call.before))
        odd += PRIVATE_WORD * sum(is_private(word) for part in call.chain for word in part.argv)
        odd += self.paired.oddness(call) + held_keys.oddness(call) + ordered.oddness(call)
        return odd + self.filling.oddness(call)

    def _unusual(self, target: Target, name: str, value: str) -> float:
        """Returns what the values in an argument cost more or less than their source says;
        cached."""
        key = (target.key, name, value, self.known_texts.is_exchanged(value))
        if key not in self._unusuals:
            self._unusuals[key] = self._unusual_anew(target, name, value)
        return self._unusuals[key]

    def _unusual_anew(self, target: Target, name: str, value: str) -> float:
        """Works out what `_unusual` returns."""
        typed = self.typed(target, name)
        if value in typed or self.functions.is_usual(target, name, value):
            less = self.functions.defining(value)
            return cost_of("=") - cost_of(f"={value}") - oddness(value) - less
        if unfit := self.functions.unfit(target, name, value):
            return unfit
        if self._is_usual_moment(target, name, value):
            return -(cost_of(value) + oddness(value))
        numbers = self.inputs.packed
        if numbers.reads(target) and numbers.is_packed(target, value):
            return packed.cost(value) - (cost_of(value) + oddness(value))
        if odd := numbers.oddness(target, name, value):
            return odd
        known = self.is_known(target, name, value) or self.known_texts.is_exchanged(value)
        if known and not self.says_little(target, name, value):
            return self._strangeness(target, name, value) - KNOWN * (
                cost_of(value) + oddness(value)
            )
        if odd := self.keyworded.oddness(target, name, value):
            return odd
        near = self.known_texts.is_near(target.key, name, value) or self._holds_shown(value)
        near = near or value in self.typed_values.beside(name)
        if near or self.keyworded.is_part(target, name, value):
            return -NEARLY * (cost_of(value) + oddness(value))
        if is_plain(value):
            odd = self._out_of_range(target, name, value) + self._of_nothing(target, name, value)
            odd += TEXT_FOR_NUMBER * self._is_text_for_number(target, name, value)
            odd += APART * self.is_taken_apart(target, name, value)
            odd += worded.oddness(target.telling_name(name), value)
            beside = typed or (value[:1] in "'\"" and self.inputs.read.get((target.key, name)))
            return (UNUSUAL if beside else 0.0) + odd
        if self._is_filled_in_vain(target, name, value):
            return IN_VAIN
        if value.isidentifier() and is_function(value) and value not in PLAIN_FUNCTIONS:
            return ODD_FUNCTION
        if value not in self._inside:
            given = self.fitness.given_inside(value)
            self._inside[value] = sum(self._unusual(*one) for one in given)
        unread = UNREAD if self._is_unread(target, name, value) else 0.0
        unread += self._of_nothing(target, name, value)
        return unread + self._inside[value] + (UNLIKE if typed and not is_numeric(value) else 0.0)

    def _holds_shown(self, value: str) -> bool:
        """Whether an argument is a list of dicts, of which documents show more than half."""
        node = shared_expression(value) if value[:2] in ("[{", "({") else None
        items = node.elts if isinstance(node, ast.List | ast.Tuple) else []
        shown = self.inputs.shown_dicts if items else []
        return 2 * sum(ast.unparse(one) in shown for one in items) > len(items)

    def _strangeness(self, target: Target, name: str, value: str) -> float:
        """Returns how seldom a person types a text among those of the formats that a parameter
        reads; 0 for one that the documentation or the program's code has."""
        key = (target.key, name)
        given = (self.inputs.documented, self.inputs.used, self.inputs.passed)
        if value not in self.inputs.read.get(key, ()) or any(
            value in p.get(key, ()) for p in given
        ):
            return 0.0
        text = content_of(value)
        return strangeness(text) + OF_ONE_FEATURE * is_of_one_feature(text)

    def _is_usual_moment(self, target: Target, name: str, value: str) -> bool:
        """Whether a moment or duration is given where one is taken: however long, it is what a
        person types."""
        parameter = named_parameter(target, name) if value.startswith("datetime.") else None
        kinds = self.inputs.known_kinds(target, parameter) if parameter is not None else ()
        return any(value in KINDS[kind][:1] for kind in kinds if kind in MOMENTS)

    def _is_unread(self, target: Target, name: str, value: str) -> bool:
        """Whether an argument is a dict with plain keys, and the code looks up others."""
        node = shared_expression(value) if value.startswith("{") else None
        keys = [getattr(key, "value", None) for key in getattr(node, "keys", ())]
        if not keys or None in keys:  # names, and what ``**`` unpacks
            return False
        read = self.inputs.inference.usage(target.path, target.definition, name).keys
        return bool(read) and not {*read}.intersection(keys)

    def _is_filled_in_vain(self, target: Target, name: str, value: str) -> bool:
        """Whether a container or a function is given where any value may be, and nothing looks at
        what is in it: a number or a letter does."""
        parameter = named_parameter(target, name)
        node = shared_expression(value)
        if parameter is None or not self.inputs.is_opaque(target, parameter):
            return False
        return isinstance(node, ast.List | ast.Tuple | ast.Dict | ast.Set | ast.Lambda)

    def _of_nothing(self, target: Target, name: str, value: str) -> float:
        """Returns the cost of what has nothing in it, for a parameter that has to be given."""
        parameter = named_parameter(target, name) if value in NOTHING else None
        return OF_NOTHING if parameter is not None and parameter.default is None else 0.0

    def _out_of_range(self, target: Target, name: str, value: str) -> float:
        """Returns the cost of a number below one: most numbers count something, but for defaults,
        and places, which begin with 0."""
        parameter = named_parameter(target, name)
        if not is_numeric(value) or (parameter is not None and value == parameter.default):
            return 0.0
        if value.startswith("-"):
            return NEGATIVE
        if is_of_other_times(target.telling_name(name), value):
            return OTHER_TIMES
        return (
            ZERO if value in ("0", "0.0") and not PLACE.search(target.telling_name(name)) else 0.0
        )

    def _is_text_for_number(self, target: Target, name: str, value: str) -> bool:
        """Whether a text is given where a number is taken: a number of another kind is refused by
        what says that it takes no decimals, too."""
        parameter = named_parameter(target, name) if value[:1] in "'\"" else None
        kinds = self.inputs.known_kinds(target, parameter) if parameter is not None else ()
        return bool(kinds) and {*kinds} <= NUMBERS

    def is_taken_apart(self, target: Target, name: str, value: str) -> bool:
        """Whether a text is given where several things are taken: these are its letters."""
        parameter = named_parameter(target, name) if value[:1] in "'\"" else None
        return parameter is not None and is_taken_apart(
            name, self.inputs.known_kinds(target, parameter), value
        )

    def typed(self, target: Target, name: str) -> tuple[str, ...]:
        """Returns what a person would type for a parameter; empty where any value may do."""
        return self.typed_values.typed(target, name)

    def is_known(self, target: Target, name: str, value: str) -> bool:
        """Whether the documentation or the code of the program gives the argument, here or to a
        parameter of this name."""
        return self.typed_values.is_known(target, name, value)

    def says_little(self, target: Target, name: str, value: str) -> bool:
        """Whether nobody would type a value because the program or its documentation has it."""
        return self.typed_values.says_little(target, name, value)

    def is_documented(self, call: Call) -> bool:
        """Whether an argument of more than two characters is in the documentation."""
        pairs = [*call.values, *(call.receiver.values if call.receiver else ())]
        keys = {call.target.key, *([call.receiver.target.key] if call.receiver else [])}
        return any(
            len(value) > 4 and value in self.inputs.documented.get((key, name), ())
            for name, value in pairs
            for key in keys
        )

    def hands_on_others(self, call: Call) -> bool:
        """Whether a call, or one before or inside of it, hands on a function of Python's own where
        the user's is meant."""
        given = [(part.target, *pair) for part in call.chain for pair in _given(part)]
        given += [one for *_, value in given for one in self.fitness.given_inside(value)]
        return any(self.functions.unfit(*one) >= FOREIGN for one in given)

    def made_up(self, call: Call) -> float:
        """Returns the cost of texts in the arguments that are neither common nor documented: short
        ones, and words that the program does not have."""
        pairs = ((part.target.key, *pair) for part in call.chain for pair in _given(part))
        return sum(
            self.odd_texts(value) + self._far(key, name, value)
            for key, name, value in pairs
            if not (value in self.fitness.given(key, name) or self.known_texts.is_exchanged(value))
        )

    def _far(self, key: str, name: str, value: str) -> float:
        """Returns the cost of a text that differs in several things from each known one; the
        plainest may stand anywhere."""
        return 0.0 if value in COMMON else FAR * self.known_texts.far(key, name, value)

    def odd_texts(self, expression: str) -> float:
        """Returns the cost of the texts in an expression that nobody types, or that are cut."""
        if expression not in self._made_up:
            short = re.findall(r"'([^'\\]{0,4})'", expression)
            odd = ODD_TEXT * sum(not _is_common(text) for text in short)
            odd += self.torn_words.oddness(expression)
            node = shared_expression(expression) if "'" in expression or '"' in expression else None
            parts = ast.walk(node) if node is not None else ()
            texts = (one.value for one in parts if isinstance(one, ast.Constant))
            for text in (one for one in texts if isinstance(one, str)):
                odd += ODD_WORD * self.vocabulary.made_up(text)
                odd += CUT if self.vocabulary.is_cut(text) else 0.0
                odd += UNTIDY if is_untidy(text) else 0.0
                odd += 0.0 if open_brackets(text) == "" else UNPAIRED
            self._made_up[expression] = odd
        return self._made_up[expression]


COMMON = frozenset({"'a'", "'b'", "'c'", "'x'", "'utf-8'", *KINDS["str"]}) - {"'é'", "'3.14'"}
"""Short texts that a person would type."""


def _given(call: Call) -> Iterator[tuple[str, str]]:
    """Yields (parameter, argument) of a call, with the arguments for ``*args`` under that name."""
    yield from call.values
    if call.extra:
        rest = [one.name for one in call.target.parameters if one.kind == "var-positional"]
        yield from ((name, value) for name in rest for value in call.extra)


def _is_common(text: str) -> bool:
    return f"'{text}'" in COMMON or SHAPED.fullmatch(text) is not None
