"""What kinds of values the parameters of a program take, by hints, use, defaults, names and
documentation."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from types import MappingProxyType

from pytest_lift.agents.offline.arguments.classes import ClassMatcher, documented_types
from pytest_lift.agents.offline.arguments.constants import Constants
from pytest_lift.agents.offline.arguments.flow.flow import TypeFlow
from pytest_lift.agents.offline.arguments.hints.annotated import Annotations
from pytest_lift.agents.offline.arguments.hints.declared import Declarations
from pytest_lift.agents.offline.arguments.inference import inference_of
from pytest_lift.agents.offline.arguments.known.by_name import LISTENING
from pytest_lift.agents.offline.arguments.known.documented import DocumentedParameters
from pytest_lift.agents.offline.arguments.known.kept_attributes import KeptAttributes
from pytest_lift.agents.offline.arguments.known.namesakes import Namesakes
from pytest_lift.agents.offline.arguments.known.noted import NotedArguments
from pytest_lift.agents.offline.arguments.libraries import Library
from pytest_lift.agents.offline.arguments.uses import ParameterUse
from pytest_lift.agents.offline.natural.kinds import HINTS, KINDS, PASSED, accepted, is_numeric
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.program import Program
from pytest_lift.source.symbols import Parameter

SCALARS = frozenset({"bool", "int", "float", "str", "bytes"})
CONTAINERS = frozenset({"list", "tuple", "set", "dict"})
ANY_TYPE = frozenset({"Any", "object", "None"})
CODEC = re.compile(r"utf[-_]?\d|latin[-_]?1$|ascii$|iso[-_]?8859|cp\d|windows-\d")
"""Names of encodings of texts."""
STORED = re.compile(r"^(value|val|v|d|default|dflt|fallback|item|fill_?value|sentinel)$")
"""Names of parameters for what is stored, or given where there is nothing."""


class ParameterKinds(NotedArguments):
    """Tells kinds of values by parameter, also from what was noted of the arguments."""

    def __init__(
        self, program: Program, library_bases: Mapping[str, Sequence[str]] = MappingProxyType({})
    ) -> None:
        """`library_bases` has the classes of libraries that those of the program derive from."""
        super().__init__()
        self.program = program
        self.inference = inference_of(program)
        self.flow = TypeFlow(program)
        self.matcher = ClassMatcher(program)
        self.named_constants = Constants(program)
        self.namesakes = Namesakes(program)
        symbols = (s for file in program.files.values() for s in file.symbols)
        self.classes = frozenset(s.name for s in symbols if s.kind == "class")
        """Names of the program's classes."""
        made = self.objects
        declared = Declarations(program, library_bases)
        functions = self.inference.functions
        self.documents = DocumentedParameters(program, functions, self.classes, declared.bases)
        self.kept = KeptAttributes(program)
        self.annotations = Annotations(
            program, made, self.matcher, made.classes_of, declared, lambda: self.shown_dicts
        )
        self.libraries = self.annotations.libraries
        self._fitting: dict[tuple[str, str], list[tuple[str, bool]]] = {}
        self._sure: dict[tuple[str, str], frozenset[str]] = {}
        self._libraries: dict[tuple[str, str], tuple[list[Library], bool]] = {}
        self._inferred: dict[tuple[str, str], str] = {}

    def usage(self, target: Target, parameter: Parameter) -> ParameterUse:
        """Returns how the parameter is used."""
        return self.inference.usage(target.path, target.definition, parameter.name)

    def note_code(self, texts: Sequence[str]) -> None:
        """Notes texts of Python that the documentation shows: nodes are made of them."""
        self.libraries.trees.note_shown(texts)
        self._libraries.clear()

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
        told = documented_types(self.documents.text(target), parameter.name)
        words = hints or [word for text in told for word in re.findall(r"[A-Za-z_][\w-]*", text)]
        file = self.program.files[target.path]
        if not hints and target.parameters[:1] == (parameter,):
            words += self.libraries.visited(target.leaf, file)
        plain = self.documents.kinds(target, parameter)
        if (named := self.libraries.named(words)) or hints:
            alone = hints or not plain
            sure = alone and all(word in one.types for word in hints for one in named)
            return named, bool(named and sure)
        if not self.classes.isdisjoint(re.findall(r"\w+", self.inferred(target, parameter))):
            return [], False  # objects of the program, whatever a library has of the same name
        usage = self.usage(target, parameter)
        own = bool(self.matcher.having(frozenset(usage.met)))
        if used := self.libraries.used(usage, parameter.name, file, own=own):
            return used, not own
        if plain or literal_of(parameter.default) is not None:
            return [], False  # more than a name tells
        return self.libraries.suggested(usage, parameter.name, file), False

    def suits(self, target: Target, parameter: Parameter, literal: str) -> bool:
        """Whether nothing that is known of a parameter speaks against a literal."""
        kinds = self.known_kinds(target, parameter)
        if not kinds or "any" in kinds:
            return True
        kind = type(literal_of(literal)).__name__
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
        told = self.documents.kinds(target, parameter)
        return hinted <= ANY_TYPE and not (looked_at or told) and not usage.indexed

    def fitting(self, target: Target, parameter: Parameter) -> list[tuple[str, bool]]:
        """Returns (class of the program, whether a list of its objects is meant); cached."""
        key = (target.key, parameter.name)
        if key not in self._fitting:
            usage, doc = self.usage(target, parameter), self.documents.text(target)
            hinted = {*self.annotations.names(parameter.annotation)} - {"None"}
            told = self.documents.kinds(target, parameter)
            plain = bool(hinted or told) and {*hinted, *told} <= SCALARS
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
            self._sure[key] = self.matcher.sure(self.documents.text(target), *names)
        return self._sure[key]

    def kinds(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns kinds of values by default, annotation, use and name, in this order of trust; a
        function is a callback, where the name of the method says that a user listens by it."""
        found = self._kinds(target, parameter)
        if target.kind == "method" and LISTENING.search(target.leaf):
            found = ["callback" if kind == "callable" else kind for kind in found]
        return found

    def _kinds(self, target: Target, parameter: Parameter) -> list[str]:
        own = self.named_constants.value_of(target.path, parameter.default)
        if own in ("True", "False"):
            return ["bool"]
        hinted = self.annotations.names(parameter.annotation)
        found = [self._hinted_kind(target, parameter, name) for name in hinted]
        if any(kind in KINDS or kind in self.classes for kind in found) and "any" not in found:
            return list(dict.fromkeys(found))
        told = self.documents.kinds(target, parameter)
        found += told
        usage = self.usage(target, parameter)
        default = literal_of(own)
        if default is None:
            default = next(map(literal_of, usage.fallbacks), None)
        if default is None and not told:
            default = self.kept.value(self.documents.attributes(target, parameter))
        if isinstance(default, str) and CODEC.match(default.lower()):
            return ["encoding"]
        if default is not None and type(default).__name__ in KINDS:
            found.append(type(default).__name__)
        place = target.path, target.definition, parameter.name
        handed = self.flow.kinds(*place) if _is_inferred(parameter) else ()
        given = [*self.given.get((target.key, parameter.name), ())]
        given += [PASSED.get(kind, kind) for kind in handed]
        told_by_code = bool(given or told) or self.is_opaque(target, parameter)
        used = [*given, *usage.seen] if told_by_code else usage.kinds  # a name tells least
        if not told and _is_open(usage, used):
            used.append("any")
        if not (told_by_code or found or usage.seen or usage.met or usage.indexed):
            used = [*filter(None, [self.namesakes.kind(parameter.name)])] or used
        found += [HINTS.get(kind, kind) for kind in used]
        if self.documents.is_called(target, parameter.name):
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
            place = target.path, target.definition, parameter.name
            told = not _is_inferred(parameter) or self.documents.kinds(target, parameter)
            found = "" if told else self.flow.annotation(*place)
            self._inferred[key] = "" if "dict" in found else found  # its keys tell more
        return self._inferred[key]

    def known_kinds(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns what `kinds` does; cached."""
        key = (target.key, parameter.name)
        if key not in self._known_kinds:
            self._known_kinds[key] = self.kinds(target, parameter)
        return self._known_kinds[key]


def _is_inferred(parameter: Parameter) -> bool:
    """Whether the calls in the program may tell what a parameter takes: it has no hint, and no
    star."""
    return not (parameter.annotation or parameter.kind.startswith("var-"))


def _is_open(usage: ParameterUse, kinds: Sequence[str]) -> bool:
    """Whether the name of a parameter says that it takes any value, and what is known that it takes
    is of both sorts: scalars and containers, as of what is made JSON of."""
    return "any" in usage.kinds and not (
        SCALARS.isdisjoint(kinds) or CONTAINERS.isdisjoint(kinds) or "any" in kinds
    )


@lru_cache(maxsize=8192)
def literal_of(source: str | None) -> object:
    """Returns the value of a literal; None for any other source."""
    try:
        return ast.literal_eval(source) if source else None
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
