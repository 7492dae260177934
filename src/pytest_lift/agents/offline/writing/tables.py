"""Says in a sentence what the rows of a table share, or what its first rows are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pytest_lift.agents.offline.writing.oracles import StepCheck
from pytest_lift.agents.offline.writing.sentences import expected_words
from pytest_lift.agents.offline.writing.values import kind_words, listed, value_words, with_article


def rows_sentences(
    general: str, plan_rows: Sequence[tuple[Sequence[str], str]], error: StepCheck | None
) -> list[str]:
    """Returns sentences that tell the first rows of a table: arguments and what is expected."""
    pairs = [(", ".join(given), expected) for given, expected in plan_rows]
    if error is not None and error.raised is not None:
        said = f": {error.match}" if error.match else ""
        counts = (3, 2) if len(pairs) > 2 else (2,)
        tails = (said, f" with {error.raised.type}")
        several = [
            f"{general} refuses {listed([given for given, _ in pairs[:count]])}{tail}"
            for count in counts
            for tail in tails
            if count <= len(pairs)
        ]
        return several + [f"{general} refuses each of {len(pairs)} inputs{tail}" for tail in tails]
    told = [
        f"{value_words(expected)} {given if given.startswith('with ') else f'for {given}'}"
        for given, expected in pairs
    ]
    several = [f"{general} gives {listed(told[:count])}" for count in (3, 2)]
    if len(pairs) > 1:
        kinds = list(dict.fromkeys(value_words(expected) for _, expected in pairs))
        if len(kinds) == 1:
            several.append(f"{general} gives {kinds[0]} for each of {len(pairs)} inputs")
        several.append(f"{general} gives {' or '.join(kinds)}, depending on its input")
        plain = list(dict.fromkeys(kind_words(expected) for _, expected in pairs))
        several.append(f"{general} gives {' or '.join(plain)}, depending on its input")
    return several


def is_vague(sentence: str) -> bool:
    """Whether a sentence leaves out rows, or says only of which kind a value is."""
    kinds = re.search(r" (gives|and) an? (?!empty)", sentence)
    general = sentence.endswith("on its input") or "gives what is expected" in sentence
    return general or kinds is not None


def table_sentences(
    general: str, rows: Sequence[Mapping[str, str]], steps: Sequence[StepCheck]
) -> list[str]:
    """Returns sentences of one behaviour that several classes, names or values share."""
    checks = [check for check in steps if check.form != "none"]
    results = {value for c in checks for value in (c.expected, *(v for _, v in c.attributes))}
    outs = [column for column in rows[0] if column in results]
    where = _across(rows, outs)
    raised = next((check for check in checks if check.raised), None)
    if raised is not None and raised.raised is not None:
        said = f": {raised.match}" if raised.match and not raised.blank else ""
        kind = raised.raised.type
        several = _names(general, rows)
        if several:
            return [f"{several} raise {kind}{tail}" for tail in (said, "")]
        return [f"{general} raises {kind} {where}{tail}" for tail in (said, "")]
    found: list[str] = []
    if "expected" in rows[0] and len(checks) == 1:
        pairs = [([v for c, v in row.items() if c != "expected"], row["expected"]) for row in rows]
        found = rows_sentences(general, pairs, None)
    checks += [
        StepCheck("equals", f"{check.expression}.{name}", value)
        for check in checks
        for name, value in check.attributes
    ]
    same = [
        c
        for c in checks
        if (not c.attributes and c.expected not in rows[0]) or c.form in ("true", "false")
    ]
    shown = [
        f"{check.expression} is {expected_words(check)}" for check in same if expected_words(check)
    ]
    shown += [
        f"{check.expression} is the {check.expected.replace('_', ' ')} that was given"
        for check in checks
        if check.expected in rows[0] and check.expected not in ("expected", "name")
    ]
    plain = [one for one in shown if not any(f"({column})" in one for column in rows[0])]
    names = _names(general, rows)
    if names and plain:
        return [f"After {names}, {listed(plain[:count])}" for count in (2, 1) if plain]
    made = checks[0].expression.partition(".")[0]
    if len(outs) > 1 and all(c.expression.startswith(f"{made}.") for c in checks):
        kind, depend = with_article(made.replace("_", " ")), listed([_spaced(one) for one in outs])
        found.append(f"{general} makes {kind} whose {depend} depend on {_inputs(rows, outs)}")
    done = [step.expression for step in steps if step.form == "none"]
    after = f"After {general}, " if done and f".{general}(" in done[-1] else ""
    found += [
        f"{after}{listed(plain[:count])}{tail}"
        for tail in (f" {where}", "")
        for count in (2, 1)
        if plain
    ]
    found += [f"{one} {where}" for one in shown[:1]]
    return [*found, f"{general} gives what is expected {where}"]


def _spaced(column: str) -> str:
    return column.strip("_").replace("_", " ")


def _inputs(rows: Sequence[Mapping[str, str]], outs: Sequence[str]) -> str:
    """Returns ``name and value``, the columns of a table that are not expected of anything."""
    return listed([_spaced(one) for one in rows[0] if one not in outs and one != "expected"])


def _names(general: str, rows: Sequence[Mapping[str, str]]) -> str:
    """Returns ``Job.monday, tuesday and friday`` for a table of names of methods, else ""."""
    names = list(dict.fromkeys(row.get("name", "").strip("'") for row in rows))
    owner, _, leaf = general.rpartition(".")
    if not owner or not leaf.startswith(f"{names[0]}_and_") or not names[0]:
        return ""
    return f"{owner}.{listed(names if len(names) < 4 else [names[0], f'{len(names) - 1} others'])}"


def _across(rows: Sequence[Mapping[str, str]], outs: Sequence[str]) -> str:
    """Returns ``for each of six classes`` or ``for each name and value``."""
    if "cls" in rows[0]:
        classes = list(dict.fromkeys(row["cls"] for row in rows))
        return f"for {listed(classes)}" if len(classes) < 4 else f"for {len(classes)} classes"
    return f"for each {_inputs(rows, outs)}" if _inputs(rows, outs) else f"for {len(rows)} inputs"
