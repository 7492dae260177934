"""Has calls watched for the calls that the program itself makes of functions inside of it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import InitVar, dataclass, field

from pytest_lift.agents.offline.arguments.hints.forms import is_literal
from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.known.noted import is_lasting
from pytest_lift.agents.offline.natural.dicts.records import read_part
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.noted.passed import SeenArgument, SeenCall
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.target import Target

MOST_CALLS = 400
"""Most calls that are watched at a time."""
MAKES = ("__init__", "__new__")
WRITTEN = ("function", "constructor", "static", "method")
"""Kinds of targets that are called with arguments between parentheses."""


@dataclass
class PassedArguments:
    """Notes what natural calls pass on: most parameters have no annotation, and what the program
    itself passes to one is what a person would write there."""

    prober: Prober
    resolver: Resolver
    inputs: Inputs
    natural: Naturalness
    targets: InitVar[Sequence[Target]]
    _by_place: dict[tuple[str, str], list[Target]] = field(init=False)
    """(module, qualified name) -> targets."""
    _watched: set[str] = field(default_factory=set)
    _whole: list[Call] = field(default_factory=list)

    def __post_init__(self, targets: Sequence[Target]) -> None:
        self._by_place = defaultdict(list)
        for target in targets:
            module = self.prober.program.files[target.path].module
            self._by_place[module, target.symbol].append(target)

    def learn(
        self,
        examples: Sequence[Case],
        calls: Iterable[Call],
        seconds: float,
        *,
        found: bool = False,
    ) -> bool:
        """Notes the arguments that functions get while examples and natural calls run; returns
        whether there were any. Of what stands in calls that the search has `found` the kind alone
        is noted: it made that up."""
        fresh = self._fresh(examples, calls)
        made_up = {text for case in fresh for text in _literals(case)} if found else set()
        seen = self._seen(fresh, seconds)
        for target, one in seen:
            self._note_arguments(target, one, made_up)
        if seen:
            self.natural.forget()
        return bool(seen)

    def see(self, calls: Iterable[Call], seconds: float) -> None:
        """Notes whole calls alone, as at the end of a search: what has been kept is judged by what
        was known of arguments then."""
        self._seen(self._fresh((), calls), seconds)

    def _fresh(self, examples: Sequence[Case], calls: Iterable[Call]) -> list[Case]:
        """Returns the cases that were not watched yet: examples and natural calls."""
        cases = [*examples]
        for call in calls:
            if self.natural.fits(call) and not self.natural.guesses(call):
                case = as_case(call, self.resolver, priced=False)
                cases += [case] if case is not None else []
        fresh = [case for case in cases if case.key not in self._watched][:MOST_CALLS]
        self._watched |= {case.key for case in fresh}
        return fresh

    def _seen(self, cases: Sequence[Case], seconds: float) -> list[tuple[Target, SeenCall]]:
        """Returns what the program calls itself while cases run, and notes whole calls of it."""
        passed = self.prober.passed(cases, seconds)
        found = [(target, one) for one in passed for target in self._targets_of(one)]
        for target, one in found:
            self._note_whole(target, one)
        return found

    def whole_calls(self) -> list[Call]:
        """Returns the calls, without the object of a method, all of whose arguments can be written
        down; each is returned once."""
        calls, self._whole = [*dict.fromkeys(self._whole)], []
        return calls

    def _note_arguments(self, target: Target, seen: SeenCall, made_up: AbstractSet[str]) -> None:
        """Notes each argument of a call that the program made."""
        parameters = {one.name: one for one in target.parameters}
        for argument in seen.arguments:
            if (parameter := parameters.get(argument.parameter)) is not None:
                made = argument.source in made_up
                source = "" if made else self._read(target, argument)
                self.inputs.note_passed(target, parameter, argument.kind, source)

    def _note_whole(self, target: Target, seen: SeenCall) -> None:
        """Notes a call that the program made where all of it can be written down."""
        parameters = {one.name: one for one in target.parameters}
        given = [one for one in seen.arguments if one.parameter in parameters]
        own = [one for one in given if one.source != parameters[one.parameter].default]
        if target.kind in WRITTEN and own and all(o.source and is_lasting(o.source) for o in own):
            rest = [name for name, one in parameters.items() if one.kind == "var-positional"]
            values = tuple((o.parameter, self._read(target, o)) for o in own
                           if o.parameter not in rest)  # fmt: skip
            extra = tuple(one.source for one in own if one.parameter in rest)
            self._whole.append(Call(target, values, extra))

    def _read(self, target: Target, argument: SeenArgument) -> str:
        """Returns the source of an argument, of a dict what the code reads of it."""
        use = self.inputs.inference.usage(target.path, target.symbol, argument.parameter)
        return read_part(argument.source, use)

    def _targets_of(self, seen: SeenCall) -> Sequence[Target]:
        owner, _, leaf = seen.symbol.rpartition(".")
        return self._by_place.get((seen.module, owner if leaf in MAKES else seen.symbol), ())


def _literals(case: Case) -> Iterator[str]:
    """Yields the literals in a case."""
    for step in case.steps:
        for node in ast.walk(ast.parse(step.source)):
            if isinstance(node, ast.expr) and is_literal(node):
                yield ast.unparse(node)
