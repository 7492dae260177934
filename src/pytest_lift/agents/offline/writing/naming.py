"""Names tests and writes their one-line docstrings."""

from __future__ import annotations

import ast
import re

from pytest_lift.agents.offline.writing.command_lines import name_words, sentences
from pytest_lift.agents.offline.writing.grouping import PlannedTest
from pytest_lift.agents.offline.writing.oracles import StepCheck
from pytest_lift.agents.offline.writing.sentences import (
    Told,
    change_sentences,
    error_sentences,
    inputs_of,
    result_sentences,
)
from pytest_lift.agents.offline.writing.tables import is_vague, rows_sentences, table_sentences
from pytest_lift.agents.offline.writing.words import DANGLING, clause, phrase, slug
from pytest_lift.calls.blocks import without_loop
from pytest_lift.calls.case import Case
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program, Symbol
from pytest_lift.source.special_methods import OPERATORS, STATEMENTS, WORDS

COUNTS = ("no", "one", "two", "three", "four")
LONGEST_NAME = 78
LONGEST_GIVEN = 16


LONGEST_INTENT = 88
LONGEST_INPUT = 24


def name_of(plan: PlannedTest, title: str = "") -> str:
    """Returns a name like ``test_dumps_with_sort_keys`` or ``test_loads_reports_extra_data``.

    `title` is that of the requirement from which the test was written.
    """
    case = plan.first.case
    parts = [_subject(case)]
    if case.origin == "requirement" and title:
        return _joined([*_unless_said(case, slug(title)), slug(title)])
    raised = next((c for c in plan.first.checks if c.raised), None)
    if case.title:
        parts.append(slug(case.title))
    elif case.effect[0]:
        parts.append("with_" + case.effect[0].partition("=")[0])
    elif case.keywords:
        parts.append("with_" + "_and_".join(list(dict.fromkeys(case.keywords))[:3]))
    elif case.origin == "documented":
        parts.append("as_documented")
    elif case.command:
        parts += name_words(case)
        parts += ["writing_a_file"] if any(check.files for check in plan.first.checks) else []
    if raised is not None:
        parts.append(_report(raised))
    return _joined(parts)


def other_names(plan: PlannedTest, name: str) -> list[str]:
    """Returns variants of `name` that tell more about the test, for use if `name` is taken."""
    case = plan.first.case
    raised = next((c for c in plan.first.checks if c.raised), None)
    leaf = slug(case.symbol.rpartition(".")[2])
    plain = name.removeprefix("test_")
    said = f"_{leaf}_" in f"{name}_" or case.symbol.endswith("__")
    first = [] if said else [_joined([leaf, plain])]
    more = []
    if case.command:
        count = len(case.command) - 1
        more.append(f"given_{COUNTS[count] if count < len(COUNTS) else count}_arguments")
    if case.idle:
        more.append("regardless_of_" + "_and_".join(case.idle))
    if case.keywords and "_with_" not in name:
        more.append("with_" + "_and_".join(list(dict.fromkeys(case.keywords))[:2]))
    if raised is not None and not re.search("_(reports|raises|exits)", name):
        more.append(_report(raised))
    if plan.form == "table":
        more.append(f"for_{slug(plan.rows[0].arguments[0][1])}")
    if "_of_" not in name and not plan.rows and not case.command:
        more += [_what_it_takes(plan), _state(plan), _given(plan)]
    return [*first, *(_joined([plain, part]) for part in more if part)]


def _joined(parts: list[str]) -> str:
    name = "test_" + "_".join(part for part in parts if part)
    if len(name) <= LONGEST_NAME:
        return name
    words = name[:LONGEST_NAME].split("_")[:-1]
    while len(words) > 2 and words[-1] in DANGLING:
        words = words[:-1]
    return "_".join(words)


def _subject(case: Case) -> str:
    """Returns the subject of a name: ``dumps``, ``json_decoder_decode``, ``segment_equality``."""
    return "_".join(WORDS.get(part) or slug(part) for part in case.symbol.split("."))


