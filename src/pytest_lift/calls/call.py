"""Calls as the search varies them (target and argument expressions), and how they become cases."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from typing import Any

from pytest_lift.calls.blocks import ANSWER, ANSWERING, entered, scenario
from pytest_lift.calls.case import Case, Origin, Step
from pytest_lift.calls.cost import cost_of, cost_of_files
from pytest_lift.calls.names import Resolver, free_names
from pytest_lift.calls.targets import Target
from pytest_lift.source.program import Parameter
from pytest_lift.source.special_methods import OPERATORS, STATEMENTS

SEEDING = {
    "random": ("import random", "random.seed(1)"),
    "numpy": ("import numpy as np", "np.random.seed(1)"),
}
"""Module of a shared random generator -> its import and the statement that seeds it."""
RECORDER, RECORDED = "[].append", "calls"
"""Callback that notes its argument, and the variable that a test reads afterwards."""
RESULT = "result"
"""Variable of what the runner of a command returns."""
STAND_IN = "StandIn"
"""Name by which a case that is no test makes a stand-in for an argument."""
SUBJECT = ("Call", "Attribute", "Name", "Subscript", "Constant")


@dataclass(frozen=True)
class Call:
    """Call of one target, with a source expression for each given parameter."""

    target: Target
    values: tuple[tuple[str, str], ...] = ()
    extra: tuple[str, ...] = ()
    """Arguments for ``*args``."""
    receiver: Call | None = None
    """Call whose result methods, properties and operators are used on."""
    name: str = ""
    """Variable that holds the receiver; empty where the receiver is written in place."""
    before: tuple[Call, ...] = ()
    """Earlier calls on that variable, in order; each has it as its `subject`."""
    seeds: tuple[str, ...] = ()
    """Modules whose shared random generators are seeded first: ``random``, ``numpy``."""
    subject: str = ""
    """Variable that a call in `before` is on, in place of a receiver."""
    bound: str = ""
    """Variable that gets the result of a call in `before`; empty where it is not needed."""
    entered: bool = False
    """Whether the receiver is a context manager inside whose block the call is made."""
    interrupted: bool = False
    """Whether an exception leaves that block."""
    looped: bool = False
    """Whether all of it runs in one event loop."""
    argv: tuple[str, ...] = ()
    """Command line, with the name of the program first."""
    stdin: str = ""
    files: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Files in the working directory that the call may read, by their relative paths."""
    folder: bool = False
    """Whether the call needs a working directory of its own, to write to."""

    @property
    def given(self) -> dict[str, str]:
        return dict(self.values)

    @property
    def options(self) -> tuple[str, ...]:
        """Optional parameters that are set, including the receiver's."""
        optional = {p.name for p in self.target.parameters if p.default is not None}
        own = tuple(name for name, _ in self.values if name in optional)
        return (*(self.receiver.options if self.receiver else ()), *own)

    @property
    def in_block(self) -> bool:
        """Whether it is made inside a block, or makes what one is of."""
        own = self.target.streams or (self.target.enters and self.target.kind != "constructor")
        return bool(self.entered or self.looped or own)

    @property
    def chain(self) -> Iterator[Call]:
        """The call, the calls before it, and those that make its receiver."""
        yield self
        for line in self.before:
            yield from line.chain
        if self.receiver is not None:
            yield from self.receiver.chain

    @cached_property
    def text(self) -> str:
        """The call as one Python expression, or as a statement where it has no value."""
        return _expression(self)

    @cached_property
    def names(self) -> frozenset[str]:
        """The free names of all arguments, those of the calls before it and of its receiver."""
        found = set()
        managers = [one.target for one in (self, self.receiver) if one is not None]
        waits = self.target.asynchronous or self.target.streams or self.looped
        if waits or any(one.enters == "async" for one in managers):
            found.add("asyncio")
        if self.interrupted:
            found.add("suppress")
        for text in (*(value for _, value in self.values), *self.extra):
            found |= free_names(text)
        for line in self.before:
            found |= line.names
        return frozenset(found | self.receiver.names if self.receiver is not None else found)

    @property
    def story(self) -> tuple[str, ...]:
        """What distinguishes the case of the call from those of others."""
        setup = (step.source for step in _setup(self))
        files = (text for part in self.chain for pair in part.files.items() for text in pair)
        blocks = (str(flag) for flag in (self.entered, self.interrupted, self.looped))
        reading = (*self.argv, self.stdin, *files, *blocks)
        return (self.target.path, *self.seeds, *setup, self.text, *reading)

    def but(self, **changes: Any) -> Call:
        """Returns the call with some fields changed: `dataclasses.replace`, several times
        faster."""
        old, made = self.__dict__, object.__new__(Call)
        made.__dict__.update({name: old[name] for name in _FIELDS})
        made.__dict__.update(changes)
        return made

    def with_value(self, name: str, expression: str) -> Call:
        """Returns the call with one argument set."""
        values = {**self.given, name: expression}
        order = {p.name: i for i, p in enumerate(self.target.parameters)}
        ordered = sorted(values.items(), key=lambda item: order.get(item[0], 99))
        return self.but(values=tuple(ordered))

    def without(self, name: str) -> Call:
        """Returns the call with one argument left to its default."""
        return self.but(values=tuple(v for v in self.values if v[0] != name))


