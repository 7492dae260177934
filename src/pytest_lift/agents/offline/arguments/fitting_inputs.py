"""What a parameter is worth trying with: what fits it, the most natural first."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType

from pytest_lift.agents.offline.arguments.call_sites import PRIVATE
from pytest_lift.agents.offline.arguments.constants import short_literals, told_values
from pytest_lift.agents.offline.arguments.ducks.attribute_uses import attribute_uses
from pytest_lift.agents.offline.arguments.ducks.decorated import DecoratedFunctions
from pytest_lift.agents.offline.arguments.ducks.ducks import Ducks
from pytest_lift.agents.offline.arguments.hints.annotated import in_turn
from pytest_lift.agents.offline.arguments.known.moments import near_now
from pytest_lift.agents.offline.arguments.known.namesakes import CLASS
from pytest_lift.agents.offline.arguments.known.parameter_kinds import SCALARS, ParameterKinds
from pytest_lift.agents.offline.arguments.libraries import COROUTINE
from pytest_lift.agents.offline.arguments.uses import ParameterUse, functions
from pytest_lift.agents.offline.natural.dicts.records import Records
from pytest_lift.agents.offline.natural.kinds import ANYTHING, KINDS
from pytest_lift.agents.offline.natural.sample_types import SampleTypes
from pytest_lift.agents.offline.natural.values.failing import FAIL_LATER, known_failing
from pytest_lift.agents.offline.natural.values.marks import instead_of
from pytest_lift.agents.offline.natural.values.packed import PackedBytes
from pytest_lift.agents.offline.natural.values.sample_functions import known_samples
from pytest_lift.agents.offline.natural.values.usual import usual_sources, usual_words
from pytest_lift.agents.offline.texts.shaped import shaped_texts
from pytest_lift.calls.blocks import ANSWER
from pytest_lift.calls.definitions import LocalDefinitions
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.bindings import EXCEPTIONS
from pytest_lift.source.program import Program
from pytest_lift.source.symbols import Parameter

GUESSED = frozenset({"any", "iterable", "list", "str", "dict"})
"""Kinds that a name alone suggests too often."""
MOST_READ = 12
"""Most texts of the formats of a parameter that are drawn like other arguments."""
EMPTY = frozenset({"[]", "{}", "()", "set()", "None", "iter([])", "frozenset()"})
OF_CLASSES = re.compile(r"\b[Tt]ype\b")
CLASS_NAME = re.compile(r"^(cls|class_?|klass|type_?|kind|model|schema)$|_(class|cls|type|model)$")
"""Hints, and names of parameters, that tell a class."""
MOST_BESIDE = 4
"""Most plain values of a kind that are tried in turn with objects of libraries."""
MOST_BEFORE = 5
"""Plainest values of all kinds that are tried first where nothing is known of a parameter."""
MOST_CLASSES = 4
"""Most classes of the program that one parameter is tried with."""
MOST_ITEMS = 8
"""Most texts of which lists are made."""
BEFORE_FAILING = 3
"""How many usual functions are tried before those that raise."""


class FittingInputs(ParameterKinds):
    """Expressions that fit a parameter, by what is known of it."""

    def __init__(
        self,
        program: Program,
        definitions: LocalDefinitions | None = None,
        library_bases: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        """`library_bases` has the classes of libraries that those of the program derive from."""
        super().__init__(program, library_bases)
        self.definitions = definitions or LocalDefinitions()
        """What tests may define themselves."""
        self.records = Records(program)
        self.packed = PackedBytes(self.inference)
        self.samples = SampleTypes(program)
        self.decorated = DecoratedFunctions(program)
        declared = self.annotations.declared
        self.objects.add(declared.enumerations | declared.constants)
        raised = (one for one in self.classes if not EXCEPTIONS.isdisjoint(declared.bases(one)))
        self.objects.seldom = frozenset((*raised, *declared.constants))
        self._constants: dict[str, list[object]] = {}

    def fitting_values(self, target: Target, parameter: Parameter) -> Iterator[str]:
        """Yields what is known to fit the parameter, or anything where nothing is known."""
        if target.members:
            yield from target.members
            return
        usage = self.usage(target, parameter)
        if "writer" in usage.kinds:
            allowed = self.annotations.values(parameter.annotation, ())
            made = [one for one in allowed if one.partition("(")[0] in self.classes]
            yield from made or KINDS["writer"]
            return
        yield from self._told(target, parameter, usage)
        node = self.inference.functions.get((target.path, target.definition))
        near = [*near_now(self.kinds(target, parameter), node, self.inference.named)]
        annotated = self._annotated(target, parameter)
        if annotated[:1] == [KINDS["callable"][0]]:  # nothing tells what it is called with
            yield from known_samples(self.definitions)
        yield from annotated
        yield from near if annotated else ()
        if annotated and annotated[0] not in EMPTY and "any" not in self.kinds(target, parameter):
            yield from self._functions(target, parameter)
            return
        of_program = [*self._of_program(target, parameter)]
        yield from of_program
        foreign, sure = self.foreign(target, parameter)
        yield from self._of_libraries(target, parameter)
        yield from self._failing(target, parameter)
        yield from near
        if not (foreign and sure and not of_program):
            yield from self._of_kinds(target, parameter, usage, bool(of_program))

    def passed_beside(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns what the program was seen to pass to parameters of this name of other functions
        of the file, or of methods called alike, and may stand here, where nothing is known of this
        one."""
        if (target.key, parameter.name) in self.passed:
            return []
        found = (one for pool in self._beside(self.passed, target, parameter) for one in pool)
        return [one for one in found if self.annotations.fits(parameter.annotation, one)]

    def _told(self, target: Target, parameter: Parameter, usage: ParameterUse) -> Iterator[str]:
        """Yields what the documentation and the code tell of arguments."""
        key = target.key, parameter.name
        if marked := self.marked(target, parameter):
            yield from (*marked, *known_samples(self.definitions))
        yield from self.documented.get(key, ())
        yield from self.used.get(key, ())
        yield from self.passed.get(key, ())
        yield from self.read.get(key, [])[:MOST_READ]
        yield from self.met.get(key, ())
        yield from self._shaped(target, parameter)
        yield from self.passed_beside(target, parameter)
        yield from usage.constants
        yield from usage.choices
        yield from self._of_choices(target, parameter)
        yield from self._defined(target, parameter)
        yield from self.samples.of(parameter)
        kinds = self.kinds(target, parameter)
        if CLASS in kinds and parameter.default is None:
            yield from self.namesakes.classes(parameter.name)
        yield from self.usual(target, parameter)
        foreign, _ = self.foreign(target, parameter)
        if "dict" in usage.seen and not any(one.makes("{") for one in foreign):
            yield from self.records.sources(usage.keys, self.words)
        if "bytes" in kinds and self.packed.reads(target):
            yield from self.packed.values(target)

    def marked(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns the functions with decorators that have what the program reads of a parameter;
        none where that is a text or a number."""
        found = self.decorated.of(target, parameter, self.definitions.known)
        plain = found and not SCALARS.isdisjoint(self.usage(target, parameter).kinds)
        return [] if plain else found

    def _annotated(self, target: Target, parameter: Parameter) -> Sequence[str]:
        """Returns values of the type that the parameter has, by its hint or by what is passed."""
        texts = [repr(c) for c in self.constants(target) if isinstance(c, str)]
        hint = parameter.annotation or self.inferred(target, parameter)
        return self.annotations.values(hint, texts)

    def _functions(self, target: Target, parameter: Parameter) -> Iterator[str]:
        """Yields functions that a test defines, for a parameter that takes such, and what they
        give to be awaited."""
        if {"callable", "callback"} & {*self.kinds(target, parameter)}:
            yield from known_samples(self.definitions)
            yield from known_failing(self.definitions)
        yield from self._failing(target, parameter)

    def _failing(self, target: Target, parameter: Parameter) -> Iterator[str]:
        """Yields what raises when it is awaited, for a parameter that takes what is awaited."""
        awaited = any(one.kind == COROUTINE for one in self.foreign(target, parameter)[0])
        if awaited and FAIL_LATER in self.definitions.known:
            yield f"{FAIL_LATER}()"

    def _of_libraries(self, target: Target, parameter: Parameter) -> Iterator[str]:
        """Yields objects of libraries, and plain values of the kinds that documents tell, in
        turn."""
        foreign, sure = self.foreign(target, parameter)
        told = [
            kind for kind in self.documents.kinds(target, parameter) if kind in KINDS and not sure
        ]
        plain = [KINDS[kind][:MOST_BESIDE] for kind in told if foreign]
        yield from in_turn([*plain, *(library.values for library in foreign)])

    def _of_kinds(
        self, target: Target, parameter: Parameter, usage: ParameterUse, of_program: bool
    ) -> Iterator[str]:
        """Yields values of the kinds that the parameter may be of, and anything where little is
        known; `of_program` is whether objects of the program fit."""
        kinds = self.kinds(target, parameter)
        foreign, _ = self.foreign(target, parameter)
        of_library = self._is_of_library(parameter)
        if of_library and not of_program:
            yield from self._ducks(target, parameter)
        yield from functions(usage)
        for kind in kinds:
            yield from self.objects.get(kind, ())
            if not (of_program and kind in GUESSED):
                yield from self._of_kind(kind, awaited=usage.is_awaited)
        if kinds == ["bool"]:
            return
        if not (kinds or usage.attributes or foreign or of_program):
            yield from ANYTHING[:MOST_BEFORE]  # before all texts of the module
        yield from self._constants_of(target, kinds, usage)
        yield from self.by_name.get(parameter.name, ())
        if usage.attributes and not (of_program or of_library):
            yield from self._ducks(target, parameter)
        known = of_program or any(kind in KINDS or kind in self.objects for kind in kinds)
        few = (target.key, parameter.name) in self.passed and not self.is_seen(target, parameter)
        if not (foreign or of_library) and ("any" in kinds or not known or few):
            yield from self.anything

    def _ducks(self, target: Target, parameter: Parameter) -> Iterator[str]:
        """Yields objects with the attributes that the code reads, of the class of a library that a
        hint names where one can be made."""
        uses = attribute_uses(self.inference, target.path, target.definition, parameter.name)
        hints = self.annotations.names(parameter.annotation)
        yield from self._duck_makers.of(self.usage(target, parameter), uses, hints)

    @cached_property
    def _duck_makers(self) -> Ducks:
        return Ducks(self.records, self.words, self.annotations, self.namesakes)

    def _is_of_library(self, parameter: Parameter) -> bool:
        """Whether a hint names a class of a library that was found."""
        hints = self.annotations.names(parameter.annotation)
        return any(one in self.annotations.library_classes for one in hints)

    def _of_kind(self, kind: str, *, awaited: bool) -> Sequence[str]:
        """Returns values of a kind; of functions those that a test defines among them, and nothing
        but coroutines where their calls are `awaited`."""
        values = KINDS.get(kind, ())
        if kind not in ("callable", "callback"):
            return values
        if awaited:
            return [ANSWER, *(one for one in known_failing(self.definitions) if one == FAIL_LATER)]
        usual = *known_samples(self.definitions), *values[:BEFORE_FAILING]
        return *usual, *known_failing(self.definitions), *values[BEFORE_FAILING:]

    def _constants_of(
        self, target: Target, kinds: Sequence[str], usage: ParameterUse
    ) -> Iterator[str]:
        """Yields texts and numbers of the code, where the parameter may take such."""
        constants = self.constants(target)
        if "str" in kinds or not (kinds or usage.attributes):
            texts = [c for c in constants if isinstance(c, str)]
            yield from (repr(c) for c in texts if c not in self.program.identifiers)
        if "int" in kinds:
            numbers = [c for c in constants if type(c) is int]
            yield from (repr(n + d) for n in numbers if abs(n) < 10**6 for d in (0, 1, -1))

    def _shaped(self, target: Target, parameter: Parameter) -> Iterator[str]:
        """Yields texts with what the function looks for in them."""
        kinds = self.known_kinds(target, parameter)
        node = self.inference.functions.get((target.path, target.definition))
        if node is not None and ("str" in kinds or not kinds) and not parameter.annotation:
            yield from shaped_texts(node)

    def _of_choices(self, target: Target, parameter: Parameter) -> Iterator[str]:
        """Yields lists of the texts by which the code looks something up for the items of one."""
        known = self.usage(target, parameter).item_choices[:MOST_ITEMS]
        if known and "str" not in self.kinds(target, parameter):
            rows = [*([one] for one in known), *pairwise(known), known]
            made = (f"[{', '.join(row)}]" for row in rows)
            yield from (one for one in made if self.annotations.fits(parameter.annotation, one))

    def _defined(self, target: Target, parameter: Parameter) -> Iterator[str]:
        """Yields classes and functions that a test defines, for a parameter that takes such."""
        known = [one for one in self.definitions.known.values() if not one.sample]
        hint = parameter.annotation
        takes = OF_CLASSES.search(hint) if hint else CLASS_NAME.search(parameter.name)
        if known and takes:
            yield from (one.name for one in known if one.is_class)
        if known and {"callable", "callback"} & {*self.kinds(target, parameter)}:
            awaited = self.usage(target, parameter).is_awaited
            plain = (one for one in known if not one.is_class)
            yield from (one.name for one in plain if not awaited or one.source.startswith("async "))

    def _of_program(self, target: Target, parameter: Parameter) -> Iterator[str]:
        """Yields objects of the program's classes, lists of them, and its constants."""
        fitting = [*self.fitting(target, parameter)]
        for attribute in sorted(self.wanted.get(target.key, ())):
            if not self._may_lack(target, parameter, attribute):
                continue
            having = self.matcher.having(frozenset({attribute}))
            fitting += [(name, many) for many in (False, True) for name in having]
        if self.foreign(target, parameter)[1]:
            wanted = frozenset(self.usage(target, parameter).met)
            having = self.matcher.having(wanted)
            fitting = [(name, many) for name, many in fitting if many or name in having]
        if target.kind == "operator" and target.owner is not None:
            fitting.insert(0, (target.owner.call, False))
        for name, many in list(dict.fromkeys(fitting))[:MOST_CLASSES]:
            made = self.objects.get(name, [])
            if many and made:
                yield f"[{', '.join(made[:3])}]"
                yield f"[{made[0]}]"
            elif not many:
                yield from made
        yield from self.named_constants.of_parameter(parameter.name)

    def _may_lack(self, target: Target, parameter: Parameter, attribute: str) -> bool:
        """Whether it may be an argument of this parameter that lacked an attribute: one whose
        attribute the code reads, else any that is not known to be plain."""
        readers = [
            one.name
            for one in target.parameters
            for usage in (self.usage(target, one),)
            if attribute in usage.met or attribute in usage.item_attributes
        ]
        kinds = {*self.known_kinds(target, parameter)}
        return parameter.name in readers if readers else not kinds or not kinds <= SCALARS

    def usual(self, target: Target, parameter: Parameter) -> tuple[str, ...]:
        """Returns what a person types for a parameter of this name, or in the place of the mark or
        constant that is its default, where that may be given; what others of the name have by
        default, where it has none."""
        alike = self.named_constants.beside(target.path, parameter.default).items()
        hint = parameter.annotation
        if beside := tuple(one for one, value in alike if self.annotations.fits(hint, value)):
            return beside
        usage = self.usage(target, parameter)
        default = self.named_constants.value_of(target.path, parameter.default)
        marks = (instead_of(one) for one in (default, *usage.fallbacks))
        named = [
            *(self.namesakes.texts(parameter.name) if parameter.default is None else ()),
            *usual_words(parameter.name, usage.handed),
            *usual_sources(target.telling_name(parameter.name), self.words),
            *filter(None, marks),  # ``url or "/"`` takes a URL
        ]
        named = [one for one in named if one not in (default, *usage.fallbacks)]
        fitting = [one for one in named if self.annotations.fits(parameter.annotation, one)]
        if parameter.annotation:
            return tuple(fitting)
        return tuple(one for one in fitting[:1] if self.suits(target, parameter, one))

    def constants(self, target: Target) -> list[object]:
        """Returns short literals in the function itself, then in its module; cached."""
        if target.key not in self._constants:
            self._constants[target.key] = self._find_constants(target)
        return self._constants[target.key]

    def _find_constants(self, target: Target) -> list[object]:
        node = self.inference.functions.get((target.path, target.definition))
        own = short_literals(node) if node is not None else []
        told = told_values(ast.get_docstring(node) or "") if node is not None else []
        known = self.program.identifiers
        own = [*(word for word in told if word not in known), *own]
        found = dict.fromkeys([*own, *self.named_constants.of_module.get(target.path, ())])
        return sorted(found, key=lambda one: PRIVATE.search(repr(one)) is not None)

    @cached_property
    def words(self) -> frozenset[str]:
        """Words in capitals in the program's sources."""
        texts = (file.text for file in self.program.files.values())
        return frozenset(word for text in texts for word in re.findall(r"\b[A-Z]{2,}\b", text))

    @property
    def anything(self) -> list[str]:
        """Values for a parameter of unknown kind, objects of the program included."""
        own = (one for one in self.definitions.known.values() if not one.sample)
        classes = [one.name for one in own if one.is_class]
        return [
            *ANYTHING[:12],
            *self.objects.first,
            *self.documents.ducks,
            *classes,
            *ANYTHING[12:],
        ]
