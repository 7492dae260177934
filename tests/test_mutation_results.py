"""The change of a mutant, found without comparing the whole of a long function."""

from __future__ import annotations

import difflib

from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.mutation.mutmut import results
from pytest_lift.source.program import SourceFile

LINES = st.lists(st.sampled_from(["a", "b", "    return a", ""]), max_size=12)


def change(old: list[str], new: list[str], moved: int = 0) -> tuple[list[str], list[str], str]:
    same = results._equal_lines(old, new)
    behind = results._equal_lines(old[same:][::-1], new[same:][::-1])
    gone, come = (results._between(lines, same, behind) for lines in (old, new))
    return gone, come, results._diff(old, new, same, behind, moved)


def patched(old: list[str], diff: str) -> list[str]:
    """What a diff of one hunk or several makes of these lines."""
    found, at = [], 0
    for line in diff.split("\n") if diff else []:
        if line.startswith("@@"):
            start = int(line.split(" ")[1][1:].partition(",")[0])
            start -= line.split(" ")[1].partition(",")[2] != "0"
            found += old[at:start]
            at = start
        elif line.startswith("+"):
            found.append(line[1:])
        else:
            assert line[1:] == old[at]
            found += [line[1:]] if line.startswith(" ") else []
            at += 1
    return found + old[at:]


@given(LINES, LINES, LINES, LINES)
def test_the_diff_says_what_was_changed(
    head: list[str], old: list[str], new: list[str], tail: list[str]
) -> None:
    before, after = head + old + tail, head + new + tail
    gone, come, diff = change(before, after)
    assert patched(before, diff) == after
    assert bool(diff) == (before != after)
    assert len(before) - len(gone) == len(after) - len(come)


def test_it_reads_as_that_of_the_whole() -> None:
    old = [f"    line {number}" for number in range(400)]
    new = [*old[:200], "    another", *old[201:]]
    gone, come, diff = change(old, new)
    assert (gone, come) == (["    line 200"], ["    another"])
    assert diff.split("\n") == list(difflib.unified_diff(old, new, lineterm=""))[2:]
    assert change(old, new, 1000)[2].startswith("@@ -1198,7 +1198,7 @@\n")
    assert change(old, old) == ([], [], "")


def test_a_mutant_that_changes_nothing_stands_where_its_function_begins() -> None:
    texts = ["def x_f__mutmut_orig():", "    return 1", "def x_f__mutmut_1():", "    return 1"]
    spans = {"x_f__mutmut_orig": (1, 2), "x_f__mutmut_1": (3, 4)}
    file = SourceFile("m.py", "m", "def f():\n    return 1\n")
    found = results._Pieces(texts, spans, file).mutant("m.x_f__mutmut_1")
    assert (found.line, found.symbol, found.diff) == (1, "f", "")
