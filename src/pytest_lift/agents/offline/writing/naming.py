"""Names tests and writes their one-line docstrings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pytest_lift.agents.offline.writing.command_lines import name_words, sentences
from pytest_lift.agents.offline.writing.grouping import PlannedTest
from pytest_lift.agents.offline.writing.oracles import StepCheck, Verified
from pytest_lift.agents.offline.writing.pairs import compared
from pytest_lift.agents.offline.writing.sentences import (
    change_sentences,
    error_sentences,
    exit_sentences,
    result_sentences,
    writing_sentences,
)
from pytest_lift.agents.offline.writing.tables import several_sentences, shared_sentences
from pytest_lift.agents.offline.writing.told import Told, wording
from pytest_lift.agents.offline.writing.values import listed, text_words
from pytest_lift.agents.offline.writing.words import DANGLING, clause, is_balanced, phrase, slug
from pytest_lift.calls.blocks import without_loop
from pytest_lift.calls.case import Case
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program
from pytest_lift.source.special_methods import OPERATORS, STATEMENTS, WORDS
from pytest_lift.source.symbols import Symbol

COUNTS = ("no", "one", "two", "three", "four")
LONGEST_NAME = 78
LONGEST_GIVEN = 16
MOST_OPTIONS = 2
"""Most options in a name."""
MOST_TITLE_WORDS = 6
"""Most words of a heading of the documentation in a name."""
SHORT_FILE = 32
"""Most characters of a file that a sentence holds."""

ONE_LINE, FIRST_LINE, LONGEST_INTENT = 84, 81, 140
"""Most characters of a docstring in one line, in each of two, and in all."""
PAUSES = (",", " and", " gives", " is", " raises", " raise", " with")
"""Ends of the first line of a docstring that read well."""
LITERAL = r"'(?:[^'\\]|\\.)*'(?!\w)|\"(?:[^\"\\]|\\.)*\""
"""A text or bytes as Python writes them."""


def name_of(plan: PlannedTest, title: str = "") -> str:
    """Returns a name like ``test_dumps_with_sort_keys`` or ``test_loads_reports_extra_data``.

    `title` is that of the requirement from which the test was written.
    """
    case = plan.first.case
    parts = [_subject(case)]
    if case.origin == "requirement" and title:
        return _joined([*_unless_said(case, slug(title)), slug(title)])
    raised = plan.check if plan.check.raised else None
    if case.title and len(case.title.split()) <= MOST_TITLE_WORDS:
        parts.append(slug(case.title))
    elif case.effect:
        parts.append("with_" + case.effect.partition("=")[0])
    elif case.keywords:
        parts.append("with_" + "_and_".join(list(dict.fromkeys(case.keywords))[:MOST_OPTIONS]))
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
    raised = plan.check if plan.check.raised else None
    leaf = slug(case.symbol.rpartition(".")[2])
    plain = name.removeprefix("test_")
    said = f"_{leaf}_" in f"{name}_" or case.symbol.endswith("__")
    first = [] if said else [_joined([leaf, plain])]
    more = []
    if case.command:
        count = len(case.command) - 1
        more.append(f"given_{COUNTS[count] if count < len(COUNTS) else count}_arguments")
    options = list(dict.fromkeys((*case.keywords, *case.idle)))
    if options and "_with_" not in name:
        more.append("with_" + "_and_".join(_unsaid(options, name)))
    if raised is not None and not re.search("_(reports|raises|exits)", name):
        more.append(_report(raised))
    if plan.rows:
        more.append("by_" + "_and_".join(column.strip("_") for column, _ in plan.rows[0].arguments))
    if "_of_" not in name and not plan.rows and not case.command:
        more += [_what_it_takes(plan), _state(plan), _given(plan)]
    return [*first, *(_joined([plain, part]) for part in more if not part.endswith("_"))]


def _unsaid(options: Sequence[str], name: str) -> list[str]:
    """Returns the first options that are not in a name."""
    return [one for one in options if f"_{one}" not in name][:2]


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


def _fits(text: str) -> bool:
    """Whether a text can be a docstring: in one line, or in two that break between words outside
    of literals."""
    if (
        not text.isprintable()
        or '"""' in text
        or text.startswith('"')
        or len(text) > LONGEST_INTENT
    ):
        return False
    return len(text) <= ONE_LINE + 1 or bool(docstring_lines(text)[1:])


