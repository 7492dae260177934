"""Chooses the docstring of a test: of the sentences that tell it, the one that leaves out least."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.docstrings.circumstances import with_circumstances, with_input
from pytest_lift.agents.offline.docstrings.layout import fits, is_short, lines_of
from pytest_lift.agents.offline.docstrings.narrating import (
    asked_of,
    contradict,
    fact_of,
    narrated,
    with_calls,
)
from pytest_lift.agents.offline.docstrings.points import COUNTED, UNTOLD, points_of
from pytest_lift.agents.offline.docstrings.premises import with_premises
from pytest_lift.agents.offline.docstrings.unrolling import unrolled
from pytest_lift.agents.offline.examples.examples import LONG_SETUP
from pytest_lift.agents.offline.writing.command_lines import sentences
from pytest_lift.agents.offline.writing.grouping import ERROR, MESSAGE, PlannedTest
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.output_words import printed_words
from pytest_lift.agents.offline.writing.pairs import compared
from pytest_lift.agents.offline.writing.sentences import (
    change_sentences,
    error_sentences,
    exit_sentences,
    result_sentences,
    writing_sentences,
)
from pytest_lift.agents.offline.writing.tables import (
    MOST_EACH,
    MOST_SHORT,
    continued,
    several_sentences,
    shared_sentences,
)
from pytest_lift.agents.offline.writing.told import Told, wording
from pytest_lift.agents.offline.writing.values import listed, merged
from pytest_lift.agents.offline.writing.words import clause, is_balanced, says_more
from pytest_lift.calls.blocks import without_loop
from pytest_lift.calls.case import Case
from pytest_lift.calls.child.isolation.surroundings import GONE
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program
from pytest_lift.source.special_methods import OPERATORS, STATEMENTS, WORDS
from pytest_lift.source.symbols import Symbol
from pytest_lift.source.syntax import parsed_expression

MOST_TITLED = 3
"""Most lines of a docstring that begins with the title of a story."""


class Intents:
    """Docstrings of tests, from the requirement, the documentation, or the observed result."""

    def __init__(self, program: Program, requirements: Requirements) -> None:
        self.program = program
        self.requirements = requirements
        self.words = wording(program)
        self._told: dict[int, tuple[PlannedTest, str]] = {}
        """Number of a plan -> it, and what tells all of it."""

    def intent(self, plan: PlannedTest) -> str:
        """Returns the docstring of a test; plain text without a final line break."""
        if (
            told := plan.told
            or self._titled(plan)
            or self._telling_all(plan)
            or self._titled(plan, last=True)
        ):
            return told
        plan = unrolled(plan)
        subject = _plain_subject(plan.first.case)
        return _most_telling(plan, self._in_short(plan)) or f"{subject} does as shown."

    def _titled(self, plan: PlannedTest, last: bool = False) -> str:
        """Returns the title of a documented story with what comes out, or comes out at `last`,
        where it takes many lines to get there; "" where that is long, and where a text as short
        leaves out less of it."""
        case, checks = plan.first.case, unrolled(plan).first.checks
        looks = [check for check in checks if check.form != "none"]
        if not case.title or len(plan.members) > 1 or len(checks) - len(looks) < LONG_SETUP:
            return ""
        facts = [fact_of(check, self.words) for check in with_calls(checks)]
        some = facts[-1:] if last else facts
        text = f"{case.title}: {continued(listed(merged(some)))}." if some else ""
        short = len(lines_of(text)) <= MOST_TITLED and not contradict(looks)
        if not (short and all(some) and fits(text)):
            return ""
        whole, points = self._telling_all(plan), points_of(unrolled(plan))
        as_short = bool(whole) and len(lines_of(whole)) <= MOST_TITLED
        more = as_short and points.missing(whole) < points.missing(text)
        asked = (node for check in with_calls(checks) for node in _nodes(check))
        if whole and not any(isinstance(node, ast.Call) for node in asked):
            return ""  # it tells of variables alone, which nothing introduces
        return "" if more and not UNTOLD.search(whole) else text

    def tells(self, plan: PlannedTest) -> bool:
        """Whether the docstring of a test says all that it asserts."""
        text = self._titled(plan) or self._telling_all(plan)
        if not text or len(plan.members) == 1 or plan.rows:
            return bool(text)
        left_out, _ = points_of(unrolled(plan)).missing(text)
        return not left_out and is_short(text)

    def _telling_all(self, plan: PlannedTest) -> str:
        """Returns the best sentence that tells all of a test; "" where none does."""
        if id(plan) not in self._told:
            plain = unrolled(plan)
            self._told[id(plan)] = plan, _most_telling(plain, self._whole(plain))
        return self._told[id(plan)][1]

    def _whole(self, plan: PlannedTest) -> Iterator[str]:
        """Yields sentences that tell all of a test, the most informative first."""
        case = plan.first.case
        if case.origin == "requirement" and self.title(plan):
            yield self.title(plan)
            yield clause(self.title(plan))
            return
        for text in self._asserted(plan):
            if says_more(case.title, text):
                yield f"{case.title}: {continued(text)}"
            yield _about(case, text)

    def _asserted(self, plan: PlannedTest) -> Iterator[str]:
        case = plan.first.case
        subject = _plain_subject(case)
        if plan.rows or len(plan.members) > 1:
            told = [*several_sentences(subject, plan, self.words, self._shown)]
            yield from told or self._of_each_row(plan)
        elif case.command:
            for text in sentences(subject, case, plan.first.checks):
                yield from (*with_circumstances(case, text), *with_input(case, text), text)
        elif not case.stateful:
            yield from self._alone(plan.first)
        if plan.form != "table" and not plan.rows and not case.command:
            checks = [check for member in plan.members for check in member.checks]
            if case.stateful:  # what takes something back is not told
                last = max(n for n, check in enumerate(checks) if check.form != "none")
                checks = checks[: last + 1]
            for one in narrated(checks, self.words, _leaf(case)):
                text = next(with_circumstances(case, one), one)
                yield from (*with_premises(text, checks, _leaf(case), self.words), text)
        if case.origin == "documented" and len(plan.members) == 1 and not plan.rows:
            looks, called = plan.first.asserted, with_calls(plan.first.checks)
            facts = [fact_of(check, self.words) for check in called]
            if all(facts) and contradict(looks) and not contradict(called):
                yield listed(facts)

    def _of_each_row(self, plan: PlannedTest) -> Iterator[str]:
        """Yields what the steps of a table do of which all rows expect the same."""
        columns = {name for row in plan.rows for name, _ in row.arguments}
        if plan.rows and not (columns & {"expected", ERROR, MESSAGE} or plan.first.case.command):
            for one in narrated(plan.steps, self.words, _leaf(plan.first.case)):
                yield f"In each row, {continued(one)}"

    def _in_short(self, plan: PlannedTest) -> Iterator[str]:
        """Yields sentences of a test that is too long to be told: what it is about, and how it
        begins."""
        case = plan.first.case
        subject = _plain_subject(case)
        yield from self._writing(plan)
        if case.title:
            yield f"{subject}: {case.title}"
        yield from shared_sentences(plan, self.words, self._shown)
        yield from self._about_it(plan)
        if case.origin == "documented":
            yield from asked_of(plan.first.checks, self.words)
        first = replace(plan.first, checks=_up_to_first(plan.first.checks))
        for one in self._alone(first):
            shown = case.origin == "documented"
            yield (
                f"The documented example of {subject} begins so: {continued(one)}" if shown else one
            )
        yield self._summary(case.path, case.symbol, subject)
        if case.origin == "documented":
            printed = next((one.printed for one in plan.first.checks[::-1] if one.printed), "")
            if said := printed and printed_words(printed):
                yield f"The documented example of {subject} prints {said}"
            yield f"The documented example of {subject} gives what it shows"
        yield f"{subject} gives what is expected"

    def _writing(self, plan: PlannedTest) -> Iterator[str]:
        """Yields ``Borders: code.save('a.svg', border=0) writes a.svg`` of a documented story whose
        files are too long to be told."""
        checks = plan.first.checks
        files = (pair for check in checks for pair in check.files)
        written = dict.fromkeys(name for name, text in files if text != GONE)
        facts = []
        for line in (check.expression for check in checks if check.form == "none"):
            names = [name for name in written if repr(name) in line]
            if names and parsed_expression(line) is not None:
                facts.append(f"{self.words.call(line)} writes {listed(names)}")
        if facts and all(any(name in fact for fact in facts) for name in written):
            title = plan.first.case.title
            yield f"{title}: {continued(listed(facts))}" if title else listed(facts)

    def _about_it(self, plan: PlannedTest) -> Iterator[str]:
        """Yields what a test asserts of calls of its function, without what happened before."""
        name = _leaf(plan.first.case)
        checks = [c for one in plan.members for c in one.checks if c.form != "none"]
        named = [c for c in checks if re.search(rf"\b{name}\b", c.expression)]
        for some in (named, named[-2:], named[-1:], checks[-2:], checks[-1:]):
            for text in narrated(some, self.words, name) if not contradict(some) else ():
                yield _about(plan.first.case, text)

    def _shown(self, item: Verified) -> list[str]:
        """Returns sentences of one case of several, with its arguments."""
        plain = replace(item, case=replace(item.case, effect=""))
        general = re.compile(r"(With .*, )?[\w. ]+ (gives|raises) ")
        return [one for one in self._alone(plain) if not general.match(one)]

    def _alone(self, item: Verified) -> list[str]:
        """Returns sentences of one case."""
        case, told = item.case, Told(item, self.words)
        subject = _plain_subject(case)
        found = list(compared(item.checks, self.words))
        first = next((check for check in item.checks if check.form != "none"), None)
        raised = any(check.raised for check in item.checks)
        written = any(check.files for check in item.checks)
        if first is not None and first.raised is not None:
            found += _refusals(subject, told, first)
        elif raised:
            pass  # what is raised after other results is told by comparison, or line by line
        elif told.changes:
            found += change_sentences(told, subject)
        elif written:
            found += writing_sentences(told, subject)
        else:
            found += result_sentences(told, subject)
        found = [text for one in found for text in (*with_circumstances(case, one), one)]
        name = _leaf(case)
        return [
            text
            for one in found
            for text in (*with_premises(one, item.checks, name, self.words), one)
        ]

    def title(self, plan: PlannedTest) -> str:
        """Returns the title of the first requirement that the test is linked to, or ``""``."""
        ids = plan.link.requirements
        item = self.requirements.by_id.get(ids[0]) if ids else None
        return (item.title or item.description) if item else ""

    def _summary(self, path: str, symbol: str, subject: str) -> str:
        found = self._symbol(path, symbol)
        first = clause(re.sub(r":\w+:(?=`)|[`*]+", "", found.doc)) if found else ""
        told = len(first.split()) > 2 and is_balanced(first)
        return f"{subject}: {first}" if told else ""

    def _symbol(self, path: str, name: str) -> Symbol | None:
        symbols = self.program.files[path].symbols
        found = [s for s in symbols if s.name in (name, f"{name}.__init__")]
        return found[-1] if found else None


def _most_telling(plan: PlannedTest, texts: Iterable[str]) -> str:
    """Returns the sentence that leaves out least of what has to be said, of those that fit into a
    docstring, as it stands there; of several a short one, and the first. "" for none."""
    points = points_of(plan)
    best: tuple[tuple[int, int, bool, int, bool], str] | None = None
    for text in texts:
        text = without_loop(text, plan.first.case.source)
        plain = re.sub(r"\s*\n\s*", " ", text).strip().rstrip(" .")
        said = plain if plain.endswith(("?", "!")) else f"{plain}."
        short = is_short(said)
        long = len(plan.rows) > MOST_EACH and not short
        if not plain or not fits(said) or (long and len(plan.rows) > MOST_SHORT):
            continue
        counted = len(COUNTED.findall(plain))
        rank = (*points.missing(plain), UNTOLD.search(plain) is not None, counted, not short)
        if best is None or rank < best[0]:
            best = (rank, said)
        if not any(rank):
            break
    return best[1] if best is not None else ""


def _nodes(check: StepCheck) -> Iterator[ast.AST]:
    yield from ast.walk(ast.parse(check.expression))


def _leaf(case: Case) -> str:
    return case.symbol.rpartition(".")[2]


def _up_to_first(checks: Sequence[StepCheck]) -> tuple[StepCheck, ...]:
    """Returns the checks up to the first that asserts something."""
    at = next((n for n, check in enumerate(checks) if check.form != "none"), len(checks) - 1)
    return tuple(checks[: at + 1])


def _about(case: Case, sentence: str) -> str:
    """Returns the sentence of a documented example with what it documents, where that is in none
    of its words."""
    name = case.symbol.rpartition(".")[2]
    named = case.origin == "searched" or name in OPERATORS or re.search(rf"\b{name}\b", sentence)
    return sentence if named else f"{_plain_subject(case)} as documented: {continued(sentence)}"


def _refusals(subject: str, told: Told, check: StepCheck) -> list[str]:
    """Returns sentences like ``loads("[1") raises ValueError: Expecting value``."""
    assert check.raised is not None
    if check.raised.type == "SystemExit":
        return list(exit_sentences(told, subject, check))
    return error_sentences(told, subject, check)


def _plain_subject(case: Case) -> str:
    symbol = case.plain_symbol
    owner, _, leaf = symbol.rpartition(".")
    if leaf in OPERATORS or leaf in STATEMENTS:
        return f"{owner} {WORDS.get(leaf, leaf.strip('_'))}".replace("_", " ")
    return symbol