def _unless_said(case: Case, title: str) -> list[str]:
    """Returns the name of a function if the title does not contain it; classes name the file."""
    subject = _subject(case)
    said = f"_{subject}_" in f"_{title}_"
    return [] if said or "." in case.symbol or not case.symbol.islower() else [subject]


def _report(check: StepCheck) -> str:
    assert check.raised is not None
    ending = check.raised.type in ("SystemExit", "KeyboardInterrupt")
    said = phrase(check.match)
    if said:
        return f"exits_with_{said}" if ending else f"reports_{said}"
    return "exits" if check.raised.type == "SystemExit" else f"raises_{slug(check.raised.type)}"


def _checked(plan: PlannedTest) -> ast.AST:
    """Returns the tree of the checked expression, or of the statement that raises."""
    body = ast.parse(plan.check.expression or "None").body[0]
    return body.value if isinstance(body, ast.Expr) else body


def _what_it_takes(plan: PlannedTest) -> str:
    """Returns the kind of the first argument if it is informative: ``of_empty_list``,
    ``of_dict``."""
    if len(plan.members) > 1:
        return ""
    node = _checked(plan)
    leaf = plan.first.case.symbol.rpartition(".")[2]
    if not isinstance(node, ast.Call) or not ast.unparse(node.func).endswith(leaf):
        return ""
    kind = _kind(node.args[0]) if node.args else ""
    return f"of_{kind}" if kind else ""


def _state(plan: PlannedTest) -> str:
    """Returns what happened to the object before the call: ``after_days_at``, or ``""``."""
    *lines, _ = [check for check in plan.first.checks if ".seed(" not in check.expression]
    nodes = [ast.parse(line.expression) for line in lines if line.form == "none"]
    words = [
        inner.attr
        for node in nodes
        for inner in reversed(list(ast.walk(node)))
        if isinstance(inner, ast.Attribute)
    ]
    return f"after_{slug('_'.join(words[-3:]))}" if words else ""


def _given(plan: PlannedTest) -> str:
    """Returns a name for the first literal of the call or its object, if it has one."""
    nodes = [n for check in plan.first.checks for n in ast.walk(ast.parse(check.expression))]
    texts = [slug(str(n.value)) for n in nodes if isinstance(n, ast.Constant)]
    return next((f"of_{text}" for text in texts if 0 < len(text) <= LONGEST_GIVEN), "")


def _kind(node: ast.AST) -> str:
    if isinstance(node, ast.Constant):
        value = node.value
        if value is None or isinstance(value, bool):
            return str(value).lower()
        empty = "empty_" if value in ("", b"") else ""
        return empty + {"str": "text", "int": "integer"}.get(
            type(value).__name__, type(value).__name__
        )
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return ("empty_" if not node.elts else "") + type(node).__name__.lower()
    if isinstance(node, ast.Dict):
        return "empty_dict" if not node.keys else "dict"
    if isinstance(node, ast.Call):
        return slug(ast.unparse(node.func).rpartition(".")[2])
    return {"Lambda": "function", "UnaryOp": "negative_number"}.get(type(node).__name__, "")