_FIELDS = tuple(one.name for one in fields(Call))


def as_line(call: Call) -> Call:
    """Returns the call as one of those before another call on the same variable."""
    return call.but(
        receiver=None, name="", before=(), subject=call.name,
        entered=False, interrupted=False, looped=False,
    )  # fmt: skip


def rerooted(call: Call, owner: str, first: Call) -> Call | None:
    """Returns a chain of calls that begins with `first` in the place of the constructor `owner`
    (its key): ``scheduler.every(1).minutes`` for ``Job(1).minutes``; None where it has none."""
    receiver = call.receiver
    if receiver is None or call.before:
        return None
    inner = first if receiver.target.key == owner else rerooted(receiver, owner, first)
    return None if inner is None else replace(call, receiver=inner, name="")


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
    """Returns the call as one Python expression, or as a statement where it has no value."""
    return call.text


def _expression(call: Call) -> str:
    target = call.target
    if target.kind == "command":
        read = f", input={call.stdin!r}" if call.stdin else ""
        return f"CliRunner().invoke({target.call}, {list(call.argv[1:])!r}{read})"
    if target.members:
        text = call.given.get("member", target.members[0])
    elif target.argv:
        text = f"{target.call}({list(call.argv[1:])!r})"
    elif target.kind in ("function", "constructor", "main"):
        text = f"{target.call}({arguments(call)})"
    elif target.kind == "static":
        text = f"{target.call}.{target.leaf}({arguments(call)})"
    else:
        text = _on_object(call)
    return f"asyncio.run({text})" if target.asynchronous else text


def _on_object(call: Call) -> str:
    subject = call.subject or call.name
    if not subject:
        assert call.receiver is not None
        subject = expression(call.receiver)
    leaf = call.target.leaf
    if call.target.kind == "statement":
        values = [value for _, value in call.values]
        return STATEMENTS.get(leaf, "{0}." + leaf + " = {1}").format(
            subject, *values, "None", "None"
        )
    if call.target.kind == "property":
        return f"{subject}.{leaf}"
    if call.target.kind == "method" or leaf == "__call__":
        return f"{subject}{'' if leaf == '__call__' else '.' + leaf}({arguments(call)})"
    values = [value for _, value in call.values]
    operand = values[0] if values else "None"
    return OPERATORS[leaf].format(subject, _bracketed(operand))


@lru_cache(maxsize=4096)
def _bracketed(operand: str) -> str:
    try:
        tree = ast.parse(operand, mode="eval").body
    except SyntaxError:
        return operand
    simple = type(tree).__name__ in (*SUBJECT, "List", "Dict", "Tuple", "Set")
    return operand if simple else f"({operand})"


def as_case(
    call: Call, resolver: Resolver, origin: Origin = "searched", *, priced: bool = True
) -> Case | None:
    """Returns the call as a case, or None if a test cannot import a name in it; its cost is 0 where
    it is not `priced`."""
    case = _entry_case(call) if call.target.entry else _case(call, resolver, origin)
    return replace(case, cost=price(call, case)) if priced and case is not None else case


def price(call: Call, case: Case) -> float:
    """Returns what the texts of the case of a call cost."""
    if not call.target.entry:
        return cost_of(case.source) + cost_of_files(case.files)
    reading = (*(word for line in (*call.before, call) for word in line.argv), call.stdin)
    return 2 + cost_of(repr(reading)) + cost_of_files(case.files)


def _case(call: Call, resolver: Resolver, origin: Origin) -> Case | None:
    hoisted, call = _hoist_streams(call)
    looks = [f"{name}.getvalue()" for name, _ in hoisted]
    if any(RECORDER in text for text in _texts(call)):
        call = _recording(call)
        hoisted, looks = [*hoisted, (RECORDED, "[]")], [*looks, RECORDED]
    text = expression(call)
    steps = [_step(SEEDING[module][1]) for module in call.seeds]
    steps += [_step(f"{name} = {value}") for name, value in hoisted]
    if any(ANSWER in value and _answers(value) for value in _texts(call)):
        steps.append(Step(ANSWERING))
        hoisted = [*hoisted, (ANSWER, "None")]
    steps += _acting(call, text)
    steps += [Step(look, check=True) for look in looks]
    files = {name: text for part in call.chain for name, text in part.files.items()}
    unknown = call.names.difference(n for c in call.chain for n in (c.name, c.bound))
    if hoisted:
        unknown = unknown.difference(name for name, _ in hoisted)
        unknown |= {n for _, v in hoisted for n in free_names(v)}
    lines = resolver.imports(unknown - {STAND_IN}, call.target.path)
    if lines is None:
        return None
    seeding = [SEEDING[module][0] for module in call.seeds]
    imports = _distinct({*lines, *seeding, *(i for c in call.chain for i in c.target.imports)})
    return Case(
        call.target.path,
        call.target.symbol,
        tuple(steps),
        imports,
        origin,
        keywords=call.options,
        subject=call.name,
        optional=call.target.optional,
        seeded=bool(call.seeds),
        files=files,
        folder=any(part.folder for part in call.chain),
        stdin=next((part.stdin for part in call.chain if part.stdin), ""),
    )


