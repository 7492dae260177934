"""Prints what stands above the body of a test: marks, tables, the definition, its docstring."""

from __future__ import annotations

from pytest_lift.agents.offline.docstrings.layout import docstring_lines
from pytest_lift.agents.offline.writing.grouping import ParametrizedRow, PlannedTest
from pytest_lift.agents.offline.writing.links import ClaimedLink
from pytest_lift.suite.layout.spelling import requoted, tidy
from pytest_lift.suite.layout.statements import WIDTH, statement


def marks(link: ClaimedLink) -> list[str]:
    if link.requirements:
        ids = ", ".join(requoted(repr(item)) for item in link.requirements)
        return [f"@pytest.mark.req({ids})"]
    reason = requoted(repr(link.emergent))
    flat = f"@pytest.mark.emergent({reason})"
    if len(flat) <= WIDTH:
        return [flat]
    return ["@pytest.mark.emergent(", *_reason(link.emergent), ")"]


def _reason(text: str) -> list[str]:
    """Returns a text as one literal, or as two below each other."""
    flat = f"    {requoted(repr(text))}"
    at = text.rfind(" ", 0, WIDTH - 10) + 1
    if len(flat) <= WIDTH + 1 or not at:
        return [flat]
    return [f"    {requoted(repr(part))}" for part in (text[:at], text[at:])]


def has_results(plan: PlannedTest) -> bool:
    """Whether each row states apart what is expected: a value, or the words of an error."""
    return plan.form != "table" and plan.check.form != "raises"


def parametrize(plan: PlannedTest, columns: list[str]) -> list[str]:
    expects = has_results(plan)
    single = len(columns) == 1
    head = requoted(repr(columns[0])) if single else tidy(repr(tuple(columns)))
    lines = ["@pytest.mark.parametrize(", f"    {head},", "    ["]
    for row in plan.rows:
        lines += row_lines(row, expects)
    return [*lines, "    ],", ")"]


def row_lines(row: ParametrizedRow, expects: bool = False) -> list[str]:
    """Returns the lines of a row, with what it `expects` where that is a column of its own."""
    values = [value for _, value in row.arguments] + ([row.expected] if expects else [])
    source = values[0] if len(values) == 1 else f"({', '.join(values)})"
    return statement("", source, ",", 8)


def definition(name: str, parameters: list[str]) -> list[str]:
    flat = f"def {name}({', '.join(parameters)}):"
    if len(flat) <= WIDTH:
        return [flat]
    return [f"def {name}(", f"    {', '.join(parameters)}", "):"]


def docstring(text: str) -> list[str]:
    """Returns a docstring as one line or several; what has a backslash is a raw one."""
    lines = docstring_lines(text)
    lines[0] = f'{"r" if chr(92) in text else ""}"""{lines[0]}'
    lines[-1] = f'{lines[-1]}"""'
    return [f"    {line}" for line in lines]
