"""What the assertions of a case say of the program, and cases without those that say nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pytest_lift.agents.offline.choosing.weighing.inherited import Inheritance
from pytest_lift.agents.offline.joining.merits.hollow import (
    defines,
    is_as_begun,
    is_given_back,
    is_hollow,
    is_member,
    is_set,
    is_tautology,
    is_unlike,
    is_written_by_test,
    names_nothing,
    reads_back,
    waited_for,
)
from pytest_lift.agents.offline.joining.merits.known_results import (
    asked_by,
    constant_names,
    fixed_result,
    fixed_results,
    reading_names,
)
from pytest_lift.agents.offline.joining.merits.vain import is_said_again, is_vain
from pytest_lift.agents.offline.search.dullness import BEGUN_WITH, is_fresh
from pytest_lift.agents.offline.writing.oracles.checks import (
    StepCheck,
    Verified,
    as_operand,
    without_unused,
)
from pytest_lift.agents.offline.writing.readings import READINGS, is_look
from pytest_lift.agents.offline.writing.told import assigned
from pytest_lift.calls.child.outcomes import OF_CASES
from pytest_lift.source.syntax import FunctionNode, leaf, parsed_expression

READS = frozenset({"repr", "hash"})
"""Functions whose result any change of a class changes."""
EMPTY_TEXTS = frozenset({"''", "'{}'", "'[]'", "'()'", "'0'", "'None'", "'False'"})
"""Texts of objects with nothing in them, and of what objects begin with."""
NO_EXCEPTION = "exceptions must derive from BaseException"
"""What Python says of ``raise NotImplemented``: a slip, which no test should hold on to."""


class CheckMerits:
    """Judges assertions by what is known of the functions of a program."""

    def __init__(
        self,
        functions: Mapping[tuple[str, str], FunctionNode],
        inheritance: Inheritance | None = None,
        begun: AbstractSet[tuple[str, str]] = frozenset(),
    ) -> None:
        """`functions` are by (path, qualified name); `begun` are (name, value) of the attributes
        with which objects begin."""
        self.functions = functions
        self.inheritance = inheritance
        self.begun = begun
        self.constant = constant_names(functions)
        self.fixed = fixed_results(functions)
        self.reading = reading_names(functions)
        self.computed = {symbol.rpartition(".")[2] for _, symbol in functions}
        owners = {(path, symbol.rpartition(".")[0]) for path, symbol in functions}
        self.classes = {owner.rpartition(".")[2] for _, owner in owners - functions.keys()}
        """Names of classes with methods."""

    def without_tautologies(self, item: Verified, whole: AbstractSet[str]) -> Verified:
        """Returns a case without comparisons that cannot fail, a documented one without rows that
        show nothing, and a searched one without looks at what an object begins with where it has
        others; but for those of requirements."""
        if item.case.origin == "requirement" or item.case.key in whole:
            return item
        numbered = enumerate(item.checks)
        told = [
            n
            for n, check in numbered
            if not (
                is_tautology(check, item.checks[:n])
                or is_vain(check, item)
                or is_said_again(check, item.checks[:n])
            )
        ]
        if item.case.origin == "searched":
            own = [n for n in told if not is_as_begun(item.checks[n], item, self.begun)]
            told = own if any(item.checks[n].form != "none" for n in own) else told
        return self._with(item, {*told})

    def telling(self, item: Verified, common: AbstractSet[tuple[str, str]]) -> Verified | None:
        """Returns a case without looks that show nothing, or what is `common` to most objects of a
        class; None if it has no others."""
        told = [
            at
            for at, check in enumerate(item.checks)
            if self._shows(check, item)
            and common.isdisjoint(self.looks(item, check))
            and not is_given_back(check, item.checks[:at])
        ]
        last = max((at for at in told if item.checks[at].form != "none"), default=-1)
        if last < 0:
            return None
        # What raises an error is done before what is looked at then.
        done = {at for at, check in enumerate(item.checks[:last]) if check.raised is not None}
        found = self._with(item, {*told, *done})
        own = _own_call(item)
        left = own and not any(own in check.expression for check in found.checks)
        return None if left else found

    def _with(self, item: Verified, told: AbstractSet[int]) -> Verified:
        """Returns a case with some of its checks; of the others before them a call that may change
        what is looked at then stays, and nothing is asserted of it."""
        if len(told) == len(item.checks):
            return item
        last = max(told, default=-1)
        left: list[StepCheck] = []
        for at, check in enumerate(item.checks):
            if at in told:
                left.append(check)
            elif at < last and (call := self._changing(check, item)):
                left.append(StepCheck("none", call))
        return replace(item, checks=without_unused(left))

    def _changing(self, check: StepCheck, item: Verified) -> str:
        """Returns the call of the case's function in what is asserted, where that may do more than
        to read attributes; else ""."""
        own = _own_call(item)
        acts = own in check.expression and item.case.symbol.rpartition(".")[2] not in self.reading
        return own if acts else ""

    def _shows(self, check: StepCheck, item: Verified) -> bool:
        """Whether an assertion says something of what the program does: not that an error comes out
        which the test itself raises in what it hands on."""
        if check.form == "none":
            return True
        if check.raised is not None:
            bare = check.raised.type == "NotImplementedError" and not check.match
            slip = check.raised.message == NO_EXCEPTION
            return not (bare or slip or check.raised.file == OF_CASES)
        node = parsed_expression(check.expression)
        if node is None:
            return True
        read = node.func if isinstance(node, ast.Call) and not node.args else node
        if isinstance(read, ast.Attribute) and read.attr in self.constant:
            return False
        if self.is_begun_with(check, item):
            return False
        if isinstance(node, ast.Call) and leaf(node.func) in READS:
            return False
        if self._is_known(check, node, item) or is_set(check, item):
            return False
        if isinstance(node, ast.ListComp) and ast.unparse(node.elt) == "type(item).__name__":
            return False
        if check.form == "equals" and is_hollow(check.expected):
            return False
        text = check.form == "text" or (isinstance(node, ast.Call) and leaf(node.func) == "str")
        empty = text and (check.expected in EMPTY_TEXTS or names_nothing(check.expected))
        if empty or is_unlike(node, check) or is_member(check) or is_written_by_test(check, item):
            return False
        return not (reads_back(check, item) or is_as_begun(check, item, self.begun))

    def looks(self, item: Verified, alone: StepCheck | None = None) -> Iterator[tuple[str, str]]:
        """Yields (path, class, and look with ``{}`` for the object, value) of a case that does
        nothing but make objects by their classes; of one look `alone`."""
        lines = [check.expression for check in item.checks if check.form == "none"]
        lines = [line for line in lines if not defines(line)]
        made = [one for line in lines if (one := assigned(line)) is not None]
        makers = {name: self._maker(source) for name, source in made}
        if len(made) < len(lines) or not all(makers.values()):
            return
        for check in (alone,) if alone is not None else item.asserted:
            if check.form in ("equals", "is") and is_look(check.expression):
                nodes = ast.walk(ast.parse(check.expression))
                names = (node.id for node in nodes if isinstance(node, ast.Name))
                name = next((name for name in names if name in makers), None)
                if name is not None:
                    look = re.sub(rf"\b{name}\b", "{}", check.expression, count=1)
                    yield f"{item.case.path}:{makers[name]}:{look}", check.expected

    def _maker(self, source: str) -> str:
        """Returns the name of the class that makes an object; "" where none does."""
        node = parsed_expression(source)
        name = leaf(node.func) if isinstance(node, ast.Call) else ""
        return name if name in self.classes else ""

    def is_begun_with(self, check: StepCheck, item: Verified) -> bool:
        """Whether a test asks an object that was made of nothing what it was begun with: an
        attribute, a method that does nothing but read some, or one that then gives nothing."""
        lines = [one.expression for one in item.checks if one.form == "none" or one.raised]
        lines = [line for line in lines if not (defines(line) or is_look(line))]
        node = parsed_expression(check.expression)
        if node is None:
            return False
        source = ast.unparse(waited_for(node))
        looks = [f"{as_operand(source)}.{name}" for name, _ in check.attributes]
        if not all(is_fresh("\n".join([*lines, look])) for look in looks or [source]):
            return False
        if check.form in ("equals", "is") and check.expected in BEGUN_WITH:
            return True
        nodes = [one for look in looks or [source] for one in ast.walk(ast.parse(look))]
        names = {one.attr for one in nodes if isinstance(one, ast.Attribute)}
        own = self.functions.get((item.case.path, item.case.symbol))
        if own is not None and own.name in names:
            asked = asked_by(own)
            names -= {own.name} if asked is not None and asked <= self.reading | READINGS else set()
        return all(name in self.reading or name not in self.computed for name in names)

    def _is_known(self, check: StepCheck, node: ast.expr, item: Verified) -> bool:
        """Whether a call gives what its function gives whenever it is called, or the function."""
        call = waited_for(node)
        if not isinstance(call, ast.Call) or check.form not in ("equals", "is"):
            return False
        name = leaf(call.func)
        own = self.functions.get(self.definer(item))
        known = fixed_result(own) if own is not None and own.name == name else ""
        return check.expected in (known, self.fixed.get(name), name)

    def gives_known(self, item: Verified) -> bool:
        nodes = ((check, parsed_expression(check.expression)) for check in item.asserted)
        return all(node is not None and self._is_known(check, node, item) for check, node in nodes)

    def definer(self, item: Verified) -> tuple[str, str]:
        """Returns path and symbol of the function that a case is about, of the class that defines
        it."""
        place = item.case.path, item.case.plain_symbol
        return self.inheritance.definer(*place) if self.inheritance is not None else place


def _own_call(item: Verified) -> str:
    """Returns the checked step of a case that calls its function on a variable; "" where none
    does."""
    name = item.case.symbol.rpartition(".")[2]
    for step in item.case.steps:
        match parsed_expression(step.source) if step.check else None:
            case ast.Call(func=ast.Attribute(value=ast.Name(), attr=called)) if called == name:
                return step.source
    return ""
