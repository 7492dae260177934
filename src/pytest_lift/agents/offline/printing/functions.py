"""Prints planned tests as text of test functions, with the imports that they need."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_lift.agents.offline.arguments.hints.forms import is_literal
from pytest_lift.agents.offline.docstrings.intents import Intents
from pytest_lift.agents.offline.printing.checks import (
    DRAIN,
    check_beside,
    lines_of,
    names_in,
    raising,
    saying,
)
from pytest_lift.agents.offline.printing.headers import (
    definition,
    docstring,
    has_results,
    marks,
    parametrize,
)
from pytest_lift.agents.offline.writing.grouping import PlannedTest
from pytest_lift.agents.offline.writing.naming import name_of, other_names
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.blocks import RUN
from pytest_lift.calls.call import NOT_SENT, NOT_SLEPT, SLEPT, SLEPT_LOOKS
from pytest_lift.calls.case import SLEEPS, TELLS, WAITS
from pytest_lift.calls.child.isolation.connections import CONNECTION, FUNCTIONS, METHODS
from pytest_lift.source.syntax import FunctionNode, parsed
from pytest_lift.suite.layout.blocks import squeezed
from pytest_lift.suite.layout.spelling import requoted
from pytest_lift.suite.layout.statements import statement

SAYING = frozenset({"str", "repr", "len"})
PASSING = "pass_time"
"""Function of a test in the place of one that is awaited until some seconds have passed."""
"""Functions that say something of an object and leave it as it is."""


@dataclass(frozen=True)
class PrintedTest:
    """Test function as text, without blank lines around it."""

    name: str
    lines: tuple[str, ...]
    imports: tuple[str, ...]
    path: str
    """Source file that the test is about."""
    body_at: int
    """Index of the first line after the docstring."""
    others: tuple[str, ...] = ()
    """Longer names, for use if the first is taken."""
    connecting: tuple[str, ...] = ()
    """Those of the lines that make a connection to nobody."""

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def print_test(plan: PlannedTest, intents: Intents) -> PrintedTest:
    """Returns the function for `plan`."""
    name = name_of(plan, intents.title(plan))
    imports = {line for member in plan.members for line in member.imports}
    imports.add("import pytest")
    body, fixtures = _body(plan, imports)
    columns = [column for column, _ in plan.rows[0].arguments] if plan.rows else []
    if plan.rows and has_results(plan):
        columns.append("expected")
    lines = marks(plan.link)
    if plan.rows:
        lines += parametrize(plan, columns)
    lines += definition(name, [*columns, *fixtures])
    code = [*lines, *body]
    lines += docstring(intents.intent(plan))
    body_at = len(lines)
    lines += squeezed(body)
    return PrintedTest(
        name,
        tuple(lines),
        tuple(sorted(line for line in imports if _is_used(line, code))),
        plan.first.case.path,
        body_at,
        tuple(other_names(plan, name)),
        tuple(_connection(plan.first.case.connects, imports)) if plan.form != "rows" else (),
    )


def _is_used(line: str, lines: list[str]) -> bool:
    """Whether a test needs an import line: what joined tests leave out, and what only its docstring
    names, does not."""
    bound = line.rpartition(" ")[2].partition(".")[0]
    return bound == "pytest" or any(re.search(rf"\b{bound}\b", text) for text in lines)


def _body(plan: PlannedTest, imports: set[str]) -> tuple[list[str], list[str]]:
    if plan.form == "rows":
        return _row_body(plan), []
    fixtures: list[str] = []
    around = _surroundings(plan.first, fixtures, imports, plan.content)
    lines = [*around]
    if plan.form == "table":
        lines += [line for check in _beside(around, plan.steps) for line in lines_of(check, [])]
        return _placed(plan, around, lines), fixtures
    before: list[str] = []
    defined: dict[str, str] = {}
    taken = {name for member in plan.members for name in names_in(member.checks)}
    for member in plan.members:
        checks = [check for check in member.checks if not _is_repeated(check, defined)]
        checks = _beside(around, checks)
        own = [line for check in checks for line in check_beside(check, fixtures, taken)]
        parted = plan.form == "scenario" and max(map(_statements, (own, before))) > 1
        lines += ["", *own] if parted and lines else own
        before = own
    lines = _without_idle_reads(_without_repeated_asserts(lines))
    return _placed(plan, around, lines), fixtures


def _placed(plan: PlannedTest, around: Sequence[str], lines: Sequence[str]) -> list[str]:
    """Returns the lines of a test, those after what is `around` them in a loop where the test has
    one."""
    at = len(around)
    if not plan.first.case.looped:
        return [*lines]
    return [*around, *[""] * bool(around), *_in_a_loop(lines[at:])]


def _beside(around: Sequence[str], checks: Sequence[StepCheck]) -> list[StepCheck]:
    """Returns the checks that are not among the lines `around` them already."""
    return [check for check in checks if f"    {check.expression}" not in around]


def _statements(lines: Sequence[str]) -> int:
    """Returns how many statements some lines of a test are, whatever lines each of them takes; a
    block is one beside those inside of it."""
    begun = sum(line[4:5] not in ("", " ", ")", "]", "}") for line in lines)
    return begun + sum(line.endswith(":") for line in lines)


def _in_a_loop(lines: Sequence[str]) -> list[str]:
    """Returns the lines of a test as those of a coroutine that one event loop runs; definitions
    with which they begin stay before it."""
    tree = ast.parse("\n".join(["if True:", *lines])).body[0]
    assert isinstance(tree, ast.If)
    first = next(
        (one for one in tree.body if not isinstance(one, FunctionNode | ast.ClassDef)), None
    )
    if first is None:
        return [*lines]
    at = first.lineno - 2
    inside = [line and f"    {line}" for line in squeezed([*lines[at:]])]
    definition = "    async def scenario():"
    return [*lines[:at], definition, *inside, "", f"    {RUN}"]


def _without_repeated_asserts(lines: Sequence[str]) -> list[str]:
    """Returns the lines without assertions that stand there already, since nothing was done in
    between, and without values that a variable for them has: an example shows a whole object and
    then its parts."""
    tree = parsed("\n".join(["if True:", *lines, "    pass"]))
    whole = tree.body[0] if isinstance(tree, ast.Module) else None
    body = whole.body[:-1] if isinstance(whole, ast.If) else []
    left_out: set[int] = set()
    asserted: set[str] = set()
    values: dict[str, str] = {}
    for node in body:
        source = ast.unparse(node)
        named = _named_literal(node)
        if source in asserted or (named and values.get(named) == source):
            left_out.update(range(node.lineno - 2, (node.end_lineno or node.lineno) - 1))
        elif _only_looks(node):
            asserted.add(source)
        elif named:
            values[named] = source
            asserted = {one for one in asserted if not re.search(rf"\b{named}\b", one)}
        else:
            asserted.clear()
            values.clear()
    return [line for at, line in enumerate(lines) if at not in left_out]


def _named_literal(node: ast.stmt) -> str:
    """Returns the variable that a statement gives a literal to, "" of all else."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_literal(value):
            return name
    return ""


