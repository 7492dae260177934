"""Calls as the search varies them: a target, source expressions for its arguments, their text."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from pytest_lift.calls.blocks import LOOP
from pytest_lift.calls.case import SEEDS, Awake
from pytest_lift.calls.child.isolation.connections import SENT
from pytest_lift.calls.names import free_names
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.special_methods import INDEXING, STATEMENTS, as_index, form_of
from pytest_lift.source.symbols import Parameter

RECORDER, RECORDED = "[].append", "calls"
"""Callback that notes its argument, and the variable that a test reads afterwards."""
SLEPT = "slept"
"""Variable with the seconds for which a program would have slept."""
SLEPT_LOOKS = (SLEPT, f"sum({SLEPT})")
"""How a test reads it."""
NOT_SLEPT = f"{SLEPT} = []"
NOT_SENT = f"{SENT} = []"
UNTOLD = SEEDS | {NOT_SLEPT, NOT_SENT}
"""Statements that set up a test and say nothing of the program."""
RESULT = "result"
"""Variable of what the runner of a command returns."""
TASK = "task"
"""Variable of what runs beside a story."""
RAISING = "pytest"
"""Module by which a case has a call that raises an exception before others."""
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
    """Earlier calls, in order; each has that variable as its `subject`, or another one that an
    earlier of them binds to an object for an argument."""
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
    closed: str = ""
    """Method that closes the object after the call; empty where it stays as it is."""
    looped: bool = False
    """Whether all of it runs in one event loop."""
    beside: bool = False
    """Whether a call in `before` runs in a task of its own, which may wait for what comes later."""
    raises: str = ""
    """Exception that it raises, of a call in `before`; empty for one that returns."""
    argv: tuple[str, ...] = ()
    """Command line, with the name of the program first."""
    stdin: str = ""
    binary: bool = False
    """Whether bytes can be read from standard input, too."""
    files: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Files in the working directory that the call may read, by their relative paths."""
    folder: bool = False
    """Whether the call needs a working directory of its own, to write to."""
    home: bool = False
    """Whether that is the home of the user, too, in which the call looks for files."""
    alone: bool = False
    """Whether no other programs are found: the call would start one, or does without."""
    awake: Awake = ()
    """Functions by which the program waits and tells the time, where waiting returns at once: the
    call would take too long, or does nothing else; and those by which it connects to others."""
    unconnected: bool = False
    """Whether it connects to nobody, though other calls of its function do."""
    slept: bool = False
    """Whether the seconds are looked at for which it would have slept."""

    @property
    def is_elsewhere(self) -> bool:
        """Whether the home of the user, other programs, others or sleep are not what they are."""
        return self.home or self.alone or bool(self.awake)

    @property
    def given(self) -> dict[str, str]:
        return dict(self.values)

    @property
    def options(self) -> tuple[str, ...]:
        """Optional parameters that are set, including the receiver's."""
        optional = self.target.optional_names
        own = tuple(name for name, _ in self.values if name in optional)
        return (*(self.receiver.options if self.receiver else ()), *own)

    @property
    def in_block(self) -> bool:
        """Whether it is made inside a block, or makes what one is of."""
        own = self.target.streams or self.target.manages
        return self.entered or bool(self.closed) or self.looped or own

    @property
    def manager(self) -> Target | None:
        """What tells how the block of the object is entered: what makes the object, or its
        class."""
        made = self.receiver.target if self.receiver is not None else None
        return self.target.owner if made is not None and not made.enters else made

    @property
    def chain(self) -> Sequence[Call]:
        """The call, the calls before it, and those that make its receiver."""
        if self.receiver is None and not self.before:
            return (self,)
        parts = [self]
        for line in self.before:
            parts += line.chain
        if self.receiver is not None:
            parts += self.receiver.chain
        return parts

    @cached_property
    def text(self) -> str:
        """The call as one Python expression, or as a statement where it has no value."""
        return _expression(self)

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources of its own arguments."""
        return (*[value for _, value in self.values], *self.extra)

    @cached_property
    def names(self) -> frozenset[str]:
        """The free names of all arguments, those of the calls before it and of its receiver."""
        found = set()
        waits = self.target.asynchronous or self.target.streams or self.looped
        enters = self.target.enters, self.manager.enters if self.manager else ""
        if waits or "async" in enters:
            found.add("asyncio")
        if self.interrupted:
            found.add("suppress")
        if self.raises:
            found |= {RAISING, self.raises}
        for text in self.sources:
            found |= free_names(text)
        for line in self.before:
            found |= line.names
        return frozenset(found | self.receiver.names if self.receiver is not None else found)

    @property
    def story(self) -> tuple[str, ...]:
        """What distinguishes the case of the call from those of others."""
        chain = self.chain
        held = [pair for part in chain if part.files for pair in part.files.items()]
        files = [text for pair in held for text in pair]
        placed = any(part.folder for part in chain)
        blocks = f"{self.entered}{self.interrupted}{self.closed}{self.looped}{placed}"
        around = "".join(
            f"{part.home}{part.alone}{part.awake}{part.slept}"
            for part in chain
            if part.is_elsewhere
        )
        reading = (*self.argv, self.stdin, *files, blocks, around)
        return (self.target.path, *self.seeds, *setup(self), self.text, *reading)

    def but(self, **changes: Any) -> Call:
        """Returns the call with some fields changed: `dataclasses.replace`, several times
        faster."""
        made = object.__new__(Call)
        values = made.__dict__
        values.update(self.__dict__)
        values.pop("text", None)
        values.pop("names", None)
        values.update(changes)
        return made

    def with_extra(self, at: int, expression: str) -> Call:
        """Returns the call with one of its further arguments set."""
        return self.but(extra=(*self.extra[:at], expression, *self.extra[at + 1 :]))

    def with_value(self, name: str, expression: str) -> Call:
        """Returns the call with one argument set."""
        others = [pair for pair in self.values if pair[0] != name]
        if len(others) < len(self.values):
            same = [(own, expression if own == name else value) for own, value in self.values]
            return self.but(values=tuple(same))
        order = {p.name: i for i, p in enumerate(self.target.parameters)}
        ordered = sorted([*others, (name, expression)], key=lambda item: order.get(item[0], 99))
        return self.but(values=tuple(ordered))

    def without(self, name: str) -> Call:
        """Returns the call with one argument left to its default."""
        return self.but(values=tuple(v for v in self.values if v[0] != name))


def as_line(call: Call) -> Call:
    """Returns the call as one of those before another call on the same variable; on an object of
    its own where the call has no variable."""
    return call.but(
        receiver=None if call.name else call.receiver, name="", before=(), subject=call.name,
        entered=False, interrupted=False, closed="", looped=False, beside=False,
    )  # fmt: skip


def as_lines(call: Call, subject: str) -> tuple[Call, ...]:
    """Returns the call as a line on a variable, after those that make objects for its arguments;
    nothing where there is no variable."""
    if not subject:
        return ()
    made = {line.bound for line in call.before if line.bound and not line.subject}
    making = (line for line in call.before if {line.bound, line.subject} & made)
    return (*making, as_line(call).but(subject=subject))


def rerooted(call: Call, owner: str, first: Call) -> Call | None:
    """Returns a chain of calls that begins with `first` in the place of the constructor `owner`
    (its key): ``scheduler.every(1).minutes`` for ``Job(1).minutes``; None where it has none."""
    receiver = call.receiver
    if receiver is None or call.before or _is_assigning(call.target):
        return None
    inner = first if receiver.target.key == owner else rerooted(receiver, owner, first)
    return None if inner is None else replace(call, receiver=inner, name="")


def _is_assigning(target: Target) -> bool:
    """Whether a statement assigns to its object (``queue += [1]``), which has to be a variable."""
    return target.kind == "statement" and STATEMENTS.get(target.leaf, "").startswith("{0} ")


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
        apart = target.parameters[0].kind == "var-positional"  # each word is an argument
        words = ", ".join(map(repr, call.argv if target.argv_has_name else call.argv[1:]))
        text = f"{target.call}({words if apart else f'[{words}]'})"
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
        subject = _bracketed(expression(call.receiver))
    leaf = call.target.leaf
    if call.target.kind == "statement":
        if leaf not in STATEMENTS:
            return f"{subject}.{leaf} = {next(iter(_operands(call)))}"
        form, values = form_of(leaf, _operands(call))
        return form.format(subject, *values, "None", "None")
    if call.target.kind == "property":
        return f"{subject}.{leaf}"
    if call.target.kind == "method" or leaf == "__call__":
        return f"{subject}{'' if leaf == '__call__' else '.' + leaf}({arguments(call)})"
    form, values = form_of(leaf, [_bracketed(value) for value in _operands(call)])
    return form.format(subject, *values)


def _operands(call: Call) -> list[str]:
    """Returns the arguments of a special method, a slice as it stands between brackets."""
    first, *others = [value for _, value in call.values] or ["None"]
    return [as_index(first) if call.target.leaf in INDEXING else first, *others]


@lru_cache(maxsize=4096)
def _bracketed(operand: str) -> str:
    try:
        tree = ast.parse(operand, mode="eval").body
    except SyntaxError:
        return operand
    simple = type(tree).__name__ in (*SUBJECT, "List", "Dict", "Tuple", "Set")
    return operand if simple else f"({operand})"


def setup(call: Call) -> list[str]:
    """Returns the statements that make the receiver of a call and bring it, and objects among the
    arguments, into their states."""
    lines = [] if call.receiver is None else setup(call.receiver)
    if call.receiver is not None and call.name and call.name != call.receiver.text:
        lines.append(f"{call.name} = {call.receiver.text}")
    return [*lines, *(text for line in call.before for text in statements(line))]


def statements(line: Call) -> list[str]:
    """Returns the statements of a line: one, or those that begin a task and let it run."""
    if not line.beside:
        return [statement(line)]
    begun = f"{TASK} = asyncio.create_task({expression(line).removeprefix(LOOP)}"
    return [begun, f"{LOOP}asyncio.sleep(0))"]


def statement(line: Call) -> str:
    """Returns a line as a statement, with a variable for its result where that is needed."""
    bound = f"{line.bound} = " if line.bound and line.target.kind != "statement" else ""
    text = bound + expression(line)
    return raising(line.raises, text) if line.raises else text


def raising(error: str, text: str) -> str:
    """Returns a statement that raises an error as one after which a case goes on."""
    return f"with {RAISING}.raises({error}):\n    {text}"
