"""Turns observed or documented results into assertions that are meaningful and stable."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from pytest_lift.agents.offline.choosing.steady import UNSTABLE
from pytest_lift.agents.offline.search.dullness import BEGUN_WITH
from pytest_lift.agents.offline.writing.constructors import (
    spelt,
    with_plain_paths,
    without_defaults,
)
from pytest_lift.agents.offline.writing.legibility import (
    LONGEST,
    LONGEST_SHOWN,
    illegibility,
)
from pytest_lift.agents.offline.writing.messages import (
    asks_to_install,
    constant_part,
    is_usage,
    names_the_runner,
    piece_without_runner,
    pins_the_machine,
    telling_piece,
)
from pytest_lift.agents.offline.writing.readings import is_look
from pytest_lift.calls.blocks import LOOP
from pytest_lift.calls.call import RECORDED, SLEPT
from pytest_lift.calls.case import OF_A_RUN, Case, Observation, Outcome, Raised, Step
from pytest_lift.calls.child.executing import AWAITED
from pytest_lift.calls.child.isolation.surroundings import GONE, THERE
from pytest_lift.calls.child.outcomes import EMPTY, OF_CASES
from pytest_lift.calls.collecting import unaltered_inline
from pytest_lift.calls.names import Resolver, defined_in, free_names
from pytest_lift.source.bindings import bound_names, imports_in
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import parsed_expression

MOST_ATTRIBUTES = 4
LONGEST_MESSAGE = 120
IDLE_LINE = "None"
"""What does nothing, for a check of what was done before it."""
ACTING = (ast.Call, ast.Attribute, ast.Subscript)
"""Expressions that may do something: a property, too."""
IDLE = frozenset({"id", "type"})
"""Functions that do nothing of the program's, and whose result is another one in each run or shows
no value."""


ORDERED = re.compile(r"OrderedDict\((\{.*\})\)", re.DOTALL)
"""A dict that keeps its order, with the plain one of which it is made."""
UNTYPED = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]")
"""Character that texts do not have; escape is one of terminals."""


@dataclass(frozen=True)
class StepCheck:
    """Assertion about one step of a case."""

    form: str
    """equals, is, text, attributes, raises, says, exits, printed, nan or none (only executed)."""
    expression: str = ""
    expected: str = ""
    attributes: tuple[tuple[str, str], ...] = ()
    raised: Raised | None = None
    match: str = ""
    blank: str = ""
    """Column of a table whose value stands in the place of each ``{}`` in `match`."""
    printed: str = ""
    said: tuple[tuple[str, str], ...] = ()
    """(out or err, text) of what is in a standard stream, among other things."""
    late: bool = False
    """Whether the lines before print something, too."""
    files: tuple[tuple[str, str], ...] = ()
    begun: bool = False
    """Whether the texts in `files` are those with which the files begin."""
    aside: bool = False
    """Whether it reads what was written to another object."""


@dataclass(frozen=True)
class Verified:
    """Case with its assertions."""

    case: Case
    checks: tuple[StepCheck, ...]
    """A check for each step but those that say nothing; statements have the form none."""
    imports: tuple[str, ...]
    hits: frozenset[int]


def verify(case: Case, seen: Observation, program: Program, resolver: Resolver) -> Verified | None:
    """Returns the assertions of one case, or None if they would not be meaningful, or if the case
    is given a path of the run that found it."""
    if OF_A_RUN.search(case.source):
        return None
    legible = tuple(_with_legible_files(one) for one in seen.outcomes)
    if legible != seen.outcomes and case.origin == "searched":
        item = verify(case, replace(seen, outcomes=legible), program, resolver)
        if item is not None:
            return item
        there = tuple(_with_files_there(one, case) for one in seen.outcomes)
        seen = replace(seen, outcomes=there)
    steps, told_outcomes = unaltered_inline(case, seen.outcomes)
    case, outcomes = replace(case, steps=steps), iter(told_outcomes)
    checks: list[StepCheck] = []
    told: list[tuple[tuple[str, str], ...]] = []
    imports = set(case.imports)
    for step in case.steps:
        if not step.check:
            checks.append(StepCheck("none", step.source))
            continue
        outcome = next(outcomes, None)
        if outcome is None:
            break
        if step.aside and outcome.source in ("None", *EMPTY):
            continue
        plain = _read(step.source, AWAITED) if outcome.wrap == AWAITED else step.source
        imports |= {"import asyncio"} if plain.startswith(LOOP) else set()
        if replace(outcome, wrap="") == UNSTABLE:
            idle = is_look(plain) or _is_idle(parsed_expression(plain))
            checks += [] if idle else [StepCheck("none", plain)]
            continue
        if outcome.files and outcome.files in told:
            outcome = replace(outcome, files=())
        told.append(outcome.files)
        outcome = spelt(_importable(with_plain_paths(outcome), resolver), imports)
        more = _imports(outcome, resolver)
        check = _check(step, outcome, program, case)
        if check is None and outcome.raised is None:  # others may say something
            checks += [] if is_look(plain) else [StepCheck("none", plain)]
            continue
        longest = LONGEST_SHOWN if case.origin == "documented" else LONGEST
        if check is None or more is None or len(check.expected) > longest:
            return None
        expected = without_defaults(check.expected, program)
        if check.expression.startswith("hash(") and check.form == "equals":
            expected = _hash_of_another(checks)
            if not expected:
                return None
        if check.expression != "None":
            checks.append(replace(check, expected=expected, aside=step.aside))
        of_case = outcome.raised is not None and outcome.raised.file == OF_CASES
        if outcome.raised and case.origin == "searched" and not of_case:
            imports |= more
            break
        given = check.form in ("equals", "raises", "says", "attributes") or check.expected
        more = _without_known(more, imports, program)
        if given and _clash(more, imports):
            return None
        imports |= more if given else set()
        if check.expression.startswith("list(islice("):
            imports.add("from itertools import islice")
    if not any(_says_something(check) for check in checks):
        return None
    checks = [one for at, check in enumerate(checks) for one in _by_type(check, checks[:at])]
    contrasts = _contrasts(case)
    checks = [one for one in checks if one.form != "none" or one.expression not in contrasts]
    checks = _without_idle_result([*_once(checks)])
    return Verified(case, without_unused(checks), tuple(sorted(imports)), seen.hits)


def _with_legible_files(outcome: Outcome) -> Outcome:
    """Returns an outcome without files that hold numbers or compressed data, as seen by characters
    that no text has: how they are laid out is the program's own business."""
    files = tuple(
        (name, text)
        for name, text in outcome.files
        if text in (GONE, THERE) or not UNTYPED.search(text)
    )
    return replace(outcome, files=files) if files != outcome.files else outcome


