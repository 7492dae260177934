"""Statements of a documented story as steps: what each shows, and what of it is asserted."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pytest_lift.agents.offline.examples.told.statements import ToldStatement
from pytest_lift.agents.offline.writing.oracles.outcomes import reads
from pytest_lift.agents.offline.writing.readings import is_look
from pytest_lift.calls.case import Outcome, Step
from pytest_lift.source.syntax import leaf

FALSE = frozenset({"None", "False", "0", "0.0", "''", "b''", "[]", "()", "{}", "set()"})
MAKERS = frozenset({"datetime", "date", "time", "timedelta", "timezone", "Decimal", "Fraction",
                    "Path", "UUID", "list", "tuple", "set", "dict", "OrderedDict"})  # fmt: skip
"""Classes of Python's own whose objects are what their arguments say."""
LOOKS = frozenset({"look", "begin", "end"})
"""Kinds of steps that look at a variable."""
SHAPE = "{}.shape"
"""How the result of a look is written where it is an array of many items."""
MOST_LOOKS = 3
"""Most variables that a story looks at when it is over."""


@dataclass(frozen=True)
class StoryPart:
    """Step that a statement may be."""

    kind: Literal["do", "value", "given", "shown", "asserted", "refuted", "begin", "look", "end"]
    """A statement, an expression, what the one before it gives, something that is printed, asserted
    or denied, a variable that got a container as it is written, one that was assigned, or one when
    all is over."""
    source: str
    node: ast.stmt | None = None
    """The statement; None for what is looked at in the end."""
    value: ast.expr | None = None
    """What was last assigned to a variable that is looked at in the end."""
    told: bool = False
    """Whether the statement belongs to the story itself, not to what it needs."""
    raises: bool = False
    """Whether it may end in an error that the program raises, as a comment says."""
    changed: bool = False
    """Whether its object may have been changed since."""


def parts_of(node: ast.stmt, *, told: bool) -> Iterator[StoryPart]:
    """Yields the parts of a statement; only what is `told` is looked at."""
    match node:
        case ast.Expr(value=value) if _is_literal(value):
            yield StoryPart("given", ast.unparse(value), node)
        case ast.Assert(test=test) if told:
            for one in _conditions(test):
                if isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.Not):
                    yield StoryPart("refuted", ast.unparse(one.operand), node)
                else:
                    yield StoryPart("asserted", ast.unparse(one), node)
        case ast.Expr(value=value) if _is_print(value):
            assert isinstance(value, ast.Call)
            for shown in value.args if told else ():
                for one in _shown(shown):
                    yield StoryPart("shown", ast.unparse(one), node)
        case ast.With(items=[manager], body=[ast.Expr(value=value)]) if told and _expects(manager):
            yield StoryPart("value", ast.unparse(value), node, raises=True)
        case ast.Expr(value=value) if told:
            yield StoryPart("value", ast.unparse(value), node)
        case ast.For(target=target, iter=rows, body=[ast.Expr(value=value)], orelse=[]) if (
            told and _is_print(value) and len(getattr(value, "args", ())) == 1
        ):
            item = _shown_each(getattr(value, "args", [value])[0])
            each = f"[{item} for {ast.unparse(target)} in {ast.unparse(rows)}]"
            same = item == ast.unparse(target)
            yield StoryPart("shown", f"list({ast.unparse(rows)})" if same else each, node)
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.List() | ast.Tuple() | ast.Set() | ast.Dict()
        ):
            yield StoryPart("do", ast.unparse(node), node, told=told)
            yield StoryPart("begin", name, node)
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if told:
            yield StoryPart("do", ast.unparse(node), node, told=told)
            inner = value.value if isinstance(value, ast.Await) else value
            shows = isinstance(inner, ast.Call | ast.Subscript | ast.Attribute | ast.BinOp)
            if shows and not _is_plain(inner):
                yield StoryPart("look", name, node)
        case _:
            yield StoryPart("do", ast.unparse(node), node, told=told)


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression makes a value of Python's own of others: it is what it says."""
    match node:
        case ast.Call(func=func, args=args, keywords=keywords):
            values = [*args, *(keyword.value for keyword in keywords)]
            return leaf(func) in MAKERS and all(map(_is_plain, values))
        case ast.Attribute():
            return leaf(node) in ("utc", "UTC")
    return _is_literal(node)


