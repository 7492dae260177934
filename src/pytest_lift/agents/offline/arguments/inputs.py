"""Provides argument expressions: from defaults, hints, uses, constants and documentation."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache
from types import MappingProxyType

from pytest_lift.agents.offline.arguments.annotated import Annotations, in_turn
from pytest_lift.agents.offline.arguments.call_sites import PRIVATE
from pytest_lift.agents.offline.arguments.classes import ClassMatcher, documented_types
from pytest_lift.agents.offline.arguments.constants import Constants, short_literals, told_values
from pytest_lift.agents.offline.arguments.declared import Declarations
from pytest_lift.agents.offline.arguments.descriptions import (
    accepted_words,
    described,
    described_property,
)
from pytest_lift.agents.offline.arguments.flow.flow import TypeFlow
from pytest_lift.agents.offline.arguments.inference import inference_of
from pytest_lift.agents.offline.arguments.known.namesakes import Namesakes
from pytest_lift.agents.offline.arguments.known.noted import NotedArguments
from pytest_lift.agents.offline.arguments.libraries import Libraries, Library, spelt
from pytest_lift.agents.offline.arguments.uses import ParameterUse, duck, functions
from pytest_lift.agents.offline.natural.dicts.records import Records
from pytest_lift.agents.offline.natural.kinds import (
    ANYTHING,
    HINTS,
    KINDS,
    PASSED,
    accepted,
    is_numeric,
    kinds_named,
)
from pytest_lift.agents.offline.natural.sample_types import SampleTypes
from pytest_lift.agents.offline.natural.values.failing import failing_functions, known_failing
from pytest_lift.agents.offline.natural.values.marks import instead_of
from pytest_lift.agents.offline.natural.values.packed import PackedBytes
from pytest_lift.agents.offline.natural.values.sample_functions import (
    known_samples,
    sample_functions,
)
from pytest_lift.agents.offline.natural.values.usual import usual_sources
from pytest_lift.agents.offline.texts.shaped import shaped_texts
from pytest_lift.calls.cost import cost_of
from pytest_lift.calls.definitions import LocalDefinitions
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.bindings import EXCEPTIONS
from pytest_lift.source.program import Program
from pytest_lift.source.symbols import Parameter

DOCUMENTED_WORD = re.compile(r"\\[a-zA-Z][0-9a-fA-F]{0,4}|[A-Za-z]+|\d[\d.eE]*")
ODD_VALUES, USUAL = 0.05, 0.4
"""Shares of the arguments that are any value, whatever the parameter is known to take, and that are
what a person types for its name, where that tells."""
GUESSED = frozenset({"any", "iterable", "list", "str", "dict"})
"""Kinds that a name alone suggests too often."""
MOST_READ = 12
"""Most texts of the formats of a parameter that are drawn like other arguments."""
EMPTY = frozenset({"[]", "{}", "()", "set()", "None", "iter([])", "frozenset()"})
SCALARS = frozenset({"bool", "int", "float", "str", "bytes"})
ANY_TYPE = frozenset({"Any", "object", "None"})
CODEC = re.compile(r"utf[-_]?\d|latin[-_]?1$|ascii$|iso[-_]?8859|cp\d|windows-\d")
"""Names of encodings of texts."""
OF_CLASSES = re.compile(r"\b[Tt]ype\b")
CLASS_NAME = re.compile(r"^(cls|class_?|klass|type_?|kind|model|schema)$|_(class|cls|type|model)$")
"""Hints, and names of parameters, that tell a class."""
STORED = re.compile(r"^(value|val|v|d|default|dflt|fallback|item|fill_?value|sentinel)$")
"""Names of parameters for what is stored, or given where there is nothing."""
MOST_BESIDE = 4
"""Most plain values of a kind that are tried in turn with objects of libraries."""
MOST_BEFORE = 5
"""Plainest values of all kinds that are tried first where nothing is known of a parameter."""
MOST_CLASSES = 4
"""Most classes of the program that one parameter is tried with."""
DOCUMENTED_METHOD = re.compile(r"`{1,2}\.?(\w+)\(\)`{1,2}\s+(?:\w+\s+)?methods?")
BEFORE_FAILING = 3
"""How many usual functions are tried before those that raise."""


class Inputs(NotedArguments):
    """Pools of argument expressions, filled once and then extended by what the search finds."""

    def __init__(
        self,
        program: Program,
        rng: random.Random,
        definitions: LocalDefinitions | None = None,
        library_bases: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        """`library_bases` has the classes of libraries that those of the program derive from."""
        super().__init__()
        self.program = program
        self.definitions = definitions or LocalDefinitions()
        """What tests may define themselves."""
        self.rng = rng
        self.inference = inference_of(program)
        self.flow = TypeFlow(program)
        self.matcher = ClassMatcher(program)
        self.libraries = Libraries(program)
        self.records = Records(program)
        self.packed = PackedBytes(self.inference)
        self.samples = SampleTypes(program)
        self.named_constants = Constants(program)
        self.namesakes = Namesakes(program)
        made = self.objects
        declared = Declarations(program, library_bases)
        self.annotations = Annotations(program, made, self.matcher, made.classes_of, declared)
        self.objects.add(self.annotations.declared.enumerations)
        bases = self.annotations.declared.bases
        self.objects.seldom = frozenset(
            name for name in self.classes if not EXCEPTIONS.isdisjoint(bases(name))
        )
        self._fitting: dict[tuple[str, str], list[tuple[str, bool]]] = {}
        self._sure: dict[tuple[str, str], frozenset[str]] = {}
        self._libraries: dict[tuple[str, str], tuple[list[Library], bool]] = {}
        self._docs: dict[str, str] = {}
        self._told_kinds: dict[tuple[str, str], list[str]] = {}
        self._constants: dict[str, list[object]] = {}
        self._inferred: dict[tuple[str, str], str] = {}

    def add_samples(self, targets: Sequence[Target]) -> None:
        """Adds the classes of sample types, where a target takes types, and functions that raise,
        to what tests may define."""
        takers = (one for target in targets for one in target.parameters)
        if any(map(self.samples.takes_type, takers)):
            self.definitions.known.update(self.samples.definitions() | self.definitions.known)
        given = (one for pool in (*self.documented.values(), *self.used.values()) for one in pool)
        failing = failing_functions(self.program, given)
        own = sample_functions(self.program) | failing | self.definitions.known
        self.definitions.known.update(own)

    def note_described(self, targets: Sequence[Target]) -> None:
        """Adds the arguments that descriptions of parameters name, as documented ones."""
        for target in targets:
            doc = self._doc(target)
            for parameter in target.parameters if doc else ():
                for value in described(doc, parameter.name).values:
                    if self.annotations.fits(parameter.annotation, value):
                        self.note(target, parameter.name, value)

    def passed_beside(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns what the program was seen to pass to parameters of this name of other functions
        of the file and may stand here, where nothing is known of this one."""
        if (target.key, parameter.name) in self.passed:
            return []
        found = (one for pool in self._beside(self.passed, target, parameter) for one in pool)
        return [one for one in found if self.annotations.fits(parameter.annotation, one)]

    def usage(self, target: Target, parameter: Parameter) -> ParameterUse:
        """Returns how the parameter is used."""
        return self.inference.usage(target.path, target.symbol, parameter.name)

    def pool(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns every expression worth trying, the most natural first."""
        file = self.program.files[target.path]
        return self._pools.get(
            (target.key, parameter.name),
            lambda: (spelt(value, file) for value in self._fill(target, parameter)),
        )

    def draw(self, target: Target, parameter: Parameter) -> str:
        """Returns one expression from the pool; earlier ones are more likely, what a person types
        for the name most of all, and now and then any value at all."""
        usual = self.usual(target, parameter)
        if usual and self.rng.random() < USUAL:
            return usual[0]
        pool = self.pool(target, parameter)
        if not pool or self.rng.random() < ODD_VALUES:
            pool = self.anything
        return pool[int(len(pool) * self.rng.random() ** 1.7)]

    def _fill(self, target: Target, parameter: Parameter) -> Iterator[str]:
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
        yield from self.documented.get((target.key, parameter.name), ())
        yield from self.used.get((target.key, parameter.name), ())
        yield from self.passed.get((target.key, parameter.name), ())
        yield from self.read.get((target.key, parameter.name), [])[:MOST_READ]
        yield from self.met.get((target.key, parameter.name), ())
        yield from self._shaped(target, parameter)
        yield from self.passed_beside(target, parameter)
        yield from usage.constants
        yield from usage.choices
        yield from self._defined(target, parameter)
        yield from self.samples.of(parameter)
        yield from self.usual(target, parameter)
        foreign, sure = self.foreign(target, parameter)
        if "dict" in usage.seen and not any(one.makes("{") for one in foreign):
            yield from self.records.sources(usage.keys, self.words)
        kinds = self.kinds(target, parameter)
        if "bytes" in kinds and self.packed.reads(target):
            yield from self.packed.values(target)
        texts = [repr(c) for c in self.constants(target) if isinstance(c, str)]
        hint = parameter.annotation or self.inferred(target, parameter)
        annotated = self.annotations.values(hint, texts)
        samples, failing = known_samples(self.definitions), known_failing(self.definitions)
        yield from annotated
        if annotated and annotated[0] not in EMPTY and "any" not in kinds:
            yield from (*samples, *failing) if "callable" in kinds else ()
            return
        of_program = list(self._of_program(target, parameter))
        yield from of_program
        foreign, sure = self.foreign(target, parameter)
        told = [kind for kind in self.told_kinds(target, parameter) if kind in KINDS and not sure]
        plain = [KINDS[kind][:MOST_BESIDE] for kind in told if foreign]
        yield from in_turn([*plain, *(library.values for library in foreign)])
        if foreign and sure and not of_program:
            return
        yield from functions(usage)
        for kind in kinds:
            yield from self.objects.get(kind, ())
            values = KINDS.get(kind, ()) if not (of_program and kind in GUESSED) else ()
            if kind in ("callable", "callback"):
                usual = *samples, *values[:BEFORE_FAILING]
                values = (*usual, *failing, *values[BEFORE_FAILING:])
            yield from values
        if kinds == ["bool"]:
            return
        if not (kinds or usage.attributes or foreign or of_program):
            yield from ANYTHING[:MOST_BEFORE]  # before all texts of the module
        if "str" in kinds or not (kinds or usage.attributes):
            texts = [c for c in self.constants(target) if isinstance(c, str)]
            yield from (repr(c) for c in texts if c not in self.program.identifiers)
        if "int" in kinds:
            numbers = [c for c in self.constants(target) if type(c) is int]
            yield from (repr(n + d) for n in numbers if abs(n) < 10**6 for d in (0, 1, -1))
        yield from self.by_name.get(parameter.name, ())
        if usage.attributes and not of_program:
            yield duck(usage)
        known = of_program or any(kind in KINDS or kind in self.objects for kind in kinds)
        few = (target.key, parameter.name) in self.passed and not self.is_seen(target, parameter)
        if not foreign and ("any" in kinds or not known or few):
            yield from self.anything

    def _shaped(self, target: Target, parameter: Parameter) -> Iterator[str]:
        """Yields texts with what the function looks for in them."""
        kinds = self.known_kinds(target, parameter)
        node = self.inference.functions.get((target.path, target.symbol))
        if node is not None and ("str" in kinds or not kinds) and not parameter.annotation:
            yield from shaped_texts(node)

    def _defined(self, target: Target, parameter: Parameter) -> Iterator[str]:
        """Yields classes and functions that a test defines, for a parameter that takes such."""
        known = [one for one in self.definitions.known.values() if not one.sample]
        hint = parameter.annotation
        takes = OF_CLASSES.search(hint) if hint else CLASS_NAME.search(parameter.name)
        if known and takes:
            yield from (one.name for one in known if one.is_class)
        if known and {"callable", "callback"} & {*self.kinds(target, parameter)}:
            yield from (one.name for one in known if not one.is_class)

    def foreign(self, target: Target, parameter: Parameter) -> tuple[list[Library], bool]:
        """Returns the kinds of objects of libraries that a parameter takes, and whether that is
        sure; cached."""
        key = (target.key, parameter.name)
        if key not in self._libraries:
            self._libraries[key] = self._find_foreign(target, parameter)
        return self._libraries[key]

    def _find_foreign(self, target: Target, parameter: Parameter) -> tuple[list[Library], bool]:
        hints = [
            name for name in self.annotations.names(parameter.annotation) if name not in ANY_TYPE
        ]
        told = documented_types(self._doc(target), parameter.name)
        words = hints or [word for text in told for word in re.findall(r"[A-Za-z_][\w-]*", text)]
        plain = self.told_kinds(target, parameter)
        if (named := self.libraries.named(words)) or hints:
            alone = hints or not plain
            sure = alone and all(word in one.types for word in hints for one in named)
            return named, bool(named and sure)
        usage = self.usage(target, parameter)
        file = self.program.files[target.path]
        if used := self.libraries.used(usage, parameter.name, file):
            return used, True
        if plain or _literal(parameter.default) is not None:
            return [], False  # more than a name tells
        return self.libraries.suggested(usage, parameter.name, file), False

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

    def examples(self, kind: str) -> Sequence[str]:
        """Returns sources of values of a type, by its name: objects of the program, or literals."""
        return self.objects.get(kind) or KINDS.get(HINTS.get(kind, kind), ())

    def suits(self, target: Target, parameter: Parameter, literal: str) -> bool:
        """Whether nothing that is known of a parameter speaks against a literal."""
        kinds = self.known_kinds(target, parameter)
        if not kinds or "any" in kinds:
            return True
        kind = type(_literal(literal)).__name__
        return ("float" if kind == "NoneType" and is_numeric(literal) else kind) in accepted(kinds)

    def takes(self, target: Target, parameter: Parameter, kinds: AbstractSet[str]) -> bool:
        """Whether a parameter is known to take an object of one of these classes."""
        single = {name for name, many in self.fitting(target, parameter) if not many}
        return bool(kinds & {*self.known_kinds(target, parameter), *single})

    def is_opaque(self, target: Target, parameter: Parameter) -> bool:
        """Whether any value may be given that is stored or given back: its name says so, and the
        code never looks at what is in it."""
        return STORED.search(parameter.name) is not None and self.is_unseen(target, parameter)

    def is_unseen(self, target: Target, parameter: Parameter) -> bool:
        """Whether neither the code nor a hint or docstring tells what kind of value is taken."""
        usage = self.usage(target, parameter)
        hinted = {*self.annotations.names(parameter.annotation)}
        looked_at = bool(usage.seen or usage.met or usage.arities or usage.constants)
        told = self.told_kinds(target, parameter)
        return hinted <= ANY_TYPE and not (looked_at or told) and not usage.indexed

    def fitting(self, target: Target, parameter: Parameter) -> list[tuple[str, bool]]:
        """Returns (class of the program, whether a list of its objects is meant); cached."""
        key = (target.key, parameter.name)
        if key not in self._fitting:
            usage, doc = self.usage(target, parameter), self._doc(target)
            hinted = {*self.annotations.names(parameter.annotation)} - {"None"}
            plain = bool(hinted) and hinted <= SCALARS
            first = target.kind == "function" and target.parameters[:1] == (parameter,)
            function = target.leaf if first else ""
            fitting = self.matcher.fitting
            names = parameter.name, function, target.leaf
            self._fitting[key] = [] if plain else fitting(usage, doc, *names)
        return self._fitting[key]

    def sure(self, target: Target, parameter: Parameter) -> frozenset[str]:
        """Returns the classes of the program of which an argument has to be an object, where that
        is sure; cached."""
        key = (target.key, parameter.name)
        if key not in self._sure:
            first = target.kind == "function" and target.parameters[:1] == (parameter,)
            function = target.leaf if first else ""
            names = parameter.name, function, target.leaf
            self._sure[key] = self.matcher.sure(self._doc(target), *names)
        return self._sure[key]

    def _doc(self, target: Target) -> str:
        if target.key not in self._docs:
            wanted = {target.symbol, target.symbol.rpartition(".")[0], f"{target.symbol}.__init__"}
            symbols = self.program.files[target.path].symbols
            found = (symbol.doc for symbol in symbols if symbol.name in wanted)
            self._docs[target.key] = "\n".join(found)
        return self._docs[target.key]

    def kinds(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns kinds of values by default, annotation, use and name, in this order of trust."""
        own = self.named_constants.value_of(target.path, parameter.default)
        if own in ("True", "False"):
            return ["bool"]
        hinted = self.annotations.names(parameter.annotation)
        found = [self._hinted_kind(target, parameter, name) for name in hinted]
        if any(kind in KINDS or kind in self.classes for kind in found) and "any" not in found:
            return list(dict.fromkeys(found))
        told = self.told_kinds(target, parameter)
        found += told
        usage = self.usage(target, parameter)
        default = _literal(own)
        if default is None:
            default = next(map(_literal, usage.fallbacks), None)
        if isinstance(default, str) and CODEC.match(default.lower()):
            return ["encoding"]
        if default is not None and type(default).__name__ in KINDS:
            found.append(type(default).__name__)
        place = target.path, target.symbol, parameter.name
        handed = self.flow.kinds(*place) if _is_inferred(parameter) else ()
        given = [*self.given.get((target.key, parameter.name), ())]
        given += [PASSED.get(kind, kind) for kind in handed]
        told_by_code = bool(given or told) or self.is_opaque(target, parameter)
        used = [*given, *usage.seen] if told_by_code else usage.kinds  # a name tells least
        if not (told_by_code or found or usage.seen or usage.met or usage.indexed):
            used = [*filter(None, [self.namesakes.kind(parameter.name)])] or used
        found += [HINTS.get(kind, kind) for kind in used]
        if self._documented_callable(target, parameter.name):
            found.insert(0, "callable")
        if not found and parameter.default is None:
            beside = self._beside(self.passed_kinds, target, parameter)
            found = sorted(kind for kinds in beside for kind in kinds)
        return list(dict.fromkeys(found))

    def _hinted_kind(self, target: Target, parameter: Parameter, name: str) -> str:
        """Returns the kind that a hint names: a class of the program that is called like a type of
        Python's own is none of these where the hint has its bare name, and the file of the target
        defines it, or imports it from the program."""
        bare = re.search(rf"(?<![\w.]){name}\b", parameter.annotation or "")
        if name not in HINTS or name not in self.classes or not bare:
            return HINTS.get(name, name)
        file = self.program.files[target.path]
        tops = {one.top for one in file.imports if one.bound == name}
        defined = any(one.name == name and one.kind == "class" for one in file.symbols)
        own = tops <= {*self.program.names} and bool(tops or defined)
        starred = any(one.bound == "*" for one in file.imports)
        return name if own and not starred else HINTS.get(name, name)

    def inferred(self, target: Target, parameter: Parameter) -> str:
        """Returns the annotation that the calls in the program tell for a parameter of which
        neither a hint nor a docstring tells one; "" where they do not tell it for sure; cached."""
        key = (target.key, parameter.name)
        if key not in self._inferred:
            place = target.path, target.symbol, parameter.name
            told = not _is_inferred(parameter) or self.told_kinds(target, parameter)
            found = "" if told else self.flow.annotation(*place)
            self._inferred[key] = "" if "dict" in found else found  # its keys tell more
        return self._inferred[key]

    def inferred_values(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns objects of the program of the types that its own calls pass to a parameter, the
        plainest first."""
        hint = self.inferred(target, parameter)
        if self.classes.isdisjoint(re.findall(r"\w+", hint)):
            return []
        return self._pools.get(
            (target.key, f"{parameter.name}:"),
            lambda: sorted(self.annotations.values(hint), key=cost_of),
        )

    def told_kinds(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns the kinds of values that a docstring names for a parameter; cached."""
        key = (target.key, parameter.name)
        if key not in self._told_kinds:
            told = [*documented_types(self._doc(target), parameter.name)]
            kinds = [kind for text in told for kind in kinds_named(text)]
            if not told and not parameter.annotation:
                kinds = [*described(self._doc(target), parameter.name).kinds]
                kinds = kinds or [*self._kinds_of_property(target, parameter)]
            self._told_kinds[key] = kinds
        return self._told_kinds[key]

    def _kinds_of_property(self, target: Target, parameter: Parameter) -> Iterator[str]:
        """Yields the kinds and classes that a docstring tells of the property that is set, or that
        has the name of a parameter with which its object is made."""
        owner = target.symbol if target.kind == "constructor" else ""
        name = f"{owner}.{parameter.name}" if owner else target.symbol
        if not owner and target.kind != "statement":
            return
        symbols = self.program.files[target.path].symbols
        doc = next((one.doc for one in symbols if one.name == name and one.doc), "")
        yield from described_property(doc).kinds
        yield from (
            word for word in re.findall(r"\w+", accepted_words(doc)) if word in self.classes
        )

    @cached_property
    def words(self) -> frozenset[str]:
        """Words in capitals in the program's sources."""
        texts = (file.text for file in self.program.files.values())
        return frozenset(word for text in texts for word in re.findall(r"\b[A-Z]{2,}\b", text))

    @cached_property
    def classes(self) -> frozenset[str]:
        """Names of the program's classes."""
        symbols = (s for file in self.program.files.values() for s in file.symbols)
        return frozenset(s.name for s in symbols if s.kind == "class")

    def known_kinds(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns what `kinds` does; cached."""
        key = (target.key, parameter.name)
        if key not in self._known_kinds:
            self._known_kinds[key] = self.kinds(target, parameter)
        return self._known_kinds[key]

    def _documented_callable(self, target: Target, name: str) -> bool:
        node = self.inference.functions.get((target.path, target.symbol))
        doc = (ast.get_docstring(node) or "") if node else ""
        near = rf"[*`]{re.escape(name)}(\(\w*\))?[*`]+[^.]{{0,60}}\b(function|callable|called)\b"
        return re.search(near, doc) is not None

    def usual(self, target: Target, parameter: Parameter) -> tuple[str, ...]:
        """Returns what a person types for a parameter of this name, or in the place of the mark or
        constant that is its default, where that may be given."""
        alike = self.named_constants.beside(target.path, parameter.default).items()
        hint = parameter.annotation
        if beside := tuple(one for one, value in alike if self.annotations.fits(hint, value)):
            return beside
        usage = self.usage(target, parameter)
        default = self.named_constants.value_of(target.path, parameter.default)
        marks = (instead_of(one) for one in (default, *usage.fallbacks))
        named = [
            *filter(None, marks),
            *usual_sources(target.telling_name(parameter.name), self.words),
        ]
        named = [one for one in named if one != default]
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
        node = self.inference.functions.get((target.path, target.symbol))
        own = short_literals(node) if node is not None else []
        told = told_values(ast.get_docstring(node) or "") if node is not None else []
        known = self.program.identifiers
        own = [*(word for word in told if word not in known), *own]
        found = dict.fromkeys([*own, *self.named_constants.of_module.get(target.path, ())])
        return sorted(found, key=lambda one: PRIVATE.search(repr(one)) is not None)

    @property
    def documented_texts(self) -> list[str]:
        """Strings that documented calls pass to any parameter."""
        if self._documented_texts is None:
            values = [_literal(e) for pool in self.documented.values() for e in pool]
            texts = {value for value in values if isinstance(value, str) and len(value) > 2}
            ordered = sorted(texts, key=lambda text: (-min(len(text), 30), text))
            self._documented_texts = ordered[:40]
        return self._documented_texts

    @property
    def documented_words(self) -> list[str]:
        """Words, numbers and escapes inside documented texts: tokens of the program's grammar."""
        found = (word for text in self.documented_texts for word in DOCUMENTED_WORD.findall(text))
        return list(dict.fromkeys(word for word in found if 2 <= len(word) <= 12))[:40]

    @property
    def anything(self) -> list[str]:
        """Values for a parameter of unknown kind, objects of the program included."""
        own = (one for one in self.definitions.known.values() if not one.sample)
        classes = [one.name for one in own if one.is_class]
        return [*ANYTHING[:12], *self.objects.first, *self.ducks, *classes, *ANYTHING[12:]]

    @cached_property
    def ducks(self) -> list[str]:
        """Objects with the methods that docstrings mention as ```name()`` method``."""
        names: dict[str, None] = {}
        for file in self.program.files.values():
            for symbol in file.symbols:
                names.update(dict.fromkeys(DOCUMENTED_METHOD.findall(symbol.doc)))
        known = {s.leaf for f in self.program.files.values() for s in f.symbols}
        wanted = [n for n in names if n not in known and not n.startswith("__")]
        return [
            f"SimpleNamespace({name}=lambda: {{'a': 1}})" for name in wanted if name.isidentifier()
        ]


def _is_inferred(parameter: Parameter) -> bool:
    """Whether the calls in the program may tell what a parameter takes: it has no hint, and no
    star."""
    return not (parameter.annotation or parameter.kind.startswith("var-"))


@lru_cache(maxsize=8192)
def _literal(source: str | None) -> object:
    try:
        return ast.literal_eval(source) if source else None
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
