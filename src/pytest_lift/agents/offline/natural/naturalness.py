"""Naturalness of calls: do arguments fit their parameters, and are they what a person types?"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Sequence
from dataclasses import InitVar, dataclass, field
from functools import lru_cache

from pytest_lift.agents.offline.arguments.annotated import literal_kind
from pytest_lift.agents.offline.arguments.call_sites import bound_arguments
from pytest_lift.agents.offline.arguments.inputs import CLASS_NAME, EMPTY, SCALARS, Inputs
from pytest_lift.agents.offline.arguments.places import HINTED, OPENERS
from pytest_lift.agents.offline.natural.bare import InnerOptions
from pytest_lift.agents.offline.natural.kinds import (
    KINDS,
    PLAIN_FUNCTIONS,
    accepted,
    is_function,
    is_numeric,
    is_scalar,
)
from pytest_lift.agents.offline.natural.likeness import FUNCTIONS, Likeness
from pytest_lift.agents.offline.natural.oddness import oddness
from pytest_lift.agents.offline.natural.paired import Pairs
from pytest_lift.agents.offline.natural.values import (
    held_keys,
    ordered,
    packed,
    several,
    telling_numbers,
)
from pytest_lift.agents.offline.natural.values.functions import IDLE, UNFIT, HandedFunctions
from pytest_lift.agents.offline.natural.values.plain_numbers import is_long
from pytest_lift.agents.offline.texts.filling import Filling
from pytest_lift.agents.offline.texts.known_texts import FAR, KnownTexts
from pytest_lift.agents.offline.texts.shaped import SHAPED
from pytest_lift.agents.offline.texts.tidy import is_untidy
from pytest_lift.agents.offline.texts.vocabulary import Vocabulary
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Observation
from pytest_lift.calls.cost import cost_of
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import parsed_expression, shared_expression

AGAINST = 3.0
"""Oddness of an argument that its annotation does not allow, or that has nothing of what the code
reads of it: more than a long object costs."""
NAN = "float('nan')"
MOMENTS = frozenset({"datetime", "date", "timedelta"})
"""Kinds whose examples are long."""
MAKING = ("constructor", "function")
OPEN = frozenset({"any", "Any", "object", "hashable"})
"""Kinds and hints of parameters for any value."""
ANY_OBJECT = 1.2
"""Oddness of an object of the program where any value may stand."""
ANY_FUNCTION = 0.6
"""Oddness of a function of Python's own where something else may stand."""
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
SAME_TEXT = 0.4
"""Cost of a text that is given twice: a test would not notice if the two changed places."""
UNTIDY = 0.4
"""Cost of a text with blanks at its ends, or with tabs."""
CUT = 1.0
"""Cost of a text of several lines, of which one is in no text of the documentation."""
UNUSUAL, UNLIKE = 0.3, 0.6
"""Oddness of a plain value where the documentation, or a parameter's name, asks for another one,
and of one that is not plain there."""
UNREAD = 0.5
"""Oddness of a dict with none of the keys that the code looks up."""
IN_VAIN = 0.3
"""Oddness of a container where nothing looks at what is in it."""
NEGATIVE, ZERO = 0.5, 0.15
"""Costs of a number below zero, and of zero, where one above may do."""
PLACE = re.compile(r"index|idx|start|begin|first|offset|pos|place|lower|origin|seed|min|default")
"""Names of parameters for places, and for other numbers that mostly are 0."""
ANYTHING_NAMED = re.compile(r"value|name|text|data|item|key|obj|object|other|default|arg|[a-z]")
"""Names of parameters that take something else in each function."""
LONGEST_SHOWN = 40
"""Characters of an argument of the documentation that may take the place of another one."""
NOTHING = EMPTY | {"''", "b''"}
"""Values with nothing in them."""
FILE = re.compile(r"""(['"])[\w./-]*\w\.\w{2,5}\1""")
"""Name of a file."""
WORD = re.compile(r"""(['"])[A-Za-z][\w-]+\1""")
"""Word of two characters or more, as source."""
MOST_TYPED = 3
"""Most values of one parameter that a person would type."""
EQUALITY = frozenset({"__eq__", "__ne__"})
"""Operators that take any value."""
REFUSING = frozenset({"TypeError", "ValueError"})
"""Errors by which programs refuse values of a wrong type."""
CALLED = re.compile(r"[\w.]+(?=\s*\()")
"""Names of what is called in an expression."""
BUILT_IN: dict[str, type] = {
    kind.__name__: kind for kind in (bool, int, float, complex, str, bytes, list, tuple, set, dict)
}


