"""Functions that a test defines with the program's decorators, for parameters of which the program
reads what these set."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

from pytest_lift.agents.offline.arguments.ducks.marks import marks_of
from pytest_lift.agents.offline.arguments.hints.forms import literal_kind
from pytest_lift.agents.offline.arguments.inference import inference_of
from pytest_lift.calls.definitions import LocalDefinition, decorated_name
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.program import Program
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import FunctionNode, shared_expression

MOST, MOST_OPTIONS, MOST_VALUES = 8, 3, 20
"""Most functions that are defined, options of one decorator that are shown, and values of which one
is given."""
TAKING = "def {name}(value):\n    return value * 2"
ASKED = 'def {name}():\n    return "hello"'
"""A function that is called with an argument, and one that is not."""
Values = Callable[[Parameter], Iterable[str]]
"""What is worth trying for an option of a decorator."""


class DecoratedFunctions:
    """Finds the decorators by which a program marks functions, and what reads the marks."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.marks = marks_of(program)
        self.index = inference_of(program).index
        self.set_by: dict[str, frozenset[str]] = {}
        """Name of a definition -> marks that its decorator may set."""
        self._read: dict[tuple[str, str], frozenset[str]] = {}

    def definitions(
        self,
        targets: Sequence[Target],
        resolver: Resolver,
        values: Callable[[Target, Parameter], Iterable[str]],
        known: Container[str] = (),
    ) -> dict[str, LocalDefinition]:
        """Returns functions by their names, with each decorator whose marks are read: without
        options, and with one of them; none that has the name of a `known` definition, or of what
        the program has."""
        if not self.marks.set:
            return {}
        read = self._all_read(targets)
        found: dict[str, LocalDefinition] = {}
        taken = self.program.identifiers
        for target in targets if read else ():
            node = self._node(target) if target.kind == "function" else None
            marks = self.marks.set_by(node) & read.keys() if node is not None else frozenset()
            lines = resolver.imports([target.call], target.path) if marks else None
            if node is None or lines is None:
                continue
            body = TAKING if any(read[mark] for mark in marks) else ASKED
            given = self.marks.is_given(node)
            for name, decorator in _decorators(target, given, partial(values, target)):
                if name in taken or name in known or name in found:
                    continue
                source = f"@{decorator}\n{body.format(name=name)}"
                found[name] = LocalDefinition(name, source, imports=lines, sample=True)
                self.set_by[name] = marks
        return dict([*found.items()][:MOST])

    def _all_read(self, targets: Iterable[Target]) -> dict[str, bool]:
        """Returns the marks that are read -> whether what has one is called with an argument."""
        found: dict[str, bool] = {}
        for target in targets:
            for parameter in target.parameters:
                for mark in self.read(target, parameter):
                    found[mark] = found.get(mark, False) or 1 in self._arities(target, parameter)
        return found

    def _arities(self, target: Target, parameter: Parameter) -> Sequence[int]:
        usage = inference_of(self.program).usage(target.path, target.definition, parameter.name)
        return usage.arities

    def read(self, target: Target, parameter: Parameter) -> frozenset[str]:
        """Returns the marks that the program reads of a parameter; cached."""
        key = target.key, parameter.name
        if key not in self._read:
            node = self._node(target)
            marks = self.marks.read(node, parameter.name) if node is not None else frozenset()
            self._read[key] = marks
        return self._read[key]

    def of(self, target: Target, parameter: Parameter, known: Container[str]) -> list[str]:
        """Returns the names of those of `known` definitions that may have a mark which the program
        reads of a parameter."""
        read = self.read(target, parameter) if self.set_by else frozenset()
        return [name for name, marks in self.set_by.items() if marks & read and name in known]

    def _node(self, target: Target) -> FunctionNode | None:
        place = self.index.place(target.path, target.definition)
        return self.index.functions.get(place) if place is not None else None


def _decorators(target: Target, given: bool, values: Values) -> Iterator[tuple[str, str]]:
    """Yields (name of a function, what decorates it) without options, and with one of them;
    `given` is whether the decorator is given the function itself."""
    name = decorated_name(target.call)
    taken = target.parameters[1:] if given else target.parameters
    options = [one for one in taken if not one.kind.startswith("var-")]
    written = {
        one.name: f"{one.name}={value}" for one in options if (value := _value(values(one), one))
    }
    needed = [written.get(one.name, "") for one in options if one.default is None]
    yield name, target.call if given and not needed else f"{target.call}({', '.join(needed)})"
    further = [one.name for one in options if one.default is not None and one.name in written]
    for option in further[:MOST_OPTIONS]:
        yield f"{name}_{option}", f"{target.call}({', '.join([*needed, written[option]])})"


def _value(values: Iterable[str], parameter: Parameter) -> str:
    """Returns the first literal among values that is not what the option is without it; "" where
    there is none."""
    nothing = ("None", parameter.default)
    told = (one for one in islice(values, MOST_VALUES) if one not in nothing)
    return next(
        (
            one
            for one in told
            if (node := shared_expression(one)) is not None and literal_kind(node)
        ),
        "",
    )