class Intents:
    """Docstrings of tests, from the requirement, the documentation, or the observed result."""

    def __init__(self, program: Program, requirements: Requirements) -> None:
        self.program = program
        self.requirements = requirements

    def intent(self, plan: PlannedTest) -> str:
        """Returns the docstring of a test; plain text without a final line break."""
        for text in self._candidates(plan):
            text = without_loop(text, plan.first.case.source)
            plain = re.sub(r"\s*\n\s*", " ", text).strip().rstrip(".")
            # A docstring is wrapped at blanks: a literal with several would read as another one.
            unfit = re.search(r'"""|^"|\\|\s\s|\t', plain)
            if plain and len(plain) <= LONGEST_INTENT and unfit is None:
                return f"{plain}."
        return f"{_plain_subject(plan.first.case.symbol)} works on an example."

    def _candidates(self, plan: PlannedTest) -> list[str]:
        """Returns sentences that describe the test, the most informative first."""
        case = plan.first.case
        subject = _plain_subject(case.symbol)
        raised = next((c for c in plan.first.checks if c.raised), None)
        if case.origin == "requirement" and self.title(plan):
            return [self.title(plan), clause(self.title(plan))]
        if case.title:
            return [f"{subject}: {case.title}"]
        told = Told(plan.first)
        if plan.rows or len(plan.members) > 1:
            summary = self._summary(case.path, case.symbol, subject)
            told_of = _several(subject, plan, raised)
            exact = [one for one in told_of if not is_vague(one)]
            documented = [f"{subject} does what its documentation shows"]
            rest = documented if case.origin != "searched" else []
            return [*exact, *rest, *told_of, summary, f"{subject} with several inputs"]
        if case.command:
            return [*sentences(subject, case, plan.first.checks)]
        if raised is not None:
            return _refusals(subject, told, raised)
        if case.origin == "documented" and len(told.checks) + len(told.setup) > 1:
            shown = f"{subject} does what its documentation shows"
            result = result_sentences(told, subject) if len(told.checks) == 1 else []
            return [*result, shown]
        if told.changes:
            return [*change_sentences(told, subject), f"{subject} changes what its object shows"]
        if case.effect[0] and case.effect[1]:
            return _effects(subject, *case.effect)
        written = [name for check in plan.first.checks for name, _ in check.files]
        if written:
            return [f"{subject} writes {' and '.join(written)}", f"{subject} writes files"]
        found = result_sentences(told, subject)
        honours = _effects(subject, *case.effect) if case.effect[0] else []
        return [*found, *honours, self._summary(case.path, case.symbol, subject)]

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


def _refusals(subject: str, told: Told, check: StepCheck) -> list[str]:
    """Returns sentences like ``loads refuses "[1": Expecting value``."""
    assert check.raised is not None
    if check.raised.type == "SystemExit":
        words = check.match or next((piece for _, piece in check.said), "")
        ends = f"exits with {check.expected}" if check.form == "exits" else "gives up"
        return [*([f"{subject} {ends}: {words}"] if words else []), f"{subject} {ends}"]
    return error_sentences(told, subject, check)


def _several(subject: str, plan: PlannedTest, raised: StepCheck | None) -> list[str]:
    """Returns sentences of a table, or of several calls that are asserted one after another."""
    if plan.form == "table":
        return table_sentences(subject, [dict(row.arguments) for row in plan.rows], plan.steps)
    if plan.rows:
        pairs = [([v for _, v in row.arguments], row.expected) for row in plan.rows]
        return rows_sentences(subject, pairs, raised)
    checks = [m.checks[0] for m in plan.members if len(m.checks) == 1]
    valued = [check for check in checks if check.form in ("equals", "is")]
    told = [([inputs_of(check.expression)], check.expected) for check in valued]
    pairs = [(given, expected) for given, expected in told if given[0]]
    return rows_sentences(subject, pairs, None) if len(pairs) == len(told) > 1 else []


def _effects(subject: str, option: str, without: str) -> list[str]:
    """Returns sentences like ``dumps honours indent=2; without it the result is '[1]'``."""
    name, _, value = option.partition("=")
    short = option if len(value) <= LONGEST_INPUT else name
    found = [f"{subject} honours {short}; without it {without}"] if without else []
    return [*found, f"{subject} honours {short}", f"{subject} honours {name}"]


def _plain_subject(symbol: str) -> str:
    owner, _, leaf = symbol.rpartition(".")
    if leaf in OPERATORS or leaf in STATEMENTS:
        return f"{owner} {WORDS.get(leaf, leaf.strip('_'))}".replace("_", " ")
    return symbol