def docstring_lines(text: str) -> list[str]:
    """Returns a docstring as one line or two, the second of which begins at a blank that is in no
    literal and no brackets; one line that is too long where there is none."""
    if len(text) <= ONE_LINE + 1:
        return [text]
    free = [(n, depth) for n, depth in _blanks(text) if n <= FIRST_LINE >= len(text) - n]
    outer = [n for n, depth in free if not depth]
    best = [n for n in outer if re.search(r"\w:$|;$", text[:n])]
    best = best or [n for n in outer if text[:n].endswith(PAUSES) and n > ONE_LINE // 2]
    best = best or outer
    return [text[: best[-1]], text[best[-1] + 1 :]] if best else [text]


def _blanks(text: str) -> Iterator[tuple[int, int]]:
    """Yields where blanks stand outside of literals, and in how many brackets each is."""
    depth = 0
    for match in re.finditer(rf"{LITERAL}|[(\[{{]|[)\]}}]| ", text):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(match[0], 0)
        if match[0] == " ":
            yield match.start(), depth


class Intents:
    """Docstrings of tests, from the requirement, the documentation, or the observed result."""

    def __init__(self, program: Program, requirements: Requirements) -> None:
        self.program = program
        self.requirements = requirements
        self.words = wording(program)

    def intent(self, plan: PlannedTest) -> str:
        """Returns the docstring of a test; plain text without a final line break."""
        subject = _plain_subject(plan.first.case.symbol)
        texts = (*self._whole(plan), *self._in_short(plan))
        return _first_fitting(plan, texts) or f"{subject} works on an example."

    def tells(self, plan: PlannedTest) -> bool:
        """Whether the docstring of a test says all that it asserts."""
        return bool(_first_fitting(plan, self._whole(plan)))

    def _whole(self, plan: PlannedTest) -> Iterator[str]:
        """Yields sentences that tell all of a test, the most informative first."""
        case = plan.first.case
        if case.origin == "requirement" and self.title(plan):
            yield self.title(plan)
            yield clause(self.title(plan))
            return
        for text in self._asserted(plan):
            if case.title:
                yield f"{case.title}: {text}"
            yield _about(case, text)

    def _asserted(self, plan: PlannedTest) -> Iterator[str]:
        case = plan.first.case
        subject = _plain_subject(case.symbol)
        if plan.rows or len(plan.members) > 1:
            yield from several_sentences(subject, plan, self.words, self._shown)
        elif case.command:
            yield from sentences(subject, case, plan.first.checks)
        else:
            yield from self._alone(plan.first)

    def _in_short(self, plan: PlannedTest) -> Iterator[str]:
        """Yields sentences of a test that is too long to be told: what it is about, and how it
        begins."""
        case = plan.first.case
        subject = _plain_subject(case.symbol)
        if case.title:
            yield f"{subject}: {case.title}"
        yield from shared_sentences(plan, self.words, self._shown)
        first = replace(plan.first, checks=_up_to_first(plan.first.checks))
        for one in self._alone(first):
            shown = case.origin == "documented"
            yield f"{subject} as documented, from the first line: {one}" if shown else one
        yield self._summary(case.path, case.symbol, subject)
        yield f"{subject} gives what is expected"

    def _shown(self, item: Verified) -> list[str]:
        """Returns sentences of one case of several, with its arguments."""
        plain = replace(item, case=replace(item.case, effect=""))
        return [one for one in self._alone(plain) if not re.match(r"[\w. ]+ (gives|raises) ", one)]

    def _alone(self, item: Verified) -> list[str]:
        """Returns sentences of one case."""
        case, told = item.case, Told(item, self.words)
        subject = _plain_subject(case.symbol)
        found = list(compared(item.checks, self.words))
        raised = next((check for check in item.checks if check.raised), None)
        written = any(check.files for check in item.checks)
        if raised is not None:
            found += _refusals(subject, told, raised)
        elif told.changes:
            found += change_sentences(told, subject)
        elif written:
            found += writing_sentences(told, subject)
        else:
            found += result_sentences(told, subject)
        return [text for one in found for text in (*_with_files(case, one), one)]

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


def _first_fitting(plan: PlannedTest, texts: Iterable[str]) -> str:
    """Returns the first of some sentences that fits into a docstring, as it stands there; "" for
    none."""
    for text in texts:
        text = without_loop(text, plan.first.case.source)
        plain = re.sub(r"\s*\n\s*", " ", text).strip().rstrip(".")
        if plain and _fits(f"{plain}."):
            return f"{plain}."
    return ""


def _up_to_first(checks: Sequence[StepCheck]) -> tuple[StepCheck, ...]:
    """Returns the checks up to the first that asserts something."""
    at = next((n for n, check in enumerate(checks) if check.form != "none"), len(checks) - 1)
    return tuple(checks[: at + 1])


def _with_files(case: Case, sentence: str) -> Iterator[str]:
    """Yields a sentence with what the files hold that it names."""
    held = [
        f"{name} holds {repr(text) if len(text) <= SHORT_FILE else text_words(text)}"
        for name, text in case.files.items()
        if text and name in sentence
    ]
    if held:
        yield f"{sentence}, where {listed(held)}"


def _about(case: Case, sentence: str) -> str:
    """Returns the sentence of a documented example with what it documents, where that is in none
    of its words."""
    name = case.symbol.rpartition(".")[2]
    named = case.origin == "searched" or name in OPERATORS or re.search(rf"\b{name}\b", sentence)
    return sentence if named else f"{_plain_subject(case.symbol)} as documented: {sentence}"


def _refusals(subject: str, told: Told, check: StepCheck) -> list[str]:
    """Returns sentences like ``loads refuses "[1": Expecting value``."""
    assert check.raised is not None
    if check.raised.type == "SystemExit":
        return list(exit_sentences(told, subject, check))
    return error_sentences(told, subject, check)


def _plain_subject(symbol: str) -> str:
    owner, _, leaf = symbol.rpartition(".")
    if leaf in OPERATORS or leaf in STATEMENTS:
        return f"{owner} {WORDS.get(leaf, leaf.strip('_'))}".replace("_", " ")
    return symbol