def _distinct(lines: Iterable[str]) -> tuple[str, ...]:
    """Returns import lines in order, of several that bind one name the last, which counts."""
    return tuple({line.rpartition(" ")[2]: line for line in sorted(lines)}.values())


def _acting(call: Call, text: str) -> list[Step]:
    """Returns the statements that make the object of a call, and the call itself, in the blocks
    that they need."""
    target, before = call.target, [step.source for step in _setup(call)]
    manages = target.kind != "constructor" and bool(target.enters)
    changes = target.kind == "statement"
    if call.entered or manages:
        made = call if manages else call.receiver
        assert made is not None
        body, name = [], "entered" if manages else call.name
        if not manages:
            body = [_statement(line) for line in call.before]
            body.append(text if changes else f"{RESULT} = {text}")
            before = [step.source for step in _setup(made)]
        manner = target.enters if manages else made.target.enters
        waits, maker = manner == "async", expression(made)
        block = entered(maker, name, body, waits=waits, interrupted=call.interrupted)
        told = [name] if manages or changes else [RESULT, name]
        if not waits and not call.looped:
            return [*map(Step, (*before, block)), *(Step(one, check=True) for one in told)]
        return scenario([*before, block], told[0])
    if target.streams:
        result = f"[item async for item in {text}]"
        outside = [] if call.looped else [Step(line) for line in before]
        return [*outside, *scenario(before if call.looped else [], result)]
    if call.looped:
        return scenario([*before, text] if changes else before, call.name if changes else text)
    if changes:
        return [*_setup(call), Step(text, check=True, acts=True), Step(call.name, check=True)]
    return [*_setup(call), Step(text, check=True)]


def _setup(call: Call) -> list[Step]:
    """Returns the statements that make the receiver of a call and bring it into its state."""
    if call.receiver is None:
        return []
    steps = _setup(call.receiver)
    if call.name:
        steps.append(_step(f"{call.name} = {call.receiver.text}"))
    return [*steps, *(_step(_statement(line)) for line in call.before)]


@lru_cache(maxsize=4096)
def _step(source: str) -> Step:
    return Step(source)


def _statement(line: Call) -> str:
    bound = f"{line.bound} = " if line.bound and line.target.kind != "statement" else ""
    return bound + expression(line)


def _texts(call: Call) -> Iterator[str]:
    """Yields the arguments of a call, of those before it and of those that make its object."""
    for part in call.chain:
        yield from (value for _, value in part.values)
        yield from part.extra


def _answers(value: str) -> bool:
    return re.search(rf"\b{ANSWER}\b", value) is not None


def _recording(call: Call) -> Call:
    """Returns the call with its recorders writing into one variable."""
    target = f"{RECORDED}.append"
    return call.but(
        values=tuple((name, value.replace(RECORDER, target)) for name, value in call.values),
        extra=tuple(value.replace(RECORDER, target) for value in call.extra),
        receiver=_recording(call.receiver) if call.receiver is not None else None,
        before=tuple(_recording(line) for line in call.before),
    )


def _entry_case(call: Call) -> Case:
    """Returns the case of a command line, and of those before it."""
    target = call.target
    steps = [Step(f"{RESULT} = {expression(line)}") for line in (*call.before, call)]
    if target.kind == "command":
        steps += [Step(f"{RESULT}.{name}", check=True) for name in ("exit_code", "output")]
    else:
        steps = [Step(expression(call), check=True, acts=bool(target.given))]
    reads_argv = target.kind == "main" and not target.argv
    return Case(
        target.path,
        target.symbol,
        tuple(steps),
        (*target.imports, *(["import asyncio"] if target.asynchronous else [])),
        argv=call.argv if reads_argv else None,
        stdin="" if target.kind == "command" else call.stdin,
        files=call.files,
        folder=True,
        command=call.argv,
    )


def _hoist_streams(call: Call) -> tuple[list[tuple[str, str]], Call]:
    """Moves empty streams into variables, so that a test can read what was written to them."""
    hoisted = []
    for name, value in call.values:
        if value.endswith("IO()") and re.fullmatch(r"(io\.)?(StringIO|BytesIO)\(\)", value):
            variable = name if len(name) > 1 and name != call.target.call else "stream"
            hoisted.append((variable, value))
            call = call.with_value(name, variable)
    return hoisted, call