def _with_files_there(outcome: Outcome, case: Case) -> Outcome:
    """Returns an outcome with such files as ones that are there, but for those that the case
    wrote before."""
    files = tuple(
        (name, THERE if UNTYPED.search(text) and text != GONE and name not in case.files else text)
        for name, text in outcome.files
    )
    return replace(outcome, files=files)


def _contrasts(case: Case) -> AbstractSet[str]:
    """Returns the calls of a case that stand there for what they give, to show an option: nothing
    after them depends on them."""
    if not case.effect or case.origin != "searched":
        return frozenset()
    trees = [ast.parse(step.source) for step in case.steps]
    bound = {name for tree in trees for name in bound_names(tree)}
    calls = (step.source for step in case.steps if step.check)
    return {call for call in calls if not free_names(call) & bound}


def _once(checks: Sequence[StepCheck]) -> Iterator[StepCheck]:
    """Yields the checks without those that repeat one before them, with nothing but looks at
    objects in between."""
    seen: list[StepCheck] = []
    for check in checks:
        if check.form == "none" or not is_look(check.expression):
            seen.clear()
        elif check in seen:
            continue
        seen.append(check)
        yield check


def _without_idle_result(checks: Sequence[StepCheck]) -> list[StepCheck]:
    """Returns the checks without the variable that a block leaves for what its last call gave,
    where only what was written to files is asserted then."""
    if len(checks) < 2 or checks[-1].form != "printed" or checks[-1].expected:
        return [*checks]
    *before, block, last = checks
    tree = ast.parse(block.expression)
    match tree.body:
        case [ast.With(body=[*_, ast.Assign(targets=[ast.Name(name)], value=value)]) as node]:
            if last.expression == name:
                node.body[-1] = ast.Expr(value)
                block = replace(block, expression=ast.unparse(tree))
                return [*before, block, replace(last, expression=IDLE_LINE)]
    return [*checks]


def _by_type(check: StepCheck, before: Sequence[StepCheck]) -> Iterator[StepCheck]:
    """Yields a check, and one of the type of a dict that keeps its order, where one before it
    expects a plain dict with the same items, or the call is given that type: the two are equal."""
    plain = {f"OrderedDict({one.expected})" for one in before if one.form == "equals"}
    found = ORDERED.fullmatch(check.expected) if check.form == "equals" else None
    if found and (check.expected in plain or "=OrderedDict" in check.expression):
        yield replace(check, expected=found[1])
        yield StepCheck("is", f"type({check.expression})", "OrderedDict")
    else:
        yield check


def _clash(lines: AbstractSet[str], others: AbstractSet[str]) -> bool:
    """Whether two import lines bind one name to different things."""
    bound = {line.rpartition(" ")[2]: line for line in others}
    return any(bound.get(line.rpartition(" ")[2], line) != line for line in lines)


