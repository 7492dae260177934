"""Values that programs tell apart from plain ones are tried: moments with a zone, numbers without
an end, and lists in which an item that has no hash comes twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from begun_search import search_of
from offline_program import brief, write_program

from pytest_lift.agents.offline.generator import generator

TIMES = '''
    """Says when."""

    from datetime import datetime


    def local(when: datetime) -> str:
        """Returns the hour, and whether it is that of a zone."""
        if when.tzinfo is not None:
            return f"{when.hour} in {when.tzinfo}"
        return f"{when.hour} o'clock"
'''
KEPT = {
    "kept.py": """
        def sign(value: float) -> str:
            return "below" if value == float("-inf") else "above"

        def first_of_each(iterable):
            seen = []
            for item in iterable:
                if item not in seen:
                    seen.append(item)
            return seen
        """
}


def test_a_moment_with_a_zone_is_told_by_a_test(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"times.py": TIMES})
    text = "\n".join(map(str, generator(brief(tmp_path, program)).files.values()))
    assert "12 in UTC" in text
    assert "tzinfo=timezone.utc" in text
    assert "timezone" in text.partition("\n\n\n")[0]  # imported


@pytest.mark.parametrize(
    ("function", "value"),
    [("sign", "float('-inf')"), ("first_of_each", "[[1, 2], [3, 4], [1, 2]]")],
)
def test_what_is_seldom_equal_is_among_the_values(
    tmp_path: Path, function: str, value: str
) -> None:
    search, targets = search_of(tmp_path, KEPT)
    target = targets[function]
    assert value in search.inputs.pool(target, target.parameters[0])
