"""Names and one-line intents of tests."""

from __future__ import annotations

import ast
import re

from pytest_lift.offline.grouping import Plan
from pytest_lift.offline.oracles import Check
from pytest_lift.offline.targets import OPERATORS
from pytest_lift.program import Program, Symbol
from pytest_lift.requirements import Requirements

DUNDER_WORDS = {
    "__eq__": "equality", "__ne__": "inequality", "__lt__": "less_than", "__le__": "at_most",
    "__gt__": "greater_than", "__ge__": "at_least", "__add__": "addition", "__len__": "length",
    "__sub__": "subtraction", "__getitem__": "indexing", "__contains__": "membership",
    "__str__": "text", "__repr__": "repr", "__iter__": "iteration", "__call__": "call",
    "__init__": "construction", "__hash__": "hash", "__bool__": "truth", "__mul__": "product",
}  # fmt: skip
LONGEST_NAME = 70
LONGEST_INTENT = 84


def name_of(plan: Plan, title: str = "") -> str:
    """``test_dumps_with_sort_keys``, ``test_loads_reports_extra_data``.

    `title` is that of the requirement which the test was written from.
    """
    case = plan.first.case
    parts = [_subject(case.symbol)]
    raised = next((c for c in plan.first.checks if c.raised), None)
    if case.origin == "requirement" and title:
        parts.append(slug(title))
    elif case.title:
        parts.append(slug(case.title))
    elif case.keywords:
        parts.append("with_" + "_and_".join(list(dict.fromkeys(case.keywords))[:3]))
    elif case.origin == "documented":
        parts.append("as_documented")
    elif case.argv is not None:
        parts.append("reading_a_file" if case.files else "reading_standard_input")
    elif raised is None and plan.form != "rows":
        parts.append(_what_it_takes(plan))
    if raised is not None and case.origin != "requirement":
        parts.append(_report(raised))
    return _joined(parts)


def other_names(plan: Plan, name: str) -> list[str]:
    """`name` with more about the test in it, for when that name is taken."""
    case = plan.first.case
    raised = next((c for c in plan.first.checks if c.raised), None)
    more = []
    if case.keywords and "_with_" not in name:
        more.append("with_" + "_and_".join(list(dict.fromkeys(case.keywords))[:2]))
    if raised is not None and "_reports_" not in name and "_raises_" not in name:
        more.append(_report(raised))
    if "_of_" not in name and plan.form != "rows" and case.argv is None:
        more.append(_what_it_takes(plan))
    return [_joined([name.removeprefix("test_"), part]) for part in more if part]


def _joined(parts: list[str]) -> str:
    name = "test_" + "_".join(part for part in parts if part)
    return name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME].rpartition("_")[0]


def _subject(symbol: str) -> str:
    words = []
    for part in symbol.split("."):
        words.append(DUNDER_WORDS.get(part) or slug(part))
    return "_".join(words)


def slug(text: str) -> str:
    """Lower-case words joined by underscores, camel case taken apart."""
    apart = re.sub(r"([a-z\d])([A-Z])", r"\1_\2", text)
    apart = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", apart)
    words = re.findall(r"[a-z\d]+", apart.lower())
    return "_".join(words[:6])


def _report(check: Check) -> str:
    assert check.raised is not None
    if check.match and slug(check.match):
        return f"reports_{slug(check.match)}"
    return f"raises_{slug(check.raised.type)}"


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


class Intents:
    """One-line docstrings, from the requirement, the documentation or the call itself."""

    def __init__(self, program: Program, requirements: Requirements) -> None:
        self.program = program
        self.requirements = requirements

    def intent(self, plan: Plan) -> str:
        """What the test is for; plain text without a final line break."""
        stated = self.title(plan) if plan.first.case.origin == "requirement" else ""
        text = stated or self._documented(plan) or self._call(plan)
        text = re.sub(r"\s*\((the )?default[^)]*\)", "", text)
        text = re.sub(r"\s+", " ", text.replace('"""', "'''").replace("\\", "/")).strip()
        text = text.rstrip('."')
        if len(text) > LONGEST_INTENT:
            text = text[: LONGEST_INTENT - 3].rpartition(" ")[0].rstrip(",;:") + "..."
        return text if text.endswith("...") else f"{text}."

    def title(self, plan: Plan) -> str:
        """Title of the requirement that the test is linked to first, or ``""``."""
        ids = plan.link.requirements
        item = self.requirements.by_id.get(ids[0]) if ids else None
        return (item.title or item.description) if item else ""

    def _documented(self, plan: Plan) -> str:
        case = plan.first.case
        symbol = self._symbol(case.path, case.symbol)
        raised = next((c.raised for c in plan.first.checks if c.raised), None)
        if raised is not None:
            said = plan.check.match or raised.message.splitlines()[0] if raised.message else ""
            return f"{case.symbol} raises {raised.type}" + (f": {said}" if said else "")
        if case.keywords and symbol is not None:
            return _sentence_about(symbol.doc, case.keywords[-1])
        return ""

    def _call(self, plan: Plan) -> str:
        case = plan.first.case
        subject = _plain_subject(case.symbol)
        if case.title:
            return f"{subject}: {case.title}"
        if case.origin == "documented":
            return f"{subject} does what its documentation shows"
        if case.keywords:
            return f"{subject} with {' and '.join(case.keywords[:3])}"
        symbol = self._symbol(case.path, case.symbol)
        first = symbol.doc.strip().split("\n\n")[0] if symbol else ""
        return f"{subject}: {first}" if first and len(first) < 120 else f"What {subject} gives"

    def _symbol(self, path: str, name: str) -> Symbol | None:
        symbols = self.program.files[path].symbols
        found = [s for s in symbols if s.name in (name, f"{name}.__init__")]
        return found[-1] if found else None


def _plain_subject(symbol: str) -> str:
    owner, _, leaf = symbol.rpartition(".")
    if leaf in OPERATORS:
        return f"{owner} {DUNDER_WORDS.get(leaf, leaf.strip('_'))}".replace("_", " ")
    return symbol


def _sentence_about(doc: str, parameter: str) -> str:
    """The first sentence of the documentation that is about the parameter."""
    for paragraph in doc.split("\n\n"):
        text = re.sub(r"\s+", " ", paragraph.strip())
        text = re.sub(r":\w+:`~?\.?([^`]*)`", r"\1", text)
        if re.search(rf"(^|[*`\s])({re.escape(parameter)})\b", text[:60]):
            return re.split(r"(?<=[a-z)`*])\.\s", re.sub(r"[*`]+", "", text))[0]
    return ""
