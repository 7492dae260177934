"""Joins tests of one shape: the same code for several classes, names or values becomes a table."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from pytest_lift.agents.offline.joining.inlining import put
from pytest_lift.agents.offline.joining.skeletons import (
    Hole,
    Holes,
    Skeleton,
    expectations_of,
    skeleton_of,
)
from pytest_lift.agents.offline.natural.objects.variables import variable_for
from pytest_lift.agents.offline.writing.grouping import (
    RESERVED,
    ParametrizedRow,
    PlannedTest,
    answering,
    made_of,
)
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.words import trimmed
from pytest_lift.assertions.substance import tells_an_error
from pytest_lift.calls.names import BUILTINS
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.special_methods import WORDS

MOST_COLUMNS, MANY_COLUMNS = 3, 5
"""Most columns of a table, and of one with many rows."""
MANY_ROWS = 4
LEAST_NAMES = 3
"""Fewest tests that differ in the name of a method or property that are worth ``getattr``."""
LONGEST_ROW, LONGEST_OF_MANY = 150, 450
"""Most characters of a row, a line or two, and of one of many tests: written out one by one they
would be read as often as they repeat what they share."""
LEAST_MATCH = 14
RESULT, ANY_OBJECT = "result", "instance"
"""Names of what any call gives, and of the objects of several classes."""
NAMING = ("name", "attribute", "class", "value", "expected")
"""Kinds of holes, that which names a column best first."""


def joined(
    plans: Sequence[PlannedTest], targets: dict[str, Target], repeats: bool = False
) -> list[PlannedTest]:
    """Returns the plans, with one table for those of one shape, and one for the doubtful ones of
    it, at the place of the first.

    `repeats` is whether a row stays that expects and executes the same as another one: a value may
    stand there because of a mutant.
    """
    parameters = _parameter_names(targets)
    shapes = [skeleton_of(plan, parameters, targets) for plan in plans]
    result: list[PlannedTest | None] = list(plans)
    apart = answering(targets)
    for keyed, fewest in KEYS:
        groups: dict[tuple[object, ...], list[int]] = {}
        for at, shape in enumerate(shapes):
            if shape is not None and (key := keyed(shape)) is not None:
                groups.setdefault(key, []).append(at)
        for members in groups.values():
            found = {at: shape for at in members if (shape := shapes[at]) is not None}
            if len(found) >= fewest and not repeats:
                told = _telling([*found.values()])
                for at in [at for at, one in found.items() if one not in told]:
                    result[at] = shapes[at] = None
                    del found[at]
            for doubtful in (False, True):
                part = {at: one for at, one in found.items() if one.doubtful is doubtful}
                short = _of_short_rows([*part.values()])
                places = [at for at, one in part.items() if one in short]
                table = _table(short) if len(short) >= fewest else None
                cells = (one for row in table.rows for _, one in row.arguments) if table else ()
                if table is not None and not made_of(cells, apart):
                    for at in places:
                        result[at] = shapes[at] = None
                    result[places[0]] = table
    return [plan for plan in result if plan is not None]


def _by_class_and_value(shape: Skeleton) -> tuple[object, ...]:
    return (shape.key, shape.values("name"), shape.values("attribute"), shape.match)


def _by_attribute(shape: Skeleton) -> tuple[object, ...] | None:
    """Returns the same key for tests that set one attribute each, of objects that are made alike,
    and look at the same."""
    if len(shape.values("attribute")) != 1:
        return None
    return (shape.key, shape.values("class"), shape.values("name"), shape.match)


def _by_name(shape: Skeleton) -> tuple[object, ...]:
    names = set(shape.values("name"))
    fails = any(check.raised for check in shape.plan.first.checks)
    kinds = ("class",) if fails else ("class", "value", "expected")
    same = [h.source for h in shape.holes if h.kind in kinds and h.source not in names]
    match = shape.match
    for name in names:
        match = match.replace(name.strip("'"), "<name>")
    return (shape.key, tuple(same), shape.values("attribute"), match)


KEYS: Sequence[tuple[Callable[[Skeleton], tuple[object, ...] | None], int]] = (
    (_by_class_and_value, 2),
    (_by_attribute, LEAST_NAMES),
    (_by_name, LEAST_NAMES),
)
"""What tests of one table have in common, and how many of them are worth one."""


def _parameter_names(targets: dict[str, Target]) -> dict[str, list[str]]:
    """Returns name of a function, class or method -> names of its parameters, where unambiguous."""
    found: dict[str, list[list[str]]] = {}
    for target in targets.values():
        name = target.call if target.kind in ("function", "constructor") else target.leaf
        names = [p.name for p in target.parameters if p.kind.startswith("positional")]
        found.setdefault(name, []).append(names)
    return {
        name: several[0] for name, several in found.items() if all(s == several[0] for s in several)
    }


def _of_short_rows(shapes: Sequence[Skeleton]) -> list[Skeleton]:
    """Returns the tests whose rows, of what differs between them, are a line or two."""
    rows = [[hole.source for hole in shape.holes] for shape in shapes]
    same = [len({*column}) == 1 for column in zip(*rows, strict=True)]
    lengths = [
        sum(
            len(one)
            for one in {source for source, plain in zip(row, same, strict=True) if not plain}
        )
        for row in rows
    ]
    most = LONGEST_OF_MANY if len(shapes) >= MANY_ROWS else LONGEST_ROW
    return [one for one, length in zip(shapes, lengths, strict=True) if length <= most]


def _table(shapes: Sequence[Skeleton]) -> PlannedTest | None:
    """Returns one plan for tests of one shape, or None if they differ in too much or in nothing."""
    rows = [[hole.source for hole in shape.holes] for shape in shapes]
    varying = [at for at in range(len(rows[0])) if len({row[at] for row in rows}) > 1]
    vectors: dict[tuple[str, ...], list[int]] = {}
    for at in varying:
        vectors.setdefault(tuple(row[at] for row in rows), []).append(at)
    if not vectors:
        return shapes[0].plan
    if len(vectors) > (MANY_COLUMNS if len(shapes) >= MANY_ROWS else MOST_COLUMNS):
        return None
    first = _without_own_names(shapes)
    matches = [c.match for shape in shapes for c in shape.plan.first.checks if c.raised]
    match, blank = _common_match(shapes) if matches else ("", [])
    if matches and any(matches) and not match:
        return None
    kinds = {c.raised.type for c in shapes[0].plan.first.checks if c.raised}
    if "Exception" in kinds and (blank or not tells_an_error(match)):
        return None
    taken = _used_names(first)
    columns: dict[int, str] = {}
    for places in vectors.values():
        name = _column([shapes[0].holes[at] for at in places], taken)
        taken.add(name)
        columns |= dict.fromkeys(places, name)
    order = sorted(vectors, key=lambda v: (columns[vectors[v][0]] == "expected", vectors[v][0]))
    table = [
        ParametrizedRow(tuple((columns[vectors[v][0]], v[at]) for v in order), "")
        for at in range(len(shapes))
    ]
    unique = list(dict.fromkeys(table))
    case = replace(first.case, symbol=_symbol(shapes), effect="", idle=(), title="")
    named = next((columns[at] for at in columns if at in blank), "")
    spoken = match if not named else ""
    said = tuple(replace(c, match=spoken) if c.raised else c for c in first.checks)
    members = [replace(first, case=case, checks=said), *(shape.plan.first for shape in shapes[1:])]
    steps = tuple(_filled(first.checks, columns, match, named))
    return replace(
        shapes[0].plan, members=tuple(members), form="table", rows=tuple(unique), steps=steps
    )


def _without_own_names(shapes: Sequence[Skeleton]) -> Verified:
    """Returns the case of the first test, with another name for each variable that is called
    otherwise in other tests, or like anything: one like that of its class would say that all rows
    are of it."""
    first = shapes[0].plan.first
    taken, checks = _used_names(first), first.checks
    classes = {shape.values("class") for shape in shapes}
    for names in zip(*(shape.variables for shape in shapes), strict=True):
        if len({*names}) > 1 or (names[0] == RESULT and len(classes) > 1):
            name = variable_for(ANY_OBJECT, {*BUILTINS, *taken})
            taken.add(name)
            checks = tuple(replace(c, expression=put(c.expression, names[0], name)) for c in checks)
            if first.case.subject == names[0]:
                first = replace(first, case=replace(first.case, subject=name))
    return replace(first, checks=checks)


def _telling(shapes: Sequence[Skeleton]) -> list[Skeleton]:
    """Returns the tests without those that only repeat another one with other values: that expect
    the same and execute nothing else; doubtful ones repeat others first."""
    kept: list[Skeleton] = []
    reached: frozenset[int] = frozenset()
    told = [tuple(h.source for h in one.holes if h.kind != "value") for one in shapes]
    plainest = sorted(range(len(shapes)), key=lambda at: (shapes[at].doubtful, _length(shapes[at])))
    for at in plainest:
        hits = shapes[at].plan.first.hits
        if told[at] in [told[shapes.index(one)] for one in kept] and hits <= reached:
            continue
        kept.append(shapes[at])
        reached |= hits
    return sorted(kept, key=shapes.index)


def _length(shape: Skeleton) -> int:
    return sum(len(hole.source) for hole in shape.holes)


def _used_names(item: Verified) -> set[str]:
    trees = [ast.parse(check.expression) for check in item.checks]
    used = {n.id for tree in trees for n in ast.walk(tree) if isinstance(n, ast.Name)}
    imported = {line.rpartition(" ")[2] for line in item.imports}
    return {*used, *imported, *(RESERVED - {"expected"})}


def _column(holes: Sequence[Hole], taken: set[str]) -> str:
    """Returns a name for the column of these holes that nothing in the test has."""
    kinds = {hole.kind: hole for hole in holes}
    hole = next((kinds[kind] for kind in NAMING if kind in kinds), holes[0])
    name, number = hole.column, 2
    if name in dir(builtins) and f"{name}_" not in taken:
        return f"{name}_"
    if name in taken and f"given_{name}" not in taken:
        return f"given_{name}"
    while name in taken or not name.isidentifier():
        name, number = f"{hole.column}_{number}", number + 1
    return name


def _filled(
    checks: Sequence[StepCheck], columns: dict[int, str], match: str, blank: str
) -> Iterator[StepCheck]:
    """Yields the checks with the names of columns in their holes."""

    def column(number: int) -> ast.expr | None:
        return ast.Name(columns[number], ast.Load()) if number in columns else None

    writer = Holes({}, column)
    for check in checks:
        tree = writer.visit(ast.parse(check.expression))
        expression = ast.unparse(ast.fix_missing_locations(tree))
        values = []
        for value in expectations_of(check):
            values.append(columns.get(len(writer.holes), value))
            writer.holes.append(Hole("expected", value, "expected"))
        attributes = zip((name for name, _ in check.attributes), values, strict=False)
        yield replace(
            check,
            expression=expression,
            expected=values[0] if values and not check.attributes else check.expected,
            attributes=tuple(attributes),
            match=match if check.raised else check.match,
            blank=blank if check.raised else "",
        )


def _symbol(shapes: Sequence[Skeleton]) -> str:
    """Returns what a table is about: a method of several classes, or one of several methods; those
    that people call by their names, where there are any."""
    symbols = [shape.plan.first.case.symbol for shape in shapes]
    of_members = {one.rpartition(".")[0] for one in symbols}
    symbols = [one for one in symbols if one not in of_members]  # their objects are made for these
    if len(set(symbols)) == 1:
        return symbols[0]
    leaves = list(dict.fromkeys(symbol.rpartition(".")[2] for symbol in symbols))
    leaves = [one for one in leaves if one not in WORDS] or [WORDS[one] for one in leaves]
    owners = {symbol.rpartition(".")[0] for symbol in symbols}
    if leaves[0][:1].isupper():  # classes, also those inside of others
        leaves, owners = list(dict.fromkeys(symbols)), {""}
    if len({shape.values("attribute") for shape in shapes}) > 1 and len(owners) == 1:
        return f"{owners.pop()}.attributes".strip(".")
    owner = f"{owners.pop()}." if len(owners) == 1 and owners != {""} else ""
    if len(leaves) == 1:
        return f"{owner}{leaves[0]}"
    return f"{owner}{leaves[0]}_and_{'others' if len(leaves) > 2 else leaves[1]}"


def _common_match(shapes: Sequence[Skeleton]) -> tuple[str, list[int]]:
    """Returns what all messages share, and the holes of a name that stands in them as ``{}``, where
    each has another one."""
    matches = [shape.match for shape in shapes]
    holes = shapes[0].holes
    for at in (at for at, hole in enumerate(holes) if hole.kind == "name"):
        names = [shape.holes[at].source.strip("'") for shape in shapes]
        blanks = {m.replace(name, "{}") for m, name in zip(matches, names, strict=True)}
        (first, *others) = blanks
        if (
            len({*names}) > 1
            and not others
            and first != matches[0]
            and not set(first.replace("{}", "")) & set('{}"\\')
        ):
            return first, [at]
    return common_phrase(matches), []


def common_phrase(texts: Sequence[str]) -> str:
    """Returns the longest phrase that all texts contain, without parts of words, or ``""``."""
    if len(set(texts)) == 1:
        return texts[0]
    shared = texts[0].split(" ")
    for text in texts[1:]:
        found = SequenceMatcher(None, shared, text.split(" "), autojunk=False).find_longest_match()
        shared = shared[found.a : found.a + found.size]
    phrase = trimmed(" ".join(shared))
    return phrase if len(shared) > 1 and len(phrase) >= LEAST_MATCH else ""