def _without_idle_reads(lines: Sequence[str]) -> list[str]:
    """Returns the lines without reads of the standard streams that only empty them, where they
    are empty: nothing ran since they were read."""
    kept: list[str] = []
    empty = False
    for line in lines:
        if line != DRAIN or not empty:
            kept.append(line)
        looks = not line or re.match(r"    assert .* in captured\.", line) is not None
        empty = DRAIN.strip() in line or (empty and looks)
    return kept


def _only_looks(node: ast.stmt) -> bool:
    """Whether a statement asserts something of a value without a call, which may change
    something, but of what says it."""
    if not isinstance(node, ast.Assert) or not isinstance(node.test, ast.Compare):
        return False
    calls = (one for one in ast.walk(node.test.left) if isinstance(one, ast.Call))
    return all(isinstance(one.func, ast.Name) and one.func.id in SAYING for one in calls)


def _is_repeated(check: StepCheck, defined: dict[str, str]) -> bool:
    """Whether an earlier example of the test has the same definition of a function or class."""
    if check.form != "none":
        return False
    node = ast.parse(check.expression).body[0]
    if not isinstance(node, FunctionNode | ast.ClassDef):
        return False
    known = defined.get(node.name)
    defined[node.name] = check.expression
    return known == check.expression


def _row_body(plan: PlannedTest) -> list[str]:
    if plan.check.form == "says":
        return saying(plan.template, plan.check, "expected")
    if plan.check.raised is not None:
        return raising(plan.template, plan.check)
    if all(row.expected in ("True", "False") for row in plan.rows):
        return statement("assert ", plan.template, " is expected")
    return statement("assert ", plan.template, " == expected")


