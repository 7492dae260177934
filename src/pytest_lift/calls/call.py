"""Calls as the search varies them (target and argument expressions), and how they become cases."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from pytest_lift.calls.case import Case, Origin, Step
from pytest_lift.calls.names import Resolver, free_names
from pytest_lift.calls.targets import OPERATORS, Target
from pytest_lift.source.program import Parameter

SUBJECT = ("Call", "Attribute", "Name", "Subscript", "Constant")


@dataclass(frozen=True)
class Call:
    """Call of one target, with a source expression for each given parameter."""

    target: Target
    values: tuple[tuple[str, str], ...] = ()
    extra: tuple[str, ...] = ()
    """Arguments for ``*args``."""
    receiver: Call | None = None
    """Constructor call that methods, properties and operators need."""
    argv: tuple[str, ...] = ()
    stdin: str = ""
    files: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def given(self) -> dict[str, str]:
        return dict(self.values)

    @property
    def options(self) -> tuple[str, ...]:
        """Optional parameters that are set, including the receiver's."""
        optional = {p.name for p in self.target.parameters if p.default is not None}
        own = tuple(name for name, _ in self.values if name in optional)
        return (*(self.receiver.options if self.receiver else ()), *own)

    def with_value(self, name: str, expression: str) -> Call:
        """Returns the call with one argument set."""
        values = {**self.given, name: expression}
        order = {p.name: i for i, p in enumerate(self.target.parameters)}
        ordered = sorted(values.items(), key=lambda item: order.get(item[0], 99))
        return replace(self, values=tuple(ordered))

    def without(self, name: str) -> Call:
        """Returns the call with one argument left to its default."""
        return replace(self, values=tuple(v for v in self.values if v[0] != name))


def arguments(call: Call) -> str:
    """Returns the source between the parentheses."""
    given = call.given
    parts: list[str] = []
    positional = True
    for parameter in call.target.parameters:
        if parameter.kind == "var-positional":
            parts += call.extra
            positional = False
        elif parameter.kind == "var-keyword" or parameter.name not in given:
            positional = positional and parameter.kind == "var-keyword"
        elif parameter.kind == "positional-only" or (positional and _is_plain(parameter)):
            parts.append(given[parameter.name])
        else:
            parts.append(f"{parameter.name}={given[parameter.name]}")
    return ", ".join(parts)


def _is_plain(parameter: Parameter) -> bool:
    """Whether a parameter is required and not keyword-only, so that it is written without its
    name."""
    return parameter.kind != "keyword" and parameter.default is None


def expression(call: Call) -> str:
    """Returns the call as one Python expression."""
    target = call.target
    if target.kind in ("function", "constructor", "main"):
        text = f"{target.call}({arguments(call)})"
    elif target.kind == "static":
        text = f"{target.call}.{target.leaf}({arguments(call)})"
    else:
        text = _on_object(call)
    return f"asyncio.run({text})" if target.asynchronous else text


def _on_object(call: Call) -> str:
    assert call.receiver is not None
    subject = expression(call.receiver)
    leaf = call.target.leaf
    if call.target.kind == "property":
        return f"{subject}.{leaf}"
    if call.target.kind == "method" or leaf == "__call__":
        return f"{subject}{'' if leaf == '__call__' else '.' + leaf}({arguments(call)})"
    values = [value for _, value in call.values]
    operand = values[0] if values else "None"
    return OPERATORS[leaf].format(subject, _bracketed(operand))


def _bracketed(operand: str) -> str:
    try:
        tree = ast.parse(operand, mode="eval").body
    except SyntaxError:
        return operand
    simple = type(tree).__name__ in (*SUBJECT, "List", "Dict", "Tuple", "Set")
    return operand if simple else f"({operand})"


def as_case(call: Call, resolver: Resolver, origin: Origin = "searched") -> Case | None:
    """Returns the call as a case, or None if a test cannot import a name in it."""
    if call.target.kind == "main":
        return _main_case(call)
    hoisted, call = _hoist_streams(call)
    text = expression(call)
    steps = [Step(f"{name} = {value}") for name, value in hoisted]
    steps.append(Step(text, check=True))
    steps += [Step(f"{name}.getvalue()", check=True) for name, _ in hoisted]
    source = "\n".join(step.source for step in steps)
    unknown = set(_names(call)) - {name for name, _ in hoisted}
    lines = resolver.imports(
        unknown | {n for _, v in hoisted for n in free_names(v)}, call.target.path
    )
    if lines is None:
        return None
    imports = tuple(sorted({*lines, *call.target.imports}))
    return Case(
        call.target.path,
        call.target.symbol,
        tuple(steps),
        imports,
        origin,
        keywords=call.options,
        cost=cost_of(source),
    )


def _names(call: Call) -> Iterator[str]:
    """Yields the free names of all arguments."""
    for text in (*(value for _, value in call.values), *call.extra):
        yield from free_names(text)
    if call.target.asynchronous:
        yield "asyncio"
    if call.receiver is not None:
        yield from _names(call.receiver)


def _main_case(call: Call) -> Case:
    steps = (Step(f"{call.target.call}()", check=True),)
    reading = (*call.argv, call.stdin, *call.files.values())
    return Case(
        call.target.path,
        call.target.symbol,
        steps,
        call.target.imports,
        argv=call.argv,
        stdin=call.stdin,
        files=call.files,
        cost=2 + cost_of(repr(reading)),
    )


def _hoist_streams(call: Call) -> tuple[list[tuple[str, str]], Call]:
    """Moves empty streams into variables, so that a test can read what was written to them."""
    hoisted = []
    for name, value in call.values:
        if re.fullmatch(r"(io\.)?(StringIO|BytesIO)\(\)", value):
            variable = name if len(name) > 1 and name != call.target.call else "stream"
            hoisted.append((variable, value))
            call = call.with_value(name, variable)
    return hoisted, call


def cost_of(source: str) -> float:
    """Returns how unnatural source reads: 0 for an empty text, about 1 for a plain short call."""
    odd = len(re.findall(r"\\x|\\u|\\U|\\0", source))
    heavy = len(re.findall(r"\blambda\b|SimpleNamespace|namedtuple|object\(|iter\(", source))
    big = sum(len(number) > 6 for number in re.findall(r"\d+", source))
    blank = len(re.findall(r"''|\"\"|\[\]|\{\}|\(\)(?!\.)|None", source))
    noise = len(re.findall(r"""=(['"])[^\w\s]{1,2}\1""", source))
    return len(source) / 40 + 0.3 * odd + 0.8 * heavy + 0.5 * big + 0.1 * blank + 0.6 * noise
