"""Says in a sentence what the rows of a table share: one of them, and how many more there are."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from pytest_lift.agents.offline.writing.grouping import PlannedTest
from pytest_lift.agents.offline.writing.oracles import StepCheck, Verified
from pytest_lift.agents.offline.writing.told import Told, Wording
from pytest_lift.agents.offline.writing.values import SPOKEN, listed, value_words
from pytest_lift.source.syntax import parsed_expression

MOST_NAMES = 8
LONGEST_SHOWN = 108
"""Most characters of the sentence of one row, to stand before how many more there are."""
TELLS_LITTLE = frozenset({*SPOKEN, "None", "0", "False"})

Sentences = Callable[[Verified], Sequence[str]]
"""Sentences of one case, as if it were a test of its own."""


def several_sentences(
    general: str, plan: PlannedTest, words: Wording, alone: Sentences
) -> Iterator[str]:
    """Yields sentences of a table, or of several calls that are asserted one after another."""
    raised = next((check for check in plan.first.checks if check.raised), None)
    if plan.form == "table" and (names := _names(general, [dict(r.arguments) for r in plan.rows])):
        yield from _named_sentences(names, plan, words, raised)
        return
    if raised is not None and plan.form == "rows":
        yield from _refused(general, plan, raised, words)
    count = len(plan.rows) or len(plan.members)
    told = sorted(plan.members, key=lambda one: _weight(one, alone))
    classes = _classes(plan)
    if not classes and (plan.form != "table" or len(plan.rows) == len(plan.members)):
        yield from _every(plan, alone)
    if plan.form == "rows" and raised is None:
        yield from _given(general, plan)
    rest = f"{count - 1} more {'rows' if plan.rows else 'calls'}"
    rest = rest if count > 2 else rest.rstrip("s")
    vary = f" {'vary' if count > 2 else 'varies'} {listed(_columns(plan))}" if plan.rows else ""
    tail = f"; {rest}{vary or (' have' if count > 2 else ' has') + ' other arguments'}"
    for one in told:
        others = [name for name in classes if not re.search(rf"\b{name}\b", one.case.source)]
        tail = f"; so it is for {listed(others)}" if others else tail
        for sentence in alone(one):
            if len(sentence) <= LONGEST_SHOWN:
                yield f"{sentence}{tail}"
                yield f"{sentence} ({rest})"
    if plan.template and raised is None:
        for call in words.calls(plan.template, LONGEST_SHOWN):
            yield f"{call} gives what each of {count} rows expects"


def _columns(plan: PlannedTest) -> list[str]:
    """Returns the columns that are given to the program, not expected of it."""
    text = "\n".join(check.expression for check in plan.steps) or plan.template
    used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    names = [name for name, _ in plan.rows[0].arguments]
    given = [name for name in names if name in used or name == "name"] or names
    return ["the class" if name == "cls" else name.strip("_") for name in given]


def _classes(plan: PlannedTest) -> list[str]:
    """Returns the classes of a table whose rows differ in nothing else."""
    columns = [[name for name, _ in row.arguments] for row in plan.rows]
    if not columns or any(names != ["cls"] for names in columns):
        return []
    return [row.arguments[0][1] for row in plan.rows]


def _weight(item: Verified, alone: Sentences) -> tuple[bool, int]:
    """Returns what orders cases by how well they stand for others: a telling result, few words."""
    check = next(c for c in item.checks if c.form != "none")
    little = check.expected in TELLS_LITTLE
    odd = "\\" in check.expression
    return little, len(next(iter(alone(item)), " " * 200)) + 40 * odd


def _every(plan: PlannedTest, alone: Sentences) -> Iterator[str]:
    """Yields the sentence of two or three cases beside each other."""
    if len(plan.members) <= 3:
        for at in range(2):
            told = [alone(one)[at : at + 1] for one in plan.members]
            calls = {re.split(" gives | is ", one)[0] for (one,) in filter(None, told)}
            if all(told) and len(calls) == len(told):
                yield listed([one for (one,) in told])


def _given(general: str, plan: PlannedTest) -> Iterator[str]:
    """Yields ``to_roman gives 'I' for 1 and 'IV' for 4`` of calls with one argument that is all
    there is to them."""
    pairs = []
    for member in plan.members:
        node = parsed_expression(member.checks[0].expression)
        plain = plan.template.count(",") == 0 and plan.template.startswith(f"{general}(")
        arguments = next((row.arguments for row in plan.rows), ())
        if node is None or len(arguments) != 1 or not plain:
            return
    for row in plan.rows:
        pairs.append(f"{value_words(row.expected)} for {row.arguments[0][1]}")
    for count in (len(pairs), 3, 2):
        if count <= min(len(pairs), 4):
            more = f" (and {len(pairs) - count} more)" if count < len(pairs) else ""
            yield f"{general} gives {listed(pairs[:count])}{more}"


def _refused(general: str, plan: PlannedTest, check: StepCheck, words: Wording) -> Iterator[str]:
    """Yields sentences of inputs that are refused: three of them, and how many more there are."""
    assert check.raised is not None
    one_argument = len(plan.rows[0].arguments) == 1
    calls = [words.call(member.checks[0].expression) for member in plan.members]
    given = [row.arguments[0][1] for row in plan.rows] if one_argument else calls
    same = one_argument and plan.template.count(",") == 0
    said = f": {check.match}" if check.match else ""
    given = sorted(given if same else calls, key=lambda one: ("\\" in one, len(one)))
    for count in (len(given), 3, 2, 1):
        if count > min(4, len(given)):
            continue
        left = len(given) - count
        shown = [*given[:count], *([f"{left} more"] if left else [])]
        if same:
            yield f"{general} refuses {listed(shown)}{said}"
        else:
            verb = "raises" if len(shown) == 1 else "raise"
            yield f"{listed(shown)} {verb} {check.raised.type}{said}"


def _named_sentences(
    names: Sequence[str], plan: PlannedTest, words: Wording, raised: StepCheck | None
) -> Iterator[str]:
    """Yields sentences of methods or properties that do the same for one object."""
    for shown in (names[:MOST_NAMES], names[:3], names[:2]):
        left = len(names) - len(shown)
        yield from _of_names([*shown, *([f"{left} more"] if left else [])], plan, words, raised)


def _of_names(
    shown: Sequence[str], plan: PlannedTest, words: Wording, raised: StepCheck | None
) -> Iterator[str]:
    told = Told(plan.first, words)
    maker = told.subject.rpartition(".")[0] or told.owner
    whose = dict.fromkeys((f" of {maker}", f" of {told.owner}" if told.owner else ""))
    for owner in whose:
        if raised is not None and raised.raised is not None:
            matches = [(c.match, c.blank) for c in plan.steps if c.raised]
            said = matches[0][0].replace("{}", f"{{{matches[0][1]}}}") if matches else ""
            ends = (f": {said}", "") if said else ("",)
            verb = "raises" if len(shown) == 1 else "raise"
            yield from (f"{listed(shown)}{owner} {verb} {raised.raised.type}{e}" for e in ends)
            continue
        checks = [check for check in plan.steps if check.form != "none"]
        facts = [
            f"{check.expression} is "
            + ("that name" if check.expected == "name" else value_words(check.expected))
            for check in checks
            if check.form in ("equals", "is") and value_words(check.expected)
        ]
        if facts:
            either = " or ".join([", ".join(shown[:-1]), shown[-1]] if shown[1:] else shown)
            yield f"After {either}{owner}, {listed(facts[:2])}"
            yield f"After {either}{owner}, {facts[0]}"


def _names(general: str, rows: Sequence[Mapping[str, str]]) -> list[str]:
    """Returns the methods of a table of names of methods, ``general`` being the first and others;
    nothing for another table."""
    names = list(dict.fromkeys(row.get("name", "").strip("'") for row in rows))
    leaf = general.rpartition(".")[2]
    return names if names[0] and leaf.startswith(f"{names[0]}_and_") else []