def _surroundings(
    member: Verified, fixtures: list[str], imports: set[str], content: str = ""
) -> list[str]:
    """Returns the lines that make the folder, the command line and the input of a placed case; the
    column `content` has what its file holds."""
    case = member.case
    if not case.placed:
        return []
    lines: list[str] = []
    fixtures.append("monkeypatch")
    if case.folder or case.files or any(check.files for check in member.checks):
        fixtures.append("tmp_path")
        lines.append("    monkeypatch.chdir(tmp_path)")
        lines += ['    monkeypatch.setenv("HOME", str(tmp_path))'] * case.home
        for folder in dict.fromkeys(name.rpartition("/")[0] for name in case.files):
            parents = "parents=True, exist_ok=True" if "/" in folder else ""
            lines += [f"    (tmp_path / {requoted(repr(folder))}).mkdir({parents})"] * bool(folder)
        for name, text in case.files.items():
            place = f"(tmp_path / {requoted(repr(name))})"
            lines += statement("", f"{place}.write_text({content or repr(text)}, encoding='utf-8')")
    lines += ['    monkeypatch.setenv("PATH", "")'] * case.alone
    lines += [*_pauses(member, imports), *_connection(case.connects, imports)]
    if case.argv is not None:
        lines += statement("", f"monkeypatch.setattr('sys.argv', {list(case.argv)!r})")
    if case.stdin:
        kinds = ("BytesIO", "TextIOWrapper") if case.binary else ("StringIO",)
        imports.update(f"from io import {kind}" for kind in kinds)
        stream = f"StringIO({case.stdin!r})"
        if case.binary:
            stream = f"TextIOWrapper(BytesIO({case.stdin.encode()!r}), encoding='utf-8')"
        lines += statement("", f"monkeypatch.setattr('sys.stdin', {stream})")
    return lines


def _pauses(member: Verified, imports: set[str]) -> list[str]:
    """Returns the lines by which a test waits for nothing: the time that passes for the program is
    that for which it would have waited."""
    awake = member.case.awake
    kinds = {kind for _, kind in awake}
    looked_at = any(check.expression in SLEPT_LOOKS for check in member.checks)
    noted = looked_at or TELLS in kinds
    lines = [f"    {NOT_SLEPT}"] * noted
    by = {SLEEPS: f"{SLEPT}.append" if noted else "lambda seconds: None"}
    by |= {WAITS: PASSING, TELLS: f"lambda: sum({SLEPT})"}
    if WAITS in kinds:
        imports.add("import asyncio")
        lines += ["", f"    async def {PASSING}(seconds, wait=asyncio.sleep):"]
        lines += [f"        {SLEPT}.append(seconds)"] * noted
        lines += ["        await wait(0)", ""]
    for name, kind in awake:
        if kind in by:
            lines += statement("", f'monkeypatch.setattr("{name}", {by[kind]})')
    return lines


def _connection(names: Sequence[str], imports: set[str]) -> list[str]:
    """Returns the lines by which a test connects to nobody, and notes what is sent."""
    if not names:
        return []
    imports |= {"from unittest.mock import MagicMock", "import io"}
    lines = [f"    {NOT_SENT}", f"    {CONNECTION} = MagicMock()"]
    for name in names:
        if name in METHODS:
            lines += statement("", f"{CONNECTION}.{name}.side_effect = {METHODS[name]}")
        else:
            lines += statement("", f"monkeypatch.setattr({name!r}, {FUNCTIONS[name]})")
    return lines