@dataclass
class Naturalness:
    """Judges calls by what is known of the parameters of their targets."""

    inputs: Inputs
    targets: InitVar[Sequence[Target]] = ()
    makers: dict[str, Target] = field(default_factory=dict)
    """Name of a class or function -> target, for calls inside of arguments."""
    _fitting: dict[tuple[str, str, str], bool | None] = field(default_factory=dict)
    """(target, parameter, argument) -> whether it fits; None where that is asked of its calls."""
    _typed: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    _inside: dict[str, float] = field(default_factory=dict)
    _given: dict[str, list[tuple[Target, str, str]]] = field(default_factory=dict)
    _made_up: dict[str, float] = field(default_factory=dict)

    def __post_init__(self, targets: Sequence[Target]) -> None:
        self.vocabulary = Vocabulary(self.inputs.program)
        self.filling = Filling(self.inputs, self.vocabulary)
        self.known_texts = KnownTexts(self.inputs)
        self.likeness = Likeness(self.inputs, self.makers)
        self.functions = HandedFunctions(self.inputs)
        self.paired = Pairs(self.inputs.inference)
        self.makers |= {one.call: one for one in targets if one.kind in MAKING}
        self.inner_options = InnerOptions(self.makers)
        self.forget()

    def forget(self) -> None:
        """Forgets its judgements: more is known of the parameters."""
        self.likeness.forget()
        self.functions.forget()
        given = self.inputs.documented, self.inputs.used, self.inputs.passed, self.inputs.read
        self.vocabulary.add({text for pool in given for texts in pool.values() for text in texts})
        self.filling.forget()
        for judged in (self._fitting, self._typed, self._inside, self._given, self._made_up):
            judged.clear()

    def fits(self, call: Call) -> bool:
        """Whether nothing speaks for sure against any argument of a call, of those before it, and
        of those that make its object."""
        for part in call.chain:
            for name, value in part.values:
                if not self._fits(part.target, name, value):
                    return False
        return True

    def is_refused(self, call: Call, seen: Observation) -> bool:
        """Whether the program refuses an argument of the last call, as an error says that is for
        values of a wrong type, or that names the argument; all else fits."""
        raised = seen.outcomes[-1].raised if seen.outcomes else None
        if raised is None or not raised.explicit or not self.fits(call.but(values=())):
            return False
        wrong = [pair for pair in call.values if not self._fits(call.target, *pair)]
        named = (word in raised.message for name, value in wrong for word in (name, value))
        return raised.type in REFUSING or any(named)

    def misfit(self, call: Call) -> float:
        """Returns how many arguments do not fit their parameters; those against what is sure count
        several times."""
        odd = self.misfit(call.receiver) if call.receiver else 0.0
        return odd + sum(self._misfit(call.target, name, value) for name, value in call.values)

    def guesses(self, call: Call) -> int:
        """Returns the number of arguments that do not fit, or of which nothing tells that they
        do."""
        pairs = ((part.target, name, value) for part in call.chain for name, value in part.values)
        return sum(self._is_guess(target, name, value) for target, name, value in pairs)

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
        odd += self.paired.oddness(call) + held_keys.oddness(call) + ordered.oddness(call)
        return odd + SAME_TEXT * sum(map(_repeated, call.chain)) + self.filling.oddness(call)

    def _unusual(self, target: Target, name: str, value: str) -> float:
        """Returns what the values in an argument cost more or less than their source says."""
        typed = self.typed(target, name)
        if value in typed or self.functions.is_usual(target, name, value):
            return cost_of("=") - cost_of(f"={value}") - oddness(value)
        if self.functions.is_unfit(target, name, value):
            return UNFIT
        if self._is_usual_moment(target, name, value):
            return -(cost_of(value) + oddness(value))
        reads = self.inputs.packed.reads(target)
        if reads and packed.is_small(value):
            return packed.cost(value) - (cost_of(value) + oddness(value))
        if odd := packed.oddness(name, value, reads):
            return odd
        if self.is_known(target, name, value) and not self._says_little(target, name, value):
            return -KNOWN * (cost_of(value) + oddness(value))
        if self.known_texts.is_near(target.key, name, value):
            return -NEARLY * (cost_of(value) + oddness(value))
        if is_plain(value):
            return (UNUSUAL if typed else 0.0) + self._out_of_range(target, name, value)
        if self._is_filled_in_vain(target, name, value):
            return IN_VAIN
        if value.isidentifier() and is_function(value) and value not in PLAIN_FUNCTIONS:
            return ODD_FUNCTION
        if value not in self._inside:
            given = self._given_inside(value)
            self._inside[value] = sum(self._unusual(*one) for one in given)
        unread = UNREAD if self._is_unread(target, name, value) else 0.0
        return unread + self._inside[value] + (UNLIKE if typed and not is_numeric(value) else 0.0)

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
        read = self.inputs.inference.usage(target.path, target.symbol, name).keys
        return bool(read) and not {*read}.intersection(keys)

    def _telling(self, target: Target, name: str, values: Sequence[str]) -> list[str]:
        """Returns the values without those that say little."""
        return [value for value in values if not self._says_little(target, name, value)]

    def _says_little(self, target: Target, name: str, value: str) -> bool:
        """Whether nobody would type a value because the program or its documentation has it: a
        fraction of many digits, the name of a file that is not there, and a whole number of many
        digits or what is empty, but where the documentation gives that."""
        if is_long(value) and not value.removeprefix("-").isdigit():
            return True
        if value in NOTHING or is_long(value):
            return value not in self.inputs.documented.get((target.key, name), ())
        return self._is_file(target, name, value)

    def _is_file(self, target: Target, name: str, value: str) -> bool:
        """Whether a text names a file, for a parameter whose files the program looks for."""
        if not FILE.fullmatch(value):
            return False
        handed = self.inputs.inference.usage(target.path, target.symbol, name).handed
        return not OPENERS.isdisjoint(function.rpartition(".")[2] for function in handed)

    def _is_filled_in_vain(self, target: Target, name: str, value: str) -> bool:
        """Whether a container or a function is given where any value may be, and nothing looks at
        what is in it: a number or a letter does."""
        parameter = named_parameter(target, name)
        node = shared_expression(value)
        if parameter is None or not self.inputs.is_opaque(target, parameter):
            return False
        return isinstance(node, ast.List | ast.Tuple | ast.Dict | ast.Set | ast.Lambda)

    def _out_of_range(self, target: Target, name: str, value: str) -> float:
        """Returns the cost of a number below one: most numbers count something, but for defaults,
        and places, which begin with 0."""
        parameter = named_parameter(target, name)
        if not is_numeric(value) or (parameter is not None and value == parameter.default):
            return 0.0
        if value.startswith("-"):
            return NEGATIVE
        return ZERO if value in ("0", "0.0") and not PLACE.search(name) else 0.0

    def typed(self, target: Target, name: str) -> tuple[str, ...]:
        """Returns what a person would type for a parameter; empty where any value may do."""
        key = (target.key, name)
        if key not in self._typed:
            parameter = named_parameter(target, name)
            usual = self.inputs.usual(target, parameter) if parameter is not None else ()
            pools = self.inputs.documented, self.inputs.used
            shown = _shown([one for pool in pools for one in pool.get(key, [])])
            known = self._telling(target, name, [*usual, *shown])
            if not known and parameter is not None:
                known = self._telling(target, name, self._of_same_name(target, parameter))
            if not known and parameter is not None:
                known = self._telling(target, name, self._chosen(target, parameter))
            if not known and parameter is not None:
                passed = self.inputs.passed.get(key) or []
                shown = _shown([*passed, *self.inputs.passed_beside(target, parameter)])
                known = self._telling(target, name, shown)
            self._typed[key] = tuple(dict.fromkeys(known))[:MOST_TYPED]
        return self._typed[key]

    def _of_same_name(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns the plain arguments that the documentation gives to a parameter of this name, or
        to one that is called like its last word, whatever it calls; none to one whose name says
        nothing."""
        by_name = self.inputs.by_name
        names = (parameter.name, parameter.name.rpartition("_")[2])
        known = (by_name.get(name) for name in names if not ANYTHING_NAMED.fullmatch(name))
        shown = _shown(next(filter(None, known), []))
        fits = self.inputs.annotations.fits
        return [
            value
            for value in shown
            if fits(parameter.annotation, value) and self.inputs.suits(target, parameter, value)
        ]

    def _chosen(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns the texts among which the code chooses by an option, without its default: those
        of a table, or else the words with which it is compared."""
        usage = self.inputs.usage(target, parameter)
        words = [one for one in dict.fromkeys(usage.constants) if WORD.fullmatch(one)]
        named = ANYTHING_NAMED.fullmatch(parameter.name)
        told = not named and (parameter.default is not None or len(words) > 1)
        chosen = usage.choices or (words if told else [])
        return [one for one in chosen if one != parameter.default]

    def is_known(self, target: Target, name: str, value: str) -> bool:
        """Whether the documentation or the code of the program gives the argument, here or to a
        parameter of this name, whatever it calls, and nothing speaks against it here."""
        if self.is_given(target, name, value):
            return True
        parameter = named_parameter(target, name)
        if value in self.inputs.inference.usage(target.path, target.symbol, name).choices:
            return True
        elsewhere = () if ANYTHING_NAMED.fullmatch(name) else self.inputs.by_name.get(name, ())
        if parameter is None or value not in elsewhere:
            return False
        fits = self.inputs.annotations.fits(parameter.annotation, value)
        return fits and self.inputs.suits(target, parameter, value)

    def given(self, key: str, name: str) -> list[str]:
        """Returns the arguments that the documentation or the code of the program has, those that
        the program was seen to pass, and texts of the format that the parameter reads."""
        given = self.inputs.documented, self.inputs.used, self.inputs.passed, self.inputs.read
        return [value for pool in given for value in pool.get((key, name), ())]

    def is_documented(self, call: Call) -> bool:
        """Whether an argument of more than two characters is in the documentation."""
        pairs = [*call.values, *(call.receiver.values if call.receiver else ())]
        keys = {call.target.key, *([call.receiver.target.key] if call.receiver else [])}
        return any(
            len(value) > 4 and value in self.inputs.documented.get((key, name), ())
            for name, value in pairs
            for key in keys
        )

    def made_up(self, call: Call) -> float:
        """Returns the cost of texts in the arguments that are neither common nor documented: short
        ones, and words that the program does not have."""
        pairs = ((part.target.key, *pair) for part in call.chain for pair in part.values)
        return sum(
            self.odd_texts(value) + self._far(key, name, value)
            for key, name, value in pairs
            if value not in self.given(key, name)
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
            node = shared_expression(expression) if "'" in expression or '"' in expression else None
            parts = ast.walk(node) if node is not None else ()
            texts = (one.value for one in parts if isinstance(one, ast.Constant))
            for text in (one for one in texts if isinstance(one, str)):
                odd += ODD_WORD * self.vocabulary.made_up(text)
                odd += CUT if self.vocabulary.is_cut(text) else 0.0
                odd += UNTIDY if is_untidy(text) else 0.0
            self._made_up[expression] = odd
        return self._made_up[expression]

    def _fits(self, target: Target, name: str, value: str) -> bool:
        """Whether nothing speaks for sure against an argument; cached, but for what is seen of its
        calls while the search goes on."""
        key = (target.key, name, value)
        if key not in self._fitting:
            self._fitting[key] = self._may_be(target, name, value)
        fits = self._fitting[key]
        return self._is_hinted(target, name, value) if fits is None else fits

    def _may_be(self, target: Target, name: str, value: str) -> bool | None:
        if self.is_given(target, name, value):
            return True
        if NAN in value and (value != NAN or target.kind != "function"):
            return False  # its hash is its address: what holds it differs between runs
        parameter = named_parameter(target, name)
        if parameter is not None and not (
            self._is_used_so(target, parameter, value)
            and not self._is_defined_for_plain(target, parameter, value)
        ):
            return False
        return None if "(" in value else self._is_hinted(target, name, value)

    def _is_hinted(self, target: Target, name: str, value: str) -> bool:
        """Whether an argument fits the hint of its parameter, and so do the arguments of all calls
        inside of it."""
        if value not in self._given:
            self._given[value] = list(self._given_inside(value))
        parameter = named_parameter(target, name)
        return all(self._fits(*one) for one in self._given[value]) and (
            parameter is None or self.inputs.annotations.fits(parameter.annotation, value)
        )

    def _given_inside(self, value: str) -> Iterator[tuple[Target, str, str]]:
        """Yields (target, parameter, argument) of each call of the program inside an argument, but
        for those inside of another one: they are in its arguments."""
        made = "(" in value and not self.makers.keys().isdisjoint(CALLED.findall(value))
        node = shared_expression(value) if made else None
        waiting: list[ast.AST] = [node] if node is not None else []
        while waiting:
            part = waiting.pop()
            maker = self.makers.get(ast.unparse(part.func)) if isinstance(part, ast.Call) else None
            if maker is None or not isinstance(part, ast.Call):
                waiting += ast.iter_child_nodes(part)
                continue
            for name, given in bound_arguments(maker, part):
                yield maker, name, ast.unparse(given)

    def _is_used_so(self, target: Target, parameter: Parameter, value: str) -> bool:
        """Whether a literal has anything of what the code reads of the parameter."""
        if parameter.annotation or value == parameter.default or target.leaf in EQUALITY:
            return True
        if not self.likeness.is_of_told_class(target, parameter, value):
            return False
        if self.inputs.is_seen(target, parameter) and not self.likeness.allows(
            target, parameter, value
        ):
            return False
        usage = self.inputs.usage(target, parameter)
        node = shared_expression(value) if usage.met else None
        kind = BUILT_IN.get(literal_kind(node)) if node is not None else None
        if kind is None:
            return True
        seen = {*usage.seen, *accepted(usage.seen)}
        seen |= accepted(self.inputs.told_kinds(target, parameter))
        return kind.__name__ in seen or any(hasattr(kind, name) for name in usage.met)

    def _is_defined_for_plain(self, target: Target, parameter: Parameter, value: str) -> bool:
        """Whether a function or class, of the program or of a test, is given for a flag, a number
        or a text."""
        if value not in self.makers and value not in self.inputs.definitions.known:
            return False
        kinds = self.inputs.known_kinds(target, parameter)
        return bool(kinds) and SCALARS.issuperset(kinds)

    def _is_guess(self, target: Target, name: str, value: str) -> bool:
        parameter = named_parameter(target, name)
        if parameter is None or parameter.annotation or self.is_given(target, name, value):
            return False
        kinds = self.inputs.known_kinds(target, parameter)
        if not KINDS.keys().isdisjoint(kinds) or self.inputs.foreign(target, parameter)[0]:
            return self._misfit(target, name, value) > 0
        classes = {*kinds, *(name for name, _ in self.inputs.fitting(target, parameter))}
        return classes.isdisjoint(re.findall(r"\w+", value))

    def is_given(self, target: Target, name: str, value: str) -> bool:
        """Whether the documentation or the code of the program gives the argument."""
        return value in self.given(target.key, name)

    def _misfit(self, target: Target, name: str, value: str) -> float:
        if not self._fits(target, name, value):
            return AGAINST
        parameter = named_parameter(target, name)
        if parameter is None or self.is_given(target, name, value):
            return 0.0
        node = shared_expression(value)
        kind = literal_kind(node) if node is not None else ""
        kinds = self.inputs.known_kinds(target, parameter)
        foreign, sure = self.inputs.foreign(target, parameter)
        if any(one.makes(value) for one in foreign):
            return 0.0
        if foreign and (sure or not kinds):
            return 1.0
        if kind and kind != "NoneType" and kinds and "any" not in kinds:
            return 0.0 if kind in accepted(kinds) else 1.0
        if isinstance(node, ast.Name) and is_function(value):
            if self._takes_class(parameter):
                return 0.0 if isinstance(getattr(builtins, value, None), type) else 1.0
            takes = kinds and (FUNCTIONS | {"type"}).issuperset({*kinds})
            return 0.0 if takes else ANY_FUNCTION
        if value.startswith("Path(") and HINTED.search(parameter.annotation or ""):
            return 0.0
        if kinds and SCALARS.issuperset(kinds):
            return 0.0 if is_scalar(value, kinds) else 1.0
        return ANY_OBJECT if self._is_any_object(target, parameter, node) else 0.0

    def _takes_class(self, parameter: Parameter) -> bool:
        """Whether the name of a parameter, or its hint, tells that it is for a class."""
        named = CLASS_NAME.search(parameter.name) is not None
        return named or self.inputs.samples.takes_type(parameter)

    def _is_any_object(self, target: Target, parameter: Parameter, node: ast.expr | None) -> bool:
        """Whether an argument is an object of the program, a member of its enumerations included,
        where any value may stand."""
        maker = self.makers.get(ast.unparse(node.func)) if isinstance(node, ast.Call) else None
        made = maker is not None and maker.kind == "constructor"
        local = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        made = made or local in self.inputs.definitions.known
        owner = node.value if isinstance(node, ast.Attribute) else None
        member = isinstance(owner, ast.Name) and owner.id in self.inputs.classes
        if not made and not member:
            return False
        kinds = {*self.inputs.known_kinds(target, parameter)}
        named = {*self.inputs.annotations.names(parameter.annotation)}
        open_to_all = not kinds or not OPEN.isdisjoint(kinds | named)
        return open_to_all and not self.inputs.takes(target, parameter, self.inputs.classes)


COMMON = frozenset({"'a'", "'b'", "'c'", "'x'", "'utf-8'", *KINDS["str"]})
"""Short texts that a person would type."""


def _shown(values: Sequence[str]) -> list[str]:
    """Returns the short ones of arguments that are plain."""
    short = (value for value in values if len(value) <= LONGEST_SHOWN)
    return [value for value in short if is_plain(value) or is_numeric(value)]


def _is_common(text: str) -> bool:
    return f"'{text}'" in COMMON or SHAPED.fullmatch(text) is not None


def _repeated(call: Call) -> int:
    """Returns how many arguments of a call are a text that it gets as another one, too."""
    texts = [value for _, value in call.values if value[:1] in "'\""]
    return len(texts) - len(set(texts))


def named_parameter(target: Target, name: str) -> Parameter | None:
    return next((one for one in target.parameters if one.name == name), None)


@lru_cache(maxsize=65536)
def is_plain(value: str) -> bool:
    """Whether an argument is a number or a text, in the place of which another one may stand."""
    node = parsed_expression(value)
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) in (int, float, str, bytes)
