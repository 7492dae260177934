"""Names of tests: what is called, and what is special about it."""

from __future__ import annotations

import ast
import re

from pytest_lift.offline.case import Case
from pytest_lift.offline.grouping import Plan
from pytest_lift.offline.oracles import Check

DUNDER_WORDS = {
    "__eq__": "equality", "__ne__": "inequality", "__lt__": "less_than", "__le__": "at_most",
    "__gt__": "greater_than", "__ge__": "at_least", "__add__": "addition", "__len__": "length",
    "__sub__": "subtraction", "__getitem__": "indexing", "__contains__": "membership",
    "__str__": "text", "__repr__": "repr", "__iter__": "iteration", "__call__": "call",
    "__init__": "construction", "__hash__": "hash", "__bool__": "truth", "__mul__": "product",
}  # fmt: skip
LONGEST_NAME = 78
LONGEST_REPORT = 5
"""Words of an error's message that go into a name."""
DANGLING = frozenset(
    "a an and are as at be by can do does for from has have if in into is it its must no not of on "
    "or that the their then this to was were when which will with without".split()
)
"""Words that no name ends in."""


def name_of(plan: Plan, title: str = "") -> str:
    """``test_dumps_with_sort_keys``, ``test_loads_reports_extra_data``.

    `title` is that of the requirement which the test was written from.
    """
    case = plan.first.case
    parts = [_subject(case)]
    if case.origin == "requirement" and title:
        return _joined([*_unless_said(case, slug(title)), slug(title)])
    raised = next((c for c in plan.first.checks if c.raised), None)
    if case.title:
        parts.append(slug(case.title))
    elif case.keywords:
        parts.append("with_" + "_and_".join(list(dict.fromkeys(case.keywords))[:3]))
    elif case.origin == "documented":
        parts.append("as_documented")
    elif case.argv is not None:
        parts.append("reading_a_file" if case.files else "reading_standard_input")
        parts += ["writing_a_file"] if any(check.files for check in plan.first.checks) else []
    elif raised is None and plan.form != "rows":
        parts.append(_what_it_takes(plan))
    if raised is not None:
        parts.append(_report(raised))
    return _joined(parts)


def other_names(plan: Plan, name: str) -> list[str]:
    """`name` with more about the test in it, for when that name is taken."""
    case = plan.first.case
    raised = next((c for c in plan.first.checks if c.raised), None)
    leaf = slug(case.symbol.rpartition(".")[2])
    plain = name.removeprefix("test_")
    first = [] if f"_{leaf}_" in name else [_joined([leaf, plain])]
    more = []
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
    """``dumps``, ``json_decoder_decode``, ``segment_equality``."""
    return "_".join(DUNDER_WORDS.get(part) or slug(part) for part in case.symbol.split("."))


def _unless_said(case: Case, title: str) -> list[str]:
    """The name of a function in front of a title that does not say it; classes are in the file."""
    subject = _subject(case)
    said = f"_{subject}_" in f"_{title}_"
    return [] if said or "." in case.symbol or not case.symbol.islower() else [subject]


def slug(text: str) -> str:
    """Lower-case words joined by underscores, camel case taken apart."""
    apart = re.sub(r"([a-z\d])([A-Z][A-Za-z])", r"\1_\2", text.replace("'", ""))
    apart = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", apart)
    return "_".join(re.findall(r"[a-z\d]+", apart.lower()))


def _report(check: Check) -> str:
    assert check.raised is not None
    ending = check.raised.type in ("SystemExit", "KeyboardInterrupt")
    said = phrase(check.match)
    if said:
        return f"exits_with_{said}" if ending else f"reports_{said}"
    return "exits" if check.raised.type == "SystemExit" else f"raises_{slug(check.raised.type)}"


def phrase(message: str) -> str:
    """The words of a message up to where they can stop: ``keys_must_be_str``."""
    words = slug(re.split(r"[,;:.]\s", message)[0]).split("_")
    while words and words[0] in DANGLING - {"no", "not", "must"}:
        words = words[1:]
    if len(words) > LONGEST_REPORT:
        stops = [at for at in range(2, LONGEST_REPORT + 1) if words[at] in DANGLING]
        words = words[: stops[-1] if stops else LONGEST_REPORT]
    while len(words) > 1 and (words[-1] in DANGLING or _is_participle(words)):
        words = words[:-1]
    return "_".join(words)


def _is_participle(words: list[str]) -> bool:
    return len(words) > 2 and words[-1].endswith(("ing", "ed"))


def _what_it_takes(plan: Plan) -> str:
    """``of_empty_list``, ``of_dict``: the kind of the first argument, where it tells something."""
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