def _without_known(lines: AbstractSet[str], others: AbstractSet[str], program: Program) -> set[str]:
    """Returns the import lines without those that bind a name to what one of others binds it to."""
    if not lines:
        return set()
    bound = {one.bound: one for one in imports_in(ast.parse("\n".join(others)).body)}
    return {
        line
        for line in lines
        for one in imports_in(ast.parse(line).body)
        if one.bound not in bound
        or defined_in(one, program) != defined_in(bound[one.bound], program)
    }


def _says_something(check: StepCheck) -> bool:
    """Whether a check says more than that a callback was not called, or that nothing is there."""
    uncalled = check.expression in (RECORDED, SLEPT) and check.expected == "[]"
    looks = check.form == "is" and is_look(check.expression)
    nothing = looks and check.expected == "None"
    return check.form != "none" and not uncalled and not nothing


def _hash_of_another(setup: Sequence[StepCheck]) -> str:
    """Returns ``hash(Point(1))`` where that is what ``point`` was made by and nothing else was
    done: a number would say nothing to a reader. "" for another object."""
    body = ast.parse(setup[0].expression).body if len(setup) == 1 else []
    node = body[0] if len(body) == 1 else None
    return f"hash({ast.unparse(node.value)})" if isinstance(node, ast.Assign) else ""


def without_unused(checks: Sequence[StepCheck]) -> tuple[StepCheck, ...]:
    """Returns the checks without variables that nothing reads: ``job.run()`` for ``x = job.run()``,
    and nothing for ``x = []``.

    A linter would complain of them.
    """
    names = [_read_names(check.expression) for check in checks]
    found = []
    for at, check in enumerate(checks):
        body = ast.parse(check.expression).body
        node = body[0] if len(body) == 1 and check.form == "none" else None
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        later = set().union(*names[at + 1 :])
        if isinstance(node, ast.Assign) and isinstance(target, ast.Name) and target.id not in later:
            value = node.value
            if _is_idle(value) or not _may_act(value):
                continue
            check = replace(check, expression=ast.unparse(node.value))
        found.append(check)
    return tuple(found)


def _may_act(value: ast.AST) -> bool:
    return any(isinstance(one, ACTING) for one in ast.walk(value))


def _is_idle(value: ast.AST | None) -> bool:
    """Whether an expression does nothing, since it asks a plain name: not ``type(queue.pop())``."""
    if not isinstance(value, ast.Call) or ast.unparse(value.func) not in IDLE:
        return False
    return not any(_may_act(part) for part in [*value.args, *value.keywords])


def _read_names(source: str) -> set[str]:
    nodes = [*ast.walk(ast.parse(source or "None"))]
    changed = [node.target for node in nodes if isinstance(node, ast.AugAssign)]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    return {n.id for n in names if isinstance(n.ctx, ast.Load) or n in changed}


def as_operand(source: str) -> str:
    """Returns an expression that an attribute can follow."""
    node = ast.parse(source, mode="eval").body
    simple = isinstance(node, ast.Call | ast.Attribute | ast.Name | ast.Subscript)
    return source if simple else f"({source})"


def _importable(outcome: Outcome, resolver: Resolver) -> Outcome:
    """Returns an outcome without the attributes whose values have names that no test can
    import."""
    if outcome.source is not None or not outcome.attributes:
        return outcome
    names = [(m, name) for m, name in outcome.names if resolver.by_class(m, name) is not None]
    private = {name or m for m, name in outcome.names} - {name or m for m, name in names}
    kept = [pair for pair in outcome.attributes if not free_names(pair[1]) & private]
    return replace(outcome, attributes=tuple(kept), names=tuple(names))


def _imports(outcome: Outcome, resolver: Resolver) -> set[str] | None:
    """Returns import lines of the names in the expected value; None if one is private."""
    found: set[str] = set()
    pairs = list(outcome.names)
    if outcome.raised and outcome.raised.module != "builtins":
        pairs.append((outcome.raised.module, outcome.raised.type))
    for module, name in pairs:
        line = resolver.by_class(module, name)
        if line is None:
            return None
        found.add(line)
    return found


