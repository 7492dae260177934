"""Texts that a function cuts at a mark: one without the mark shows nothing of that."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from pytest_lift.agents.offline.arguments.inference import Inference
from pytest_lift.agents.offline.texts.known_texts import text_of
from pytest_lift.agents.offline.texts.shaped import MARKS
from pytest_lift.calls.call import Call
from pytest_lift.calls.targets.target import CALLED, Target
from pytest_lift.source.syntax import FunctionNode

CUTTING = frozenset({"split", "rsplit", "partition", "rpartition"})
WHOLE = 0.5
"""Oddness of a text that is not cut."""
DIRECT = ("strip", "lstrip", "rstrip", "lower", "upper")
"""Methods of a text after which its marks are still in it."""


Mark = tuple[str, bool]
"""(text, whether it is the name of the variable that has the mark)."""


@dataclass(frozen=True)
class CutTexts:
    """Knows at which marks the functions of a program cut their arguments."""

    inference: Inference
    _marks: dict[tuple[str, str], tuple[Mark, ...]] = field(default_factory=dict)

    def oddness(self, call: Call) -> float:
        """Returns the cost of texts in a call, and in what it is called on, that are not cut."""
        return sum(
            WHOLE
            for part in call.chain
            for name, value in part.values
            if value[:1] in "'\"" and self._is_whole(part, name, value)
        )

    def variants(self, call: Call) -> Iterator[Call]:
        """Yields the call with a text that is cut in the place of one that is not."""
        for name, value in call.values:
            if value[:1] in "'\"" and self._is_whole(call, name, value):
                for mark in self._given(call, name):
                    yield call.with_value(name, repr(f"a{mark}b"))

    def _is_whole(self, call: Call, name: str, value: str) -> bool:
        marks = self._given(call, name)
        return bool(marks) and not any(mark in text_of(value) for mark in marks)

    def _given(self, call: Call, name: str) -> list[str]:
        """Returns the marks at which a call cuts an argument, with those that it is given."""
        found = []
        owner = call.receiver.given if call.receiver is not None else {}
        for mark, is_variable in self._marks_of(call.target, name):
            if is_variable:
                given = call.given.get(mark, owner.get(mark, ""))
                found.append(text_of(given) if given else self._default(call.target, mark))
            else:
                found.append(mark)
        return [mark for mark in dict.fromkeys(found) if mark and MARKS.fullmatch(mark)]

    def _marks_of(self, target: Target, name: str) -> tuple[Mark, ...]:
        """Returns the marks at which a function cuts a parameter; cached."""
        key = (target.key, name)
        if key not in self._marks:
            node = self.inference.functions.get((target.path, target.definition))
            found = _cuts(node, name) if node is not None else ()
            self._marks[key] = tuple(dict.fromkeys(found))
        return self._marks[key]

    def _default(self, target: Target, parameter: str) -> str:
        """Returns the text that is the default of a parameter of a function, or of that which has
        made it."""
        for symbol in (target.symbol, target.symbol.removesuffix(CALLED)):
            node = self.inference.functions.get((target.path, symbol))
            defaults = dict(_defaults(node)) if node is not None else {}
            if parameter in defaults:
                return defaults[parameter]
        return ""


def _cuts(node: FunctionNode, name: str) -> Iterator[Mark]:
    """Yields the marks at which a variable is cut."""
    for part in ast.walk(node):
        match part:
            case ast.Call(func=ast.Attribute(value=cut, attr=attr), args=args, keywords=more) if (
                attr in CUTTING and _is_text(cut, name)
            ):
                named = (one.value for one in more if one.arg == "sep")
                match next(iter(args), None) or next(named, None):
                    case ast.Constant(value=str(text)):
                        yield text, False
                    case ast.Name(id=variable):
                        yield variable, True


def _is_text(node: ast.expr, name: str) -> bool:
    """Whether an expression is a variable, or what a method that keeps its marks gives."""
    match node:
        case ast.Name(id=found):
            return found == name
        case ast.Call(func=ast.Attribute(value=inner, attr=attr)) if attr in DIRECT:
            return _is_text(inner, name)
    return False


def _defaults(node: FunctionNode) -> Iterator[tuple[str, str]]:
    """Yields (parameter, text that is its default)."""
    given = node.args
    placed = reversed([*given.posonlyargs, *given.args])
    pairs = [
        *zip(placed, reversed(given.defaults), strict=False),
        *zip(given.kwonlyargs, given.kw_defaults, strict=True),
    ]
    for one, default in pairs:
        if isinstance(default, ast.Constant) and isinstance(default.value, str):
            yield one.arg, default.value
