"""Turns observed or documented results into assertions that are meaningful and stable."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from pytest_lift.agents.offline.choosing.steady import UNSTABLE
from pytest_lift.agents.offline.writing.constructors import (
    spelt,
    with_plain_paths,
    without_defaults,
)
from pytest_lift.agents.offline.writing.legibility import (
    LONGEST,
    LONGEST_SHOWN,
)
from pytest_lift.agents.offline.writing.messages import pins_the_machine
from pytest_lift.agents.offline.writing.oracles.checks import (
    IDLE_LINE,
    StepCheck,
    Verified,
    is_idle,
    without_unused,
)
from pytest_lift.agents.offline.writing.oracles.outcomes import check_of, read_through
from pytest_lift.agents.offline.writing.oracles.plain_equals import with_classes
from pytest_lift.agents.offline.writing.readings import is_look
from pytest_lift.calls.blocks import LOOP
from pytest_lift.calls.call import RECORDED, SLEPT
from pytest_lift.calls.case import OF_A_RUN, Case, Observation, Outcome, Step
from pytest_lift.calls.child.executing import AWAITED
from pytest_lift.calls.child.isolation.connections import SENT
from pytest_lift.calls.child.isolation.surroundings import GONE, THERE
from pytest_lift.calls.child.outcomes import EMPTY, OF_CASES
from pytest_lift.calls.collecting import unaltered_inline
from pytest_lift.calls.names import Resolver, defined_in, free_names
from pytest_lift.source.bindings import bound_names, imports_in
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import parsed_expression, texts

ORDERED = re.compile(r"OrderedDict\((\{.*\})\)", re.DOTALL)
"""A dict that keeps its order, with the plain one of which it is made."""
UNTYPED = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]")
"""Character that texts do not have; escape is one of terminals."""


def verify(case: Case, seen: Observation, program: Program, resolver: Resolver) -> Verified | None:
    """Returns the assertions of one case, or None if they would not be meaningful, or if the case
    is given a path of the run that found it."""
    if OF_A_RUN.search(case.source):
        return None
    named = _files_named(case) if any(one.files for one in seen.outcomes) else frozenset[str]()
    legible = tuple(_with_legible_files(one, named) for one in seen.outcomes)
    if legible != seen.outcomes and case.origin == "searched":
        item = verify(case, replace(seen, outcomes=legible), program, resolver)
        if item is not None:
            return item
        there = tuple(_with_files_there(one, case) for one in seen.outcomes)
        seen = replace(seen, outcomes=there)
    steps, outcomes = unaltered_inline(case, seen.outcomes)
    case = replace(case, steps=steps)
    told = _Assertions(case, program, resolver, set(case.imports))
    told.tell(outcomes)
    checks = _readable(told.checks, case) if not told.is_meaningless else ()
    checks = tuple(with_classes(checks, program)) if case.origin == "searched" else checks
    return Verified(case, checks, tuple(sorted(told.imports)), seen.hits) if checks else None


@dataclass
class _Assertions:
    """Assertions of what a case was seen to give, step by step."""

    case: Case
    program: Program
    resolver: Resolver
    imports: set[str]
    checks: list[StepCheck] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    """File -> its text, as it was told last."""
    is_meaningless: bool = False
    """Whether a step gives what no test can assert."""

    def tell(self, outcomes: Iterable[tuple[int, Outcome]]) -> None:
        """Adds the checks of all steps, up to the one that raises an error or says nothing, with
        the numbers of their outcomes."""
        waiting = iter(outcomes)
        for step in self.case.steps:
            if not step.check:
                self.checks.append(StepCheck("none", step.source))
                continue
            if (numbered := next(waiting, None)) is None:
                break
            number, outcome = numbered
            begun = len(self.checks)
            goes_on = self._tell_step(step, outcome)
            added = [*self.checks[begun:]]
            self.checks[begun:] = [replace(one, number=number, seen=outcome) for one in added]
            if not goes_on:
                break

    def _tell_step(self, step: Step, outcome: Outcome) -> bool:
        """Adds the check of a step; returns whether to go on with those after it."""
        if step.aside and outcome.source in ("None", *EMPTY):
            return True
        plain = read_through(step.source, AWAITED) if outcome.wrap == AWAITED else step.source
        if plain.startswith(LOOP):
            self.imports.add("import asyncio")
        if replace(outcome, wrap="") == UNSTABLE:
            self._only_run(plain, idle=is_look(plain) or is_idle(parsed_expression(plain)))
            return True
        outcome = with_plain_paths(self._with_news(outcome))
        outcome = spelt(_importable(outcome, self.resolver), self.imports)
        check = check_of(step, outcome, self.program, self.case)
        longest = LONGEST_SHOWN if self.case.origin == "documented" else LONGEST
        lines = _imports(outcome, self.resolver)
        if check is not None and lines is not None and len(check.expected) <= longest:
            return self._assert(replace(check, aside=step.aside), outcome, lines)
        if outcome.raised or (check is not None and _is_heard(outcome)):
            self.is_meaningless = True
            return False
        self._only_run(plain, idle=is_look(plain))  # others may say something
        return True

    def _only_run(self, source: str, *, idle: bool) -> None:
        """Adds a step of which nothing is asserted, unless it is `idle`."""
        self.checks += [] if idle else [StepCheck("none", source)]

    def _with_news(self, outcome: Outcome) -> Outcome:
        """Returns an outcome with those files alone that are not told as they are, and are called
        so on each machine."""
        if not outcome.files:
            return outcome
        named = [pair for pair in outcome.files if not pins_the_machine(pair[0])]
        news = tuple(pair for pair in named if self.files.get(pair[0]) != pair[1])
        self.files |= dict(news)
        return replace(outcome, files=news)

    def _assert(self, check: StepCheck, outcome: Outcome, lines: set[str]) -> bool:
        """Adds a check with the import `lines` of what it expects; returns whether to go on with
        the steps after it."""
        expected = without_defaults(check.expected, self.program)
        if check.expression.startswith("hash(") and check.form == "equals":
            expected = _hash_of_another(self.checks)
            self.is_meaningless |= not expected
        if check.expression != "None":
            self.checks.append(replace(check, expected=expected))
        of_case = outcome.raised is not None and outcome.raised.file == OF_CASES
        if outcome.raised and self.case.origin == "searched" and not of_case:
            self.imports |= lines
            return False
        if check.form == "true":
            known = free_names(check.expression)
            lines = {line for line in lines if line.rpartition(" ")[2] in known}
        if check.form in ("equals", "raises", "says", "attributes", "true") or check.expected:
            lines = _without_known(lines, self.imports, self.program)
            self.is_meaningless |= _clash(lines, self.imports)
            self.imports |= lines
        if check.expression.startswith("list(islice("):
            self.imports.add("from itertools import islice")
        return not self.is_meaningless


def _readable(checks: Sequence[StepCheck], case: Case) -> tuple[StepCheck, ...]:
    """Returns the checks of a case without those that a reader does not need; none where not one
    of them says something."""
    telling = [check for check in checks if not _is_before_its_like(check, checks)]
    if not any(_says_something(check) for check in telling):
        return ()
    typed = [one for at, check in enumerate(telling) for one in _by_type(check, telling[:at])]
    contrasts = _contrasts(case)
    needed = [one for one in typed if one.form != "none" or one.expression not in contrasts]
    return without_unused(_without_idle_result([*_once(needed)]))


def _is_heard(outcome: Outcome) -> bool:
    """Whether something is left of a step besides what it gives."""
    return bool(outcome.printed or outcome.complained or outcome.files)


def _with_legible_files(outcome: Outcome, named: AbstractSet[str]) -> Outcome:
    """Returns an outcome without files that hold numbers or compressed data, as seen by characters
    that no text has, and without those inside of folders that are not `named`: how these are laid
    out is the program's own business."""
    files = tuple(
        (name, text)
        for name, text in outcome.files
        if "/" not in name or name.rpartition("/")[2] in named
        if text in (GONE, THERE) or not UNTYPED.search(text)
    )
    return replace(outcome, files=files) if files != outcome.files else outcome