def _is_print(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in ("print", "pprint")


def _expects(manager: ast.withitem) -> bool:
    """Whether a block is there to show that its statement raises an error."""
    call = manager.context_expr
    named = isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.raises"
    return named and manager.optional_vars is None


def _shown(node: ast.expr) -> Iterator[ast.expr]:
    """Yields what is shown by printing an expression: of a text that is filled in, what is."""
    match node:
        case ast.JoinedStr(values=parts):
            inner = [part.value for part in parts if isinstance(part, ast.FormattedValue)]
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod(), right=ast.Tuple(elts=inner)):
            pass
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod(), right=given):
            inner = [given]
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="format")):
            inner = [*node.args, *(keyword.value for keyword in node.keywords)]
        case ast.Call(func=ast.Name(id="repr" | "str"), args=[given, *_]):
            inner = [given]
        case ast.Constant() | ast.Starred():
            return
        case _:
            yield node
            return
    for one in inner:
        yield from _shown(one)


def _shown_each(node: ast.expr) -> str:
    """Returns what is shown of each of several by printing an expression: without the words around
    it where that is one or two."""
    inner = [*_shown(node)]
    if len(inner) in (1, 2):
        return ast.unparse(inner[0] if len(inner) == 1 else ast.Tuple(inner))
    return ast.unparse(node)


def looks_at(statements: Iterable[ToldStatement]) -> Iterator[StoryPart]:
    """Yields looks at the variables that statements assign, when all is over."""
    found: dict[str, StoryPart] = {}
    for one in statements:
        for name in one.changes & found.keys():
            found[name] = replace(found[name], changed=True)
        match one.node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found[name] = StoryPart("end", name, value=value)
    yield from found.values()


def _conditions(test: ast.expr) -> Sequence[ast.expr]:
    both = isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And)
    return test.values if both and isinstance(test, ast.BoolOp) else [test]


@dataclass(frozen=True)
class ToldSteps:
    """Steps of a story, and what was seen at those that check something."""

    steps: tuple[Step, ...]
    outcomes: tuple[Outcome, ...]
    failed: ast.stmt | None = None
    """The statement that fails; None if none does."""


def told_steps(parts: Sequence[StoryPart], outcomes: Sequence[Outcome]) -> ToldSteps:
    """Returns the steps of a story up to what fails, with checks of what tells something; no steps
    where nothing does."""
    failed = next((one.node for one in _failing(parts, outcomes)), None)
    found: list[tuple[Step, Outcome]] = []
    shown: dict[str, str | None] = {}
    begun: dict[str, Outcome] = {}
    written: dict[str, str] = {}
    ends: list[tuple[Step, Outcome, bool]] = []
    before: Outcome | None = None
    steps: list[tuple[Step, Outcome]] = []
    for part, outcome in zip(parts, outcomes, strict=False):
        if failed is not None and part.node is failed:
            if part.raises and outcome.raised is not None and outcome.raised.explicit:
                found += [(step, outcome) for step in _raising(part)]
            break
        if part.kind == "begin":
            begun[part.source] = outcome
            continue
        if part.kind == "end" and begun.get(part.source) == outcome:
            continue  # a container that is as it was written
        if part.kind == "end":
            look = Step(part.source, check=True)
            ends += [(look, outcome, plain) for plain in _ended(part, outcome, shown)]
            continue
        if part.kind == "given" and before is not None and before.source != outcome.source:
            del found[len(found) - len(steps) :]
            failed = part.node
            break
        before = outcome if part.kind == "value" else None
        if (literal := _written(part)) is not None:
            written.update([literal])
        if part.kind == "shown" and outcome.source and written.get(part.source) == outcome.source:
            continue  # a variable that holds what the test itself wrote there
        steps = [(step, outcome) for step in _steps(part, outcome)]
        found += steps
        shown[part.source] = outcome.source
    sure = [(step, outcome) for step, outcome, plain in ends if plain]
    if not sure and not any(step.check for step, _ in found):
        sure = _last_resort(parts, [(step, outcome) for step, outcome, _ in ends])
    found = _without_shapes([*found, *sure[:MOST_LOOKS]])
    last = max((number for number, (step, _) in enumerate(found) if step.check), default=-1)
    found = found[: last + 1]
    seen = tuple(outcome for step, outcome in found if step.check)
    return ToldSteps(tuple(step for step, _ in found), seen, failed)


