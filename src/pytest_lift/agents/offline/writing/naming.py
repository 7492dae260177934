"""Names tests by the called function and what is special about the call."""

from __future__ import annotations

import ast
import re

from pytest_lift.agents.offline.writing.grouping import PlannedTest
from pytest_lift.agents.offline.writing.oracles import StepCheck
from pytest_lift.agents.offline.writing.words import DANGLING, phrase, slug
from pytest_lift.calls.case import Case

DUNDER_WORDS = {
    "__eq__": "equality", "__ne__": "inequality", "__lt__": "less_than", "__le__": "at_most",
    "__gt__": "greater_than", "__ge__": "at_least", "__add__": "addition", "__len__": "length",
    "__sub__": "subtraction", "__getitem__": "indexing", "__contains__": "membership",
    "__str__": "text", "__repr__": "repr", "__iter__": "iteration", "__call__": "call",
    "__init__": "construction", "__hash__": "hash", "__bool__": "truth", "__mul__": "product",
}  # fmt: skip
COUNTS = ("no", "one", "two", "three", "four")
LONGEST_NAME = 78


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
    elif case.argv is not None:
        parts.append("reading_a_file" if case.files else "reading_standard_input")
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
    first = [] if f"_{leaf}_" in name else [_joined([leaf, plain])]
    more = []
    if case.argv is not None:
        count = len(case.argv) - 1
        more.append(f"given_{COUNTS[count] if count < len(COUNTS) else count}_arguments")
    if case.idle:
        more.append("regardless_of_" + "_and_".join(case.idle))
    if case.keywords and "_with_" not in name:
        more.append("with_" + "_and_".join(list(dict.fromkeys(case.keywords))[:2]))
    if raised is not None and not re.search("_(reports|raises|exits)", name):
        more.append(_report(raised))
    if "_of_" not in name and plan.form != "rows" and case.argv is None:
        more.append(_what_it_takes(plan))
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
    return "_".join(DUNDER_WORDS.get(part) or slug(part) for part in case.symbol.split("."))


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


def _what_it_takes(plan: PlannedTest) -> str:
    """Returns the kind of the first argument if it is informative: ``of_empty_list``,
    ``of_dict``."""
    if len(plan.members) > 1:
        return ""
    node = ast.parse(plan.check.expression or "None", mode="eval").body
    leaf = plan.first.case.symbol.rpartition(".")[2]
    if not isinstance(node, ast.Call) or not ast.unparse(node.func).endswith(leaf):
        return ""
    kind = _kind(node.args[0]) if node.args else ""
    return f"of_{kind}" if kind else ""


def _kind(node: ast.expr) -> str:
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
