"""Writes numbers of a list that follow one another as a range: ``list(range(1, 30))``."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from pytest_lift.source.syntax import parsed_expression

FEWEST = 6
"""Numbers that are written one by one, however they follow one another, are fewer."""
OF_RANGES = frozenset({"range", "list"})
"""Names by which ranges are written, which a test may have for something else."""


def with_ranges(source: str) -> str:
    """Returns the source of a list with ranges in the place of numbers that count up by one; any
    other source as it is."""
    node = parsed_expression(source)
    if not isinstance(node, ast.List) or len(node.elts) < FEWEST:
        return source
    numbers = [one.value for one in node.elts if isinstance(one, ast.Constant)]
    whole = [one for one in numbers if type(one) is int]
    if len(whole) < len(node.elts):
        return source
    parts = [_part(run) for run in _runs(whole)]
    if len(parts) == len(whole):
        return source
    if len(parts) == 1:
        return f"list({parts[0].removeprefix('*')})"
    return f"[{', '.join(parts)}]"


def _runs(numbers: Sequence[int]) -> list[list[int]]:
    """Returns the numbers in groups: those that count up by one, and all others alone."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [part for run in runs for part in ([run] if len(run) >= FEWEST else [[n] for n in run])]


def _part(run: Sequence[int]) -> str:
    return f"*range({run[0]}, {run[-1] + 1})" if len(run) > 1 else str(run[0])