def _check(step: Step, outcome: Outcome, program: Program, case: Case) -> StepCheck | None:
    source = step.source
    if outcome.raised is not None and outcome.raised.type == "SystemExit":
        return _exits(source, outcome, program)
    if case.command and source.endswith(".output"):
        return _output(source, outcome)
    if outcome.raised is not None:
        called = _read(source, outcome.wrap)
        if case.exact:
            return _says(called, outcome.raised, program)
        if outcome.raised.explicit or case.origin == "requirement":
            return _raises(called, outcome.raised, program)
        return None
    text = _read(source, outcome.wrap)
    if (outcome.printed or outcome.files) and not pins_the_machine(outcome.printed):
        # An iterator prints when it is read.
        read = text if outcome.wrap in ("list", "islice", AWAITED) else source
        given = outcome.source or ""
        unread = outcome.wrap and read == source
        given = "" if given == "None" or unread or pins_the_machine(given) else given
        printed, files = outcome.printed, outcome.files
        check = StepCheck("printed", read, given, printed=printed, late=outcome.late, files=files)
        if names_the_runner(printed, case.source, program):
            piece = piece_without_runner(printed)
            check = replace(check, printed="", said=(("out", piece),) if piece else ())
        if check.printed or check.said or files:
            return check
    told = telling_piece(outcome.complained)
    if outcome.source is not None and told and not names_the_runner(told, case.source, program):
        return StepCheck("printed", text, outcome.source, said=(("err", told),))
    if outcome.source is not None:
        runner = names_the_runner(outcome.source, case.source, program)
        return None if runner else _value(text, outcome)
    if step.printed and outcome.text:
        return StepCheck("text", text, repr(outcome.text))
    attributes = _telling_attributes(outcome)
    if attributes:
        return StepCheck("attributes", text, attributes=attributes)
    if outcome.text and not pins_the_machine(outcome.text):
        return StepCheck("text", text, repr(outcome.text))
    return None


def _read(source: str, wrap: str) -> str:
    """Returns an expression with what reads or awaits its value around it."""
    wholly = {"list": "list({})", "islice": "list(islice({}, 5))", AWAITED: AWAITED}
    if wrap in wholly:
        return wholly[wrap].replace("{}", source)
    return wrap.replace("{}", as_operand(source)) if wrap else source


def _exits(source: str, outcome: Outcome, program: Program) -> StepCheck | None:
    """Returns a check of the exit code, and of what is told before."""
    raised = outcome.raised
    assert raised is not None
    code = raised.message or "None"
    if code not in ("None", "True", "False") and not re.fullmatch(r"-?\d{1,9}", code):
        return StepCheck("raises", source, raised=raised, match=constant_part(raised, program))
    printed = outcome.printed if not pins_the_machine(outcome.printed) else ""
    said = [("err", telling_piece(outcome.complained))]
    if is_usage(printed):
        said, printed = [("out", telling_piece(printed)), *said], ""
    told = tuple(pair for pair in said if pair[1])
    return StepCheck(
        "exits", source, code, raised=raised, printed=printed, said=told, files=outcome.files
    )


def _output(source: str, outcome: Outcome) -> StepCheck | None:
    """Returns a check of what a command printed: all of it, or the telling piece of its help."""
    text = ast.literal_eval(outcome.source or "''")
    if not isinstance(text, str) or not text or pins_the_machine(text):
        return StepCheck("none", "None")
    if is_usage(text) or re.search("[\u2500-\u257f]", text):
        piece = telling_piece(text)
        if not piece:
            return StepCheck("none", "None")
        return StepCheck("true", f"{piece!r} in {source}")
    return StepCheck("equals", source, outcome.source or "''")


def _value(text: str, outcome: Outcome) -> StepCheck | None:
    assert outcome.source is not None
    if pins_the_machine(outcome.source):
        return None
    if outcome.source == "None":
        tells = outcome.absent or is_look(text)
        return StepCheck("is", text, "None") if tells else StepCheck("none", text)
    if outcome.source in ("True", "False") and _is_comparison(text):
        return StepCheck("true" if outcome.source == "True" else "false", text)
    if outcome.source in ("True", "False"):
        return StepCheck("is", text, outcome.source)
    return StepCheck("equals", text, outcome.source)


def _is_comparison(text: str) -> bool:
    return isinstance(ast.parse(text, mode="eval").body, ast.Compare)


def _telling_attributes(outcome: Outcome) -> tuple[tuple[str, str], ...]:
    """Returns attributes whose value is not empty, zero, False or None."""
    found = [(n, v) for n, v in outcome.attributes if not pins_the_machine(v)]
    found.sort(key=lambda pair: pair[1] in BEGUN_WITH)
    telling = [pair for pair in found if pair[1] not in BEGUN_WITH]
    legible = [pair for pair in telling if not illegibility(pair[1])]
    return tuple((legible or telling)[:MOST_ATTRIBUTES])


def _raises(source: str, raised: Raised, program: Program) -> StepCheck | None:
    if raised.type in ("Exception", "BaseException", "Warning") or asks_to_install(raised, program):
        return None
    return StepCheck("raises", source, raised=raised, match=constant_part(raised, program))


def _says(source: str, raised: Raised, program: Program) -> StepCheck | None:
    """Returns a check of the whole message, if the program alone determines it."""
    message = raised.message
    theirs = not raised.explicit or raised.repeats
    if theirs or not 0 < len(message) <= LONGEST_MESSAGE or pins_the_machine(message):
        return None
    piece = constant_part(raised, program)
    return StepCheck("says", source, repr(message), raised=raised, match=piece)
