"""Says in a sentence what several calls give: each by itself, or by what differs between them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.search.dullness import BEGUN_WITH
from pytest_lift.agents.offline.writing.grouping import (
    ERROR,
    MESSAGE,
    NAME,
    OPTIONS,
    PARTS,
    VALUE,
    ParametrizedRow,
    PlannedTest,
)
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.pairs import compared
from pytest_lift.agents.offline.writing.sentences import RAISES, error_words
from pytest_lift.agents.offline.writing.told import Told, Wording, assigned
from pytest_lift.agents.offline.writing.values import listed, value_words

MOST_NAMES = 8
MOST_REFUSED = 3
"""Most rows of a table of errors that are told one by one, where a docstring has room for them."""
MOST_EACH, MOST_SHORT = 4, 8
"""Most calls that are told in full, one after another, and most of a table that are told by what
differs between them."""

LONGEST_GIVEN = 48
"""Most characters of the arguments of a row that is told as an example, where there are several."""
LONGEST_CELL = 24
"""Most characters of what a row holds, for the rows to be told one after another."""

WORD = re.compile(r"[^\W\d_]{3,}")
"""Word by which a long text is told."""
CLASS = re.compile(r"(\w+\.)*[A-Z]\w*[a-z]\w*")
"""Name of a class."""
MOST_TRIED = 4
"""Most sentences of each case that are tried beside those of the others."""

Sentences = Callable[[Verified], Sequence[str]]
"""Sentences of one case, as if it were a test of its own."""


def several_sentences(
    general: str, plan: PlannedTest, words: Wording, alone: Sentences
) -> Iterator[str]:
    """Yields sentences that tell each row of a table, or each of several calls that are asserted
    one after another."""
    raised = next((check for check in plan.first.checks if check.raised), None)
    if plan.refuses:
        yield from _refusals(plan, words)
        return
    if plan.content:
        yield from _of_files(plan, words, alone)
        return
    if plan.form == "table" and raised is None and _setting(plan) is not None:
        yield from _of_set(plan, words)
        return
    if plan.form == "table" and any(f"for part in {PARTS}" in one.expected for one in plan.steps):
        calls = (words.call(one.expression) for one in plan.steps)
        given = plan.rows[0].arguments[0][0]
        yield f"For each {given}, {listed([*calls])} gives the attributes that parts names"
        return
    if plan.form == "table" and (names := _names(general, [dict(r.arguments) for r in plan.rows])):
        yield from _named_sentences(names, plan, words, raised)
        return
    alone_in_line = all(len(member.checks) == 1 for member in plan.members)
    if raised is not None and plan.rows and alone_in_line:
        yield from _refused(general, plan, raised, words)
    classes = _classes(plan)
    if classes:
        others = [n for n in classes if not re.search(rf"\b{n}\b", plan.first.case.source)]
        yield from (f"{one}; so it is for {listed(others)}" for one in alone(plan.first) if others)
        return
    if plan.form == "rows" and raised is None:
        yield from _given(general, plan)
    if len(plan.rows) > MOST_EACH and raised is None:
        yield from _by_rows(general, plan, words)
    if plan.form == "table" and raised is None:
        yield from _of_rows(plan, alone)
        long = any(len(value) > LONGEST_CELL for row in plan.rows for _, value in row.arguments)
        if long or (len(plan.rows) > MOST_EACH and len(plan.steps) > 1):
            yield from _by_columns(plan, alone)
    if plan.form != "table" or len(plan.rows) == len(plan.members):
        yield from _every(plan, alone)
    checks = [check for one in plan.members for check in one.checks]
    if raised is None and len(checks) == len(plan.members) and len(plan.rows) <= MOST_EACH:
        yield from compared(checks, words)


def shared_sentences(plan: PlannedTest, words: Wording, alone: Sentences) -> Iterator[str]:
    """Yields sentences of a table whose rows are too many to be told: what all of them do, and one
    of them as an example."""
    if not plan.rows:
        return
    given = " and ".join(_columns(plan))
    raised = next((check for check in plan.first.checks if check.raised), None)
    asserted = [check for check in plan.steps if check.form != "none"]
    form = plan.template or (asserted[0].expression if len(asserted) == 1 else "")
    calls = words.calls(form) if form else []
    if raised is not None and raised.raised is not None:
        said = f": {raised.match}" if raised.match else ""
        yield from (f"{call} raises {raised.raised.type} for each {given}{said}" for call in calls)
    else:
        results = {row.expected or dict(row.arguments).get("expected", "") for row in plan.rows}
        same = value_words(*results) if len(results) == 1 else ""
        gives = same or "what is expected"
        general = [f"{call} gives {gives} for each {given}" for call in calls]
        if same:
            yield from general
            return
        such = _such_as(plan)
        yield from (f"{one}{such}" for one in general if such)
        yield from general
        if plan.form == "table":
            yield from _by_columns(plan, alone)
    yield from (f"{one}, and each other {given} what is expected" for one in alone(plan.first))


def _such_as(plan: PlannedTest) -> str:
    """Returns ``, such as 'I' for 1`` of the shortest row of a table; "" where all are long."""
    texts = [text for row in plan.rows for _, text in row.arguments]
    pairs = [pair for row in plan.rows if (pair := _given_and_expected(row, texts)) is not None]
    if not pairs:
        return ""
    said, expected = min(
        pairs,
        key=lambda pair: (pair[0] in BEGUN_WITH, pair[0] == pair[1], len("".join(pair))),
    )
    return f", such as {value_words(expected)} for {said}"


def _given_and_expected(row: ParametrizedRow, texts: Sequence[str]) -> tuple[str, str] | None:
    """Returns the arguments of a row, and what is expected for them; None where they are many. A
    long one is told by what it alone of the `texts` of all rows has."""
    given = dict(row.arguments)
    expected = row.expected or given.pop("expected", "")
    said = listed([*given.values()])
    if len(given) == 1 and len(said) > LONGEST_GIVEN:
        said = _with_own_word(said, texts) or said
    short = len(given) == 1 or len(said) <= LONGEST_GIVEN
    return (said, expected) if short and value_words(expected) else None


def _with_own_word(text: str, texts: Sequence[str]) -> str:
    """Returns ``a text with 'Windows'`` of a long literal, by the longest word that none of the
    others has; "" where there is none."""
    if text[:1] not in "'\"":
        return ""
    others = {word for one in texts if one != text for word in WORD.findall(one)}
    own = [word for word in WORD.findall(text) if word not in others]
    return f"a text with {max(own, key=len)!r}" if own else ""


def _of_files(plan: PlannedTest, words: Wording, alone: Sentences) -> Iterator[str]:
    """Yields ``With the text of each row in a.ini, load('a.ini') raises ParseError`` of a table of
    what a file holds."""
    given = f"With the {plan.content} of each row in {listed([*plan.first.case.files])},"
    *_, check = plan.steps
    if check.raised is not None:
        yield from (f"{given} {one} {error_words(check)}" for one in words.calls(check.expression))
        return
    for one in alone(replace(plan.first, checks=plan.steps)):
        told = re.sub(r"\b(is|gives) expected\b", r"\1 what is expected", continued(one))
        yield f"{given} {told}"


def _setting(plan: PlannedTest) -> int | None:
    """Returns which step of a table sets the attribute of its row; None where none does."""
    setting = (n for n, one in enumerate(plan.steps) if one.expression.startswith("setattr("))
    return next(setting, None)


def _of_set(plan: PlannedTest, words: Wording) -> Iterator[str]:
    """Yields ``After an attribute of Box() is set to the value of its row, str(box) gives what is
    expected, such as '<size>1</size>' for size = 1`` of a table of attributes."""
    at = _setting(plan) or 0
    made = assigned(plan.steps[0].expression) if at == 1 else None
    owner = f" of {made[1]}" if made is not None and len(made[1]) <= LONGEST_GIVEN else ""
    looks = [one for one in plan.steps if one.form != "none"]
    told = [words.call(one.expression) for one in looks]
    asserted = [f"str({one})" if one.isidentifier() else one for one in told]
    verb = "gives" if len(asserted) == 1 else "give"
    columns = dict(plan.rows[0].arguments)
    same = value_words(looks[0].expected) if len(looks) == 1 and "expected" not in columns else ""
    begin = f"After an attribute{owner} is set to the value of its row"
    general = f"{begin}, {listed(asserted)} {verb} {same or 'what is expected'}"
    if such := _such_as_set(plan):
        yield f"{general}{such}"
    yield general


def _such_as_set(plan: PlannedTest) -> str:
    """Returns ``, such as '<size>1</size>' for size = 1`` of the shortest row of a table of
    attributes; "" of another one."""
    rows = [dict(row.arguments) for row in plan.rows]
    if any(row.keys() != {NAME, VALUE, "expected"} for row in rows):
        return ""
    row = min(rows, key=lambda one: len("".join(one.values())))
    name = row[NAME].strip("'")
    return f", such as {value_words(row['expected'])} for {name} = {row[VALUE]}"


def _columns(plan: PlannedTest) -> list[str]:
    """Returns the columns that are given to the program, not expected of it."""
    text = "\n".join(check.expression for check in plan.steps) or plan.template
    used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    names = [name for name, _ in plan.rows[0].arguments]
    given = [name for name in names if name in used or name == "name"] or names
    return ["class" if name == "cls" else name.strip("_") for name in given]


def _classes(plan: PlannedTest) -> list[str]:
    """Returns the classes of a table whose rows differ in nothing else."""
    columns = [[name for name, _ in row.arguments] for row in plan.rows]
    if not columns or any(names not in (["cls"], ["function"]) for names in columns):
        return []
    return [row.arguments[0][1] for row in plan.rows]


def _every(plan: PlannedTest, alone: Sentences) -> Iterator[str]:
    """Yields the sentences of a few cases beside each other."""
    if len(plan.members) > MOST_EACH:
        return
    sentences = [alone(one) for one in plan.members]
    for at in range(MOST_TRIED):
        told = [some[at] for some in sentences if len(some) > at]
        calls = {re.split(" (?:gives|is|makes|has|raises) ", one)[0] for one in told}
        if len(calls) == len(plan.members):
            first, *others = told
            apart = any(one.startswith(("With ", "After ", "For ")) for one in told)
            apart = apart or any(RAISES.search(one) for one in told[:-1])
            yield "; ".join([first, *map(continued, others)]) if apart else listed(told)


def continued(sentence: str) -> str:
    """Returns a sentence as it goes on after another one."""
    begin, blank, rest = sentence.partition(" ")
    return f"{begin.lower() if begin in ('With', 'After', 'For') else begin}{blank}{rest}"


def _of_rows(plan: PlannedTest, alone: Sentences) -> Iterator[str]:
    """Yields ``After insert('a', at) on Stack(), stack.size is 1 for at 0 and 2`` of a table, the
    rows of which all expect the same."""
    names = [name for name, _ in plan.rows[0].arguments]
    if len(names) != 1 or names != _columns(plan):
        return
    given = listed([row.arguments[0][1] for row in plan.rows])
    for one in alone(replace(plan.first, checks=plan.steps)):
        if re.search(rf"\b{names[0]}\b", one) and f" {names[0]} {names[0]}" not in one:
            said = re.sub(rf"\bis {names[0]}\b", f"is that {names[0]}", one)
            yield f"{said} for {names[0]} {given}"


def _by_columns(plan: PlannedTest, alone: Sentences) -> Iterator[str]:
    """Yields ``In each row, with v = Schema(rules), v.errors is errors`` of a table whose rows are
    too long, or too many, to be told one after another."""
    columns = {name for name, _ in plan.rows[0].arguments}
    named = [
        re.sub(r"\b(is|gives) expected\b", r"\1 what is expected", continued(one))
        for one in alone(replace(plan.first, checks=plan.steps))
        if all(re.search(rf"\b{name}\b", one) for name in columns)
    ]
    for told in [one for one in named if "what is expected" in one] or named:
        such = _such_as(plan) if "what is expected" in told else ""
        yield from dict.fromkeys((f"In each row, {told}{such}", f"In each row, {told}"))


def _given(general: str, plan: PlannedTest) -> Iterator[str]:
    """Yields ``to_roman gives 'I' for 1 and 'IV' for 4`` of calls with one argument that is all
    there is to them."""
    plain = (
        plan.template.count(",") == 0
        and len(plan.rows) <= MOST_EACH
        and plan.template.startswith(f"{general}(")
    )
    if plain and len(plan.rows[0].arguments) == 1:
        given: dict[str, list[str]] = {}
        for row in plan.rows:
            given.setdefault(value_words(row.expected), []).append(row.arguments[0][1])
        pairs = [f"{result} for {listed(some)}" for result, some in given.items()]
        apart = len(pairs) > 1 and len(pairs) < len(plan.rows)
        yield f"{general} gives {'; '.join(pairs) if apart else listed(pairs)}"


def _by_rows(general: str, plan: PlannedTest, words: Wording) -> Iterator[str]:
    """Yields ``zone gives 32 for (56, 3) and 31 for (72, 1)`` of a table of one call, the arguments
    of rows that expect the same together."""
    asserted = [check for check in plan.steps if check.form != "none"]
    plain = len(asserted) == len(plan.steps) == 1 and asserted[0].form in ("equals", "is")
    form = plan.template or (asserted[0].expression if plain else "")
    given: dict[str, list[str]] = {}
    for row in plan.rows[: MOST_SHORT + 1] if form else ():
        values = dict(row.arguments)
        result = value_words(row.expected or values.pop("expected", ""))
        said = ", ".join(values.values())
        given.setdefault(result, []).append(f"({said})" if len(values) > 1 else said)
    if not given or "" in given or len(plan.rows) > MOST_SHORT:
        return
    names = ", ".join(name for name, _ in plan.rows[0].arguments if name != "expected")
    pairs = [f"{result} for {listed(some)}" for result, some in given.items()]
    together = "; ".join(pairs) if any(len(some) > 1 for some in given.values()) else listed(pairs)
    for call in [general] if form == f"{general}({names})" else words.calls(form):
        yield f"{call} gives {together}"


def _refused(general: str, plan: PlannedTest, check: StepCheck, words: Wording) -> Iterator[str]:
    """Yields sentences like ``loads(text) raises ValueError for '[' and ']'``."""
    one_argument = len(plan.rows[0].arguments) == 1
    form = plan.template or next(one.expression for one in plan.steps if one.raised)
    same = _say_the_same(plan)
    ends = error_words(check) if same else _common_words(check)
    kind, sign, said = ends.partition(":") if same else (ends, "", "")
    if one_argument:
        given = [row.arguments[0][1] for row in plan.rows]
        for call in words.calls(form):
            yield f"{call} {kind} for {listed(given)}{sign}{said}"
            kinds = "classes" if all(map(CLASS.fullmatch, given)) else "values"
            yield f"{call} {kind} for {kinds} like {given[0]}{sign}{said}"
        return
    calls = [words.call(member.checks[0].expression) for member in plan.members]
    yield f"{listed(calls)} raise {ends.partition(' ')[2]}"


def _refusals(plan: PlannedTest, words: Wording) -> Iterator[str]:
    """Yields ``Each of these options makes Table(**options) raise ValueError with the message of
    its row`` of a table of errors; first each call by itself, where these are few."""
    *setup, check = plan.steps
    assert check.raised is not None
    yield from _each_refused(plan, words)
    columns = [name for name, _ in plan.rows[0].arguments]
    kind = "the error of its row" if ERROR in columns else check.raised.type
    ends = f"raises {kind}"
    if MESSAGE in columns:
        ends += " with its message" if ERROR in columns else " with the message of its row"
    elif check.match:
        ends += f": {check.match}"
    premise = f"With {setup[0].expression}, " if setup else ""
    begin = "each of these options makes" if premise else "Each of these options makes"
    if OPTIONS in columns:
        ends = "raise" + ends.removeprefix("raises")
        yield from (f"{premise}{begin} {call} {ends}" for call in words.calls(check.expression))
    elif check.expression.startswith("setattr("):
        owner = plan.first.case.symbol
        made = setup[0].expression.endswith(f"{owner}()") if setup else True
        begin = "Setting" if made else f"{premise}setting"
        yield f"{begin} any of these attributes of {owner} to its value {ends}"
    else:
        given = listed([name.strip("_") for name in columns if name not in (MESSAGE, ERROR)])
        form = check.expression
        calls = [f"setting {form}"] if " = " in form else words.calls(form)
        for call in calls:
            text = f"{premise}for each {given}, {call} {ends}"
            yield text[:1].upper() + text[1:]


def _each_refused(plan: PlannedTest, words: Wording) -> Iterator[str]:
    """Yields ``read('a') raises ValueError: is no number; read(1) raises TypeError: is no text`` of
    a table of a few errors."""
    if len(plan.rows) > MOST_REFUSED:
        return
    *setup, _ = plan.steps
    told = []
    for row, member in zip(plan.rows, plan.members, strict=False):
        given, check = dict(row.arguments), member.checks[-1]
        call = words.call(check.expression)
        said = replace(check, match=_matched(given[MESSAGE])) if MESSAGE in given else check
        told += [f"{call} {error_words(said)}"] if call else []
    if len(told) == len(plan.rows):
        premise = f"With {setup[0].expression}, " if setup else ""
        yield f"{premise}{'; '.join(told)}"


def _matched(pattern: str) -> str:
    """Returns the text that a pattern in the source of a table matches."""
    return re.sub(r"\\(\W)", r"\1", ast.literal_eval(pattern))


def _say_the_same(plan: PlannedTest) -> bool:
    """Whether the errors of all cases have one message."""
    raised = (check.raised for one in plan.members for check in one.checks)
    return len({one.message for one in raised if one is not None}) == 1


def _common_words(check: StepCheck) -> str:
    """Returns ``raises KeyError with 'no such key'`` of errors that have nothing else in common."""
    assert check.raised is not None
    said = f" with {check.match!r}" if check.match and not check.blank else ""
    return f"raises {check.raised.type}{said}"


def _named_sentences(
    names: Sequence[str], plan: PlannedTest, words: Wording, raised: StepCheck | None
) -> Iterator[str]:
    """Yields sentences of methods or properties that do the same for one object."""
    for shown in (names[:MOST_NAMES], names[:3], names[:2]):
        such = "" if len(shown) == len(names) else "names such as "
        yield from _of_names(shown, such, plan, words, raised)


def _of_names(
    shown: Sequence[str], such: str, plan: PlannedTest, words: Wording, raised: StepCheck | None
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
            yield from (
                f"{such}{listed(shown)}{owner} {verb} {raised.raised.type}{e}" for e in ends
            )
            continue
        checks = [check for check in plan.steps if check.form != "none"]
        if len(checks) == 1 and (gives := _given_by_each(checks[0])):
            yield f"{such}{listed(shown)}{owner} {gives}"
            continue
        if facts := [fact for check in checks if (fact := _fact_of_each(check))]:
            either = " or ".join([", ".join(shown[:-1]), shown[-1]] if shown[1:] else shown)
            yield f"After {such}{either}{owner}, {listed(facts[:2])}"
            yield f"After {such}{either}{owner}, {facts[0]}"


def _fact_of_each(check: StepCheck) -> str:
    """Returns ``job.unit is 'weeks'`` or ``event.mark has line 1`` of a check that each row has; ""
    for another one."""
    values = [(name, value_words(value)) for name, value in check.attributes]
    if values:
        told = listed([f"{name} {value}" for name, value in values])
        return f"{check.expression} has {told}" if all(value for _, value in values) else ""
    result = "that name" if check.expected == "name" else value_words(check.expected)
    return f"{check.expression} is {result}" if result and check.form in ("equals", "is") else ""


def _given_by_each(check: StepCheck) -> str:
    """Returns ``give 1`` of a check of what each method gives, ``give objects whose str() is 'a'``
    of its text; "" for another one."""
    result = value_words(check.expected)
    if not re.match(r"getattr\(\w+, name\)\(", check.expression) or not result:
        return ""
    gives = {"text": "give objects whose str() is", "equals": "give"}.get(check.form)
    return f"{gives} {result}" if gives else ""


def _names(general: str, rows: Sequence[Mapping[str, str]]) -> list[str]:
    """Returns the methods of a table of names of methods, ``general`` being the first and others;
    nothing for another table."""
    names = list(dict.fromkeys(row.get("name", "").strip("'") for row in rows))
    leaf = general.rpartition(".")[2]
    return names if names[0] and leaf.startswith(f"{names[0]}_and_") else []
