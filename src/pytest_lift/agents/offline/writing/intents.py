"""Writes one-line docstrings that say what a test shows."""

from __future__ import annotations

import ast
import re

from pytest_lift.agents.offline.writing.grouping import PlannedTest
from pytest_lift.agents.offline.writing.naming import DUNDER_WORDS
from pytest_lift.agents.offline.writing.oracles import StepCheck
from pytest_lift.agents.offline.writing.words import clause
from pytest_lift.calls.targets import OPERATORS
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program, Symbol

LONGEST_INTENT = 80
LONGEST_INPUT = 24


class Intents:
    """Docstrings of tests, from the requirement, the documentation, or the observed result."""

    def __init__(self, program: Program, requirements: Requirements) -> None:
        self.program = program
        self.requirements = requirements

    def intent(self, plan: PlannedTest) -> str:
        """Returns the docstring of a test; plain text without a final line break."""
        for text in self._candidates(plan):
            plain = re.sub(r"\s+", " ", text).strip().rstrip(".")
            if plain and len(plain) <= LONGEST_INTENT and not re.search(r'"""|\\|"$', plain):
                return f"{plain}."
        return f"{_plain_subject(plan.first.case.symbol)} does what was observed."

    def _candidates(self, plan: PlannedTest) -> list[str]:
        """Returns sentences that describe the test, the most informative first."""
        case = plan.first.case
        subject = _plain_subject(case.symbol)
        raised = next((c for c in plan.first.checks if c.raised), None)
        if case.origin == "requirement" and self.title(plan):
            return [self.title(plan), clause(self.title(plan))]
        if case.title:
            return [f"{subject}: {case.title}"]
        if raised is not None:
            return _refusals(subject, plan, raised)
        if case.origin == "documented":
            shown = f"{subject} does what its documentation shows"
            return [self._summary(case.path, case.symbol, subject), shown]
        if case.argv is not None:
            return [_command(subject, plan)]
        if case.idle and case.keywords == ():
            return [f"{subject} gives the same with and without {' and '.join(case.idle)}"]
        if case.effect[0]:
            return _effects(subject, *case.effect)
        if case.keywords:
            return [f"{subject} with {' and '.join(case.keywords[:3])}"]
        return [self._summary(case.path, case.symbol, subject), _given(subject, plan)]

    def title(self, plan: PlannedTest) -> str:
        """Returns the title of the first requirement that the test is linked to, or ``""``."""
        ids = plan.link.requirements
        item = self.requirements.by_id.get(ids[0]) if ids else None
        return (item.title or item.description) if item else ""

    def _summary(self, path: str, symbol: str, subject: str) -> str:
        found = self._symbol(path, symbol)
        first = clause(re.sub(r":\w+:(?=`)|[`*]+", "", found.doc)) if found else ""
        return f"{subject}: {first}" if len(first.split()) > 2 else ""

    def _symbol(self, path: str, name: str) -> Symbol | None:
        symbols = self.program.files[path].symbols
        found = [s for s in symbols if s.name in (name, f"{name}.__init__")]
        return found[-1] if found else None


def _refusals(subject: str, plan: PlannedTest, check: StepCheck) -> list[str]:
    """Returns sentences like ``loads refuses "[1": Expecting value``."""
    assert check.raised is not None
    if check.raised.type == "SystemExit":
        said = f"{subject} gives up: {check.match}" if check.match else ""
        return [said, f"{subject} gives up on bad input"]
    said = f": {check.match}" if check.match else ""
    given = _only_input(plan) if not plan.first.case.keywords else ""
    general = f"{subject} raises {check.raised.type}"
    found = [f"{subject} refuses {given}{said}"] if given else []
    return [*found, f"{general}{said}", general]


def _command(subject: str, plan: PlannedTest) -> str:
    """Returns a sentence like ``main reads input.txt and writes output.txt``."""
    case = plan.first.case
    read = " and ".join(case.files) or "standard input"
    written = [name for check in plan.first.checks for name, _ in check.files]
    return f"{subject} reads {read} and writes {' and '.join(written) or 'standard output'}"


def _only_input(plan: PlannedTest) -> str:
    """Returns the literal that the only call of the test gets, if it is short, else ""."""
    node = ast.parse(plan.check.expression or "None", mode="eval").body
    if plan.rows or not isinstance(node, ast.Call) or not node.args:
        return ""
    text = ast.unparse(node.args[0])
    plain = isinstance(node.args[0], ast.Constant | ast.List | ast.Dict | ast.Tuple)
    return text if plain and len(text) <= LONGEST_INPUT and text.isascii() else ""


def _effects(subject: str, option: str, without: str) -> list[str]:
    """Returns sentences like ``dumps honours indent=2; without it the result is '[1]'``."""
    name, _, value = option.partition("=")
    short = option if len(value) <= LONGEST_INPUT else name
    found = [f"{subject} honours {short}; without it {without}"] if without else []
    return [*found, f"{subject} honours {short}", f"{subject} honours {name}"]


def _given(subject: str, plan: PlannedTest) -> str:
    """Returns a sentence like ``b gives bytes for a str``, from the literals of the test."""
    if plan.check.form in ("true", "false"):
        return f"{subject} {'holds' if plan.check.form == 'true' else 'does not hold'} here"
    node = ast.parse(plan.check.expression or "None", mode="eval").body
    try:
        expected = type(ast.literal_eval(plan.check.expected or "None")).__name__
        first = node.args[0] if isinstance(node, ast.Call) and node.args else None
        taken = type(ast.literal_eval(first)).__name__ if first is not None else ""
    except (ValueError, SyntaxError):
        return f"{subject} gives the value that was observed"
    return f"{subject} gives {_article(expected)}" + (f" for {_article(taken)}" if taken else "")


def _article(kind: str) -> str:
    if kind in ("NoneType", "bytes"):
        return {"NoneType": "None"}.get(kind, kind)
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def _plain_subject(symbol: str) -> str:
    owner, _, leaf = symbol.rpartition(".")
    if leaf in OPERATORS:
        return f"{owner} {DUNDER_WORDS.get(leaf, leaf.strip('_'))}".replace("_", " ")
    return symbol
