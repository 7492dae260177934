"""Mutants of messages and logs may be set aside for good, and are known again by what they change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from mutated_shop import FILE, measurement, mutants, mutation, program

from pytest_lift.findings.test_quality import fault_findings
from pytest_lift.measure.measurement import Knowledge
from pytest_lift.mutation.change import changes_words
from pytest_lift.mutation.mutation import Mutant
from pytest_lift.mutation.worthless import (
    judged_worthless,
    read_worthless,
    worthless_keys,
    written_worthless,
)
from pytest_lift.report.mutant_facts import mutation_facts

WORDS = "price must not be negative"


def mutant(before: str, after: str) -> Mutant:
    return Mutant("m.x_f__mutmut_1", "m.py", 3, "f", before, after, f"-{before}\n+{after}")


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('    logger.info("a %s", x)', '    logger.info("a %s", None)', True),
        ('    print("total", x)', '    print("total", None)', True),
        ("    raise ValueError(text)", "    raise ValueError(None)", True),
        ('    text = "it is too long"', '    text = "XXit is too longXX"', True),
        ("    click.echo(name)", "    click.echo(None)", True),
        ("    raise ValueError(x)", "    raise KeyError(x)", False),
        ('    return row["total"]', '    return row["XXtotalXX"]', False),
        ("    if count < 1:", "    if count <= 1:", False),
        ("    total = total + print_costs(x)", "    total = total - print_costs(x)", False),
    ],
)
def test_only_words_of_messages_and_logs_can_be_set_aside(
    before: str, after: str, words: bool
) -> None:
    one = mutant(before, after)
    assert changes_words(one) is words
    assert (judged_worthless(one, [one], "no use") is not None) is words


def test_a_judgement_is_known_again_wherever_the_line_stands() -> None:
    found = mutants()
    key = next(key for key, one in found.items() if WORDS in one.before)
    judged = judged_worthless(found[key], found.values(), "only  words")
    assert judged is not None
    known = read_worthless(
        ["[]", '{"mark": 1}', "no json", *written_worthless({judged.mark: judged})]
    )
    assert known == {judged.mark: replace(judged, why="only words")}
    moved = {f"{k}9": replace(one, key=f"{k}9", line=one.line + 7) for k, one in found.items()}
    assert worthless_keys(moved, known) == {f"{key}9": "only words"}
    edited = {key: replace(found[key], before="x", after="y")}
    assert worthless_keys(edited, known) == {}


def test_what_was_set_aside_is_no_work_and_stays_in_the_score(tmp_path: Path) -> None:
    found = mutation("killed", "survived", "survived")
    survivor = found.survivors[0]
    judged = judged_worthless(
        replace(survivor, before='    log.info("a b")', after='    log.info("XXa bXX")'),
        found.mutants.values(),
        "no use",
    )
    assert judged is not None
    measured = measurement(found)
    knowing = replace(measured, knowledge=Knowledge().with_worthless([judged]))
    before, after = (
        {f.line: f for f in fault_findings(one, program(tmp_path)) if f.file == FILE}
        for one in (measured, knowing)
    )
    assert before[survivor.line].gain > 0
    told = after[survivor.line]
    assert (told.gain, told.reach) == (0.0, "excluded")
    assert told.what.endswith("(judged to be worth no test: no use)")
    facts, _ = mutation_facts(found, program(tmp_path), measured.trace, knowing.knowledge.worthless)
    row = next(one for _, one in facts.survivors if one.line == survivor.line)
    assert row.likely_equivalent == "judged to be worth no test: no use"
    assert facts.survived == 2