def _files_named(case: Case) -> frozenset[str]:
    """Returns the names of files, without their folders, that a case gives or writes itself."""
    given = texts(ast.walk(ast.parse(case.source)))
    return frozenset(name.rpartition("/")[2] for name in (*given, *case.files))


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
    after them depends on them, and nothing is read that they do elsewhere."""
    acts = any(step.aside for step in case.steps)
    if not case.effect or acts or case.origin != "searched":
        return frozenset()
    trees = [ast.parse(step.source) for step in case.steps]
    bound = {name for tree in trees for name in bound_names(tree)}
    calls = (step.source for step in case.steps if step.check and not step.acts)
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
    where nothing is asserted of that."""
    left = ((at, found) for at, check in enumerate(checks) if (found := _left_by(check)))
    at, (name, plain) = next(left, (-1, ("", "")))
    if not name:
        return [*checks]
    block, rest = checks[at], [*checks[at + 1 :]]
    if [(one.form, one.expression, one.expected) for one in rest] == [("printed", name, "")]:
        rest = [replace(rest[0], expression=IDLE_LINE)]
    if not any(name in free_names(one.expression) for one in rest):
        block = replace(block, expression=plain)
    return [*checks[:at], block, *rest]


def _left_by(check: StepCheck) -> tuple[str, str] | None:
    """Returns the variable that a block sets last, and the block without it."""
    tree = ast.parse(check.expression)
    match tree.body if check.form == "none" else []:
        case [ast.With(body=[*_, ast.Assign(targets=[ast.Name(name)], value=value)]) as node]:
            node.body[-1] = ast.Expr(value)
            return name, ast.unparse(tree)
    return None


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
    uncalled = check.expression in (RECORDED, SLEPT, SENT) and check.expected == "[]"
    looks = check.form == "is" and is_look(check.expression)
    nothing = looks and check.expected == "None"
    return check.form != "none" and not uncalled and not nothing


def _is_before_its_like(check: StepCheck, checks: Sequence[StepCheck]) -> bool:
    """Whether an object is less than one that is made alike, as where their addresses decide."""
    lines = (ast.parse(one.expression).body[0] for one in checks if one.form == "none")
    made = {
        ast.unparse(line.targets[0]): ast.unparse(line.value)
        for line in lines
        if isinstance(line, ast.Assign)
    }
    match parsed_expression(check.expression) if check.form == "true" else None:
        case ast.Compare(left=left, ops=[ast.Lt() | ast.Gt()], comparators=[right]):
            one, other = (made.get(text, text) for text in map(ast.unparse, (left, right)))
            return one == other
    return False


def _hash_of_another(setup: Sequence[StepCheck]) -> str:
    """Returns ``hash(Point(1))`` where that is what ``point`` was made by and nothing else was
    done: a number would say nothing to a reader. "" for another object."""
    body = ast.parse(setup[0].expression).body if len(setup) == 1 else []
    node = body[0] if len(body) == 1 else None
    return f"hash({ast.unparse(node.value)})" if isinstance(node, ast.Assign) else ""


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