def _without_shapes(found: Sequence[tuple[Step, Outcome]]) -> list[tuple[Step, Outcome]]:
    """Returns the steps without looks at arrays of which only the shape is told, where others tell
    something."""
    dull = [step for step, outcome in found if step.check and outcome.wrap == SHAPE]
    if len(dull) == sum(step.check for step, _ in found):
        return [*found]
    return [one for one in found if one[0] not in dull or not is_look(one[0].source)]


def _last_resort(
    parts: Sequence[StoryPart], ends: Sequence[tuple[Step, Outcome]]
) -> list[tuple[Step, Outcome]]:
    """Returns the looks at objects, where a story shows nothing else: at those that it changed, and
    at the one that it made last."""
    changed = {part.source for part in parts if part.kind == "end" and part.changed}
    last = [step.source for step, _ in ends[-1:]]
    found = [(step, outcome) for step, outcome in ends if step.source in {*changed, *last}]
    return found[-MOST_LOOKS:]


def used_up(parts: Sequence[StoryPart], outcomes: Sequence[Outcome]) -> frozenset[str]:
    """Returns the variables that looking at used up, as a generator, before something else could
    have them."""
    pairs = zip(parts, outcomes, strict=False)
    read = ((part, seen) for part, seen in pairs if reads(seen.wrap))
    return frozenset(part.source for part, _ in read if part.kind in LOOKS)


def _failing(parts: Sequence[StoryPart], outcomes: Sequence[Outcome]) -> Iterator[StoryPart]:
    for number, part in enumerate(parts):
        if part.node is None:
            return
        if number >= len(outcomes) or _fails(part, outcomes[number]):
            yield part


def _fails(part: StoryPart, outcome: Outcome) -> bool:
    """Whether a step ends what is told; one that is to raise an error does, also where it gives
    something instead."""
    if part.kind == "value" and isinstance(part.node, ast.With):
        return True
    if part.kind in ("asserted", "refuted"):
        return outcome.raised is not None or (outcome.source in FALSE) == (part.kind == "asserted")
    return outcome.raised is not None


def _steps(part: StoryPart, outcome: Outcome) -> Iterator[Step]:
    plain = outcome.source not in (None, "None") or bool(outcome.printed)
    telling = plain or bool(outcome.attributes or outcome.text)
    match part.kind:
        case "do" if part.told and outcome.printed:
            yield Step(part.source, check=True, acts=True)
        case "do":
            yield Step(part.source)
        case "asserted" | "refuted":
            yield Step(part.source, check=True)
        case "shown":
            yield Step(part.source, check=telling, printed=True)
        case "value":
            if plain or not is_look(part.source):
                yield Step(part.source, check=plain)
        case "look":
            if plain:
                yield Step(part.source, check=True)


def _written(part: StoryPart) -> tuple[str, str] | None:
    """Returns (variable, literal) where that is all that a statement assigns."""
    match part.node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_literal(value):
            return name, ast.unparse(value)
    return None


def _raising(part: StoryPart) -> Iterator[Step]:
    """Yields the step that shows an error: what a statement assigns, or the statement."""
    match part.node:
        case ast.With() if part.kind == "value":
            yield Step(part.source, check=True)
        case ast.Expr(value=value) | ast.Assign(targets=[ast.Name()], value=value):
            yield Step(ast.unparse(value), check=True)
        case ast.stmt():
            yield Step(ast.unparse(part.node), check=True, acts=True)


def _ended(part: StoryPart, outcome: Outcome, shown: Mapping[str, str | None]) -> Iterator[bool]:
    """Yields whether a look at a variable shows a plain value; nothing where it shows nothing
    new."""
    if isinstance(part.value, ast.Call) and _is_plain(part.value):
        return
    known = {shown.get(part.source, ""), ast.unparse(part.value) if part.value else ""}
    if outcome.raised is None and outcome.source not in {None, "None", *known}:
        yield not isinstance(part.value, ast.Constant)
    elif outcome.source is None and (outcome.attributes or outcome.text):
        made = part.value.value if isinstance(part.value, ast.Await) else part.value
        if part.changed or isinstance(made, ast.Call):
            yield False
